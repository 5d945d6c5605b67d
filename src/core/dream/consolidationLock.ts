// Claude Code's own lock on dreaming, kept by its rules, so that the two never dream at once: the file's body is the
// dreamer's process number, its modification time says when memories were last consolidated. The known race in that
// protocol is closed among ourselves by a guard that lies elsewhere; the file never gets another format. What a crash of
// ours left in it is taken back at the next look.

import { join } from 'node:path';
import type { Disk, FileStat } from '../disk';
import { type Folder, openFolder, readJson, removeLeftovers, writeJson } from '../files';
import type { Guard, Hold, ProcessTable } from '../guard';
import type { Logger } from '../log';

export const lockName = '.consolidate-lock';
/** A living holder counts for an hour; its number may belong to another process by then. As Claude Code does. */
const holderLifeMs = 3_600_000;
/** Names the temporary file, so that one a crash left is found again. */
const tag = 'consolidate';

export interface LockState {
  /** Milliseconds; 0 when there was no consolidation yet. */
  readonly lastConsolidatedAt: number;
  readonly holderPid?: number;
  readonly held: boolean;
}

export interface HeldLock {
  /** What `lastConsolidatedAt` was before; 0 when there was no file. */
  readonly priorMtime: number;
  /** Whether this is still the holder, by both rules. Ask before anything is applied. */
  isHeld(): Promise<boolean>;
  /** After a dream: nobody holds, and memories count as consolidated when the dream began. */
  complete(): Promise<void>;
  /** After a failure or a cancel: everything as before. Only the first of `complete` and `rollBack` does something. */
  rollBack(): Promise<void>;
}

export interface ConsolidationLock {
  /** Milliseconds; 0 when there was none. Exactly one `stat`. */
  lastConsolidatedAt(): Promise<number>;
  state(): Promise<LockState>;
  /** `null` when a dream is under way, here or in Claude Code. `startedAt` is the time that `complete` sets, in ms. */
  tryAcquireConsolidationLock(startedAt: number): Promise<HeldLock | null>;
  /** Takes back what a crash of ours left in the file. Does nothing while somebody dreams. */
  recover(): Promise<void>;
}

/** What we wrote into the file, noted before we write it. */
interface Acquired {
  readonly pid: number;
  readonly priorMtime: number;
  readonly startedAt: number;
}

/** `stateFolder` is ours alone; `guard` excludes every other dreamer of ours. */
export function openConsolidationLock(options: {
  readonly memoryDir: string;
  readonly stateFolder: string;
  readonly disk: Disk;
  readonly guard: Guard;
  readonly processes: ProcessTable;
  readonly now: () => number;
  readonly log: Logger;
}): ConsolidationLock {
  const { memoryDir, stateFolder, disk, guard, processes, now, log } = options;
  const path = join(memoryDir, lockName);
  const notePath = join(stateFolder, 'acquired.json');
  const folder: Folder = openFolder(memoryDir, disk);

  async function read(): Promise<{ readonly stat: FileStat; readonly body: string | undefined } | undefined> {
    const stat = await disk.stat(path);
    if (!stat) return undefined;
    const bytes = await disk.read(path).catch(() => undefined);
    return { stat, body: bytes?.toString('utf8') };
  }

  /** The living holder by the rules of the file, or `undefined` when it may be taken. */
  async function holderOf(file: Awaited<ReturnType<typeof read>>): Promise<number | undefined> {
    if (!file || now() - file.stat.mtimeMs >= holderLifeMs) return undefined;
    const pid = parsePid(file.body);
    return pid !== undefined && (await processes.startedAt(pid)) !== undefined ? pid : undefined;
  }

  const write = (body: string, mtimeMs: number, isStillRight = async () => true) =>
    folder.write(lockName, body, { tag, mtimeMs, isStillRight });

  async function putBack(priorMtime: number): Promise<void> {
    if (priorMtime === 0) await folder.remove(lockName);
    else await write('', priorMtime);
  }

  const isOurs = async (pid = processes.pid) => parsePid((await read())?.body) === pid;

  async function removeLeftover(): Promise<void> {
    await disk.remove(await folder.temporaryFor(lockName, tag));
  }

  /** With our guard held, a note means that its writer died, or could not put the file back. */
  async function recoverHeld(): Promise<void> {
    const note = await readJson<Acquired>(disk, notePath);
    await removeLeftover();
    await removeLeftovers(disk, stateFolder, async (pid) => (await processes.startedAt(pid)) !== undefined);
    if (note && typeof note.pid === 'number' && typeof note.priorMtime === 'number') {
      const file = await read();
      // Somebody else's number, or another time: the file went on without us.
      if (file && parsePid(file.body) === note.pid && Math.abs(file.stat.mtimeMs - note.startedAt) < 1) {
        await putBack(note.priorMtime);
        log.info('Took back the lock of a dream that did not end.');
      }
    }
    if (note || (await disk.stat(notePath))) await disk.remove(notePath);
  }

  async function acquireHeld(startedAt: number, hold: Hold): Promise<HeldLock | null> {
    await recoverHeld();
    const before = await read();
    if ((await holderOf(before)) !== undefined) return null;
    const priorMtime = before?.stat.mtimeMs ?? 0;
    await writeJson(disk, notePath, { pid: processes.pid, priorMtime, startedAt } satisfies Acquired);
    // Claude Code knows no guard of ours. Its protocol leaves a gap between looking and writing, and ours is one step wide.
    const isUnchanged = async () => {
      const again = await read();
      return again?.body === before?.body && again?.stat.mtimeMs === before?.stat.mtimeMs;
    };
    const isWritten = await write(String(processes.pid), startedAt, isUnchanged).then(
      () => true,
      (error) => {
        if ((error as { code?: string }).code !== 'changed') throw error;
        return false;
      },
    );
    // Another writer's number in it: that one was later, and holds.
    if (!isWritten || !(await isOurs())) {
      await disk.remove(notePath);
      return null;
    }

    let ended = false;
    async function end(what: () => Promise<void>): Promise<void> {
      if (ended) return;
      ended = true;
      try {
        if (await isOurs()) await what();
        await disk.remove(notePath);
      } catch (error) {
        // The note stays: the next look takes the file back.
        log.warn(`The consolidation lock could not be put back: ${(error as NodeJS.ErrnoException).code ?? error}`);
      } finally {
        await hold.release().catch((error) => log.warn(`Releasing the dream's guard: ${error}`));
      }
    }
    return {
      priorMtime,
      isHeld: async () => {
        const ours = await isOurs();
        return ours && !ended && (await hold.isHeld());
      },
      complete: () => end(() => write('', startedAt)),
      rollBack: () => end(() => putBack(priorMtime)),
    };
  }

  return {
    lastConsolidatedAt: async () => (await disk.stat(path))?.mtimeMs ?? 0,
    async state() {
      const file = await read();
      const pid = await holderOf(file);
      const own = pid === undefined ? await guard.holder() : undefined;
      const holderPid = pid ?? own?.pid;
      return {
        lastConsolidatedAt: file?.stat.mtimeMs ?? 0,
        held: holderPid !== undefined,
        ...(holderPid === undefined ? {} : { holderPid }),
      };
    },
    async tryAcquireConsolidationLock(startedAt) {
      const hold = await guard.tryAcquire('dream');
      if (!hold) return null;
      let lock: HeldLock | null = null;
      try {
        lock = await acquireHeld(startedAt, hold);
        return lock;
      } finally {
        if (!lock) await hold.release();
      }
    },
    async recover() {
      const isLeft =
        (await disk.stat(notePath)) ??
        (await disk.stat(await folder.temporaryFor(lockName, tag)).catch(() => undefined));
      if (!isLeft) return;
      const hold = await guard.tryAcquire('recover the lock');
      if (!hold) return;
      try {
        await recoverHeld();
      } finally {
        await hold.release();
      }
    },
  };
}

/** A bare decimal number, as Claude Code writes it; anything else names nobody. */
function parsePid(body: string | undefined): number | undefined {
  const pid = /^\s*(\d{1,10})\s*$/.exec(body ?? '')?.[1];
  return pid === undefined || Number(pid) === 0 ? undefined : Number(pid);
}
