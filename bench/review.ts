// What two hundred cards of a dream review cost: building the model in the extension host, and the longest task of the page's
// main thread while they are drawn, filtered, folded and laid out anew. Needs Chromium and a build (npm run build).
//   node --import tsx bench/review.ts

import { openBrowser } from '../test/host/browser';
import { openReviewPage, pendingOf, untilTrue } from '../test/support/reviewPage';
import { largeProposal } from '../test/support/reviewSamples';
import { figure, median } from './figure';

const rounds = 5;

async function main(): Promise<void> {
  let ok = true;
  const built: number[] = [];
  const longest: number[] = [];
  const drawn: number[] = [];
  const { page, close } = await openBrowser({ width: 1100, height: 900 });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = performance.now();
      const state = pendingOf(largeProposal(200, 40));
      built.push(performance.now() - before);
      const host = await openReviewPage(page, 'dark-modern');
      await page.evaluate(`
        window.longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
        }).observe({ type: 'longtask', buffered: false });
      `);
      const begun = performance.now();
      await host.show(state);
      drawn.push(performance.now() - begun);
      // What a person does with so many.
      await page.getByRole('button', { name: 'Collapse All' }).click();
      await page.getByRole('button', { name: 'Expand All' }).click();
      await page.getByRole('button', { name: 'Inline' }).click();
      await page.getByRole('button', { name: 'Side by Side' }).click();
      await page.getByRole('button', { name: /^Updated/ }).click();
      for (let press = 0; press < 20; press += 1) await page.keyboard.press('j');
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      await untilTrue(page, 'document.querySelectorAll("article").length === 200');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))');
      longest.push((await page.evaluate('window.longest')) as number);
    }
  } finally {
    await close();
  }
  ok = figure('longest task of the page with 200 cards', median(longest), { atMost: 200 }, 'ms') && ok;
  ok = figure('200 cards drawn', median(drawn), { atMost: 2000 }, 'ms') && ok;
  ok = figure('model of 200 cards of 40 lines', median(built), { atMost: 1000 }, 'ms') && ok;
  process.exitCode = ok ? 0 : 1;
}

void main();
