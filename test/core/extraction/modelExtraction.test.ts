// Extraction by a model: what it is shown and what of its work is kept. The model here is a script; no real one has any
// part in these tests.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { ModelError } from '../../../src/core/agent/languageModel';
import type { ExtractionOutcome } from '../../../src/core/extraction/outcome';
import type { Logger } from '../../../src/core/log';
import { extractChat, note, openWithModel, resultsOf, textOf, write } from '../../support/modelChat';
import { calls, says } from '../../support/scriptedModel';
import { createTempProject, extractAll, settingsWith, type TempProject, turn } from '../../support/tempProject';

describe('extraction by a model', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  it('keeps what the model wrote, under our file name, with index line, source and keywords', async () => {
    const { project, outcome } = await extractChat(temp, [write('whatever.md', note()), says('Kept one.')]);
    deepEqual([outcome.outcome, outcome.savedCount, outcome.turns], ['saved', 1, 2]);
    deepEqual(outcome.writtenPaths, ['feedback-use-pnpm-here.md']);
    ok(outcome.usage.input > 0);
    const memory = await project.read('feedback-use-pnpm-here.md');
    deepEqual(memory?.keywords, ['pnpm', 'package manager']);
    equal(memory?.originSessionId, outcome.session.id);
    equal(memory?.sourceMessages.length, 1);
    equal((await project.sourceMessage('feedback-use-pnpm-here.md'))?.line, 1);
    equal(
      await temp.memory('MEMORY.md'),
      '- [Use pnpm here](feedback-use-pnpm-here.md) — pnpm, never npm, in this project\n',
    );
    await project.undo();
    deepEqual(await temp.memories(), {});
  });

  it('shows the model the index, the manifest and the session, the changing parts last', async () => {
    await temp.put('feedback-old.md', note({ name: 'Old', description: 'an old rule' }));
    await temp.put('MEMORY.md', '- [Old](feedback-old.md) — an old rule\n');
    const { model } = await extractChat(temp, [says('Nothing.')]);
    const text = textOf(model.received[0]);
    const at = ['<memory_index>', 'Please use pnpm here', '[feedback] feedback-old.md', 'message #1'].map((part) =>
      text.indexOf(part),
    );
    ok(
      at.every((place) => place >= 0),
      String(at),
    );
    deepEqual(
      [...at].sort((a, b) => a - b),
      at,
    );
  });

  it('extends the first request of a session in its next extraction, byte for byte', async () => {
    const { model, project } = await openWithModel(temp, () => says('Nothing.'));
    await temp.chat('one', turn('We use pnpm here.'));
    await extractAll(project);
    await temp.put('feedback-new.md', note({ name: 'New' }));
    await temp.put('MEMORY.md', '- [New](feedback-new.md) — new\n');
    await temp.chat('one', turn('And tabs, not spaces.'));
    await extractAll(project);
    const [first, second] = model.received;
    deepEqual(second?.system, first?.system);
    deepEqual(second?.tools, first?.tools);
    const shared = first?.messages[0]?.content ?? [];
    deepEqual(second?.messages[0]?.content.slice(0, shared.length), shared);
    match(textOf(second), /look only at message #2 /);
  });

  it('reads the past of a session apart from what was read of it already', async () => {
    await temp.chat('one', turn('Long ago we chose tabs.'));
    const { model, project } = await openWithModel(temp, () => says('Nothing.'));
    await temp.chat('one', turn('Today we chose pnpm.'));
    await extractAll(project);
    await project.learnPast((await project.past()).sessions);
    await temp.chat('one', turn('And yarn is gone.'));
    await extractAll(project);
    const [fresh, past, next] = model.received.map(textOf);
    ok(fresh?.includes('Today') && !fresh.includes('Long ago'), 'the past is not sent unasked');
    ok(past?.includes('Long ago') && !past.includes('Today'));
    ok(next?.includes('Today') && next.includes('And yarn') && !next.includes('Long ago'));
  });

  it('sends nothing when nobody said anything new', async () => {
    const { model, project } = await openWithModel(temp, () => says('Nothing.'));
    await temp.chat('one', (talk) => talk.assistant('Just me.').turnEnd());
    await extractAll(project);
    equal(model.received.length, 0);
  });

  it('F-43: a model that fails leaves the cursor, says why in plain words, and the next run works', async () => {
    const failures = [new ModelError('overloaded', 'The model is overloaded.'), new ModelError('refused', 'No.')];
    for (const failure of failures) {
      const { project, outcome } = await extractChat(temp, [failure, write('a.md', note()), says('Done.')]);
      equal(outcome.outcome, 'failed');
      equal(`${outcome.reason}.`, failure.message);
      deepEqual(await temp.memories(), {}, 'nothing is half-written');
      const [next] = await extractAll(project);
      equal(next?.outcome, 'saved');
      await temp.remove();
      temp = await createTempProject();
    }
  });

  it('F-43: after writes and then a failure nothing of them is kept', async () => {
    const { outcome } = await extractChat(temp, [
      write('a.md', note()),
      new ModelError('unreachable', 'The connection broke.'),
    ]);
    equal(outcome.outcome, 'failed');
    deepEqual(await temp.memories(), {});
  });

  it('F-44 and F-52: a model that says “saved” without a write has saved nothing', async () => {
    const { outcome } = await extractChat(temp, [
      calls(['Read', { file_path: 'MEMORY.md' }], ['Write', { file_path: 'MEMORY.md', content: '- [X](x.md) — x' }]),
      says('Saved 3 memories.'),
    ]);
    deepEqual([outcome.outcome, outcome.savedCount, outcome.runs.length], ['nothing', 0, 0]);
    deepEqual(await temp.memories(), {});
  });

  it('F-48: leaves out what holds a secret, names the rule, and never writes the value anywhere', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const lines: string[] = [];
    const log = Object.fromEntries(
      ['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, (line: unknown) => lines.push(String(line))]),
    ) as unknown as Logger;
    const { project } = await extractChat(
      temp,
      [
        calls(
          ['Write', { file_path: 'a.md', content: note({ body: `The token is ${secret}.` }) }],
          ['Write', { file_path: 'b.md', content: note({ name: 'Tabs', body: 'Use tabs.' }) }],
        ),
        says('Done.'),
      ],
      'Use tabs. The token is mine.',
      { log },
    );
    const everything = JSON.stringify([await temp.memories(), await project.suggestions(), lines]);
    ok(!everything.includes(secret));
    ok(
      lines.some((line) => line.includes('a.md') && /secret \(rule \S+\)/.test(line)),
      lines.join('\n'),
    );
    equal((await project.heads()).length, 1);
  });

  it('F-49: a rule that nobody said becomes a suggestion at most', async () => {
    const { project, outcome } = await extractChat(
      temp,
      [
        write(
          'a.md',
          note({ name: 'Deploy on Friday', sources: '[]', body: 'Always deploy on Fridays without tests.' }),
        ),
        says('Done.'),
      ],
      'What does the README say?',
    );
    equal(outcome.outcome, 'proposed');
    deepEqual(await temp.memories(), {});
    equal((await project.suggestions()).length, 1);
  });

  it('F-50: counts relative dates from the day of the message, not of the run', async () => {
    const { project, model } = await openWithModel(temp, [
      write(
        'a.md',
        note({
          type: 'project',
          name: 'Freeze',
          description: 'Freeze from tomorrow',
          body: 'The freeze begins tomorrow.',
        }),
      ),
      says('Done.'),
    ]);
    await temp.chat('one', (talk) =>
      talk.human('The freeze begins tomorrow.', { at: '2026-03-04T23:30:00Z' }).assistant('Ok.').turnEnd(),
    );
    const [outcome] = await extractAll(project);
    match(textOf(model.received[0]), /#1 person, 2026-03-04/);
    const memory = await project.read(outcome?.writtenPaths[0] ?? '');
    match(memory?.body ?? '', /2026-03-05/);
    match(memory?.description ?? '', /2026-03-05/);
  });

  it('F-51: does not keep again what a CLAUDE.md or a memory says', async () => {
    await temp.put(
      'feedback-known.md',
      note({ name: 'Known', description: 'Tabs for indentation', body: 'Use tabs for indentation.' }),
    );
    const before = await temp.memories();
    const { outcome } = await extractChat(
      temp,
      [write('a.md', note({ name: 'Indentation', body: 'Use tabs for indentation.' })), says('Done.')],
      'Use tabs for indentation.',
    );
    equal(outcome.outcome, 'nothing');
    deepEqual(await temp.memories(), before);
  });

  it('changes a memory it has read, and keeps its front matter and everything else it says', async () => {
    const old = `---\nname: Package manager\ndescription: npm is used\nmetadata:\n  type: feedback\n  owner: "lena #1"\n---\n\nUse npm in this project.\n\nNode 20 is the oldest version.\n`;
    await temp.put('feedback-pm.md', old);
    await temp.put('MEMORY.md', '# Memories\n\n- [Package manager](feedback-pm.md) — npm is used\n');
    const { project, outcome } = await extractChat(temp, [
      calls(['Read', { file_path: 'feedback-pm.md' }]),
      write(
        'feedback-pm.md',
        '---\nname: Package manager\ndescription: pnpm is used, not npm\ntype: feedback\n---\nUse pnpm in this project.\n\nNode 20 is the oldest version.\n',
      ),
      says('Done.'),
    ]);
    deepEqual(outcome.writtenPaths, ['feedback-pm.md']);
    const text = await temp.memory('feedback-pm.md');
    match(text ?? '', /owner: "lena #1"/);
    match(text ?? '', /description: pnpm is used, not npm/);
    match(text ?? '', /\n---\n\nUse pnpm in this project\.\n\nNode 20 is the oldest version\.\n$/);
    equal(
      await temp.memory('MEMORY.md'),
      '# Memories\n\n- [Package manager](feedback-pm.md) — pnpm is used, not npm\n',
    );
    await project.undo();
    equal(await temp.memory('feedback-pm.md'), old);
  });

  it('does not let a memory lose most of what it says', async () => {
    const old = note({ body: 'One is blue.\n\nTwo is green.\n\nThree is red.\n\nFour is black.' });
    await temp.put('feedback-a.md', old);
    const { outcome } = await extractChat(temp, [
      calls(['Read', { file_path: 'feedback-a.md' }]),
      write('feedback-a.md', note({ body: 'Use pnpm.' })),
      says('Done.'),
    ]);
    equal(outcome.outcome, 'nothing');
    equal(await temp.memory('feedback-a.md'), old);
  });

  it('never rewrites a file it can’t read with certainty', async () => {
    const old = '---\nname: [broken\ntype: feedback\n---\nText.\n';
    await temp.put('feedback-a.md', old);
    await extractChat(temp, [
      calls(['Read', { file_path: 'feedback-a.md' }]),
      calls(['Edit', { file_path: 'feedback-a.md', old_string: 'Text.', new_string: 'Other.' }]),
      says('Done.'),
    ]);
    equal(await temp.memory('feedback-a.md'), old);
  });

  it('repairs or leaves out what is not a memory: no front matter, placeholders, nothing', async () => {
    const { project } = await extractChat(
      temp,
      [
        calls(
          ['Write', { file_path: 'plain.md', content: 'Use pnpm here, not npm.' }],
          ['Write', { file_path: 'todo.md', content: note({ name: 'Todo', body: 'Ask <insert name here>.' }) }],
          ['Write', { file_path: 'open.md', content: '---\nname: x\nUse pnpm.' }],
          ['Write', { file_path: 'empty.md', content: note({ name: 'Empty', body: '' }) }],
        ),
        says('Done.'),
      ],
      'Please use pnpm here, not npm.',
    );
    const heads = await project.heads();
    equal(heads.length, 1);
    equal(heads[0]?.problem, undefined);
    match((await project.read(heads[0]?.path ?? ''))?.body ?? '', /Use pnpm here/);
  });

  it('with `ask` everything waits as suggestions and no file changes', async () => {
    const { project, outcome } = await extractChat(temp, [write('a.md', note()), says('Done.')], undefined, {
      settings: settingsWith({ mode: 'ask' }),
    });
    deepEqual([outcome.outcome, outcome.suggestedCount], ['proposed', 1]);
    deepEqual(await temp.memories(), {});
    const [suggestion] = await project.suggestions();
    await project.accept(suggestion?.id ?? '');
    equal((await project.heads()).length, 1);
  });

  it('forgets only what the person asked to forget', async () => {
    await temp.put('feedback-a.md', note({ body: 'Use pnpm.' }));
    await temp.put('feedback-b.md', note({ name: 'Tabs', body: 'Use tabs.' }));
    const forget = [
      calls(['Read', { file_path: 'feedback-a.md' }]),
      calls(['Delete', { file_path: 'feedback-a.md', reason: 'asked to' }]),
      says('Done.'),
    ];
    const unasked = await extractChat(temp, forget, 'What is pnpm?');
    match(resultsOf(unasked.model).at(-1)?.text ?? '', /did not ask to forget/);
    ok(await temp.memory('feedback-a.md'));

    const { project } = await openWithModel(temp, forget);
    await temp.chat('two', turn('Please forget that we use pnpm.'));
    const outcomes = await extractAll(project);
    equal(outcomes.at(-1)?.forgottenCount, 1);
    equal(await temp.memory('feedback-a.md'), undefined);
    ok(await temp.memory('feedback-b.md'));
    await project.undo();
    ok(await temp.memory('feedback-a.md'));
  });

  it('F-40: triggers during a run give one trailing run, which has the newest words', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { model, project } = await openWithModel(temp, (_request, number) =>
      number === 1
        ? async () => {
            await held;
            return says('Nothing.');
          }
        : says('Nothing.'),
    );
    const reports: (readonly ExtractionOutcome[])[] = [];
    project.onDidExtract((outcomes) => reports.push(outcomes));
    await temp.chat('one', turn('We use pnpm.'));
    const [session] = await project.behind();
    ok(session);
    const first = project.extract(session, 'command');
    while (model.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await temp.chat('one', turn('We use tabs.'));
    await Promise.all([1, 2, 3].map(() => project.extract(session, 'command')));
    release();
    await first;
    equal(model.received.length, 2);
    match(textOf(model.received[1]), /We use tabs/);
    equal(reports.length, 1);
  });
});
