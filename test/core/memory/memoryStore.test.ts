import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import type { MemoryStore } from '../../../src/core/memory/memoryStore';
import { MemoryError } from '../../../src/core/memoryError';
import { countingDisk, watchedDisk } from '../../support/disks';
import { memoryText, type StoreFolder, storeNow, useStoreFolder } from '../../support/storeFolder';

describe('the memory store', function () {
  // Waits for the system's watchers, on a machine that may be busy.
  this.timeout(30_000);
  const place = useStoreFolder();
  const open = (...options: Parameters<StoreFolder['open']>) => place().open(...options);
  const put = (...file: Parameters<StoreFolder['put']>) => place().put(...file);

  const pathsOf = async (store: MemoryStore) => (await store.heads()).map((head) => head.path);
  const problemOf = async (store: MemoryStore, path: string) =>
    (await store.heads()).find((head) => head.path === path)?.problem;
  const refuses = (code: string) => (error: unknown) => error instanceof MemoryError && error.code === code;

  describe('the list of memories', () => {
    it('holds every .md file in every folder, but no index, log, hidden or other file', async () => {
      for (const path of [
        'a.md',
        'sub/deep/b.md',
        'C.MD',
        'team/d.md',
        'sub/logs/e.md',
        'x.md/f.md',
        'préférences ✍.md',
      ])
        await put(path, memoryText(path));
      for (const path of [
        'MEMORY.md',
        'team/MEMORY.md',
        'sub/MEMORY.md',
        'logs/2026/01/2026-01-01.md',
        '.hidden.md',
        '.git/x.md',
        'state.json',
        'notes.txt',
        '.consolidate-lock',
      ])
        await put(path, 'x');
      assert.deepEqual(
        (await pathsOf(open())).sort(),
        ['C.MD', 'a.md', 'préférences ✍.md', 'sub/deep/b.md', 'sub/logs/e.md', 'team/d.md', 'x.md/f.md'].sort(),
      );
    });

    it('is empty while there is no folder, and asks for none', async () => {
      assert.deepEqual(await open().heads(), []);
      assert.equal(await nodeDisk.stat(place().root), undefined);
    });

    it('F-13: is as long as there are files, newest first, those of one time by path', async () => {
      for (let at = 0; at < 250; at += 1) await put(`m${String(at).padStart(3, '0')}.md`, memoryText('x'), at % 3);
      const heads = await open().heads();
      assert.equal(heads.length, 250);
      const sorted = [...heads].sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1));
      assert.deepEqual(heads, sorted);
      assert.equal(heads[0]?.path, 'm000.md');
      assert.equal(heads[1]?.path, 'm003.md');
    });

    it('knows what the head of a file says', async () => {
      await put('a.md', memoryText('A', 'metadata:\n  modified: 2026-11-02T00:00:00.000Z\n  pinned: true\n'), 3);
      await put('team/b.md', memoryText('B'), 4);
      const [a, b] = await open().heads();
      assert.deepEqual(
        [b?.path, b?.name, b?.scope, b?.type, b?.description],
        ['a.md', 'A', 'private', 'project', 'About A'],
      );
      assert.deepEqual(
        [b?.modifiedAt, b?.mtimeMs, b?.pinned],
        [Date.parse('2026-11-02'), storeNow - 3 * 86_400_000, true],
      );
      assert.deepEqual([a?.path, a?.scope, a?.modifiedAt], ['team/b.md', 'team', storeNow - 4 * 86_400_000]);
    });

    it('F-10: sees no field past line 30, and the whole file when it is read', async () => {
      const filler = Array.from({ length: 40 }, (_, at) => `key${at}: x\n`).join('');
      await put('long.md', `---\nname: Long\n${filler}type: user\n---\nBody`);
      const store = open();
      const [head] = await store.heads();
      assert.deepEqual([head?.name, head?.type, head?.problem?.kind], ['Long', undefined, 'no_type']);
      const whole = await store.read('long.md');
      assert.deepEqual([whole?.type, whole?.problem, whole?.body], ['user', undefined, 'Body']);
    });

    it('F-10: sees fields behind a description longer than one read', async () => {
      await put('wide.md', `---\nname: Wide\ndescription: ${'가나다 '.repeat(2000)}end\ntype: user\n---\nBody`);
      const [head] = await open().heads();
      assert.deepEqual([head?.type, head?.problem, head?.description?.endsWith(' end')], ['user', undefined, true]);
      await put('wider.md', `---\nname: Wider\ndescription: ${'x'.repeat(100_000)}\ntype: user\n---\n`);
      assert.equal((await open().heads()).find(({ path }) => path === 'wider.md')?.name, 'Wider');
    });

    it('is not troubled by a character that the read cuts in two', async () => {
      for (let shift = 0; shift < 4; shift += 1)
        await put(`c${shift}.md`, `${memoryText('x')}${'x'.repeat(shift)}${'😀'.repeat(3000)}`);
      for (const head of await open().heads()) assert.equal(head.problem, undefined, head.path);
    });

    it('says of each file what is wrong with it, and hides none', async () => {
      await put('binary.md', Buffer.from([0x2d, 0x2d, 0x2d, 0xff, 0xfe, 0x00]));
      await put('latin1.md', Buffer.from('---\nname: caf\xe9\n---\n', 'latin1'));
      await put('zero.md', '---\nname: a\0b\n---\n');
      await put('huge.md', memoryText('Huge') + 'x'.repeat(1_048_577));
      await put('untyped.md', 'plain');
      await put('empty.md', '');
      await put('conflict.md', '---\nname: a\n<<<<<<< ours\ntype: user\n=======\n>>>>>>> theirs\n---\n');
      await put('yaml.md', '---\nname: Kept\ndescription: "a" b\ntype: user\n---\n');
      execFileSync('mkfifo', [join(place().root, 'pipe.md')]);
      const heads = await open().heads();
      assert.deepEqual(Object.fromEntries(heads.map((head) => [head.path, head.problem?.kind])), {
        'binary.md': 'not_text',
        'latin1.md': 'not_text',
        'zero.md': 'not_text',
        'huge.md': 'too_large',
        'untyped.md': 'no_type',
        'empty.md': 'no_type',
        'conflict.md': 'merge_conflict',
        'yaml.md': 'invalid_yaml',
        'pipe.md': 'unreadable',
      });
      assert.equal(heads.find((head) => head.path === 'huge.md')?.name, 'Huge');
      assert.equal(heads.find((head) => head.path === 'yaml.md')?.name, 'Kept');
    });

    it('F-57: names what the system refuses to read', async () => {
      await put('locked.md', memoryText('x'));
      await put('open.md', memoryText('y'));
      await put('shut/z.md', memoryText('z'));
      const disk = watchedDisk((call, path) => {
        if (path.endsWith('locked.md') && call === 'readRange')
          throw Object.assign(new Error('no'), { code: 'EACCES' });
        if (path.endsWith('shut') && call === 'list') throw Object.assign(new Error('no'), { code: 'EACCES' });
      });
      assert.deepEqual((await pathsOf(open(disk))).sort(), ['locked.md', 'open.md']);
      assert.deepEqual(await problemOf(open(disk), 'locked.md'), { kind: 'unreadable', detail: 'EACCES' });
      const shutRoot = watchedDisk((call, path) => {
        if (path.endsWith('memory') && call === 'realpath') throw Object.assign(new Error('no'), { code: 'EACCES' });
      });
      await assert.rejects(open(shutRoot).heads(), { code: 'EACCES' });
    });

    it('F-15: leaves out a file that goes away between listing and reading', async () => {
      await put('a.md', memoryText('a'));
      await put('b.md', memoryText('b'));
      const disk = watchedDisk((call, path) => {
        if (call === 'readRange' && path.endsWith('a.md')) rmSync(path);
      });
      assert.deepEqual(await pathsOf(open(disk)), ['b.md']);
    });

    it('F-17: leaves modification and change time of every file as they were', async () => {
      const files = [
        await put('a.md', memoryText('a')),
        await put('MEMORY.md', '- [A](a.md)\n'),
        await put('sub/b.md', memoryText('b')),
      ];
      const times = () =>
        Promise.all(
          [...files, place().root].map(async (file) => {
            const { mtimeMs, ctimeMs, size, ino, mode } = await stat(file);
            return { mtimeMs, ctimeMs, size, ino, mode };
          }),
        );
      const before = await times();
      const store = open();
      await store.heads();
      await store.heads();
      await store.read('a.md');
      await store.readText('MEMORY.md');
      await store.index('private');
      await store.locate('a.md');
      await store.watch();
      assert.deepEqual(await times(), before);
    });
  });

  describe('links among the memories', () => {
    it('F-61: lead to a memory folder that is itself a link, and out of it nowhere', async () => {
      const real = join(place().base, 'synced');
      await mkdir(real);
      await writeFile(join(real, 'a.md'), memoryText('a'));
      await writeFile(join(place().base, 'secret.md'), 'secret');
      await symlink(real, place().root);
      await symlink(join(place().base, 'secret.md'), join(real, 'out.md'));
      const store = open();
      assert.deepEqual((await pathsOf(store)).sort(), ['a.md', 'out.md']);
      assert.equal((await store.read('a.md'))?.name, 'a');
      await assert.rejects(store.read('out.md'), refuses('outside'));
    });

    it('F-30: are shown but never read where they lead out of the folder, also into one that begins with its name', async () => {
      await put('a.md', memoryText('a'));
      await mkdir(join(place().base, 'memory-evil'));
      await writeFile(join(place().base, 'memory-evil', 'x.md'), memoryText('evil'));
      await symlink(join(place().base, 'memory-evil', 'x.md'), join(place().root, 'evil.md'));
      await symlink(join(place().base, 'memory-evil'), join(place().root, 'folder'));
      await symlink('nowhere.md', join(place().root, 'dangling.md'));
      await symlink('loop.md', join(place().root, 'loop.md'));
      const counting = countingDisk();
      const store = open(counting.disk);
      const heads = await store.heads();
      assert.deepEqual(Object.fromEntries(heads.map((head) => [head.path, head.problem?.kind])), {
        'a.md': undefined,
        'evil.md': 'link_outside',
        'dangling.md': 'unreadable',
        'loop.md': 'unreadable',
      });
      assert.deepEqual(counting.calls.get('readRange'), [join(place().root, 'a.md')]);
      for (const path of ['evil.md', 'folder/x.md', 'dangling.md', 'loop.md', '../memory-evil/x.md'])
        await assert.rejects(store.read(path), MemoryError, path);
    });

    it('to a listed file are no second memory; to a file inside that is not listed they are one', async () => {
      await put('a.md', memoryText('a'));
      await put('.store/hidden.md', memoryText('Hidden'));
      await symlink('a.md', join(place().root, 'again.md'));
      await symlink('.store/hidden.md', join(place().root, 'shown.md'));
      const store = open();
      assert.deepEqual((await pathsOf(store)).sort(), ['a.md', 'shown.md']);
      assert.equal((await store.read('shown.md'))?.name, 'Hidden');
    });
  });

  describe('the index in the folder', () => {
    it('F-58: is found under any spelling of its name, and written under the one it has', async () => {
      const file = await put('memory.md', '- [A](a.md)\n');
      await put('sub/Memory.MD', 'x');
      await put('a.md', memoryText('a'));
      const store = open();
      assert.deepEqual(await pathsOf(store), ['a.md']);
      assert.equal(await store.index('private'), '- [A](a.md)\n');
      assert.equal(await store.readText('MEMORY.md'), '- [A](a.md)\n');
      const { folder, relative } = await store.locate('MEMORY.md');
      assert.equal(await folder.locate(relative), file);
      assert.equal(await store.read('memory.md'), undefined, 'it is no memory');
      await put('MEMORY.md', 'exact');
      assert.equal(await store.index('private'), 'exact');
    });

    it('is undefined where there is none, and its own text with mark and line ends where there is', async () => {
      const store = open();
      assert.equal(await store.index('private'), undefined);
      assert.equal(await store.index('team'), undefined);
      assert.deepEqual((await store.locate('MEMORY.md')).relative, 'MEMORY.md');
      await put('team/MEMORY.md', '\ufeff# Team\r\n');
      assert.equal(await store.index('team'), '\ufeff# Team\r\n');
    });
  });

  describe('the team mount', () => {
    it('is the folder inside, confined like everything in it', async () => {
      await put('team/a.md', memoryText('a'));
      const store = open();
      assert.equal((await store.read('team/a.md'))?.scope, 'team');
      assert.equal((await store.folder('team').read('a.md'))?.text, memoryText('a'));
      await assert.rejects(store.folder('team').read('../a.md'), refuses('bad_path'));
      await rm(join(place().root, 'team'), { recursive: true });
      await mkdir(join(place().base, 'elsewhere'));
      await symlink(join(place().base, 'elsewhere'), join(place().root, 'team'));
      await assert.rejects(store.folder('team').read('a.md'), refuses('outside'));
    });

    it('may be a folder elsewhere, which then hides the one inside', async () => {
      await put('a.md', memoryText('Private'));
      await put('team/inside.md', memoryText('Inside'));
      const team = join(place().base, 'repo', 'memory');
      await mkdir(join(team, 'sub'), { recursive: true });
      await writeFile(join(team, 'b.md'), memoryText('Team'));
      await writeFile(join(team, 'sub', 'c.md'), memoryText('Sub'));
      await writeFile(join(team, 'MEMORY.md'), '# Team\n');
      const store = open(nodeDisk, { team });
      const heads = await store.heads();
      assert.deepEqual(heads.map(({ path, scope }) => [path, scope]).sort(), [
        ['a.md', 'private'],
        ['team/b.md', 'team'],
        ['team/sub/c.md', 'team'],
      ]);
      assert.equal((await store.read('team/b.md'))?.name, 'Team');
      assert.equal(await store.read('team/inside.md'), undefined);
      assert.equal(await store.index('team'), '# Team\n');
      const { folder, relative } = await store.locate('team/sub/new.md');
      assert.equal(await folder.locate(relative), join(team, 'sub', 'new.md'));
      await assert.rejects(store.read('team/../../x.md'), refuses('bad_path'));
    });
  });

  describe('reading a memory', () => {
    it('gives its text to the byte, or says why not', async () => {
      const text = '\ufeff---\r\nname: a\r\ntype: user\r\n---\r\nBody';
      await put('sub/a.md', text, 5);
      await put('bytes.md', Buffer.from([0xff, 0xfe]));
      await put('huge.md', 'x'.repeat(1_048_577));
      const store = open();
      const found = await store.read('sub/a.md');
      assert.deepEqual([found?.text, found?.body, found?.mtimeMs], [text, 'Body', storeNow - 5 * 86_400_000]);
      assert.equal(await store.readText('sub/a.md'), text);
      assert.equal(await store.read('absent.md'), undefined);
      assert.equal(await store.read('circuit-state.json'), undefined);
      await assert.rejects(store.read('bytes.md'), refuses('not_text'));
      await assert.rejects(store.read('huge.md'), refuses('too_large'));
      await assert.rejects(store.read('/etc/hosts.md'), refuses('bad_path'));
      await assert.rejects(store.readText('../x.md'), refuses('bad_path'));
    });
  });

  describe('a second scan', () => {
    it('reads only what changed', async () => {
      for (const name of ['a', 'b', 'c']) await put(`${name}.md`, memoryText(name));
      const counting = countingDisk();
      const store = open(counting.disk);
      const first = await store.heads();
      assert.equal(counting.count('readRange'), 3);
      counting.reset();
      assert.deepEqual(await store.heads(), first);
      assert.deepEqual([counting.count('readRange'), counting.bytesRead()], [0, 0]);

      await put('b.md', memoryText('B2'), 9);
      await put('d.md', memoryText('d'));
      await rm(join(place().root, 'c.md'));
      counting.reset();
      const names = (await store.heads()).map((head) => head.name);
      assert.deepEqual(names.sort(), ['B2', 'a', 'd']);
      assert.deepEqual(
        counting.calls
          .get('readRange')
          ?.map((path) => path.slice(-4))
          .sort(),
        ['b.md', 'd.md'],
      );
    });

    it('reads a file again that is so young that its time may not tell of a change', async () => {
      const file = await put('a.md', memoryText('one'), 0);
      const store = open(nodeDisk, { now: () => storeNow + 500 });
      assert.equal((await store.heads())[0]?.name, 'one');
      await writeFile(file, memoryText('two'));
      await utimes(file, storeNow / 1000, storeNow / 1000);
      assert.equal((await store.heads())[0]?.name, 'two');
    });

    it('knows when a date that lay in the future has come', async () => {
      await put('a.md', memoryText('a', 'modified: 2026-12-01T00:00:00Z\n'), 3);
      let time = storeNow;
      const store = open(nodeDisk, { now: () => time });
      assert.equal((await store.heads())[0]?.modifiedAt, storeNow - 3 * 86_400_000);
      time += 2 * 86_400_000;
      assert.equal((await store.heads())[0]?.modifiedAt, Date.parse('2026-12-01'));
    });
  });
});
