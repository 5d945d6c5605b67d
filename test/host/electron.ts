// The same suite in a desktop VS Code that @vscode/test-electron downloads: for machines with a network and a display, any
// operating system. `VSCODE_VERSION` picks the release (default: stable), VSCODE_EXECUTABLE an installed one instead of a download.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { readResults } from '../support/results';
import { createSample } from '../support/sample';

const root = resolve(__dirname, '../..');

async function main(): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'reverie-host-electron-'));
  try {
    const sample = createSample(work, { configDir: join(work, 'reverie-host-config') });
    const results = join(work, 'results.jsonl');
    const home = join(work, 'home');
    mkdirSync(home);
    const executable = process.env.VSCODE_EXECUTABLE;
    let code: unknown = 0;
    try {
      code = await runTests({
        ...(executable ? { vscodeExecutablePath: executable } : { version: process.env.VSCODE_VERSION ?? 'stable' }),
        extensionDevelopmentPath: root,
        extensionTestsPath: join(root, 'out/host/suite.js'),
        extensionTestsEnv: {
          HOME: home,
          USERPROFILE: home,
          CLAUDE_CONFIG_DIR: sample.configDir,
          ANTHROPIC_API_KEY: undefined,
          HOST_RESULTS: results,
          HOST_TRANSCRIPTS: sample.transcriptDir,
          HOST_MEMORY: sample.memoryDir,
        },
        launchArgs: [
          sample.project,
          '--disable-extensions',
          '--disable-workspace-trust',
          '--skip-welcome',
          '--skip-release-notes',
          `--user-data-dir=${join(work, 'user')}`,
        ],
      });
    } catch (error) {
      code = error;
    }
    const { passed, failed, skipped, hasEnded, failures } = readResults(results);
    for (const { title, stack } of failures) console.log(`FAIL ${title}\n${stack}\n`);
    if (!hasEnded) console.log(`the suite did not come to its end: ${code}`);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return code === 0 && hasEnded && failed === 0;
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

main().then(
  (isGood) => process.exit(isGood ? 0 : 1),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
