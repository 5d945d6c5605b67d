// The nightly dream under the consolidation lock: asked again when it is held, stamped when it is over, and not before.

import assert from 'node:assert/strict';
import { noUsage } from '../../../src/core/agent/languageModel';
import type { DreamEngine } from '../../../src/core/dream/dreamEngine';
import { createDreamStore, type DreamStore, dreamNow, memoryOf } from '../../support/dreamStore';

const idle: DreamEngine = async () => ({
  notes: new Map(),
  contradictions: [],
  recallOnly: [],
  remarks: [],
  usage: noUsage,
});

describe('a nightly dream', () => {
  let store: DreamStore;
  let dues: boolean[];
  let done: number[];
  beforeEach(async () => {
    store = await createDreamStore({ 'pump.md': memoryOf('Pump', 'The pump is loud.') });
    dues = [];
    done = [];
  });
  afterEach(() => store.remove());

  const open = (engine: DreamEngine = idle) =>
    store.open({
      engine,
      night: {
        state: async () => ({ due: dues.shift() ?? false, dreamHour: 3, lines: 1 }),
        done: async (at) => void done.push(at),
      },
    });

  it('that another window dreamt between the look and the lock is left, and the lock is as it was', async () => {
    dues = [true, false];
    const outcome = await open().executeAutoDream('night');
    assert.deepEqual([outcome.outcome, outcome.gate, done], ['skipped', 'assistant', []]);
    assert.equal(await store.lockTime(), undefined);
    assert.deepEqual(await open().history(), []);
  });

  it('is done for this night when it found nothing, too, and when a person asked for it', async () => {
    dues = [true, true];
    assert.equal((await open().executeAutoDream('night')).outcome, 'unchanged');
    assert.deepEqual(done, [dreamNow]);
    assert.equal((await open().executeAutoDream('command', { force: true })).outcome, 'unchanged');
    assert.equal(done.length, 2);
    assert.equal((await open().executeAutoDream('terminal', { force: true, dryRun: true })).outcome, 'unchanged');
    assert.equal(done.length, 2, 'a dry run is no dream');
  });

  it('that failed is not done, and waits before it is tried again', async () => {
    dues = [true, true, true];
    const failing = open(() => Promise.reject(new Error('no')));
    assert.equal((await failing.executeAutoDream('night')).outcome, 'failed');
    assert.deepEqual(done, []);
    assert.equal((await failing.executeAutoDream('night')).gate, 'throttle');
  });
});
