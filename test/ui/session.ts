// One UI session for a mocha suite: the packaged extension in a fresh server, the sample project, one page in Chromium.
// What is tested is what ships. A failed test leaves a picture in shots/ and the server's last lines on the console.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type OpenBrowser, openBrowser } from '../host/browser';
import { type HostServer, type ServerOptions, startServer } from '../host/server';
import { createWorkbench, type Workbench } from '../host/workbench';
import { createSample, type Sample, type SampleOptions } from '../support/sample';

export interface UiSession {
  readonly workbench: Workbench;
  readonly server: HostServer;
  readonly sample: Sample;
  readonly browser: OpenBrowser;
}

export type UiOptions = Partial<Omit<ServerOptions, 'configDir'>> &
  Pick<SampleOptions, 'hasMemories' | 'hasSessions'> & {
    readonly size?: { readonly width: number; readonly height: number };
    /** Default true: the sample project is open and the workbench drawn before the first test. */
    readonly opensSample?: boolean;
  };

const vsix = resolve(__dirname, '../..', process.env.REVERIE_VSIX ?? 'reverie.vsix');

/**
 * Registers the hooks of the suite it is called in. The value is there from the first `before` on; asking earlier throws.
 * `HOST=oldest` runs the same suite on the oldest host.
 */
export function useSession(options: UiOptions = {}): () => UiSession {
  let session: UiSession | undefined;
  let folder: string | undefined;

  before('start a host, install the package, open the sample', async function () {
    this.timeout(300_000);
    if (!existsSync(vsix)) throw new Error(`${vsix} is not there: npm run package`);
    folder = mkdtempSync(join(tmpdir(), 'reverie-ui-'));
    const sample = createSample(folder, options);
    const host = options.host ?? (process.env.HOST === 'oldest' ? 'oldest' : 'newest');
    const server = await startServer({
      hasCompanion: true,
      ...options,
      host,
      vsix: [vsix, ...(options.vsix ?? [])],
      configDir: sample.configDir,
    });
    const browser = await openBrowser(options.size);
    browser.page.setDefaultTimeout(30_000);
    const workbench = createWorkbench(browser.page, server);
    session = { workbench, server, sample, browser };
    if (options.opensSample !== false) await workbench.open(sample.project);
  });

  afterEach('keep a picture of a failure', async function () {
    if (this.currentTest?.state !== 'failed' || !session) return;
    const name = this.currentTest
      .fullTitle()
      .replace(/[^A-Za-z0-9]+/g, '-')
      .slice(0, 80);
    const picture = await session.workbench.screenshot(`failed-${name}`).catch((error) => `no picture: ${error}`);
    console.log(`${picture}\n${session.server.log().split('\n').slice(-20).join('\n')}`);
  });

  after('end the host', async function () {
    this.timeout(30_000);
    await session?.browser.close();
    await session?.server.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  return () => {
    if (!session) throw new Error('the session has not started');
    return session;
  };
}

/** Every file of a folder with its bytes. */
export const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );
