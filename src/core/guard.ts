// One holder at a time, across windows, hooks and the command line of this machine (decision 11). Holders are numbered
// files: who creates the next number holds, once the highest number is released or its process is gone. A number never
// comes back while a higher one exists, so a slow contender can't mistake a new holder for the old one. It protects
// Reverie from Reverie only: Claude Code does not know of it.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Disk } from './disk';
import { removeLeftovers } from './files';
import { MemoryError } from './memoryError';

export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process started, as its system counts it; tells a reused process number apart. */
  readonly started: string;
  readonly token: string;
  readonly purpose: string;
  readonly at: number;
}

export interface Hold {
  /** Whether this is still the holder. Ask before anything is applied. */
  isHeld(): Promise<boolean>;
  /** Safe to call twice. */
  release(): Promise<void>;
}

export interface Guard {
  /** `undefined` when another process holds it. */
  tryAcquire(purpose: string): Promise<Hold | undefined>;
  /** Waits up to `waitMs`, then throws `MemoryError` `busy`. The hold is released whatever `work` does. */
  run<T>(purpose: string, work: (hold: Hold) => Promise<T>, waitMs?: number): Promise<T>;
  holder(): Promise<Holder | undefined>;
}

/** What a guard must know of processes; a test gives its own. */
export interface ProcessTable {
  readonly host: string;
  readonly pid: number;
  /** `undefined` when there is no such process; '' when there is one and its start can't be told. */
  startedAt(pid: number): Promise<string | undefined>;
}

/** A holder file without readable content is being written, or was cut by a crash; after this it counts as gone. */
const unreadableGoneMs = 10_000;
/** A holder on another host of a shared home can't be asked whether it lives. */
const otherHostGoneMs = 60 * 60_000;
/** Two machines' clocks differ by less: a file from further ahead was made before the clock was set back. */
const aheadGoneMs = 60 * 60_000;

export function nodeProcessTable(disk: Disk): ProcessTable {
  return {
    host: hostname(),
    pid: process.pid,
    async startedAt(pid) {
      try {
        process.kill(pid, 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
      }
      const stat = await disk.read(`/proc/${pid}/stat`).catch(() => undefined);
      // Field 22, counted behind the command's closing parenthesis because a command may hold spaces.
      return stat?.toString('latin1').split(') ').pop()?.split(' ')[19] ?? '';
    },
  };
}

/** Opens the guard whose files lie in `folder`. Other processes must name the same folder. */
export function openGuard(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly processes: ProcessTable;
  readonly now?: () => number;
}): Guard {
  const { folder, disk, processes, now = Date.now } = options;
  const fileOf = (number: number) => join(folder, `${number}.json`);
  const releasedOf = (number: number) => join(folder, `${number}.released`);

  async function numbers(): Promise<{ held: number[]; released: Set<number> }> {
    const names = (await disk.list(folder))?.map((entry) => entry.name) ?? [];
    const pick = (ending: string) =>
      names.filter((name) => name.endsWith(ending)).map((name) => Number.parseInt(name, 10));
    return { held: pick('.json').filter(Number.isFinite), released: new Set(pick('.released')) };
  }

  async function isGone(number: number): Promise<boolean> {
    const stat = await disk.stat(fileOf(number));
    if (!stat) return true;
    const holder = parseHolder(await disk.read(fileOf(number)));
    const age = now() - stat.mtimeMs;
    const isFromAhead = age < -aheadGoneMs;
    if (!holder) return age > unreadableGoneMs || isFromAhead;
    if (holder.host !== processes.host) return age > otherHostGoneMs || isFromAhead;
    const started = await processes.startedAt(holder.pid);
    return started === undefined || (started !== '' && holder.started !== '' && started !== holder.started);
  }

  /** A release that a full disk refused; until it is done nobody gets in, so it is tried again. */
  let unreleased: (() => Promise<void>) | undefined;

  async function tryAcquire(purpose: string): Promise<Hold | undefined> {
    await unreleased?.().catch(() => {});
    await disk.makeFolder(folder);
    const before = await numbers();
    const top = Math.max(0, ...before.held, ...before.released);
    if (top > 0 && !before.released.has(top) && !(await isGone(top))) return undefined;

    const mine = top + 1;
    const token = randomBytes(12).toString('hex');
    const started = (await processes.startedAt(processes.pid)) ?? '';
    const holder: Holder = { host: processes.host, pid: processes.pid, started, token, purpose, at: now() };
    if (!(await createWhole(disk, folder, fileOf(mine), token, holder))) return undefined;

    const after = await numbers();
    if (Math.max(...after.held, ...after.released) > mine) {
      await disk.remove(fileOf(mine));
      return undefined;
    }
    for (const old of new Set([...after.held, ...after.released])) {
      if (old >= mine) continue;
      await disk.remove(fileOf(old));
      await disk.remove(releasedOf(old));
    }
    await removeLeftovers(disk, folder, async (pid) => (await processes.startedAt(pid)) !== undefined);
    return {
      isHeld: async () => {
        if (parseHolder(await disk.read(fileOf(mine)))?.token !== token) return false;
        const { held, released } = await numbers();
        return Math.max(...held, ...released) === mine && !released.has(mine);
      },
      // The number stays taken, with a mark beside it, until a higher one exists: a slow contender can't take it again.
      release,
    };

    async function release(): Promise<void> {
      unreleased = release;
      const isMine = parseHolder(await disk.read(fileOf(mine)))?.token === token;
      if (isMine && !(await disk.stat(releasedOf(mine)))) await disk.create(releasedOf(mine), Buffer.alloc(0));
      unreleased = undefined;
    }
  }

  return {
    tryAcquire,
    async run(purpose, work, waitMs = 15_000) {
      const deadline = now() + waitMs;
      for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
        const hold = await tryAcquire(purpose);
        if (hold) {
          try {
            return await work(hold);
          } finally {
            // The work is done or failed by itself; a release that failed is tried again before the next hold.
            await hold.release().catch(() => {});
          }
        }
        if (now() >= deadline) {
          throw new MemoryError('busy', 'Another window or command is changing these memories. Try again in a moment.');
        }
        await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
      }
    },
    async holder() {
      await unreleased?.().catch(() => {});
      const { held, released } = await numbers();
      const top = Math.max(0, ...held, ...released);
      if (top === 0 || released.has(top) || (await isGone(top))) return undefined;
      return parseHolder(await disk.read(fileOf(top)));
    },
  };
}

/** Creates a file that is never seen half-written: written apart, then given its name, which fails if it is taken. */
async function createWhole(disk: Disk, folder: string, path: string, token: string, holder: Holder): Promise<boolean> {
  const draft = join(folder, `.${holder.pid}.${token}.tmp`);
  const bytes = Buffer.from(JSON.stringify(holder));
  await disk.create(draft, bytes);
  try {
    await disk.link(draft, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    // A file system without hard links: the name is taken first and filled after.
    return await disk.create(path, bytes).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code === 'EEXIST') return false;
        throw failure;
      },
    );
  } finally {
    await disk.remove(draft);
  }
}

function parseHolder(bytes: Buffer | undefined): Holder | undefined {
  try {
    const value = JSON.parse(bytes?.toString('utf8') ?? '') as Partial<Holder>;
    return typeof value.pid === 'number' && typeof value.token === 'string' ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}
