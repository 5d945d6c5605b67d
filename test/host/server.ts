// Starts one throw-away VS Code server on 127.0.0.1 and stops it again. Each start has its own profile, extensions folder,
// HOME and CLAUDE_CONFIG_DIR, and none of the keys and switches of whoever runs the tests: nothing leaks in or out.
// It installs no host: `setUpHost` in scripts/hostSetup.mjs does.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type HostName, hostOf } from '../../scripts/hostSetup.mjs';

export interface ServerOptions {
  readonly host: HostName;
  /** Packaged extensions to install before the start. */
  readonly vsix?: readonly string[];
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Honours extensionDevelopmentPath and extensionTestsPath in the page's address. Hides toasts and refuses dialogs. */
  readonly hasTestDriver?: boolean;
  /** Asks whether a folder is trusted, as a desktop VS Code does. Otherwise every folder is. */
  readonly asksForTrust?: boolean;
  /** Config folder of Claude Code for the extension; default: an empty one in the profile. */
  readonly configDir?: string;
  /** Installs the test companion: then `changeSettings` and `model` work in an open window. */
  readonly hasCompanion?: boolean;
  /** More variables for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface HostServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly authority: string;
  readonly host: HostName;
  /** Version of VS Code. */
  readonly vscode: string;
  readonly configDir: string;
  readonly home: string;
  /** Changes user settings through the companion, in the open window too; `null` takes a setting away. */
  changeSettings(changes: Readonly<Record<string, unknown>>): void;
  /** The companion's language model (not on the oldest host): what it says next, and what it was asked so far. */
  readonly model: { reply(...replies: readonly ModelReply[]): void; requests(): readonly unknown[] };
  /** The server's log so far. */
  log(): string;
  /** Ends the server and everything it started, and removes the profile. */
  stop(): Promise<void>;
}

/** A text, or text and tool calls in order. */
export type ModelReply =
  | string
  | readonly (
      | { readonly text: string }
      | { readonly tool: string; readonly input?: object }
      | { readonly error: 'Blocked' | 'NoPermissions' | 'NotFound' }
      | { readonly hang: true }
    )[];

/** A quiet, repeatable workbench. Nothing here is needed for an extension to run. */
const quietSettings = {
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

const startLimitMs = 60_000;
const stopLimitMs = 5_000;

/** Resolves when the server answers. Throws, with the server's log, when it does not. */
export async function startServer(options: ServerOptions): Promise<HostServer> {
  const { node, entry, vscode } = hostOf(options.host);
  if (!existsSync(entry)) throw new Error(`VS Code host '${options.host}' is not installed: npm run host:setup`);
  const profile = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-host-')));
  const removeProfile = (): void => {
    if (!process.env.HOST_KEEP) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', removeProfile);
  const folder = (...parts: string[]): string => {
    const path = join(profile, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const home = folder('home');
  const configDir = options.configDir ?? folder('claude');
  // In this build user settings lie on the server, not in the browser. An open window does not notice when the file changes.
  const settingsFile = join(folder('data', 'User'), 'settings.json');
  const settings = {
    ...quietSettings,
    ...(options.asksForTrust ? {} : { 'security.workspace.trust.enabled': false }),
    ...options.settings,
  };
  writeFileSync(settingsFile, JSON.stringify(settings, null, 2));

  const companion = folder('companion');
  const env = {
    ...cleanEnvironment(home, configDir),
    ...(options.hasCompanion ? { HOST_COMPANION: companion } : {}),
    ...options.env,
  };
  const common = [
    '--extensions-dir',
    folder('extensions'),
    '--accept-server-license-terms',
    '--server-data-dir',
    profile,
  ];
  const packages = [...(options.vsix ?? []), ...(options.hasCompanion ? [packCompanion()] : [])];
  for (const file of packages) install(node, [entry, ...common, '--install-extension', file], env);

  const port = await findFreePort();
  const serve = ['--host', '127.0.0.1', '--port', `${port}`, '--without-connection-token', '--telemetry-level', 'off'];
  if (options.hasTestDriver) serve.push('--enable-smoke-test-driver');
  if (!options.asksForTrust) serve.push('--disable-workspace-trust');
  const logFile = join(profile, 'server.log');
  const output = openSync(logFile, 'w');
  const child = spawn(node, [entry, ...common, ...serve], { env, stdio: ['ignore', output, output], detached: true });

  // The server forks workers and one extension host a window: what was started here is a process group, ended as one.
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // gone already
    }
  };
  const onExit = (): void => end('SIGKILL');
  process.prependOnceListener('exit', onExit);
  const exited = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  const stop = async (): Promise<void> => {
    end('SIGTERM');
    const isGone = await Promise.race([exited.then(() => true), pause(stopLimitMs).then(() => false)]);
    if (!isGone) end('SIGKILL');
    await exited;
    end('SIGKILL');
    process.off('exit', onExit);
    process.off('exit', removeProfile);
    removeProfile();
  };

  let changed: Readonly<Record<string, unknown>> = {};
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + startLimitMs;
  while (!(await isAnswering(`${url}/version`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const log = readFileSync(logFile, 'utf8');
      await stop();
      throw new Error(`VS Code server did not start (exit ${child.exitCode}):\n${log}`);
    }
    await pause(50);
  }
  return {
    url,
    authority: `127.0.0.1:${port}`,
    host: options.host,
    vscode,
    configDir,
    home,
    changeSettings(changes) {
      if (!options.hasCompanion) throw new Error('no companion was installed');
      changed = { ...changed, ...changes };
      writeFileSync(join(companion, 'settings.json'), JSON.stringify(changed));
    },
    model: {
      reply: (...replies) => writeFileSync(join(companion, 'replies.json'), JSON.stringify(replies)),
      requests() {
        const file = join(companion, 'requests.jsonl');
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
        return text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown);
      },
    },
    log: () => readFileSync(logFile, 'utf8'),
    stop,
  };
}

function cleanEnvironment(home: string, configDir: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  // A key or a switch of the person at the machine must not decide how a test ends.
  const foreign =
    /^(VSCODE_|ELECTRON_|CODE_SERVER_|ANTHROPIC_|CLAUDE|REVERIE_|GIT_|XDG_)|^(PASSWORD|PORT|NODE_OPTIONS)$/;
  for (const [name, value] of Object.entries(process.env)) if (!foreign.test(name)) env[name] = value;
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
    CLAUDE_CONFIG_DIR: configDir,
    EXTENSIONS_GALLERY: '{}', // otherwise server and page keep asking a gallery outside
  };
}

function install(node: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const result = spawnSync(node, args, { env, encoding: 'utf8' });
  if (result.status === 0 && /successfully installed/.test(result.stdout)) return;
  throw new Error(
    `${args.slice(-2).join(' ')} failed (${result.status ?? result.error}):\n${result.stdout}${result.stderr}`,
  );
}

/** Packs the companion once and again after a change; returns the file. */
function packCompanion(): string {
  const folder = join(__dirname, 'companion');
  const packed = join(__dirname, '../../out/companion.vsix');
  const changedAt = Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs));
  if (existsSync(packed) && statSync(packed).mtimeMs > changedAt) return packed;
  const draft = `${packed}.${process.pid}`;
  mkdirSync(dirname(packed), { recursive: true });
  const vsce = join(__dirname, '../../node_modules/@vscode/vsce/vsce');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--allow-star-activation', '--skip-license'];
  execFileSync(process.execPath, [vsce, 'package', ...flags, '--out', draft], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  renameSync(draft, packed);
  return packed;
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Resolves after `ms`, and does not keep the process alive. */
const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });
