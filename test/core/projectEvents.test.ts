// What a window that only looks is told, through the real watchers of this machine.

import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import type { Event } from '../../src/core/event';
import { createTempProject, type TempProject } from '../support/tempProject';

describe('a project tells its views', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

  function counted(event: Event<void>) {
    let count = 0;
    event(() => {
      count += 1;
    });
    return {
      count: () => count,
      async more(than: number): Promise<void> {
        for (let waited = 0; count <= than && waited < 8_000; waited += 20) await pause(20);
        assert.ok(count > than, 'nothing was told');
      },
    };
  }

  it('that a chat appeared, and that a quiet one goes on, but not each of its words', async () => {
    const old = await temp.chat('old', (talk) => talk.human('Hello').assistant('Hi.').turnEnd());
    const longAgo = Date.now() / 1000 - 3600;
    await utimes(old, longAgo, longAgo);
    const project = await temp.open();
    await project.start();
    const sessions = counted(project.onDidChangeSessions);
    await temp.chat('new', (talk) => talk.human('A new chat'));
    await sessions.more(0);
    assert.equal((await project.sessions()).length, 2);

    const before = sessions.count();
    await temp.chat('old', (talk) => talk.human('One more thing'));
    await sessions.more(before);
    const after = sessions.count();
    await temp.chat('old', (talk) => talk.human('And another'));
    await pause(900);
    assert.equal(sessions.count(), after);
  });

  it('that a session is no longer to be learned from', async () => {
    await temp.chat('one', (talk) => talk.human('Hello').assistant('Hi.').turnEnd());
    const project = await temp.open();
    const session = (await project.sessions())[0]?.session;
    assert.ok(session);
    const sessions = counted(project.onDidChangeSessions);
    await project.exclude(session, true);
    assert.equal(sessions.count(), 1);
    assert.equal((await project.sessions())[0]?.state, 'excluded');
  });

  it('that another window paused it, and that it goes on', async () => {
    const project = await temp.open();
    await project.start();
    const other = await temp.open();
    const rest = counted(project.onDidChangeRest);
    await other.pause(undefined);
    await rest.more(0);
    assert.equal((await project.rest())?.kind, 'paused');
    await pause(300);
    const before = rest.count();
    await other.resume();
    await rest.more(before);
    assert.equal(await project.rest(), undefined);
  });

  it('the time something was said in a chat, whenever it is learned from', async () => {
    const file = await temp.chat('old', (talk) => talk.human('Always squash here.').assistant('Noted.').turnEnd());
    const lastWeek = Date.now() / 1000 - 7 * 86_400;
    await utimes(file, lastWeek, lastWeek);
    await temp.chat('new', (talk) => talk.human('Hello').assistant('Hi.').turnEnd());
    const project = await temp.open();
    const { sessions } = await project.past();
    await project.learnPast(sessions);
    const entries = await project.sessions();
    assert.equal(entries.at(-1)?.session.file, file);
    assert.ok(Math.abs((entries.at(-1)?.session.modifiedAt ?? 0) - lastWeek * 1000) < 2_000);
  });
});
