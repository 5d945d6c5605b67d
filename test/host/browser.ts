// The system's Chromium, driven by playwright-core, with one page. Requests to anywhere but this machine are refused at once
// and noted: nothing outside is needed, and an extension that asks for something outside is found out.

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser, HostUnavailable } from '../../scripts/hostSetup.mjs';

export interface OpenBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Addresses outside this machine that were asked for, in order. */
  readonly outside: readonly string[];
  close(): Promise<void>;
}

export async function openBrowser(
  size: { width: number; height: number } = { width: 1280, height: 800 },
): Promise<OpenBrowser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new HostUnavailable('no Chromium: install one, or name it in CHROMIUM');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  args.push('--disable-component-update', '--disable-sync', '--disable-dev-shm-usage');
  // Playwright would close the browser on these signals, while a run that was told to end still wants to clean up itself.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ executablePath, headless: true, args, ...signals });
  const context = await browser.newContext({ viewport: size, permissions: ['clipboard-read', 'clipboard-write'] });
  const outside: string[] = [];
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && !['127.0.0.1', 'localhost'].includes(url.hostname),
    (route) => {
      outside.push(route.request().url());
      return route.abort('internetdisconnected');
    },
  );
  const page = await context.newPage();
  return { browser, context, page, outside, close: () => browser.close() };
}
