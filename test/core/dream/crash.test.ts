// A process that is killed before and half-way through its changing file calls while it dreams. Here a sample of the calls;
// REVERIE_SOAK=1 (npm run test:soak) takes every one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { memoryOf } from '../../support/dreamStore';
import { createTempProject, type TempProject } from '../../support/tempProject';

const isSoak = process.env.REVERIE_SOAK === '1';
const priorMs = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('a process that dies while it dreams', function () {
  this.timeout(isSoak ? 1_800_000 : 200_000);
  let temp: TempProject;
  let child: string;

  const lock = () => join(temp.memoryDir, '.consolidate-lock');
  const pristine = () => join(temp.base, 'pristine');

  before(async () => {
    temp = await createTempProject();
    child = join(temp.base, 'child.cjs');
    await build({
      entryPoints: [join(__dirname, '../../support/dreamChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: child,
      logLevel: 'error',
      mainFields: ['module', 'main'],
    });
    await temp.put('MEMORY.md', '- [Tabs](tabs.md) — tabs\n- [Gone](gone.md) — gone\n');
    await temp.put('tabs.md', memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }));
    await temp.put('tabs-again.md', memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }));
    await temp.put(
      'tender.md',
      memoryOf('Tender', 'The tender closes on 2026-01-23. The audit was yesterday.', {
        modified: '2026-01-05T09:00:00.000Z',
      }),
    );
    await temp.put('.consolidate-lock', '');
    await utimes(lock(), priorMs / 1000, priorMs / 1000);
    await cp(temp.configDir, pristine(), { recursive: true, preserveTimestamps: true });
  });
  after(() => temp.remove());

  async function reset(): Promise<void> {
    await rm(temp.configDir, { recursive: true, force: true });
    await mkdir(temp.configDir, { recursive: true });
    await cp(pristine(), temp.configDir, { recursive: true, preserveTimestamps: true });
  }
  async function memories(): Promise<Record<string, string>> {
    const { '.consolidate-lock': _body, ...files } = await temp.memories();
    return files;
  }
  async function dream(at = 0, how = 'before') {
    const { stdout } = await promisify(execFile)(process.execPath, [
      child,
      temp.directory,
      temp.configDir,
      String(at),
      how,
    ]);
    return JSON.parse(stdout) as { calls: number; lastConsolidatedAt: number; outcome: string; reason?: string };
  }
  const stamp = async () => Math.round((await stat(lock())).mtimeMs);

  it('F-33: memories are as before or as after, the lock is free and right, and the next dream ends as an undisturbed one', async () => {
    const old = await memories();
    const first = await dream();
    assert.equal(first.outcome, 'applied');
    const whole = { calls: first.calls, after: await memories() };
    assert.notDeepEqual(whole.after, old);

    const step = isSoak ? 1 : Math.ceil(whole.calls / 9);
    for (const how of ['before', 'half']) {
      for (let at = how === 'half' && !isSoak ? 3 : 1; at <= whole.calls; at += step) {
        await reset();
        const began = Date.now();
        const death = await dream(at, how).then(
          () => undefined,
          (failure: { signal?: string }) => failure.signal,
        );
        assert.equal(death, 'SIGKILL', `call ${at} (${how}) was reached`);

        const next = await dream();
        const where = `after a crash ${how} call ${at}`;
        assert.ok(['applied', 'unchanged'].includes(next.outcome), `${next.outcome} ${next.reason} ${where}`);
        assert.deepEqual(await memories(), whole.after, where);
        // What the next process found: the stamp of before, or of the dream that ended before it died.
        const found = Math.round(next.lastConsolidatedAt);
        assert.ok(found === priorMs || found >= began - 1000, `the stamp is right ${where}: ${found}`);
        if (next.outcome === 'applied')
          assert.equal(found, priorMs, `nothing was done, so nothing was stamped ${where}`);
        assert.ok((await stamp()) >= began - 1000, where);
        const left = (await readdir(temp.configDir, { recursive: true })).filter((name) =>
          /\.tmp$|\.applying|acquired/.test(name),
        );
        assert.deepEqual(left, [], where);
      }
    }
  });
});
