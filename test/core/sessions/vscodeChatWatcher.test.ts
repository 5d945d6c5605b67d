// When one of VS Code's chats is over: its last request sealed and nobody writes, another chat begun in its place, a hook, the next
// start; and what is no news. Real files, a real watcher, the machine's clock.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { chatPlaces } from '../../../src/core/sessions/chatStorage';
import { openCursors } from '../../../src/core/sessions/cursors';
import { createSessionWatcher, machineClock, type SessionWatcher } from '../../../src/core/sessions/sessionWatcher';
import { openVscodeChats } from '../../../src/core/sessions/vscodeChat';
import { type VscodeChat, vscodeChat } from '../../support/vscodeChats';

describe('the end of a chat of VS Code', function () {
  this.timeout(20_000);
  let base: string;
  let folder: string;
  const running: SessionWatcher[] = [];
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'chat-ends-'));
    folder = join(base, 'workspaceStorage/3b5679c6/chatSessions');
    await mkdir(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const watcher of running.splice(0)) watcher.dispose();
    await rm(base, { recursive: true, force: true });
  });

  const put = (chat: VscodeChat, kind = 'jsonl') =>
    writeFile(join(folder, `${chat.sessionId}.${kind}`), kind === 'json' ? chat.flat() : chat.log());
  const fresh = (name: string) => vscodeChat(name, { at: Date.now() });

  async function watch(idleMinutes: number) {
    const source = openVscodeChats({
      places: chatPlaces({ workspace: join(base, 'workspaceStorage/3b5679c6/reverie.reverie') }, []),
      disk: nodeDisk,
    });
    const { twins, folders: rewritten } = source;
    const cursors = openCursors({ folder: join(base, 'state'), disk: nodeDisk, now: Date.now, twins, rewritten });
    const watcher = createSessionWatcher({
      source,
      folders: async () => source.folders,
      isAlone: () => true,
      cursors,
      baseline: async (sessions) => {
        for (const place of source.folders) await cursors.beginAt(place, sessions);
      },
      disk: nodeDisk,
      clock: machineClock,
      idleMinutes: () => idleMinutes,
      log: silentLogger,
    });
    running.push(watcher);
    const told = [] as string[];
    watcher.onDidEndTurn(({ id }) => told.push(`turn ${id}`));
    watcher.onDidEndSession(({ id, reason }) => told.push(`${reason} ${id}`));
    await watcher.start();
    return { watcher, source, cursors, told };
  }
  async function until(isSo: () => boolean, what: string): Promise<void> {
    for (let tries = 0; !isSo(); tries += 1) {
      if (tries > 400) throw new Error(`never came: ${what}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

  it('is told when its last request is sealed and nothing is written, and again when it went on in a smaller file', async () => {
    const { told } = await watch(0.01);
    const chat = fresh('one').ask('Why?');
    const { sessionId: id } = chat;
    await put(chat);
    await pause(1200);
    assert.equal(told.length, 0, 'a request is pending');
    await put(chat.answer('x'.repeat(2000)));
    await until(() => told.includes(`idle ${id}`), 'the end');
    for (let count = 0; count < 50; count += 1) chat.type(`draft ${count}`);
    await put(chat);
    await pause(1200);
    assert.equal(told.filter((each) => each.startsWith('idle')).length, 1, 'typing is no news');
    await put(chat.ask('And now?', { answer: 'Now.' }).compact());
    await until(() => told.filter((each) => each === `idle ${id}`).length === 2, 'the second end');
  });

  it('is told at once when another chat was begun in its place', async () => {
    const { told } = await watch(60);
    const [one, open] = [fresh('one').ask('Why?', { answer: 'Because.' }), fresh('open').ask('Why?')];
    await put(open);
    await put(one);
    await until(() => told.includes(`turn ${one.sessionId}`), 'the turn');
    await put(fresh('next'));
    await until(() => told.includes(`closed ${one.sessionId}`), 'the end');
    await put(fresh('next').type('hello'));
    await pause(600);
    assert.deepEqual(told, [`turn ${one.sessionId}`, `closed ${one.sessionId}`], 'the other one waits for an answer');
  });

  it('is told when a hook says so, if it has words', async () => {
    const { told, watcher } = await watch(60);
    const chat = fresh('one').ask('Why?');
    await put(fresh('stub'));
    await put(chat);
    await watcher.ended(fresh('stub').sessionId);
    await watcher.ended(chat.sessionId);
    assert.deepEqual(told, [`hook ${chat.sessionId}`], 'also in the middle of an answer');
  });

  it('is told at the next start, once, also of a chat that broke off in the middle of an answer', async () => {
    const first = await watch(60);
    first.watcher.dispose();
    const chat = fresh('one').ask('Why?');
    await put(chat);
    const file = join(folder, `${chat.sessionId}.jsonl`);
    const before = Date.now() / 1000 - 7200;
    await utimes(file, before, before);
    const second = await watch(60);
    await until(() => second.told.length > 0, 'the start');
    assert.deepEqual(second.told, [`start ${chat.sessionId}`]);
    const session = await second.source.find(file);
    assert.ok(session);
    const state = await second.cursors.get(file);
    const reading = await second.source.read(session, second.cursors.startOf(session, state));
    assert.deepEqual(
      reading.messages.map(({ text }) => text),
      ['Why?'],
    );
    await second.cursors.moveTo(session, reading, { outcome: 'nothing' });
    second.watcher.dispose();
    const third = await watch(60);
    await pause(300);
    assert.deepEqual(third.told, []);
  });

  it('is not told of a chat in which nothing was said, nor twice of one that lies in two files', async () => {
    const { told } = await watch(0.01);
    await put(fresh('stub').type('hello'));
    const chat = fresh('one').ask('Why?', { answer: 'Because.' });
    await put(chat, 'json');
    await until(() => told.includes(`idle ${chat.sessionId}`), 'the end');
    await put(chat);
    await pause(1500);
    assert.equal(told.filter((each) => each.startsWith('idle')).length, 2, 'not considered by anybody yet');
    assert.ok(told.every((each) => each.endsWith(chat.sessionId)));
  });
});
