// The memories as recall and models may see them: without those that are held back (marks of a merge, a secret in the team's, what
// can't be read) and, while team memory is off, without the team's. A person still sees all of them, in the store itself.

import { conflictLineOf } from './conflictMarks';
import { isHeldBack, type MemoryHeader } from './memory';
import { loadedIndex } from './memoryIndex';
import { indexPaths, type MemoryScope, scopeOf } from './memoryPaths';
import type { MemoryStore } from './memoryStore';

export interface UsableMemories extends Pick<MemoryStore, 'heads' | 'isSettled' | 'read' | 'revision'> {
  isUsable(head: MemoryHeader): boolean;
  /**
   * Both indexes as a model may read them, each within its own budget and at most `chars` long; '' where there is none. One
   * with marks of a merge is left out.
   */
  indexes(chars?: number, read?: (path: string) => Promise<string | undefined>): Promise<string>;
}

/** `audit` says what is wrong with a text of the team's, for its index. */
export function openUsableMemories(
  store: MemoryStore,
  team: () => boolean,
  audit?: (path: string, text: string) => Promise<unknown>,
): UsableMemories {
  let last:
    | { readonly all: readonly MemoryHeader[]; readonly team: boolean; readonly left: readonly MemoryHeader[] }
    | undefined;
  const mayUse = (path: string) => scopeOf(path) === 'private' || team();
  const isUsable = (head: MemoryHeader): boolean => !isHeldBack(head) && mayUse(head.path);

  async function loaded(scope: MemoryScope, read: ((path: string) => Promise<string | undefined>) | undefined) {
    const path = indexPaths[scope];
    const text = await (read ? read(path) : store.index(scope).catch(() => undefined));
    if (text === undefined || conflictLineOf(text) !== undefined) return '';
    const fault = scope === 'team' ? await audit?.(path, text) : undefined;
    return fault === undefined ? loadedIndex(text) : '';
  }

  return {
    isUsable,
    async heads(kept) {
      const all = await store.heads(kept);
      if (last?.all !== all || last.team !== team()) {
        const left = all.filter(isUsable);
        last = { all, team: team(), left: left.length === all.length ? all : left };
      }
      return last.left;
    },
    async read(path) {
      if (!mayUse(path)) return undefined;
      const memory = await store.read(path);
      return memory && !isHeldBack(memory) ? memory : undefined;
    },
    isSettled: store.isSettled,
    revision: store.revision,
    async indexes(chars = Number.POSITIVE_INFINITY, read) {
      const own = (await loaded('private', read)).slice(0, chars);
      const teams = team() ? (await loaded('team', read)).slice(0, chars) : '';
      if (teams.trim() === '') return own;
      const heading = 'Shared by the team; the paths of these begin with "team/":';
      return [own.trim() || '(no private memories)', heading, teams].join('\n\n');
    },
  };
}
