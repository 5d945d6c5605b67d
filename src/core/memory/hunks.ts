// A change of a text as hunks that are taken or left one by one. Taking all of them gives the new text byte for byte and
// taking none the old one, whatever the line endings and whether or not the last line has one. It reads and writes nothing.

import { diffArrays } from 'diff';

export interface Hunk {
  /** Line of the old text where the first difference stands, counted from 1. */
  readonly line: number;
  /** Lines with their endings. Those of `before` are replaced by those of `after`; either may be empty. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Lines around it that stay, for showing. */
  readonly lead: readonly string[];
  readonly trail: readonly string[];
}

/** Differences with at most this many lines between them are one hunk. */
const joinedBy = 2;
/** Unchanged lines that are shown before and after a hunk. */
const shownAround = 1;

interface Piece {
  /** Position in the old text's lines. */
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** In the order of the text. Empty when the texts are equal. */
export function hunksOf(before: string, after: string): readonly Hunk[] {
  const old = linesOf(before);
  return piecesOf(old, linesOf(after)).map(({ at, before: removed, after: added }) => {
    const end = at + removed.length;
    return {
      line: Math.min(at + 1, Math.max(1, old.length)),
      before: removed,
      after: added,
      lead: old.slice(Math.max(0, at - shownAround), at),
      trail: old.slice(end, end + shownAround),
    };
  });
}

/** The old text with some hunks of the change to the new one. `taken` holds positions in `hunksOf(before, after)`. */
export function takeHunks(before: string, after: string, taken: ReadonlySet<number>): string {
  const old = linesOf(before);
  const lines: string[] = [];
  let at = 0;
  for (const [index, piece] of piecesOf(old, linesOf(after)).entries()) {
    lines.push(...old.slice(at, piece.at), ...(taken.has(index) ? piece.after : piece.before));
    at = piece.at + piece.before.length;
  }
  return [...lines, ...old.slice(at)].join('');
}

function piecesOf(old: readonly string[], next: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let between: readonly string[] = [];
  for (const { value, added, removed } of diffArrays([...old], [...next])) {
    if (!added && !removed) {
      between = value;
      at += value.length;
      continue;
    }
    const last = pieces.at(-1);
    const [gone, come] = [removed ? value : [], added ? value : []];
    const isNear = last !== undefined && at - (last.at + last.before.length) <= joinedBy;
    if (last && isNear) {
      const middle = at === last.at + last.before.length ? [] : between;
      pieces[pieces.length - 1] = {
        at: last.at,
        before: [...last.before, ...middle, ...gone],
        after: [...last.after, ...middle, ...come],
      };
    } else {
      pieces.push({ at, before: gone, after: come });
    }
    at += gone.length;
  }
  return pieces;
}

/** Lines with their endings; their concatenation is the text. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
