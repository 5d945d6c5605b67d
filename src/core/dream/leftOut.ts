// What a person did not take of a proposal, kept so that it can be looked at again: for the newest twenty of them. It is as the dream
// wrote it; whether the files are still what the dream saw is asked when it is applied. What was taken is not in it.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { newestFirst, readJson, writeJson } from '../files';
import type { Changeset } from '../memory/changeset';
import { indexPartsOf, topicsOf } from '../memory/indexParts';
import { isIndexPath } from '../memory/memoryPaths';
import type { ProposedChange } from './dreamEngine';
import type { Proposal } from './proposal';

const mostKept = 20;

/** The changes that are still to be made after `taken` was. */
export function changesLeft(proposed: readonly ProposedChange[], taken: Changeset): readonly ProposedChange[] {
  const byPath = new Map(taken.map((change) => [change.path, change]));
  const topics: ProposedChange[] = [];
  for (const change of proposed) {
    if (isIndexPath(change.path)) continue;
    const took = byPath.get(change.path);
    if (!took) topics.push(change);
    else if (took.after !== change.after) {
      const { beforeMtimeMs: _seen, ...rest } = change;
      const time = took.afterMtimeMs === undefined ? {} : { beforeMtimeMs: took.afterMtimeMs };
      topics.push({ ...rest, before: took.after, ...time });
    }
  }
  const indexes = proposed
    .filter(({ path }) => isIndexPath(path))
    .flatMap(({ beforeMtimeMs: _seen, afterMtimeMs: _time, ...change }) => {
      const before = byPath.get(change.path)?.after ?? change.before;
      const parts = indexPartsOf(before ?? '', change.after ?? '', new Set());
      const followed = topicsOf(topics, change.path);
      const isNeeded =
        parts.length > 0 && (followed.size > 0 || indexPartsOf(before ?? '', change.after ?? '', followed).length > 0);
      return isNeeded ? [{ ...change, before }] : [];
    });
  return [...topics, ...indexes];
}

/** As a person counts: memories, questions, and the index where nothing else is left. */
export const countLeft = ({ changes, contradictions }: Pick<Proposal, 'changes' | 'contradictions'>): number =>
  Math.max(changes.filter(({ path }) => !isIndexPath(path)).length + contradictions.length, changes.length > 0 ? 1 : 0);

export interface LeftOut {
  /** Keeps what is left of a proposal; nothing when nothing is. */
  keep(left: Proposal): Promise<void>;
  /** Of the proposal with this id. */
  of(id: string): Promise<Proposal | undefined>;
  forget(id: string): Promise<void>;
}

export function openLeftOut(options: { readonly folder: string; readonly disk: Disk }): LeftOut {
  const { disk } = options;
  const folder = join(options.folder, 'left');
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const isId = (id: string) => /^[0-9a-f]{12}$/.test(id);

  return {
    async keep(left) {
      if (!isId(left.id) || countLeft(left) === 0) return;
      await disk.makeFolder(folder);
      await writeJson(disk, fileOf(left.id), left);
      const names = ((await disk.list(folder)) ?? []).map(({ name }) => name).filter((name) => name.endsWith('.json'));
      if (names.length <= mostKept) return;
      const dated = await newestFirst(disk, folder, names);
      for (const { name } of dated.slice(mostKept)) await disk.remove(join(folder, name));
    },
    async of(id) {
      const left = isId(id) ? await readJson<Proposal>(disk, fileOf(id)) : undefined;
      return left && Array.isArray(left.changes) && Array.isArray(left.contradictions) ? left : undefined;
    },
    forget: async (id) => (isId(id) ? disk.remove(fileOf(id)) : undefined),
  };
}
