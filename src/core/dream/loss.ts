// How much a dream would take away, counted on the texts themselves and not on what the dream says of them: a memory that is
// gone and that no other one says whole, and every word of a memory that stands nowhere any more. A date made absolute and a
// sentence moved are no loss.

import { createBreath } from '../breath';
import { bodyOf } from '../memory/frontBlock';
import { type MemoryHeader, parseMemory } from '../memory/memory';
import { withoutLinksTo } from '../memory/memoryLinks';
import { isIndexPath } from '../memory/memoryPaths';
import type { Loss, ProposedChange } from './dreamEngine';
import { lostIn } from './settling';
import { withAbsoluteDates } from './tidyDates';

export interface LossQuestion {
  readonly heads: readonly MemoryHeader[];
  /** The text before the dream. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly changes: readonly ProposedChange[];
  readonly limitPercent: number;
  readonly now: number;
}

export async function measureLoss({ heads, read, changes, limitPercent, now }: LossQuestion): Promise<Loss> {
  const byPath = new Map(changes.filter(({ path }) => !isIndexPath(path)).map((change) => [change.path, change]));
  const own = heads.filter(({ scope }) => scope === 'private');
  let [charsBefore, charsAfter, lostChars, removed] = [0, 0, 0, 0];
  const breath = createBreath();
  for (const head of own) {
    await breath();
    const change = byPath.get(head.path);
    const before = change?.before ?? (await read(head.path).catch(() => undefined)) ?? '';
    const after = change ? change.after : before;
    charsBefore += lettersOf(bodyOf(before)).length;
    charsAfter += lettersOf(bodyOf(after ?? '')).length;
    if (!change) continue;
    const heir = change.mergedInto === undefined ? undefined : await textAfter(change.mergedInto, byPath, read);
    const settled = withAbsoluteDates(bodyOf(before), head.modifiedAt);
    // What another memory says in other words is said.
    const said = heir !== undefined && isSaidWhole(change, heir, now);
    if (!said) lostChars += lostWords(settled, `${bodyOf(after ?? '')} ${bodyOf(heir ?? '')}`);
    if (after === null && !said) removed += 1;
  }
  for (const { before, after } of byPath.values())
    if (before === null) charsAfter += lettersOf(bodyOf(after ?? '')).length;
  const memoriesBefore = own.length;
  const created = [...byPath.values()].filter(({ kind }) => kind === 'create').length;
  const deleted = [...byPath.values()].filter(({ kind }) => kind === 'delete').length;
  const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);
  const percent = Math.max(share(removed, memoriesBefore), share(lostChars, charsBefore));
  return {
    memoriesBefore,
    memoriesAfter: memoriesBefore + created - deleted,
    removed,
    charsBefore,
    charsAfter,
    lostChars,
    percent: Math.round(percent * 10) / 10,
    limitPercent,
    tooMuchLost: percent > limitPercent,
  };
}

/** Whether a removed memory's text is said whole by the one it is said to be merged into. */
function isSaidWhole(change: ProposedChange, heir: string, now: number): boolean {
  if (change.after !== null || change.before === null) return false;
  const both = [
    parseMemory(change.path, change.before, 0, now),
    parseMemory(change.mergedInto ?? '', heir, 0, now),
  ] as const;
  const [drop, kept] = both.map(({ path, text }) => parseMemory(path, withoutLinksTo(both, text, path), 0, now));
  return drop !== undefined && kept !== undefined && lostIn(drop, kept).length === 0;
}

async function textAfter(
  path: string,
  changes: ReadonlyMap<string, ProposedChange>,
  read: LossQuestion['read'],
): Promise<string | undefined> {
  const change = changes.get(path);
  return change ? (change.after ?? undefined) : read(path).catch(() => undefined);
}

const lettersOf = (text: string): string => text.replace(/\s+/g, '');

/** Characters of words that `before` has more often than `after`. Scripts without spaces count by character. */
function lostWords(before: string, after: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(after)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let lost = 0;
  for (const word of wordsOf(before)) {
    const left = counts.get(word) ?? 0;
    if (left > 0) counts.set(word, left - 1);
    else lost += word.length;
  }
  return lost;
}

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}\p{M}_]+/gu) ?? [];
