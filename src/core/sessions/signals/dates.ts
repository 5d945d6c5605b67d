// Turns dates that only make sense on the day they were said into dates that stay true.
// Counts from the message's own time by UTC calendar day, whatever the machine's zone and clock.
// Leaves alone what names no day of its own: "today's build", "every Monday", "within 30 days", "at 3 am".
// chrono-node finds the dates, helped by the words of dateWords.ts.

import type { Chrono, ParsedComponents, ParsedResult } from 'chrono-node';
import { casual as casualEnglish } from 'chrono-node/en';
import { casual as casualPortuguese } from 'chrono-node/pt';
import { createDateWordParsers, dayMs, type Grain, monthNear, tellsOfTheFuture, tellsOfThePast } from './dateWords';
import { fold } from './text';

export interface FoundDate {
  /** Span in the text, leading article included. */
  readonly start: number;
  readonly end: number;
  /** `2026-03-06`, `2026-08` when only the month is known, `2027` for a year, `Q3 2026`, or a range joined by "to" or "a". */
  readonly iso: string;
  /** First and last day meant, in ms UTC. */
  readonly firstDay: number;
  readonly lastDay: number;
  readonly grain: Grain;
  /** False when the words carried their own year. */
  readonly isRelative: boolean;
}

const portuguese =
  /\b(?:que|nao|uma?|para|pra|voce|esta|isso|com|sempre|nunca|quando|hoje|amanha|ontem|dia|no|na|nos|ate|de|dos?|das?|ao?s?|E|por|mais|semana|mes|ano|vem|feira|gente|em|eu|vai|se|ja|tem|so|tudo|dias|semanas|meses|anos|daqui|depois|proxim[oa]|domingo|segunda|terca|quarta|quinta|sexta|sabado|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|vence|entrega)\b/g;
const english =
  /\b(?:the|is|are|of|to|and|in|on|we|you|it|that|this|for|not|don't|with|be|will|by|until|from|my|our|i|have|was|next|at|please|when|before|after|a|an)\b/g;

/** True when the words are rather Portuguese than English. */
export function isPortuguese(folded: string): boolean {
  const sample = folded.slice(0, 2000);
  return (sample.match(portuguese)?.length ?? 0) > (sample.match(english)?.length ?? 0);
}

/** Cheap test before any parsing: a text without one of these holds no date. */
const dateLike =
  /\b(?:\d|today|tonight|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun|week|weekend|last night|month|quarter|year|fortnight|day|eo[dwmqy]|q[1-4]|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|hoje|amanha|ontem|anteontem|domingo|segunda|terca|quarta|quinta|sexta|sabado|semana|mes|ano|trimestre|dias?|daqui|dentro|atras|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)/;

const hasGrain = (result: ParsedResult) => [...result.start.tags()].some((name) => name.startsWith('grain/'));
const parsers = new Map<string, Chrono>();

function parserFor(isPt: boolean, today: number): Chrono {
  const key = `${isPt}${today}`;
  const known = parsers.get(key);
  if (known !== undefined) return known;
  const chrono = (isPt ? casualPortuguese : casualEnglish).clone();
  chrono.parsers = [...createDateWordParsers(today), ...chrono.parsers];
  // Where a word of ours and one of chrono's meet, ours is the more careful reading.
  chrono.refiners.unshift({
    refine: (_, results) => {
      const meet = (one: ParsedResult, other: ParsedResult) =>
        one.index < other.index + other.text.length && other.index < one.index + one.text.length;
      const isWhole = (one: ParsedResult) => one.start.isCertain('month') && one.start.isCertain('day');
      const isBeaten = (one: ParsedResult, other: ParsedResult) =>
        meet(one, other) && (hasGrain(one) ? isWhole(other) && other.text.length > one.text.length : hasGrain(other));
      const ours = results.filter(
        (own) => hasGrain(own) && !results.some((one) => !hasGrain(one) && isBeaten(own, one)),
      );
      return results.filter((one) => (hasGrain(one) ? ours.includes(one) : !ours.some((own) => isBeaten(one, own))));
    },
  });
  if (parsers.size > 20) parsers.clear();
  parsers.set(key, chrono);
  return chrono;
}

const pad = (n: number, width = 2) => String(n).padStart(width, '0');
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function formatGrain(ms: number, grain: Grain): string {
  if (grain === 'month') return isoDay(ms).slice(0, 7);
  if (grain === 'year') return isoDay(ms).slice(0, 4);
  if (grain === 'quarter') return `Q${Math.floor(new Date(ms).getUTCMonth() / 3) + 1} ${new Date(ms).getUTCFullYear()}`;
  return isoDay(ms);
}

function lastDayOf(ms: number, grain: Grain): number {
  const date = new Date(ms);
  if (grain === 'week') return ms + 6 * dayMs;
  if (grain === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  if (grain === 'quarter') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 3, 0);
  return grain === 'year' ? Date.UTC(date.getUTCFullYear(), 11, 31) : ms;
}

interface Reading {
  readonly day: number;
  readonly grain: Grain;
  readonly isRelative: boolean;
}

function readComponents(
  parts: ParsedComponents,
  today: number,
  isPast: boolean,
  isAhead: boolean,
): Reading | undefined {
  const tag = [...parts.tags()].find((name) => name.startsWith('grain/'));
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')];
  if (year === null || month === null || day === null) return undefined;
  if (tag !== undefined) return { day: Date.UTC(year, month - 1, day), grain: tag.slice(6) as Grain, isRelative: true };
  const isSure = (part: 'year' | 'month' | 'day' | 'weekday') => parts.isCertain(part);
  if (isSure('year') && isSure('month')) {
    const grain = isSure('day') ? 'day' : 'month';
    return { day: Date.UTC(year, month - 1, grain === 'day' ? day : 1), grain, isRelative: true };
  }
  if (!isSure('month')) return undefined;
  if (!isSure('day')) return { day: monthNear(month - 1, today, isPast), grain: 'month', isRelative: true };
  const near = Date.UTC(new Date(today).getUTCFullYear(), month - 1, day);
  // Without a word of the future a day just gone is the day meant: "as of June 1", said in July.
  const isJustGone = near < today && today - near <= 45 * dayMs && !isAhead;
  const years = isPast ? (near > today ? -1 : 0) : near < today && !isJustGone ? 1 : 0;
  return { day: Date.UTC(new Date(today).getUTCFullYear() + years, month - 1, day), grain: 'day', isRelative: true };
}

const carriesYear = /\b(?:19|20)\d\d\b/;
const clockOnly = /\b(?:hours?|minutes?|mins?|seconds?|secs?|horas?|minutos?|segundos?)\b/;
const recurring =
  /\b(?:every|each|any|most|todo|toda|todos os|todas as|cada|black|good|cyber|casual|super)\s+(?:other\s+)?(?:single\s+)?$/;
const leadsToDate =
  /\b(?:on|by|until|till|before|after|from|since|to|through|is|are|was|starts?|starting|ends?|ending|expires?|due|in|of|the|this|next|last|coming|early|mid|late|between|and|or|for|around|begins?|closes?|launch(?:es)?|ships?|moved?|for|at|than|comes?|happens?|opens?)[\s-]+$|[(,:-]\s*$|^\s*$/;
const weekdayName = /^(?:next |this |last |coming )?(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)$/;
const nounAfterWeekday =
  /^\s+(?!(?:at|and|or|so|because|until|till|to|for|when|if|as|then|but|by|in|on|with|before|after|from|is|are|was|were|will|we|i|you|they|he|she|it|the|this|that|there|our|my|since|than|only|too|please|though|nobody|no|not|nothing|which|while|unless|instead|already|already|morning|afternoon|evening|night|noon|onwards?|already|again|already)\b)[a-z]/;

/** What chrono finds without one of these is a duration or a time of day. */
const namesDay =
  /\b(?:today|tonight|tomorrow|tmr|yesterday|last night|this (?:morning|afternoon|evening)|weekend|hoje|amanha|ontem|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|fev|abr|mai|ago|set|out|dez)\w*)\b|\d[/.-]\d/;

/** Words chrono takes for dates that are mostly something else. */
function isFalseFriend(
  word: string,
  raw: string,
  before: string,
  after: string,
  isOurs: boolean,
  isPt: boolean,
): boolean {
  if (!isOurs && !namesDay.test(word)) return true;
  if (
    /^(?:now|agora|manha|tarde|noite|esta (?:manha|tarde|noite)|hoje)$/.test(word) &&
    (word !== 'hoje' || /^ em dia\b/.test(after))
  )
    return true;
  if (/["'“‘]$/.test(before) && /^["'”’]/.test(after)) return true;
  if (/^'s\b/.test(after) || /^-\w/.test(after)) return true;
  if (recurring.test(before)) return true;
  if (clockOnly.test(word)) return true;
  if (
    !isOurs &&
    /^(?:an? |about |some |the )?[\w ]+ (?:days?|weeks?|months?|years?|quarters?)$/.test(word) &&
    !/^(?:in|the next|next|last|this|the (?:whole|entire)|the week|the day|the coming|coming|the last|past)\b/.test(
      word,
    )
  )
    return true;
  if (
    !isOurs &&
    /^(?:within|for|over|during|after|the (?:last|next|past) \w+ (?:days|weeks|months|years))\b/.test(word)
  )
    return true;
  if (
    /^(?:\d{1,2}|\w{3})$/.test(word) &&
    /^(?:sun|mon|tue|wed|thu|fri|sat|dom|seg|ter|qua|qui|sex|sab|mar|dec|sep|set|out|ago|dez|jan|may|abr|mai)$/.test(
      word,
    )
  ) {
    return !(/^[A-Z]/.test(raw) && leadsToDate.test(before) && word !== 'set');
  }
  if (/^(?:may|march|august)$/.test(word))
    return !/\b(?:in|until|till|by|of|since|from|to|before|after|early|mid|late|next|last|this)[\s-]+$/.test(before);
  if (weekdayName.test(word))
    return (
      (!/^(?:next|this|last|coming) /.test(word) && nounAfterWeekday.test(after)) ||
      (!leadsToDate.test(before) && /^\w/.test(after.trim()) && !/^(?:next|this|last|coming) /.test(word))
    );
  if (/^\d{1,2}\/\d{1,2}$/.test(word)) {
    // A fraction, unless a date is expected; in English 9/12 may be two different days.
    if (
      !/(?:\b(?:on|by|until|till|before|after|from|since|to|due|dia|em|ate|no|de|desde|a|para|pra)\s+|:\s*)$/.test(
        before,
      )
    )
      return true;
    const [one, other] = word.split('/').map(Number);
    return !isPt && (one ?? 0) <= 12 && (other ?? 0) <= 12 && one !== other;
  }
  if (/^\d{1,2}[.-]\d{1,2}$/.test(word)) return true;
  return /^[\d.,:\s]+$/.test(word) && !/\d[./]\d{1,2}[./]\d{2,4}/.test(word);
}

/** The numeric date in the order its own language writes it; undefined when that is a guess. */
function readNumeric(word: string, isPt: boolean): number | undefined | null {
  const parts = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(word);
  if (parts === null) return null;
  const [first, second, year] = [Number(parts[1]), Number(parts[3]), Number(parts[4])];
  const isDayFirst = isPt || parts[2] === '.' || first > 12;
  if (!isDayFirst && second <= 12) return undefined;
  return isDayFirst ? Date.UTC(year, second - 1, first) : Date.UTC(year, first - 1, second);
}

function timeAfter(result: ParsedResult, word: string): string {
  if (result.start.isCertain('hour') && /\d/.test(word))
    return ` ${pad(result.start.get('hour') ?? 0)}:${pad(result.start.get('minute') ?? 0)}`;
  const partOfDay = /\b(morning|afternoon|evening|night|noon|midnight|manha|tarde|noite)$/.exec(word)?.[1];
  return partOfDay === undefined
    ? ''
    : ` ${partOfDay === 'manha' ? 'de manhã' : /tarde|noite/.test(partOfDay) ? `à ${partOfDay}` : partOfDay}`;
}

const looseNumber = /(?<![\w:/.,-])\d{1,4}(?![\w:/-]|[.,]\d)/g;
const makesDate = {
  before:
    /\b(?:dia|(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez)[a-z]*\.?|the|from|to|and|-|in|within|em|dentro de|daqui a|ha|faz|next|last|after|de|a|q)\s*$/,
  after:
    /^\s*(?:(?:of |de |, )?(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez)[a-z]*|days?|weeks?|months?|years?|fortnights?|dias?|semanas?|mes(?:es)?|anos?|am\b|pm\b|o'clock|(?:to|a|-|until|till|ate) \d)/,
};

/** "Node 18 at the end of the month": a number that belongs to no date must not become its hour. Keeps the length. */
function withoutLooseNumbers(folded: string): string {
  return folded.replace(looseNumber, (number, at: number) => {
    if (/^(?:19|20)\d\d$/.test(number)) return number;
    const after = folded.slice(at + number.length, at + number.length + 24);
    const isPart =
      makesDate.after.test(after) ||
      (makesDate.before.test(folded.slice(Math.max(0, at - 14), at)) && !/^ (?:at|on|in|by|no|na) /.test(after));
    return isPart ? number : 'x'.repeat(number.length);
  });
}

function findInLine(line: string, folded: string, offset: number, today: number): FoundDate[] {
  const isPt = isPortuguese(folded);
  const found: FoundDate[] = [];
  const results = parserFor(isPt, today).parse(
    withoutLooseNumbers(folded),
    { instant: new Date(today + dayMs / 2), timezone: 0 },
    { forwardDate: true },
  );
  for (const result of results) {
    let { index } = result;
    const end = index + result.text.length;
    const before = folded.slice(Math.max(0, index - 40), index);
    const after = folded.slice(end, end + 40);
    // Prepositions that a month pattern needs to be sure stay in the sentence.
    const lead = !hasGrain(result)
      ? ''
      : (/^(?:a partir de|depois de|antes de|por volta de|partir de|em|ate|desde|de|para|pra) (?!amanha|ontem)(?=[a-z]+$)/.exec(
          result.text,
        )?.[0] ?? '');
    index += lead.length;
    const word = result.text.slice(lead.length).trim();
    if (
      /\d{4}-\d\d/.test(folded.slice(Math.max(0, index - 8), end + 12)) ||
      isFalseFriend(word, line.slice(index, end), before + lead, after, hasGrain(result), isPt)
    )
      continue;
    const numeric = readNumeric(word, isPt);
    if (numeric === undefined) continue;
    const isPast = tellsOfThePast(folded);
    const first: Reading | undefined =
      numeric === null
        ? readComponents(result.start, today, isPast, tellsOfTheFuture(folded))
        : { day: numeric, grain: 'day', isRelative: false };
    if (first === undefined) continue;
    const last =
      result.end === undefined || result.end === null ? undefined : readComponents(result.end, first.day, false, true);
    const isRelative = first.isRelative && !carriesYear.test(word);
    const spanned =
      last !== undefined && last.day > first.day ? `${isPt ? ' a ' : ' to '}${formatGrain(last.day, last.grain)}` : '';
    found.push({
      start: offset + index,
      end: offset + end - (result.text.length - result.text.trimEnd().length),
      iso: formatGrain(first.day, first.grain) + (spanned === '' ? timeAfter(result, word) : spanned),
      firstDay: first.day,
      lastDay: last !== undefined && spanned !== '' ? last.day : lastDayOf(first.day, first.grain),
      grain: first.grain,
      isRelative,
    });
  }
  return found;
}

/** UTC midnight of the day of `at`. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** Dates in `text` that are not written in ISO form, in order. Lines are read apart, the very long ones not at all. */
export function findDates(text: string, at: number): readonly FoundDate[] {
  const found: FoundDate[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    if (line.length <= 4000) {
      const folded = fold(line);
      if (dateLike.test(folded)) found.push(...findInLine(line, folded, offset, dayOf(at)));
    }
    offset += line.length + 1;
  }
  return found;
}

const isoDate = /(?<![\w-])20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\w-])/g;

/** Whether a day after the one it was said on is named, in words or in ISO form. */
export function hasDateAhead(text: string, at: number): boolean {
  const today = dayOf(at);
  return (
    [...text.matchAll(isoDate)].some(([iso]) => Date.parse(iso) > today) ||
    findDates(text, at).some((date) => date.lastDay > today)
  );
}

const absorbed =
  /(?:\b(?:on|at|in|no dia|na|no|nesta|neste|nessa|nesse|em|pro dia|dia)\s+)?(?:\bthe\s+|\bo\s+dia\s+|\bdia\s+)?$/;
const needsNothing =
  /\b(?:by|until|till|before|after|since|from|of|to|for|through|between|starting|and|or|around|due|than|as|early|mid|late|ate|prazo:|desde|de|do|da|antes d[aeo]|depois d[aeo]|para|pra|entre|e|ou|a partir de|a|the|our|this|with|against)[\s-]*$|[:(]\s*$/;

function placed(date: FoundDate, before: string, after: string, isPt: boolean): { from: number; text: string } {
  const folded = fold(before);
  const taken = absorbed.exec(folded)?.[0] ?? '';
  const rest = folded.slice(0, folded.length - taken.length);
  const iso = date.grain === 'week' ? (isPt ? `semana de ${date.iso}` : `the week of ${date.iso}`) : date.iso;
  const isFirst = rest.trim() === '';
  const isSubject = isFirst && /^\s*(?:is|was|are|E|e|foi|sera|tem)\b|^\s*$/.test(fold(after));
  const hasPreposition = needsNothing.test(rest) || isSubject;
  if (hasPreposition) return { from: before.length - taken.length, text: iso };
  const preposition = isPt ? (date.grain === 'week' ? 'na' : 'em') : date.grain === 'day' ? 'on' : 'in';
  return {
    from: before.length - taken.length,
    text: `${isFirst ? preposition.charAt(0).toUpperCase() + preposition.slice(1) : preposition} ${iso}`,
  };
}

/** Which of the dates found are to be replaced. */
type WantedDate = (date: FoundDate, text: string) => boolean;

function replaceDates(text: string, at: number, isWanted: WantedDate): string {
  const dates = findDates(text, at);
  let out = '';
  let done = 0;
  for (const [i, date] of dates.entries()) {
    const next = dates[i + 1];
    // "in two weeks, on April 21" says one day twice: the exact words win.
    if (
      next !== undefined &&
      /^\s*[,(-]\s*(?:(?:on|the|at|no|na|em|dia|o)\s+)*$/i.test(text.slice(date.end, next.start)) &&
      Math.abs(next.firstDay - date.firstDay) <= 7 * dayMs
    ) {
      const lead = /(?:\b(?:on|in|at|no|na|em)\s+)$/i.exec(text.slice(done, date.start))?.[0] ?? '';
      out += text.slice(done, date.start - lead.length);
      done =
        next.start -
        (/(?:\b(?:on|the|at|in|no|na|em|dia|o)\s+)*$/i.exec(text.slice(date.end, next.start))?.[0].length ?? 0);
      continue;
    }
    if (date.start < done || !isWanted(date, text)) continue;
    const lineStart = text.lastIndexOf('\n', date.start - 1) + 1;
    const from = Math.max(done, lineStart);
    const before = text.slice(from, date.start);
    const isPt = isPortuguese(fold(text.slice(lineStart, date.end + 40)));
    const put = placed(
      date,
      from === lineStart ? before : `${out.slice(-12)}${before}`,
      text.slice(date.end, date.end + 12),
      isPt,
    );
    const shiftBack = from === lineStart ? 0 : Math.min(12, out.length);
    out += text.slice(done, from) + text.slice(from, from + Math.max(0, put.from - shiftBack)) + put.text;
    done = date.end;
  }
  return out + text.slice(done);
}

/**
 * Relative dates in `text`, those that `isWanted` or all, replaced by ISO dates counted from `at` (ms; UTC calendar day). Text without any comes back as it is.
 * A month stays a month (`2026-08`), a week becomes "the week of" its Monday. Applying it twice changes nothing more.
 */
export function absoluteDates(text: string, at: number, isWanted: WantedDate = () => true): string {
  let before = text;
  // In a line of two languages the first pass may settle which of them is left to read.
  for (let pass = 0; pass < 4; pass++) {
    const after = replaceDates(before, at, isWanted);
    if (after === before) break;
    before = after;
  }
  return before;
}

/** True when `text` holds a date that only makes sense on the day it was written. */
export function hasRelativeDate(text: string): boolean {
  return findDates(text, 0).some((date) => date.isRelative);
}
