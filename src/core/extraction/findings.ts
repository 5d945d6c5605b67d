// What an engine found in a session, rules or a model alike, on its way into memory: one overlay, the checks of saving, one
// run that `undo` takes back. With `ask` nothing is written: all of it waits as suggestions.

import { noUsage } from '../agent/languageModel';
import type { Overlay } from '../memory/changeset';
import type { MemoryDraft } from '../memory/memory';
import { mergeIndex, parseIndex } from '../memory/memoryIndex';
import { indexPathOf, indexTargetOf } from '../memory/memoryPaths';
import type { Suggestions } from '../memory/proposals';
import type { Snapshots } from '../memory/snapshots';
import { MemoryError } from '../memoryError';
import type { Session, TranscriptReading } from '../sessions/transcript';
import type { ExtractionOutcome } from './outcome';
import { planForgetting, planSaving, type SavingContext } from './saving';

export interface Findings {
  /** Said outright, or grounded in what was said: saved by itself. */
  readonly drafts: readonly MemoryDraft[];
  readonly suggestions: readonly { readonly draft: MemoryDraft; readonly why: string }[];
  /** Memories to take away, with the reason that the trash shows. */
  readonly gone: ReadonlyMap<string, string>;
  /** What a person asked to be forgotten, in their words; absent where an engine names the memories alone. */
  readonly forget?: readonly { readonly text: string; readonly at: number; readonly messages: readonly string[] }[];
  /** Existing memories as they shall be, checked already. `news` is what they say beyond before. */
  readonly edits: readonly {
    readonly path: string;
    readonly text: string;
    readonly description: string | undefined;
    readonly news: MemoryDraft | undefined;
  }[];
}

export type ExtractionResult = Pick<
  ExtractionOutcome,
  | 'writtenPaths'
  | 'savedCount'
  | 'forgottenCount'
  | 'suggestedCount'
  | 'loggedCount'
  | 'runs'
  | 'usage'
  | 'turns'
  | 'model'
> & { readonly refused?: 'secret' };

export type KeepFindings = (
  findings: Findings,
  from: { readonly session: Session; readonly reading: TranscriptReading; readonly signal: AbortSignal },
) => Promise<ExtractionResult>;

/** Rejects with `changed` when a memory is no longer what the engine saw; then nothing was written. */
export function createKeepFindings(options: {
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly openOverlay: () => Overlay;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly mode: () => 'off' | 'ask' | 'automatic';
}): KeepFindings {
  return async (findings, { session, reading, signal }) => {
    const automatic = options.mode() === 'automatic';
    const origin = {
      id: session.id,
      file: session.file,
      ...(reading.title === undefined ? {} : { title: reading.title }),
    };
    const overlay = options.openOverlay();
    const context = await options.saving(overlay);
    const gone = automatic ? [...findings.gone.keys()] : [];
    const edits = automatic ? findings.edits : [];
    await planForgetting(gone, overlay);
    for (const edit of edits) await planEdit(edit, overlay);
    const left = { ...context, heads: context.heads.filter((head) => !gone.includes(head.path)) };
    const saved = automatic ? await planSaving(findings.drafts, left) : [];

    const unsaid = automatic
      ? []
      : [...findings.drafts, ...findings.edits.flatMap(({ news }) => news ?? [])].map((draft) => ({
          draft,
          why: 'said outright',
        }));
    const waiting = [...unsaid, ...findings.suggestions];
    // A suggestion passes the same checks as a memory; the plan itself is thrown away.
    const trial = await planSaving(
      waiting.map(({ draft }) => draft),
      { ...left, overlay: options.openOverlay() },
    );
    const fresh = waiting.filter((_, index) => ['created', 'updated'].includes(trial[index]?.kind ?? ''));

    signal.throwIfAborted();
    const reasons = Object.fromEntries(gone.map((path) => [path, findings.gone.get(path) ?? '']));
    const purpose = { kind: 'extraction' as const, session: origin, reasons };
    const { run, conflicts } = await options.snapshots.apply(overlay.changes(), purpose);
    const conflict = conflicts[0];
    if (conflict) throw new MemoryError('changed', `“${conflict}” changed while it was being updated`, conflict);
    const suggestedCount = await options.suggestions.add(
      fresh.map(({ draft, why }) => ({ draft, why, session: origin, at: draft.modifiedAt })),
    );
    const written = [
      ...edits.map(({ path }) => path),
      ...saved.flatMap((one) => (one.kind === 'created' || one.kind === 'updated' ? [one.path] : [])),
    ];
    return {
      writtenPaths: [...new Set(written)],
      savedCount: new Set(written).size,
      forgottenCount: gone.length,
      suggestedCount,
      runs: run ? [run.id] : [],
      usage: noUsage,
      turns: 0,
      ...(saved.some((one) => one.kind === 'refused') ? { refused: 'secret' as const } : {}),
    };
  };
}

/** The file, and its index line when there is one and the description is another. */
async function planEdit(edit: Findings['edits'][number], overlay: Overlay): Promise<void> {
  await overlay.write(edit.path, edit.text);
  if (edit.description === undefined) return;
  const index = indexPathOf(edit.path);
  const target = indexTargetOf(edit.path);
  const text = await overlay.read(index);
  const line = parseIndex(text ?? '').entries.find((entry) => entry.target === target);
  if (!line || line.hook === edit.description) return;
  await overlay.write(index, mergeIndex(text, { set: [{ target, hook: edit.description }] }));
}
