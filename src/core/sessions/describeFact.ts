// Gives a fact a title a person recognises, a line a selector can judge, and words a search can find.
// The same fact always gets the same answer. Adds no word of its own: everything is taken from the fact.

import { fold } from './signals/text';

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
const maxKeywords = 8;

const common = new Set(
  `a about after again all also always am an and any are as ask at be because been before being but by can cannot could did do does doing don done dont each
  either else ever every everything for from get gets go goes going good got had has have he her here him his how however i if in instead into is isn it its
  just keep let like make makes many me more most much must my need needs never new next no nobody none nor not nothing now of off on once one only or other
  otherwise our ours out over own per please put rather really right same say says see she should since so some something stay still such take than that the
  their them then there these they thing things this those though through to too under until up upon us use used user users uses using very want wants was way we well
  were what when whenever where whether which while who whom whose why will with within without would yes yet you your yours
  agora aí ainda antes ao aos aqui as assim até cada com como da das de dela dele deles depois do dos e ela elas ele eles em entre era essa essas esse esses esta está
  estão estas este estes eu faça fazer foi for gente há isso isto já lá lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nossas
  nosso nossos nunca o onde os ou para pela pelas pelo pelos pode por porque pra pro quando que quem são se sem sempre ser seu seus só sua suas também tão te tem ter
  teve toda todas todo todos tu tua tudo um uma umas uns usa usar use vai você vocês vão pessoa é`
    .split(/\s+/)
    .map(fold),
);

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

function keywordsOf(fact: string): string[] {
  const scores = new Map<string, number>();
  const words = fact
    .replace(/https?:\/\/(?:www\.)?([^\s/"']+)\S*/g, ' $1 ')
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}_./#+-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu);
  let place = 0;
  for (const [word] of words) {
    const key = fold(word.toLowerCase());
    place++;
    if (common.has(key) || key.length < 2 || /^\d{1,3}$/.test(key)) continue;
    // Names, identifiers and rarer long words tell more than everyday ones.
    const isName = /^\p{Lu}/u.test(word) && place > 1;
    const isMade = /[\d_./#+-]/.test(word) || /\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}{2,}/u.test(word);
    const weight = (isName ? 3 : 0) + (isMade ? 2 : 0) + Math.min(key.length, 10) / 5 - place / 200;
    scores.set(key, Math.max(scores.get(key) ?? 0, weight) + (scores.has(key) ? 0.5 : 0));
  }
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
}

/** Title, description and keywords of one fact. An empty fact gives an empty title and no keywords. */
export function describeFact(fact: string): FactDescription {
  const line = fact.replace(/\s+/g, ' ').trim();
  return {
    name: shorten(tellingClause(line), maxName),
    description: shorten(line, maxDescription),
    keywords: keywordsOf(line).slice(0, maxKeywords),
  };
}
