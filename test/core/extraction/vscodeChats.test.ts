// Chats that were held in VS Code itself, through the engine's door: found, read once, kept, taken back, counted; and what is said
// where they can't be read.

import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSettings } from '../../../src/core/engineSettings';
import type { ExtractionOutcome } from '../../../src/core/extraction/outcome';
import type { Project, ProjectOptions } from '../../../src/core/project';
import { providerOf, scriptedModel } from '../../support/scriptedModel';
import { createTempProject, extractAll, type TempProject, turn } from '../../support/tempProject';
import { copilotTranscript, type VscodeChat, vscodeChat } from '../../support/vscodeChats';

const pnpm = 'From now on always use pnpm here, not npm.';

describe('what is said in VS Code’s own chats', () => {
  let temp: TempProject;
  let home: string;
  beforeEach(async () => {
    temp = await createTempProject();
    home = join(temp.base, 'workspaceStorage/3b5679c6');
  });
  afterEach(() => temp.remove());

  const storage = () => ({
    workspace: join(home, 'reverie.reverie'),
    global: join(temp.base, 'globalStorage/reverie.reverie'),
  });
  async function open(options: Partial<ProjectOptions> = {}): Promise<Project> {
    const project = await temp.open({ chatStorage: storage(), ...options });
    await project.behind();
    return project;
  }
  async function put(
    chat: VscodeChat,
    name = `chatSessions/${chat.sessionId}.jsonl`,
    text = chat.log(),
  ): Promise<string> {
    const file = join(home, name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    return file;
  }
  const soon = () => vscodeChat('one', { at: Date.now() });
  const sections = ({ outcome, savedCount }: ExtractionOutcome) => [outcome, savedCount];
  const texts = async () => JSON.stringify(await temp.memories());

  it('becomes a memory, is listed as read with its title, and Undo takes it back', async () => {
    const project = await open();
    const before = await temp.memories();
    await put(soon().ask(pnpm, { answer: 'I will.' }));
    assert.deepEqual((await extractAll(project)).map(sections), [['saved', 1]]);
    const [entry] = await project.sessions();
    assert.deepEqual([entry?.session.kind, entry?.state, entry?.title], ['vscode-chat', 'saved', pnpm]);
    assert.match(await texts(), /pnpm/);
    assert.deepEqual(await extractAll(project), [], 'once');
    await project.undo(entry?.run);
    assert.deepEqual(await temp.memories(), before);
  });

  it('leads from the memory back to the line that holds its words', async () => {
    const project = await open();
    const file = await put(soon().type('From').ask(pnpm, { answer: 'I will.' }));
    const [outcome] = await extractAll(project);
    assert.deepEqual(await project.sourceMessage(outcome?.writtenPaths[0] ?? ''), { file, line: 3 });
  });

  it('is read when its turn and when the chat is over, by whoever watches, and never twice', async () => {
    const settings = { ...defaultSettings, sources: { idleMinutes: 0.01 } };
    const project = await open({ settings });
    await mkdir(join(home, 'chatSessions'), { recursive: true });
    const outcomes: ExtractionOutcome[] = [];
    project.onDidExtract((some) => outcomes.push(...some));
    await project.start();
    const chat = soon().ask(pnpm);
    await put(chat);
    await put(chat.answer('I will.'));
    await until(() => outcomes.some(({ outcome }) => outcome === 'saved'));
    await put(chat.ask('Remember: releases are cut on Tuesdays.', { answer: 'Noted.' }).compact());
    await until(() => outcomes.filter(({ outcome }) => outcome === 'saved').length === 2);
    await put(chat.type('and').compact());
    await new Promise((done) => setTimeout(done, 1500));
    assert.equal(
      outcomes.reduce((sum, { savedCount }) => sum + savedCount, 0),
      2,
    );
  }).timeout(20_000);

  it('leaves what was said before the first use alone, and learns from it when asked', async () => {
    const chat = vscodeChat('old', { at: '2026-01-01T00:00:00Z' }).ask(pnpm, { answer: 'I will.' });
    await put(chat);
    const project = await open();
    assert.deepEqual(await extractAll(project), []);
    assert.equal((await project.sessions())[0]?.state, 'past');
    await put(chat.ask('Remember: releases are cut on Tuesdays.', { answer: 'Yes.', at: Date.now() + 1000 }).compact());
    assert.deepEqual((await extractAll(project)).map(sections), [['saved', 1]]);
    assert.doesNotMatch(await texts(), /pnpm/);
    const { sessions } = await project.past();
    assert.deepEqual((await project.learnPast(sessions)).map(sections), [['saved', 1]]);
    assert.match(await texts(), /pnpm/);
    assert.deepEqual([await extractAll(project), (await project.past()).sessions], [[], []]);
  });

  it('goes on from where another window left it', async () => {
    const chat = soon().ask(pnpm, { answer: 'I will.' });
    const project = await open();
    await put(chat);
    await extractAll(project);
    const next = await open();
    assert.deepEqual(await next.behind(), []);
    await put(chat.ask('Remember: releases are cut on Tuesdays.', { answer: 'Yes.' }).compact());
    assert.deepEqual((await extractAll(next)).map(sections), [['saved', 1]]);
  });

  it('is one memory when it was asked in Claude Code, too, in either order', async () => {
    const project = await open();
    await temp.chat('claude', turn(pnpm));
    await put(soon().ask(pnpm, { answer: 'I will.' }));
    const outcomes = await extractAll(project);
    assert.equal(outcomes.length, 2);
    assert.equal(
      outcomes.reduce((sum, { savedCount }) => sum + savedCount, 0),
      1,
    );
    assert.equal(Object.keys(await temp.memories()).filter((name) => name !== 'MEMORY.md').length, 1);
    await temp.chat('claude', turn('Remember: releases are cut on Tuesdays.'));
    await put(vscodeChat('two', { at: Date.now() }).ask('Remember: releases are cut on Tuesdays.', { answer: 'Yes.' }));
    assert.equal(
      (await extractAll(project)).reduce((sum, { savedCount }) => sum + savedCount, 0),
      1,
    );
  });

  it('is one memory when Copilot’s transcript holds it, too, whichever was there first', async () => {
    const project = await open();
    const chat = soon().ask(pnpm, { answer: 'I will.' });
    const at = new Date().toISOString();
    const transcript = copilotTranscript(chat.sessionId, [{ text: pnpm, answer: 'I will.', at }]);
    await put(chat, `GitHub.copilot-chat/transcripts/${chat.sessionId}.jsonl`, transcript);
    assert.deepEqual((await extractAll(project)).map(sections), [['saved', 1]]);
    await put(chat);
    const outcomes = await extractAll(project);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['nothing'],
    );
    assert.deepEqual(
      (await project.sessions()).map(({ session, state }) => [session.file.includes('chatSessions'), state]),
      [[true, 'nothing']],
    );
  });

  it('is left to the conversation it belongs to when it was said to @memory', async () => {
    const project = await open();
    const own = { agent: { id: 'reverie.memory', extensionId: { value: 'reverie.reverie' } } };
    await put(
      soon()
        .ask(pnpm, { answer: 'I keep that.', extra: own })
        .ask('Remember: releases are cut on Tuesdays.', { answer: 'Yes.' }),
    );
    assert.deepEqual((await extractAll(project)).map(sections), [['saved', 1]]);
    assert.doesNotMatch(await texts(), /pnpm/);
    const asked = await project.conversations.ask({ question: pnpm }, new AbortController().signal);
    assert.equal((await project.conversations.end(asked.place.conversation))?.savedCount, 1);
    assert.match(await texts(), /pnpm/);
    assert.deepEqual(await extractAll(project), []);
  });

  it('is skipped where the agent wrote the memory itself', async () => {
    const project = await open();
    const edit = { kind: 'textEditGroup', uri: { path: join(temp.memoryDir, 'pnpm.md'), scheme: 'file' } };
    await put(soon().ask(pnpm, { answer: 'I noted that.', parts: [edit] }));
    assert.deepEqual(
      (await extractAll(project)).map(({ reason }) => reason),
      ['direct_write'],
    );
  });

  it('is not learned from where a person said so', async () => {
    const project = await open();
    const chat = soon().ask('Hello.', { answer: 'Hello.' });
    await put(chat);
    const [entry] = await project.sessions();
    assert.ok(entry);
    await project.exclude(entry.session, true);
    await put(chat.ask(pnpm, { answer: 'I will.' }).compact());
    assert.deepEqual(await extractAll(project), []);
    assert.equal((await project.sessions())[0]?.state, 'excluded');
  });

  it('is read by a model as a digest that only grows, without anybody else’s words', async () => {
    const model = scriptedModel([]);
    const project = await open({ provider: providerOf(model) });
    const chat = soon().ask('The rota follows the tides.', { answer: 'I plan with the tides.' });
    await put(chat);
    await extractAll(project);
    await put(chat.ask('And the audit is in May.', { answer: 'Noted.' }).compact());
    await extractAll(project);
    const [first, second] = model.received.map((request) => JSON.stringify(request.messages[0]));
    assert.match(first ?? '', /#1 person, .*\n?.*The rota follows the tides/);
    assert.match(second ?? '', /#2 person/);
    assert.equal((second ?? '').match(/The rota follows the tides/g)?.length, 1);
    assert.doesNotMatch(JSON.stringify(model.received), /obey/);
  });

  it('counts for the next dream, which does not count chats in which nothing was said', async () => {
    const project = await open();
    await put(soon().ask('Hello.', { answer: 'Hello.' }));
    await put(vscodeChat('two', { at: Date.now() }).ask('Hello.', { answer: 'Hello.' }));
    await put(vscodeChat('stub'));
    await temp.chat('claude', turn('Hello.'));
    const gate = (await project.dream.whyNot()).results.find(({ name }) => name === 'sessions');
    assert.equal(gate?.value, 3);
  });

  describe('is told where it can’t be read', () => {
    const chats = async (options: Partial<ProjectOptions>) => (await (await temp.open(options)).sources())[1];

    it('on a command line that was told of no storage', async () => {
      assert.deepEqual(await chats({}), {
        kind: 'vscode-chat',
        reachable: false,
        why: 'only the editor knows where they lie',
        helps: 'name the folder with --chats',
        sessions: 0,
      });
    });

    it('on another machine than the window, in a browser, and without a storage', async () => {
      const why = async (chatStorage: ProjectOptions['chatStorage'] & object) => {
        const state = await chats({ chatStorage });
        return [state?.reachable, state?.why];
      };
      assert.deepEqual(await why({ ...storage(), host: 'remote' }), [
        false,
        'stored on your desktop, not on this server',
      ]);
      assert.deepEqual(await why({ ...storage(), host: 'browser' }), [false, 'not available in the browser']);
      assert.deepEqual(await why({}), [false, 'this window has no storage']);
      assert.deepEqual(await why(storage()), [true, undefined], 'there is just none yet');
      await put(soon().ask('Hello.'));
      assert.deepEqual(
        await why({ ...storage(), host: 'browser' }),
        [true, undefined],
        'what is there is read, wherever',
      );
    });

    it('in the databases of other generations', async () => {
      await mkdir(home, { recursive: true });
      const database = join(home, 'state.vscdb');
      await writeFile(
        database,
        Buffer.concat([
          Buffer.from('SQLite format 3\u0000'),
          Buffer.alloc(70_000),
          Buffer.from('interactive.sessions[{"'),
        ]),
      );
      const old = await chats({ chatStorage: storage() });
      assert.deepEqual([old?.reachable, old?.why], [false, 'kept by an older VS Code in a database']);
      await writeFile(database, 'SQLite format 3\u0000');
      await mkdir(join(temp.base, 'globalStorage/github.copilot-chat'), { recursive: true });
      await writeFile(join(temp.base, 'globalStorage/github.copilot-chat/session-store.db'), '');
      assert.equal((await chats({ chatStorage: storage() }))?.why, 'kept by the agent host in a database');
      assert.equal(await readFile(database, 'utf8'), 'SQLite format 3\u0000', 'it is read only');
    });

    it('in files of an older version, beside those that are read', async () => {
      const [good, old] = [
        soon().ask('Hello.', { answer: 'Yes.' }),
        vscodeChat('old').ask('Hello.', { answer: 'Yes.' }),
      ];
      await put(good);
      const file = await put(old, `chatSessions/${old.sessionId}.json`, old.flat(1));
      await utimes(file, 1_750_000_000, 1_750_000_000);
      const state = await chats({ chatStorage: storage() });
      assert.deepEqual(
        [state?.reachable, state?.sessions, state?.unreadable],
        [true, 1, [{ file, why: 'written by an older VS Code' }]],
      );
    });
  });
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 300) throw new Error('it never came');
    await new Promise((done) => setTimeout(done, 30));
  }
}
