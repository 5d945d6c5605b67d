// Digests between extractions, one file a session: what a model was shown of it is shown again byte for byte, so that its
// prompt cache still knows it. Losing one costs tokens and nothing else; one that can't be read is as good as none.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { readJson, shortHash, writeJson } from '../files';
import type { Digest } from './digest';

/** A digest with what stands before it in a request, frozen when the conversation began. */
export interface KeptDigest {
  readonly digest: Digest;
  /** The index and given texts as they were. */
  readonly context: string;
}

export interface Digests {
  get(file: string): Promise<KeptDigest | undefined>;
  put(file: string, kept: KeptDigest): Promise<void>;
}

const version = 1;
/** Days without a word in a session, after which its digest is dropped. */
const keptDays = 30;

export function openDigests(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
}): Digests {
  const { disk, now } = options;
  const folder = join(options.folder, 'digests');
  const pathOf = (file: string) => join(folder, `${shortHash(file)}.json`);

  async function prune(): Promise<void> {
    for (const { name } of (await disk.list(folder)) ?? []) {
      const path = join(folder, name);
      const stat = await disk.stat(path);
      if (stat && now() - stat.mtimeMs > keptDays * 86_400_000) await disk.remove(path);
    }
  }

  return {
    async get(file) {
      const kept = await readJson<KeptDigest & { version: number }>(disk, pathOf(file));
      return kept?.version === version && Array.isArray(kept.digest?.chunks) ? kept : undefined;
    },
    async put(file, kept) {
      const isNew = (await disk.stat(pathOf(file))) === undefined;
      await writeJson(disk, pathOf(file), { version, ...kept });
      if (isNew) await prune();
    },
  };
}
