// A fortnight of assistant mode with a set clock: two processes at once, a night off, a process that is killed, and the night on which
// the clock is set back. One process knows its time zone by name, the other has it from the machine.

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pathOfDay } from '../../../src/core/logs/dailyLogs';
import { parseLog } from '../../../src/core/logs/logLines';
import { nightOf } from '../../../src/core/logs/night';
import { createZone, dayAfter } from '../../../src/core/logs/zone';
import type { Order } from '../../support/assistantChild';
import { createTempProject, type TempProject } from '../../support/tempProject';

const zoneName = 'Europe/Berlin';
const zone = createZone(zoneName);
const first = '2026-10-18';
const days = 14;
/** On this morning three o'clock comes twice. */
const setBack = '2026-10-25';
const nightOff = '2026-10-22';

const things =
  'lantern kettle anchor ledger barrel compass hammer saddle trumpet blanket mirror bucket candle ladder whistle pulley chisel telescope hammock oar rudder sextant bellows crowbar lamp net sail drum flag rope chain plank brush stove wrench bottle'.split(
    ' ',
  );
const places =
  'boathouse attic cellar chapel orchard bakery stable lighthouse quarry tannery granary smithy mill dovecote brewery armoury infirmary library greenhouse pantry scullery archive loft barn kennel vault tower crypt cloister harbour foundry dairy larder workshop garage shed'.split(
    ' ',
  );

const at = (day: string, hour: number, minute = 0) => zone.moment({ day, minutes: hour * 60 + minute });

describe('a fortnight of assistant mode', function () {
  this.timeout(240_000);
  let temp: TempProject;
  let script: string;
  const children: ChildProcess[] = [];

  before(async () => {
    temp = await createTempProject();
    script = join(temp.base, 'child.cjs');
    await build({
      entryPoints: [join(__dirname, '../../support/assistantChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: script,
      logLevel: 'error',
      mainFields: ['module', 'main'],
    });
  });
  after(async () => {
    for (const child of children) child.disconnect();
    await temp.remove();
  });

  function launch(name: string): ChildProcess {
    return fork(script, [temp.directory, temp.configDir, name], { env: { ...process.env, TZ: zoneName } });
  }
  async function ask(child: ChildProcess, order: Order): Promise<unknown> {
    const answer = once(child, 'message');
    child.send(order);
    return (await answer)[0];
  }
  const askBoth = (order: Order) => Promise.all(children.map((child) => ask(child, order)));

  it('holds every line once in the right day’s file, has one dream a night, and its memories hold what the logs said', async () => {
    children.push(launch(zoneName), launch('machine'));
    await askBoth({ now: at(first, 0, 1), verb: 'open' });
    const said: { readonly text: string; readonly day: string; readonly minutes: number }[] = [];
    const dreamt = new Map<string, number>();
    let next = 0;

    /** Somebody says something, and both windows look at it at once. */
    async function say(moment: number, killsOne = false): Promise<void> {
      const text = `the ${things[next]} is kept in the ${places[next]}`;
      next += 1;
      said.push({ text, ...zone.local(moment) });
      await temp.chat(`chat ${Math.floor(next / 3)}`, (talk) =>
        talk.human(`Remember: ${text}.`, { at: moment }).assistant('Noted.').turnEnd(),
      );
      const order = { now: moment + 6 * 60_000, verb: 'extract' as const };
      if (killsOne) {
        const [doomed, other] = children as [ChildProcess, ChildProcess];
        doomed.send(order);
        await new Promise((resolve) => setTimeout(resolve, 60));
        doomed.kill('SIGKILL');
        await once(doomed, 'exit');
        await ask(other, order);
        children[0] = launch(zoneName);
      }
      // Every third time the one that has its zone from the machine is alone for a moment.
      if (next % 3 === 0 && children[1]) await ask(children[1], order);
      await askBoth(order);
    }

    async function sleep(moment: number): Promise<void> {
      const answers = (await askBoth({ now: moment, verb: 'night' })) as {
        outcome: string;
        gate?: string;
        reason?: string;
      }[];
      const night = nightOf(moment, 3, zone);
      for (const { outcome, gate, reason } of answers) {
        assert.ok(outcome === 'applied' || gate === 'assistant' || gate === 'lock', `${night}: ${outcome} ${reason}`);
        if (outcome === 'applied') dreamt.set(night, (dreamt.get(night) ?? 0) + 1);
      }
    }

    for (let number = 0; number < days; number += 1) {
      const day = dayAfter(first, number);
      if (day === setBack) {
        // The first half past two, and the second.
        await say(at(day, 2, 30));
        await say(at(day, 2, 30) + 3_600_000);
        await sleep(at(day, 2, 30) + 3_600_000 + 8 * 60_000);
      }
      if (number > 0 && day !== nightOff) {
        await sleep(at(day, 3, 2));
        // Said before the hour, looked at after the dream.
        if (number === 9) await say(at(day, 2, 59));
        await sleep(at(day, 3, 40));
      }
      if (day === nightOff) await sleep(at(day, 9));
      await say(at(day, 14), number === 5);
      await sleep(at(day, 22));
      await say(at(day, 23, 58));
    }
    const last = dayAfter(first, days);
    await say(at(last, 0, 3));
    await sleep(at(last, 3, 1));

    const files = await temp.memories();
    const lines = Object.entries(files)
      .filter(([path]) => path.startsWith('logs/'))
      .flatMap(([path, text]) => parseLog(text).map((line) => `${path} ${line.minutes} ${line.text.toLowerCase()}`));
    const expected = said.map(({ text, day, minutes }) => `${pathOfDay(day)} ${minutes} ${text}`);
    assert.deepEqual([...lines].sort(), [...expected].sort());

    const nights = Array.from({ length: days }, (_, number) => [dayAfter(first, number + 1), 1]);
    assert.deepEqual([...dreamt].sort(), nights, 'one dream a night, the missed one made up for');

    const topics = Object.entries(files)
      .filter(([path]) => path.endsWith('.md') && !path.startsWith('logs/') && path !== 'MEMORY.md')
      .map(([, text]) => text.toLowerCase());
    for (const { text } of said) assert.equal(topics.filter((topic) => topic.includes(text)).length, 1, text);
    for (const { text } of said) assert.ok(files['MEMORY.md']?.toLowerCase().includes(text), `the index: ${text}`);
  });
});

describe('nights and days by the clock on the wall', () => {
  it('are told in every zone, and over both changes of the clock', () => {
    for (const name of [
      'Europe/Berlin',
      'America/Sao_Paulo',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'UTC',
    ]) {
      const local = createZone(name);
      for (let hour = 0; hour < 366 * 24; hour += 7) {
        const moment = Date.UTC(2026, 0, 1) + hour * 3_600_000;
        const there = local.local(moment);
        const back = local.moment(there);
        assert.deepEqual(local.local(back), there);
        assert.ok(back <= moment && moment - back <= 3_600_000, `${name} ${there.day}`);
      }
    }
  });

  it('an hour that is left out is the one after it', () => {
    const [day, minutes] = ['2026-03-29', 150] as const;
    assert.deepEqual(zone.local(zone.moment({ day, minutes })), { day, minutes: 210 });
  });

  it('a night is one night on every day of the year, whatever the dream hour is', () => {
    for (const dreamHour of [0, 1, 2, 3, 23]) {
      let before = '';
      const nights = new Set<string>();
      for (let minute = 0; minute < 366 * 24 * 60; minute += 20) {
        const night = nightOf(Date.UTC(2026, 0, 1) + minute * 60_000, dreamHour, zone);
        assert.ok(night >= before, `${before} then ${night}`);
        before = night;
        nights.add(night);
      }
      assert.ok(nights.size >= 366 && nights.size <= 368);
    }
  });

  it('are the machine’s where no zone is named', () => {
    const machine = createZone();
    const named = createZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
    for (const moment of [0, Date.UTC(2026, 6, 1, 12, 34), Date.UTC(2026, 11, 31, 23, 59)])
      assert.deepEqual(machine.local(moment), named.local(moment));
  });
});
