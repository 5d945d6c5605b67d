// The dream of one project, joined from its parts: whose folders, which sessions, what starts it. It runs at the end of a turn or a
// session, after what was said is saved, and when it has been quiet for a while; asked for by hand it waits for nothing
// but the lock. Nothing here decides what a dream changes.

import { join } from 'node:path';
import { ModelError } from './agent/languageModel';
import { chosenModel, type Provider } from './agent/provider';
import type { Spend } from './agent/spend';
import type { Assistant } from './assistant';
import type { Disk } from './disk';
import { openConsolidationLock } from './dream/consolidationLock';
import { createDream, type Dream } from './dream/dream';
import type { NamedEngine } from './dream/dreamEngine';
import type { DreamTrigger } from './dream/gates';
import type { Gather } from './dream/tidy';
import { createGather, settleKept, unwantedFacts } from './dreamGathering';
import type { EngineSettings } from './engineSettings';
import type { Disposable } from './event';
import type { SavingContext } from './extraction/saving';
import { openGuard, type ProcessTable } from './guard';
import { existsBelow, readThrough } from './keeping';
import type { Logger } from './log';
import { createLogGather } from './logGathering';
import { openNight } from './logs/night';
import type { Overlay } from './memory/changeset';
import type { MemoryHeader } from './memory/memory';
import type { MemoryStore } from './memory/memoryStore';
import type { Suggestions } from './memory/proposals';
import type { Snapshots } from './memory/snapshots';
import type { UsableMemories } from './memory/usableMemories';
import type { Rest } from './project';
import { type Cursors, isPastMessage } from './sessions/cursors';
import { digestText, type NumberedText } from './sessions/digest';
import type { Clock, Session, TranscriptSource } from './sessions/transcript';

/** Nothing was said for this long: a good time to tidy up. */
const quietMs = 15 * 60_000;
const longestWaitMs = 6 * 3_600_000;
/** A file that is replaced changes more than once. */
const settleMs = 200;

export interface Dreaming {
  readonly dream: Dream;
  /** What the nightly dream waits for. */
  night(): Promise<{ readonly dreamHour: number; readonly waitingLines: number }>;
  /** The settings changed: what is waited for may be something else. */
  configured(): void;
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
  /** What a model may see. */
  readonly usable: UsableMemories;
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly assistant: Assistant;
  readonly findForgotten: (words: string, heads: readonly MemoryHeader[]) => MemoryHeader | undefined;
  readonly provider: Provider;
  readonly spend: Spend;
  /** Sentences of CLAUDE.md files. */
  readonly guidance: () => Promise<readonly string[]>;
  readonly settings: () => EngineSettings;
  readonly rest: () => Promise<Rest | undefined>;
  /** Looks for transcript folders that have come since. */
  readonly refresh: () => Promise<unknown>;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Logger;
}): Dreaming {
  const { disk, store, usable, snapshots, source, cursors, provider, spend, settings, clock, now, log } = options;
  const folder = join(options.stateDir, 'dream');
  const guard = openGuard({ folder: join(folder, 'guard'), disk, processes: options.processes });
  const { memoryDir, processes } = options;
  const lock = openConsolidationLock({ memoryDir, stateFolder: folder, disk, guard, processes, now, log });
  const { assistant } = options;
  const { logs, distilled } = assistant;
  const fromSessions = createGather(options);
  const fromLogs = createLogGather({
    ...options,
    logs,
    distilled,
    isAssistantMode: assistant.isOn,
    unwanted: () => unwantedFacts(snapshots),
  });
  /** In assistant mode all that was said is in the logs; else they hold at most what the mode left. */
  const gather: Gather = async (context, signal) => {
    const said = assistant.isOn() ? { notes: new Map(), created: [] } : await fromSessions(context, signal);
    const logged = await fromLogs.gather(context, said.created, signal);
    return {
      ...logged,
      notes: new Map([...said.notes, ...logged.notes]),
      created: [...said.created, ...logged.created],
    };
  };
  const night = openNight({
    ...assistant,
    waiting: async () => (await dream.proposal())?.logs ?? [],
    disk,
    now,
  });
  async function engine(): Promise<NamedEngine> {
    const model = await chosenModel(provider, 'dream');
    if (!model) {
      const { createTidy } = await import('./tidyEngine');
      return { name: 'offline', dream: createTidy(gather) };
    }
    const mayRun = await spend.mayRun();
    if (!mayRun) throw new ModelError('over_budget', 'Today’s budget of tokens is used up.');
    const { createModelDream } = await import('./modelEngine');
    return {
      name: model.id,
      dream: createModelDream({
        model,
        digestOf,
        logs: fromLogs.documents,
        index: (overlay) => usable.indexes(undefined, overlay.read),
        isUsable: usable.isUsable,
        guidance: options.guidance,
        spend: (usage) => spend.record({ purpose: 'dream', model: model.id, usage }),
      }),
    };
  }

  /** The past before the first use is looked at only when a person asks for a dream. */
  async function digestOf(session: Session, byHand: boolean, signal: AbortSignal): Promise<NumberedText> {
    const state = byHand ? undefined : await cursors.get(session.file);
    try {
      const { messages } = await source.read(session, undefined, signal);
      return digestText(messages.filter((message) => !isPastMessage(message, state)));
    } catch (error) {
      signal.throwIfAborted();
      log.info(`A dream could not read ${session.id}: ${(error as { code?: string }).code ?? 'see above'}.`);
      return { text: '', numbered: new Map() };
    }
  }

  const dream = createDream({
    folder,
    disk,
    lock,
    snapshots,
    engine,
    settings: () => settings().dream,
    isAssistantMode: assistant.isOn,
    night,
    logsSettled: distilled.settle,
    rest: async () => restText(await options.rest()),
    async sessionsSince(since) {
      await options.refresh();
      const sessions = await source.list(since);
      const states = await Promise.all(sessions.map((session) => cursors.get(session.file)));
      return sessions.filter((session, at) => session.kind !== 'foreign' && !states[at]?.excluded);
    },
    heads: store.heads,
    readThrough: (path) => readThrough(store, path),
    exists: (path) => existsBelow(store, path),
    now,
    log,
  });

  dream.onDidChange((task) => {
    if (task.status !== 'applied') return;
    void settleKept(task.run, snapshots, options.suggestions).catch((error) => log.warn(`Suggestions: ${error}`));
  });

  let timer: Disposable | undefined;
  let isStarted = false;
  let isOver = false;

  /** One timer: none while dreams only come by hand. In assistant mode it is the nightly dream that quiet brings. */
  function waitForQuiet(ms = quietMs): void {
    timer?.dispose();
    timer = undefined;
    if (isOver || ['off', 'manual'].includes(settings().dream.mode)) return;
    timer = clock.setTimer(ms, () => {
      void (assistant.isOn() ? tonight() : dream.executeAutoDream('quiet'))
        .then(nextLook)
        .then(waitForQuiet)
        .catch((error) => log.warn(`The quiet timer: ${error}`));
    });
  }

  let leftUntil = 0;
  /** The nightly dream, if it is due. A person who cancels it has the rest of the night off. */
  async function tonight(): Promise<void> {
    if (now() < leftUntil) return;
    const { reason } = await dream.executeAutoDream('night');
    if (reason === 'cancelled') leftUntil = night.next();
  }

  /** When the time gate may open, if that is known to be later. */
  async function nextLook(): Promise<number> {
    if (assistant.isOn()) return Math.min(Math.max(night.next() - now(), 1), 4 * quietMs);
    const due = (await lock.lastConsolidatedAt()) + settings().dream.minHours * 3_600_000 - now();
    return Math.min(Math.max(due, 4 * quietMs), longestWaitMs);
  }

  /** What another window or command makes of the proposal is seen here, too. */
  async function watchProposal(): Promise<Disposable | undefined> {
    await disk.makeFolder(folder);
    let look: Disposable | undefined;
    return disk.watch(folder, (name) => {
      if (name !== undefined && name !== 'proposal.json') return;
      look?.dispose();
      look = clock.setTimer(settleMs, () => void dream.refresh().catch((error) => log.warn(`The proposal: ${error}`)));
    });
  }

  return {
    dream,
    async ended(trigger: DreamTrigger, session) {
      waitForQuiet();
      // A session that ended is a quiet moment, too.
      if (trigger === 'sessionEnd' && assistant.isOn()) await tonight();
      else await dream.executeAutoDream(trigger, { currentSession: session.id });
    },
    async night() {
      const { dreamHour, lines } = await night.state();
      return { dreamHour, waitingLines: lines };
    },
    configured: () => {
      if (isStarted) waitForQuiet();
    },
    start() {
      isStarted = true;
      waitForQuiet();
      const watched = watchProposal().catch((error) => void log.warn(`Watching for proposals: ${error}`));
      return {
        dispose() {
          isOver = true;
          timer?.dispose();
          void watched.then((watcher) => watcher?.dispose());
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
