// From what the words found to what is worth a place among five: what was replaced comes behind its replacement, what has
// ended by its own words comes later, and what is said twice, in private and in the team, comes once.

import { type Memory, type MemoryHeader, stemOf } from '../memory/memory';
import { compareTexts } from '../memory/similarity';
import type { MatchedWord } from './lexicalIndex';

export interface Candidate {
  readonly head: MemoryHeader;
  readonly score: number;
  readonly words: readonly MatchedWord[];
  /** It was not found itself: it replaced this one, which was. */
  readonly replaces?: MemoryHeader;
  /** Milliseconds: when it ended by its own words. */
  readonly endedAt?: number;
}

/** What lies in the past counts half: of two that fit alike, the one that holds comes first. */
const endedWeight = 0.5;

/** The memory that a `supersededBy` names: by its path, the file's stem or its name, in brackets or not. */
export function replacementOf(head: MemoryHeader, heads: readonly MemoryHeader[]): MemoryHeader | undefined {
  const named = head.supersededBy?.replace(/^\[\[|\]\]$/g, '').trim();
  if (!named) return undefined;
  const isNamed = (by: (other: MemoryHeader) => string) => heads.find((other) => other !== head && by(other) === named);
  return (
    isNamed(({ path }) => path) ??
    isNamed(({ path }) => path.replace(/\.md$/i, '')) ??
    isNamed(({ path }) => stemOf(path)) ??
    isNamed(({ name }) => name)
  );
}

/** Best first; of one score, the newer one. A chain of replacements is followed to its end, which is then first of it. */
export function orderCandidates(
  found: readonly Candidate[],
  heads: readonly MemoryHeader[],
  isAllowed: (head: MemoryHeader) => boolean,
): Candidate[] {
  const byPath = new Map(
    found.map((one) => [one.head.path, one.endedAt === undefined ? one : { ...one, score: one.score * endedWeight }]),
  );
  for (const { head, score, words } of found) {
    if (head.supersededBy === undefined) continue;
    const latest = latestOf(head, heads);
    const here = byPath.get(head.path);
    if (!here) continue;
    if (!latest) {
      byPath.set(head.path, { ...here, score: here.score * endedWeight });
      continue;
    }
    const there = byPath.get(latest.path);
    if (there) byPath.set(latest.path, { ...there, score: Math.max(there.score, score) });
    else if (isAllowed(latest)) byPath.set(latest.path, { head: latest, score, words, replaces: head });
    const above = byPath.get(latest.path)?.score ?? score;
    byPath.set(head.path, { ...here, score: Math.min(here.score * endedWeight, above * endedWeight) });
  }
  return [...byPath.values()].sort((a, b) => b.score - a.score || b.head.modifiedAt - a.head.modifiedAt);
}

function latestOf(head: MemoryHeader, heads: readonly MemoryHeader[]): MemoryHeader | undefined {
  const seen = new Set([head]);
  let latest: MemoryHeader | undefined;
  for (let next = replacementOf(head, heads); next && !seen.has(next); next = replacementOf(next, heads)) {
    seen.add(next);
    latest = next;
  }
  return latest;
}

/** Of a body, as much as this many characters is compared. */
const compared = 2_000;

/** Whether two memories state one fact: the same words or, in private and in the team, one within the other. */
export function isOneFact(a: Memory, b: Memory): boolean {
  if (a.scope === b.scope) return tidied(a.body) === tidied(b.body);
  const { relation } = compareTexts(a.body.slice(0, compared), b.body.slice(0, compared));
  return relation === 'same' || relation === 'contains' || relation === 'contained';
}

const tidied = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
