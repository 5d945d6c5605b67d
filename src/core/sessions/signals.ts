// Finds in one human prompt what is worth keeping for later sessions: no model, no I/O, the same answer every time.
// Sure finds are what a person asked to keep or laid down as a rule; the rest are suggestions for a person to judge.
// Refuses what was quoted, pasted, asked, imagined or meant for this moment only, and never keeps a secret.

import type { MemoryType } from '../memory/memory';
import type { Clause } from './signals/clause';
import {
  asks,
  asksPlainly,
  fillers,
  forInstructionFile,
  injected,
  momentary,
  readForgetting,
  readRemembering,
  reported,
  sarcastic,
  tentative,
} from './signals/cues';
import { absoluteDates, dayOf, findDates, hasRelativeDate } from './signals/dates';
import { findReason, isBareFact, tidyFact } from './signals/facts';
import { hints, praiseOpener } from './signals/hints';
import { type Rule, sureRules, typeOfFact } from './signals/rules';
import { readSentences, type Sentence, seemsSecret } from './signals/text';

export { absoluteDates, hasRelativeDate };

export interface PromptContext {
  /** The prompt as the person sent it. */
  readonly text: string;
  /** ms; the message's own time: relative dates count from it (UTC calendar day). */
  readonly at: number;
  /** What the assistant said just before. */
  readonly previousAssistant?: string;
}

export interface Signal {
  readonly type: MemoryType;
  /** Exact span of the prompt. */
  readonly quote: string;
  /** The person's words as one sentence, dates made absolute. */
  readonly fact: string;
  /** The reason the person gave, in their words, dates made absolute. */
  readonly why?: string;
  /** True: saved by itself. False: a suggestion. */
  readonly explicit: boolean;
  /** Stable id of the rule that found it. */
  readonly rule: string;
}

export interface Signals {
  readonly signals: readonly Signal[];
  /** Exact spans that name what is to be forgotten. */
  readonly forget: readonly string[];
}

interface Draft {
  from: number;
  to: number;
  type: MemoryType;
  explicit: boolean;
  rule: string;
  sentence: number;
  topic?: string;
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Its sentence went on with a question or a request, or the next one does. */
  readonly leadsToRequest: boolean;
}

/** The part of a sentence that states something: without small talk in front and without the question behind. */
function statedSpan(folded: string, isQuestion: boolean, from = 0): Span | undefined {
  const start = from + (fillers.exec(folded.slice(from))?.[0].length ?? 0);
  const body = folded.slice(start);
  const end = folded.length;
  if (!isQuestion) {
    if (asksPlainly.test(body)) return undefined;
    for (const mark of body.matchAll(/[,;:]\s+|\s-\s+|\?\s+/g)) {
      if (asksPlainly.test(body.slice(mark.index + mark[0].length)) && mark.index > 8)
        return { from: start, to: start + mark.index, leadsToRequest: true };
    }
    return { from: start, to: end, leadsToRequest: false };
  }
  let cut = -1;
  for (const mark of body.matchAll(
    /[,;:]\s+|\s-\s+|\.\s+|…\s*|\s(?=(?:so|and|but|e|entao) (?:can|could|what|why|how|pode|da pra)\b)/g,
  )) {
    if (asks.test(body.slice(mark.index + mark[0].length)) && mark.index > 8) cut = mark.index;
    if (cut >= 0) break;
  }
  if (cut < 0 || (asks.test(body) && !/^(?:as|is|ja|como (?:alguem|quem)|vamos [a-z]+r)\b/.test(body)))
    return undefined;
  return { from: start, to: start + cut, leadsToRequest: true };
}

const sayAgain =
  /^(?:it's gone|it is gone|that was|it was|that's|foi|era|isso|ja|i'm|because|since|they're|nao (?:é|vale)|é antig)/;
const replaces =
  /\b(?:now|use|uses|we're|we are|is|are|agora|usamos|usa|é|fica|ficou|passou|sao|should|must|have|has)\b/;
const orders = /^(?:ok\b.{0,10}|now|anyway|then|agora|enfim|next|back to)\b/;

/** Finds what to keep and what to forget in one prompt. Pure; never throws; its time grows linearly with the prompt. */
export function findSignals(prompt: PromptContext): Signals {
  const { text, at } = prompt;
  const sentences = readSentences(text);
  const whole = sentences.map((sentence) => sentence.folded).join(' ');
  if (injected.test(whole)) return { signals: [], forget: [] };
  const isForFile = forInstructionFile.test(whole);

  const drafts: Draft[] = [];
  const forget: string[] = [];
  const dead = new Set<number>();
  let isListing = false;

  for (const [i, sentence] of sentences.entries()) {
    const { folded } = sentence;
    const next = sentences[i + 1];
    if (sarcastic.test(folded)) {
      dead.add(i);
      if (i > 0 && /\b(?:seriously|serio|kidding|brincadeira)\b/.test(folded)) dropFrom(drafts, i - 1);
      continue;
    }
    const forgetting = readForgetting(folded);
    if (forgetting !== undefined) {
      forget.push(text.slice(sentence.start + forgetting.from, sentence.start + forgetting.to));
      dead.add(i);
      const replaced = replacement(sentence, forgetting.to, next, text);
      if (replaced !== undefined) {
        drafts.push({ ...replaced, type: 'feedback', explicit: true, rule: 'instead-of-forgotten', sentence: i });
        if (next !== undefined && replaced.from >= next.start) dead.add(i + 1);
      }
      continue;
    }
    if (dead.has(i)) continue;
    if (reported.test(folded)) {
      dead.add(i);
      continue;
    }
    const remembering = readRemembering(folded, sentence.isQuestion);
    if (remembering?.kind === 'nothing') {
      dead.add(i);
      isListing = false;
      continue;
    }
    if (remembering?.kind === 'before') {
      promote(drafts, sentences, i, dead, text);
      dead.add(i);
      continue;
    }
    if (remembering?.kind === 'after') {
      isListing = true;
      dead.add(i);
      continue;
    }
    if (remembering?.kind === 'content') {
      if (tentative.test(folded) && !/\bmaybe|perhaps|talvez\b/.test(folded)) continue;
      const inner = statedSpan(folded.slice(0, remembering.to), false, remembering.from);
      if (inner !== undefined) drafts.push(draftOf(sentence, inner, text, i));
      continue;
    }
    if (isForFile || tentative.test(folded)) continue;
    const span = statedSpan(folded, sentence.isQuestion);
    if (span === undefined) continue;
    if (isListing && !sentence.isQuestion && !orders.test(folded)) {
      drafts.push(draftOf(sentence, span, text, i));
      continue;
    }
    isListing = false;
    const draft = matchRules(sentence, span, i, { prompt, sentences, whole });
    if (draft !== undefined) drafts.push(draft);
  }
  const signals = drafts.flatMap((draft) => finish(draft, text, at));
  return { signals: unrepeated(signals), forget };
}

function dropFrom(drafts: Draft[], sentence: number): void {
  for (let i = drafts.length - 1; i >= 0; i--) if (drafts[i]?.sentence === sentence) drafts.splice(i, 1);
}

function draftOf(sentence: Sentence, span: { from: number; to: number }, text: string, index: number): Draft {
  const body = sentence.folded.slice(span.from, span.to);
  const from = sentence.start + span.from;
  const to = sentence.start + span.to;
  return {
    from,
    to,
    type: typeOfFact(body, text.slice(from, to)),
    explicit: true,
    rule: 'asked-to-remember',
    sentence: index,
  };
}

/** "Remember that" after the fact: makes what stands right before it sure, or keeps it as it was said. */
function promote(
  drafts: Draft[],
  sentences: readonly Sentence[],
  at: number,
  dead: ReadonlySet<number>,
  text: string,
): void {
  const cue = sentences[at];
  for (let i = at - 1; i >= Math.max(0, at - 3); i--) {
    const sentence = sentences[i];
    if (cue === undefined || sentence === undefined || sentence.paragraph < cue.paragraph - 1) return;
    const known = drafts.filter((draft) => draft.sentence === i);
    if (known.length > 0) {
      for (const draft of known) draft.explicit = true;
      return;
    }
    if (dead.has(i)) return;
    const span = statedSpan(sentence.folded, sentence.isQuestion);
    if (span === undefined || tentative.test(sentence.folded)) return;
    const first = sentences[i - 1];
    const draft = { ...draftOf(sentence, span, text, i), rule: 'asked-to-remember' };
    // "We don't do X. Y lives next to Z. Remember it." is one fact in two sentences.
    if (
      first !== undefined &&
      first.paragraph === sentence.paragraph &&
      !first.isQuestion &&
      drafts.some((known) => known.sentence === i - 1)
    ) {
      for (const known of drafts) {
        if (known.sentence !== i - 1) continue;
        known.explicit = true;
        known.to = draft.to;
      }
      return;
    }
    drafts.push(draft);
    return;
  }
}

function replacement(
  sentence: Sentence,
  from: number,
  next: Sentence | undefined,
  text: string,
): { from: number; to: number; topic?: string } | undefined {
  const rest = sentence.folded.slice(from);
  const gap = /^[^,;.-]*(?:[,;]\s+|\s-\s+)/.exec(rest);
  if (gap !== null) {
    const start = from + gap[0].length + (fillers.exec(rest.slice(gap[0].length))?.[0].length ?? 0);
    const body = sentence.folded.slice(start);
    if (!sayAgain.test(body) && !sentence.isQuestion && replaces.test(body) && !readForgetting(body)) {
      return {
        from: sentence.start + start,
        to: sentence.end,
        topic: text.slice(sentence.start, sentence.start + from),
      };
    }
  }
  if (next === undefined || next.isQuestion || next.paragraph !== sentence.paragraph) return undefined;
  const isRule =
    !sayAgain.test(next.folded) &&
    replaces.test(next.folded) &&
    /\b(?:now|agora|we use|usamos|instead|a gente usa)\b/.test(next.folded);
  return isRule ? { from: next.start, to: next.end } : undefined;
}

interface Surroundings {
  readonly prompt: PromptContext;
  readonly sentences: readonly Sentence[];
  readonly whole: string;
}

function matchRules(sentence: Sentence, span: Span, index: number, around: Surroundings): Draft | undefined {
  const { prompt, sentences } = around;
  const praised = praiseOpener.exec(sentence.folded.slice(span.from))?.[0].length ?? 0;
  const from = span.from + praised;
  const body = sentence.folded.slice(from, span.to).replace(/[\s.!?,;:]+$/, '');
  if (body.split(/\s+/).length < 3) return undefined;
  const next = sentences[index + 1];
  const start = sentence.start + from;
  const end = sentence.start + from + body.length;
  const raw = prompt.text.slice(start, end);
  const clause: Clause = {
    body,
    raw,
    isMomentary: momentary.test(sentence.folded),
    hasDateAhead: () => findDates(raw, prompt.at).some((date) => date.lastDay > dayOf(prompt.at)),
    previousAssistant: prompt.previousAssistant ?? '',
    near: next === undefined || next.isQuestion ? body : `${body}. ${next.folded}`,
  };
  const rule = [...sureRules, ...hints].find((one: Rule) => one.matches(clause));
  if (rule === undefined) return undefined;
  return { from: start, to: end, type: rule.type, explicit: rule.explicit, rule: rule.id, sentence: index };
}

/** Cuts what seems secret; nothing is left of a draft that was only a secret. */
function withoutSecret(from: number, to: number, text: string): { from: number; to: number } | undefined {
  const span = text.slice(from, to);
  if (!seemsSecret(span)) return { from, to };
  let best: { from: number; to: number } | undefined;
  let at = from;
  for (const part of span.split(/([,;]\s+|\.\s+|\s+(?:and|e|but|mas)\s+|\n)/)) {
    const isClean =
      !seemsSecret(part) &&
      /\S+\s+\S+\s+\S/.test(part.trim()) &&
      !/\b(?:password|senha|token|secret|key)\b[^,.;]*$/i.test(part);
    if (isClean && best === undefined) best = { from: at, to: at + part.length };
    at += part.length;
  }
  return best;
}

function finish(draft: Draft, text: string, at: number): Signal[] {
  const kept = withoutSecret(draft.from, draft.to, text);
  if (kept === undefined) return [];
  const quote = text.slice(kept.from, kept.to).trim();
  const reason = findReason(text, kept.from, kept.to, draft.type === 'feedback' || draft.explicit);
  const why = reason === undefined || seemsSecret(reason.why) ? undefined : reason.why;
  const said = reason?.isInside === true && why !== undefined ? text.slice(kept.from, reason.from) : quote;
  const fact = tidyFact(said, at, draft.topic);
  if (fact === undefined || isBareFact(fact) || seemsSecret(fact)) return [];
  return [
    {
      type: draft.type,
      quote,
      fact,
      ...(why === undefined ? {} : { why: absoluteDates(why, at) }),
      explicit: draft.explicit,
      rule: draft.rule,
    },
  ];
}

/** One signal for one stretch of text: the sure one before the suggested one. */
function unrepeated(signals: readonly Signal[]): readonly Signal[] {
  return signals.filter((signal, i) => {
    const twin = signals.findIndex(
      (other, j) =>
        j !== i &&
        (other.quote === signal.quote || other.fact === signal.fact) &&
        (other.explicit === signal.explicit ? j < i : other.explicit),
    );
    return twin < 0;
  });
}
