// The dream on the command line: its JSON is what scripts rely on, its exit status what CI sees.

import assert from 'node:assert/strict';
import { runCommand } from '../../support/commandLine';
import { memoryOf } from '../../support/dreamStore';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('the dream on the command line', () => {
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('MEMORY.md', '- [Tabs](tabs.md) — tabs\n- [Gone](gone.md) — gone\n');
    await temp.put('tabs.md', memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }));
    await temp.put('tabs-again.md', memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }));
  });
  afterEach(() => temp.remove());

  const now = ['--now', '2026-11-30T09:00:00Z', '--provider', 'offline'];
  async function json(...argv: readonly string[]) {
    const { status, out } = await runCommand(temp, ...argv, ...now, '--json');
    return { status, ...JSON.parse(out) };
  }

  it('says which gate is closed, and that is no failure', async () => {
    const skipped = await json('dream');
    assert.deepEqual([skipped.status, skipped.outcome, skipped.gate], [0, 'skipped', 'sessions']);
    assert.deepEqual([skipped.changes, skipped.sessionsReviewed, skipped.phases], [[], 0, []]);
    assert.match((await runCommand(temp, 'dream', ...now)).out, /No dream now: 0 chat sessions since/);
  });

  it('shows gates and lock in the status, before and after a dream', async () => {
    const fresh = await json('status');
    assert.deepEqual(
      fresh.gates.map(({ name }: { name: string }) => name),
      ['assistant', 'enabled', 'time', 'throttle', 'sessions', 'lock'],
    );
    assert.deepEqual(fresh.lock, { lastConsolidatedAt: null, held: false });
    await json('dream', '--force', '--apply');
    assert.match((await json('status')).lock.lastConsolidatedAt, /^2026-11-30T09:00/);
    assert.match((await runCommand(temp, 'status', ...now)).out, /Gate {6}closed sessions: 0 chat sessions/);
  });

  it('proposes, lists, shows, applies in part, and undoes', async () => {
    const proposed = await json('dream', '--force');
    assert.equal(proposed.outcome, 'proposed');
    assert.deepEqual(proposed.phases, ['orient', 'gather', 'consolidate', 'prune']);
    assert.deepEqual(Object.keys(proposed.usage), ['input', 'cacheRead', 'cacheWrite', 'output']);
    assert.deepEqual(
      proposed.changes.map(({ path, kind, reason, sources }: Record<string, unknown>) => [
        path,
        kind,
        typeof reason,
        sources,
      ]),
      [
        ['tabs-again.md', 'delete', 'string', []],
        ['MEMORY.md', 'update', 'string', []],
      ],
    );
    const id = proposed.proposalId;
    assert.deepEqual(
      (await json('proposals')).proposals.map((one: { id: string }) => one.id),
      [id],
    );
    assert.deepEqual((await json('proposals', 'list')).proposals.length, 1);
    const shown = await json('proposals', 'show', id);
    assert.match(shown.changes[0].before, /Makefiles use tabs/);
    assert.equal(shown.changes[0].after, null);
    const applied = await json('proposals', 'apply', id, '--only', 'tabs-again.md');
    assert.deepEqual([applied.status, applied.applied, applied.conflicts], [0, ['tabs-again.md'], []]);
    assert.deepEqual((await json('proposals')).proposals, []);
    assert.deepEqual((await json('undo')).restored, ['tabs-again.md']);
  });

  it('tells of a file that changed meanwhile and leaves it', async () => {
    const { proposalId } = await json('dream', '--force');
    await temp.put('tabs-again.md', 'Edited.\n');
    const result = await json('proposals', 'apply', proposalId);
    assert.deepEqual([result.applied, result.conflicts], [[], ['tabs-again.md']]);
    assert.equal(await temp.memory('tabs-again.md'), 'Edited.\n');
    assert.deepEqual((await json('proposals', 'discard', proposalId)).discarded, proposalId);
  });

  it('tries without a trace', async () => {
    const before = await temp.memories();
    const trial = await json('dream', '--force', '--dry-run');
    assert.deepEqual([trial.outcome, trial.changes.length, trial.proposalId], ['proposed', 2, undefined]);
    assert.deepEqual([await temp.memories(), (await json('proposals')).proposals], [before, []]);
  });

  it('refuses what it does not know with status 2, and an unknown proposal with 1', async () => {
    assert.equal((await json('proposals', 'apply')).status, 2);
    assert.equal((await json('proposals', 'eat', 'x')).status, 2);
    assert.equal((await json('dream', '--often')).status, 2);
    assert.equal((await json('proposals', 'show', 'x')).error.code, 'not_found');
    const { proposalId } = await json('dream', '--force');
    assert.equal((await json('proposals', 'apply', proposalId, '--only', 'other.md')).status, 2);
    assert.equal((await json('proposals', 'apply', proposalId, '--settle', 'maybe')).status, 2);
  });
});
