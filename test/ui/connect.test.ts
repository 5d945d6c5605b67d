// *Connect Claude Code…* as a person goes through it: what is shown is what is added, a file of an odd shape is merged and given
// back to the byte. And what an agent of the editor asks of memory, confirmed by hand. Pictures land in shots/.

import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useSession } from './session';

const settingsText = `{
  // Formatting runs after each edit.
  "hooks": {
    "PostToolUse": [{ "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "prettier --write" }] }],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] },],
  },
\t"permissions": { "allow": ["Bash(npm test:*)"] },
}
`;

describe('Claude Code, connected in the editor', function () {
  this.timeout(90_000);
  const session = useSession({ size: { width: 1100, height: 800 } });

  const settings = (): string => join(session().sample.configDir, 'settings.json');
  const read = (): string => readFileSync(settings(), 'utf8');
  const dialog = (): Locator => session().workbench.page.locator('.monaco-dialog-box');
  const press = (label: string): Promise<void> =>
    dialog()
      .locator('.monaco-button', { hasText: new RegExp(`^${label}$`) })
      .click();
  const ask = async (): Promise<void> => {
    const { workbench } = session();
    await workbench.palette('Memory: Connect Claude Code…');
    await workbench.quickPickRow('In all projects').waitFor();
  };
  const clear = (): Promise<void> => session().workbench.palette('Notifications: Clear All Notifications');

  it('asks where, shows exactly what is added, and changes nothing when a person goes away', async () => {
    const { workbench } = session();
    writeFileSync(settings(), settingsText);
    await workbench.openContainer('Memory');
    await ask();
    await workbench.quickPickRow('Only in this project, on this machine').waitFor();
    await workbench.screenshot('connect-where');
    await workbench.quickPickRow('In all projects').click();
    await dialog().waitFor();
    const text = (await dialog().textContent()) ?? '';
    for (const event of ['UserPromptSubmit', 'Stop', 'SessionEnd', 'PreCompact']) assert.match(text, new RegExp(event));
    assert.match(text, /reverie-hook/);
    await workbench.inThemes((name) => workbench.screenshot(`connect-${name}`));
    await workbench.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(read(), settingsText);
  });

  it('adds it to what stands there, keeps a copy, and says so; the second time it only says so', async () => {
    const { workbench, sample } = session();
    await ask();
    await workbench.quickPickRow('In all projects').click();
    await dialog().waitFor();
    await press('Connect');
    await workbench.toast(/Claude Code is connected in .*settings\.json\. Sessions that begin from now on/).waitFor();
    await workbench.page.locator('.notifications-toasts.visible').waitFor();
    const after = read();
    assert.match(after, /\/\/ Formatting runs after each edit\./);
    assert.match(after, /prettier --write/);
    assert.match(after, /say done/);
    assert.equal(after.match(/reverie-hook/g)?.length, 4);
    const kept = join(sample.configDir, 'reverie/connections');
    const copy = readdirSync(kept).find((name) => name.endsWith('.settings.json')) ?? '';
    assert.equal(readFileSync(join(kept, copy), 'utf8'), settingsText);
    assert.ok(existsSync(join(sample.configDir, 'reverie/bin/reverie-hook')));
    await clear();
    await ask();
    await workbench.quickPickRow('In all projects').click();
    await workbench.toast(/is connected in .* already/).waitFor();
    await workbench.screenshot('connect-already');
    assert.equal(read(), after);
    await clear();
  });

  it('takes it out again to the byte', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Disconnect Claude Code…');
    await dialog().waitFor();
    await workbench.screenshot('disconnect-asks');
    await press('Disconnect');
    await workbench.toast(/Claude Code is disconnected/).waitFor();
    assert.equal(read(), settingsText);
    await clear();
    await workbench.palette('Memory: Disconnect Claude Code…');
    await workbench.toast('Claude Code is not connected.').waitFor();
    await clear();
  });

  it('connects one project on this machine, and leaves neither file nor folder behind', async () => {
    const { workbench, sample } = session();
    const local = join(sample.project, '.claude/settings.local.json');
    assert.equal(existsSync(local), false);
    await ask();
    await workbench.quickPickRow('Only in this project').click();
    await press('Connect');
    await workbench.toast(/settings\.local\.json/).waitFor();
    assert.equal(readFileSync(local, 'utf8').match(/reverie-hook/g)?.length, 4);
    await clear();
    await workbench.palette('Memory: Disconnect Claude Code…');
    await press('Disconnect');
    await workbench.toast(/Claude Code is disconnected/).waitFor();
    assert.equal(existsSync(local), false);
    await clear();
  });

  it('says what is wrong with a file that can’t be changed, opens it, and leaves it alone', async () => {
    const { workbench } = session();
    const broken = '{ "hooks": { "Stop": [ }';
    writeFileSync(settings(), broken);
    await ask();
    await workbench.quickPickRow('In all projects').click();
    const toast = workbench.toast(/is no valid JSON\. Nothing was changed; mend it first\./);
    await toast.waitFor();
    await workbench.screenshot('connect-broken');
    assert.equal(read(), broken);
    await toast.locator('.monaco-button', { hasText: 'Open File' }).click();
    await workbench.tab('settings.json').waitFor();
    await clear();
  });

  it('is read whole in a narrow window', async () => {
    const { workbench } = session();
    writeFileSync(settings(), settingsText);
    await workbench.page.setViewportSize({ width: 560, height: 700 });
    await ask();
    await workbench.quickPickRow('In all projects').click();
    await dialog().waitFor();
    await workbench.screenshot('connect-narrow');
    const box = await dialog().boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 560 && box.y >= 0 && box.y + box.height <= 700);
    await workbench.page.keyboard.press('Escape');
    await workbench.page.setViewportSize({ width: 1100, height: 800 });
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
