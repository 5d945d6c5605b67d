// The day after which a memory no longer holds, when it says so itself: “until 2026-03-05”, “prazo: 2026-03-05”. A date alone says
// nothing, nor a word alone: it takes a word before the date, or behind it, that makes it an end. English and Portuguese.

import { ownWords } from './ownWords';

const weekday =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\\.?|segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)?';
const between = `(?:(?:the|end|of|day|eod|em|o|a|dia|fim|do|de|${weekday}),?\\s+){0,4}\\(?`;
/** Right before the date, but for a weekday or an article. */
const close = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:until|till|through|by|ate|freeze)(?:\\s*[:=]\\s*|\\s+(?:is|are|on|at|e)\\s+|\\s+)\\(?${between}\\s*$`,
  'u',
);
/** In the same sentence, not far before it. */
const near =
  /(?<![\p{L}\p{N}])(?:due|deadline|no later than|expires?|expiring|ends?|ending|closes?|lapses?|runs? out|stops?|last day|cut-?off|valid (?:through|to)|prazo|vencem?|vencimento|terminam?|acabam?|encerram?|expiram?|fecham?|data limite|validade|ultimo dia|(?:para|deixa) de funcionar)(?![\p{L}\p{N}])[^.;!?\n]{0,40}$/u;
/** What is said to stop, as against what was: “is shut down on”. */
const stopping =
  /(?<![\p{L}\p{N}])(?:(?:is|are|be|gets?) (?:shut down|switched off|turned off|retired|decommissioned|discontinued|withdrawn)|(?:e|sao|sera|serao) (?:desligad|desativad|encerrad|descontinuad)[oa]s?)(?![\p{L}\p{N}])[^.;!?\n]{0,20}$/u;
/** *Before* a date is an end only for what somebody must do. */
const owed =
  /(?<![\p{L}\p{N}])(?:must|has to|have to|needs? to|should|tem que|tem de|devem?|precisam?)(?![\p{L}\p{N}])[^.;!?\n]{0,60}(?:before|prior to|antes d[eo])\s+(?:o dia\s+)?$/u;
const behind =
  /^[^.;!?\n]{0,30}(?<![\p{L}\p{N}])(?:deadline|cut-?off|at the latest|o mais tardar|prazo)(?![\p{L}\p{N}])/u;

/** Whether the words around a date make it the end of something. */
export function isEnd(before: string, after: string): boolean {
  const lead = plain(before.slice(-120).split('\n').at(-1) ?? '');
  return [close, near, stopping, owed].some((words) => words.test(lead)) || behind.test(plain(after.slice(0, 60)));
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

const isoDay = /(?<![\p{L}\d-])(20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?![\d-])/gu;

/** The days, such as `2026-03-05`, that a text names as ends, in its own words; each where it stands. */
export function deadlineDays(text: string): string[] {
  if (!/20\d\d-/.test(text)) return [];
  const own = ownWords(text);
  return [...own.matchAll(isoDay)].flatMap((match) => {
    const end = match.index + match[0].length;
    const isDay = !Number.isNaN(Date.parse(match[0]));
    return isDay && isEnd(own.slice(0, match.index), own.slice(end)) ? [match[0]] : [];
  });
}

const dayMs = 86_400_000;

/** The end of a day such as `2026-03-05`, in UTC milliseconds; `undefined` for what is no day. */
export function endOfDay(day: string): number | undefined {
  const time = Date.parse(`${day}T00:00:00Z`) + dayMs;
  return Number.isNaN(time) ? undefined : time;
}

/** The end of the latest day that the text names as one; `undefined` when it names none. */
export function deadlineOf(text: string): number | undefined {
  const ends = deadlineDays(text).flatMap((day) => endOfDay(day) ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}
