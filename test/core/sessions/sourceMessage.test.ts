// The way back from a memory to the words it came from.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { findSource } from '../../../src/core/sessions/sourceMessage';
import { transcript, uuidOf } from '../../support/transcripts';
import { copilotTranscript, vscodeChat } from '../../support/vscodeChats';

describe('the words a memory came from', () => {
  let folder: string;
  const session = uuidOf('one');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'source-'));
    const talk = transcript(session, '/work')
      .human('Hello.', { uuid: uuidOf('hello') })
      .assistant('Hello. What is it?')
      .human('We use pnpm here.', { uuid: uuidOf('pnpm') })
      .memoryWrite('/home/me/.claude/projects/-work/memory/pnpm-only.md', 'pnpm')
      .memoryWrite('/home/me/.claude/projects/-work/memory/pnpm-only.md', 'pnpm, always')
      .assistant('Noted in /memory/pnpm-only.md.');
    await writeFile(join(folder, `${session}.jsonl`), talk.text());
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const find = (messages: readonly string[], path: string, id = session) =>
    findSource(
      nodeDisk,
      ['/nowhere', folder].map((each) => join(each, `${id}.jsonl`)),
      { session: id, messages, path },
    ).then((found) => found?.line);

  it('are found by the message, and not in a record that only follows it', async () => {
    assert.equal(await find([uuidOf('pnpm')], 'pnpm-only.md'), 3);
  });

  it('are those with which the assistant last wrote the memory itself, where no message is known', async () => {
    assert.equal(await find([], 'pnpm-only.md'), 6);
    assert.equal(await find([uuidOf('gone')], 'pnpm-only.md'), 6);
  });

  it('are nowhere in a transcript that is gone, in one that does not hold them, and behind a session id that is a path', async () => {
    assert.equal(await find([uuidOf('gone')], 'other.md'), undefined);
    assert.equal(await find([uuidOf('pnpm')], 'pnpm-only.md', uuidOf('two')), undefined);
    assert.equal(await find([uuidOf('pnpm')], 'pnpm-only.md', `../${session}`), undefined);
  });
  it('are found in a log and in a transcript of VS Code’s chats, too', async () => {
    const chat = vscodeChat('one').type('Use').ask('Use pnpm here.', { answer: 'Yes.' });
    const log = join(folder, 'log.jsonl');
    await writeFile(log, chat.log());
    const hint = (messages: readonly string[]) => ({ session: chat.sessionId, messages, path: 'pnpm-only.md' });
    assert.deepEqual(await findSource(nodeDisk, [log], hint(chat.ids())), { file: log, line: 3 });
    const text = copilotTranscript(chat.sessionId, [{ text: 'Use pnpm here.', answer: 'Yes.' }]);
    await writeFile(log, text);
    const { id } = JSON.parse(text.split('\n')[1] ?? '');
    assert.deepEqual(await findSource(nodeDisk, [log], hint([id])), { file: log, line: 2 });
  });
});
