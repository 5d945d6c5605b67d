// Chats that a real VS Code wrote, as they are and cut at every byte. The data lies beside the project, not in it.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { chatPlaces } from '../../../src/core/sessions/chatStorage';
import { summarizeTranscript } from '../../../src/core/sessions/sessionSummary';
import type { TranscriptPosition } from '../../../src/core/sessions/transcript';
import { openVscodeChats } from '../../../src/core/sessions/vscodeChat';

const corpus = process.env.REVERIE_CORPUS;
const why = corpus ? '' : ' (skipped: REVERIE_CORPUS names no data folder)';

describe('chats of a real VS Code', function () {
  this.timeout(120_000);
  const it = corpus ? globalThis.it : globalThis.it.skip;
  let base: string;
  let folder: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'real-chats-'));
    folder = join(base, 'workspaceStorage/3b5679c6/chatSessions');
    await mkdir(folder, { recursive: true });
  });
  afterEach(() => rm(base, { recursive: true, force: true }));
  const open = () =>
    openVscodeChats({
      places: chatPlaces({ workspace: join(folder, '../reverie.reverie') }, []),
      disk: nodeDisk,
    });
  async function files(): Promise<[string, Buffer][]> {
    const place = join(corpus ?? '', 'vscode-chat');
    const names = (await readdir(place)).filter((name) => /\.jsonl?$/.test(name));
    assert.ok(names.length > 0);
    return Promise.all(names.map(async (name) => [name, await readFile(join(place, name))] as [string, Buffer]));
  }

  it(`are listed when something was said in them, and read with its words${why}`, async () => {
    const source = open();
    for (const [name, bytes] of await files()) {
      await writeFile(join(folder, name), bytes);
      const { kind, humanPrompts, turns, prompts } = await summarizeTranscript(nodeDisk, join(folder, name), {
        prompts: true,
      });
      assert.deepEqual([kind, prompts?.length], ['vscode-chat', humanPrompts]);
      const session = await source.find(join(folder, name));
      assert.equal(session !== undefined, bytes.includes('"requestId"'), name);
      if (!session) continue;
      const reading = await source.read(session);
      assert.equal(reading.messages.filter(({ human }) => human).length, humanPrompts);
      assert.equal(reading.messages.filter(({ final }) => final).length, turns);
      assert.equal(reading.sealedBy, 'record');
      assert.doesNotMatch(reading.messages.map(({ text }) => text).join(), /@probe/);
    }
    assert.deepEqual(source.unreadable(), []);
  });

  it(`cut at any byte, give no word that was not said, and every word once when they are whole again${why}`, async () => {
    for (const [name, bytes] of await files()) {
      const file = join(folder, name);
      await writeFile(file, bytes);
      const session = await open().find(file);
      if (!session) continue;
      const words = async (after?: TranscriptPosition) => {
        const reading = await open().read(session, after);
        return { said: reading.messages.filter(({ human }) => human).map(({ text }) => text), at: reading.position };
      };
      const all = (await words()).said;
      for (let cut = 0; cut < bytes.length; cut += 7) {
        await writeFile(file, bytes.subarray(0, cut));
        const part = await words();
        assert.deepEqual(part.said, all.slice(0, part.said.length), `${name} cut at ${cut}`);
        await writeFile(file, bytes);
        assert.deepEqual([...part.said, ...(await words(part.at)).said], all, `${name} cut at ${cut}`);
      }
    }
  });
});
