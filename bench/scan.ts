// What listing memories costs beyond what the disk alone costs. A folder is made, and the list is timed against the bare
// calls with the same primitives and as many at once, turn by turn in one process. One JSON line a figure.
//   node --import tsx bench/scan.ts

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { nodeDisk } from '../src/core/disk';
import { silentLogger } from '../src/core/log';
import { openMemoryStore } from '../src/core/memory/memoryStore';
import { median } from './figure';
import { fillMemories } from './memories';

const open = promisify(fs.open);
const read = promisify(fs.read) as (
  fd: number,
  into: Buffer,
  offset: number,
  length: number,
  at: number,
) => Promise<unknown>;
const close = promisify(fs.close);
const atOnce = 16;

async function each(folder: string, work: (path: string) => Promise<unknown>): Promise<void> {
  const entries = await fs.promises.readdir(folder, { withFileTypes: true });
  let position = 0;
  const runner = async () => {
    while (position < entries.length) {
      const entry = entries[position];
      position += 1;
      if (entry?.isFile()) await work(join(folder, entry.name));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
}

async function readHead(path: string): Promise<void> {
  const fd = await open(path, 'r');
  await read(fd, Buffer.allocUnsafe(4096), 0, 4096, 0);
  await close(fd);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of the ratios of neighbouring turns: what else the machine does weighs on both of a pair. */
async function compare(ours: () => Promise<unknown>, bare: () => Promise<unknown>, turns: number) {
  const pairs: { ours: number; bare: number }[] = [];
  for (let turn = -1; turn < turns; turn += 1) {
    const first = turn % 2 === 0 ? await timed(bare) : undefined;
    const own = await timed(ours);
    const other = first ?? (await timed(bare));
    // The first turn warms caches and compiler.
    if (turn >= 0) pairs.push({ ours: own, bare: other });
  }
  return {
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
    shape: {
      ms: Math.round(median(pairs.map((pair) => pair.ours))),
      bareMs: Math.round(median(pairs.map((pair) => pair.bare))),
      turns,
    },
  };
}

function tell(name: string, value: number, limit: number, unit: string, more: object = {}): void {
  const rounded = Math.round(value * 100) / 100;
  console.log(JSON.stringify({ name, value: rounded, limit, unit, ok: rounded <= limit, ...more }));
}

async function main(): Promise<void> {
  for (const count of [1_000, 10_000]) {
    const folder = fs.mkdtempSync(join(tmpdir(), 'scan-'));
    try {
      fillMemories(folder, count, () => 'the reason is long. ', 5);
      const openStore = () =>
        openMemoryStore({ roots: { private: folder }, disk: nodeDisk, now: Date.now, log: silentLogger });

      const turns = count > 5_000 ? 15 : 51;
      const first = await compare(
        () => openStore().heads(),
        () => each(folder, readHead),
        turns,
      );
      tell(`heads of ${count} memories`, first.ratio, 1.5, 'times readdir and open, read 4 KB, close', first.shape);

      const store = openStore();
      await store.heads();
      const again = await compare(
        () => store.heads(),
        () => each(folder, (path) => fs.promises.stat(path)),
        turns,
      );
      tell(`unchanged rescan of ${count} memories`, again.ratio, 1.2, 'times readdir and stat', again.shape);

      // The best of several: what other programs take from this machine is not this program's pause.
      let pause = Number.POSITIVE_INFINITY;
      for (let turn = 0; turn < turns; turn += 1) {
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        await openStore().heads();
        delay.disable();
        pause = Math.min(pause, delay.max / 1e6);
      }
      tell(`longest pause while listing ${count} memories`, pause, 20, 'ms');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  }
}

void main();
