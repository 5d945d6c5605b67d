// Opens the sample project with Reverie in it: in desktop VS Code when there is one, else in a VS Code server whose address it
// prints. Everything it makes lies in one temporary folder and is removed at Ctrl+C; no chat or memory of the person is touched.
//   --server     the server, even if there is a desktop VS Code        --oldest   the oldest supported VS Code (a server)
//   --empty      no past chat sessions and no memories yet             --check    open it once without a screen, then end: for CI

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/host/browser';
import { type HostServer, startServer } from '../test/host/server';
import { createWorkbench } from '../test/host/workbench';
import { createSample, type Sample } from '../test/support/sample';
import { findProgram, HostUnavailable, setUpBrowser, setUpHost } from './hostSetup.mjs';

interface StartOptions {
  readonly server: boolean;
  readonly oldest: boolean;
  readonly empty: boolean;
  readonly check: boolean;
}

const root = join(__dirname, '..');
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs until Ctrl+C, or until the window is closed, and ends the process itself. */
async function startSample(options: StartOptions): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'reverie-start-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));
  const sample = createSample(work, { hasMemories: !options.empty, hasSessions: !options.empty });
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(join(root, 'out/start.json'), JSON.stringify(sample, null, 2));

  const code = findProgram('code');
  const hasScreen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const isDesktop = code && hasScreen && !options.server && !options.oldest && !options.check;
  await (isDesktop ? openDesktop(code, work, sample) : openServer(options, sample));
}

async function openDesktop(code: string, work: string, sample: Sample): Promise<void> {
  await runNode('esbuild.mjs');
  const args = [`--extensionDevelopmentPath=${root}`, `--user-data-dir=${join(work, 'user')}`];
  args.push(`--extensions-dir=${join(work, 'extensions')}`, '--disable-workspace-trust', '--wait', sample.project);
  const isShell = process.platform === 'win32';
  const quote = (text: string): string => (isShell ? `"${text}"` : text);
  const env = { ...process.env, CLAUDE_CONFIG_DIR: sample.configDir };
  const child = spawn(quote(code), args.map(quote), { env, stdio: 'inherit', shell: isShell });
  console.log('Reverie opens in a new VS Code window. Close it, or press Ctrl+C here, to end.');
  sayWhatToTry(sample);
  for (const signal of endSignals) process.on(signal, () => child.kill('SIGTERM'));
  await endOf(child);
  process.exit(0);
}

async function openServer(options: StartOptions, sample: Sample): Promise<void> {
  const { name, vscode } = setUpHost(options.oldest ? 'oldest' : 'newest', console.log);
  if (options.check) setUpBrowser(console.log);
  await runNode('scripts/package.mjs');
  const server = await startServer({ host: name, vsix: [join(root, 'reverie.vsix')], configDir: sample.configDir });
  for (const signal of endSignals) process.once(signal, () => void server.stop().then(() => process.exit(0)));
  if (options.check) {
    try {
      await check(server, sample);
    } finally {
      await server.stop();
    }
    console.log(`the workbench of VS Code ${vscode} came up with Reverie and the sample project in it`);
    process.exit(0);
  }
  console.log(`\nReverie runs in VS Code ${vscode}:  ${server.url}/?folder=${encodeURIComponent(sample.project)}`);
  sayWhatToTry(sample);
  console.log('Ctrl+C ends it and removes everything it made.');
}

function sayWhatToTry(sample: Sample): void {
  console.log('Try first: click Memory in the activity bar.');
  if (sample.sessions.length === 0) return;
  console.log('Then let a chat of the sample go on, in another terminal, and watch what is kept:');
  console.log('  npm run sample:turn -- "From now on, never mock the store in tests."');
}

/** Opens the page once and looks for what a person would see first. */
async function check(server: HostServer, sample: Sample): Promise<void> {
  const { page, close } = await openBrowser();
  try {
    const workbench = createWorkbench(page, server);
    await workbench.open(sample.project);
    await workbench.treeRow('README.md').waitFor();
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    if (manifest.contributes?.viewsContainers?.activitybar) await workbench.openContainer('Memory');
  } finally {
    await close();
  }
}

async function runNode(script: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, script)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const status = await endOf(child);
  if (status !== 0) throw new HostUnavailable(`${script} failed`);
}

const endOf = (child: ReturnType<typeof spawn>): Promise<number | null> =>
  new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { server: flag, oldest: flag, empty: flag, check: flag } });
startSample(values).catch((error) => {
  console.error(error instanceof HostUnavailable ? error.message : error);
  process.exit(1);
});
