// A memory folder of a test with a dream over it: memories by path, a set clock, an engine in the middle that the test may give.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../src/core/disk';
import { openConsolidationLock } from '../../src/core/dream/consolidationLock';
import { createDream, type Dream, type DreamParts } from '../../src/core/dream/dream';
import type { DreamEngine } from '../../src/core/dream/dreamEngine';
import type { DreamSettings } from '../../src/core/dream/gates';
import { createTidy, type Gather } from '../../src/core/dream/tidy';
import { nodeProcessTable, openGuard } from '../../src/core/guard';
import { existsBelow, readThrough } from '../../src/core/keeping';
import type { Logger } from '../../src/core/log';
import { openMemoryStore } from '../../src/core/memory/memoryStore';
import { openSnapshots, type Snapshots } from '../../src/core/memory/snapshots';
import type { Session } from '../../src/core/sessions/transcript';

export const dreamNow = Date.UTC(2026, 10, 30, 9);
export const dayMs = 86_400_000;

export interface DreamStore {
  readonly memoryDir: string;
  readonly stateDir: string;
  readonly snapshots: Snapshots;
  /** What was logged as a warning or an error. */
  readonly said: string[];
  readonly clock: { now: number };
  put(path: string, text: string, mtimeMs?: number): Promise<void>;
  /** Every file by path; the lock left out. */
  files(): Promise<Record<string, string>>;
  /** Modification times, whole milliseconds. */
  times(): Promise<Record<string, number>>;
  lockTime(): Promise<number | undefined>;
  open(options?: DreamStoreOptions): Dream;
  remove(): Promise<void>;
}

export interface DreamStoreOptions {
  readonly engine?: DreamEngine;
  readonly gather?: Gather;
  readonly settings?: Partial<DreamSettings>;
  readonly sessions?: readonly Session[];
  readonly disk?: Disk;
  readonly limitMs?: number;
  readonly rest?: string;
  /** Assistant mode is on, with this night. */
  readonly night?: DreamParts['night'];
}

export const noSignals: Gather = async () => ({ notes: new Map(), created: [] });

export async function createDreamStore(memories: Readonly<Record<string, string>> = {}): Promise<DreamStore> {
  const base = await mkdtemp(join(tmpdir(), 'dream-'));
  const memoryDir = join(base, 'memory');
  const stateDir = join(base, 'state');
  await mkdir(memoryDir);
  const clock = { now: dreamNow };
  const now = () => clock.now;
  const said: string[] = [];
  const say = (message: string | Error) => void said.push(String(message));
  const log: Logger = { trace() {}, debug() {}, info() {}, warn: say, error: say };
  const partsOver = (disk: Disk) => {
    const processes = nodeProcessTable(disk);
    const store = openMemoryStore({ roots: { private: memoryDir }, disk, now, log });
    const guard = openGuard({ folder: join(stateDir, 'guard'), disk, processes });
    return {
      processes,
      store,
      snapshots: openSnapshots({ folder: stateDir, files: store, disk, guard, processes, now, log }),
    };
  };

  async function put(path: string, text: string, mtimeMs = dreamNow - 100 * dayMs): Promise<void> {
    const file = join(memoryDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, mtimeMs / 1000, mtimeMs / 1000);
  }
  for (const [path, text] of Object.entries(memories)) await put(path, text);

  async function each<T>(look: (file: string) => Promise<T>): Promise<Record<string, T>> {
    const found: Record<string, T> = {};
    for (const name of (await readdir(memoryDir, { recursive: true })).sort()) {
      const file = join(memoryDir, name);
      if (name !== '.consolidate-lock' && (await stat(file)).isFile()) found[name] = await look(file);
    }
    return found;
  }

  return {
    memoryDir,
    stateDir,
    snapshots: partsOver(nodeDisk).snapshots,
    said,
    clock,
    put,
    files: () => each((file) => readFile(file, 'utf8')),
    times: () => each(async (file) => Math.round((await stat(file)).mtimeMs)),
    lockTime: () =>
      stat(join(memoryDir, '.consolidate-lock')).then(
        ({ mtimeMs }) => Math.round(mtimeMs),
        () => undefined,
      ),
    open(options = {}) {
      const disk = options.disk ?? nodeDisk;
      const { processes, store, snapshots } = partsOver(disk);
      const folder = join(stateDir, 'dream');
      const guard = openGuard({ folder: join(folder, 'guard'), disk, processes });
      const engine = options.engine ?? createTidy(options.gather ?? noSignals);
      return createDream({
        folder,
        disk,
        lock: openConsolidationLock({ memoryDir, stateFolder: folder, disk, guard, processes, now, log }),
        snapshots,
        engine: async () => ({ name: 'offline', dream: engine }),
        settings: () => ({ mode: 'review', minHours: 24, minSessions: 5, maxLossPercent: 25, ...options.settings }),
        isAssistantMode: () => options.night !== undefined,
        ...(options.night ? { night: options.night } : {}),
        rest: async () => options.rest,
        sessionsSince: async (since) => (options.sessions ?? []).filter(({ modifiedAt }) => modifiedAt > since),
        heads: store.heads,
        readThrough: (path) => readThrough(store, path),
        exists: (path) => existsBelow(store, path),
        now,
        log,
        ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
      });
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** A memory as Claude Code writes it. */
export function memoryOf(
  name: string,
  body: string,
  more: {
    readonly type?: string;
    readonly pinned?: boolean;
    readonly modified?: string;
    readonly session?: string;
  } = {},
): string {
  return [
    '---',
    `name: ${name}`,
    `description: About ${name}`,
    'metadata: ',
    '  node_type: memory',
    `  type: ${more.type ?? 'project'}`,
    ...(more.session ? [`  originSessionId: ${more.session}`] : []),
    ...(more.modified ? [`  modified: ${more.modified}`] : []),
    ...(more.pinned ? ['  pinned: true'] : []),
    '---',
    '',
    body,
    '',
  ].join('\n');
}

export const sessionsAfter = (at: number, count: number): Session[] =>
  Array.from({ length: count }, (_, number) => ({
    kind: 'claude-code',
    id: `00000000-0000-4000-8000-00000000000${number}`,
    file: `/transcripts/00000000-0000-4000-8000-00000000000${number}.jsonl`,
    size: 1,
    modifiedAt: at + number + 1,
  }));
