// From a person's yes to a run that can be undone: the chosen parts of the proposal that waits and the answers to its questions,
// all or nothing, each file only if it is still what the dream saw. What was left out is remembered as not wanted, and kept,
// so that it can be looked at again.

import { randomBytes } from 'node:crypto';
import { noUsage } from '../agent/languageModel';
import type { LogSpan } from '../logs/distilled';
import type { FileChange, ReadThrough } from '../memory/changeset';
import { parseMemory } from '../memory/memory';
import { mergeIndex } from '../memory/memoryIndex';
import { indexPathOf, indexTargetOf, isIndexPath } from '../memory/memoryPaths';
import type { RunPurpose, Snapshots } from '../memory/snapshots';
import { MemoryError } from '../memoryError';
import type { Contradiction, ProposedChange } from './dreamEngine';
import type { DreamHistory } from './history';
import { changesLeft, countLeft, type LeftOut } from './leftOut';
import { keyOf, keysOf, type Proposal, type Proposals, type Selection, selectChanges } from './proposal';
import { type Choice, settleContradiction } from './settling';

export interface Applied {
  /** What `undo` takes; `undefined` when nothing was changed. */
  readonly run: string | undefined;
  readonly applied: readonly string[];
  /** Files that are no longer what the dream saw. When there is one, nothing was changed and the proposal waits on. */
  readonly conflicts: readonly string[];
  readonly leftOut: readonly string[];
}

export interface Applying {
  apply(id: string, selection?: Selection): Promise<Applied>;
  discard(id: string): Promise<void>;
  /**
   * What was left out of a proposal, or all of one that was discarded, waits again. Throws `not_found` when nothing of it is kept,
   * `busy` while another one waits.
   */
  reopen(id: string): Promise<void>;
  /** Saves what is left to decide of a proposal as one that waits. Returns its id. */
  waitAgain(rest: Proposal): Promise<string>;
  purposeOf(changes: readonly ProposedChange[]): RunPurpose;
}

export function createApplying(options: {
  readonly snapshots: Snapshots;
  readonly proposals: Proposals;
  readonly history: DreamHistory;
  readonly leftOut: LeftOut;
  readonly readThrough: ReadThrough;
  /** A person has settled what came of these parts of the logs. */
  readonly logsSettled: (logs: readonly LogSpan[]) => Promise<void>;
  readonly now: () => number;
}): Applying {
  const { snapshots, proposals, history, leftOut, readThrough, now } = options;

  const purposeOf = (changes: readonly ProposedChange[]): RunPurpose => ({
    kind: 'dream',
    reasons: Object.fromEntries(changes.map(({ path, reason }) => [path, reason])),
  });

  async function waiting(id: string): Promise<Proposal> {
    const proposal = await proposals.pending();
    if (proposal?.id !== id) throw new MemoryError('not_found', `There is no proposal “${id}” that waits.`);
    return proposal;
  }

  /** The changes with what an answer adds to them. Returns the path of a file that changed meanwhile instead. */
  async function withAnswer(
    changes: readonly FileChange[],
    question: Contradiction,
    choice: Choice,
  ): Promise<readonly FileChange[] | string> {
    const byPath = new Map(changes.map((change) => [change.path, change]));
    async function current(path: string) {
      const planned = byPath.get(path);
      const file = planned ? undefined : await readThrough(path);
      const before = planned ? planned.before : (file?.text ?? null);
      const mtimeMs = planned?.beforeMtimeMs ?? file?.mtimeMs ?? now();
      const text = planned ? planned.after : before;
      const times = before === null ? {} : { beforeMtimeMs: mtimeMs };
      return { before, text, times, memory: parseMemory(path, text ?? '', mtimeMs, now()) };
    }
    const older = await current(question.older.path);
    const newer = await current(question.newer.path);
    for (const [side, { text }] of [
      [question.older, older],
      [question.newer, newer],
    ] as const)
      if (text === null || !text.includes(side.sentence)) return side.path;
    const { keep, other } = settleContradiction(question, choice, { older: older.memory, newer: newer.memory });
    const sides = [
      { side: keep, file: keep.path === question.older.path ? older : newer },
      { side: other, file: other.path === question.older.path ? older : newer },
    ];
    for (const { side, file } of sides) {
      if (side.text === file.text) continue;
      if (file.memory.pinned) throw new MemoryError('usage', `“${side.path}” is pinned. Unpin it first.`, side.path);
      byPath.set(side.path, { path: side.path, before: file.before, after: side.text ?? null, ...file.times });
    }
    if (other.text === undefined) {
      const index = indexPathOf(other.path);
      const { before, text, times } = await current(index);
      const after = mergeIndex(text ?? undefined, { remove: [indexTargetOf(other.path)] });
      if (text !== null && after !== text) byPath.set(index, { path: index, before, after, ...times });
    }
    return [...byPath.values()];
  }

  /** What is still to be decided of a proposal is one of its own: what became of the rest stands in the history by itself. */
  async function waitAgain(rest: Proposal): Promise<string> {
    const { trigger, engine, sessions, changes, contradictions } = rest;
    const id = randomBytes(6).toString('hex');
    await proposals.save({ ...rest, id, at: now(), usage: noUsage });
    const count = changes.filter(({ path }) => !isIndexPath(path)).length + contradictions.length;
    await history.add({
      id,
      at: now(),
      trigger,
      engine,
      outcome: 'proposed',
      changes: count,
      sessions: sessions.length,
      usage: noUsage,
    });
    return id;
  }

  return {
    purposeOf,
    waitAgain,
    async apply(id, selection = {}) {
      const proposal = await waiting(id);
      const selected = selectChanges(proposal, selection);
      const { choices = {}, settled = {} } = selection;
      let changes: readonly FileChange[] = selected.changes.map((change) => {
        const seen = isIndexPath(change.path) ? undefined : settled[change.path];
        return seen ? { path: change.path, ...seen } : change;
      });
      const questions = new Map(proposal.contradictions.map((question) => [question.id, question]));
      const reasons: Record<string, string> = {};
      for (const [questionId, choice] of Object.entries(choices)) {
        const question = questions.get(questionId);
        if (!question) throw new MemoryError('usage', `The proposal asks no question “${questionId}”.`);
        const answered = await withAnswer(changes, question, choice);
        if (typeof answered === 'string')
          return { run: undefined, applied: [], conflicts: [answered], leftOut: selected.leftOut };
        changes = answered;
        for (const { path } of [question.older, question.newer])
          reasons[path] = `Two memories said different things of “${question.subject}”; you decided.`;
      }
      const purpose = purposeOf(proposal.changes);
      const { run, applied, conflicts } = await snapshots.apply(changes, {
        ...purpose,
        reasons: { ...purpose.reasons, ...reasons },
      });
      if (conflicts.length > 0) return { run: undefined, applied: [], conflicts, leftOut: selected.leftOut };
      const left = new Set(selected.leftOut);
      await proposals.decline(proposal.changes.filter(({ path }) => left.has(path)).map(keyOf));
      const open = proposal.contradictions.filter((question) => !(question.id in choices));
      const unsettled = proposal.changes.filter(({ path }) => !(path in settled));
      const rest = { ...proposal, changes: changesLeft(unsettled, changes), contradictions: [] };
      await leftOut.keep(rest);
      await options.logsSettled(proposal.logs ?? []);
      const count = applied.filter((path) => !isIndexPath(path)).length;
      await history.update(id, {
        outcome: 'applied',
        changes: count,
        leftOut: countLeft(rest),
        ...(run ? { run: run.id } : {}),
      });
      if (open.length > 0) await waitAgain({ ...proposal, changes: [], contradictions: open });
      else await proposals.clear(id);
      return { run: run?.id, applied, conflicts: [], leftOut: selected.leftOut };
    },
    async discard(id) {
      const proposal = await waiting(id);
      await leftOut.keep(proposal);
      await proposals.decline(keysOf(proposal));
      await proposals.clear(id);
      await options.logsSettled(proposal.logs ?? []);
      await history.update(id, { outcome: 'discarded', leftOut: countLeft(proposal) });
    },
    async reopen(id) {
      const left = await leftOut.of(id);
      if (!left) throw new MemoryError('not_found', `Nothing that was left out of “${id}” is kept any more.`);
      if (await proposals.pending()) throw new MemoryError('busy', 'Other changes wait for a review already.');
      await proposals.reconsider(keysOf(left));
      await waitAgain(left);
      await history.update(id, { leftOut: 0 });
      await leftOut.forget(id);
    },
  };
}
