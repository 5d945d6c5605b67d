// Recall in a real workbench: a question is selected where one works, the answer stands below it, and each button does what it
// says and takes it back. Pictures land in shots/, in three themes, to be looked at.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useSession } from './session';

const stranger = `---
name: "<b>Hostile</b> [zeppelin](command:workbench.action.closeAllEditors)"
type: reference
---

![beacon](http://beacon.invalid/zeppelin.png) <img src="http://beacon.invalid/raw.png">

The zeppelin flies. [Land it](command:workbench.action.closeAllEditors) with \`$(pwd)\`. <script>alert(1)</script>

\`\`\`sh
echo unclosed
`;

describe('recall where one works', function () {
  this.timeout(60_000);
  const session = useSession({ size: { width: 1200, height: 1300 } });

  const page = () => session().workbench.page;
  const thread = (): Locator => page().locator('.review-widget').last();
  const comment = (name: string, says: string | RegExp = ''): Locator =>
    thread()
      .locator('.review-comment', { has: page().locator('.author', { hasText: name }) })
      .filter({ hasText: says });
  const row = (text: string | RegExp): Locator => session().workbench.treeRow(text);
  const file = (name: string): string => join(session().sample.memoryDir, name);

  async function openFile(name: string): Promise<void> {
    const { workbench } = session();
    await page().keyboard.press('Control+p');
    await workbench.quickInput().fill(name);
    await workbench.quickPickRow(name).first().waitFor();
    await page().keyboard.press('Enter');
    await workbench.tab(name).waitFor();
    await page().locator('.monaco-editor.focused').first().waitFor();
  }

  async function goToLine(line: number): Promise<void> {
    const { workbench } = session();
    await page().keyboard.press('Control+g');
    await workbench.quickInput().fill(`:${line}`);
    await page().keyboard.press('Enter');
    await workbench.quickInput().waitFor({ state: 'hidden' });
  }

  /** A button of a comment, which shows while the pointer or the focus is on it. */
  async function press(name: string, title: string): Promise<void> {
    await comment(name).hover();
    await comment(name).locator(`a.action-label[aria-label^="${title}"]`).click();
  }
  const pressTitle = (title: string): Promise<void> =>
    thread().locator(`.head a.action-label[aria-label^="${title}"]`).click();
  const title = (): Locator => thread().locator('.head .filename');
  const textOf = async (one: Locator): Promise<string> => (await one.textContent()) ?? '';
  const gone = (one: Locator): Promise<void> => one.waitFor({ state: 'detached' });

  /** Asks with typed words, through the thread that stands there. */
  async function askElse(question: string): Promise<void> {
    const { workbench } = session();
    await pressTitle('Recall Something Else…');
    await workbench.quickInput().fill(question);
    await page().keyboard.press('Enter');
    await title().filter({ hasText: question }).waitFor();
  }

  const question = 'How often a delivery is tried before it goes to the dead letter queue.';

  it('answers a selected sentence below it, best first, with age, reason and a caveat', async () => {
    const { workbench } = session();
    await openFile('retry.ts');
    await goToLine(7);
    await page().keyboard.press('Home');
    await page().keyboard.press('Shift+End');
    await workbench.palette('Memory: Recall…');
    await comment('retry-budget').waitFor();
    assert.match(
      await textOf(title()),
      /^Recalled 3 of 6 for “How often a delivery is tried before it goes to the dead le…”$/,
    );
    const first = await textOf(comment('retry-budget'));
    assert.match(first, /project · private · 45 d/);
    assert.match(first, /45 days old\. Check it against the code before you rely on it\./);
    assert.match(first, /Picked for: “delivery”.* in its description, .* in its text/);
    await workbench.screenshot('recall-thread');
    // The first thread of a window opens the panel of comments; without it all of a thread is in sight.
    await page().keyboard.press('Control+j');
    await page().locator('.part.panel').waitFor({ state: 'hidden' });
  });

  it('looks as drawn in three themes', async () => {
    const { workbench } = session();
    await workbench.inThemes(async (name) => {
      await comment('retry-budget').hover();
      await workbench.screenshot(`recall-${name}`);
    });
  });

  it('keeps a memory as verified today, and takes that back to the byte', async () => {
    const { workbench } = session();
    const before = readFileSync(file('retry-budget.md'), 'utf8');
    await press('retry-budget', 'Keep: verified today');
    await comment('retry-budget', /verified today/).waitFor();
    assert.match(readFileSync(file('retry-budget.md'), 'utf8'), /verified: /);
    assert.doesNotMatch(await textOf(comment('retry-budget')), /Check it against the code/);
    await press('retry-budget', 'Undo');
    await workbench.toast('“retry-budget.md” is as it was.').waitFor();
    await comment('retry-budget', /45 days old/).waitFor();
    assert.equal(readFileSync(file('retry-budget.md'), 'utf8'), before);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('pins and unpins with the same button', async () => {
    await press('retry-budget', 'Pin');
    await comment('retry-budget', /pinned/).waitFor();
    await press('retry-budget', 'Unpin');
    await gone(comment('retry-budget', /pinned/));
  });

  it('leaves out for such questions what is not relevant, and recalls it again after Undo', async () => {
    await press('sensor-dashboards', 'Not relevant for such questions');
    await comment('sensor-dashboards', /left out for such questions/).waitFor();
    await askElse(question.slice(0, 40));
    await askElse('how often is a delivery tried before the dead letter queue?');
    assert.equal(await comment('sensor-dashboards').count(), 0);
    assert.ok((await thread().locator('.review-comment').count()) > 0);
    const { workbench } = session();
    await workbench.openContainer('Memory');
    // Unfolded rows of three views are more than the side bar shows at once.
    for (const name of ['Memories', 'Dream']) await workbench.pane(name).locator('.pane-header').click();
    await workbench.pane('Recalled').locator('.pane-header').click();
    const asked = row('dead letter queue.').first();
    await asked.click();
    await row(/sensor-dashboards.*left out for such questions/).waitFor();
    await workbench.screenshot('recalled-view');
    await row(/sensor-dashboards.*left out for such questions/).hover();
    await row(/sensor-dashboards.*left out for such questions/)
      .locator('a.action-label[aria-label^="Undo"]')
      .click();
    await gone(row(/sensor-dashboards.*left out for such questions/));
    await askElse('how often was a delivery tried before the dead letter queue');
    await comment('sensor-dashboards').waitFor();
  });

  it('forgets into the trash, says so in place, and brings back every byte', async () => {
    const { workbench } = session();
    const before = readFileSync(file('sensor-dashboards.md'), 'utf8');
    await press('sensor-dashboards', 'Forget');
    await comment('sensor-dashboards', /in the trash/).waitFor();
    assert.doesNotMatch(await textOf(comment('sensor-dashboards')), /Grafana/);
    assert.equal(existsSync(file('sensor-dashboards.md')), false);
    await workbench.screenshot('recall-forgotten');
    await press('sensor-dashboards', 'Undo');
    await comment('sensor-dashboards', /Grafana/).waitFor();
    assert.equal(readFileSync(file('sensor-dashboards.md'), 'utf8'), before);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('opens a memory beside it to edit, and shows what was changed', async () => {
    const { workbench } = session();
    const before = readFileSync(file('sensor-dashboards.md'), 'utf8');
    await press('sensor-dashboards', 'Edit');
    await workbench.tab('sensor-dashboards.md').waitFor();
    await page().locator('.monaco-editor.focused .view-line', { hasText: 'Ingest is on' }).first().waitFor();
    await page().keyboard.type('Since May. ');
    await page().keyboard.press('Control+s');
    await comment('sensor-dashboards', /Since May\. Ingest is on the Grafana board/).waitFor();
    writeFileSync(file('sensor-dashboards.md'), before);
    await gone(comment('sensor-dashboards', /Since May\./));
    await workbench.palette('View: Close Editor');
    await workbench.tab('sensor-dashboards.md').waitFor({ state: 'detached' });
  });

  it('copies all for a prompt', async () => {
    const { workbench } = session();
    await pressTitle('Copy All for Prompt');
    await workbench.statusItem(/Copied \d memories/).waitFor();
  });

  it('draws a stranger’s memory without loading, running or hiding anything', async () => {
    const { workbench } = session();
    writeFileSync(file('stranger.md'), stranger);
    await askElse('does the zeppelin fly');
    const one = comment('Hostile');
    await one.waitFor();
    assert.deepEqual([await one.locator('img').count(), await one.locator('b, script').count()], [0, 0]);
    const text = await textOf(one);
    assert.match(text, /<b>Hostile<\/b> \[zeppelin\]\(command:workbench/);
    assert.match(text, /\$\(pwd\)/);
    assert.match(text, /Picked for: “zeppelin”/);
    assert.equal(await one.locator('code', { hasText: 'Picked for' }).count(), 0, 'an open block swallows nothing');
    const link = one.locator('a', { hasText: 'Land it' });
    if ((await link.count()) > 0) await link.click();
    await workbench.screenshot('recall-stranger');
    await workbench.tab('retry.ts').waitFor();
  });

  it('says when nothing fits, and offers what next', async () => {
    const { workbench } = session();
    await askElse('css grid gap');
    assert.equal(await textOf(title()), 'Nothing recalled for “css grid gap”');
    await comment('Memory', 'None of 7 memories fits. Reverie would rather stay silent than guess.').waitFor();
    await workbench.screenshot('recall-nothing');
    await comment('Memory').locator('a', { hasText: 'Recall Something Else…' }).click();
    await workbench.quickInput().waitFor();
    await page().keyboard.press('Escape');
    await pressTitle('Close');
    await gone(thread());
  });

  it('takes the line where nothing is selected, and is read and left with the keyboard alone', async () => {
    const { workbench } = session();
    await page().locator('.monaco-editor .view-line', { hasText: 'How often' }).click();
    await goToLine(7);
    await workbench.palette('Memory: Recall…');
    await comment('retry-budget').waitFor();
    const focusThread = async (): Promise<void> => {
      // The editor's own keys look for a thread before or behind the cursor.
      await page().keyboard.press('Control+1');
      await page().locator('.monaco-editor.focused').first().waitFor();
      await goToLine(6);
      await page().keyboard.press('Alt+F9');
      await thread().locator(':focus').first().waitFor();
    };
    await focusThread();
    // The oldest host takes Escape for its own in a field of text only.
    if (process.env.HOST !== 'oldest') {
      await page().keyboard.press('Escape');
      await thread().waitFor({ state: 'hidden' });
      await focusThread();
    }
    const label = (): Promise<string> => page().evaluate('document.activeElement?.getAttribute("aria-label") ?? ""');
    for (let at = 0; at < 20; at += 1) {
      if ((await label()).startsWith('Keep: verified today')) break;
      await page().keyboard.press('Tab');
    }
    assert.match(await label(), /^Keep: verified today/);
    await page().keyboard.press('Enter');
    await comment('', 'verified today').waitFor();
    await workbench.screenshot('recall-keyboard');
  });

  it('shows the answer in Recalled, with the focus on it, where no file is open', async () => {
    const { workbench } = session();
    await workbench.palette('View: Close All Editors');
    await workbench.palette('View: Show Explorer');
    await workbench.palette('Memory: Recall…');
    await workbench.quickInput().fill('which Grafana board has the queue?');
    await page().keyboard.press('Enter');
    await row('which Grafana board has the queue?').waitFor();
    await row('which Grafana board has the queue?').and(page().locator('.focused')).waitFor();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await workbench.tab('sensor-dashboards.md').waitFor();
    await workbench.palette('View: Close All Editors');
  });

  it('forgets and brings back from the row too', async () => {
    const { workbench } = session();
    const memory = row('sensor-dashboards').first();
    await memory.hover();
    await workbench.screenshot('recalled-row');
    await memory.locator('a.action-label[aria-label^="Forget"]').click();
    await row(/sensor-dashboards.*in the trash/)
      .first()
      .waitFor();
    assert.equal(existsSync(file('sensor-dashboards.md')), false);
    await row(/sensor-dashboards.*in the trash/)
      .first()
      .hover();
    await row(/sensor-dashboards.*in the trash/)
      .first()
      .locator('a.action-label[aria-label^="Undo"]')
      .click();
    await gone(row(/sensor-dashboards.*in the trash/).first());
    assert.equal(existsSync(file('sensor-dashboards.md')), true);
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('is hidden again when what was recalled is cleared', async () => {
    const { workbench } = session();
    await workbench.palette('Memory: Clear What Was Recalled');
    await gone(workbench.pane('Recalled'));
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
