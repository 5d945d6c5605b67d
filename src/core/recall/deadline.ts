// The day after which a memory no longer holds, when it says so itself: “until 2026-03-05”, “prazo: 2026-03-05”. Only
// whole dates as the extraction writes them are read, and only where a word before one makes it an end: a date alone,
// or a word alone, says nothing.

const cue =
  'until|till|through|by|due(?:\\s+(?:on|by))?|deadline|expires?|expiring|ends?|ending|valid\\s+to|freeze|' +
  'até|prazo|vence|vencimento|expira|termina|encerra|válid[oa]\\s+até';
const weekday =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\\.?|segunda|terça|quarta|quinta|sexta|sábado|domingo)(?:-feira)?';
const between = `(?:(?:the|end|of|day|eod|em|o|a|dia|fim|do|de|${weekday}),?\\s+){0,4}`;
const link = `(?:\\s*[:=]\\s*|\\s+(?:is|are|on|at|é)\\s+|\\s+)\\(?${between}\\(?`;
const ending = new RegExp(`(?<![\\p{L}\\p{N}])(?:${cue})${link}(\\d{4}-\\d{2}-\\d{2})(?!\\d)`, 'giu');
const dayMs = 86_400_000;

/** The end of a day such as `2026-03-05`, in UTC milliseconds; `undefined` for what is no day. */
export function endOfDay(day: string): number | undefined {
  const time = Date.parse(`${day}T00:00:00Z`) + dayMs;
  return Number.isNaN(time) ? undefined : time;
}

/** The end of the latest day that the text names as one; `undefined` when it names none. */
export function deadlineOf(text: string): number | undefined {
  const ends = [...text.matchAll(ending)].flatMap(([, day]) => endOfDay(day ?? '') ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}
