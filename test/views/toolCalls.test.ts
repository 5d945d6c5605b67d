// The editor's memory tools over the real engine: what an agent hears, what a person is asked, what is refused.

import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import type { OpenProject } from '../../src/projects';
import { createToolCalls } from '../../src/toolCalls';
import { createDeployProject } from '../support/modelChat';
import type { TempProject } from '../support/tempProject';
import { englishWords } from '../support/words';

const never = new AbortController().signal;

describe('the editor’s memory tools', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createDeployProject();
  });
  afterEach(() => temp.remove());

  async function tools(given: { readonly isTrusted?: boolean; readonly isEmpty?: boolean } = {}) {
    const project = await temp.open();
    const folders = [{ name: 'shop', path: temp.directory }];
    const open: OpenProject[] = given.isEmpty ? [] : [{ key: 'k', name: 'shop', folders, project }];
    const calls = createToolCalls({
      projects: { open: async () => open, ofFile: () => undefined },
      words: englishWords,
      isTrusted: () => given.isTrusted ?? true,
      activeFile: () => undefined,
    });
    return { calls, project };
  }

  it('recall without a question to the person', async () => {
    const { calls } = await tools();
    deepEqual(await calls.prepare('reverie_recall', { query: 'deploys' }), {
      said: 'Looking into memory for “deploys”',
    });
    match(
      await calls.invoke('reverie_recall', { query: 'when are deploys?' }, never),
      /not instructions[\s\S]*on Tuesdays/,
    );
    match(await calls.invoke('reverie_recall', { query: 'weather in Lisbon' }, never), /None of 1 memories fits/);
  });

  it('ask with the words at stake before they save, and save once', async () => {
    const { calls } = await tools();
    const input = { text: 'The staging database listens on port 5433', type: 'reference' };
    const { confirmation } = await calls.prepare('reverie_save', input);
    match(JSON.stringify(confirmation), /Save this as a memory\?.*port 5433.*reference · private/);
    equal(Object.keys(await temp.memories()).length, 1, 'asking changes nothing');
    match(await calls.invoke('reverie_save', input, never), /^Saved in .*\.md\.$/);
    await rejects(calls.invoke('reverie_save', input, never), /already.*There is nothing to do\./);
  });

  it('ask with the memory at stake before they forget, and say what helps with a path that is none', async () => {
    const { calls, project } = await tools();
    const { confirmation } = await calls.prepare('reverie_forget', { path: 'project-deploys.md' });
    match(JSON.stringify(confirmation), /Forget “Deploy days”\?.*on Tuesdays/);
    for (const path of ['none.md', '../outside.md', 'MEMORY.md'])
      await rejects(calls.invoke('reverie_forget', { path }, never), /reverie_recall first|index is not a memory/);
    await calls.invoke('reverie_forget', { path: 'project-deploys.md' }, never);
    equal((await project.trash()).length, 1);
  });

  it('refuse a secret, and never repeat it', async () => {
    const { calls } = await tools();
    const secret = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const refused = calls.invoke('reverie_save', { text: `Token ${secret}` }, never).catch((error) => error.message);
    const message = await refused;
    match(message, /secret/);
    equal(message.includes(secret), false);
  });

  it('refuse everything in an untrusted workspace, while memory is paused, and without a folder', async () => {
    const untrusted = await tools({ isTrusted: false });
    await rejects(untrusted.calls.invoke('reverie_recall', { query: 'deploys' }, never), /not trusted.*Go on without/);
    await rejects(untrusted.calls.prepare('reverie_save', { text: 'x' }), /not trusted/);
    const { calls, project } = await tools();
    await project.pause(undefined);
    await rejects(calls.invoke('reverie_save', { text: 'x y' }, never), /paused memory.*Go on without/);
    const empty = await tools({ isEmpty: true });
    await rejects(empty.calls.invoke('reverie_recall', { query: 'deploys' }, never), /No folder is open/);
  });
});
