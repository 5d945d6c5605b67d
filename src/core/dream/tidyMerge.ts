// Memories that say the same become one, and not a sentence is lost: of two, the one that says it all stays, the other goes
// to the trash. Only within one type, only private ones. Memories that contradict each other are never merged: they
// become a question to a person, with the newer one proposed. A rewording that rules can't see stays two.

import { createBreath } from '../breath';
import { shortHash } from '../files';
import { editFrontMatter, type Memory, memoryTypes, stemOf } from '../memory/memory';
import { sentencesOf } from '../memory/sentences';
import { compareTexts, type Relation, similarity, stemsOf } from '../memory/similarity';
import { sentencesOf as readSentences } from '../memory/terms';
import { fold } from '../sessions/signals/text';
import type { Contradiction, Saying } from './dreamEngine';
import { because, reasonFor } from './reasons';
import { lostIn } from './settling';
import { type Desk, originsOf } from './tidyDesk';

export interface Pair {
  readonly a: Memory;
  readonly b: Memory;
  readonly relation: Exclude<Relation, 'different'>;
}

/** Pairs of one type that say the same, in whole or in part, or contradict each other. By path. */
export async function findPairs(memories: readonly Memory[], signal: AbortSignal): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const breath = createBreath();
  const comparable = memories.filter(({ problem, body }) => problem === undefined && body.trim() !== '');
  for (const type of memoryTypes) {
    const group = comparable.filter((memory) => memory.type === type);
    const candidates = await candidatesOf(group, breath);
    for (const [at, a] of group.entries()) {
      await breath();
      signal.throwIfAborted();
      for (const other of candidates(at)) {
        await breath();
        const b = group[other];
        const found = b && compareTexts(a.body, b.body);
        if (!b || !found || (!isSaidAgain(found.relation) && areOfASeries(a, b))) continue;
        if (found.relation !== 'different') pairs.push({ a, b, relation: found.relation });
        // Of one name and alike but for a word: that word is what they disagree on, be it a plain one.
        else if (found.score >= alikeScore && subjectOf(a) === subjectOf(b))
          pairs.push({ a, b, relation: 'contradicts' });
      }
    }
  }
  return pairs;
}

const alikeScore = 0.35;

const isSaidAgain = (relation: Relation): boolean => ['same', 'contains', 'contained'].includes(relation);

/** *Sprint 12* and *Sprint 14* say different things because they are two. */
function areOfASeries(a: Memory, b: Memory): boolean {
  const [one, other] = [a, b].map(({ name }) => fold(name).match(/\d+/g)?.join(' '));
  return one !== undefined && other !== undefined && one !== other;
}

/** What a memory is about by its name, whatever tells a newer one from an older one. */
function subjectOf({ name, path }: Memory): string {
  const words =
    fold(name === stemOf(path) ? stemOf(path).replace(typePrefix, '') : name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter(
      (word) =>
        !/^(?:now|new|newer|old|older|current|again|updated?|copy|note|v?\d+|nov[oa]|atual|antig[oa])$/.test(word),
    )
    .join(' ');
}
const typePrefix = /^(?:user|feedback|project|reference)[_-]/i;

/**
 * For each memory the later ones that may be related to it. Two texts are related only if they share half of the terms of the
 * shorter one: then the rarest half of its terms, and one more, can't all be missing in the other.
 */
async function candidatesOf(
  group: readonly Memory[],
  breath: () => Promise<void> | undefined,
): Promise<(at: number) => readonly number[]> {
  const terms: string[][] = [];
  const postings = new Map<string, number[]>();
  for (const [at, { body }] of group.entries()) {
    await breath();
    const stems = [...stemsOf(body).keys()];
    terms.push(stems);
    for (const stem of stems) {
      const places = postings.get(stem);
      if (places) places.push(at);
      else postings.set(stem, [at]);
    }
  }
  const rarity = (stem: string) => postings.get(stem)?.length ?? 0;
  const found = terms.map(() => new Set<number>());
  for (const [at, stems] of terms.entries()) {
    await breath();
    const rarest = [...stems].sort((a, b) => rarity(a) - rarity(b)).slice(0, Math.floor(stems.length / 2) + 2);
    for (const stem of rarest)
      for (const other of postings.get(stem) ?? [])
        if (other !== at) found[Math.min(at, other)]?.add(Math.max(at, other));
  }
  return (at) => [...(found[at] ?? [])].sort((a, b) => a - b);
}

/** Merges what says the same. `isLinked`: whether the index has a line for a path. */
export async function mergeDuplicates(desk: Desk, pairs: readonly Pair[], isLinked: (path: string) => boolean) {
  for (const pair of pairs) {
    await desk.breath();
    if (pair.relation === 'contradicts') continue;
    const [a, b] = [desk.get(pair.a.path), desk.get(pair.b.path)];
    if (!a || !b) continue;
    const [keep, drop] = survivorFirst(a, b, pair.relation, isLinked);
    await mergeInto(desk, keep, drop, pair.relation === 'same');
  }
}

/** Of a pair the one to stay: the pinned one, the one that says more, the one the index knows, the one with more to lose. */
function survivorFirst(
  a: Memory,
  b: Memory,
  relation: Relation,
  isLinked: (path: string) => boolean,
): [Memory, Memory] {
  if (relation === 'contains') return [a, b];
  if (relation === 'contained') return [b, a];
  const rank = (memory: Memory) => [
    memory.pinned,
    ownKeysOf(memory).length > 0,
    isLinked(memory.path),
    !isCopy(memory.path),
    memory.verifiedAt !== undefined,
    memory.originSessionId !== undefined,
  ];
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) if (value !== right[at]) return value ? [a, b] : [b, a];
  if (a.body.length !== b.body.length) return a.body.length > b.body.length ? [a, b] : [b, a];
  if (a.modifiedAt !== b.modifiedAt) return a.modifiedAt > b.modifiedAt ? [a, b] : [b, a];
  return a.path < b.path ? [a, b] : [b, a];
}

const isCopy = (path: string): boolean =>
  /(?:[ _-](?:copy|copia|cópia|again|old|backup|bak|duplicate|\d)|\(\d+\))\.md$/i.test(path) ||
  /\/?(?:copy of|again-)/i.test(path);

async function mergeInto(desk: Desk, keep: Memory, drop: Memory, isWhole: boolean): Promise<void> {
  if (!desk.isEditable(drop)) {
    desk.remark(drop.path, reasonFor('pinnedRepeats', keep.path));
    return;
  }
  const lost = lostIn(drop, keep);
  const ownKeys = ownKeysOf(drop).filter((key) => JSON.stringify(drop.data[key]) !== JSON.stringify(keep.data[key]));
  if (ownKeys.length > 0 || (lost.length > 0 && !desk.isEditable(keep))) {
    desk.remark(drop.path, reasonFor('wouldLose', keep.path));
    return;
  }
  const origins = originsOf(keep, drop);
  if (lost.length > 0) {
    const end = keep.text.includes('\r\n') ? '\r\n' : '\n';
    const grown = `${keep.text.trimEnd()}${end}${end}${lost.join(end)}${end}`;
    const modified = Math.max(keep.modifiedAt, drop.modifiedAt);
    const text = editFrontMatter(grown, {
      ...('modified' in keep.data || 'metadata' in keep.data ? { modified } : {}),
      ...logsOf(keep, drop),
    });
    await desk.edit(keep.path, text, { ...because(reasonFor('grown', drop.path)), ...origins }, { keepsTime: true });
  }
  const why = because(reasonFor(isWhole ? 'mergedWhole' : 'mergedPart', keep.path));
  await desk.remove(drop.path, { ...why, ...origins, mergedInto: keep.path });
}

/** Lines of daily logs that both came from. */
const logsOf = (keep: Memory, drop: Memory) =>
  drop.sourceLogs ? { sourceLogs: [...new Set([...(keep.sourceLogs ?? []), ...drop.sourceLogs])] } : {};

const knownKeys = new Set(['name', 'description', 'type', 'originSessionId', 'modified', 'metadata', 'node_type']);
const ownKeysOf = ({ data }: Memory): string[] => Object.keys(data).filter((key) => !knownKeys.has(key));

/** The questions that contradicting pairs are. One that a person answered before is not asked again. */
export async function findContradictions(desk: Desk, pairs: readonly Pair[]): Promise<Contradiction[]> {
  const found: Contradiction[] = [];
  for (const { a: first, b: second, relation } of pairs) {
    if (relation !== 'contradicts') continue;
    await desk.breath();
    const [a, b] = [desk.get(first.path), desk.get(second.path)];
    if (!a || !b || supersedes(a, b) || supersedes(b, a)) continue;
    const [older, newer] =
      a.modifiedAt < b.modifiedAt || (a.modifiedAt === b.modifiedAt && a.path < b.path) ? [a, b] : [b, a];
    const [olderSentence, newerSentence] = contradictingSentences(older.body, newer.body);
    // The same words in another order are mostly the same said otherwise: too little to ask a person.
    if (termsOf(olderSentence) === termsOf(newerSentence)) continue;
    found.push({
      id: shortHash([older.path, olderSentence, newer.path, newerSentence].join('\0')),
      subject: newer.name,
      older: sayingOf(older, olderSentence),
      newer: sayingOf(newer, newerSentence),
    });
  }
  // One question for each memory that may be outdated, against the newest that says otherwise.
  const newestFirst = found.sort((a, b) => b.newer.at - a.newer.at);
  return newestFirst
    .filter((one, at) => newestFirst.findIndex(({ older }) => older.path === one.older.path) === at)
    .slice(0, mostQuestions);
}

/** A person answers a handful; the rest comes with the next dream. */
const mostQuestions = 20;

const supersedes = (a: Memory, b: Memory): boolean => b.supersededBy === a.path;

function sayingOf(memory: Memory, sentence: string): Saying {
  const { path, modifiedAt, originSessionId: session, sourceMessages: messages } = memory;
  const said = { path, sentence, at: modifiedAt };
  return session === undefined ? said : { ...said, session, ...(messages.length > 0 ? { messages } : {}) };
}

const termsOf = (sentence: string): string =>
  readSentences(sentence)
    .flatMap(({ terms }) => terms)
    .sort()
    .join(' ');

function contradictingSentences(older: string, newer: string): [string, string] {
  const pairs = sentencesOf(older).flatMap((one) =>
    sentencesOf(newer).map((other) => [one, other] as [string, string]),
  );
  const exact = pairs.find(([one, other]) => compareTexts(one, other).relation === 'contradicts');
  if (exact) return exact;
  const [closest] = pairs.sort((x, y) => similarity(...y) - similarity(...x));
  return closest ?? [older.trim(), newer.trim()];
}
