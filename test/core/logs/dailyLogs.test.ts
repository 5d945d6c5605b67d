// The daily logs over a real folder: whole lines, each once, in the right day's file, whatever happens in between.

import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import type { DailyLogs, Said } from '../../../src/core/logs/dailyLogs';
import { watchedDisk } from '../../support/disks';
import { logsOver } from '../../support/logFolder';

const session = { id: 'a-session', file: '/chats/a-session.jsonl' };
const noon = Date.UTC(2026, 11, 1, 12);
const fact = (text: string, at = noon, message = text): Said => ({
  kind: 'fact',
  type: 'project',
  sure: true,
  text,
  at,
  messages: [message],
});

describe('the daily logs', () => {
  let base: string;
  let clock: { now: number };
  const logPath = (day: string) => join(base, 'memory', 'logs', day.slice(0, 4), day.slice(5, 7), `${day}.md`);
  const open = (options: Parameters<typeof logsOver>[1] = {}): DailyLogs =>
    logsOver(base, { now: () => clock.now, ...options }).logs;
  const texts = async (day: string) =>
    (await open().lines(`logs/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`)).map(({ text }) => text);

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'logs-'));
    clock = { now: noon };
    await mkdir(join(base, 'memory'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('F-56: are made with their parents at the first line, and hold each line on the day it was said', async () => {
    const logs = open({ zone: 'America/Sao_Paulo' });
    clock.now = Date.UTC(2026, 11, 2, 4);
    // 23:58 and 00:03 there; by UTC it is one day.
    const said = [
      fact('Before midnight.', Date.UTC(2026, 11, 2, 2, 58)),
      fact('After midnight.', Date.UTC(2026, 11, 2, 3, 3)),
    ];
    await logs.append(said, { session, upTo: 'm' });
    assert.match(
      await readFile(logPath('2026-12-01'), 'utf8'),
      /^- 23:58 project: Before midnight\. <!-- [0-9a-f]{12} -->\n$/,
    );
    assert.match(
      await readFile(logPath('2026-12-02'), 'utf8'),
      /^- 00:03 project: After midnight\. <!-- [0-9a-f]{12} -->\n$/,
    );
  });

  it('are only added to: what stands there stays, and what is not a line keeps its end', async () => {
    await mkdir(join(base, 'memory', 'logs', '2026', '12'), { recursive: true });
    const before = '# Mine\r\n- 09:00 by hand\n- 10:00 cut of';
    await writeFile(logPath('2026-12-01'), before);
    await open().append([fact('The keys are with Rui.')], { session, upTo: undefined });
    const after = await readFile(logPath('2026-12-01'), 'utf8');
    assert.ok(after.startsWith(`${before}\n- 12:00 project: The keys are with Rui.`), after);
    assert.ok(after.endsWith(' -->\n'));
  });

  it('hold the same line of the same message once, however often it is added', async () => {
    for (let times = 0; times < 3; times += 1) await open().append([fact('Once.')], { session, upTo: 'm' });
    assert.deepEqual(await texts('2026-12-01'), ['Once.']);
    await open().append([fact('Once.', noon, 'another message')], { session, upTo: 'm' });
    assert.equal((await texts('2026-12-01')).length, 2);
  });

  it('take a time that can’t be for now', async () => {
    for (const at of [Number.NaN, 0, -5, Date.UTC(2050, 0, 1)])
      await open().append([fact(`At ${at}.`, at)], { session, upTo: 'm' });
    assert.equal((await texts('2026-12-01')).length, 4);
  });

  it('lose and repeat nothing when the process ends at any step of adding', async () => {
    const said = ['One fact.', 'Another fact.', 'Ein Fact mit ü.'].map((text, at) =>
      fact(text, noon + (at === 2 ? 13 : 0) * 3_600_000),
    );
    clock.now = noon + 14 * 3_600_000;
    let steps = 0;
    for (let dies = 1; ; dies += 1) {
      await rm(base, { recursive: true, force: true });
      await mkdir(join(base, 'memory'), { recursive: true });
      let calls = 0;
      const disk = watchedDisk(async (call, path, args) => {
        if (!['create', 'append', 'rename', 'link', 'makeFolder', 'remove'].includes(call)) return;
        calls += 1;
        if (calls < dies) return;
        if (calls === dies && call === 'append') {
          const bytes = args[1] as Buffer;
          await appendFile(path, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
        }
        throw Object.assign(new Error('gone'), { code: 'EIO' });
      }, nodeDisk);
      const outcome = await open({ disk })
        .append(said, { session, upTo: 'm' })
        .then(
          () => 'added',
          () => 'died',
        );
      // The next process: what was noted is added, then the same session is read again.
      const next = open();
      await rm(join(base, 'state', 'logs', 'guard'), { recursive: true, force: true });
      await next.recover();
      await next.append(said, { session, upTo: 'm' });
      assert.deepEqual(await texts('2026-12-01'), ['One fact.', 'Another fact.'], `step ${dies}`);
      assert.deepEqual(await texts('2026-12-02'), ['Ein Fact mit ü.'], `step ${dies}`);
      steps = dies;
      if (outcome === 'added') break;
    }
    assert.ok(steps > 8, `${steps} steps`);
  });

  it('know up to where a session was looked at, after a crash behind the last step, too', async () => {
    assert.equal(await open().loggedUpTo(session.file), undefined);
    await open().append([fact('One.')], { session, upTo: 'first' });
    clock.now += 1000;
    await open().append([fact('Two.')], { session, upTo: 'second' });
    await open().append([fact('Three.')], { session: { id: 'b', file: '/chats/b.jsonl' }, upTo: 'other' });
    assert.equal(await open().loggedUpTo(session.file), 'second');
  });

  it('say what was taken back in today’s log, once, and change no line', async () => {
    const batch = await open().append([fact('Wrong.'), fact('Wrong, too.')], { session, upTo: 'm' });
    const before = await readFile(logPath('2026-12-01'), 'utf8');
    clock.now += 86_400_000;
    const done = await open().retract(batch?.id ?? '');
    assert.deepEqual(done, { path: 'logs/2026/12/2026-12-02.md', lines: 2 });
    assert.equal(await readFile(logPath('2026-12-01'), 'utf8'), before);
    assert.match(
      await readFile(logPath('2026-12-02'), 'utf8'),
      /^- 12:00 taken back: Wrong\. <!-- (\w+) -->\n- 12:00 taken back: Wrong, too\. <!-- \w+ -->\n$/,
    );
    await assert.rejects(open().retract(batch?.id ?? ''), { code: 'usage' });
    await assert.rejects(open().retract('log-../../x'), { code: 'not_found' });
    // What was taken back is not learned again.
    await open().append([fact('Wrong.')], { session, upTo: 'm' });
    assert.equal((await texts('2026-12-01')).length, 2);
  });

  it('F-29: are never written through a link, and are not read through one', async () => {
    const outside = join(base, 'outside');
    await mkdir(outside);
    for (const place of ['logs', 'logs/2026', 'logs/2026/12', 'logs/2026/12/2026-12-01.md']) {
      await rm(join(base, 'memory', 'logs'), { recursive: true, force: true });
      const link = join(base, 'memory', place);
      await mkdir(join(link, '..'), { recursive: true });
      for (const target of [outside, join(base, 'memory'), join(base, 'nowhere')]) {
        await rm(link, { force: true });
        await symlink(place.endsWith('.md') ? join(target, 'file.md') : target, link);
        await rm(join(base, 'state'), { recursive: true, force: true });
        await assert.rejects(open().append([fact('x')], { session, upTo: 'm' }), { code: 'outside' });
        assert.deepEqual(await open().days(), []);
      }
    }
    assert.deepEqual(await readdir(outside), []);
  });

  it('are listed by their own names alone', async () => {
    for (const name of [
      'logs/2026/12/2026-12-01.md',
      'logs/2026/11/2026-12-02.md',
      'logs/2026/12/notes.md',
      'logs/2026/12/01/x.md',
    ]) {
      await mkdir(join(base, 'memory', name, '..'), { recursive: true });
      await writeFile(join(base, 'memory', name), '- 09:00 x\n');
    }
    assert.deepEqual(
      (await open().days()).map(({ path }) => path),
      ['logs/2026/12/2026-12-01.md'],
    );
  });
});
