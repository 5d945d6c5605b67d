// What a dream is doing now, as one value that a status bar can show, with an event for each change of it.

import { noUsage, type Usage } from '../agent/languageModel';
import { createEmitter, type Event } from '../event';
import { type DreamPhase, type DreamProgress, dreamPhases } from './dreamEngine';
import type { GateResult } from './gates';
import type { Proposal } from './proposal';

export type DreamTask =
  | { readonly status: 'idle'; readonly gates: readonly GateResult[] }
  | {
      readonly status: 'running';
      /** Milliseconds. */
      readonly startedAt: number;
      readonly phase: DreamPhase;
      /** How many chat sessions it looks back on. */
      readonly sessions: number;
      readonly touched: readonly string[];
      readonly usage: Usage;
    }
  | { readonly status: 'review'; readonly proposal: Proposal }
  | { readonly status: 'applied'; readonly run: string }
  | { readonly status: 'failed'; readonly error: Error };

export interface DreamTasks {
  current(): DreamTask;
  /** A dream begins; what it returns takes its progress. Phases only go forward. */
  registerDreamTask(
    startedAt: number,
    sessions: number,
  ): DreamProgress & { readonly phases: () => readonly DreamPhase[] };
  /** It has ended, as this. */
  completeDreamTask(task: Exclude<DreamTask, { readonly status: 'running' }>): void;
  readonly onDidChange: Event<DreamTask>;
}

export function createDreamTasks(): DreamTasks {
  const changed = createEmitter<DreamTask>();
  let task: DreamTask = { status: 'idle', gates: [] };
  function set(next: DreamTask): void {
    task = next;
    changed.fire(next);
  }
  return {
    current: () => task,
    registerDreamTask(startedAt, sessions) {
      const phases: DreamPhase[] = [];
      set({ status: 'running', startedAt, phase: 'orient', sessions, touched: [], usage: noUsage });
      // A dream that was cancelled may still speak: it is no longer heard.
      const update = (change: Partial<Extract<DreamTask, { status: 'running' }>>) => {
        if (task.status === 'running' && task.startedAt === startedAt) set({ ...task, ...change });
      };
      return {
        phases: () => phases,
        phase(phase) {
          if (dreamPhases.indexOf(phase) <= dreamPhases.indexOf(phases.at(-1) ?? phase) && phases.length > 0) return;
          phases.push(phase);
          update({ phase });
        },
        touched(path) {
          if (task.status === 'running' && !task.touched.includes(path)) update({ touched: [...task.touched, path] });
        },
        usage: (usage) => update({ usage }),
      };
    },
    completeDreamTask: set,
    onDidChange: changed.event,
  };
}
