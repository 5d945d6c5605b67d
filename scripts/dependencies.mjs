// Makes sure that the packages of package-lock.json are there, so that a fresh clone needs one command. Uses Node's own modules only.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs `npm ci` when node_modules is missing. An older one is only named: replacing it is for the person to decide. */
export function ensureDependencies() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) {
    console.log('installing the dependencies (npm ci)');
    const npm = process.env.npm_execpath;
    const [program, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
    const isShell = process.platform === 'win32' && !npm;
    const result = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: isShell });
    if (result.status !== 0) throw new Error('npm ci failed');
    return;
  }
  if (statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs + 1000) {
    console.log('note: package-lock.json is newer than node_modules; if something is missing, run npm ci');
  }
}

/**
 * Runs a TypeScript program of the project in a process of its own, with this one's arguments, and ends as that one does.
 * @param {string} path from the project's root
 */
export async function runTypeScript(path) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, path), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  // Ctrl+C reaches both; this one waits until the other has cleaned up.
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  const status = await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });
  process.exitCode = status ?? 1;
}
