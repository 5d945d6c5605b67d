// Runs the suite inside the extension host of a real VS Code server, on the sample project. The exit code is the suite's; a suite
// that never came to its end and a host that did not start are failures too.
//   HOST=newest|oldest   HOST_GREP=regexp   HOST_SHOT=file.png (a picture at the end)   HOST_VERBOSE=1   HOST_KEEP=1
//   HOST_EMPTY=1: no past sessions and no memories        REVERIE_RESULTS=file: where the JSON lines go
// The suite finds the sample in the environment: CLAUDE_CONFIG_DIR, HOST_TRANSCRIPTS, HOST_MEMORY.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readResults } from '../support/results';
import { createSample } from '../support/sample';
import { openBrowser } from './browser';
import { startServer } from './server';
import { createWorkbench } from './workbench';

const root = resolve(__dirname, '../..');
const limitMs = Number(process.env.HOST_LIMIT_MS ?? 180_000);
const started = Date.now();

async function main(): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'reverie-host-run-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  const results = process.env.REVERIE_RESULTS ?? join(work, 'results.jsonl');
  const isEmpty = process.env.HOST_EMPTY === '1';
  const sample = createSample(work, {
    configDir: join(work, 'reverie-host-config'),
    hasMemories: !isEmpty,
    hasSessions: !isEmpty,
  });
  const env = {
    HOST_RESULTS: results,
    HOST_TRANSCRIPTS: sample.transcriptDir,
    HOST_MEMORY: sample.memoryDir,
  };
  const host = process.env.HOST === 'oldest' ? 'oldest' : 'newest';
  // A built workbench passes over the two paths of the extension and its tests unless the test driver is on.
  const server = await startServer({ host, hasTestDriver: true, hasCompanion: true, configDir: sample.configDir, env });
  const log: string[] = [];
  let code: unknown = 'none';
  try {
    const { page, close } = await openBrowser();
    try {
      const exit = new Promise((done) => {
        void page.exposeFunction('codeAutomationExit', (value: number) => done(value));
      });
      await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
        log.push(`[${type}] ${args.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' ')}`);
      });
      page.on('pageerror', (error) => log.push(`[pageerror] ${error}`));
      const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
      const workbench = createWorkbench(page, server);
      await workbench.open(sample.project, [
        ['extensionDevelopmentPath', remote(root)],
        ['extensionTestsPath', remote(join(root, 'out/host/suite.js'))],
        ['skipWelcome', 'true'],
        ['skipReleaseNotes', 'true'],
      ]);
      const limit = new Promise((done) => {
        setTimeout(() => done('time limit'), limitMs).unref();
      });
      code = await Promise.race([exit, limit]);
      if (process.env.HOST_SHOT) await page.screenshot({ path: process.env.HOST_SHOT });
    } finally {
      await close();
    }
  } finally {
    await server.stop();
  }

  const { passed, failed, skipped, hasEnded, failures } = readResults(results);
  for (const { title, stack } of failures) console.log(`FAIL ${title}\n${stack.replace(/^/gm, '     ')}\n`);
  const isGood = code === 0 && hasEnded && failed === 0;
  if (!hasEnded || process.env.HOST_VERBOSE) {
    const short = log
      .filter((line) => !line.includes('[AgentHost'))
      .map((line) => line.split('\n', 1)[0]?.slice(0, 300));
    console.log(short.slice(-40).join('\n'));
  }
  if (!hasEnded) console.log(`the suite did not come to its end (exit: ${code})`);
  console.log(`${host}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${Date.now() - started} ms`);
  return isGood;
}

main().then(
  (isGood) => process.exit(isGood ? 0 : 1),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
