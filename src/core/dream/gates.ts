// May a dream begin now? Six questions in the order of what they cost, each with its value and a sentence for a person;
// the first that says no ends the check. A time gate that is closed costs one `stat` and nothing else. A clock that was set
// back and a stamp from the future close a gate at most; they never make hours negative.

import type { NightState } from '../logs/night';
import type { Session } from '../sessions/transcript';
import type { LockState } from './consolidationLock';

export type GateName = 'assistant' | 'enabled' | 'time' | 'throttle' | 'sessions' | 'lock';

export interface GateResult {
  readonly name: GateName;
  readonly open: boolean;
  readonly value: number | string;
  readonly threshold?: number;
  /** One English sentence or two. */
  readonly detail: string;
}

export type DreamTrigger = 'turnEnd' | 'sessionEnd' | 'quiet' | 'night' | 'command' | 'terminal';
/** By hand or on the command line, as against by itself. */
export const isByHand = (trigger: DreamTrigger): boolean => trigger === 'command' || trigger === 'terminal';

export type DreamMode = 'off' | 'manual' | 'review' | 'automatic';

export interface DreamSettings {
  readonly mode: DreamMode;
  readonly minHours: number;
  readonly minSessions: number;
  /** Share of memories, or of their text, beyond which a dream is never applied by itself. */
  readonly maxLossPercent: number;
}

/** At most one look through the transcript folders in ten minutes; as Claude Code does. */
export const scanThrottleMs = 600_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

export interface GateQuestions {
  readonly settings: () => DreamSettings;
  readonly isAssistantMode: () => boolean;
  /** Looks at the daily logs; asked in assistant mode only, at a quiet moment or for a person. */
  readonly night?: () => Promise<NightState>;
  /** Why memory is at rest, in words; `undefined` when it is at work. Looks at no memory. */
  readonly rest: () => Promise<string | undefined>;
  /** One `stat`. */
  readonly lastConsolidatedAt: () => Promise<number>;
  /** Milliseconds before which no dream is tried again by itself, after failures. */
  readonly retryAt: () => Promise<number | undefined>;
  /** Sessions modified after a time. */
  readonly sessionsSince: (since: number) => Promise<readonly Session[]>;
  readonly lock: () => Promise<LockState>;
  readonly now: () => number;
}

export interface GateCheck {
  /** In order; up to the first that is closed, unless all were asked for. */
  readonly results: readonly GateResult[];
  /** The first that is closed. */
  readonly closed: GateResult | undefined;
  readonly lastConsolidatedAt: number;
  /** Touched since then, without the current one, as far as that was asked. */
  readonly sessions: readonly Session[];
}

export interface Gates {
  /** `force` passes assistant mode, time, throttle and sessions; never the lock. `currentSession` is not counted. */
  check(
    trigger: DreamTrigger,
    options?: { readonly force?: boolean; readonly currentSession?: string | undefined },
  ): Promise<GateCheck>;
  /** Whether this is the dream of assistant mode, which comes by the night and not by time and sessions. */
  isNightly(trigger: DreamTrigger, force?: boolean): boolean;
  /** Every gate for a person who asks *why not now*; opens and throttles nothing. */
  explain(trigger?: DreamTrigger): Promise<GateCheck>;
}

export const isGateOpen = (check: GateCheck): boolean => check.closed === undefined;

export function createGates(questions: GateQuestions): Gates {
  const { now } = questions;
  const isNightly = (trigger: DreamTrigger, force = false) =>
    (trigger === 'night' || (trigger === 'terminal' && !force)) && questions.isAssistantMode();
  let lastScanMs: number | undefined;

  async function run(
    trigger: DreamTrigger,
    options: { readonly force: boolean; readonly all: boolean; readonly currentSession?: string | undefined },
  ): Promise<GateCheck> {
    const { force, all } = options;
    const nightly = !all && isNightly(trigger, force);
    const { minHours, minSessions, mode } = questions.settings();
    const results: GateResult[] = [];
    let lastConsolidatedAt = 0;
    let sessions: readonly Session[] = [];
    const steps: (() => Promise<GateResult>)[] = [
      async () => {
        if (!questions.isAssistantMode()) return assistantGate(undefined);
        const isAsked = all || nightly;
        return assistantGate({ night: isAsked ? await questions.night?.() : undefined, nightly });
      },
      async () => enabledGate(mode, trigger, await questions.rest()),
      async () => {
        lastConsolidatedAt = await questions.lastConsolidatedAt();
        return timeGate(lastConsolidatedAt, now(), minHours);
      },
      async () => throttleGate(nightly ? undefined : lastScanMs, await questions.retryAt(), now()),
      async () => {
        const found = await questions.sessionsSince(lastConsolidatedAt);
        if (!all) lastScanMs = now();
        sessions = found.filter(({ id, kind }) => kind !== 'foreign' && id !== options.currentSession);
        return sessionsGate(sessions.length, minSessions);
      },
      async () => lockGate(await questions.lock(), now()),
    ];
    for (const step of steps) {
      const result = await step();
      const isAsked = force && forceable.has(result.name);
      const passed = !result.open && (isAsked || (nightly && notAtNight.has(result.name)));
      const why = isAsked ? 'because it was asked for' : 'because the nightly dream does not wait for it';
      results.push(passed ? { ...result, open: true, detail: `${result.detail} Passed, ${why}.` } : result);
      if (!all && !result.open && !passed) break;
    }
    return { results, closed: results.find(({ open }) => !open), lastConsolidatedAt, sessions };
  }

  return {
    check: (trigger, { force = false, currentSession } = {}) => run(trigger, { force, all: false, currentSession }),
    isNightly,
    explain: (trigger = 'quiet') => run(trigger, { force: false, all: true }),
  };
}

const forceable = new Set<GateName>(['assistant', 'time', 'throttle', 'sessions']);
const notAtNight = new Set<GateName>(['time', 'sessions']);

/** `undefined`: assistant mode is off. Its dream is `due` when there is one to be dreamt this night. */
function assistantGate(
  on: { readonly night: NightState | undefined; readonly nightly: boolean } | undefined,
): GateResult {
  const name = 'assistant' as const;
  if (!on)
    return { name, open: true, value: 'off', detail: 'Assistant mode is off; dreams are not left to the night.' };
  const does = 'Assistant mode is on: the nightly dream does this.';
  const { night, nightly } = on;
  if (!night) return { name, open: false, value: 'on', detail: does };
  const { due, dreamHour, lines } = night;
  const waiting = lines === 1 ? '1 line of the daily logs waits' : `${lines} lines of the daily logs wait`;
  const when = due
    ? 'This night’s dream is due.'
    : `It comes at the first quiet moment after ${dreamHour}:00 (reverie.assistantMode.dreamHour).`;
  return {
    name,
    open: nightly && due,
    value: due ? 'due' : 'on',
    threshold: dreamHour,
    detail: `${does} ${when} ${waiting} for it.`,
  };
}

function enabledGate(mode: DreamMode, trigger: DreamTrigger, rest: string | undefined): GateResult {
  const closed = (value: string, detail: string): GateResult => ({ name: 'enabled', open: false, value, detail });
  if (rest !== undefined) return closed('at rest', rest);
  if (mode === 'off') return closed('off', 'Dreams are switched off (reverie.dream.mode).');
  if (mode === 'manual' && !isByHand(trigger))
    return closed('only by hand', 'Dreams run only when they are asked for (reverie.dream.mode).');
  const how =
    mode === 'automatic'
      ? 'A dream applies its changes by itself.'
      : 'A dream waits for a review before anything changes.';
  return { name: 'enabled', open: true, value: mode, detail: `${how} (reverie.dream.mode)` };
}

function timeGate(last: number, now: number, minHours: number): GateResult {
  if (last === 0)
    return { name: 'time', open: true, value: 'never', threshold: minHours, detail: 'There was no dream yet.' };
  const gate = { name: 'time' as const, threshold: minHours };
  if (last > now)
    return {
      ...gate,
      open: false,
      value: 0,
      detail:
        'The last dream’s time lies in the future: a clock was set back, or the file was copied. Run Dream sets it right.',
    };
  const hours = (now - last) / hourMs;
  return {
    ...gate,
    open: now - last >= minHours * hourMs,
    value: rounded(hours),
    detail: `The last dream began ${spanOf(now - last)} ago. The next may begin after ${minHours} hours (reverie.dream.minHours).`,
  };
}

function throttleGate(lastScanMs: number | undefined, retryAt: number | undefined, now: number): GateResult {
  const gate = { name: 'throttle' as const, threshold: scanThrottleMs / minuteMs };
  if (retryAt !== undefined && retryAt > now) {
    const detail = `The last dream failed. The next try comes in ${spanOf(retryAt - now)}; Run Dream does not wait.`;
    return { ...gate, open: false, value: 'after a failure', detail };
  }
  // A clock that was set back makes the last look one of the future: then it says nothing.
  const since = lastScanMs === undefined || lastScanMs > now ? undefined : now - lastScanMs;
  if (since === undefined)
    return { ...gate, open: true, value: 'ready', detail: 'Chat sessions are counted at most every 10 minutes.' };
  return {
    ...gate,
    open: since >= scanThrottleMs,
    value: rounded(since / minuteMs),
    detail: `Chat sessions were counted ${spanOf(since)} ago. They are counted at most every 10 minutes.`,
  };
}

function sessionsGate(count: number, minSessions: number): GateResult {
  const open = count >= minSessions;
  const since = `${count} chat ${count === 1 ? 'session' : 'sessions'} since the last dream`;
  const detail = open ? `${since}.` : `${since}; it takes ${minSessions} (reverie.dream.minSessions).`;
  return { name: 'sessions', open, value: count, threshold: minSessions, detail };
}

function lockGate({ held, holderPid, lastConsolidatedAt }: LockState, now: number): GateResult {
  if (!held) return { name: 'lock', open: true, value: 'free', detail: 'Nobody is dreaming over these memories.' };
  const since = lastConsolidatedAt > 0 && lastConsolidatedAt <= now ? `, for ${spanOf(now - lastConsolidatedAt)}` : '';
  return {
    name: 'lock',
    open: false,
    value: `held by process ${holderPid}`,
    detail: `Another process (${holderPid}) is dreaming over the same memories${since}. Reverie waits.`,
  };
}

const rounded = (value: number): number => Math.floor(value * 100) / 100;

/** A length of time in words, rounded down: a gate must not seem open before it is. */
function spanOf(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
