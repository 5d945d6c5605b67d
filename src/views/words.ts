// How things are said to a person: numbers, ages, dates and the names of types, in the language of the editor. Texts go
// through `t`, whose first argument is always a literal, so that every text can be found and translated. It knows no
// editor: `t` is handed in.

import type { MemoryProblem, MemoryType } from '../core/memory/memory';
import type { MemoryScope } from '../core/memory/memoryPaths';

/** VS Code's `l10n.t`: `{0}` marks arguments. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** In the order they are shown. Said again here: the engine's own list would load the engine with the first view. */
export const typesInOrder: readonly MemoryType[] = ['user', 'feedback', 'project', 'reference'];

export interface Words {
  readonly t: Translate;
  /** At most one digit after the point. */
  number(value: number): string;
  /** `today`, `12 d`. */
  shortAge(days: number): string;
  /** `today`, `1 day old`, `12 days old`: for a screen reader. */
  spokenAge(days: number): string;
  /** `May 3, 2026` */
  date(ms: number): string;
  /** `May 3` */
  dayOfYear(ms: number): string;
  /** `November 2026` */
  month(ms: number): string;
  /** `Monday, November 10` */
  weekday(ms: number): string;
  /** `14:20` */
  time(ms: number): string;
  type(type: MemoryType): string;
  /** The heading over the memories of a type. */
  typeHeading(type: MemoryType): string;
  scope(scope: MemoryScope): string;
  problem(problem: MemoryProblem): string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whole days between a time and now; 0 for a time in the future. */
export const wholeDays = (fromMs: number, nowMs: number): number => Math.max(0, Math.floor((nowMs - fromMs) / dayMs));

/** `timeZone` is for tests; without it, the machine's. */
export function createWords(language: string, t: Translate, timeZone?: string): Words {
  const locale = supported(language);
  // Formatters are made when first needed: the first one of a process costs many milliseconds, and activation has few.
  let numbers: Intl.NumberFormat | undefined;
  const number = remembered((value: number) => {
    numbers ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    return numbers.format(value);
  });
  const format = (options: Intl.DateTimeFormatOptions) => {
    let formatter: Intl.DateTimeFormat | undefined;
    return (ms: number) => {
      formatter ??= new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
      return formatter.format(ms);
    };
  };
  const month = format({ month: 'long', year: 'numeric' });
  const weekday = format({ weekday: 'long', day: 'numeric', month: 'long' });

  return {
    t,
    number,
    shortAge: (days) => (days === 0 ? t('today') : t('{0} d', number(days))),
    spokenAge: (days) => (days === 0 ? t('today') : days === 1 ? t('1 day old') : t('{0} days old', number(days))),
    date: format({ dateStyle: 'medium' }),
    dayOfYear: format({ day: 'numeric', month: 'long' }),
    month: (ms) => upperFirst(month(ms), locale),
    weekday: (ms) => upperFirst(weekday(ms), locale),
    time: format({ hour: 'numeric', minute: '2-digit' }),
    type: remembered(
      (type: MemoryType) =>
        ({ user: t('user'), feedback: t('feedback'), project: t('project'), reference: t('reference') })[type],
    ),
    typeHeading: (type) =>
      ({ user: t('User'), feedback: t('Feedback'), project: t('Project'), reference: t('Reference') })[type],
    scope: remembered((scope: MemoryScope) => (scope === 'team' ? t('team') : t('private'))),
    problem: (problem) => {
      switch (problem.kind) {
        case 'invalid_yaml':
          return problem.line === undefined ? t('invalid YAML') : t('invalid YAML, line {0}', number(problem.line));
        case 'no_type':
          return t('no type');
        case 'unknown_type':
          return t('unknown type');
        case 'merge_conflict':
          return t('merge conflict');
        case 'too_large':
          return t('too large to read');
        case 'not_text':
          return t('not a text file');
        case 'link_outside':
          return t('link leads outside');
        case 'unreadable':
          return t('can’t be read');
        case 'secret':
          return problem.line === undefined
            ? t('holds a secret ({0})', problem.detail ?? '')
            : t('holds a secret, line {0} ({1})', number(problem.line), problem.detail ?? '');
        case 'refused':
          return t('refused: {0}', refusedEntry(t, problem.detail));
      }
    },
  };
}

/** Why an entry of the team folder can't be a memory, by the rule that says so. */
function refusedEntry(t: Words['t'], rule: string | undefined): string {
  switch (rule) {
    case 'link_outside':
    case 'link_nowhere':
    case 'link_loop':
    case 'link_folder':
      return t('a link that leads elsewhere');
    case 'case_collision':
      return t('another name differs in case only');
    case 'too_long':
      return t('its name is too long');
    case 'git_folder':
      return t('it is git’s own');
    case 'not_a_file':
      return t('it is not a file');
    default:
      return t('its name is not allowed');
  }
}

/** The same few values are said in thousands of rows; a translation and a number's format cost more than a look-up. */
function remembered<K extends number | string>(say: (value: K) => string): (value: K) => string {
  const known = new Map<K, string>();
  return (value) => {
    let text = known.get(value);
    if (text === undefined) {
      if (known.size >= 5000) known.clear();
      text = say(value);
      known.set(value, text);
    }
    return text;
  };
}

/** A language that the editor knows and `Intl` does not must not stop anything. */
function supported(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

const upperFirst = (text: string, locale: string) => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);

/** A stranger's text as a label: one line, nothing that turns the writing direction around, cut at 200 characters. */
export function oneLine(text: string): string {
  if (text.length <= 200 && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.includes('  ')) return text;
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim();
  const characters = [...line];
  return characters.length > 200 ? `${characters.slice(0, 199).join('')}…` : line;
}
