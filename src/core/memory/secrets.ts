// Finds secrets in a text that is about to be kept or shared. It tells which rule matched and where, never the value.
// Placeholders, UUIDs and hashes are no secrets; a value that is *called* a password, a token or a key in the text is
// one unless it is plainly a placeholder. Also finds what line breaks tear apart, what is encoded, and what is masked.

import { contextRules, isHarmless, isStriking, type Match, matchesOf, tokenRules } from './secretRules';
import { type Spelling, spellingsOf } from './secretSpellings';

export interface FoundSecret {
  /** Stable name of the rule, fit to be shown: `github`, `password`, `private-key`. */
  readonly rule: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Every secret in the text by rule and line, in the order of the lines. Rejects only if the rules can't be loaded. */
export async function findSecrets(text: string): Promise<FoundSecret[]> {
  if (text.trim() === '') return [];
  const spellings = spellingsOf(text);
  return told([...spellings.flatMap(found), ...(await lintedIn(spellings))]);
}

/** As `findSecrets`, by our own rules alone: at once, where a set of rules would take too long to load. */
export const findPlainSecrets = (text: string): FoundSecret[] =>
  text.trim() === '' ? [] : told(spellingsOf(text).flatMap(found));

/** Whether a text holds what looks like a secret as it stands there, by our own rules alone. */
export const looksLikeSecret = (text: string): boolean =>
  matchesOf(text, allRules).some(({ value }) => !isHarmless(value));

const allRules = [...tokenRules, ...contextRules];
/** Of those that need the words before a value. */
const namedRules = contextRules.filter(({ name }) => name !== 'high-entropy');

function found(spelling: Spelling): FoundSecret[] {
  const { content, kind, lineAt } = spelling;
  if (kind !== 'torn') return kept(matchesOf(content, allRules), lineAt);
  // A value that its name makes a secret counts here only if a line break tore it or parted the two.
  const isTorn = ({ start, end, value }: Match) => lineAt(start) !== lineAt(end - 1) && isStriking(value);
  const tokens = matchesOf(content, tokenRules, spelling.startsAt);
  return kept([...tokens, ...matchesOf(content, namedRules).filter(isTorn)], lineAt);
}

const kept = (matches: readonly Match[], lineAt: Spelling['lineAt']): FoundSecret[] =>
  matches.flatMap(({ rule, start, value }) => (isHarmless(value) ? [] : [{ rule, line: lineAt(start) }]));

/** What secretlint finds, in one go over all spellings. */
async function lintedIn(spellings: readonly Spelling[]): Promise<FoundSecret[]> {
  const { lintText } = await import('./secretlint');
  const starts: number[] = [];
  let content = '';
  for (const spelling of spellings) {
    starts.push(content.length);
    content += `${spelling.content}\n\n`;
  }
  return (await lintText(content)).flatMap(({ rule, start, end }) => {
    const at = starts.findLastIndex((from) => from <= start);
    const spelling = spellings[at];
    if (!spelling || isHarmless(content.slice(start, end))) return [];
    return [{ rule, line: spelling.lineAt(start - (starts[at] ?? 0)) }];
  });
}

/** Each rule once a line, in the order of the lines. */
function told(all: readonly FoundSecret[]): FoundSecret[] {
  const each = new Map(all.map((one) => [`${one.line} ${one.rule}`, one]));
  // The general rule only speaks where no other one does.
  const left = [...each.values()].filter(
    ({ rule, line }, _at, list) =>
      rule !== 'high-entropy' || !list.some((other) => other.line === line && other.rule !== rule),
  );
  return left.sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1));
}
