// An editor's chat models: who may be asked and when, what faults mean, and that nothing goes on after a cancellation.

import { strict as assert } from 'node:assert';
import type { ChatMessage, ChatPart } from '../../../src/core/agent/chatFormat';
import { createChatModels, type HostChat } from '../../../src/core/agent/chatModels';
import type { ModelRequest } from '../../../src/core/agent/languageModel';
import { sleep } from '../../../src/core/agent/sleep';

type Answer = readonly ChatPart[] | Error | ((signal: AbortSignal) => AsyncIterable<ChatPart>);

const says = (text: string): readonly ChatPart[] => [{ kind: 'text', text }];
const fault = (code: string) => Object.assign(new Error('from the editor'), { code });
const request: ModelRequest = {
  system: [{ type: 'text', text: 'Be short.' }],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Well?' }] }],
  maxTokens: 100,
};
const never = new AbortController().signal;

function createEditor(answers: readonly Answer[], given: Partial<HostChat> = {}) {
  const left = [...answers];
  const editor = {
    access: true as boolean | undefined,
    now: 1_000_000,
    waits: [] as number[],
    sent: [] as (readonly ChatMessage[])[],
    counted: 0,
    chats: [] as HostChat[],
    looks: 0,
  };
  const chat: HostChat = {
    id: 'test/one',
    name: 'One',
    vendor: 'test',
    maxInputTokens: 1000,
    access: () => editor.access,
    async send(messages, _tools, signal) {
      editor.sent.push(messages);
      const answer = left.shift() ?? says('ready');
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'function') return answer(signal);
      return (async function* () {
        yield* answer;
      })();
    },
    async count() {
      editor.counted += 1;
      return 10;
    },
    ...given,
  };
  editor.chats.push(chat);
  const models = createChatModels({
    async list() {
      editor.looks += 1;
      return editor.chats;
    },
    now: () => editor.now,
    async wait(ms, signal) {
      // Limits for silence are real here; pauses between tries are only noted.
      if (ms === 50) return sleep(ms, signal);
      editor.waits.push(ms);
    },
    silenceMs: 50,
  });
  return { editor, chat, models, model: models.find('test/one') };
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error) => String(error.code ?? error.name),
  );

describe('a chat model of the editor', () => {
  it('answers with text, calls and tokens, and never claims to know a cache', async () => {
    const { model } = createEditor([says('It is so.')]);
    const heard: string[] = [];
    const reply = await model.complete(request, never, { onText: (delta) => heard.push(delta) });
    assert.deepEqual([reply.content, reply.stopReason], [[{ type: 'text', text: 'It is so.' }], 'end_turn']);
    assert.deepEqual([reply.usage.input, reply.usage.cacheRead, reply.usage.cacheWrite], [20, 0, 0]);
    assert.ok(reply.usage.output > 0);
    assert.deepEqual([heard, model.reportsCache, model.provider], [['It is so.'], false, 'vscode']);
  });

  it('counts each message of a run once', async () => {
    const { editor, model } = createEditor([says('a'), says('b')]);
    await model.complete(request, never);
    const messages = [
      ...request.messages,
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'a' }] },
    ];
    await model.complete({ ...request, messages }, never);
    assert.equal(editor.counted, 3);
  });

  it('sends nothing in the background before a person allowed it, nor after they refused', async () => {
    const { editor, model } = createEditor([]);
    for (const access of [undefined, false]) {
      editor.access = access;
      assert.equal(await codeOf(model.complete(request, never)), 'no_permission');
    }
    assert.deepEqual(editor.sent, []);
  });

  it('sends one tiny request at a person’s gesture, which is when the editor asks them', async () => {
    const { editor, models } = createEditor([]);
    editor.access = undefined;
    assert.deepEqual(await models.tryModel('test/one', never), { answered: true });
    assert.equal(editor.sent.length, 1);
  });

  it('says which fault it was at that gesture', async () => {
    const { models } = createEditor([fault('NoPermissions')]);
    const result = await models.tryModel('test/one', never);
    assert.ok(!result.answered && result.code === 'no_permission');
    assert.doesNotMatch(result.message, /from the editor/);
  });

  it('leaves a model that is blocked alone for an hour, then for longer, whoever asks in the background', async () => {
    const { editor, models, model } = createEditor([fault('Blocked'), fault('Blocked'), says('back')]);
    const first = await model.complete(request, never).catch((error) => error);
    assert.deepEqual([first.code, first.retryAfterMs], ['rate_limited', 3_600_000]);
    assert.equal(await codeOf(models.find('test/one').complete(request, never)), 'rate_limited');
    assert.equal(editor.sent.length, 1, 'it was not asked again');
    assert.equal((await models.list())[0]?.blockedUntil, editor.now + 3_600_000);
    editor.now += 3_600_001;
    const second = await model.complete(request, never).catch((error) => error);
    assert.deepEqual([second.retryAfterMs, editor.sent.length], [3 * 3_600_000, 2]);
    // A person may try at any time; an answer ends the block.
    assert.deepEqual(await models.tryModel('test/one', never), { answered: true });
    assert.equal(models.blockedUntil('test/one'), undefined);
  });

  it('looks once more for a model that is gone, and then says that it is gone', async () => {
    const { editor, chat, model } = createEditor([fault('NotFound'), says('again')]);
    assert.equal((await model.complete(request, never)).stopReason, 'end_turn');
    assert.equal(editor.looks, 2);
    editor.chats.length = 0;
    assert.equal(await codeOf(model.complete(request, never)), 'unknown_model');
    editor.chats.push(chat);
    assert.equal((await model.complete(request, never)).stopReason, 'end_turn', 'it came back');
  });

  it('tries again after a fault without a name, and gives up after three tries', async () => {
    const { editor, model } = createEditor([new Error('socket'), says('now')]);
    assert.equal((await model.complete(request, never)).stopReason, 'end_turn');
    assert.deepEqual(editor.waits, [2000]);
    const worse = createEditor([new Error('a'), new Error('b'), new Error('c')]);
    assert.equal(await codeOf(worse.model.complete(request, never)), 'server_error');
    assert.equal(worse.editor.sent.length, 3);
  });

  it('sends no more than the model takes', async () => {
    const { editor, model } = createEditor([], { maxInputTokens: 19 });
    assert.equal(await codeOf(model.complete(request, never)), 'too_long');
    assert.deepEqual(editor.sent, []);
  });

  it('counts by itself where the editor can’t', async () => {
    const { model } = createEditor([], { count: async () => Promise.reject(new Error('no counter')) });
    assert.ok((await model.complete(request, never)).usage.input > 0);
  });

  it('stops an answer that has no end, and says that it was cut', async () => {
    let given = 0;
    const endless = async function* () {
      for (;;) {
        given += 1;
        yield { kind: 'text' as const, text: 'and so on ' };
      }
    };
    const { model } = createEditor([endless]);
    assert.equal((await model.complete(request, never)).stopReason, 'max_tokens');
    assert.ok(given < 100, `${given}`);
  });

  it('gives up on a model that falls silent', async () => {
    const silent = async function* (): AsyncIterable<ChatPart> {
      yield { kind: 'text', text: 'I' };
      await new Promise(() => {});
    };
    const { model } = createEditor([silent]);
    assert.equal(await codeOf(model.complete(request, never)), 'timed_out');
  });

  it('ends at once when it is cancelled in the middle, and tells the editor', async () => {
    const stop = new AbortController();
    let told = false;
    const answering = async function* (signal: AbortSignal): AsyncIterable<ChatPart> {
      signal.addEventListener('abort', () => {
        told = true;
      });
      yield { kind: 'text', text: 'I' };
      stop.abort();
      await new Promise(() => {});
    };
    const { editor, model } = createEditor([answering]);
    assert.equal(await codeOf(model.complete(request, stop.signal)), '20', 'the signal’s reason, an AbortError');
    assert.deepEqual([told, editor.sent.length], [true, 1]);
  });
});
