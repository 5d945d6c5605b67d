import assert from 'node:assert/strict';
import {
  createGates,
  type DreamTrigger,
  type GateQuestions,
  isGateOpen,
  scanThrottleMs,
} from '../../../src/core/dream/gates';
import type { Session } from '../../../src/core/sessions/transcript';

const hour = 3_600_000;
const begun = Date.UTC(2026, 10, 30, 9);

interface Situation {
  readonly now?: number;
  readonly last?: number;
  readonly sessions?: number;
  readonly mode?: 'off' | 'manual' | 'review' | 'automatic';
  readonly assistant?: boolean;
  readonly rest?: string;
  readonly retryAt?: number;
  readonly held?: boolean;
  /** The nightly dream of assistant mode. */
  readonly due?: boolean;
  readonly trigger?: DreamTrigger;
  readonly force?: boolean;
}

const session = (at: number): Session => ({
  kind: 'claude-code',
  id: `session-${at}`,
  file: `/transcripts/session-${at}.jsonl`,
  size: 1,
  modifiedAt: at,
});

/** Gates over a situation, with what was asked on the way. */
function gatesOf(situation: Situation) {
  const asked: string[] = [];
  const state = { now: situation.now ?? begun + 24 * hour, ...situation };
  const note = <T>(name: string, value: T): T => {
    asked.push(name);
    return value;
  };
  const questions: GateQuestions = {
    settings: () => ({ mode: state.mode ?? 'review', minHours: 24, minSessions: 5, maxLossPercent: 25 }),
    isAssistantMode: () => note('assistant', state.assistant ?? false),
    night: async () => ({ due: state.due ?? false, dreamHour: 3, lines: 2 }),
    rest: async () => note('enabled', state.rest),
    lastConsolidatedAt: async () => note('time', state.last ?? begun),
    retryAt: async () => note('throttle', state.retryAt),
    sessionsSince: async () =>
      note(
        'sessions',
        Array.from({ length: state.sessions ?? 5 }, (_, at) => session(at)),
      ),
    lock: async () =>
      note('lock', { lastConsolidatedAt: begun, held: state.held ?? false, ...(state.held ? { holderPid: 77 } : {}) }),
    now: () => state.now,
  };
  return { gates: createGates(questions), asked, state };
}

async function firstClosed(situation: Situation): Promise<string | undefined> {
  const { gates } = gatesOf(situation);
  const check = await gates.check(situation.trigger ?? 'turnEnd', { force: situation.force ?? false });
  return check.closed?.name;
}

describe('the gates of a dream', () => {
  const edges: readonly [string, Situation, string | undefined][] = [
    ['24 hours to the millisecond, 5 sessions', {}, undefined],
    ['one second short of 24 hours', { now: begun + 24 * hour - 1000 }, 'time'],
    ['one second past 24 hours', { now: begun + 24 * hour + 1000 }, undefined],
    ['no dream ever', { last: 0, now: begun }, undefined],
    ['4 sessions', { sessions: 4 }, 'sessions'],
    ['5 sessions', { sessions: 5 }, undefined],
    ['a clock set back behind the last dream', { now: begun - hour }, 'time'],
    ['a stamp years ahead', { last: begun + 10_000 * hour }, 'time'],
    ['assistant mode', { assistant: true }, 'assistant'],
    ['assistant mode at night, not due', { assistant: true, trigger: 'night' }, 'assistant'],
    [
      'assistant mode at night, due: too early, no session',
      { assistant: true, trigger: 'night', due: true, now: begun + hour, sessions: 0 },
      undefined,
    ],
    [
      'assistant mode at night, after a failure',
      { assistant: true, trigger: 'night', due: true, retryAt: begun + 25 * hour },
      'throttle',
    ],
    [
      'assistant mode at night, dreams only by hand',
      { assistant: true, trigger: 'night', due: true, mode: 'manual' },
      'enabled',
    ],
    [
      'assistant mode on the command line, due',
      { assistant: true, trigger: 'terminal', due: true, sessions: 0 },
      undefined,
    ],
    ['assistant mode on the command line, not due', { assistant: true, trigger: 'terminal' }, 'assistant'],
    ['assistant mode by force', { assistant: true, trigger: 'command', force: true, now: begun }, undefined],
    ['memory switched off', { rest: 'Memory is paused.' }, 'enabled'],
    ['mode off', { mode: 'off' }, 'enabled'],
    ['mode off, by hand', { mode: 'off', trigger: 'command', force: true }, 'enabled'],
    ['mode manual at a turn’s end', { mode: 'manual' }, 'enabled'],
    ['mode manual, by hand', { mode: 'manual', trigger: 'command' }, undefined],
    ['a lock that is held', { held: true }, 'lock'],
    ['a failure whose pause is not over', { retryAt: begun + 25 * hour }, 'throttle'],
    ['a failure whose pause is over', { retryAt: begun + 23 * hour }, undefined],
    [
      'by force: too early, no session, after a failure',
      { now: begun + 1, sessions: 0, retryAt: begun + hour, force: true },
      undefined,
    ],
    ['by force, but somebody dreams', { now: begun + 1, sessions: 0, held: true, force: true }, 'lock'],
    ['by force, but at rest', { rest: 'The workspace is not trusted.', force: true }, 'enabled'],
  ];
  for (const [name, situation, expected] of edges) {
    it(`${name}: ${expected === undefined ? 'all are open' : `${expected} is closed`}`, async () => {
      assert.equal(await firstClosed(situation), expected);
    });
  }

  it('are asked in the order of their cost, and the first closed one ends the check', async () => {
    const order = ['assistant', 'enabled', 'time', 'throttle', 'sessions', 'lock'];
    const all = gatesOf({});
    assert.ok(isGateOpen(await all.gates.check('turnEnd')));
    assert.deepEqual(all.asked, order);
    const closings: Situation[] = [
      { assistant: true },
      { rest: 'x' },
      { last: begun + 1 },
      { retryAt: Infinity },
      { sessions: 0 },
    ];
    for (const [at, situation] of closings.entries()) {
      const { gates, asked } = gatesOf(situation);
      const { results, closed } = await gates.check('turnEnd');
      assert.deepEqual(asked, order.slice(0, at + 1));
      assert.deepEqual([results.length, closed?.name], [at + 1, order[at]]);
    }
  });

  it('say when the nightly dream comes and what waits for it, and stand closed to every other dream', async () => {
    const { gates } = gatesOf({ assistant: true });
    const [gate] = (await gates.explain()).results;
    assert.deepEqual(gate, {
      name: 'assistant',
      open: false,
      value: 'on',
      threshold: 3,
      detail:
        'Assistant mode is on: the nightly dream does this. It comes at the first quiet moment after 3:00 (reverie.assistantMode.dreamHour). 2 lines of the daily logs wait for it.',
    });
    const due = (await gatesOf({ assistant: true, due: true }).gates.explain()).results[0];
    assert.deepEqual([due?.open, due?.value], [false, 'due']);
    for (const trigger of ['turnEnd', 'sessionEnd', 'quiet'] as const)
      assert.equal((await gatesOf({ assistant: true, due: true }).gates.check(trigger)).closed?.name, 'assistant');
  });

  it('F-36: a second look within ten minutes reads no transcript folder', async () => {
    const { gates, asked, state } = gatesOf({ sessions: 4 });
    await gates.check('turnEnd');
    state.now += scanThrottleMs - 1;
    asked.length = 0;
    assert.equal((await gates.check('turnEnd')).closed?.name, 'throttle');
    assert.ok(!asked.includes('sessions'));
    state.now += 1;
    assert.equal((await gates.check('turnEnd')).closed?.name, 'sessions');
  });

  it('F-37: a clock set back makes no negative hours and no throttle without end', async () => {
    const { gates, state } = gatesOf({ sessions: 4 });
    await gates.check('turnEnd');
    state.now -= 5 * hour;
    const { results } = await gates.explain();
    for (const { value } of results) if (typeof value === 'number') assert.ok(value >= 0);
    assert.equal(results.find(({ name }) => name === 'time')?.open, false);
    assert.equal(results.find(({ name }) => name === 'throttle')?.open, true);
  });

  it('F-35: the current session and other products’ files are not counted', async () => {
    const { gates } = gatesOf({ sessions: 5 });
    const check = await gates.check('sessionEnd', { currentSession: 'session-3' });
    assert.equal(check.closed?.name, 'sessions');
    assert.equal(check.closed?.value, 4);
  });

  it('explain themselves all at once to a person, and that look throttles nothing', async () => {
    const { gates } = gatesOf({ now: begun + 13 * hour, sessions: 3 });
    const { results } = await gates.explain();
    assert.deepEqual(
      results.map(({ name, open, value, threshold }) => [name, open, value, threshold]),
      [
        ['assistant', true, 'off', undefined],
        ['enabled', true, 'review', undefined],
        ['time', false, 13, 24],
        ['throttle', true, 'ready', 10],
        ['sessions', false, 3, 5],
        ['lock', true, 'free', undefined],
      ],
    );
    for (const { detail } of results) assert.match(detail, /^[A-Z0-9].*[.)]$/);
    assert.equal((await gates.explain()).results[3]?.value, 'ready');
  });
});
