// The test server keeps its own promises: what it refuses, what its cache counts, how it fails.

import { strict as assert } from 'node:assert';
import { refusalOf } from '../../support/messagesRules';
import { faults, type MessagesServer, type Reply, startMessagesServer } from '../../support/messagesServer';
import { createPromptCache, type Json } from '../../support/promptCache';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (value: string, more: Json = {}): Json => ({ type: 'text', text: value, ...more });
const user = (...content: Json[]): Json => ({ role: 'user', content });
const assistant = (...content: Json[]): Json => ({ role: 'assistant', content });
const call = (id: string): Json => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, content: 'done' });
const ask = (more: Json = {}): Json => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  messages: [user(text('Hello'))],
  ...more,
});
/** About as many tokens, never fewer. */
const long = (tokens: number, seed = 'a'): string => seed.repeat(Math.ceil(tokens * 3.5));

describe('the rules of the Messages API', () => {
  const accepted: readonly [string, Json][] = [
    ['a plain question', ask()],
    ['content as a string', ask({ messages: [{ role: 'user', content: 'Hello' }] })],
    ['two messages of one role, which are combined', ask({ messages: [user(text('a')), user(text('b'))] })],
    ['a call and its result', ask({ messages: [user(text('a')), assistant(call('t1')), user(result('t1'))] })],
    [
      'text after the results',
      ask({
        messages: [user(text('a')), assistant(call('t1'), call('t2')), user(result('t2'), result('t1'), text('go on'))],
      }),
    ],
    [
      'results that are spread over two messages',
      ask({ messages: [user(text('a')), assistant(call('t1'), call('t2')), user(result('t1')), user(result('t2'))] }),
    ],
    [
      'thinking as it was handed out',
      ask({
        messages: [
          user(text('a')),
          assistant({ type: 'thinking', thinking: 'hm', signature: 's' }, text('b')),
          user(text('c')),
        ],
      }),
    ],
  ];
  const refused: readonly [string, Json, RegExp][] = [
    ['an unknown field', ask({ prompt: 'x' }), /prompt: Extra inputs/],
    ['no messages', ask({ messages: [] }), /at least one/],
    ['an assistant that begins', ask({ messages: [assistant(text('a')), user(text('b'))] }), /first message/],
    ['an answer begun for the model', ask({ messages: [user(text('a')), assistant(text('b'))] }), /prefill/],
    ['empty text', ask({ messages: [user(text(''))] }), /non-empty/],
    ['text of spaces', ask({ messages: [user(text(' \n'))] }), /non-whitespace/],
    [
      'a call without a result',
      ask({ messages: [user(text('a')), assistant(call('t1')), user(text('b'))] }),
      /without `tool_result`.*t1/,
    ],
    [
      'a result behind text',
      ask({ messages: [user(text('a')), assistant(call('t1')), user(text('b'), result('t1'))] }),
      /immediately after/,
    ],
    ['a result of no call', ask({ messages: [user(result('t9'))] }), /unexpected `tool_use_id`/],
    [
      'two results of one call',
      ask({ messages: [user(text('a')), assistant(call('t1')), user(result('t1'), result('t1'))] }),
      /single result/,
    ],
    [
      'one id for two calls',
      ask({ messages: [user(text('a')), assistant(call('t1'), call('t1')), user(result('t1'))] }),
      /unique/,
    ],
    [
      'a call whose input is no object',
      ask({ messages: [user(text('a')), assistant({ ...call('t1'), input: 'x' }), user(result('t1'))] }),
      /dictionary/,
    ],
    [
      'five breakpoints',
      ask({ messages: [user(...'abcde'.split('').map((letter) => text(letter, mark)))] }),
      /maximum of 4/,
    ],
    [
      'thinking that was changed',
      ask({
        messages: [
          user(text('a')),
          assistant({ type: 'thinking', thinking: 'other', signature: 's' }, text('b')),
          user(text('c')),
        ],
      }),
      /signature/,
    ],
    [
      'a breakpoint on thinking',
      ask({
        messages: [
          user(text('a')),
          assistant({ type: 'thinking', thinking: 'hm', signature: 's', ...mark }, text('b')),
          user(text('c')),
        ],
      }),
      /Extra inputs/,
    ],
    [
      'two tools of one name',
      ask({ tools: [0, 1].map(() => ({ name: 'Read', input_schema: { type: 'object' } })) }),
      /unique/,
    ],
    [
      'an open schema for the answer',
      ask({ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }),
      /additionalProperties/,
    ],
  ];
  const signatures = new Map([['s', 'hm']]);
  for (const [name, body] of accepted) {
    it(`take ${name}`, () => assert.equal(refusalOf(body, signatures), undefined));
  }
  for (const [name, body, words] of refused) {
    it(`refuse ${name}`, () => {
      const refusal = refusalOf(body, signatures);
      assert.deepEqual([refusal?.status, refusal?.type], [400, 'invalid_request_error']);
      assert.match(refusal?.message ?? '', words);
    });
  }
});

describe('the prompt cache of the test server', () => {
  let clock = 0;
  let cache = createPromptCache({ now: () => clock });
  beforeEach(() => {
    clock = 0;
    cache = createPromptCache({ now: () => clock });
  });
  /** Sends it and says what was read, written and neither. */
  const send = (body: Json) => {
    const { usage, commit } = cache.account(body);
    commit();
    return [usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.input_tokens] as const;
  };
  const system = [text(long(2000), mark)];

  it('writes at a breakpoint and reads what it wrote', () => {
    const [, written, rest] = send(ask({ system }));
    assert.ok(written > 2000 && rest > 0);
    assert.deepEqual(send(ask({ system })), [written, 0, rest]);
  });

  it('writes nowhere else, however long a request is', () => {
    const body = ask({ system: [text(long(2000))] });
    assert.deepEqual(send(body).slice(0, 2), [0, 0]);
    assert.deepEqual(send(body).slice(0, 2), [0, 0]);
  });

  it('is silent about what is shorter than 1,024 tokens', () => {
    const body = ask({ system: [text(long(900), mark)] });
    send(body);
    assert.deepEqual(send(body).slice(0, 2), [0, 0]);
  });

  it('reads a shorter prefix from a later breakpoint and writes only the rest', () => {
    const [, written] = send(ask({ system }));
    const grown = ask({ system, messages: [user(text(long(500), mark))] });
    const [read, more] = send(grown);
    assert.equal(read, written);
    assert.ok(more >= 500 && more < 700);
  });

  it('finds an entry nineteen blocks before a breakpoint and not twenty', () => {
    const blocks = (count: number, last: Json) =>
      [...Array(count).keys()].map((at) => text(`b${at}`, at === count - 1 ? last : {}));
    const [, written] = send(ask({ system, messages: [user(text('a'))] }));
    const marked = (count: number) => ask({ system: [text(long(2000))], messages: [user(...blocks(count, mark))] });
    assert.equal(send(marked(20))[0], 0);
    cache = createPromptCache({ now: () => clock });
    send(ask({ system }));
    assert.equal(send(marked(19))[0], written);
  });

  it('forgets after five minutes without a reader, and each reader gives it five more', () => {
    send(ask({ system }));
    clock += 299_000;
    assert.notEqual(send(ask({ system }))[0], 0);
    clock += 299_000;
    assert.notEqual(send(ask({ system }))[0], 0);
    clock += 300_000;
    assert.equal(send(ask({ system }))[0], 0);
  });

  const base = { tools: [{ name: 'Read', input_schema: { type: 'object' } }], system };
  const changes: readonly [string, Json, boolean][] = [
    ['nothing', {}, true],
    [
      'where breakpoints are',
      { system: [text(long(2000), { cache_control: { type: 'ephemeral', ttl: '1h' } })] },
      true,
    ],
    ['the limit of the answer', { max_tokens: 7 }, true],
    ['the messages after it', { messages: [user(text('Other'))] }, true],
    ['the model', { model: 'claude-haiku-5-5' }, false],
    ['a tool', { tools: [{ name: 'Grep', input_schema: { type: 'object' } }] }, false],
    ['the order of the keys of a tool', { tools: [{ input_schema: { type: 'object' }, name: 'Read' }] }, false],
    ['one letter of the system text', { system: [text(`b${long(2000)}`, mark)] }, false],
    ['the form of the answer', { output_config: { format: { type: 'json_schema', schema: {} } } }, false],
  ];
  for (const [what, change, isHit] of changes) {
    it(`${isHit ? 'still reads' : 'no longer reads'} when ${what} changed`, () => {
      send(ask(base));
      assert.equal(send(ask({ ...base, ...change }))[0] > 0, isHit);
    });
  }

  it('keeps entries of requests that were answered only', () => {
    cache.account(ask({ system }));
    assert.equal(send(ask({ system }))[0], 0);
  });
});

describe('the Messages API server', () => {
  let server: MessagesServer;
  afterEach(() => server.close());
  const post = (body: Json, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2026-10-21', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
    });
  const reply: Reply = { thinking: 'Well', text: 'Let me look.', calls: [{ name: 'Read', input: { path: 'a.md' } }] };

  it('answers with scripted turns in order and refuses what no turn is left for', async () => {
    server = await startMessagesServer({ turns: [{ text: 'One' }, () => ({ text: 'Two' })] });
    const said = [];
    for (let at = 0; at < 2; at += 1) said.push(((await (await post(ask())).json()) as Json).content);
    assert.deepEqual(said, [
      [{ type: 'text', text: 'One', citations: null }],
      [{ type: 'text', text: 'Two', citations: null }],
    ]);
    assert.equal((await post(ask())).status, 400);
    assert.deepEqual(
      server.received.map(({ status }) => status),
      [200, 200, 400],
    );
  });

  it('streams an answer as named events, block by block', async () => {
    server = await startMessagesServer({ turns: [reply] });
    const response = await post(ask({ stream: true }));
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    const names = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    const block = (deltas: number) => [
      'content_block_start',
      ...Array(deltas).fill('content_block_delta'),
      'content_block_stop',
    ];
    assert.deepEqual(names, [
      'message_start',
      'ping',
      ...block(4),
      ...block(3),
      ...block(3),
      'message_delta',
      'message_stop',
    ]);
  });

  it('wants the key it was given, in either header, and says which version it speaks', async () => {
    server = await startMessagesServer({ turns: () => ({ text: 'Hi' }), key: 'right' });
    const answers = [
      await post(ask(), { 'x-api-key': 'right' }),
      await post(ask(), { authorization: 'Bearer right' }),
      await post(ask(), { 'x-api-key': 'wrong' }),
      await post(ask()),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 401, 401],
    );
    const error = (await answers[2]?.json()) as Json;
    assert.deepEqual(
      [error.type, (error.error as Json).type, typeof error.request_id],
      ['error', 'authentication_error', 'string'],
    );
  });

  it('knows the models it was told and no path but one', async () => {
    server = await startMessagesServer({ turns: () => ({ text: 'Hi' }), models: ['claude-haiku-5-5'] });
    assert.deepEqual([(await post(ask())).status, (await fetch(`${server.url}/v1/other`)).status], [404, 404]);
  });

  it('refuses a prompt that is longer than its context', async () => {
    server = await startMessagesServer({ turns: () => ({ text: 'Hi' }), contextTokens: 100 });
    const response = await post(ask({ messages: [user(text(long(200)))] }));
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { error: Json }).error.message as string, /prompt is too long/);
  });

  it('fails as it is told: by status, by breaking off, by an error event, by silence', async () => {
    server = await startMessagesServer({
      turns: [
        faults.rateLimited(7),
        faults.rateLimited(new Date(0)),
        faults.overloaded(),
        faults.html(),
        faults.reset(),
        faults.cut(reply),
        faults.cut(reply, true),
        faults.errorEvent(reply),
        faults.slow(reply, 30),
      ],
    });
    const stream = () => post(ask({ stream: true }));
    const limited = await stream();
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7']);
    assert.equal((await stream()).headers.get('retry-after'), 'Thu, 01 Jan 1970 00:00:00 GMT');
    assert.equal((await stream()).status, 529);
    assert.match(await (await stream()).text(), /^<html>/);
    await assert.rejects(stream());
    await assert.rejects(stream().then((response) => response.text()));
    const cut = await (await stream()).text();
    assert.match(cut, /input_json_delta/);
    assert.doesNotMatch(cut, /message_stop|event: error/);
    assert.match(await (await stream()).text(), /event: error\ndata: .*overloaded_error.*\n\n$/);
    const before = Date.now();
    assert.match(await (await stream()).text(), /message_stop/);
    assert.ok(Date.now() - before >= 25);
  });

  it('writes down when the other side went away', async () => {
    server = await startMessagesServer({ turns: [faults.stall(reply)] });
    const controller = new AbortController();
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2026-10-21' },
      body: JSON.stringify(ask({ stream: true })),
      signal: controller.signal,
    });
    assert.equal(response.status, 200);
    controller.abort();
    for (let at = 0; at < 100 && !server.received[0]?.isAbandoned; at += 1)
      await new Promise((done) => setTimeout(done, 5));
    assert.equal(server.received[0]?.isAbandoned, true);
  });

  it('takes back the thinking it handed out and no other', async () => {
    server = await startMessagesServer({ turns: () => ({ thinking: 'Well', text: 'Hi' }) });
    const first = (await (await post(ask())).json()) as { content: Json[] };
    const [thinking, said] = first.content.map(({ citations: _, ...block }) => block);
    const again = (block: Json) =>
      ask({ messages: [user(text('a')), assistant(block, said as Json), user(text('b'))] });
    assert.equal((await post(again(thinking as Json))).status, 200);
    assert.equal((await post(again({ ...thinking, thinking: 'Other' }))).status, 400);
  });
});
