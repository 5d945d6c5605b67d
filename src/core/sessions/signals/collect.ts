// Walks the sentences of a prompt once and collects drafts of what to keep, and the spans that ask to forget.
// Decides what belongs together: "remember that" with the sentence before it, a reason with its rule, a taste with its order.
// Knows positions only; what a draft becomes is made elsewhere.

import type { MemoryType } from '../../memory/memory';
import { type Clause, opensWithOrder } from './clause';
import {
  asks,
  asksPlainly,
  fillers,
  forInstructionFile,
  injected,
  momentary,
  reported,
  sarcastic,
  takesBack,
  tentative,
} from './cues';
import { hasDateAhead } from './dates';
import { featuresOf } from './features';
import { readForgetting } from './forgetting';
import { hints, praiseOpener } from './hints';
import { decide, type Judge, judge as learnedJudge } from './judge';
import { isAboutThePerson } from './people';
import { type Remembering, readRemembering } from './remembering';
import { type Rule, sureRules, typeOfFact } from './rules';
import { isDocument, readSentences, type Sentence } from './text';

export interface Draft {
  /** Offsets in the prompt. */
  readonly from: number;
  readonly to: number;
  readonly type: MemoryType;
  readonly explicit: boolean;
  readonly rule: string;
  /** Index of its first and last sentence. */
  readonly first: number;
  readonly last: number;
  /** For a bare replacement ("now 120"): the words that name what was replaced. */
  readonly topic?: string;
}

export interface Prompt {
  readonly text: string;
  readonly at: number;
  readonly previousAssistant?: string;
}

export interface Collected {
  readonly drafts: readonly Draft[];
  readonly forget: readonly string[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const clauseEdge =
  /[,;:]\s+|\s-\s+|\.\s+|…\s*|\?\s+|\s(?=(?:so|and|but|e|entao) (?:can|could|what|why|how|pode|da pra)\b)/g;
/** "…, ok?", "…, beleza?": wants a nod, asks nothing. */
const wantsNod =
  /,\s*(?:ok(?:ay)?|right|yeah|yes|alright|all right|please|thanks|got it|understood|deal|ta|ta bom|ta bem|beleza|blz|certo|combinado|fechado|pode ser|por favor|viu|tudo bem|valeu|ta ok)\s*\?+$/;
/** Looks like a question in its first word but states something. */
const statesAnyway = /^(?:as|is|ja|como (?:alguem|quem)|vamos [a-z]+r)\b/;

/** "…, didn't we?": asks about what was just said. */
const tagQuestion =
  /^(?:(?:did|do|does|is|are|was|were|have|has|wo|ca|would|should|could)n't (?:we|it|you|they|i|he|she)|(?:right|correct|yes|no|certo|correto|ne|nao E|nao foi))\s*\?/;
/** The part of a sentence that states something: without small talk in front and without the question behind. */
function statedSpan(folded: string, endsAsQuestion: boolean, start = 0): Span | undefined {
  const nod = wantsNod.exec(folded);
  const isQuestion = endsAsQuestion && nod === null;
  const from = start + (fillers.exec(folded.slice(start))?.[0].length ?? 0);
  const body = folded.slice(from);
  const turns = isQuestion ? asks : asksPlainly;
  if (turns.test(body) && !statesAnyway.test(body)) return undefined;
  for (const edge of body.matchAll(clauseEdge)) {
    if (edge.index > 8 && turns.test(body.slice(edge.index + edge[0].length)))
      return tagQuestion.test(body.slice(edge.index + edge[0].length)) ? undefined : { from, to: from + edge.index };
  }
  return isQuestion ? undefined : { from, to: nod?.index ?? folded.length };
}

const saysItAgain =
  /^(?:it's gone|it is gone|it has been|it's been|that was|it was|that's|foi|era|isso|ja|i'm|because|since|they're|nao (?:E|vale)|E antig)/;
const replaces =
  /\b(?:now|use|uses|we're|we are|is|are|stays?|runs|goes|keeps|agora|usamos|continua|segue|usa|E|fica|ficou|passou|sao|should|must|have|has)\b/;
const replacesNow = /\b(?:now|agora|we use|usamos|instead|a gente usa)\b/;
const request =
  /^(?:can|could|let's|lets|i'd (?:also |really )?(?:like|love)|i want to|we (?:need|should)|here (?:is|are))\b/;
const turnsToWork = /^(?:ok\b.{0,10}|now|anyway|then|agora|enfim|next|back to)\b/;

/** Everything one prompt gives, in order. `judge` is another one only where a judge is trained. */
export function collectDrafts(prompt: Prompt, judge: Judge = learnedJudge): Collected {
  const { text } = prompt;
  const sentences = readSentences(text);
  const whole = sentences.map((sentence) => sentence.folded).join(' ');
  if (injected.test(whole)) return { drafts: [], forget: [] };
  const asksOnly = isDocument(text) || forInstructionFile.test(whole);

  const drafts: Draft[] = [];
  const forget: string[] = [];
  /** Sentences that were used up or given to somebody else. */
  const closed = new Set<number>();
  const reading: Reading = { drafts, sentences, closed, prompt, judge };
  let isListing = false;

  for (const [i, sentence] of sentences.entries()) {
    const { folded } = sentence;
    if (closed.has(i)) continue;
    const told = folded.slice(0, statedSpan(folded, sentence.isQuestion)?.to);
    if (sarcastic.test(folded) || reported.test(told)) {
      closed.add(i);
      if (takesBack.test(folded)) removeFrom(drafts, i - 1);
      continue;
    }
    const forgetting = readForgetting(folded, sentences[i + 1]?.folded);
    if (forgetting !== undefined) {
      closed.add(i);
      forget.push(text.slice(sentence.start + forgetting.from, sentence.start + forgetting.to));
      const next = sentences[i + 1];
      const replaced = replacement(sentence, forgetting.to, next, text);
      if (replaced !== undefined)
        drafts.push({ ...replaced, explicit: true, rule: 'instead-of-forgotten', first: i, last: i });
      if (replaced !== undefined && next !== undefined && replaced.from >= next.start) closed.add(i + 1);
      continue;
    }
    const remembering = readRemembering(folded, sentence.isQuestion);
    if (remembering !== undefined) {
      closed.add(i);
      isListing = remembering.kind === 'after';
      const kept = remember(remembering, i, reading);
      if (kept !== undefined) drafts.push(kept);
      continue;
    }
    const span = asksOnly || tentative.test(told) ? undefined : statedSpan(folded, sentence.isQuestion);
    if (span === undefined) continue;
    if (isListing && !sentence.isQuestion && !turnsToWork.test(folded)) {
      const listed = draftOf(i, span, reading);
      if (listed !== undefined) drafts.push(listed);
      continue;
    }
    isListing = false;
    const heard = hearClause(i, span, sentences, prompt);
    const draft = heard && weigh(i, heard, sentences, judge);
    if (draft !== undefined) drafts.push(draft);
  }
  return { drafts: joinNeighbours(drafts, sentences), forget };
}

function removeFrom(drafts: Draft[], sentence: number): void {
  for (let i = drafts.length - 1; i >= 0; i--) if (drafts[i]?.last === sentence) drafts.splice(i, 1);
}

interface Reading {
  readonly drafts: Draft[];
  readonly sentences: readonly Sentence[];
  readonly closed: ReadonlySet<number>;
  readonly prompt: Prompt;
  readonly judge: Judge;
}

/** A sentence that the person asked to keep, unless it turns out to ask for something else. */
function draftOf(index: number, span: Span, { sentences, prompt, judge }: Reading): Draft | undefined {
  const sentence = sentences[index];
  const heard = hearClause(index, span, sentences, prompt);
  if (sentence === undefined || heard === undefined) return undefined;
  const from = sentence.start + span.from;
  const to = sentence.start + span.to;
  const type = typeOfFact(sentence.folded.slice(span.from, span.to), prompt.text.slice(from, to));
  const found = weigh(index, heard, sentences, judge, { id: 'asked-to-remember', type, explicit: true });
  return found && { ...found, from, to };
}

/** What a request to remember keeps: words of its own sentence, or what stands right before it. */
function remember(asked: Remembering, at: number, reading: Reading): Draft | undefined {
  const { sentences } = reading;
  const sentence = sentences[at];
  if (sentence === undefined || asked.kind === 'nothing' || asked.kind === 'after') return undefined;
  if (asked.kind === 'before') return promote(at, reading);
  const { folded } = sentence;
  if (asked.pointsBack && promotable(at - 1, at, reading)) return promote(at, reading);
  if (tentative.test(folded.slice(asked.from, asked.to))) return undefined;
  const span = statedSpan(folded.slice(0, asked.to), false, asked.from);
  if (span === undefined) return undefined;
  if (asked.isBehind && request.test(folded.slice(span.from))) return undefined;
  return draftOf(at, span, reading);
}

function promotable(index: number, cue: number, { sentences, closed, drafts }: Reading): boolean {
  const sentence = sentences[index];
  if (sentence === undefined || sentence.paragraph < (sentences[cue]?.paragraph ?? 0) - 1) return false;
  if (drafts.some((draft) => draft.last === index)) return true;
  if (closed.has(index) || sentence.isQuestion || tentative.test(sentence.folded)) return false;
  const span = statedSpan(sentence.folded, false);
  return span !== undefined && !request.test(sentence.folded.slice(span.from));
}

/** "Remember that" after the fact: makes what stands right before it sure, or keeps it as it was said. */
function promote(at: number, reading: Reading): Draft | undefined {
  const { drafts, sentences } = reading;
  const index = at - 1;
  const sentence = sentences[index];
  if (sentence === undefined || !promotable(index, at, reading)) return undefined;
  const known = drafts.filter((draft) => draft.last === index);
  if (known.length > 0) {
    for (const draft of known) drafts.splice(drafts.indexOf(draft), 1, { ...draft, explicit: true });
    return undefined;
  }
  const span = statedSpan(sentence.folded, false);
  if (span === undefined) return undefined;
  const draft = draftOf(index, span, reading);
  if (draft === undefined) return undefined;
  // "We don't do X. Y lives next to Z. Remember it." is one fact in two sentences.
  const lead = drafts.findIndex(
    (one) => one.last === index - 1 && sentences[index - 1]?.paragraph === sentence.paragraph,
  );
  const first = drafts[lead];
  if (first === undefined) return draft;
  drafts.splice(lead, 1, { ...first, explicit: true, to: draft.to, last: index });
  return undefined;
}

const typeOfRule = (body: string): MemoryType => (isAboutThePerson(body) ? 'user' : 'feedback');

/** What holds instead of the forgotten: the rest of the sentence, or the next one when it says "now". */
function replacement(
  sentence: Sentence,
  from: number,
  next: Sentence | undefined,
  text: string,
): { from: number; to: number; type: MemoryType; topic?: string } | undefined {
  const rest = sentence.folded.slice(from);
  const gap = /^[^,;:.-]*(?:[,;:]\s+|\s-\s+)/.exec(rest)?.[0].length;
  if (gap !== undefined && !sentence.isQuestion) {
    const start = from + gap + (fillers.exec(rest.slice(gap))?.[0].length ?? 0);
    const body = sentence.folded.slice(start);
    if (!saysItAgain.test(body) && replaces.test(body) && readForgetting(body) === undefined) {
      return {
        from: sentence.start + start,
        to: sentence.end,
        type: typeOfRule(body),
        topic: text.slice(sentence.start, sentence.start + from),
      };
    }
  }
  if (next === undefined || next.isQuestion || next.paragraph !== sentence.paragraph) return undefined;
  return !saysItAgain.test(next.folded) && replaces.test(next.folded) && replacesNow.test(next.folded)
    ? { from: next.start, to: next.end, type: typeOfRule(next.folded) }
    : undefined;
}

/** "Just for this kata.": takes the rule before it back to the moment. */
const isAfterthought = (folded: string) =>
  folded.length < 50 && /^(?:but |just|only|so |mas |apenas )/.test(folded) && momentary.test(folded);

interface Heard {
  readonly clause: Clause;
  /** Offsets in the prompt. */
  readonly from: number;
  readonly to: number;
}

function hearClause(index: number, span: Span, sentences: readonly Sentence[], prompt: Prompt): Heard | undefined {
  const sentence = sentences[index];
  if (sentence === undefined) return undefined;
  const next = sentences[index + 1];
  const praised = praiseOpener.exec(sentence.folded.slice(span.from))?.[0].length ?? 0;
  const start = span.from + praised;
  const body = sentence.folded.slice(start, span.to).replace(/[\s.!?,;:]+$/, '');
  if (body.split(/\s+/).length < 2) return undefined;
  const from = sentence.start + start;
  const to = from + body.length;
  const raw = prompt.text.slice(from, to);
  const clause: Clause = {
    body,
    raw,
    isMomentary:
      momentary.test(sentence.folded.slice(0, span.to)) || (next !== undefined && isAfterthought(next.folded)),
    hasDateAhead: () => hasDateAhead(raw, prompt.at),
    previousAssistant: prompt.previousAssistant ?? '',
    near: next === undefined || next.isQuestion ? body : `${body}. ${next.folded}`,
  };
  return { clause, from, to };
}

/** What the rules and the judge make of one sentence together. */
function weigh(
  index: number,
  { clause, from, to }: Heard,
  sentences: readonly Sentence[],
  judge: Judge,
  rule: Pick<Rule, 'id' | 'type' | 'explicit'> | undefined = [...sureRules, ...hints].find((one) =>
    one.matches(clause),
  ),
): Draft | undefined {
  const verdict = judge(
    featuresOf({ clause, index, sentences, previousAssistant: clause.previousAssistant, rule }),
    from,
    to,
  );
  const found = decide(rule, verdict);
  if (found === undefined) return undefined;
  // "Looks right, though next time …": what was said before the comma was about this time.
  const nextTime =
    found.rule === 'next-time'
      ? (/^.*[,;] (?=(?:though |but |so |mas )?(?:next time|the next time|da proxima|na proxima))/.exec(
          clause.body,
        )?.[0].length ?? 0)
      : 0;
  return { ...found, from: from + nextTime, to, first: index, last: index };
}

/** Told beside a rule these are its reason or its occasion, no memory of their own. */
const attending: ReadonlySet<string> = new Set(['lesson', 'complaint']);
/** These say the same thing twice when they stand side by side: a taste and an order, a liking and a rule. */
const isOneWish = (one: Draft, other: Draft) =>
  one.type === 'feedback' &&
  other.type === 'feedback' &&
  one.explicit === other.explicit &&
  (!one.explicit || one.rule === 'preference' || other.rule === 'preference');

/** "I hate it when you rewrite my comments. Leave them alone.": the order says what the dislike wants. */
const dislikes = /\b(?:hate|dislike|don't like|can't stand|don't want|odeio|detesto|nao gosto|nao quero)\b/;

/** Joins drafts of neighbouring sentences that say one thing. A taste also takes the order that follows it. */
function joinNeighbours(drafts: readonly Draft[], sentences: readonly Sentence[]): readonly Draft[] {
  const near = (one: Draft, other: Draft) =>
    other.first === one.last + 1 && sentences[other.first]?.paragraph === sentences[one.last]?.paragraph;
  const joined: Draft[] = [];
  for (const [i, draft] of drafts.entries()) {
    const [before, after] = [drafts[i - 1], drafts[i + 1]];
    const isAttended = (before !== undefined && near(before, draft)) || (after !== undefined && near(draft, after));
    if (attending.has(draft.rule) && isAttended) continue;
    const last = joined.at(-1);
    if (
      last !== undefined &&
      last.first !== draft.first &&
      near(last, draft) &&
      sentences[last.last]?.isQuestion === false &&
      isOneWish(last, draft)
    ) {
      joined.splice(-1, 1, { ...last, to: draft.to, last: draft.last });
      continue;
    }
    joined.push(draft);
  }
  return joined.map((draft, i) => {
    const next = sentences[draft.last + 1];
    const opener = sentences[draft.first]?.folded ?? '';
    const takesNext =
      next !== undefined &&
      !next.isQuestion &&
      next.paragraph === sentences[draft.last]?.paragraph &&
      (draft.rule === 'taste' || (draft.rule === 'preference' && dislikes.test(opener) && opensWithOrder(next.folded)));
    return takesNext && joined[i + 1]?.first !== draft.last + 1 && next.end - draft.from < 240
      ? { ...draft, to: next.end, last: draft.last + 1 }
      : draft;
  });
}
