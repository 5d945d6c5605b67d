// What hooks leave for whoever reads chats: one line an event, appended by processes that end at once. Lines are never
// changed; each reader keeps how far it has read, so that nothing is lost between two programs and two windows of one
// project never act on the same line. At most two files of 64 KB: what nobody read for that long, the next start finds anyway.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { readJson, shortHash, writeJson } from '../files';
import type { Guard } from '../guard';
import { isObject } from '../sessions/json';
import { type HookEvent, hookEvents } from './hookInput';

export type SpooledEvent = Exclude<HookEvent, 'UserPromptSubmit'>;

export interface SpoolEntry {
  readonly event: SpooledEvent;
  readonly session: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface Spool {
  /**
   * What came since this project read it last, one entry a session: that it ended, else that it is compacted, else that a turn
   * ended. No other window of this project gets them. Rejects when the files can't be read or the place can't be kept.
   */
  take(): Promise<readonly SpoolEntry[]>;
}

export const spoolName = 'spool.jsonl';
const olderName = 'spool.older.jsonl';
const largestBytes = 65_536;
/** A file grows past its limit by the lines of those who looked at its size together. */
const readBytes = 4 * largestBytes;

export const spoolFolder = (stateDir: string): string => join(stateDir, 'hooks');

/** Adds one whole line. `folder` as `spoolFolder` gives it. */
export async function appendToSpool(disk: Disk, folder: string, entry: SpoolEntry): Promise<void> {
  const file = join(folder, spoolName);
  const stat = await disk.stat(file);
  if (!stat) await disk.makeFolder(folder);
  else if (stat.size >= largestBytes) await disk.rename(file, join(folder, olderName)).catch(() => {});
  // Somebody else's line may have been cut by a crash or a full disk; ours must not go with it.
  const last = stat && stat.size > 0 ? await disk.readRange(file, stat.size - 1, 1) : undefined;
  const start = last && last.bytes[0] !== lineFeed ? '\n' : '';
  await disk.append(file, Buffer.from(`${start}${JSON.stringify({ ...entry, by: process.pid })}\n`));
}

const lineFeed = 0x0a;

/** `reader`: who reads, the same for all windows of one project and another for projects that share its memories. */
export function openSpool(options: {
  readonly folder: string;
  readonly reader: string;
  readonly guard: Guard;
  readonly disk: Disk;
}): Spool {
  const { folder, guard, disk } = options;
  const placeFile = join(folder, `read-${shortHash(options.reader)}.json`);

  async function readOn() {
    const stored: unknown = await readJson(disk, placeFile);
    const places = new Map<string, number>();
    const before = isObject(stored) ? stored : {};
    const entries: SpoolEntry[] = [];
    // The older one last: a file that is renamed meanwhile is then seen twice instead of never.
    for (const name of [spoolName, olderName]) {
      const file = await disk.readRange(join(folder, name), 0, readBytes);
      const text = file?.bytes ?? Buffer.alloc(0);
      const firstEnd = text.indexOf(lineFeed);
      if (firstEnd === -1) continue;
      // A file is known by its first line: it is never changed, and times and process ids make it one of its kind.
      const key = shortHash(text.subarray(0, firstEnd));
      const known = places.get(key) ?? (typeof before[key] === 'number' ? before[key] : 0);
      const end = text.lastIndexOf(lineFeed) + 1;
      if (end > known) entries.push(...parseLines(text.toString('utf8', known, end)));
      places.set(key, Math.max(known, end));
    }
    const isNews = [...places].some(([key, place]) => before[key] !== place);
    return { entries, places: Object.fromEntries(places), isNews };
  }

  return {
    async take() {
      if (!(await readOn()).isNews) return [];
      return guard.run('spool', async () => {
        const { entries, places, isNews } = await readOn();
        if (isNews) await writeJson(disk, placeFile, places);
        return strongest(entries);
      });
    },
  };
}

function parseLines(text: string): SpoolEntry[] {
  return text.split('\n').flatMap((line): SpoolEntry[] => {
    try {
      const value: unknown = JSON.parse(line);
      if (!isObject(value)) return [];
      const { event, session, at } = value;
      const known = hookEvents.find((name) => name === event);
      if (!known || known === 'UserPromptSubmit' || typeof session !== 'string' || typeof at !== 'number') return [];
      return [{ event: known, session, at }];
    } catch {
      return [];
    }
  });
}

const weights: Readonly<Record<SpooledEvent, number>> = { Stop: 0, PreCompact: 1, SessionEnd: 2 };

function strongest(entries: readonly SpoolEntry[]): readonly SpoolEntry[] {
  const bySession = new Map<string, SpoolEntry>();
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    const other = bySession.get(entry.session);
    // A session that was ended and resumed has ended all the same: what it said until then may be read.
    if (other && weights[other.event] > weights[entry.event]) continue;
    bySession.set(entry.session, entry);
  }
  return [...bySession.values()];
}
