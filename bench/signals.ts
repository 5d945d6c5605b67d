// Scores the offline rules on a file of labelled prompts: `node --import tsx bench/signals.ts --set FILE [--out SAVED]`.
// Each line of FILE is one prompt with its gold memories, spans to forget and spans on which careful people disagree.
// Prints one JSON object; with --out also writes what was saved, one JSON line a prompt. Knows nothing of any one set.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findSignals, hasRelativeDate, type PromptContext } from '../src/core/sessions/signals';
import type { Judge } from '../src/core/sessions/signals/judge';

interface GoldMemory {
  readonly type: string;
  readonly alsoType?: readonly string[];
  readonly quote: string;
  readonly absoluteDates?: readonly string[];
}

export interface LabelledPrompt {
  readonly id: string;
  readonly lang: string;
  readonly time: string;
  readonly text: string;
  readonly previousAssistant?: string | null;
  readonly label: string;
  readonly memories?: readonly GoldMemory[];
  readonly forget?: readonly { readonly quote: string }[];
  readonly acceptable?: readonly { readonly type: string; readonly quote: string }[];
  readonly source?: string;
}

interface Saved {
  readonly type: string;
  readonly quote: string;
  readonly text: string;
  readonly suggested: boolean;
}

interface Tally {
  right: number;
  wrong: number;
  ignored: number;
}

type Range = readonly [number, number];

function placesOf(quote: string, text: string): Range[] {
  const places: Range[] = [];
  for (let at = text.indexOf(quote); at >= 0 && quote !== ''; at = text.indexOf(quote, at + 1))
    places.push([at, at + quote.length]);
  return places;
}

/** True when the two quotes share at least one whole word of the text. */
function overlaps(one: string, other: string, text: string): boolean {
  const others = placesOf(other, text);
  return placesOf(one, text).some(([from, to]) =>
    others.some(([start, end]) => {
      const [a, b] = [Math.max(from, start), Math.min(to, end)];
      if (a >= b) return false;
      for (const word of text.slice(a, b).matchAll(/[\p{L}\p{N}_]+/gu)) {
        const at = a + word.index;
        const isWhole =
          !/[\p{L}\p{N}_]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_]/u.test(text.charAt(at + word[0].length));
        if (isWhole) return true;
      }
      return false;
    }),
  );
}

const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 1000);

export const contextOf = ({ text, time, previousAssistant }: LabelledPrompt): PromptContext => ({
  text,
  at: Date.parse(time),
  ...(previousAssistant ? { previousAssistant } : {}),
});

/** Scores prompts against their labels; `wrong` lists at most 50 ids with what was saved wrongly, `missed` what was not found. */
export function scoreSignals(prompts: readonly LabelledPrompt[], judge?: Judge) {
  const savedTally: Tally = { right: 0, wrong: 0, ignored: 0 };
  const suggestedTally: Tally = { right: 0, wrong: 0, ignored: 0 };
  const found = { explicitSaved: 0, explicitAll: 0, all: 0, gold: 0, goldExplicit: 0 };
  const dates = { right: 0, all: 0 };
  const forgets = { right: 0, all: 0, wrong: 0 };
  const wrong: { id: string; saved: Saved; rule: string }[] = [];
  const missed: { id: string; quote: string; suggested: boolean }[] = [];
  const rows: { id: string; saved: (Saved & { rule: string })[]; forgot: boolean }[] = [];

  for (const prompt of prompts) {
    const result = findSignals(contextOf(prompt), judge);
    const gold = prompt.memories ?? [];
    const taken = new Set<GoldMemory>();
    const takenBySaved = new Set<GoldMemory>();
    const saved = result.signals.map((signal) => ({
      rule: signal.rule,
      saved: {
        type: signal.type,
        quote: signal.quote,
        text: signal.why === undefined ? signal.fact : `${signal.fact}. ${signal.why}`,
        suggested: !signal.explicit,
      },
    }));
    for (const one of [...saved.filter((s) => !s.saved.suggested), ...saved.filter((s) => s.saved.suggested)]) {
      const tally = one.saved.suggested ? suggestedTally : savedTally;
      const match = gold.find(
        (memory) =>
          !taken.has(memory) &&
          [memory.type, ...(memory.alsoType ?? [])].includes(one.saved.type) &&
          overlaps(one.saved.quote, memory.quote, prompt.text),
      );
      const isForgotten = (prompt.forget ?? []).some((span) => overlaps(one.saved.quote, span.quote, prompt.text));
      const isAccepted =
        !gold.some((memory) => overlaps(one.saved.quote, memory.quote, prompt.text)) &&
        (prompt.acceptable ?? []).some(
          (span) => span.type === one.saved.type && overlaps(one.saved.quote, span.quote, prompt.text),
        );
      if (match !== undefined && !isForgotten) {
        tally.right++;
        taken.add(match);
        if (!one.saved.suggested) takenBySaved.add(match);
        const wanted = match.absoluteDates ?? [];
        if (wanted.length > 0) {
          dates.all++;
          const holds = (date: string) => one.saved.text.includes(date);
          if (wanted.every(holds) && !hasRelativeDate(one.saved.text)) dates.right++;
        }
      } else if (isAccepted) tally.ignored++;
      else {
        tally.wrong++;
        wrong.push({ id: prompt.id, ...one });
      }
    }
    found.gold += gold.length;
    found.all += taken.size;
    if (prompt.label === 'explicit') {
      found.goldExplicit += gold.length;
      found.explicitSaved += takenBySaved.size;
      found.explicitAll += taken.size;
    }
    for (const memory of gold)
      if (!takenBySaved.has(memory)) missed.push({ id: prompt.id, quote: memory.quote, suggested: taken.has(memory) });
    const wantsForgetting = (prompt.forget ?? []).length > 0;
    if (wantsForgetting) {
      forgets.all++;
      if (result.forget.length > 0) forgets.right++;
    } else if (result.forget.length > 0) forgets.wrong++;
    rows.push({
      id: prompt.id,
      saved: saved.map((s) => ({ ...s.saved, rule: s.rule })),
      forgot: result.forget.length > 0,
    });
  }
  const score = {
    prompts: prompts.length,
    gold: found.gold,
    saved: { ...savedTally, precision: share(savedTally.right, savedTally.right + savedTally.wrong) },
    suggested: {
      ...suggestedTally,
      precision: share(suggestedTally.right, suggestedTally.right + suggestedTally.wrong),
    },
    recallExplicit: share(found.explicitSaved, found.goldExplicit),
    recallExplicitWithSuggestions: share(found.explicitAll, found.goldExplicit),
    recallAll: share(found.all, found.gold),
    dates: { ...dates, share: share(dates.right, dates.all) },
    forget: { ...forgets, share: share(forgets.right, forgets.all) },
  };
  return { score, wrong: wrong.slice(0, 50), missed, rows };
}

export function readPrompts(file: string): LabelledPrompt[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledPrompt);
}

if (process.argv[1]?.endsWith('signals.ts') === true) {
  const { values } = parseArgs({
    options: { set: { type: 'string' }, out: { type: 'string' }, missed: { type: 'boolean' } },
  });
  if (values.set === undefined) throw new Error('Name a file of labelled prompts: --set FILE');
  const prompts = readPrompts(values.set);
  const started = performance.now();
  const all = scoreSignals(prompts);
  const elapsedMs = Math.round(performance.now() - started);
  const part = (keep: (prompt: LabelledPrompt) => boolean) => scoreSignals(prompts.filter(keep)).score;
  const report = {
    ...all.score,
    elapsedMs,
    en: part((prompt) => prompt.lang === 'en'),
    pt: part((prompt) => prompt.lang === 'pt'),
    real: part((prompt) => prompt.source !== 'written'),
    written: part((prompt) => prompt.source === 'written'),
    wrong: all.wrong.map(({ id, rule, saved }) => ({
      id,
      rule,
      type: saved.type,
      suggested: saved.suggested,
      quote: saved.quote,
    })),
    ...(values.missed === true ? { missed: all.missed } : {}),
  };
  console.log(JSON.stringify(report, null, 2));
  if (values.out !== undefined) writeFileSync(values.out, all.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
