// The offline engine in the place of the forked agent: fixed rules over what people typed. Same result, no model: what
// was said in so many words is a draft, what was only meant is a suggestion. It never reads tool output or the
// assistant's words as a wish, and invents nothing.

import { noUsage } from '../agent/languageModel';
import type { Overlay } from '../memory/changeset';
import type { MemoryDraft, MemoryHeader } from '../memory/memory';
import type { Suggestions } from '../memory/proposals';
import type { Snapshots } from '../memory/snapshots';
import { MemoryError } from '../memoryError';
import { describeFact } from '../sessions/describeFact';
import { findSignals, type Signal } from '../sessions/signals';
import type { TranscriptMessage } from '../sessions/transcript';
import type { Extract } from './extraction';

import { planForgetting, planSaving, type SavingContext } from './saving';

export interface Extracted {
  /** Said outright: saved by itself. */
  readonly drafts: readonly MemoryDraft[];
  readonly suggestions: readonly { readonly draft: MemoryDraft; readonly why: string }[];
  /** What the person asked to forget, in their words. */
  readonly forget: readonly string[];
}

/** Long sessions hold thousands of prompts; the editor must stay quick. */
const promptsAtOnce = 25;

export async function extractOffline(
  messages: readonly TranscriptMessage[],
  previousAssistant: string | undefined,
  session: { readonly id: string },
  signal?: AbortSignal,
): Promise<Extracted> {
  const drafts: MemoryDraft[] = [];
  const suggestions: { draft: MemoryDraft; why: string }[] = [];
  const forget: string[] = [];
  let before = previousAssistant;
  let prompts = 0;
  for (const message of messages) {
    if (message.role === 'assistant') before = message.text || before;
    if (!message.human || !message.live) continue;
    prompts += 1;
    if (prompts % promptsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const found = findSignals({
      text: message.text,
      at: message.at,
      ...(before === undefined ? {} : { previousAssistant: before }),
    });
    forget.push(...found.forget);
    for (const one of found.signals) {
      const draft = draftOf(one, message, session.id);
      if (one.explicit) drafts.push(draft);
      else suggestions.push({ draft, why: one.rule });
    }
  }
  return { drafts, suggestions, forget };
}

function draftOf(signal: Signal, message: TranscriptMessage, sessionId: string): MemoryDraft {
  return {
    ...draftFromFact(signal.fact, signal.type, message.at, signal.why),
    originSessionId: sessionId,
    source: { session: sessionId, messages: [message.uuid] },
  };
}

/** A private memory of one fact. A reason is kept only where one was given (decision 23). */
export function draftFromFact(fact: string, type: MemoryDraft['type'], at: number, why?: string): MemoryDraft {
  return {
    type,
    scope: 'private',
    ...describeFact(fact),
    body: why ? `${fact}\n\n**Why:** ${why}` : fact,
    modifiedAt: at,
  };
}

/** The offline engine as an extraction: rules, then the checks of saving, then one run that `undo` takes back. */
export function createOfflineExtract(options: {
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly openOverlay: () => Overlay;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly mode: () => 'off' | 'ask' | 'automatic';
  /** The one memory that these words ask to forget; a doubtful match is none. */
  readonly findForgotten: (words: string, heads: readonly MemoryHeader[]) => MemoryHeader | undefined;
}): Extract {
  return async (reading, session, signal) => {
    const found = await extractOffline(reading.messages, reading.previousAssistant, session, signal);
    const automatic = options.mode() === 'automatic';
    const origin = {
      id: session.id,
      file: session.file,
      ...(reading.title === undefined ? {} : { title: reading.title }),
    };

    const overlay = options.openOverlay();
    const context = await options.saving(overlay);
    const forgotten = automatic ? found.forget.map((words) => options.findForgotten(words, context.heads)) : [];
    const gone = [...new Set(forgotten.flatMap((head) => (head && !head.pinned ? [head.path] : [])))];
    await planForgetting(gone, overlay);
    const left = { ...context, heads: context.heads.filter((head) => !gone.includes(head.path)) };
    const saved = automatic ? await planSaving(found.drafts, left) : [];

    const unsaid = automatic ? [] : found.drafts.map((draft) => ({ draft, why: 'said outright' }));
    const waiting = [...unsaid, ...found.suggestions];
    // A suggestion passes the same checks as a memory; the plan itself is thrown away.
    const trial = await planSaving(
      waiting.map(({ draft }) => draft),
      { ...left, overlay: options.openOverlay() },
    );
    const fresh = waiting.filter((_, index) => ['created', 'updated'].includes(trial[index]?.kind ?? ''));

    signal.throwIfAborted();
    const reasons = Object.fromEntries(gone.map((path) => [path, 'asked to be forgotten in a chat']));
    const { run, conflicts } = await options.snapshots.apply(overlay.changes(), {
      kind: 'extraction',
      session: origin,
      reasons,
    });
    if (conflicts[0])
      throw new MemoryError('changed', `“${conflicts[0]}” changed while it was being updated`, conflicts[0]);
    const suggestedCount = await options.suggestions.add(
      fresh.map(({ draft, why }) => ({ draft, why, session: origin, at: draft.modifiedAt })),
    );
    const written = saved.flatMap((one) => (one.kind === 'created' || one.kind === 'updated' ? [one.path] : []));
    const refused = saved.find((one) => one.kind === 'refused');
    return {
      writtenPaths: [...new Set(written)],
      savedCount: new Set(written).size,
      forgottenCount: gone.length,
      suggestedCount,
      runs: run ? [run.id] : [],
      usage: noUsage,
      turns: 0,
      ...(refused ? { refused: refused.reason } : {}),
    };
  };
}
