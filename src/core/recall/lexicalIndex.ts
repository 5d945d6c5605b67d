// Finds memories by the words of a question: BM25 over stems, a name and a keyword counting more than a body. It abstains
// when no memory has more than a chance word in common with the question, and says of each find which words it had and
// where. It knows no synonyms. The index itself is MiniSearch's; what is weighed here was measured by `npm run bench:recall`.

import MiniSearch, { type AsPlainObject } from 'minisearch';
import { isMistyped } from '../memory/slips';
import { searchTermsOf } from '../memory/terms';
import { sameWords } from './abbreviations';
import {
  type AnalysedMemory,
  countsOf,
  eachTerm,
  type IndexField,
  indexFields,
  type MemoryField,
  termsFrom,
} from './analysedMemory';

export interface MatchedWord {
  /** As the question has it. */
  readonly word: string;
  /** The one that weighs most. */
  readonly field: MemoryField;
}

export interface LexicalHit {
  readonly path: string;
  readonly score: number;
  readonly words: readonly MatchedWord[];
}

export interface LexicalIndex {
  readonly size: () => number;
  set(memory: AnalysedMemory): void;
  delete(path: string): void;
  /**
   * Memories that fit, best first. `accepts` narrows them; how rare a word is counts over all. `anyMatch` also gives those
   * that have too little in common: candidates for someone who judges better.
   */
  search(
    query: string,
    options?: { readonly accepts?: (path: string) => boolean; readonly anyMatch?: boolean },
  ): LexicalHit[];
}

/**
 * What the index scores; the order is that in which a match is told. A text is the body with description, name and keywords,
 * so that what they repeat is one find, told more often, and a name that says little costs little; a word of the name
 * or the keywords counts once more by itself. Two or three times the weight finds as much where names are good and up
 * to six points less where they are the first words of a longer text. The description's own field only tells a place.
 */
const weights: Readonly<Record<IndexField, number>> = { keywords: 1, name: 1, description: 1e-3, text: 1 };
// Flat: k from 1 to 2, b from 0.3 to 0.75, aloneShare from 0.2 to 0.6 and togetherShare from 0.05 to 0.25 move what is found by half a
// point, in each conversation by itself. Proximity, coverage, the best line alone and irregular verbs brought nothing.
const bm25 = { k: 1.2, b: 0.5, d: 0.5 };
/** Of a question, a pasted log say, no more than so many terms are looked up. */
const mostTerms = 64;
/** Finds beyond these are of no use to anybody, and each costs. */
const mostHits = 200;
/** What a word counts that stands there in its short or long form, or that had to be read as a misspelling. */
const otherSpelling = 0.8;
/** Far below the best one, and with less of the question, a memory only shares what all of them share. */
const shareOfBest = 0.25;
/** In a body, two words, or one that is a good part of the question, are more than chance. */
const aloneShare = 1 / 3;
const togetherShare = 0.12;

type Found = { readonly path: string; readonly score: number; readonly field: MemoryField };
type IndexedMemory = { readonly path: string } & Readonly<Record<IndexField, readonly string[]>>;
type Index = MiniSearch<IndexedMemory>;

const asItIs = (term: string): string => term;
const settings = {
  idField: 'path',
  fields: [...indexFields],
  // Terms come as lists: there is nothing to be cut up.
  stringifyField: (terms: unknown) => terms as string,
  tokenize: (terms: string) => terms as unknown as string[],
  processTerm: asItIs,
  searchOptions: { boost: weights, bm25, tokenize: (text: string) => [text], processTerm: asItIs },
};

const termsIn = (text: string): string[] => text.split(' ').filter((term) => term !== '');

function asDocument(memory: AnalysedMemory): IndexedMemory {
  const lists: Record<IndexField, string[]> = { keywords: [], name: [], description: [], text: [] };
  eachTerm(memory, (term, counts) => {
    for (const [at, field] of indexFields.entries())
      for (let left = counts[at] ?? 0; left > 0; left -= 1) lists[field].push(term);
  });
  return { path: memory.path, ...lists };
}

/** An index that is asked often, and follows changes. */
export function createLexicalIndex(): LexicalIndex {
  const index: Index = new MiniSearch<IndexedMemory>(settings);
  // What is taken out by its path alone still counts for how rare a word is, until somebody comes across it.
  const known = new Map<string, AnalysedMemory>();
  function remove(path: string): void {
    const before = known.get(path);
    if (before) index.remove(asDocument(before));
    known.delete(path);
  }
  return {
    size: () => index.documentCount,
    set(memory) {
      remove(memory.path);
      index.add(asDocument(memory));
      known.set(memory.path, memory);
    },
    delete: remove,
    search: (query, options) => searchIn(index, query, options),
  };
}

/**
 * An index that is asked once or twice: nothing is made of a memory but what the question can find, which takes a tenth of
 * the time. It gives the same answers.
 */
export function createPassingIndex(): LexicalIndex {
  const memories = new Map<string, AnalysedMemory>();
  return {
    size: () => memories.size,
    set: (memory) => void memories.set(memory.path, memory),
    delete: (path) => void memories.delete(path),
    search: (query, options) => searchIn(indexFor(query, [...memories.values()]), query, options),
  };
}

type Postings = Record<number, Record<number, number>>;

/** Of all memories, what `searchIn` looks at for one question. Plain loops: where it counts, no code is optimised. */
function indexFor(query: string, memories: readonly AnalysedMemory[]): Index {
  const terms = new Map<string, Postings>();
  const documentIds: Record<number, string> = {};
  const fieldLength: Record<number, number[]> = {};
  function find(term: string): boolean {
    if (terms.has(term)) return true;
    let postings: Postings | undefined;
    for (let id = 0; id < memories.length; id += 1) {
      const memory = memories[id] as AnalysedMemory;
      const counts = countsOf(memory, term);
      if (counts === undefined) continue;
      documentIds[id] = memory.path;
      fieldLength[id] = memory.lengths as number[];
      postings ??= {};
      for (let field = 0; field < counts.length; field += 1) {
        const count = counts[field] as number;
        if (count === 0) continue;
        postings[field] ??= {};
        (postings[field] as Record<number, number>)[id] = count;
      }
    }
    if (postings) terms.set(term, postings);
    return postings !== undefined;
  }
  for (const term of askedTerms(query).keys()) {
    let isKnown = find(term);
    for (const other of sameWords(term)) isKnown = find(other) || isKnown;
    if (isKnown || !mayBeSlip(term)) continue;
    const near = new Set<string>();
    for (const memory of memories) for (const found of termsFrom(memory, beginningOf(term))) near.add(found);
    near.forEach(find);
  }
  const sums = indexFields.map(() => 0);
  for (const { lengths } of memories)
    for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] as number) + (lengths[at] as number);
  const kept: AsPlainObject = {
    documentCount: memories.length,
    nextId: memories.length,
    documentIds,
    fieldIds: Object.fromEntries(indexFields.map((field, at) => [field, at])),
    fieldLength,
    averageFieldLength: sums.map((sum) => sum / memories.length),
    storedFields: {},
    dirtCount: 0,
    index: [...terms],
    serializationVersion: 2,
  };
  return MiniSearch.loadJS<IndexedMemory>(kept, settings);
}

function searchIn(
  index: Index,
  query: string,
  { accepts = () => true, anyMatch = false }: Parameters<LexicalIndex['search']>[1] = {},
): LexicalHit[] {
  /** Each memory with a term: its score, and the field that weighs most. */
  function lookUp(term: string): Found[] {
    return index.search(term).map(({ id, score, match }) => ({
      path: id as string,
      score,
      field: strongest(Object.values(match).flat()),
    }));
  }

  /** Terms of the index that a term which is in none may have been meant to be. */
  function spelledRight(term: string): string[] {
    if (!mayBeSlip(term)) return [];
    const near = index.search(term, { fuzzy: 2, maxFuzzy: 2 }).flatMap((result) => result.terms);
    return [...new Set(near)].filter((candidate) => isSlip(term, candidate));
  }

  /** Memories with a term, with one that means the same or, if there is none, with one that it may be a slip of. */
  function findTerm(term: string) {
    const best = new Map<string, Found>();
    const take = (all: readonly Found[], weight: number) => {
      for (const one of all) {
        const score = one.score * weight;
        if (score > (best.get(one.path)?.score ?? 0)) best.set(one.path, { ...one, score });
      }
    };
    take(lookUp(term), 1);
    for (const other of sameWords(term)) take(lookUp(other), otherSpelling);
    if (best.size === 0) for (const meant of spelledRight(term)) take(lookUp(meant), otherSpelling);
    return [...best.values()];
  }

  const asked = askedTerms(query);
  const found = new Map<string, { score: number; readonly fields: Map<string, MemoryField> }>();
  const holders = new Map<string, number>();
  const take = (path: string, score: number, matched: Iterable<readonly [term: string, field: MemoryField]>) => {
    const sum = found.get(path) ?? { score: 0, fields: new Map() };
    sum.score += score;
    for (const [term, field] of matched) {
      sum.fields.set(term, field);
      holders.set(term, (holders.get(term) ?? 0) + 1);
    }
    found.set(path, sum);
  };
  // One search for all terms that stand for themselves: most of the time goes into handing out what was found.
  const plain = [...asked.keys()].filter((term) => sameWords(term).size === 0);
  for (const { id, score, match, queryTerms } of index.search(plain.join(' '), { tokenize: termsIn })) {
    const matched = Object.entries(match).map(([term, places]) => [term, strongest(places)] as const);
    // MiniSearch multiplies the sum by how many terms there were, which favours long texts here.
    take(id, score / queryTerms.length, matched);
  }
  for (const term of asked.keys()) {
    if (holders.has(term)) continue;
    for (const { path, score, field } of findTerm(term)) take(path, score, [[term, field]]);
  }

  const count = index.documentCount;
  const rarities = new Map<string, number>();
  let allRarity = 0;
  for (const term of asked.keys()) {
    const many = holders.get(term) ?? 0;
    const rarity = Math.log(1 + (count - many + 0.5) / (many + 0.5));
    rarities.set(term, rarity);
    allRarity += rarity;
  }
  const hits: (Omit<LexicalHit, 'words'> & { readonly matched: ReadonlyMap<string, MemoryField>; share: number })[] =
    [];
  for (const [path, { score, fields: matched }] of found) {
    if (!accepts(path)) continue;
    let rarity = 0;
    for (const term of matched.keys()) rarity += rarities.get(term) ?? 0;
    const share = rarity / allRarity;
    if (anyMatch || fits(matched, share)) hits.push({ path, score, matched, share });
  }
  hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const score = anyMatch ? 0 : (hits[0]?.score ?? 0) * shareOfBest;
  const share = hits.reduce((most, hit) => Math.max(most, hit.share), 0);
  return hits
    .filter((hit) => hit.score >= score || hit.share >= share)
    .slice(0, mostHits)
    .map(({ path, score, matched }) => ({ path, score, words: wordsOf(matched, asked) }));
}

/** The terms of a question, each with the word it was asked by. */
function askedTerms(query: string): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const { term, word } of searchTermsOf(query)) {
    if (asked.size < mostTerms && !asked.has(term)) asked.set(term, word);
  }
  return asked;
}

/** People get the beginning right: what is not the same there is no slip. */
const beginningOf = (term: string): string => term.slice(0, 2);
const shortestSlip = 4;
/** Nobody types a longer word by hand; what stands in its place in a pasted text takes memory by the square of its length. */
const longestSlip = 40;
const mayBeSlip = (term: string): boolean => term.length >= shortestSlip && term.length <= longestSlip;

function strongest(matched: readonly string[]): MemoryField {
  const field = indexFields.find((one) => matched.includes(one)) ?? 'text';
  return field === 'text' ? 'body' : field;
}

/** In the order of the question. */
const wordsOf = (matched: ReadonlyMap<string, MemoryField>, asked: ReadonlyMap<string, string>): MatchedWord[] =>
  [...asked].flatMap(([term, word]) => {
    const field = matched.get(term);
    return field === undefined ? [] : [{ word, field }];
  });

/** A word in the name or the keywords is what the memory is about; in a text, one word may stand there by chance. */
function fits(matched: ReadonlyMap<string, MemoryField>, share: number): boolean {
  for (const field of matched.values()) if (field === 'name' || field === 'keywords') return true;
  return share >= aloneShare || (matched.size > 1 && share >= togetherShare);
}

const isSlip = (typed: string, meant: string): boolean =>
  beginningOf(typed) === beginningOf(meant) && isMistyped(typed, meant);
