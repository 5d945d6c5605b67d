// Which engine works: offline until a person has chosen, and a key only for the host it was given for.

import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModel } from '../../../src/core/agent/languageModel';
import { createProvider, type ProviderOptions, type ProviderState } from '../../../src/core/agent/provider';
import { nodeDisk } from '../../../src/core/disk';
import {
  choiceFile,
  defaultSettings,
  type EngineSettings,
  type ModelChoice,
  readChoice,
  readSettings,
  writeChoice,
  writeSettings,
} from '../../../src/core/engineSettings';
import { startMessagesServer } from '../../support/messagesServer';

interface Case {
  readonly settings?: Partial<EngineSettings['model']>;
  readonly choice?: ModelChoice;
  /** Keys of the secret storage, by host. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly asked?: ProviderOptions['asked'];
}
const official = 'api.anthropic.com';
const gateway = 'https://models.example';
const local = 'http://127.0.0.1:8080';
const inEnvironment = { ANTHROPIC_API_KEY: 'sk-env' };
const chose = (host: string, key: ModelChoice['key']): ModelChoice => ({
  engine: 'anthropic',
  host,
  ...(key && { key }),
});
const providerOf = ({ settings = {}, choice, secrets = {}, env = {}, asked }: Case) =>
  createProvider({
    settings: () => ({ ...defaultSettings.model, ...settings }),
    choice: async () => choice,
    secret: async (host) => secrets[host],
    env,
    asked,
  });
const brief = (state: ProviderState): string =>
  state.kind === 'offline'
    ? `offline: ${state.why}`
    : state.kind === 'anthropic'
      ? `${state.host}, ${state.keyFrom}`
      : state.kind;

describe('the engine that works', () => {
  const cases: readonly [string, Case, string][] = [
    ['is offline at first', {}, 'offline: not_chosen'],
    ['is offline at first, though the environment has a key', { env: inEnvironment }, 'offline: not_chosen'],
    ['is offline at first, though an address is set', { settings: { baseUrl: local } }, 'offline: not_chosen'],
    ['is offline when a person chose that', { choice: { engine: 'offline' }, env: inEnvironment }, 'offline: chosen'],
    [
      'is offline by the setting',
      { settings: { provider: 'offline' }, choice: chose(official, 'environment'), env: inEnvironment },
      'offline: setting',
    ],
    [
      'is offline when the command line says so',
      { asked: 'offline', choice: chose(official, 'environment'), env: inEnvironment },
      'offline: asked',
    ],
    [
      'is the model that was chosen, with the key of the environment',
      { choice: chose(official, 'environment'), env: inEnvironment },
      `${official}, environment`,
    ],
    [
      'is the model that was chosen, with the key that was stored',
      { choice: chose(official, 'secret'), secrets: { [official]: 'sk-1' }, env: inEnvironment },
      `${official}, secret`,
    ],
    ['is offline when the key is gone', { choice: chose(official, 'secret') }, 'offline: no_key'],
    [
      'is offline when the address changed since',
      { choice: chose(official, 'secret'), secrets: { [official]: 'sk-1' }, settings: { baseUrl: gateway } },
      'offline: other_host',
    ],
    [
      'is offline when the address changed back',
      { choice: chose('models.example', 'secret'), secrets: { 'models.example': 'sk-1' }, env: inEnvironment },
      'offline: other_host',
    ],
    [
      'is another endpoint that was chosen',
      {
        choice: chose('models.example', 'secret'),
        secrets: { 'models.example': 'sk-1' },
        settings: { baseUrl: `${gateway}/v1/` },
      },
      'models.example, secret',
    ],
    [
      'is an endpoint on this machine without a key',
      { choice: chose('127.0.0.1:8080', 'none'), settings: { baseUrl: local }, env: inEnvironment },
      '127.0.0.1:8080, none',
    ],
    [
      'is by the setting’s plain word the model, where the key is the environment’s',
      { settings: { provider: 'anthropic' }, env: inEnvironment },
      `${official}, environment`,
    ],
    ['is offline by that word when there is no key', { settings: { provider: 'anthropic' } }, 'offline: no_key'],
    [
      'is by that word an endpoint on this machine, which gets no key',
      { settings: { provider: 'anthropic', baseUrl: local }, env: inEnvironment },
      '127.0.0.1:8080, none',
    ],
    [
      'is the model for a command that asks for it',
      { asked: 'anthropic', env: inEnvironment },
      `${official}, environment`,
    ],
    [
      'is offline for a host that the environment’s key is not known to belong to',
      { asked: 'anthropic', env: inEnvironment, settings: { baseUrl: gateway } },
      'offline: other_host',
    ],
    [
      'is offline at Anthropic when the environment’s key belongs to a gateway',
      { asked: 'anthropic', env: { ...inEnvironment, ANTHROPIC_BASE_URL: gateway } },
      'offline: other_host',
    ],
    [
      'is that gateway when it is the address too',
      { asked: 'anthropic', env: { ...inEnvironment, ANTHROPIC_BASE_URL: gateway }, settings: { baseUrl: gateway } },
      'models.example, environment',
    ],
    [
      'never takes an address from the environment',
      { choice: chose(official, 'environment'), env: { ...inEnvironment, ANTHROPIC_BASE_URL: gateway } },
      `${official}, environment`,
    ],
    [
      'is offline when the address is none',
      { asked: 'anthropic', env: inEnvironment, settings: { baseUrl: 'not an address' } },
      'offline: bad_address',
    ],
    [
      'is offline when a key would travel in the open',
      {
        choice: chose('models.example', 'secret'),
        secrets: { 'models.example': 'sk-1' },
        settings: { baseUrl: 'http://models.example' },
      },
      'offline: open_line',
    ],
    [
      'is offline when the key is none that could be sent',
      { choice: chose(official, 'secret'), secrets: { [official]: 'sk 1\n' } },
      'offline: no_key',
    ],
    [
      'is offline when an editor’s chat model was chosen and there is none here',
      { choice: { engine: 'vscode' } },
      'offline: not_available',
    ],
  ];
  for (const [name, given, expected] of cases) {
    it(name, async () => {
      const provider = providerOf(given);
      assert.equal(brief(await provider.state()), expected);
      assert.equal((await provider.model('extraction')).model !== undefined, !expected.startsWith('offline'));
    });
  }

  it('asks the endpoint that was chosen with the key that was stored for it', async () => {
    const server = await startMessagesServer({ turns: () => ({ text: 'Hi' }), key: 'sk-1' });
    try {
      const host = new URL(server.url).host;
      const { model } = await providerOf({
        settings: { baseUrl: server.url, recall: 'small-model' },
        choice: chose(host, 'secret'),
        secrets: { [host]: 'sk-1' },
      }).model('recall');
      const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] as const;
      await model?.complete({ system: [], tools: [], messages, maxTokens: 5 }, new AbortController().signal);
      assert.deepEqual([server.received[0]?.status, server.received[0]?.body.model], [200, 'small-model']);
    } finally {
      await server.close();
    }
  });

  it('is an editor’s chat model when that was chosen and is there', async () => {
    const chat = { id: 'chat' } as LanguageModel;
    const provider = createProvider({
      settings: () => defaultSettings.model,
      choice: async () => ({ engine: 'vscode', chatModel: 'test/chat' }),
      env: {},
      chatModel: async () => chat,
    });
    assert.equal((await provider.model('dream')).model, chat);
  });
});

describe('the choice of a model', () => {
  let configDir: string;
  beforeEach(async () => {
    configDir = await mkdtemp(join(tmpdir(), 'choice-'));
  });
  afterEach(() => rm(configDir, { recursive: true, force: true }));
  const settings: EngineSettings = { ...defaultSettings, spend: { dailyTokens: 5 } };

  it('stands beside the settings, and neither overwrites the other', async () => {
    assert.equal(await readChoice(nodeDisk, configDir), undefined);
    await writeChoice(nodeDisk, configDir, chose(official, 'secret'));
    await writeSettings(nodeDisk, configDir, settings);
    assert.deepEqual(await readChoice(nodeDisk, configDir), chose(official, 'secret'));
    await writeChoice(nodeDisk, configDir, { engine: 'offline' });
    assert.deepEqual(await readSettings(nodeDisk, configDir), settings);
    await writeChoice(nodeDisk, configDir, undefined);
    assert.equal(await readChoice(nodeDisk, configDir), undefined);
    assert.deepEqual(await readSettings(nodeDisk, configDir), settings);
  });

  it('holds no key', async () => {
    await writeChoice(nodeDisk, configDir, { ...chose(official, 'secret'), apiKey: 'sk-1' } as ModelChoice);
    assert.doesNotMatch(await readFile(choiceFile(configDir), 'utf8'), /sk-1/);
  });

  it('is none when the file says something odd', async () => {
    await writeChoice(nodeDisk, configDir, { engine: 'other' } as unknown as ModelChoice);
    assert.equal(await readChoice(nodeDisk, configDir), undefined);
  });
});
