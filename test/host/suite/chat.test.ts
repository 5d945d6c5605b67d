// Memory in the editor's chat, through a chat model that the tests' companion brings: tools, the participant, and the model as
// the engine's own, with what goes wrong with one. Hosts without such models have nothing to test here and say so.

import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ModelRequest } from '../../../src/core/agent/languageModel';
import type { TestApi } from '../../../src/extension';
import { mcpServer } from '../../../src/mcpProvider';
import { type CompanionRequest, chatModelId, pnpmMemory, reply, requests, until } from './companion';

const configDir = process.env.CLAUDE_CONFIG_DIR ?? '';
const choice = join(configDir, 'reverie/choice.json');
const never = new AbortController().signal;
const request: ModelRequest = {
  system: [{ type: 'text', text: 'Be short.' }],
  tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Well?' }] }],
  maxTokens: 100,
};

const hasModels =
  typeof (vscode.lm as { registerLanguageModelChatProvider?: unknown }).registerLanguageModelChatProvider ===
  'function';
/** Where a test is skipped, its name says why. */
const withModels = (name: string) => (hasModels ? name : `${name} (this host has no chat models to register)`);
const textOf = (asked: CompanionRequest | undefined): string =>
  (asked?.messages ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? '')).join('\n');
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error) => String(error.code ?? error.name),
  );

describe('memory in the editor’s chat', function () {
  this.timeout(60_000);
  let api: TestApi;
  before(async () => {
    const extension = vscode.extensions.getExtension<TestApi>('reverie.reverie');
    assert.ok(extension);
    api = await extension.activate();
    await api.projects.open();
  });
  after(() => rmSync(choice, { force: true }));

  it('offers its tools, and recalls through one', async () => {
    const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('reverie_'));
    assert.deepEqual(names.sort(), ['reverie_forget', 'reverie_recall', 'reverie_save']);
    const result = await vscode.lm.invokeTool('reverie_recall', {
      input: { query: 'how large should a commit be?' },
      toolInvocationToken: undefined,
    });
    const [part] = result.content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.match(part.value, /not instructions[\s\S]*keep-commits-small\.md/);
  });

  it('tells an agent what to do next when it asks for nonsense', async () => {
    const wrong = vscode.lm.invokeTool('reverie_recall', {
      input: { query: 'commits', folder: 'nowhere' },
      toolInvocationToken: undefined,
    });
    await assert.rejects(async () => wrong, /no folder “nowhere”.*“harbor”/);
  });

  it(withModels('describes a model the tests can reach, with what it may do'), async function () {
    if (!hasModels) this.skip();
    const [found] = (await until(async () => {
      const all = (await api.chatModels.list()).filter((model) => model.id === chatModelId);
      return all.length > 0 ? all : undefined;
    }, 'the companion’s model')) as { name: string; access: string }[];
    assert.deepEqual([found?.name, found?.access], ['Test One', 'granted']);
    assert.deepEqual(await api.chatModels.tryModel(chatModelId, never), { answered: true });
  });

  it(withModels('carries texts, calls and results to the model and back'), async function () {
    if (!hasModels) this.skip();
    const model = await api.chatModels.find(chatModelId);
    reply([{ text: 'I look.' }, { tool: 'Read', input: { file_path: 'a.md' } }], 'It says a.');
    const first = await model.complete(request, never);
    assert.equal(first.stopReason, 'tool_use');
    const [, call] = first.content;
    assert.ok(call?.type === 'tool_use' && call.name === 'Read');
    assert.deepEqual(call.input, { file_path: 'a.md' });
    const result = { type: 'tool_result', toolUseId: call.id, text: 'a', isError: false } as const;
    const messages: ModelRequest['messages'] = [
      ...request.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ];
    const second = await model.complete({ ...request, messages }, never);
    assert.deepEqual(second.content, [{ type: 'text', text: 'It says a.' }]);
    assert.ok(second.usage.input > 0 && second.usage.cacheRead === 0);
    const asked = requests().at(-1);
    assert.deepEqual(asked?.tools, ['Read']);
    assert.match(JSON.stringify(asked?.messages), /"result":.*"text":"a"/);
  });

  it(
    withModels('tells a refused consent from a used up quota, and leaves the model alone after that'),
    async function () {
      if (!hasModels) this.skip();
      const model = await api.chatModels.find(chatModelId);
      reply([{ error: 'NoPermissions' }]);
      assert.equal(await codeOf(model.complete(request, never)), 'no_permission');
      reply([{ error: 'Blocked' }]);
      assert.equal(await codeOf(model.complete(request, never)), 'rate_limited');
      const before = requests().length;
      assert.equal(await codeOf(model.complete(request, never)), 'rate_limited');
      assert.equal(requests().length, before, 'it was not asked again');
      assert.deepEqual(await api.chatModels.tryModel(chatModelId, never), { answered: true });
      assert.equal(await api.chatModels.blockedUntil(chatModelId), undefined);
    },
  );

  it(
    withModels('ends at once when it is cancelled in the middle of an answer, and the model hears of it'),
    async function () {
      if (!hasModels) this.skip();
      const stop = new AbortController();
      reply([{ text: 'I ' }, { hang: true }]);
      const work = (await api.chatModels.find(chatModelId)).complete(request, stop.signal, {
        onText: () => stop.abort(),
      });
      assert.equal(await codeOf(work), '20');
      await until(() => requests().find(({ cancelled }) => cancelled), 'the cancellation');
    },
  );

  it(withModels('answers @memory in the Chat view, and learns from it when it ends'), async function () {
    if (!hasModels) this.skip();
    writeFileSync(choice, JSON.stringify({ engine: 'vscode', chatModel: chatModelId }));
    const [open] = await api.projects.open();
    assert.ok(open);
    assert.equal((await open.project.provider()).kind, 'vscode');
    reply('Small ones, as you said.');
    const before = requests().length;
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: '@memory how large should a commit be? Please use pnpm here, not npm.',
    });
    const asked = await until(
      () =>
        requests()
          .slice(before)
          .find((one) => textOf(one).includes('<said number="1"')),
      'the participant’s request',
    );
    assert.match(textOf(asked), /<memory_index>[\s\S]*<memories>[\s\S]*keep-commits-small/);
    const folder = join(open.project.paths.stateDir, 'conversations');
    const [file = ''] = await until(() => {
      const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
      return files.length > 0 ? files : undefined;
    }, 'the conversation');
    reply([{ tool: 'Write', input: { file_path: 'pnpm.md', content: pnpmMemory } }], 'Kept one.');
    const outcome = await open.project.conversations.end(file.replace(/\.json$/, ''));
    assert.deepEqual([outcome?.outcome, outcome?.savedCount], ['saved', 1], outcome?.reason);
    await open.project.undo();
    await until(() => api.statusBar.current().kind === 'idle', 'quiet in the status bar');
  });

  it('tells the editor of a memory server that starts as it says and answers', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    const extension = vscode.extensions.getExtension('reverie.reverie');
    assert.ok(folder && extension);
    const cli = join(extension.extensionPath, 'dist/cli.js');
    const { command, args, env } = mcpServer(
      { name: folder.name, path: folder.uri.fsPath },
      { cli, execPath: process.execPath },
    );
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      const [chunk] = await once(child.stdout, 'data');
      assert.equal(JSON.parse(String(chunk)).result.serverInfo.name, 'reverie');
    } finally {
      child.kill();
    }
  });
});
