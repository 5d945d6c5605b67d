// The offline engine in the place of the forked agent: fixed rules over what people typed. Same result, no model: what
// was said in so many words is a draft, what was only meant is a suggestion. It never reads tool output or the
// assistant's words as a wish, and invents nothing.

import type { MemoryDraft, MemoryHeader } from '../memory/memory';
import { describeFact } from '../sessions/describeFact';
import type { Signal } from '../sessions/signals';
import type { TranscriptMessage } from '../sessions/transcript';
import type { Extract } from './extraction';
import type { Findings, KeepFindings } from './findings';
import { scopeOfSaid } from './routing';

export interface Extracted {
  /** Said outright: saved by itself. */
  readonly drafts: readonly MemoryDraft[];
  readonly suggestions: readonly { readonly draft: MemoryDraft; readonly why: string }[];
  /** What the person asked to forget, in their words. */
  readonly forget: NonNullable<Findings['forget']>;
}

/** Long sessions hold thousands of prompts; the editor must stay quick. */
const promptsAtOnce = 25;

export async function extractOffline(
  messages: readonly TranscriptMessage[],
  previousAssistant: string | undefined,
  session: { readonly id: string },
  signal?: AbortSignal,
  team = false,
): Promise<Extracted> {
  const { findSignals } = await import('../sessions/signals');
  const drafts: MemoryDraft[] = [];
  const suggestions: { draft: MemoryDraft; why: string }[] = [];
  const forget: Extracted['forget'][number][] = [];
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
    forget.push(...found.forget.map((text) => ({ text, at: message.at, messages: [message.uuid] })));
    for (const one of found.signals) {
      const draft = draftOf(one, message, session.id, team);
      if (one.explicit) drafts.push(draft);
      else suggestions.push({ draft, why: one.rule });
    }
  }
  return { drafts, suggestions, forget };
}

function draftOf(signal: Signal, message: TranscriptMessage, sessionId: string, team: boolean): MemoryDraft {
  return {
    ...draftFromFact(signal.fact, signal.type, message.at, signal.why),
    scope: scopeOfSaid({ ...signal, team }),
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
    body: bodyOfFact(fact, why || undefined),
    modifiedAt: at,
  };
}

export const bodyOfFact = (fact: string, why: string | undefined): string =>
  why === undefined ? fact : `${fact}\n\n**Why:** ${why}`;

/** The offline engine as an extraction: rules, then the checks of saving, then one run that `undo` takes back. */
export function createOfflineExtract(options: {
  readonly keep: KeepFindings;
  readonly heads: () => Promise<readonly MemoryHeader[]>;
  /** Whether what is for everybody goes to the team. */
  readonly team: () => boolean;
  /** The one memory that these words ask to forget; a doubtful match is none. */
  readonly findForgotten: (words: string, heads: readonly MemoryHeader[]) => MemoryHeader | undefined;
}): Extract {
  return async (reading, session, signal) => {
    const found = await extractOffline(reading.messages, reading.previousAssistant, session, signal, options.team());
    const heads = found.forget.length > 0 ? await options.heads() : [];
    const forgotten = found.forget.map(({ text }) => options.findForgotten(text, heads));
    const gone = forgotten.flatMap((head) => (head && !head.pinned ? [head.path] : []));
    return options.keep(
      {
        drafts: found.drafts,
        suggestions: found.suggestions,
        gone: new Map(gone.map((path) => [path, 'asked to be forgotten in a chat'])),
        forget: found.forget,
        edits: [],
      },
      { session, reading, signal },
    );
  };
}
