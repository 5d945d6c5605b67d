// The workbench as a person sees it: only what tests of this extension's surface need. Its selectors hold on the oldest and the
// newest host. It waits for what it names and never sleeps a fixed time; what does not come fails after playwright's limit.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { HostServer } from './server';

export type ThemeName =
  | 'Default Dark Modern'
  | 'Default Light Modern'
  | 'Default High Contrast'
  | 'Default High Contrast Light';

export interface Workbench {
  readonly page: Page;
  /** Opens a folder (its absolute path) and waits until the workbench is drawn. Extensions may still be starting. */
  open(folder: string, payload?: readonly (readonly [string, string])[]): Promise<void>;
  /** Runs a command the way a person does: F1, type, Enter. `label` as the palette shows it, `Memory: Run Dream`. */
  palette(label: string): Promise<void>;
  /** The quick pick or input box that is open. */
  quickInput(): Locator;
  /** Rows of the open quick pick. */
  quickPickRow(text: string | RegExp): Locator;
  treeRow(text: string | RegExp): Locator;
  /** The header of a view in the side bar. */
  pane(title: string): Locator;
  /** A button in the title of a view; it shows on hover only, so use `paneAction(…)` with `.click()` after hovering `pane`. */
  paneAction(title: string, action: string): Locator;
  toast(text: string | RegExp): Locator;
  statusItem(text: string | RegExp): Locator;
  tab(name: string): Locator;
  /** The icon of a view container in the activity bar. */
  container(title: string): Locator;
  /** Shows a view container; does nothing when it is shown already. */
  openContainer(title: string): Promise<void>;
  /** Drags the border of the side bar until it is this wide, within two pixels. */
  sidebarWidth(px: number): Promise<void>;
  /** Switches the colour theme through the user's settings, in the open window, and waits for it. Needs the companion. */
  theme(name: ThemeName): Promise<void>;
  /** Looks in light, in high contrast and in dark, and stays in dark. */
  inThemes(look: (name: 'light' | 'hc' | 'dark') => Promise<unknown>): Promise<void>;
  /** The HTML of the webview that holds `selector`, wherever it floats. */
  webview(selector: string): Promise<FrameLocator>;
  /** Writes shots/<name>.png (HOST_SHOTS names another folder) and returns its path. */
  screenshot(name: string): Promise<string>;
}

const shots = process.env.HOST_SHOTS ?? join(__dirname, '../../shots');
/** Generous: a busy machine draws the workbench in a minute, an idle one in four seconds. */
const drawnLimitMs = 120_000;
const paletteLimitMs = 30_000;
const webviewLimitMs = 30_000;

const themeClass: Readonly<Record<ThemeName, string>> = {
  'Default Dark Modern': 'vs-dark',
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};

const lookedAt = { light: 'Default Light Modern', hc: 'Default High Contrast', dark: 'Default Dark Modern' } as const;

export function createWorkbench(page: Page, server: HostServer): Workbench {
  async function theme(name: ThemeName): Promise<void> {
    server.changeSettings({ 'workbench.colorTheme': name });
    await page.locator(`.monaco-workbench.${themeClass[name]}`).waitFor();
  }

  const container = (title: string): Locator =>
    page.locator('.activitybar .action-item', { has: page.locator(`a.action-label[aria-label^="${title}"]`) });
  const pane = (title: string): Locator =>
    page.locator('.pane', { has: page.locator('.pane-header h3.title', { hasText: new RegExp(`^${title}$`) }) });
  const sidebarRight = async (): Promise<number> => {
    const box = await page.locator('.part.sidebar').boundingBox();
    if (!box) throw new Error('the side bar is hidden');
    return box.x + box.width;
  };

  const self: Workbench = {
    page,
    async open(folder, payload = []) {
      const query = new URLSearchParams({ folder });
      if (payload.length > 0) query.set('payload', JSON.stringify(payload));
      await page.goto(`${server.url}/?${query}`, { timeout: drawnLimitMs, waitUntil: 'domcontentloaded' });
      await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: drawnLimitMs });
    },

    async palette(label) {
      const typed = `>${label}`;
      await page.keyboard.press('F1');
      await self.quickInput().fill(typed);
      // The first row may be another command that was used lately: choose by name.
      await page.locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`).first().click();
      // The command may at once ask something in the same box.
      const isStillOpen = async (): Promise<boolean> => {
        const input = self.quickInput();
        return (await input.isVisible()) && (await input.inputValue({ timeout: 500 }).catch(() => '')) === typed;
      };
      const deadline = Date.now() + paletteLimitMs;
      while (await isStillOpen()) {
        if (Date.now() > deadline) throw new Error(`the palette did not take ${label}`);
        await page.waitForTimeout(50);
      }
    },
    quickInput: () => page.locator('.quick-input-widget input[type="text"], .quick-input-widget input.input').first(),
    quickPickRow: (text) => page.locator('.quick-input-list .monaco-list-row', { hasText: text }),

    treeRow: (text) => page.locator('.monaco-list-row[role="treeitem"]', { hasText: text }),
    pane,
    paneAction: (title, action) => pane(title).locator(`.pane-header a.action-label[aria-label^="${action}"]`),
    toast: (text) => page.locator('.notifications-toasts .notification-list-item', { hasText: text }),
    statusItem: (text) => page.locator('.part.statusbar .statusbar-item', { hasText: text }),
    tab: (name) => page.locator('.tabs-container .tab', { hasText: name }),

    container,
    async openContainer(title) {
      const icon = container(title);
      const isShown = await icon.evaluate((element) => element.classList.contains('checked'));
      // A badge lies over the icon and takes clicks: aim at its corner.
      if (!isShown) await icon.click({ position: { x: 6, y: 6 } });
      await page.mouse.move(0, 0); // no tooltip in pictures
      await page.locator('.part.sidebar .composite.title', { hasText: new RegExp(title, 'i') }).waitFor();
    },

    async sidebarWidth(px) {
      const box = await page.locator('.part.sidebar').boundingBox();
      if (!box) throw new Error('the side bar is hidden');
      const aim = box.x + px;
      for (let tries = 0; tries < 3; tries += 1) {
        const edge = await sidebarRight();
        if (Math.abs(edge - aim) <= 2) break;
        // Where a border between two views meets it, that one is dragged instead: another place each time.
        const y = box.y + box.height * (0.5 + tries * 0.13);
        await page.mouse.move(edge, y);
        await page.mouse.down();
        await page.mouse.move((edge + aim) / 2, y);
        await page.mouse.move(aim, y);
        await page.mouse.up();
        await page.mouse.move(aim + 200, y); // off the border, which lights up under the mouse
      }
      const width = (await sidebarRight()) - box.x;
      if (Math.abs(width - px) > 2) throw new Error(`the side bar is ${width} px wide and will not become ${px}`);
    },

    theme,

    async inThemes(look) {
      for (const name of ['light', 'hc', 'dark'] as const) {
        await theme(lookedAt[name]);
        await look(name);
      }
    },

    async webview(selector) {
      // A webview is two frames: VS Code's own page, in it the extension's. The outer one floats over the view or editor and is
      // not inside it, so it is found by what it holds.
      const deadline = Date.now() + webviewLimitMs;
      for (;;) {
        const outer = page.locator('iframe.webview');
        for (let index = 0; index < (await outer.count()); index += 1) {
          const inner = outer.nth(index).contentFrame().locator('iframe#active-frame').contentFrame();
          const found = await inner
            .locator(selector)
            .count()
            .catch(() => 0);
          if (found > 0) return inner;
        }
        if (Date.now() > deadline) throw new Error(`no webview holds ${selector}`);
        await page.waitForTimeout(100);
      }
    },

    async screenshot(name) {
      mkdirSync(shots, { recursive: true });
      const path = join(shots, `${name}.png`);
      await page.screenshot({ path });
      return path;
    },
  };
  return self;
}
