// Real processes that are killed at real file calls, and real processes that extract the same sessions at once. Here a
// sample of it; REVERIE_SOAK=1 (npm run test:soak) makes every call and more rounds.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { parseIndex } from '../../src/core/memory/memoryIndex';
import { createSample, type Sample } from '../support/sample';

const isSoak = process.env.REVERIE_SOAK === '1';
const run = promisify(execFile);

interface Report {
  readonly calls: number;
  readonly saved: readonly string[];
  readonly failed: readonly string[];
}

describe('a process that dies while it saves', function () {
  this.timeout(isSoak ? 1_800_000 : 400_000);
  let base: string;
  let sample: Sample;
  let child: string;
  /** What a run that nobody disturbs ends with. */
  let whole: { report: Report; memories: string[] };

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'crash-'));
    child = join(base, 'child.cjs');
    await build({
      entryPoints: [join(__dirname, '../support/crashChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: child,
      logLevel: 'error',
      mainFields: ['module', 'main'],
    });
    sample = createSample(base);
    await cp(sample.configDir, join(base, 'pristine'), { recursive: true, preserveTimestamps: true });
    const report = await extract();
    whole = { report, memories: await memories() };
    assert.ok(report.saved.length > 1, 'the sample has something to save');
    assert.deepEqual(report.failed, []);
  });
  after(() => rm(base, { recursive: true, force: true }));

  async function reset(): Promise<void> {
    await rm(sample.configDir, { recursive: true, force: true });
    await cp(join(base, 'pristine'), sample.configDir, { recursive: true, preserveTimestamps: true });
  }

  async function extract(at = 0, how = 'before'): Promise<Report> {
    const { stdout } = await run(process.execPath, [child, sample.project, sample.configDir, String(at), how]);
    return JSON.parse(stdout) as Report;
  }

  async function dies(at: number, how: string): Promise<void> {
    const error = await extract(at, how).then(
      () => undefined,
      (failure: { signal?: string }) => failure,
    );
    assert.equal(error?.signal, 'SIGKILL', `call ${at} (${how}) was reached`);
  }

  /** Topic files as words alone: names may differ when a run began anew. */
  async function memories(): Promise<string[]> {
    const all: string[] = [];
    for (const [path, text] of await files()) {
      if (path.endsWith('MEMORY.md')) continue;
      all.push(
        createHash('sha256')
          .update(text.replace(/^ {2}modified:.*$/m, ''))
          .digest('hex'),
      );
    }
    return all.sort();
  }

  async function files(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const entry of await readdir(sample.memoryDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      found.set(relative(sample.memoryDir, path), await readFile(path, 'utf8'));
    }
    return found;
  }

  async function agrees(when: string): Promise<void> {
    const found = await files();
    const leftovers = (await readdir(sample.configDir, { recursive: true })).filter(
      (name) => name.endsWith('.tmp') || name.includes('.applying'),
    );
    assert.deepEqual(leftovers, [], `no temporary file is left ${when}`);
    const index = found.get('MEMORY.md') ?? '';
    const targets = parseIndex(index).entries.map((entry) => entry.target);
    assert.equal(new Set(targets).size, targets.length, `each memory has one index line ${when}`);
    // The sample's own index has a dead line, which nobody here may touch.
    const dead = targets.filter((target) => !found.has(target));
    assert.deepEqual(dead, ['deploy-runner.md'], `no new line leads nowhere ${when}`);
    for (const path of whole.report.saved)
      if (found.has(path)) assert.ok(targets.includes(path), `${path} is in the index ${when}`);
  }

  it('leaves every file old or new, and the next start ends as an undisturbed run', async () => {
    const step = isSoak ? 1 : Math.ceil(whole.report.calls / 5);
    for (const how of ['before', 'half']) {
      for (let at = how === 'half' && !isSoak ? 2 : 1; at <= whole.report.calls; at += step) {
        await reset();
        const old = await files();
        await dies(at, how);
        for (const [path, text] of await files()) {
          if (path.includes('.reverie-') || path === 'MEMORY.md') continue;
          if (old.has(path)) assert.equal(text, old.get(path), `${path} is whole after call ${at}`);
          else assert.match(text, /^---\n[\s\S]+\n---\n\n[\s\S]+\n$/, `${path} is whole after call ${at}`);
        }
        const report = await extract();
        assert.deepEqual(report.failed, []);
        await agrees(`after a crash ${how} call ${at}`);
        assert.deepEqual(await memories(), whole.memories, `after a crash ${how} call ${at}`);
      }
    }
  });

  it('survives being killed at random', async () => {
    for (let round = 0; round < (isSoak ? 20 : 4); round += 1) {
      await reset();
      const process_ = spawn(process.execPath, [child, sample.project, sample.configDir, '0', 'before'], {
        stdio: 'ignore',
      });
      const gone = new Promise((resolve) => process_.once('exit', resolve));
      await new Promise((resolve) => setTimeout(resolve, 80 + Math.random() * 400));
      process_.kill('SIGKILL');
      await gone;
      await extract();
      await agrees('after a kill at random');
      assert.deepEqual(await memories(), whole.memories);
    }
  });

  it('two processes that extract the same sessions save each memory once and lose no index line', async () => {
    for (let round = 0; round < (isSoak ? 20 : 3); round += 1) {
      await reset();
      const reports = await Promise.all([extract(), extract()]);
      assert.deepEqual(
        reports.flatMap((report) => report.failed),
        [],
      );
      await agrees('after two processes at once');
      assert.deepEqual(await memories(), whole.memories);
      assert.deepEqual(reports.flatMap((report) => report.saved).sort(), [...whole.report.saved].sort());
    }
  });
});
