import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { type MemoryChange, type MemoryStore, openMemoryStore } from '../../../src/core/memory/memoryStore';
import { MemoryError } from '../../../src/core/memoryError';
import { countingDisk, watchedDisk } from '../../support/disks';

const now = Date.parse('2026-11-30T09:00:00Z');
const memory = (name: string, extra = '') =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: project\n${extra}---\n\nBody of ${name}.\n`;

describe('the memory store', function () {
  // Waits for the system's watchers, on a machine that may be busy.
  this.timeout(30_000);
  let base: string;
  let root: string;
  let stores: MemoryStore[];

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'store-'));
    root = join(base, 'memory');
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) store.dispose();
    await rm(base, { recursive: true, force: true });
  });

  function open(disk: Disk = nodeDisk, options: { team?: string; now?: () => number } = {}): MemoryStore {
    const store = openMemoryStore({
      roots: { private: root, ...(options.team === undefined ? {} : { team: options.team }) },
      disk,
      now: options.now ?? (() => now),
      log: silentLogger,
    });
    stores.push(store);
    return store;
  }

  async function put(path: string, text: string | Buffer, daysOld = 10): Promise<string> {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, now / 1000 - daysOld * 86_400, now / 1000 - daysOld * 86_400);
    return file;
  }

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
        await put(path, memory(path));
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
      assert.equal(await nodeDisk.stat(root), undefined);
    });

    it('F-13: is as long as there are files, newest first, those of one time by path', async () => {
      for (let at = 0; at < 250; at += 1) await put(`m${String(at).padStart(3, '0')}.md`, memory('x'), at % 3);
      const heads = await open().heads();
      assert.equal(heads.length, 250);
      const sorted = [...heads].sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1));
      assert.deepEqual(heads, sorted);
      assert.equal(heads[0]?.path, 'm000.md');
      assert.equal(heads[1]?.path, 'm003.md');
    });

    it('knows what the head of a file says', async () => {
      await put('a.md', memory('A', 'metadata:\n  modified: 2026-11-02T00:00:00.000Z\n  pinned: true\n'), 3);
      await put('team/b.md', memory('B'), 4);
      const [a, b] = await open().heads();
      assert.deepEqual(
        [b?.path, b?.name, b?.scope, b?.type, b?.description],
        ['a.md', 'A', 'private', 'project', 'About A'],
      );
      assert.deepEqual([b?.modifiedAt, b?.mtimeMs, b?.pinned], [Date.parse('2026-11-02'), now - 3 * 86_400_000, true]);
      assert.deepEqual([a?.path, a?.scope, a?.modifiedAt], ['team/b.md', 'team', now - 4 * 86_400_000]);
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
        await put(`c${shift}.md`, `${memory('x')}${'x'.repeat(shift)}${'😀'.repeat(3000)}`);
      for (const head of await open().heads()) assert.equal(head.problem, undefined, head.path);
    });

    it('says of each file what is wrong with it, and hides none', async () => {
      await put('binary.md', Buffer.from([0x2d, 0x2d, 0x2d, 0xff, 0xfe, 0x00]));
      await put('latin1.md', Buffer.from('---\nname: caf\xe9\n---\n', 'latin1'));
      await put('zero.md', '---\nname: a\0b\n---\n');
      await put('huge.md', memory('Huge') + 'x'.repeat(1_048_577));
      await put('untyped.md', 'plain');
      await put('empty.md', '');
      await put('conflict.md', '---\nname: a\n<<<<<<< ours\ntype: user\n=======\n>>>>>>> theirs\n---\n');
      await put('yaml.md', '---\nname: Kept\ndescription: "a" b\ntype: user\n---\n');
      execFileSync('mkfifo', [join(root, 'pipe.md')]);
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
      await put('locked.md', memory('x'));
      await put('open.md', memory('y'));
      await put('shut/z.md', memory('z'));
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
      await put('a.md', memory('a'));
      await put('b.md', memory('b'));
      const disk = watchedDisk((call, path) => {
        if (call === 'readRange' && path.endsWith('a.md')) rmSync(path);
      });
      assert.deepEqual(await pathsOf(open(disk)), ['b.md']);
    });

    it('F-17: leaves modification and change time of every file as they were', async () => {
      const files = [
        await put('a.md', memory('a')),
        await put('MEMORY.md', '- [A](a.md)\n'),
        await put('sub/b.md', memory('b')),
      ];
      const times = () =>
        Promise.all(
          [...files, root].map(async (file) => {
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
      const real = join(base, 'synced');
      await mkdir(real);
      await writeFile(join(real, 'a.md'), memory('a'));
      await writeFile(join(base, 'secret.md'), 'secret');
      await symlink(real, root);
      await symlink(join(base, 'secret.md'), join(real, 'out.md'));
      const store = open();
      assert.deepEqual((await pathsOf(store)).sort(), ['a.md', 'out.md']);
      assert.equal((await store.read('a.md'))?.name, 'a');
      await assert.rejects(store.read('out.md'), refuses('outside'));
    });

    it('F-30: are shown but never read where they lead out of the folder, also into one that begins with its name', async () => {
      await put('a.md', memory('a'));
      await mkdir(join(base, 'memory-evil'));
      await writeFile(join(base, 'memory-evil', 'x.md'), memory('evil'));
      await symlink(join(base, 'memory-evil', 'x.md'), join(root, 'evil.md'));
      await symlink(join(base, 'memory-evil'), join(root, 'folder'));
      await symlink('nowhere.md', join(root, 'dangling.md'));
      await symlink('loop.md', join(root, 'loop.md'));
      const counting = countingDisk();
      const store = open(counting.disk);
      const heads = await store.heads();
      assert.deepEqual(Object.fromEntries(heads.map((head) => [head.path, head.problem?.kind])), {
        'a.md': undefined,
        'evil.md': 'link_outside',
        'dangling.md': 'unreadable',
        'loop.md': 'unreadable',
      });
      assert.deepEqual(counting.calls.get('readRange'), [join(root, 'a.md')]);
      for (const path of ['evil.md', 'folder/x.md', 'dangling.md', 'loop.md', '../memory-evil/x.md'])
        await assert.rejects(store.read(path), MemoryError, path);
    });

    it('to a listed file are no second memory; to a file inside that is not listed they are one', async () => {
      await put('a.md', memory('a'));
      await put('.store/hidden.md', memory('Hidden'));
      await symlink('a.md', join(root, 'again.md'));
      await symlink('.store/hidden.md', join(root, 'shown.md'));
      const store = open();
      assert.deepEqual((await pathsOf(store)).sort(), ['a.md', 'shown.md']);
      assert.equal((await store.read('shown.md'))?.name, 'Hidden');
    });
  });

  describe('the index in the folder', () => {
    it('F-58: is found under any spelling of its name, and written under the one it has', async () => {
      const file = await put('memory.md', '- [A](a.md)\n');
      await put('sub/Memory.MD', 'x');
      await put('a.md', memory('a'));
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
      await put('team/a.md', memory('a'));
      const store = open();
      assert.equal((await store.read('team/a.md'))?.scope, 'team');
      assert.equal((await store.folder('team').read('a.md'))?.text, memory('a'));
      await assert.rejects(store.folder('team').read('../a.md'), refuses('bad_path'));
      await rm(join(root, 'team'), { recursive: true });
      await mkdir(join(base, 'elsewhere'));
      await symlink(join(base, 'elsewhere'), join(root, 'team'));
      await assert.rejects(store.folder('team').read('a.md'), refuses('outside'));
    });

    it('may be a folder elsewhere, which then hides the one inside', async () => {
      await put('a.md', memory('Private'));
      await put('team/inside.md', memory('Inside'));
      const team = join(base, 'repo', 'memory');
      await mkdir(join(team, 'sub'), { recursive: true });
      await writeFile(join(team, 'b.md'), memory('Team'));
      await writeFile(join(team, 'sub', 'c.md'), memory('Sub'));
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
      assert.deepEqual([found?.text, found?.body, found?.mtimeMs], [text, 'Body', now - 5 * 86_400_000]);
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
      for (const name of ['a', 'b', 'c']) await put(`${name}.md`, memory(name));
      const counting = countingDisk();
      const store = open(counting.disk);
      const first = await store.heads();
      assert.equal(counting.count('readRange'), 3);
      counting.reset();
      assert.deepEqual(await store.heads(), first);
      assert.deepEqual([counting.count('readRange'), counting.bytesRead()], [0, 0]);

      await put('b.md', memory('B2'), 9);
      await put('d.md', memory('d'));
      await rm(join(root, 'c.md'));
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
      const file = await put('a.md', memory('one'), 0);
      const store = open(nodeDisk, { now: () => now + 500 });
      assert.equal((await store.heads())[0]?.name, 'one');
      await writeFile(file, memory('two'));
      await utimes(file, now / 1000, now / 1000);
      assert.equal((await store.heads())[0]?.name, 'two');
    });

    it('knows when a date that lay in the future has come', async () => {
      await put('a.md', memory('a', 'modified: 2026-12-01T00:00:00Z\n'), 3);
      let time = now;
      const store = open(nodeDisk, { now: () => time });
      assert.equal((await store.heads())[0]?.modifiedAt, now - 3 * 86_400_000);
      time += 2 * 86_400_000;
      assert.equal((await store.heads())[0]?.modifiedAt, Date.parse('2026-12-01'));
    });
  });

  describe('the change event', () => {
    function listen(store: MemoryStore) {
      const events: MemoryChange[] = [];
      let wake = () => {};
      store.onDidChange((change) => {
        events.push(change);
        wake();
      });
      return {
        events,
        /** Resolves with the next event's paths; rejects after ten seconds without one. */
        async next(): Promise<readonly string[] | undefined> {
          const seen = events.length;
          await new Promise<void>((resolve, reject) => {
            const late = setTimeout(() => reject(new Error('no event came')), 10_000);
            wake = () => {
              clearTimeout(late);
              resolve();
            };
          });
          return events[seen]?.paths;
        },
      };
    }
    const quiet = () => new Promise((resolve) => setTimeout(resolve, 300));

    it('tells of changes by others, in folders that exist and in new ones', async () => {
      await put('a.md', memory('a'));
      await put('sub/b.md', memory('b'));
      const store = open();
      const { next } = listen(store);
      await store.watch();
      let event = next();
      await writeFile(join(root, 'a.md'), memory('changed'));
      assert.deepEqual(await event, ['a.md']);
      event = next();
      await writeFile(join(root, 'sub', 'b.md'), memory('changed'));
      assert.deepEqual(await event, ['sub/b.md']);
      event = next();
      await mkdir(join(root, 'new'));
      await event;
      event = next();
      await writeFile(join(root, 'new', 'c.md'), memory('c'));
      assert.deepEqual(await event, ['new/c.md']);
      event = next();
      await rename(join(root, 'sub'), join(root, 'moved'));
      await event;
      event = next();
      await writeFile(join(root, 'moved', 'b.md'), memory('again'));
      assert.deepEqual(await event, ['moved/b.md']);
    });

    it('tells of a folder that appears, goes away and comes back', async () => {
      const store = open();
      const { next } = listen(store);
      await store.watch();
      for (const name of ['one', 'two']) {
        let event = next();
        await mkdir(root, { recursive: true });
        await event;
        event = next();
        await writeFile(join(root, `${name}.md`), memory(name));
        await event;
        event = next();
        await rm(root, { recursive: true });
        await event;
        await quiet();
      }
    });

    it('tells of changes in a folder that was replaced by another one', async () => {
      await put('a.md', memory('a'));
      const store = open();
      const { next } = listen(store);
      await store.watch();
      let event = next();
      await rename(root, join(base, 'old'));
      await mkdir(root);
      await event;
      await quiet();
      event = next();
      await writeFile(join(root, 'b.md'), memory('b'));
      assert.deepEqual(await event, ['b.md']);
    });

    it('waits for a folder below folders that do not exist either', async () => {
      const top = root;
      root = join(root, 'projects', 'slug', 'memory');
      const store = open();
      const { next } = listen(store);
      await store.watch();
      let event = next();
      await mkdir(root, { recursive: true });
      await event;
      event = next();
      await writeFile(join(root, 'a.md'), memory('a'));
      assert.deepEqual(await event, ['a.md']);
      root = top;
    });

    it('gathers own and foreign changes of one moment into one event', async () => {
      await put('a.md', memory('a'));
      const store = open();
      const { events, next } = listen(store);
      await store.watch();
      const event = next();
      store.changed(['own.md']);
      for (let at = 0; at < 20; at += 1) writeFileSync(join(root, `n${at % 3}.md`), memory('n'));
      assert.deepEqual([...((await event) ?? [])].sort(), ['n0.md', 'n1.md', 'n2.md', 'own.md']);
      await quiet();
      assert.equal(events.length, 1);
    });

    it('does not come for reading, temporary files, locks, logs or what is no memory', async () => {
      await put('a.md', memory('a'));
      await put('state.json', '{}');
      await put('logs/2026/01/2026-01-01.md', 'x');
      const store = open();
      const { events } = listen(store);
      await store.watch();
      await store.heads();
      await store.read('a.md');
      await writeFile(join(root, '.consolidate-lock'), '1');
      await writeFile(join(root, '.reverie-x.tmp'), 'x');
      await writeFile(join(root, '.hidden.md'), 'x');
      await writeFile(join(root, 'state.json'), '{"a":1}');
      await writeFile(join(root, 'logs', '2026', '01', '2026-01-01.md'), 'y');
      await quiet();
      assert.deepEqual(events, []);
    });

    it('comes no more after the store was disposed', async () => {
      await put('a.md', memory('a'));
      const store = open();
      const { events } = listen(store);
      await store.watch();
      store.changed(['a.md']);
      store.dispose();
      await writeFile(join(root, 'a.md'), memory('b'));
      store.changed(['a.md']);
      await quiet();
      assert.deepEqual(events, []);
    });

    it('comes for the mounted team folder under its mount', async () => {
      const team = join(base, 'repo');
      await mkdir(team);
      await mkdir(root);
      const store = open(nodeDisk, { team });
      const { next } = listen(store);
      await store.watch();
      const event = next();
      await writeFile(join(team, 'x.md'), memory('x'));
      assert.deepEqual(await event, ['team/x.md']);
    });
  });
});
