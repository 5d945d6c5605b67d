// Assistant mode with a model: what it is told, what it may do, and what of its lines gets into the log. The model is a script.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { ModelError } from '../../../src/core/agent/languageModel';
import { refusingDisk } from '../../support/disks';
import { assistantSettings } from '../../support/logFolder';
import { openWithModel, resultsOf, textOf } from '../../support/modelChat';
import { calls, type Script, says } from '../../support/scriptedModel';
import { createTempProject, extractAll, type TempProject } from '../../support/tempProject';

const today = 'logs/2026/12/2026-12-01.md';
const log = (content: string, path = today) => calls(['Write', { file_path: path, content }]);
const untilMidnight = Date.UTC(2026, 11, 1, 23, 58);

describe('a log that a model keeps', function () {
  this.timeout(20_000);
  let temp: TempProject;
  let clock: { now: number };
  beforeEach(async () => {
    temp = await createTempProject();
    clock = { now: Date.UTC(2026, 11, 1, 14) };
  });
  afterEach(() => temp.remove());

  const open = (script: Script) =>
    openWithModel(temp, script, { settings: assistantSettings(), now: () => clock.now, zone: 'UTC' });
  const say = (text: string) =>
    temp.chat('one', (talk) =>
      talk
        .human(text, { at: new Date(clock.now).toISOString() })
        .assistant('Done.')
        .turnEnd(),
    );
  const logOf = (path = today) => temp.memory(path);

  it('takes its lines with the time of the message they come from, and writes no memory', async () => {
    const { project, model } = await open([
      log(
        '- feedback: Use pnpm, never npm. (why: the lock file is pnpm’s) [#1]\n- maybe user: They seem to like Rust. [#1]',
      ),
      says('Noted two.'),
    ]);
    await say('Please use pnpm here, never npm, because the lock file is pnpm’s. Rust would be nicer.');
    const [run] = await extractAll(project);
    deepEqual([run?.outcome, run?.loggedCount, run?.savedCount, run?.model], ['saved', 2, 0, 'scripted']);
    match(
      (await logOf()) ?? '',
      /^- 14:00 feedback: Use pnpm, never npm\. \(why: the lock file is pnpm’s\) <!-- \w{12} -->\n- 14:00 maybe user: They seem to like Rust\. <!-- \w{12} -->\n$/,
    );
    equal(resultsOf(model)[0]?.text, 'Added 2 lines.');
    deepEqual(Object.keys(await temp.memories()), [today]);
  });

  it('names the log by its pattern and by no date, in tools and text that are the same bytes in every run', async () => {
    const { project, model } = await open(() => says('Nothing.'));
    await say('Hello there.');
    await extractAll(project);
    const [request] = model.received;
    const system = request?.system.map(({ text }) => text).join('') ?? '';
    match(system, /"logs\/YYYY\/MM\/YYYY-MM-DD\.md"/);
    ok(!/2026-12-01/.test(system));
    deepEqual(
      request?.tools.map(({ name }) => name),
      ['Read', 'Grep', 'Glob', 'Write', 'Edit', 'Delete'],
    );
  });

  it('asks with the same bytes after midnight as before: the beginning of a conversation, and a request that is tried again', async () => {
    clock.now = untilMidnight;
    const { project, model } = await open((_request, turn) =>
      turn === 1 ? new ModelError('overloaded', 'The model is overloaded.') : says('Nothing.'),
    );
    await say('We use pnpm here.');
    await extractAll(project);
    clock.now = untilMidnight + 6 * 60_000;
    await extractAll(project);
    await say('And tabs, not spaces.');
    await extractAll(project);
    const [before, again, next] = model.received;
    equal(JSON.stringify(again), JSON.stringify(before));
    deepEqual(next?.system, before?.system);
    deepEqual(next?.tools, before?.tools);
    const shared = before?.messages[0]?.content ?? [];
    equal(JSON.stringify(next?.messages[0]?.content.slice(0, shared.length)), JSON.stringify(shared));
  });

  it('goes on in the new day’s file at midnight, by the time of the message and not of the run', async () => {
    clock.now = untilMidnight;
    const { project } = await open((request) =>
      textOf(request).includes('The gate was ordered')
        ? textOf(request).includes('Added')
          ? says('Done.')
          : log(
              '- project: The gate was ordered from Porto. [#1]\n- project: The audit is on 2026-12-03. [#2]',
              'logs/2026/12/2026-12-02.md',
            )
        : says('Nothing.'),
    );
    await temp.chat('one', (talk) =>
      talk
        .human('The gate was ordered from Porto.', { at: new Date(untilMidnight).toISOString() })
        .assistant('Good.')
        .turnEnd()
        .human('The audit is tomorrow.', { at: new Date(untilMidnight + 4 * 60_000).toISOString() })
        .assistant('Noted.')
        .turnEnd(),
    );
    clock.now = untilMidnight + 10 * 60_000;
    await extractAll(project);
    match((await logOf()) ?? '', /^- 23:58 project: The gate was ordered from Porto\. <!-- \w+ -->\n$/);
    match(
      (await logOf('logs/2026/12/2026-12-02.md')) ?? '',
      /^- 00:02 project: The audit is on 2026-12-03\. <!-- \w+ -->\n$/,
    );
  });

  it('is only added to: no edit, no deletion, no other file, no line of another form', async () => {
    const { project, model } = await open([
      calls(
        ['Edit', { file_path: today, old_string: 'a', new_string: 'b' }],
        ['Delete', { file_path: today, reason: 'tidy' }],
        ['Write', { file_path: 'feedback-pnpm.md', content: '- feedback: Use pnpm. [#1]' }],
        ['Write', { file_path: 'MEMORY.md', content: '- feedback: Use pnpm. [#1]' }],
        ['Write', { file_path: 'logs/../escape.md', content: '- feedback: Use pnpm. [#1]' }],
        ['Write', { file_path: 'logs/2026/12/notes.md', content: '- feedback: Use pnpm. [#1]' }],
        ['Write', { file_path: today, content: 'Use pnpm.' }],
        ['Write', { file_path: today, content: '- Use pnpm.' }],
        ['Write', { file_path: today, content: '- forget: everything [#1]' }],
        ['Write', { file_path: today, content: `- feedback: ${'x'.repeat(700)} [#1]` }],
      ),
      says('Done.'),
    ]);
    await say('Please use pnpm here.');
    await extractAll(project);
    equal(resultsOf(model).length, 10);
    for (const { isError, text } of resultsOf(model)) ok(isError, text);
    deepEqual(await temp.memories(), {});
  });

  it('F-49: holds nothing sure of a person that they did not say, no secret, no placeholder, nothing that is known', async () => {
    await temp.put(
      'port.md',
      '---\nname: Port\ndescription: The shop listens on port 8080\nmetadata:\n  type: project\n---\n\nThe shop listens on port 8080.\n',
    );
    const { project } = await open([
      log(
        [
          '- user: They are the owner of the company and want no tests.',
          '- feedback: The key is ghp_16C7e42F292c6912E7710c838347Ae178B4a. [#1]',
          '- project: TODO fill this in. [#1]',
          '- project: The shop listens on port 8080. [#1]',
          '- project: The audit is tomorrow. [#1]',
        ].join('\n'),
      ),
      says('Done.'),
    ]);
    await say('The audit is tomorrow, and the shop listens on port 8080.');
    const [run] = await extractAll(project);
    const text = (await logOf()) ?? '';
    equal(run?.loggedCount, 2, text);
    match(text, /maybe user: They are the owner/);
    match(text, /project: The audit is on 2026-12-02/);
  });

  it('notes what the person asked to forget, and a dream takes it away', async () => {
    await temp.put(
      'port.md',
      '---\nname: Port of the shop\ndescription: The shop listens on port 8080\nmetadata:\n  type: project\n---\n\nThe shop listens on port 8080.\n',
    );
    const { project } = await open([log('- forget: the port of the shop [#1]'), says('Done.')]);
    await say('Forget what I told you about the port of the shop.');
    await extractAll(project);
    match((await logOf()) ?? '', /^- 14:00 forget: the port of the shop <!-- \w+ -->\n$/);
  });

  it('is not written twice when a run is tried again whose lines were added and whose cursor was not', async () => {
    let isFull = false;
    const disk = refusingDisk('ENOSPC', (call, path) => isFull && call === 'create' && /[\\/]sessions[\\/]/.test(path));
    const { project, model } = await openWithModel(
      temp,
      (request) => (textOf(request).includes('Added') ? says('Done.') : log('- feedback: Use pnpm. [#1]')),
      { settings: assistantSettings(), now: () => clock.now, zone: 'UTC', disk },
    );
    await say('Please use pnpm here.');
    isFull = true;
    const [failed] = await extractAll(project);
    equal(failed?.outcome, 'failed');
    const before = await logOf();
    match(before ?? '', /Use pnpm/);
    isFull = false;
    const asked = model.received.length;
    const [again] = await extractAll(project);
    deepEqual([again?.outcome, model.received.length], ['nothing', asked]);
    equal(await logOf(), before);
    // What is said after that is looked at.
    await say('And tabs.');
    await extractAll(project);
    ok(model.received.length > asked);
  });

  it('is read by a dreaming model, the new lines first of all, and what it makes of them knows its line', async () => {
    const script: Script = (request, turn) => {
      const text = textOf(request);
      if (turn === 1) return log('- project: The gate was ordered from Porto. [#1]');
      if (turn === 2) return says('Done.');
      if (!text.includes('Created')) {
        match(text, new RegExp(`- ${today} \\(`));
        return calls(
          ['Read', { file_path: today }],
          [
            'Write',
            {
              file_path: 'gate.md',
              content:
                '---\nname: Gate\ndescription: The gate comes from Porto\nmetadata:\n  type: project\n---\n\nThe gate was ordered from Porto.\n',
            },
          ],
        );
      }
      match(text, /- new 14:00 project: The gate was ordered from Porto\./);
      ok(!text.includes('<!--'));
      return says(`gate.md: it was ordered (${today})`);
    };
    const { project } = await open(script);
    await say('The gate was ordered from Porto.');
    await extractAll(project);
    const outcome = await project.dream.executeAutoDream('command', { force: true, apply: true });
    equal(outcome.outcome, 'applied', outcome.reason);
    const gate = outcome.changes.find(({ path }) => path === 'gate.md');
    match(gate?.sources.join() ?? '', /^logs\/2026\/12\/2026-12-01\.md#\w{12}$/);
    match((await project.sourceMessage('gate.md'))?.file ?? '', /2026-12-01\.md$/);
    equal((await project.status()).assistantMode.waitingLines, 0);
  });
});
