// The model over the Messages API, against the loopback server: whole answers, tries that are repeated, errors a person
// understands, an abort that leaves nothing open, and a key that goes to one host only.

import { strict as assert } from 'node:assert';
import { type AnthropicModelOptions, createAnthropicModel } from '../../../src/core/agent/anthropicModel';
import {
  addUsage,
  isModelError,
  type ModelError,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  noUsage,
} from '../../../src/core/agent/languageModel';
import {
  faults,
  type MessagesServer,
  type Reply,
  type ServerOptions,
  startMessagesServer,
} from '../../support/messagesServer';
import type { Json } from '../../support/promptCache';

const key = 'sk-test-0123456789';
const never = new AbortController().signal;
const question: ModelRequest = {
  system: [{ type: 'text', text: 'You keep memories.' }],
  tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'A private sentence about xylophones.' }] }],
  maxTokens: 500,
};
const call: Reply = {
  text: 'Let me look.',
  calls: [{ name: 'Read', input: { path: 'a.md', deep: [1, { x: null }] } }],
};
const longSystem = (seed: string) => [{ type: 'text', text: seed.repeat(1500) } as const];

describe('the model over the Messages API', () => {
  let server: MessagesServer;
  let waits: number[];
  afterEach(() => server.close());

  async function start(turns: ServerOptions['turns'], more: Partial<ServerOptions> = {}) {
    server = await startMessagesServer({ ...(turns === undefined ? {} : { turns }), ...more });
    waits = [];
  }
  const model = (options: Partial<AnthropicModelOptions> = {}) =>
    createAnthropicModel({
      id: 'claude-sonnet-5-5',
      baseUrl: server.url,
      apiKey: key,
      pause: async (ms) => void waits.push(ms),
      ...options,
    });
  const ask = (request = question, options: Partial<AnthropicModelOptions> = {}) =>
    model(options).complete(request, never);
  const failure = async (work: Promise<unknown>): Promise<ModelError> => {
    try {
      await work;
    } catch (error) {
      if (isModelError(error)) return error;
      throw error;
    }
    throw new Error('It did not fail.');
  };
  const sent = (at = server.received.length - 1) => server.received[at]?.body as Json;

  describe('answers', () => {
    it('come whole, with what they cost', async () => {
      await start([call]);
      const heard: string[] = [];
      const reply = await model().complete(question, never, { onText: (delta) => heard.push(delta) });
      assert.deepEqual(reply.content, [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'toolu_0001', name: 'Read', input: { path: 'a.md', deep: [1, { x: null }] } },
      ]);
      assert.equal(reply.stopReason, 'tool_use');
      assert.equal(heard.join(''), 'Let me look.');
      const usage = server.received[0]?.usage;
      assert.deepEqual(reply.usage, {
        input: usage?.input_tokens,
        cacheRead: 0,
        cacheWrite: 0,
        output: usage?.output_tokens,
      });
    });

    it('are taken from an endpoint that does not stream, too', async () => {
      await start([call], { neverStreams: true });
      const reply = await ask();
      assert.deepEqual([reply.content.length, reply.stopReason], [2, 'tool_use']);
    });

    it('mark the call that is no JSON, and give it back as the API wants it', async () => {
      await start([
        {
          calls: [
            { name: 'Read', input: {} },
            { name: 'Write', rawInput: '{"path": "a.md", "text": "un' },
          ],
        },
        { text: 'Ok' },
      ]);
      const reply = await ask();
      assert.deepEqual(reply.content[0], { type: 'tool_use', id: 'toolu_0001', name: 'Read', input: {} });
      const broken = {
        type: 'tool_use',
        id: 'toolu_0002',
        name: 'Write',
        input: {},
        malformed: '{"path": "a.md", "text": "un',
      };
      assert.deepEqual(reply.content[1], broken);
      await ask(goOn(question, reply));
      const [, answer] = sent().messages as { content: Json[] }[];
      assert.deepEqual(answer?.content[1]?.input, { INVALID_JSON: broken.malformed });
    });

    it('mark the call that the limit cut before its first letter', async () => {
      await start([
        { calls: [{ name: 'Read', rawInput: '' }], stopReason: 'max_tokens' },
        { calls: [{ name: 'Read', rawInput: '' }] },
      ]);
      const cut = await ask();
      assert.deepEqual(
        [cut.stopReason, cut.content[0]?.type === 'tool_use' && cut.content[0].malformed],
        ['max_tokens', ''],
      );
      const whole = await ask();
      assert.deepEqual(whole.content[0], { type: 'tool_use', id: 'toolu_0002', name: 'Read', input: {} });
    });

    it('keep no call of an answer that was refused', async () => {
      await start([{ ...call, stopReason: 'refusal' }]);
      const reply = await ask();
      assert.deepEqual([reply.stopReason, reply.content.map(({ type }) => type)], ['refusal', ['text']]);
    });

    it('hold no empty text, which could not be sent back', async () => {
      await start([{ text: ' ', calls: [{ name: 'Read' }] }]);
      assert.deepEqual(
        (await ask()).content.map(({ type }) => type),
        ['tool_use'],
      );
    });

    it('keep thinking as it came, and send it back unchanged in its place', async () => {
      await start([{ thinking: 'Hm, “wide” → text', ...call }, { text: 'Done.' }]);
      const reply = await ask();
      assert.deepEqual(
        reply.content.map(({ type }) => type),
        ['opaque', 'text', 'tool_use'],
      );
      assert.equal((await ask(goOn(question, reply))).stopReason, 'end_turn');
    });
  });

  describe('requests', () => {
    it('hold nothing but what was asked, and no empty text', async () => {
      await start([{ text: 'Ok' }]);
      await ask({
        ...question,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'text', text: 'Hi' },
            ],
          },
        ],
        outputSchema: { type: 'object', properties: {}, additionalProperties: false },
      });
      assert.deepEqual(sent(), {
        model: 'claude-sonnet-5-5',
        max_tokens: 500,
        tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
        system: [{ type: 'text', text: 'You keep memories.' }],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        output_config: {
          format: { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } },
        },
        stream: true,
      });
    });

    it('of one run begin with the same bytes, and each reads what the one before wrote', async () => {
      const turns = [24, 3, 30].map(
        (count): Reply => ({ calls: Array(count).fill({ name: 'Read', input: { path: 'a' } }) }),
      );
      await start([...turns, { text: 'Done.' }]);
      let request: ModelRequest = { ...question, system: longSystem('Keep what lasts. ') };
      const usages = [];
      for (let at = 0; at < 4; at += 1) {
        const reply = await ask(request);
        usages.push(reply.usage);
        request = goOn(request, reply);
      }
      const bare = server.received.map(({ text }) => text.replaceAll(',"cache_control":{"type":"ephemeral"}', ''));
      for (let at = 1; at < bare.length; at += 1) {
        // The end of the messages is where the bytes begin to differ.
        const same = (bare[at - 1] ?? '').replace(/\],"stream":true\}$/, '');
        assert.ok(bare[at]?.startsWith(same), `request ${at}`);
        assert.equal(usages[at]?.cacheRead, (usages[at - 1]?.cacheRead ?? 0) + (usages[at - 1]?.cacheWrite ?? 0));
      }
      assert.ok(usages.every(({ input }) => input === 0));
    });
  });

  describe('what passes by itself', () => {
    const passing: readonly [string, Reply, string][] = [
      ['too many requests', faults.rateLimited(), 'rate_limited'],
      ['an overload', faults.overloaded(), 'overloaded'],
      ['a fault of the server', faults.serverError(), 'server_error'],
      ['a gateway that waited too long', faults.serverError(504), 'timed_out'],
      ['a connection that breaks', faults.reset(), 'unreachable'],
      ['a stream that breaks off in a call', faults.cut(call), 'unreachable'],
      ['a stream that ends in a call as if all were well', faults.cut(call, true), 'unreachable'],
      ['an overload in the middle of a call', faults.errorEvent(call), 'overloaded'],
      ['a fault in the middle of a call', faults.errorEvent(call, 'api_error'), 'server_error'],
    ];
    for (const [what, fault, code] of passing) {
      it(`is tried again as a whole: ${what}`, async () => {
        await start([fault, { text: 'Done.' }]);
        const retried: string[] = [];
        const reply = await model().complete(question, never, { onRetry: (why) => retried.push(why) });
        assert.deepEqual(reply.content, [{ type: 'text', text: 'Done.' }]);
        assert.deepEqual([retried, server.received.length], [[code], 2]);
        assert.equal(server.received[0]?.text, server.received[1]?.text);
      });
    }

    it('is tried four times at most, with longer waits, and then told', async () => {
      await start(() => faults.overloaded());
      const error = await failure(ask());
      assert.deepEqual([error.code, server.received.length], ['overloaded', 4]);
      for (const [at, wait] of waits.entries()) assert.ok(wait >= 375 * 2 ** at && wait <= 625 * 2 ** at, `${wait}`);
      assert.equal(waits.length, 3);
    });

    it('is given the time it asks for, in seconds or as a date', async () => {
      const now = Date.UTC(2026, 10, 20, 12);
      await start([faults.rateLimited(7), faults.rateLimited(new Date(now + 12_000)), { text: 'Done.' }]);
      await ask(question, { now: () => now });
      assert.deepEqual(waits, [7_000, 12_000]);
    });

    it('is left to the caller when it asks for more than a minute', async () => {
      await start([faults.rateLimited(90), { text: 'Done.' }]);
      const error = await failure(ask());
      assert.deepEqual([error.code, error.retryAfterMs, waits], ['rate_limited', 90_000, []]);
    });

    it('includes silence: before the first byte and in the middle of an answer', async () => {
      await start([faults.slow(call, 5_000), faults.stall(call), { text: 'Done.' }]);
      const reply = await ask(question, { timeouts: { firstByte: 60, silence: 60 } });
      assert.deepEqual([reply.stopReason, server.received.length], ['end_turn', 3]);
      assert.deepEqual(
        server.received.map(({ isAbandoned }) => isAbandoned),
        [true, true, false],
      );
    });

    it('does not include an answer that is slow but gives signs of life', async () => {
      await start([faults.stall(call, 8)]);
      const reply = await ask(question, { timeouts: { firstByte: 500, silence: 100 } });
      assert.deepEqual([reply.stopReason, server.received.length], ['tool_use', 1]);
    });

    it('ends when the time for all tries is over', async () => {
      await start(() => faults.stall(call));
      const error = await failure(ask(question, { timeouts: { total: 80 } }));
      assert.deepEqual([error.code, server.received.length], ['timed_out', 1]);
    });

    it('is paid for: broken answers count too', async () => {
      await start([faults.cut(call), { text: 'Done.' }]);
      const reply = await ask();
      const figures = server.received.map(({ usage }, at) => ({
        ...noUsage,
        input: usage?.input_tokens ?? 0,
        output: at === 0 ? 1 : (usage?.output_tokens ?? 0),
      }));
      assert.deepEqual(reply.usage, figures.reduce(addUsage));
    });
  });

  describe('what does not pass is told at once, without the key and without what was asked', () => {
    const told: readonly [string, Reply | undefined, Partial<ServerOptions>, string, RegExp][] = [
      ['a wrong key', undefined, { key: 'another' }, 'unauthorised', /does not accept the API key/],
      ['a key that may not', faults.forbidden(), {}, 'no_permission', /does not allow/],
      ['a model that is not there', undefined, { models: ['other'] }, 'unknown_model', /no model “claude-sonnet-5-5”/],
      ['too much text', undefined, { contextTokens: 3 }, 'too_long', /more text than/],
      [
        'a request that is too large',
        { fault: { kind: 'status', status: 413, type: 'request_too_large' } },
        {},
        'too_long',
        /more text than/,
      ],
      [
        'an account without credit',
        { fault: { kind: 'status', status: 402, type: 'billing_error' } },
        {},
        'rate_limited',
        /no credit left/,
      ],
      [
        'a refused request',
        { fault: { kind: 'status', status: 400, type: 'invalid_request_error' } },
        {},
        'bad_request',
        /refused the request/,
      ],
      ['a sign-in page', faults.html(), {}, 'bad_answer', /check its address/],
      ['an address that is not there', faults.html(404), {}, 'bad_answer', /check its address/],
      ['another address', faults.redirect('http://127.0.0.1:9/v1/messages'), {}, 'bad_answer', /not followed/],
    ];
    for (const [what, reply, options, code, words] of told) {
      it(what, async () => {
        await start(reply ? [reply] : [{ text: 'Hi' }], options);
        const error = await failure(ask());
        assert.equal(error.code, code);
        assert.match(error.message, words);
        assert.doesNotMatch(`${error.message} ${error.stack} ${JSON.stringify(error)}`, /sk-test|xylophone/);
        assert.equal(server.received.length, 1);
      });
    }

    it('nobody there', async () => {
      await start([]);
      await server.close();
      const error = await failure(ask());
      assert.deepEqual([error.code, waits.length], ['unreachable', 3]);
      await start([]);
    });

    it('a key that no header can hold, an address that is none, and a key for an open line', async () => {
      await start([]);
      assert.equal((await failure(ask(question, { apiKey: 'sk-a\nb' }))).code, 'unauthorised');
      assert.equal((await failure(ask(question, { baseUrl: 'not a url' }))).code, 'bad_request');
      assert.equal((await failure(ask(question, { baseUrl: 'http://me:secret@127.0.0.1' }))).code, 'bad_request');
      assert.equal((await failure(ask(question, { baseUrl: 'http://models.example' }))).code, 'unauthorised');
      assert.equal(server.received.length, 0);
    });
  });

  describe('an abort', () => {
    const closed = async () => {
      for (let at = 0; at < 200 && server.openRequests() > 0; at += 1) await new Promise((done) => setTimeout(done, 5));
      return server.openRequests();
    };
    const begun = async () => {
      while (server.received.length === 0) await new Promise((done) => setTimeout(done, 5));
    };
    for (const [when, fault] of [
      ['before the first byte', faults.slow(call, 60_000)],
      ['in the middle of an answer', faults.stall(call)],
    ] as const) {
      it(`${when} ends it at once with the caller’s reason and leaves no request open`, async () => {
        await start([fault]);
        const controller = new AbortController();
        const asked = model().complete(question, controller.signal);
        asked.catch(() => {});
        await begun();
        await new Promise((done) => setTimeout(done, 20));
        const reason = new Error('enough');
        controller.abort(reason);
        const from = Date.now();
        await assert.rejects(asked, reason);
        assert.ok(Date.now() - from < 200);
        assert.equal(await closed(), 0);
        assert.equal(server.received.length, 1);
      });
    }

    it('during a wait ends the wait', async () => {
      await start(() => faults.rateLimited(30));
      const controller = new AbortController();
      const asked = createAnthropicModel({ id: 'm', baseUrl: server.url, apiKey: key }).complete(
        question,
        controller.signal,
        {
          onRetry: () => setTimeout(() => controller.abort(), 5),
        },
      );
      await assert.rejects(asked, { name: 'AbortError' });
    });

    it('before the beginning sends nothing', async () => {
      await start([]);
      await assert.rejects(model().complete(question, AbortSignal.abort()), { name: 'AbortError' });
      assert.equal(server.received.length, 0);
    });
  });
});

/** The request that follows an answer, with a result for each of its calls. */
function goOn(request: ModelRequest, reply: ModelReply): ModelRequest {
  const results = reply.content.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            type: 'tool_result',
            toolUseId: block.id,
            text: `What ${block.id} found. `.repeat(9),
            isError: false,
          } as const,
        ]
      : [],
  );
  const messages: ModelMessage[] = [...request.messages, { role: 'assistant', content: reply.content }];
  const next = results.length > 0 ? results : [{ type: 'text', text: 'Go on.' } as const];
  return { ...request, messages: [...messages, { role: 'user', content: next }] };
}
