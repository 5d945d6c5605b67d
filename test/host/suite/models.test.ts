// Extraction, dream and recall, each whole, through one of the editor's chat models: what it says is carried out and checked as
// any model's work is, and a refusal, a used up quota and a cancellation in the middle leave everything as it was.

import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Project } from '../../../src/core/project';
import type { TestApi } from '../../../src/extension';
import { transcript, uuidOf } from '../../support/transcripts';

const companion = process.env.HOST_COMPANION ?? '';
const memoryDir = process.env.HOST_MEMORY ?? '';
const transcripts = process.env.HOST_TRANSCRIPTS ?? '';
const settingsDir = join(process.env.CLAUDE_CONFIG_DIR ?? '', 'reverie');
const id = 'reverietest/test-1';
const never = new AbortController().signal;

const reply = (...replies: readonly unknown[]): void =>
  writeFileSync(join(companion, 'replies.json'), JSON.stringify(replies));
const requests = (): number => {
  const file = join(companion, 'requests.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).length : 0;
};
const memories = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(memoryDir)
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(join(memoryDir, name), 'utf8')]),
  );

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

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
    writeFileSync(join(settingsDir, 'choice.json'), JSON.stringify({ engine: 'vscode', chatModel: id }));
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

  it('leaves a chat for later when access is refused or the quota is used up, and says which', async () => {
    const before = memories();
    const session = await sessionOf(chatOf('refused'));
    const extract = () => project.extract(session, 'command');
    reply([{ error: 'Blocked' }]);
    const blocked = await extract();
    assert.deepEqual([blocked.outcome, blocked.failure], ['failed', 'rate_limited']);
    const asked = requests();
    assert.equal((await extract()).failure, 'rate_limited');
    assert.equal(requests(), asked, 'it was not asked again');
    assert.deepEqual(await api.chatModels.tryModel(id, never), { answered: true });
    reply([{ error: 'NoPermissions' }]);
    const refused = await extract();
    assert.deepEqual([refused.outcome, refused.failure], ['failed', 'no_permission']);
    assert.deepEqual(memories(), before);
    // News of models would have it read again while others wait for their answers.
    await project.exclude(session, true);
  });

  it('keeps what the model wrote of a chat', async () => {
    const before = memories();
    const content =
      '---\nname: Use pnpm here\ndescription: pnpm, never npm\nmetadata:\n  type: feedback\n  sources: [1]\n---\nUse pnpm here, never npm.\n';
    const session = await sessionOf(chatOf('allowed'));
    reply([{ tool: 'Write', input: { file_path: 'pnpm.md', content } }], 'Kept one.');
    const outcome = await project.extract(session, 'command');
    assert.deepEqual([outcome.outcome, outcome.savedCount, outcome.model], ['saved', 1, id], outcome.reason);
    assert.deepEqual([outcome.usage.cacheRead, outcome.usage.input > 0], [0, true]);
    await project.undo();
    assert.deepEqual(memories(), before);
  });

  it('lets the model choose what is recalled, and words where it answers nonsense', async () => {
    reply('{"selected_memories":["keep-commits-small.md"]}');
    const chosen = await project.recall('how large should a commit be?');
    assert.deepEqual([chosen.selector, chosen.memories.map(({ path }) => path)], ['model', ['keep-commits-small.md']]);
    reply('I would rather not.');
    assert.equal((await project.recall('how large should a commit be?')).selector, 'lexical');
  });

  it('dreams through the model, and a dream that is cancelled in the middle changes nothing', async () => {
    const before = memories();
    reply([{ text: 'I ' }, { hang: true }]);
    const asked = requests();
    const dreaming = project.dream.executeAutoDream('command', { force: true });
    await until(() => requests() > asked, 'the dream’s first request');
    await project.dream.cancel();
    assert.equal((await dreaming).outcome, 'failed');
    reply('Nothing to do.');
    const whole = await project.dream.executeAutoDream('command', { force: true });
    assert.equal(whole.outcome, 'unchanged', whole.reason);
    assert.ok(whole.usage.input > 0);
    assert.deepEqual(memories(), before);
  });
});
