// What came of each dream, for a person who asks whether anything happens at all: "ran, nothing to change" is an answer, too.
// One small file; the newest fifty. It also knows how long a failed dream waits before it is tried again by itself.

import { join } from 'node:path';
import type { ModelErrorCode, Usage } from '../agent/languageModel';
import type { Disk } from '../disk';
import { readJson, writeJson } from '../files';
import type { DreamPhase } from './dreamEngine';
import type { DreamTrigger } from './gates';

export interface DreamRecord {
  /** The proposal's id, where there was one. */
  readonly id: string;
  /** Milliseconds: when it began. */
  readonly at: number;
  readonly trigger: DreamTrigger;
  readonly engine: string;
  readonly outcome:
    | 'proposed'
    | 'applied'
    | 'unchanged'
    | 'failed'
    | 'cancelled'
    | 'discarded'
    | 'replaced'
    /** It waited for a fortnight. */
    | 'set_aside';
  /** Memories it would change or has changed; the index not counted. */
  readonly changes: number;
  readonly sessions: number;
  readonly usage: Usage;
  /** What *Undo* takes. */
  readonly run?: string;
  /** Why it failed, or where it was cancelled. */
  readonly reason?: string;
  /** What kind of failure, where a model failed. */
  readonly failure?: ModelErrorCode;
  readonly phase?: DreamPhase;
  /** Changes that a person left out or discarded, as they count; they can be looked at again. */
  readonly leftOut?: number;
}

export interface DreamHistory {
  /** Newest first. */
  all(): Promise<readonly DreamRecord[]>;
  add(record: DreamRecord): Promise<void>;
  update(id: string, changes: Partial<Pick<DreamRecord, 'outcome' | 'run' | 'changes' | 'leftOut'>>): Promise<void>;
  /** Milliseconds: before that no dream is tried again by itself. `undefined` when the last one did not fail. */
  retryAt(): Promise<number | undefined>;
}

const kept = 50;
const hourMs = 3_600_000;
const pausesMs = [hourMs / 2, 2 * hourMs, 8 * hourMs, 24 * hourMs];

export function openDreamHistory(options: { readonly folder: string; readonly disk: Disk }): DreamHistory {
  const { disk } = options;
  const path = join(options.folder, 'history.json');

  async function all(): Promise<DreamRecord[]> {
    const stored = await readJson<unknown>(disk, path);
    return Array.isArray(stored)
      ? stored.filter((record) => typeof record?.at === 'number' && typeof record.outcome === 'string')
      : [];
  }

  return {
    all,
    add: async (record) => writeJson(disk, path, [record, ...(await all())].slice(0, kept)),
    async update(id, changes) {
      const records = await all();
      if (records.some((record) => record.id === id))
        await writeJson(
          disk,
          path,
          records.map((record) => (record.id === id ? { ...record, ...changes } : record)),
        );
    },
    async retryAt() {
      const records = await all();
      const ended = records.filter(({ outcome }) => outcome !== 'cancelled');
      const failures = ended.findIndex(({ outcome }) => outcome !== 'failed');
      const inARow = failures === -1 ? ended.length : failures;
      const [last] = ended;
      const pause = pausesMs[Math.min(inARow, pausesMs.length) - 1];
      return last && pause !== undefined ? last.at + pause : undefined;
    },
  };
}
