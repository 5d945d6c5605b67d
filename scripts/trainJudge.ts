// Makes the weights of the judge (src/core/sessions/signals/judge.json) from the labelled prompts in bench/prompts:
//   node --import tsx scripts/trainJudge.ts [--also SET.jsonl] [--measure]
// A set named with --also moves weights but adds no mark: no word of it is in what we ship. bench/prompts/held is never read.
// With --measure nothing is written: it prints what a judge that saw all other sets does on each. The same input gives the
// same weights.

import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contextOf, type LabelledPrompt, readPrompts, scoreSignals } from '../bench/signals';
import { type MemoryType, memoryTypes } from '../src/core/memory/memory';
import { collectDrafts } from '../src/core/sessions/signals/collect';
import { createJudge, type Weights } from '../src/core/sessions/signals/judge';

interface Example {
  readonly features: readonly string[];
  /** What a sentence of no memory is. */
  readonly memory: { readonly isOutright: boolean; readonly type: MemoryType } | undefined;
}

/** Characters. */
const leastShared = 8;
const leastDebatable = 5;

/** Every sentence that the judge is asked about, with what the label says of it; debatable ones are left out. */
function examplesOf(prompt: LabelledPrompt): Example[] {
  const examples: Example[] = [];
  collectDrafts(contextOf(prompt), (features, from, to) => {
    const shared = (quote: string): number => {
      const start = prompt.text.indexOf(quote);
      return start < 0 ? 0 : Math.min(start + quote.length, to) - Math.max(start, from);
    };
    const gold = prompt.memories?.find(({ quote }) => shared(quote) >= Math.min(leastShared, quote.length / 2));
    const isDebatable =
      gold === undefined &&
      [...(prompt.acceptable ?? []), ...(prompt.forget ?? [])].some(({ quote }) => shared(quote) > leastDebatable);
    if (!isDebatable) {
      const memory = gold && { isOutright: prompt.label === 'explicit', type: gold.type as MemoryType };
      examples.push({ features: [...features], memory });
    }
    return { keep: 0, outright: 0, type: 'project' };
  });
  return examples;
}

const passes = 60;
const rate = 0.2;
const pull = 0.002;

/** Logistic regression over marks that are there or not: AdaGrad, the same order every time, weights pulled to nothing. */
function regress(examples: readonly (readonly number[])[], isTrue: readonly boolean[], features: number): Float64Array {
  const weights = new Float64Array(features + 1);
  const seen = new Float64Array(features + 1).fill(1e-6);
  const order = examples.map((_, at) => at);
  let random = 42;
  for (let pass = 0; pass < passes; pass += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      const other = random % (at + 1);
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    for (const at of order) {
      const marks = examples[at] ?? [];
      let sum = weights[features] ?? 0;
      for (const mark of marks) sum += weights[mark] ?? 0;
      const error = 1 / (1 + Math.exp(-sum)) - (isTrue[at] ? 1 : 0);
      for (const mark of [...marks, features]) {
        const slope = error + (mark === features ? 0 : pull * examples.length * 0.01 * (weights[mark] ?? 0));
        seen[mark] = (seen[mark] ?? 0) + slope * slope;
        weights[mark] = (weights[mark] ?? 0) - (rate * slope) / Math.sqrt(seen[mark] ?? 1);
      }
    }
  }
  return weights;
}

const step = 0.04;
/** Sentences of our own prompts that a mark must stand in: what few say says more about those few. */
const leastSentences = 5;
const leastWeight = 0.15;

function train(own: readonly Example[], also: readonly Example[]): Weights {
  const examples = [...own, ...also];
  const counts = new Map<string, number>();
  for (const example of own)
    for (const feature of example.features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const features = [...counts].filter(([, count]) => count >= leastSentences).map(([feature]) => feature);
  features.sort();
  const places = new Map(features.map((feature, at) => [feature, at]));
  const marks = examples.map((example) =>
    example.features.map((feature) => places.get(feature)).filter((place) => place !== undefined),
  );
  const isMemory = examples.map((example) => example.memory !== undefined);
  const memories = marks.filter((_, at) => isMemory[at]);
  const told = examples.flatMap(({ memory }) => (memory ? [memory] : []));
  const fitted = [
    regress(marks, isMemory, features.length),
    regress(
      memories,
      told.map((memory) => memory.isOutright),
      features.length,
    ),
    ...memoryTypes.map((type) =>
      regress(
        memories,
        told.map((memory) => memory.type === type),
        features.length,
      ),
    ),
  ];
  const kept = features
    .map((feature, at) => ({ feature, weights: fitted.map((one) => one[at] ?? 0) }))
    .filter(({ weights }) => weights.some((weight) => Math.abs(weight) >= leastWeight));
  const bytes = Int8Array.from(
    kept.flatMap(({ weights }) => weights.map((weight) => Math.max(-127, Math.min(127, Math.round(weight / step))))),
  );
  return {
    features: kept.map(({ feature }) => feature).join('\n'),
    weights: Buffer.from(bytes.buffer).toString('base64'),
    step,
    bias: fitted.map((one) => Math.round((one[features.length] ?? 0) * 1000) / 1000),
  };
}

interface PromptSet {
  readonly name: string;
  readonly prompts: readonly LabelledPrompt[];
}

const examplesIn = (sets: readonly PromptSet[]) => sets.flatMap(({ prompts }) => prompts.flatMap(examplesOf));

/** What the judge that saw all other sets does on each set. */
function measure(own: readonly PromptSet[], also: readonly PromptSet[]): void {
  for (const set of [...own, ...also]) {
    const others = (sets: readonly PromptSet[]) => examplesIn(sets.filter((one) => one !== set));
    const judge = createJudge(train(others(own), others(also)));
    const { saved, suggested, recallExplicit, recallAll } = scoreSignals(set.prompts, judge).score;
    console.log(JSON.stringify({ set: set.name, saved, suggested, recallExplicit, recallAll }));
  }
}

const folder = join(import.meta.dirname, '../bench/prompts');
const readSet = (file: string): PromptSet => ({ name: basename(file, '.jsonl'), prompts: readPrompts(file) });

/** The weights that our own prompts and those of `also`, a file, give. */
export function trainJudge(also?: string): Weights {
  return train(examplesIn(ownSets()), examplesIn(also === undefined ? [] : [readSet(also)]));
}

function ownSets(): readonly PromptSet[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((name) => readSet(join(folder, name)));
}

function main(): void {
  const { values } = parseArgs({ options: { measure: { type: 'boolean' }, also: { type: 'string' } } });
  if (values.measure) {
    measure(ownSets(), values.also === undefined ? [] : [readSet(values.also)]);
    return;
  }
  const weights = trainJudge(values.also);
  const file = join(import.meta.dirname, '../src/core/sessions/signals/judge.json');
  writeFileSync(file, `${JSON.stringify(weights, undefined, 2)}\n`);
  console.log(`${weights.features.split('\n').length} marks, ${JSON.stringify(weights).length} bytes`);
}

if (process.argv[1]?.endsWith('trainJudge.ts')) main();
