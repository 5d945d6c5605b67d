import assert from 'node:assert/strict';
import { appendFile, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ExtractionOutcome } from '../../../src/core/extraction/outcome';
import { countingDisk, refusingDisk, watchedDisk } from '../../support/disks';
import {
  createTempProject,
  extractAll,
  openBeforeChats,
  settingsWith,
  type TempProject,
  turn,
} from '../../support/tempProject';
import { uuidOf } from '../../support/transcripts';

const always = 'From now on always use pnpm here, not npm, because the lockfile broke twice.';
const role = 'Remember that I am a data engineer and new to Rust.';

describe('extraction', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  const open = (options: Parameters<TempProject['open']>[0] = {}) => openBeforeChats(temp, options);

  it('keeps what was said outright, with its reason, source and date, and links it in the index', async () => {
    const project = await open();
    await temp.chat('one', (talk) =>
      talk.human(always, { at: '2026-01-12T09:00:00Z' }).assistant('Will do.').turnEnd(),
    );
    const [outcome] = await extractAll(project);
    assert.deepEqual([outcome?.outcome, outcome?.savedCount], ['saved', 1]);
    const [path = ''] = outcome?.writtenPaths ?? [];
    const memory = await project.read(path);
    assert.equal(memory?.type, 'feedback');
    assert.match(memory?.body ?? '', /pnpm/);
    assert.match(memory?.body ?? '', /\*\*Why:\*\* .*lockfile broke twice/);
    assert.equal(memory?.originSessionId, outcome?.session.id);
    assert.equal(memory?.modifiedAt, Date.parse('2026-01-12T09:00:00Z'));
    assert.ok((await temp.memory('MEMORY.md'))?.includes(`(${path})`));
    assert.deepEqual(await project.sourceMessage(path), { file: outcome?.session.file, line: 1 });
  });

  it('never learns twice from the same message, over a restart', async () => {
    await open();
    await temp.chat('one', turn(always));
    assert.equal((await extractAll(await temp.open()))[0]?.savedCount, 1);
    const before = await temp.memories();
    const again = await temp.open();
    assert.deepEqual(await again.behind(), []);
    await temp.chat('one', turn('Now run the tests.'));
    assert.deepEqual(
      (await extractAll(again)).map((outcome) => outcome.outcome),
      ['nothing'],
    );
    assert.deepEqual(await temp.memories(), before);
  });

  it('reads only the bytes of a new turn', async () => {
    await open();
    const file = await temp.chat('one', (talk) => {
      for (let round = 0; round < 400; round += 1) {
        talk
          .human(`Please look at file number ${round}.`)
          .tool('Read', { file_path: '/x' }, 'y'.repeat(2000))
          .assistant('Looked.')
          .turnEnd();
      }
      return talk;
    });
    await extractAll(await temp.open());
    const before = (await stat(file)).size;
    await temp.chat('one', turn(always));
    const added = (await stat(file)).size - before;
    const counted = countingDisk();
    const project = await temp.open({ disk: counted.disk });
    const [session] = await project.behind();
    assert.ok(session);
    counted.reset();
    assert.equal((await project.extract(session, 'command')).savedCount, 1);
    const ranges = counted.bytesRead();
    console.log(`      a turn of ${added} bytes in a transcript of ${before + added}: ${ranges} bytes read in all`);
    assert.ok(ranges <= 2 * added + 64 * 1024, `${ranges} bytes read for a turn of ${added}`);
  });

  it('cursors start at now: what was said before is offered, never taken', async () => {
    await temp.chat('old', turn(always));
    const project = await open();
    assert.deepEqual(await project.behind(), []);
    const { sessions } = await project.past();
    assert.equal(sessions.length, 1);
    await temp.chat('old', turn(role));
    const [fresh] = await extractAll(project);
    assert.equal(fresh?.savedCount, 1);
    assert.equal((await project.heads())[0]?.type, 'user');
    const progress: number[] = [];
    const [past] = await project.learnPast((await project.past()).sessions, ({ done }) => progress.push(done));
    assert.deepEqual([past?.savedCount, progress], [1, [1]]);
    assert.deepEqual((await project.past()).sessions, []);
    assert.equal((await project.heads()).length, 2);
  });

  it('what was only meant waits as a suggestion: accepted it is a memory, dismissed it never comes back', async () => {
    const project = await open();
    const said = 'The staging freeze is on February 6th because the mobile team cuts a release. Can you fix the typo?';
    await temp.chat('one', turn(said));
    const [outcome] = await extractAll(project);
    assert.equal(outcome?.outcome, 'proposed');
    assert.deepEqual(await temp.memories(), {});
    const [suggestion] = await project.suggestions();
    assert.ok(suggestion);
    const { path } = await project.accept(suggestion.id);
    assert.match((await temp.memory(path)) ?? '', /2026-02-06/);
    assert.deepEqual(await project.suggestions(), []);
    await project.undo();
    await project.dismiss(suggestion.id);
    await temp.chat('two', turn(said));
    await extractAll(project);
    assert.deepEqual(await project.suggestions(), []);
  });

  it('an edited suggestion is saved as the person wrote it', async () => {
    const project = await open({ settings: settingsWith({ mode: 'ask' }) });
    await temp.chat('one', turn(always));
    assert.equal((await extractAll(project))[0]?.outcome, 'proposed');
    const [suggestion] = await project.suggestions();
    const { path } = await project.accept(suggestion?.id ?? '', {
      text: 'Use pnpm 9 in this repository.',
      type: 'project',
    });
    const memory = await project.read(path);
    assert.deepEqual([memory?.type, memory?.body.trim()], ['project', 'Use pnpm 9 in this repository.']);
  });

  it('F-40: three triggers during a run give one trailing run with the newest context and one report', async () => {
    let entered = () => {};
    const inside = new Promise<void>((resolve) => (entered = resolve));
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    let first = true;
    const disk = watchedDisk(async (call, path) => {
      if (call !== 'create' || !path.includes('runs') || !first) return;
      first = false;
      entered();
      await gate;
    });
    const project = await open({ disk });
    await temp.chat('one', turn(always));
    const reports: (readonly ExtractionOutcome[])[] = [];
    project.onDidExtract((outcomes) => reports.push(outcomes));
    const [session] = await project.behind();
    assert.ok(session);
    const running = project.extract(session, 'command');
    await inside;
    await temp.chat('one', turn('We met.'));
    const stashed = [await project.extract(session, 'command'), await project.extract(session, 'command')];
    await temp.chat('one', turn(role));
    stashed.push(await project.extract(session, 'command'));
    assert.deepEqual(
      stashed.map((outcome) => outcome.reason),
      ['overlapped', 'overlapped', 'overlapped'],
    );
    go();
    await running;
    assert.equal(reports.length, 1);
    assert.deepEqual(
      reports[0]?.map((outcome) => outcome.savedCount),
      [1, 1],
    );
    assert.deepEqual(await project.behind(), []);
  });

  it('F-41: skips when the assistant wrote memory itself, and moves on to its end', async () => {
    const project = await open();
    const path = join(temp.memoryDir, 'pnpm.md');
    await temp.chat('one', (talk) => talk.human(always).memoryWrite(path, 'x').assistant('Saved.').turnEnd());
    const [outcome] = await extractAll(project);
    assert.deepEqual([outcome?.outcome, outcome?.reason], ['skipped', 'direct_write']);
    assert.deepEqual(await project.behind(), []);
    await temp.chat('one', turn(role));
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('F-41: a write into another project’s memory, or a text that speaks of one, is no direct write', async () => {
    const project = await open();
    await temp.chat('one', (talk) =>
      talk
        .human(`${always} Earlier you called Write on ${temp.memoryDir}/x.md.`)
        .memoryWrite(join(temp.configDir, 'projects', '-other', 'memory', 'x.md'), 'x')
        .memoryWrite(`${temp.memoryDir}-evil/x.md`, 'x')
        .assistant('Done.')
        .turnEnd(),
    );
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('F-54: skips what Claude Code’s own extraction has kept of the same turn, and learns what comes after it', async () => {
    const project = await open();
    let ended = 0;
    const file = await temp.chat('one', (talk) => {
      const said = turn(always)(talk);
      ended = said.lastAt();
      return said;
    });
    const memory = (id: string, modified: number) =>
      `---\nname: pnpm\ndescription: d\nmetadata:\n  type: feedback\n  originSessionId: ${id}\n  modified: ${new Date(modified).toISOString()}\n---\nReworded.\n`;
    await temp.put('other.md', memory(uuidOf('other'), ended + 1000));
    await temp.put('earlier.md', memory(basename(file, '.jsonl'), ended - 3_600_000));
    await temp.put('own.md', memory(basename(file, '.jsonl'), ended + 500));
    const [outcome] = await extractAll(project);
    assert.deepEqual([outcome?.outcome, outcome?.reason], ['skipped', 'direct_write']);
    assert.deepEqual(await project.behind(), []);
    await temp.chat('one', turn(role));
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('F-54: a memory of another session, or of an earlier turn, does not stand for this one', async () => {
    const project = await open();
    const file = await temp.chat('one', turn(always));
    const id = basename(file, '.jsonl');
    await temp.put(
      'a.md',
      `---\nname: a\ndescription: d\nmetadata:\n  type: feedback\n  originSessionId: ${id}\n  modified: 2020-01-01T00:00:00.000Z\n---\nOld.\n`,
    );
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('F-42: a cursor whose message is gone makes everything count, and says nothing twice', async () => {
    const project = await open();
    const file = await temp.chat('one', turn(always));
    await extractAll(project);
    const before = await temp.memories();
    // The file is written anew, shorter, without the message the cursor names.
    await unlink(file);
    await temp.chat('one', turn(role));
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/("(?:parentU|u)uid":")[0-9a-f]/g, '$1f'));
    const outcomes = await extractAll(project);
    assert.equal(outcomes.at(-1)?.savedCount, 1);
    const after = await temp.memories();
    assert.equal(Object.keys(after).length, Object.keys(before).length + 1);
  });

  for (const code of ['ENOSPC', 'EACCES', 'EBUSY'] as const) {
    it(`F-43 and F-57: after ${code} the cursor stays, nothing is half-written, and the next run works`, async () => {
      let failing = true;
      const project = await open({
        disk: refusingDisk(code, (call, path) => failing && call === 'rename' && path.includes('memory/')),
      });
      await temp.chat('one', turn(always));
      const [failed] = await extractAll(project);
      assert.equal(failed?.outcome, 'failed');
      assert.match(failed?.reason ?? '', /disk is full|can not be written|another program/);
      assert.deepEqual(await temp.memories(), {});
      const [row] = await project.sessions();
      assert.equal(row?.state, 'failed');
      failing = false;
      assert.equal((await extractAll(project))[0]?.savedCount, 1);
    });
  }

  it('F-44: the index is not counted, and nothing is said when nothing was saved', async () => {
    const project = await open();
    await temp.chat('one', turn(always));
    const [outcome] = await extractAll(project);
    assert.deepEqual(
      outcome?.writtenPaths.filter((path) => path.endsWith('MEMORY.md')),
      [],
    );
    await temp.chat('one', turn('Thanks, and now the next file.'));
    const [nothing] = await extractAll(project);
    assert.deepEqual([nothing?.outcome, nothing?.savedCount, nothing?.runs], ['nothing', 0, []]);
  });

  it('F-45: shutting down waits for a run, but not for ever', async () => {
    const disk = watchedDisk(async (call, path) => {
      if (call === 'create' && path.includes('runs')) await new Promise((resolve) => setTimeout(resolve, 300));
    });
    const project = await open({ disk });
    await temp.chat('one', turn(always));
    const [session] = await project.behind();
    assert.ok(session);
    const running = project.extract(session, 'command');
    await project.drain(5000);
    assert.equal((await running).outcome, 'saved');

    const stuck = await open({
      disk: watchedDisk((call, path) =>
        call === 'create' && path.includes('runs') ? new Promise(() => {}) : undefined,
      ),
    });
    await temp.chat('two', turn(role));
    const [second] = await stuck.behind();
    assert.ok(second);
    void stuck.extract(second, 'command');
    await stuck.drain(50);
  });

  it('F-47: a transcript that is deleted meanwhile is passed over', async () => {
    const project = await open();
    const file = await temp.chat('one', turn(always));
    const [session] = await project.behind();
    assert.ok(session);
    await unlink(file);
    const outcome = await project.extract(session, 'command');
    assert.equal(outcome.outcome, 'skipped');
    assert.deepEqual(await temp.memories(), {});
  });

  it('a person can say forget in passing: the memory goes to the trash and undo brings it back', async () => {
    const project = await open();
    await temp.chat('one', turn(always));
    await extractAll(project);
    const before = await temp.memories();
    await temp.chat('one', turn('Please forget what I said about always using pnpm here.'));
    const [outcome] = await extractAll(project);
    assert.equal(outcome?.forgottenCount, 1);
    assert.equal((await project.heads()).length, 0);
    assert.equal((await project.trash()).length, 1);
    await project.undo();
    assert.deepEqual(await temp.memories(), before);
  });

  it('throttles turn ends by everyTurns, and a trailing run passes it', async () => {
    const project = await open({ settings: settingsWith({ everyTurns: 3 }) });
    await project.start();
    const reports: string[] = [];
    project.onDidExtract((outcomes) => reports.push(...outcomes.map((outcome) => outcome.reason ?? outcome.outcome)));
    for (const text of ['First.', 'Second.', always]) {
      const seen = reports.length;
      await temp.chat('one', turn(text));
      const deadline = Date.now() + 8000;
      while (reports.length === seen && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(reports, ['throttled', 'throttled', 'saved']);
  });

  it('a session that is not to be learned from is not read, until it may be again', async () => {
    const project = await open();
    await temp.chat('one', turn(always));
    const [session] = await project.behind();
    assert.ok(session);
    await project.exclude(session, true);
    assert.deepEqual(await project.behind(), []);
    assert.equal((await project.sessions())[0]?.state, 'excluded');
    await project.exclude(session, false);
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('pausing holds learning for every window, and nothing of it is lost', async () => {
    const project = await open();
    await temp.chat('one', turn(always));
    await project.pause(undefined);
    const other = await temp.open();
    assert.equal((await other.rest())?.kind, 'paused');
    const session = (await project.sessions())[0]?.session;
    assert.ok(session);
    assert.equal((await other.extract(session, 'command')).reason, 'paused');
    await other.resume();
    assert.equal((await extractAll(project))[0]?.outcome, 'saved');
  });

  it('a torn last line is waited for, not lost', async () => {
    const project = await open();
    const file = await temp.chat('one', turn('Hello.'));
    await extractAll(project);
    const whole = await readFile(file, 'utf8');
    await temp.chat('one', turn(always));
    const added = (await readFile(file, 'utf8')).slice(whole.length);
    await writeFile(file, whole + added.slice(0, 40));
    await extractAll(project);
    await appendFile(file, added.slice(40));
    assert.equal((await extractAll(project))[0]?.savedCount, 1);
  });
});
