// What models were paid for adds up by day, over processes and failures, and a budget stops the next run.

import { strict as assert } from 'node:assert';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '../../../src/core/agent/languageModel';
import { openSpend, type SpendEntry } from '../../../src/core/agent/spend';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { refusingDisk } from '../../support/disks';

const usage = (input: number): Usage => ({ input, cacheRead: 10, cacheWrite: 20, output: 5 });
const entry = (input: number, more: Partial<SpendEntry> = {}): SpendEntry => ({
  purpose: 'extraction',
  model: 'claude-sonnet-5-5',
  usage: usage(input),
  ...more,
});

describe('what models were paid for', () => {
  let folder: string;
  let clock: number;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'spend-')), 'spend');
    clock = new Date(2026, 11, 1, 12).getTime();
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));
  const open = (dailyTokens = 0, disk: Disk = nodeDisk) =>
    openSpend({ folder, disk, now: () => clock, dailyTokens: () => dailyTokens, log: silentLogger });

  it('is nothing at first, and asking writes nothing', async () => {
    const { runs, tokens, day } = await open().today();
    assert.deepEqual([runs, tokens, day], [0, 0, '2026-12-01']);
    await assert.rejects(readdir(folder));
  });

  it('adds up by day and purpose, and a restart changes nothing', async () => {
    await open().record(entry(100));
    await open().record(entry(200, { purpose: 'dream', run: 'r1', project: 'p' }));
    assert.deepEqual(await open().today(), {
      day: '2026-12-01',
      runs: 2,
      usage: { input: 300, cacheRead: 20, cacheWrite: 40, output: 10 },
      tokens: 370,
      byPurpose: { extraction: 135, dream: 235 },
    });
  });

  it('begins anew at local midnight', async () => {
    const spend = open();
    clock = new Date(2026, 11, 1, 23, 59, 59).getTime();
    await spend.record(entry(100));
    clock += 1_000;
    assert.deepEqual([(await spend.today()).day, (await spend.today()).tokens], ['2026-12-02', 0]);
  });

  it('loses no run of two processes that write at once', async () => {
    const both = [open(), open()];
    await Promise.all([...Array(60).keys()].map((at) => both[at % 2]?.record(entry(1))));
    assert.equal((await open().today()).runs, 60);
  });

  it('skips a line that a crash tore, and no other', async () => {
    await open().record(entry(100));
    await appendFile(join(folder, '2026-12-01.jsonl'), '{"at":1,"purpose":"extr');
    await open().record(entry(200));
    await appendFile(join(folder, '2026-12-01.jsonl'), 'null\n[]\n{"purpose":"dream","input":"many"}\n');
    const { usage: sum } = await open().today();
    assert.equal(sum.input, 300);
  });

  it('counts a run that could not be written down, and does not fail it', async () => {
    const spend = open(
      100,
      refusingDisk('ENOSPC', (call) => call === 'append'),
    );
    await spend.record(entry(500));
    assert.equal((await spend.today()).runs, 1);
    assert.equal(await spend.mayRun(), false);
  });

  it('keeps no line of a run that cost nothing', async () => {
    await open().record(entry(0, { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } }));
    assert.equal((await open().today()).runs, 0);
  });

  it('stops the next run when the day’s budget is used up, and the next day lets it', async () => {
    const spend = open(300);
    assert.equal(await spend.mayRun(), true);
    await spend.record(entry(200));
    assert.equal(await spend.mayRun(), true);
    await spend.record(entry(200));
    assert.equal(await spend.mayRun(), false);
    assert.equal(await open(0).mayRun(), true);
    clock += 24 * 60 * 60 * 1000;
    assert.equal(await spend.mayRun(), true);
  });

  it('is kept for ninety days; files of another kind are left alone', async () => {
    await open().record(entry(1));
    for (const name of ['2026-08-01.jsonl', '2026-11-30.jsonl', 'notes.txt']) await writeFile(join(folder, name), '');
    await open().record(entry(1));
    assert.deepEqual((await readdir(folder)).sort(), ['2026-11-30.jsonl', '2026-12-01.jsonl', 'notes.txt']);
  });
});
