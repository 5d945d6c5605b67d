// What a conversation was given already, so that it gets it once and at most 60 KB of memories in all. Kept by the
// conversation's id in our own state; forgotten when the conversation is compacted, and of more than two hundred the oldest and
// those a month old are. Losing it costs a repetition and nothing else, so it never stands in the way of an answer.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { newestFirst, readJson, shortHash, writeJson } from '../files';
import type { Logger } from '../log';
import { isObject } from '../sessions/json';

export interface Surfaced {
  readonly paths: readonly string[];
  /** Of all bodies that were given. */
  readonly bytes: number;
}

export interface SurfacedStore {
  of(conversation: string): Promise<Surfaced>;
  add(conversation: string, given: readonly { readonly path: string; readonly bytes: number }[]): Promise<void>;
  /** After a compaction the words are gone from the conversation: they may be given again. */
  clear(conversation: string): Promise<void>;
}

const nothing: Surfaced = { paths: [], bytes: 0 };
const keptMs = 30 * 86_400_000;
const mostFiles = 200;
/** So many are left when there are more: to look at the time of each costs a hook more than its answer. */
const leftFiles = 150;

/** Opens what is kept below `folder`. No verb rejects. */
export function openSurfaced(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly log: Logger;
}): SurfacedStore {
  const { disk, log } = options;
  const folder = join(options.folder, 'conversations');
  const fileOf = (conversation: string) => join(folder, `${shortHash(conversation)}.json`);
  let queue: Promise<void> = Promise.resolve();

  async function read(conversation: string): Promise<Surfaced> {
    const stored: unknown = await readJson(disk, fileOf(conversation));
    if (!isObject(stored) || !Array.isArray(stored.paths) || typeof stored.bytes !== 'number') return nothing;
    return { paths: stored.paths.filter((path) => typeof path === 'string'), bytes: Math.max(0, stored.bytes) };
  }

  /** One change after the other, each on what the one before left. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    queue = queue
      .then(work)
      .catch((error) => log.warn(`What a conversation was given can't be kept: ${String(error)}`));
    return queue;
  }

  async function prune(): Promise<void> {
    const files = (await disk.list(folder)) ?? [];
    if (files.length <= mostFiles) return;
    const dated = await newestFirst(
      disk,
      folder,
      files.map(({ name }) => name),
    );
    const newest = dated[0]?.at ?? 0;
    for (const [at, file] of dated.entries()) {
      if (at >= leftFiles || newest - file.at > keptMs) await disk.remove(join(folder, file.name));
    }
  }

  return {
    async of(conversation) {
      await queue;
      return read(conversation).catch(() => nothing);
    },
    add: (conversation, given) =>
      inTurn(async () => {
        if (given.length === 0) return;
        const before = await read(conversation);
        await writeJson(disk, fileOf(conversation), {
          paths: [...new Set([...before.paths, ...given.map(({ path }) => path)])],
          bytes: given.reduce((sum, { bytes }) => sum + bytes, before.bytes),
        });
        if (before === nothing) await prune();
      }),
    clear: (conversation) => inTurn(() => disk.remove(fileOf(conversation))),
  };
}
