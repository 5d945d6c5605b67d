// A process with a project in assistant mode, as one window or one command line has it. Arguments: project, config folder, time zone
// (or `machine`). It is told over IPC what time it is and what to do, and answers what came of it.

import { openProject } from '../../src/core/openProject';
import type { Project } from '../../src/core/project';
import { assistantSettings } from './logFolder';

export interface Order {
  readonly now: number;
  readonly verb: 'extract' | 'night' | 'open';
}

async function main(): Promise<void> {
  const [directory = '', configDir = '', zone = 'machine'] = process.argv.slice(2);
  let now = 0;
  let project: Project | undefined;
  const settings = assistantSettings({
    dream: { mode: 'automatic', minHours: 24, minSessions: 5, maxLossPercent: 25 },
  });

  async function carryOut({ verb }: Order): Promise<unknown> {
    project ??= await openProject({
      directory,
      configDir,
      homeDir: configDir,
      env: {},
      trusted: true,
      settings,
      now: () => now,
      ...(zone === 'machine' ? {} : { zone }),
    });
    await project.recover();
    const behind = await project.behind();
    if (verb === 'night') {
      const { outcome, gate, reason } = await project.dream.executeAutoDream('night');
      return { outcome, gate, reason };
    }
    const outcomes = verb === 'extract' ? await Promise.all(behind.map((one) => project?.extract(one, 'command'))) : [];
    return outcomes.map((one) => one && { outcome: one.outcome, reason: one.reason, lines: one.loggedCount });
  }

  let queue = Promise.resolve();
  process.on('message', (order: Order) => {
    queue = queue.then(async () => {
      now = order.now;
      const answer = await carryOut(order).catch((error) => ({ error: String(error) }));
      process.send?.(answer ?? null);
    });
  });
  process.on('disconnect', () => process.exit());
}

void main();
