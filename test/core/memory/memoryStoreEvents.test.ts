// That a store tells of changes, its own and others', and of each once.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import type { MemoryChange, MemoryStore } from '../../../src/core/memory/memoryStore';
import { memoryText, type StoreFolder, useStoreFolder } from '../../support/storeFolder';

describe('the change event of the memory store', function () {
  // Waits for the system's watchers, on a machine that may be busy.
  this.timeout(30_000);
  const place = useStoreFolder();
  const open = (...options: Parameters<StoreFolder['open']>) => place().open(...options);
  const put = (...file: Parameters<StoreFolder['put']>) => place().put(...file);

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
    await put('a.md', memoryText('a'));
    await put('sub/b.md', memoryText('b'));
    const store = open();
    const { next } = listen(store);
    await store.watch();
    let event = next();
    await writeFile(join(place().root, 'a.md'), memoryText('changed'));
    assert.deepEqual(await event, ['a.md']);
    event = next();
    await writeFile(join(place().root, 'sub', 'b.md'), memoryText('changed'));
    assert.deepEqual(await event, ['sub/b.md']);
    event = next();
    await mkdir(join(place().root, 'new'));
    await event;
    event = next();
    await writeFile(join(place().root, 'new', 'c.md'), memoryText('c'));
    assert.deepEqual(await event, ['new/c.md']);
    event = next();
    await rename(join(place().root, 'sub'), join(place().root, 'moved'));
    await event;
    event = next();
    await writeFile(join(place().root, 'moved', 'b.md'), memoryText('again'));
    assert.deepEqual(await event, ['moved/b.md']);
  });

  it('tells of a folder that appears, goes away and comes back', async () => {
    const store = open();
    const { next } = listen(store);
    await store.watch();
    for (const name of ['one', 'two']) {
      let event = next();
      await mkdir(place().root, { recursive: true });
      await event;
      event = next();
      await writeFile(join(place().root, `${name}.md`), memoryText(name));
      await event;
      event = next();
      await rm(place().root, { recursive: true });
      await event;
      await quiet();
    }
  });

  it('tells of changes in a folder that was replaced by another one', async () => {
    await put('a.md', memoryText('a'));
    const store = open();
    const { next } = listen(store);
    await store.watch();
    let event = next();
    await rename(place().root, join(place().base, 'old'));
    await mkdir(place().root);
    await event;
    await quiet();
    event = next();
    await writeFile(join(place().root, 'b.md'), memoryText('b'));
    assert.deepEqual(await event, ['b.md']);
  });

  it('waits for a folder below folders that do not exist either', async () => {
    const deep = join(place().root, 'projects', 'slug', 'memory');
    const store = open(nodeDisk, { root: deep });
    const { next } = listen(store);
    await store.watch();
    let event = next();
    await mkdir(deep, { recursive: true });
    await event;
    event = next();
    await writeFile(join(deep, 'a.md'), memoryText('a'));
    assert.deepEqual(await event, ['a.md']);
  });

  it('gathers own and foreign changes of one moment into one event', async () => {
    await put('a.md', memoryText('a'));
    const store = open();
    const { events, next } = listen(store);
    await store.watch();
    const event = next();
    store.changed(['own.md']);
    for (let at = 0; at < 20; at += 1) writeFileSync(join(place().root, `n${at % 3}.md`), memoryText('n'));
    assert.deepEqual([...((await event) ?? [])].sort(), ['n0.md', 'n1.md', 'n2.md', 'own.md']);
    await quiet();
    assert.equal(events.length, 1);
  });

  it('does not come for reading, temporary files, locks, logs or what is no memory', async () => {
    await put('a.md', memoryText('a'));
    await put('state.json', '{}');
    await put('logs/2026/01/2026-01-01.md', 'x');
    const store = open();
    const { events } = listen(store);
    await store.watch();
    await store.heads();
    await store.read('a.md');
    await writeFile(join(place().root, '.consolidate-lock'), '1');
    await writeFile(join(place().root, '.reverie-x.tmp'), 'x');
    await writeFile(join(place().root, '.hidden.md'), 'x');
    await writeFile(join(place().root, 'state.json'), '{"a":1}');
    await writeFile(join(place().root, 'logs', '2026', '01', '2026-01-01.md'), 'y');
    await quiet();
    assert.deepEqual(events, []);
  });

  it('comes no more after the store was disposed', async () => {
    await put('a.md', memoryText('a'));
    const store = open();
    const { events } = listen(store);
    await store.watch();
    store.changed(['a.md']);
    store.dispose();
    await writeFile(join(place().root, 'a.md'), memoryText('b'));
    store.changed(['a.md']);
    await quiet();
    assert.deepEqual(events, []);
  });

  it('comes for the mounted team folder under its mount', async () => {
    const team = join(place().base, 'repo');
    await mkdir(team);
    await mkdir(place().root);
    const store = open(nodeDisk, { team });
    const { next } = listen(store);
    await store.watch();
    const event = next();
    await writeFile(join(team, 'x.md'), memoryText('x'));
    assert.deepEqual(await event, ['team/x.md']);
  });
});
