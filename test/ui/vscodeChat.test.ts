// A conversation in VS Code's own Chat view, in a real workbench: VS Code writes its own file of it, and when it is over what was
// worth keeping stands in the tree and the chat is listed as read. Nothing here writes or names a file of VS Code's.

import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textsIn, useSession } from './session';

/** The test's model can be registered on hosts from 1.104 on. */
const hasModels = process.env.HOST !== 'oldest';
const left = hasModels ? '' : ' (skipped: this host knows no model of an extension)';

describe(`a conversation in VS Code’s own chat${left}`, function () {
  this.timeout(120_000);
  const session = useSession({
    size: { width: 1300, height: 900 },
    settings: { 'reverie.sources.idleMinutes': 0.05, 'reverie.dream.mode': 'off' },
  });
  before(function () {
    if (!hasModels) this.skip();
  });

  const said = 'From now on always use pnpm here, not npm, because the lockfile broke twice.';
  const page = () => session().workbench.page;
  const input = () => page().locator('.interactive-input-part .monaco-editor').first();

  async function ask(text: string): Promise<void> {
    await input().click();
    await page().locator('.interactive-input-part .monaco-editor.focused').waitFor();
    await page().keyboard.insertText(text);
    await page()
      .locator('.interactive-input-part .view-line', { hasText: text.slice(-20) })
      .first()
      .waitFor();
    await page().keyboard.press('Enter');
  }

  /** VS Code's own files, found by what is in them. */
  function written(): readonly string[] {
    const user = join(dirname(session().server.home), 'data/User/workspaceStorage');
    return readdirSync(user, { recursive: true, encoding: 'utf8' })
      .filter((name) => /chatSessions.[\w-]+\.jsonl$/.test(name))
      .map((name) => readFileSync(join(user, name), 'utf8'));
  }

  it('is read once it is over: the memory is in the tree, the chat is listed with what came of it', async () => {
    const { workbench, server, sample } = session();
    await workbench.openContainer('Memory');
    await workbench.treeRow('Feedback').waitFor();
    const before = textsIn(sample.memoryDir);
    server.model.reply('I will use pnpm from now on.');
    await workbench.palette('Chat: Open Chat');
    await ask(`@agent ${said}`);
    await page().locator('.interactive-response', { hasText: 'I will use pnpm from now on.' }).waitFor();
    await workbench.screenshot('vscode-chat-asked');
    assert.deepEqual(textsIn(sample.memoryDir), before, 'nothing was kept by anybody yet');
    await workbench.palette('Chat: New Chat');

    await workbench.toast(/Saved 1 memory from “From now on always use pnpm here/).waitFor({ timeout: 60_000 });
    assert.ok(
      written().some((text) => text.includes(said) && text.includes('I will use pnpm from now on.')),
      'VS Code wrote it itself',
    );
    assert.equal(server.model.requests().length, 1, 'the rules read it: nobody was asked');
    await workbench.treeRow('Always use pnpm here').first().waitFor();
    const kept = Object.entries(textsIn(sample.memoryDir)).filter(([file, text]) => before[file] !== text);
    assert.match(kept.map(([, text]) => text).join(), /\*\*Why:\*\* .*lockfile broke twice/);

    for (const name of ['Memories', 'Dream']) await workbench.pane(name).locator('.pane-header').click();
    await workbench.pane('Sessions').locator('.pane-header').click();
    const row = workbench.treeRow(/From now on always use pnpm here.*saved 1/);
    await row.waitFor();
    assert.match((await row.getAttribute('aria-label')) ?? '', /VS Code chats/);
    await workbench.screenshot('vscode-chat-read');
  });

  it('is read on from where it was when it is taken up again, and is not kept twice', async () => {
    const { workbench, server, sample } = session();
    const before = textsIn(sample.memoryDir);
    server.model.reply('Noted.');
    await ask(`@agent ${said}`);
    await page().locator('.interactive-response', { hasText: 'Noted.' }).waitFor();
    await workbench.palette('Chat: New Chat');
    await workbench.treeRow(/From now on always use pnpm here.*nothing new/).waitFor({ timeout: 60_000 });
    assert.deepEqual(textsIn(sample.memoryDir), before);
  });
});
