// Which transcripts belong to a repository, and which only look as if they did.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';
import { slug } from '../../src/core/pathRules';
import type { ProjectPaths } from '../../src/core/paths';
import { belongsTo } from '../../src/core/transcriptFolders';
import { countingDisk } from '../support/disks';
import { createPlaces, type Places } from '../support/places';

describe('the transcripts of a repository', function () {
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
  const dirOf = (path: string) => join(places.projects, slug(path));
  const isOwn = (paths: ProjectPaths, folder: string) => paths.transcriptDirs.includes(folder);

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
});
