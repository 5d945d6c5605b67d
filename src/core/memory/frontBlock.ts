// Where the front matter of a file lies: the block between two `---` lines at its top, as offsets. It reads no YAML.

export interface Block {
  /** Offsets into the text: what stands between the two `---` lines, last line end included. */
  readonly start: number;
  readonly end: number;
  /** Where the rest of the file begins. */
  readonly bodyStart: number;
}

const byteOrderMark = '\ufeff';

/** The block at the top of a text, or `undefined` when it does not open with a `---` line or the block never closes. */
export function findBlock(text: string): Block | undefined {
  const start = openingEnd(text);
  if (start === undefined) return undefined;
  // The line end of the opening line may be the one before the closing line: an empty block.
  for (let at = text.indexOf('\n---', start - 1); at !== -1; at = text.indexOf('\n---', at + 1)) {
    let end = at + 4;
    while (text[end] === ' ' || text[end] === '\t') end += 1;
    if (text[end] === '\r') end += 1;
    if (end === text.length || text[end] === '\n')
      return { start, end: at + 1, bodyStart: Math.min(end + 1, text.length) };
  }
  return undefined;
}

/** What stands below the front matter, to the byte; the whole text when there is none. */
export const bodyOf = (text: string): string => text.slice(findBlock(text)?.bodyStart ?? 0);

/** The offset after an opening `---` line, or `undefined`. `---js` and the like open nothing. */
export function openingEnd(text: string): number | undefined {
  let at = text.startsWith(byteOrderMark) ? 1 : 0;
  if (!text.startsWith('---', at)) return undefined;
  at += 3;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  if (text[at] === '\r') at += 1;
  return text[at] === '\n' ? at + 1 : undefined;
}
