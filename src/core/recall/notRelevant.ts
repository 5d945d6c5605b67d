// What a person said did not fit, and for which question. For the same question the memory is left out from then on, for one
// much like it it comes later; any other question finds it as before. Kept in our own state as terms, not as the words that
// were asked, and taken back as easily.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { readJson, writeJson } from '../files';
import { searchTermsOf } from '../memory/terms';
import { isObject } from '../sessions/json';

export interface NotRelevant {
  /** Rejects when it can't be kept. */
  mark(path: string, query: string): Promise<void>;
  /** Takes back every mark of this memory for such a question. */
  unmark(path: string, query: string): Promise<void>;
  /** How a person's marks bear on memories for this question: those that are in neither list are not marked. */
  for(query: string): Promise<Marks>;
  /** Whether a memory is left out for a question, for many of both with one look at the marks. */
  marked(): Promise<(path: string, query: string) => boolean>;
}

export interface Marks {
  /** For this very question. */
  readonly leftOut: ReadonlySet<string>;
  /** For one like it. */
  readonly demoted: ReadonlySet<string>;
}

interface Mark {
  readonly path: string;
  readonly terms: readonly string[];
}

export const noMarks: Marks = { leftOut: new Set(), demoted: new Set() };
/** Shares of the terms of two questions that both have. */
const same = 0.8;
const alike = 0.5;
const mostMarks = 500;

/** Opens the marks of a project; they lie in `folder`. */
export function openNotRelevant(options: { readonly folder: string; readonly disk: Disk }): NotRelevant {
  const { disk } = options;
  const file = join(options.folder, 'notRelevant.json');
  let queue: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Mark[]> {
    const stored: unknown = await readJson(disk, file);
    return Array.isArray(stored) ? stored.filter(isMark) : [];
  }

  function change(work: (marks: readonly Mark[]) => readonly Mark[]): Promise<void> {
    const turn = queue.catch(() => {}).then(async () => writeJson(disk, file, work(await read()).slice(-mostMarks)));
    queue = turn;
    return turn;
  }

  return {
    mark: (path, query) =>
      change((marks) => [...marks.filter((mark) => !isOf(mark, path, query)), { path, terms: [...termsOf(query)] }]),
    unmark: (path, query) => change((marks) => marks.filter((mark) => !isOf(mark, path, query))),
    async marked() {
      await queue.catch(() => {});
      const byPath = new Map<string, Mark[]>();
      for (const mark of await read().catch(() => [])) byPath.set(mark.path, [...(byPath.get(mark.path) ?? []), mark]);
      return (path, query) => byPath.get(path)?.some((mark) => isOf(mark, path, query)) ?? false;
    },
    async for(query) {
      await queue.catch(() => {});
      const marks = await read().catch(() => []);
      if (marks.length === 0) return noMarks;
      const asked = termsOf(query);
      const shares = marks.map(({ path, terms }) => ({ path, share: shared(asked, terms) }));
      const leftOut = new Set(shares.filter(({ share }) => share >= same).map(({ path }) => path));
      const demoted = new Set(shares.filter(({ share }) => share >= alike).map(({ path }) => path));
      return { leftOut, demoted };
    },
  };
}

const isMark = (value: unknown): value is Mark =>
  isObject(value) &&
  typeof value.path === 'string' &&
  Array.isArray(value.terms) &&
  value.terms.every((term) => typeof term === 'string');

const termsOf = (query: string): ReadonlySet<string> => new Set(searchTermsOf(query).map(({ term }) => term));

const isOf = (mark: Mark, path: string, query: string): boolean =>
  mark.path === path && shared(termsOf(query), mark.terms) >= same;

/** Of all terms of both, the share that both have. */
function shared(asked: ReadonlySet<string>, terms: readonly string[]): number {
  const both = terms.filter((term) => asked.has(term)).length;
  return both / Math.max(1, asked.size + terms.length - both);
}
