// A chat session read by a model, as a person sees it: what was saved, where it came from, how it is taken back. The model is
// a script behind a loopback server that speaks the Messages API; no real one has any part in it.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagesServer, type Reply, startMessagesServer } from '../support/messagesServer';
import { note } from '../support/modelChat';
import { appendTurn } from '../support/sample';
import { textsIn, useSession } from './session';

const writes: Reply = {
  text: 'Two things are worth keeping.',
  calls: [
    {
      name: 'Write',
      input: {
        file_path: 'a.md',
        content: note({
          name: 'Tides decide the rota',
          description: 'The rota follows the tides',
          body: 'The rota follows the tides, not the week.',
        }),
      },
    },
    {
      name: 'Write',
      input: {
        file_path: 'b.md',
        content: note({
          type: 'project',
          name: 'Harbour audit',
          description: 'The harbour audit is on 2027-05-04',
          body: 'The harbour audit is on 2027-05-04.',
        }),
      },
    },
  ],
};

describe('a chat session read by a model', function () {
  this.timeout(120_000);
  let server: MessagesServer;
  before(async () => {
    server = await startMessagesServer({ turns: [writes, { text: 'Kept two.' }] });
  });
  const session = useSession({ size: { width: 1100, height: 900 } });
  after(() => server.close());

  it('ends with “Saved 2 memories”, each with the message it came from, and Undo takes both back', async () => {
    const { workbench, sample, server: host } = session();
    host.changeSettings({
      'reverie.model.provider': 'anthropic',
      'reverie.model.baseUrl': server.url,
      'reverie.sources.idleMinutes': 0.05,
    });
    await workbench.openContainer('Memory');
    await workbench.treeRow('Feedback').waitFor();
    // The engine's own copy of the settings tells that they have arrived.
    const settings = join(sample.configDir, 'reverie/settings.json');
    while (!existsSync(settings) || !readFileSync(settings, 'utf8').includes(server.url)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // They reach the engine at work in this window right after.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = textsIn(sample.memoryDir);
    const chat = sample.sessions.at(-1)?.file ?? '';
    const said = 'The rota should follow the tides, and remember the harbour audit on 2027-05-04.';
    appendTurn(chat, (talk) => talk.human(said).assistant('I will plan with the tides.').turnEnd());

    await workbench.toast(/Saved 2 memories from “Look for flaky tests”/).waitFor({ timeout: 60_000 });
    assert.equal(server.received.length, 2);
    assert.match(JSON.stringify(server.received[0]?.body.messages), /rota should follow the tides/);
    await workbench.treeRow('Tides decide the rota').waitFor();
    await workbench.treeRow('Harbour audit').waitFor();
    await workbench.screenshot('model-saved');

    await workbench.treeRow('Tides decide the rota').click({ button: 'right' });
    await workbench.page.locator('.context-view .action-label', { hasText: 'Open Source Message' }).hover();
    await workbench.page.keyboard.press('Enter');
    await workbench.page
      .locator('.editor-instance .view-line', { hasText: 'rota should follow the tides' })
      .first()
      .waitFor();
    await workbench.screenshot('model-source');

    const toast = workbench.toast(/Saved 2 memories/);
    if ((await toast.count()) === 0) await workbench.palette('Notifications: Show Notifications');
    await workbench.page.locator('.monaco-button', { hasText: 'Undo' }).first().click();
    await workbench.treeRow('Tides decide the rota').waitFor({ state: 'detached' });
    assert.deepEqual(textsIn(sample.memoryDir), before, 'topic files and index are what they were, byte for byte');
  });

  it('is said once in plain words when the model fails, and nothing is lost', async () => {
    const { workbench, sample } = session();
    const chat = sample.sessions.at(-1)?.file ?? '';
    appendTurn(chat, (talk) => talk.human('Please keep the mooring list short.').assistant('Yes.').turnEnd());
    await workbench.statusItem(/failed/i).waitFor({ timeout: 60_000 });
    await workbench.screenshot('model-failed');
    assert.ok(existsSync(join(sample.memoryDir, 'MEMORY.md')));
  });

  it('is chosen in a dialogue that says what is sent where, and tried before it counts', async () => {
    const { workbench, sample, server: host } = session();
    host.changeSettings({ 'reverie.model.provider': null, 'reverie.model.baseUrl': null });
    const { keyboard } = workbench.page;
    const type = async (text: string) => {
      await keyboard.press('Control+A');
      await keyboard.type(text);
      await keyboard.press('Enter');
    };
    const asked = (text: string | RegExp) =>
      workbench.page.locator('.quick-input-widget', { hasText: text }).first().waitFor({ timeout: 15_000 });
    server.addTurns({ text: 'Yes.' });
    const before = server.received.length;
    await workbench.palette('Memory: Choose Model');
    await workbench.quickPickRow('Nothing is sent').waitFor();
    await workbench.screenshot('model-choose');
    await workbench.quickPickRow('Another Endpoint').click();
    await asked('Address of the Endpoint');
    await type(server.url);
    await asked(/The id of the model/);
    await type('scripted');
    await asked(/[Kk]ey/);
    await workbench.screenshot('model-key');
    await workbench.quickPickRow(/[Nn]o [Kk]ey/).click();
    await workbench.toast(/scripted at .* reads your chats from now on/).waitFor({ timeout: 30_000 });
    assert.equal(server.received.length, before + 1, 'one tiny request');
    assert.match(readFileSync(join(sample.configDir, 'reverie/choice.json'), 'utf8'), /"engine": ?"anthropic"/);

    await workbench.palette('Memory: Choose Model');
    await workbench.quickPickRow('Offline').click();
    await workbench.toast('Reverie works offline. Nothing is sent.').waitFor();
    assert.match(readFileSync(join(sample.configDir, 'reverie/choice.json'), 'utf8'), /"engine": ?"offline"/);
  });

  it('asks nothing of the network but the endpoint that was named', () => {
    assert.deepEqual([...session().browser.outside], []);
    assert.ok(
      server.received.every(({ headers }) => headers['x-api-key'] === undefined || headers['x-api-key'] === ''),
    );
  });
});
