// From what a person chose on the page to what the engine applies, and back to what came of each card. Pure. The page's word is
// checked against the proposal: a card, a part or an answer it does not have is left out.

import type { Applied } from '../core/dream/applying';
import type { Proposal, Selection } from '../core/dream/proposal';
import { conflictsOf, isIndex, type Outline, outlineOf, type Standing } from './proposalCards';
import { changeOnto, conflictAnswers } from './reviewModel';
import type { CardChoice, CardResult } from './reviewProtocol';

export interface Chosen {
  readonly selection: Selection;
  /** Cards that are in, whole or in part. */
  readonly cards: readonly string[];
}

export function selectionOf(proposal: Proposal, disk: Standing, choices: readonly CardChoice[]): Chosen {
  const conflicts = conflictsOf(proposal, disk);
  const outlines = outlineOf(proposal, conflicts);
  const paths = new Set<string>();
  const hunks: Record<string, readonly number[]> = {};
  const answers: Record<string, 'newer' | 'older' | 'both'> = {};
  const settled: Record<string, Settled> = {};
  const cards: string[] = [];
  for (const { id, hunks: taken, answer } of choices) {
    const outline = outlines.find((each) => each.id === id);
    if (!outline) continue;
    if (outline.kind === 'choose') {
      if (answer === 'newer' || answer === 'older' || answer === 'both') answers[id] = answer;
      else continue;
    } else if (outline.kind === 'conflict') {
      const found = settle(outline, conflicts, disk, answer);
      if (found.length === 0) continue;
      for (const [path, change] of found) {
        paths.add(path);
        if (change) settled[path] = change;
      }
    } else {
      for (const { path } of outline.changes) paths.add(path);
      if (taken && outline.kind === 'updated') hunks[id] = taken;
    }
    cards.push(id);
  }
  // An index that only follows its memories is no card: it comes along.
  for (const { path } of proposal.changes)
    if (isIndex(path) && !outlines.some(({ id }) => id === path)) paths.add(path);
  return { selection: { paths: [...paths], hunks, choices: answers, settled }, cards };
}

type Settled = NonNullable<Selection['settled']>[string];

/** What becomes of the files of a conflict, by a person's answer; `undefined` for a file that is as the dream saw it. */
function settle(
  { changes, path: main }: Outline,
  conflicts: ReadonlySet<string>,
  disk: Standing,
  answer: string | undefined,
): readonly (readonly [string, Settled | undefined])[] {
  if (answer !== conflictAnswers.both && answer !== conflictAnswers.dream) return [];
  return changes.flatMap(({ path, before, after }): (readonly [string, Settled | undefined])[] => {
    if (!conflicts.has(path)) return [[path, undefined]];
    const now = disk.get(path) ?? null;
    const seen = { before: now?.text ?? null, ...(now ? { beforeMtimeMs: now.mtimeMs } : {}) };
    if (answer === conflictAnswers.dream) return [[path, { ...seen, after }]];
    // A file that was to go into another one and was edited since stays: its new words stand nowhere else.
    if (path !== main || before === null || after === null || now === null) return [];
    const both = changeOnto(before, after, now.text);
    return both === undefined ? [] : [[path, { ...seen, after: both }]];
  });
}

export interface CardOutcome {
  readonly results: Readonly<Record<string, CardResult>>;
  /** Cards that are in, whole or in part. */
  readonly applied: number;
  /** Cards that are not. */
  readonly leftFiles: number;
  /** Parts of cards that are. */
  readonly leftHunks: number;
}

/** What came of each card. `parts` says how many parts each card has. */
export function outcomeOf(
  cards: readonly { readonly id: string; readonly parts: number }[],
  chosen: Chosen,
  { applied }: Pick<Applied, 'applied'>,
): CardOutcome {
  const results: Record<string, CardResult> = {};
  let leftHunks = 0;
  const { hunks = {}, choices = {} } = chosen.selection;
  for (const { id, parts } of cards) {
    const isIn = chosen.cards.includes(id) && (id in choices || applied.includes(id));
    const taken = hunks[id];
    const left = isIn && taken ? parts - taken.length : 0;
    leftHunks += left;
    results[id] = !isIn ? 'left' : left > 0 ? 'partly' : 'applied';
  }
  const leftFiles = Object.values(results).filter((result) => result === 'left').length;
  return { results, applied: cards.length - leftFiles, leftFiles, leftHunks };
}
