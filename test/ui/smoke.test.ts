// The package installs into a fresh VS Code, starts there, and shows where it lives. The page object is tried on the way.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useSession } from './session';

interface Manifest {
  readonly displayName: string;
  readonly contributes?: {
    readonly viewsContainers?: { readonly activitybar?: readonly { readonly title: string }[] };
  };
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as Manifest;
// A title such as %container.title% stands in package.nls.json: the icon's words are known by the product.
const containerTitle = manifest.contributes?.viewsContainers?.activitybar?.[0] ? 'Memory' : undefined;

describe('the packaged extension in a fresh VS Code', function () {
  this.timeout(120_000);
  const session = useSession();

  it('is listed among the installed extensions', async () => {
    const { workbench } = session();
    await workbench.palette('View: Show Extensions');
    await workbench.page.locator('.extension-list-item', { hasText: manifest.displayName }).waitFor();
  });

  (containerTitle ? it : it.skip)('has an icon in the activity bar that opens its views', async () => {
    const { workbench } = session();
    await workbench.openContainer(containerTitle ?? '');
    await workbench.screenshot('smoke-container');
  });

  it('has a side bar that can be dragged narrow and wide', async () => {
    const { workbench } = session();
    await workbench.palette('View: Show Explorer');
    await workbench.treeRow('README.md').waitFor();
    for (const px of [220, 400, 280]) {
      await workbench.sidebarWidth(px);
      const box = await workbench.page.locator('.part.sidebar').boundingBox();
      assert.ok(box && Math.abs(box.width - px) <= 2, `${box?.width} px instead of ${px}`);
    }
  });

  it('follows the colour theme while it is open', async () => {
    const { workbench } = session();
    for (const name of ['Default Light Modern', 'Default High Contrast', 'Default Dark Modern'] as const) {
      await workbench.theme(name);
      await workbench.screenshot(`smoke-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('reaches the rows of a quick pick', async () => {
    const { workbench } = session();
    await workbench.palette('Developer: Set Log Level...');
    await workbench.quickPickRow('Warning').first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('asks nothing of the network', () => {
    assert.deepEqual([...session().browser.outside], []);
  });
});
