// One project's side of team memory: the folder, what git says of it, what is new in it, and what moving a memory there
// needs to know. In an untrusted workspace, or while team memory is off, git is not run and nothing is news.

import { basename, join } from 'node:path';
import type { Disk } from './disk';
import type { Event } from './event';
import { openGit } from './git';
import { existsBelow } from './keeping';
import type { Logger } from './log';
import type { Overlay } from './memory/changeset';
import type { MemoryStore } from './memory/memoryStore';
import { type MoveContext, moveRefusals } from './memory/moving';
import type { MemoryFiles, RunSummary } from './memory/snapshots';
import type { ProjectPaths } from './paths';
import { noTeam, openTeamNews, type TeamNews, type TeamState } from './teamNews';

/** What a person may ask of team memory, besides moving and what `Keeping` has. */
export interface Team {
  isOn(): boolean;
  /** Absolute; need not exist. */
  readonly directory: string;
  /** It lies in the repository, so that commits share it. */
  readonly isInRepository: boolean;
  /** Who wrote which memory of the team, and what is new. Never rejects. */
  state(): Promise<TeamState>;
  /** All that is new now, or these paths. */
  markSeen(paths?: readonly string[]): Promise<void>;
  /** To be told of team memories that this person saved elsewhere than here: they are no news. */
  wrote(paths: readonly string[]): void;
  /** Git is told to leave the folder out: nobody else would get it. */
  isIgnored(): Promise<boolean>;
  /** Where memories went that were moved between scopes since, by the path they had. */
  movedTo(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readonly onDidChange: Event<void>;
}

export interface Teaming {
  readonly team: Team;
  readonly moving: (overlay: Overlay) => Promise<MoveContext>;
  /** The memories' files, so that what this program writes is no news. */
  readonly files: MemoryFiles;
  readonly news: Pick<TeamNews, 'heard' | 'start' | 'dispose'>;
}

export function createTeaming(options: {
  readonly paths: ProjectPaths;
  readonly store: MemoryStore;
  readonly runs: () => Promise<readonly RunSummary[]>;
  readonly isOn: () => boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly disk: Disk;
  readonly log: Logger;
}): Teaming {
  const { paths, store, isOn, env, homeDir, disk, log } = options;
  const directory = paths.teamDir ?? join(paths.memoryDir, 'team');
  const isInRepository = paths.isGit && paths.teamDir !== undefined;
  const git = openGit({ folder: directory, around: paths.top, env, homeDir });
  const news = openTeamNews({ folder: paths.stateDir, teamDir: directory, git, store, disk, log });

  return {
    team: {
      isOn,
      directory,
      isInRepository,
      state: async () => (isOn() ? news.state() : noTeam),
      markSeen: news.markSeen,
      wrote: (written) => isOn() && news.own(written),
      isIgnored: async () => isOn() && isInRepository && git.isIgnored(join(directory, 'MEMORY.md')),
      async movedTo(gone) {
        // The newest comes first: what was moved twice is followed from the oldest on.
        const moves = [...(await options.runs())].reverse().filter(({ undone }) => !undone);
        const follow = (path: string) => moves.reduce((here, run) => run.moves?.[here] ?? here, path);
        return new Map(gone.map((path) => [path, follow(path)] as const).filter(([path, now]) => path !== now));
      },
      onDidChange: news.onDidChange,
    },
    async moving(overlay) {
      const identity = isOn() ? await git.identity() : undefined;
      return {
        overlay,
        heads: await store.heads(),
        read: store.read,
        exists: (path) => existsBelow(store, path),
        refusals: moveRefusals,
        isNested: paths.teamDir === undefined,
        homeDir,
        person: [basename(homeDir), identity?.name ?? ''],
      };
    },
    files: {
      locate: store.locate,
      changed(changed) {
        if (isOn()) news.own(changed);
        store.changed(changed);
      },
    },
    news: {
      heard: news.heard,
      async start() {
        if (isOn()) await news.start();
      },
      dispose: news.dispose,
    },
  };
}
