// Recall with a model that chooses: one request, an answer of a fixed form, and words as soon as the model is of no use. Over
// a loopback server; no real model has any part in it.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createAnthropicModel } from '../../../src/core/agent/anthropicModel';
import { defaultSettings } from '../../../src/core/engineSettings';
import type { Project, ProjectOptions } from '../../../src/core/project';
import { faults, type MessagesServer, type Reply, startMessagesServer } from '../../support/messagesServer';
import { note } from '../../support/modelChat';
import { providerOf } from '../../support/scriptedModel';
import { createTempProject, type TempProject } from '../../support/tempProject';

const question = 'Which package manager do we use for the shop?';

describe('recall with a model', function () {
  this.timeout(20_000);
  let temp: TempProject;
  let server: MessagesServer;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(async () => {
    await server.close();
    await temp.remove();
  });

  async function open(turns: readonly Reply[], options: Partial<ProjectOptions> = {}): Promise<Project> {
    server = await startMessagesServer({ turns });
    const model = createAnthropicModel({
      id: 'scripted',
      baseUrl: server.url,
      apiKey: undefined,
      pause: async () => {},
    });
    return temp.open({ provider: providerOf(model), ...options });
  }

  const chooses = (...names: readonly unknown[]): Reply => ({ text: JSON.stringify({ selected_memories: names }) });

  async function putMemories(): Promise<void> {
    await temp.put('feedback-pnpm.md', note({ name: 'Package manager', description: 'pnpm, never npm' }));
    await temp.put(
      'project-shop.md',
      note({ type: 'project', name: 'Shop', description: 'What the shop sells', body: 'The shop sells plants.' }),
    );
    await temp.put(
      'user-role.md',
      note({ type: 'user', name: 'Role', description: 'A data engineer', body: 'The person is a data engineer.' }),
    );
  }

  it('makes one request with a schema, and takes what the model chose, best first', async () => {
    await putMemories();
    const project = await open([chooses('project-shop.md', 'feedback-pnpm.md')]);
    const found = await project.recall(question);
    equal(found.selector, 'model');
    deepEqual(
      found.memories.map(({ path }) => path),
      ['project-shop.md', 'feedback-pnpm.md'],
    );
    equal(server.received.length, 1);
    const { body } = server.received[0] ?? {};
    equal(body?.max_tokens, 256);
    match(JSON.stringify(body?.output_config), /json_schema.*selected_memories/);
    match(JSON.stringify(body?.messages), /feedback-pnpm\.md.*pnpm, never npm.*Which package manager/);
    ok((await project.spend()).today.tokens > 0);
  });

  it('drops names that it invents, and takes five at most', async () => {
    for (let at = 0; at < 8; at += 1) {
      await temp.put(
        `project-${at}.md`,
        note({
          type: 'project',
          name: `Topic ${at}`,
          description: `Topic ${at}`,
          body: `Topic ${at} is number ${at}.`,
        }),
      );
    }
    const all = Array.from({ length: 8 }, (_, at) => `project-${at}.md`);
    const project = await open([chooses('../../etc/passwd', 'invented.md', 7, ...all)]);
    const found = await project.recall('What are the topics about?');
    deepEqual(
      found.memories.map(({ path }) => path),
      all.slice(0, 5),
    );
  });

  it('an empty choice is a choice: nothing fits', async () => {
    await putMemories();
    const found = await (await open([chooses()])).recall(question);
    deepEqual([found.selector, found.memories.length], ['model', 0]);
  });

  const useless: Record<string, Reply> = {
    fails: faults.serverError(400),
    'answers with words': { text: 'The first one looks good.' },
    'answers with another form': { text: '{"selected_memories": "feedback-pnpm.md"}' },
    declines: { text: '', stopReason: 'refusal' },
  };
  for (const [what, reply] of Object.entries(useless)) {
    it(`falls back to words when the model ${what}`, async () => {
      await putMemories();
      const found = await (await open([reply])).recall(question);
      equal(found.selector, 'lexical');
      ok(found.memories.some(({ path }) => path === 'feedback-pnpm.md'));
    });
  }

  it('does not wait longer than it was told, and then words decide', async () => {
    await putMemories();
    const project = await open([faults.slow(chooses('user-role.md'), 3_000)], {
      settings: { ...defaultSettings, recall: { timeoutMs: 150 } },
    });
    const began = Date.now();
    const found = await project.recall(question);
    ok(Date.now() - began < 2_500);
    equal(found.selector, 'lexical');
    ok(found.memories.some(({ path }) => path === 'feedback-pnpm.md'));
  });

  it('sends nothing when there are no memories, when words are asked for, and when the budget is used up', async () => {
    const project = await open([]);
    equal((await project.recall(question)).memories.length, 0);
    await putMemories();
    equal((await project.recall(question, { lexical: true })).selector, 'lexical');
    equal(server.received.length, 0);
  });

  it('sends nothing when the day’s budget is used up', async () => {
    await putMemories();
    const project = await open([chooses('user-role.md')], {
      settings: { ...defaultSettings, spend: { dailyTokens: 1 } },
    });
    equal((await project.recall(question)).selector, 'model');
    equal((await project.recall(question)).selector, 'lexical');
    equal(server.received.length, 1);
  });
});
