// Layer 1: a turn or a chat session has ended, and what is worth keeping of it is kept. One run at a time; what comes
// meanwhile is stashed, the newest context of each session, and gets one trailing run. A cursor moves on success only.
// It never rejects: the end of a run is a value, and a failed run does not block the next.

import { isBug, reasonOf } from '../agent/failure';
import { isModelError } from '../agent/languageModel';
import { createEmitter, type Disposable, type Event } from '../event';
import type { Guard } from '../guard';
import type { Logger } from '../log';
import { MemoryError } from '../memoryError';
import { type Cursors, pastEndOf } from '../sessions/cursors';
import {
  type Clock,
  hasMemoryWritesSince,
  messagesSince,
  type Session,
  type TranscriptMessage,
  type TranscriptReading,
  type TranscriptSource,
} from '../sessions/transcript';
import type { ExtractionResult } from './findings';
import { type ExtractionOutcome, noResult, type SkipReason } from './outcome';

export type Trigger = 'turnEnd' | 'sessionEnd' | 'start' | 'command' | 'retry' | 'past';

/** What one look at a session yields; the engine in the middle is the offline rules or a forked agent. */
export type Extract = (
  reading: TranscriptReading,
  session: Session,
  signal: AbortSignal,
  /** What lies before the cursors' start: said before what was read already. */
  isPast?: boolean,
) => Promise<ExtractionResult>;

export interface Extraction {
  executeExtractMemories(session: Session, trigger: Trigger, signal?: AbortSignal): Promise<ExtractionOutcome>;
  /**
   * The same for a conversation of our own, which is handed over instead of read: no cursor is kept of it, so what came of
   * it, a failure above all, is the caller's to note. Never rejects.
   */
  extractGiven(session: Session, given: TranscriptReading, extract?: Extract): Promise<ExtractionOutcome>;
  /** Transcripts that are being read now. */
  readonly reading: ReadonlySet<string>;
  readonly onDidChange: Event<void>;
  /** Once for a run and its trailing runs. */
  readonly onDidExtract: Event<readonly ExtractionOutcome[]>;
  /** Resolves when nothing runs any more, at the latest after `ms`; then what runs is aborted. */
  drain(ms: number): Promise<void>;
}

interface PendingContext {
  readonly session: Session;
  readonly trigger: Trigger;
}

/** After a failure the next try waits, longer each time; what happens meanwhile does not start one. */
const retryPausesMs = [60_000, 5 * 60_000, 30 * 60_000, 4 * 3_600_000];

/** Those that nobody asked for just now. */
const automatic: ReadonlySet<Trigger> = new Set(['turnEnd', 'sessionEnd', 'start']);

/** A trailing run answers several triggers; more rounds than this are left to the next trigger. */
const trailingRounds = 5;

export function createExtraction(options: {
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  /** Held while a session is read and saved, so that two windows never learn the same words. */
  readonly guard: Guard;
  readonly extract: Extract;
  readonly isMemoryPath: (path: string) => boolean;
  /** Whether Claude Code's own extraction has kept something of these messages, without a word in the transcript. */
  readonly isKeptElsewhere: (session: Session, messages: readonly TranscriptMessage[]) => Promise<boolean>;
  /** Why nothing may run now. */
  readonly refusal: () => Promise<SkipReason | undefined>;
  readonly everyTurns: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}): Extraction {
  const { source, cursors, guard, clock, log } = options;
  const { now } = clock;
  const changed = createEmitter<void>();
  const extracted = createEmitter<readonly ExtractionOutcome[]>();
  const reading = new Set<string>();
  const pendingContext = new Map<string, PendingContext>();
  const turnsSinceLastExtraction = new Map<string, number>();
  const ending = new AbortController();
  const inFlight = new Set<Promise<ExtractionOutcome>>();
  const retries = new Map<string, Disposable>();
  let inProgress = false;

  function executeExtractMemories(session: Session, trigger: Trigger, signal?: AbortSignal) {
    return tracked(begin(session, trigger, signal));
  }

  /** `drain` waits for it. */
  function tracked(run: Promise<ExtractionOutcome>): Promise<ExtractionOutcome> {
    inFlight.add(run);
    return run.finally(() => inFlight.delete(run));
  }

  async function begin(session: Session, trigger: Trigger, signal?: AbortSignal): Promise<ExtractionOutcome> {
    const refused = await options.refusal();
    if (refused) return skipped(session, refused);
    if (inProgress) {
      // A stronger trigger is not weakened by a later turn's end.
      const stashed = pendingContext.get(session.file);
      pendingContext.set(session.file, {
        session,
        trigger: trigger === 'turnEnd' ? (stashed?.trigger ?? trigger) : trigger,
      });
      return skipped(session, 'overlapped');
    }
    inProgress = true;
    return runWithTrailing({ session, trigger }, signal);
  }

  /** One try a session, by itself. A person's own *Retry* does not wait for it. */
  function retryLater(session: Session, at: number): void {
    retries.get(session.file)?.dispose();
    if (ending.signal.aborted) return;
    const tryAgain = () => {
      retries.delete(session.file);
      void executeExtractMemories(session, 'retry');
    };
    retries.set(session.file, clock.setTimer(Math.max(0, at - now()), tryAgain));
  }

  async function runWithTrailing(first: PendingContext, signal?: AbortSignal): Promise<ExtractionOutcome> {
    const outcomes: ExtractionOutcome[] = [];
    try {
      outcomes.push(await runGuarded(first, false, signal));
      for (let round = 0; round < trailingRounds && pendingContext.size > 0 && !ending.signal.aborted; round += 1) {
        const waiting = [...pendingContext.values()];
        pendingContext.clear();
        for (const context of waiting) outcomes.push(await runGuarded(context, true, signal));
      }
    } finally {
      inProgress = false;
      pendingContext.clear();
    }
    extracted.fire(outcomes);
    return outcomes[0] ?? skipped(first.session, 'nothing_new');
  }

  async function runGiven(session: Session, given: TranscriptReading, extract: Extract): Promise<ExtractionOutcome> {
    const { signal } = ending;
    const refused = await options.refusal();
    if (refused) return skipped(session, refused, given.title);
    let outcome: ExtractionOutcome;
    try {
      const result = await guard.run('extraction', () => extract(given, session, signal), 60_000);
      outcome = { ...emptyOutcome(session, given.title), ...result, ...verdictOf(result) };
    } catch (error) {
      const reason = signal.aborted ? 'cancelled' : reasonOf(error);
      log.error(`Extraction of ${session.id} failed: ${reason}.`);
      if (isBug(error)) log.error(error);
      outcome = failedOutcome(session, given.title, reason, error);
    }
    extracted.fire([outcome]);
    return outcome;
  }

  async function runGuarded(
    context: PendingContext,
    trailing: boolean,
    signal?: AbortSignal,
  ): Promise<ExtractionOutcome> {
    const { session } = context;
    const either = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    reading.add(session.file);
    changed.fire();
    try {
      return await guard.run('extraction', () => runOne(context, trailing, either), 60_000);
    } catch (error) {
      return await failed(session, error, either);
    } finally {
      reading.delete(session.file);
      changed.fire();
    }
  }

  /** Steps 3 to 7 of an extraction, with the guard held: the cursor is read again because another window may have moved it. */
  async function runOne(context: PendingContext, trailing: boolean, signal: AbortSignal): Promise<ExtractionOutcome> {
    const { session, trigger } = context;
    const state = await cursors.get(session.file);
    if (state?.excluded) return skipped(session, 'disabled', state.title);
    if (automatic.has(trigger) && state?.retryAt !== undefined && state.retryAt > now()) {
      retryLater(session, state.retryAt);
      return skipped(session, 'throttled', state.title);
    }
    retries.get(session.file)?.dispose();
    retries.delete(session.file);
    const past = trigger === 'past';
    const position = past ? undefined : cursors.startOf(session, state);
    const all = await source.read(session, position, signal, past ? pastEndOf(state) : undefined);
    const title = all.title ?? state?.title;
    const fresh = messagesSince(all.messages, position?.lastMessageUuid);
    const seen = { ...all, messages: fresh };

    const settle = async (result: Partial<ExtractionOutcome> & Pick<ExtractionOutcome, 'outcome'>) => {
      const outcome: ExtractionOutcome = { ...emptyOutcome(session, title), ...result };
      await cursors.moveTo(session, all, {
        outcome: outcome.outcome,
        reason: outcome.reason,
        savedCount: outcome.savedCount,
        suggestedCount: outcome.suggestedCount,
        ...(outcome.loggedCount ? { loggedCount: outcome.loggedCount } : {}),
        writtenPaths: outcome.writtenPaths,
        run: outcome.runs.at(-1),
        title,
        ...(outcome.model === undefined ? {} : { model: outcome.model, usage: outcome.usage }),
        fromStart: past,
        restarted: all.restarted,
      });
      return outcome;
    };

    if (!past && hasMemoryWritesSince(all.messages, position?.lastMessageUuid, options.isMemoryPath)) {
      return settle({ outcome: 'skipped', reason: 'direct_write' });
    }
    if (trigger === 'turnEnd' && !trailing) {
      const turns = (turnsSinceLastExtraction.get(session.file) ?? 0) + 1;
      turnsSinceLastExtraction.set(session.file, turns);
      if (turns < options.everyTurns()) return skipped(session, 'throttled', title);
    }
    turnsSinceLastExtraction.set(session.file, 0);
    if (!fresh.some((message) => message.human)) return settle({ outcome: 'nothing', reason: 'nothing_new' });
    const isKept = !past && (await options.isKeptElsewhere(session, fresh));
    if (isKept) return settle({ outcome: 'skipped', reason: 'direct_write' });

    const result = await options.extract(seen, session, signal, past);
    return settle({ ...result, ...verdictOf(result) });
  }

  async function failed(session: Session, error: unknown, signal: AbortSignal): Promise<ExtractionOutcome> {
    if (signal.aborted) return failedOutcome(session, undefined, 'cancelled');
    if (error instanceof MemoryError && error.code === 'not_found') {
      log.info(`The transcript ${session.id} is no longer there.`);
      return skipped(session, 'nothing_new');
    }
    const reason = reasonOf(error);
    log.error(`Extraction of ${session.id} failed: ${reason}. The cursor stays.`);
    if (isBug(error)) log.error(error);
    try {
      const state = await cursors.get(session.file);
      const failures = (state?.failures ?? 0) + 1;
      const asked = isModelError(error) ? (error.retryAfterMs ?? 0) : 0;
      const pause = Math.max(asked, retryPausesMs[Math.min(failures, retryPausesMs.length) - 1] ?? 0);
      const retryAt = now() + pause;
      retryLater(session, retryAt);
      await cursors.fail(session, {
        reason,
        failures,
        retryAt,
        ...(isModelError(error) ? { failure: error.code } : {}),
      });
    } catch (second) {
      log.error(`The failure could not be noted: ${reasonOf(second)}.`);
    }
    return failedOutcome(session, undefined, reason, error);
  }

  return {
    executeExtractMemories,
    extractGiven: (session, given, extract = options.extract) => tracked(runGiven(session, given, extract)),
    reading,
    onDidChange: changed.event,
    onDidExtract: extracted.event,
    async drain(ms) {
      const settled = () => Promise.allSettled(inFlight);
      await withinMs(settled(), ms);
      ending.abort();
      for (const retry of retries.values()) retry.dispose();
      retries.clear();
      await withinMs(settled(), 500);
    },
  };
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

function emptyOutcome(session: Session, title: string | undefined): ExtractionOutcome {
  return { ...noResult, session, title, outcome: 'nothing' };
}

function failedOutcome(
  session: Session,
  title: string | undefined,
  reason: string,
  error?: unknown,
): ExtractionOutcome {
  const failure = isModelError(error) ? { failure: error.code } : {};
  return { ...emptyOutcome(session, title), outcome: 'failed', reason, ...failure };
}

/** What a run that ended well came to. */
function verdictOf(result: ExtractionResult): Pick<ExtractionOutcome, 'outcome' | 'reason'> {
  if (result.runs.length > 0) return { outcome: 'saved' };
  if (result.suggestedCount > 0) return { outcome: 'proposed' };
  if (result.refused) return { outcome: 'skipped', reason: result.refused };
  return { outcome: 'nothing', reason: 'nothing_new' };
}

function skipped(session: Session, reason: SkipReason, title?: string): ExtractionOutcome {
  return { ...emptyOutcome(session, title), outcome: 'skipped', reason };
}
