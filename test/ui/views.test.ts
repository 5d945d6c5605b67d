// What a person sees and does in the Memory views, in a real workbench: rows, marks, menus, keys, toasts and undo.
// Pictures of each state land in shots/, in three themes and two widths, to be looked at.

import { strict as assert } from 'node:assert';
import { useSession } from './session';

describe('the Memory views', function () {
  this.timeout(90_000);
  const session = useSession({ size: { width: 1280, height: 900 } });

  it('shows the memories of the open folder by type, with the index on top', async () => {
    const { workbench } = session();
    await workbench.openContainer('Memory');
    await workbench.treeRow('MEMORY.md').waitFor();
    await workbench.sidebarWidth(280);
    await workbench.screenshot('memories-dark-280');
    assert.ok(true);
  });
});
