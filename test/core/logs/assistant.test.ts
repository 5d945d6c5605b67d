// Assistant mode over a whole project: a chat grows the log and no memory, a dream makes memories of it, and nothing is lost or
// said twice on the way. The rules read; models have tests of their own.

import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project, ProjectOptions } from '../../../src/core/project';
import { assistantSettings } from '../../support/logFolder';
import { createTempProject, extractAll, openBeforeChats, type TempProject } from '../../support/tempProject';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 11, 1, 14);

describe('assistant mode', () => {
  let temp: TempProject;
  let clock: { now: number };
  const options = (more: Partial<ProjectOptions> = {}): Partial<ProjectOptions> => ({
    settings: assistantSettings(),
    now: () => clock.now,
    zone: 'UTC',
    ...more,
  });
  beforeEach(async () => {
    temp = await createTempProject();
    clock = { now: start };
  });
  afterEach(() => temp.remove());

  const say = (name: string, ...texts: string[]) =>
    temp.chat(name, (talk) => {
      let at = clock.now;
      for (const text of texts) {
        talk
          .human(text, { at: new Date(at).toISOString() })
          .assistant('Done.')
          .turnEnd();
        at += 60_000;
      }
      return talk;
    });
  const logOf = (day: string) => temp.memory(`logs/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`);
  const topics = async () =>
    Object.fromEntries(
      Object.entries(await temp.memories()).filter(
        ([path]) => path !== '.consolidate-lock' && !path.startsWith('logs/'),
      ),
    );
  const dreamOf = (project: Project, apply = true) => project.dream.executeAutoDream('command', { force: true, apply });

  it('notes what a chat brings in the log of the day, and writes no memory', async () => {
    const project = await openBeforeChats(temp, options());
    await say(
      'one',
      'Remember: release notes are written by the person who merges.',
      'From now on never mock the store in tests, because a mock hid the last bug.',
      'I prefer short answers.',
    );
    const [run] = await extractAll(project);
    assert.equal(run?.outcome, 'saved');
    assert.deepEqual([run?.savedCount, run?.writtenPaths], [0, ['logs/2026/12/2026-12-01.md']]);
    const log = (await logOf('2026-12-01')) ?? '';
    assert.equal(run?.loggedCount, log.trim().split('\n').length);
    assert.match(log, /^- 14:00 \w+: Release notes are written by the person who merges <!-- \w{12} -->$/m);
    assert.match(log, /^- 14:01 feedback: Never mock the store in tests \(why: because a mock hid the last bug\)/m);
    assert.match(log, /^- 14:02 .*short answers/m);
    assert.deepEqual(await topics(), {});
    assert.deepEqual(await project.suggestions(), []);
    const [row] = await project.sessions();
    assert.equal(row?.loggedCount, run?.loggedCount);
    // Nothing is noted twice: not by a second look, not by a session that goes on.
    await extractAll(project);
    await say('one', 'Thanks.');
    await extractAll(project);
    assert.equal(await logOf('2026-12-01'), log);
  });

  it('notes what was asked to be forgotten, and nothing that is known, secret or said that day already', async () => {
    await temp.put(
      'port.md',
      '---\nname: Port\ndescription: The shop listens on port 8080\nmetadata:\n  type: project\n---\n\nThe shop listens on port 8080.\n',
    );
    const project = await openBeforeChats(temp, options());
    await say(
      'one',
      'Remember: the shop listens on port 8080.',
      'Remember: the deploy key is ghp_16C7e42F292c6912E7710c838347Ae178B4a.',
      'Remember: the ledger listens on port 9090.',
      'Forget what I told you about the port of the shop.',
    );
    await say('two', 'Remember: the ledger listens on port 9090.');
    await extractAll(project);
    const log = (await logOf('2026-12-01')) ?? '';
    assert.equal(log.match(/ledger/g)?.length, 1, log);
    assert.doesNotMatch(log, /8080|ghp_/);
    assert.match(log, /^- 14:03 forget: the port of the shop/m);
    assert.ok(await temp.memory('port.md'), 'a memory stays until the dream');
  });

  it('distils the log into memories that know their lines, once, and leaves the log as it is', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: release notes are written by the person who merges.', 'I prefer short answers.');
    await extractAll(project);
    const log = await logOf('2026-12-01');
    const waiting = await dreamOf(project, false);
    assert.equal(waiting.outcome, 'proposed');
    assert.deepEqual(await topics(), {});
    for (const change of waiting.changes.filter(({ path }) => path !== 'MEMORY.md')) {
      assert.match(change.sources.join(), /^logs\/2026\/12\/2026-12-01\.md#\w{12}$/);
      assert.match(change.reason, /daily log of 2026-12-01/);
    }
    await project.dream.apply(waiting.proposalId ?? '');
    assert.equal(await logOf('2026-12-01'), log);
    const files = await topics();
    const notes = Object.keys(files).find((path) => path.includes('release-notes')) ?? '';
    assert.match(files[notes] ?? '', /elease notes are written by the person who merges/);
    assert.match(JSON.stringify(files), /short answers/);
    assert.match(files['MEMORY.md'] ?? '', /elease notes/);
    const source = await project.sourceMessage(notes);
    assert.deepEqual(source, { file: join(temp.memoryDir, 'logs/2026/12/2026-12-01.md'), line: 1 });
    assert.equal((await project.read(notes))?.modifiedAt, start, 'as old as the words');
    assert.equal((await dreamOf(project)).outcome, 'unchanged');
    assert.equal((await project.status()).assistantMode.waitingLines, 0);
  });

  it('loses no line with a proposal: one that is replaced or set aside leaves its lines to the next', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: release notes are written by the person who merges.');
    await extractAll(project);
    await dreamOf(project, false);
    clock.now += dayMs;
    await say('two', 'Remember: the ledger listens on port 9090.');
    await extractAll(project);
    const second = await dreamOf(project, false);
    assert.match(JSON.stringify(second.changes), /release notes[\s\S]*ledger|ledger[\s\S]*release notes/i);
    // A fortnight later it has stepped aside.
    clock.now += 15 * dayMs;
    assert.equal(await project.dream.proposal(), undefined);
    const third = await dreamOf(project, false);
    assert.equal(third.changes.filter(({ kind }) => kind === 'create').length >= 2, true);
    // What a person discards is settled.
    await project.dream.discard(third.proposalId ?? '');
    assert.equal((await dreamOf(project)).outcome, 'unchanged');
  });

  it('takes a run back by a line that says so, which a dream honours before and after', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the ledger listens on port 9090.');
    const [run] = await extractAll(project);
    const before = (await logOf('2026-12-01')) ?? '';
    const undone = await project.undo(run?.runs[0]);
    assert.deepEqual(undone.retracted, { path: 'logs/2026/12/2026-12-01.md', lines: 1 });
    assert.match((await logOf('2026-12-01')) ?? '', /taken back: The ledger listens on port 9090/);
    assert.ok((await logOf('2026-12-01'))?.startsWith(before));
    assert.equal((await dreamOf(project)).outcome, 'unchanged');

    clock.now += dayMs;
    await say('two', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    await dreamOf(project);
    assert.match(JSON.stringify(await topics()), /archive/);
    clock.now += 3600_000;
    // Without a name, the last thing: first the dream, then the line.
    await project.undo();
    const last = await project.undo();
    assert.equal(last.retracted?.lines, 1);
    assert.equal((await dreamOf(project)).outcome, 'unchanged');
    assert.doesNotMatch(JSON.stringify(await topics()), /archive/);
  });

  it('takes away a memory of nothing but lines that are taken back later', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the archive is in the cellar.');
    const [run] = await extractAll(project);
    await dreamOf(project);
    assert.match(JSON.stringify(await topics()), /archive/);
    clock.now += dayMs;
    await project.undo(run?.runs[0]);
    const dream = await dreamOf(project, false);
    assert.deepEqual(
      dream.changes.filter(({ path }) => path !== 'MEMORY.md').map(({ kind }) => kind),
      ['delete'],
    );
  });

  it('forgets at the dream what a person asked to forget: a memory, or a line that is no memory yet', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the ledger listens on port 9090.');
    await extractAll(project);
    await dreamOf(project);
    clock.now += dayMs;
    await say(
      'two',
      'Remember: the archive is in the cellar.',
      'Forget what I told you about the archive in the cellar.',
      'Forget what I told you about the ledger port.',
    );
    await extractAll(project);
    const dream = await dreamOf(project, false);
    const changes = dream.changes.filter(({ path }) => path !== 'MEMORY.md');
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['delete'],
    );
    assert.match(changes[0]?.path ?? '', /ledger/);
    assert.match(changes[0]?.reason ?? '', /asked to forget/);
    await project.dream.apply(dream.proposalId ?? '');
    assert.doesNotMatch(JSON.stringify(await topics()), /ledger|archive/);
  });

  it('adds to a memory what a log says beyond it, and notes the line there', async () => {
    await temp.put(
      'ledger.md',
      '---\nname: Ledger\ndescription: The ledger listens on port 9090\nmetadata:\n  type: project\n---\n\nThe ledger listens on port 9090.\n',
    );
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the ledger listens on port 9090 of the second host in the cellar.');
    await extractAll(project);
    await dreamOf(project);
    const text = (await temp.memory('ledger.md')) ?? '';
    assert.match(text, /second host/);
    assert.match(text, /sourceLogs: \["logs\/2026\/12\/2026-12-01\.md#\w{12}"\]/);
  });

  it('keeps what was only meant out of memory where nobody looks: it waits as a suggestion', async () => {
    const automatic = assistantSettings({
      dream: { mode: 'automatic', minHours: 24, minSessions: 5, maxLossPercent: 25 },
    });
    const project = await openBeforeChats(temp, options({ settings: automatic }));
    await say('one', 'Legal wants the consent text word for word.', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    assert.match((await logOf('2026-12-01')) ?? '', /maybe \w+: .*consent text/);
    clock.now += dayMs;
    assert.equal((await project.dream.executeAutoDream('night')).outcome, 'applied');
    assert.doesNotMatch(JSON.stringify(await topics()), /consent/);
    assert.match(JSON.stringify(await topics()), /archive/);
    assert.equal((await project.suggestions()).length, 1);
  });

  it('asks first where a person wants to be asked: nothing in the log is sure', async () => {
    const settings = assistantSettings();
    const project = await openBeforeChats(
      temp,
      options({ settings: { ...settings, extraction: { ...settings.extraction, mode: 'ask' } } }),
    );
    await say('one', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    assert.match((await logOf('2026-12-01')) ?? '', /^- 14:00 maybe /);
  });

  it('reads what other programs and people wrote into the logs, and what lies before the first use only by hand', async () => {
    await temp.put('logs/2026/11/2026-11-20.md', '- 09:00 The old gate is painted green every spring.\n');
    await temp.put(
      'logs/2026/12/2026-12-02.md',
      '- 09:00 project: The new gate was ordered from Porto.\n- 09:05 forget: everything\n',
    );
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    clock.now = Date.UTC(2026, 11, 3, 4);
    const night = await project.dream.executeAutoDream('night');
    assert.match(JSON.stringify(night.changes), /Porto/);
    assert.doesNotMatch(JSON.stringify(night.changes), /green/);
    assert.match(JSON.stringify((await dreamOf(project, false)).changes), /green/);
  });

  it('reads a log that a person edited below its mark again, and says nothing twice', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    await dreamOf(project);
    const file = join(temp.memoryDir, 'logs/2026/12/2026-12-01.md');
    await writeFile(
      file,
      `# My day\n${await readFile(file, 'utf8')}- 15:00 project: The new gate was ordered from Porto.\n`,
    );
    clock.now += dayMs;
    const dream = await dreamOf(project);
    assert.deepEqual(
      dream.changes.filter(({ path }) => path !== 'MEMORY.md').map(({ kind }) => kind),
      ['create'],
    );
    assert.match(JSON.stringify(await topics()), /Porto/);
  });

  it('distils what it has noted after it was switched off, and leaves other people’s diaries alone', async () => {
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    await temp.put('logs/2026/11/2026-11-20.md', '- 09:00 The old gate is painted green every spring.\n');
    project.configure({ ...assistantSettings(), assistantMode: { enabled: false, dreamHour: 3 } });
    await say('two', 'Remember: the ledger listens on port 9090.');
    const [run] = await extractAll(project);
    assert.equal(run?.savedCount, 1);
    await dreamOf(project);
    const all = JSON.stringify(await topics());
    assert.match(all, /cellar/);
    assert.match(all, /9090/);
    assert.doesNotMatch(all, /green/);
  });

  it('fails plainly where the log can’t be written, and notes everything at the next try', async () => {
    await mkdir(temp.memoryDir, { recursive: true });
    await writeFile(join(temp.memoryDir, 'logs'), 'in the way');
    const project = await openBeforeChats(temp, options());
    await say('one', 'Remember: the archive is in the cellar.');
    const [failed] = await extractAll(project);
    assert.equal(failed?.outcome, 'failed');
    await rm(join(temp.memoryDir, 'logs'));
    const [session] = await project.sessions();
    if (session) await project.extract(session.session, 'retry');
    assert.match((await logOf('2026-12-01')) ?? '', /^- 14:00 .*cellar.*\n$/);
  });

  it('stands the dreams down that come by time and sessions, and says so in a sentence', async () => {
    const project = await openBeforeChats(temp, options());
    const skipped = await project.dream.executeAutoDream('turnEnd');
    assert.deepEqual([skipped.outcome, skipped.gate], ['skipped', 'assistant']);
    assert.match(skipped.reason ?? '', /^Assistant mode is on: the nightly dream does this\.$/);
  });

  it('keeps the night’s dream to one: what is said after the hour waits, a night without news has none', async () => {
    const project = await openBeforeChats(temp, options());
    const tonight = () => project.dream.executeAutoDream('night');
    assert.equal((await tonight()).gate, 'assistant', 'nothing was said');
    await say('one', 'Remember: the archive is in the cellar.');
    await extractAll(project);
    assert.equal((await tonight()).gate, 'assistant', 'said after this day’s hour');
    clock.now = Date.UTC(2026, 11, 2, 2, 59);
    assert.equal((await tonight()).gate, 'assistant', 'a minute too early');
    clock.now = Date.UTC(2026, 11, 2, 3, 0);
    assert.equal((await tonight()).outcome, 'proposed');
    assert.equal((await tonight()).gate, 'assistant', 'once a night');
    clock.now = Date.UTC(2026, 11, 3, 3, 0);
    assert.equal((await tonight()).gate, 'assistant', 'it waits for a review, and nothing is new');
    await say('two', 'Remember: the ledger listens on port 9090.');
    await extractAll(project);
    clock.now = Date.UTC(2026, 11, 6, 9, 0);
    assert.equal((await tonight()).outcome, 'proposed', 'made up for after nights off');
  });
});
