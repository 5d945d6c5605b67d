// Whether a person told memory to rest in this project, over restarts and for every window and command alike.

import { join } from 'node:path';
import type { Disk } from './disk';
import { readJson, writeJson } from './files';

export interface Pause {
  /** The time in ms it ends, `'open'` when only a person ends it, `undefined` when there is none. */
  get(): Promise<number | 'open' | undefined>;
  /** `undefined`: until it is ended by hand. */
  begin(until: number | undefined): Promise<void>;
  end(): Promise<void>;
}

export const pauseName = 'pause.json';

export function openPause(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
}): Pause {
  const { disk, now } = options;
  const path = join(options.folder, pauseName);
  return {
    async get() {
      const stored = await readJson<{ until?: unknown }>(disk, path);
      if (!stored) return undefined;
      if (typeof stored.until !== 'number') return 'open';
      return stored.until > now() ? stored.until : undefined;
    },
    begin: (until) => writeJson(disk, path, until === undefined ? {} : { until }),
    end: () => disk.remove(path),
  };
}
