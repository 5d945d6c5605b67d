// Notices that memory files changed, whoever changed them: a watcher for each folder that holds memories and, for a root
// that does not exist, for the nearest folder above it that does. Nothing polls; one timer, and only after a change.
// Where the system gives no watcher, changes by others stay unnoticed until the next scan: that is logged once.

import { basename, dirname, join } from 'node:path';
import type { Disk } from '../disk';
import type { Disposable } from '../event';
import type { Logger } from '../log';

export interface WatchedRoot {
  readonly folder: string;
  /** What the paths of its files begin with: nothing, or `team/`. */
  readonly prefix: string;
  /** Names directly below the root that are not looked into. */
  readonly skipped: readonly string[];
}

export interface MemoryWatch extends Disposable {
  /** Puts watchers where folders are now. */
  sync(): Promise<void>;
  /** Tells of files that we changed ourselves; joins what the watchers report. */
  changed(paths?: readonly string[]): void;
  /** Grows at once with each change, before anything is told; `undefined` until folders are watched, or when they can't be. */
  revision(): number | undefined;
}

interface Watcher extends Disposable {
  readonly inode: number;
}

const debounceMs = 100;

export const isHiddenName = (name: string): boolean => name.startsWith('.');
export const isMarkdownName = (name: string): boolean => /\.md$/i.test(name);

/** `fire` gets the paths that changed, or nothing when it can't tell which. */
export function createMemoryWatch(options: {
  readonly roots: readonly WatchedRoot[];
  readonly disk: Disk;
  readonly fire: (paths: readonly string[] | undefined) => void;
  readonly log: Logger;
}): MemoryWatch {
  const { roots, disk, fire, log } = options;
  const watchers = new Map<string, Watcher>();
  const changedPaths = new Set<string>();
  /** Entries that may be folders, to be looked at when the timer fires. */
  const oddEntries = new Set<string>();
  let pathsUnknown = false;
  let foldersUnknown = false;
  let timer: NodeJS.Timeout | undefined;
  let syncing: Promise<boolean> = Promise.resolve(false);
  let disposed = false;
  let hasWarned = false;
  let isWatching = false;
  let revision = 0;

  function schedule(): void {
    revision += 1;
    if (timer || disposed) return;
    // Not put off by further changes: a file that is written all the time is still seen.
    // On a busy machine the system's own words of that moment still wait to be heard: they go first.
    timer = setTimeout(() => setImmediate(() => void flush()), debounceMs);
    timer.unref();
  }

  async function flush(): Promise<void> {
    timer = undefined;
    if (disposed) return;
    const paths = [...changedPaths];
    const odd = [...oddEntries];
    let unknown = pathsUnknown;
    let mustSync = foldersUnknown;
    changedPaths.clear();
    oddEntries.clear();
    pathsUnknown = false;
    foldersUnknown = false;
    try {
      for (const entry of odd) {
        const stat = await disk.lstat(entry);
        if ((stat?.kind === 'folder') !== watchers.has(entry)) mustSync = true;
      }
      if (mustSync && (await runSync())) unknown = true;
    } catch (error) {
      log.warn(`Watching the memory folder: ${String(error)}`);
      unknown = true;
    }
    if (disposed) return;
    // What appeared in a new folder before it was watched.
    if (unknown) revision += 1;
    if (unknown) fire(undefined);
    else if (paths.length > 0) fire(paths);
  }

  function noticed(folder: string, prefix: string, isRoot: boolean, root: WatchedRoot, name: string | undefined): void {
    if (name === undefined) {
      pathsUnknown = true;
      foldersUnknown = true;
    } else if (isHiddenName(name) || (isRoot && root.skipped.includes(name))) {
      return;
    } else if (isMarkdownName(name)) {
      changedPaths.add(prefix + name);
    } else {
      oddEntries.add(join(folder, name));
      // A folder reports its own end under its own name.
      if (name === basename(folder)) foldersUnknown = true;
    }
    schedule();
  }

  /** Whether the set of folders is another one than before. */
  function runSync(): Promise<boolean> {
    const next = syncing.catch(() => false).then(syncNow);
    syncing = next;
    return next;
  }

  async function syncNow(): Promise<boolean> {
    const wanted = new Set<string>();
    let differs = false;

    async function ensure(folder: string, onChange: (name: string | undefined) => void): Promise<boolean> {
      const stat = await disk.stat(folder);
      if (stat?.kind !== 'folder' || disposed) return false;
      wanted.add(folder);
      const present = watchers.get(folder);
      if (present?.inode === stat.inode) return true;
      present?.dispose();
      watchers.delete(folder);
      differs = true;
      const watcher = disk.watch(folder, onChange);
      if (watcher) watchers.set(folder, { inode: stat.inode, dispose: () => watcher.dispose() });
      else if (!hasWarned) {
        hasWarned = true;
        log.warn(
          'The system gives no more file watchers: changes by other programs are seen at the next refresh only.',
        );
      }
      return true;
    }

    async function walk(root: WatchedRoot, folder: string, prefix: string, isRoot: boolean): Promise<boolean> {
      // Watched before it is listed: what appears in between is reported.
      const exists = await ensure(folder, (name) => noticed(folder, prefix, isRoot, root, name));
      if (!exists) return false;
      for (const { name, kind } of (await disk.list(folder)) ?? []) {
        if (kind !== 'folder' || isHiddenName(name) || (isRoot && root.skipped.includes(name))) continue;
        await walk(root, join(folder, name), `${prefix}${name}/`, false);
      }
      return true;
    }

    async function awaitRoot(folder: string): Promise<void> {
      const parent = dirname(folder);
      if (parent === folder) return;
      const exists = await ensure(parent, (name) => {
        // The parent may be a busy place: only the name that leads to the root counts, and the parent's own end.
        if (name !== undefined && name !== basename(folder) && name !== basename(parent)) return;
        foldersUnknown = true;
        schedule();
      });
      if (!exists) await awaitRoot(parent);
    }

    for (const root of roots) {
      const exists = await walk(root, root.folder, root.prefix, true);
      if (!exists) await awaitRoot(root.folder);
    }
    for (const [folder, watcher] of watchers) {
      if (wanted.has(folder) && !disposed) continue;
      watcher.dispose();
      watchers.delete(folder);
      differs = true;
    }
    return differs;
  }

  return {
    async sync() {
      await runSync();
      isWatching = true;
    },
    revision: () => (isWatching && !hasWarned && !disposed ? revision : undefined),
    changed(paths) {
      if (paths === undefined) pathsUnknown = true;
      for (const path of paths ?? []) changedPaths.add(path);
      schedule();
    },
    dispose() {
      disposed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.dispose();
      watchers.clear();
    },
  };
}
