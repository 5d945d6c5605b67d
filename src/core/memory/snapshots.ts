// The only place that changes memories. A run is applied all or nothing: its record, with every file's text before and
// after, is on disk before the first change, so a crash is rolled back at the next start and a person can undo it byte
// for byte. A file that is neither our *before* nor our *after* is somebody else's: it is a conflict and stays.
// Not the place that decides what to change, and no lock for Claude Code: that one does not know of us.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from '../disk';
import { type Folder, readJson, removeLeftovers, writeJson } from '../files';
import type { Guard, Hold, ProcessTable } from '../guard';
import type { Logger } from '../log';
import { MemoryError } from '../memoryError';
import { refuseChange } from './applyGate';
import { type Changeset, type FileChange, invert, inWritingOrder, withoutConflicts } from './changeset';
import { conflictLineOf } from './conflictMarks';
import { withoutLinesOf } from './indexParts';
import { diffIndex, type IndexEdits, mergeIndexAt, parseIndex } from './memoryIndex';
import { indexPathOf, indexTargetOf, isIndexPath } from './memoryPaths';

export type RunKind =
  | 'extraction'
  | 'remember'
  | 'forget'
  | 'restore'
  | 'accept'
  | 'edit'
  | 'move'
  | 'mend'
  | 'dream'
  | 'undo';

/** What a run is for; stored beside its changes. */
export interface RunPurpose {
  readonly kind: RunKind;
  /** The transcript the changes came from. */
  readonly session?: { readonly id: string; readonly file: string; readonly title?: string };
  /** Why each file changes, for the trash and the review. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** With `undo`: the run that is taken back. */
  readonly undoes?: string;
  /** With `move`: where each memory went. */
  readonly moves?: Readonly<Record<string, string>>;
}

export interface Run extends RunPurpose {
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly changes: Changeset;
}

export interface RunSummary extends Run {
  readonly undone: boolean;
}

export interface TrashEntry {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly mtimeMs?: number;
  readonly deletedAt: number;
  readonly reason?: string;
  /** The index line that pointed to it. */
  readonly line?: { readonly title: string; readonly hook: string };
}

export interface ApplyResult {
  /** `undefined` when nothing was to be done or a file stood in the way. */
  readonly run: Run | undefined;
  readonly applied: readonly string[];
  /** Files that are no longer what the author of the changes saw. When there is one, nothing was applied. */
  readonly conflicts: readonly string[];
}

export interface UndoResult {
  readonly run: Run | undefined;
  readonly restored: readonly string[];
  readonly conflicts: readonly string[];
  /** Instead of files: so many lines of a daily log, which is only added to, were said to be taken back in this one. */
  readonly retracted?: { readonly path: string; readonly lines: number };
}

/** What snapshots need of the memories. */
export interface MemoryFiles {
  locate(path: string): Promise<{ readonly folder: Folder; readonly relative: string }>;
  /** Tells the store that these files were changed by us. */
  changed(paths: readonly string[]): void;
}

export interface Snapshots {
  /** Applies a changeset under the guard. Errors of the disk are thrown after everything was put back. */
  apply(changes: Changeset, purpose: RunPurpose, hold?: Hold): Promise<ApplyResult>;
  /** Takes back a run, by default the newest that can be. Files edited since are left alone and named. */
  undo(runId?: string): Promise<UndoResult>;
  /** Rolls back what a crash left half-done, once at the start. Leaves it alone while another process is at work. */
  recover(): Promise<void>;
  /** The last twenty runs, newest first. */
  runs(): Promise<readonly RunSummary[]>;
  /** Deleted memories whose path is free, newest first. */
  trash(): Promise<readonly TrashEntry[]>;
  /** Brings a memory back from the trash, its index line too. Throws `not_found` or `exists`. */
  restore(path: string): Promise<Run>;
  /** Puts back index lines that another writer's rename lost within the last minute. */
  keepIndexLines(): Promise<void>;
}

/** Runs that can be undone. */
const keptRuns = 20;
const trashDays = 90;
/** Claude Code replaces the index as a whole; a line it did not know of is lost within one of its turns. */
const keepLinesMs = 60_000;

export function openSnapshots(options: {
  readonly folder: string;
  readonly files: MemoryFiles;
  readonly disk: Disk;
  readonly guard: Guard;
  readonly processes: ProcessTable;
  /** Whether team memory is switched on; without it, it is. What may stand in it is asked either way. */
  readonly team?: () => boolean;
  readonly now: () => number;
  readonly log: Logger;
}): Snapshots {
  const { folder, files, disk, guard, processes, team = () => true, now, log } = options;
  const runsFolder = join(folder, 'runs');
  const trashFolder = join(folder, 'trash');
  let recentLines: { readonly at: number; readonly index: string; readonly edits: IndexEdits }[] = [];

  const recordOf = (id: string, applying: boolean) => join(runsFolder, `${id}${applying ? '.applying' : ''}.json`);

  async function current(path: string) {
    const { folder: root, relative } = await files.locate(path);
    return root.read(relative);
  }

  async function put(change: FileChange, text: string | null, tag: string, mtimeMs?: number): Promise<void> {
    const { folder: root, relative } = await files.locate(change.path);
    if (text === null) return root.remove(relative);
    await root.write(relative, text, mtimeMs === undefined ? { tag } : { tag, mtimeMs });
  }

  /**
   * What an index shall be, given what stands there now: the change's lines are merged, other writers' lines stay. One with
   * marks of a merge stays as it is, whatever the change: a person has to choose first.
   */
  function mergedIndex(change: FileChange, text: string | null): string | null {
    if (text !== null && conflictLineOf(text) !== undefined) return text;
    if (text === change.before) return change.after;
    if (text === change.after) return change.after;
    const edits = diffIndex(change.before ?? undefined, change.after ?? undefined);
    return mergeIndexAt(change.path, text ?? undefined, edits) || null;
  }

  async function conflictsOf(changes: Changeset): Promise<string[]> {
    const conflicts: string[] = [];
    for (const change of changes) {
      if (isIndexPath(change.path)) continue;
      const text = (await current(change.path))?.text ?? null;
      if (text !== change.before) conflicts.push(change.path);
    }
    return conflicts;
  }

  /** Sorts behind every run before it, whatever the clock says meanwhile. */
  async function nextId(): Promise<string> {
    const names = ((await disk.list(runsFolder)) ?? []).map((entry) => entry.name).filter((name) => /^\d/.test(name));
    const last = names.sort().at(-1)?.slice(0, stampLength) ?? '';
    const stamp = stampOf(now());
    return `${stamp > last ? stamp : stampOf(timeOfStamp(last) + 1)}-${randomBytes(4).toString('hex')}`;
  }

  async function applyHeld(changes: Changeset, purpose: RunPurpose, hold: Hold): Promise<ApplyResult> {
    await recoverHeld();
    const wanted = changes.filter((change) => change.before !== change.after);
    if (wanted.length === 0) return { run: undefined, applied: [], conflicts: [] };
    const conflicts = await conflictsOf(wanted);
    if (conflicts.length > 0) return { run: undefined, applied: [], conflicts };
    for (const change of wanted) if (!isIndexPath(change.path)) await refuseChange(change, team());

    const ordered: FileChange[] = [];
    for (const change of inWritingOrder(wanted)) {
      if (!isIndexPath(change.path)) {
        ordered.push(change);
        continue;
      }
      const now = await current(change.path);
      const before = now?.text ?? null;
      const after = mergedIndex(change, before);
      if (before === after) continue;
      await refuseChange({ ...change, before, after }, team());
      // An index that is exactly what it was before gets its old time back; a merged one is new.
      const { afterMtimeMs, ...rest } = change;
      const exact = before === change.before && afterMtimeMs !== undefined;
      ordered.push({ ...rest, before, after, ...(exact ? { afterMtimeMs } : {}), ...mtimeOf(now) });
    }
    const run: Run = { ...purpose, id: await nextId(), at: now(), changes: ordered };
    await writeJson(disk, recordOf(run.id, true), run);
    try {
      await trashDeleted(run);
      if (!(await hold.isHeld())) throw new MemoryError('busy', 'Another process took over. Nothing was changed.');
      for (const change of ordered) {
        if (isIndexPath(change.path)) await putIndex(change, run.id);
        else await put(change, change.after, run.id, change.afterMtimeMs);
      }
      await disk.rename(recordOf(run.id, true), recordOf(run.id, false));
    } catch (error) {
      await rollBack(run);
      throw error;
    }
    rememberLines(run);
    await prune();
    files.changed(ordered.map((change) => change.path));
    return { run, applied: ordered.map((change) => change.path), conflicts: [] };
  }

  /** The index is read again right before its rename, because Claude Code may have written it meanwhile. */
  async function putIndex(change: FileChange, tag: string): Promise<void> {
    const text = (await current(change.path))?.text ?? null;
    const merged = mergedIndex(change, text);
    if (merged !== text) await put(change, merged, tag, text === change.before ? change.afterMtimeMs : undefined);
  }

  async function trashDeleted(run: Run): Promise<void> {
    // What was moved is not gone.
    if (run.kind === 'undo' || run.kind === 'move') return;
    for (const change of run.changes) {
      if (change.after !== null || change.before === null || isIndexPath(change.path)) continue;
      const index = run.changes.find((other) => other.path === indexPathOf(change.path));
      const target = indexTargetOf(change.path);
      const lines = index ? diffIndex(index.after ?? undefined, index.before ?? undefined).set : undefined;
      const line = lines?.find((entry) => entry.target === target);
      const reason = run.reasons?.[change.path];
      const entry: TrashEntry = {
        id: `${run.id}-${run.changes.indexOf(change)}`,
        path: change.path,
        text: change.before,
        deletedAt: run.at,
        ...(change.beforeMtimeMs === undefined ? {} : { mtimeMs: change.beforeMtimeMs }),
        ...(reason === undefined ? {} : { reason }),
        ...(line ? { line: { title: line.title, hook: line.hook } } : {}),
      };
      await writeJson(disk, join(trashFolder, `${entry.id}.json`), entry);
    }
  }

  /** Puts back what a run had begun. What is neither its before nor its after is left, and said in the log. */
  async function rollBack(run: Run): Promise<void> {
    for (const change of run.changes) {
      const { folder: root, relative } = await files.locate(change.path);
      await disk.remove(await root.temporaryFor(relative, run.id));
    }
    for (const change of [...run.changes].reverse()) {
      const text = (await current(change.path))?.text ?? null;
      if (text === change.before) continue;
      const [back] = invert([change]) as [FileChange];
      if (isIndexPath(change.path)) {
        const index = mergedIndex(back, text);
        if (index !== text) await put(back, index, run.id, change.beforeMtimeMs);
      } else if (text === change.after) await put(back, change.before, run.id, change.beforeMtimeMs);
      else log.warn(`Recovery leaves ${change.path} alone: it was edited since.`);
    }
    await disk.remove(recordOf(run.id, true));
    files.changed(run.changes.map((change) => change.path));
  }

  async function recoverHeld(): Promise<void> {
    for (const entry of (await disk.list(runsFolder)) ?? []) {
      if (!entry.name.endsWith('.applying.json')) continue;
      const run = await readJson<Run>(disk, join(runsFolder, entry.name));
      // A record that can't be read was cut while it was written: nothing of its run had begun.
      if (run) await rollBack(run);
      else await disk.remove(join(runsFolder, entry.name));
      log.info(`Rolled back the unfinished run ${entry.name}.`);
    }
    for (const place of (await disk.list(folder)) ?? []) {
      if (place.kind !== 'folder') continue;
      await removeLeftovers(
        disk,
        join(folder, place.name),
        async (pid) => (await processes.startedAt(pid)) !== undefined,
      );
    }
  }

  async function hasLeftovers(): Promise<boolean> {
    for (const place of (await disk.list(folder)) ?? []) {
      if (place.kind !== 'folder') continue;
      const entries = (await disk.list(join(folder, place.name))) ?? [];
      if (entries.some(({ name }) => name.endsWith('.applying.json') || name.endsWith('.tmp'))) return true;
    }
    return false;
  }

  async function recordedRuns(): Promise<Run[]> {
    const names = ((await disk.list(runsFolder)) ?? [])
      .map((entry) => entry.name)
      .filter((name) => name.endsWith('.json') && !name.endsWith('.applying.json') && !name.startsWith('.'))
      .sort()
      .reverse();
    const runs = await Promise.all(names.map((name) => readJson<Run>(disk, join(runsFolder, name))));
    return runs.filter((run) => run !== undefined);
  }

  async function prune(): Promise<void> {
    const names = ((await disk.list(runsFolder)) ?? [])
      .map((entry) => entry.name)
      .filter((name) => name.endsWith('.json'));
    // An undone run and its undo are two records; twice the number keeps twenty that can be undone.
    for (const name of names.sort().slice(0, -2 * keptRuns)) await disk.remove(join(runsFolder, name));
    const oldest = stampOf(now() - trashDays * 86_400_000);
    for (const entry of (await disk.list(trashFolder)) ?? []) {
      if (entry.name < oldest && entry.name.endsWith('.json')) await disk.remove(join(trashFolder, entry.name));
    }
  }

  function rememberLines(run: Run): void {
    recentLines = recentLines.filter((lines) => now() - lines.at < keepLinesMs);
    for (const change of run.changes) {
      if (!isIndexPath(change.path)) continue;
      const edits = diffIndex(change.before ?? undefined, change.after ?? undefined);
      // A line that a later run of ours removes must not come back, and one that it sets anew counts as it is now: two
      // wordings of one line would be put back by turns without end.
      const removed = new Set([...edits.remove, ...edits.set.map((line) => line.target)]);
      recentLines = recentLines.map((lines) =>
        lines.index === change.path
          ? { ...lines, edits: { set: lines.edits.set.filter((line) => !removed.has(line.target)), remove: [] } }
          : lines,
      );
      recentLines.push({ at: now(), index: change.path, edits: { set: edits.set, remove: [] } });
    }
  }

  async function runs(): Promise<RunSummary[]> {
    const all = await recordedRuns();
    const undone = new Set(all.map((run) => run.undoes));
    return all.filter((run) => run.kind !== 'undo').map((run) => ({ ...run, undone: undone.has(run.id) }));
  }

  async function trash(): Promise<TrashEntry[]> {
    const names = ((await disk.list(trashFolder)) ?? [])
      .map((entry) => entry.name)
      .filter((name) => /^[^.].*\.json$/.test(name));
    const entries: TrashEntry[] = [];
    const seen = new Set<string>();
    for (const name of names.sort().reverse()) {
      const entry = await readJson<TrashEntry>(disk, join(trashFolder, name));
      if (!entry || seen.has(entry.path)) continue;
      seen.add(entry.path);
      if (!(await current(entry.path).catch(() => undefined))) entries.push(entry);
    }
    return entries;
  }

  const apply: Snapshots['apply'] = (changes, purpose, hold) =>
    hold ? applyHeld(changes, purpose, hold) : guard.run(purpose.kind, (own) => applyHeld(changes, purpose, own));

  return {
    apply,

    undo: (runId) =>
      guard.run('undo', async (hold) => {
        await recoverHeld();
        const known = await runs();
        const run = known.find((candidate) =>
          runId ? candidate.id === runId : !candidate.undone && candidate.kind !== 'mend',
        );
        if (!run)
          throw new MemoryError('not_found', runId ? `There is no run “${runId}”.` : 'There is nothing to undo.');
        if (run.undone) throw new MemoryError('usage', 'This run is undone already.');
        const inverse = invert(run.changes);
        const conflicts = await conflictsOf(inverse);
        const possible = withoutConflicts(inverse, conflicts, run.moves);
        // The line of a file that stays must stay too.
        const result = await applyHeld(withoutLinesOf(possible, conflicts), { kind: 'undo', undoes: run.id }, hold);
        return { run: result.run, restored: result.applied, conflicts: [...conflicts, ...result.conflicts] };
      }),

    async recover() {
      if (!(await hasLeftovers())) return;
      const hold = await guard.tryAcquire('recover');
      if (!hold) return;
      try {
        await recoverHeld();
      } finally {
        await hold.release();
      }
    },

    runs: async () => (await runs()).slice(0, keptRuns),

    trash,

    async restore(path) {
      const entry = (await trash()).find((candidate) => candidate.path === path);
      if (!entry) {
        if (await current(path)) throw new MemoryError('exists', `“${path}” is not in the trash: it exists.`, path);
        throw new MemoryError('not_found', `“${path}” is not in the trash.`, path);
      }
      const index = indexPathOf(path);
      const indexText = (await current(index))?.text;
      const line = entry.line && { target: indexTargetOf(path), ...entry.line };
      const changes: FileChange[] = [
        {
          path,
          before: null,
          after: entry.text,
          ...(entry.mtimeMs === undefined ? {} : { afterMtimeMs: entry.mtimeMs }),
        },
      ];
      if (line)
        changes.push({
          path: index,
          before: indexText ?? null,
          after: mergeIndexAt(index, indexText, { set: [line] }),
        });
      const { run, conflicts } = await apply(changes, { kind: 'restore' });
      if (!run) throw new MemoryError('changed', `“${conflicts[0] ?? path}” changed meanwhile. Try again.`, path);
      return run;
    },

    async keepIndexLines() {
      recentLines = recentLines.filter((lines) => now() - lines.at < keepLinesMs);
      for (const { index, edits } of recentLines) {
        const text = (await current(index))?.text;
        if (conflictLineOf(text ?? '') !== undefined) continue;
        const lost: IndexEdits['set'][number][] = [];
        // A line in other words is another writer's, and not lost: two writers would reword it by turns.
        const present = new Set(parseIndex(text ?? '').entries.map((line) => line.target));
        for (const line of edits.set) {
          if (present.has(line.target)) continue;
          const path = index === 'MEMORY.md' ? line.target : `team/${line.target}`;
          if (await current(path).catch(() => undefined)) lost.push(line);
        }
        if (lost.length === 0) continue;
        log.info(`Put back ${lost.length} lines of ${index} that another writer lost.`);
        await apply([{ path: index, before: text ?? null, after: mergeIndexAt(index, text, { set: lost }) }], {
          kind: 'mend',
        });
      }
    },
  };
}

const mtimeOf = (file: { stat: { mtimeMs: number } } | undefined) => (file ? { beforeMtimeMs: file.stat.mtimeMs } : {});

/** A time in ms as the beginning of a file's name. */
const stampOf = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, '-');
const timeOfStamp = (stamp: string): number =>
  Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/, 'T$1:$2:$3.$4'));
const stampLength = stampOf(0).length;
