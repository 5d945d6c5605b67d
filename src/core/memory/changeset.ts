// Changes to memories as values: each carries its own inverse. An overlay collects them without touching the disk.
// Nothing here writes; `snapshots.ts` applies a changeset.

import { isIndexPath } from './memoryPaths';

export interface FileChange {
  /** A memory path: relative, '/'-separated, `team/…` for the team mount; the index is `MEMORY.md` or `team/MEMORY.md`. */
  readonly path: string;
  /** What the author of the change saw; `null` when there was no file. */
  readonly before: string | null;
  /** What shall stand there; `null` removes the file. */
  readonly after: string | null;
  readonly beforeMtimeMs?: number;
  /** The modification time the file gets; now, when absent. */
  readonly afterMtimeMs?: number;
}

export type Changeset = readonly FileChange[];

/** The changeset that takes this one back, modification times included. */
export function invert(changes: Changeset): Changeset {
  return changes
    .map(({ path, before, after, beforeMtimeMs, afterMtimeMs }) => ({
      path,
      before: after,
      after: before,
      ...(afterMtimeMs === undefined ? {} : { beforeMtimeMs: afterMtimeMs }),
      ...(beforeMtimeMs === undefined ? {} : { afterMtimeMs: beforeMtimeMs }),
    }))
    .reverse();
}

/** New and changed files, then the indexes, then deletions: an index never points to a missing file. */
export function inWritingOrder(changes: Changeset): FileChange[] {
  const rank = (change: FileChange) => (isIndexPath(change.path) ? 1 : change.after === null ? 2 : 0);
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/**
 * What can be done while these paths hold something else. Of moved memories (`moves`: from where to where) all or nothing: in
 * part, one would stand in both places or in none.
 */
export function withoutConflicts(
  changes: Changeset,
  conflicts: readonly string[],
  moves: Readonly<Record<string, string>> = {},
): Changeset {
  const moved = Object.entries(moves).flat();
  if (conflicts.some((path) => moved.includes(path))) return [];
  return changes.filter((change) => !conflicts.includes(change.path));
}

/** Reads what lies on disk below an overlay. */
export type ReadThrough = (path: string) => Promise<{ readonly text: string; readonly mtimeMs: number } | undefined>;

export interface Overlay {
  read(path: string): Promise<string | undefined>;
  /** `mtimeMs`: the modification time the file gets instead of now; for a change that says nothing new. */
  write(path: string, text: string, mtimeMs?: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** What differs from the disk as it was first seen, topic files before indexes. */
  changes(): Changeset;
}

/** An overlay over the memories: reads fall through, writes stay in it. */
export function createOverlay(readThrough: ReadThrough): Overlay {
  const seen = new Map<string, { text: string; mtimeMs: number } | undefined>();
  const written = new Map<string, string | null>();
  const times = new Map<string, number>();

  async function below(path: string) {
    if (!seen.has(path)) seen.set(path, await readThrough(path));
    return seen.get(path);
  }

  return {
    async read(path) {
      const own = written.get(path);
      return own === undefined ? (await below(path))?.text : (own ?? undefined);
    },
    async write(path, text, mtimeMs) {
      await below(path);
      written.set(path, text);
      if (mtimeMs === undefined) times.delete(path);
      else times.set(path, mtimeMs);
    },
    async remove(path) {
      await below(path);
      written.set(path, null);
    },
    changes() {
      const changes: FileChange[] = [];
      for (const [path, after] of written) {
        const before = seen.get(path);
        const afterMtimeMs = after === null ? undefined : times.get(path);
        if ((before?.text ?? null) === after) continue;
        changes.push({
          path,
          before: before?.text ?? null,
          after,
          ...(before ? { beforeMtimeMs: before.mtimeMs } : {}),
          ...(afterMtimeMs === undefined ? {} : { afterMtimeMs }),
        });
      }
      return changes.sort((a, b) => Number(isIndexPath(a.path)) - Number(isIndexPath(b.path)));
    },
  };
}
