// What a dream costs without a model: the closed time gate in calls, and the tidy over 1,000 and 5,000 memories in time, at the
// longest stretch in which nothing else of the editor could run.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countingDisk } from '../test/support/disks';
import { createDreamStore, dayMs, dreamNow, memoryOf } from '../test/support/dreamStore';
import { figure } from './figure';

const subjects =
  'pump vendor invoice ledger harness branch ticket sensor museum boiler audit tablet printer cluster widget parser queue shard cache token ferry quota lemur garden harbour violin'.split(
    ' ',
  );

/** Memories that share words, as those of one project do. */
function memories(count: number): Record<string, string> {
  const types = ['project', 'feedback', 'user', 'reference'];
  const subject = (at: number) => `${subjects[at % subjects.length]}${Math.floor(at / subjects.length)}`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const said = [1, 7, 31]
        .map((step) => `The ${subject(at * step)} is kept by team ${subject(at * step + 3)}.`)
        .join(' ');
      const modified = new Date(dreamNow - (at % 300) * dayMs).toISOString();
      return [
        `m${at}.md`,
        memoryOf(`Note ${at}`, `${said}\n\n**Why:** it broke once.`, { type: types[at % 4] ?? 'user', modified }),
      ];
    }),
  );
}

async function main(): Promise<void> {
  for (const [count, atMost] of [
    [1000, 2000],
    [5000, 10_000],
  ] as const) {
    const store = await createDreamStore(memories(count));
    const dream = store.open();
    const delay = monitorEventLoopDelay({ resolution: 2 });
    // What is loaded for the first time is not the dream's own work.
    await dream.executeAutoDream('command', { force: true, dryRun: true });
    delay.enable();
    const begun = performance.now();
    await dream.executeAutoDream('command', { force: true });
    const ms = performance.now() - begun;
    delay.disable();
    figure(`tidy over ${count} memories`, ms, { atMost }, 'ms');
    figure(`longest stretch of it at ${count}`, delay.max / 1e6, { atMost: 100 }, 'ms');
    await store.remove();
  }
  const store = await createDreamStore(memories(100));
  const counted = countingDisk();
  const dream = store.open({ disk: counted.disk });
  await dream.executeAutoDream('command', { force: true });
  counted.reset();
  await dream.executeAutoDream('turnEnd');
  figure('file calls of a closed time gate', counted.count(...counted.calls.keys()), { atMost: 1 }, 'calls');
  await store.remove();
}

void main();
