// Choosing a model: what is asked, what is kept, and that nothing is kept before it works or the person says so.

import { strict as assert } from 'node:assert';
import { type Asking, type Chosen, chooseModel, type Keeping, type Kept } from '../../src/commands/modelDialogue';
import type { ChatModelState } from '../../src/core/agent/chatModels';
import type { Candidate, TryResult } from '../../src/core/agent/tryModel';
import { defaultSettings } from '../../src/core/engineSettings';
import { createKeys, keyName } from '../../src/keys';
import { englishWords } from '../support/words';

const official = 'api.anthropic.com';
const works: TryResult = { answered: true };
const fails = (code: (TryResult & { answered: false })['code']): TryResult => ({ answered: false, code, message: '' });

/** A person who gives these answers in order; `undefined` is leaving. A label picks by its beginning. */
async function run(
  answers: readonly (string | undefined)[],
  given: Partial<Pick<Keeping, 'choice' | 'settings' | 'environmentKey'>> & {
    readonly results?: readonly TryResult[];
    readonly stored?: Readonly<Record<string, string>>;
    readonly chats?: readonly ChatModelState[];
  } = {},
) {
  const left = [...answers];
  const results = [...(given.results ?? [works])];
  const seen: string[] = [];
  const tried: Candidate[] = [];
  const asked: string[] = [];
  const kept: Kept[] = [];
  let isForgotten = false;
  const next = () => {
    assert.ok(left.length > 0, `asked too much: ${seen.at(-1)}`);
    return left.shift();
  };
  const asking: Asking = {
    async pick(title, hint, options) {
      seen.push(
        [title, hint, ...options.flatMap(({ label, description, detail }) => [label, description, detail])].join('\n'),
      );
      const answer = next();
      if (answer === undefined) return undefined;
      const found = options.find(({ label }) => label.startsWith(answer));
      assert.ok(found, `no “${answer}” in: ${seen.at(-1)}`);
      return found.value;
    },
    async text({ title, hint, isSecret, problem }) {
      seen.push(`${title}\n${hint}${isSecret ? '\n(hidden)' : ''}`);
      const answer = next();
      if (answer !== undefined && problem(answer) !== undefined) {
        seen.push(problem(answer) ?? '');
        return undefined;
      }
      return answer;
    },
    async working(title, work) {
      seen.push(title);
      return work(new AbortController().signal);
    },
    async trouble(text, actions) {
      seen.push([text, ...actions].join('\n'));
      return next();
    },
  };
  const keeping: Keeping = {
    settings: defaultSettings.model,
    choice: undefined,
    storedHost: Object.keys(given.stored ?? {})[0],
    environmentKey: undefined,
    storedKey: async (host) => given.stored?.[host],
    async tryModel(candidate) {
      tried.push(candidate);
      return results.shift() ?? works;
    },
    chatModels: async () => given.chats ?? [],
    async tryChatModel(id) {
      asked.push(id);
      return results.shift() ?? works;
    },
    keep: async (one) => void kept.push(one),
    async forgetKey() {
      isForgotten = true;
    },
    ...(given.choice ? { choice: given.choice } : {}),
    ...(given.settings ? { settings: given.settings } : {}),
    ...(given.environmentKey === undefined ? {} : { environmentKey: given.environmentKey }),
  };
  const chosen: Chosen | undefined = await chooseModel(asking, keeping, englishWords);
  assert.deepEqual(left, [], 'not asked for everything');
  return { chosen, seen, tried, asked, kept, isForgotten };
}

describe('choosing a model', () => {
  it('says of each choice what is sent where and what it costs', async () => {
    const { seen, kept, chosen } = await run([undefined]);
    assert.match(seen[0] ?? '', /Offline\n.*Nothing is sent\..*no cost/s);
    assert.match(seen[0] ?? '', /Anthropic\n.*api\.anthropic\.com\n.*Sends what was said.*Billed to your key/s);
    assert.match(seen[0] ?? '', /Another Endpoint…\n.*Sends the same/s);
    assert.deepEqual([kept, chosen], [[], undefined]);
  });

  it('keeps offline without a question', async () => {
    const { kept, chosen, tried } = await run(['Offline']);
    assert.deepEqual([kept, chosen, tried], [[{ choice: { engine: 'offline' } }], { kind: 'offline' }, []]);
  });

  it('asks for a key in a hidden field, tries it, and keeps the choice with its host', async () => {
    const { kept, chosen, tried, seen } = await run(['Anthropic', ' sk-1 ']);
    assert.match(seen[1] ?? '', /API Key for api\.anthropic\.com\n.*sent to api\.anthropic\.com only\.\n\(hidden\)/);
    assert.deepEqual(tried, [{ id: 'claude-sonnet-5-5', baseUrl: 'https://api.anthropic.com', apiKey: 'sk-1' }]);
    assert.deepEqual(kept, [{ choice: { engine: 'anthropic', host: official, key: 'secret' }, typedKey: 'sk-1' }]);
    assert.deepEqual(chosen, { kind: 'model', host: official, model: 'claude-sonnet-5-5' });
  });

  it('keeps nothing when the key is not accepted and the person leaves', async () => {
    const { kept, chosen, seen } = await run(['Anthropic', 'sk-1', undefined], { results: [fails('unauthorised')] });
    assert.match(seen.at(-1) ?? '', /does not accept the API key\. Nothing was changed\.\nTry Again\nAnother Key…$/);
    assert.deepEqual([kept, chosen], [[], undefined]);
  });

  it('takes another key after the first did not do', async () => {
    const { kept, tried } = await run(['Anthropic', 'sk-1', 'Another Key…', 'sk-2'], {
      results: [fails('unauthorised')],
    });
    assert.deepEqual(
      tried.map(({ apiKey }) => apiKey),
      ['sk-1', 'sk-2'],
    );
    assert.equal(kept[0]?.typedKey, 'sk-2');
  });

  it('lets a person choose what is only busy or out of reach now', async () => {
    for (const code of ['overloaded', 'unreachable', 'rate_limited'] as const) {
      const { kept } = await run(['Anthropic', 'sk-1', 'Choose It Anyway'], { results: [fails(code)] });
      assert.equal(kept.length, 1);
    }
  });

  it('offers the keys that are there, and says to whom one would be sent', async () => {
    const more = { environmentKey: 'sk-env', stored: { [official]: 'sk-old' } };
    const stored = await run(['Anthropic', 'The Key That Is Stored'], more);
    assert.deepEqual(stored.kept, [{ choice: { engine: 'anthropic', host: official, key: 'secret' } }]);
    const environment = await run(['Anthropic', 'The Key in ANTHROPIC_API_KEY'], more);
    assert.match(environment.seen[1] ?? '', /It will be sent to api\.anthropic\.com\./);
    assert.deepEqual(environment.kept, [{ choice: { engine: 'anthropic', host: official, key: 'environment' } }]);
  });

  it('takes an endpoint of one’s own, with its model and no key', async () => {
    const { kept, tried } = await run(['Another', 'http://localhost:11434/v1/', 'small', 'No Key']);
    assert.deepEqual(tried, [{ id: 'small', baseUrl: 'http://localhost:11434', apiKey: undefined }]);
    assert.deepEqual(kept, [
      {
        choice: { engine: 'anthropic', host: 'localhost:11434', key: 'none' },
        endpoint: { baseUrl: 'http://localhost:11434', model: 'small' },
      },
    ]);
  });

  it('does not hand a stored key to another host', async () => {
    const { seen } = await run(['Another', 'https://models.example', 'big', undefined], {
      stored: { [official]: 'sk-old' },
    });
    assert.doesNotMatch(seen[3] ?? '', /Stored/);
  });

  it('asks for no key where the line is open', async () => {
    const { tried, kept } = await run(['Another', 'http://10.0.0.7:8080', 'big'], { environmentKey: 'sk-env' });
    assert.deepEqual([tried[0]?.apiKey, kept[0]?.choice.key], [undefined, 'none']);
  });

  it('refuses an address that is none', async () => {
    const { seen, kept } = await run(['Another', 'file:///etc/passwd']);
    assert.deepEqual([seen.at(-1), kept], ['This is not an http or https address.', []]);
  });

  it('goes back to Anthropic’s address when that is chosen again', async () => {
    const settings = { ...defaultSettings.model, baseUrl: 'https://models.example' };
    const { kept } = await run(['Anthropic', 'sk-1'], { settings });
    assert.deepEqual(kept[0]?.endpoint, { baseUrl: undefined });
  });

  it('forgets the key, and works offline when it was in use', async () => {
    const stored = { [official]: 'sk-old' };
    const choice = { engine: 'anthropic', host: official, key: 'secret' } as const;
    const { isForgotten, kept, chosen } = await run(['Forget'], { stored, choice });
    assert.deepEqual([isForgotten, kept], [true, [{ choice: { engine: 'offline' } }]]);
    assert.deepEqual(chosen, { kind: 'forgotten', host: official });
  });
});

describe('choosing one of VS Code’s chat models', () => {
  const chats: readonly ChatModelState[] = [
    { id: 'copilot/small', name: 'Small', vendor: 'copilot', access: 'not_asked' },
    { id: 'other/big', name: 'Big', vendor: 'other', access: 'granted', blockedUntil: Date.now() + 3_600_000 },
  ];

  it('lists them with what they may do, asks one of them a word, and keeps it for background work', async () => {
    const { seen, asked, kept, chosen } = await run(['VS Code', 'Small'], { chats });
    assert.match(seen[0] ?? '', /VS Code Chat Model…\n2 models\n.*sent to its provider.*quota/);
    assert.match(seen[1] ?? '', /Small\ncopilot\nVS Code asks whether.*\nBig\nother\nIts quota is used up/);
    assert.deepEqual(asked, ['copilot/small']);
    assert.deepEqual(kept, [{ choice: { engine: 'vscode', chatModel: 'copilot/small' } }]);
    assert.deepEqual(chosen, { kind: 'chat', name: 'Small', isForRecall: false });
  });

  it('keeps nothing when access is refused and the person leaves', async () => {
    const { seen, kept } = await run(['VS Code', 'Small', undefined], { chats, results: [fails('no_permission')] });
    assert.match(seen.at(-1) ?? '', /was not allowed to use “Small”\. Nothing was changed\.\nTry Again$/);
    assert.deepEqual(kept, []);
  });

  it('asks again when the person wants to, and takes one whose quota is only used up now', async () => {
    const results = [fails('no_permission'), fails('rate_limited')];
    const { asked, kept } = await run(['VS Code', 'Small', 'Try Again', 'Choose It Anyway'], { chats, results });
    assert.deepEqual([asked.length, kept.length], [2, 1]);
  });

  it('takes another one for recall and leaves the one for background work', async () => {
    const choice = { engine: 'vscode', chatModel: 'copilot/small' } as const;
    const { kept, chosen, seen } = await run(['VS Code', 'Another', 'Big'], { chats, choice });
    assert.match(seen[0] ?? '', /in use: Small/);
    assert.deepEqual(kept[0]?.choice, { ...choice, chatModelForRecall: 'other/big' });
    assert.deepEqual(chosen, { kind: 'chat', name: 'Big', isForRecall: true });
  });

  it('says what helps where the editor has none', async () => {
    const { seen, kept } = await run(['VS Code', undefined]);
    assert.match(seen[0] ?? '', /none here/);
    assert.match(seen[1] ?? '', /no chat model here\. Sign in/);
    assert.deepEqual(kept, []);
  });
});

describe('the key in the secret storage', () => {
  const values = new Map<string, string>();
  const keys = createKeys({
    get: async (name) => values.get(name),
    store: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  });
  afterEach(() => values.clear());

  it('is had only by who asks for its host', async () => {
    await keys.set(official, 'sk-1');
    assert.deepEqual(
      [await keys.get(official), await keys.get('models.example'), await keys.host()],
      ['sk-1', undefined, official],
    );
    await keys.forget();
    assert.deepEqual([await keys.get(official), await keys.host(), values.size], [undefined, undefined, 0]);
  });

  it('is one: another host’s key takes its place', async () => {
    await keys.set(official, 'sk-1');
    await keys.set('models.example', 'sk-2');
    assert.deepEqual([await keys.get(official), await keys.get('models.example')], [undefined, 'sk-2']);
  });

  it('is none when the entry is damaged', async () => {
    for (const damaged of ['', '{', 'null', '{"host":1,"key":2}']) {
      values.set(keyName, damaged);
      assert.equal(await keys.host(), undefined);
    }
  });
});
