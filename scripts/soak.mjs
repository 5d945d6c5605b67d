// `npm run test:soak`: the same promises as `npm test`, held for longer: every changing file call is one at which a process
// dies, more races, more rounds. Takes some twenty minutes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureDependencies, root } from './dependencies.mjs';

ensureDependencies();
const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
const files = [
  'crash',
  'guard',
  'dream/consolidationLock',
  'dream/lockInterleavings',
  'dream/crash',
  'dream/tidy',
  'teamMerges',
].map((name) => `test/core/${name}.test.ts`);
const result = spawnSync(process.execPath, [mocha, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, REVERIE_SOAK: '1' },
});
process.exit(result.status ?? 1);
