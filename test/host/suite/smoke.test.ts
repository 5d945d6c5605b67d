// The extension lives in a real VS Code: it is known, it starts, and every command it declares is there.

import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';

const id = 'reverie.reverie';

describe('the extension in a real host', () => {
  it('is known and starts', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that it declares', async () => {
    const extension = vscode.extensions.getExtension(id);
    await extension?.activate();
    const declared: { command: string }[] = extension?.packageJSON.contributes?.commands ?? [];
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      declared.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('runs with a home and a config folder of its own', () => {
    assert.match(process.env.CLAUDE_CONFIG_DIR ?? '', /reverie-host-/);
    assert.ok(existsSync(process.env.CLAUDE_CONFIG_DIR ?? ''));
    assert.match(process.env.HOME ?? '', /reverie-host-/);
    assert.equal(process.env.ANTHROPIC_API_KEY, undefined);
  });

  it('has the sample project open', () => {
    assert.deepEqual(
      vscode.workspace.workspaceFolders?.map((folder) => folder.name),
      ['harbor'],
    );
  });
});
