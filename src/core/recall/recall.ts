// From a question to at most five memories, each with the reason it was picked. A model may choose, within its time; then,
// and without one, words decide. It changes no memory, asks nobody when there is nothing to choose from, gives none rather
// than a guess, and says what it left out. What it gives is what was noted once, never an order to follow.

import { endOfDay } from '../memory/deadlines';
import { manifestLine, wholeStart } from '../memory/manifest';
import { ageDays, caveat, type Memory, type MemoryHeader } from '../memory/memory';
import { cutBody } from './cutBody';
import type { LexicalHit, MatchedWord } from './lexicalIndex';
import type { Marks } from './notRelevant';
import { type Candidate, isOneFact, orderCandidates } from './order';
import { skipOf } from './skip';
import { suppressionOf } from './suppression';

export interface Picked {
  readonly by: 'words' | 'model';
  /** Words of the question that it has, and where. */
  readonly words: readonly MatchedWord[];
  /** The name of the one that has these words, which this one replaced. */
  readonly replaces?: string;
}

export interface RecalledMemory {
  readonly path: string;
  /** At most 200 characters of it: all of an answer is bounded. */
  readonly name: string;
  readonly type: MemoryHeader['type'];
  readonly scope: MemoryHeader['scope'];
  readonly ageDays: number;
  /** What to bear in mind of an old, replaced or ended one. */
  readonly caveat?: string;
  /** What replaced it, as its file says. */
  readonly replacedBy?: string;
  /** The day, `2026-04-23`, on which it ended by its own words. */
  readonly endedOn?: string;
  /** Why it was picked, for a person. */
  readonly why: string;
  /** The same as data, for who speaks another language. */
  readonly picked: Picked;
  /** The body, at most 200 lines and 4,096 bytes; a note says so when it was cut. */
  readonly content: string;
  readonly truncated: boolean;
}

export interface Recollection {
  readonly query: string;
  readonly selector: 'model' | 'lexical';
  readonly memories: readonly RecalledMemory[];
  /** How many memories were looked at. */
  readonly considered: number;
  readonly suppressed: readonly { readonly path: string; readonly why: string }[];
  /** Why nothing was looked for at all. */
  readonly skipped?: 'one_word' | 'ignored' | 'full';
  /** Why words decided though a model was asked. */
  readonly fellBack?: 'timed_out' | 'failed';
}

/**
 * A model's choice: names of the manifest, best first. It may fail, take too long or invent names. `signal` aborts when its
 * time is over or the asking was cancelled.
 */
export type SelectMemories = (query: string, manifest: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface RecallOptions {
  readonly limit?: number;
  /** Of all bodies of this answer, where that is less than what the conversation has left. */
  readonly mostBytes?: number;
  /** Paths that are not wanted. */
  readonly exclude?: readonly string[];
  /** Names of the tools that were used lately. */
  readonly recentTools?: readonly string[];
  /** Nobody typed this as a question to memory: one word is then no question. */
  readonly automatic?: boolean;
  readonly select?: SelectMemories;
  /** How long `select` may take; 1,500 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface RecallSource {
  readonly heads: readonly MemoryHeader[];
  readonly search: (
    query: string,
    options: { readonly accepts: (path: string) => boolean; readonly anyMatch?: boolean },
  ) => Promise<readonly LexicalHit[]>;
  readonly read: (path: string) => Promise<Memory | undefined>;
  /** When a memory ends by its own words, in milliseconds. */
  readonly deadline?: (path: string) => number | undefined;
  readonly now: number;
  /** What a person said does not fit this question. */
  readonly marks?: Marks;
  /** What this conversation was given before. */
  readonly alreadySurfaced?: { readonly paths: readonly string[]; readonly bytes: number };
}

export const mostRecalled = 5;
/** Of all memories that one conversation is given, in bytes. */
export const conversationBytes = 61_440;
/** How long a model may think about its choice before words decide. */
const selectMs = 1_500;
/** What a memory counts that a person marked for a question like this one. */
const demotedWeight = 0.25;
/** A model is shown all memories up to this many, and else the best of them. */
const mostShown = 50;
const shownOfMany = 30;

/** Rejects only when `signal` is aborted. */
export async function findRelevantMemories(
  query: string,
  source: RecallSource,
  options: RecallOptions = {},
): Promise<Recollection> {
  const { heads, now, alreadySurfaced } = source;
  const { signal, recentTools = [] } = options;
  const base = { query, selector: 'lexical' as const, memories: [], considered: heads.length, suppressed: [] };
  const spare = conversationBytes - (alreadySurfaced?.bytes ?? 0);
  const skipped = skipOf(query, options.automatic ?? false) ?? (spare <= 0 ? 'full' : undefined);
  if (skipped) return { ...base, skipped };
  signal?.throwIfAborted();

  const unwanted = new Set([...(options.exclude ?? []), ...(alreadySurfaced?.paths ?? [])]);
  const left = heads.filter((head) => !unwanted.has(head.path));
  const suppressed = left.flatMap((head) => {
    const isMarked = source.marks?.leftOut.has(head.path);
    const why = isMarked ? 'a person said that it does not fit this question' : suppressionOf(head, recentTools);
    return why === undefined ? [] : [{ path: head.path, why }];
  });
  const silent = new Set(suppressed.map(({ path }) => path));
  const candidates = new Map(left.filter(({ path }) => !silent.has(path)).map((head) => [head.path, head]));
  const accepts = (path: string) => candidates.has(path);
  if (candidates.size === 0) return { ...base, suppressed };

  const toCandidate = ({ path, score, words }: LexicalHit): Candidate[] => {
    const head = candidates.get(path);
    const end = source.deadline?.(path) ?? endOfDay(head?.deadlinePassed ?? '');
    const weight = source.marks?.demoted.has(path) ? demotedWeight : 1;
    return head
      ? [{ head, score: score * weight, words, ...(end !== undefined && end <= now ? { endedAt: end } : {}) }]
      : [];
  };
  const chosen = options.select && (await chooseWithModel(query, source, candidates, options, options.select));
  signal?.throwIfAborted();
  const isChosen = Array.isArray(chosen);
  const ranked = isChosen
    ? chosen
    : orderCandidates((await source.search(query, { accepts })).flatMap(toCandidate), heads, ({ path }) =>
        accepts(path),
      );

  const limit = Math.max(0, Math.min(options.limit ?? mostRecalled, mostRecalled));
  return {
    ...base,
    selector: isChosen ? 'model' : 'lexical',
    memories: await readWithin(ranked, source, limit, Math.min(spare, options.mostBytes ?? spare), isChosen),
    suppressed,
    ...(typeof chosen === 'string' ? { fellBack: chosen } : {}),
  };
}

/** The model's choice, or why there is none. */
async function chooseWithModel(
  query: string,
  source: RecallSource,
  candidates: ReadonlyMap<string, MemoryHeader>,
  { timeoutMs = selectMs, signal }: RecallOptions,
  select: SelectMemories,
): Promise<Candidate[] | NonNullable<Recollection['fellBack']>> {
  const asked = await source.search(query, { accepts: (path) => candidates.has(path), anyMatch: true });
  const words = new Map(asked.map((hit) => [hit.path, hit.words]));
  const shown =
    candidates.size <= mostShown
      ? [...candidates.values()]
      : [...new Set([...asked.map(({ path }) => path), ...candidates.keys()])]
          .slice(0, shownOfMany)
          .flatMap((path) => candidates.get(path) ?? []);
  const ended = new AbortController();
  const inTime = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
  const timeIsUp = new Promise<'timed_out'>((resolve) => {
    inTime.addEventListener('abort', () => resolve('timed_out'), { once: true });
  });
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  try {
    const names: unknown = await Promise.race([select(query, shown.map(manifestLine).join('\n'), inTime), timeIsUp]);
    if (names === 'timed_out') return names;
    if (!Array.isArray(names)) return 'failed';
    const known = new Map(shown.map((head) => [head.path, head]));
    return [...new Set(names)].flatMap((name) => {
      const head = known.get(String(name));
      return head ? [{ head, score: 0, words: words.get(head.path) ?? [] }] : [];
    });
  } catch {
    // Whatever went wrong with the model, words can still decide.
    return ended.signal.aborted ? 'timed_out' : 'failed';
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Reads the first that fit: those that are still there, each fact once, within the bytes that are left. */
async function readWithin(
  ranked: readonly Candidate[],
  source: RecallSource,
  limit: number,
  spare: number,
  isChosen: boolean,
): Promise<RecalledMemory[]> {
  const { now } = source;
  const given: RecalledMemory[] = [];
  const texts: Memory[] = [];
  let bytes = spare;
  // Deleted or damaged since it was listed: the next one takes its place.
  const read = ({ head }: Candidate) => source.read(head.path).catch(() => undefined);
  const first = ranked.slice(0, limit).map(read);
  for (const [at, candidate] of ranked.entries()) {
    if (given.length >= limit) break;
    const { head } = candidate;
    const memory = await (first[at] ?? read(candidate));
    if (!memory || texts.some((other) => isOneFact(other, memory))) continue;
    const body = cutBody(memory.body, head.path);
    const size = Buffer.byteLength(body.content);
    if (size > bytes) continue;
    bytes -= size;
    texts.push(memory);
    const days = ageDays(head.modifiedAt, now);
    const picked = pickedOf(candidate, isChosen);
    const endedOn = candidate.endedAt === undefined ? undefined : lastDayOf(candidate.endedAt);
    const replacedBy = head.supersededBy && wholeStart(head.supersededBy);
    const note = caveatOf(replacedBy, endedOn, days);
    given.push({
      path: head.path,
      name: wholeStart(head.name),
      type: head.type,
      scope: head.scope,
      ageDays: days,
      ...(note === undefined ? {} : { caveat: note }),
      ...(replacedBy === undefined ? {} : { replacedBy }),
      ...(endedOn === undefined ? {} : { endedOn }),
      why: whyOf(picked),
      picked,
      ...body,
    });
  }
  return given;
}

const lastDayOf = (endedAt: number): string => new Date(endedAt - 1).toISOString().slice(0, 10);

function caveatOf(replacedBy: string | undefined, endedOn: string | undefined, days: number): string | undefined {
  const notes = [
    replacedBy === undefined ? undefined : `It was replaced by “${replacedBy}”.`,
    endedOn === undefined ? undefined : `The date it gives, ${endedOn}, has passed.`,
    caveat(days),
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(' ');
}

const fieldNames = { name: 'name', keywords: 'keywords', description: 'description', body: 'text' } as const;

const pickedOf = ({ words, replaces }: Candidate, isChosen: boolean): Picked => ({
  by: isChosen ? 'model' : 'words',
  words: mergedWords(words),
  ...(replaces ? { replaces: wholeStart(replaces.name) } : {}),
});

/** “retries” (name), “budget” (text). */
function whyOf({ by, words, replaces }: Picked): string {
  const matched = words.map(({ word, field }) => `“${word}” (${fieldNames[field]})`).join(', ');
  if (replaces !== undefined) return `Replaces “${replaces}”, which has ${matched}`;
  if (by === 'model') return matched === '' ? 'Picked by the model' : `Picked by the model; it has ${matched}`;
  return `Picked for: ${matched}`;
}

/** Pairs of characters that overlap are one word to a reader. */
function mergedWords(words: Candidate['words']): Candidate['words'] {
  const merged: { word: string; field: Candidate['words'][number]['field'] }[] = [];
  for (const { word, field } of words) {
    const last = merged.at(-1);
    const isNext = last?.field === field && /^\p{Lo}{2}$/u.test(word) && last.word.endsWith([...word][0] ?? '');
    if (last && isNext) last.word += [...word].slice(1).join('');
    else merged.push({ word, field });
  }
  return merged;
}
