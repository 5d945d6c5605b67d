// What the extension costs inside a real extension host: activation beside an empty extension, and the first look at a
// tree with 5,000 memories. Needs the newest host (npm run host:setup). One JSON line a figure; medians.
//   node --import tsx bench/host.ts

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatMemory, memoryTypes } from '../src/core/memory/memory';
import { openBrowser } from '../test/host/browser';
import { startServer } from '../test/host/server';
import { createWorkbench } from '../test/host/workbench';
import { createSample } from '../test/support/sample';
import { figure, median } from './figure';

const root = join(__dirname, '..');
const rounds = 5;

function pack(folder: string, output: string): string {
  const cli = join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--no-rewrite-relative-links',
    '--out',
    output,
  ];
  execFileSync(process.execPath, [cli, ...args], { cwd: folder, stdio: 'ignore' });
  return output;
}

/** The package as it ships, with a stopwatch around its loading and its `activate`. */
function packTimed(work: string): string {
  const folder = join(work, 'timed');
  mkdirSync(folder);
  execFileSync('unzip', ['-q', join(root, 'reverie.vsix'), '-d', folder]);
  const extension = join(folder, 'extension');
  const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
  writeStopwatch(extension, 'reverie', manifest.main);
  manifest.main = './stopwatch.js';
  manifest.scripts = undefined;
  writeFileSync(join(extension, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(extension, '.vscodeignore'), '');
  for (const [from, to] of [
    ['readme.md', 'README.md'],
    ['changelog.md', 'CHANGELOG.md'],
    ['LICENSE.txt', 'LICENSE'],
  ] as const) {
    if (existsSync(join(extension, from))) renameSync(join(extension, from), join(extension, to));
  }
  return pack(extension, join(work, 'timed.vsix'));
}

/** What VS Code itself calls code loading and activation; its messages to the window are not the extension's own time. */
function writeStopwatch(folder: string, name: string, main: string): void {
  const code = `
const before = performance.now();
const real = require(${JSON.stringify(main)});
const loading = performance.now() - before;
exports.activate = async (context) => {
  const called = performance.now();
  const api = await real.activate(context);
  (globalThis.probeTimes ??= {})[${JSON.stringify(name)}] = loading + performance.now() - called;
  return api;
};
exports.deactivate = () => real.deactivate?.();
`;
  writeFileSync(join(folder, 'stopwatch.js'), code);
}

function packProbes(work: string): string[] {
  const made: string[] = [];
  for (const [name, main, events] of [
    ['probe', 'extension.js', ['*']],
    ['empty', 'empty.js', ['onStartupFinished']],
  ] as const) {
    const folder = join(work, name);
    mkdirSync(folder);
    const manifest = JSON.parse(readFileSync(join(__dirname, 'probe/package.json'), 'utf8'));
    manifest.name = `reverie-${name}`;
    manifest.activationEvents = events;
    if (name === 'empty') {
      writeStopwatch(folder, name, './extension.js');
      manifest.main = './stopwatch.js';
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'README.md'), `${name}\n`);
    copyFileSync(join(__dirname, 'probe', main), join(folder, 'extension.js'));
    made.push(pack(folder, join(work, `${name}.vsix`)));
  }
  return made;
}

interface Opened {
  readonly page: Awaited<ReturnType<typeof openBrowser>>['page'];
  readonly workbench: ReturnType<typeof createWorkbench>;
  ask(question: object): Promise<Record<string, number>>;
}

async function inHost<T>(
  work: string,
  vsix: readonly string[],
  memories: number,
  look: (opened: Opened) => Promise<T>,
): Promise<T> {
  const base = mkdtempSync(join(work, 'run-'));
  const sample = createSample(base, { hasMemories: false });
  mkdirSync(sample.memoryDir, { recursive: true });
  for (let number = 0; number < memories; number += 1) {
    const draft = {
      type: memoryTypes[number % 4] ?? 'project',
      scope: 'private',
      name: `Memory number ${number}`,
      description: `What is to be known about part ${number}`,
      body: `Part ${number} is handled with care.`,
      modifiedAt: Date.now() - number * 3_600_000,
    } as const;
    writeFileSync(join(sample.memoryDir, `part-${number}.md`), formatMemory(draft));
  }
  const probe = join(base, 'probe');
  mkdirSync(probe);
  const server = await startServer({ host: 'newest', vsix, configDir: sample.configDir, env: { PROBE_FOLDER: probe } });
  try {
    const { page, close } = await openBrowser();
    try {
      const workbench = createWorkbench(page, server);
      await workbench.open(sample.project);
      const ask = async (question: object) => {
        const answer = join(probe, 'answer.json');
        rmSync(answer, { force: true });
        // Renamed into place: the probe never sees half a question.
        writeFileSync(join(probe, 'ask.tmp'), JSON.stringify(question));
        renameSync(join(probe, 'ask.tmp'), join(probe, 'ask.json'));
        for (let tries = 0; !existsSync(answer); tries += 1) {
          if (tries > 1200) throw new Error('the probe does not answer');
          await new Promise((done) => setTimeout(done, 50));
        }
        const result = JSON.parse(readFileSync(answer, 'utf8'));
        if (result.error) throw new Error(result.error);
        return result;
      };
      return await look({ page, workbench, ask });
    } finally {
      await close();
    }
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'reverie-bench-host-'));
  try {
    execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root, stdio: 'ignore' });
    const probes = packProbes(work);
    const timed = packTimed(work);

    const more: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const times = await inHost(work, [...probes, timed], 3, async ({ workbench, ask }) => {
        await workbench.statusItem('Memory').waitFor();
        return ask({ do: 'times' });
      });
      more.push((times.reverie ?? Number.NaN) - (times.empty ?? Number.NaN));
    }
    figure('activation, more than an empty extension', median(more), { atMost: 50 }, 'ms');

    const paints: number[] = [];
    const blocks: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const seen = await inHost(
        work,
        [...probes, join(root, 'reverie.vsix')],
        5000,
        async ({ page, workbench, ask }) => {
          await workbench.statusItem('Memory').waitFor();
          await new Promise((done) => setTimeout(done, 3000));
          const blocked = ask({ do: 'delay', ms: 6000 });
          await new Promise((done) => setTimeout(done, 300));
          const before = performance.now();
          await page
            .locator('.activitybar .action-item a.action-label[aria-label^="Memory"]')
            .click({ position: { x: 8, y: 8 } });
          await workbench.treeRow('Reference').waitFor();
          const paint = performance.now() - before;
          await workbench.treeRow('Project').click();
          return { paint, blocked: (await blocked).maxMs ?? Number.NaN };
        },
      );
      paints.push(seen.paint);
      blocks.push(seen.blocked);
    }
    figure('first paint of a tree with 5,000 memories', median(paints), { atMost: 1000 }, 'ms');
    figure('longest block of the extension host meanwhile', median(blocks), { atMost: 50 }, 'ms');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

void main();
