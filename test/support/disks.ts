// Disks for tests: real ones that count, refuse or end the process. As root chmod denies nothing, so errors of the
// operating system are made here, at the one door to the file system.

import { writeFileSync } from 'node:fs';
import { type Disk, nodeDisk } from '../../src/core/disk';

export const changingCalls = [
  'create',
  'append',
  'rename',
  'link',
  'remove',
  'removeFolder',
  'makeFolder',
  'setModified',
] as const satisfies readonly (keyof Disk)[];

export type ChangingCall = (typeof changingCalls)[number];

const isChanging = (key: PropertyKey): key is ChangingCall => changingCalls.includes(key as ChangingCall);

/** The starts of files from a disk that says one at a time: what watches its single reads sees these too. */
export function startsFrom(readRange: Disk['readRange']): Disk['readStarts'] {
  return async (paths, length, tell) => {
    for (const [at, path] of paths.entries()) {
      await readRange(path, 0, length).then(
        (found) => tell(at, found),
        (failure) => tell(at, undefined, failure),
      );
    }
  };
}

/** Runs `before` ahead of each call; what it throws is the call's failure. */
export function watchedDisk(
  before: (call: keyof Disk, path: string, args: readonly unknown[]) => unknown,
  base: Disk = nodeDisk,
): Disk {
  const watched: Disk = new Proxy(base, {
    get(disk, key: keyof Disk) {
      if (key === 'watch') return disk.watch;
      if (key === 'readStarts') return startsFrom(watched.readRange);
      return async (...args: unknown[]) => {
        await before(key, String(args[0]), args);
        return (disk[key] as (...values: unknown[]) => unknown)(...args);
      };
    },
  });
  return watched;
}

/** Refuses changing calls for which `refuses` holds with an error of the operating system. */
export function refusingDisk(
  code: 'EACCES' | 'ENOSPC' | 'EBUSY' | 'EROFS',
  refuses: (call: ChangingCall, path: string) => boolean,
): Disk {
  return watchedDisk((call, path) => {
    if (isChanging(call) && refuses(call, path)) throw Object.assign(new Error(`${code}: ${call}`), { code });
  });
}

/** Counts calls and bytes read. */
export function countingDisk(base: Disk = nodeDisk) {
  const calls = new Map<keyof Disk, string[]>();
  let bytesRead = 0;
  const disk: Disk = new Proxy(base, {
    get(target, key: keyof Disk) {
      if (key === 'watch') return target.watch;
      if (key === 'readStarts') return startsFrom(disk.readRange);
      return async (...args: unknown[]) => {
        calls.set(key, [...(calls.get(key) ?? []), String(args[0])]);
        const result = await (target[key] as (...values: unknown[]) => Promise<unknown>)(...args);
        if (key === 'read') bytesRead += (result as Buffer | undefined)?.length ?? 0;
        if (key === 'readRange') bytesRead += (result as { bytes: Buffer } | undefined)?.bytes.length ?? 0;
        return result;
      };
    },
  });
  return {
    disk,
    calls,
    count: (...keys: (keyof Disk)[]) => keys.reduce((sum, key) => sum + (calls.get(key)?.length ?? 0), 0),
    bytesRead: () => bytesRead,
    reset() {
      calls.clear();
      bytesRead = 0;
    },
  };
}

/**
 * Ends this very process at its `at`-th changing call (counted from 1): before it, or half-way through, when half of
 * the bytes are written. Returns the number of changing calls made so far.
 */
export function dyingDisk(at: number, halfWay: boolean): { disk: Disk; calls: () => number } {
  let calls = 0;
  const disk = watchedDisk((call, path, args) => {
    if (!isChanging(call)) return;
    calls += 1;
    if (calls !== at) return;
    if (halfWay && (call === 'create' || call === 'append')) {
      const bytes = args[1] as Buffer;
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)), { flag: call === 'append' ? 'a' : 'w' });
    }
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  });
  return { disk, calls: () => calls };
}
