// What extraction would like to keep but was not told to in so many words. A suggestion waits, over restarts, until a
// person accepts or dismisses it; the same saying is never suggested a second time. Nothing here is a memory yet.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { createEmitter, type Event } from '../event';
import { readJson, shortHash, writeJson } from '../files';
import type { MemoryDraft } from './memory';

export interface Suggestion {
  /** Made of type and words, so that one saying is one suggestion whichever chat it came from. */
  readonly id: string;
  readonly at: number;
  readonly draft: MemoryDraft;
  readonly session: { readonly id: string; readonly file: string; readonly title?: string };
  /** The rule that found it, or the model's reason. */
  readonly why: string;
}

interface Stored extends Suggestion {
  readonly state: 'waiting' | 'accepted' | 'dismissed';
}

export interface Suggestions {
  /** Those that wait, newest first. */
  waiting(): Promise<readonly Suggestion[]>;
  find(id: string): Promise<Suggestion | undefined>;
  /** Adds those never seen before. Returns how many wait now because of this call. */
  add(suggestions: readonly Omit<Suggestion, 'id'>[]): Promise<number>;
  /** Whether a person accepted or dismissed this saying before. */
  isSettled(draft: MemoryDraft): Promise<boolean>;
  settle(id: string, state: 'waiting' | 'accepted' | 'dismissed'): Promise<void>;
  readonly onDidChange: Event<void>;
}

export function openSuggestions(options: { readonly folder: string; readonly disk: Disk }): Suggestions {
  const { disk } = options;
  const folder = join(options.folder, 'suggestions');
  const changed = createEmitter<void>();
  const fileOf = (id: string) => join(folder, `${id}.json`);

  return {
    onDidChange: changed.event,
    async waiting() {
      const names = ((await disk.list(folder)) ?? [])
        .map((entry) => entry.name)
        .filter((name) => /^\w+\.json$/.test(name));
      const all = await Promise.all(names.map((name) => readJson<Stored>(disk, join(folder, name))));
      return all
        .filter((stored) => stored !== undefined)
        .filter((stored) => stored.state === 'waiting')
        .sort((a, b) => b.at - a.at || a.id.localeCompare(b.id));
    },
    find: (id) => (/^\w+$/.test(id) ? readJson<Stored>(disk, fileOf(id)) : Promise.resolve(undefined)),
    async add(suggestions) {
      let added = 0;
      for (const suggestion of suggestions) {
        const id = idOf(suggestion.draft);
        if (await disk.stat(fileOf(id))) continue;
        await writeJson(disk, fileOf(id), { ...suggestion, id, state: 'waiting' } satisfies Stored);
        added += 1;
      }
      if (added > 0) changed.fire();
      return added;
    },
    async isSettled(draft) {
      const stored = await readJson<Stored>(disk, fileOf(idOf(draft)));
      return stored !== undefined && stored.state !== 'waiting';
    },
    async settle(id, state) {
      const stored = await readJson<Stored>(disk, fileOf(id));
      if (!stored || stored.state === state) return;
      await writeJson(disk, fileOf(id), { ...stored, state } satisfies Stored);
      changed.fire();
    },
  };
}

function idOf({ type, body }: MemoryDraft): string {
  const words =
    body
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return shortHash(`${type} ${words.join(' ')}`);
}
