// Decides that a turn or a session has ended, and says so once, whatever is read or written meanwhile. It listens to the
// repository's transcript folders, reads what a file has grown by, and keeps one timer, none while nothing is expected.
// It never polls, never moves a cursor, and says nothing of what a cursor already covers.

import { basename, dirname, join } from 'node:path';
import type { Disk } from '../disk';
import { createEmitter, type Disposable, type Event } from '../event';
import type { Logger } from '../log';
import { MemoryError } from '../memoryError';
import { type Cursors, printOf } from './cursors';
import { watchFolders } from './folderWatch';
import type { Clock, Session, TranscriptPosition, TranscriptReading, TranscriptSource } from './transcript';

/**
 * `compact`: it goes on, but what was said until now is about to be condensed. `closed`: another chat was begun in its place.
 */
export type EndReason = 'idle' | 'start' | 'hook' | 'compact' | 'closed';

export interface SessionWatcher extends Disposable {
  /** A record says so, or the last message has no pending call and the file has not grown for three seconds. */
  readonly onDidEndTurn: Event<Session>;
  /** Its last turn is over and nothing was written for the idle time; or a hook says so; or it was left behind. */
  readonly onDidEndSession: Event<Session & { readonly reason: EndReason }>;
  /** A session's file appeared or went, or one that was quiet for a minute goes on. Not for each word that is said. */
  readonly onDidChangeSessions: Event<void>;
  /** Begins to watch, after noting the baseline; then tells of sessions that ended while nobody watched, oldest first. */
  start(): Promise<void>;
  /** A hook says that this session is over, or about to be condensed. Nothing happens when the cursor covers it. */
  ended(sessionId: string, reason?: 'hook' | 'compact'): Promise<void>;
  /** A hook says that its turn is over: nothing more is waited for once the file holds the turn's end. */
  turnOver(sessionId: string): Promise<void>;
  /** Resolves when what is known to have changed has been looked at. */
  settled(): Promise<void>;
}

export const machineClock: Clock = {
  now: Date.now,
  setTimer(ms, run) {
    const timer = setTimeout(run, Math.min(ms, 0x7fffffff));
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** One message is several lines, so a text may precede its tool call. */
const quietMs = 3000;
/** A file that is being written changes many times a second; it is read after the first of them has had time to end. */
const settleMs = 200;
/** A session this long without a word comes back into view with the next one. */
const dormantMs = 60_000;

interface Watched {
  session: Session;
  /** Where the next reading begins; undefined: at the file's beginning. */
  position: TranscriptPosition | undefined;
  grownAt: number;
  sealedBy: TranscriptReading['sealedBy'];
  /** Offset after the last line that brought a message, as far as was read. */
  messagesEnd: number;
  /** Readings that brought messages; and how many of them the last turn and session end that were told, or found covered, had. */
  news: number;
  turnTold: number;
  endTold: number;
  /** Another chat was begun in the same folder since something was said. */
  isClosed: boolean;
  /** A hook said that the turn is over, and that was not told yet. */
  isOver: boolean;
}

export function createSessionWatcher(options: {
  readonly source: TranscriptSource;
  /** Transcript folders of this repository, existing or not. Asked anew whenever a folder appears beside one. */
  readonly folders: () => Promise<readonly string[]>;
  /** Whether what comes beside this folder is no news. */
  readonly isAlone?: (folder: string) => boolean;
  readonly cursors: Cursors;
  /** Notes where the past ends; as cursors do it, unless the sources do it each in its way. */
  readonly baseline?: (sessions: readonly Session[], folders: readonly string[]) => Promise<void>;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly idleMinutes: () => number;
  readonly log: Logger;
}): SessionWatcher {
  const { source, cursors, disk, clock, log } = options;
  const report = (error: unknown): void => log.error(`A listener of the session watcher failed: ${error}`);
  const turnEnded = createEmitter<Session>(report);
  const sessionEnded = createEmitter<Session & { readonly reason: EndReason }>(report);
  const sessionsChanged = createEmitter<void>(report);
  const ending = new AbortController();

  const watched = new Map<string, Watched>();
  /** Those that a clock still decides about. */
  const waiting = new Set<Watched>();
  const changed = new Set<string>();
  /** Files that were seen in a folder, whatever they are. */
  const met = new Set<string>();
  let foldersChanged = false;
  let rescan = false;
  let workAt = Number.POSITIVE_INFINITY;
  let timer: Disposable | undefined;
  let work: Promise<void> = Promise.resolve();

  const folders = watchFolders({
    ...options,
    onEntry(folder, name) {
      if (name === undefined) rescan = true;
      else if (/\.jsonl?$/.test(name) && !name.startsWith('.')) changed.add(join(folder, name));
      else return;
      expectWork();
    },
    onFolders() {
      foldersChanged = true;
      expectWork();
    },
  });

  const idleMs = (): number => options.idleMinutes() * 60_000;

  function expectWork(): void {
    if (workAt !== Number.POSITIVE_INFINITY) return;
    workAt = clock.now() + settleMs;
    arm();
  }

  /** When a watched session has to be looked at again; Infinity: after its next change. */
  function dueAt(one: Watched): number {
    if (one.sealedBy === undefined) return Number.POSITIVE_INFINITY;
    const turn =
      one.turnTold < one.news ? one.grownAt + (one.sealedBy === 'record' || one.isOver ? 0 : quietMs) : Infinity;
    const end = one.endTold < one.news ? one.grownAt + (one.isClosed ? 0 : idleMs()) : Infinity;
    return Math.min(turn, end);
  }

  function arm(): void {
    timer?.dispose();
    timer = undefined;
    if (ending.signal.aborted) return;
    const due = [...waiting].reduce((least, one) => Math.min(least, dueAt(one)), workAt);
    if (due === Number.POSITIVE_INFINITY) return;
    timer = clock.setTimer(Math.max(0, due - clock.now()), () => void enqueue(step));
  }

  /** One piece of work at a time, in order. Failures are logged: the next change is a new chance. */
  function enqueue(piece: () => Promise<void>): Promise<void> {
    work = work.then(async () => {
      if (ending.signal.aborted) return;
      try {
        await piece();
      } catch (error) {
        if (!ending.signal.aborted) log.warn(`Looking at the chat sessions failed: ${error}`);
      }
      arm();
    });
    return work;
  }

  async function step(): Promise<void> {
    if (workAt <= clock.now()) {
      workAt = Number.POSITIVE_INFINITY;
      if (foldersChanged) {
        foldersChanged = false;
        rescan = true;
        await folders.refresh();
      }
      if (rescan) {
        rescan = false;
        for (const session of await source.list(0)) {
          if (!isSame(watched.get(session.file)?.session, session)) changed.add(session.file);
        }
      }
      const files = [...changed];
      changed.clear();
      let isNews = false;
      for (const file of files) isNews = (await bringsNews(file)) || isNews;
      if (isNews) sessionsChanged.fire();
    }
    for (const one of [...waiting]) await decide(one);
  }

  /** Looks at a file that may have changed, and says whether a list of sessions shows that. */
  async function bringsNews(file: string): Promise<boolean> {
    if (!met.has(file)) closeOthers(file);
    met.add(file);
    const before = watched.get(file);
    const size = before?.session.size;
    const wasDormant = before !== undefined && clock.now() - before.grownAt >= dormantMs;
    await look(file);
    const after = watched.get(file);
    if (before === undefined || after === undefined) return before !== after;
    return wasDormant && after.session.size !== size;
  }

  /** Whoever begins a chat in VS Code has closed the one before, which was written as it closed. */
  function closeOthers(file: string): void {
    const stem = (path: string): string => basename(path).replace(/\.jsonl?$/, '');
    for (const one of waiting) {
      const { file: other, kind } = one.session;
      if (kind !== 'vscode-chat' || dirname(other) !== dirname(file) || stem(other) === stem(file)) continue;
      if (one.sealedBy !== undefined) one.isClosed = true;
    }
  }

  /** Reads what a file has grown by. */
  async function look(file: string): Promise<Watched | undefined> {
    try {
      const session = await source.find(file);
      const known = watched.get(file);
      if (!session || session.kind === 'foreign') {
        forget(file);
        return undefined;
      }
      // A resumed or kept transcript is touched without a word being added.
      if (isSame(known?.session, session)) return known;
      const position = known ? known.position : cursors.startOf(session, await cursors.get(file));
      const reading = await source.read(session, position, ending.signal);
      const one = known ?? watch(session, position);
      one.session = session;
      one.grownAt = clock.now();
      apply(one, reading);
      return one;
    } catch (error) {
      if (ending.signal.aborted) return undefined;
      // Gone, replaced or unreadable: nothing is noted, so that the next change of the file is a new chance.
      log.debug(`${basename(file)} was left for now: ${error}`);
      if (error instanceof MemoryError && error.code === 'not_found') forget(file);
      return undefined;
    }
  }

  function watch(session: Session, position: TranscriptPosition | undefined): Watched {
    const grownAt = Math.min(session.modifiedAt, clock.now());
    const one: Watched = {
      session,
      position,
      grownAt,
      sealedBy: undefined,
      messagesEnd: 0,
      news: 0,
      turnTold: 0,
      endTold: 0,
      isClosed: false,
      isOver: false,
    };
    watched.set(session.file, one);
    return one;
  }

  function forget(file: string): void {
    const one = watched.get(file);
    if (one) waiting.delete(one);
    watched.delete(file);
  }

  function apply(one: Watched, reading: TranscriptReading): void {
    if (reading.restarted) Object.assign(one, { messagesEnd: 0, news: 0, turnTold: 0, endTold: 0 });
    one.position = reading.position;
    one.sealedBy = reading.sealedBy;
    if (reading.messages.length > 0) {
      one.messagesEnd = reading.messagesEnd;
      one.news += 1;
      one.isClosed = false;
    }
    if (one.news > 0) waiting.add(one);
  }

  async function decide(one: Watched): Promise<void> {
    if (dueAt(one) > clock.now()) {
      if (one.turnTold >= one.news && one.endTold >= one.news) waiting.delete(one);
      return;
    }
    const isIdle = one.isClosed || clock.now() >= one.grownAt + idleMs();
    const isNewTurn = one.turnTold < one.news;
    one.turnTold = one.news;
    one.isOver = false;
    if (isIdle) one.endTold = one.news;
    // Asked of the disk at the last moment: another window may have been quicker.
    if (await isCovered(one)) return;
    if (isIdle) sessionEnded.fire({ ...one.session, reason: one.isClosed ? 'closed' : 'idle' });
    else if (isNewTurn) turnEnded.fire(one.session);
  }

  async function isCovered(one: Watched): Promise<boolean> {
    const state = await cursors.get(one.session.file);
    return state !== undefined && (state.excluded === true || cursors.covers(state, one.position, one.messagesEnd));
  }

  async function begin(): Promise<void> {
    const places = await folders.refresh();
    for (const place of places) for (const { name } of (await disk.list(place)) ?? []) met.add(join(place, name));
    const sessions = await source.list(0);
    await (options.baseline ?? cursors.baseline)(sessions, places);
    // One look at all cursors spares most sessions a look at theirs.
    const positions = new Map((await cursors.all()).map(({ file, position }) => [file, position]));
    const isKnown = (session: Session): boolean => {
      const { offset, print } = positions.get(session.file) ?? {};
      return print === undefined ? offset === session.size : print === printOf(session);
    };
    for (const session of sessions.toReversed()) {
      if (ending.signal.aborted) return;
      if (session.kind === 'foreign') continue;
      const one = watch(session, { offset: session.size, fingerprint: '' });
      const isPending = !isKnown(session) && (await cursors.pending(session));
      if (isPending) await catchUp(one);
    }
  }

  /** What was said while nobody watched. A session that was written to a moment ago may still go on, in another window. */
  async function catchUp(one: Watched): Promise<void> {
    const state = await cursors.get(one.session.file);
    const isLeft = clock.now() >= one.grownAt + idleMs();
    // A new session that was left behind is read by whoever is told; there is nothing to find out before.
    if (!state && isLeft) Object.assign(one, { messagesEnd: one.session.size, news: 1 });
    else {
      try {
        apply(one, await source.read(one.session, cursors.startOf(one.session, state), ending.signal));
      } catch (error) {
        if (ending.signal.aborted) throw error;
        log.debug(`${basename(one.session.file)} was left for now: ${error}`);
        return;
      }
    }
    one.turnTold = one.news;
    if (one.news === 0 || !isLeft) return;
    one.endTold = one.news;
    if (!(await isCovered(one))) sessionEnded.fire({ ...one.session, reason: 'start' });
  }

  return {
    onDidEndTurn: turnEnded.event,
    onDidEndSession: sessionEnded.event,
    onDidChangeSessions: sessionsChanged.event,
    async start() {
      const failures: unknown[] = [];
      await enqueue(async () => {
        try {
          await begin();
        } catch (error) {
          failures.push(error);
        }
      });
      if (failures.length > 0 && !ending.signal.aborted) throw failures[0];
    },
    turnOver: (sessionId) =>
      enqueue(async () => {
        const one = await lookById(sessionId);
        if (!one) return;
        // The file is written a moment later than the hook runs: what it lacks now comes with its next change.
        one.isOver = true;
        if (one.turnTold < one.news) waiting.add(one);
      }),
    ended: (sessionId, reason = 'hook') =>
      enqueue(async () => {
        const one = await lookById(sessionId);
        if (!one || one.news === 0) return;
        one.turnTold = one.news;
        one.endTold = one.news;
        const isCoveredNow = await isCovered(one);
        if (!isCoveredNow) sessionEnded.fire({ ...one.session, reason });
      }),
    settled: () => work,
    dispose() {
      ending.abort();
      timer?.dispose();
      folders.dispose();
      turnEnded.dispose();
      sessionEnded.dispose();
      sessionsChanged.dispose();
    },
  };

  async function lookById(sessionId: string): Promise<Watched | undefined> {
    const file = await fileOf(sessionId);
    return file === undefined ? undefined : look(file);
  }

  /** A session that was continued in a worktree has a file in each folder; the newest is the one that ended. */
  async function fileOf(sessionId: string): Promise<string | undefined> {
    const files = [...watched.values()].map(({ session }) => session);
    const known = files.filter((session) => session.id === sessionId);
    const found = known.length > 0 ? known : (await source.list(0)).filter((session) => session.id === sessionId);
    return found.toSorted((a, b) => b.modifiedAt - a.modifiedAt)[0]?.file;
  }
}

/** As far as a list of files tells. A transcript of Claude Code is touched without a word being added. */
function isSame(a: Session | undefined, b: Session): boolean {
  return a?.size === b.size && (b.kind !== 'vscode-chat' || a.modifiedAt === b.modifiedAt);
}
