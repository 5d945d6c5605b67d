// News from the team: what a teammate committed and this person has not seen. Two clones of one repository, made by git.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGit } from '../../src/core/git';
import type { Project } from '../../src/core/project';
import { hasGit, runGit } from '../support/git';
import { createTempProject, type TempProject, teamSettings } from '../support/tempProject';

const memory = (name: string, body = `${name}.`) => `---\nname: ${name}\ntype: project\n---\n\n${body}\n`;

describe(`news from the team${hasGit ? '' : ' (skipped: no git here)'}`, function () {
  this.timeout(30_000);
  let temp: TempProject;
  let ana: string;
  before(function () {
    if (!hasGit) this.skip();
  });

  const git = (folder: string, ...args: readonly string[]) => runGit(temp.base, folder, args);
  const iAm = (folder: string, name: string) => {
    git(folder, 'config', 'user.name', name);
    git(folder, 'config', 'user.email', `${name.toLowerCase()}@example.com`);
  };
  const write = (folder: string, path: string, text: string) => {
    mkdirSync(join(folder, 'docs/memory'), { recursive: true });
    writeFileSync(join(folder, 'docs/memory', path), text);
  };
  const commit = (folder: string, message = 'Change') => {
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', message);
  };
  /** A teammate writes, and this person pulls. */
  const pull = (path: string, text: string) => {
    write(ana, path, text);
    commit(ana);
    git(ana, 'push', '-q', 'origin', 'HEAD');
    git(temp.directory, 'pull', '-q', '--no-rebase', '--no-edit');
  };
  const env = () => ({ PATH: process.env.PATH, HOME: temp.base });
  const open = () => temp.open({ settings: teamSettings('docs/memory'), env: env() });
  const fresh = async (project: Project) => [...(await project.team.state()).fresh].sort();

  beforeEach(async () => {
    temp = await createTempProject();
    const hub = join(temp.base, 'hub.git');
    ana = join(temp.base, 'ana');
    git(temp.base, 'init', '-q', '--bare', hub);
    git(temp.base, 'clone', '-q', hub, ana);
    iAm(ana, 'Ana');
    write(ana, 'old.md', memory('Old'));
    commit(ana);
    git(ana, 'push', '-q', 'origin', 'HEAD');
    rmSync(temp.directory, { recursive: true });
    git(temp.base, 'clone', '-q', hub, temp.directory);
    iAm(temp.directory, 'Bo');
  });
  afterEach(() => temp.remove());

  it('is nothing at first sight: who joins is told how much there is, and no later window is', async () => {
    const project = await open();
    assert.equal((await project.team.state()).firstSight, 1);
    const second = await (await open()).team.state();
    assert.deepEqual([second.firstSight, second.fresh.size], [undefined, 0]);
  });

  it('is what a pull brought, with author and date, until it was seen; also in the next window', async () => {
    const project = await open();
    await project.team.state();
    pull('freeze.md', memory('Freeze'));
    const state = await project.team.state();
    assert.deepEqual([...state.fresh], ['team/freeze.md']);
    const origin = state.origins.get('team/freeze.md');
    assert.equal(origin?.author, 'Ana');
    assert.ok(Math.abs(Date.now() - (origin?.at ?? 0)) < 60_000);
    const other = await open();
    assert.deepEqual(await fresh(other), ['team/freeze.md']);
    await project.team.markSeen(['team/freeze.md']);
    assert.deepEqual([await fresh(project), await fresh(other)], [[], []]);
    pull('freeze.md', memory('Freeze', 'In June.'));
    assert.deepEqual(await fresh(project), ['team/freeze.md'], 'other words are new again');
    await project.team.markSeen();
    assert.deepEqual(await fresh(project), []);
  });

  it('is not what this person wrote, by whatever program, committed or not', async () => {
    const project = await open();
    await project.team.state();
    await project.remember({ text: 'Ask Ana before the schema changes.', type: 'project', scope: 'team' });
    write(temp.directory, 'by-hand.md', memory('By hand'));
    assert.deepEqual(await fresh(project), []);
    commit(temp.directory);
    assert.deepEqual(await fresh(project), []);
    pull('freeze.md', memory('Freeze'));
    assert.deepEqual(await fresh(project), ['team/freeze.md']);
    write(temp.directory, 'freeze.md', memory('Freeze', 'Changed here.'));
    assert.deepEqual(await fresh(project), [], 'edited here');
  });

  it('comes not again with a renamed file or another branch', async () => {
    const project = await open();
    await project.team.state();
    pull('freeze.md', memory('Freeze'));
    await project.team.markSeen();
    git(temp.directory, 'checkout', '-q', '-b', 'side', 'HEAD~1');
    assert.deepEqual(await fresh(project), []);
    git(temp.directory, 'checkout', '-q', '-');
    assert.deepEqual(await fresh(project), []);
    git(ana, 'mv', 'docs/memory/freeze.md', 'docs/memory/thaw.md');
    commit(ana);
    git(ana, 'push', '-q', 'origin', 'HEAD');
    git(temp.directory, 'pull', '-q');
    assert.deepEqual(await fresh(project), []);
  });

  it('is told of when a pull moves the branch after the files', async () => {
    const project = await open();
    await project.start();
    await project.team.state();
    const told = new Promise<void>((done) => {
      const ear = project.team.onDidChange(() => {
        ear.dispose();
        done();
      });
    });
    pull('freeze.md', memory('Freeze'));
    await told;
    assert.deepEqual(await fresh(project), ['team/freeze.md']);
  });

  it('has no author where git has no answer, and foreign words are news all the same', async () => {
    const project = await temp.open({ settings: teamSettings() });
    await project.team.state();
    await temp.put('team/freeze.md', memory('Freeze'));
    const { fresh: found, origins } = await project.team.state();
    assert.deepEqual([[...found], origins.size], [['team/freeze.md'], 0]);
  });

  it('is not asked for in an untrusted workspace', async () => {
    const project = await temp.open({ settings: teamSettings('docs/memory'), env: env(), trusted: false });
    const state = await project.team.state();
    assert.deepEqual([state.origins.size, state.fresh.size], [0, 0]);
  });

  it('starts no program that a repository names', async () => {
    const trap = join(temp.base, 'trap');
    const sprung = join(temp.base, 'sprung');
    writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\n`);
    chmodSync(trap, 0o755);
    for (const [key, value] of [
      ['core.fsmonitor', trap],
      ['core.pager', trap],
      ['gpg.program', trap],
      ['log.showSignature', 'true'],
      ['diff.external', trap],
      ['core.sshCommand', trap],
      ['filter.trap.clean', trap],
      ['filter.trap.smudge', trap],
    ] as const)
      git(temp.directory, 'config', key, value);
    writeFileSync(join(temp.directory, '.gitattributes'), '* filter=trap diff=trap\n');
    git(temp.directory, 'config', 'diff.trap.textconv', trap);
    const folder = join(temp.directory, 'docs/memory');
    const asked = openGit({ folder, around: temp.directory, env: env(), homeDir: temp.base });
    assert.equal((await asked.committed())?.origins.get('old.md')?.author, 'Ana');
    assert.equal((await asked.identity())?.name, 'Bo');
    assert.equal(await asked.isIgnored(folder), false);
    writeFileSync(join(temp.directory, '.gitignore'), 'docs/\n');
    assert.equal(await asked.isIgnored(folder), true);
    assert.equal(existsSync(sprung), false);
  });
});
