// The rows of *Sessions*: what each chat session's reading came to, from the transcripts that are there and the cursors
// that were kept. It reads no transcript.

import type { ModelErrorCode, Usage } from '../agent/languageModel';
import type { Cursors } from './cursors';
import type { Session, TranscriptSource } from './transcript';

/** One row of *Sessions*. */
export interface SessionEntry {
  readonly session: Session;
  readonly title: string | undefined;
  readonly state:
    | 'reading'
    | 'saved'
    | 'proposed'
    | 'nothing'
    | 'waiting'
    | 'skipped'
    | 'failed'
    | 'excluded'
    /** It lies before the cursors' start: offered by *Learn from Past Sessions…*. */
    | 'past';
  readonly reason?: string;
  /** Milliseconds: when it was read, else when it was last written, which `session.modifiedAt` always is. */
  readonly at: number;
  readonly savedCount: number;
  readonly suggestedCount: number;
  /** Lines in the daily logs, of assistant mode. */
  readonly loggedCount?: number;
  readonly writtenPaths: readonly string[];
  /** The run that *Undo* takes back, while it can. */
  readonly run?: string;
  readonly retryAt?: number;
  /** What kind of failure, where a model failed. */
  readonly failure?: ModelErrorCode;
  /** The model that read it last, and what that took; absent for the offline rules. */
  readonly model?: string;
  readonly usage?: Usage;
}

/** By when something was said last, newest first; files of other products are left out. */
export async function listSessions(
  source: TranscriptSource,
  cursors: Cursors,
  reading: ReadonlySet<string>,
): Promise<SessionEntry[]> {
  const [sessions, states] = await Promise.all([source.list(0), cursors.all()]);
  const byFile = new Map(states.map((state) => [state.file, state]));
  return sessions
    .filter((session) => session.kind !== 'foreign')
    .map((session): SessionEntry => {
      const state = byFile.get(session.file);
      const row = {
        session,
        title: state?.title,
        at: state?.at ?? session.modifiedAt,
        savedCount: state?.savedCount ?? 0,
        suggestedCount: state?.suggestedCount ?? 0,
        writtenPaths: state?.writtenPaths ?? [],
        ...(state?.loggedCount === undefined ? {} : { loggedCount: state.loggedCount }),
        ...(state?.reason === undefined ? {} : { reason: state.reason }),
        ...(state?.run === undefined ? {} : { run: state.run }),
        ...(state?.retryAt === undefined ? {} : { retryAt: state.retryAt }),
        ...(state?.failure === undefined ? {} : { failure: state.failure }),
        ...(state?.model === undefined ? {} : { model: state.model }),
        ...(state?.usage === undefined ? {} : { usage: state.usage }),
      };
      if (reading.has(session.file)) return { ...row, state: 'reading' };
      if (state?.excluded) return { ...row, state: 'excluded' };
      if (state?.outcome === 'failed') return { ...row, state: 'failed' };
      if (cursors.isPast(session, state)) return { ...row, state: 'past', at: session.modifiedAt };
      if (state?.outcome === undefined) return { ...row, state: 'waiting' };
      return { ...row, state: state.outcome };
    })
    .sort((a, b) => b.session.modifiedAt - a.session.modifiedAt || a.session.id.localeCompare(b.session.id));
}
