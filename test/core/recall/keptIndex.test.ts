import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { type MemoryStore, openMemoryStore } from '../../../src/core/memory/memoryStore';
import { type KeptIndex, openKeptIndex } from '../../../src/core/recall/keptIndex';
import { countingDisk, refusingDisk } from '../../support/disks';

const now = Date.parse('2026-11-30T09:00:00Z');
const note = (name: string, body: string) => `---\nname: ${name}\ntype: project\n---\n\n${body}\n`;

describe('the kept index', function () {
  this.timeout(30_000);
  let base: string;
  let opened: { dispose(): void }[];
  let warnings: string[];

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'kept-'));
    opened = [];
    warnings = [];
    await put('ship.md', note('Shipping', 'Only on Tuesdays.'));
    await put('team/log.md', note('Logging', 'Structured, never with secrets.'));
    await put('deep/er/pay.md', note('Payments', 'Tried three times.'));
  });
  afterEach(async () => {
    for (const one of opened) one.dispose();
    await rm(base, { recursive: true, force: true });
  });

  const file = () => join(base, 'state', 'index.jsonl');

  async function put(path: string, text: string, age = 10): Promise<void> {
    const target = join(base, 'memory', path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    const at = now / 1000 - age * 86_400;
    await utimes(target, at, at);
  }

  /** As a new start does; `bodies` counts the memories that were read whole. */
  function open(disk: Disk = nodeDisk): { index: KeptIndex; store: MemoryStore; bodies: string[] } {
    const log = { ...silentLogger, warn: (message: string | Error) => void warnings.push(String(message)) };
    const store = openMemoryStore({ roots: { private: join(base, 'memory') }, disk: nodeDisk, now: () => now, log });
    const bodies: string[] = [];
    const read: MemoryStore['read'] = (path) => {
      bodies.push(path);
      return store.read(path);
    };
    const index = openKeptIndex({ folder: join(base, 'state'), store: { ...store, read }, disk, log });
    opened.push(index, store);
    return { index, store, bodies };
  }
  const find = async (index: KeptIndex, query: string) => (await index.search(query)).map(({ path }) => path);

  it('reads each memory once and, at the next start, only what changed since', async () => {
    const first = open();
    assert.deepEqual(await find(first.index, 'when do we ship on tuesdays?'), ['ship.md']);
    assert.deepEqual(await find(first.index, 'payments'), ['deep/er/pay.md']);
    assert.deepEqual(first.bodies.toSorted(), ['deep/er/pay.md', 'ship.md', 'team/log.md']);

    await put('ship.md', note('Shipping', 'Only on Wednesdays.'));
    await put('new.md', note('Backups', 'Every night.'));
    await unlink(join(base, 'memory/team/log.md'));
    const second = open();
    assert.deepEqual(await find(second.index, 'tuesdays'), []);
    assert.deepEqual(await find(second.index, 'wednesdays'), ['ship.md']);
    assert.deepEqual(await find(second.index, 'backups'), ['new.md']);
    assert.deepEqual(await find(second.index, 'logging'), []);
    assert.deepEqual(second.bodies.toSorted(), ['new.md', 'ship.md']);

    assert.deepEqual(await find(open().index, 'wednesdays'), ['ship.md']);
    const third = open();
    await find(third.index, 'payments');
    assert.deepEqual(third.bodies, []);
  });

  it('reads a memory again whose size or time is another one', async () => {
    await find(open().index, 'x');
    await put('ship.md', note('Shipping', 'Only on Thursdays, I say.'), 10);
    await put('deep/er/pay.md', note('Payments', 'Tried seven times.'), 9);
    const next = open();
    assert.deepEqual(await find(next.index, 'thursdays'), ['ship.md']);
    assert.deepEqual(await find(next.index, 'seven'), ['deep/er/pay.md']);
    assert.deepEqual(next.bodies.toSorted(), ['deep/er/pay.md', 'ship.md']);
  });

  for (const [what, damage] of Object.entries<(text: string) => string | Buffer>({
    'cut in the middle of a line': (text) => text.slice(0, -20),
    'with a damaged line': (text) => text.replace('"ship.md"', '"ship.md'),
    'with lines that are JSON of another shape': (text) => text.replace(/\[.*\n/, '{"path":"ship.md"}\n[1,2]\nnull\n'),
    'of an older version': (text) => text.replace(/"version":\d+/, '"version":0').replaceAll('tuesday', 'monday'),
    'that is no text': () => Buffer.from([0xff, 0, 0xfe, 10, 0]),
    'that is empty': () => '',
  })) {
    it(`is made good from a file ${what}`, async () => {
      await find(open().index, 'x');
      await writeFile(file(), damage(await readFile(file(), 'utf8')));
      const next = open();
      assert.deepEqual(await find(next.index, 'tuesdays'), ['ship.md']);
      assert.deepEqual(await find(next.index, 'payments'), ['deep/er/pay.md']);
      assert.deepEqual(await find(next.index, 'structured secrets'), ['team/log.md']);
      const after = open();
      assert.deepEqual(await find(after.index, 'tuesdays'), ['ship.md']);
      assert.deepEqual(after.bodies, [], 'and is whole again at the next start');
    });
  }

  it('answers without a file when none can be written, and says so', async () => {
    const { index } = open(refusingDisk('ENOSPC', () => true));
    assert.deepEqual(await find(index, 'tuesdays'), ['ship.md']);
    assert.match(warnings.join('\n'), /recall index.*ENOSPC/i);
  });

  it('is readable by its owner only, and never holds outdated lines without end', async () => {
    for (let turn = 0; turn < 450; turn += 1) {
      await put('ship.md', note('Shipping', `Only on day ${turn}.`), 10 + turn);
      await find(open().index, 'x');
    }
    assert.equal((await stat(file())).mode & 0o777, 0o600);
    assert.ok((await readFile(file(), 'utf8')).split('\n').length < 230);
    assert.deepEqual(await find(open().index, 'payments'), ['deep/er/pay.md']);
  });

  it('keeps no word of a memory that is gone', async () => {
    const { index } = open();
    await find(index, 'tuesdays');
    assert.match(await readFile(file(), 'utf8'), /tuesday/);
    await unlink(join(base, 'memory/ship.md'));
    await find(index, 'tuesdays');
    assert.ok(!(await readFile(file(), 'utf8')).includes('tuesday'));
    await unlink(join(base, 'memory/deep/er/pay.md'));
    await find(open().index, 'x');
    const left = await readFile(file(), 'utf8');
    assert.ok(!left.includes('payment') && left.includes('team/log.md'));
  });

  it('finds by its head a memory that is too large to be read', async () => {
    await put('huge.md', note('Enormous', 'x '.repeat(700_000)));
    assert.deepEqual(await find(open().index, 'enormous'), ['huge.md']);
  });

  it('sees what others change while it is watched, without a look at the disk for each question', async () => {
    const counted = countingDisk();
    const log = silentLogger;
    const store = openMemoryStore({
      roots: { private: join(base, 'memory') },
      disk: counted.disk,
      now: () => now,
      log,
    });
    const index = openKeptIndex({ folder: join(base, 'state'), store, disk: nodeDisk, log });
    opened.push(index, store);
    await store.watch();
    await find(index, 'x');
    const before = counted.count('list');
    for (let turn = 0; turn < 20; turn += 1) await find(index, 'tuesdays');
    assert.equal(counted.count('list'), before);
    await put('new.md', note('Backups', 'Every night.'));
    const until = Date.now() + 5_000;
    while ((await find(index, 'backups')).length === 0 && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await find(index, 'backups'), ['new.md']);
  });

  it('reads again what a change names although its file looks the same', async () => {
    const { index } = open();
    await find(index, 'x');
    await put('ship.md', note('Shipping', 'Only on Saturdy.'));
    index.changed(['ship.md']);
    assert.deepEqual(await find(index, 'saturdy'), ['ship.md']);
  });

  it('lets other work take its turn while it is made', async () => {
    for (let at = 0; at < 400; at += 1) await put(`n${at}.md`, note(`Note ${at}`, `word${at} `.repeat(300)));
    const { index } = open();
    let turns = 0;
    let asking = true;
    const other = (): void => {
      turns += 1;
      if (asking) setImmediate(other);
    };
    other();
    await find(index, 'word7');
    asking = false;
    assert.ok(turns > 20, `${turns} turns`);
  });
});
