// Extraction, dream and recall, each whole, through one of the editor's chat models: what it says is carried out and checked as
// any model's work is, and a refusal, a used up quota and a cancellation in the middle leave everything as it was.

import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Project } from '../../../src/core/project';
import type { TestApi } from '../../../src/extension';
import { transcript, uuidOf } from '../../support/transcripts';
import type { ModelReply } from '../server';
import { chatModelId, pnpmMemory, reply, requests, until } from './companion';

const memoryDir = process.env.HOST_MEMORY ?? '';
const transcripts = process.env.HOST_TRANSCRIPTS ?? '';
const settingsDir = join(process.env.CLAUDE_CONFIG_DIR ?? '', 'reverie');
const never = new AbortController().signal;

const memories = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(memoryDir)
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(join(memoryDir, name), 'utf8')]),
  );

/** Whether the model heard of a cancellation after that many requests. */
const wasCancelled = (after: number): boolean =>
  requests()
    .slice(after)
    .some(({ cancelled }) => cancelled);

describe('the engine through a chat model of the editor', function () {
  this.timeout(60_000);
  let api: TestApi;
  let project: Project;
  const files: string[] = [];

  before(async function () {
    const lm = vscode.lm as { registerLanguageModelChatProvider?: unknown };
    // Hosts before such models have nothing to test here.
    if (typeof lm.registerLanguageModelChatProvider !== 'function') this.skip();
    const extension = vscode.extensions.getExtension<TestApi>('reverie.reverie');
    assert.ok(extension);
    api = await extension.activate();
    const [open] = await api.projects.open();
    assert.ok(open);
    project = open.project;
    await project.behind();
    // A dream that begins by itself when a turn ends would take the answers that are meant for others.
    await setDreams('manual');
    mkdirSync(settingsDir, { recursive: true });
    writeFileSync(join(settingsDir, 'choice.json'), JSON.stringify({ engine: 'vscode', chatModel: chatModelId }));
  });

  async function setDreams(mode: 'manual' | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('reverie').update('dream.mode', mode, vscode.ConfigurationTarget.Global);
    const isOpen = async () => (await project.dream.whyNot()).results.find(({ name }) => name === 'enabled')?.open;
    for (let tries = 0; tries < 100 && (await isOpen()) === (mode === 'manual'); tries += 1)
      await new Promise((done) => setTimeout(done, 50));
  }

  function chatOf(name: string): string {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = join(transcripts, `${uuidOf(name)}.jsonl`);
    const talk = transcript(uuidOf(name), folder);
    writeFileSync(file, talk.human('Please use pnpm here, not npm.').assistant('Done.').turnEnd().text());
    files.push(file);
    return file;
  }
  after(async () => {
    if (project) await setDreams(undefined);
    rmSync(join(settingsDir, 'choice.json'), { force: true });
    for (const file of files) rmSync(file, { force: true });
    await until(() => api === undefined || api.statusBar.current().kind === 'idle', 'quiet in the status bar');
  });

  async function sessionOf(file: string) {
    const session = (await project.sessions()).find((entry) => entry.session.file === file)?.session;
    assert.ok(session, 'the chat is known');
    return session;
  }

  /** A model whose quota is used up is left alone until somebody tries it; one that refused may be asked again. */
  async function afterTrouble(failure: string, again: () => Promise<string | undefined>): Promise<void> {
    if (failure !== 'rate_limited') return;
    const asked = requests().length;
    assert.equal(await again(), failure);
    assert.equal(requests().length, asked, 'it was not asked again');
    reply();
    assert.deepEqual(await api.chatModels.tryModel(chatModelId, never), { answered: true });
  }

  /** What stands between a question and its answer, and what the engine says of it. */
  const troubles = [
    ['access is refused', [{ error: 'NoPermissions' }], 'no_permission'],
    ['the quota is used up', [{ text: 'I ' }, { error: 'Blocked' }], 'rate_limited'],
  ] as const;

  describe('extraction', () => {
    for (const [what, parts, failure] of troubles) {
      it(`leaves a chat for later when ${what}, says so, and keeps it whole after that`, async () => {
        const before = memories();
        const session = await sessionOf(chatOf(what));
        const extract = () => project.extract(session, 'command');
        reply(parts);
        const failed = await extract();
        assert.deepEqual([failed.outcome, failed.failure], ['failed', failure]);
        assert.deepEqual(memories(), before);
        await afterTrouble(failure, async () => (await extract()).failure);
        reply([{ tool: 'Write', input: { file_path: 'pnpm.md', content: pnpmMemory } }], 'Kept one.');
        const outcome = await extract();
        assert.deepEqual(
          [outcome.outcome, outcome.savedCount, outcome.model],
          ['saved', 1, chatModelId],
          outcome.reason,
        );
        assert.deepEqual([outcome.usage.cacheRead, outcome.usage.input > 0], [0, true]);
        await project.undo();
        assert.deepEqual(memories(), before);
      });
    }

    it('changes nothing when it is cancelled in the middle, after a write, and the model hears of it', async () => {
      const before = memories();
      const [session] = (await project.past()).sessions;
      assert.ok(session);
      const stop = new AbortController();
      reply(
        [{ tool: 'Write', input: { file_path: 'pnpm.md', content: pnpmMemory } }],
        [{ text: 'I ' }, { hang: true }],
      );
      const asked = requests().length;
      const working = project.learnPast([session], undefined, stop.signal);
      await until(() => requests().length > asked + 1, 'the second request');
      stop.abort();
      assert.deepEqual(
        (await working).map(({ outcome, reason }) => [outcome, reason]),
        [['failed', 'cancelled']],
      );
      await until(() => wasCancelled(asked), 'the cancellation');
      assert.deepEqual(memories(), before);
      assert.ok(
        (await project.past()).sessions.some(({ file }) => file === session.file),
        'it is offered again',
      );
    });
  });

  describe('recall', () => {
    const question = 'how large should a commit be?';
    const byWords = ['lexical', 'keep-commits-small.md'];
    const recalled = async (signal?: AbortSignal) => {
      const { selector, memories: found } = await project.recall(question, signal ? { signal } : {});
      return [selector, found[0]?.path];
    };

    it('lets the model choose, and words where it answers nonsense', async () => {
      reply('{"selected_memories":["keep-commits-small.md"]}');
      const chosen = await project.recall(question);
      assert.deepEqual(
        [chosen.selector, chosen.memories.map(({ path }) => path)],
        ['model', ['keep-commits-small.md']],
      );
      reply('I would rather not.');
      assert.deepEqual(await recalled(), byWords);
    });

    for (const [what, parts, failure] of troubles) {
      it(`goes by words when ${what}`, async () => {
        reply(parts);
        assert.deepEqual(await recalled(), byWords);
        await afterTrouble(failure, async () => ((await recalled())[0] === 'lexical' ? failure : 'asked'));
        reply('{"selected_memories":["keep-commits-small.md"]}');
        assert.equal((await recalled())[0], 'model');
      });
    }

    it('goes by words when the model takes too long, and ends when a person cancels; the model hears of both', async () => {
      reply([{ text: '{' }, { hang: true }], [{ hang: true }]);
      const asked = requests().length;
      assert.deepEqual(await recalled(), byWords);
      await until(() => wasCancelled(asked), 'the cancellation');
      const stop = new AbortController();
      const again = requests().length;
      const working = assert.rejects(recalled(stop.signal), { name: 'AbortError' });
      await until(() => requests().length > again, 'the request');
      stop.abort();
      await working;
      await until(() => wasCancelled(again), 'the second cancellation');
    });
  });

  describe('a dream', () => {
    const dream = () => project.dream.executeAutoDream('command', { force: true });
    const path = 'keep-commits-small.md';
    const changes = (): readonly [ModelReply, ModelReply, ModelReply] => [
      [{ tool: 'Read', input: { file_path: path } }],
      [
        {
          tool: 'Edit',
          input: { file_path: path, old_string: 'and a big one waits for days', new_string: 'and a big one waits' },
        },
      ],
      `${path}: said shorter.`,
    ];

    for (const [what, parts, failure] of troubles) {
      it(`fails whole when ${what} in the middle of it, with the lock free for the next, which proposes`, async () => {
        const before = memories();
        const [first, edit] = changes();
        reply(first, edit, parts);
        const failed = await dream();
        assert.equal(failed.outcome, 'failed');
        assert.deepEqual([memories(), (await project.dream.lock()).held], [before, false]);
        assert.equal((await project.dream.whyNot()).results.find(({ name }) => name === 'lock')?.open, true);
        await afterTrouble(failure, async () => ((await dream()).outcome === 'failed' ? failure : 'asked'));
        reply(...changes());
        const whole = await dream();
        assert.equal(whole.outcome, 'proposed', whole.reason);
        const [change] = whole.changes;
        assert.deepEqual([change?.path, change?.kind, change?.reason], [path, 'update', 'said shorter.']);
        assert.ok(whole.usage.input > 0);
        assert.deepEqual(memories(), before, 'a proposal waits for a person');
        await project.dream.discard(whole.proposalId ?? '');
      });
    }

    it('changes nothing when it is cancelled in the middle, and the next one is whole', async () => {
      const before = memories();
      const [first, edit] = changes();
      reply(first, edit, [{ text: 'I ' }, { hang: true }]);
      const asked = requests().length;
      const dreaming = dream();
      await until(() => requests().length > asked + 2, 'the dream’s third request');
      await project.dream.cancel();
      const { outcome, reason } = await dreaming;
      assert.deepEqual([outcome, reason], ['failed', 'cancelled']);
      await until(() => wasCancelled(asked), 'the cancellation');
      reply('Nothing to do.');
      assert.equal((await dream()).outcome, 'unchanged');
      assert.deepEqual(memories(), before);
    });
  });
});
