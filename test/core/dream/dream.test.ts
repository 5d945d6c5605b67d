import assert from 'node:assert/strict';
import { join } from 'node:path';
import { noUsage } from '../../../src/core/agent/languageModel';
import type { DreamEngine } from '../../../src/core/dream/dreamEngine';
import { countingDisk, refusingDisk } from '../../support/disks';
import { createDreamStore, type DreamStore, dayMs, dreamNow, memoryOf, sessionsAfter } from '../../support/dreamStore';

const twins = {
  'MEMORY.md': '# Memory\n\n- [Tabs](tabs.md) — Use tabs\n- [Gone](gone.md) — no longer here\n',
  'tabs.md': memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
  'tabs copy.md': memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
  'vendor.md': memoryOf('Vendor', 'The vendor ships on Tuesdays from Porto.'),
  'pump.md': memoryOf('Pump', 'The pump in hall two is loud and old.'),
};

/** An engine that does as the test says. */
const engineThat =
  (work: (...call: Parameters<DreamEngine>) => Promise<unknown>): DreamEngine =>
  async (...call) => {
    await work(...call);
    return { notes: new Map(), contradictions: [], recallOnly: [], remarks: [], usage: noUsage };
  };
const never = () => new Promise<never>(() => {});

describe('a dream', () => {
  let store: DreamStore;
  beforeEach(async () => {
    store = await createDreamStore(twins);
  });
  afterEach(() => store.remove());

  it('proposes and changes nothing before a person says so; then undo brings back every byte and time', async () => {
    const [before, times] = [await store.files(), await store.times()];
    const dream = store.open();
    const outcome = await dream.executeAutoDream('command', { force: true });
    assert.equal(outcome.outcome, 'proposed');
    assert.deepEqual(outcome.phases, ['orient', 'gather', 'consolidate', 'prune']);
    assert.deepEqual(await store.files(), before);
    assert.equal(dream.task().status, 'review');
    assert.equal(await store.lockTime(), dreamNow);
    assert.equal((await dream.lock()).held, false, 'the lock is not held while a person reads');

    // The proposal survives a restart.
    const later = store.open();
    const waiting = await later.proposal();
    assert.deepEqual(
      waiting?.changes.map(({ path, kind }) => [path, kind]),
      [
        ['tabs copy.md', 'delete'],
        ['MEMORY.md', 'update'],
      ],
    );
    const applied = await later.apply(waiting?.id ?? '');
    assert.deepEqual([...applied.applied].sort(), ['MEMORY.md', 'tabs copy.md']);
    assert.equal(later.task().status, 'applied');
    const after = await store.files();
    assert.ok(!('tabs copy.md' in after));
    assert.equal(
      after['MEMORY.md'],
      '# Memory\n\n- [Pump](pump.md) — About Pump\n- [Vendor](vendor.md) — About Vendor\n- [Tabs](tabs.md) — Use tabs\n',
    );
    assert.equal(await later.proposal(), undefined);
    assert.deepEqual(
      (await later.history()).map(({ outcome, run, changes }) => [outcome, run, changes]),
      [['applied', applied.run, 1]],
    );

    await store.snapshots.undo(applied.run);
    assert.deepEqual(await store.files(), before);
    assert.deepEqual(await store.times(), times);
  });

  it('is taken back after a restart file by file: what a person edited since stays, and is named', async () => {
    const before = await store.files();
    await store.put('relative.md', memoryOf('Relative', 'The audit is tomorrow.'));
    const dream = store.open();
    const { proposalId = '' } = await dream.executeAutoDream('command', { force: true });
    const { run } = await dream.apply(proposalId);
    const edited = `${(await store.files())['relative.md']}Edited by hand.\n`;
    assert.match(edited, /2026-08-23/);
    await store.put('relative.md', edited);

    const [again] = await store.open().history();
    assert.equal(again?.run, run);
    const { restored, conflicts } = await store.snapshots.undo(again?.run);
    assert.deepEqual([[...restored].sort(), conflicts], [['MEMORY.md', 'tabs copy.md'], ['relative.md']]);
    const { 'MEMORY.md': index, ...after } = await store.files();
    const { 'MEMORY.md': old, ...files } = before;
    assert.deepEqual(after, { ...files, 'relative.md': edited });
    // The line of the one that stays stays with it.
    assert.equal(index, old?.replace('# Memory\n\n', '# Memory\n\n- [Relative](relative.md) — About Relative\n'));
  });

  it('says so when it ran and found nothing to change', async () => {
    const dream = store.open();
    assert.equal((await dream.executeAutoDream('command', { force: true, apply: true })).outcome, 'applied');
    const second = await dream.executeAutoDream('command', { force: true, apply: true });
    assert.equal(second.outcome, 'unchanged');
    assert.deepEqual(
      (await dream.history()).map(({ outcome }) => outcome),
      ['unchanged', 'applied'],
    );
  });

  it('tells what it would do without a trace when it is a trial', async () => {
    const before = await store.files();
    const dream = store.open();
    const outcome = await dream.executeAutoDream('command', { force: true, dryRun: true });
    assert.deepEqual([outcome.outcome, outcome.proposalId, outcome.changes.length], ['proposed', undefined, 2]);
    assert.deepEqual(
      [await store.files(), await store.lockTime(), await dream.proposal(), await dream.history()],
      [before, undefined, undefined, []],
    );
  });

  it('with the mode automatic applies by itself, with manual and off never by a timer', async () => {
    const due = { sessions: sessionsAfter(dreamNow - dayMs, 5) };
    for (const mode of ['off', 'manual'] as const) {
      const outcome = await store.open({ ...due, settings: { mode } }).executeAutoDream('quiet');
      assert.deepEqual([outcome.outcome, outcome.gate], ['skipped', 'enabled']);
    }
    const outcome = await store.open({ ...due, settings: { mode: 'automatic' } }).executeAutoDream('quiet');
    assert.equal(outcome.outcome, 'applied');
    assert.equal(outcome.sessionsReviewed, 5);
  });

  it('does not do again by itself what a person took back', async () => {
    const automatic = { settings: { mode: 'automatic', minHours: 1, minSessions: 1 } } as const;
    const { run } = await store.open().executeAutoDream('command', { force: true, apply: true });
    await store.snapshots.undo(run);
    const before = await store.files();
    store.clock.now += dayMs;
    const dream = store.open({ ...automatic, sessions: sessionsAfter(store.clock.now - 1000, 1) });
    assert.equal((await dream.executeAutoDream('quiet')).outcome, 'unchanged');
    assert.deepEqual(await store.files(), before);
    assert.equal((await store.open().executeAutoDream('command', { force: true })).outcome, 'proposed');
  });

  it('shows a proposal that another window made or settled', async () => {
    const [here, there] = [store.open(), store.open()];
    await there.executeAutoDream('command', { force: true });
    await here.refresh();
    assert.equal(here.task().status, 'review');
    await there.discard((await there.proposal())?.id ?? '');
    await here.refresh();
    assert.equal(here.task().status, 'idle');
  });

  it('costs, while the time gate is closed, one stat in the memory folder and no reading of a folder', async () => {
    const counted = countingDisk();
    const dream = store.open({ disk: counted.disk, sessions: sessionsAfter(dreamNow, 9) });
    await dream.executeAutoDream('command', { force: true });
    store.clock.now += 23 * 3_600_000;
    counted.reset();
    const outcome = await dream.executeAutoDream('turnEnd');
    assert.equal(outcome.gate, 'time');
    assert.deepEqual([...counted.calls], [['stat', [join(store.memoryDir, '.consolidate-lock')]]]);
  });

  it('F-33: a failure puts the lock back once, is said once, and the next try by itself waits', async () => {
    await store.open().executeAutoDream('command', { force: true, apply: true });
    const stamped = await store.lockTime();
    const before = await store.files();
    store.clock.now += 2 * dayMs;
    const due = { sessions: sessionsAfter(store.clock.now - 1000, 5) };
    const broken = store.open({
      ...due,
      engine: engineThat(async ({ overlay }) => {
        await overlay.write('vendor.md', 'half of it');
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      }),
    });
    const outcome = await broken.executeAutoDream('sessionEnd');
    assert.deepEqual([outcome.outcome, outcome.reason], ['failed', 'the disk is full']);
    assert.equal(broken.task().status, 'failed');
    assert.deepEqual([await store.files(), await store.lockTime()], [before, stamped]);
    assert.equal(store.said.length, 1);
    assert.equal((await broken.executeAutoDream('sessionEnd')).gate, 'throttle');
    store.clock.now += 31 * 60_000;
    assert.equal((await store.open(due).executeAutoDream('sessionEnd')).outcome, 'unchanged');
  });

  it('F-33: a cancel at any phase changes nothing, puts the lock back once and is no failure', async () => {
    const before = await store.files();
    for (const phase of ['orient', 'gather', 'consolidate', 'prune'] as const) {
      const dream = store.open({
        engine: engineThat(async ({ overlay }, _signal, progress) => {
          progress.phase(phase);
          await overlay.remove('vendor.md');
          await never();
        }),
      });
      const run = dream.executeAutoDream('command', { force: true });
      while (dream.task().status !== 'running') await new Promise((resolve) => setImmediate(resolve));
      await dream.cancel();
      const outcome = await run;
      assert.deepEqual([outcome.outcome, outcome.reason], ['failed', 'cancelled']);
      assert.equal(dream.task().status, 'idle');
      assert.equal(await store.lockTime(), undefined);
    }
    assert.deepEqual(await store.files(), before);
    assert.deepEqual(store.said, []);
    const dream = store.open();
    assert.deepEqual(new Set((await dream.history()).map(({ outcome }) => outcome)), new Set(['cancelled']));
    assert.equal((await dream.executeAutoDream('command', { force: true })).outcome, 'proposed');
  });

  it('that never ends is ended, and what it still writes goes nowhere', async () => {
    const before = await store.files();
    const dream = store.open({ limitMs: 50, engine: engineThat(never) });
    const outcome = await dream.executeAutoDream('command', { force: true });
    assert.deepEqual([outcome.outcome, outcome.reason], ['failed', 'it took longer than ten minutes']);
    assert.deepEqual([await store.files(), await store.lockTime()], [before, undefined]);
  });

  it('F-32: two at once in one process are one', async () => {
    const dream = store.open();
    const both = await Promise.all([
      dream.executeAutoDream('command', { force: true }),
      dream.executeAutoDream('quiet', { force: true }),
    ]);
    assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ['proposed', 'skipped']);
    assert.equal(both.find(({ outcome }) => outcome === 'skipped')?.gate, 'lock');
  });

  it('stands down while Claude Code dreams', async () => {
    await store.put('.consolidate-lock', String(process.ppid), dreamNow - 1000);
    const outcome = await store.open().executeAutoDream('command', { force: true });
    assert.deepEqual([outcome.outcome, outcome.gate], ['skipped', 'lock']);
  });

  it('changes nothing when Claude Code takes the lock meanwhile', async () => {
    const before = await store.files();
    const dream = store.open({
      engine: engineThat(async ({ overlay }) => {
        await overlay.write('vendor.md', memoryOf('Vendor', 'The vendor ships on Tuesdays from Porto. It is new.'));
        await store.put('.consolidate-lock', '1', dreamNow + 5);
      }),
    });
    const outcome = await dream.executeAutoDream('command', { force: true, apply: true });
    assert.equal(outcome.outcome, 'failed');
    assert.deepEqual({ ...(await store.files()) }, before);
    assert.equal(await dream.proposal(), undefined);
    assert.equal(await store.lockTime(), dreamNow + 5);
  });

  it('a full disk at the end leaves memories as they were, and the next one works', async () => {
    const before = await store.files();
    let isFull = false;
    let isFirst = true;
    const disk = refusingDisk('ENOSPC', (call) => isFull && call === 'create');
    const dream = store.open({
      disk,
      engine: engineThat(async ({ overlay }) => {
        await overlay.remove('tabs copy.md');
        isFull = isFirst;
        isFirst = false;
      }),
    });
    const outcome = await dream.executeAutoDream('command', { force: true, apply: true });
    assert.deepEqual([outcome.outcome, outcome.reason], ['failed', 'the disk is full']);
    assert.deepEqual(await store.files(), before);
    isFull = false;
    await dream.recover();
    const next = await dream.executeAutoDream('command', { force: true, apply: true });
    assert.equal(next.outcome, 'applied');
  });

  it('shows each step of it as one value, phases never going back', async () => {
    const dream = store.open();
    const seen: string[] = [];
    dream.onDidChange((task) => seen.push(task.status === 'running' ? task.phase : task.status));
    await dream.executeAutoDream('command', { force: true });
    const steps = seen.filter((step, at) => step !== seen[at - 1]);
    assert.deepEqual(steps, ['orient', 'gather', 'consolidate', 'prune', 'review']);
  });
});
