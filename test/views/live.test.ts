// What the views show follows the engine: late, in bursts, through failures, and over a project that is opened anew.

import { strict as assert } from 'node:assert';
import { silentLogger } from '../../src/core/log';
import { createLive } from '../../src/live';
import { createProjects } from '../../src/projects';
import { createFakeProject, type FakeProject, fakeHead } from '../support/fakeProject';

function setUp(names: readonly string[] = ['a']) {
  const fakes: FakeProject[] = [];
  const folders = names.map((name) => ({ name, path: `/w/${name}` }));
  const projects = createProjects({
    folders,
    async openProject({ name }) {
      const fake = createFakeProject(`/state/${name}`);
      fakes.push(fake);
      return fake.project;
    },
    attach: () => ({ dispose() {} }),
    log: silentLogger,
  });
  const live = createLive({
    projects,
    load: async ({ project }) => (await project.heads()).map(({ path }) => path),
    events: (project) => [project.onDidChangeMemories],
    log: silentLogger,
  });
  /** Resolves at the first change after which this is so. */
  const until = (isSo: () => boolean) =>
    new Promise<void>((done) => {
      const look = () => {
        if (!isSo()) return;
        listening.dispose();
        done();
      };
      const listening = live.onDidChange(look);
      look();
    });
  const shows = (...paths: string[]) => until(() => JSON.stringify(live.latest()) === JSON.stringify([paths]));
  const loads = () => fakes.flatMap(({ calls }) => calls.filter((call) => call === 'heads')).length;
  return { projects, live, fakes, until, shows, loads };
}

describe('what the views show', () => {
  it('is loaded when somebody looks, and once for all who look', async () => {
    const { live, loads, fakes } = setUp();
    assert.deepEqual([live.latest(), fakes.length], [[], 0]);
    await Promise.all([live.read(), live.read()]);
    await live.read();
    assert.deepEqual([live.latest(), loads()], [[[]], 1]);
    live.dispose();
  });

  it('is loaded again after a burst of changes, once', async () => {
    const { live, fakes, shows, loads } = setUp();
    await live.read();
    const [fake] = fakes;
    assert.ok(fake);
    fake.memories = [fakeHead('new.md')];
    for (let times = 0; times < 20; times += 1) fake.changeMemories();
    await shows('new.md');
    assert.equal(loads(), 2);
    live.dispose();
  });

  it('stays what it was when a load fails, and follows the next change', async () => {
    const { live, fakes, until, shows, loads } = setUp();
    await live.read();
    const [fake] = fakes;
    assert.ok(fake);
    fake.memories = [fakeHead('a.md')];
    fake.failure = new Error('EIO');
    fake.changeMemories();
    await until(() => loads() === 2 && fake.failure === undefined);
    assert.deepEqual(live.latest(), [[]]);
    fake.changeMemories();
    await shows('a.md');
    live.dispose();
  });

  it('tells who looks when there is nothing to show because of an error', async () => {
    const { live, projects, fakes } = setUp();
    await projects.open();
    const [fake] = fakes;
    assert.ok(fake);
    fake.failure = new Error('EIO');
    await assert.rejects(live.read(), /EIO/);
    assert.deepEqual(await live.read(), [[]]);
    live.dispose();
  });

  it('follows a project that is opened anew, and no longer the old one', async () => {
    const { live, projects, fakes, shows, until } = setUp();
    await live.read();
    await projects.reopen();
    const [before, after] = fakes;
    assert.ok(before && after);
    await until(() => after.calls.includes('heads'));
    before.memories = [fakeHead('old.md')];
    after.memories = [fakeHead('new.md')];
    before.changeMemories();
    after.changeMemories();
    await shows('new.md');
    assert.deepEqual(before.calls, ['heads']);
    live.dispose();
  });

  it('has the order of the folders', async () => {
    const { live, fakes } = setUp(['b', 'a']);
    await live.read();
    for (const [at, fake] of fakes.entries()) fake.memories = [fakeHead(`${at}.md`)];
    await live.refresh();
    assert.deepEqual(live.latest(), [['0.md'], ['1.md']]);
    live.dispose();
  });
});
