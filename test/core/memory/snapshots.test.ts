import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { openFolder } from '../../../src/core/files';
import { nodeProcessTable, openGuard } from '../../../src/core/guard';
import { silentLogger } from '../../../src/core/log';
import { createOverlay, type FileChange, invert } from '../../../src/core/memory/changeset';
import { openSnapshots } from '../../../src/core/memory/snapshots';
import { refusingDisk, watchedDisk } from '../../support/disks';

const index = '# Memory\n\n- [A](a.md) — first\n- [B](b.md) — second\n';

describe('snapshots', () => {
  let base: string;
  let memory: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'snapshots-'));
    memory = join(base, 'memory');
    await mkdir(memory);
    await put('MEMORY.md', index);
    await put('a.md', 'text of a\n');
    await put('b.md', 'text of b\r\n');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(memory, path)), { recursive: true });
    await writeFile(join(memory, path), text);
    await utimes(join(memory, path), 1_700_000_000.123, 1_700_000_000.123);
  };
  const text = (path: string) => readFile(join(memory, path), 'utf8').catch(() => null);
  /** Every file with its bytes and its time to the millisecond. */
  const tree = async () => {
    const found: Record<string, string> = {};
    for (const entry of await readdir(memory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      found[path.slice(memory.length + 1)] =
        `${await readFile(path, 'latin1')} @${Math.round((await stat(path)).mtimeMs)}`;
    }
    return found;
  };
  const open = (disk: Disk = nodeDisk, now = Date.now) => {
    const state = join(base, 'state');
    const processes = nodeProcessTable(nodeDisk);
    const folder = openFolder(memory, disk);
    return openSnapshots({
      folder: state,
      files: { locate: async (path) => ({ folder, relative: path }), changed: () => {} },
      disk,
      guard: openGuard({ folder: join(state, 'guard'), disk: nodeDisk, processes }),
      // The process that crashed in a test is this one: to recovery it shall be gone.
      processes: { ...processes, startedAt: async () => undefined },
      now,
      log: silentLogger,
    });
  };
  const overlay = () => {
    const folder = openFolder(memory, nodeDisk);
    return createOverlay(async (path) => {
      const file = await folder.read(path);
      return file && { text: file.text, mtimeMs: file.stat.mtimeMs };
    });
  };
  /** Adds c, changes a, removes b. */
  const changes = async () => {
    const over = overlay();
    await over.write('c.md', 'text of c\n');
    await over.write('a.md', 'new text of a\n');
    await over.remove('b.md');
    await over.write('MEMORY.md', '# Memory\n\n- [C](c.md) — third\n- [A](a.md) — first\n');
    return over.changes();
  };

  it('applies a changeset, and undo brings back every byte and time', async () => {
    const before = await tree();
    const { run, applied } = await open().apply(await changes(), { kind: 'extraction' });
    assert.deepEqual([...applied].sort(), ['MEMORY.md', 'a.md', 'b.md', 'c.md']);
    assert.equal(await text('b.md'), null);
    assert.equal(await text('c.md'), 'text of c\n');
    const again = open();
    assert.deepEqual(
      (await again.runs()).map((known) => [known.id, known.undone]),
      [[run?.id, false]],
    );
    const { restored, conflicts } = await again.undo();
    assert.deepEqual([[...restored].sort(), conflicts], [['MEMORY.md', 'a.md', 'b.md', 'c.md'], []]);
    assert.deepEqual(await tree(), before);
    assert.equal((await again.runs())[0]?.undone, true);
    await assert.rejects(again.undo(), { code: 'not_found' });
    await assert.rejects(again.undo(run?.id), { code: 'usage' });
  });

  it('F-03: applies nothing when one file is no longer what the author saw', async () => {
    const planned = await changes();
    await put('a.md', 'edited by hand\n');
    const before = await tree();
    const { run, conflicts } = await open().apply(planned, { kind: 'extraction' });
    assert.deepEqual([run, conflicts], [undefined, ['a.md']]);
    assert.deepEqual(await tree(), before);
  });

  it('F-01: keeps the index lines that another writer added meanwhile', async () => {
    const planned = await changes();
    await put('MEMORY.md', `${index}- [Theirs](theirs.md) — added by someone else\n`);
    await open().apply(planned, { kind: 'extraction' });
    const merged = (await text('MEMORY.md')) ?? '';
    for (const part of ['(theirs.md)', '(c.md)', '(a.md)']) assert.ok(merged.includes(part), part);
    assert.ok(!merged.includes('(b.md)'));
  });

  it('F-01: reads the index again right before its rename', async () => {
    // Another program writes the index between our plan and our rename.
    let once = true;
    const disk = watchedDisk(async (call, path) => {
      if (call !== 'create' || !path.includes('.tmp') || !path.startsWith(memory) || !once) return;
      once = false;
      await put('MEMORY.md', `${index}- [Theirs](theirs.md) — in between\n`);
    });
    const over = overlay();
    await over.write('c.md', 'text of c\n');
    await over.write('MEMORY.md', `# Memory\n\n- [C](c.md) — third\n- [A](a.md) — first\n- [B](b.md) — second\n`);
    await open(disk).apply(over.changes(), { kind: 'extraction' });
    const merged = (await text('MEMORY.md')) ?? '';
    assert.ok(merged.includes('(theirs.md)') && merged.includes('(c.md)'), merged);
  });

  it('puts back lines that another writer’s rename lost, but not those a person took out with the file', async () => {
    const snapshots = open();
    const over = overlay();
    await over.write('c.md', 'text of c\n');
    await over.write('d.md', 'text of d\n');
    await over.write('MEMORY.md', `${index}- [C](c.md) — third\n- [D](d.md) — fourth\n`);
    await snapshots.apply(over.changes(), { kind: 'extraction' });
    await put('MEMORY.md', index);
    await unlink(join(memory, 'd.md'));
    await snapshots.keepIndexLines();
    const merged = (await text('MEMORY.md')) ?? '';
    assert.ok(merged.includes('(c.md)') && !merged.includes('(d.md)'), merged);
    // A line that we take out ourselves does not come back.
    const removing = overlay();
    await removing.remove('c.md');
    await removing.write('MEMORY.md', index);
    await snapshots.apply(removing.changes(), { kind: 'forget' });
    await snapshots.keepIndexLines();
    assert.ok(!((await text('MEMORY.md')) ?? '').includes('(c.md)'));
  });

  it('leaves an index line alone whose wording was changed and taken back: no two wordings take turns', async () => {
    const snapshots = open();
    const retitled = overlay();
    await retitled.write('MEMORY.md', index.replace('[A]', '[Another]'));
    await snapshots.apply(retitled.changes(), { kind: 'edit' });
    await snapshots.undo();
    assert.equal(await text('MEMORY.md'), index);
    await snapshots.keepIndexLines();
    // Each of the two would be written and overwritten, for ever: every write is a change that calls for a look.
    const mended = (await snapshots.runs()).filter(({ kind }) => kind === 'mend');
    assert.deepEqual([mended.length, await text('MEMORY.md')], [0, index]);
  });

  it('leaves an index line alone that another writer reworded', async () => {
    const snapshots = open();
    const retitled = overlay();
    await retitled.write('MEMORY.md', index.replace('[A]', '[Another]'));
    await snapshots.apply(retitled.changes(), { kind: 'edit' });
    const theirs = index.replace('[A]', '[Theirs]');
    await put('MEMORY.md', theirs);
    await snapshots.keepIndexLines();
    assert.equal(await text('MEMORY.md'), theirs);
  });

  it('undo leaves a file that was edited since, names it, and keeps its index line', async () => {
    const snapshots = open();
    await snapshots.apply(await changes(), { kind: 'extraction' });
    await put('c.md', 'edited by hand\n');
    const { restored, conflicts } = await snapshots.undo();
    assert.deepEqual(conflicts, ['c.md']);
    assert.deepEqual([...restored].sort(), ['MEMORY.md', 'a.md', 'b.md']);
    assert.equal(await text('c.md'), 'edited by hand\n');
    const merged = (await text('MEMORY.md')) ?? '';
    assert.ok(merged.includes('(c.md)') && merged.includes('(b.md)'), merged);
  });

  for (const code of ['EACCES', 'ENOSPC', 'EBUSY'] as const) {
    it(`F-57: ${code} at any write puts everything back and throws it`, async () => {
      const before = await tree();
      for (const call of ['create', 'rename', 'remove'] as const) {
        for (let nth = 1; nth <= 4; nth += 1) {
          let seen = 0;
          const disk = refusingDisk(code, (refused, path) => {
            if (refused !== call || !path.startsWith(memory)) return false;
            // Only the n-th is refused: the way back must work.
            seen += 1;
            return seen === nth;
          });
          try {
            await open(disk).apply(await changes(), { kind: 'extraction' });
          } catch (error) {
            assert.equal((error as NodeJS.ErrnoException).code, code);
            assert.deepEqual(await tree(), before, `${call} ${nth}`);
            continue;
          }
          await open().undo();
          assert.deepEqual(await tree(), before, `${call} ${nth} was never reached`);
        }
      }
    });
  }

  it('F-02: recovers from a crash between any two changes, topic file and index too: everything is as before, no temporary file is left', async () => {
    const before = await tree();
    for (let at = 1; at < 30; at += 1) {
      let seen = 0;
      const crashed = Symbol('crashed');
      const disk = watchedDisk((call) => {
        if (!['create', 'rename', 'remove', 'setModified'].includes(call)) return;
        seen += 1;
        if (seen >= at) throw crashed;
      });
      const done = await open(disk)
        .apply(await changes(), { kind: 'extraction' })
        .then(
          () => true,
          (error) => {
            assert.equal(error, crashed);
            return false;
          },
        );
      await open().recover();
      if (done) {
        await open().undo();
        assert.deepEqual(await tree(), before);
        return;
      }
      assert.deepEqual(await tree(), before, `crash at change ${at}`);
      const left = (await readdir(base, { recursive: true })).filter(
        (name) => name.endsWith('.tmp') || name.includes('applying'),
      );
      assert.deepEqual(left, [], `crash at change ${at}`);
    }
    assert.fail('the run never ended');
  });

  it('recovery leaves alone what was edited after the crash', async () => {
    const planned = await changes();
    let renames = 0;
    const disk = watchedDisk((call, path) => {
      if (call === 'rename' && path.startsWith(memory)) renames += 1;
      if (renames > 2) throw new Error('crash');
    });
    await assert.rejects(open(disk).apply(planned, { kind: 'extraction' }));
    await put('a.md', 'edited after the crash\n');
    await open().recover();
    assert.equal(await text('a.md'), 'edited after the crash\n');
    assert.equal(await text('MEMORY.md'), index);
  });

  it('deleted memories lie in the trash with their reason and index line, and come back', async () => {
    const before = await tree();
    const snapshots = open();
    const over = overlay();
    await over.remove('b.md');
    await over.write('MEMORY.md', '# Memory\n\n- [A](a.md) — first\n');
    await snapshots.apply(over.changes(), { kind: 'forget', reasons: { 'b.md': 'because' } });
    const [entry] = await open().trash();
    assert.deepEqual([entry?.path, entry?.reason, entry?.line?.title], ['b.md', 'because', 'B']);
    await open().restore('b.md');
    assert.deepEqual(await open().trash(), []);
    assert.deepEqual(Object.keys(await tree()).sort(), Object.keys(before).sort());
    assert.equal(await text('b.md'), 'text of b\r\n');
    assert.ok(((await text('MEMORY.md')) ?? '').includes('[B](b.md) — second'));
    await assert.rejects(open().restore('b.md'), { code: 'exists' });
    await assert.rejects(open().restore('never.md'), { code: 'not_found' });
  });

  it('keeps the last twenty runs', async () => {
    const snapshots = open();
    for (let round = 0; round < 45; round += 1) {
      const over = overlay();
      await over.write('a.md', `round ${round}\n`);
      await snapshots.apply(over.changes(), { kind: 'edit' });
    }
    assert.equal((await snapshots.runs()).length, 20);
    for (let round = 0; round < 20; round += 1) await snapshots.undo();
    assert.equal(await text('a.md'), 'round 24\n');
  });

  it('an inverted changeset is the way back, times included', () => {
    const change: FileChange = { path: 'a.md', before: 'x', after: null, beforeMtimeMs: 5 };
    assert.deepEqual(invert(invert([change])), [change]);
    assert.deepEqual(invert([change]), [{ path: 'a.md', before: null, after: 'x', afterMtimeMs: 5 }]);
  });
});
