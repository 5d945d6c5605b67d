// The review's page in a browser without an editor: the bundle as it ships, in the frame it ships with, under the variables of a
// theme. The test is the host: it sees every request and sends every state.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Proposal } from '../../src/core/dream/proposal';
import { reviewHtml } from '../../src/views/reviewHtml';
import { buildReview } from '../../src/views/reviewModel';
import type { ReviewMessage, ReviewRequest, ReviewState } from '../../src/views/reviewProtocol';
import { pageTexts } from '../../src/views/reviewTexts';
import themes from '../fixtures/themes.json';
import { sampleContext } from './reviewSamples';
import { englishWords } from './words';

export const themeNames = Object.keys(themes) as (keyof typeof themes)[];
export type PageTheme = (typeof themeNames)[number];

export interface ReviewPage {
  show(state: ReviewState): Promise<void>;
  send(message: ReviewMessage): Promise<void>;
  /** All requests so far, in order. */
  requests(): Promise<readonly ReviewRequest[]>;
  /** The newest of a type, once it is there. */
  request<T extends ReviewRequest['type']>(type: T): Promise<Extract<ReviewRequest, { type: T }>>;
  answer(request: ReviewRequest, error?: string): Promise<void>;
  /** Opens the page anew, as the editor does with one that was hidden: what it kept is still there. */
  reload(): Promise<void>;
}

const root = join(__dirname, '../..');
const origin = 'http://127.0.0.1:9';

export const pendingOf = (proposal: Proposal): ReviewState => ({
  status: 'pending',
  review: buildReview(proposal, sampleContext(proposal)),
});

/** Loads the page and waits until it asks for its state. */
export async function openReviewPage(page: Page, theme: PageTheme): Promise<ReviewPage> {
  const files: Record<string, { readonly body: string; readonly contentType: string }> = {
    '/review.js': { body: readFileSync(join(root, 'dist/dreamReview.js'), 'utf8'), contentType: 'text/javascript' },
    '/review.css': { body: readFileSync(join(root, 'media/dreamReview.css'), 'utf8'), contentType: 'text/css' },
    '/cards.css': { body: readFileSync(join(root, 'media/dreamReviewCards.css'), 'utf8'), contentType: 'text/css' },
    '/theme.css': { body: variables(theme), contentType: 'text/css' },
    '/': {
      body: reviewHtml({
        script: '/review.js',
        styles: ['/theme.css', '/review.css', '/cards.css'],
        source: origin,
        nonce: 'n0',
        language: 'en',
        title: 'Dream Review',
      }),
      contentType: 'text/html',
    },
  };
  await page.unrouteAll();
  await page.route(`${origin}/**`, (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file ? route.fulfill(file) : route.fulfill({ status: 404 });
  });
  // Written as text: this file is compiled without the browser's types.
  await page.addInitScript(`
    window.asked = [];
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.asked.push(message),
      getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null'),
      setState: (state) => sessionStorage.setItem('kept', JSON.stringify(state)),
    });
  `);
  await page.goto(`${origin}/`);
  await page.evaluate('sessionStorage.clear()');
  const requests = () => page.evaluate('window.asked') as Promise<ReviewRequest[]>;
  const send = async (message: ReviewMessage) => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)})`);
  };
  const self: ReviewPage = {
    send,
    requests,
    async show(state) {
      await send({ type: 'state', project: 'p', state, texts: pageTexts(englishWords) });
      if (state.status === 'pending') await page.locator('.list[data-drawn]').waitFor();
    },
    async request(type) {
      await untilTrue(page, `window.asked.some(({ type }) => type === '${type}')`);
      const found = (await requests()).findLast((each) => each.type === type);
      return found as never;
    },
    answer: ({ request }, error) =>
      send(error === undefined ? { type: 'answer', request, ok: true } : { type: 'answer', request, ok: false, error }),
    async reload() {
      await page.reload();
      await self.request('ready');
    },
  };
  await self.request('ready');
  return self;
}

/** Playwright's own way of waiting evaluates text within the page, which the page's rules forbid. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (const deadline = Date.now() + 15_000; ; ) {
    const isSo = await page.evaluate(`Boolean(${expression})`);
    if (isSo) return;
    if (Date.now() > deadline) throw new Error(`never came: ${expression}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** In the style sheet, as the page's own rules allow no other place. */
function variables(theme: PageTheme): string {
  const values = Object.entries(themes[theme]).map(([name, value]) => `--vscode-${name}: ${value};`);
  return `:root { color-scheme: ${theme.includes('light') ? 'light' : 'dark'}; --vscode-font-family: sans-serif; --vscode-editor-font-family: monospace; ${values.join(' ')} }`;
}
