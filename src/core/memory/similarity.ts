// When two texts say the same. Cautious on purpose: a number, a name, a negation or any telling word on both sides that
// the other side lacks makes two statements of them, however much else is alike. Order, wording with small words and
// punctuation do not. A true rewording in other words is not recognised here: that takes a model.

import { type Sentence, sentencesOf } from './terms';

export { stemsOf } from './terms';

/**
 * How one text relates to another: `same`; `contains` when the first says all of the second and more, `contained` the
 * other way round; `contradicts` when they agree but for a number, a name, a date or a denial; else `different`.
 */
export type Relation = 'same' | 'contains' | 'contained' | 'contradicts' | 'different';

export interface Comparison {
  readonly relation: Relation;
  /** 0 to 1: the share of what both say. 1 only for `same`, at most 0.75 for `contradicts` and `different`. */
  readonly score: number;
}

/** Scores from here on only occur when one text repeats the other, whole or in part. */
export const duplicateScore = 0.8;

export function compareTexts(a: string, b: string): Comparison {
  const one = readText(a);
  const other = readText(b);
  const common = [...one.terms].filter((term) => other.terms.has(term)).length;
  const fewer = Math.min(one.terms.size, other.terms.size);
  if (common < fewer / 2 || common === 0) {
    return { relation: 'different', score: (1.5 * common) / Math.max(1, one.terms.size + other.terms.size) };
  }
  return compareSentences(one.sentences, other.sentences);
}

function compareSentences(left: readonly Sentence[], right: readonly Sentence[]): Comparison {
  const leftIn = left.map((sentence) => isSaidIn(sentence, right));
  const rightIn = right.map((sentence) => isSaidIn(sentence, left));
  const total = weightOf(left) + weightOf(right);
  const restLeft = left.filter((_, at) => !leftIn[at]);
  const restRight = right.filter((_, at) => !rightIn[at]);
  const rest = weightOf(restLeft) + weightOf(restRight);
  if (restLeft.length + restRight.length === 0) return { relation: 'same', score: 1 };
  const said = (total - rest) / total;
  if (restLeft.length === 0 || restRight.length === 0) {
    return { relation: restLeft.length === 0 ? 'contained' : 'contains', score: duplicateScore + 0.19 * said };
  }
  const contradicts = restLeft.some((one) => restRight.some((other) => isContradiction(one, other)));
  const alike = (dice(restLeft, restRight) * rest) / total;
  return { relation: contradicts ? 'contradicts' : 'different', score: 0.75 * (said + alike) };
}

interface ReadText {
  readonly sentences: readonly Sentence[];
  /** Of all sentences, denied ones too. */
  readonly terms: ReadonlySet<string>;
}

const bare = (term: string): string => term.replace(/^¬/, '');

const longestCache = 4096;
const cache = new Map<string, ReadText>();

/** Texts are compared in pairs, many pairs with the same text: each is taken apart once. */
function readText(text: string): ReadText {
  let read = cache.get(text);
  if (!read) {
    const sentences = sentencesOf(text);
    read = { sentences, terms: new Set(sentences.flatMap((sentence) => sentence.terms.map(bare))) };
    if (cache.size >= longestCache) cache.clear();
    cache.set(text, read);
  }
  return read;
}

/** 0 to 1; 1 when both say the same. See `Comparison.score`. */
export const similarity = (a: string, b: string): number => compareTexts(a, b).score;

/** Whether `a` says nothing that `b` does not say. */
export function repeats(a: string, b: string): boolean {
  const { relation } = compareTexts(a, b);
  return relation === 'same' || relation === 'contained';
}

/** Whether `a` says all that `b` says. */
export const saysAtLeast = (a: string, b: string): boolean => repeats(b, a);

export interface Duplicate<T> {
  readonly candidate: T;
  readonly relation: 'same' | 'contains' | 'contained';
  readonly score: number;
}

/** The candidate that says the same as `text` or the closest part or extension of it; scope and type are the caller's to sort out first. */
export function findDuplicate<T extends { readonly text: string }>(
  text: string,
  candidates: Iterable<T>,
): Duplicate<T> | undefined {
  let best: Duplicate<T> | undefined;
  for (const candidate of candidates) {
    const { relation, score } = compareTexts(text, candidate.text);
    if (relation === 'different' || relation === 'contradicts') continue;
    if (!best || score > best.score) best = { candidate, relation, score };
  }
  return best;
}

/** A short sentence inside a longer one is said there only if it is a good part of it. */
const tellingTerms = 3;
const tellingShare = 0.5;
/** Two sentences are one sentence's other wording if hardly anything in them is beyond it. */
const joinedShare = 0.75;

/** Whether one sentence of the others, or two that follow each other, say all of it. */
function isSaidIn(sentence: Sentence, others: readonly Sentence[]): boolean {
  return others.some((other, at) => covers(other, sentence) || coversWithNext(other, others[at + 1], sentence));
}

function covers(whole: Sentence, part: Sentence): boolean {
  const terms = new Set(whole.terms);
  const partTerms = new Set(part.terms);
  if (!isTurnedAlike(terms, partTerms) || !hasAll(whole.terms, part.terms)) return false;
  if (countedOtherwise(whole, part).length > 0) return false;
  if (partTerms.size < tellingTerms && partTerms.size < terms.size * tellingShare) return false;
  return isInOrder(whole, part);
}

/** Whether each term of the part is there as often: “the main branch is called main” does not say less than “… called master”. */
function hasAll(whole: readonly string[], part: readonly string[]): boolean {
  const count = (terms: readonly string[], term: string) => terms.filter((one) => one === term).length;
  return [...new Set(part)].every((term) => count(whole, term) >= count(part, term));
}

function coversWithNext(first: Sentence, second: Sentence | undefined, part: Sentence): boolean {
  if (!second) return false;
  const terms = new Set([...first.terms, ...second.terms]);
  const partTerms = new Set(part.terms);
  if (!isTurnedAlike(terms, partTerms) || !hasAll([...first.terms, ...second.terms], part.terms)) return false;
  if (first.isDirected || second.isDirected || part.isDirected) return false;
  if (partTerms.size >= terms.size * joinedShare) return true;
  // “… an empty one” means the thing that the sentence before it names.
  const own = new Set(second.terms);
  return second.hasPronoun && second.terms.every((term) => partTerms.has(term)) && own.size * 2 >= partTerms.size;
}

/** What turns one sentence around, such as *off* or *except*, must turn the other around too. */
const isTurnedAlike = (whole: ReadonlySet<string>, part: ReadonlySet<string>): boolean =>
  [...whole].every((term) => !term.startsWith('!') || part.has(term));

/**
 * Whether the terms of `part` come in an order that leaves the meaning alone: the same one, one clause moved to the other
 * end, or a noun moved across an *of* or *for*. Anything else may be a swap of who does what to whom.
 */
function isInOrder(whole: Sentence, part: Sentence): boolean {
  const places = new Map<string, number>();
  for (const term of whole.terms) if (!places.has(term)) places.set(term, places.size);
  const order = [...new Set(part.terms)].map((term) => ({ place: places.get(term) ?? 0, term }));
  const isRising = (list: typeof order) => list.every(({ place }, at) => place >= (list[at - 1]?.place ?? 0));
  const lowest = order.findIndex(({ place }) => place === Math.min(...order.map((other) => other.place)));
  const rotated = [...order.slice(lowest), ...order.slice(0, lowest)];
  // *Before*, *than* and the like are terms themselves: they move with their clause.
  if (isRising(order)) return true;
  if (!isRising(order.filter(({ term }) => isNumber(term) || part.names.has(term))) && part.terms.some(isNumber))
    return false;
  const isLinked = (term: string) => whole.linked.has(term) || part.linked.has(term);
  return [order, rotated].some((list) => isRising(straightened(list, isLinked)));
}

/** Moves single terms back across up to three others where an *of* or *for* links them. */
function straightened<T extends { readonly place: number; readonly term: string }>(
  list: readonly T[],
  isLinked: (term: string) => boolean,
): T[] {
  const result = [...list];
  for (let at = 0; at + 1 < result.length; at += 1) {
    for (let length = 4; length >= 2; length -= 1) {
      const span = result.slice(at, at + length);
      if (span.length < length || !span.some(({ term }) => isLinked(term))) continue;
      const sorted = span.toSorted((a, b) => a.place - b.place);
      const movedBack = [...span.slice(1), span[0]];
      const movedFront = [span.at(-1), ...span.slice(0, -1)];
      const fits = [movedBack, movedFront].some((moved) => moved.every((item, index) => item === sorted[index]));
      if (fits && sorted[0] !== span[0]) result.splice(at, length, ...sorted);
    }
  }
  return result;
}

/** Numbers of the first before a thing of which the other says that it is one: “two approvals” and “an approval”. */
const countedOtherwise = (counting: Sentence, { singles }: Sentence): readonly string[] =>
  counting.terms.filter((term, at) => /^#(?!1$)\d/.test(term) && singles.has(counting.terms[at + 1] ?? ''));

const isNumber = (term: string): boolean => /^¬?#/.test(term);

/** Alike but for values or their order: the subject is the same, what is said of it is not. */
function isContradiction(a: Sentence, b: Sentence): boolean {
  const left = new Set(a.terms);
  const right = new Set(b.terms);
  const onlyLeft = [...left].filter((term) => !right.has(term));
  const onlyRight = [...right].filter((term) => !left.has(term));
  const common = [...left].filter((term) => right.has(term)).map(bare);
  const leftBare = new Set([...left].map(bare));
  const rightBare = new Set([...right].map(bare));
  const denied = new Set(
    [...onlyLeft, ...onlyRight]
      .map(bare)
      .filter((term) => leftBare.has(term) && rightBare.has(term) && !isNumber(term)),
  ).size;
  if (onlyLeft.length + onlyRight.length === 0) return true;
  if (common.length + denied < (denied > 0 && left.size + right.size === 2 ? 1 : 2)) return false;
  if (denied > 0) return common.length + denied > Math.min(left.size, right.size) / 2;
  const reversed = [...onlyLeft, ...onlyRight].filter((term) => term.startsWith('!'));
  if (reversed.length > 0 && onlyLeft.length + onlyRight.length === reversed.length) return true;
  const counted = [...countedOtherwise(a, b), ...countedOtherwise(b, a)];
  if (counted.length > 0 && [...onlyLeft, ...onlyRight].every((term) => counted.includes(term))) return true;
  if (onlyLeft.length === 0 || onlyRight.length === 0) return false;
  const isValue = (term: string, names: ReadonlySet<string>, terms: readonly string[]) =>
    isNumber(term) || names.has(term) || isNumber(terms[terms.indexOf(term) - 1] ?? '');
  // “Sensor A … 30 days” and “Sensor B … 90 days”: two things, each with a value of its own.
  const isLabelled = ([subject = '', label = '']: readonly string[], only: readonly string[], { names }: Sentence) =>
    only.length > 1 && !only.includes(subject) && only.includes(label) && (isNumber(label) || names.has(label));
  if (isLabelled(a.terms, onlyLeft, a) || isLabelled(b.terms, onlyRight, b)) return false;
  return (
    onlyLeft.every((term) => isValue(term, a.names, a.terms)) &&
    onlyRight.every((term) => isValue(term, b.names, b.terms))
  );
}

const weightOf = (sentences: readonly Sentence[]): number =>
  sentences.reduce((sum, sentence) => sum + new Set(sentence.terms).size, 0);

function dice(a: readonly Sentence[], b: readonly Sentence[]): number {
  const left = new Set(a.flatMap((sentence) => sentence.terms));
  const right = new Set(b.flatMap((sentence) => sentence.terms));
  if (left.size + right.size === 0) return 0;
  return (2 * [...left].filter((term) => right.has(term)).length) / (left.size + right.size);
}
