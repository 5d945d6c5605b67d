// A model that fails in every way a network and a busy provider know: nothing is half-written, the cursor stays, the next
// run works, and the reason is a sentence for a person. Over a loopback server; no real model has any part in it.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createAnthropicModel } from '../../../src/core/agent/anthropicModel';
import { faults, type MessagesServer, type Reply, startMessagesServer } from '../../support/messagesServer';
import { note } from '../../support/modelChat';
import { providerOf } from '../../support/scriptedModel';
import { createTempProject, extractAll, openBeforeChats, type TempProject, turn } from '../../support/tempProject';

const writes: Reply = { calls: [{ name: 'Write', input: { file_path: 'a.md', content: note() } }] };
const done: Reply = { text: 'Kept one.' };
/** As often as a request is tried. */
const often = (reply: Reply): Reply[] => [reply, reply, reply, reply];

interface Fault {
  readonly turns: readonly Reply[];
  /** What a person is told; undefined where the run gets over it by itself. */
  readonly said?: RegExp;
  readonly key?: string;
  readonly models?: readonly string[];
}

/** A sentence, with the provider's name for the request where there is one. */
const plain = /^\S.{15,200}[\w)”]$/;

const table: Record<string, Fault> = {
  'too many requests, once': { turns: [faults.rateLimited(1), writes, done] },
  'too many requests, for good': { turns: often(faults.rateLimited(1)), said: /too many|limit/i },
  'an overloaded provider, once': { turns: [faults.overloaded(), writes, done] },
  'an overloaded provider, for good': { turns: often(faults.overloaded()), said: /busy|overloaded/i },
  'a broken provider, once': { turns: [faults.serverError(), writes, done] },
  'a broken provider, for good': { turns: often(faults.serverError()), said: /./ },
  'a reset connection, once': { turns: [faults.reset(), writes, done] },
  'a reset connection, for good': { turns: often(faults.reset()), said: /connect|reach|broke/i },
  'a stream cut in a tool call, once': { turns: [faults.cut(writes), writes, done] },
  'a stream cut in a tool call, for good': { turns: often(faults.cut(writes)), said: /./ },
  'a stream cut cleanly': { turns: [faults.cut(writes, true), writes, done] },
  'an error in the middle of a stream': { turns: [faults.errorEvent(writes), writes, done] },
  'a slow first byte': { turns: [faults.slow(writes, 300), done] },
  'a stream that stops': { turns: [faults.stall(writes), writes, done] },
  'input that is no JSON': {
    turns: [{ calls: [{ name: 'Write', rawInput: '{"file_path": "a.md", "content": ' }] }, writes, done],
  },
  'an answer cut by its length': {
    turns: [
      { calls: [{ name: 'Write', rawInput: '{"file_path": "a.md", "con' }], stopReason: 'max_tokens' },
      writes,
      done,
    ],
  },
  'a refusal': { turns: [{ text: '', stopReason: 'refusal' }], said: /declined/ },
  'a wrong key': { turns: [], key: 'another', said: /key/i },
  'an unknown model': { turns: [], models: ['another'], said: /model/i },
  'a page instead of an answer': { turns: often(faults.html()), said: /./ },
  'writes and then a failure': { turns: [writes, ...often(faults.serverError())], said: /./ },
};

describe('a model that fails', function () {
  this.timeout(30_000);
  let temp: TempProject;
  let server: MessagesServer | undefined;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(async () => {
    await server?.close();
    await temp.remove();
  });

  for (const [what, { turns, said, key, models }] of Object.entries(table)) {
    it(`${what}: ${said ? 'nothing changes, it is said, the next run works' : 'the run gets over it'}`, async () => {
      server = await startMessagesServer({
        turns,
        ...(key === undefined ? {} : { key }),
        ...(models === undefined ? {} : { models }),
      });
      let url = server.url;
      const project = await openBeforeChats(temp, {
        provider: providerOf(() =>
          createAnthropicModel({
            id: 'scripted',
            baseUrl: url,
            apiKey: 'the-key',
            timeouts: { firstByte: 2_000, silence: 400, total: 10_000 },
            pause: async () => {},
          }),
        ),
      });
      await temp.chat('one', turn('Please use pnpm here, not npm.'));
      const [outcome] = await extractAll(project);
      if (!said) {
        deepEqual([outcome?.outcome, outcome?.savedCount], ['saved', 1], String(outcome?.reason));
        equal(server.turnsLeft(), 0);
        return;
      }
      equal(outcome?.outcome, 'failed');
      match(String(outcome?.reason), said);
      match(String(outcome?.reason), plain);
      ok(!String(outcome?.reason).includes('the-key'));
      deepEqual(await temp.memories(), {}, 'nothing is half-written');
      const [entry] = await project.sessions();
      equal(entry?.state, 'failed');

      const working = await startMessagesServer({ turns: [writes, done] });
      try {
        url = working.url;
        const [next] = await extractAll(project);
        deepEqual([next?.outcome, next?.savedCount], ['saved', 1], String(next?.reason));
      } finally {
        await working.close();
      }
    });
  }
});
