// The manifest says what is true: what it names exists, what belongs to a row is not in the palette, and its defaults are
// the engine's.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeSettings, defaultSettings } from '../../src/core/engineSettings';
import { sessionHoverCommands } from '../../src/views/hovers';
import { statusCommands } from '../../src/views/status';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
const root = join(__dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text);
const { contributes } = manifest;
const menus: Readonly<Record<string, readonly MenuItem[]>> = contributes.menus;
const declared = new Set<string>(contributes.commands.map(({ command }: MenuItem) => command));
const nls: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));

describe('the manifest', () => {
  it('names no command that it does not declare', () => {
    const links = Object.values(nls).flatMap((each) =>
      [...each.matchAll(/command:(reverie\.\w+)/g)].map(([, id]) => id),
    );
    const named = [
      ...Object.values(menus).flat(),
      ...contributes.keybindings,
      ...[...links, ...sessionHoverCommands, ...statusCommands].map((command) => ({ command })),
    ].map(({ command }: { command?: string }) => command ?? '');
    assert.deepEqual(
      named.filter((id) => !declared.has(id)),
      [],
    );
  });

  it('keeps what needs a row out of the palette', () => {
    const onRows = menus['view/item/context']?.map(({ command }) => command) ?? [];
    const inTitle = menus['view/title']?.map(({ command }) => command) ?? [];
    // These ask which one is meant, or take the newest, when there is no row.
    const asking = [
      'reverie.excludeSession',
      'reverie.openTranscript',
      'reverie.reviewLeftOut',
      'reverie.moveToTeam',
      'reverie.makePrivate',
    ];
    const hidden = new Map(menus.commandPalette?.map(({ command, when }) => [command, when]));
    for (const command of onRows) {
      if (!inTitle.includes(command) && !asking.includes(command)) assert.ok(hidden.get(command), command);
    }
  });

  it('has an icon for every action that shows as nothing else', () => {
    const icons = new Map(contributes.commands.map((each: MenuItem & { icon?: string }) => [each.command, each.icon]));
    const inline = Object.values(menus)
      .flat()
      .filter(({ group }) => group?.startsWith('inline') || group?.startsWith('navigation'));
    for (const { command } of inline) assert.ok(icons.get(command), command);
  });

  it('repeats every inline action in the context menu, for the keyboard', () => {
    const items = menus['view/item/context'] ?? [];
    for (const { command } of items.filter(({ group }) => group?.startsWith('inline')))
      assert.ok(
        items.some((each) => each.command === command && !each.group?.startsWith('inline')),
        command,
      );
  });

  it('has the engine’s defaults', () => {
    const properties: Record<string, { default: unknown }> = Object.assign(
      {},
      ...contributes.configuration.map(({ properties }: { properties: object }) => properties),
    );
    const given: Record<string, unknown> = {};
    for (const [key, { default: value }] of Object.entries(properties)) {
      const [, group = '', name] = key.split('.');
      if (name === undefined) given[group] = value;
      else given[group] = { ...(given[group] as object), [name]: value };
    }
    assert.deepEqual(completeSettings(given), defaultSettings);
    assert.equal(Object.keys(properties).length, 24);
  });

  it('ignores in an untrusted workspace what a workspace may set', () => {
    const all = contributes.configuration.flatMap(({ properties }: { properties: Record<string, { scope: string }> }) =>
      Object.entries(properties),
    ) as [string, { scope: string }][];
    const open = all.filter(([, { scope }]) => scope !== 'application' && scope !== 'machine').map(([key]) => key);
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, open);
  });

  it('names pictures that are there', () => {
    const pictures = [...text.matchAll(/"((?:media)\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert.ok(pictures.length > 3);
    for (const path of pictures) assert.ok(existsSync(join(root, path)), path);
  });

  it('says something in every empty state', () => {
    const states: string[] = contributes.viewsWelcome.map(({ when }: { when: string }) => when);
    for (const state of [
      'workspaceFolderCount == 0',
      '!isWorkspaceTrusted',
      'off == setting',
      'off == environment',
      'off == claude',
      '!reverie.off',
    ])
      assert.equal(states.filter((when) => when.includes(state)).length, 1, state);
  });
});
