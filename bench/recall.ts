// How well recall finds, when it keeps silent and how long it takes, with the one setting that ships, beside plain
// MiniSearch and plain BM25. Needs the corpus: REVERIE_CORPUS=… npm run bench:recall. One JSON line a figure.
// LoCoMo was looked at while the weights were chosen; `--by-store` shows each conversation by itself.

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { nodeDisk } from '../src/core/disk';
import { silentLogger } from '../src/core/log';
import { formatMemory, type Memory, parseMemory } from '../src/core/memory/memory';
import { openMemoryStore } from '../src/core/memory/memoryStore';
import { analyse } from '../src/core/recall/analysedMemory';
import { createLexicalIndex } from '../src/core/recall/lexicalIndex';
import { openRecall } from '../src/core/recall/openRecall';
import { findRelevantMemories } from '../src/core/recall/recall';
import { figure, median } from './figure';

interface Question {
  readonly text: string;
  readonly gold: readonly string[];
  /** Only these may be found. */
  readonly among?: ReadonlySet<string>;
}

interface Store {
  readonly name: string;
  readonly memories: readonly Memory[];
  readonly questions: readonly Question[];
}

/** Answers with memory paths, best first, at most five. */
type Engine = (memories: readonly Memory[]) => (question: Question) => Promise<readonly string[]> | readonly string[];

const corpus = (path: string) => {
  const root = process.env.REVERIE_CORPUS;
  if (!root) throw new Error('REVERIE_CORPUS names no folder with the corpus.');
  return JSON.parse(readFileSync(join(root, 'retrieval', path), 'utf8'));
};

const writtenAt = Date.UTC(2026, 0, 1);
const pathOf = (id: string): string => `${id}.md`;

function toMemory(id: string, name: string, body: string, keywords: readonly string[] = []): Memory {
  const text = formatMemory({
    type: 'project',
    scope: 'private',
    name,
    description: name,
    body,
    keywords,
    modifiedAt: writtenAt,
  });
  return { ...parseMemory(pathOf(id), text, writtenAt, writtenAt), description: undefined };
}

function locomo(): Store[] {
  const { stores } = corpus('locomo-topics-first.json');
  return stores.map(
    (store: {
      store: string;
      docs: { id: string; name: string; text: string }[];
      queries: { text: string; gold: string[] }[];
    }) => ({
      name: store.store,
      memories: store.docs.map(({ id, name, text }) => toMemory(id, name, text)),
      questions: store.queries
        .filter(({ gold }) => gold.length > 0)
        .map(({ text, gold }) => ({ text, gold: gold.map(pathOf) })),
    }),
  );
}

interface Belief {
  readonly _id: string;
  readonly user_id: string;
  readonly canonical_name: string;
  readonly aliases: readonly string[];
  readonly content: string;
  readonly scope: readonly string[];
  readonly epistemic_status: string;
  readonly superseded_by: string | null;
  readonly resolved_at: string | null;
  readonly pinned: boolean;
}

interface Case {
  readonly query: string;
  readonly scope: readonly string[];
  readonly userId?: string;
  readonly expect: { readonly relevantBeliefs?: { readonly shouldOnlyInclude?: readonly string[] } };
}

/** One store: what is pinned is always there and needs no search, what was superseded or resolved is out. */
function precisionMemBench(): Store {
  const beliefs: Belief[] = corpus('precisionmembench/beliefs.seed.json');
  const cases: Case[] = corpus('precisionmembench/retrieval.cases.json');
  const live = beliefs.filter(
    (one) => one.epistemic_status !== 'superseded' && !one.superseded_by && !one.resolved_at && !one.pinned,
  );
  return {
    name: 'PrecisionMemBench',
    memories: live.map((one) => toMemory(one._id, one.canonical_name, one.content, one.aliases)),
    questions: cases.flatMap(({ query, scope, userId = 'test-user', expect }) => {
      const gold = expect.relevantBeliefs?.shouldOnlyInclude;
      const isAmong = (one: Belief) => one.user_id === userId && one.scope.some((name) => scope.includes(name));
      const among = new Set(live.filter(isAmong).map(({ _id }) => pathOf(_id)));
      return gold ? [{ text: query, gold: gold.map(pathOf), among }] : [];
    }),
  };
}

const reverie: Engine = (memories) => {
  const index = createLexicalIndex();
  for (const memory of memories) index.set(analyse(memory));
  const byPath = new Map(memories.map((memory) => [memory.path, memory]));
  return async ({ text, among }) => {
    const found = await findRelevantMemories(text, {
      heads: among ? memories.filter(({ path }) => among.has(path)) : memories,
      search: async (query, options) => index.search(query, options),
      read: async (path) => byPath.get(path),
      now: writtenAt,
    });
    return found.memories.map(({ path }) => path);
  };
};

const plainText = (memory: Memory) => `${memory.name} ${memory.keywords.join(' ')} ${memory.body}`;

const miniSearch: Engine = (memories) => {
  const index = new MiniSearch({ idField: 'path', fields: ['name', 'keywords', 'body'] });
  index.addAll(memories.map(({ path, name, keywords, body }) => ({ path, name, keywords: keywords.join(' '), body })));
  return ({ text, among }) =>
    index
      .search(text)
      .map(({ id }) => String(id))
      .filter((path) => !among || among.has(path))
      .slice(0, 5);
};

/** Lower-cased words, k1 1.2, b 0.75. */
const bm25: Engine = (memories) => {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const texts = memories.map((memory) => ({ path: memory.path, words: wordsOf(plainText(memory)) }));
  const mean = texts.reduce((sum, { words }) => sum + words.length, 0) / texts.length;
  const holders = new Map<string, number>();
  for (const { words } of texts) for (const word of new Set(words)) holders.set(word, (holders.get(word) ?? 0) + 1);
  return ({ text, among }) => {
    const asked = new Set(wordsOf(text));
    return texts
      .filter(({ path }) => !among || among.has(path))
      .map(({ path, words }) => {
        let score = 0;
        for (const word of asked) {
          const often = words.filter((one) => one === word).length;
          const many = holders.get(word) ?? 0;
          const rarity = Math.log(1 + (texts.length - many + 0.5) / (many + 0.5));
          score += (rarity * often * 2.2) / (often + 1.2 * (0.25 + (0.75 * words.length) / mean));
        }
        return { path, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 5)
      .map(({ path }) => path);
  };
};

/** Recall and reciprocal rank within five, in per cent, over the questions that have an answer; and the silent ones. */
async function score(stores: readonly Store[], engine: Engine) {
  let [recall, rank, answered, silent, empty] = [0, 0, 0, 0, 0];
  for (const { memories, questions } of stores) {
    const answer = engine(memories);
    for (const question of questions) {
      const found = await answer(question);
      if (question.gold.length === 0) {
        empty += 1;
        silent += found.length === 0 ? 1 : 0;
        continue;
      }
      answered += 1;
      recall += question.gold.filter((path) => found.includes(path)).length / question.gold.length;
      const first = found.findIndex((path) => question.gold.includes(path));
      rank += first === -1 ? 0 : 1 / (first + 1);
    }
  }
  return { recall: (100 * recall) / answered, mrr: (100 * rank) / answered, silent, empty, answered };
}

const tell = (name: string, { recall, mrr, silent, empty, answered }: Awaited<ReturnType<typeof score>>) =>
  console.log(
    JSON.stringify({
      name,
      'recall@5': Number(recall.toFixed(1)),
      MRR: Number(mrr.toFixed(1)),
      questions: answered,
      ...(empty > 0 ? { silent: `${silent} of ${empty}` } : {}),
    }),
  );

/** Memories made of the corpus' own sentences, so that words are as frequent as they are in texts. */
async function fill(folder: string, count: number, source: readonly Store[]): Promise<void> {
  const texts = source.flatMap(({ memories }) => memories);
  const sentences = texts.flatMap(({ body }) => body.split('\n').filter((line) => line.trim() !== ''));
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) {
    const lines = Array.from({ length: 5 }, (_, line) => sentences[(at * 31 + line * 97) % sentences.length] ?? '');
    const file = join(folder, `project-note-${at}.md`);
    const name = texts[at % texts.length]?.name ?? '';
    const draft = { type: 'project', scope: 'private', description: lines[0] ?? '', body: lines.join('\n') } as const;
    await writeFile(file, formatMemory({ ...draft, name: `${name} ${at}`, modifiedAt: writtenAt + at }));
    await utimes(file, writtenAt / 1000, writtenAt / 1000);
  }
}

async function latency(count: number, limit: number, source: readonly Store[]): Promise<boolean> {
  const base = await mkdtemp(join(tmpdir(), 'recall-'));
  try {
    await fill(join(base, 'memory'), count, source);
    const store = openMemoryStore({
      roots: { private: join(base, 'memory') },
      disk: nodeDisk,
      now: Date.now,
      log: silentLogger,
    });
    const open = () =>
      openRecall({ stateDir: join(base, 'state'), store, disk: nodeDisk, now: Date.now, log: silentLogger });
    await store.watch();
    const questions = source.flatMap((one) => one.questions).map(({ text }) => text);
    const timed = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    let longestPause = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longestPause = Math.max(longestPause, performance.now() - last);
      last = performance.now();
    }, 1);
    const first = open();
    const building = await timed(() => first.recall(questions[0] ?? ''));
    clearInterval(beat);
    const second = open();
    const loading = await timed(() => second.recall(questions[0] ?? ''));
    const times: number[] = [];
    for (let at = 0; at < 400; at += 1) {
      const ms = await timed(() => second.recall(questions[(at * 7) % questions.length] ?? ''));
      if (at >= 100) times.push(ms);
    }
    first.dispose();
    second.dispose();
    store.dispose();
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    const more = { medianMs: median(times), buildingMs: building, loadingMs: loading, longestPauseMs: longestPause };
    const rounded = Object.fromEntries(Object.entries(more).map(([name, ms]) => [name, Number(ms.toFixed(1))]));
    console.log(JSON.stringify({ name: `recall among ${count} memories`, ...rounded }));
    return figure(`p95 of a recall among ${count} memories, warm`, p95, { atMost: limit }, 'ms');
  } finally {
    await rm(base, { recursive: true });
  }
}

async function main(): Promise<void> {
  const talks = locomo();
  const precision = [precisionMemBench()];
  for (const [name, engine] of Object.entries({ 'plain BM25': bm25, 'plain MiniSearch': miniSearch })) {
    tell(`LoCoMo topics, ${name}`, await score(talks, engine));
    tell(`PrecisionMemBench, ${name}`, await score(precision, engine));
  }
  if (process.argv.includes('--by-store'))
    for (const talk of talks) tell(`LoCoMo ${talk.name}`, await score([talk], reverie));
  const ours = await score(talks, reverie);
  const precise = await score(precision, reverie);
  tell('LoCoMo topics', ours);
  tell('PrecisionMemBench', precise);
  const kept = [
    figure('LoCoMo topics, recall@5', ours.recall, { atLeast: 81 }, '%'),
    figure('LoCoMo topics, MRR', ours.mrr, { atLeast: 72 }, '%'),
    figure('PrecisionMemBench, recall@5', precise.recall, { atLeast: 90 }, '%'),
    figure(
      `PrecisionMemBench, silent where nothing fits, of ${precise.empty}`,
      precise.silent,
      { atLeast: 24 },
      'questions',
    ),
    await latency(1_000, 10, talks),
    await latency(5_000, 50, talks),
  ];
  process.exitCode = kept.every(Boolean) ? 0 : 1;
}

void main();
