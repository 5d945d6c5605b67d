// A process for crash tests: extracts a project's chat sessions over a disk that ends the process at a given changing
// call. Arguments: project, config folder, number of the call (0: never), `half` or `before`. Prints what it did as JSON.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '../../src/core/engineSettings';
import { openProject } from '../../src/core/openProject';
import { dyingDisk } from './disks';

async function main(): Promise<void> {
  const [directory = '', configDir = '', at = '0', how = 'before'] = process.argv.slice(2);
  const { disk, calls } = dyingDisk(Number(at), how === 'half');
  const project = await openProject({
    directory,
    configDir,
    homeDir: join(configDir, '..'),
    env: {},
    trusted: true,
    settings: defaultSettings,
    disk,
  });
  await project.recover();
  const outcomes = [...(await project.learnPast((await project.past()).sessions))];
  for (const session of await project.behind()) outcomes.push(await project.extract(session, 'command'));
  project.dispose();
  const saved = outcomes.flatMap((outcome) => outcome.writtenPaths);
  const failed = outcomes.filter((outcome) => outcome.outcome === 'failed').map((outcome) => outcome.reason);
  process.stdout.write(JSON.stringify({ calls: calls(), saved, failed, files: readdirSync(configDir).length }));
}

void main();
