// A transcript folder with one session in it, and the ways the tests of this folder look at it.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { openClaudeCode } from '../../../src/core/sessions/claudeCode';
import { summarizeTranscript } from '../../../src/core/sessions/sessionSummary';
import { type Transcript, transcript, uuidOf } from '../../support/transcripts';

export const id = uuidOf('session');
export const talk = () => transcript(id, '/repo');

/** A user record as a file may hold it, without the builder's good manners. */
export const user = (content: unknown, fields: object = {}) => ({
  type: 'user',
  uuid: uuidOf(JSON.stringify([content, fields])),
  sessionId: id,
  parentUuid: null,
  isSidechain: false,
  timestamp: '2026-01-12T09:00:00.000Z',
  message: { role: 'user', content },
  ...fields,
});

export type Place = Awaited<ReturnType<typeof openPlace>>;

export async function openPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'claude-'));
  const file = join(folder, `${id}.jsonl`);
  const source = openClaudeCode({ folders: async () => [folder], disk: nodeDisk });

  async function put(said: Transcript | string): Promise<string> {
    await writeFile(file, typeof said === 'string' ? said : said.text());
    return file;
  }
  async function read(said: Transcript | string) {
    const session = await source.find(await put(said));
    assert.ok(session);
    return source.read(session);
  }
  return {
    folder,
    source,
    put,
    read,
    /** The texts of a person, in order. */
    async prompts(said: Transcript | string) {
      return (await read(said)).messages.filter((message) => message.human).map((message) => message.text);
    },
    count: async (said: Transcript | string) => summarizeTranscript(nodeDisk, await put(said), { prompts: true }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
