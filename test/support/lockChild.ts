// A process for races over the consolidation lock. Arguments: memory folder, state folder, a folder for the mark of the holder,
// time of the first barrier (ms), rounds, ms between barriers, ms to hold. Tries at each barrier and on until the next; prints how often it held, and how
// often somebody else held at the same time.

import { openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { openConsolidationLock } from '../../src/core/dream/consolidationLock';
import { nodeProcessTable, openGuard } from '../../src/core/guard';
import { silentLogger } from '../../src/core/log';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

async function main(): Promise<void> {
  const [memoryDir = '', stateFolder = '', marks = '', ...numbers] = process.argv.slice(2);
  const [start = 0, rounds = 0, everyMs = 0, holdMs = 0] = numbers.map(Number);
  const processes = nodeProcessTable(nodeDisk);
  const guard = openGuard({ folder: join(stateFolder, 'guard'), disk: nodeDisk, processes });
  const lock = openConsolidationLock({
    memoryDir,
    stateFolder,
    disk: nodeDisk,
    guard,
    processes,
    now: Date.now,
    log: silentLogger,
  });
  const mark = join(marks, 'holder');
  let held = 0;
  let clashes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const barrier = start + round * everyMs;
    await wait(barrier - Date.now());
    while (Date.now() < barrier + everyMs - holdMs) {
      const mine = await lock.tryAcquireConsolidationLock(Date.now());
      if (!mine) {
        await wait(5 + Math.random() * 20);
        continue;
      }
      held += 1;
      try {
        openSync(mark, 'wx');
      } catch {
        clashes += 1;
      }
      await wait(holdMs);
      if (!(await mine.isHeld())) clashes += 1;
      unlinkSync(mark);
      await (round % 2 ? mine.rollBack() : mine.complete());
    }
  }
  process.stdout.write(JSON.stringify({ held, clashes }));
}

void main();
