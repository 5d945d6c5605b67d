// What a hook finds, whose process asks once over what others kept, is what an editor finds that was there all the time.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import type { MemoryHeader } from '../../../src/core/memory/memory';
import { openMemoryStore } from '../../../src/core/memory/memoryStore';
import { openKeptIndex } from '../../../src/core/recall/keptIndex';
import { openRecall } from '../../../src/core/recall/openRecall';
import { countingDisk } from '../../support/disks';

const now = Date.parse('2026-11-30T09:00:00Z');
const words =
  'deploy deplyo staging stg database db retry retries release tuesday gateway invoice migração 部署流程 openProject'.split(
    ' ',
  );
const paths = ['a.md', 'b.md', 'deep/c.md', 'team/d.md', 'e_f.md'];

type Change =
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly age: number }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

const word = fc.constantFrom(...words);
const sentence = fc.array(word, { maxLength: 8 }).map((some) => some.join(' '));
const head = fc
  .tuple(
    sentence,
    fc.constantFrom('project', 'user', 'reference', 'nonsense'),
    fc.constantFrom(
      '',
      'modified: 2026-11-02T10:00:00Z\n',
      'modified: 2027-01-01\n',
      'verified: 2027-02-02\n',
      'pinned: true\n',
      'supersededBy: a\n',
      'deadlinePassed: 2026-04-23\n',
      'keywords: [deploy, gateway]\n',
      'description: "the \\"release\\" of stg"\n',
      'description: [\n',
    ),
  )
  .map(([name, type, more]) => `---\nname: ${name}\ntype: ${type}\n${more}---\n`);
const text = fc.tuple(fc.oneof(head, fc.constant('')), sentence).map(([front, body]) => `${front}\n${body}.\n`);
const path = fc.constantFrom(...paths);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, text, age: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
);

describe('recall by a process that asks once', function () {
  this.timeout(60_000);
  let base: string;
  let count = 0;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'once-'));
  });
  after(() => rm(base, { recursive: true, force: true }));

  const log = silentLogger;
  const storeIn = (folder: string, disk = nodeDisk) =>
    openMemoryStore({ roots: { private: join(folder, 'memory') }, disk, now: () => now, log });

  async function make(folder: string, step: Change): Promise<void> {
    const at = (name: string) => join(folder, 'memory', name);
    await mkdir(dirname(at(step.path)), { recursive: true });
    if (step.kind === 'remove') await rm(at(step.path), { force: true });
    else if (step.kind === 'write') {
      await writeFile(at(step.path), step.text);
      await utimes(at(step.path), now / 1000 - step.age * 3_600, now / 1000 - step.age * 3_600);
    } else {
      await mkdir(dirname(at(step.to)), { recursive: true });
      await rename(at(step.path), at(step.to)).catch(() => {});
    }
  }

  it('finds what one finds that was there all the time, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(change, { maxLength: 4 }), sentence), { maxLength: 6 }),
        async (turns) => {
          count += 1;
          const folder = join(base, String(count));
          await mkdir(join(folder, 'memory'), { recursive: true });
          const store = storeIn(folder);
          const stateDir = join(folder, 'state');
          const editor = openRecall({ stateDir: join(folder, 'other'), store, disk: nodeDisk, now: () => now, log });
          for (const [changes, query] of turns) {
            for (const step of changes) await make(folder, step);
            const own = storeIn(folder);
            const hook = openRecall({ stateDir, store: own, once: true, disk: nodeDisk, now: () => now, log });
            const options = { automatic: true, recentTools: ['gateway'] };
            assert.deepEqual(await hook.recall(query, options), await editor.recall(query, options));
            assert.deepEqual(await own.heads(), await storeIn(folder).heads());
            hook.dispose();
          }
          editor.dispose();
          store.dispose();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads no file that it knows, and looks at each once', async () => {
    const folder = join(base, 'counted');
    for (const name of paths)
      await make(folder, { kind: 'write', path: name, text: `---\nname: ${name}\ntype: user\n---\ndeploy`, age: 9 });
    const ask = async (query: string) => {
      const counted = countingDisk();
      const store = storeIn(folder, counted.disk);
      const recall = openRecall({
        stateDir: join(folder, 'state'),
        store,
        once: true,
        disk: nodeDisk,
        now: () => now,
        log,
      });
      const found = await recall.recall(query);
      return { counted, found };
    };
    await ask('deploy');
    const nothing = await ask('something else');
    assert.equal(nothing.found.memories.length, 0);
    assert.equal(nothing.counted.count('readRange') + nothing.counted.count('read'), 0);
    assert.equal(nothing.counted.count('stat'), paths.length);
    const { counted, found } = await ask('deploy');
    assert.equal(found.memories.length, 1, 'they say the same');
    assert.equal(counted.count('readRange'), 0);
  });

  it('goes on making the index where the one before it ran out of time', async () => {
    const folder = join(base, 'many');
    for (let at = 0; at < 150; at += 1)
      await make(folder, {
        kind: 'write',
        path: `n${at}.md`,
        text: `---\nname: N\ntype: user\n---\nword${at}`,
        age: at,
      });
    const reads: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const store = storeIn(folder);
      let count = 0;
      const read: typeof store.read = (path) => {
        count += 1;
        return store.read(path);
      };
      const options = { folder: join(folder, 'state'), store: { ...store, read }, once: true, disk: nodeDisk, log };
      const found = await openKeptIndex(options).search('word0 word149');
      reads.push(count);
      if (turn === 3) assert.equal(found.length, 2);
    }
    assert.equal(
      reads.reduce((sum, count) => sum + count, 0),
      150,
      'each was read once',
    );
    assert.equal(reads.at(-1), 0);
  });

  it('believes no head that is of another time or size, or may change by itself', async () => {
    const folder = join(base, 'heads');
    await make(folder, { kind: 'write', path: 'a.md', text: '---\nname: A\ntype: user\n---\n', age: 9 });
    const future = '---\nname: B\ntype: user\nmodified: 2027-01-01\n---\n';
    await make(folder, { kind: 'write', path: 'b.md', text: future, age: 9 });
    const store = storeIn(folder);
    const index = openKeptIndex({ folder: join(folder, 'state'), store, disk: nodeDisk, log });
    await index.search('x');
    assert.deepEqual(['a.md', 'b.md', 'c.md'].map(store.isSettled), [true, false, false]);
    const [head] = (await store.heads()).filter((each): each is MemoryHeader => each.path === 'a.md');
    assert.ok(head);
    const kept = new Map([['a.md', { ...head, name: 'kept' }]]);
    const nameOf = async (known: ReadonlyMap<string, MemoryHeader>) =>
      (await storeIn(folder).heads(known)).find((each) => each.path === 'a.md')?.name;
    assert.equal(await nameOf(kept), 'kept');
    assert.equal(await nameOf(new Map([['a.md', { ...head, name: 'kept', size: 1 }]])), 'A');
    assert.equal(await nameOf(new Map([['a.md', { ...head, name: 'kept', mtimeMs: head.mtimeMs + 1 }]])), 'A');
    index.dispose();

    const later = () => Date.parse('2027-02-01T00:00:00Z');
    const store2 = openMemoryStore({ roots: { private: join(folder, 'memory') }, disk: nodeDisk, now: later, log });
    const next = openKeptIndex({ folder: join(folder, 'state'), store: store2, once: true, disk: nodeDisk, log });
    const dated = (await next.heads()).find((each) => each.path === 'b.md');
    assert.equal(dated?.modifiedAt, Date.parse('2027-01-01'), 'its day has come');
  });
});
