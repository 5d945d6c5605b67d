// What a dream would like to change, waiting for a person: one for each store, over restarts; a newer one takes its place, and
// after a fortnight it steps aside. It may be taken whole, file by file or hunk by hunk. A memory is never removed without
// the change that says its words elsewhere, and the index never speaks of a file that was left out. Nothing is applied here.

import { join } from 'node:path';
import type { Usage } from '../agent/languageModel';
import type { Disk } from '../disk';
import { createEmitter, type Event } from '../event';
import { readJson, shortHash, writeJson } from '../files';
import type { LogSpan } from '../logs/distilled';
import type { Changeset, FileChange } from '../memory/changeset';
import { hunksOf, takeHunks } from '../memory/hunks';
import { changedInPart, indexPartsOf, topicsOf } from '../memory/indexParts';
import { parseMemory } from '../memory/memory';
import { isIndexPath } from '../memory/memoryPaths';
import { MemoryError } from '../memoryError';
import type { Contradiction, Loss, ProposedChange, Remark } from './dreamEngine';
import type { DreamTrigger } from './gates';
import type { Choice } from './settling';

export interface Proposal {
  readonly id: string;
  /** Milliseconds: when the dream began. */
  readonly at: number;
  readonly trigger: DreamTrigger;
  /** `offline`, or the model's id. */
  readonly engine: string;
  readonly sessions: readonly { readonly id: string; readonly file: string }[];
  readonly changes: readonly ProposedChange[];
  readonly contradictions: readonly Contradiction[];
  readonly recallOnly: readonly string[];
  /** What was left as it is, and why. */
  readonly remarks: readonly Remark[];
  readonly loss: Loss;
  readonly usage: Usage;
  /** What of the daily logs it comes from. */
  readonly logs?: readonly LogSpan[];
}

export interface Selection {
  /** Changed files to take, `MEMORY.md` for what the index needs by itself; all when absent. */
  readonly paths?: readonly string[];
  /** Of an updated file the hunks to take, counted from 0 as `hunksOf` lists them, of an index as `indexPartsOf`; all of a file that is not named. */
  readonly hunks?: Readonly<Record<string, readonly number[]>>;
  /** Answers to contradictions by their id; those without one stay open. */
  readonly choices?: Readonly<Record<string, Choice>>;
  /** Of chosen files that changed meanwhile: what a person saw there now, and what they want there. */
  readonly settled?: Readonly<Record<string, Pick<FileChange, 'before' | 'after' | 'beforeMtimeMs'>>>;
}

const waitsMs = 14 * 86_400_000;
const mostDeclined = 1000;

export interface Proposals {
  /** The one that waits. */
  pending(): Promise<Proposal | undefined>;
  save(proposal: Proposal): Promise<void>;
  /** Takes it away if it is still this one. */
  clear(id: string): Promise<void>;
  /** Keys of changes and contradictions that a person did not want. */
  declined(): Promise<ReadonlySet<string>>;
  decline(keys: readonly string[]): Promise<void>;
  /** They are wanted, after all. */
  reconsider(keys: readonly string[]): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** `setAside`: told of a proposal that waited too long. */
export function openProposals(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
  readonly setAside: (proposal: Proposal) => Promise<void>;
}): Proposals {
  const { disk, now } = options;
  const path = join(options.folder, 'proposal.json');
  const declinedPath = join(options.folder, 'declined.json');
  const changed = createEmitter<void>();

  async function declined(): Promise<string[]> {
    const stored = await readJson<unknown>(disk, declinedPath);
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  }

  return {
    async pending() {
      const proposal = await readJson<Proposal>(disk, path);
      if (!isProposal(proposal)) return undefined;
      if (now() - proposal.at < waitsMs) return proposal;
      await disk.remove(path);
      await options.setAside(proposal);
      return undefined;
    },
    async save(proposal) {
      await writeJson(disk, path, proposal);
      changed.fire();
    },
    async clear(id) {
      if ((await readJson<Proposal>(disk, path))?.id !== id) return;
      await disk.remove(path);
      changed.fire();
    },
    declined: async () => new Set(await declined()),
    async decline(keys) {
      if (keys.length === 0) return;
      const all = [...new Set([...(await declined()), ...keys])];
      await writeJson(disk, declinedPath, all.slice(-mostDeclined));
    },
    async reconsider(keys) {
      const all = await declined();
      const left = all.filter((key) => !keys.includes(key));
      if (left.length < all.length) await writeJson(disk, declinedPath, left);
    },
    onDidChange: changed.event,
  };
}

const isProposal = (value: Proposal | undefined): value is Proposal =>
  typeof value?.id === 'string' &&
  typeof value.at === 'number' &&
  Array.isArray(value.changes) &&
  Array.isArray(value.contradictions);

/** What stands for the changes and the questions of a proposal among what was declined. */
export const keysOf = ({ changes, contradictions }: Pick<Proposal, 'changes' | 'contradictions'>): string[] => [
  ...changes.map(keyOf),
  ...contradictions.map((question) => question.id),
];

/** The same change has the same key, in whichever dream. */
export const keyOf = ({ path, after }: Pick<FileChange, 'path' | 'after'>): string =>
  shortHash(`${path}\0${after ?? ''}`);

export interface Selected {
  readonly changes: Changeset;
  /** Changed files that are left out, in whole or in part. */
  readonly leftOut: readonly string[];
}

/** The changes of a selection. Throws `usage` for a path or hunk the proposal does not have. */
export function selectChanges(proposal: Pick<Proposal, 'changes'>, selection: Selection = {}): Selected {
  const { paths, hunks = {} } = selection;
  const known = new Map(proposal.changes.map((change) => [change.path, change]));
  for (const path of [...(paths ?? []), ...Object.keys(hunks)])
    if (!known.has(path)) throw new MemoryError('usage', `The proposal does not change “${path}”.`, path);
  const isAsked = (path: string) => paths === undefined || paths.includes(path);
  const leftOut = new Set<string>();
  const taken = new Map<string, ProposedChange>();
  for (const change of proposal.changes) {
    if (isIndexPath(change.path)) continue;
    const part = isAsked(change.path) ? partOf(change, hunks[change.path]) : undefined;
    if (part) taken.set(change.path, part);
    if (part?.after !== change.after) leftOut.add(change.path);
  }
  for (const change of [...taken.values()]) {
    // Its words are to stand elsewhere: not before they do.
    const { mergedInto } = change;
    if (change.kind !== 'delete' || mergedInto === undefined || !known.has(mergedInto)) continue;
    if (!leftOut.has(mergedInto) && taken.get(mergedInto)?.after !== null) continue;
    taken.delete(change.path);
    leftOut.add(change.path);
  }

  const indexes = proposal.changes
    .filter(({ path }) => isIndexPath(path))
    .flatMap((change) => {
      const topics = topicsOf(proposal.changes, change.path);
      const takenTopics = topicsOf([...taken.values()], change.path);
      const isOwnAsked = isAsked(change.path);
      const own = isOwnAsked ? ownPartsOf(change, topics, hunks[change.path]) : undefined;
      const isWhole = isOwnAsked && own === undefined;
      if (isWhole && leftOut.size === 0) return [change];
      leftOut.add(change.path);
      const isWanted = (target: string | undefined) =>
        target !== undefined && topics.has(target) ? takenTopics.has(target) : isWhole || (own?.has(target) ?? false);
      const after = changedInPart(change.before ?? '', change.after ?? '', isWanted);
      return after === (change.before ?? '') ? [] : [{ ...change, after }];
    });
  return { changes: [...taken.values(), ...indexes], leftOut: [...leftOut] };
}

/** The memories whose index lines are taken with some parts of an index; `undefined` when all parts are. */
function ownPartsOf(
  { path, before, after }: ProposedChange,
  topics: ReadonlySet<string>,
  chosen: readonly number[] | undefined,
): ReadonlySet<string | undefined> | undefined {
  if (chosen === undefined) return undefined;
  const parts = indexPartsOf(before ?? '', after ?? '', topics);
  for (const at of chosen)
    if (!parts[at]) throw new MemoryError('usage', `“${path}” has no change number ${at}.`, path);
  const taken = parts.filter((_part, at) => chosen.includes(at));
  return taken.length === parts.length ? undefined : new Set(taken.flatMap(({ targets }) => [...targets]));
}

function partOf(change: ProposedChange, hunks: readonly number[] | undefined): ProposedChange | undefined {
  if (hunks === undefined) return change;
  const { path, before, after } = change;
  if (before === null || after === null) return hunks.length === 0 ? undefined : change;
  const count = hunksOf(before, after).length;
  const odd = hunks.find((at) => !Number.isInteger(at) || at < 0 || at >= count);
  if (odd !== undefined) throw new MemoryError('usage', `“${path}” has no change number ${odd}.`, path);
  const text = takeHunks(before, after, new Set(hunks));
  if (text === before) return undefined;
  const wasFine = parseMemory(path, before, 0, 0).problem === undefined;
  if (wasFine && parseMemory(path, text, 0, 0).problem)
    throw new MemoryError('usage', `These parts alone would leave “${path}” unreadable.`, path);
  return { ...change, after: text };
}
