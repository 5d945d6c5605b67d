// Finds in one human prompt what is worth keeping for later sessions: no model, no I/O, the same answer every time.
// Sure finds are what a person asked to keep or laid down as a rule; the rest are suggestions for a person to judge.
// Refuses what was quoted, pasted, asked, imagined or meant for this moment only, and never keeps a secret.

import type { MemoryType } from '../memory/memory';
import { collectDrafts, type Draft } from './signals/collect';
import { absoluteDates, type FoundDate, findDates, hasRelativeDate } from './signals/dates';
import { findReason, isBareFact, tidyFact } from './signals/facts';
import type { Judge } from './signals/judge';
import { seemsSecret } from './signals/text';

export type { FoundDate };
export { absoluteDates, findDates, hasRelativeDate };

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

/**
 * Finds what to keep and what to forget in one prompt. Pure; never throws; its time grows linearly with the prompt.
 * `judge` is another one only where judges are compared.
 */
export function findSignals(prompt: PromptContext, judge?: Judge): Signals {
  const { drafts, forget } = collectDrafts(prompt, judge);
  return { signals: unrepeated(drafts.flatMap((draft) => finish(draft, prompt.text, prompt.at))), forget };
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
  const reason = findReason(text, kept.from, kept.to, draft.type === 'feedback');
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
