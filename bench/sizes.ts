// How large what ships is, and that the SDK is loaded only when it is used: `node --import tsx bench/sizes.ts`.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { figure } from './figure';

const root = join(__dirname, '..');
const kilobytes = (path: string) => statSync(join(root, path)).size / 1024;

execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root, stdio: 'ignore' });
figure('extension.js', kilobytes('dist/extension.js'), { atMost: 700 }, 'KB');
figure(
  'extension.js and engine.js',
  kilobytes('dist/extension.js') + kilobytes('dist/engine.js'),
  { atMost: 700 },
  'KB',
);
figure('reverie.vsix', kilobytes('reverie.vsix'), { atMost: 1024 }, 'KB');
const eager = ['dist/extension.js', 'dist/engine.js', 'dist/cli.js'].filter((path) =>
  readFileSync(join(root, path), 'utf8').includes('X-Stainless-Retry-Count'),
);
figure('bundles that hold the SDK though it is not used', eager.length, { atMost: 0 }, 'bundles');
