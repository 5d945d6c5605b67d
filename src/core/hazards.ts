// What a person should look at in the files of memories: secrets in private ones too, marks of a merge, entries of the team's that are
// refused. A text is looked through once and again only when its file changed; the value of a secret is never told.

import { createBreath } from './breath';
import { conflictLineOf } from './memory/conflictMarks';
import { isHeldBack, type MemoryHeader } from './memory/memory';
import type { MemoryStore } from './memory/memoryStore';
import { findSecrets } from './memory/secrets';
import type { RefusedEntry, TeamFolderState } from './teamFolder';

export interface Hazard extends RefusedEntry {
  /** Kept out of recall and models. A private memory with a secret is not: it is only kept out of the team. */
  readonly isHeldBack: boolean;
}

type Looked = { readonly stamp: string; readonly found: readonly Hazard[] };

/** Sorted by path and line. A file that can't be read is left out: its head says so. */
export function createHazards(options: {
  readonly store: MemoryStore;
  readonly teamFolder: () => Promise<TeamFolderState>;
  readonly isTeamOn: () => boolean;
}): () => Promise<readonly Hazard[]> {
  const { store } = options;
  let looked = new Map<string, Looked>();

  async function lookAt(head: MemoryHeader): Promise<readonly Hazard[]> {
    const text = await store.readText(head.path).catch(() => undefined);
    return text === undefined
      ? []
      : (await findSecrets(text)).map(({ rule, line }) => ({
          path: head.path,
          rule: 'secret',
          secret: rule,
          line,
          isHeldBack: false,
        }));
  }

  async function secrets(): Promise<readonly Hazard[]> {
    const heads = (await store.heads()).filter((head) => head.scope === 'private' && !isHeldBack(head));
    const next = new Map<string, Looked>();
    const breath = createBreath();
    for (const head of heads) {
      await breath();
      const stamp = `${head.mtimeMs} ${head.size}`;
      const known = looked.get(head.path);
      next.set(head.path, known?.stamp === stamp ? known : { stamp, found: await lookAt(head) });
    }
    looked = next;
    return [...next.values()].flatMap(({ found }) => found);
  }

  /** Private ones; a conflict that begins below a file's head is found when that is read. */
  async function marked(): Promise<readonly Hazard[]> {
    const heads = (await store.heads()).filter(
      ({ scope, problem }) => scope === 'private' && problem?.kind === 'merge_conflict',
    );
    const index = await store.index('private').catch(() => undefined);
    const line = conflictLineOf(index ?? '');
    return [
      ...heads.map(({ path, problem }) => ({ path, line: problem?.line })),
      ...(line === undefined ? [] : [{ path: 'MEMORY.md', line }]),
    ].map(({ path, line: at }) => ({
      path,
      rule: 'merge_conflict',
      ...(at === undefined ? {} : { line: at }),
      isHeldBack: true,
    }));
  }

  return async () => {
    const refused = options.isTeamOn() ? (await options.teamFolder()).refused : [];
    const found = [...(await secrets()), ...(await marked()), ...refused.map((one) => ({ ...one, isHeldBack: true }))];
    return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)));
  };
}
