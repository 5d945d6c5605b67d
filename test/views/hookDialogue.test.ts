// Connecting Claude Code as a dialogue, over real files: what a person is shown, what is written when they agree, and that nothing
// is when they do not.

import { strict as assert } from 'node:assert';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectClaudeCode,
  disconnectClaudeCode,
  type HookAsking,
  type HookPlaces,
  outcomeText,
} from '../../src/commands/hookDialogue';
import { nodeDisk } from '../../src/core/disk';
import { openHookConnection } from '../../src/core/hooks/connection';
import { wantedLines } from '../../src/core/hooks/settingsText';
import { englishWords } from '../support/words';

const command = '/home/ada/.claude/reverie/bin/reverie-hook';

describe('connecting Claude Code', () => {
  let base: string;
  let places: HookPlaces;
  let launchers: number;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'dialogue-'));
    launchers = 0;
    places = {
      user: { file: join(base, 'settings.json'), label: '~/.claude/settings.json' },
      local: { file: join(base, 'repo/.claude/settings.local.json'), label: '~/repo/.claude/settings.local.json' },
    };
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** A person who takes the choice of this label, and agrees or not; what they were shown is kept. */
  function person(choice: string | undefined, agrees: boolean) {
    const seen: string[] = [];
    const asking: HookAsking = {
      async pick(title, hint, options) {
        seen.push([title, hint, ...options.map(({ label, description }) => `${label}: ${description}`)].join('\n'));
        return options.find(({ label }) => label === choice)?.value;
      },
      async confirm(text, detail, action) {
        seen.push([text, detail, action].join('\n'));
        return agrees;
      },
    };
    return { asking, seen };
  }
  const connection = () => openHookConnection({ configDir: base, disk: nodeDisk });
  const hooks = {
    command,
    lines: wantedLines(command),
    writeLauncher: async () => {
      launchers += 1;
    },
  };
  const connect = (asking: HookAsking) => connectClaudeCode(asking, places, connection(), hooks, englishWords);
  const disconnect = (asking: HookAsking) => disconnectClaudeCode(asking, places, connection(), englishWords);
  const text = () => readFile(places.user.file, 'utf8').catch(() => undefined);

  it('offers the settings of all projects and of this one, and shows exactly what is added', async () => {
    const { asking, seen } = person('In all projects', true);
    const outcome = await connect(asking);
    assert.match(seen[0] ?? '', /In all projects: ~\/\.claude\/settings\.json\nOnly in this project/);
    assert.match(seen[1] ?? '', /^Add hooks to ~\/\.claude\/settings\.json\?\n"UserPromptSubmit": \[\{"hooks":\[\{/);
    const { hooks: added } = JSON.parse((await text()) ?? '');
    const shown = Object.fromEntries(
      (seen[1] ?? '')
        .split('\n')
        .filter((line) => line.startsWith('"'))
        .map((line) => Object.entries(JSON.parse(`{${line}}`))[0] ?? ['', undefined]),
    );
    assert.deepEqual(shown, added);
    assert.equal(outcome?.kind, 'connected');
    assert.equal(launchers, 1);
  });

  it('writes nothing when a person goes away or says no', async () => {
    assert.equal(await connect(person(undefined, true).asking), undefined);
    assert.equal(await connect(person('In all projects', false).asking), undefined);
    assert.deepEqual([await text(), launchers], [undefined, 0]);
    await connect(person('In all projects', true).asking);
    const connected = await text();
    assert.equal(await disconnect(person(undefined, false).asking), undefined);
    assert.equal(await text(), connected);
  });

  it('asks nothing when it is there already, and mends the launcher', async () => {
    await connect(person('In all projects', true).asking);
    const { asking, seen } = person('In all projects', false);
    assert.equal((await connect(asking))?.kind, 'already');
    assert.deepEqual([seen.length, launchers], [1, 2]);
  });

  it('takes the hooks out of both places at once', async () => {
    await writeFile(places.user.file, '{ }');
    await connect(person('In all projects', true).asking);
    await connect(person('Only in this project, on this machine', true).asking);
    const { asking, seen } = person(undefined, true);
    const outcome = await disconnect(asking);
    assert.match(seen[0] ?? '', /out of ~\/\.claude\/settings\.json, ~\/repo\/\.claude\/settings\.local\.json\?/);
    assert.equal(outcome?.kind, 'disconnected');
    assert.equal(await text(), '{ }');
    assert.equal((await disconnect(person(undefined, true).asking))?.kind, 'not_connected');
  });

  it('says of a file that can’t be changed what to do, and leaves it and the launcher alone', async () => {
    const cases: readonly (readonly [content: string, mode: number, sentence: RegExp])[] = [
      ['{', 0o644, /settings\.json is no valid JSON\. Nothing was changed; mend it first\./],
      ['{"hooks": 1}', 0o644, /In .*, hooks is not what Claude Code expects\./],
      ['{}', 0o444, /can’t be written\. Nothing was changed\. Make it writable, or add the hooks by hand\./],
    ];
    for (const [content, mode, sentence] of cases) {
      await writeFile(places.user.file, content);
      await chmod(places.user.file, mode);
      const outcome = await connect(person('In all projects', true).asking);
      assert.match(outcome ? outcomeText(outcome, englishWords) : '', sentence);
      assert.deepEqual([await text(), launchers], [content, 0]);
      await chmod(places.user.file, 0o644);
    }
  });

  it('says when another setting there keeps all hooks from running', async () => {
    await writeFile(places.user.file, '{"disableAllHooks": true}');
    const outcome = await connect(person('In all projects', true).asking);
    assert.match(outcome ? outcomeText(outcome, englishWords) : '', /disableAllHooks stands there/);
  });
});
