// Daily logs as Claude Code's assistant mode keeps them, `logs/YYYY/MM/YYYY-MM-DD.md` in the memory folder. Read only, the
// newest few, each by its end; what stands there under another name is no log of ours to read.

import { join } from 'node:path';
import type { Disk } from './disk';

/** Days that a dream looks back on, and how much of each. */
const mostLogs = 14;
const mostBytes = 64 * 1024;

export interface DailyLog {
  /** A memory path. */
  readonly path: string;
  readonly text: string;
}

/** Newest first; none where there are none. */
export async function readDailyLogs(memoryDir: string, disk: Disk): Promise<readonly DailyLog[]> {
  const named = async (folder: string, name: RegExp, kind: 'folder' | 'file') =>
    ((await disk.list(folder)) ?? [])
      .filter((entry) => entry.kind === kind && name.test(entry.name))
      .map((entry) => entry.name)
      .sort()
      .reverse();
  const logs: DailyLog[] = [];
  const root = join(memoryDir, 'logs');
  // A link may lead anywhere.
  if ((await disk.lstat(root))?.kind !== 'folder') return logs;
  for (const year of await named(root, /^\d{4}$/, 'folder')) {
    for (const month of await named(join(root, year), /^\d{2}$/, 'folder')) {
      for (const day of await named(join(root, year, month), /^\d{4}-\d{2}-\d{2}\.md$/, 'file')) {
        if (logs.length === mostLogs) return logs;
        const file = join(root, year, month, day);
        const size = (await disk.stat(file))?.size ?? 0;
        const end = await disk.readRange(file, Math.max(0, size - mostBytes), mostBytes);
        if (end) logs.push({ path: `logs/${year}/${month}/${day}`, text: end.bytes.toString('utf8') });
      }
    }
  }
  return logs;
}
