// Makes one clean sentence of a person's words and finds the reason they gave with it.
// Only takes away (small talk, "remember that", "from now on") and makes dates absolute; adds nothing, least of all a reason.

import { anyOf, raw } from './clause';
import { fillers } from './cues';
import { absoluteDates } from './dates';
import { fold } from './text';

/** In front of a rule these say only that it is one. */
const noise = anyOf(
  raw`^(?:from (?:now|here|this point|today) on(?:wards?)?|going forwards?|moving forwards?|henceforth|as a (?:general )?rule|in general|generally|for the future|in (?:the )?future|(?:though |but )?next time|a partir de agora|daqui (?:pra|para|em) (?:frente|diante)|de agora em diante|via de regra|da proxima vez)(?:,|:)?\s+`,
  raw`^(?:make it a (?:habit|rule)|(?:(?:an?|my|our|one|the|new|another|general|house|standing|hard|simple|golden|team|code|nossa|minha|nova) ){0,3}(?:rule|policy|convention|regra|politica)\b[^:]{0,40}):\s+`,
  raw`^we (?:have )?(?:decided|agreed) (?:in|at|during) (?:today|yesterday|this morning)'s [\w -]{3,30} that\s+`,
);
const trailing = /(?:,?\s+(?:please|pls|ok|okay|por favor|ta|tá|beleza|thanks|valeu|obrigad[oa]))+$/i;

/** The fact as one sentence with a capital first letter and no final stop; undefined when nothing is left. */
export function tidyFact(said: string, at: number, topic?: string): string | undefined {
  let text = said.replace(/\s+/g, ' ').trim();
  for (let i = 0; i < 3; i++) {
    const folded = fold(text);
    const cut = (fillers.exec(folded)?.[0].length ?? 0) || (noise.exec(folded)?.[0].length ?? 0);
    if (cut === 0) break;
    text = text.slice(cut);
  }
  text = text.replace(/[\s.!]+$/, '').replace(trailing, '');
  text = absoluteDates(text, at)
    .replace(/[\s,;:.!?-]+$/, '')
    .replace(/^["'](?=[^"']*$)/, '')
    .trim();
  if (text.length < 2) return undefined;
  if (topic !== undefined && text.split(' ').length <= 4) {
    const about = topic
      .replace(
        /^.*?\b(?:rule|regra|about|sobre|note|nota|memory|memória)\b(?:\s+(?:de|do|da|about|on|sobre|that|que))?\s+/i,
        '',
      )
      .replace(/\b\d+\b\s*/g, '')
      .trim();
    if (about.length > 2 && about.length < 60) text = `${about}: ${text}`;
  }
  const isName = /^[a-z]+[A-Z_./(]|^[a-z]+(?:\/|\.\w)|^https?:/.test(text);
  return isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** True for a fact that says nothing without what was said around it. */
export function isBareFact(fact: string): boolean {
  const folded = fold(fact);
  return (
    folded.split(/\s+/).length < 2 ||
    /^(?:it|this|that|isso|these|those)(?: (?:is|was|too|please|one|E))?$/.test(folded)
  );
}

const marker =
  /(?:,\s*|\s+|\s*[-–—(]\s*)(?:because|since(?= (?:it|we|they|the|i|that|this|our|you|there|he|she|nobody|everyone)\b(?! (?:incident|outage|release|beginning|start|migration)\b))|otherwise|or else|porque|pois|já que|ja que|senão|senao|por causa d[eoa])\s+\S.{5,}$/i;
const explains =
  /[,;:]\s+(?:it|its|it's|they|they're|we|we've|nobody|no one|everyone|reviewers?|people|ops|legal|customers?|users?|others|the \w+(?: \w+){0,2}|our \w+|splitting|mixing|doing|é|eles|ninguém|todo mundo|o \w+(?: de \w+)?|a \w+(?: de \w+)?|os \w+|as \w+|já|isso|quebra|confunde)(?=\s)[^,;]{5,}$/i;
const story =
  /^\s*(?:we|a \w+|last|somebody|someone|half of|it|the \w+|toda vez|da última|já|a gente|ano passado|reviewers?|people|i've)\b.{0,40}?\b(?:got burned|were burned|burned|bitten|broke|lost|failed|was charged|charged|come from|complains?|reclama|perdemos|quebrou|tivemos|rejected?|took|went down)\b.*$/i;

export interface Reason {
  readonly why: string;
  /** Offset in the text where the fact ends and the reason starts, when the reason stands in the same span. */
  readonly from: number;
  readonly isInside: boolean;
}

/** The stretch of text that gives a reason for the span [from, to): inside it after "because" and its kin, or told right after it. */
export function findReason(text: string, from: number, to: number, isRule: boolean): Reason | undefined {
  const span = text.slice(from, to).replace(/[\s.!]+$/, '');
  if (/\n\n/.test(span)) return undefined;
  const inside = marker.exec(span) ?? (isRule ? explains.exec(span) : null);
  if (inside !== null && inside.index > 8) {
    const why = inside[0].replace(/^[\s,;:(–—-]+/, '').replace(/[\s.!)]+$/, '');
    return { why, from: from + inside.index, isInside: true };
  }
  const after = /^[\s.!,;-]{1,4}([^\n?]{8,200}?)(?=[.!?\n]|$)/.exec(text.slice(to, to + 260));
  const told = after?.[1]?.trim();
  if (told === undefined || !story.test(told)) return undefined;
  return { why: told, from: to, isInside: false };
}
