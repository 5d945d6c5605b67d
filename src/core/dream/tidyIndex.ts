// The index after a dream: each memory linked once if the budget allows it, no line that leads nowhere, none longer than an
// index line is. Lines that need nothing keep their bytes and their order. A memory without a line is not lost: recall
// finds it, and the dream says which ones those are.

import { type Memory, memoryTypes } from '../memory/memory';
import {
  comparable,
  type IndexEntry,
  type IndexLineEdit,
  indexBudget,
  indexCharLimit,
  indexLineLimit,
  lineLengthLimit,
  mergeIndex,
  parseIndex,
  retargetIndex,
} from '../memory/memoryIndex';
import { sentencesOf } from '../memory/sentences';
import { describeFact } from '../sessions/describeFact';
import { counted, type Reason, type ReasonCode } from './reasons';
import { linkCandidates } from './tidyLinks';

/** New lines fill the index up to this share of its limits: what is learned until the next dream needs room, too. */
const fillShare = 0.9;

export interface IndexState {
  /** `undefined`: there is none yet. */
  readonly text: string | undefined;
  /** Private memories as they are after the dream. */
  readonly files: readonly Memory[];
  /** Targets, relative to the index, that exist without being among `files`. */
  readonly others: ReadonlySet<string>;
  /** Targets whose existence can't be told: never taken for dead. */
  readonly unknown: ReadonlySet<string>;
  readonly survivorOf: (path: string) => string | undefined;
}

export interface TidyIndex {
  readonly text: string | undefined;
  /** What was done. */
  readonly reasons: readonly Reason[];
  /** Private memories without a line. */
  readonly recallOnly: readonly string[];
}

export function tidyIndex(state: IndexState): TidyIndex {
  const { files } = state;
  const reasons: Reason[] = [];
  const byPath = new Map(files.map((file) => [comparable(file.path), file]));
  const tell = (count: number, one: ReasonCode, several: ReasonCode) => {
    if (count > 0) reasons.push(counted(count, one, several));
  };
  let text = state.text ?? '';

  const repaired = repairTargets(text, state, byPath);
  text = repaired.text;
  tell(repaired.count, 'lineRepaired', 'linesRepaired');

  const dead = deadTargets(text, state, byPath);
  const merged = dead.filter((target) => state.survivorOf(target) !== undefined).length;
  text = mergeIndex(text, { remove: dead });
  tell(merged, 'lineMerged', 'linesMerged');
  tell(dead.length - merged, 'lineDead', 'linesDead');

  const twice = targetsListedTwice(text);
  text = mergeIndex(text, { set: twice.map((target) => ({ target })) });
  tell(twice.length, 'lineTwice', 'linesTwice');

  const long = shorterLines(text, byPath);
  text = mergeIndex(text, { set: long });
  tell(long.length, 'lineLong', 'linesLong');

  const trimmed = withinBudget(text, byPath);
  text = trimmed.text;
  tell(trimmed.count, 'lineOver', 'linesOver');

  const { text: filled, count } = withUnlinked(text, state.text === undefined, files, byPath);
  text = filled;
  tell(count, 'lineAdded', 'linesAdded');

  const linked = linkedIn(text);
  const recallOnly = files.filter(({ path }) => !linked.has(comparable(path))).map(({ path }) => path);
  return { text: text === '' && state.text === undefined ? undefined : text, reasons, recallOnly };
}

/** Lines whose target is a misspelling of exactly one memory. */
function repairTargets(text: string, state: IndexState, byPath: ReadonlyMap<string, Memory>) {
  let count = 0;
  const linked = linkedIn(text);
  const titles = new Map(parseIndex(text).entries.map(({ target, title }) => [target, title]));
  for (const target of deadTargets(text, state, byPath)) {
    if (state.survivorOf(target) !== undefined) continue;
    const unlinked = [...byPath.values()].filter(({ path }) => !linked.has(comparable(path)));
    const found = misspelt(target, [...byPath.values()]) ?? nearest(target, titles.get(target), unlinked);
    if (!found || linked.has(comparable(found.path))) continue;
    text = retargetIndex(text, target, found.path);
    linked.add(comparable(found.path));
    count += 1;
  }
  return { text, count };
}

/** The one memory whose path differs in case, separators or ending alone, or whose name does. */
function misspelt(target: string, files: readonly Memory[]): Memory | undefined {
  const folder = target.slice(0, target.lastIndexOf('/') + 1);
  const bare = (path: string) =>
    path
      .toLowerCase()
      .replace(/\.(?:md|markdown)$/, '')
      .replace(/[^\p{L}\p{N}/]+/gu, '');
  const same = files.filter(({ path }) => bare(path) === bare(target));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // In another folder now, or without the type in front of its name.
  const near = linkCandidates(target.slice(folder.length), files).filter((path) => {
    const stem = (one: string) =>
      bare(one.slice(one.lastIndexOf('/') + 1)).replace(/^(?:user|feedback|project|reference)/, '');
    return stem(path) === stem(target);
  });
  return near.length === 1 ? files.find(({ path }) => path === near[0]) : undefined;
}

/** Of those without a line the one that the line's title names too, and that a slip of the keys led away from. */
function nearest(target: string, title: string | undefined, unlinked: readonly Memory[]): Memory | undefined {
  const near = linkCandidates(target.slice(target.lastIndexOf('/') + 1), unlinked);
  const said = title === undefined || title === target ? near : linkCandidates(title, unlinked);
  const both = near.filter((path) => said.includes(path));
  return both.length === 1 ? unlinked.find(({ path }) => path === both[0]) : undefined;
}

function deadTargets(text: string, state: IndexState, byPath: ReadonlyMap<string, Memory>): string[] {
  const targets = new Set(parseIndex(text).entries.map(({ target }) => target));
  return [...targets].filter(
    (target) => !byPath.has(comparable(target)) && !state.others.has(target) && !state.unknown.has(target),
  );
}

function targetsListedTwice(text: string): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { target } of parseIndex(text).entries) {
    if (seen.has(comparable(target))) twice.add(target);
    seen.add(comparable(target));
  }
  return [...twice];
}

/** Shorter hooks for lines that are too long: the memory's own description, else the hook's first sentence. */
function shorterLines(text: string, byPath: ReadonlyMap<string, Memory>): IndexLineEdit[] {
  return parseIndex(text).entries.flatMap((entry) => {
    const { target, line, hook, shared } = entry;
    if (line.length <= lineLengthLimit || shared || hook === '') return [];
    const room = lineLengthLimit - (line.length - hook.length);
    if (room < 10) return [];
    const said = [byPath.get(comparable(target))?.description, sentencesOf(hook)[0]];
    const fitting = said.find((words) => words !== undefined && words !== '' && words.length <= room);
    const shorter = fitting ?? describeFact(hook).description;
    return shorter === hook && shorter.length <= room ? [] : [{ target, hook: shorter }];
  });
}

/** Every target that has a line or is linked in passing. */
function linkedIn(text: string): Set<string> {
  const { entries, mentions } = parseIndex(text);
  return new Set([...entries.map(({ target }) => target), ...mentions].map(comparable));
}

/**
 * Takes lines out of an index that is over its budget: of memories that are over or superseded first, then from its end, which no
 * agent ever sees. Pinned ones stay.
 */
function withinBudget(text: string, byPath: ReadonlyMap<string, Memory>): { text: string; count: number } {
  let count = 0;
  while (indexBudget(text).overBudget) {
    const entries = parseIndex(text).entries.filter(({ target }) => !byPath.get(comparable(target))?.pinned);
    const isOver = ({ target }: IndexEntry) => {
      const memory = byPath.get(comparable(target));
      return memory?.supersededBy !== undefined || memory?.deadlinePassed !== undefined;
    };
    const least = entries.findLast(isOver) ?? entries.at(-1);
    if (!least) break;
    const next = mergeIndex(text, { remove: [least.target] });
    if (next === text) break;
    text = next;
    count += 1;
  }
  return { text, count };
}

/** Adds lines for memories without one, the most wanted first, as long as there is room. */
function withUnlinked(text: string, isNew: boolean, files: readonly Memory[], byPath: ReadonlyMap<string, Memory>) {
  const linked = linkedIn(text);
  const unlinked = files.filter(({ path }) => !linked.has(comparable(path))).sort(byWorth);
  const typeOf = (target: string) => byPath.get(comparable(target))?.type;
  const fits = (candidate: string) => {
    const { lines, chars } = indexBudget(candidate);
    return lines <= indexLineLimit * fillShare && chars <= indexCharLimit * fillShare;
  };
  const added = (count: number) => mergeIndex(text, { set: unlinked.slice(0, count).map(lineFor), typeOf });
  // As many as fit: a line's place does not change how many do.
  let low = 0;
  let high = Math.min(unlinked.length, indexLineLimit);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(added(middle))) low = middle;
    else high = middle - 1;
  }
  if (low === 0) return { text, count: 0 };
  return { text: isNew ? `# Memory\n\n${added(low)}` : added(low), count: low };
}

/** Pinned before others, then by type, the newest first; what is over or superseded last. */
function byWorth(a: Memory, b: Memory): number {
  const rank = (memory: Memory) => [
    memory.pinned ? 0 : 1,
    memory.supersededBy === undefined && memory.deadlinePassed === undefined ? 0 : 1,
    memory.type === undefined ? memoryTypes.length : memoryTypes.indexOf(memory.type),
    -memory.modifiedAt,
  ];
  const [left, right] = [rank(a), rank(b)];
  for (const [at, value] of left.entries()) if (value !== right[at]) return value - (right[at] ?? 0);
  return a.path < b.path ? -1 : 1;
}

function lineFor(memory: Memory): IndexLineEdit {
  const title = memory.data.name === undefined ? (headingOf(memory.body) ?? memory.name) : memory.name;
  const hook = memory.description ?? sentencesOf(memory.body.replace(/^#+ .*$/gm, ''))[0]?.replace(/\.$/, '');
  return { target: memory.path, title, ...(hook === undefined ? {} : { hook }) };
}

const headingOf = (body: string): string | undefined => /^#+[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1];
