// Assistant mode as a person sees it, in a real workbench: switched on, a chat grows the log of the day and no memory, Run Dream makes
// memories of it after a look, and each knows the line it came from. Pictures land in shots/, in three themes and two widths.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { appendTurn } from '../support/sample';
import { textsIn, useSession } from './session';

describe('assistant mode', function () {
  this.timeout(120_000);
  const session = useSession({ size: { width: 1280, height: 900 }, opensSample: false });
  let page: FrameLocator;
  let original: ReturnType<typeof textsIn>;

  const row = (text: string | RegExp): Locator => session().workbench.treeRow(text);
  const path = pathOfToday();
  const log = () => readFileSync(join(session().sample.memoryDir, path), 'utf8');
  const memoriesNow = () =>
    Object.fromEntries(
      Object.entries(textsIn(session().sample.memoryDir)).filter(([file]) => !/\/logs\/|\.consolidate-lock/.test(file)),
    );
  const say = (text: string) => {
    const chat = session().sample.sessions.at(-1)?.file ?? '';
    appendTurn(chat, (talk) => talk.human(text).assistant('Noted.').turnEnd());
  };

  function pathOfToday(): string {
    const now = new Date();
    const two = (value: number) => String(value).padStart(2, '0');
    const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    return `logs/${date.slice(0, 4)}/${date.slice(5, 7)}/${date}.md`;
  }

  before(async () => {
    const { sample, workbench } = session();
    original = textsIn(sample.memoryDir);
    await workbench.open(sample.project);
    await workbench.openContainer('Memory');
    await row('keep-commits-small').first().waitFor();
    // The views have settled when the last of them is drawn.
    await row(/^Lock/).waitFor();
  });

  it('is switched on in the settings, and says so: no log yet, and dreams are left to the night', async () => {
    const { workbench, server } = session();
    assert.equal(await row('Daily logs').count(), 0);
    server.changeSettings({ 'reverie.assistantMode.enabled': true });
    await row(/^Daily logs.*nothing yet/).waitFor();
    await row(/^Assistant mode.*nightly dream/).waitFor();
    await row(/^Next dream.*at night, after 3:00/).waitFor();
    await workbench.screenshot('assistant-on');
  });

  it('notes what a chat brings in the log of the day, tells it once, and changes no memory', async () => {
    const { workbench } = session();
    say('From now on never mock the store in tests, because a mock hid the last bug.');
    await workbench.toast(/Noted 1 line of “Look for flaky tests” in the daily log/).waitFor({ timeout: 60_000 });
    await row(/[Nn]ever mock the store/).waitFor();
    await workbench.screenshot('assistant-noted');
    await workbench.palette('Notifications: Clear All Notifications');
    say('Remember: releases are cut on Tuesdays, because the captain is ashore then.');
    await workbench.statusItem('Noted 1 line').waitFor({ timeout: 60_000 });
    await row(/[Rr]eleases are cut on/).waitFor();
    assert.match(
      log(),
      /^- \d\d:\d\d feedback: .*never mock the store.* <!-- \w{12} -->\n- \d\d:\d\d \w+: Releases are cut on Tuesdays.* <!-- \w{12} -->\n$/i,
    );
    assert.deepEqual(memoriesNow(), original);
  });

  it('opens a log at its line', async () => {
    const { workbench } = session();
    await row(/[Rr]eleases are cut on/).click();
    await workbench.tab(`${path.slice(-13)}`).waitFor();
    await workbench.statusItem(/Ln 2, Col/).waitFor();
    await workbench.screenshot('assistant-line');
  });

  it('dreams when it is asked to, and the review names the day and the line of the log', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Run Dream');
    await workbench.statusItem(/\d+ changes to review/).waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
    await workbench.palette('Memory: Review Changes');
    page = await workbench.webview('.list[data-drawn]');
    const card = page.locator('article', { has: page.locator('h2', { hasText: /Releases are cut on/i }) });
    await card
      .getByText(/daily log/)
      .first()
      .waitFor();
    const source = card.getByRole('button', { name: /Daily log of/ });
    await source.scrollIntoViewIfNeeded();
    await workbench.screenshot('assistant-review');
    await source.click();
    await workbench.statusItem(/Ln 2, Col/).waitFor();
    await workbench.tab('Dream Review').click();
    assert.deepEqual(memoriesNow(), original, 'nothing changes before a review');
  });

  it('makes memories of the log when they are applied, and the log stays as it is', async () => {
    const { workbench } = session();
    const before = log();
    page = await workbench.webview('.list[data-drawn]');
    for (const name of [/Releases are cut on/i, /never mock the store/i])
      assert.ok(await page.locator('article', { has: page.locator('h2', { hasText: name }) }).count());
    await page.getByRole('button', { name: 'Apply All' }).click();
    await page.getByText(/^Applied \d+ changes?$/).waitFor();
    assert.equal(log(), before);
    const texts = Object.values(memoriesNow()).join('\n');
    assert.match(texts, /Releases are cut on Tuesdays/);
    assert.match(texts, /sourceLogs: \["logs\/\d{4}\/\d{2}\/\d{4}-\d{2}-\d{2}\.md#\w{12}"\]/);
    await workbench.palette('View: Close All Editors');
  });

  it('leads from a memory to its line', async () => {
    const { workbench } = session();
    const memory = workbench.page.locator('.monaco-list-row[role="treeitem"][aria-level="2"]', {
      hasText: /Releases are cut on/,
    });
    await memory.click({ button: 'right' });
    await workbench.page.locator('.context-view .action-label', { hasText: 'Open Source Message' }).hover();
    await workbench.page.keyboard.press('Enter');
    await workbench.tab(`${path.slice(-13)}`).waitFor();
    await workbench.statusItem(/Ln 2, Col/).waitFor();
    await memory.hover();
    const hover = workbench.page.locator('.monaco-hover', { hasText: 'From the daily log of' });
    await hover.waitFor();
    await workbench.screenshot('assistant-hover');
    await workbench.page.mouse.move(700, 500);
  });

  it('takes a line back by another line, and the tree shows it', async () => {
    const { workbench } = session();
    say('Remember: the spare anchor lies in the boathouse, behind the sails.');
    await row(/spare anchor/).waitFor({ timeout: 60_000 });
    await workbench.palette('Memory: Undo Last Change');
    await workbench.toast(/^Taken back: a line in the daily log says so/).waitFor();
    await row(/spare anchor.*taken back/).waitFor();
    assert.match(log(), /taken back: .*spare anchor/i);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('looks right in every theme and when it is narrow', async () => {
    const { workbench } = session();
    await workbench.inThemes(async (name) => {
      await workbench.page.mouse.move(700, 500);
      await workbench.screenshot(`assistant-${name}`);
    });
    await workbench.sidebarWidth(220);
    await workbench.screenshot('assistant-narrow');
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
