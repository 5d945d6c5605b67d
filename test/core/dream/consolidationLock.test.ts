// The lock that Claude Code and we share: its rules one by one, and real processes at a barrier. What every order of two
// acquirers' steps comes to stands in lockInterleavings.test.ts. REVERIE_SOAK=1 (npm run test:soak) takes 8 processes × 100 rounds of 200 ms.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { lockName, openConsolidationLock } from '../../../src/core/dream/consolidationLock';
import { openGuard, type ProcessTable } from '../../../src/core/guard';
import { silentLogger } from '../../../src/core/log';
import { countingDisk, refusingDisk, watchedDisk } from '../../support/disks';

const isSoak = process.env.REVERIE_SOAK === '1';
const minute = 60_000;
const now = Date.UTC(2026, 10, 30, 9);

describe('the consolidation lock', () => {
  let base: string;
  let memoryDir: string;
  let file: string;
  /** Processes of this test's machine that live. */
  let alive: Set<number>;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'lock-'));
    memoryDir = join(base, 'memory');
    file = join(memoryDir, lockName);
    alive = new Set([1]);
    await mkdir(memoryDir);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const processesOf = (pid: number): ProcessTable => ({
    host: 'here',
    pid,
    startedAt: async (other) => (alive.has(other) ? 'boot' : undefined),
  });

  function open(pid = 1, options: { disk?: Disk; at?: number } = {}) {
    const { disk = nodeDisk, at = now } = options;
    alive.add(pid);
    const processes = processesOf(pid);
    const stateFolder = join(base, 'state');
    const guard = openGuard({ folder: join(stateFolder, 'dreaming'), disk, processes });
    return openConsolidationLock({ memoryDir, stateFolder, disk, guard, processes, now: () => at, log: silentLogger });
  }

  async function put(body: string, mtimeMs: number): Promise<void> {
    await writeFile(file, body);
    await utimes(file, mtimeMs / 1000, mtimeMs / 1000);
  }
  const body = () => readFile(file, 'utf8').catch(() => undefined);
  const mtime = async () => Math.round((await stat(file)).mtimeMs);

  const rules: readonly [string, (() => Promise<void>) | undefined, 'taken' | 'blocked'][] = [
    ['no file', undefined, 'taken'],
    ['fresh, its process alive', () => put('77', now - minute), 'blocked'],
    ['fresh, its process dead', () => put('78', now - minute), 'taken'],
    ['61 minutes old, its process alive', () => put('77', now - 61 * minute), 'taken'],
    ['one hour old to the millisecond, its process alive', () => put('77', now - 60 * minute), 'taken'],
    ['garbage in it', () => put('77 and more', now - minute), 'taken'],
    ['empty', () => put('', now - minute), 'taken'],
    ['a stamp of the future, its process alive', () => put('77', now + minute), 'blocked'],
    ['our own living number, which our guard does not know of', () => put('1', now - minute), 'blocked'],
  ];
  for (const [name, prepare, expected] of rules) {
    it(`F-31: ${name}: ${expected}`, async () => {
      alive.add(77);
      await prepare?.();
      const before = [
        await body(),
        await stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ];
      const lock = await open().tryAcquireConsolidationLock(now);
      if (expected === 'blocked') {
        assert.equal(lock, null);
        assert.deepEqual([await body(), (await stat(file)).mtimeMs], before);
        return;
      }
      assert.ok(lock);
      assert.deepEqual([await body(), await mtime()], ['1', now]);
      assert.equal(lock.priorMtime, before[1]);
    });
  }

  it('F-31: a file that can not be read names nobody', async () => {
    await put('77', now - minute);
    alive.add(77);
    let wasWritten = false;
    const disk = watchedDisk((call, path, args) => {
      if (call === 'rename' && args[1] === file) wasWritten = true;
      if (call === 'read' && path === file && !wasWritten) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    });
    assert.ok(await open(1, { disk }).tryAcquireConsolidationLock(now));
  });

  it('F-32: a number that another writer put there meanwhile wins', async () => {
    const disk = watchedDisk(async (call, path) => {
      // Claude Code writes between our rename and our second look.
      if (call === 'read' && path === file && (await body()) === '1') await put('77', now);
    });
    assert.equal(await open(1, { disk }).tryAcquireConsolidationLock(now), null);
    assert.equal(await body(), '77');
    alive.add(77);
    assert.equal(await open(2).tryAcquireConsolidationLock(now), null);
  });

  it('F-32: of two of ours only one holds, and the other one after it', async () => {
    const first = await open(1).tryAcquireConsolidationLock(now);
    assert.ok(first);
    assert.equal(await open(2, { at: now + 2 * 60 * minute }).tryAcquireConsolidationLock(now), null);
    assert.deepEqual(await open(2).state(), {
      lastConsolidatedAt: (await stat(file)).mtimeMs,
      held: true,
      holderPid: 1,
    });
    await first.complete();
    const second = await open(2, { at: now + minute }).tryAcquireConsolidationLock(now + minute);
    assert.ok(second);
    assert.equal(await first.isHeld(), false);
    assert.equal(await second.isHeld(), true);
  });

  it('F-33: after a dream the body is empty and the time is that of its start', async () => {
    await put('', now - 30 * 60 * minute);
    const lock = await open().tryAcquireConsolidationLock(now);
    assert.ok(lock);
    await lock.complete();
    await lock.rollBack();
    assert.deepEqual([await body(), await mtime()], ['', now]);
    assert.deepEqual((await readdir(memoryDir)).sort(), [lockName]);
    assert.equal(await open().lastConsolidatedAt(), (await stat(file)).mtimeMs);
  });

  it('F-33: a failed or cancelled dream puts the time back, once, and empties the body', async () => {
    const prior = now - 30 * 60 * minute;
    await put('78', prior);
    const lock = await open().tryAcquireConsolidationLock(now);
    assert.ok(lock);
    await lock.rollBack();
    assert.deepEqual([await body(), await mtime()], ['', prior]);
    // A second call must not touch what came after.
    await put('77', now + minute);
    await lock.rollBack();
    await lock.complete();
    assert.deepEqual([await body(), await mtime()], ['77', now + minute]);
  });

  it('F-33: what another writer made of the file is left alone at the end', async () => {
    for (const how of ['complete', 'rollBack'] as const) {
      await rm(file, { force: true });
      const lock = await open().tryAcquireConsolidationLock(now);
      assert.ok(lock);
      await put('77', now + minute);
      assert.equal(await lock.isHeld(), false);
      await lock[how]();
      assert.deepEqual([await body(), await mtime()], ['77', now + minute]);
    }
  });

  it('F-34: without a file before, a failure leaves none behind', async () => {
    const lock = await open().tryAcquireConsolidationLock(now);
    await lock?.rollBack();
    assert.deepEqual(await readdir(memoryDir), []);
  });

  it('F-33: what a killed dream left is taken back at the next look', async () => {
    for (const prior of [0, now - 30 * 60 * minute]) {
      if (prior > 0) await put('', prior);
      assert.ok(await open(5).tryAcquireConsolidationLock(now));
      alive.delete(5);
      await open(1).recover();
      if (prior === 0) assert.deepEqual(await readdir(memoryDir), []);
      else assert.deepEqual([await body(), await mtime()], ['', prior]);
    }
  });

  it('a disk that refuses the end of a dream costs a warning, and the next look mends it', async () => {
    await put('', now - 30 * 60 * minute);
    let isFull = false;
    const disk = refusingDisk('ENOSPC', (call, path) => isFull && call === 'create' && path.startsWith(memoryDir));
    const lock = await open(1, { disk }).tryAcquireConsolidationLock(now);
    assert.ok(lock);
    isFull = true;
    await lock.rollBack();
    assert.equal(await body(), '1');
    await open(2).recover();
    assert.deepEqual([await body(), await mtime()], ['', now - 30 * 60 * minute]);
  });

  it('costs one stat to be asked for its time', async () => {
    await put('', now);
    const counted = countingDisk();
    await open(1, { disk: counted.disk }).lastConsolidatedAt();
    assert.deepEqual([...counted.calls], [['stat', [file]]]);
  });

  it(`never has two holders among ${isSoak ? '8 processes × 100' : '4 processes × 4'} rounds at a barrier`, async function () {
    this.timeout(isSoak ? 600_000 : 60_000);
    const [count, rounds, everyMs, holdMs] = isSoak ? [8, 100, 700, 200] : [4, 4, 250, 60];
    const child = join(base, 'child.cjs');
    await build({
      entryPoints: [join(__dirname, '../../support/lockChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: child,
      logLevel: 'error',
      mainFields: ['module', 'main'],
    });
    const start = Date.now() + 500 + count * 150;
    const words = [memoryDir, join(base, 'state'), base, ...[start, rounds, everyMs, holdMs].map(String)];
    const outputs = await Promise.all(
      Array.from({ length: count }, () => promisify(execFile)(process.execPath, [child, ...words])),
    );
    const reports = outputs.map(({ stdout }) => JSON.parse(stdout) as { held: number; clashes: number });
    const sum = (key: 'held' | 'clashes') => reports.reduce((total, report) => total + report[key], 0);
    assert.equal(sum('clashes'), 0);
    assert.ok(sum('held') >= rounds, `somebody held in each round, ${sum('held')} times in all`);
    assert.deepEqual(await readdir(memoryDir), [lockName]);
  });
});
