// From a person's yes to a run that can be undone: the chosen parts of the proposal that waits and the answers to its questions,
// all or nothing, each file only if it is still what the dream saw. What was left out is remembered as not wanted.

import type { FileChange, ReadThrough } from '../memory/changeset';
import { parseMemory } from '../memory/memory';
import { mergeIndex } from '../memory/memoryIndex';
import { indexPathOf, indexTargetOf, isIndexPath } from '../memory/memoryPaths';
import type { RunPurpose, Snapshots } from '../memory/snapshots';
import { MemoryError } from '../memoryError';
import type { Contradiction, ProposedChange } from './dreamEngine';
import type { DreamHistory } from './history';
import { keyOf, type Proposal, type Proposals, type Selection, selectChanges } from './proposal';
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
  purposeOf(changes: readonly ProposedChange[]): RunPurpose;
}

export function createApplying(options: {
  readonly snapshots: Snapshots;
  readonly proposals: Proposals;
  readonly history: DreamHistory;
  readonly readThrough: ReadThrough;
  readonly now: () => number;
}): Applying {
  const { snapshots, proposals, history, readThrough, now } = options;

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

  return {
    purposeOf,
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
      if (open.length > 0) await proposals.save({ ...proposal, changes: [], contradictions: open });
      else await proposals.clear(id);
      const count = applied.filter((path) => !isIndexPath(path)).length;
      await history.update(id, { outcome: 'applied', changes: count, ...(run ? { run: run.id } : {}) });
      return { run: run?.id, applied, conflicts: [], leftOut: selected.leftOut };
    },
    async discard(id) {
      const proposal = await waiting(id);
      await proposals.decline([
        ...proposal.changes.map(keyOf),
        ...proposal.contradictions.map((question) => question.id),
      ]);
      await proposals.clear(id);
      await history.update(id, { outcome: 'discarded' });
    },
  };
}
