import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { readTranscript } from '../../../src/core/sessions/claudeCode';
import { openCursors, type SessionState } from '../../../src/core/sessions/cursors';
import type { Session, TranscriptReading } from '../../../src/core/sessions/transcript';
import { refusingDisk } from '../../support/disks';
import { transcript, uuidOf } from '../../support/transcripts';

describe('cursors', function () {
  this.timeout(20_000);
  let folder: string;
  let transcripts: string;
  let now = 1_800_000_000_000;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cursors-'));
    transcripts = join(folder, 'projects/-repo');
    await mkdir(transcripts, { recursive: true });
    now = 1_800_000_000_000;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const warnings: string[] = [];
  const open = (disk: Disk = nodeDisk) =>
    openCursors({
      folder: join(folder, 'state'),
      disk,
      now: () => now,
      log: { ...silentLogger, warn: (message) => void warnings.push(message) },
    });
  async function session(
    name: string,
    text = 'past\n',
    modifiedAt = now - 60_000,
    where = transcripts,
  ): Promise<Session> {
    await mkdir(where, { recursive: true });
    const file = join(where, `${uuidOf(name)}.jsonl`);
    await writeFile(file, text);
    await utimes(file, modifiedAt / 1000, modifiedAt / 1000);
    return { kind: 'claude-code', id: uuidOf(name), file, size: Buffer.byteLength(text), modifiedAt };
  }
  const grown = (one: Session, by = 10): Session => ({ ...one, size: one.size + by });
  const at = (offset: number, fingerprint = 'f') => ({ offset, fingerprint });
  const reading = (offset: number, rest: Partial<TranscriptReading> = {}): TranscriptReading => ({
    messages: [],
    position: { ...at(offset), lastMessageUuid: `m${offset}` },
    restarted: false,
    previousAssistant: undefined,
    turnEnded: true,
    sealedBy: 'record',
    messagesEnd: offset,
    bytesRead: 0,
    ...rest,
  });
  const state = (one: Session, rest: Partial<SessionState> = {}): SessionState => ({
    file: one.file,
    sessionId: one.id,
    from: 0,
    savedCount: 0,
    suggestedCount: 0,
    writtenPaths: [],
    at: now,
    ...rest,
  });

  it('start at now: what was there at the first use is past, offered and never pending', async () => {
    const old = await session('old', 'past content\n');
    const cursors = open();
    await cursors.baseline([old]);
    assert.equal(await cursors.pending(old), false);
    assert.equal(await cursors.pending(grown(old)), true);
    assert.deepEqual((await cursors.get(old.file))?.position, at(old.size, ''));
    assert.deepEqual(await cursors.past([old]), [{ ...old, pastBytes: old.size }]);
    const found = await cursors.get(old.file);
    assert.equal(cursors.isPast(old, found), true);
    assert.equal(cursors.isPast(grown(old), found), false);
  });

  it('take a session that begins after the first use from its first byte', async () => {
    const cursors = open();
    await cursors.baseline([await session('old')]);
    const fresh = await session('fresh', 'new\n', now - 3_600_000);
    assert.equal(await cursors.get(fresh.file), undefined);
    assert.equal(await cursors.pending(fresh), true);
    assert.deepEqual(await cursors.past([fresh]), []);
    assert.equal(cursors.startOf(fresh, undefined), undefined);
    assert.equal(cursors.isPast(fresh, undefined), false);
  });

  it('take the first session of a project that had none, when its folder was named at the first use', async () => {
    const cursors = open();
    await cursors.baseline([], [transcripts]);
    assert.equal(await cursors.pending(await session('first', 'new\n', now - 60_000)), true);
  });

  it('take what turns up in another folder for past when it is older than the first use, and only then', async () => {
    const cursors = open();
    await cursors.baseline([await session('old')], [transcripts]);
    const elsewhere = join(folder, 'projects/-worktree');
    const old = await session('a', 'old\n', now - 1000, elsewhere);
    const fresh = await session('b', 'new\n', now + 1000, elsewhere);
    assert.deepEqual([await cursors.pending(old), await cursors.pending(fresh)], [false, true]);
    await utimes(old.file, now / 1000 + 50, now / 1000 + 50);
    assert.equal(await open().pending(grown(old)), true);
    assert.equal((await open().get(old.file))?.from, old.size);
  });

  it('note the first use once: a later start and a second window change nothing', async () => {
    const old = await session('old');
    await open().baseline([old]);
    now += 1000;
    await open().baseline([grown(old), await session('fresh')]);
    assert.equal(await open().pending(grown(old)), true);
    assert.equal(await open().pending(await session('fresh')), true);
  });

  it('learn nothing at all before a first use was noted', async () => {
    const old = await session('old');
    assert.equal(await open().pending(old), false);
    assert.deepEqual((await open().get(old.file))?.position, at(old.size, ''));
    assert.equal((await readdir(folder)).includes('state'), false);
  });

  it('survive a restart, with what came of the reading', async () => {
    const one = await session('one', 'x'.repeat(100));
    await open().baseline([]);
    const result = {
      outcome: 'saved',
      savedCount: 2,
      suggestedCount: 1,
      writtenPaths: ['a.md'],
      run: 'r1',
      title: 'A talk',
    } as const;
    await open().moveTo(one, reading(100), { ...result, reason: undefined });
    const { position, lastMemoryMessageUuid, ...rest } = (await open().get(one.file)) ?? assert.fail();
    assert.deepEqual([position?.offset, lastMemoryMessageUuid], [100, 'm100']);
    assert.deepEqual(rest, { ...state(one), ...result });
    assert.deepEqual([await open().pending(one), await open().pending(grown(one))], [false, true]);
  });

  it('never move backwards, whoever writes last', async () => {
    const one = await session('one', 'x'.repeat(100));
    const [first, second] = [open(), open()];
    await first.baseline([]);
    await first.moveTo(one, reading(80), { outcome: 'saved', savedCount: 1 });
    await second.moveTo(one, reading(50), { outcome: 'nothing' });
    const found = await first.get(one.file);
    assert.deepEqual([found?.position?.offset, found?.lastMemoryMessageUuid, found?.outcome], [80, 'm80', 'nothing']);
    await Promise.all([30, 90, 60].map((offset) => first.moveTo(one, reading(offset), { outcome: 'nothing' })));
    assert.equal((await second.get(one.file))?.position?.offset, 90);
  });

  it('move back only when the file was read again from its beginning', async () => {
    const one = await session('one', 'x'.repeat(100));
    const cursors = open();
    await cursors.baseline([one]);
    await cursors.moveTo(one, reading(90), { outcome: 'saved' });
    await cursors.exclude(one, true);
    await cursors.moveTo(one, reading(40, { restarted: true }), { outcome: 'nothing' });
    const found = await cursors.get(one.file);
    assert.deepEqual([found?.position?.offset, found?.from, found?.excluded], [40, 0, true]);
  });

  it('call a file that shrank pending when it was read before, and past when only its size was known', async () => {
    const one = await session('one', 'x'.repeat(100));
    const other = await session('other', 'x'.repeat(100));
    const cursors = open();
    await cursors.baseline([other], [transcripts]);
    await cursors.moveTo(one, reading(100), { outcome: 'nothing' });
    assert.equal(await cursors.pending({ ...one, size: 50 }), true);
    assert.equal(await cursors.pending({ ...other, size: 50 }), false);
  });

  it('keep their place when the past is learned: the start moves to the beginning, the end stays', async () => {
    const one = await session('one', 'x'.repeat(100));
    const cursors = open();
    await cursors.baseline([one]);
    await cursors.moveTo(one, reading(140), { outcome: 'saved' });
    assert.equal((await cursors.get(one.file))?.from, 100);
    assert.equal((await cursors.past([grown(one, 60)]))[0]?.pastBytes, 100);
    await cursors.moveTo(one, reading(160), { outcome: 'saved', fromStart: true });
    const found = await cursors.get(one.file);
    assert.deepEqual([found?.from, found?.position?.offset, found?.lastMemoryMessageUuid], [0, 140, 'm140']);
    assert.deepEqual(await cursors.past([one]), []);
    assert.equal(await cursors.pending(grown(one, 60)), true);
  });

  it('keep their place when a run fails, and forget the failures after a success', async () => {
    const one = await session('one', 'x'.repeat(100));
    const cursors = open();
    await cursors.baseline([]);
    await cursors.moveTo(one, reading(60), { outcome: 'saved', title: 'A talk' });
    await cursors.fail(one, { reason: 'the disk is full', failures: 2, retryAt: now + 5 });
    const failed = await cursors.get(one.file);
    assert.deepEqual(
      [failed?.outcome, failed?.failures, failed?.position?.offset, failed?.title],
      ['failed', 2, 60, 'A talk'],
    );
    assert.equal(await cursors.pending(one), true);
    await cursors.moveTo(one, reading(100), { outcome: 'nothing', reason: 'nothing_new' });
    const settled = await cursors.get(one.file);
    assert.deepEqual([settled?.failures, settled?.retryAt, settled?.reason], [undefined, undefined, 'nothing_new']);
  });

  it('leave out what a person excluded, until they say otherwise', async () => {
    const one = await session('one', 'x'.repeat(100));
    const cursors = open();
    await cursors.baseline([], [transcripts]);
    await cursors.exclude(one, true);
    assert.equal(await cursors.pending(one), false);
    await cursors.moveTo(one, reading(10), { outcome: 'nothing' });
    assert.equal((await cursors.get(one.file))?.excluded, true);
    assert.equal(await cursors.pending(one), false);
    await cursors.exclude(one, false);
    assert.equal(await cursors.pending(one), true);
    await cursors.baseline([]);
    const past = await session('past');
    await cursors.exclude(past, true);
    assert.deepEqual(await cursors.past([past]), []);
  });

  it('go on from the present end when a cursor is damaged, never from the beginning, and say so', async () => {
    const one = await session('one', 'x'.repeat(100));
    await open().baseline([], [transcripts]);
    await open().moveTo(one, reading(40), { outcome: 'saved' });
    const states = join(folder, 'state/sessions');
    const name = (await readdir(states)).find((entry) => entry !== 'baseline.json') ?? assert.fail();
    for (const damage of ['', '{"file":', '[]', '{"file":"elsewhere","sessionId":"x","from":0}', '{"from":-1}']) {
      warnings.length = 0;
      await writeFile(join(states, name), damage);
      assert.equal(await open().pending(one), false, damage);
      assert.equal((await open().get(one.file))?.position?.offset, 100);
      assert.equal(warnings.length, 1);
      assert.equal(await open().pending(grown(one)), true);
    }
  });

  it('begin at now again when the note of the first use is damaged', async () => {
    const old = await session('old');
    await open().baseline([]);
    await writeFile(join(folder, 'state/sessions/baseline.json'), '{"at":');
    assert.equal(await open().pending(old), false);
    await open().baseline([old]);
    assert.equal(await open().pending(old), false);
    assert.equal(await open().pending(grown(old)), true);
  });

  it('list all sessions with a cursor, those of the first use included, the last one first', async () => {
    const [one, two] = [await session('one'), await session('two')];
    const cursors = open();
    await cursors.baseline([one, two]);
    now += 1000;
    await cursors.moveTo(one, reading(5), { outcome: 'saved' });
    await writeFile(join(folder, 'state/sessions/broken.json'), '{');
    assert.deepEqual(
      (await cursors.all()).map(({ file, outcome }) => [file, outcome]),
      [
        [one.file, 'saved'],
        [two.file, undefined],
      ],
    );
  });

  it('tell two files of one session apart, and need no safe characters in their names', async () => {
    const cursors = open();
    await cursors.baseline([]);
    const one = await session('same');
    const odd = { ...one, file: join(transcripts, 'a b:c?.jsonl'), id: '../../x' };
    const two = await session('same', 'y'.repeat(30), now, join(folder, 'projects/-worktree'));
    await cursors.moveTo(one, reading(3), { outcome: 'nothing' });
    await cursors.moveTo(two, reading(30), { outcome: 'nothing' });
    await cursors.moveTo(odd, reading(7), { outcome: 'nothing' });
    const offsets = [one, two, odd].map(async ({ file }) => (await cursors.get(file))?.position?.offset);
    assert.deepEqual(await Promise.all(offsets), [3, 30, 7]);
    assert.deepEqual(await readdir(join(folder, 'state')), ['sessions']);
  });

  it('are whole or as before when the disk is full, and work again after', async () => {
    const one = await session('one', 'x'.repeat(100));
    await open().baseline([]);
    await open().moveTo(one, reading(40), { outcome: 'saved' });
    const full = open(refusingDisk('ENOSPC', (call) => call === 'create'));
    await assert.rejects(full.moveTo(one, reading(90), { outcome: 'saved' }), { code: 'ENOSPC' });
    assert.equal((await open().get(one.file))?.position?.offset, 40);
    await open().set(one.file, state(one, { position: at(90) }));
    assert.equal((await open().get(one.file))?.position?.offset, 90);
  });

  it('never call a foreign file pending or past', async () => {
    const foreign: Session = { ...(await session('foreign')), kind: 'foreign' };
    const cursors = open();
    await cursors.baseline([foreign]);
    assert.equal(await cursors.pending(grown(foreign)), false);
    assert.deepEqual(await cursors.past([foreign]), []);
  });

  it('carry a session from past to present without a word lost or read twice', async () => {
    const said = transcript(uuidOf('talk'), '/repo').human('Past').assistant('Yes.').turnEnd();
    const old = await session('talk', said.text());
    const cursors = open();
    await cursors.baseline([old]);
    const words: string[] = [];
    for (const text of ['One', 'Two']) {
      await writeFile(old.file, said.human(text).assistant('Yes.').turnEnd().text());
      const found = await readTranscript(nodeDisk, old.file, cursors.startOf(old, await cursors.get(old.file)));
      words.push(...found.messages.filter((message) => message.human).map((message) => message.text));
      await cursors.moveTo(old, found, { outcome: 'nothing' });
    }
    const { pastBytes } = (await cursors.past([old]))[0] ?? assert.fail();
    const past = await readTranscript(nodeDisk, old.file, undefined, undefined, pastBytes);
    words.push(...past.messages.filter((message) => message.human).map((message) => message.text));
    assert.deepEqual(words, ['One', 'Two', 'Past']);
  });
});
