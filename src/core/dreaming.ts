// The dream of one project, joined from its parts: whose folders, which sessions, what starts it. It runs at the end of a turn or a
// session, after what was said is saved, and when it has been quiet for a while; asked for by hand it waits for nothing
// but the lock. Nothing here decides what a dream changes.

import { join } from 'node:path';
import type { Disk } from './disk';
import { openConsolidationLock } from './dream/consolidationLock';
import { createDream, type Dream } from './dream/dream';
import type { DreamTrigger } from './dream/gates';
import { createTidy } from './dream/tidy';
import { createGather } from './dreamGathering';
import type { EngineSettings } from './engineSettings';
import type { Disposable } from './event';
import type { SavingContext } from './extraction/saving';
import { openGuard, type ProcessTable } from './guard';
import { readThrough } from './keeping';
import type { Logger } from './log';
import type { Overlay } from './memory/changeset';
import type { MemoryStore } from './memory/memoryStore';
import type { Suggestions } from './memory/proposals';
import type { Snapshots } from './memory/snapshots';
import type { Rest } from './project';
import type { Cursors } from './sessions/cursors';
import type { Clock, Session, TranscriptSource } from './sessions/transcript';

/** Nothing was said for this long: a good time to tidy up. */
const quietMs = 15 * 60_000;
const longestWaitMs = 6 * 3_600_000;

export interface Dreaming {
  readonly dream: Dream;
  /** A turn or a session has ended, and what it brought is saved. */
  ended(trigger: 'turnEnd' | 'sessionEnd', session: Pick<Session, 'id'>): Promise<void>;
  /** Begins to wait for quiet. */
  start(): Disposable;
}

export function createDreaming(options: {
  readonly memoryDir: string;
  readonly stateDir: string;
  readonly disk: Disk;
  readonly processes: ProcessTable;
  readonly store: MemoryStore;
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly settings: () => EngineSettings;
  readonly rest: () => Promise<Rest | undefined>;
  /** Looks for transcript folders that have come since. */
  readonly refresh: () => Promise<unknown>;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Logger;
}): Dreaming {
  const { disk, store, snapshots, source, cursors, settings, clock, now, log } = options;
  const folder = join(options.stateDir, 'dream');
  const guard = openGuard({ folder: join(folder, 'guard'), disk, processes: options.processes });
  const { memoryDir, processes } = options;
  const lock = openConsolidationLock({ memoryDir, stateFolder: folder, disk, guard, processes, now, log });
  const tidy = createTidy(createGather(options));
  const dream = createDream({
    folder,
    disk,
    lock,
    snapshots,
    engine: () => ({ name: 'offline', dream: tidy }),
    settings: () => settings().dream,
    isAssistantMode: () => false,
    rest: async () => restText(await options.rest()),
    async sessionsSince(since) {
      await options.refresh();
      const sessions = await source.list(since);
      const states = await Promise.all(sessions.map((session) => cursors.get(session.file)));
      return sessions.filter((session, at) => session.kind !== 'foreign' && !states[at]?.excluded);
    },
    heads: store.heads,
    readThrough: (path) => readThrough(store, path),
    async exists(path) {
      const { folder: root, relative } = await store.locate(path);
      return (await root.stat(relative)) !== undefined;
    },
    now,
    log,
  });

  let timer: Disposable | undefined;
  let isOver = false;

  /** One timer: none while dreams only come by hand. */
  function waitForQuiet(ms = quietMs): void {
    timer?.dispose();
    timer = undefined;
    if (isOver || ['off', 'manual'].includes(settings().dream.mode)) return;
    timer = clock.setTimer(ms, () => {
      void dream
        .executeAutoDream('quiet')
        .then(nextLook)
        .then(waitForQuiet)
        .catch((error) => log.warn(`The quiet timer: ${error}`));
    });
  }

  /** When the time gate may open, if that is known to be later. */
  async function nextLook(): Promise<number> {
    const due = (await lock.lastConsolidatedAt()) + settings().dream.minHours * 3_600_000 - now();
    return Math.min(Math.max(due, 4 * quietMs), longestWaitMs);
  }

  return {
    dream,
    async ended(trigger: DreamTrigger, session) {
      waitForQuiet();
      await dream.executeAutoDream(trigger, { currentSession: session.id });
    },
    start() {
      waitForQuiet();
      return {
        dispose() {
          isOver = true;
          timer?.dispose();
          void dream.cancel();
        },
      };
    },
  };
}

/** For a person; English. */
function restText(rest: Rest | undefined): string | undefined {
  if (rest === undefined) return undefined;
  if (rest.kind === 'disabled') return `Memory is switched off by ${rest.by}.`;
  if (rest.kind === 'untrusted') return 'Nothing runs in a workspace that is not trusted.';
  return rest.until === undefined
    ? 'Memory is paused until somebody resumes it.'
    : `Memory is paused until ${new Date(rest.until).toISOString()}.`;
}
