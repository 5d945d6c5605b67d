// One engine for each memory folder, opened late and closed in time.

import { strict as assert } from 'node:assert';
import { silentLogger } from '../../src/core/log';
import { createProjects } from '../../src/projects';
import { createFakeProject, type FakeProject } from '../support/fakeProject';

/** Folders lead to engines by what stands before the dot of their name: `a.1` and `a.2` share one. */
function setUp(names: readonly string[]) {
  const opened: { name: string; fake: FakeProject }[] = [];
  const attached: string[] = [];
  const detached: string[] = [];
  const refused = new Set<string>();
  const folder = (name: string) => ({ name, path: `/w/${name}` });
  const projects = createProjects({
    folders: names.map(folder),
    async openProject({ name }) {
      await Promise.resolve();
      if (refused.has(name)) throw new Error(`no ${name}`);
      const fake = createFakeProject(`/state/${name.split('.')[0]}`);
      opened.push({ name, fake });
      return fake.project;
    },
    attach({ key }) {
      attached.push(key);
      return { dispose: () => void detached.push(key) };
    },
    log: silentLogger,
  });
  return { projects, opened, attached, detached, refused, folder };
}

describe('the projects of a window', () => {
  it('are opened when somebody asks and not before', async () => {
    const { projects, opened } = setUp(['a']);
    assert.deepEqual([projects.current(), opened.length], [[], 0]);
    await projects.setFolders([{ name: 'b', path: '/w/b' }]);
    assert.equal(opened.length, 0);
    await projects.open();
    assert.deepEqual(
      projects.current().map(({ name }) => name),
      ['b'],
    );
  });

  it('are one where two folders lead to one memory folder', async () => {
    const { projects, opened, attached } = setUp(['a.1', 'a.2', 'b']);
    const open = await projects.open();
    assert.deepEqual(
      open.map(({ key, name }) => [key, name]),
      [
        ['/state/a', 'a.1, a.2'],
        ['/state/b', 'b'],
      ],
    );
    assert.deepEqual(
      opened.map(({ fake }) => fake.isDisposed),
      [false, true, false],
    );
    assert.deepEqual(attached, ['/state/a', '/state/b']);
  });

  it('are opened once, however many ask at the same time', async () => {
    const { projects, opened } = setUp(['a']);
    await Promise.all([projects.open(), projects.open(), projects.open()]);
    assert.equal(opened.length, 1);
  });

  it('stay open while a folder leads to them and are closed with the last one', async () => {
    const { projects, opened, detached, folder } = setUp(['a.1', 'a.2']);
    await projects.open();
    await projects.setFolders([folder('a.2')]);
    assert.deepEqual([projects.current()[0]?.name, opened[0]?.fake.isDisposed, detached], ['a.2', false, []]);
    await projects.setFolders([]);
    assert.deepEqual([projects.current(), opened[0]?.fake.isDisposed, detached], [[], true, ['/state/a']]);
  });

  it('survive one that can’t be opened, and say so when there is no other', async () => {
    const { projects, refused, folder } = setUp(['a', 'b']);
    refused.add('a');
    assert.deepEqual(
      (await projects.open()).map(({ name }) => name),
      ['b'],
    );
    await projects.setFolders([folder('a')]);
    await assert.rejects(projects.open(), /no a/);
    refused.clear();
    assert.deepEqual(
      (await projects.open()).map(({ name }) => name),
      ['a'],
    );
  });

  it('are other ones after trust was given, under the same key', async () => {
    const { projects, opened, detached } = setUp(['a']);
    await projects.open();
    let changes = 0;
    projects.onDidChange(() => {
      changes += 1;
    });
    await projects.reopen();
    assert.deepEqual([opened.length, opened[0]?.fake.isDisposed, opened[1]?.fake.isDisposed], [2, true, false]);
    assert.deepEqual(
      [projects.find('/state/a')?.project === opened[1]?.fake.project, detached, changes],
      [true, ['/state/a'], 1],
    );
  });

  it('are found by a file in the deepest of their folders', async () => {
    const { projects } = setUp(['a', 'b', 'a/inner']);
    await projects.open();
    assert.equal(projects.ofFile('/w/a/x.ts')?.key, '/state/a');
    assert.equal(projects.ofFile('/w/a/inner/x.ts')?.key, '/state/a/inner');
    assert.equal(projects.ofFile('/w/ab/x.ts'), undefined);
  });

  it('end their work before the window does', async () => {
    const { projects, opened } = setUp(['a', 'b']);
    await projects.open();
    await projects.drain(100);
    projects.dispose();
    for (const { fake } of opened) assert.deepEqual([fake.calls, fake.isDisposed], [['drain'], true]);
  });
});
