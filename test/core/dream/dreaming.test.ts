import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProvider } from '../../../src/core/agent/provider';
import { openSpend } from '../../../src/core/agent/spend';
import { openAssistant } from '../../../src/core/assistant';
import { nodeDisk } from '../../../src/core/disk';
import { createDreaming } from '../../../src/core/dreaming';
import { defaultSettings } from '../../../src/core/engineSettings';
import { nodeProcessTable, openGuard } from '../../../src/core/guard';
import { silentLogger } from '../../../src/core/log';
import { openMemoryStore } from '../../../src/core/memory/memoryStore';
import { openSuggestions } from '../../../src/core/memory/proposals';
import { openSnapshots } from '../../../src/core/memory/snapshots';
import { openUsableMemories } from '../../../src/core/memory/usableMemories';
import { openCursors } from '../../../src/core/sessions/cursors';
import type { Clock, Session, TranscriptSource } from '../../../src/core/sessions/transcript';
import { dreamNow, memoryOf, sessionsAfter } from '../../support/dreamStore';

/** A clock whose timers the test lets go off. */
function handClock(): Clock & { timers: { at: number; run: () => void }[]; pass(ms: number): void } {
  let now = dreamNow;
  const timers: { at: number; run: () => void }[] = [];
  return {
    timers,
    now: () => now,
    setTimer(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return { dispose: () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1)) };
    },
    pass(ms) {
      now += ms;
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    },
  };
}

describe('what starts a dream', () => {
  let base: string;
  let sessions: Session[];
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'dreaming-'));
    await mkdir(join(base, 'memory'));
    await writeFile(join(base, 'memory', 'pump.md'), memoryOf('Pump', 'The pump is loud.'));
    sessions = sessionsAfter(dreamNow - 1000, 5);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  function open(mode: 'review' | 'manual' | 'off' = 'review', isAssistant = false) {
    const clock = handClock();
    const { now } = clock;
    const [disk, log, stateDir] = [nodeDisk, silentLogger, join(base, 'state')];
    const processes = nodeProcessTable(disk);
    const store = openMemoryStore({ roots: { private: join(base, 'memory') }, disk, now, log });
    const guard = openGuard({ folder: join(stateDir, 'guard'), disk, processes });
    const source: TranscriptSource = {
      list: async (since) => sessions.filter(({ modifiedAt }) => modifiedAt > since),
      find: async () => undefined,
      read: () => Promise.reject(new Error('not there')),
    };
    const settings = {
      ...defaultSettings,
      dream: { ...defaultSettings.dream, mode },
      assistantMode: { enabled: isAssistant, dreamHour: 3 },
    };
    const assistant = openAssistant({
      memoryDir: join(base, 'memory'),
      stateDir,
      settings: () => settings,
      zone: 'UTC',
      disk,
      processes,
      now,
      log,
    });
    const dreaming = createDreaming({
      memoryDir: join(base, 'memory'),
      stateDir,
      disk,
      processes,
      store,
      usable: openUsableMemories(store, () => false),
      snapshots: openSnapshots({ folder: stateDir, files: store, disk, guard, processes, now, log }),
      suggestions: openSuggestions({ folder: stateDir, disk }),
      source,
      cursors: openCursors({ folder: stateDir, disk, now, log }),
      assistant,
      findForgotten: () => undefined,
      saving: async (overlay) => ({ overlay, heads: [], guidance: [], read: store.read, now: now() }),
      provider: createProvider({ settings: () => settings.model, choice: async () => undefined, env: {} }),
      spend: openSpend({ folder: join(base, 'spend'), disk, now, dailyTokens: () => 0, log }),
      guidance: async () => [],
      settings: () => settings,
      rest: async () => undefined,
      refresh: async () => {},
      clock,
      now,
      log,
    });
    const outcomes: string[] = [];
    dreaming.dream.onDidDream(({ outcome }) => outcomes.push(outcome));
    const settled = async (count: number) => {
      for (let turns = 0; outcomes.length < count && turns < 2000; turns += 1)
        await new Promise((resolve) => setTimeout(resolve, 2));
      return outcomes;
    };
    return { dreaming, clock, settled, assistant };
  }

  it('a quiet quarter of an hour, once every gate is open; then the timer waits for the time gate', async () => {
    const { dreaming, clock, settled } = open();
    const lifetime = dreaming.start();
    clock.pass(14 * 60_000);
    assert.deepEqual(
      clock.timers.map(({ at }) => at),
      [clock.now() + 60_000],
    );
    clock.pass(60_000);
    assert.deepEqual(await settled(1), ['proposed']);
    const quiet = () => clock.timers.find(({ at }) => at > clock.now() + 1000);
    while (!quiet()) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.ok((quiet()?.at ?? 0) >= clock.now() + 3_600_000, 'not before an hour');
    lifetime.dispose();
    assert.equal(quiet(), undefined);
  });

  it('the end of a turn or a session, which also begins the quiet anew', async () => {
    const { dreaming, clock, settled } = open();
    const lifetime = dreaming.start();
    clock.pass(10 * 60_000);
    await dreaming.ended('turnEnd', { id: sessions[0]?.id ?? '' });
    assert.deepEqual(await settled(0), [], 'the current session is not counted, so there are four');
    assert.ok(clock.timers.some(({ at }) => at === clock.now() + 15 * 60_000));
    clock.pass(10 * 60_000);
    await dreaming.ended('sessionEnd', { id: 'another one' });
    assert.deepEqual(await settled(1), ['proposed']);
    lifetime.dispose();
  });

  it('no timer while dreams come only by hand or not at all', () => {
    for (const mode of ['manual', 'off'] as const) {
      const { dreaming, clock } = open(mode);
      dreaming.start().dispose();
      assert.deepEqual(clock.timers, []);
    }
  });

  it('in assistant mode the first quiet moment after the hour, once; the timer then waits for the next look', async () => {
    const { dreaming, clock, settled, assistant } = open('review', true);
    const quiet = () => clock.timers.find(({ at }) => at > clock.now() + 1000);
    const looked = async () => {
      while (!quiet()) await new Promise((resolve) => setTimeout(resolve, 2));
    };
    const said = {
      kind: 'fact',
      type: 'project',
      sure: true,
      text: 'The archive is in the cellar.',
      at: clock.now(),
      messages: ['m'],
    } as const;
    await assistant.logs.append([said], { session: { id: 's', file: '/s.jsonl' }, upTo: 'm' });
    const lifetime = dreaming.start();
    clock.pass(15 * 60_000);
    await looked();
    assert.deepEqual(await settled(0), [], 'nine in the morning: this night is over');
    // Looks each hour until the clock shows three.
    for (let hour = 10; hour < 26; hour += 1) {
      clock.pass(3_600_000);
      await looked();
    }
    assert.deepEqual(await settled(0), []);
    await dreaming.ended('turnEnd', { id: 'somebody works late' });
    // Each look is over before time goes on.
    while (clock.now() % 86_400_000 < 3 * 3_600_000 + 15 * 60_000) {
      clock.pass(5 * 60_000);
      await looked();
    }
    assert.deepEqual(await settled(1), ['proposed']);
    await dreaming.ended('sessionEnd', { id: 'another one' });
    assert.deepEqual(await settled(1), ['proposed'], 'once a night');
    lifetime.dispose();
  });
});
