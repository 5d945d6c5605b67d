// Every order of two acquirers' file steps, from each state the lock can be found in, and with one of them killed before
// and half-way through each step. What is printed in the names is a floor: fewer schedules means that less was looked at.
// REVERIE_SOAK=1 (npm run test:soak) lets the first come back for a second dream, which makes numbers of holders come back.

import assert from 'node:assert/strict';
import { lockName, openConsolidationLock } from '../../../src/core/dream/consolidationLock';
import { openGuard, type ProcessTable } from '../../../src/core/guard';
import { silentLogger } from '../../../src/core/log';
import { type Actor, type Doors, exploreInterleavings, type Step } from '../../support/interleavings';
import { callDisk, diskOver, type MemoryFile, type MemoryFiles } from '../../support/memoryDisk';

const isSoak = process.env.REVERIE_SOAK === '1';
const now = Date.UTC(2026, 10, 30, 9);
const minute = 60_000;
const memoryDir = '/m';
const stateFolder = '/s';
const guardFolder = '/s/g';
const lockPath = `${memoryDir}/${lockName}`;
const prior = now - 30 * 60 * minute;

type End = 'complete' | 'rollBack';

function openLock(doors: Pick<Doors, 'disk' | 'isAlive'>, pid: number) {
  const { disk } = doors;
  const processes: ProcessTable = {
    host: 'here',
    pid,
    startedAt: async (other) => ((await doors.isAlive(other)) ? 'boot' : undefined),
  };
  const guard = openGuard({ folder: guardFolder, disk, processes, now: () => now });
  return openConsolidationLock({ memoryDir, stateFolder, disk, guard, processes, now: () => now, log: silentLogger });
}

/** Tries once for each way to end; each dream has a start of its own, so that stamps tell them apart. */
function acquirer(pid: number, ...ends: readonly End[]): Actor {
  return {
    pid,
    async act(doors) {
      const lock = openLock(doors, pid);
      for (const [round, end] of ends.entries()) {
        const startedAt = now + pid * 10 + round;
        const held = await lock.tryAcquireConsolidationLock(startedAt);
        if (!held) continue;
        await doors.report('entered', [held.priorMtime, startedAt]);
        await doors.report('asked', await held.isHeld());
        await doors.report('leaving', end === 'complete' ? startedAt : held.priorMtime);
        await held[end]();
      }
    },
  };
}

interface World {
  /** Who dreams. */
  readonly inside: number | null;
  /** What may be the time of the last consolidation: two while an end is under way in a process that died. */
  readonly stamps: readonly number[];
  readonly entered: number;
  /** Who is about to say in the file that it has ended. */
  readonly leaving: { readonly pid: number; readonly from: number } | null;
}

const file = (text: string, mtimeMs: number, inode = 1): MemoryFile => ({ text, mtimeMs, inode });
const holder = (pid: number) =>
  JSON.stringify({ host: 'here', pid, started: 'boot', token: `of-${pid}`, purpose: 'dream', at: now });

interface Start {
  readonly name: string;
  readonly files?: Readonly<Record<string, MemoryFile>>;
  readonly isBlocked?: boolean;
  readonly stamp?: number;
  /** How many orders two acquirers have from here, with the deaths of one of them; a floor. */
  readonly orders: bigint;
}

const freeLock: Start = {
  name: 'a free lock',
  files: { [lockPath]: file('', prior) },
  orders: 340_000_000n,
};

const starts: readonly Start[] = [
  { name: 'no lock', orders: 216_000_000n },
  freeLock,
  { name: 'the lock of a dead process', orders: 373_000_000n, files: { [lockPath]: file('78', now - minute) } },
  {
    name: 'the lock of a living process',
    orders: 2_000_000n,
    files: { [lockPath]: file('77', now - minute) },
    isBlocked: true,
  },
  { name: 'a lock older than an hour', orders: 340_000_000n, files: { [lockPath]: file('77', now - 61 * minute) } },
  {
    name: 'a guard that is half written',
    orders: 320n,
    files: { [`${guardFolder}/7.json`]: file('{"host":"he', now - 1000) },
    isBlocked: true,
  },
  {
    name: 'a guard that a crash cut',
    orders: 15_600_000_000n,
    files: { [`${guardFolder}/7.json`]: file('{"host":"he', now - 11_000) },
  },
  {
    name: 'a guard of a dead process',
    orders: 85_000_000_000n,
    files: { [`${guardFolder}/7.json`]: file(holder(78), now - minute) },
  },
  {
    name: 'a guard that is released',
    orders: 408_000_000n,
    files: {
      [`${guardFolder}/7.json`]: file(holder(77), now - minute),
      [`${guardFolder}/7.released`]: file('', now - minute, 2),
      [lockPath]: file('', prior, 3),
    },
  },
  {
    name: 'what a dream left that was killed inside',
    orders: 394_000_000_000n,
    files: {
      [`${guardFolder}/7.json`]: file(holder(78), now - minute),
      [`${stateFolder}/acquired.json`]: file(
        JSON.stringify({ pid: 78, priorMtime: prior, startedAt: now - minute }),
        now - minute,
        2,
      ),
      [lockPath]: file('78', now - minute, 3),
    },
    stamp: prior,
  },
  {
    name: 'a clock that was set back: a lock and a cut guard of the year after',
    orders: 28_000_000_000n,
    files: {
      [lockPath]: file('78', now + 365 * 24 * 60 * minute),
      [`${guardFolder}/7.json`]: file('{"host":"he', now + 365 * 24 * 60 * minute, 2),
    },
  },
];

function filesOf(start: Start): MemoryFiles {
  const folders = ['/', memoryDir, stateFolder, guardFolder].map((path) => [path, 'folder'] as const);
  return new Map<string, MemoryFile | 'folder'>([...folders, ...Object.entries(start.files ?? {})]);
}

const stampOf = (files: MemoryFiles): number => (files.get(lockPath) as MemoryFile | undefined)?.mtimeMs ?? 0;

function explore(start: Start, actors: readonly Actor[], isKilling: boolean) {
  const files = filesOf(start);
  return exploreInterleavings<World>({
    files,
    actors,
    isKilling,
    now,
    alive: [77],
    world: { inside: null, stamps: [start.stamp ?? stampOf(files)], entered: 0, leaving: null },
    after(world, pid, step, then) {
      if (step.call === 'report') return reported(world, pid, step.args, then);
      if (world.leaving?.pid === pid && isStamped(step)) return { ...world, leaving: null };
      return world;
    },
    afterDeath: (world, pid) => ({
      ...world,
      inside: world.inside === pid ? null : world.inside,
      leaving: null,
      stamps: world.leaving?.pid === pid ? [...world.stamps, world.leaving.from] : world.stamps,
    }),
    atEnd: (world, then, alive) => atEnd(start, files, world, then, alive),
  });
}

const isStamped = ({ call, args }: Step) =>
  (call === 'rename' && args[1] === lockPath) || (call === 'remove' && args[0] === lockPath);

function reported(world: World, pid: number, [event, detail]: readonly [string, unknown], then: MemoryFiles): World {
  if (event === 'entered') {
    const [priorMtime, startedAt] = detail as [number, number];
    assert.equal(world.inside, null, `${pid} entered while ${world.inside} was inside`);
    assert.ok(world.stamps.includes(priorMtime), `${priorMtime} is taken for the stamp, which is ${world.stamps}`);
    const { text, mtimeMs } = then.get(lockPath) as MemoryFile;
    assert.deepEqual([text, mtimeMs], [String(pid), startedAt], 'the file names the holder and its start');
    return { ...world, inside: pid, stamps: [priorMtime], entered: world.entered + 1 };
  }
  assert.equal(world.inside, pid);
  if (event === 'asked') {
    assert.equal(detail, true, 'who is inside holds');
    return world;
  }
  return { ...world, inside: null, stamps: [detail as number], leaving: { pid, from: world.stamps[0] as number } };
}

async function atEnd(
  start: Start,
  before: MemoryFiles,
  world: World,
  files: MemoryFiles,
  alive: ReadonlySet<number>,
): Promise<void> {
  const someoneDied = ![11, 12].every((pid) => alive.has(pid));
  if (start.isBlocked) {
    assert.equal(world.entered, 0, 'who is not to be let in stays out');
    assert.deepEqual(files.get(lockPath), before.get(lockPath));
  } else if (!someoneDied) {
    assert.ok(world.entered > 0, 'somebody gets what is free');
  }
  // A third one comes when all is over: it finds the stamp right, nothing left lying about, and gets in.
  let there = files;
  let step = 0;
  const doors = {
    isAlive: async (pid: number) => alive.has(pid) || pid === 13,
    disk: diskOver(async (call) => {
      const done = callDisk(there, call, now, 13_000 + step);
      step += 1;
      there = done.files ?? there;
      return done.answer;
    }),
  };
  const lock = openLock(doors, 13);
  if (someoneDied) await lock.recover();
  if (!start.isBlocked) {
    assert.ok(world.stamps.includes(stampOf(there)), `the stamp is ${stampOf(there)} and not ${world.stamps}`);
    if (world.entered > 0) assert.ok(['', undefined].includes((there.get(lockPath) as MemoryFile | undefined)?.text));
    assert.equal((await lock.state()).held, false);
  }
  const held = await lock.tryAcquireConsolidationLock(now + 500);
  assert.equal(held === null, start.isBlocked === true, 'the next one gets in if nobody holds');
  await held?.complete();
  const left = [...there.keys()].filter(
    (path) => path.startsWith('/s/') && !/^\/s\/g(\/\d+\.(json|released))?$/.test(path),
  );
  assert.deepEqual(left, [], 'nothing is left lying about');
  assert.deepEqual(
    [...there.keys()].filter((path) => path.startsWith('/m/') && path !== lockPath),
    [],
  );
}

/** Program and process of the other product: its protocol as it is known, each file step apart. */
const claudePid = 21;
function claudeCode(end: 'leaves its number' | 'rolls back'): Actor {
  return {
    pid: claudePid,
    async act({ disk, isAlive, report }) {
      const stat = await disk.stat(lockPath);
      const holderPid = Number.parseInt((await disk.read(lockPath))?.toString() ?? '', 10);
      if (stat && now - stat.mtimeMs < 60 * minute && holderPid > 0 && (await isAlive(holderPid))) return;
      await disk.overwrite(lockPath, Buffer.alloc(0));
      await disk.overwrite(lockPath, Buffer.from(String(claudePid)));
      const again = (await disk.read(lockPath))?.toString();
      if (again !== String(claudePid)) return;
      await report('entered');
      await report('left');
      if (end === 'leaves its number') return;
      if (!stat) return disk.remove(lockPath);
      await disk.overwrite(lockPath, Buffer.alloc(0));
      await disk.setModified(lockPath, stat.mtimeMs);
    },
  };
}

/** What the two did, in order, as `PID did`. */
type Deeds = readonly string[];

function deedOf(deeds: Deeds, pid: number, { call, args }: Step): string | undefined {
  const did = (what: string) => deeds.includes(`${pid} ${what}`);
  if (call === 'report') return args[0] === 'leaving' ? 'left' : String(args[0]);
  if (pid === claudePid) {
    // Its look is torn: the time of before with the number of after passes for an old lock.
    if (call === 'stat') return 'looked';
    if (call === 'overwrite' && args[1] !== '') return 'wrote';
    return call === 'read' && did('wrote') ? 'verified' : undefined;
  }
  if (call === 'rename' && args[1] === lockPath && !did('wrote')) return 'wrote';
  if (call === 'read' && args[0] === lockPath && !did('entered')) return did('wrote') ? 'verified' : 'looked';
  return undefined;
}

describe('the consolidation lock, in every order of file steps', function () {
  this.timeout(isSoak ? 3_600_000 : 60_000);

  /** Fails when fewer orders were looked at than `atLeast`: then steps, or starts, are no longer seen. */
  function counted({ schedules }: { readonly schedules: bigint }, atLeast: bigint): void {
    assert.ok(schedules >= atLeast, `only ${schedules.toLocaleString('en')} orders`);
  }

  for (const start of starts) {
    const atLeast = start.orders;
    it(`F-32: two acquirers, one of them killed at any step or none, from ${start.name}: never two holders in at least ${atLeast.toLocaleString('en')} orders`, async () => {
      counted(await explore(start, [acquirer(11, 'complete'), acquirer(12, 'rollBack')], true), atLeast);
    });
  }

  it('F-32: one who comes back for a second dream meets one who was slow: never two holders in at least 5,000,000,000,000 orders', async () => {
    const explored = await explore(freeLock, [acquirer(11, 'complete', 'rollBack'), acquirer(12, 'rollBack')], true);
    counted(explored, 5_000_000_000_000n);
  });

  for (const start of isSoak ? starts : []) {
    it(`F-32: two who each come back, one of them killed or none, from ${start.name}`, async () => {
      await explore(start, [acquirer(11, 'complete', 'rollBack'), acquirer(12, 'rollBack', 'complete')], true);
    });
    it(`F-32: three acquirers from ${start.name}`, async () => {
      await explore(start, [acquirer(11, 'complete'), acquirer(12, 'rollBack'), acquirer(14, 'complete')], false);
    });
  }

  // Its own protocol lets two in when both looked before either wrote, and one verified before the other wrote. Nobody can close
  // that without changing the other product; this says that nothing else lets two in.
  for (const end of ['leaves its number', 'rolls back'] as const) {
    it(`F-32: Claude Code, which ${end}, and one of ours: two only by the gap that its protocol has, in at least 40,000,000 orders`, async () => {
      const files = filesOf(freeLock);
      const explored = await exploreInterleavings<{ readonly deeds: Deeds; readonly isOurs: boolean }>({
        files,
        actors: [claudeCode(end), acquirer(11, 'complete')],
        isKilling: false,
        now,
        alive: [],
        world: { deeds: [], isOurs: true },
        after({ deeds, isOurs: wasOurs }, pid, step, then) {
          const isReading = pid === 11 && step.call === 'read' && step.args[0] === lockPath;
          const isOurs = isReading ? (then.get(lockPath) as MemoryFile | undefined)?.text === '11' : wasOurs;
          const deed = deedOf(deeds, pid, step);
          if (!deed) return { deeds, isOurs };
          const done = [...deeds.filter((other) => other !== `${pid} ${deed}`), `${pid} ${deed}`];
          if (deed === 'asked') assert.equal(step.args[1], isOurs, 'who was written over sees it');
          if (deed === 'entered') exclusive(done, pid, pid === 11 ? claudePid : 11);
          return { deeds: done, isOurs };
        },
        afterDeath: (world) => world,
        async atEnd({ deeds }, then) {
          const body = (then.get(lockPath) as MemoryFile | undefined)?.text;
          const entered = (pid: number) => deeds.includes(`${pid} entered`);
          assert.ok(entered(11) || entered(claudePid), 'somebody gets what is free');
          if (entered(claudePid) && !entered(11) && end === 'leaves its number') assert.equal(body, String(claudePid));
        },
      });
      counted(explored, 40_000_000n);
    });
  }

  function exclusive(deeds: Deeds, pid: number, other: number): void {
    const at = (who: number, deed: string) => deeds.indexOf(`${who} ${deed}`);
    if (at(other, 'entered') < 0 || at(other, 'left') >= 0) return;
    const [first, second] = at(pid, 'wrote') < at(other, 'wrote') ? [pid, other] : [other, pid];
    const why = `both are inside: ${deeds.join(', ')}`;
    assert.ok(at(second, 'looked') < at(first, 'wrote'), why);
    assert.ok(at(first, 'verified') >= 0 && at(first, 'verified') < at(second, 'wrote'), why);
  }
});
