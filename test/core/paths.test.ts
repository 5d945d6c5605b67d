// Where a project lies, with repositories that git itself made. The ids are those of the catalogue of faults that others met.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { findGitRoot } from '../../src/core/gitRoot';
import { diagnosePaths } from '../../src/core/pathDiagnosis';
import { slug } from '../../src/core/pathRules';
import { type PathWarning, type ProjectPaths, resolveProject } from '../../src/core/paths';
import { changingCalls, countingDisk, watchedDisk } from '../support/disks';
import { createPlaces, type Places, treeHash, windowsDisk } from '../support/places';

const kinds = (warnings: readonly PathWarning[]) => warnings.map(({ kind }) => kind);

describe('where a project lies', function () {
  // git is started many times.
  this.timeout(30_000);
  let places: Places;
  let repo: string;
  beforeEach(() => {
    places = createPlaces();
    repo = places.repository(join(places.home, 'app'));
  });
  afterEach(() => places.remove());

  const pathsOf = async (directory: string, options = {}) => (await places.resolve(directory, options)).paths;
  const diagnose = async (directory: string) => diagnosePaths(await pathsOf(directory), nodeDisk);
  const defaultMemory = (root: string) => join(places.projects, slug(root), 'memory');
  const dirOf = (path: string) => join(places.projects, slug(path));
  const isOwn = (paths: ProjectPaths, folder: string) => paths.transcriptDirs.includes(folder);

  // Each case makes its folders and names the one to open and the one whose memories must come out.
  const topologies: readonly { readonly name: string; readonly make: () => { open: string; root: string } }[] = [
    { name: 'F-18: the root of a repository has its own memories', make: () => ({ open: repo, root: repo }) },
    {
      name: 'F-18: a linked worktree has the main checkout’s memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '../app-topic');
        return { open: join(places.home, 'app-topic'), root: repo };
      },
    },
    {
      name: 'F-18: a worktree inside the main checkout has its memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '.worktrees/2573');
        return { open: join(repo, '.worktrees/2573'), root: repo };
      },
    },
    {
      name: 'F-18: a subfolder of a worktree has the main checkout’s memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '../app-topic');
        mkdirSync(join(places.home, 'app-topic/src/deep'), { recursive: true });
        return { open: join(places.home, 'app-topic/src/deep'), root: repo };
      },
    },
    {
      name: 'F-18: a worktree that is linked by relative paths has the main checkout’s memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '../app-topic');
        places.write(join(places.home, 'app-topic/.git'), 'gitdir: ../app/.git/worktrees/app-topic\n');
        places.write(join(repo, '.git/worktrees/app-topic/gitdir'), '../../../../app-topic/.git\n');
        return { open: join(places.home, 'app-topic'), root: repo };
      },
    },
    {
      name: 'F-18: worktrees of a bare repository have the bare repository’s memories',
      make: () => {
        const bare = join(places.home, 'store.git');
        places.git(places.home, 'clone', '-q', '--bare', repo, bare);
        places.git(bare, 'worktree', 'add', '-q', '../store-main');
        return { open: join(places.home, 'store-main'), root: bare };
      },
    },
    {
      name: 'F-18: worktrees beside a hidden bare repository have its memories',
      make: () => {
        const bare = join(places.home, 'proj/.bare');
        places.git(places.home, 'clone', '-q', '--bare', repo, bare);
        places.write(join(places.home, 'proj/.git'), 'gitdir: ./.bare\n');
        places.git(bare, 'worktree', 'add', '-q', '../main2');
        return { open: join(places.home, 'proj/main2'), root: bare };
      },
    },
    {
      name: 'F-18: a submodule has its own memories',
      make: () => {
        const library = places.repository(join(places.home, 'library'));
        places.git(repo, 'submodule', '--quiet', 'add', library, 'vendor/library');
        return { open: join(repo, 'vendor/library'), root: join(repo, 'vendor/library') };
      },
    },
    {
      name: 'F-18: a repository whose git directory lies elsewhere has its own memories',
      make: () => {
        const apart = join(places.home, 'apart');
        mkdirSync(apart);
        places.git(apart, 'init', '-q', '--separate-git-dir', join(places.home, 'apart-git'));
        return { open: apart, root: apart };
      },
    },
    {
      name: 'F-18: a folder outside git has its own memories',
      make: () => {
        mkdirSync(join(places.home, 'notes'));
        return { open: join(places.home, 'notes'), root: join(places.home, 'notes') };
      },
    },
    {
      name: 'F-18: a folder that is not there yet has its own memories',
      make: () => ({ open: join(places.home, 'later'), root: join(places.home, 'later') }),
    },
    {
      name: 'F-19: a .git file that points at someone else’s repository does not get its memories',
      make: () => {
        const thief = join(places.home, 'thief');
        places.write(join(thief, '.git'), `gitdir: ${join(repo, '.git')}\n`);
        return { open: thief, root: thief };
      },
    },
    {
      name: 'F-19: a .git file that points at someone else’s worktree does not get its memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '../app-topic');
        const thief = join(places.home, 'thief');
        places.write(join(thief, '.git'), `gitdir: ${join(repo, '.git/worktrees/app-topic')}\n`);
        return { open: thief, root: thief };
      },
    },
    {
      name: 'F-19: a made-up worktree entry that names someone else’s commondir does not get its memories',
      make: () => {
        const thief = join(places.home, 'thief');
        places.write(join(thief, '.git'), 'gitdir: fake\n');
        places.write(join(thief, 'fake/commondir'), `${join(repo, '.git')}\n`);
        places.write(join(thief, 'fake/gitdir'), `${join(thief, '.git')}\n`);
        return { open: thief, root: thief };
      },
    },
    {
      name: 'F-19: a .git that is a link into someone else’s worktree does not get its memories',
      make: () => {
        places.git(repo, 'worktree', 'add', '-q', '../app-topic');
        const thief = join(places.home, 'thief');
        mkdirSync(thief);
        symlinkSync(join(places.home, 'app-topic/.git'), join(thief, '.git'));
        return { open: thief, root: thief };
      },
    },
    {
      name: 'F-19: a .git file with rubbish in it leaves the folder on its own',
      make: () => {
        const odd = join(places.home, 'odd');
        places.write(join(odd, '.git'), `gitdir: ${'x'.repeat(10_000)}\0\n`);
        return { open: odd, root: odd };
      },
    },
    {
      name: 'F-20: an open subfolder has the repository’s memories',
      make: () => {
        mkdirSync(join(repo, 'packages/web'), { recursive: true });
        return { open: join(repo, 'packages/web'), root: repo };
      },
    },
    {
      name: 'F-21: a project opened through a link has the physical path’s memories',
      make: () => {
        symlinkSync(repo, join(places.home, 'link'));
        return { open: join(places.home, 'link'), root: repo };
      },
    },
    {
      name: 'F-21: a subfolder reached through a link in the path has the physical repository’s memories',
      make: () => {
        mkdirSync(join(repo, 'src'));
        symlinkSync(repo, join(places.home, 'link'));
        return { open: join(places.home, 'link/src'), root: repo };
      },
    },
    {
      name: 'F-18: a trailing separator and dots in the path change nothing',
      make: () => ({ open: `${repo}/../app/./`, root: repo }),
    },
  ];
  for (const { name, make } of topologies) {
    it(name, async () => {
      const { open, root } = make();
      const paths = await pathsOf(open);
      assert.equal(paths.root, root);
      assert.equal(paths.slug, slug(root));
      assert.equal(paths.memoryDir, defaultMemory(root));
      assert.equal(paths.memoryDirSource, 'default');
      assert.equal(paths.transcriptDirs[0], dirOf(root));
    });
  }

  it('F-18: a worktree that was moved by hand is on its own, as its repository no longer points at it', async () => {
    places.git(repo, 'worktree', 'add', '-q', '../app-topic');
    const moved = join(places.home, 'app-moved');
    renameSync(join(places.home, 'app-topic'), moved);
    assert.equal(await findGitRoot(moved, nodeDisk), moved);
    places.git(repo, 'worktree', 'repair', moved);
    assert.equal(await findGitRoot(moved, nodeDisk), repo);
  });

  it('F-19: a .git file that names a server does not make us ask it', async () => {
    const files = {
      'C:\\thief\\.git': 'gitdir: //server/share/x\n',
      'C:\\other\\.git': 'gitdir: C:/apart\n',
      'C:\\apart\\commondir': '\\\\server\\share\n',
      'C:\\apart\\gitdir': 'C:/other/.git\n',
    };
    const asked: string[] = [];
    const disk = watchedDisk((_call, path) => asked.push(path), windowsDisk(files));
    assert.equal(await findGitRoot('C:\\thief', disk), 'C:\\thief');
    assert.equal(await findGitRoot('C:\\other', disk), 'C:\\other');
    assert.deepEqual(
      asked.filter((path) => /server/.test(path)),
      [],
    );
  });

  it('F-18: outside git there is no git root', async () => {
    assert.equal(await findGitRoot(places.home, nodeDisk), undefined);
  });

  it('F-23: a path in decomposed letters is keyed by the composed ones', async () => {
    const decomposed = places.repository(join(places.home, 'café-프로젝트'.normalize('NFD')));
    const paths = await pathsOf(decomposed);
    assert.equal(paths.root, decomposed);
    assert.equal(paths.slug, slug(decomposed.normalize('NFC')));
    assert.notEqual(paths.slug, slug(decomposed));
    places.session(decomposed, slug(decomposed));
    places.memory(slug(decomposed));
    const again = await pathsOf(decomposed);
    assert.ok(isOwn(again, join(places.projects, slug(decomposed))));
    assert.equal(again.memoryDir, paths.memoryDir);
    assert.deepEqual(kinds(await diagnose(decomposed)), ['other_store']);
  });

  it('F-23: folders in other scripts get the name that the rule gives', async () => {
    for (const [name, folder] of [
      ['プロジェクト', '------'],
      ['проект', '------'],
      ['a😀b', 'a--b'],
    ] as const) {
      const paths = await pathsOf(places.repository(join(places.home, name)));
      assert.equal(paths.slug, `${slug(places.home)}-${folder}`);
    }
  });

  it('F-25: paths of 200, 201 and 259 characters get the name with or without its hash', async () => {
    for (const length of [200, 201, 259]) {
      let path = join(places.home, 'long');
      while (path.length < length - 40) path = join(path, 'd'.repeat(20));
      path = join(path, 'e'.repeat(length - path.length - 1));
      assert.equal(path.length, length);
      const paths = await pathsOf(places.repository(path));
      assert.equal(paths.slug, slug(path));
      if (length === 200) assert.equal(paths.slug.length, 200);
      else assert.match(paths.slug, /^.{200}-[0-9a-z]{1,7}$/);
      mkdirSync(join(path, 'sub'));
      places.session(join(path, 'sub'));
      places.session(join(path.slice(0, -1), 'sibling'));
      assert.deepEqual((await pathsOf(path)).transcriptDirs, [dirOf(path), dirOf(join(path, 'sub'))]);
    }
  });

  it('F-22: on Windows the drive letter’s case splits nothing: the store that exists is used, the other one is told', async () => {
    const home = 'C:\\Users\\Me';
    const config = `${home}\\.claude`;
    const line = `${JSON.stringify({ type: 'user', cwd: 'c:\\Users\\Me\\My Proj' })}\n`;
    const files = {
      'C:\\Users\\Me\\My Proj\\.git\\HEAD': '',
      [`${config}\\projects\\c--Users-Me-My-Proj\\memory\\MEMORY.md`]: '',
      [`${config}\\projects\\c--Users-Me-My-Proj\\1.jsonl`]: line,
      [`${config}\\projects\\c--Users-Me-My-Proj-Two\\1.jsonl`]: line.replace('My Proj', 'My Proj Two'),
      [`${config}\\projects\\c--Users-Me-My-Proj-sub\\1.jsonl`]: line.replace('My Proj', 'My Proj\\\\sub'),
      'C:\\Users\\Me\\My Proj Two\\x': '',
    };
    const resolve = (disk: ReturnType<typeof windowsDisk>) =>
      resolveProject({
        directory: 'c:\\Users\\Me\\My Proj\\',
        homeDir: home,
        env: {},
        trusted: true,
        platform: 'win32',
        disk,
      });
    const { paths, switches } = await resolve(windowsDisk(files));
    assert.equal(paths.root, 'C:\\Users\\Me\\My Proj');
    assert.equal(paths.memoryDir, `${config}\\projects\\c--Users-Me-My-Proj\\memory`);
    assert.deepEqual(paths.transcriptDirs, [
      `${config}\\projects\\C--Users-Me-My-Proj`,
      `${config}\\projects\\c--Users-Me-My-Proj`,
      `${config}\\projects\\c--Users-Me-My-Proj-sub`,
    ]);
    const both = windowsDisk({ ...files, [`${config}\\projects\\C--Users-Me-My-Proj\\memory\\MEMORY.md`]: '' });
    const second = (await resolve(both)).paths;
    assert.equal(second.memoryDir, `${config}\\projects\\C--Users-Me-My-Proj\\memory`);
    assert.deepEqual(
      (await diagnosePaths(second, both)).map(({ kind, path }) => [kind, path]),
      [['other_store', paths.memoryDir]],
    );
    assert.equal(switches.enabled, true);
  });

  it('F-53: while memory is off no transcript is opened and nothing is listed', async () => {
    mkdirSync(join(repo, 'src'));
    places.session(repo);
    places.session(join(repo, 'src'));
    places.memory(slug(repo));
    const counting = countingDisk();
    const off = await places.resolve(join(repo, 'src'), {
      env: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' },
      disk: counting.disk,
    });
    assert.equal(off.switches.enabled, false);
    assert.deepEqual(off.paths.transcriptDirs, [dirOf(repo), dirOf(join(repo, 'src'))]);
    const looked = [
      ...(counting.calls.get('read') ?? []),
      ...(counting.calls.get('readRange') ?? []),
      ...(counting.calls.get('list') ?? []),
    ];
    assert.deepEqual(
      looked.filter((path) => path.startsWith(places.projects)),
      [],
    );
  });

  it('F-61: a memory folder that is a link into a synced folder keeps its path, and its state follows the real one', async () => {
    const synced = join(places.base, 'synced/memory');
    mkdirSync(synced, { recursive: true });
    mkdirSync(dirOf(repo));
    symlinkSync(synced, defaultMemory(repo));
    const other = places.repository(join(places.home, 'other'));
    mkdirSync(dirOf(other));
    symlinkSync(synced, defaultMemory(other));
    const [ours, theirs] = [await pathsOf(repo), await pathsOf(other)];
    assert.equal(ours.memoryDir, defaultMemory(repo));
    assert.equal(ours.stateDir, theirs.stateDir, 'one store, one state');
    assert.deepEqual(kinds(await diagnose(repo)), []);
  });

  it('the state folder is the same before and after the memory folder is made, and differs for colliding stores elsewhere', async () => {
    const before = await pathsOf(repo);
    assert.match(before.stateDir, new RegExp(`^${join(places.config, 'reverie')}/${slug(repo)}-[0-9a-f]{12}$`));
    places.memory(slug(repo));
    assert.equal((await pathsOf(repo)).stateDir, before.stateDir);
    const elsewhere = await pathsOf(repo, { env: { CLAUDE_CODE_REMOTE_MEMORY_DIR: join(places.base, 'remote') } });
    assert.equal(elsewhere.memoryDir, join(places.base, 'remote/projects', slug(repo), 'memory'));
    assert.notEqual(elsewhere.stateDir, before.stateDir);
  });

  it('F-63: looking changes nothing: no file, no folder, no time', async () => {
    places.git(repo, 'worktree', 'add', '-q', '../app-topic');
    places.session(repo);
    places.session(join(repo, 'src'));
    places.session(join(places.home, 'old/app'));
    places.memory(slug(join(places.home, 'old/app')));
    places.write(join(places.config, 'settings.json'), '{ "autoMemoryEnabled": true }');
    places.write(join(places.config, '.credentials.json'), '{}');
    places.write(join(places.home, '.claude.json'), '{}');
    const before = treeHash(places.base);
    const seen: string[] = [];
    const disk = watchedDisk((call, path) => {
      assert.ok(!changingCalls.some((each) => each === call), `${call} ${path}`);
      seen.push(path);
    });
    for (const directory of [repo, join(places.home, 'app-topic'), join(places.home, 'nothing')]) {
      const { paths } = await places.resolve(directory, { disk, teamDirectory: 'docs/team' });
      await diagnosePaths(paths, disk);
    }
    assert.equal(treeHash(places.base), before);
    assert.deepEqual(
      seen.filter((path) => /credentials|\.claude\.json/.test(path)),
      [],
    );
  });

  describe('the team folder', () => {
    const teamOf = async (teamDirectory: string, directory = repo) => {
      const paths = await pathsOf(directory, { teamDirectory });
      return { teamDir: paths.teamDir, refused: kinds(paths.warnings).includes('team_refused') };
    };

    it('lies in the open checkout, also of a linked worktree, so that it is committed with it', async () => {
      assert.deepEqual(await teamOf('.claude/team'), { teamDir: join(repo, '.claude/team'), refused: false });
      assert.deepEqual(await teamOf(join(repo, 'docs')), { teamDir: join(repo, 'docs'), refused: false });
      places.git(repo, 'worktree', 'add', '-q', '../app-topic');
      const worktree = join(places.home, 'app-topic');
      assert.deepEqual(await teamOf('docs', worktree), { teamDir: join(worktree, 'docs'), refused: false });
      assert.equal((await pathsOf(repo)).teamDir, undefined);
    });

    it('is refused outside the repository, as the repository itself, in git’s own folder and through links that lead out', async () => {
      symlinkSync(places.home, join(repo, 'out'));
      symlinkSync(join(places.base, 'nowhere'), join(repo, 'dangling'));
      symlinkSync(join(repo, '.git'), join(repo, 'git'));
      const refused = [
        '..',
        '../app-two',
        '/',
        '.',
        'a/..',
        '.git/hooks',
        '.GIT',
        'out/team',
        'dangling',
        'git/x',
        'a\0b',
        '%2e%2e/x',
      ];
      for (const directory of refused) {
        assert.deepEqual(await teamOf(directory), { teamDir: undefined, refused: true }, directory);
      }
    });

    it('is told why it is refused', async () => {
      const why = async (teamDirectory: string) => (await pathsOf(repo, { teamDirectory })).warnings[0]?.message ?? '';
      assert.match(await why('.'), /whole repository/);
      assert.match(await why('..'), /does not lie in the repository/);
    });

    it('is refused where private memories lie, and is the usual one inside the memory folder', async () => {
      const set = (directory: string) =>
        places.write(join(places.config, 'settings.json'), JSON.stringify({ autoMemoryDirectory: directory }));
      set(join(repo, '.claude/memory'));
      for (const directory of ['.claude/memory', '.claude', '.claude/memory/shared']) {
        assert.deepEqual(await teamOf(directory), { teamDir: undefined, refused: true }, directory);
      }
      assert.deepEqual(await teamOf('.claude/memory/team'), { teamDir: undefined, refused: false });
    });
  });
});
