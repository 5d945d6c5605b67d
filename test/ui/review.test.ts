// The review's page in a real browser, in four themes and two widths: what a person sees, chooses and presses, by pointer and by
// keyboard alone, and what a screen reader is told. Pictures land in shots/.

import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ReviewState } from '../../src/views/reviewProtocol';
import { type OpenBrowser, openBrowser } from '../host/browser';
import { openReviewPage, pendingOf, type ReviewPage, themeNames, untilTrue } from '../support/reviewPage';
import { lossyProposal, proposedChange, sampleProposal } from '../support/reviewSamples';

const shots = process.env.HOST_SHOTS ?? join(__dirname, '../../shots');
const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
/** What axe-core finds on the page as it stands, the serious ones. */
async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

const sample = pendingOf(sampleProposal());
const review = sample.status === 'pending' ? sample.review : undefined;
assert.ok(review);
const applied: ReviewState = {
  status: 'applied',
  review,
  title: 'Applied 5 changes',
  text: '1 hunk and 1 file were left out.',
  results: Object.fromEntries(
    review.cards.map(({ id, kind }, at) => [id, kind === 'conflict' ? 'left' : at === 0 ? 'partly' : 'applied']),
  ),
};
const states: Readonly<Record<string, ReviewState>> = {
  pending: sample,
  loss: pendingOf(lossyProposal(43)),
  applied,
  empty: {
    status: 'message',
    kind: 'empty',
    title: 'Nothing to review',
    text: 'The last dream, 13 h ago, improved 6 memories.',
    actions: ['runDream', 'showHistory'],
  },
  undone: {
    status: 'message',
    kind: 'undone',
    title: 'Undone',
    text: 'All 5 files are as they were.',
    actions: ['showMemories', 'close'],
  },
};

// It needs no host, so it runs beside the newest one only.
const once = process.env.HOST === 'oldest' ? () => {} : describe;

once('the review’s page', function () {
  this.timeout(120_000);
  let browser: OpenBrowser;
  let page: Page;
  let host: ReviewPage;

  before(async () => {
    browser = await openBrowser({ width: 1100, height: 900 });
    page = browser.page;
    page.setDefaultTimeout(15_000);
    mkdirSync(shots, { recursive: true });
  });
  after(() => browser?.close());

  const open = async (state: ReviewState = sample, width = 1100) => {
    await page.setViewportSize({ width, height: 900 });
    host = await openReviewPage(page, 'dark-modern');
    await host.show(state);
  };
  const card = (name: string) => page.locator('article', { has: page.locator('h2', { hasText: name }) });
  const main = (name: string) => card(name).locator('header input');
  const press = (...keys: string[]) =>
    keys.reduce(async (before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focusedCard = () => page.locator('article:focus h2').textContent();
  const chosen = async () => (await host.request('apply')).cards;

  for (const theme of themeNames) {
    it(`has nothing that axe-core finds serious in ${theme}, in any state, wide and narrow`, async () => {
      for (const [name, state] of Object.entries(states)) {
        for (const width of [1100, 280]) {
          await page.setViewportSize({ width, height: 900 });
          host = await openReviewPage(page, theme);
          await host.show(state);
          if (name === 'pending') await main('Staging rebuild').click();
          assert.deepEqual(await seriousFindings(page), [], `${name} ${width}`);
          await page.screenshot({
            path: join(shots, `review-${name}-${theme}-${width}.png`),
            fullPage: name !== 'loss',
          });
        }
      }
    });
  }

  it('never scrolls sideways, from 280 px on', async () => {
    for (const width of [280, 400, 720, 721, 1100, 1800]) {
      await open(sample, width);
      const wide = await page.evaluate('document.scrollingElement.scrollWidth');
      assert.ok(Number(wide) <= width, `${wide} at ${width}`);
    }
  });

  it('puts before and after side by side, under each other where there is no room, and in one column when asked', async () => {
    await open();
    const where = async (text: string) => {
      const box = await card('Integration tests').locator('.ln', { hasText: text }).first().boundingBox();
      assert.ok(box);
      return box;
    };
    const side = [await where('last Thursday'), await where('on 13 November 2026')];
    assert.ok(side[0]?.y === side[1]?.y && (side[0]?.x ?? 0) < (side[1]?.x ?? 0));
    await page.getByRole('button', { name: 'Inline' }).click();
    const inline = [await where('last Thursday'), await where('on 13 November 2026')];
    assert.ok(inline[0]?.x === inline[1]?.x && (inline[0]?.y ?? 0) < (inline[1]?.y ?? 0));
    await page.screenshot({ path: join(shots, 'review-inline.png'), fullPage: true });
    await page.setViewportSize({ width: 300, height: 900 });
    const narrow = [await where('last Thursday'), await where('on 13 November 2026')];
    assert.ok(narrow[0]?.x === narrow[1]?.x && (narrow[0]?.y ?? 0) < (narrow[1]?.y ?? 0));
  });

  it('applies what is chosen: a file left out, a part left out, an answer, a conflict settled', async () => {
    await open();
    await page.getByRole('button', { name: 'Apply Selected (5)' }).waitFor();
    await main('Staging rebuild').click();
    await card('Integration tests').getByText('Change 2 of 2').click();
    await card('Integration tests').getByText('Change 2 of 2 · line 12 · left out').waitFor();
    assert.equal(
      await main('Integration tests').evaluate((box) => (box as unknown as { indeterminate: boolean }).indeterminate),
      true,
    );
    await card('Retry budget').getByText('Keep both').click();
    await card('Prefere respostas').getByText('Take both').click();
    await page.getByRole('button', { name: 'Apply Selected (5)' }).click();
    assert.deepEqual(await chosen(), [
      { id: 'feedback_integration_tests.md', hunks: [0] },
      { id: 'feedback_commit_style.md' },
      { id: 'reference_blue_runner.md' },
      { id: 'retry', answer: 'both' },
      { id: 'user_respostas.md', answer: 'both' },
    ]);
  });

  it('applies all but what changed meanwhile', async () => {
    await open();
    await main('Staging rebuild').click();
    await page.getByRole('button', { name: 'Apply All' }).click();
    assert.deepEqual(
      (await chosen()).map(({ id }) => id),
      review.cards.filter(({ kind }) => kind !== 'conflict').map(({ id }) => id),
    );
  });

  it('leaves a file out with its last part, takes it in with any, and applies nothing when nothing is chosen', async () => {
    await open();
    const part = (number: number) => card('Integration tests').getByRole('checkbox', { name: `Change ${number} of 2` });
    await part(1).click();
    await part(2).click();
    assert.equal(await main('Integration tests').isChecked(), false);
    await part(2).click();
    assert.deepEqual([await part(1).isChecked(), await part(2).isChecked()], [false, true]);
    for (const name of ['Commit style', 'Staging rebuild', 'Blue runner', 'Retry budget']) await main(name).click();
    await part(2).click();
    assert.equal(await page.getByRole('button', { name: 'Apply Selected (0)' }).isDisabled(), true);
    await press('Control+Enter');
    assert.equal(
      (await host.requests()).some(({ type }) => type === 'apply'),
      false,
    );
  });

  it('shows one kind when a chip asks for it', async () => {
    await open(states.loss);
    await page.getByRole('button', { name: 'Show the 44 deletions' }).click();
    assert.equal(await page.locator('article:visible').count(), 44);
    assert.equal(await page.locator('article:visible header input:checked').count(), 0);
    await page.getByRole('button', { name: /^All/ }).click();
    assert.equal(await page.locator('article:visible').count(), 49);
  });

  it('folds and unfolds all cards at once, and what was pressed last wins', async () => {
    await open(states.loss);
    const bodies = (count: number) =>
      untilTrue(
        page,
        `[...document.querySelectorAll('article .body')].filter((one) => !one.hidden).length === ${count}`,
      );
    await page.getByRole('button', { name: 'Collapse All' }).click();
    await bodies(0);
    await page.getByRole('button', { name: 'Expand All' }).click();
    await page.getByRole('button', { name: 'Collapse All' }).click();
    await page.getByRole('button', { name: 'Expand All' }).click();
    await bodies(49);
  });

  it('asks the editor for diffs, sources and memories, and makes nothing up', async () => {
    await open();
    await page.getByRole('button', { name: 'Open diff of Integration tests' }).click();
    assert.equal((await host.request('openDiff')).card, 'feedback_integration_tests.md');
    await card('Integration tests').getByRole('button', { name: 'Split the settings page' }).click();
    assert.deepEqual((({ card: id, source }) => [id, source])(await host.request('openSource')), [
      'feedback_integration_tests.md',
      1,
    ]);
    await card('Blue runner').getByRole('button', { name: 'Runners' }).click();
    assert.equal((await host.request('openMemory')).path, 'reference_runners.md');
    assert.equal(await card('Blue runner').getByText('transcript no longer there').count(), 1);
  });

  it('is worked by the keyboard alone: choose, leave out, look, fold, apply', async () => {
    await open();
    await press('j');
    assert.equal(await focusedCard(), 'Integration tests');
    await press('j', 'j', ' ');
    assert.equal(await focusedCard(), 'Staging rebuild on Mondays');
    assert.equal(await main('Staging rebuild').isChecked(), false);
    await press('k', 'k', 'x', 'x', ' ');
    assert.equal(await card('Integration tests').getByRole('checkbox', { name: 'Change 2 of 2' }).isChecked(), false);
    await press('Escape', 'Enter');
    assert.equal(await card('Integration tests').locator('.body').isVisible(), false);
    await press('Enter', 'd');
    assert.equal((await host.request('openDiff')).card, 'feedback_integration_tests.md');
    await press('f', 'ArrowRight', 'ArrowRight', 'Enter');
    assert.equal(await page.locator('article:visible').count(), 1);
    await press('Home', 'Enter', 'Escape', 'Control+Enter');
    assert.deepEqual(
      (await chosen()).map(({ id, hunks }) => [id, hunks]),
      [
        ['feedback_integration_tests.md', [0]],
        ['feedback_commit_style.md', undefined],
        ['reference_blue_runner.md', undefined],
        ['retry', undefined],
      ],
    );
  });

  it('is walked through by Tab in the order it is read, each control with a name, and back out', async () => {
    await open();
    const walk: string[] = [];
    for (let steps = 0; steps < 80; steps += 1) {
      await page.keyboard.press('Tab');
      const at = (await page.evaluate(`(() => {
        const one = document.activeElement;
        if (!one || one === document.body) return '';
        const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
        return one.tagName + ' ' + (name ?? '').trim();
      })()`)) as string;
      if (at === '') break;
      walk.push(at);
    }
    assert.ok(
      walk.every((each) => / \S/.test(each)),
      walk.join('\n'),
    );
    const position = (text: string) => walk.findIndex((each) => each.includes(text));
    const order = [
      'All 6',
      'Apply: Integration tests',
      'Open diff of Integration',
      'Flaky migration',
      'Change 1 of 2',
      'Change 2 of 2',
      'Apply: Commit style',
      'newer',
      'Apply Selected',
    ];
    const positions = order.map(position);
    assert.ok(
      positions.every((at) => at >= 0),
      JSON.stringify(walk),
    );
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
  });

  it('tells a screen reader how many are selected, and names lines that go and come', async () => {
    await open();
    await main('Staging rebuild').click();
    await page.locator('[aria-live=polite]', { hasText: '4 of 6 changes selected' }).waitFor({ state: 'attached' });
    assert.match((await card('Integration tests').locator('.ln.d').first().textContent()) ?? '', /removed: Mocks hid/);
    assert.equal(await main('Integration tests').getAttribute('aria-label'), 'Apply: Integration tests, updated');
  });

  it('keeps what was chosen while it was hidden', async () => {
    await open();
    await main('Staging rebuild').click();
    await card('Integration tests').getByText('Change 2 of 2').click();
    await page.getByRole('button', { name: 'Inline' }).click();
    await card('Commit style')
      .getByRole('button', { name: /^Collapse/ })
      .click();
    await untilTrue(page, `JSON.parse(sessionStorage.getItem('kept'))?.folded?.length === 1`);
    await host.reload();
    await host.show(sample);
    assert.equal(await main('Staging rebuild').isChecked(), false);
    assert.equal(await card('Integration tests').getByRole('checkbox', { name: 'Change 2 of 2' }).isChecked(), false);
    assert.equal(await page.getByRole('button', { name: 'Inline' }).getAttribute('aria-pressed'), 'true');
    assert.equal(await card('Commit style').locator('.body').isVisible(), false);
    // Another proposal begins anew.
    await host.show(pendingOf({ ...sampleProposal(), id: 'dream-2' }));
    assert.equal(await main('Staging rebuild').isChecked(), true);
  });

  it('shows text as text: no markup, no link, no address of a stranger’s works', async () => {
    const name = '<img src=x onerror=alert(1)> [x](command:y)';
    const proposal = sampleProposal();
    const before = `---\nname: "${name}"\ntype: user\n---\n\n<script>alert(1)</script>\n`;
    await open(
      pendingOf({ ...proposal, changes: [proposedChange('a.md', before, `${before}<b>x</b>\n`)], contradictions: [] }),
    );
    assert.equal(await page.locator('h2').textContent(), name);
    assert.equal(await page.locator('main img, main script, main a, main .ln b').count(), 0);
  });

  it('stops taking choices while it applies, says what went wrong, and goes on', async () => {
    await open();
    await page.getByRole('button', { name: 'Apply Selected (5)' }).click();
    const request = await host.request('apply');
    await host.show({ status: 'applying', review });
    await page.getByRole('button', { name: 'Applying…' }).waitFor();
    assert.equal(await main('Staging rebuild').isDisabled(), true);
    await host.show(sample);
    await host.answer(request, 'Another window is changing these memories. Nothing was lost.');
    await page.getByRole('alert').getByText('Another window').waitFor();
    assert.equal(await main('Staging rebuild').isDisabled(), false);
    await page.getByRole('button', { name: 'Apply Selected (5)' }).click();
    await page.locator('.failure:empty').waitFor({ state: 'attached' });
  });

  it('shows what was applied, with Undo in reach of Enter', async () => {
    await open(applied);
    await card('Integration tests').getByText('applied in part').waitFor({ state: 'attached' });
    await card('Prefere respostas').getByText('left out').waitFor({ state: 'attached' });
    assert.equal(await page.locator('main input[type=checkbox]').count(), 0);
    await press('Enter');
    await host.request('undo');
  });

  it('goes to the card it is asked to show', async () => {
    await open();
    await host.send({ type: 'reveal', card: 'reference_blue_runner.md' });
    await untilTrue(page, `document.activeElement.tagName === 'ARTICLE'`);
    assert.equal(await focusedCard(), 'Blue runner address');
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...browser.outside], []);
  });
});
