// The daily logs of assistant mode, `logs/YYYY/MM/YYYY-MM-DD.md` in the memory folder. They are added to at the end, in whole lines,
// and never otherwise changed. What is to be added is noted in our own state before, so that a crash costs no line and makes
// none twice. No link on the way is followed; what stands there under another name is no log of ours to read.

import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Disk } from '../disk';
import { createEmitter, type Event } from '../event';
import { openFolder, readJson, shortHash, writeJson } from '../files';
import type { Guard } from '../guard';
import type { Logger } from '../log';
import { MemoryError } from '../memoryError';
import { formatLine, type LogEntry, type LogLine, parseLog } from './logLines';
import type { Zone } from './zone';

/** An entry with when it was said and in which messages. */
export type Said = LogEntry & {
  /** Milliseconds. */
  readonly at: number;
  /** uuids */
  readonly messages: readonly string[];
};

export interface LogSession {
  readonly id: string;
  readonly file: string;
  readonly title?: string;
}

/** What one look at a chat session added. */
export interface LogBatch {
  /** What `retract` takes. */
  readonly id: string;
  /** Milliseconds: when it was added. */
  readonly at: number;
  readonly session: LogSession;
  /** The last message that was looked at. */
  readonly upTo: string | undefined;
  readonly lines: readonly {
    readonly id: string;
    /** A memory path. */
    readonly path: string;
    /** As it stands in the log. */
    readonly text: string;
    readonly at: number;
    readonly messages: readonly string[];
  }[];
  readonly retracted?: boolean;
}

export interface LogFile {
  /** A memory path. */
  readonly path: string;
  /** `2026-12-01` */
  readonly day: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface DailyLogs {
  /** Every log, oldest first. */
  days(): Promise<readonly LogFile[]>;
  /** `undefined` where there is no log. Throws `outside` for a link. */
  bytes(path: string): Promise<Buffer | undefined>;
  lines(path: string): Promise<readonly LogLine[]>;
  /** Where what was said then belongs. */
  pathOf(at: number): string;
  /** Adds what is not there yet, each to the log of the day it was said on. `undefined` when there was nothing to add. */
  append(
    said: readonly Said[],
    from: { readonly session: LogSession; readonly upTo: string | undefined },
  ): Promise<LogBatch | undefined>;
  /** Takes a batch back: a line in today's log says so of each of its lines. Throws `not_found`, `usage`. */
  retract(batchId: string): Promise<{ readonly path: string; readonly lines: number }>;
  /** The batches that are known still, newest first; the last few hundred. */
  batches(): Promise<readonly LogBatch[]>;
  /** The last message of this session that was looked at by whoever added to the logs. */
  loggedUpTo(sessionFile: string): Promise<string | undefined>;
  /** Adds what a crash kept from being added. Leaves it alone while another process is at work. */
  recover(): Promise<void>;
  /** Where our own notes lie; another window's appear there. */
  readonly batchFolder: string;
  readonly onDidAppend: Event<void>;
}

export const logPattern = 'logs/YYYY/MM/YYYY-MM-DD.md';
export const batchPrefix = 'log-';

const ownPath = /^logs\/(\d{4})\/(\d{2})\/((\d{4})-(\d{2})-\d{2})\.md$/;

/** The day of a log's path; `undefined` for every other path. */
export function dayOfPath(path: string): string | undefined {
  const [, year, month, day, ofYear, ofMonth] = ownPath.exec(path) ?? [];
  return year === ofYear && month === ofMonth && !Number.isNaN(Date.parse(day ?? '')) ? day : undefined;
}

export const pathOfDay = (day: string): string => `logs/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`;

/** A log of more is no diary of a day. */
const largestBytes = 4 * 1_048_576;
const keptBatches = 500;
const dayMs = 86_400_000;

/** `folder`: of our own state. */
export function openDailyLogs(options: {
  readonly memoryDir: string;
  readonly folder: string;
  readonly disk: Disk;
  readonly guard: Guard;
  readonly zone: Zone;
  readonly now: () => number;
  readonly log: Logger;
}): DailyLogs {
  const { memoryDir, folder, disk, guard, zone, now, log } = options;
  const memory = openFolder(memoryDir, disk);
  const pendingPath = join(folder, 'pending.json');
  const batchFolder = join(folder, 'batches');
  const appended = createEmitter<void>((error) => log.error(error instanceof Error ? error : String(error)));

  /** Where a log lies. Throws `outside` when a link, or something that is no folder, is on the way. */
  async function locate(path: string): Promise<string> {
    const located = await memory.locate(path);
    const root = (await disk.realpath(memoryDir)) ?? memoryDir;
    const steps = path.split('/');
    for (let count = 1; count <= steps.length; count += 1) {
      const step = steps.slice(0, count).join('/');
      const stat = await disk.lstat(join(root, step));
      const wanted = count === steps.length ? 'file' : 'folder';
      if (stat && stat.kind !== wanted)
        throw new MemoryError('outside', `“${step}” is no ${wanted}: nothing is logged there.`, path);
    }
    return located;
  }

  async function days(): Promise<readonly LogFile[]> {
    const root = join(memoryDir, 'logs');
    if ((await disk.lstat(root))?.kind !== 'folder') return [];
    const named = async (place: string, name: RegExp, kind: 'folder' | 'file') =>
      ((await disk.list(place)) ?? [])
        .filter((entry) => entry.kind === kind && name.test(entry.name))
        .map((entry) => entry.name)
        .sort();
    const files: LogFile[] = [];
    for (const year of await named(root, /^\d{4}$/, 'folder')) {
      for (const month of await named(join(root, year), /^\d{2}$/, 'folder')) {
        for (const name of await named(join(root, year, month), /^\d{4}-\d{2}-\d{2}\.md$/, 'file')) {
          const path = `logs/${year}/${month}/${name}`;
          const day = dayOfPath(path);
          const stat = day === undefined ? undefined : await disk.lstat(join(root, year, month, name));
          if (day !== undefined && stat?.kind === 'file')
            files.push({ path, day, size: stat.size, mtimeMs: stat.mtimeMs });
        }
      }
    }
    return files;
  }

  async function bytes(path: string): Promise<Buffer | undefined> {
    if (dayOfPath(path) === undefined) return undefined;
    return (await disk.readRange(await locate(path), 0, largestBytes))?.bytes;
  }

  /** A crash may have cut a character: the lines around it still count. */
  const text = async (path: string) => (await bytes(path))?.toString('utf8') ?? '';
  const lines = async (path: string) => parseLog(await text(path));

  /** One write; behind a line that a crash cut, it begins a new one. */
  async function appendTo(path: string, added: readonly string[]): Promise<void> {
    await disk.makeFolder(dirname(await locate(path)));
    const real = await locate(path);
    const size = (await disk.stat(real))?.size ?? 0;
    const last = size > 0 ? (await disk.readRange(real, size - 1, 1))?.bytes.toString('latin1') : '\n';
    const start = last === '\n' ? '' : '\n';
    await disk.append(real, Buffer.from(`${start}${added.join('\n')}\n`), { flush: true });
  }

  async function carryOut(batch: LogBatch): Promise<void> {
    for (const path of new Set(batch.lines.map((line) => line.path))) {
      const wanted = batch.lines.filter((line) => line.path === path);
      const there = new Set((await text(path)).split(/\r?\n/));
      const missing = wanted.filter((line) => !there.has(line.text));
      if (missing.length > 0)
        await appendTo(
          path,
          missing.map((line) => line.text),
        );
    }
    await disk.makeFolder(batchFolder);
    await disk.rename(pendingPath, fileOf(batch.id));
    await prune();
    appended.fire();
  }

  async function recoverHeld(): Promise<void> {
    const batch = await readJson<LogBatch>(disk, pendingPath);
    if (isBatch(batch)) await carryOut(batch);
  }

  async function addHeld(batch: LogBatch): Promise<void> {
    await writeJson(disk, pendingPath, batch);
    await carryOut(batch);
  }

  async function prune(): Promise<void> {
    for (const name of (await batchNames()).slice(0, -keptBatches)) await disk.remove(join(batchFolder, name));
  }

  const fileOf = (id: string) => join(batchFolder, `${id.slice(batchPrefix.length)}.json`);
  const batchNames = async () =>
    ((await disk.list(batchFolder)) ?? [])
      .map(({ name }) => name)
      .filter((name) => /^\d[\w-]*\.json$/.test(name))
      .sort();
  const batchAt = async (name: string) => {
    const batch = await readJson<LogBatch>(disk, join(batchFolder, name));
    return isBatch(batch) ? batch : undefined;
  };

  /** Sorts by time; the session's part lets its last batch be found without reading the others. */
  const newId = (session: string) =>
    `${batchPrefix}${new Date(now()).toISOString().replace(/[:.]/g, '-')}-${shortHash(session)}-${randomBytes(3).toString('hex')}`;

  /** A time that makes sense; a message without one was said now. */
  const saidAt = (at: number) => (Number.isFinite(at) && at > 0 && at <= now() + dayMs ? at : now());

  const lineOf = (entry: LogEntry, at: number, id: string, messages: readonly string[]) => {
    const { day, minutes } = zone.local(at);
    return { id, path: pathOfDay(day), text: formatLine(entry, minutes, id), at, messages };
  };

  return {
    batchFolder,
    days,
    bytes,
    lines,
    pathOf: (at) => pathOfDay(zone.local(saidAt(at)).day),
    append: (said, { session, upTo }) =>
      guard.run('log', async () => {
        await recoverHeld();
        const known = new Map<string, Promise<ReadonlySet<string>>>();
        const idsIn = (path: string) => {
          const ids = known.get(path) ?? lines(path).then((found) => new Set(found.flatMap(({ id }) => id ?? [])));
          known.set(path, ids);
          return ids;
        };
        const fresh: LogBatch['lines'][number][] = [];
        for (const entry of said) {
          const id = shortHash([session.id, entry.messages[0] ?? '', entry.kind, entry.text].join('\n'));
          const line = lineOf(entry, saidAt(entry.at), id, entry.messages);
          const isThere = (await idsIn(line.path)).has(id) || fresh.some((one) => one.id === id);
          if (!isThere) fresh.push(line);
        }
        if (fresh.length === 0) return undefined;
        const batch: LogBatch = { id: newId(session.file), at: now(), session, upTo, lines: fresh };
        await addHeld(batch);
        return batch;
      }),
    retract: (batchId) =>
      guard.run('log', async () => {
        await recoverHeld();
        const batch = /^log-\d[\w-]*$/.test(batchId)
          ? await batchAt(`${batchId.slice(batchPrefix.length)}.json`)
          : undefined;
        if (!batch) throw new MemoryError('not_found', `There is no run “${batchId}”.`);
        if (batch.retracted) throw new MemoryError('usage', 'This run is undone already.');
        const today = pathOfDay(zone.local(now()).day);
        const said = new Set((await lines(today)).flatMap(({ kind, id }) => (kind === 'undo' && id ? [id] : [])));
        const undone = batch.lines.flatMap(({ id, text: raw }) =>
          said.has(id) ? [] : [lineOf({ kind: 'undo', text: parseLog(raw)[0]?.text ?? '' }, now(), id, [])],
        );
        const session = { id: 'undo', file: 'undo' };
        await addHeld({ id: newId('undo'), at: now(), session, upTo: undefined, lines: undone, retracted: true });
        await writeJson(disk, fileOf(batch.id), { ...batch, retracted: true });
        return { path: today, lines: batch.lines.length };
      }),
    async batches() {
      const found = await Promise.all((await batchNames()).map(batchAt));
      return found.filter((batch) => batch !== undefined).reverse();
    },
    async loggedUpTo(sessionFile) {
      const key = `-${shortHash(sessionFile)}-`;
      for (const name of (await batchNames()).reverse()) {
        const batch = name.includes(key) ? await batchAt(name) : undefined;
        if (batch?.session.file === sessionFile) return batch.upTo;
      }
      return undefined;
    },
    async recover() {
      if (!(await disk.stat(pendingPath))) return;
      const hold = await guard.tryAcquire('log');
      if (!hold) return;
      try {
        await recoverHeld();
      } finally {
        await hold.release();
      }
    },
    onDidAppend: appended.event,
  };
}

const isBatch = (value: LogBatch | undefined): value is LogBatch =>
  typeof value?.id === 'string' && value.id.startsWith(batchPrefix) && Array.isArray(value.lines);
