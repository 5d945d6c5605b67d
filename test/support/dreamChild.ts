// A process for crash tests: dreams over a project and applies it, on a disk that ends the process at a given changing call.
// Arguments: project, config folder, number of the call (0: never), `half` or `before`. Prints the outcome as JSON.

import { defaultSettings } from '../../src/core/engineSettings';
import { openProject } from '../../src/core/openProject';
import { dyingDisk } from './disks';

async function main(): Promise<void> {
  const [directory = '', configDir = '', at = '0', how = 'before'] = process.argv.slice(2);
  const { disk, calls } = dyingDisk(Number(at), how === 'half');
  const project = await openProject({
    directory,
    configDir,
    homeDir: configDir,
    env: {},
    trusted: true,
    settings: defaultSettings,
    disk,
  });
  await project.recover();
  const found = await project.dream.lock();
  const { outcome, reason } = await project.dream.executeAutoDream('terminal', { force: true, apply: true });
  project.dispose();
  process.stdout.write(
    JSON.stringify({ calls: calls(), lastConsolidatedAt: found.lastConsolidatedAt, outcome, reason }),
  );
}

void main();
