import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../src/core/disk';
import { openGuard, type ProcessTable } from '../../src/core/guard';
import { refusingDisk } from '../support/disks';

/** A machine whose processes live and die as the test says. */
function machine(host = 'here') {
  const alive = new Map<number, string>();
  const as = (pid: number, started = 'boot+1'): ProcessTable => {
    alive.set(pid, started);
    return { host, pid, startedAt: async (other) => alive.get(other) };
  };
  return { as, kill: (pid: number) => alive.delete(pid), alive };
}

describe('the guard', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'guard-')), 'guard');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const open = (processes: ProcessTable, disk: Disk = nodeDisk, now = Date.now) =>
    openGuard({ folder, disk, processes, now });

  it('lets one in, and the next only after release', async () => {
    const { as } = machine();
    const one = open(as(1));
    const two = open(as(2));
    const hold = await one.tryAcquire('test');
    assert.ok(hold);
    assert.equal(await two.tryAcquire('test'), undefined);
    assert.equal((await two.holder())?.pid, 1);
    await hold.release();
    await hold.release();
    assert.equal(await two.holder(), undefined);
    assert.ok(await two.tryAcquire('test'));
    assert.equal(await hold.isHeld(), false);
  });

  it('takes over from a process that is gone, and from another one that got its number', async () => {
    const { as, kill, alive } = machine();
    const hold = await open(as(1)).tryAcquire('test');
    assert.ok(hold);
    kill(1);
    const second = await open(as(2)).tryAcquire('test');
    assert.ok(second);
    assert.equal(await hold.isHeld(), false);
    alive.set(2, 'boot+99');
    assert.ok(await open(as(3)).tryAcquire('test'));
  });

  it('does not take over from another host before an hour', async () => {
    assert.ok(await open(machine('there').as(1)).tryAcquire('test'));
    const { as } = machine('here');
    assert.equal(await open(as(1)).tryAcquire('test'), undefined);
    assert.ok(await open(as(1), nodeDisk, () => Date.now() + 61 * 60_000).tryAcquire('test'));
  });

  it('waits for a holder file that is still being written, and passes one that a crash cut', async () => {
    const { as } = machine();
    await nodeDisk.makeFolder(folder);
    await writeFile(join(folder, '7.json'), '{"host":"he');
    assert.equal(await open(as(1)).tryAcquire('test'), undefined);
    assert.ok(await open(as(1), nodeDisk, () => Date.now() + 11_000).tryAcquire('test'));
  });

  it('takes over what was left before the clock was set back by a year', async () => {
    await nodeDisk.makeFolder(folder);
    const yearAgo = () => Date.now() - 365 * 24 * 60 * 60_000;
    await writeFile(join(folder, '7.json'), '{"host":"he');
    assert.ok(await open(machine('there').as(1), nodeDisk, yearAgo).tryAcquire('test'));
    assert.ok(await open(machine('here').as(1), nodeDisk, yearAgo).tryAcquire('test'));
  });

  it('releases when the work throws, and leaves one number behind', async () => {
    const { as } = machine();
    const guard = open(as(1));
    for (let round = 0; round < 5; round += 1) {
      await assert.rejects(
        guard.run('test', () => Promise.reject(new Error('work failed'))),
        /work failed/,
      );
    }
    assert.deepEqual((await readdir(folder)).sort(), ['5.json', '5.released']);
  });

  it('a release that a full disk refused is made up for before the next hold', async () => {
    const { as } = machine();
    let isFull = false;
    const disk = refusingDisk('ENOSPC', (call) => isFull && call === 'create');
    const one = open(as(1), disk);
    const done = one.run('test', async () => {
      isFull = true;
      return 'done';
    });
    assert.equal(await done, 'done');
    assert.equal(await open(as(2)).tryAcquire('test'), undefined);
    isFull = false;
    assert.ok(await one.tryAcquire('test'));
  });

  it('says that it is busy when the wait is over', async () => {
    const { as } = machine();
    await open(as(1)).tryAcquire('test');
    await assert.rejects(
      open(as(2)).run('test', async () => {}, 50),
      { code: 'busy' },
    );
  });

  it('never lets two in, in any order of three contenders’ file steps', async function () {
    this.timeout(process.env.REVERIE_SOAK === '1' ? 600_000 : 60_000);
    // Each step of a contender's disk waits until the schedule lets it go; schedules are drawn from a seeded generator.
    for (let seed = 1; seed <= (process.env.REVERIE_SOAK === '1' ? 3000 : 150); seed += 1) {
      await rm(folder, { recursive: true, force: true });
      const { as, kill } = machine();
      if (seed % 2) {
        await open(as(9)).tryAcquire('dead holder');
        kill(9);
      }
      const random = seeded(seed);
      const waiting: (() => void)[] = [];
      const stepped = new Proxy(nodeDisk, {
        get:
          (disk, key: keyof Disk) =>
          async (...args: unknown[]) => {
            await new Promise<void>((resolve) => waiting.push(resolve));
            return (disk[key] as (...values: unknown[]) => unknown)(...args);
          },
      });
      let inside = 0;
      let entered = 0;
      const contender = async (pid: number) => {
        const guard = open(as(pid), stepped);
        for (let round = 0; round < 3; round += 1) {
          const hold = await guard.tryAcquire('test');
          if (!hold) continue;
          entered += 1;
          inside += 1;
          assert.equal(inside, 1, `two holders with seed ${seed}`);
          assert.equal(await hold.isHeld(), true);
          inside -= 1;
          await hold.release();
        }
      };
      let running = 3;
      const all = Promise.all([1, 2, 3].map((pid) => contender(pid).finally(() => (running -= 1))));
      while (running > 0) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
        next?.();
      }
      await all;
      assert.ok(entered > 0, `somebody got in with seed ${seed}`);
    }
  });
});

function seeded(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
