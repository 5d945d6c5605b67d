// The way back from a memory to the words it came from.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { findSource } from '../../../src/core/sessions/sourceMessage';
import { transcript, uuidOf } from '../../support/transcripts';

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
    findSource(nodeDisk, ['/nowhere', folder], { session: id, messages, path }).then((found) => found?.line);

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
});
