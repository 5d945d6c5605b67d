// A memory as its terms, in one line that can be kept and searched as it stands: each term once, with how often it is found in
// which field. No order of words, no text: what a memory says can't be read from it again word by word.

import { searchTermsOf } from '../memory/terms';

export type MemoryField = 'name' | 'keywords' | 'description' | 'body';

/** Where the index counts a term: `text` is the body with all that stands above it. */
export const indexFields = ['keywords', 'name', 'description', 'text'] as const;
export type IndexField = (typeof indexFields)[number];

export interface AnalysedMemory {
  readonly path: string;
  /** How many different terms each field has, in the order of `indexFields`. */
  readonly lengths: readonly number[];
  /** Each term once, a space before it and what `countsOf` reads behind it: ` stage=2d1n gateway=1`. */
  readonly terms: string;
}

/** Of a body, as much as this many characters is searched. */
const longestBody = 100_000;

/** What only the file's name says counts as description: it is often an abbreviation. */
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
  const keywords = new Set(terms(memory.keywords.join(', ').replaceAll('_', ' ')));
  const body = counted(terms(memory.body.slice(0, longestBody)));
  const description = counted([...terms(memory.description ?? ''), ...terms(stem).filter((term) => !name.has(term))]);
  const all = [...new Set([...keywords, ...name, ...description.keys(), ...body.keys()])];
  const line = all.map((term) => {
    const described = description.get(term);
    const flags = `${described ? `d${described}` : ''}${name.has(term) ? 'n' : ''}${keywords.has(term) ? 'k' : ''}`;
    return ` ${term}=${body.get(term) ?? ''}${flags}`;
  });
  return {
    path: memory.path,
    lengths: [keywords.size, name.size, description.size, all.length],
    terms: line.join(''),
  };
}

function counted(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** How often each of `indexFields` has a term. What stands above the body is part of the text, the description twice. */
export type TermCounts = readonly number[];

export function eachTerm({ terms }: AnalysedMemory, take: (term: string, counts: TermCounts) => void): void {
  for (const entry of terms.split(' ')) {
    const end = entry.lastIndexOf('=');
    if (end > 0) take(entry.slice(0, end), countsIn(entry.slice(end + 1)));
  }
}

/** `undefined` when the memory has no such term. */
export function countsOf({ terms }: AnalysedMemory, term: string): TermCounts | undefined {
  const start = terms.indexOf(` ${term}=`);
  if (start === -1) return undefined;
  const end = terms.indexOf(' ', start + 1);
  return countsIn(terms.slice(start + term.length + 2, end === -1 ? undefined : end));
}

/** The terms of a memory that begin with these characters. */
export function termsFrom({ terms }: AnalysedMemory, beginning: string): readonly string[] {
  let at = terms.indexOf(` ${beginning}`);
  if (at === -1) return nothing;
  const found: string[] = [];
  for (; at !== -1; at = terms.indexOf(` ${beginning}`, at + 1))
    found.push(terms.slice(at + 1, terms.indexOf('=', at)));
  return found;
}

const nothing: readonly string[] = [];
const countsByCode = new Map<string, TermCounts>();
const none: TermCounts = [0, 0, 0, 0];

/** There are few different ones, and a thousand memories have tens of thousands in all. */
function countsIn(code: string): TermCounts {
  let counts = countsByCode.get(code);
  if (counts === undefined) {
    const match = /^(\d*)(?:d(\d+))?(n?)(k?)$/.exec(code);
    const [body, description] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    const [name, keywords] = [match?.[3] ? 1 : 0, match?.[4] ? 1 : 0];
    counts = match ? [keywords, name, description, body + 2 * description + name + keywords] : none;
    countsByCode.set(code, counts);
  }
  return counts;
}
