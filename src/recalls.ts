// What a window shows of recall, put together: the answers at their questions, the Recalled view, and what a person did with
// either. It reads when the start has settled, and follows the memories and what any process recalls.

import type { Disposable } from './core/event';
import type { Logger } from './core/log';
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
    events: (project) => [project.onDidChangeRecalled, project.onDidChangeMemories],
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
      return (await project.trash()).some((entry) => entry.path === path) ? 'trashed' : undefined;
    },
    isKept,
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
  const turns = await project.recalled();
  if (turns.length === 0) return { key, name, turns, heads: new Map(), stalePaths: new Set(), trashed: new Set() };
  const heads = new Map((await project.heads()).map((head) => [head.path, head]));
  const isGone = turns.some(({ memories }) => memories.some(({ path }) => !heads.has(path)));
  const trashed = new Set(isGone ? (await project.trash()).map(({ path }) => path) : []);
  const stalePaths = new Set([...heads.values()].filter((head) => project.isStale(head)).map(({ path }) => path));
  return { key, name, turns, heads, stalePaths, trashed };
}
