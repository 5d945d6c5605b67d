// What a window shows of recall, put together: the answers at their questions, the Recalled view, and what a person did with
// either. It reads when the start has settled, and follows the memories and what any process recalls.

import type { Disposable } from './core/event';
import type { Logger } from './core/log';
import type { MemoryHeader } from './core/memory/memory';
import type { Project } from './core/project';
import type { RecalledTurn } from './core/recall/openRecall';
import { createLive, type Live } from './live';
import type { OpenProject, Projects } from './projects';
import { createRecallDeeds, type RecallDeeds } from './views/recallDeeds';
import type { RecalledSnapshot } from './views/recalledRows';
import { createRecalledTree, type RecalledTree } from './views/recalledTree';
import { createRecallReview, type RecallReview } from './views/recallReview';
import type { Words } from './views/words';

export interface Recalls extends Disposable {
  readonly live: Live<RecalledSnapshot>;
  readonly tree: RecalledTree;
  readonly review: RecallReview;
  readonly deeds: RecallDeeds;
}

export function createRecalls(options: {
  readonly projects: Projects;
  readonly words: Words;
  readonly log: Logger;
}): Recalls {
  const { projects, words, log } = options;
  const live = createLive<RecalledSnapshot>({
    projects,
    load,
    events: (project) => [project.onDidChangeRecalled, project.onDidChangeMemories, project.team.onDidChange],
    log,
  });
  const deeds = createRecallDeeds();
  const isKept = (key: string, path: string) => deeds.runOf('kept', key, path) !== undefined;
  const tree = createRecalledTree({ snapshots: live, isKept, words, log });
  const review = createRecallReview({
    async look(key, path) {
      const project = projects.find(key)?.project;
      const memory = await project?.read(path);
      if (memory || !project) return memory;
      const moved = (await project.team.movedTo([path])).get(path);
      const there = moved === undefined ? undefined : await project.read(moved);
      if (there) return there;
      return (await project.trash()).some((entry) => entry.path === path) ? 'trashed' : undefined;
    },
    isKept,
    originOf: (key, path) =>
      live
        .latest()
        .find((each) => each.key === key)
        ?.origins?.get(path),
    words,
    log,
  });
  const lifetime = [tree, review, live, live.onDidChange(() => void review.refresh())];
  return {
    live,
    tree,
    review,
    deeds,
    dispose() {
      for (const each of lifetime) each.dispose();
    },
  };
}

async function load({ key, name, project }: OpenProject): Promise<RecalledSnapshot> {
  const [found, { origins }] = await Promise.all([project.recalled(), project.team.state()]);
  if (found.length === 0)
    return { key, name, turns: found, heads: new Map(), stalePaths: new Set(), trashed: new Set(), origins };
  const heads = new Map((await project.heads()).map((head) => [head.path, head]));
  const turns = await whereTheyAre(found, heads, project);
  const isGone = turns.some(({ memories }) => memories.some(({ path }) => !heads.has(path)));
  const trashed = new Set(isGone ? (await project.trash()).map(({ path }) => path) : []);
  const stalePaths = new Set([...heads.values()].filter((head) => project.isStale(head)).map(({ path }) => path));
  return { key, name, turns, heads, stalePaths, trashed, origins };
}

/** With the paths that memories have now, where they were shared or made private since. */
async function whereTheyAre(
  turns: readonly RecalledTurn[],
  heads: ReadonlyMap<string, MemoryHeader>,
  project: Project,
): Promise<readonly RecalledTurn[]> {
  const gone = new Set(turns.flatMap(({ memories }) => memories.flatMap(({ path }) => (heads.has(path) ? [] : path))));
  if (gone.size === 0) return turns;
  const moved = await project.team.movedTo([...gone]);
  const follow = (path: string) => {
    const now = moved.get(path);
    return now !== undefined && heads.has(now) ? now : path;
  };
  return turns.map((turn) => ({
    ...turn,
    memories: turn.memories.map((memory) => ({ ...memory, path: follow(memory.path) })),
  }));
}
