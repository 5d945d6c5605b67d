// The dream without a model: mends what rules can mend with certainty, and puts what they can't to a person. Deterministic, and
// a second run right after the first finds nothing to do. It removes a memory only by merging it into one that says all
// of it; pinned memories, unparsable ones, logs and the team's memories it leaves alone. The order of its steps matters: dates
// before comparing, because one "tomorrow" is not another's.

import { noUsage } from '../agent/languageModel';
import type { MemoryHeader } from '../memory/memory';
import { parseIndex } from '../memory/memoryIndex';
import type { ChangeNote, DreamContext, DreamEngine, DreamResult } from './dreamEngine';
import { because } from './reasons';
import { markDeadlines, settleDates } from './tidyDates';
import { openDesk } from './tidyDesk';
import { completeHeads } from './tidyHeads';
import { tidyIndex } from './tidyIndex';
import { settleLinks } from './tidyLinks';
import { findContradictions, findPairs, mergeDuplicates } from './tidyMerge';

/** What was found in the touched sessions, written into the overlay. */
export interface Gathered {
  /** By path of each memory that was created or extended. */
  readonly notes: ReadonlyMap<string, ChangeNote>;
  /** Of those that are new. */
  readonly created: readonly MemoryHeader[];
  /** Paths that the person asked to take away. */
  readonly gone?: readonly string[];
  /** What of the daily logs was looked at. */
  readonly logs?: DreamResult['logs'];
}

export type Gather = (
  context: Pick<DreamContext, 'sessions' | 'heads' | 'overlay' | 'now' | 'byHand' | 'isSeen'>,
  signal: AbortSignal,
) => Promise<Gathered>;

const indexPath = 'MEMORY.md';

/** `gather` folds what people said in the touched sessions into the overlay. */
export function createTidy(gather: Gather): DreamEngine {
  return async (context, signal, progress) => {
    const { overlay, now } = context;
    progress.phase('orient');
    signal.throwIfAborted();

    progress.phase('gather');
    const gathered = await gather(context, signal);
    const left = new Set(gathered.gone);
    const heads = [...context.heads, ...gathered.created].filter(({ path }) => !left.has(path));

    progress.phase('consolidate');
    const desk = await openDesk({ heads, now }, overlay, progress.touched, signal);
    for (const [path, note] of gathered.notes) desk.note(path, note);
    const before = desk.files();
    const lines = new Map(
      parseIndex((await overlay.read(indexPath)) ?? '').entries.map((entry) => [entry.target, entry]),
    );
    await settleDates(desk);
    const pairs = await findPairs(desk.files(), signal);
    await mergeDuplicates(desk, pairs, (path) => lines.has(path));
    const contradictions = await findContradictions(desk, pairs);
    await completeHeads(desk, (path) => lines.get(path));
    const gone = before.filter(({ path }) => desk.gone.has(path));
    const team = heads.filter(({ scope }) => scope === 'team');
    await settleLinks(desk, gone, team);
    await markDeadlines(desk, now);

    progress.phase('prune');
    signal.throwIfAborted();
    const text = await overlay.read(indexPath);
    const { others, unknown } = await existing(text ?? '', heads, context.exists);
    const index = tidyIndex({ text, files: desk.files(), others, unknown, survivorOf: desk.survivorOf });
    if (index.text !== undefined && index.text !== text) {
      await overlay.write(indexPath, index.text);
      desk.note(indexPath, { ...because(...index.reasons), sources: [] });
    }
    return {
      notes: desk.notes,
      contradictions,
      recallOnly: index.recallOnly,
      remarks: desk.remarks,
      usage: noUsage,
      ...(gathered.logs ? { logs: gathered.logs } : {}),
    };
  };
}

/** Which targets of an index exist beside the private memories: files of any kind, the team's memories. */
async function existing(text: string, heads: readonly MemoryHeader[], exists: DreamContext['exists']) {
  const known = new Set(heads.filter(({ scope }) => scope === 'private').map(({ path }) => path));
  const others = new Set<string>();
  const unknown = new Set<string>();
  for (const { target } of parseIndex(text).entries) {
    if (known.has(target)) continue;
    try {
      if (await exists(target)) others.add(target);
    } catch {
      unknown.add(target);
    }
  }
  return { others, unknown };
}
