import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { nodeProcessTable, openGuard } from '../../../src/core/guard';
import { appendToSpool, openSpool, type SpooledEvent, spoolFolder } from '../../../src/core/hooks/spool';
import type { Project } from '../../../src/core/project';
import { createTempProject, type TempProject } from '../../support/tempProject';
import { uuidOf } from '../../support/transcripts';

describe('the spool', () => {
  let folder: string;
  const file = () => join(folder, 'spool.jsonl');

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'spool-')), 'hooks');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const leave = (event: SpooledEvent, session: string, at = 1) =>
    appendToSpool(nodeDisk, folder, { event, session, at });
  /** A window's own spool. */
  function open(reader = '/repo') {
    const guard = openGuard({ folder: join(folder, 'guard'), disk: nodeDisk, processes: nodeProcessTable(nodeDisk) });
    const spool = openSpool({ folder, reader, guard, disk: nodeDisk });
    return async () => (await spool.take()).map(({ event, session }) => `${event} ${session}`);
  }

  it('hands out each line once, over restarts and with what came meanwhile', async () => {
    assert.deepEqual(await open()(), []);
    await leave('Stop', 'a');
    assert.deepEqual(await open()(), ['Stop a']);
    assert.deepEqual(await open()(), []);
    await leave('Stop', 'a', 2);
    const take = open();
    assert.deepEqual(await take(), ['Stop a']);
    await leave('SessionEnd', 'b', 3);
    assert.deepEqual(await take(), ['SessionEnd b']);
  });

  it('gives two windows of one project every line once between them', async () => {
    for (let at = 0; at < 40; at += 1) await leave('Stop', `s${at}`, at);
    const windows = [open(), open(), open()];
    const taken = (await Promise.all(windows.map((take) => take()))).flat();
    assert.equal(taken.length, 40);
    assert.equal(new Set(taken).size, 40);
  });

  it('gives every project that shares the memories all lines: which sessions are its own, it knows itself', async () => {
    await leave('Stop', 'a');
    assert.deepEqual(await open('/one')(), ['Stop a']);
    assert.deepEqual(await open('/two')(), ['Stop a']);
    assert.deepEqual(await open('/one')(), []);
  });

  it('makes one of what is said of a session several times, and of the end of it rather than of a turn', async () => {
    for (let at = 0; at < 5; at += 1) await leave('Stop', 'a', at);
    await leave('PreCompact', 'b', 10);
    await leave('Stop', 'b', 11);
    await leave('SessionEnd', 'c', 12);
    await leave('Stop', 'c', 13);
    assert.deepEqual(await open()(), ['Stop a', 'PreCompact b', 'SessionEnd c']);
  });

  it('passes over what is damaged, and loses no line to one that was cut', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(
      file(),
      'nonsense\n{"event":"Reboot","session":"x","at":1}\n{"event":"Stop","session":7,"at":1}\n[]\n{"event":"St',
    );
    await leave('SessionEnd', 'a');
    assert.deepEqual(await open()(), ['SessionEnd a']);
    await appendFile(file(), '{"event":"Stop","session":"b","at":5}');
    assert.deepEqual(await open()(), [], 'half a line may still grow');
    await appendFile(file(), '\n');
    assert.deepEqual(await open()(), ['Stop b']);
  });

  it('never holds more than two small files, and what is read is not read again when they change places', async () => {
    const take = open();
    await leave('Stop', 'early');
    assert.deepEqual(await take(), ['Stop early']);
    for (let at = 0; at < 3_000; at += 1) await leave('Stop', `s${at}`, at);
    const sizes = await Promise.all(['spool.jsonl', 'spool.older.jsonl'].map((name) => stat(join(folder, name))));
    for (const { size } of sizes) assert.ok(size < 70_000, `${size}`);
    const taken = await take();
    assert.equal(taken.at(-1), 'Stop s2999');
    assert.equal(new Set(taken).size, taken.length);
    assert.deepEqual(await take(), []);
  });

  it('is appended by many processes’ worth of writers without a torn line', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, at) => leave('Stop', `s${at}`, at)));
    const lines = (await readFile(file(), 'utf8')).split('\n').filter((line) => line !== '');
    assert.equal(lines.map((line) => JSON.parse(line)).length, 50);
  });
});

describe('what hooks leave', function () {
  this.timeout(20_000);
  let temp: TempProject;

  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  const said = 'Remember: we deploy only on Tuesdays.';
  const leave = (project: Project, event: SpooledEvent, name = 'chat') =>
    appendToSpool(nodeDisk, spoolFolder(project.paths.stateDir), { event, session: uuidOf(name), at: Date.now() });

  function extracted(project: Project) {
    const runs: string[] = [];
    project.onDidExtract((outcomes) => runs.push(...outcomes.map(({ outcome }) => outcome)));
    return async (count: number) => {
      for (const end = Date.now() + 8_000; runs.length < count && Date.now() < end; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return [...runs];
    };
  }
  const quiet = (ms = 400) => new Promise((resolve) => setTimeout(resolve, ms));

  it('ends a session at once, though nothing sealed its last turn', async () => {
    const project = await temp.open();
    const runs = extracted(project);
    await project.start();
    await temp.chat('chat', (talk) => talk.human(said).tool('Bash', {}, undefined));
    await quiet();
    assert.deepEqual(await runs(0), [], 'a call is pending: the rules would wait');
    await leave(project, 'SessionEnd');
    assert.deepEqual(await runs(1), ['saved']);
  });

  it('ends a turn without the wait for silence', async () => {
    const project = await temp.open();
    const runs = extracted(project);
    await project.start();
    await temp.chat('chat', (talk) => talk.human(said).assistant('Noted.'));
    const began = Date.now();
    await leave(project, 'Stop');
    assert.deepEqual(await runs(1), ['saved']);
    assert.ok(Date.now() - began < 2_900, 'sooner than three seconds of silence');
  });

  it('has what was said read before it is condensed, in the middle of a turn', async () => {
    const project = await temp.open();
    const runs = extracted(project);
    await project.start();
    await temp.chat('chat', (talk) => talk.human(said).tool('Bash', {}, undefined));
    await leave(project, 'PreCompact');
    assert.deepEqual(await runs(1), ['saved']);
  });

  it('while no editor was there is acted on at the next start, once', async () => {
    const first = await temp.open();
    await first.start();
    first.dispose();
    await temp.chat('chat', (talk) => talk.human(said).tool('Bash', {}, undefined));
    await leave(first, 'SessionEnd');
    const [second, third] = [await temp.open(), await temp.open()];
    const [ofSecond, ofThird] = [extracted(second), extracted(third)];
    await Promise.all([second.start(), third.start()]);
    for (const end = Date.now() + 8_000; Date.now() < end; await quiet(50)) {
      if ((await ofSecond(0)).length + (await ofThird(0)).length > 0) break;
    }
    await quiet();
    assert.deepEqual([...(await ofSecond(0)), ...(await ofThird(0))], ['saved']);
  });

  it('of a session that nobody knows, or that is read already, changes nothing', async () => {
    const project = await temp.open();
    await project.start();
    const runs = extracted(project);
    await leave(project, 'SessionEnd', 'unknown');
    await leave(project, 'Stop', 'unknown');
    await quiet();
    assert.deepEqual(await runs(0), []);
    assert.deepEqual(await temp.memories(), {});
  });
});
