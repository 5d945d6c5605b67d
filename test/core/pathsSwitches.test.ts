// Whether memory is on and which folder the settings name for it. Off counts from anywhere, on and elsewhere only from those
// who may say so.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { slug } from '../../src/core/pathRules';
import { watchedDisk } from '../support/disks';
import { createPlaces, movedDisk, type Places, treeHash } from '../support/places';

type Layer = 'user' | 'project' | 'local' | 'policy' | 'dropIn';

describe('the switches and settings of memory', function () {
  // git is started for some.
  this.timeout(30_000);
  let places: Places;
  let repo: string;
  let policy: string;
  beforeEach(() => {
    places = createPlaces();
    repo = places.repository(join(places.home, 'app'));
    policy = join(places.base, 'policy');
  });
  afterEach(() => places.remove());

  const fileOf = (layer: Layer) =>
    ({
      user: join(places.config, 'settings.json'),
      project: join(repo, '.claude/settings.json'),
      local: join(repo, '.claude/settings.local.json'),
      policy: join(policy, 'managed-settings.json'),
      dropIn: join(policy, 'managed-settings.d/10-memory.json'),
    })[layer];
  const labelOf = (layer: Layer) =>
    ({
      user: '~/.claude/settings.json',
      project: '~/app/.claude/settings.json',
      local: '~/app/.claude/settings.local.json',
      policy: '/etc/claude-code/managed-settings.json',
      dropIn: '/etc/claude-code/managed-settings.d/10-memory.json',
    })[layer];
  type Files = Partial<Record<Layer, unknown>>;
  const put = (files: Files) => {
    for (const [layer, content] of Object.entries(files)) {
      places.write(fileOf(layer as Layer), typeof content === 'string' ? content : JSON.stringify(content));
    }
  };
  const resolve = (options = {}) => places.resolve(repo, { disk: movedDisk('/etc/claude-code', policy), ...options });

  interface Case {
    readonly name: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly files?: Files;
    readonly trusted?: boolean;
    /** What switched it off; `undefined` where memory is on. A layer's name in angle brackets stands for its file. */
    readonly off?: string;
  }
  const no = { autoMemoryEnabled: false };
  const yes = { autoMemoryEnabled: true };
  const disable = 'CLAUDE_CODE_DISABLE_AUTO_MEMORY';
  const cases: readonly Case[] = [
    { name: 'memory is on when nobody says anything' },
    ...['1', 'true', 'YES', ' on '].map((value) => ({
      name: `${disable}=${JSON.stringify(value)} switches off`,
      env: { [disable]: value },
      off: `${disable} in the environment`,
    })),
    ...['0', 'false', 'No', 'off'].map((value) => ({
      name: `${disable}=${JSON.stringify(value)} forces memory on, whatever simple mode and settings say`,
      env: { [disable]: value, CLAUDE_CODE_SIMPLE: '1' },
      files: { user: no, local: no },
    })),
    { name: 'an empty variable says nothing', env: { [disable]: '' } },
    {
      name: 'safe mode is stronger than the variable that forces memory on',
      env: { CLAUDE_CODE_SAFE_MODE: '1', [disable]: '0' },
      off: 'CLAUDE_CODE_SAFE_MODE in the environment',
    },
    {
      name: 'simple mode switches off',
      env: { CLAUDE_CODE_SIMPLE: 'true' },
      off: 'CLAUDE_CODE_SIMPLE in the environment',
    },
    {
      name: 'whoever loads no memory files learns none',
      env: { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' },
      off: 'CLAUDE_CODE_DISABLE_CLAUDE_MDS in the environment',
    },
    {
      name: 'a remote session without a place for memories switches off',
      env: { CLAUDE_CODE_REMOTE: 'true' },
      off: 'CLAUDE_CODE_REMOTE in the environment',
    },
    {
      name: 'a remote session with a place for memories does not',
      env: { CLAUDE_CODE_REMOTE: 'true', CLAUDE_CODE_REMOTE_MEMORY_DIR: '/srv/memory' },
    },
    {
      name: 'a remote session with an override for memories does not',
      env: { CLAUDE_CODE_REMOTE: 'true', CLAUDE_COWORK_MEMORY_PATH_OVERRIDE: '/srv/memory' },
    },
    {
      name: 'an untrusted project can’t make up a place for a remote session’s memories',
      env: { CLAUDE_CODE_REMOTE: 'true' },
      files: { project: { env: { CLAUDE_CODE_REMOTE_MEMORY_DIR: '1' } } },
      trusted: false,
      off: 'CLAUDE_CODE_REMOTE in the environment',
    },
    ...(['user', 'project', 'local', 'policy', 'dropIn'] as const).flatMap((layer) =>
      [true, false].map((trusted) => ({
        name: `autoMemoryEnabled: false in ${layer} settings switches off, ${trusted ? '' : 'not '}trusted`,
        files: { [layer]: no },
        trusted,
        off: `autoMemoryEnabled in <${layer}>`,
      })),
    ),
    {
      name: 'a trusted project’s settings are stronger than the person’s',
      files: { user: no, project: yes },
    },
    {
      name: 'local settings are stronger than the project’s',
      files: { project: yes, local: no },
      off: 'autoMemoryEnabled in <local>',
    },
    { name: 'a policy is stronger than all of them', files: { user: no, project: no, local: no, policy: yes } },
    {
      name: 'a later part of a policy overrides the policy',
      files: { policy: yes, dropIn: no },
      off: 'autoMemoryEnabled in <dropIn>',
    },
    {
      name: 'an untrusted project can’t switch on what the person switched off',
      files: { user: no, project: yes, local: yes },
      trusted: false,
      off: 'autoMemoryEnabled in <user>',
    },
    {
      name: 'the env block of settings switches off',
      files: { user: { env: { [disable]: '1' } } },
      off: `env.${disable} in <user>`,
    },
    {
      name: 'an untrusted project’s env block switches off',
      files: { project: { env: { CLAUDE_CODE_SIMPLE: '1' } } },
      trusted: false,
      off: 'env.CLAUDE_CODE_SIMPLE in <project>',
    },
    {
      name: 'an untrusted project’s env block can’t force memory on',
      files: { user: no, project: { env: { [disable]: '0' } } },
      trusted: false,
      off: 'autoMemoryEnabled in <user>',
    },
    { name: 'a trusted project’s env block can', files: { user: no, project: { env: { [disable]: '0' } } } },
    {
      name: 'a settings value that is no boolean switches off',
      files: { user: { autoMemoryEnabled: 'false' } },
      off: 'autoMemoryEnabled in <user>',
    },
    {
      name: 'comments, trailing commas and a byte order mark are read over',
      files: { user: '\uFEFF// mine\n{ "autoMemoryEnabled": false, /* so */ }\n' },
      off: 'autoMemoryEnabled in <user>',
    },
    { name: 'a broken settings file that says nothing of memory changes nothing', files: { user: '{ "model": ' } },
    { name: 'an empty settings file changes nothing', files: { user: '', project: '  \n' } },
    ...[
      '{ "autoMemoryEnabled": fal',
      '{ "autoMemoryEnabled": false',
      '"autoMemoryEnabled"',
      '{ "autoMemoryEnabled" ',
    ].map((text) => ({
      name: `a broken settings file with ${text} in it never leaves memory on`,
      files: { user: text },
      off: "autoMemoryEnabled in <user>, which can't be parsed",
    })),
    {
      name: 'a broken settings file with a switch in its env block never leaves memory on',
      files: { local: `{ "env": { "${disable}": "1"` },
      trusted: false,
      off: `${disable} in <local>, which can't be parsed`,
    },
    {
      name: 'a broken settings file can’t switch on',
      files: { user: no, local: '{ "autoMemoryEnabled": true' },
      off: 'autoMemoryEnabled in <user>',
    },
    {
      name: 'the variable that forces memory on is stronger than a broken file',
      env: { [disable]: '0' },
      files: { user: '{ "autoMemoryEnabled": fal' },
    },
  ];
  for (const { name, env = {}, files = {}, trusted = true, off } of cases) {
    it(`F-53: ${name}`, async () => {
      put(files);
      const before = treeHash(places.base);
      const { switches } = await resolve({ env, trusted });
      const disabledBy = off?.replace(/<(\w+)>/, (_all, layer: Layer) => labelOf(layer));
      assert.deepEqual(switches, disabledBy === undefined ? { enabled: true } : { enabled: false, disabledBy });
      assert.equal(treeHash(places.base), before, 'and nothing was made');
    });
  }

  it('F-53: a settings file that can’t be read, is no file or is enormous leaves memory off', async () => {
    put({ user: {} });
    const disk = watchedDisk((call, path) => {
      if (call === 'read' && path === fileOf('user')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    });
    const refused = await resolve({ disk });
    assert.deepEqual(refused.switches, { enabled: false, disabledBy: "~/.claude/settings.json, which can't be read" });
    assert.deepEqual(
      refused.paths.warnings.map(({ kind }) => kind),
      ['settings_broken'],
    );

    put({ user: ' '.repeat(2 * 1024 * 1024) });
    assert.equal((await resolve()).switches.enabled, false);
    put({ user: {} });
    mkdirSync(fileOf('local'), { recursive: true });
    assert.equal((await resolve()).switches.enabled, false);
  });

  it('F-53: a settings link into a device is not followed for ever', async () => {
    mkdirSync(join(repo, '.claude'));
    symlinkSync('/dev/zero', fileOf('project'));
    assert.equal((await resolve({ trusted: false })).switches.enabled, false);
  });

  it('F-53: switched off in the main checkout is off in its worktrees, switched on there says nothing', async () => {
    places.git(repo, 'worktree', 'add', '-q', '../app-topic');
    const worktree = join(places.home, 'app-topic');
    put({ local: no });
    assert.equal((await places.resolve(worktree)).switches.disabledBy, `autoMemoryEnabled in ${labelOf('local')}`);
    put({ local: { ...yes, autoMemoryDirectory: '/srv/memory' }, user: no });
    const { paths, switches } = await places.resolve(worktree);
    assert.equal(switches.enabled, false);
    assert.equal(paths.memoryDirSource, 'default');
  });

  it('F-53: settings of an open subfolder and of the checkout’s root both count, the subfolder’s first', async () => {
    const sub = join(repo, 'packages/web');
    places.write(join(sub, '.claude/settings.json'), JSON.stringify(yes));
    put({ project: no });
    assert.equal((await places.resolve(sub)).switches.enabled, true);
    places.write(join(sub, '.claude/settings.json'), '{}');
    assert.equal((await places.resolve(sub)).switches.disabledBy, `autoMemoryEnabled in ${labelOf('project')}`);
  });

  it('F-28: where the home folder is a repository, the person’s own settings are not the project’s', async () => {
    places.repository(places.home);
    put({ user: { autoMemoryDirectory: '~/mine' } });
    const { paths } = await places.resolve(places.home, { trusted: false });
    assert.equal(paths.memoryDir, join(places.home, 'mine'));
    assert.deepEqual(paths.warnings, []);
  });

  for (const layer of ['project', 'local'] as const) {
    it(`F-28: an untrusted ${layer} setting does not move the memory folder, and that is told`, async () => {
      put({
        [layer]: { autoMemoryDirectory: '/srv/stolen', env: { CLAUDE_COWORK_MEMORY_PATH_OVERRIDE: '/srv/stolen' } },
      });
      const { paths } = await resolve({ trusted: false });
      assert.equal(paths.memoryDir, join(places.projects, slug(repo), 'memory'));
      assert.equal(paths.memoryDirSource, 'default');
      const [warning, ...more] = paths.warnings;
      assert.deepEqual([warning?.kind, warning?.path, more], ['settings_ignored', fileOf(layer), []]);
      assert.match(warning?.message ?? '', /autoMemoryDirectory, env\.CLAUDE_COWORK_MEMORY_PATH_OVERRIDE in ~\/app/);
    });

    it(`F-28: a trusted ${layer} setting moves the memory folder`, async () => {
      put({ user: { autoMemoryDirectory: '/srv/user' }, [layer]: { autoMemoryDirectory: '/srv/moved/' } });
      const { paths } = await resolve();
      assert.equal(paths.memoryDir, '/srv/moved');
      assert.equal(paths.memoryDirSource, 'autoMemoryDirectory');
      assert.equal(paths.memoryDirNamedBy, `autoMemoryDirectory in ${labelOf(layer)}`);
    });
  }

  it('F-28: the person’s own setting and a policy count in an untrusted project too, the policy first', async () => {
    put({ user: { autoMemoryDirectory: '~/mine' }, local: { autoMemoryDirectory: '/srv/stolen' } });
    assert.equal((await resolve({ trusted: false })).paths.memoryDir, join(places.home, 'mine'));
    put({ policy: { autoMemoryDirectory: '/srv/policy' } });
    assert.equal((await resolve({ trusted: false })).paths.memoryDir, '/srv/policy');
  });

  for (const value of ['.claude/memory', '~', '~/..', '/', 'C:', '/a\0b', '//server/m', '', 7, null, ['/srv/x']]) {
    it(`F-27: autoMemoryDirectory ${JSON.stringify(value)} is refused with its reason, and the default is used`, async () => {
      put({ user: { autoMemoryDirectory: '/srv/user' }, local: { autoMemoryDirectory: value } });
      const { paths } = await resolve();
      assert.equal(paths.memoryDir, join(places.projects, slug(repo), 'memory'));
      const [warning, ...more] = paths.warnings;
      assert.deepEqual([warning?.kind, more], ['directory_refused', []]);
      assert.match(
        warning?.message ?? '',
        /^autoMemoryDirectory in ~\/app\/\.claude\/settings\.local\.json can't be used: it /,
      );
    });
  }

  it('the environment’s override wins over every setting; a refused one falls through', async () => {
    put({ policy: { autoMemoryDirectory: '/srv/policy' } });
    const { paths } = await resolve({ env: { CLAUDE_COWORK_MEMORY_PATH_OVERRIDE: '/srv/override' } });
    assert.deepEqual(
      [paths.memoryDir, paths.memoryDirSource, paths.memoryDirNamedBy],
      ['/srv/override', 'environment', 'CLAUDE_COWORK_MEMORY_PATH_OVERRIDE in the environment'],
    );
    const refused = await resolve({ env: { CLAUDE_COWORK_MEMORY_PATH_OVERRIDE: 'memory' } });
    assert.equal(refused.paths.memoryDir, '/srv/policy');
    assert.deepEqual(
      refused.paths.warnings.map(({ kind }) => kind),
      ['directory_refused'],
    );
  });

  it('a remote base moves memories and leaves transcripts where they are', async () => {
    const { paths } = await resolve({ env: { CLAUDE_CODE_REMOTE_MEMORY_DIR: '/srv/remote' } });
    assert.equal(paths.memoryDir, join('/srv/remote/projects', slug(repo), 'memory'));
    assert.deepEqual(
      [paths.memoryDirSource, paths.transcriptDirs],
      ['environment', [join(places.projects, slug(repo))]],
    );
  });

  it('the config folder comes from the caller, else the environment, else the home folder', async () => {
    const other = join(places.base, 'profile');
    assert.equal((await resolve({ env: { CLAUDE_CONFIG_DIR: other } })).paths.configDir, other);
    assert.equal(
      (await resolve({ env: { CLAUDE_CONFIG_DIR: other }, configDir: '~/own/' })).paths.configDir,
      join(places.home, 'own'),
    );
    assert.equal((await resolve({ env: { CLAUDE_CONFIG_DIR: '' } })).paths.configDir, places.config);
    places.write(join(other, 'settings.json'), JSON.stringify(no));
    assert.equal((await resolve()).switches.enabled, true);
    assert.equal((await resolve({ env: { CLAUDE_CONFIG_DIR: other } })).switches.enabled, false);
  });

  it('a project folder name from the environment counts only beside a config folder, from the launch, and if it is one', async () => {
    const config = join(places.base, 'profile');
    const name = 'CLAUDE_CODE_PROJECT_DIR_NAME';
    const slugOf = async (env: NodeJS.ProcessEnv) => (await resolve({ env })).paths.slug;
    const { paths } = await resolve({ env: { CLAUDE_CONFIG_DIR: config, [name]: 'shared_1' } });
    assert.equal(paths.memoryDir, join(config, 'projects/shared_1/memory'));
    assert.deepEqual(paths.transcriptDirs, [join(config, 'projects/shared_1'), join(config, 'projects', slug(repo))]);
    assert.equal(await slugOf({ [name]: 'shared' }), slug(repo));
    for (const odd of ['', '..', 'a/b', 'nul', 'COM1', 'x'.repeat(65), 'a b']) {
      assert.equal(await slugOf({ CLAUDE_CONFIG_DIR: config, [name]: odd }), slug(repo), odd);
    }
    put({ user: { env: { [name]: 'shared' } } });
    assert.equal((await resolve()).paths.slug, slug(repo));
  });

  it('the last part of a policy has the last word', async () => {
    put({ dropIn: no });
    places.write(join(policy, 'managed-settings.d/20-more.json'), JSON.stringify(yes));
    places.write(join(policy, 'managed-settings.d/.30-hidden.json'), JSON.stringify(no));
    assert.equal((await resolve()).switches.enabled, true);
  });

  it('policies are looked for where each system keeps them', async () => {
    for (const [platform, folder] of [
      ['darwin', '/Library/Application Support/ClaudeCode'],
      ['linux', '/etc/claude-code'],
    ] as const) {
      put({ policy: no });
      const { switches } = await resolve({ platform, disk: movedDisk(folder, policy) });
      assert.equal(switches.disabledBy, `autoMemoryEnabled in ${folder}/managed-settings.json`);
    }
    assert.equal((await resolve({ disk: nodeDisk, platform: 'freebsd' })).switches.enabled, true);
  });
});
