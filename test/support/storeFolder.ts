// A store over a folder of its own, made anew for each test of the suite it is used in.

import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../src/core/disk';
import { silentLogger } from '../../src/core/log';
import { type MemoryStore, openMemoryStore } from '../../src/core/memory/memoryStore';

export const storeNow = Date.parse('2026-11-30T09:00:00Z');
export const memoryText = (name: string, extra = '') =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: project\n${extra}---\n\nBody of ${name}.\n`;

export interface StoreFolder {
  readonly base: string;
  readonly root: string;
  /** Disposed after the test. */
  open(
    disk?: Disk,
    options?: { readonly root?: string; readonly team?: string; readonly now?: () => number },
  ): MemoryStore;
  put(path: string, text: string | Buffer, daysOld?: number): Promise<string>;
}

/** Registers the hooks of the suite it is called in. */
export function useStoreFolder(): () => StoreFolder {
  let folder: StoreFolder | undefined;
  let stores: MemoryStore[] = [];

  beforeEach(async () => {
    const base = await mkdtemp(join(tmpdir(), 'store-'));
    const root = join(base, 'memory');
    stores = [];
    folder = {
      base,
      root,
      open(disk = nodeDisk, options = {}) {
        const store = openMemoryStore({
          roots: { private: options.root ?? root, ...(options.team === undefined ? {} : { team: options.team }) },
          disk,
          now: options.now ?? (() => storeNow),
          log: silentLogger,
        });
        stores.push(store);
        return store;
      },
      async put(path, text, daysOld = 10) {
        const file = join(root, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
        await utimes(file, storeNow / 1000 - daysOld * 86_400, storeNow / 1000 - daysOld * 86_400);
        return file;
      },
    };
  });
  afterEach(async () => {
    for (const store of stores) store.dispose();
    if (folder) await rm(folder.base, { recursive: true, force: true });
  });

  return () => {
    if (!folder) throw new Error('no test runs');
    return folder;
  };
}
