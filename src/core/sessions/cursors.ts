// How far each session has been considered, across restarts, and what came of it: one small file a session.
// It promises that a cursor never moves backwards, that what lay there before the first use is past until asked for, and
// that a lost or damaged cursor never means learning everything again. It reads no transcript.

import { basename, dirname, extname, join } from 'node:path';
import type { ModelErrorCode, Usage } from '../agent/languageModel';
import type { Disk } from '../disk';
import { readJson, shortHash, writeJson } from '../files';
import { type Logger, silentLogger } from '../log';
import { isObject } from './json';
import type { Session, TranscriptPosition, TranscriptReading } from './transcript';

export interface SessionState {
  readonly file: string;
  readonly sessionId: string;
  /** Bytes: what was considered is `[from, position.offset)`; what lies before `from` is past. */
  readonly from: number;
  /** Undefined while nothing was considered yet. With an empty fingerprint it is a bare size: see `TranscriptPosition`. */
  readonly position?: TranscriptPosition;
  readonly lastMemoryMessageUuid?: string;
  readonly outcome?: 'saved' | 'nothing' | 'skipped' | 'proposed' | 'failed';
  readonly reason?: string;
  readonly savedCount: number;
  readonly suggestedCount: number;
  /** Lines in the daily logs. */
  readonly loggedCount?: number;
  readonly writtenPaths: readonly string[];
  /** The run that *Undo* takes back. */
  readonly run?: string;
  /** Milliseconds: when this was written. */
  readonly at: number;
  readonly title?: string;
  /** Runs in a row that failed, and before when not to try again (ms). */
  readonly failures?: number;
  readonly retryAt?: number;
  /** What kind of failure it was, where a model failed. */
  readonly failure?: ModelErrorCode;
  /** The model that read it last, and what that took. */
  readonly model?: string;
  readonly usage?: Usage;
  /** "Don't Learn from This Session". Stays until it is set to false. */
  readonly excluded?: boolean;
}

export interface PastSession extends Session {
  /** What was never considered is `[0, pastBytes)`. */
  readonly pastBytes: number;
  readonly title?: string;
}

/** What came of a reading. */
export interface ReadingResult {
  readonly outcome: NonNullable<SessionState['outcome']>;
  readonly reason?: string | undefined;
  readonly savedCount?: number;
  readonly suggestedCount?: number;
  readonly loggedCount?: number;
  readonly writtenPaths?: readonly string[];
  readonly run?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string;
  readonly usage?: Usage;
  /** What lay before the cursor's start was considered: the start moves to 0, the cursor stays. */
  readonly fromStart?: boolean;
  readonly restarted?: boolean;
}

export interface Cursors {
  /**
   * To be called with all sessions before anything is extracted. At the very first use it notes their sizes: cursors
   * start at now. Later it does nothing. `folders`: where new sessions are expected; a session that turns up in
   * another folder later, and is older than the first use, is past too.
   */
  baseline(sessions: readonly Session[], folders?: readonly string[]): Promise<void>;
  /** Undefined for a session that began after the first use and was not considered yet: it is new from byte 0. */
  get(file: string): Promise<SessionState | undefined>;
  /**
   * Last one wins, but the larger offset is kept with its message, unless the file was read again from its beginning
   * (`restarted`). A state without a position leaves the cursor where it is.
   */
  set(file: string, state: SessionState, options?: { readonly restarted?: boolean }): Promise<void>;
  /** Moves a session's cursor to the end of a reading, notes what came of it, and forgets earlier failures. */
  moveTo(session: Session, reading: TranscriptReading, result: ReadingResult): Promise<void>;
  /** Notes a failure; the cursor stays. */
  fail(
    session: Session,
    failure: Required<Pick<SessionState, 'reason' | 'failures' | 'retryAt'>> & Pick<SessionState, 'failure'>,
  ): Promise<void>;
  /** "Don't Learn from This Session", or learn from it again. The cursor stays. */
  exclude(session: Session, excluded: boolean): Promise<void>;
  /** Every session that has a cursor, those noted at the first use included. Newest first. */
  all(): Promise<readonly SessionState[]>;
  /** Where to read a session from; undefined: from its beginning. */
  startOf(session: Session, state: SessionState | undefined): TranscriptPosition | undefined;
  /** Whether there is something after the cursor. Never for an excluded or foreign session. */
  pending(session: Session): Promise<boolean>;
  /** Whether a session, with its state, is past as a whole: nothing of it was considered, and nothing came after. */
  isPast(session: Session, state: SessionState | undefined): boolean;
  /** Those of `sessions` with content before their start that was never considered. */
  past(sessions: readonly Session[]): Promise<readonly PastSession[]>;
}

interface Baseline {
  /** Milliseconds of the first use. */
  readonly at: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly folders: readonly string[];
}

const baselineName = 'baseline.json';

/** `folder`: the state folder; cursors lie below it in `sessions/`. Nothing is created before the first write. */
export function openCursors(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log?: Logger;
}): Cursors {
  const { disk, now, log = silentLogger } = options;
  const folder = join(options.folder, 'sessions');
  const writing = new Map<string, Promise<void>>();
  let known: Baseline | undefined;

  const sessionId = (file: string): string => basename(file, extname(file));
  // Session ids repeat: a session continued in a worktree has one file in each of two folders.
  const pathOf = (file: string): string =>
    join(
      folder,
      `${sessionId(file)
        .replace(/[^\w.-]/g, '_')
        .slice(0, 64)}-${shortHash(file)}.json`,
    );

  async function readBaseline(): Promise<Baseline | undefined> {
    if (known) return known;
    const value = await readJson<unknown>(disk, join(folder, baselineName));
    if (!isObject(value) || typeof value.at !== 'number' || !isObject(value.sizes)) return undefined;
    known = {
      at: value.at,
      sizes: value.sizes as Readonly<Record<string, number>>,
      folders: Array.isArray(value.folders) ? value.folders : [],
    };
    return known;
  }

  /** A cursor that begins at a size of which nothing else is known. */
  const startAt = (file: string, size: number, at: number): SessionState => ({
    file,
    sessionId: sessionId(file),
    from: size,
    position: { offset: size, fingerprint: '' },
    savedCount: 0,
    suggestedCount: 0,
    writtenPaths: [],
    at,
  });

  /** `damaged` is kept apart from absent: it must not become a session that is new from its first byte. */
  async function readState(file: string): Promise<SessionState | 'damaged' | undefined> {
    const path = pathOf(file);
    const value = await readJson<unknown>(disk, path);
    const state = parseState(value);
    if (state?.file === file) return state;
    return value === undefined && (await disk.stat(path)) === undefined ? undefined : 'damaged';
  }

  async function find(file: string): Promise<SessionState | undefined> {
    const state = await readState(file);
    if (state !== undefined && state !== 'damaged') return state;
    const first = await readBaseline();
    const size = state === undefined ? first?.sizes[file] : undefined;
    if (first && typeof size === 'number') return startAt(file, size, first.at);
    const isExpected = first && (first.folders.length === 0 || first.folders.includes(dirname(file)));
    if (state === undefined && isExpected) return undefined;
    const stat = await disk.stat(file);
    if (!stat) return undefined;
    const isNew = state === undefined && first !== undefined && stat.mtimeMs > first.at;
    if (isNew) return undefined;
    const start = startAt(file, stat.size, now());
    if (state === 'damaged')
      log.warn('A cursor could not be read; its session goes on from its present end.', pathOf(file));
    // Kept, so that what is said from now on is not taken for past the next time.
    if (first) await writeJson(disk, pathOf(file), start);
    return start;
  }

  /** One write at a time for each file: the next one sees what the last one kept. */
  async function change(file: string, edit: (stored: SessionState | undefined) => SessionState): Promise<void> {
    const before = writing.get(file) ?? Promise.resolve();
    const own = before.catch(() => {}).then(async () => writeJson(disk, pathOf(file), edit(await find(file))));
    writing.set(file, own);
    try {
      await own;
    } finally {
      if (writing.get(file) === own) writing.delete(file);
    }
  }

  const set: Cursors['set'] = (file, state, { restarted = false } = {}) =>
    change(file, (stored) => (stored && !restarted ? merge(stored, state) : state));

  const blank = (session: Session): SessionState => ({
    file: session.file,
    sessionId: session.id,
    from: 0,
    savedCount: 0,
    suggestedCount: 0,
    writtenPaths: [],
    at: now(),
  });

  return {
    async baseline(sessions, folders = []) {
      if (await readBaseline()) return;
      const sizes = Object.fromEntries(sessions.map((session) => [session.file, session.size]));
      const parents = new Set([...folders, ...sessions.map((session) => dirname(session.file))]);
      await writeJson(disk, join(folder, baselineName), { at: now(), sizes, folders: [...parents] } satisfies Baseline);
    },
    get: find,
    set,
    moveTo(session, reading, { fromStart = false, restarted = reading.restarted, reason, run, title, ...result }) {
      const { lastMessageUuid } = reading.position;
      return change(session.file, (stored) => {
        const base = stored ?? blank(session);
        const isMoved = !fromStart || base.position === undefined;
        const state: SessionState = {
          ...blank(session),
          ...result,
          from: fromStart || restarted ? 0 : base.from,
          ...(isMoved ? { position: reading.position } : {}),
          ...(isMoved && lastMessageUuid !== undefined ? { lastMemoryMessageUuid: lastMessageUuid } : {}),
          ...(reason === undefined ? {} : { reason }),
          ...(run === undefined ? {} : { run }),
          ...(title === undefined ? {} : { title }),
        };
        return restarted && !fromStart ? { ...state, ...keptByPerson(base) } : merge(base, state);
      });
    },
    fail(session, failure) {
      return change(session.file, (stored) => ({
        ...blank(session),
        ...withoutFailure(stored),
        ...failure,
        outcome: 'failed',
        savedCount: 0,
        suggestedCount: 0,
        writtenPaths: [],
        at: now(),
      }));
    },
    exclude: (session, excluded) =>
      change(session.file, (stored) => ({ ...(stored ?? blank(session)), excluded, at: now() })),
    async all() {
      const states = new Map<string, SessionState>();
      const first = await readBaseline();
      for (const [file, size] of Object.entries(first?.sizes ?? {}))
        states.set(file, startAt(file, size, first?.at ?? 0));
      for (const { name } of (await disk.list(folder)) ?? []) {
        if (!name.endsWith('.json') || name.startsWith('.') || name === baselineName) continue;
        const state = parseState(await readJson<unknown>(disk, join(folder, name)));
        if (state) states.set(state.file, state);
      }
      return [...states.values()].sort((a, b) => b.at - a.at);
    },
    startOf: (_session, state) => state?.position,
    async pending(session) {
      if (session.kind === 'foreign') return false;
      const state = await find(session.file);
      return !state?.excluded && hasMore(session, state);
    },
    isPast: (session, state) =>
      state !== undefined && state.outcome === undefined && state.from > 0 && !hasMore(session, state),
    async past(sessions) {
      const found: PastSession[] = [];
      for (const session of sessions) {
        const state = session.kind === 'foreign' ? undefined : await find(session.file);
        const pastBytes = state && !state.excluded ? Math.min(state.from, session.size) : 0;
        if (pastBytes === 0) continue;
        found.push({ ...session, pastBytes, ...(state?.title === undefined ? {} : { title: state.title }) });
      }
      return found;
    },
  };
}

function hasMore(session: Session, state: SessionState | undefined): boolean {
  if (!state) return session.size > 0;
  const offset = state.position?.offset ?? state.from;
  // A file that shrank is another file now; of a bare size all before it stays past.
  return session.size > offset || (session.size < offset && (state.position?.fingerprint ?? '') !== '');
}

function withoutFailure(state: SessionState | undefined): Partial<SessionState> {
  const { failure: _earlier, ...rest } = state ?? ({} as Partial<SessionState>);
  return rest;
}

/** What a person decided outlives a file that was written anew. */
const keptByPerson = ({ excluded }: SessionState) => (excluded === undefined ? {} : { excluded });

function merge(stored: SessionState, state: SessionState): SessionState {
  const isBehind = (state.position?.offset ?? -1) < (stored.position?.offset ?? -1);
  const { position, lastMemoryMessageUuid } = isBehind ? stored : { ...pick(stored), ...pick(state) };
  const title = state.title ?? stored.title;
  const excluded = state.excluded ?? stored.excluded;
  const { position: _position, lastMemoryMessageUuid: _uuid, ...rest } = state;
  return {
    ...rest,
    from: Math.min(stored.from, state.from),
    ...(position === undefined ? {} : { position }),
    ...(lastMemoryMessageUuid === undefined ? {} : { lastMemoryMessageUuid }),
    ...(title === undefined ? {} : { title }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

const pick = ({ position, lastMemoryMessageUuid }: SessionState) => ({
  ...(position === undefined ? {} : { position }),
  ...(lastMemoryMessageUuid === undefined ? {} : { lastMemoryMessageUuid }),
});

/** A state that a file holds; undefined when it is not one of ours or damaged where a mistake would cost. */
function parseState(value: unknown): SessionState | undefined {
  if (!isObject(value)) return undefined;
  const isBytes = (bytes: unknown): boolean => Number.isSafeInteger(bytes) && (bytes as number) >= 0;
  if (typeof value.file !== 'string' || typeof value.sessionId !== 'string' || !isBytes(value.from)) return undefined;
  const { position } = value;
  const isPosition = isObject(position) && isBytes(position.offset) && typeof position.fingerprint === 'string';
  if (position !== undefined && !isPosition) return undefined;
  const state = value as unknown as SessionState;
  return {
    ...state,
    savedCount: typeof value.savedCount === 'number' ? value.savedCount : 0,
    suggestedCount: typeof value.suggestedCount === 'number' ? value.suggestedCount : 0,
    writtenPaths: Array.isArray(value.writtenPaths) ? value.writtenPaths : [],
    at: typeof value.at === 'number' ? value.at : 0,
  };
}
