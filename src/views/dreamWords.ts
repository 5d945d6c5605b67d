// How a dream is said: gates with present and threshold, when the next one may come, what came of each. Pure; the engine speaks
// English in sentences, here are the few words of rows and of the status bar.

import type { GateResult } from '../core/dream/gates';
import type { DreamRecord } from '../core/dream/history';
import { failureText } from './sessionRows';
import { oneLine, type Words, wholeDays } from './words';

type Phase = 'orient' | 'gather' | 'consolidate' | 'prune';
/** In order. Said again here: the engine's own list would load the engine with the first view. */
export const phasesInOrder: readonly Phase[] = ['orient', 'gather', 'consolidate', 'prune'];

export const phaseName = (phase: Phase, { t }: Words): string =>
  ({ orient: t('orient'), gather: t('gather'), consolidate: t('consolidate'), prune: t('prune') })[phase];

export const phaseLabel = (phase: Phase, { t }: Words): string =>
  ({ orient: t('Orient'), gather: t('Gather'), consolidate: t('Consolidate'), prune: t('Prune') })[phase];

export const gateLabel = ({ name }: GateResult, { t }: Words): string =>
  ({
    assistant: t('Assistant mode'),
    enabled: t('Enabled'),
    time: t('Time'),
    throttle: t('Scan throttle'),
    sessions: t('Sessions'),
    lock: t('Lock'),
  })[name];

/** What it is now, of what it takes. */
export function gateText({ name, open, value, threshold = 0 }: GateResult, { t, number }: Words): string {
  const limit = number(threshold);
  switch (name) {
    case 'assistant':
      if (value === 'off') return t('off');
      return value === 'due' ? t('on: the nightly dream is due') : t('on: the nightly dream does it');
    case 'enabled':
      return enabledText(value, t);
    case 'time':
      return typeof value === 'number' ? t('{0} h of {1} h', number(Math.floor(value)), limit) : t('no dream yet');
    case 'throttle':
      if (value === 'after a failure') return t('waits after a failure');
      return open || typeof value !== 'number'
        ? t('ready · every {0} min', limit)
        : t('{0} of {1} min', number(Math.floor(value)), limit);
    case 'sessions':
      return t('{0} of {1} sessions', number(Number(value)), limit);
    case 'lock':
      return open ? t('free') : t('held by process {0}', String(value).replace(/\D+/g, ''));
  }
}

function enabledText(value: GateResult['value'], t: Words['t']): string {
  switch (value) {
    case 'review':
      return t('review before applying');
    case 'automatic':
      return t('automatic');
    case 'off':
      return t('off');
    case 'at rest':
      return t('at rest');
    default:
      return t('only by hand');
  }
}

/** What the gate is for, and which setting moves it. */
export function gateHint({ name, threshold }: GateResult, words: Words): string {
  const { t, number } = words;
  const limit = number(threshold ?? 0);
  switch (name) {
    case 'assistant':
      return threshold === undefined
        ? t('In assistant mode the nightly dream does this.')
        : t(
            'In assistant mode the nightly dream does this, at the first quiet moment after {0} (reverie.assistantMode.dreamHour).',
            clockHour(threshold, words),
          );
    case 'enabled':
      return t('Whether dreams come by themselves, and whether they wait for a review (reverie.dream.mode).');
    case 'time':
      return t('The next dream may begin {0} hours after the last one (reverie.dream.minHours).', limit);
    case 'throttle':
      return t('Chat sessions are counted at most every {0} minutes. Run Dream does not wait.', limit);
    case 'sessions':
      return t('It takes {0} chat sessions since the last dream (reverie.dream.minSessions).', limit);
    case 'lock':
      return t('Claude Code and Reverie never dream over the same memories at once.');
  }
}

/** `3:00`, as the language writes it. */
const clockHour = (hour: number, { time }: Words): string => time(new Date(2026, 0, 15, hour).getTime());

export const isDue = (gates: readonly GateResult[]): boolean => gates.every(({ open }) => open);

/** Whether dreams come by themselves at all. */
export const comesByItself = (gates: readonly GateResult[]): boolean =>
  gates.every(({ name, open }) => open || name !== 'enabled');

/** When the next dream may come. `undefined` while nobody asked the gates. */
export function nextText(gates: readonly GateResult[] | undefined, words: Words): string | undefined {
  const { t, number } = words;
  if (!gates) return undefined;
  const closed = new Map(gates.filter(({ open }) => !open).map((gate) => [gate.name, gate]));
  const enabled = closed.get('enabled');
  if (enabled) return gateText(enabled, words);
  const assistant = closed.get('assistant');
  if (assistant?.value === 'due') return t('at the next pause');
  if (assistant)
    return assistant.threshold === undefined
      ? t('at night')
      : t('at night, after {0}', clockHour(assistant.threshold, words));
  const time = closed.get('time');
  const sessions = closed.get('sessions');
  const missing = sessions ? Math.max(1, (sessions.threshold ?? 0) - Number(sessions.value)) : 0;
  if (time) {
    const hours = Math.max(1, Math.ceil((time.threshold ?? 0) - Number(time.value)));
    if (missing === 0) return t('in {0} h', number(hours));
    return missing === 1
      ? t('in {0} h, after 1 more session', number(hours))
      : t('in {0} h, after {1} more sessions', number(hours), number(missing));
  }
  if (closed.has('throttle')) return t('in a while');
  if (missing > 0)
    return missing === 1 ? t('when 1 more session has ended') : t('when {0} more sessions have ended', number(missing));
  if (closed.has('lock')) return t('when the other dream is over');
  return t('at the next pause');
}

/** The same as a sentence. */
export function nextSentence(gates: readonly GateResult[] | undefined, words: Words): string | undefined {
  const next = nextText(gates, words);
  if (next === undefined || !gates) return undefined;
  return comesByItself(gates) ? words.t('Next dream {0}', next) : words.t('Dreams: {0}', next);
}

export interface History {
  readonly record: DreamRecord;
  /** What it changed was taken back. */
  readonly isUndone: boolean;
}

export function outcomeLabel({ record, isUndone }: History, words: Words): string {
  const { t, number } = words;
  const { outcome, changes, phase } = record;
  switch (outcome) {
    case 'applied': {
      const done = changes === 1 ? t('Improved 1 memory') : t('Improved {0} memories', number(changes));
      return isUndone ? t('Undone: {0}', done) : done;
    }
    case 'unchanged':
      return t('Ran, nothing to change');
    case 'failed':
      return t('Failed: {0}', oneLine(failureText(record, words)));
    case 'cancelled':
      return phase === undefined ? t('Cancelled') : t('Cancelled in {0}', phaseName(phase, words));
    case 'discarded':
      return changes === 1 ? t('Discarded 1 change') : t('Discarded {0} changes', number(changes));
    case 'replaced':
      return t('Replaced by a newer dream');
    case 'set_aside':
      return t('Set aside after 14 days');
    case 'proposed':
      return changes === 1 ? t('Proposed 1 change') : t('Proposed {0} changes', number(changes));
  }
}

export function triggerText({ trigger }: DreamRecord, { t }: Words): string {
  switch (trigger) {
    case 'turnEnd':
      return t('turn end');
    case 'sessionEnd':
      return t('session end');
    case 'quiet':
      return t('quiet timer');
    case 'night':
      return t('nightly');
    case 'command':
      return t('Run Dream');
    case 'terminal':
      return t('command line');
  }
}

/** `1 min`, `13 h`, `12 d` */
export function spanText(ms: number, { t, number, shortAge }: Words): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return t('{0} min', number(minutes));
  if (minutes < 24 * 60) return t('{0} h', number(Math.floor(minutes / 60)));
  return shortAge(wholeDays(0, ms));
}

export const tokensOf = ({ usage }: Pick<DreamRecord, 'usage'>): number =>
  usage.input + usage.cacheRead + usage.cacheWrite + usage.output;

/** Behind the label of a run: when, why, for how much. */
export function recordText(history: History, words: Words, now: number): string {
  const { t, number } = words;
  const { record } = history;
  const tokens = tokensOf(record);
  const left = record.outcome === 'applied' ? (record.leftOut ?? 0) : 0;
  return [
    record.outcome === 'failed' ? t('nothing changed') : undefined,
    left > 0 ? t('{0} left out', number(left)) : undefined,
    spanText(now - record.at, words),
    triggerText(record, words),
    tokens > 0 ? t('{0} tokens', number(tokens)) : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Of the newest one, for the status bar and where nothing is to be reviewed. */
export function lastSentence(history: readonly History[], words: Words, now: number): string {
  const { t } = words;
  const [last] = history;
  if (!last) return t('There was no dream yet.');
  const label = outcomeLabel(last, words);
  return t(
    'Last dream: {0} ago, {1}',
    spanText(now - last.record.at, words),
    label.slice(0, 1).toLowerCase() + label.slice(1),
  );
}

export const changesToReview = (count: number, { t, number }: Words): string =>
  count === 1 ? t('1 change to review') : t('{0} changes to review', number(count));
