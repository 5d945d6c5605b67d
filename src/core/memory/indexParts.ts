// A changed index in parts: the lines of some memories as they are to be, everything else as it was. Each line that is kept or
// left out stays at its place. Pure text; which file really changes is for others to say.

import { diffArrays } from 'diff';
import type { Changeset } from './changeset';
import { linesOf } from './hunks';
import { parseIndex } from './memoryIndex';
import { indexPathOf, indexTargetOf, isIndexPath } from './memoryPaths';

/**
 * The index on its way from `before` to `after`, with only those lines added or taken away that are wanted. A line that stands
 * for no memory (a heading, a comment) has no target; indented text below a memory's line belongs to it.
 */
export function changedInPart(
  before: string,
  after: string,
  isWanted: (target: string | undefined, isAdded: boolean) => boolean,
): string {
  const [old, fresh] = [linesWithTargets(before), linesWithTargets(after)];
  const parts = diffArrays(
    old.map(({ line }) => line),
    fresh.map(({ line }) => line),
  );
  const replaced = replacementsOf(parts, old, fresh);
  let [oldAt, freshAt] = [0, 0];
  const result: string[] = [];
  for (const { added, removed, count } of parts) {
    for (let step = 0; step < count; step += 1) {
      if (added) {
        const { line = '', target } = fresh[freshAt++] ?? {};
        const isPlaced = target !== undefined && replaced.has(target) && isWanted(target, false);
        if (!isPlaced && isWanted(target, true)) result.push(line);
      } else {
        const { line = '', target } = old[oldAt++] ?? {};
        if (!removed) freshAt += 1;
        if (!removed || !isWanted(target, false)) result.push(line);
        else if (target !== undefined) result.push(...(replaced.get(target)?.splice(0) ?? []));
      }
    }
  }
  return result.map((line, at) => (line.endsWith('\n') || at === result.length - 1 ? line : `${line}\n`)).join('');
}

type TargetLine = { readonly line: string; readonly target: string | undefined };

/** The new lines of targets that had a line before: they take its place, wherever their writer put them. */
function replacementsOf(
  parts: readonly { readonly added: boolean; readonly removed: boolean; readonly count: number }[],
  old: readonly TargetLine[],
  fresh: readonly TargetLine[],
): ReadonlyMap<string, string[]> {
  const removedTargets = new Set<string>();
  const replacements = new Map<string, string[]>();
  let [oldAt, freshAt] = [0, 0];
  for (const { added, removed, count } of parts) {
    const come = added ? fresh.slice(freshAt, freshAt + count) : [];
    const gone = removed ? old.slice(oldAt, oldAt + count) : [];
    for (const { target } of gone) if (target !== undefined) removedTargets.add(target);
    for (const { line, target } of come) {
      if (target === undefined) continue;
      const whole = line.endsWith('\n') ? line : `${line}\n`;
      replacements.set(target, [...(replacements.get(target) ?? []), whole]);
    }
    if (!removed) freshAt += count;
    if (!added) oldAt += count;
  }
  for (const target of replacements.keys()) if (!removedTargets.has(target)) replacements.delete(target);
  return replacements;
}

function linesWithTargets(text: string): TargetLine[] {
  const targets = new Map(parseIndex(text).entries.map(({ lineNumber, target }) => [lineNumber, target]));
  let last: string | undefined;
  return linesOf(text).map((line, at) => {
    const continues = /^(?: {2,}|\t)[ \t]*[^\s<]/.test(line);
    last = targets.get(at) ?? (continues ? last : undefined);
    return { line, target: last?.normalize('NFC') };
  });
}

/** A change of the index that can be taken or left by itself. */
export interface IndexPart {
  /** The memories whose lines change with it; `undefined` stands for lines of none. */
  readonly targets: ReadonlySet<string | undefined>;
  /** First line of the old index that it touches, or where its first new line comes, counted from 1. */
  readonly line: number;
}

/**
 * What changes in an index beside the lines of `topics`, memory by memory in the order of the new text. A line whose target was
 * put right is one part with the line that it was.
 */
export function indexPartsOf(before: string, after: string, topics: ReadonlySet<string>): readonly IndexPart[] {
  const [old, fresh] = [linesWithTargets(before), linesWithTargets(after)];
  const linesOfTarget = (lines: readonly TargetLine[]) => {
    const found = new Map<string | undefined, string>();
    for (const { line, target } of lines)
      if (/\S/.test(line)) found.set(target, `${found.get(target) ?? ''}${line.replace(/\r?\n$/, '')}\n`);
    return found;
  };
  const [had, has] = [linesOfTarget(old), linesOfTarget(fresh)];
  const changed = [...new Set([...old, ...fresh].map(({ target }) => target))].filter(
    (target) => had.get(target) !== has.get(target) && !(target !== undefined && topics.has(target)),
  );
  const parts: { targets: Set<string | undefined>; title: string | undefined }[] = [];
  for (const target of changed) {
    const title = target === undefined ? undefined : titleOf(had.get(target) ?? has.get(target) ?? '');
    const isGone = !has.has(target);
    const twin = parts.find(
      (part) =>
        title !== undefined && part.title === title && [...part.targets].every((one) => has.has(one) === isGone),
    );
    if (twin) twin.targets.add(target);
    else parts.push({ targets: new Set([target]), title });
  }
  const lineOf = (targets: ReadonlySet<string | undefined>) => {
    const at = old.findIndex(({ target }) => targets.has(target));
    return (at >= 0 ? at : fresh.findIndex(({ target }) => targets.has(target))) + 1;
  };
  return parts
    .map(({ targets }) => ({ targets, line: Math.max(1, lineOf(targets)) }))
    .sort((one, other) => one.line - other.line);
}

/** Index targets of the memories among these that an index lists. */
export const topicsOf = (changes: readonly { readonly path: string }[], index: string): ReadonlySet<string> =>
  new Set(
    changes
      .filter(({ path }) => !isIndexPath(path) && indexPathOf(path) === index)
      .map(({ path }) => indexTargetOf(path).normalize('NFC')),
  );

const titleOf = (line: string): string | undefined => /\[([^\]]+)\]/.exec(line)?.[1];

/** The changeset with the index lines of these paths as they were. */
export function withoutLinesOf(changes: Changeset, paths: readonly string[]): Changeset {
  if (paths.length === 0) return changes;
  return changes.map((change) => {
    if (!isIndexPath(change.path)) return change;
    const kept = new Set(
      paths.filter((path) => indexPathOf(path) === change.path).map((path) => indexTargetOf(path).normalize('NFC')),
    );
    const isWanted = (target: string | undefined) => target === undefined || !kept.has(target);
    const after = changedInPart(change.before ?? '', change.after ?? '', isWanted);
    const { afterMtimeMs: _merged, ...rest } = change;
    const isNone = after === '' && (change.before === null || change.after === null);
    return { ...rest, after: isNone ? null : after };
  });
}
