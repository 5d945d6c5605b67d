// That nothing wakes up while nothing happens: the engine over a project with memories and chat sessions, listening, for
// sixty seconds in which nobody touches a file. Counts every callback of a timer, a watcher or a file operation.
//   node --import tsx bench/idle.ts [seconds]

import { createHook } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '../src/core/engineSettings';
import { openProject } from '../src/core/openProject';
import { createSample } from '../test/support/sample';
import { figure } from './figure';

const seconds = Number(process.argv[2] ?? 60);

async function main(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'reverie-idle-'));
  try {
    const sample = createSample(base);
    const project = await openProject({
      directory: sample.project,
      configDir: sample.configDir,
      homeDir: base,
      env: {},
      trusted: true,
      settings: defaultSettings,
    });
    await project.start();
    await project.heads();
    await new Promise((done) => setTimeout(done, 3000));

    const woken = new Map<string, number>();
    const types = new Map<number, string>();
    let counting = true;
    const hook = createHook({
      init: (id, type) => void types.set(id, type),
      before(id) {
        // What began before the hook has no type; it counts all the same.
        const type = types.get(id) ?? 'earlier';
        if (counting && type !== 'PROMISE') woken.set(type, (woken.get(type) ?? 0) + 1);
      },
    });
    const end = new Promise<void>((done) => {
      // The bench's own alarm clock is set before the hook is, and rings when the counting is over.
      setTimeout(() => {
        counting = false;
        done();
      }, seconds * 1000);
    });
    hook.enable();
    await end;
    hook.disable();
    // The alarm clock itself is one callback that ran before `counting` fell.
    const total = [...woken.values()].reduce((sum, count) => sum + count, 0) - 1;
    figure(`callbacks in ${seconds} idle seconds`, Math.max(0, total), { atMost: 0 }, 'callbacks');
    if (total > 0) console.error(Object.fromEntries(woken));
    project.dispose();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

void main();
