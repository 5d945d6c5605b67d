// A line of a daily log: `- 14:05 feedback: Use pnpm, not npm. (why: the lock file) <!-- 3f9a2c1b0d4e -->`. What is written is one
// line whatever the fact holds, and reads back as the same fact; the mark at its end tells it from what others wrote. Reading
// takes any list of bullets. Pure.

import type { MemoryType } from '../memory/memory';

export interface LogFact {
  readonly kind: 'fact';
  /** Not known of a line that another program or a person wrote. */
  readonly type: MemoryType | undefined;
  /** Said outright, as against only meant. */
  readonly sure: boolean;
  readonly text: string;
  readonly why?: string;
}

/** A person asked for something to be forgotten, in their words. */
export interface LogForget {
  readonly kind: 'forget';
  readonly text: string;
}

/** An earlier line, whose mark this one repeats, is taken back. */
export interface LogUndo {
  readonly kind: 'undo';
  readonly text: string;
}

export type LogEntry = LogFact | LogForget | LogUndo;

export type LogLine = LogEntry & {
  /** Counted from 1. */
  readonly line: number;
  /** Since midnight; not every bullet has a time. */
  readonly minutes: number | undefined;
  /** Of our own lines only. With `undo`: of the line that is taken back. */
  readonly id: string | undefined;
};

const types = 'user|feedback|project|reference';
const ownLine = new RegExp(
  `^- (\\d\\d):(\\d\\d) (?:(maybe )?(${types})|(forget)|(taken back)): (.*?) <!-- ([0-9a-f]{12}) -->$`,
);
const anyBullet =
  /^\s*[-*+]\s+(?:(?:\*\*|[[(`])?(\d{1,2}):(\d\d)(?::\d\d)?(?:\s*([ap])\.?m\.?)?(?:\*\*|[\])`])?\s*(?:[:—–-]\s+)?)?(\S.*?)\s*$/i;
const namedType = new RegExp(`^(?:\\*\\*)?(${types}|preference|correction)(?:\\*\\*)?\\s*:(?:\\*\\*)?\\s+(?=\\S)`, 'i');
const reasonAtEnd = /^(.*\S) \(why: (.*)\)$/;
const anyMark = /\s*<!--[^>]*-->\s*$/;

/** Characters of one line's text. What is longer is a document, of which the log keeps the beginning. */
const longest = 4_000;

/** Line breaks of every kind, control characters, and marks that turn or hide what follows. */
const breaking =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** As it stands in a line: nothing in it ends the line, or passes for a mark. */
const written = (text: string): string => {
  const line = text
    .replace(breaking, ' ')
    .trim()
    .replace(/<(\\*)!--/g, '<\\$1!--');
  return line.length > longest ? `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : line;
};
const readBack = (text: string): string => text.replace(/<\\(\\*)!--/g, '<$1!--');

const two = (value: number): string => String(value).padStart(2, '0');

export const clockText = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

/** Without a line end. `id`: twelve hexadecimal digits. */
export function formatLine(entry: LogEntry, minutes: number, id: string): string {
  const word =
    entry.kind === 'fact'
      ? `${entry.sure ? '' : 'maybe '}${entry.type ?? 'project'}`
      : entry.kind === 'forget'
        ? 'forget'
        : 'taken back';
  const why = entry.kind === 'fact' && entry.why !== undefined ? ` (why: ${written(entry.why)})` : '';
  return `- ${clockText(minutes)} ${word}: ${written(entry.text)}${why} <!-- ${id} -->`;
}

/** The bullets of a log. What a crash left of a line that was written again behind it is left out. */
export function parseLog(text: string): readonly LogLine[] {
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const whole = rows.filter((row) => ownLine.test(row));
  const isRest = (row: string) => {
    // A character may have been cut, too.
    const rest = row.replace(/\ufffd+$/, '');
    return rest.startsWith('- ') && whole.some((line) => line !== row && line.startsWith(rest));
  };
  const lines: LogLine[] = [];
  let isOpen = false;
  for (const [at, row] of rows.entries()) {
    const before = lines.at(-1);
    const parsed = parseOwn(row, at + 1) ?? (isRest(row) ? undefined : parseAny(row, at + 1));
    // A bullet of others may go on below.
    if (!parsed && isOpen && before && /^\s+\S/.test(row)) {
      lines.splice(-1, 1, { ...before, text: `${before.text} ${row.trim()}` });
      continue;
    }
    if (parsed) lines.push(parsed);
    isOpen = parsed !== undefined && parsed.id === undefined;
  }
  return lines;
}

function parseOwn(row: string, line: number): LogLine | undefined {
  const found = ownLine.exec(row);
  if (!found) return undefined;
  const [, hours, minutes, maybe, type, forget, undo, said = '', id] = found;
  const at = { line, minutes: Number(hours) * 60 + Number(minutes), id };
  if (forget || undo) return { ...at, kind: forget ? 'forget' : 'undo', text: readBack(said) };
  const [, text = said, why] = reasonAtEnd.exec(said) ?? [];
  return {
    ...at,
    kind: 'fact',
    type: type as MemoryType,
    sure: maybe === undefined,
    text: readBack(text),
    ...(why === undefined ? {} : { why: readBack(why) }),
  };
}

/** Of another program or a person: a fact, and nothing in it is an order. */
function parseAny(row: string, line: number): LogLine | undefined {
  const found = anyBullet.exec(row);
  if (!found) return undefined;
  const [, hours, minutes, half, rest = ''] = found;
  const said = rest.replace(anyMark, '');
  const named = namedType.exec(said);
  const word = named?.[1]?.toLowerCase();
  const text = said.slice(named?.[0].length ?? 0).trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const hour = hours === undefined ? undefined : (Number(hours) % (half ? 12 : 24)) + (/p/i.test(half ?? '') ? 12 : 0);
  const type = word === 'preference' || word === 'correction' ? 'feedback' : (word as MemoryType | undefined);
  return {
    kind: 'fact',
    line,
    minutes: hour === undefined || Number(minutes) > 59 ? undefined : hour * 60 + Number(minutes),
    id: undefined,
    type,
    // What is said of a person, or as their wish, is sure only in their own words.
    sure: type === 'project' || type === 'reference',
    text,
  };
}
