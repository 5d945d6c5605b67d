// A key goes to the host it was given for, and to no other, whatever the environment, a file or a redirect says.

import { strict as assert } from 'node:assert';
import { type AnthropicModelOptions, createAnthropicModel } from '../../../src/core/agent/anthropicModel';
import { isModelError, type ModelRequest } from '../../../src/core/agent/languageModel';
import { faults, type MessagesServer, type ServerOptions, startMessagesServer } from '../../support/messagesServer';

const key = 'sk-test-0123456789';
const never = new AbortController().signal;
const question: ModelRequest = {
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 10,
};

describe('the key of a model over the Messages API', () => {
  let server: MessagesServer;
  async function start(turns: ServerOptions['turns'] & object) {
    server = await startMessagesServer({ turns });
  }
  const ask = (options: Partial<AnthropicModelOptions> = {}) =>
    createAnthropicModel({ id: 'm', baseUrl: server.url, apiKey: key, ...options }).complete(question, never);

  const names = [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_LOG',
    'ANTHROPIC_PROFILE',
    'ANTHROPIC_FEDERATION_RULE_ID',
  ];
  const before = names.map((name) => process.env[name]);
  beforeEach(() => {
    for (const name of names) process.env[name] = `leak-${name}`;
    process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:9';
    process.env.ANTHROPIC_CUSTOM_HEADERS = 'X-Other: leak-header\nAuthorization: Bearer leak-token';
  });
  afterEach(async () => {
    await server.close();
    names.forEach((name, at) => {
      if (before[at] === undefined) delete process.env[name];
      else process.env[name] = before[at];
    });
  });

  it('is the one given, in the two headers endpoints know, and nothing else of the environment is sent', async () => {
    await start([{ text: 'Hi' }]);
    await ask();
    const { headers } = server.received[0] ?? {};
    assert.deepEqual([headers?.authorization, headers?.['x-api-key']], [`Bearer ${key}`, key]);
    assert.doesNotMatch(JSON.stringify(server.received[0]?.headers), /leak/);
    assert.deepEqual(
      Object.keys(headers ?? {}).filter((name) => name.startsWith('x-stainless')),
      [],
    );
  });

  it('is none when none was given, whatever the environment holds', async () => {
    await start([{ text: 'Hi' }]);
    await ask({ apiKey: undefined });
    const { headers } = server.received[0] ?? {};
    assert.deepEqual([headers?.authorization, headers?.['x-api-key']], [undefined, undefined]);
    assert.doesNotMatch(JSON.stringify(headers), /leak/);
  });

  it('does not follow a redirect to another host', async () => {
    const other = await startMessagesServer({ turns: () => ({ text: 'Thanks for the key' }) });
    try {
      await start([faults.redirect(`${other.url}/v1/messages`)]);
      await assert.rejects(ask(), isModelError);
      assert.equal(other.received.length, 0);
    } finally {
      await other.close();
    }
  });

  it('goes to the address as people paste it', async () => {
    await start(() => ({ text: 'Hi' }));
    for (const tail of ['/', '/v1', '/v1/', '/v1/messages']) await ask({ baseUrl: `${server.url}${tail}` });
    assert.deepEqual(
      server.received.map(({ status }) => status),
      [200, 200, 200, 200],
    );
  });

  it('goes to Anthropic’s host when no other is named', async () => {
    await start([]);
    const asked: string[] = [];
    const send: typeof fetch = async (url) => {
      asked.push(String(url));
      return new Response('{}', { status: 401 });
    };
    await assert.rejects(
      createAnthropicModel({ id: 'm', apiKey: key, fetch: send }).complete(question, never),
      isModelError,
    );
    assert.deepEqual(asked, ['https://api.anthropic.com/v1/messages']);
  });
});
