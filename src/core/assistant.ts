// Assistant mode of one project, joined from its parts: the daily logs, how far they are distilled, when the nightly dream is due.
// The parts are there whether the mode is on or off, because what it has logged is shown, taken back and distilled after
// it was switched off, too. Opening reads and changes nothing.

import { join } from 'node:path';
import type { Disk } from './disk';
import type { EngineSettings } from './engineSettings';
import { openGuard, type ProcessTable } from './guard';
import type { Logger } from './log';
import { batchPrefix, type DailyLogs, openDailyLogs } from './logs/dailyLogs';
import { type Distilled, openDistilled } from './logs/distilled';
import { createZone, type Zone } from './logs/zone';
import type { Snapshots, UndoResult } from './memory/snapshots';
import { MemoryError } from './memoryError';
import type { ProjectLogs } from './project';

export interface Assistant {
  readonly logs: DailyLogs;
  readonly distilled: Distilled;
  readonly zone: Zone;
  /** Of our own state. */
  readonly folder: string;
  readonly isOn: () => boolean;
  readonly dreamHour: () => number;
}

export function openAssistant(options: {
  readonly memoryDir: string;
  readonly stateDir: string;
  readonly settings: () => EngineSettings;
  /** A time zone by its name; the machine's without. */
  readonly zone: string | undefined;
  readonly disk: Disk;
  readonly processes: ProcessTable;
  readonly now: () => number;
  readonly log: Logger;
}): Assistant {
  const { settings, disk, now } = options;
  const folder = join(options.stateDir, 'logs');
  const zone = createZone(options.zone);
  const guard = openGuard({ folder: join(folder, 'guard'), disk, processes: options.processes });
  const logs = openDailyLogs({ memoryDir: options.memoryDir, folder, disk, guard, zone, now, log: options.log });
  return {
    logs,
    distilled: openDistilled({ logs, folder, disk, zone, now }),
    zone,
    folder,
    isOn: () => settings().assistantMode.enabled,
    dreamHour: () => settings().assistantMode.dreamHour,
  };
}

/** Days whose lines are read at once. */
const readDays = 14;

export async function logDays({ logs, isOn }: Assistant): Promise<ProjectLogs> {
  const files = [...(await logs.days())].reverse();
  const days = await Promise.all(
    files.map(async ({ path, day }, at) => ({
      path,
      day,
      lines: at < readDays ? await logs.lines(path).catch(() => undefined) : undefined,
    })),
  );
  return { isOn: isOn(), days };
}

/** Takes back a run of memories, or what was added to the logs; without an id, whichever was last. */
export function createUndo(snapshots: Snapshots, logs: DailyLogs): (runId?: string) => Promise<UndoResult> {
  async function retract(id: string): Promise<UndoResult> {
    const { path, lines } = await logs.retract(id);
    return { run: undefined, restored: [], conflicts: [], retracted: { path, lines } };
  }

  return async (runId) => {
    if (runId?.startsWith(batchPrefix)) return retract(runId);
    if (runId !== undefined) return snapshots.undo(runId);
    const last = (await snapshots.runs()).find((run) => !run.undone && run.kind !== 'mend');
    const batch = (await logs.batches()).find(({ retracted }) => !retracted);
    if (batch && batch.at > (last?.at ?? 0)) return retract(batch.id);
    return snapshots.undo();
  };
}

/** Where a line of a log stands now: the file and the line, counted from 1. `ref`: `logs/…#3f9a2c1b0d4e`. */
export async function findLogLine(
  logs: DailyLogs,
  ref: string,
): Promise<{ readonly path: string; readonly line: number } | undefined> {
  const [path = '', mark = ''] = ref.split('#');
  const lines = await logs.lines(path).catch((error) => {
    if (error instanceof MemoryError) return [];
    throw error;
  });
  if (lines.length === 0) return undefined;
  const number = /^L(\d+)$/.exec(mark)?.[1];
  const found = lines.find((line) =>
    number ? line.line === Number(number) : line.id === mark && line.kind !== 'undo',
  );
  return { path, line: found?.line ?? 1 };
}
