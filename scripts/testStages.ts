// Every test there is, in stages, in two lanes at once: what needs only Node, and what needs a real VS Code. A stage's output appears
// when it ends. What can't run here is skipped with the reason, or failed when REVERIE_REQUIRE_HOST=1; a stage that ends badly with
// no failed test in it, or never ends, counts as one failure. The last line is `N passed, N failed[, N skipped]`.
//   npm test -- --only core,views,ui-newest     the stages to run; host and ui mean both hosts
// A single file: npx mocha test/core/files.test.ts     A single host test: HOST_GREP=regexp npm run test:host

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readResults } from '../test/support/results';
import { root } from './dependencies.mjs';

interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ms: number;
}

interface Ended {
  /** Exit status; `null` when it was ended, by a signal or by its time limit. */
  readonly status: number | null;
  readonly output: string;
}

const minuteMs = 60_000;
const noteworthyMs = 5_000;
const stageLimitMs = 8 * minuteMs;
/** After this time the UI run on the oldest host, the longest stage, is left out: the whole must stay under ten minutes. */
const secondUiLimitMs = 6 * minuteMs;
const started = Date.now();
const work = mkdtempSync(join(tmpdir(), 'reverie-test-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const asked = values.only?.split(',').map((name) => name.trim());
const outcomes: Outcome[] = [];
const isRequired = process.env.REVERIE_REQUIRE_HOST === '1';

const isAsked = (name: string): boolean => !asked || asked.some((each) => each === name || name.startsWith(`${each}-`));

function finish(name: string, counts: Omit<Outcome, 'name' | 'ms'>, ms: number, output: string): boolean {
  outcomes.push({ name, ms, ...counts });
  const text = output.trim();
  console.log(`\n== ${name}: ${formatCounts(counts)} (${(ms / 1000).toFixed(1)} s)${text ? `\n${text}` : ''}`);
  return counts.failed === 0;
}

/** A program that is right or wrong as a whole: one test. */
async function checkStage(name: string, ...args: readonly string[]): Promise<boolean> {
  const begun = Date.now();
  const { status, output } = await runNode(args);
  const isGood = status === 0;
  return finish(
    name,
    { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 },
    Date.now() - begun,
    isGood ? '' : output,
  );
}

/** A program that notes its tests in REVERIE_RESULTS. */
async function testStage(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  if (!isAsked(name)) return;
  const begun = Date.now();
  const file = join(work, `${name}.jsonl`);
  const { status, output } = await runNode(args, { ...env, REVERIE_RESULTS: file });
  const { passed, failed, skipped, hasEnded } = readResults(file);
  const isBroken = failed === 0 && (status !== 0 || !hasEnded);
  const isQuiet = failed === 0 && !isBroken;
  const why = isBroken ? `${output}\nended with status ${status}${hasEnded ? '' : ', before its last test'}` : output;
  finish(name, { passed, failed: failed + (isBroken ? 1 : 0), skipped }, Date.now() - begun, isQuiet ? '' : why);
}

/** What can't run here: one skipped test, or a failed one where it is required. */
function cannotRun(name: string, why: string): void {
  if (!isAsked(name)) return;
  finish(name, { passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1 }, 0, why);
}

const mocha = (...patterns: readonly string[]): string[] => [
  'node_modules/mocha/bin/mocha.js',
  '--reporter',
  'test/support/reporter.cjs',
  ...patterns,
];

const hasTests = (folder: string): boolean =>
  existsSync(join(root, folder)) &&
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('.test.ts'));

async function plainLane(): Promise<void> {
  if (isAsked('check-types')) await checkStage('check-types', 'node_modules/typescript/bin/tsc', '--noEmit');
  if (isAsked('check-types'))
    await checkStage('check-types-page', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'media');
  if (isAsked('check-lint')) await checkStage('check-lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.');
  await testStage('core', mocha('test/core/**/*.test.ts', 'test/support/**/*.test.ts'));
  if (hasTests('test/views')) await testStage('views', mocha('test/views/**/*.test.ts'));
}

async function hostLane(): Promise<void> {
  const hosts = ['newest', 'oldest'] as const;
  const needsHost = hosts.some((host) => isAsked(`host-${host}`) || isAsked(`ui-${host}`));
  if (!needsHost && !isAsked('package')) return;
  const isPacked = await checkStage('package', 'scripts/package.mjs');
  if (!needsHost) return;
  const suite = await runNode(['--input-type=module', '--eval', 'await (await import("./esbuild.mjs")).buildSuite()']);
  for (const kind of ['host', 'ui'] as const) {
    for (const host of hosts) {
      const name = `${kind}-${host}`;
      if (!isAsked(name)) continue;
      if (!isPacked || suite.status !== 0) {
        finish(name, { passed: 0, failed: 1, skipped: 0 }, 0, isPacked ? suite.output : 'there is no package to test');
        continue;
      }
      const begun = Date.now();
      const setUp = await runNode(['scripts/hostSetup.mjs', host]);
      if (Date.now() - begun > noteworthyMs)
        console.log(`\n== set up ${host} host (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
      if (setUp.status !== 0) {
        cannotRun(name, setUp.output);
      } else if (kind === 'host') {
        await testStage(name, ['--import', 'tsx', 'test/host/run.ts'], { HOST: host });
      } else if (host === 'oldest' && !asked && !isRequired && Date.now() - started > secondUiLimitMs) {
        finish(
          name,
          { passed: 0, failed: 0, skipped: 1 },
          0,
          'left out: the run took too long already; npm test -- --only ui-oldest',
        );
      } else {
        await testStage(name, mocha('test/ui/**/*.test.ts'), { HOST: host });
      }
    }
  }
}

/** Runs to the end, with its whole process group ended at the time limit; never rejects. */
function runNode(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const end = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // gone already
      }
    };
    const limit = setTimeout(() => {
      output += `\nended: no end after ${stageLimitMs / minuteMs} minutes`;
      end('SIGTERM');
      setTimeout(() => end('SIGKILL'), 5000).unref();
    }, stageLimitMs);
    const onExit = (): void => end('SIGTERM');
    process.once('exit', onExit);
    const settle = (status: number | null): void => {
      clearTimeout(limit);
      process.off('exit', onExit);
      done({ status, output });
    };
    child.once('error', (error) => {
      output += `${error}`;
      settle(null);
    });
    child.once('close', settle);
  });
}

function formatCounts({ passed, failed, skipped }: Omit<Outcome, 'name' | 'ms'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const counted = (lane: () => Promise<void>): Promise<unknown> =>
    lane().catch((error) => {
      const text = `${error instanceof Error ? error.stack : error}`;
      finish('test run', { passed: 0, failed: 1, skipped: 0 }, 0, text);
    });
  await Promise.all([counted(plainLane), counted(hostLane)]);
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  // A run without a test proves nothing.
  if (total.passed + total.failed + total.skipped === 0) total.failed = 1;
  console.log(`\nall stages: ${((Date.now() - started) / 1000).toFixed(0)} s`);
  console.log(formatCounts(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}

void main();
