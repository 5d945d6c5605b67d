import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { deadlineOf } from '../../../src/core/memory/deadlines';
import { openSurfaced } from '../../../src/core/recall/surfaced';
import { refusingDisk } from '../../support/disks';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('what a conversation was given', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'surfaced-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (disk: Disk = nodeDisk) => openSurfaced({ folder, disk, log: silentLogger });
  const given = (path: string, bytes = 10) => ({ path, bytes });

  it('adds up over restarts, each conversation by itself, until it is compacted', async () => {
    await Promise.all([open().add('one', [given('a.md')]), open().add('two', [given('z.md', 5)])]);
    const store = open();
    await Promise.all([store.add('one', [given('b.md')]), store.add('one', [given('a.md', 7)])]);
    assert.deepEqual(await store.of('one'), { paths: ['a.md', 'b.md'], bytes: 27 });
    assert.deepEqual(await store.of('two'), { paths: ['z.md'], bytes: 5 });
    await store.clear('one');
    assert.deepEqual(await open().of('one'), { paths: [], bytes: 0 });
    assert.deepEqual(await open().of('two'), { paths: ['z.md'], bytes: 5 });
  });

  it('is nothing when its file is damaged, and an id names no path', async () => {
    await open().add('../../outside', [given('a.md')]);
    const names = await readdir(folder, { recursive: true });
    assert.deepEqual(names.filter((name) => name.endsWith('.json')).length, 1);
    const [file = ''] = await readdir(join(folder, 'conversations'));
    for (const text of ['{"paths":', '[]', '{"paths":"a","bytes":1}', '{"paths":[],"bytes":"x"}']) {
      await writeFile(join(folder, 'conversations', file), text);
      assert.deepEqual(await open().of('../../outside'), { paths: [], bytes: 0 }, text);
    }
  });

  it('is kept of the newest conversations, two hundred at most, and for a month', async () => {
    await mkdir(join(folder, 'conversations'));
    for (let at = 0; at < 210; at += 1) {
      const file = join(folder, 'conversations', `${String(at).padStart(12, '0')}.json`);
      await writeFile(file, '{"paths":[],"bytes":0}');
      const seconds = Date.now() / 1000 - at * (at > 205 ? 86_400 : 60);
      await utimes(file, seconds, seconds);
    }
    await open().add('new', [given('a.md')]);
    const left = await readdir(join(folder, 'conversations'));
    assert.ok(left.length <= 200 && left.length >= 150, String(left.length));
    assert.deepEqual(await open().of('new'), { paths: ['a.md'], bytes: 10 });
    assert.ok(!left.includes('000000000209.json'));
  });

  it('stands in no answer’s way when it can’t be kept', async () => {
    const store = open(refusingDisk('ENOSPC', () => true));
    await store.add('one', [given('a.md')]);
    await store.clear('one');
    assert.deepEqual(await store.of('one'), { paths: [], bytes: 0 });
  });
});

describe('recall of a project', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());
  const note = (name: string, body: string) => `---\nname: ${name}\ntype: project\n---\n\n${body}\n`;

  it('gives a conversation each memory once, and others theirs', async () => {
    await temp.put('deploy.md', note('Deploy days', 'On Tuesdays.'));
    await temp.put('tool.md', note('Deploy tool', 'Helm.'));
    const paths = async (query: string, conversation?: string) => {
      const project = await temp.open();
      const found = await project.recall(query, conversation === undefined ? {} : { conversation });
      return found.memories.map(({ path }) => path).toSorted();
    };
    assert.deepEqual(await paths('how to deploy', 'one'), ['deploy.md', 'tool.md']);
    assert.deepEqual(await paths('how to deploy', 'one'), []);
    assert.deepEqual(await paths('how to deploy', 'two'), ['deploy.md', 'tool.md']);
    assert.deepEqual(await paths('how to deploy'), ['deploy.md', 'tool.md']);
  });

  it('F-13: finds the oldest of 250 memories', async () => {
    for (let at = 0; at < 250; at += 1) await temp.put(`n${at}.md`, note(`Note ${at}`, `About customer c${at}.`));
    const project = await temp.open();
    for (const at of [0, 249]) {
      const found = await project.recall(`what about customer c${at}?`);
      assert.equal(found.memories[0]?.path, `n${at}.md`);
      assert.equal(found.considered, 250);
    }
  });

  it('F-17: leaves every file of the memory folder as it was, and adds none', async () => {
    await temp.put('deploy.md', note('Deploy days', 'On Tuesdays.'));
    const before = await temp.memories();
    const project = await temp.open();
    assert.equal((await project.recall('deploy days')).memories.length, 1);
    assert.deepEqual(await temp.memories(), before);
  });

  it('finds at once what was just remembered, changed or forgotten', async () => {
    const project = await temp.open();
    await project.start();
    assert.deepEqual((await project.recall('which port does the staging database use?')).memories, []);
    const { path } = await project.remember({ text: 'The staging database listens on port 5433.' });
    const found = await project.recall('which port does the staging database use?');
    assert.deepEqual(
      found.memories.map((memory) => memory.path),
      [path],
    );
    await project.forget([path]);
    assert.deepEqual((await project.recall('which port does the staging database use?')).memories, []);
  });
});

describe('the day a memory ends', () => {
  it('is read where a word makes a date an end, in both languages', () => {
    const ends = {
      'The freeze lasts until 2026-03-05.': '2026-03-05',
      'Deadline: 2026-03-05': '2026-03-05',
      'It is due on Friday, (2026-03-05).': '2026-03-05',
      'Prazo: sexta-feira (2026-03-05)': '2026-03-05',
      'The licence is valid; it expires on 2026-03-05': '2026-03-05',
      'Keep it until the end of day Friday 2026-03-05': '2026-03-05',
      'Vale até 2026-03-05 e depois até 2026-04-01.': '2026-04-01',
    };
    for (const [text, day] of Object.entries(ends))
      assert.equal(deadlineOf(text), Date.parse(`${day}T00:00:00Z`) + 86_400_000, text);
  });

  it('is in no date that is only mentioned', () => {
    for (const text of [
      'Since 2026-03-05 we use Biome.',
      'Until it is done.',
      'until 2026-13-45',
      'v2026-03-05',
      'standby 2026-03-05',
      'Reported by Ana Lima 2026-03-05',
    ])
      assert.equal(deadlineOf(text), undefined, text);
  });
});
