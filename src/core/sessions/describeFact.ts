// Gives a fact a title a person recognises, a line a selector can judge, and words a search can find.
// The same fact always gets the same answer. Adds no word of its own: everything is taken from the fact.

import { keywordsOf } from './keywords';

export interface FactDescription {
  /** Short human title, at most 60 characters, without a final stop. */
  readonly name: string;
  /** One line of at most 150 characters. */
  readonly description: string;
  /** 3 to 8 lower-case words without accents, fewer only when the fact has fewer; the telling ones first. */
  readonly keywords: readonly string[];
}

const maxName = 60;
const maxDescription = 150;

/** Cuts at a word, before `max` characters; a cut text ends in an ellipsis. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const space = head.lastIndexOf(' ');
  const cut = space > max / 2 ? head.slice(0, space) : head.slice(0, -1);
  // Never ends in half a surrogate pair.
  return `${cut.replace(/[\ud800-\udbff]$/, '').replace(/[\s,;:.(–—-]+$/, '')}…`;
}

function tellingClause(fact: string): string {
  const whole = fact.replace(/[\s.!?]+$/, '');
  if (whole.length <= maxName) return whole;
  const clause =
    /^.{12,58}?(?=\s*(?:[;:(]|,\s|\s[-–—]\s|\s(?:because|since|so that|so|otherwise|instead of|porque|pois|então|senão)\s))/.exec(
      whole,
    )?.[0];
  return clause ?? whole;
}

/** Title, description and keywords of one fact. An empty fact gives an empty title and no keywords. */
export function describeFact(fact: string): FactDescription {
  const line = fact.replace(/\s+/g, ' ').trim();
  return {
    name: shorten(tellingClause(line), maxName),
    description: shorten(line, maxDescription),
    keywords: keywordsOf(line),
  };
}
