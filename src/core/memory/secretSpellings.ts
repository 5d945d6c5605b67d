// The other texts that a text is to somebody who reads it with a tool: without what hides a word (characters nobody sees, full-width
// letters, escapes, entities), without its line breaks, and with its base64 decoded, twice if need be. Each knows the line of
// the original that an offset comes from. Pure; each is made in one pass or a few over the text.

export interface Spelling {
  readonly kind: 'whole' | 'torn' | 'decoded';
  readonly content: string;
  /** Counted from 1, in the original. */
  lineAt(offset: number): number;
  /** Whether a line began at this offset of a torn text. */
  startsAt?(offset: number): boolean;
}

export function spellingsOf(text: string): Spelling[] {
  const lines = text.split(/\r?\n/);
  const raw: Spelling = { kind: 'whole', content: text, lineAt: (offset) => lineOf(text, offset) };
  const shown = lines.map(unmasked);
  const plain = shown.join('\n');
  const isMasked = plain !== lines.join('\n');
  const read: Spelling = isMasked ? { kind: 'whole', content: plain, lineAt: (offset) => lineOf(plain, offset) } : raw;
  const whole = isMasked ? [raw, read] : [raw];
  if (lines.length === 1) return [...whole, ...decodedFrom(whole)];
  const quoted = joined(shown, quoteMarks, /[ \t]+$/);
  const bare = joined(shown, lineMarks, lineEnds);
  const torn = bare.content === quoted.content ? [quoted] : [quoted, bare];
  return [...whole, ...torn, ...decodedFrom([read, bare])];
}

const lineOf = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};

const unseen =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|[\ufe00-\ufe0f]/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  period: '.',
  colon: ':',
  equals: '=',
  sol: '/',
  plus: '+',
  commat: '@',
  shy: '',
  zwnj: '',
  zwj: '',
};

/** One line as it would be read. */
function unmasked(line: string): string {
  let text = /^[\x20-\x7e\t]*$/.test(line) ? line : line.replace(unseen, '').normalize('NFKC');
  if (text.includes('&'))
    text = text
      .replace(/&#x([0-9a-f]{1,6});?/gi, (whole, hex: string) => character(Number.parseInt(hex, 16), whole))
      .replace(/&#(\d{1,7});?/g, (whole, digits: string) => character(Number(digits), whole))
      .replace(/&([a-z]{2,6});/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
  // Text in a string in a string: escaped once for each.
  for (let depth = 0; depth < 3 && text.includes('\\'); depth += 1)
    text = text
      .replace(/\\u\{?([0-9a-f]{4,6})\}?/gi, (whole, hex: string) => character(Number.parseInt(hex, 16), whole))
      .replace(/\\x([0-9a-f]{2})/gi, (whole, hex: string) => character(Number.parseInt(hex, 16), whole))
      .replace(/\\([!-/:-@[-`{-~])/g, '$1');
  if (/%[0-9a-f]{2}/i.test(text))
    text = text.replace(/%([2-7][0-9a-f])/gi, (whole, hex: string) => character(Number.parseInt(hex, 16), whole));
  // Emphasis, code marks and tags in the middle of a word are not read.
  return text
    .replace(/(?<=[\w-])(?:\*{1,3}|`+|<\/?(?:b|i|em|strong|code|wbr|span)\s*\/?>)(?=[\w-])/gi, '')
    .replace(unseen, '');
}

/** Nothing that would change the lines. */
const character = (code: number, otherwise: string): string =>
  code < 0x20 || code > 0x10ffff
    ? code === 9 || code === 10 || code === 13
      ? ' '
      : otherwise
    : String.fromCodePoint(code);

const quoteMarks = /^[ \t>]*/;
/** What stands before and behind the text of a line in lists, tables, comments, diffs, and strings that are put together. */
const lineMarks = /^(?:[ \t>|]|\/\/|#+[ \t]|\/?\*+(?![\w*])|[-+][ \t]|\d{1,3}[.)][ \t])*(?:["'`]{1,3}|\\)?/;
const lineEnds = /[ \t]*(?:["'`]{1,3}[ \t]*[+.,&]?|\\|[+&](?=[ \t]*$)|[ \t]\|)?[ \t]*$/;

/** Lines put together without a break, each without what is no part of its text. */
function joined(lines: readonly string[], start: RegExp, end: RegExp): Spelling {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const line of lines) {
    const part = line.replace(start, '').replace(end, '');
    starts.push(length);
    parts.push(part);
    length += part.length;
  }
  const begins = new Set(starts);
  return {
    kind: 'torn',
    content: parts.join(''),
    lineAt(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return low + 1;
    },
    startsAt: (offset) => begins.has(offset),
  };
}

const shortestRun = 24;
const run = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const hexRun = /(?<![0-9a-f])(?:[0-9a-f]{2}){20,}(?![0-9a-f])/gi;
/** Printable text shorter than this is chance. */
const readable = /[\x20-\x7e\t\r\n]{12,}/g;
const mostDecoded = 200_000;

/** All that base64 in these texts says in readable words, and base64 in that once more. */
function decodedFrom(sources: readonly Spelling[]): readonly Spelling[] {
  const parts: string[] = [];
  const lineOfPart: { readonly from: number; readonly line: number }[] = [];
  const seen = new Set<string>();
  let length = 0;
  function add(text: string, line: number): void {
    if (seen.has(text) || length > mostDecoded) return;
    seen.add(text);
    lineOfPart.push({ from: length, line });
    parts.push(text);
    length += text.length + 1;
  }
  for (const source of sources) {
    for (const { text, at } of readableIn(source.content)) {
      const line = source.lineAt(at);
      add(text, line);
      for (const inner of readableIn(text.replace(/[\r\n]+/g, ''))) add(inner.text, line);
    }
  }
  if (parts.length === 0) return [];
  const lineAt = (offset: number) => lineOfPart.findLast(({ from }) => from <= offset)?.line ?? 1;
  return [{ kind: 'decoded', content: parts.join('\n'), lineAt }];
}

function readableIn(content: string): { readonly text: string; readonly at: number }[] {
  const found: { text: string; at: number }[] = [];
  for (const match of content.matchAll(run)) {
    const plain = match[0].replaceAll('-', '+').replaceAll('_', '/');
    // Words that touch a run put it off its fours.
    for (let shift = 0; shift < 4 && plain.length - shift >= shortestRun; shift += 1)
      for (const text of readableParts(Buffer.from(plain.slice(shift), 'base64')))
        found.push({ text, at: match.index });
  }
  for (const match of content.matchAll(hexRun))
    for (const text of readableParts(Buffer.from(match[0], 'hex'))) found.push({ text, at: match.index });
  return found;
}

/** UTF-16 too: some tools write it before they encode. */
function readableParts(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const wide = /(?:[\x20-\x7e]\0){12}/.test(text) ? text.replaceAll('\0', '') : '';
  return [...(text.match(readable) ?? []), ...(wide.match(readable) ?? [])];
}
