// The team's folder of one project as a whole: what lies in it, what of it is refused and by which rule, and its index in agreement
// with its files. It reads the memories as everyone does; the index is changed through `snapshots.ts`, never while git is at work
// in the repository, and never while it holds the marks of a merge.

import { join } from 'node:path';
import type { Disk } from './disk';
import type { Disposable } from './event';
import { findCheckout, gitDirOf } from './gitRoot';
import type { Logger } from './log';
import { conflictLineOf } from './memory/conflictMarks';
import { isHeldBack, type MemoryHeader, type MemoryProblem } from './memory/memory';
import { type IndexBudget, indexBudget } from './memory/memoryIndex';
import { indexPaths, indexTargetOf, scopeOf } from './memory/memoryPaths';
import { type MemoryStore, openMemoryStore } from './memory/memoryStore';
import { type FoundSecret, findPlainSecrets, findSecrets } from './memory/secrets';
import type { Snapshots } from './memory/snapshots';
import { agreedIndex, teamGitAttributes, teamIndexStart } from './memory/teamIndex';
import { openUsableMemories } from './memory/usableMemories';
import { MemoryError } from './memoryError';
import { locateTeamDir, type PathWarning, type ProjectPaths } from './paths';
import type { Clock } from './sessions/transcript';
import { keepTeamSwitch, type TeamSwitch } from './teamSwitch';

export interface RefusedEntry {
  /** A memory path: `team/…`. A stranger's text. */
  readonly path: string;
  /** `secret`, `merge_conflict`, or the rule that its name, its link or its bytes break. */
  readonly rule: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The rule that found the secret. */
  readonly secret?: string;
}

export interface TeamFolderState {
  readonly enabled: boolean;
  /** Absolute; need not exist. */
  readonly teamDir: string;
  /** Memories that can be used. */
  readonly memories: number;
  /** What is kept out of recall and models, the index among it. */
  readonly refused: readonly RefusedEntry[];
  readonly index: IndexBudget & { readonly exists: boolean };
}

/** After the last change that a pull or a person made: what comes in one go is looked at in one go. */
const quietMs = 1_000;

export interface TeamFolder extends Disposable {
  /** Looks also while team memory is off. */
  state(): Promise<TeamFolderState>;
  /** Keeps the switch for this checkout and makes the folder. Throws `usage` for a folder that can't be the team's. */
  switchTo(next: TeamSwitch): Promise<void>;
  /** Brings the index to agreement with the files, while team memory is on and at work. Never rejects. */
  settle(): Promise<void>;
  /** Memories changed; `undefined`: it is not known which. The index is settled when that was all. */
  changed(paths: readonly string[] | undefined): void;
}

export function openTeamFolder(options: {
  readonly paths: Pick<ProjectPaths, 'top' | 'memoryDir' | 'teamDir' | 'stateDir'>;
  readonly isOn: () => boolean;
  readonly store: MemoryStore;
  /** The store with the team's folder mounted, wherever it lies. */
  readonly openMounted: () => MemoryStore;
  readonly snapshots: Snapshots;
  readonly isAtRest: () => Promise<boolean>;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
}): TeamFolder {
  const { paths, isOn, store, disk, log } = options;
  const teamDir = paths.teamDir ?? join(paths.memoryDir, 'team');
  let timer: Disposable | undefined;
  let isOver = false;

  async function settle(): Promise<void> {
    try {
      if (!isOn() || (await options.isAtRest())) return;
      const isChanged = await settleTeamIndex(options, teamDir);
      if (isChanged) log.info('The team’s index was brought to agreement with its files.');
    } catch (error) {
      log.warn(`The team’s index: ${error}`);
    }
  }

  return {
    async state() {
      const mounted = isOn() ? store : options.openMounted();
      try {
        return await teamFolderState(mounted, { enabled: isOn(), teamDir });
      } finally {
        if (mounted !== store) mounted.dispose();
      }
    },
    async switchTo(next) {
      if (next.enabled) {
        const warnings: PathWarning[] = [];
        const located = await locateTeamDir(next.directory, paths, disk, warnings);
        if (warnings[0]) throw new MemoryError('usage', warnings[0].message, next.directory);
        await prepareTeamFolder(located ?? join(paths.memoryDir, 'team'), disk);
      }
      await keepTeamSwitch(disk, paths.stateDir, paths.top, next);
    },
    settle,
    changed(changed) {
      if (isOver || changed?.every((path) => scopeOf(path) === 'private')) return;
      timer?.dispose();
      timer = options.clock.setTimer(quietMs, () => void settle());
    },
    dispose() {
      isOver = true;
      timer?.dispose();
    },
  };
}

/** What is wrong with a team memory's whole text. */
const auditBy =
  (find: (text: string) => readonly FoundSecret[] | Promise<readonly FoundSecret[]>) =>
  async (path: string, text: string): Promise<MemoryProblem | undefined> =>
    markedBy(text) ?? leaking(await find(text)) ?? named(path);
const auditTeam = auditBy(findSecrets);
const auditQuickly = auditBy(findPlainSecrets);

function named(path: string): MemoryProblem | undefined {
  const [secret] = findPlainSecrets(path.slice('team/'.length).replace(/\.md$/i, ''));
  return secret && { kind: 'secret', detail: secret.rule };
}

function markedBy(text: string): MemoryProblem | undefined {
  const line = conflictLineOf(text);
  return line === undefined ? undefined : { kind: 'merge_conflict', line };
}

const leaking = ([secret]: readonly FoundSecret[]): MemoryProblem | undefined =>
  secret && { kind: 'secret', line: secret.line, detail: secret.rule };

/**
 * The memories of a project, with the team's while that is on. While it is off, what a memory folder of Claude Code's holds of it
 * is still listed for a person; a folder elsewhere is not opened.
 */
export function openMemories(options: {
  readonly paths: Pick<ProjectPaths, 'memoryDir' | 'teamDir'>;
  readonly isTeamOn: () => boolean;
  /** Where somebody waits for the whole process: our own rules for secrets alone. */
  readonly isHurried?: boolean;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}) {
  const { paths, isTeamOn, isHurried = false, ...rest } = options;
  const audit = isHurried ? auditQuickly : auditTeam;
  const { memoryDir, teamDir } = paths;
  const open = (isMounted: boolean): MemoryStore =>
    openMemoryStore({
      roots: { private: memoryDir, ...(isMounted && teamDir !== undefined ? { team: teamDir } : {}) },
      ...(isMounted ? { auditTeam: audit } : {}),
      ...rest,
    });
  const store = open(isTeamOn());
  return { store, usable: openUsableMemories(store, isTeamOn, audit), openMounted: () => open(true) };
}

async function teamFolderState(
  store: MemoryStore,
  { enabled, teamDir }: Pick<TeamFolderState, 'enabled' | 'teamDir'>,
): Promise<TeamFolderState> {
  const heads = (await store.heads()).filter(({ scope }) => scope === 'team');
  const read = await store.index('team').catch((error: unknown) => error);
  const text = typeof read === 'string' ? read : undefined;
  const fault = text === undefined ? unreadable(read) : await auditTeam(indexPaths.team, text);
  const refused = [
    ...heads.flatMap(({ path, problem }) => (problem && isHeldBack({ problem }) ? [refusedEntry(path, problem)] : [])),
    ...(fault ? [refusedEntry(indexPaths.team, fault)] : []),
  ];
  return {
    enabled,
    teamDir,
    memories: heads.filter((head) => !isHeldBack(head)).length,
    refused: refused.sort((a, b) => (a.path < b.path ? -1 : 1)),
    index: { ...indexBudget(text ?? ''), exists: text !== undefined },
  };
}

/** A link that leads out of the folder, bytes that are no text: what stands in the place of the index is not read. */
function unreadable(error: unknown): MemoryProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  return { kind: 'refused', detail: error instanceof MemoryError ? error.code : 'unreadable' };
}

function refusedEntry(path: string, { kind, line, detail }: MemoryProblem): RefusedEntry {
  return {
    path,
    rule: kind === 'refused' ? (detail ?? kind) : kind,
    ...(line === undefined ? {} : { line }),
    ...(kind === 'secret' && detail !== undefined ? { secret: detail } : {}),
  };
}

/** Brings the team's index to agreement with the files. Says whether it was changed. */
async function settleTeamIndex(
  { store, snapshots, disk }: { readonly store: MemoryStore; readonly snapshots: Snapshots; readonly disk: Disk },
  teamDir: string,
): Promise<boolean> {
  if ((await disk.stat(teamDir))?.kind !== 'folder' || (await isGitAtWork(teamDir, disk))) return false;
  const text = await store.index('team');
  if (conflictLineOf(text ?? '') !== undefined) return false;
  const heads = (await store.heads()).filter(isListed);
  const files = heads
    .map((head) => ({
      target: indexTargetOf(head.path),
      title: head.name,
      hook: head.description,
      isHeldBack: isHeldBack(head),
    }))
    .sort((a, b) => (a.target < b.target ? -1 : 1));
  const agreed = agreedIndex(text, files);
  if (agreed === undefined || agreed === text) return false;
  const { applied } = await snapshots.apply([{ path: indexPaths.team, before: text ?? null, after: agreed }], {
    kind: 'mend',
  });
  return applied.length > 0;
}

const isListed = ({ scope, problem }: MemoryHeader): boolean => scope === 'team' && problem?.kind !== 'refused';

/** What git leaves in its folder while a command of its own would trip over a changed file. A stopped merge is none of it. */
const signsOfWork = ['index.lock', 'rebase-merge', 'rebase-apply', 'sequencer'];

async function isGitAtWork(folder: string, disk: Disk): Promise<boolean> {
  const checkout = await findCheckout(folder, disk);
  if (!checkout) return false;
  const gitDir = await gitDirOf(checkout.top, disk);
  for (const name of signsOfWork) if (await disk.lstat(join(gitDir, name)).catch(() => undefined)) return true;
  return false;
}

/** Makes the folder with an empty index and, in a repository, the line for git that keeps both sides of it; what is there stays. */
async function prepareTeamFolder(teamDir: string, disk: Disk): Promise<void> {
  await disk.makeFolder(teamDir);
  const isInRepository = (await findCheckout(teamDir, disk)) !== undefined;
  for (const [name, text] of [
    ['MEMORY.md', teamIndexStart],
    ...(isInRepository ? [['.gitattributes', teamGitAttributes] as const] : []),
  ] as const) {
    const path = join(teamDir, name);
    if ((await disk.lstat(path)) === undefined) await disk.create(path, Buffer.from(text));
  }
}
