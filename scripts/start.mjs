// `npm start`: makes sure that the dependencies are there, then opens the sample project with Reverie in it (startSample.ts).
// On a fresh clone nothing is installed: so only Node's own modules here.
//   --server     the server, even if there is a desktop VS Code        --oldest   the oldest supported VS Code (a server)
//   --empty      no past chat sessions and no memories yet             --check    open it once without a screen, then end: for CI
import { parseArgs } from 'node:util';
import { ensureDependencies, importTypeScript } from './dependencies.mjs';
import { HostUnavailable } from './hostSetup.mjs';

/** @type {import('node:util').ParseArgsConfig['options']} */
const known = Object.fromEntries(
  ['server', 'oldest', 'empty', 'check'].map((name) => [name, { type: 'boolean', default: false }]),
);

try {
  const { values } = parseArgs({ options: known });
  ensureDependencies();
  const { startSample } = await importTypeScript('scripts/startSample.ts');
  await startSample(values);
} catch (error) {
  const isPlain =
    error instanceof Error && (error instanceof HostUnavailable || error.name === 'HostUnavailable' || 'code' in error);
  console.error(isPlain ? error.message : error);
  process.exit(1);
}
