// Listens to folders that may come and go: to the entries of those that exist, and for those that don't, to the nearest
// folder above them. A new folder beside a watched one is told too, as it may be a worktree's. It reads no file and
// asks nothing again unless something happened.

import { basename, dirname } from 'node:path';
import type { Disk } from '../disk';
import type { Disposable } from '../event';
import type { Logger } from '../log';

export interface FolderWatch extends Disposable {
  /** Asks for the folders anew and listens to what there is now; returns them, existing or not. */
  refresh(): Promise<readonly string[]>;
}

interface Ear extends Disposable {
  readonly inode: number;
}

export function watchFolders(options: {
  readonly folders: () => Promise<readonly string[]>;
  /** Whether what comes beside this folder is no news; by default it is. */
  readonly isAlone?: (folder: string) => boolean;
  readonly disk: Disk;
  readonly log: Logger;
  /** An entry of one of the folders was written, came or went; `name` is undefined where the system doesn't say which. */
  readonly onEntry: (folder: string, name: string | undefined) => void;
  /** A folder came or went: `refresh` is due. */
  readonly onFolders: () => void;
}): FolderWatch {
  const { disk, log } = options;
  const entries = new Map<string, Ear>();
  const parents = new Map<string, Ear>();
  /** By parent: what is known to lie there, or undefined where only awaited names matter. */
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const awaited = new Map<string, Set<string>>();
  let isDisposed = false;

  async function listen(
    ears: Map<string, Ear>,
    folder: string,
    heard: (name: string | undefined) => void,
  ): Promise<boolean> {
    const stat = await disk.stat(folder);
    const ear = ears.get(folder);
    if (stat?.kind === 'folder' && ear?.inode === stat.inode) return true;
    ear?.dispose();
    ears.delete(folder);
    if (stat?.kind !== 'folder' || isDisposed) return false;
    const handle = disk.watch(folder, heard);
    if (!handle) {
      log.warn(`The system can not watch ${folder}; what happens there is noticed at the next start.`);
      return true;
    }
    ears.set(folder, { inode: stat.inode, dispose: () => handle.dispose() });
    return true;
  }

  function hearParent(parent: string, name: string | undefined): void {
    const names = known.get(parent);
    const isNews = name === undefined || awaited.get(parent)?.has(name) || (names !== undefined && !names.has(name));
    if (isNews) options.onFolders();
  }

  async function refresh(): Promise<readonly string[]> {
    const folders = [...new Set(await options.folders())];
    awaited.clear();
    known.clear();
    const used = new Set<string>();
    for (const folder of folders) {
      const exists = await listen(entries, folder, (name) => options.onEntry(folder, name));
      let parent = dirname(folder);
      let name = basename(folder);
      while (!(await listen(parents, parent, (heard) => hearParent(parent, heard)))) {
        name = basename(parent);
        if (dirname(parent) === parent) break;
        parent = dirname(parent);
      }
      used.add(parent);
      const names = awaited.get(parent) ?? new Set();
      awaited.set(parent, names.add(name));
      if (exists && !known.has(parent) && !options.isAlone?.(folder)) {
        known.set(parent, new Set((await disk.list(parent))?.map((entry) => entry.name)));
      }
    }
    for (const [folder, ear] of entries) if (!folders.includes(folder)) drop(entries, folder, ear);
    for (const [parent, ear] of parents) if (!used.has(parent)) drop(parents, parent, ear);
    return folders;
  }

  const drop = (ears: Map<string, Ear>, folder: string, ear: Ear): void => {
    ear.dispose();
    ears.delete(folder);
  };

  return {
    refresh,
    dispose() {
      isDisposed = true;
      for (const ears of [entries, parents]) {
        for (const [folder, ear] of ears) drop(ears, folder, ear);
      }
    },
  };
}
