// The English and Portuguese date words that chrono-node does not read, or reads otherwise than people mean them.
// Each is a parser for chrono's own extension point; what it finds carries a tag for its grain (day, week, month, quarter, year).
// Works on folded text (lower case, no accents) and counts in whole UTC days, never in the machine's zone.

import type { Parser, ParsingComponents, ParsingContext } from 'chrono-node';

export const dayMs = 86_400_000;
export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';

type Spelled = { day: number; grain: Grain };
/** The text on both sides of a match. */
interface Around {
  readonly before: string;
  readonly after: string;
}
type Reader = (
  match: readonly (string | undefined)[],
  today: number,
  isPast: boolean,
  around: Around,
) => Spelled | undefined;

const months = [
  'january|janeiro|jan',
  'february|fevereiro|feb|fev',
  'march|marco|mar',
  'april|abril|apr|abr',
  'may|maio|mai',
  'june|junho|jun',
  'july|julho|jul',
  'august|agosto|aug|ago',
  'september|setembro|sept?|set',
  'october|outubro|oct|out',
  'november|novembro|nov',
  'december|dezembro|dec|dez',
].map((names) => new RegExp(`^(?:${names})\\.?$`));
const monthName =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)';
const weekdays = [
  'sunday|sun|domingo|dom',
  'monday|mon|segunda|seg',
  'tuesday|tues?|terca|ter',
  'wednesday|wed|quarta|qua',
  'thursday|thu(?:rs)?|thur|quinta|qui',
  'friday|fri|sexta|sex',
  'saturday|sat|sabado|sab',
].map((names) => new RegExp(`^(?:${names})(?:-feira)?$`));
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fourteen: 14,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  couple: 2,
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
  onze: 11,
  doze: 12,
  quatorze: 14,
  catorze: 14,
  quinze: 15,
  vinte: 20,
  trinta: 30,
};
const count = `(\\d{1,3}|${Object.keys(numbers).join('|')})`;

const utc = (year: number, month: number, day: number) => Date.UTC(year, month, day);
const yearOf = (ms: number) => new Date(ms).getUTCFullYear();
const monthOf = (ms: number) => new Date(ms).getUTCMonth();
const mondayOf = (ms: number) => ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs;
const addMonths = (ms: number, n: number) => utc(yearOf(ms), monthOf(ms) + n, 1);
const lastDayOfMonth = (ms: number) => utc(yearOf(ms), monthOf(ms) + 1, 0);
const quarterStart = (ms: number, n = 0) => utc(yearOf(ms), (Math.floor(monthOf(ms) / 3) + n) * 3, 1);
export const monthIndex = (name: string) => months.findIndex((month) => month.test(name));

export function monthNear(index: number, today: number, isPast: boolean): number {
  const same = utc(yearOf(today), index, 1);
  if (isPast) return index > monthOf(today) ? utc(yearOf(today) - 1, index, 1) : same;
  return index < monthOf(today) ? utc(yearOf(today) + 1, index, 1) : same;
}

function dayOfMonthNear(dayNumber: number, today: number, isPast: boolean): number | undefined {
  if (dayNumber < 1 || dayNumber > 31) return undefined;
  for (let n = 0; n < 12; n++) {
    const first = addMonths(today, isPast ? -n : n);
    const day = utc(yearOf(first), monthOf(first), dayNumber);
    if (monthOf(day) === monthOf(first) && (isPast ? day <= today : day >= today)) return day;
  }
  return undefined;
}

function shift(n: number, unit: string, today: number): Spelled | undefined {
  if (/^(?:day|dia)/.test(unit)) return { day: today + n * dayMs, grain: 'day' };
  if (/^(?:week|semana)/.test(unit)) return { day: today + n * 7 * dayMs, grain: 'day' };
  if (/^(?:fortnight|quinzena)/.test(unit)) return { day: today + n * 14 * dayMs, grain: 'day' };
  if (/^(?:month|mes)/.test(unit)) return { day: addMonths(today, n), grain: 'month' };
  if (/^(?:year|ano)/.test(unit)) return { day: utc(yearOf(today) + n, 0, 1), grain: 'year' };
  return undefined;
}

const amount = (word: string | undefined) => numbers[word ?? ''] ?? Number(word);
const unit = '(days?|weeks?|fortnights?|months?|years?|dias?|semanas?|quinzenas?|mes(?:es)?|anos?)';
const edge = { start: '(?<![\\w-])', end: "(?![\\w'-]*\\w)" };

/** Words chrono's English or Portuguese does not read, or reads otherwise than people mean them. */
const spelled: readonly (readonly [string, Reader])[] = [
  ['(?:the )?day after tomorrow|depois de amanha', (_, today) => ({ day: today + 2 * dayMs, grain: 'day' })],
  ['(?:the )?day before yesterday|antes de ontem|anteontem', (_, today) => ({ day: today - 2 * dayMs, grain: 'day' })],
  [
    '(?:this|the coming|the next|next) weekend|(?:este|esse|neste|nesse|proximo|no proximo) (?:fim|final) de semana',
    (_, today) => ({ day: mondayOf(today) + 5 * dayMs, grain: 'day' }),
  ],
  ['(?:the )?week after next', (_, today) => ({ day: mondayOf(today) + 14 * dayMs, grain: 'week' })],
  [
    '(?:(?:the )?(?:whole |entire )?(next|coming|this|last|past) week|(?:(esta|essa|nesta|nessa|proxima|toda a proxima) semana|(?:a )?semana (que vem|passada|seguinte)))',
    (m, today) => {
      const word = m[1] ?? m[2] ?? m[3] ?? '';
      const n = /next|coming|proxima|que vem|seguinte/.test(word) ? 1 : /last|past|passada/.test(word) ? -1 : 0;
      return { day: mondayOf(today) + n * 7 * dayMs, grain: 'week' };
    },
  ],
  [
    '(?:the )?(next|this|last|coming) (month|quarter|year)|(proximo|este|esse|neste|nesse) (mes|trimestre|ano)|(?:o )?(mes|trimestre|ano) (que vem|passado)',
    (m, today) => {
      const word = m[1] ?? m[3] ?? m[6] ?? '';
      const n = /next|coming|proximo|que vem/.test(word) ? 1 : /last|passado/.test(word) ? -1 : 0;
      const what = m[2] ?? m[4] ?? m[5] ?? '';
      if (/^m/.test(what)) return { day: addMonths(today, n), grain: 'month' };
      if (/^[qt]/.test(what)) return { day: quarterStart(today, n), grain: 'quarter' };
      return { day: utc(yearOf(today) + n, 0, 1), grain: 'year' };
    },
  ],
  [
    '(?:the )?(?:(?:very )?end of (?:the |this )?(next |coming )?(week|month|quarter|year)|eo([wmqy]))',
    (m, today) => endOf(m[2] ?? m[3] ?? '', m[1] === undefined ? 0 : 1, today),
  ],
  [
    '(?:o )?(?:fim|final) d(?:o|a|este|esta|esse|essa) (proximo |proxima )?(semana|mes|trimestre|ano)( que vem)?',
    (m, today) => endOf(m[2] ?? '', m[1] === undefined && m[3] === undefined ? 0 : 1, today),
  ],
  [
    '(?:the )?(?:end|close) of (?:the )?(?:day|business)|eod|(?:o )?fim do dia',
    (_, today) => ({ day: today, grain: 'day' }),
  ],
  [
    `(?:the )?(beginning|start|end|middle) of ${monthName}(?! \\d)|(?:o )?(comeco|inicio|fim|final|meio) d[eo] ${monthName}(?! de \\d)`,
    (m, today, isPast) => {
      const month = monthNear(monthIndex(/\w+$/.exec(m[0] ?? '')?.[0] ?? ''), today, isPast);
      const word = m[1] ?? m[2] ?? '';
      if (/^(?:mid|meio)/.test(word)) return { day: month, grain: 'month' };
      return { day: /^(?:end|fim|final)/.test(word) ? lastDayOfMonth(month) : month, grain: 'day' };
    },
  ],
  [
    '(?:the )?(?:beginning|start) of (?:the )?next (month|year|week)|(?:o )?(?:comeco|inicio) d[oa] (?:proxim[oa] )?(mes|ano|semana)(?: que vem)?',
    (m, today) => {
      const what = m[1] ?? m[2] ?? '';
      if (/^m/.test(what)) return { day: addMonths(today, 1), grain: 'day' };
      return /^[ya]/.test(what)
        ? { day: utc(yearOf(today) + 1, 0, 1), grain: 'day' }
        : { day: mondayOf(today) + 7 * dayMs, grain: 'day' };
    },
  ],
  [
    '(?:the )?(end of )?q([1-4])(?! ?\\d)',
    (m, today, isPast) => {
      const first = monthNear((Number(m[2]) - 1) * 3 + (isPast ? 0 : 2), today, isPast);
      const start = isPast ? first : addMonths(first, -2);
      return m[1] === undefined
        ? { day: start, grain: 'quarter' }
        : { day: utc(yearOf(start), monthOf(start) + 3, 0), grain: 'day' };
    },
  ],
  [
    `in (?:a )?${count}(?: of)? ${unit}(?:['’]? time| from (?:now|today))?|${count} ${unit} from (?:now|today)|daqui (?:a )?${count} ${unit}|em ${count} ${unit}|dentro de ${count} ${unit}`,
    (m, today) => {
      const words = m.slice(1).filter((word) => word !== undefined);
      return shift(amount(words[0]), words[1] ?? '', today);
    },
  ],
  [
    `(?:a |about |some )?${count}(?: of)? ${unit} (?:ago|atras)|(?<!\\b(?:sou|somos|estou|trabalho|trabalhamos|uso|usamos|moro|programo|programamos|existe|existimos|tenho|temos)\\b[^.;!?]{0,60})(?:ha|faz) (?:uns |umas |cerca de )?${count} ${unit}(?: atras)?`,
    (m, today) => {
      const words = m.slice(1).filter((word) => word !== undefined);
      return shift(-amount(words[0]), words[1] ?? '', today);
    },
  ],
  [
    `(?<=\\b(?:on|by|until|till|before|after|from|since|to|through|is|starting|and) )the (\\d{1,2})(?:st|nd|rd|th)(?=\\s*(?:[.,;:!?)]|$|-|(?:of (?:this|next) month|because|so|and|then|but|until|to|for|at|we|i|they|it|if|when|nobody)\\b))(?: of (this|next) month)?`,
    (m, today, isPast) => {
      const from = m[2] === 'next' ? addMonths(today, 1) : today;
      const day = dayOfMonthNear(Number(m[1]), from, isPast);
      return day === undefined ? undefined : { day, grain: 'day' };
    },
  ],
  [
    `(?<!\\btod[oa]s? (?:os? )?|\\bcada |\\bo )dia (\\d{1,2}|primeiro)(?:[º°]|o)?(?! ?(?:de ${monthName}|/|[.,:]?\\d|h\\b))(?: (?:deste|do|desse) mes| do (mes que vem|proximo mes))?`,
    (m, today, isPast) => {
      const from = m[2] === undefined ? today : addMonths(today, 1);
      const day = dayOfMonthNear(m[1] === 'primeiro' ? 1 : Number(m[1]), from, isPast);
      return day === undefined ? undefined : { day, grain: 'day' };
    },
  ],
  [
    `(?:(?:em|ate|desde|de|a partir de|depois de|antes de|para|pra|partir de|por volta de) )(${monthName})(?! de \\d| \\d)`,
    (m, today, isPast) => ({ day: monthNear(monthIndex(m[1] ?? ''), today, isPast), grain: 'month' }),
  ],
  [
    '(next|this|last|coming)? ?(sunday|monday|tuesday|wednesday|thursday|friday|saturday)(?: (?:next|of next) week| the (\\d{1,2})(?:st|nd|rd|th))?',
    (m, today, isPast) => {
      const day = m[3] === undefined ? undefined : dayOfMonthNear(Number(m[3]), today, isPast);
      if (day !== undefined) return { day, grain: 'day' };
      return weekday(m[2] ?? '', /next week/.test(m[0] ?? '') ? 'week' : (m[1] ?? ''), today, isPast);
    },
  ],
  [
    '(?:(proxim[oa]|nest[ea]|ness[ea]|est[ea]|ess[ea]|ultim[oa]) )?(domingo|segunda|terca|quarta|quinta|sexta|sabado)(-feira| feira)?( que vem| agora| da semana que vem| da proxima semana| passad[oa])?',
    (m, today, isPast, around) => {
      const isOrdinal =
        m[1] === undefined && m[3] === undefined && m[4] === undefined && /^(?:se|q|t|sext)/.test(m[2] ?? '');
      if (isOrdinal && !/\b(?:na|ate|ate a|a partir de|desde|para|pra|de|essa|nessa)\s+$/.test(around.before)) {
        return undefined;
      }
      if (
        isOrdinal &&
        /^\s+(?:[a-z]+cao|vez|parte|etapa|fase|linha|coluna|tentativa|pagina|via|aba|camada)\b/.test(around.after)
      ) {
        return undefined;
      }
      const how = m[4] ?? m[1] ?? '';
      if (/semana/.test(how)) return weekday(m[2] ?? '', 'week', today, isPast);
      if (/passad|ultim/.test(how)) return weekday(m[2] ?? '', 'last', today, isPast);
      if (/que vem|proxim/.test(how)) {
        const coming = weekday(m[2] ?? '', '', today, false);
        return coming.day - today < 3 * dayMs ? { ...coming, day: coming.day + 7 * dayMs } : coming;
      }
      return weekday(m[2] ?? '', '', today, isPast && how === '');
    },
  ],
];

function endOf(what: string, ahead: number, today: number): Spelled {
  if (/^[ws]/.test(what)) return { day: mondayOf(today) + (4 + ahead * 7) * dayMs, grain: 'day' };
  if (/^m/.test(what)) return { day: lastDayOfMonth(addMonths(today, ahead)), grain: 'day' };
  if (/^[qt]/.test(what)) return { day: quarterStart(today, ahead + 1) - dayMs, grain: 'day' };
  return { day: utc(yearOf(today) + ahead, 11, 31), grain: 'day' };
}

function weekday(name: string, how: string, today: number, isPast: boolean): Spelled {
  const wanted = weekdays.findIndex((day) => day.test(name));
  const ahead = (wanted - new Date(today).getUTCDay() + 7) % 7;
  if (how === 'week' || how === 'next')
    return { day: mondayOf(today) + (7 + ((wanted + 6) % 7)) * dayMs, grain: 'day' };
  if (how === 'last' || (isPast && how === '')) return { day: today - ((7 - ahead) % 7 || 7) * dayMs, grain: 'day' };
  return { day: today + ahead * dayMs, grain: 'day' };
}

const pastWords =
  /\b(?:was|were|had|got|did|happened|broke|since|last|past|ago|already|went|shipped|decided|agreed|introduced|started|began|came|fixed|lost|released|incident|outage|foi|foram|era|estava|tivemos|teve|aconteceu|desde|passad[oa]|quebrou|decidimos|combinamos|ultim[oa]|caiu)\b/;
const futureWords =
  /\b(?:will|going to|(?:agreed|decided|promised|planned|combinamos|decidimos|prometemos) (?:to|that|que|de)|ends?|starts?|until|till|by|due|deadline|expires?|launch|is on|are on|next|upcoming|before|ships?|gets?|goes|closes|begins|opens|vai|vao|vamos|ate|prazo|sera|comeca|termina|acaba|vence|expira|entra|proxim[oa]|que vem|para|pra)\b/;

/** True when a clause has a word that points ahead. */
export function tellsOfTheFuture(folded: string): boolean {
  return futureWords.test(folded);
}

/** True when a clause tells of something that has been, so that "Monday" in it is the Monday before. */
export function tellsOfThePast(folded: string): boolean {
  return pastWords.test(folded) && !futureWords.test(folded);
}

/**
 * chrono parsers for the words above. `today` is the UTC midnight of the message's day; chrono's own reference is not used.
 */
export function createDateWordParsers(today: number): readonly Parser[] {
  return spelled.map(([source, read]): Parser => {
    const pattern = new RegExp(`${edge.start}(?:${source})${edge.end}`);
    return {
      pattern: () => pattern,
      extract(context: ParsingContext, match: RegExpMatchArray): ParsingComponents | null {
        const at = match.index ?? 0;
        const around = {
          before: context.text.slice(Math.max(0, at - 16), at),
          after: context.text.slice(at + match[0].length, at + match[0].length + 24),
        };
        const found = read(match, today, tellsOfThePast(context.text), around);
        if (found === undefined || Number.isNaN(found.day)) return null;
        const date = new Date(found.day);
        const components = context.createParsingComponents({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        components.addTag(`grain/${found.grain}`);
        return components;
      },
    };
  });
}
