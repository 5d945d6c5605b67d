// The one door to the file system. Everything the engine reads or changes on disk goes through a `Disk`, so that a test
// can count reads, refuse a write (as root chmod denies nothing) or end the process half-way through one.
// It adds no policy: what is absent is `undefined`, every other error of the operating system passes through.

import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds, with the fraction the file system keeps. */
  readonly mtimeMs: number;
  readonly inode: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

/** `at` is the place in the list that was asked for. What it throws ends the reading. */
export type StartReader = (at: number, found: RangeRead | undefined, failure?: unknown) => void;

export interface RangeRead {
  readonly bytes: Buffer;
  readonly stat: FileStat;
}

export interface Disk {
  /** The whole file, or `undefined` when there is none. */
  read(path: string): Promise<Buffer | undefined>;
  /** At most `length` bytes from byte `from`, with the stat of the very file that was read. */
  readRange(path: string, from: number, length: number): Promise<RangeRead | undefined>;
  /**
   * The first bytes of many files: each is told of once, with what `readRange` says of it or the error it fails with. `bytes`
   * hold good during that call only.
   */
  readStarts(paths: readonly string[], length: number, tell: StartReader): Promise<void>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Like `stat`, but of a link itself. */
  lstat(path: string): Promise<FileStat | undefined>;
  /** Entries of a folder in the file system's order, or `undefined` when there is no such folder. */
  list(path: string): Promise<FolderEntry[] | undefined>;
  realpath(path: string): Promise<string | undefined>;

  // What follows changes something. A failed `create` leaves no file.
  /** Creates `path` with these bytes, flushed to disk. Fails with `EEXIST` if there is one. */
  create(path: string, bytes: Buffer, mode?: number): Promise<void>;
  /** In one write, at the end. `flush`: it is on the disk when this resolves. */
  append(path: string, bytes: Buffer, options?: { readonly flush?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; fails with `EEXIST`. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file; absent is fine. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder; absent or not empty is fine. */
  removeFolder(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  setModified(path: string, mtimeMs: number): Promise<void>;

  /** Calls `changed` with the name of an entry (or none) when something in the folder changes. Never keeps the process alive. */
  watch(folder: string, changed: (name: string | undefined) => void): { dispose(): void } | undefined;
}

const open = promisify(fs.open);
const close = promisify(fs.close);
function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FileStat['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
}

const toStat = (stats: fs.Stats): FileStat => ({
  kind: kindOf(stats),
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  inode: stats.ino,
  mode: stats.mode & 0o777,
});

const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

const isAbsent = (error: unknown): boolean => code(error) === 'ENOENT' || code(error) === 'ENOTDIR';

async function absent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

// What follows is what a scan of thousands of files is made of: callbacks, for a promise fewer at each step.
function readElsewhere(path: string, from: number, length: number) {
  return new Promise<RangeRead | undefined>((resolve, reject) => {
    fs.open(path, 'r', (failure, fd) => {
      if (failure) return isAbsent(failure) ? resolve(undefined) : reject(failure);
      const bytes = Buffer.allocUnsafe(length);
      let problem: Error | null = null;
      let stats: fs.Stats | undefined;
      let read = 0;
      let pending = 2;
      const ended = (error: Error | null) => {
        problem ??= error;
        pending -= 1;
        if (pending > 0) return;
        // Nobody waits for the closing: nothing was written that it could lose.
        fs.close(fd, () => {});
        if (problem || !stats) reject(problem);
        else resolve({ bytes: bytes.subarray(0, read), stat: toStat(stats) });
      };
      fs.fstat(fd, (error, found) => {
        stats = found;
        ended(error);
      });
      fs.read(fd, bytes, 0, length, from, (error, count) => {
        read = count;
        ended(error);
      });
    });
  });
}

const smallRead = Buffer.alloc(4096);
/** How long reading may hold up everything else at a time. */
const holdUpMs = 2;
/** A read that took this long may have waited for a disk: others then go elsewhere for twenty times as long. */
const slowMs = 0.5;
const restFactor = 20;
const elsewhereAtOnce = 16;
let heldUpMs = 0;
let quickFrom = 0;
// A pipe that stands where a file should must not be waited for.
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/**
 * Few bytes that the system has in memory are read in a fifth of the time that it takes to ask another thread for them.
 * So small reads happen right here as long as they are quick, and for two milliseconds of a turn at most.
 */
async function readRange(path: string, from: number, length: number): Promise<RangeRead | undefined> {
  const start = performance.now();
  if (!isQuick(length, start) || heldUpMs >= holdUpMs) return readElsewhere(path, from, length);
  try {
    return kept(readHere(path, from, length));
  } finally {
    tookHere(performance.now() - start);
  }
}

const isQuick = (length: number, now: number): boolean => length <= smallRead.length && now >= quickFrom;

function tookHere(readMs: number, ms = readMs): void {
  if (heldUpMs === 0) setImmediate(endOfTurn);
  heldUpMs += ms;
  if (readMs > slowMs) quickFrom = performance.now() + readMs * restFactor;
}

function endOfTurn(): void {
  heldUpMs = 0;
}

/** As `readRange`, without a promise and a copy for each: of ten thousand files those take as long as the reading. */
async function readStarts(paths: readonly string[], length: number, tell: StartReader): Promise<void> {
  for (let at = 0; at < paths.length; ) {
    let start = performance.now();
    if (!isQuick(length, start)) {
      const some = paths.slice(at, at + elsewhereAtOnce);
      await Promise.all(some.map((path, more) => tellOf(readElsewhere(path, 0, length), at + more, tell)));
      at += some.length;
      continue;
    }
    if (heldUpMs >= holdUpMs) await new Promise<void>((resolve) => setImmediate(resolve));
    start = performance.now();
    for (; at < paths.length && heldUpMs < holdUpMs && start >= quickFrom; at += 1) {
      const read = tellHere(paths[at] ?? '', length, at, tell);
      const told = performance.now();
      tookHere(read - start, told - start);
      start = told;
    }
  }
}

/** Returns when the reading ended. */
function tellHere(path: string, length: number, at: number, tell: StartReader): number {
  let found: RangeRead | undefined;
  let failure: unknown;
  try {
    found = readHere(path, 0, length);
  } catch (error) {
    failure = error;
  }
  const read = performance.now();
  tell(at, found, failure);
  return read;
}

async function tellOf(read: Promise<RangeRead | undefined>, at: number, tell: StartReader): Promise<void> {
  let found: RangeRead | undefined;
  let failure: unknown;
  try {
    found = await read;
  } catch (error) {
    failure = error;
  }
  tell(at, found, failure);
}

const kept = (found: RangeRead | undefined): RangeRead | undefined =>
  found && { bytes: Buffer.from(found.bytes), stat: found.stat };

/** What is returned holds good until the next reading; see `kept`. */
function readHere(path: string, from: number, length: number): RangeRead | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, openFlags);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const count = fs.readSync(fd, smallRead, 0, length, from);
    return { bytes: smallRead.subarray(0, count), stat: toStat(fs.fstatSync(fd)) };
  } finally {
    fs.closeSync(fd);
  }
}

const statWith = (look: typeof fs.lstat) => (path: string) =>
  new Promise<FileStat | undefined>((resolve, reject) => {
    look(path, (failure, stats) => {
      if (!failure) resolve(toStat(stats));
      else if (isAbsent(failure)) resolve(undefined);
      else reject(failure);
    });
  });

async function create(path: string, bytes: Buffer, mode = 0o600): Promise<void> {
  const file = await fs.promises.open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await file.close();
    await fs.promises.rm(path, { force: true });
    throw error;
  }
  await file.close();
}

export const nodeDisk: Disk = {
  read: (path) => absent(fs.promises.readFile(path)),
  readRange,
  readStarts,
  stat: statWith(fs.stat),
  lstat: statWith(fs.lstat),
  list: (path) =>
    absent(
      fs.promises
        .readdir(path, { withFileTypes: true })
        .then((entries) => entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }))),
    ),
  realpath: (path) => absent(fs.promises.realpath(path)),

  create,
  append: (path, bytes, { flush = false } = {}) => fs.promises.appendFile(path, bytes, { mode: 0o600, flush }),
  rename: async (from, to) => {
    await fs.promises.rename(from, to);
    await syncFolder(dirname(to));
  },
  link: (from, to) => fs.promises.link(from, to),
  remove: async (path) => void (await absent(fs.promises.unlink(path))),
  removeFolder: async (path) => {
    try {
      await fs.promises.rmdir(path);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code(error) ?? '')) throw error;
    }
  },
  makeFolder: async (path) => void (await fs.promises.mkdir(path, { recursive: true, mode: 0o700 })),
  setModified: (path, mtimeMs) => fs.promises.utimes(path, mtimeMs / 1000, mtimeMs / 1000),

  watch(folder, changed) {
    try {
      const watcher = fs.watch(folder, { persistent: false }, (_kind, name) => changed(name ?? undefined));
      // A folder that goes away ends its watcher with an error on some systems; its parent's watcher reports it.
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    } catch {
      return undefined;
    }
  },
};

function hereOrAbsent<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * For a process that does one thing while somebody waits for it, and nothing beside: it reads in place, which takes a third of
 * the time, and flushes nothing. An editor would stand still meanwhile, and what must not be lost is not to be written so.
 */
export const blockingDisk: Disk = {
  ...nodeDisk,
  read: async (path) => hereOrAbsent(() => fs.readFileSync(path)),
  readRange: async (path, from, length) => {
    if (length > smallRead.length) return readElsewhere(path, from, length);
    return kept(readHere(path, from, length));
  },
  readStarts: async (paths, length, tell) => {
    for (const [at, path] of paths.entries()) {
      if (length > smallRead.length) await tellOf(readElsewhere(path, 0, length), at, tell);
      else tellHere(path, length, at, tell);
    }
  },
  stat: async (path) => hereOrAbsent(() => toStat(fs.statSync(path))),
  lstat: async (path) => hereOrAbsent(() => toStat(fs.lstatSync(path))),
  list: async (path) =>
    hereOrAbsent(() =>
      fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
    ),
  realpath: async (path) => hereOrAbsent(() => fs.realpathSync(path)),
  create: async (path, bytes, mode = 0o600) => fs.writeFileSync(path, bytes, { flag: 'wx', mode }),
  append: async (path, bytes) => fs.appendFileSync(path, bytes, { mode: 0o600 }),
  rename: async (from, to) => fs.renameSync(from, to),
  remove: async (path) => hereOrAbsent(() => fs.unlinkSync(path)),
  makeFolder: async (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
};

/** A rename is only durable once its folder is flushed. Not every system can open a folder: then there is nothing to do. */
async function syncFolder(path: string): Promise<void> {
  try {
    const fd = await open(path, 'r');
    try {
      await promisify(fs.fsync)(fd);
    } finally {
      await close(fd);
    }
  } catch {
    // Windows refuses to open folders.
  }
}
