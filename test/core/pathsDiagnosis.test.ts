// What is told to a person who asks whether the memories lie where they should.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { diagnosePaths } from '../../src/core/pathDiagnosis';
import { slug } from '../../src/core/pathRules';
import type { PathWarning, ProjectPaths } from '../../src/core/paths';
import { belongsTo } from '../../src/core/transcriptFolders';
import { watchedDisk } from '../support/disks';
import { createPlaces, type Places } from '../support/places';

const kinds = (warnings: readonly PathWarning[]) => warnings.map(({ kind }) => kind);

describe('the diagnosis of a project’s places', function () {
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
  const dirOf = (path: string) => join(places.projects, slug(path));
  const isOwn = (paths: ProjectPaths, folder: string) => paths.transcriptDirs.includes(folder);

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
});
