// Two texts as rows that stand beside each other, with the words marked that differ within a line. It decides what a person
// sees of a change, never what is applied. Text stays text: what would be invisible or turn the writing direction is named.

import { diffArrays } from 'diff';
import { type Hunk, hunksOf, linesOf } from '../core/memory/hunks';
import type { DiffRow, Line, Span } from './reviewProtocol';

/** Longer lines get no marks within, and are cut for the eye; the native diff shows them whole. */
const longestMarked = 1_500;
const longestShown = 3_000;
/** Lines that share less than this of their words are not the same line changed. */
const leastAlike = 0.34;
/** More pairs than this are not compared with each other; lines then pair up in their order. */
const mostPairs = 900;

/** One hunk, with the lines around it that say something. */
export function hunkRows({ before, after, lead, trail }: Hunk): readonly DiffRow[] {
  const around = (lines: readonly string[]) => lines.filter((line) => /\S/.test(line)).map(sameRow);
  return [...around(lead), ...changedRows(before, after), ...around(trail)];
}

/** All changes of a text; `⋯` stands for unchanged lines between two of them. */
export function wholeRows(before: string, after: string): readonly DiffRow[] {
  return hunksOf(before, after).flatMap((hunk, at) => [...(at > 0 ? [sameRow('⋯')] : []), ...hunkRows(hunk)]);
}

/** A text that is only on one side. */
export function oneSide(text: string, state: 'removed' | 'added' | 'same'): readonly DiffRow[] {
  return linesOf(text).map((line) => {
    const shown = { state, spans: [{ text: visible(line) }] };
    return state === 'removed' ? { before: shown } : { after: shown };
  });
}

/** What two sentences have and the other has not. */
export function markedSpans(before: string, after: string): readonly [readonly Span[], readonly Span[]] {
  const [left, right] = [wordsOf(before), wordsOf(after)];
  const [one, other]: [Span[], Span[]] = [[], []];
  for (const { value, added, removed } of diffArrays(left, right)) {
    const text = visible(value.join(''));
    if (!added) push(one, text, removed);
    if (!removed) push(other, text, added);
  }
  return [joined(one), joined(other)];
}

/** Marks with nothing but a space between them are one mark. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const [at, { text, strong }] of spans.entries()) {
    const isBetween = at > 0 && at < spans.length - 1 && !strong && /^\s+$/.test(text);
    push(result, text, strong === true || isBetween);
  }
  return result;
}

const sameRow = (line: string): DiffRow => {
  const shown: Line = { state: 'same', spans: [{ text: visible(line) }] };
  return { before: shown, after: shown };
};

function changedRows(before: readonly string[], after: readonly string[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [left, right] = [0, 0];
  const alone = (leftEnd: number, rightEnd: number) => {
    for (; left < leftEnd; left += 1) rows.push({ before: wholeLine(before[left] ?? '', 'removed') });
    for (; right < rightEnd; right += 1) rows.push({ after: wholeLine(after[right] ?? '', 'added') });
  };
  for (const [at, other] of pairsOf(before, after)) {
    alone(at, other);
    rows.push(pairRow(before[at] ?? '', after[other] ?? ''));
    left = at + 1;
    right = other + 1;
  }
  alone(before.length, after.length);
  return rows;
}

const wholeLine = (line: string, state: 'removed' | 'added'): Line => ({
  state,
  spans: [{ text: visible(line), strong: true }],
});

function pairRow(before: string, after: string): DiffRow {
  if (before === after) return sameRow(before);
  // Only the ending differs: then it is said.
  const [end, nextEnd] = bare(before) === bare(after) ? [endingOf(before), endingOf(after)] : ['', ''];
  const [one, other] =
    Math.max(before.length, after.length) > longestMarked
      ? [[{ text: visible(before) }], [{ text: visible(after) }]]
      : markedSpans(bare(before), bare(after));
  return {
    before: { state: 'removed', spans: [...one, ...ending(end)] },
    after: { state: 'added', spans: [...other, ...ending(nextEnd)] },
  };
}

/** Which lines are the same line changed: pairs that rise on both sides, with the most words in common. */
function pairsOf(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  if (before.length * after.length > mostPairs)
    return before.slice(0, after.length).map((_line, at) => [at, at] as const);
  const [left, right] = [before.map(wordSet), after.map(wordSet)];
  // best[i][j]: the most that lines from i and from j on can have in common.
  const best = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const cell = (i: number, j: number) => best[i]?.[j] ?? 0;
  const like = left.map((one, i) => right.map((other, j) => (before[i] === after[j] ? 1 : alike(one, other))));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const likeness = like[i]?.[j] ?? 0;
      const paired = likeness >= leastAlike ? likeness + cell(i + 1, j + 1) : 0;
      const row = best[i];
      if (row) row[j] = Math.max(paired, cell(i + 1, j), cell(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const likeness = like[i]?.[j] ?? 0;
    if (likeness >= leastAlike && cell(i, j) === likeness + cell(i + 1, j + 1)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (cell(i, j) === cell(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

let segmenter: Intl.Segmenter | undefined;
/** Words, spaces and signs; in languages without spaces too. */
function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const wordSet = (line: string): ReadonlySet<string> =>
  new Set(
    line.length > longestMarked ? [line] : wordsOf(line.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );

function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}

function push(spans: Span[], text: string, isMarked: boolean | undefined): void {
  const last = spans.at(-1);
  if (last && (last.strong === true) === (isMarked === true))
    spans[spans.length - 1] = { ...last, text: last.text + text };
  else spans.push(isMarked ? { text, strong: true } : { text });
}

const bare = (line: string): string => line.replace(/\r?\n$/, '');
const endingOf = (line: string): string => (line.endsWith('\r\n') ? '␍␊' : line.endsWith('\n') ? '␊' : '');
const ending = (sign: string): readonly Span[] => (sign === '' ? [] : [{ text: sign, strong: true }]);

/** A line for the eye: no ending, nothing invisible that changes what is read, not endless. */
function visible(line: string): string {
  const text = bare(line).replace(
    /(?!\t)[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
