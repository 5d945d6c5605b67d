// Runs the engine of a dream over an overlay, within its time, and hands out only what passed the checks: invariants, what a
// person turned down before, how much would be lost. Nothing is written. An engine that fails or does not end rejects.

import { createOverlay, type ReadThrough } from '../memory/changeset';
import type { MemoryHeader } from '../memory/memory';
import { MemoryError } from '../memoryError';
import type { DreamEngine, DreamProgress, DreamResult, ProposedChange } from './dreamEngine';
import { type DreamSettings, type DreamTrigger, type GateCheck, isByHand } from './gates';
import type { DreamOptions, Found } from './outcome';
import { keyOf, selectChanges } from './proposal';

/** A dream that takes longer has gone astray (decision 16). */
const dreamLimitMs = 600_000;

export interface DreamSources {
  readonly settings: () => DreamSettings;
  readonly heads: () => Promise<readonly MemoryHeader[]>;
  readonly readThrough: ReadThrough;
  readonly exists: (path: string) => Promise<boolean>;
  readonly limitMs?: number;
}

/** The engine's changes, checked; within the time limit. */
export type CheckedDream = (
  engine: DreamEngine,
  trigger: DreamTrigger,
  asked: DreamOptions,
  check: GateCheck,
  startedAt: number,
  outer: AbortSignal,
  progress: DreamProgress,
) => Promise<Found>;

/** `declined`: keys of what a person turned down or took back. */
export function createCheckedDream(
  options: DreamSources & { readonly declined: () => Promise<ReadonlySet<string>> },
): CheckedDream {
  const { settings } = options;

  return async (engine, trigger, asked, check, startedAt, outer, progress) => {
    const heads = await options.heads();
    const overlay = createOverlay(options.readThrough);
    const texts = new Map<string, Promise<string | undefined>>();
    /** As it lies on the disk; each file once. */
    const read = (path: string) => {
      const known = texts.get(path) ?? options.readThrough(path).then((file) => file?.text);
      texts.set(path, known);
      return known;
    };
    const limit = new AbortController();
    const signal = AbortSignal.any([outer, limit.signal]);
    const timer = setTimeout(
      () => limit.abort(new MemoryError('busy', 'it took longer than ten minutes')),
      options.limitMs ?? dreamLimitMs,
    );
    let result: DreamResult;
    try {
      const context = {
        heads,
        overlay,
        sessions: check.sessions,
        now: startedAt,
        byHand: isByHand(trigger),
        isSeen: isByHand(trigger) || settings().mode !== 'automatic',
        exists: options.exists,
      };
      // An engine that does not listen is left behind: whatever it still writes goes into an overlay nobody reads.
      result = await Promise.race([engine(context, signal, progress), aborted(signal)]);
    } finally {
      clearTimeout(timer);
    }
    const { checkInvariants, measureLoss } = await import('../tidyEngine');
    const checks = { heads, read, now: startedAt, exists: options.exists };
    const { changes, refused } = await checkInvariants(overlay.changes(), result, checks);
    const declined = asked.force ? new Set<string>() : await options.declined();
    const wanted = withoutDeclined(changes, declined);
    const loss = await measureLoss({
      heads,
      read,
      changes: wanted,
      limitPercent: settings().maxLossPercent,
      now: startedAt,
    });
    return {
      changes: wanted,
      contradictions: result.contradictions.filter((one) => !declined.has(one.id)),
      recallOnly: result.recallOnly,
      remarks: [...refused, ...result.remarks],
      loss,
      usage: result.usage,
      ...(result.logs ? { logs: result.logs } : {}),
    };
  };
}

/** What a person turned down is not proposed again by itself. */
function withoutDeclined(changes: readonly ProposedChange[], declined: ReadonlySet<string>): readonly ProposedChange[] {
  const paths = changes.filter((change) => !declined.has(keyOf(change))).map(({ path }) => path);
  if (paths.length === changes.length) return changes;
  const left = new Map(selectChanges({ changes }, { paths }).changes.map((change) => [change.path, change]));
  return changes.flatMap((change) => {
    const part = left.get(change.path);
    return part ? [{ ...change, ...part }] : [];
  });
}

/** Rejects when the signal aborts; never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
