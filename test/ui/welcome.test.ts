// The empty states: what a person reads and can do when there are no memories, no folder, or no trust.

import { strict as assert } from 'node:assert';
import { useSession } from './session';

describe('the first look at Memory', function () {
  this.timeout(120_000);
  const session = useSession({ size: { width: 900, height: 800 }, hasMemories: false });

  it('says what it does, that nothing is sent, and what to do next', async () => {
    const { workbench } = session();
    const { page } = workbench;
    await workbench.openContainer('Memory');
    const welcome = page.locator('.welcome-view-content');
    await welcome.getByText('Reverie keeps what is worth keeping').waitFor();
    await welcome.getByText('works offline and sends nothing').waitFor();
    await welcome.getByRole('button', { name: 'Learn from Past Sessions…' }).waitFor();
    await workbench.pane('Sessions').locator('.pane-header').click();
    await workbench.treeRow('Learn from 5 past sessions').waitFor();
    await workbench.inThemes(async (name) => {
      for (const px of [280, 220]) {
        await workbench.sidebarWidth(px);
        await workbench.screenshot(`welcome-${name}-${px}`);
      }
    });
  });

  it('makes the first memory from its button, which ends the welcome', async () => {
    const { workbench } = session();
    const { page } = workbench;
    await page.locator('.welcome-view-content').getByRole('button', { name: 'Remember Something…' }).click();
    await workbench.quickInput().fill('Bugs for ingest are in the Linear project INGEST');
    await page.keyboard.press('Enter');
    await workbench.quickPickRow('Where things are found').waitFor();
    await page.keyboard.press('Enter');
    await workbench.treeRow(/INGEST/).waitFor();
    await workbench.treeRow(/MEMORY\.md.*1\/200 lines/).waitFor();
    assert.equal(await page.locator('.welcome-view-content').isVisible(), false);
  });

  it('asks for a folder where there is none, and keeps out of the status bar', async () => {
    const { workbench, server } = session();
    const { page } = workbench;
    await page.goto(`${server.url}/?ew=true`, { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
    await workbench.openContainer('Memory');
    await page.locator('.welcome-view-content').getByRole('button', { name: 'Open Folder' }).waitFor();
    await workbench.screenshot('welcome-no-folder');
    assert.equal(await workbench.statusItem('Memory').count(), 0);
  });
});

describe('Memory in a folder that nobody trusts', function () {
  this.timeout(120_000);
  const session = useSession({ size: { width: 900, height: 800 }, asksForTrust: true });

  it('shows what there is, says that it is off, and offers nothing that would change it', async () => {
    const { workbench, server } = session();
    const { page } = workbench;
    // The newest host opens a strange folder without asking first, the oldest one asks.
    if (server.host === 'oldest') await page.getByRole('button', { name: /No, I don't trust/ }).click();
    await workbench.openContainer('Memory');
    await workbench.treeRow('keep-commits-small').waitFor();
    await workbench.statusItem('Memory off').waitFor();
    await workbench.screenshot('untrusted');
    await page.keyboard.press('F1');
    await workbench.quickInput().fill('>Memory: ');
    await workbench.quickPickRow('Memory: Go to Memory…').waitFor();
    for (const label of ['Remember This…', 'Learn from Past Sessions…', 'Undo Last Change'])
      assert.equal(await workbench.quickPickRow(label).count(), 0, label);
    await page.keyboard.press('Escape');
  });
});
