// Finds memories by the words of a question: BM25 over stems, a name and a keyword counting more than a body. It abstains
// when no memory has more than a chance word in common with the question, and says of each find which words it had and
// where. It knows no synonyms. The index itself is MiniSearch's; what is weighed here was measured by `npm run bench:recall`.

import MiniSearch from 'minisearch';
import { searchTermsOf } from '../memory/terms';
import { sameWords } from './abbreviations';

export type MemoryField = 'name' | 'keywords' | 'description' | 'body';

/** A memory as the index holds it: its terms by field, separated by spaces. */
export type AnalysedMemory = { readonly path: string } & Readonly<Record<MemoryField, string>>;

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
const weights = { keywords: 1, name: 1, description: 1e-3, text: 1 } as const;
const fields = Object.keys(weights) as (keyof typeof weights)[];
const bm25 = { k: 1.2, b: 0.5, d: 0.5 };
/** Of a question, a pasted log say, no more than so many terms are looked up. */
const mostTerms = 64;
/** What a word counts that stands there in its short or long form, or that had to be read as a misspelling. */
const otherSpelling = 0.8;
/** Far below the best one, and with less of the question, a memory only shares what all of them share. */
const shareOfBest = 0.25;
/** In a body, two words, or one that is a good part of the question, are more than chance. */
const aloneShare = 1 / 3;
const togetherShare = 0.12;
/** Of a body, as much as this many characters is searched. */
const longestBody = 100_000;

/** A memory's text as terms. What only the file's name says counts as description: it is often an abbreviation. */
export function analyse(memory: {
  readonly path: string;
  readonly name: string;
  readonly keywords: readonly string[];
  readonly description: string | undefined;
  readonly body: string;
}): AnalysedMemory {
  const terms = (text: string) => searchTermsOf(text).map(({ term }) => term);
  const stem = memory.path
    .slice(memory.path.lastIndexOf('/') + 1)
    .replace(/\.md$/i, '')
    .replace(/^(?:user|feedback|project|reference)[-_]/i, '')
    .replaceAll('_', ' ');
  const name = new Set(terms(memory.name.replaceAll('_', ' ')));
  return {
    path: memory.path,
    name: [...name].join(' '),
    keywords: [...new Set(terms(memory.keywords.join(', ').replaceAll('_', ' ')))].join(' '),
    description: [...terms(memory.description ?? ''), ...terms(stem).filter((term) => !name.has(term))].join(' '),
    body: terms(memory.body.slice(0, longestBody)).join(' '),
  };
}

type Found = { readonly path: string; readonly score: number; readonly field: MemoryField };
type IndexedMemory = { readonly path: string } & Readonly<Record<keyof typeof weights, string>>;

const termsIn = (text: string): string[] => text.split(' ').filter((term) => term !== '');

/**
 * With `only` the index answers that one question as the whole one would, and costs a third: a word that the question can't
 * find counts for how long a text is, and is not kept.
 */
export function createLexicalIndex(only?: string): LexicalIndex {
  const isWanted = only === undefined ? undefined : wantedTerms(only);
  const index = new MiniSearch<IndexedMemory>({
    idField: 'path',
    fields,
    tokenize: termsIn,
    processTerm: (term) => (isWanted === undefined || isWanted(term) ? term : null),
    searchOptions: { boost: weights, bm25, tokenize: (text) => [text] },
  });

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
    if (term.length < shortestSlip) return [];
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

  function search(
    query: string,
    { accepts = () => true, anyMatch = false }: Parameters<LexicalIndex['search']>[1] = {},
  ) {
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
      .map(({ path, score, matched }) => ({ path, score, words: wordsOf(matched, asked) }));
  }

  return {
    size: () => index.documentCount,
    set({ path, name, keywords, description, body }) {
      const memory = {
        path,
        name,
        keywords,
        description,
        text: `${body} ${description} ${description} ${name} ${keywords}`,
      };
      if (index.has(path)) index.replace(memory);
      else index.add(memory);
    },
    delete(path) {
      if (index.has(path)) index.discard(path);
    },
    search,
  };
}

/** The terms of a question, each with the word it was asked by. */
function askedTerms(query: string): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const { term, word } of searchTermsOf(query)) {
    if (asked.size < mostTerms && !asked.has(term)) asked.set(term, word);
  }
  return asked;
}

/** Which terms a question can find: its own, those that mean the same, and what one of them may be a slip of. */
function wantedTerms(query: string): (term: string) => boolean {
  const terms = [...askedTerms(query).keys()];
  const exact = new Set(terms.flatMap((term) => [term, ...sameWords(term)]));
  const beginnings = new Set(terms.filter((term) => term.length >= shortestSlip).map(beginningOf));
  return (term) => exact.has(term) || beginnings.has(beginningOf(term));
}

/** People get the beginning right: what is not the same there is no slip. */
const beginningOf = (term: string): string => term.slice(0, 2);
const shortestSlip = 4;

function strongest(matched: readonly string[]): MemoryField {
  const field = fields.find((one) => matched.includes(one)) ?? 'text';
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

/**
 * Whether one word may be the other one mistyped: two letters changed places, one was doubled or not, and in words from
 * five letters on one is another, is missing or is too many (two from nine letters on).
 */
function isSlip(typed: string, meant: string): boolean {
  if (beginningOf(typed) !== beginningOf(meant)) return false;
  const single = (word: string) => word.replace(/(.)\1/gu, '$1');
  if (single(typed) === single(meant)) return true;
  const distance = editDistance(typed, meant);
  if (typed.length < 5) return distance === 1 && typed.length === meant.length && isPermutation(typed, meant);
  return distance <= (typed.length < 9 ? 1 : 2);
}

const isPermutation = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('');

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (old[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (old[j - 1] ?? 0) + same,
        swapped ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = old;
    old = row;
  }
  return old[b.length] ?? a.length;
}
