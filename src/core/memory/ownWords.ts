// What in a memory is its author's own: code, quoted words and lines, links' destinations and comments are not. Dates and promises in
// those belong to somebody else. Lengths stay, so that offsets fit the text itself.

import { linesOf, linksOf } from './indexLines';

/** Stands for one character that is not the author's own words. */
export const filler = '\ue0ff';
const quotedWords = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|‘[^’\n]*’|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])/gu;

/** The text with everything else filled up, of the same length. */
export function ownWords(text: string): string {
  if (text.includes(filler)) return filler.repeat(text.length);
  return linesOf(text)
    .map((line) => {
      if (line.isCode || /^\s*>/.test(line.text)) return filler.repeat(line.text.length) + line.end;
      const own = line.text.split('');
      for (let at = 0; at < own.length; at += 1) if (own[at] !== line.masked[at]) own[at] = filler;
      const fill = (start: number, end: number) => own.fill(filler, start, end);
      for (const link of linksOf(line)) fill(link.textEnd, link.end);
      for (const match of line.text.matchAll(quotedWords)) fill(match.index, match.index + match[0].length);
      for (const match of line.text.matchAll(/https?:\/\/\S+/g)) fill(match.index, match.index + match[0].length);
      return own.join('') + line.end;
    })
    .join('');
}
