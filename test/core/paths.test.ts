// Where a project lies, with repositories that git itself made. The ids are those of the catalogue of faults that others met.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { findGitRoot } from '../../src/core/gitRoot';
import { diagnosePaths } from '../../src/core/pathDiagnosis';
import { slug } from '../../src/core/pathRules';
import { type PathWarning, type ProjectPaths, resolveProject } from '../../src/core/paths';
import { belongsTo } from '../../src/core/transcriptFolders';
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

  it('F-18: every checkout finds the transcripts of all the others', async () => {
    places.git(repo, 'worktree', 'add', '-q', '../app-topic');
    places.git(repo, 'worktree', 'add', '-q', '.worktrees/inner');
    places.git(repo, 'worktree', 'add', '-q', '../app-relative');
    places.write(join(repo, '.git/worktrees/app-relative/gitdir'), '../../../../app-relative/.git\n');
    const all = [
      repo,
      join(repo, '.worktrees/inner'),
      ...['app-topic', 'app-relative'].map((name) => join(places.home, name)),
    ];
    for (const open of all) {
      const { transcriptDirs } = await pathsOf(open);
      assert.deepEqual([...transcriptDirs].sort(), all.map(dirOf).sort(), open);
    }
  });

  it('F-18: a repository that names a foreign folder as its worktree does not get its transcripts', async () => {
    const victim = places.repository(join(places.home, 'victim'));
    places.git(victim, 'worktree', 'add', '-q', '../victim-topic');
    const plain = join(places.home, 'plain');
    mkdirSync(plain);
    const names = { a: victim, b: join(places.home, 'victim-topic'), c: plain };
    for (const [name, path] of Object.entries(names)) {
      places.write(join(repo, '.git/worktrees', name, 'gitdir'), `${join(path, '.git')}\n`);
      places.write(join(repo, '.git/worktrees', name, 'commondir'), '../..\n');
      places.session(path);
    }
    const { transcriptDirs } = await pathsOf(repo);
    assert.deepEqual(transcriptDirs, [dirOf(repo)]);
  });

  it('F-18: a linked list of worktrees does not bring in another repository’s', async () => {
    const victim = places.repository(join(places.home, 'victim'));
    places.git(victim, 'worktree', 'add', '-q', '../victim-topic');
    symlinkSync(join(victim, '.git/worktrees'), join(repo, '.git/worktrees'));
    assert.deepEqual((await pathsOf(repo)).transcriptDirs, [dirOf(repo)]);
    const thief = join(places.home, 'thief');
    mkdirSync(thief);
    symlinkSync(join(victim, '.git'), join(thief, '.git'));
    assert.deepEqual((await pathsOf(thief)).transcriptDirs, [dirOf(thief)]);
  });

  it('F-20: an open subfolder has the transcripts of subfolder and root, and other subfolders’ too', async () => {
    for (const name of ['packages/web', 'packages/api']) mkdirSync(join(repo, name), { recursive: true });
    places.session(repo);
    places.session(join(repo, 'packages/web'));
    places.session(join(repo, 'packages/api'));
    const { transcriptDirs } = await pathsOf(join(repo, 'packages/web'));
    assert.deepEqual(transcriptDirs, [repo, join(repo, 'packages/web'), join(repo, 'packages/api')].map(dirOf));
  });

  it('F-20: a subfolder and a worktree inside the repository count although they are gone', async () => {
    places.session(join(repo, 'old/part'));
    places.session(join(repo, '.worktrees/done'));
    const paths = await pathsOf(repo);
    assert.ok(isOwn(paths, dirOf(join(repo, 'old/part'))));
    assert.ok(isOwn(paths, dirOf(join(repo, '.worktrees/done'))));
  });

  it('F-20: a repository nested in ours keeps its transcripts for itself', async () => {
    const nested = places.repository(join(repo, 'vendor/lib'));
    places.session(nested);
    places.session(join(nested, 'gone'));
    assert.deepEqual((await pathsOf(repo)).transcriptDirs, [dirOf(repo)]);
    assert.deepEqual((await pathsOf(nested)).transcriptDirs, [dirOf(nested), dirOf(join(nested, 'gone'))]);
  });

  it('F-20: outside git a subfolder is a project of its own', async () => {
    const notes = join(places.home, 'notes');
    mkdirSync(join(notes, 'sub'), { recursive: true });
    places.session(notes);
    places.session(join(notes, 'sub'));
    const counting = countingDisk();
    assert.deepEqual((await pathsOf(notes, { disk: counting.disk })).transcriptDirs, [dirOf(notes)]);
    assert.equal(counting.count('readRange'), 0, 'and its transcripts are not looked into');
  });

  it('F-20: the working directory is found behind lines that have none, that are broken or very long', async () => {
    mkdirSync(join(repo, 'src'));
    const file = places.session(join(repo, 'src'));
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    const before = [
      '{"type":"file-history-snapshot","snapshot":{"cwd":"/elsewhere"}}',
      '{"type":"summary","summary":"torn"',
      `{"type":"user","message":{"content":"${'x'.repeat(100_000)} \\"cwd\\":\\"/elsewhere\\""}}`,
    ];
    places.write(file, `${before.join('\n')}\n${text}`);
    assert.ok(isOwn(await pathsOf(repo), dirOf(join(repo, 'src'))));
  });

  it('F-20: a session counts where it was started, although its first records were written elsewhere', async () => {
    mkdirSync(join(repo, 'src'));
    const file = places.session(join(repo, 'src'));
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    places.write(file, `{"type":"user","cwd":${JSON.stringify(places.base)}}\n${text}`);
    assert.ok(isOwn(await pathsOf(repo), dirOf(join(repo, 'src'))));
  });

  it('F-20: a folder whose transcripts tell of no place, or that has none, is nobody’s', async () => {
    places.write(join(places.projects, `${slug(repo)}-a`, 'x.jsonl'), '{"type":"mode"}\n');
    places.write(join(places.projects, `${slug(repo)}-b`, 'memory/MEMORY.md'), '');
    places.write(join(places.projects, `${slug(repo)}-c`, 'agent-12345678.jsonl'), `{"cwd":${JSON.stringify(repo)}}\n`);
    assert.deepEqual((await pathsOf(repo)).transcriptDirs, [dirOf(repo)]);
  });

  it('F-20: only bounded heads of transcripts are read, and of folders that could be ours', async () => {
    mkdirSync(join(repo, 'src'));
    const file = places.session(join(repo, 'src'));
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    places.write(file, text + `${JSON.stringify({ type: 'progress', data: 'x'.repeat(1000) })}\n`.repeat(5000));
    for (let count = 0; count < 30; count += 1)
      places.session(join(repo, 'src'), slug(join(repo, 'src')), `more ${count}`);
    places.session(join(places.home, 'other'));
    const counting = countingDisk();
    await places.resolve(repo, { disk: counting.disk });
    assert.ok(counting.count('readRange') <= 3, `${counting.count('readRange')} heads`);
    assert.ok(counting.bytesRead() <= 3 * 16 * 1024, `${counting.bytesRead()} bytes`);
    assert.ok(!counting.calls.get('readRange')?.some((path) => path.startsWith(dirOf(join(places.home, 'other')))));
  });

  it('F-21: the folder under the link’s own path is warned of, and its transcripts are ours', async () => {
    const link = join(places.home, 'link');
    symlinkSync(repo, link);
    assert.deepEqual(kinds(await diagnose(link)), []);
    places.session(link);
    places.memory(slug(link));
    const paths = await pathsOf(link);
    assert.ok(isOwn(paths, dirOf(link)));
    const [warning, ...more] = await diagnosePaths(paths, nodeDisk);
    assert.deepEqual([warning?.kind, warning?.path, more], ['symlink', dirOf(link), []]);
  });

  it('F-21: outside git too, the link’s own transcripts are ours', async () => {
    const notes = join(places.home, 'notes');
    const link = join(places.home, 'link');
    mkdirSync(notes);
    symlinkSync(notes, link);
    places.session(link);
    const paths = await pathsOf(link);
    assert.deepEqual(paths.transcriptDirs, [dirOf(notes), dirOf(link)]);
    assert.equal(await belongsTo(join(link, 'gone'), paths, nodeDisk), false);
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

  it('F-24: another project under the same folder name is found by its working directory', async () => {
    const other = places.repository(join(places.home, 'my_repo'));
    const ours = places.repository(join(places.home, 'my-repo'));
    places.session(ours);
    assert.deepEqual(kinds(await diagnose(ours)), []);
    places.session(other);
    const [warning, ...more] = await diagnose(ours);
    assert.deepEqual([warning?.kind, warning?.path, more], ['collision', other, []]);
    const paths = await pathsOf(ours);
    assert.deepEqual(
      [await belongsTo(ours, paths, nodeDisk), await belongsTo(other, paths, nodeDisk)],
      [true, false],
      'sessions of a shared folder can be told apart',
    );
  });

  it('F-24: a new project that takes over a deleted one’s folder name is warned, although it never ran', async () => {
    const ours = places.repository(join(places.home, '새폴더'));
    places.session(join(places.home, '옛폴더'));
    assert.deepEqual(kinds(await diagnose(ours)), ['collision']);
  });

  it('F-24: a folder and its namesake with a separator collide', async () => {
    const ours = places.repository(join(places.home, 'spec-rl'));
    const other = places.repository(join(places.home, 'spec/rl'));
    places.session(join(other, 'src'));
    const warnings = await diagnose(ours);
    assert.deepEqual(
      warnings.map(({ kind, path }) => [kind, path]),
      [['collision', other]],
    );
  });

  it('F-24: a session that changed its directory is no collision', async () => {
    const file = places.session(repo);
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    places.write(file, `{"type":"user","cwd":${JSON.stringify(join(repo, 'sub'))}}\n${text}`);
    symlinkSync(repo, join(places.home, 'link'));
    assert.deepEqual(kinds(await diagnose(repo)), []);
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

  it('F-26: a project that was moved is shown its old memories', async () => {
    const old = join(places.home, 'old/app');
    places.session(old);
    places.memory(slug(old));
    const warnings = await diagnose(repo);
    assert.deepEqual(
      warnings.map(({ kind, path }) => [kind, path]),
      [['renamed', join(dirOf(old), 'memory')]],
    );
  });

  it('F-26: a project that was renamed is known by the files its sessions worked on', async () => {
    const old = join(places.home, 'former-name');
    for (const name of ['a.ts', 'b.ts', 'c.ts']) places.write(join(repo, 'src', name), '');
    const file = places.session(old);
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    const tools = (names: readonly string[]) =>
      names
        .map((name) => `{"type":"assistant","cwd":${JSON.stringify(old)},"input":{"file_path":"${old}/src/${name}"}}\n`)
        .join('');
    places.memory(slug(old));
    places.write(file, text + tools(['a.ts', 'b.ts', 'x.ts', 'c.ts']));
    assert.deepEqual(kinds(await diagnose(repo)), ['renamed']);
    places.write(file, text + tools(['a.ts', 'b.ts']));
    assert.deepEqual(kinds(await diagnose(repo)), [], 'too few files to tell, and another name');
    places.write(file, text + tools(['a.ts', 'x.ts', 'y.ts', 'z.ts']));
    assert.deepEqual(kinds(await diagnose(repo)), [], 'a stranger that happens to have one file of that name');
  });

  it('F-26: a project of the same name that worked on other files, still exists or has no memories is not suggested', async () => {
    const old = join(places.home, 'old/app');
    const file = places.session(old);
    assert.deepEqual(kinds(await diagnose(repo)), [], 'no memories');
    places.memory(slug(old));
    mkdirSync(old, { recursive: true });
    assert.deepEqual(kinds(await diagnose(repo)), [], 'still exists');
    rmSync(old, { recursive: true });
    assert.deepEqual(kinds(await diagnose(repo)), ['renamed']);
    const text = (await nodeDisk.read(file))?.toString() ?? '';
    const tools = ['x', 'y', 'z']
      .map((name) => `{"type":"assistant","input":{"file_path":"${old}/${name}"}}\n`)
      .join('');
    places.write(file, text + tools);
    assert.deepEqual(kinds(await diagnose(repo)), [], 'other files');
  });

  it('F-26: a folder that can’t be looked at is not taken for gone', async () => {
    const old = join(places.home, 'old/app');
    places.session(old);
    places.memory(slug(old));
    const disk = watchedDisk((call, path) => {
      if (call === 'stat' && path === old) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    });
    assert.deepEqual(kinds(await diagnosePaths(await pathsOf(repo), disk)), []);
  });

  it('memories that another rule put in a second place are pointed out', async () => {
    places.git(repo, 'worktree', 'add', '-q', '../app-topic');
    const worktree = join(places.home, 'app-topic');
    places.memory(slug(repo));
    places.memory(slug(worktree));
    const warnings = await diagnose(worktree);
    assert.deepEqual(
      warnings.map(({ kind, path }) => [kind, path]),
      [['other_store', join(dirOf(worktree), 'memory')]],
    );
    places.write(
      join(places.config, 'settings.json'),
      JSON.stringify({ autoMemoryDirectory: join(places.home, 'mem') }),
    );
    assert.deepEqual(
      (await diagnose(repo)).map(({ path }) => path),
      [repo, worktree].map((path) => join(dirOf(path), 'memory')),
    );
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

  it('F-62: a sibling whose name begins like ours is not taken as ours, there or gone', async () => {
    const sibling = places.repository(join(places.home, 'app-two'));
    places.session(sibling);
    places.session(join(places.home, 'app-gone/src'));
    places.session(repo);
    assert.deepEqual((await pathsOf(repo)).transcriptDirs, [dirOf(repo)]);
  });

  it('F-62: a sibling that hides behind a link in its working directory is not taken as ours', async () => {
    const sibling = places.repository(join(places.home, 'app-two'));
    mkdirSync(join(repo, 'links'));
    symlinkSync(sibling, join(repo, 'links/two'));
    places.session(join(repo, 'links/two'));
    assert.deepEqual((await pathsOf(repo)).transcriptDirs, [dirOf(repo)]);
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
