import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { openClaudeCode } from '../../../src/core/sessions/claudeCode';
import { type Cursors, openCursors } from '../../../src/core/sessions/cursors';
import { createSessionWatcher, machineClock, type SessionWatcher } from '../../../src/core/sessions/sessionWatcher';
import type { Clock, Session } from '../../../src/core/sessions/transcript';
import { countingDisk } from '../../support/disks';
import { type Transcript, transcript, uuidOf } from '../../support/transcripts';

const minuteMs = 60_000;
const idleMs = 5 * minuteMs;

/** A clock that a test moves; timers run in order of their time. */
function handClock(start: number) {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    setTimer(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
  };
  return {
    clock,
    timers: () => timers.size,
    async pass(ms: number, settled: () => Promise<void>): Promise<void> {
      const end = now + ms;
      for (;;) {
        await settled();
        const next = [...timers].sort((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        now = Math.max(now, next.at);
        timers.delete(next);
        next.run();
      }
      now = end;
      await settled();
    },
  };
}

describe('the session watcher', function () {
  this.timeout(20_000);
  const start = Date.parse('2026-03-01T10:00:00Z');
  let home: string;
  let transcripts: string;
  let time: ReturnType<typeof handClock>;
  let ears: Map<string, Set<(name: string | undefined) => void>>;
  let running: SessionWatcher[];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'watcher-'));
    transcripts = join(home, 'projects/-repo');
    await mkdir(transcripts, { recursive: true });
    time = handClock(start);
    ears = new Map();
    running = [];
  });
  afterEach(async () => {
    for (const watcher of running) watcher.dispose();
    await rm(home, { recursive: true, force: true });
  });

  /** The real disk, but a test says what the system noticed. */
  const quietDisk = (base: Disk = nodeDisk): Disk => ({
    ...base,
    watch(folder, changed) {
      const there = ears.get(folder) ?? new Set();
      ears.set(folder, there.add(changed));
      return { dispose: () => void there.delete(changed) };
    },
  });
  const notice = (path: string) => {
    for (const changed of ears.get(dirname(path)) ?? []) changed(basename(path));
  };

  /** A window: its own watcher, the same state folder. */
  function open(options: { folders?: () => Promise<readonly string[]>; disk?: Disk; idleMinutes?: number } = {}) {
    const { disk = quietDisk(), folders = async () => [transcripts], idleMinutes = 5 } = options;
    const source = openClaudeCode({ folders, disk });
    const cursors = openCursors({ folder: join(home, 'state'), disk, now: time.clock.now });
    const watcher = createSessionWatcher({
      source,
      folders,
      cursors,
      disk,
      clock: time.clock,
      idleMinutes: () => idleMinutes,
      log: silentLogger,
    });
    running.push(watcher);
    const told: string[] = [];
    watcher.onDidEndTurn(({ id }) => told.push(`turn ${nameOf(id)}`));
    watcher.onDidEndSession(({ id, reason }) => told.push(`${reason} ${nameOf(id)}`));
    const settled = () => watcher.settled();
    return { watcher, cursors, source, told, settled, pass: (ms: number) => time.pass(ms, settled) };
  }

  const names = ['one', 'two', 'three', 'old'];
  const nameOf = (id: string) => names.find((name) => uuidOf(name) === id) ?? id;
  const fileOf = (name: string, folder = transcripts) => join(folder, `${uuidOf(name)}.jsonl`);
  const talk = (name: string) => transcript(uuidOf(name), '/repo');

  /** Writes the talk as it stands, as if it happened at the clock's time or `at`, and lets the system notice. */
  async function say(said: Transcript, at = time.clock.now(), folder = transcripts): Promise<void> {
    const file = join(folder, `${said.sessionId}.jsonl`);
    await writeFile(file, said.text());
    await utimes(file, at / 1000, at / 1000);
    notice(file);
  }

  /** What an extraction does at its end. */
  async function consider(name: string, window: { cursors: Cursors; source: ReturnType<typeof openClaudeCode> }) {
    const session = (await window.source.find(fileOf(name))) as Session;
    const reading = await window.source.read(
      session,
      window.cursors.startOf(session, await window.cursors.get(session.file)),
    );
    await window.cursors.moveTo(session, reading, { outcome: 'nothing' });
  }

  it('tells of a turn at the record that ends it, once', async () => {
    const window = open();
    await window.watcher.start();
    const said = talk('one').human('Hello').assistant('Hi.').turnEnd();
    await say(said);
    await window.pass(500);
    assert.deepEqual(window.told, ['turn one']);
    await say(said.raw({ type: 'last-prompt', sessionId: 'x' }));
    await window.pass(10_000);
    assert.deepEqual(window.told, ['turn one']);
    await say(said.human('More').assistant('Yes.').turnEnd());
    await window.pass(500);
    assert.deepEqual(window.told, ['turn one', 'turn one']);
  });

  it('waits three seconds after a text, as its tool call may be the next line', async () => {
    const window = open();
    await window.watcher.start();
    const look = () => talk('one').human('Look').assistant('I look.');
    await say(look());
    await window.pass(2500);
    await say(look().tool('Read', { file_path: '/repo/a' }, undefined));
    await window.pass(60_000);
    assert.deepEqual(window.told, []);
    await say(look().tool('Read', { file_path: '/repo/a' }, 'a').assistant('Seen.'));
    await window.pass(3100);
    assert.deepEqual(window.told, []);
    await window.pass(200);
    assert.deepEqual(window.told, ['turn one']);
  });

  it('tells of a session five minutes after its last sealed turn, and not while it grows', async () => {
    const window = open();
    await window.watcher.start();
    const said = talk('one').human('Hello').assistant('Hi.').turnEnd();
    await say(said);
    await window.pass(4 * minuteMs);
    await say(said.human('Again').assistant('Yes.').turnEnd());
    await window.pass(4 * minuteMs);
    assert.deepEqual(window.told, ['turn one', 'turn one']);
    await window.pass(minuteMs + 1000);
    assert.deepEqual(window.told, ['turn one', 'turn one', 'idle one']);
    await window.pass(60 * minuteMs);
    assert.equal(window.told.length, 3);
  });

  it('does not call a session ended while a tool runs, however long', async () => {
    const window = open();
    await window.watcher.start();
    await say(talk('one').human('Build').tool('Bash', { command: 'make' }, undefined));
    await window.pass(120 * minuteMs);
    assert.deepEqual(window.told, []);
  });

  it('says nothing of what a cursor already covers', async () => {
    const window = open();
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await window.pass(1000);
    await consider('one', window);
    await window.pass(idleMs + minuteMs);
    assert.deepEqual(window.told, ['turn one']);
  });

  it('says nothing when another window was quicker', async () => {
    const [first, second] = [open(), open()];
    await first.watcher.start();
    await second.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await first.pass(500);
    await second.settled();
    await consider('one', first);
    await second.pass(idleMs + minuteMs);
    assert.ok(!second.told.includes('idle one'), second.told.join());
  });

  it('says nothing of the past at the very first start, and everything after it', async () => {
    await say(talk('old').human('Past').assistant('Yes.').turnEnd(), start - 60 * minuteMs);
    const window = open();
    await window.watcher.start();
    await window.pass(60 * minuteMs);
    assert.deepEqual(window.told, []);
    assert.equal((await window.cursors.past(await window.source.list(0))).length, 1);
    await say(talk('old').human('Past').assistant('Yes.').turnEnd().human('Now').assistant('Yes.').turnEnd());
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn old']);
  });

  it('tells at the next start of what ended while nobody watched, the oldest first, sealed or not', async () => {
    const first = open();
    await first.watcher.start();
    first.watcher.dispose();
    await say(talk('two').human('Later').assistant('Yes.').turnEnd(), start + 10 * minuteMs);
    await say(talk('one').human('Sooner').tool('Bash', {}, undefined), start + 5 * minuteMs);
    await time.pass(60 * minuteMs, async () => {});
    const second = open();
    await second.watcher.start();
    assert.deepEqual(second.told, ['start one', 'start two']);
    await consider('one', second);
    await consider('two', second);
    const third = open();
    await third.watcher.start();
    assert.deepEqual(third.told, []);
  });

  it('tells nothing at a start when only records without words were added', async () => {
    const first = open();
    await first.watcher.start();
    const said = talk('one').human('Hello').assistant('Hi.').turnEnd();
    await say(said);
    await consider('one', first);
    first.watcher.dispose();
    await say(said.raw({ type: 'last-prompt', sessionId: 'x' }).raw({ type: 'ai-title', aiTitle: 'Hello' }));
    await time.pass(60 * minuteMs, async () => {});
    const second = open();
    await second.watcher.start();
    assert.deepEqual(second.told, []);
  });

  it('takes a session that was written to a moment before the start for a living one', async () => {
    const first = open();
    await first.watcher.start();
    first.watcher.dispose();
    await time.pass(minuteMs, async () => {});
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await time.pass(2 * minuteMs, async () => {});
    const second = open();
    await second.watcher.start();
    await second.pass(2 * minuteMs);
    assert.deepEqual(second.told, []);
    await second.pass(2 * minuteMs);
    assert.deepEqual(second.told, ['idle one']);
  });

  it('believes a hook at once, and tells again only when more was said', async () => {
    const window = open();
    await window.watcher.start();
    const said = talk('one').human('Hello').assistant('Hi.');
    await say(said);
    await window.watcher.ended(uuidOf('one'));
    assert.deepEqual(window.told, ['hook one']);
    await window.watcher.ended(uuidOf('one'));
    await window.watcher.ended('no such session');
    await window.pass(60 * minuteMs);
    assert.deepEqual(window.told, ['hook one', 'hook one']);
    await consider('one', window);
    await window.watcher.ended(uuidOf('one'));
    assert.equal(window.told.length, 2);
    await say(said.human('More').assistant('Yes.').turnEnd());
    await window.pass(idleMs + minuteMs);
    assert.deepEqual(window.told.slice(2), ['turn one', 'idle one']);
  });

  it('reads what a file has grown by, and nothing when it is only touched', async () => {
    const counting = countingDisk();
    const window = open({ disk: quietDisk(counting.disk) });
    const said = talk('one');
    for (let turn = 0; turn < 200; turn += 1) said.human('Fill').tool('Bash', {}, 'x'.repeat(5000)).assistant('Ok.');
    await say(said);
    await window.watcher.start();
    counting.reset();
    await utimes(fileOf('one'), start / 1000 + 9, start / 1000 + 9);
    notice(fileOf('one'));
    await window.pass(1000);
    assert.equal(counting.bytesRead(), 0);
    const { size } = await stat(fileOf('one'));
    await say(said.human('New').assistant('Yes.').turnEnd());
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one']);
    const grown = (await stat(fileOf('one'))).size - size;
    assert.ok(counting.bytesRead() < grown + 64 * 1024, `${counting.bytesRead()} bytes`);
  });

  it('keeps one timer while something is expected, and none otherwise', async () => {
    const window = open();
    assert.equal(time.timers(), 0);
    await window.watcher.start();
    assert.equal(time.timers(), 0);
    for (const name of ['one', 'two', 'three']) await say(talk(name).human('Hello').assistant('Hi.'));
    assert.equal(time.timers(), 1);
    await window.pass(1000);
    assert.equal(time.timers(), 1);
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    assert.equal(time.timers(), 1);
    await window.pass(60 * minuteMs);
    assert.equal(time.timers(), 0);
    assert.equal(window.told.length, 6);
  });

  it('asks the disk nothing while nothing happens', async () => {
    const counting = countingDisk();
    const window = open({ disk: quietDisk(counting.disk) });
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await window.pass(idleMs * 2);
    counting.reset();
    await window.pass(24 * 60 * minuteMs);
    assert.equal([...counting.calls.keys()].length, 0);
  });

  it('passes over subagents’ files, foreign files and files that vanish', async () => {
    const counting = countingDisk();
    const window = open({ disk: quietDisk(counting.disk) });
    await window.watcher.start();
    await writeFile(
      join(transcripts, 'agent-1a2b3c4d.jsonl'),
      talk('one').human('Explore').assistant('Done.').turnEnd().text(),
    );
    notice(join(transcripts, 'agent-1a2b3c4d.jsonl'));
    await writeFile(fileOf('two'), '{"type":"session_meta","payload":{}}\n');
    await appendFile(fileOf('two'), `{"type":"response_item","text":"${'x'.repeat(200_000)}"}\n`);
    notice(fileOf('two'));
    await window.pass(1000);
    assert.ok(counting.bytesRead() < 10_000, `${counting.bytesRead()} bytes`);
    await say(talk('three').human('Hello').assistant('Hi.').turnEnd());
    await rm(fileOf('three'));
    await window.pass(idleMs * 2);
    assert.deepEqual(window.told, []);
  });

  it('hears of the project folder when it appears, and of a worktree’s beside it', async () => {
    await rm(join(home, 'projects'), { recursive: true });
    const worktree = join(home, 'projects/-repo-worktree');
    const folders = [transcripts];
    const window = open({ folders: async () => folders });
    await window.watcher.start();
    assert.deepEqual([...ears.keys()], [home]);

    await mkdir(transcripts, { recursive: true });
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    notice(join(home, 'unrelated'));
    await window.pass(1000);
    assert.deepEqual(window.told, []);
    notice(join(home, 'projects'));
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one']);

    folders.push(worktree);
    await mkdir(worktree);
    await say(talk('two').human('Hello').assistant('Hi.').turnEnd(), start + minuteMs, worktree);
    notice(worktree);
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one', 'turn two']);
  });

  it('looks at all files when the system does not say which one changed', async () => {
    const window = open();
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    for (const changed of ears.get(transcripts) ?? []) changed(undefined);
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one']);
  });

  it('goes on after a read that failed', async () => {
    let isBroken = true;
    const disk = quietDisk({
      ...nodeDisk,
      async readRange(path, from, length) {
        if (isBroken) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
        return nodeDisk.readRange(path, from, length);
      },
    });
    const window = open({ disk });
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await window.pass(1000);
    assert.deepEqual(window.told, []);
    isBroken = false;
    notice(fileOf('one'));
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one']);
  });

  it('goes on when a listener throws', async () => {
    const window = open();
    window.watcher.onDidEndTurn(() => {
      throw new Error('listener');
    });
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    await say(talk('two').human('Hello').assistant('Hi.').turnEnd());
    await window.pass(1000);
    assert.deepEqual(window.told, ['turn one', 'turn two']);
  });

  it('is silent after dispose, and lets go of everything', async () => {
    const window = open();
    await window.watcher.start();
    await say(talk('one').human('Hello').assistant('Hi.').turnEnd());
    window.watcher.dispose();
    await window.pass(60 * minuteMs);
    assert.deepEqual([window.told, time.timers()], [[], 0]);
    assert.ok([...ears.values()].every((there) => there.size === 0));
  });

  it('hears the real file system', async () => {
    const folders = async () => [transcripts];
    const watcher = createSessionWatcher({
      source: openClaudeCode({ folders, disk: nodeDisk }),
      folders,
      cursors: openCursors({ folder: join(home, 'state'), disk: nodeDisk, now: Date.now }),
      disk: nodeDisk,
      clock: machineClock,
      idleMinutes: () => 5,
      log: silentLogger,
    });
    running.push(watcher);
    const heard = new Promise<string>((resolve) => watcher.onDidEndTurn(({ id }) => resolve(nameOf(id))));
    await watcher.start();
    const said = talk('one').human('Hello').assistant('Hi.');
    await writeFile(fileOf('one'), said.text());
    await appendFile(fileOf('one'), said.turnEnd().text().slice(said.text().length));
    await appendFile(fileOf('one'), `${said.lines().at(-1)}\n`);
    assert.equal(await heard, 'one');
  });
});
