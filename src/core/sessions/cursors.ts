// How far each session has been considered, across restarts, and what came of it: one small file a session.
// It promises that a cursor never moves backwards, that what lay there before the first use is past until asked for, and
// that a lost or damaged cursor never means learning everything again. It reads no transcript.

import { basename, dirname, extname, join } from 'node:path';
import type { ModelErrorCode, Usage } from '../agent/languageModel';
import type { Disk } from '../disk';
import { readJson, shortHash, writeJson } from '../files';
import { type Logger, silentLogger } from '../log';
import { isObject } from './json';
import { covers, isRead } from './readMarks';
import type { PastEnd, Session, TranscriptMessage, TranscriptPosition, TranscriptReading } from './transcript';

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
  /**
   * The same for a folder of files that are rewritten, whenever it is seen for the first time. What was said in any of its
   * files before that moment is past, wherever in the file it stands. To be called before anything of it is asked for.
   */
  beginAt(folder: string, sessions: readonly Session[]): Promise<void>;
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
  /** Whether all that a reading saw, up to this position and these bytes, was considered. */
  covers(state: SessionState, position: TranscriptPosition | undefined, messagesEnd: number): boolean;
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
const beginningName = (place: string): string => `baseline-${shortHash(place)}.json`;

/** Where the past of a session ends. */
export const pastEndOf = (state: SessionState | undefined): PastEnd | undefined =>
  state && { offset: state.from, ...(state.position?.since === undefined ? {} : { since: state.position.since }) };

/** Whether a message lies before the cursors' start, where nobody looked unless asked to. */
export function isPastMessage({ offset, at }: TranscriptMessage, state: SessionState | undefined): boolean {
  if (!state || state.from === 0) return false;
  const since = state.position?.since;
  return since === undefined ? offset < state.from : at < since;
}

/** Whether an extraction has considered a message. */
export function isConsidered(message: TranscriptMessage, state: SessionState | undefined): boolean {
  if (!state?.position || isPastMessage(message, state)) return false;
  const { marks, since, offset } = state.position;
  if (marks) return isRead(marks, message.uuid, message.text) || (state.from === 0 && message.at < (since ?? 0));
  return since === undefined && message.offset >= state.from && message.offset < offset;
}

/** A file as a session shows it: another text of the same length has another time. */
export const printOf = ({ size, modifiedAt }: Pick<Session, 'size' | 'modifiedAt'>): string => `${size}-${modifiedAt}`;

/** `folder`: the state folder; cursors lie below it in `sessions/`. Nothing is created before the first write. */
export function openCursors(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
  /** Other files, there or not, that hold the same chat as this one: what was read of one was read of all. */
  readonly twins?: (file: string) => readonly string[];
  /** Folders of files that are rewritten, existing or not. */
  readonly rewritten?: readonly string[];
  readonly log?: Logger;
}): Cursors {
  const { disk, now, twins = () => [], rewritten = [], log = silentLogger } = options;
  const folder = join(options.folder, 'sessions');
  const writing = new Map<string, Promise<void>>();
  let known: Baseline | undefined;
  /** Of folders of files that are rewritten. */
  const begun = new Map<string, Baseline>();

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
    known ??= await baselineIn(baselineName);
    return known;
  }

  async function baselineIn(name: string): Promise<Baseline | undefined> {
    const value = await readJson<unknown>(disk, join(folder, name));
    if (!isObject(value) || typeof value.at !== 'number' || !isObject(value.sizes)) return undefined;
    return {
      at: value.at,
      sizes: value.sizes as Readonly<Record<string, number>>,
      folders: Array.isArray(value.folders) ? value.folders : [],
    };
  }

  /** A cursor that begins at a size of which nothing else is known. */
  const startAt = (file: string, size: number, at: number, since?: number): SessionState => ({
    file,
    sessionId: sessionId(file),
    from: size,
    position: { offset: size, fingerprint: '', ...(since === undefined ? {} : { since }) },
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

  /** Of a file that is rewritten, or has another one beside it with the same chat: the newest state of any of them. */
  async function findBegun(file: string, first: Baseline): Promise<SessionState> {
    const files = [file, ...twins(file)];
    const states = await Promise.all(files.map(readState));
    const kept = states.filter((state) => state !== undefined && state !== 'damaged').sort((a, b) => b.at - a.at);
    if (kept[0]) return { ...kept[0], file, sessionId: sessionId(file) };
    if (states.includes('damaged')) {
      log.warn('A cursor could not be read; its session goes on from now.', pathOf(file));
      const start = startAt(file, (await disk.stat(file))?.size ?? 0, now(), now());
      await writeJson(disk, pathOf(file), start);
      return start;
    }
    const size = files.map((each) => first.sizes[each]).find((each) => typeof each === 'number');
    return startAt(file, size ?? 0, first.at, first.at);
  }

  async function beginningOf(place: string): Promise<Baseline | undefined> {
    const found = begun.get(place) ?? (await baselineIn(beginningName(place)));
    if (found) begun.set(place, found);
    return found;
  }

  async function find(file: string): Promise<SessionState | undefined> {
    const place = dirname(file);
    // Before anything was noted of such a folder, all in it is past.
    if (rewritten.includes(place))
      return findBegun(file, (await beginningOf(place)) ?? { at: now(), sizes: {}, folders: [] });
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
    async beginAt(place, sessions) {
      if (await beginningOf(place)) return;
      const sizes = Object.fromEntries(sessions.map((session) => [session.file, session.size]));
      const baseline: Baseline = { at: now(), sizes, folders: [place] };
      await writeJson(disk, join(folder, beginningName(place)), baseline);
      begun.set(place, baseline);
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
      for (const place of rewritten) {
        const { at = 0, sizes = {} } = (await beginningOf(place)) ?? {};
        for (const [file, size] of Object.entries(sizes)) states.set(file, startAt(file, size, at, at));
      }
      for (const { name } of (await disk.list(folder)) ?? []) {
        if (!name.endsWith('.json') || /^(?:\.|baseline[.-])/.test(name)) continue;
        const state = parseState(await readJson<unknown>(disk, join(folder, name)));
        if (!state) continue;
        states.set(state.file, state);
        // A chat that goes on in another file keeps what came of it.
        for (const file of twins(state.file)) {
          const other = states.get(file);
          if (!other || other.at < state.at) states.set(file, { ...state, file });
        }
      }
      return [...states.values()].sort((a, b) => b.at - a.at);
    },
    startOf: (_session, state) => state?.position,
    async pending(session) {
      if (session.kind === 'foreign') return false;
      const state = await find(session.file);
      return !state?.excluded && hasMore(session, state);
    },
    covers(state, position, messagesEnd) {
      const marks = position?.marks;
      if (marks) return covers(state.position?.marks ?? [], marks);
      return (state.position?.offset ?? state.from) >= messagesEnd;
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
  if (state.position?.marks) return state.position.print !== printOf(session);
  if (state.position?.since !== undefined) return session.size !== offset;
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
  const isBehind =
    state.position?.marks === undefined && (state.position?.offset ?? -1) < (stored.position?.offset ?? -1);
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
  if (isPosition && position.marks !== undefined && !Array.isArray(position.marks)) return undefined;
  const state = value as unknown as SessionState;
  return {
    ...state,
    savedCount: typeof value.savedCount === 'number' ? value.savedCount : 0,
    suggestedCount: typeof value.suggestedCount === 'number' ? value.suggestedCount : 0,
    writtenPaths: Array.isArray(value.writtenPaths) ? value.writtenPaths : [],
    at: typeof value.at === 'number' ? value.at : 0,
  };
}
