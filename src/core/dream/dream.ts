// Layer 2: memories are consolidated across chat sessions. Gates, lock, an engine over an overlay, invariants, and then a
// proposal, or, where a person chose that and little enough would be lost, the changes themselves. Nothing is changed before
// that; a cancel or a failure at any moment leaves memories and the lock as they were. It never rejects: the end of a
// dream is a value. The lock is not held while a person reads.

import { randomBytes } from 'node:crypto';
import { isBug, reasonOf } from '../agent/failure';
import { isModelError, noUsage } from '../agent/languageModel';
import type { Disk } from '../disk';
import { createEmitter, type Event } from '../event';
import type { Logger } from '../log';
import type { LogSpan } from '../logs/distilled';
import type { Night } from '../logs/night';
import { isIndexPath } from '../memory/memoryPaths';
import type { Snapshots } from '../memory/snapshots';
import { MemoryError } from '../memoryError';
import type { Session } from '../sessions/transcript';
import { type Applied, createApplying } from './applying';
import { createCheckedDream, type DreamSources } from './checkedDream';
import type { ConsolidationLock, HeldLock, LockState } from './consolidationLock';
import type { NamedEngine } from './dreamEngine';
import { createDreamTasks, type DreamTask } from './dreamTask';
import { createGates, type DreamTrigger, type GateCheck } from './gates';
import { type DreamRecord, openDreamHistory } from './history';
import { openLeftOut } from './leftOut';
import { type DreamOptions, type DreamOutcome, type Found, lossReason, nothing, skipped } from './outcome';
import { keyOf, openProposals, type Proposal, type Selection } from './proposal';

export interface Dream {
  executeAutoDream(trigger: DreamTrigger, options?: DreamOptions): Promise<DreamOutcome>;
  /** Every gate as it is now: *why not now?* */
  whyNot(): Promise<GateCheck>;
  lock(): Promise<LockState>;
  task(): DreamTask;
  /** Ends the dream that runs here, if there is one, and resolves when it is over. */
  cancel(): Promise<void>;
  proposal(): Promise<Proposal | undefined>;
  /** A file as it stands now, for the one who reviews; `undefined` when there is none. */
  standing(path: string): Promise<{ readonly text: string; readonly mtimeMs: number } | undefined>;
  /** Throws `not_found` when that proposal no longer waits, `usage` for a selection it does not have. */
  apply(id: string, selection?: Selection): Promise<Applied>;
  discard(id: string): Promise<void>;
  /** What was left out of that proposal waits again. Throws `not_found`, or `busy` while another one waits. */
  reopen(id: string): Promise<void>;
  history(): Promise<readonly DreamRecord[]>;
  /** Looks again for the proposal that waits: another window or command may have made or settled it. */
  refresh(): Promise<void>;
  /** After a start: what a crash left is taken back, and a proposal that waits is shown. */
  recover(): Promise<void>;
  readonly onDidChange: Event<DreamTask>;
  readonly onDidDream: Event<DreamOutcome>;
}

type Settled = Found & {
  readonly outcome: 'proposed' | 'applied' | 'unchanged';
  /** Why it was not applied, where it was to be. */
  readonly reason?: string;
  readonly run?: string;
  readonly proposalId?: string;
};

interface Settling {
  readonly id: string;
  readonly startedAt: number;
  readonly trigger: DreamTrigger;
  readonly engine: string;
  readonly asked: DreamOptions;
  readonly held: HeldLock | undefined;
  readonly found: Found;
  readonly check: GateCheck;
  readonly signal: AbortSignal;
}

/** Why a dream was aborted by a person. */
const cancelled = new Error('cancelled');

export interface DreamParts extends DreamSources {
  /** Ours alone. */
  readonly folder: string;
  readonly disk: Disk;
  readonly lock: ConsolidationLock;
  /** Which engine dreams, asked before each dream; a rejection is a dream that failed. */
  readonly engine: () => Promise<NamedEngine>;
  readonly snapshots: Snapshots;
  readonly isAssistantMode: () => boolean;
  /** The nightly dream of assistant mode. */
  readonly night?: Pick<Night, 'state' | 'done'>;
  /** These parts of the daily logs need no dream any more. */
  readonly logsSettled?: (logs: readonly LogSpan[]) => Promise<void>;
  readonly rest: () => Promise<string | undefined>;
  readonly sessionsSince: (since: number) => Promise<readonly Session[]>;
  readonly now: () => number;
  readonly log: Logger;
}

export function createDream(options: DreamParts): Dream {
  const { lock, snapshots, settings, now, log, folder, disk } = options;
  const history = openDreamHistory({ folder, disk });
  const proposals = openProposals({
    folder,
    disk,
    now,
    setAside: ({ id }) => history.update(id, { outcome: 'set_aside' }),
  });
  const leftOut = openLeftOut({ folder, disk });
  const tasks = createDreamTasks();
  const dreamed = createEmitter<DreamOutcome>();
  const gates = createGates({
    settings,
    isAssistantMode: options.isAssistantMode,
    ...(options.night ? { night: options.night.state } : {}),
    rest: options.rest,
    lastConsolidatedAt: lock.lastConsolidatedAt,
    retryAt: history.retryAt,
    sessionsSince: options.sessionsSince,
    lock: lock.state,
    now,
  });
  /** What a person turned down, and what they took back after it was applied. */
  async function declined(): Promise<ReadonlySet<string>> {
    const undone = (await snapshots.runs()).filter((run) => run.kind === 'dream' && run.undone);
    return new Set([...(await proposals.declined()), ...undone.flatMap(({ changes }) => changes.map(keyOf))]);
  }
  const dreamt = createCheckedDream({ ...options, declined });
  const logsSettled = async (logs: readonly LogSpan[] = []) => {
    if (logs.length > 0) await options.logsSettled?.(logs);
  };
  const { readThrough } = options;
  const applying = createApplying({ snapshots, proposals, history, leftOut, readThrough, logsSettled, now });
  let running: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined;

  async function executeAutoDream(trigger: DreamTrigger, asked: DreamOptions = {}): Promise<DreamOutcome> {
    const { force = false, currentSession } = asked;
    try {
      if (running) return skipped({ results: [], sessions: [] }, 'lock', 'A dream is under way here.');
      const check = await gates.check(trigger, { force, currentSession });
      if (check.closed) {
        if (tasks.current().status === 'idle') tasks.completeDreamTask({ status: 'idle', gates: check.results });
        return skipped(check, check.closed.name, check.closed.detail);
      }
      if (running) return skipped(check, 'lock', 'A dream is under way here.');
      const controller = new AbortController();
      const work = dreamOnce(trigger, asked, check, controller);
      running = { controller, ended: work };
      const outcome = await work.finally(() => {
        running = undefined;
      });
      dreamed.fire(outcome);
      return outcome;
    } catch (error) {
      log.error(`A dream could not begin: ${reasonOf(error)}.`);
      return { ...nothing, outcome: 'failed', reason: reasonOf(error) };
    }
  }

  async function dreamOnce(
    trigger: DreamTrigger,
    asked: DreamOptions,
    check: GateCheck,
    controller: AbortController,
  ): Promise<DreamOutcome> {
    const startedAt = now();
    const id = randomBytes(6).toString('hex');
    const held = asked.dryRun ? undefined : await lock.tryAcquireConsolidationLock(startedAt);
    if (held === null) return skipped(check, 'lock', 'Somebody else is dreaming over these memories.');
    if (held && gates.isNightly(trigger, asked.force) && !(await isStillDue())) {
      await held.rollBack();
      return skipped(check, 'assistant', 'Another window has dreamt this night’s dream.');
    }
    const task = tasks.registerDreamTask(startedAt, check.sessions.length);
    const base = { gates: check.results, sessionsReviewed: check.sessions.length };
    const record = (ended: Pick<DreamRecord, 'outcome' | 'changes' | 'usage'> & Partial<DreamRecord>) =>
      history.add({
        id,
        at: startedAt,
        trigger,
        engine: engineName,
        sessions: check.sessions.length,
        ...ended,
      });
    let usage = noUsage;
    let engineName = 'offline';
    const signal = AbortSignal.any([controller.signal, ...(asked.signal ? [asked.signal] : [])]);
    try {
      const engine = await options.engine();
      engineName = engine.name;
      const found = await dreamt(engine.dream, trigger, asked, check, startedAt, signal, {
        ...task,
        usage(used) {
          usage = used;
          task.usage(used);
        },
      });
      signal.throwIfAborted();
      const outcome = await settle({ id, startedAt, trigger, engine: engineName, asked, held, found, check, signal });
      const ended = { ...base, ...outcome, phases: task.phases(), usage: found.usage };
      if (!held) {
        await showWaiting();
        return ended;
      }
      if (options.isAssistantMode()) await noted(options.night?.done(startedAt) ?? Promise.resolve());
      await held.complete();
      const changes = found.changes.filter(({ path }) => !isIndexPath(path)).length;
      const run = outcome.run === undefined ? {} : { run: outcome.run };
      await noted(record({ outcome: outcome.outcome, changes, usage: found.usage, ...run }));
      if (outcome.outcome === 'applied' && outcome.run)
        tasks.completeDreamTask({ status: 'applied', run: outcome.run });
      else await showWaiting();
      return ended;
    } catch (error) {
      await held?.rollBack();
      return await ended(error);
    }

    async function ended(error: unknown): Promise<DreamOutcome> {
      const isCancelled = controller.signal.reason === cancelled || asked.signal?.aborted === true;
      const reason = isCancelled ? 'cancelled' : reasonOf(error);
      const failure = isModelError(error) && !isCancelled ? { failure: error.code } : {};
      const phase = task.phases().at(-1) ?? 'orient';
      if (isCancelled) await showWaiting();
      else {
        log.error(`A dream failed: ${reason}. Nothing was changed.`);
        if (isBug(error)) log.error(error);
        tasks.completeDreamTask({ status: 'failed', error: new Error(reason) });
      }
      if (held)
        await noted(
          record({ outcome: isCancelled ? 'cancelled' : 'failed', changes: 0, usage, reason, ...failure, phase }),
        );
      return { ...nothing, ...base, outcome: 'failed', reason, ...failure, phases: task.phases(), usage };
    }
  }

  /** Asked again with the lock held: two windows may have found the same night due. */
  const isStillDue = async () => (await options.night?.state())?.due ?? false;

  /** What only tells of a dream must not decide how it ended. */
  const noted = (work: Promise<void>) =>
    work.catch((error) => log.warn(`The end of a dream could not be noted: ${reasonOf(error)}.`));

  /** From checked changes to an outcome: nothing, a proposal, or a run. */
  async function settle({
    id,
    startedAt,
    trigger,
    engine,
    asked,
    held,
    found,
    check,
    signal,
  }: Settling): Promise<Settled> {
    const { changes, contradictions, loss } = found;
    const before = asked.dryRun ? undefined : await proposals.pending();
    const known = new Set(before?.contradictions.map((one) => one.id));
    if (changes.length === 0 && contradictions.every((one) => known.has(one.id))) {
      if (held) await noted(logsSettled(found.logs));
      return { ...found, outcome: 'unchanged' as const };
    }
    if (asked.dryRun || !held) return { ...found, outcome: 'proposed' as const };
    const proposal: Proposal = {
      id,
      at: startedAt,
      trigger,
      engine,
      sessions: check.sessions.map((session) => ({ id: session.id, file: session.file })),
      changes,
      contradictions,
      recallOnly: found.recallOnly,
      remarks: found.remarks,
      loss,
      usage: found.usage,
      ...(found.logs ? { logs: found.logs } : {}),
    };
    const byItself = (asked.apply === true || settings().mode === 'automatic') && changes.length > 0;
    let reason: string | undefined;
    if (byItself && loss.tooMuchLost) reason = lossReason(loss);
    else if (byItself) {
      signal.throwIfAborted();
      if (!(await held.isHeld())) throw new MemoryError('busy', 'another process took over');
      const { run, conflicts } = await snapshots.apply(changes, applying.purposeOf(changes));
      if (run) {
        const isOpen = contradictions.length > 0;
        // Memories have changed by now: nothing that fails after this may say otherwise.
        let proposalId: string | undefined;
        const waitOn = async () => {
          proposalId = await applying.waitAgain({ ...proposal, changes: [] });
        };
        await noted(logsSettled(found.logs));
        if (isOpen) await noted(waitOn());
        else if (before) await noted(proposals.clear(before.id));
        if (before) await noted(history.update(before.id, { outcome: 'replaced' }));
        return {
          ...found,
          outcome: 'applied' as const,
          run: run.id,
          ...(proposalId === undefined ? {} : { proposalId }),
        };
      }
      if (conflicts.length > 0) reason = `It was not applied: ${conflicts.join(', ')} changed meanwhile.`;
    }
    if (!(await held.isHeld())) throw new MemoryError('busy', 'another process took over');
    await proposals.save(proposal);
    if (before) await noted(history.update(before.id, { outcome: 'replaced' }));
    return { ...found, outcome: 'proposed' as const, proposalId: id, ...(reason === undefined ? {} : { reason }) };
  }

  /** The proposal that waits is what there is to see; else the gates. */
  async function showWaiting(): Promise<void> {
    const proposal = await proposals.pending();
    if (proposal) tasks.completeDreamTask({ status: 'review', proposal });
    else tasks.completeDreamTask({ status: 'idle', gates: [] });
  }

  return {
    executeAutoDream,
    whyNot: () => gates.explain(),
    lock: lock.state,
    task: tasks.current,
    async cancel() {
      const current = running;
      current?.controller.abort(cancelled);
      await current?.ended;
    },
    proposal: proposals.pending,
    standing: options.readThrough,
    async apply(id, selection) {
      const applied = await applying.apply(id, selection);
      if (applied.run) tasks.completeDreamTask({ status: 'applied', run: applied.run });
      return applied;
    },
    async discard(id) {
      await applying.discard(id);
      await showWaiting();
    },
    async reopen(id) {
      await applying.reopen(id);
      await showWaiting();
    },
    history: history.all,
    async refresh() {
      if (tasks.current().status !== 'running') await showWaiting();
    },
    async recover() {
      await lock.recover();
      await showWaiting();
    },
    onDidChange: tasks.onDidChange,
    onDidDream: dreamed.event,
  };
}
