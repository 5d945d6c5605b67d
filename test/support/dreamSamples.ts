// States of a dream in domain terms, for what the view, the status bar and the hover say of them.

import type { DreamTask } from '../../src/core/dream/dreamTask';
import type { GateName, GateResult } from '../../src/core/dream/gates';
import type { DreamRecord } from '../../src/core/dream/history';
import type { DreamSnapshot } from '../../src/views/dreamRows';
import type { History } from '../../src/views/dreamWords';
import { fakeNow } from './fakeProject';

const hourMs = 3_600_000;
export const noTokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

const openGates: readonly GateResult[] = [
  { name: 'assistant', open: true, value: 'off', detail: '' },
  { name: 'enabled', open: true, value: 'review', detail: '' },
  { name: 'time', open: true, value: 30, threshold: 24, detail: '' },
  { name: 'throttle', open: true, value: 'ready', threshold: 10, detail: '' },
  { name: 'sessions', open: true, value: 6, threshold: 5, detail: '' },
  { name: 'lock', open: true, value: 'free', detail: '' },
];
export const dreamGates = (closed: Partial<Record<GateName, GateResult['value']>> = {}): readonly GateResult[] =>
  openGates.map((gate) => {
    const value = closed[gate.name];
    return value === undefined ? gate : { ...gate, open: false, value };
  });
/** Thirteen hours and three sessions after the last one. */
export const notDue = dreamGates({ time: 13, sessions: 3 });

export const dreamRecord = (outcome: DreamRecord['outcome'], facts: Partial<DreamRecord> = {}): DreamRecord => ({
  id: `${outcome}-1`,
  at: fakeNow - 13 * hourMs,
  trigger: 'quiet',
  engine: 'offline',
  outcome,
  changes: 6,
  sessions: 4,
  usage: noTokens,
  ...facts,
});
export const history = (record: DreamRecord, isUndone = false): History => ({ record, isUndone });

export const running = (
  facts: Partial<Extract<DreamTask, { status: 'running' }>> = {},
): Extract<DreamTask, { status: 'running' }> => ({
  status: 'running',
  startedAt: fakeNow,
  phase: 'gather',
  sessions: 4,
  touched: [],
  usage: noTokens,
  ...facts,
});

export const dreamSnapshot = (facts: Partial<DreamSnapshot> = {}): DreamSnapshot => ({
  key: 'p',
  name: 'harbor',
  task: { status: 'idle', gates: [] },
  gates: notDue,
  proposal: undefined,
  conflicts: new Set(),
  history: [history(dreamRecord('applied', { run: 'r1' }))],
  undoable: new Set(['r1']),
  ...facts,
});
