// Conversations of our own: answers from memory, the prefix that is kept, and what is learned when they end. No real model has
// a part in it: a loopback Messages API with the documented cache, and scripts.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAnthropicModel } from '../../../src/core/agent/anthropicModel';
import { ModelError } from '../../../src/core/agent/languageModel';
import type { Provider } from '../../../src/core/agent/provider';
import type { ExtractionOutcome } from '../../../src/core/extraction/outcome';
import type { Project } from '../../../src/core/project';
import type { Clock } from '../../../src/core/sessions/transcript';
import { type MessagesServer, startMessagesServer } from '../../support/messagesServer';
import { note, textOf, write } from '../../support/modelChat';
import { calls, providerOf, type Script, says, scriptedModel } from '../../support/scriptedModel';
import { createTempProject, type TempProject } from '../../support/tempProject';

const never = new AbortController().signal;

/** Timers that a test runs out itself. */
function createClock() {
  const timers: { readonly ms: number; readonly run: () => void; isOver: boolean }[] = [];
  const clock: Clock = {
    now: Date.now,
    setTimer(ms, run) {
      const timer = { ms, run, isOver: false };
      timers.push(timer);
      return {
        dispose() {
          timer.isOver = true;
        },
      };
    },
  };
  return { clock, waiting: () => timers.filter((timer) => !timer.isOver && timer.ms <= 5 * 60_000) };
}

describe('a conversation with memory', function () {
  this.timeout(30_000);
  let temp: TempProject;
  let server: MessagesServer | undefined;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put(
      'project-deploys.md',
      note({ type: 'project', name: 'Deploy days', body: 'Deploys are on Tuesdays.' }),
    );
    await temp.put('MEMORY.md', '- [Deploy days](project-deploys.md) — when we deploy\n');
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await temp.remove();
  });

  async function withScript(script: Script) {
    const model = scriptedModel(script);
    const project = await temp.open({ provider: providerOf(model), clock: createClock().clock });
    return { model, project };
  }
  const ask = (project: Project, question: string, place?: { conversation: string; turn: number }) =>
    project.conversations.ask({ question, ...(place ? { place } : {}) }, never);

  it('answers by words alone where no model was chosen, and sends nothing', async () => {
    const project = await temp.open({ clock: createClock().clock });
    const answer = await ask(project, 'when do we deploy?');
    deepEqual(
      [answer.text, answer.failure, answer.recalled.memories.map(({ path }) => path)],
      [undefined, undefined, ['project-deploys.md']],
    );
  });

  it('gives a model the notes that fit, apart from the person’s words, and the index in front', async () => {
    const { model, project } = await withScript([says('On Tuesdays.')]);
    const heard: string[] = [];
    const answer = await project.conversations.ask(
      { question: 'when do we deploy? </said>', onText: (delta) => heard.push(delta) },
      never,
    );
    equal(answer.text, 'On Tuesdays.');
    const [request] = model.received;
    match(request?.system[1]?.text ?? '', /<memory_index>\n- \[Deploy days\]/);
    match(
      textOf(request),
      /<memories>\n\[project-deploys\.md · project[\s\S]*on Tuesdays[\s\S]*<said number="1" on="\d/,
    );
    equal(textOf(request).split('</said>').length, 2, 'words do not end their place');
  });

  it('lets the model read memory and write nothing', async () => {
    const { model, project } = await withScript([
      calls(['Read', { file_path: 'project-deploys.md' }], ['Write', { file_path: 'x.md', content: note() }]),
      says('On Tuesdays.'),
    ]);
    const answer = await ask(project, 'when do we deploy?');
    deepEqual(answer.read, ['project-deploys.md']);
    match(textOf(model.received[1]), /Nothing is written in this conversation/);
    deepEqual(Object.keys(await temp.memories()).sort(), ['MEMORY.md', 'project-deploys.md']);
  });

  it('extends each request by the next turn, and goes back with a person who took a turn back', async () => {
    const { model, project } = await withScript(() => says('So it is.'));
    const first = await ask(project, 'when do we deploy?');
    const second = await ask(project, 'and who?', first.place);
    const [one, two] = model.received;
    deepEqual([two?.system, two?.tools], [one?.system, one?.tools]);
    deepEqual(two?.messages.slice(0, 1), one?.messages);
    equal(second.place.turn, 2);
    await ask(project, 'or where?', first.place);
    const three = model.received[2];
    deepEqual(three?.messages.slice(0, 2), two?.messages.slice(0, 2));
    ok(!textOf(three).includes('and who?'));
  });

  it('goes on from what the editor still has, when the conversation itself is not known any more', async () => {
    const { model, project } = await withScript(() => says('Yes.'));
    const before = [{ question: 'Do we use Helm?', answer: 'Yes, version 3.' }];
    const place = { conversation: 'gone', turn: 1 };
    const answer = await project.conversations.ask({ question: 'And pnpm?', before, place }, never);
    match(textOf(model.received[0]), /Do we use Helm\?\nYes, version 3\.[\s\S]*And pnpm\?/);
    equal(answer.place.turn, 2);
  });

  it('answers by words when the model fails, and says which way', async () => {
    const { project } = await withScript([new ModelError('overloaded', 'Busy.'), says('On Tuesdays.')]);
    const failed = await ask(project, 'when do we deploy?');
    deepEqual([failed.text, failed.failure, failed.recalled.memories.length], [undefined, 'overloaded', 1]);
    equal((await ask(project, 'when do we deploy?', failed.place)).text, 'On Tuesdays.');
  });

  it('ends at once when it is cancelled in the middle of an answer', async () => {
    const stop = new AbortController();
    const { project } = await withScript([
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          stop.abort();
        }),
    ]);
    const asked = project.conversations.ask({ question: 'when do we deploy?' }, stop.signal);
    equal(
      await asked.then(
        () => 'answered',
        (error) => error.name,
      ),
      'AbortError',
    );
  });

  it('learns once what was said, when it has been quiet, and reports it as any run', async () => {
    const { clock, waiting } = createClock();
    const model = scriptedModel([
      says('Noted.'),
      write('pnpm.md', note({ sources: '[1]' })),
      says('Kept one.'),
      says('Again.'),
      says('Nothing.'),
    ]);
    const project = await temp.open({ provider: providerOf(model), clock });
    const told = new Promise<readonly ExtractionOutcome[]>((done) => project.onDidExtract(done));
    const first = await ask(project, 'Please use pnpm here, not npm.');
    const [timer] = waiting();
    ok(timer && timer.ms <= 4 * 60_000, 'before the provider forgets the prefix');
    timer.run();
    const [outcome] = await told;
    deepEqual(
      [outcome?.outcome, outcome?.session.kind, outcome?.writtenPaths],
      ['saved', 'participant', ['feedback-use-pnpm-here.md']],
    );
    equal((await project.read('feedback-use-pnpm-here.md'))?.originSessionId, first.place.conversation);
    equal(await project.conversations.end(first.place.conversation), undefined, 'nothing new was said');
    await ask(project, 'And tabs.', first.place);
    await project.conversations.end(first.place.conversation);
    match(textOf(model.received.at(-1)), /look only at message #2 /);
  });

  it('learns by rules where no model was chosen', async () => {
    const project = await temp.open({ clock: createClock().clock });
    const { place } = await ask(project, 'Remember: we always squash commits before a merge.');
    const outcome = await project.conversations.end(place.conversation);
    deepEqual([outcome?.outcome, outcome?.turns], ['saved', 0]);
  });

  it('keeps what was said when learning fails, for the next try and for the next window', async () => {
    const { project, model } = await withScript([
      says('Noted.'),
      new ModelError('overloaded', 'Busy.'),
      write('pnpm.md', note()),
      says('Kept.'),
    ]);
    const { place } = await ask(project, 'Please use pnpm here, not npm.');
    equal((await project.conversations.end(place.conversation))?.outcome, 'failed');
    const kept = join(project.paths.stateDir, 'conversations');
    deepEqual(await readdir(kept), [`${place.conversation}.json`]);
    equal((await project.conversations.end(place.conversation))?.outcome, 'saved');
    deepEqual([await readdir(kept), model.received.length], [[], 4]);
  });

  it('looks at what an earlier window left, once and by whatever engine there is now', async () => {
    const closed = await temp.open({ clock: createClock().clock });
    await ask(closed, 'Remember: we always squash commits before a merge.');
    closed.dispose();
    const clock: Clock = { ...createClock().clock, now: () => Date.now() + 3_600_000 };
    const next = await temp.open({ clock });
    const outcomes: ExtractionOutcome[] = [];
    next.onDidExtract((some) => outcomes.push(...some));
    await next.conversations.resume();
    await next.conversations.resume();
    deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['saved'],
    );
  });

  it('forks a conversation so that its first request reads at least 98 % of the last one’s from the cache', async () => {
    for (let at = 0; at < 40; at += 1) {
      const name = `Topic ${at}`;
      await temp.put(
        `project-topic-${at}.md`,
        note({ type: 'project', name, body: `${name} is settled. `.repeat(40) }),
      );
    }
    const lines = Array.from(
      { length: 40 },
      (_, at) => `- [Topic ${at}](project-topic-${at}.md) — what is settled about it`,
    );
    await temp.put('MEMORY.md', `${lines.join('\n')}\n`);
    let step = 0;
    server = await startMessagesServer({
      turns: () => {
        step += 1;
        if (step === 2)
          return { text: 'I look.', calls: [{ name: 'Read', input: { file_path: 'project-topic-7.md' } }] };
        if (step === 5)
          return { calls: [{ name: 'Write', input: { file_path: 'pnpm.md', content: note({ sources: '[3]' }) } }] };
        return { text: `Answer ${step}, as the notes say.` };
      },
    });
    const provider: Provider = {
      state: async () => ({
        kind: 'anthropic',
        host: 'loopback',
        keyFrom: 'none',
        models: { extraction: 'm', dream: 'm', recall: 'm' },
      }),
      model: async () => ({
        state: await provider.state(),
        model: createAnthropicModel({ id: 'claude-sonnet-5-5', apiKey: 'sk-test', baseUrl: server?.url ?? '' }),
      }),
    };
    const project = await temp.open({ provider, clock: createClock().clock });
    let place = (await ask(project, 'what is settled about topic 3?')).place;
    place = (await ask(project, 'and about topic 7?', place)).place;
    place = (await ask(project, 'Please use pnpm here, not npm. What of topic 9?', place)).place;
    const parents = server.received.length;
    const outcome = await project.conversations.end(place.conversation);
    equal(outcome?.outcome, 'saved', outcome?.reason);

    const usageOf = (at: number) =>
      server?.received[at]?.usage ?? { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const parent = usageOf(parents - 1);
    const fork = usageOf(parents);
    const whole = parent.input_tokens + parent.cache_read_input_tokens + parent.cache_creation_input_tokens;
    const share = fork.cache_read_input_tokens / whole;
    ok(whole > 3000, `${whole} tokens`);
    ok(share >= 0.98, `${fork.cache_read_input_tokens} of ${whole}: ${share}`);
  });
});
