// What a person sees and does in the Memory views, in a real workbench: rows, marks, buttons, keys, toasts and undo.
// Pictures land in shots/, in three themes and two widths, to be looked at.

import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { appendTurn } from '../support/sample';
import { textsIn, useSession } from './session';

describe('the Memory views', function () {
  this.timeout(120_000);
  // Dreams have a test of their own; one that comes by itself would stand in between.
  const session = useSession({ size: { width: 1100, height: 900 }, settings: { 'reverie.dream.mode': 'manual' } });

  const row = (text: string | RegExp): Locator => session().workbench.treeRow(text);
  /** A button that shows on a row under the pointer. */
  const onRow = async (text: string | RegExp, title: string): Promise<void> => {
    // A row that moves up under the mouse loses its buttons to the next one.
    for (let tries = 1; ; tries += 1) {
      await row(text).hover();
      const click = row(text).locator(`a.action-label[aria-label^="${title}"]`).click({ timeout: 3000 });
      const failure = await click.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      if (tries === 5) throw failure;
    }
  };
  const toastButton = async (text: string | RegExp, button: string): Promise<void> => {
    const toast = session().workbench.toast(text);
    await toast.locator('.monaco-button', { hasText: button }).click();
    await toast.waitFor({ state: 'hidden' });
  };
  const gone = (text: string | RegExp): Promise<void> => row(text).waitFor({ state: 'detached' });

  it('show the memories of the open folder by type, and a problem as what it is', async () => {
    const { workbench, sample } = session();
    const team = join(sample.memoryDir, 'team');
    mkdirSync(team);
    const at = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
    const memory = (name: string, type: string, days: number, more = ''): string =>
      `---\nname: ${name}\ndescription: Said in a review.\nmetadata:\n  type: ${type}\n  modified: ${at(days)}\n${more}---\n\n${name}.\n`;
    writeFileSync(join(team, 'real-database.md'), memory('Integration tests hit a real database', 'feedback', 3));
    writeFileSync(join(team, 'blue-runner.md'), memory('Deploy from blue runner', 'feedback', 201, '  pinned: true\n'));
    await workbench.openContainer('Memory');
    await workbench.sidebarWidth(280);
    await row('MEMORY.md').waitFor();
    await row(/onboarding\.md.*invalid YAML, line 3/).waitFor();
    await row('Integration tests hit a real database').waitFor();
    await row(/Deploy from blue runner/)
      .locator('.codicon-history')
      .waitFor();
    // The team's badge is drawn by the decoration of the row's own address, a moment after the row.
    await row('Deploy from blue runner').locator('[class*="itemBadge"]').waitFor({ state: 'attached' });
    assert.equal(await row('keep-commits-small').locator('[class*="itemBadge"]').count(), 0);
  });

  it('pin with one click, and the row moves to the top of its group', async () => {
    await onRow('keep-commits-small', 'Pin');
    await row('keep-commits-small').locator('.custom-view-tree-node-item-icon.codicon-pinned').waitFor();
    await onRow('keep-commits-small', 'Unpin');
    await row('keep-commits-small').locator('.custom-view-tree-node-item-icon.codicon-comment').waitFor();
  });

  it('delete with the key, and bring back with Undo', async () => {
    const { workbench, sample } = session();
    const file = join(sample.memoryDir, 'sensor-dashboards.md');
    const text = readFileSync(file, 'utf8');
    await row('sensor-dashboards').click();
    await workbench.tab('sensor-dashboards.md').waitFor();
    await row('sensor-dashboards').click();
    await workbench.page.keyboard.press('Delete');
    await workbench.toast('Moved “sensor-dashboards” to the trash.').waitFor();
    await gone('sensor-dashboards');
    assert.equal(existsSync(file), false);
    await workbench.screenshot('views-deleted');
    await toastButton('Moved “sensor-dashboards” to the trash.', 'Undo');
    await row('sensor-dashboards').waitFor();
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  it('never make a link of a stranger’s words, in a row or in a notification', async () => {
    const { workbench, sample } = session();
    const name = '[Click](command:workbench.action.closeAllEditors) <b>bold</b>';
    const file = join(sample.memoryDir, 'stranger.md');
    writeFileSync(file, `---\nname: "${name}"\ndescription: "${name}"\ntype: user\n---\n\nx\n`);
    await row(name).waitFor();
    await row(name).hover();
    const hover = workbench.page.locator('.monaco-hover', { hasText: 'Written' });
    await hover.waitFor();
    assert.deepEqual([await hover.locator('a').count(), await hover.locator('b, strong').count()], [0, 1]);
    await onRow(name, 'Delete');
    const toast = workbench.toast('to the trash.');
    await toast.waitFor();
    assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
    assert.equal(existsSync(file), false);
    await gone(name);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('bring back from the trash what was deleted long ago', async () => {
    const { workbench } = session();
    await onRow('retry-budget', 'Delete');
    await gone('retry-budget');
    await workbench.palette('Notifications: Clear All Notifications');
    await workbench.palette('Memory: Show Trash');
    await workbench.quickPickRow('retry-budget.md').click();
    await workbench.screenshot('views-trash');
    await workbench.page.keyboard.press('Enter');
    await workbench.toast('Brought back “').waitFor();
    await row('retry-budget').waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('rename with F2, and leave the file where it is', async () => {
    const { workbench, sample } = session();
    await row('reader-role').click();
    await row('reader-role').click();
    await workbench.page.keyboard.press('F2');
    await workbench.quickInput().fill('Maintains ingest');
    await workbench.page.keyboard.press('Enter');
    await row('Maintains ingest').waitFor();
    assert.match(readFileSync(join(sample.memoryDir, 'reader-role.md'), 'utf8'), /^name: Maintains ingest$/m);
    await workbench.palette('Memory: Undo Last Change');
    await row('reader-role').waitFor();
  });

  it('remember typed words, with the guess for their type first', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Remember This…');
    await workbench.quickInput().fill('Always run pnpm test before a commit');
    await workbench.page.keyboard.press('Enter');
    await workbench.quickPickRow('How you want things done').waitFor();
    await workbench.screenshot('views-remember-type');
    await workbench.page.keyboard.press('Enter');
    await workbench.toast(/Remembered “/).waitFor();
    await row(/pnpm test before a commit/).waitFor();
    await toastButton(/Remembered “/, 'Undo');
    await gone(/pnpm test before a commit/);
  });

  it('remember what is selected in the editor', async () => {
    const { workbench, sample } = session();
    const { page } = workbench;
    await row('keep-commits-small').click();
    const line = page.locator('.monaco-editor .view-line', { hasText: 'Keep commits small: one change each' }).first();
    await line.click({ clickCount: 3 });
    await workbench.palette('Memory: Remember This…');
    await workbench.quickPickRow('How you want things done').waitFor();
    await page.keyboard.press('Escape');
    assert.ok(!readdirSync(sample.memoryDir).some((name) => name.includes('one-change-each')));
  });

  it('go to a memory with a preview, and leave the editor as it was on Escape', async () => {
    const { workbench } = session();
    const { page } = workbench;
    await workbench.palette('View: Close All Editors');
    await workbench.palette('Memory: Go to Memory…');
    await workbench.quickInput().fill('grafana');
    await workbench.quickPickRow('sensor-dashboards').waitFor();
    await workbench.tab('sensor-dashboards.md').waitFor();
    await workbench.screenshot('views-go-to');
    await page.keyboard.press('Escape');
    await workbench.tab('sensor-dashboards.md').waitFor({ state: 'hidden' });
    await workbench.palette('Memory: Go to Memory…');
    await workbench.quickInput().fill('grafana');
    await workbench.quickPickRow('sensor-dashboards').waitFor();
    await page.keyboard.press('Enter');
    await workbench.tab('sensor-dashboards.md').waitFor();
    // The focus comes after the tab, and would close a palette that is opened in between.
    await page.locator('.monaco-editor.focused').waitFor();
    await workbench.palette('View: Close All Editors');
  });

  it('filter by words, and clear it on the filter’s own row', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Filter…');
    await workbench.quickInput().fill('retr');
    await workbench.quickPickRow('Contains “retr”').waitFor();
    await workbench.page.keyboard.press('Enter');
    await row('2 of').waitFor();
    await gone('keep-commits-small');
    await workbench.screenshot('views-filtered');
    await onRow('2 of', 'Clear Filter');
    await row('keep-commits-small').waitFor();
  });

  it('learn from past sessions when asked, show each chat’s outcome, and put a number on the icon', async () => {
    const { workbench } = session();
    await row(/./).first().waitFor();
    await workbench.palette('Memory: Learn from Past Sessions…');
    await workbench.quickPickRow('5 sessions since').waitFor();
    await workbench.screenshot('views-past-range');
    await workbench.page.keyboard.press('Enter');
    await workbench.toast(/Read 5 sessions\./).waitFor();
    await row(/^Suggestions/).waitFor();
    await workbench.container('Memory').locator('.badge-content', { hasText: /[1-9]/ }).waitFor();
    await workbench.pane('Dream').locator('.pane-header').click();
    await workbench.pane('Sessions').locator('.pane-header').click();
    await row(/^Yesterday/).waitFor();
    // Older days begin folded, and a row out of sight is not there.
    await workbench.palette('Memory: Show Sessions');
    await workbench.page.keyboard.press('Home');
    for (let tries = 0; tries < 50 && (await row(/Add jitter/).count()) === 0; tries += 1) {
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.page.keyboard.press('ArrowDown');
      await workbench.page.waitForTimeout(100);
    }
    await row(/Add jitter to the retry delay/)
      .locator('.codicon-pass')
      .waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('look as drawn, in three themes and two widths', async () => {
    const { workbench } = session();
    await workbench.inThemes(async (name) => {
      for (const px of [280, 220]) {
        await workbench.sidebarWidth(px);
        await workbench.page.mouse.move(900, 400);
        await workbench.screenshot(`views-${name}-${px}`);
        // The one row that must never be cut is the meter, at 280 px.
        const meter = row('MEMORY.md').locator('.label-description');
        if (px === 280) assert.ok(await meter.evaluate((one) => one.scrollWidth <= one.clientWidth + 1));
      }
    });
    await workbench.sidebarWidth(280);
  });

  it('show a suggestion as the file it would be, with Accept and Dismiss above it', async () => {
    const { workbench } = session();
    const { page } = workbench;
    await page.locator('.monaco-list-row[aria-label*=", suggestion, "]').first().click();
    await page.locator('.monaco-editor .view-line', { hasText: /^name:/ }).waitFor();
    await page.locator('.editor-actions a.action-label[aria-label^="Accept"]').waitFor();
    await workbench.screenshot('views-suggestion');
    await workbench.palette('View: Close All Editors');
  });

  it('accept a suggestion with its check mark and dismiss another', async () => {
    const { workbench } = session();
    const suggestion = workbench.page.locator('.monaco-list-row[aria-label*=", suggestion, "]').first();
    await suggestion.hover();
    await suggestion.locator('a.action-label[aria-label^="Accept"]').click();
    await workbench.toast(/Remembered “/).waitFor();
    await workbench.page.locator('.monaco-list-row[aria-label="Suggestions, 1"]').waitFor();
    await suggestion.hover();
    await suggestion.locator('a.action-label[aria-label^="Dismiss"]').click();
    await gone(/^Suggestions/);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('save what a chat asks to keep when its turn ends, and say it once with Show and Undo', async () => {
    const { workbench, sample } = session();
    const chat = sample.sessions.at(-1)?.file ?? '';
    const before = textsIn(sample.memoryDir);
    appendTurn(chat, (talk) =>
      talk
        .human('From now on never mock the store in tests, because a mock hid the last bug.')
        .assistant('Noted.')
        .turnEnd(),
    );
    await workbench.toast(/Saved 1 memory from “Look for flaky tests”/).waitFor({ timeout: 60_000 });
    await workbench.screenshot('views-first-save');
    await row(/[Nn]ever mock the store/).waitFor();
    await toastButton(/Saved 1 memory from/, 'Undo');
    await gone(/[Nn]ever mock the store/);
    assert.deepEqual(textsIn(sample.memoryDir), before, 'topic files and index are what they were, byte for byte');
    await workbench.palette('Notifications: Clear All Notifications');

    appendTurn(chat, (talk) =>
      talk
        .human('Remember: releases are cut on Tuesdays, because the captain is ashore then.')
        .assistant('Noted.')
        .turnEnd(),
    );
    await workbench.statusItem('Saved 1 memory').waitFor({ timeout: 60_000 });
    await row(/[Rr]eleases are cut on/).waitFor();
    assert.equal(await workbench.toast(/Saved 1 memory/).count(), 0, 'only the status bar says it the second time');
  });

  it('pause for an hour, say until when, and resume', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Pause…');
    await workbench.quickPickRow('For an hour').waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.statusItem(/Memory paused until \d/).waitFor();
    await workbench.statusItem(/Memory paused until \d/).click();
    await workbench.statusItem(/^\s*Memory\s*$/).waitFor();
  });

  it('ask nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
