// VS Code's chats on the command line: only where it was told of their folder, and by name.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatPlaces } from '../../../src/core/sessions/chatStorage';
import { runCommand } from '../../support/commandLine';
import { createTempProject, type TempProject } from '../../support/tempProject';
import { copilotTranscript, vscodeChat } from '../../support/vscodeChats';

describe('reverie and the chats of VS Code', function () {
  this.timeout(20_000);
  let temp: TempProject;
  let storage: string;
  beforeEach(async () => {
    temp = await createTempProject();
    storage = join(temp.base, 'workspaceStorage/3b5679c6');
    await mkdir(join(storage, 'chatSessions'), { recursive: true });
  });
  afterEach(() => temp.remove());
  const json = async (...argv: readonly string[]) => JSON.parse((await runCommand(temp, ...argv, '--json')).out);
  const chat = (name: string) =>
    vscodeChat(name, { at: Date.now() }).ask('From now on always use pnpm here, not npm.', { answer: 'I will.' });

  it('knows of none by itself, says so, and reads them from the folder it is told', async () => {
    const [, none] = (await json('status')).sources;
    assert.deepEqual([none.kind, none.reachable, none.sessions], ['vscode-chat', false, 0]);
    assert.match(
      (await runCommand(temp, 'status')).out,
      /vscode-chat can not be read here: .*; name the folder with --chats/,
    );
    assert.deepEqual((await json('extract', '--chats', storage)).runs, []);
    const one = chat('one');
    await writeFile(join(storage, `chatSessions/${one.sessionId}.jsonl`), one.log());
    assert.deepEqual((await json('extract')).runs, []);
    const { runs } = await json('extract', '--chats', storage);
    assert.deepEqual(
      runs.map(({ outcome, savedCount }: Record<string, unknown>) => [outcome, savedCount]),
      [['saved', 1]],
    );
    const [, some] = (await json('status', '--chats', storage)).sources;
    assert.deepEqual(some, { kind: 'vscode-chat', reachable: true, sessions: 1 });
    const { sessions } = await json('sessions', '--chats', storage);
    assert.deepEqual(
      sessions.map(({ kind, humanPrompts, lastOutcome }: Record<string, unknown>) => [kind, humanPrompts, lastOutcome]),
      [['vscode-chat', 1, 'saved']],
    );
  });

  it('counts a chat of any form by name, and says why one of another generation is not read', async () => {
    const one = chat('one')
      .ask('And the tests?')
      .ask('Hidden.', { extra: { isSystemInitiated: true } });
    const put = async (name: string, text: string) => {
      await writeFile(join(temp.base, name), text);
      const [{ kind, format, humanPrompts, turns, tornTail, unreadable }] = (
        await json('sessions', join(temp.base, name))
      ).sessions;
      return [kind, format, humanPrompts, turns, tornTail, unreadable];
    };
    const whole = ['vscode-chat', 'vscode-chat', 2, 1, false, undefined];
    assert.deepEqual(await put('a.jsonl', one.log()), whole);
    assert.deepEqual(await put('b.json', one.flat()), whole);
    assert.deepEqual(await put('c.jsonl', one.compact().log()), whole);
    assert.deepEqual(await put('d.jsonl', one.log().slice(0, -30)), [
      'vscode-chat',
      'vscode-chat',
      2,
      1,
      true,
      undefined,
    ]);
    assert.deepEqual(await put('e.json', one.flat(1)), [
      'vscode-chat',
      'vscode-chat',
      0,
      0,
      false,
      'written by an older VS Code',
    ]);
    const transcript = copilotTranscript('x', [{ text: 'Hello.', answer: 'Hello.' }, { text: 'And now?' }]);
    assert.deepEqual(await put('f.jsonl', transcript), ['vscode-chat', 'copilot', 2, 1, false, undefined]);
    assert.deepEqual((await put('g.json', '{"sessionId":"x","messages":[]}'))[0], 'foreign');
  });

  it('finds the folder of a second window’s storage, too', () => {
    const { chats, emptyWindows } = chatPlaces(
      { workspace: '/u/workspaceStorage/0123456789abcdef-2/reverie.reverie' },
      [],
    );
    assert.deepEqual(chats, [
      '/u/workspaceStorage/0123456789abcdef/chatSessions',
      '/u/workspaceStorage/0123456789abcdef-2/chatSessions',
    ]);
    assert.deepEqual(emptyWindows, ['/u/workspaceStorage/no-workspace/chatSessions']);
    assert.deepEqual(chatPlaces({ workspace: '/u/workspaceStorage/my-1/reverie.reverie' }, []).chats, [
      '/u/workspaceStorage/my-1/chatSessions',
    ]);
  });
});
