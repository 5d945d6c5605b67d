// A dream as a person sees it, in a real workbench: asked for, watched, reviewed in part, applied, looked at and taken back to the
// last byte and the last millisecond. Pictures land in shots/.

import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { transcript, uuidOf } from '../support/transcripts';
import { useSession } from './session';

const dayMs = 24 * 60 * 60 * 1000;
const written = new Date(Date.now() - 20 * dayMs);

/** Where the audit was spoken of, in the third line of some more. */
const auditChat = uuidOf('the chat of the audit');
const memory = (name: string, type: string, body: string): string =>
  `---\nname: ${name}\ndescription: "About ${name.toLowerCase()}"\nmetadata:\n  node_type: memory\n  type: ${type}\n  modified: ${written.toISOString()}\n---\n\n${body}\n`;

const memories: Readonly<Record<string, string>> = {
  'harbor-audit.md': memory(
    'Harbor audit',
    'project',
    'The audit of the harbor is tomorrow.\n\nThe auditor wants the delivery log.\n\nThe log is in the store.\n\nThe keys are with Rui.\n\nThe dry run was yesterday.',
  ).replace('\n---\n\n', `\n  originSessionId: ${auditChat}\n  sourceMessages: [${uuidOf('audit')}]\n---\n\n`),
  'tabs.md': memory(
    'Tabs in makefiles',
    'feedback',
    'Makefiles use tabs for indentation, because make refuses spaces.',
  ),
  'tabs-again.md': memory('Tabs', 'feedback', 'Makefiles use tabs for indentation, because make refuses spaces.'),
  'gate-limit.md': memory('Gate limit', 'project', 'The gate is tried at most 3 times.'),
  'gate-limit-now.md': memory('Gate limit now', 'project', 'The gate is tried at most 4 times.').replace(
    written.toISOString(),
    new Date(written.getTime() + dayMs).toISOString(),
  ),
};

/** Every memory with its bytes and its time, to the millisecond: Node can't set a time more exactly. */
const stateOf = (folder: string): Record<string, readonly [string, number]> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => [
        name,
        [readFileSync(join(folder, name), 'latin1'), Math.round(statSync(join(folder, name)).mtimeMs)],
      ]),
  );

describe('a dream', function () {
  this.timeout(120_000);
  const session = useSession({ size: { width: 1280, height: 900 }, opensSample: false });
  let original: ReturnType<typeof stateOf>;
  let page: FrameLocator;

  const text = (name: string): string => readFileSync(join(session().sample.memoryDir, name), 'utf8');
  const card = (name: string) => page.locator('article', { has: page.locator('h2', { hasText: name }) });

  before(async () => {
    const { sample, workbench } = session();
    for (const [name, content] of Object.entries(memories)) {
      writeFileSync(join(sample.memoryDir, name), content);
      utimesSync(join(sample.memoryDir, name), written, written);
    }
    const talk = transcript(auditChat, sample.project, { at: written.getTime() })
      .human('What is left to do for the harbor?')
      .assistant('The audit, and the keys.')
      .human('The audit of the harbor is tomorrow, and the dry run was yesterday.', { uuid: uuidOf('audit') });
    for (let more = 0; more < 40; more += 1) talk.human(`And then ${more}?`).assistant('Then the next thing.');
    writeFileSync(join(sample.transcriptDir, `${auditChat}.jsonl`), talk.turnEnd().text());
    utimesSync(join(sample.transcriptDir, `${auditChat}.jsonl`), written, written);
    original = stateOf(sample.memoryDir);
    await workbench.open(sample.project);
    await workbench.openContainer('Memory');
    await workbench.treeRow('harbor-audit').or(workbench.treeRow('Harbor audit')).first().waitFor();
  });

  it('that does not run yet says why, gate by gate', async () => {
    const { workbench } = session();
    await workbench.treeRow('Next dream').waitFor();
    for (const gate of ['Assistant mode', 'Enabled', 'Time', 'Scan throttle', 'Sessions', 'Lock'])
      await workbench.treeRow(gate).first().waitFor();
    await workbench.treeRow(/^No dream yet/).waitFor();
    await workbench.screenshot('dream-gates');
  });

  it('runs from the palette, shows its progress in the status bar, and changes nothing before a review', async () => {
    const { workbench, sample } = session();
    await workbench.page.evaluate(`
      window.statusTexts = [];
      new MutationObserver(() => {
        const text = [...document.querySelectorAll('.part.statusbar .statusbar-item')].map((one) => one.textContent).find((one) => /Dreaming/.test(one));
        if (text && window.statusTexts.at(-1) !== text) window.statusTexts.push(text);
      }).observe(document.querySelector('.part.statusbar'), { subtree: true, childList: true, characterData: true });
    `);
    await workbench.palette('Memory: Run Dream');
    await workbench.statusItem(/\d+ changes to review/).waitFor();
    const seen = (await workbench.page.evaluate('window.statusTexts')) as string[];
    assert.ok(
      seen.some((each) => /Dreaming [1-4]\/4/.test(each)),
      JSON.stringify(seen),
    );
    await workbench.toast(/A dream is done: \d+ changes to review/).waitFor();
    await workbench.treeRow(/^\d+ changes to review/).waitFor();
    await workbench.screenshot('dream-waiting');
    assert.deepEqual(stateOf(sample.memoryDir), original);
  });

  it('is reviewed from the status bar', async () => {
    const { workbench } = session();
    await workbench.palette('Notifications: Clear All Notifications');
    await workbench.statusItem(/\d+ changes to review/).click();
    await workbench.quickPickRow('Review').first().waitFor();
    await workbench.screenshot('dream-actions');
    await workbench.page.keyboard.press('Enter');
    page = await workbench.webview('.list[data-drawn]');
    await card('Harbor audit').waitFor();
    await workbench.screenshot('dream-review');
  });

  it('shows a change in the editor’s own diff, too', async () => {
    const { workbench } = session();
    await card('Harbor audit')
      .getByRole('button', { name: /^Open diff/ })
      .click();
    await workbench.tab('before and after the dream').waitFor();
    await workbench.page.locator('.monaco-diff-editor').waitFor();
    await workbench.screenshot('dream-diff');
    await workbench.palette('View: Close Editor');
    await workbench.tab('before and after the dream').waitFor({ state: 'detached' });
    page = await workbench.webview('.list[data-drawn]');
  });

  it('leads from a change to the very message it came from, and counts the messages', async () => {
    const { workbench } = session();
    await card('Harbor audit')
      .getByText(/· 1 message$/)
      .first()
      .waitFor();
    await card('Harbor audit').getByRole('button', { name: 'What is left to do for the harbor?' }).click();
    await workbench.statusItem(/^Ln 3, /).waitFor();
    await workbench.screenshot('dream-source');
    await workbench.palette('View: Close Editor');
    page = await workbench.webview('.list[data-drawn]');
  });

  it('is applied without one file and one part, and the tree follows', async () => {
    const { workbench } = session();
    const { page: window } = workbench;
    // A part and a file are left out by what a person clicks.
    const part = card('Harbor audit').getByRole('checkbox', { name: /Change 2 of 2/ });
    await part.click();
    await card('Tabs').first().locator('header input').click();
    await card('Gate limit').getByText('Keep both').click();
    await card('Harbor audit').scrollIntoViewIfNeeded();
    await window.mouse.move(0, 0);
    await workbench.screenshot('dream-chosen');
    await page.getByRole('button', { name: /^Apply Selected/ }).click();
    await page.getByText(/^Applied \d+ changes?$/).waitFor();
    await workbench.screenshot('dream-applied');
    const audit = text('harbor-audit.md');
    assert.ok(!audit.includes('tomorrow') && audit.includes('yesterday'), audit);
    assert.equal(text('tabs-again.md'), memories['tabs-again.md']);
    assert.match(text('gate-limit.md'), /supersededBy: gate-limit-now\.md/);
    await workbench.treeRow(/^Improved \d+ memor/).waitFor();
    await workbench.statusItem(/^\s*Memory\s*$/).waitFor();
    await window.mouse.move(0, 0);
  });

  it('is taken back to the last byte and millisecond', async () => {
    const { workbench, sample } = session();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').first().waitFor();
    assert.deepEqual(stateOf(sample.memoryDir), original);
    await workbench.treeRow(/^Undone: Improved/).waitFor();
    await workbench.screenshot('dream-undone');
  });

  it('can be taken back from the Dream view after the window was loaded anew', async () => {
    const { workbench, sample } = session();
    await workbench.palette('Memory: Run Dream');
    await workbench.statusItem(/\d+ changes to review/).waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
    await workbench.palette('Memory: Review Changes');
    page = await workbench.webview('.list[data-drawn]');
    await page.getByRole('button', { name: 'Apply All' }).click();
    await page.getByText(/^Applied \d+ changes?$/).waitFor();
    await workbench.open(sample.project);
    await workbench.openContainer('Memory');
    // The last row to come: from here on nothing moves away under the pointer.
    await workbench.treeRow(/^Lock/).waitFor();
    const run = workbench.treeRow(/^Improved \d+ memor/).first();
    await run.hover();
    await run.locator('a.action-label[aria-label^="Undo Dream"]').click();
    await workbench.toast(/^Undone/).waitFor();
    assert.deepEqual(stateOf(sample.memoryDir), original);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('is discarded from its row, and the memories stay as they are', async () => {
    const { workbench, sample } = session();
    await workbench.palette('Memory: Run Dream');
    const row = workbench.treeRow(/^\d+ changes? to review/);
    await row.waitFor();
    await row.hover();
    await row.locator('a.action-label[aria-label^="Discard"]').click();
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Discard' }).click();
    await row.waitFor({ state: 'detached' });
    const gone = workbench.treeRow(/^Discarded \d+ change/);
    await gone.waitFor();
    assert.deepEqual(stateOf(sample.memoryDir), original);
    // Nothing is lost: what was discarded can be looked at again.
    await gone.hover();
    await gone.locator('a.action-label[aria-label^="Review What Was Left Out"]').click();
    page = await workbench.webview('.list[data-drawn]');
    await card('Harbor audit').getByText('updated').waitFor();
    await row.waitFor();
    await workbench.screenshot('dream-again');
    await row.hover();
    await row.locator('a.action-label[aria-label^="Discard"]').click();
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Discard' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('meets a file that somebody edits meanwhile: it becomes a conflict before their eyes, and both can be kept', async () => {
    const { workbench, sample } = session();
    const file = join(sample.memoryDir, 'harbor-audit.md');
    const edited = `${memories['harbor-audit.md']}\nThe harbor master wants a copy.\n`;
    await workbench.palette('Memory: Run Dream');
    await workbench.statusItem(/\d+ changes to review/).waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
    await workbench.palette('Memory: Review Changes');
    page = await workbench.webview('.list[data-drawn]');
    await card('Harbor audit').getByText('updated').waitFor();
    writeFileSync(file, edited);
    await card('Harbor audit').getByText('conflict').waitFor();
    await workbench.treeRow(/^Harbor audit.*conflict/).waitFor();
    await workbench.screenshot('dream-conflict');
    for (const name of ['Retries of deliveries', 'Memory index', 'Gate limit'])
      await card(name).locator('header input').click();
    await card('Harbor audit').getByText('Take both').click();
    await page.getByRole('button', { name: /^Apply Selected/ }).click();
    await page.getByText(/^Applied \d+ changes?$/).waitFor();
    const now = text('harbor-audit.md');
    assert.ok(now.includes('The harbor master wants a copy.') && !now.includes('tomorrow'), now);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').first().waitFor();
    assert.equal(text('harbor-audit.md'), edited);
  });

  it('says in the hover of the status bar when the next one may come', async () => {
    const { workbench } = session();
    await workbench.statusItem('1 change to review').hover();
    const hover = workbench.page.locator('.monaco-hover', { hasText: 'Scan throttle' });
    await hover.waitFor();
    await workbench.screenshot('dream-hover');
    assert.match((await hover.textContent()) ?? '', /Next dream in \d+ h/);
    await workbench.page.mouse.move(600, 300);
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
