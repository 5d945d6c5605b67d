// A second opinion on a sentence: how likely a careful note-taker would keep it, learned from labelled prompts.
// Rules find what is said in a known frame; this finds what is said in another one. Its weights are made by
// `scripts/trainJudge.ts` of the prompts in `bench/prompts`; here they are only summed up. Pure.

import type { MemoryType } from '../../memory/memory';
import { memoryTypes } from '../../memory/memory';
import learned from './judge.json';

export interface Verdict {
  /** Probability, 0 to 1, that it is worth keeping. */
  readonly keep: number;
  /** Probability, 0 to 1, that it is said outright, given that it is worth keeping. */
  readonly outright: number;
  readonly type: MemoryType;
}

/** `from` and `to` are offsets of the sentence in the prompt. */
export type Judge = (features: ReadonlySet<string>, from: number, to: number) => Verdict;

export const verdicts = ['keep', 'outright', ...memoryTypes] as const;

export interface Weights {
  /** One mark a line. */
  readonly features: string;
  /** Base64 of signed bytes: for each mark one weight a verdict, in the order of `verdicts`, in steps of `step`. */
  readonly weights: string;
  readonly step: number;
  /** One a verdict. */
  readonly bias: readonly number[];
}

/** Makes a judge of weights. */
export function createJudge({ features, weights, step, bias }: Weights): Judge {
  const places = new Map(features.split('\n').map((feature, at) => [feature, at]));
  const bytes = new Int8Array(Buffer.from(weights, 'base64'));
  return (marks) => {
    const sums = [...bias];
    for (const mark of marks) {
      const place = places.get(mark);
      if (place === undefined) continue;
      for (const at of sums.keys()) sums[at] = (sums[at] ?? 0) + (bytes[place * sums.length + at] ?? 0) * step;
    }
    const [keep = 0, outright = 0, ...types] = sums;
    return {
      keep: probability(keep),
      outright: probability(outright),
      type: memoryTypes[types.indexOf(Math.max(...types))] ?? 'project',
    };
  };
}

const probability = (sum: number): number => 1 / (1 + Math.exp(-sum));

let known: Judge | undefined;

/** The judge that is shipped. */
export const judge: Judge = (marks, from, to) => {
  known ??= createJudge(learned);
  return known(marks, from, to);
};

/** Thresholds of `keep`, found by measuring on prompts that no training saw. */
const drops = 0.06;
const suggests = 0.45;
const saves = 0.62;
const savesByRule = 0.1;
/** Of `outright`. What a rule takes for a hint must be plainer to be saved. */
const isOutright = 0.15;
const isPlain = 0.77;
/** Hints of what nobody says to have it kept: a day to come, where something lies, a word of praise. */
const onlyMeant: ReadonlySet<string> = new Set(['date-ahead', 'where-it-is-kept', 'praised', 'who-decides']);

export interface Decision {
  readonly type: MemoryType;
  readonly explicit: boolean;
  readonly rule: string;
}

/** What becomes of a sentence for which a rule spoke, or none, and the judge did. */
export function decide(
  rule: { readonly id: string; readonly type: MemoryType; readonly explicit: boolean } | undefined,
  { keep, outright, type }: Verdict,
): Decision | undefined {
  // Whoever asks to remember something is not argued with.
  if (rule?.id === 'asked-to-remember') return { type, rule: rule.id, explicit: true };
  if (rule !== undefined) {
    if (keep < drops) return undefined;
    const isSaid = keep >= saves && outright >= isPlain && !onlyMeant.has(rule.id);
    const explicit = rule.explicit ? keep >= savesByRule : isSaid;
    return { type, rule: rule.id, explicit };
  }
  if (keep < suggests) return undefined;
  return { type, rule: `reads-like-${type}`, explicit: keep >= saves && outright >= isOutright };
}
