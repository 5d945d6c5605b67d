// The views and commands against the real engine, on real files: what a command does lies on disk afterwards, and the tree
// follows, whoever changed the files.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../../src/extension';
import type { MemoryTarget } from '../../../src/views/memoryRows';
import type { RowNode } from '../../../src/views/rowTree';
import type { SessionTarget } from '../../../src/views/sessionRows';
import { until } from './companion';

const memoryDir = process.env.HOST_MEMORY ?? '';
const configDir = process.env.CLAUDE_CONFIG_DIR ?? '';
const file = (path: string): string => join(memoryDir, path);
const textOf = (path: string): string => readFileSync(file(path), 'utf8');
const run = <T>(id: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(`reverie.${id}`, ...args);

let api: TestApi;

/** All rows, groups opened: `label description` by id. */
async function rows(): Promise<Map<string, { node: RowNode<MemoryTarget>; item: vscode.TreeItem }>> {
  const { tree } = api.memoryTree;
  const all = new Map<string, { node: RowNode<MemoryTarget>; item: vscode.TreeItem }>();
  const walk = async (parent?: RowNode<MemoryTarget>): Promise<void> => {
    for (const row of await tree.rows(parent)) {
      all.set(`${row.item.label}`, row);
      if (row.item.collapsibleState !== vscode.TreeItemCollapsibleState.None) await walk(row.node);
    }
  };
  await walk();
  return all;
}

async function rowOf(label: string): Promise<RowNode<MemoryTarget>> {
  const found = (await rows()).get(label);
  assert.ok(found, `no row ${label}`);
  return found.node;
}

async function sessionRows(): Promise<{ node: RowNode<SessionTarget>; item: vscode.TreeItem }[]> {
  const { tree } = api.sessionTree;
  const all: { node: RowNode<SessionTarget>; item: vscode.TreeItem }[] = [];
  for (const row of await tree.rows()) {
    all.push(row);
    if (row.item.collapsibleState !== vscode.TreeItemCollapsibleState.None) all.push(...(await tree.rows(row.node)));
  }
  return all;
}

const labels = async (): Promise<string[]> => [...(await rows()).keys()];
const shows = (label: string): Promise<unknown> => until(async () => (await rows()).has(label), label);
const hides = (label: string): Promise<unknown> => until(async () => !(await rows()).has(label), `no ${label}`);

describe('the views in a real host', function () {
  this.timeout(60_000);

  before(async () => {
    const extension = vscode.extensions.getExtension<TestApi>('reverie.reverie');
    assert.ok(extension);
    api = await extension.activate();
    assert.ok(api, 'a test is handed the views');
    // A dream that comes by itself would stand in the status bar.
    const settings = vscode.workspace.getConfiguration('reverie');
    await settings.update('dream.mode', 'manual', vscode.ConfigurationTarget.Global);
    await until(async () => (await rows()).size > 0, 'rows');
  });

  it('show the memories of the folder in their groups, each with words for a screen reader', async () => {
    const all = await rows();
    for (const label of ['MEMORY.md', 'Problems', 'User', 'Feedback', 'Project', 'Reference', 'keep-commits-small'])
      assert.ok(all.has(label), label);
    assert.equal(all.get('onboarding.md')?.item.description, 'invalid YAML, line 3');
    for (const [label, { item }] of all) assert.ok(item.accessibilityInformation?.label, label);
  });

  it('open the real file, and let nothing in a hover be more than text', async () => {
    const item = await api.memoryTree.tree.resolve(await rowOf('keep-commits-small'));
    assert.equal(item.command?.command, 'vscode.open');
    const [address] = (item.command?.arguments ?? []) as readonly vscode.Uri[];
    assert.equal(address?.fsPath, file('keep-commits-small.md'));
    const hover = item.tooltip as vscode.MarkdownString;
    assert.deepEqual([hover.isTrusted, hover.supportHtml], [false, false]);
    assert.match(hover.value, /One change a commit/);
  });

  it('follow a file that somebody writes and removes', async () => {
    const text = '---\nname: "[x](command:workbench.action.quit) <b>bold</b>"\ndescription: d\ntype: user\n---\n\nx\n';
    const name = '[x](command:workbench.action.quit) <b>bold</b>';
    writeFileSync(file('stranger.md'), text);
    await shows(name);
    const hover = (await api.memoryTree.tree.resolve(await rowOf(name))).tooltip as vscode.MarkdownString;
    assert.doesNotMatch(hover.value, /(?<!\\)\]\(command:/);
    rmSync(file('stranger.md'));
    await hides(name);
  });

  it('remember words as a memory with its line in the index, and take that back', async () => {
    const index = textOf('MEMORY.md');
    const path = await run<string>('remember', 'Always run the linter before a commit', 'feedback');
    assert.ok(path && existsSync(file(path)), path);
    assert.match(textOf('MEMORY.md'), new RegExp(path.replace('.', '\\.')));
    await until(async () => (await labels()).some((label) => /linter/.test(label)), 'the new memory');
    await run('undo');
    assert.deepEqual([existsSync(file(path)), textOf('MEMORY.md')], [false, index]);
  });

  it('refuse a secret with a message and write nothing', async () => {
    const before = await labels();
    const key = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    assert.equal(await run('remember', `The token is ${key}`, 'reference'), undefined);
    assert.deepEqual(await labels(), before);
  });

  it('pin, verify, rename and give back every byte on undo', async () => {
    const path = 'keep-commits-small.md';
    const text = textOf(path);
    await run('pin', await rowOf('keep-commits-small'));
    assert.match(textOf(path), /pinned: true/);
    await until(async () => {
      const icon = (await rows()).get('keep-commits-small')?.item.iconPath;
      return icon instanceof vscode.ThemeIcon && icon.id === 'pinned';
    }, 'the pin');
    await run('unpin', await rowOf('keep-commits-small'));
    await run('verify', await rowOf('keep-commits-small'));
    assert.match(textOf(path), /verified: /);
    await run('rename', await rowOf('keep-commits-small'), undefined, 'Small commits');
    await shows('Small commits');
    for (let times = 0; times < 4; times += 1) await run('undo');
    assert.equal(textOf(path), text);
    await shows('keep-commits-small');
  });

  it('move several selected memories to the trash in one go', async () => {
    const nodes = [await rowOf('retry-budget'), await rowOf('sensor-dashboards')];
    const texts = nodes.map(({ target }) => textOf(target.kind === 'memory' ? target.path : ''));
    const gone = await run<string[]>('delete', nodes[0], nodes);
    assert.deepEqual(gone, ['retry-budget.md', 'sensor-dashboards.md']);
    assert.deepEqual(
      gone.map((path) => existsSync(file(path))),
      [false, false],
    );
    await hides('retry-budget');
    await run('undo');
    assert.deepEqual(gone.map(textOf), texts);
    await shows('retry-budget');
  });

  it('copy links that memories understand', async () => {
    assert.deepEqual(await run('copyLink', await rowOf('reader-role')), ['[[reader-role]]']);
  });

  it('filter the tree and say so', async () => {
    const { memoryTree } = api;
    memoryTree.setFilter({ ...memoryTree.filter(), types: ['user'] });
    assert.deepEqual(await labels(), ['MEMORY.md', 'User', 'reader-role']);
    await run('clearFilter');
    assert.ok((await labels()).includes('Project'));
  });

  it('pause and resume, in the status bar too', async () => {
    assert.equal(api.statusBar.current().kind, 'idle');
    await run('pause', 'hour');
    await until(() => api.statusBar.current().kind === 'paused', 'the pause');
    await run('resume');
    await until(() => api.statusBar.current().kind === 'idle', 'its end');
  });

  it('follow the setting that switches memory off, and mirror it for the command line', async () => {
    const configuration = vscode.workspace.getConfiguration('reverie');
    const mirror = join(configDir, 'reverie', 'settings.json');
    await configuration.update('enabled', false, vscode.ConfigurationTarget.Global);
    await until(() => api.statusBar.current().kind === 'disabled', 'off');
    await until(() => existsSync(mirror) && JSON.parse(readFileSync(mirror, 'utf8')).enabled === false, 'the mirror');
    await configuration.update('enabled', undefined, vscode.ConfigurationTarget.Global);
    await until(() => api.statusBar.current().kind === 'idle', 'on again');
    await until(() => JSON.parse(readFileSync(mirror, 'utf8')).enabled === true, 'the mirror again');
  });

  describe('after learning from the past', () => {
    let known: string[];

    before(async () => {
      known = await labels();
      await run('learnFromPast', Number.POSITIVE_INFINITY);
      await until(async () => (await labels()).includes('Suggestions'), 'suggestions');
    });

    it('show what was saved and what is suggested, with a badge', async () => {
      const now = await labels();
      assert.ok(now.length > known.length + 2, now.join('\n'));
      const { badge } = api.memoryTree.tree.view;
      assert.ok(badge && badge.value >= 1);
    });

    it('lead from a memory to the words it came from, for reading only', async () => {
      const all = [...(await rows()).values()];
      const row = all.find(
        ({ item }) => item.contextValue?.includes('sourced') && !item.contextValue.includes('unsourced'),
      );
      assert.ok(row, 'a memory with a source');
      await run('openSourceMessage', row.node);
      const editor = vscode.window.activeTextEditor;
      assert.match(editor?.document.fileName ?? '', /\.jsonl$/);
      assert.ok(editor && !editor.selection.isEmpty);
      assert.match(editor.document.getText(editor.selection), /\w{3}/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('say of each chat what came of it, and open that', async () => {
      const saved = (await sessionRows()).find(({ item }) => `${item.description}`.startsWith('saved'));
      assert.ok(saved);
      const item = await api.sessionTree.tree.resolve(saved.node);
      const hover = item.tooltip as vscode.MarkdownString;
      assert.match(hover.value, /command:reverie\.openTranscript/);
      await run('openOutcome', saved.node);
      assert.match(vscode.window.activeTextEditor?.document.fileName ?? '', /\.md$/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('leave a chat out and take it in again', async () => {
      const [first] = (await sessionRows()).filter(({ item }) => item.contextValue?.startsWith('session'));
      assert.ok(first);
      const outcome = async () => (await sessionRows()).find(({ node }) => node.id === first.node.id)?.item.description;
      await run('excludeSession', first.node);
      assert.equal(await outcome(), 'not learned from');
      await run('includeSession', first.node);
      assert.notEqual(await outcome(), 'not learned from');
    });

    it('keep a suggestion as a person edited it', async () => {
      const suggestions = async () =>
        [...(await rows()).values()].filter(({ item }) => item.contextValue === 'suggestion');
      const [first] = await suggestions();
      assert.ok(first);
      await run('editSuggestion', first.node);
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.scheme, 'reverie-suggestion');
      assert.ok(editor);
      const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
      await editor.edit((edit) => edit.insert(end, '\nAsk Ada about it.\n'));
      await editor.document.save();
      assert.equal((await suggestions()).length > 0, true, 'saving alone keeps nothing');
      const [path = ''] = await run<string[]>('acceptSuggestion', editor.document.uri);
      assert.match(textOf(path), /Ask Ada about it\./);
      await until(async () => !(await suggestions()).some(({ node }) => node.id === first.node.id), 'settled');
      assert.ok(
        !vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('suggestion'))),
      );
    });

    it('dismiss the rest, which ends the badge', async () => {
      const rest = [...(await rows()).values()].filter(({ item }) => item.contextValue === 'suggestion');
      const nodes = rest.map(({ node }) => node);
      if (nodes[0]) await run('dismissSuggestion', nodes[0], nodes);
      await until(async () => !(await labels()).includes('Suggestions'), 'no suggestions');
      assert.equal(api.memoryTree.tree.view.badge, undefined);
    });
  });
});
