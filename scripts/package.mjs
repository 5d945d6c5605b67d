// Packs the extension into reverie.vsix with a production build, and refuses to when the package would hold a file that nobody
// named, lack one that it needs, or grow over its limit. Works without a network.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = 'reverie.vsix';
const limitKb = 1024;

const allowed = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^package\.nls(\.[a-z-]+)?\.json$/,
  /^l10n\/bundle\.l10n(\.[a-z-]+)?\.json$/,
  /^dist\/(\w+\.js|THIRD_PARTY_NOTICES\.txt)$/,
  /^media\/(walkthrough\/.+|[^/]+)\.(css|svg|png|md)$/,
];

/** @param {...string} args */
function vsce(...args) {
  const cli = join(root, 'node_modules/@vscode/vsce/vsce');
  const result = spawnSync(process.execPath, [cli, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status !== 0) fail(`vsce ${args[0]} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// `vscode:prepublish` makes the production build.
vsce('package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', output);

const files = vsce('ls', '--no-dependencies')
  .split('\n')
  .filter((line) => line !== '' && existsSync(join(root, line)));
const strangers = files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
if (strangers.length > 0) fail(`the package would hold files that nobody named: ${strangers.join(', ')}`);

/** Every path of the manifest that starts with a folder that ships. @param {unknown} value @returns {string[]} */
const pathsIn = (value) => {
  if (typeof value === 'string')
    return /^(\.\/)?(media|dist|l10n)\/[^\s]+\.\w+$/.test(value) ? [value.replace(/^\.\//, '')] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
};
const needed = ['LICENSE', 'dist/THIRD_PARTY_NOTICES.txt', ...pathsIn(manifest)];
// Until the command line is there, its bundle can't be.
const missing = needed.filter(
  (file) => !files.includes(file) && !(file === 'dist/cli.js' && !existsSync(join(root, 'src/cli.ts'))),
);
if (missing.length > 0) fail(`the package lacks ${missing.join(', ')}`);

const kb = Math.ceil(statSync(join(root, output)).size / 1024);
if (kb > limitKb) fail(`${output} is ${kb} kB, over its limit of ${limitKb} kB`);
for (const file of files) console.log(`${(statSync(join(root, file)).size / 1024).toFixed(1).padStart(9)} kB  ${file}`);
console.log(`${output}: ${files.length} files, ${kb} kB`);
