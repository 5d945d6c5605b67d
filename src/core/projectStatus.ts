// What one can be told of a project at a glance: counts, the index, where sessions come from, which engine works, why no dream runs.
// It only asks the parts, and changes nothing.

import type { Provider } from './agent/provider';
import type { Dream } from './dream/dream';
import { type MemoryHeader, memoryTypes } from './memory/memory';
import { indexBudget } from './memory/memoryIndex';
import type { MemoryStore } from './memory/memoryStore';
import type { Project, ProjectSpend, ProjectStatus, Rest, SourceState } from './project';
import type { TeamFolderState } from './teamFolder';

export function createStatus(parts: {
  readonly paths: Project['paths'];
  readonly switches: Project['switches'];
  readonly store: MemoryStore;
  readonly sources: () => Promise<readonly SourceState[]>;
  readonly provider: Provider;
  readonly spent: () => Promise<ProjectSpend>;
  readonly rest: () => Promise<Rest | undefined>;
  readonly dream: Dream;
  readonly assistantMode: () => Promise<ProjectStatus['assistantMode']>;
  readonly team: () => Promise<TeamFolderState>;
  readonly isStale: (memory: MemoryHeader) => boolean;
}): Pick<Project, 'status' | 'indexBudget'> {
  const { paths, switches, store, sources, provider, dream } = parts;

  async function index() {
    const text = await store.index('private');
    return { ...indexBudget(text ?? ''), exists: text !== undefined };
  }

  return {
    indexBudget: index,
    async status(): Promise<ProjectStatus> {
      const heads = await store.heads();
      const byType = Object.fromEntries(
        memoryTypes.map((type) => [type, heads.filter((head) => head.type === type).length]),
      );
      return {
        paths,
        switches,
        sources: await sources(),
        memories: {
          total: heads.length,
          byType: byType as ProjectStatus['memories']['byType'],
          stale: heads.filter(parts.isStale).length,
          problems: heads.filter((head) => head.problem !== undefined).length,
        },
        index: await index(),
        team: await parts.team(),
        provider: await provider.state(),
        spend: await parts.spent(),
        rest: await parts.rest(),
        gates: (await dream.whyNot()).results,
        lock: await dream.lock(),
        assistantMode: await parts.assistantMode(),
      };
    },
  };
}
