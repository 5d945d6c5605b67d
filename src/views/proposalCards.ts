// What a dream proposes, as the changes a person counts: a memory that others were merged into is one change with them, a
// question is one, and the index is one only where it changes by itself. Pure, and cheap enough for a tree and the status bar.

import type { Contradiction, ProposedChange } from '../core/dream/dreamEngine';
import type { Proposal } from '../core/dream/proposal';
import type { CardKind } from './reviewProtocol';

export type ProposedChanges = Pick<Proposal, 'changes' | 'contradictions'>;

export interface Outline {
  /** The path, or the question's id. */
  readonly id: string;
  readonly kind: CardKind;
  readonly path: string;
  /** Changes that are applied together or not at all, that of `path` first. Empty for a question. */
  readonly changes: readonly ProposedChange[];
  /** Of a deleted memory: where it went. */
  readonly mergedInto?: string;
  readonly question?: Contradiction;
}

/** Texts as they stand on disk now; `null` where there is no file. */
export type Standing = ReadonlyMap<string, { readonly text: string; readonly mtimeMs: number } | null>;

/** Paths that are neither what the dream saw nor what it would write. The index is merged line by line and never one. */
export function conflictsOf({ changes }: ProposedChanges, disk: Standing): ReadonlySet<string> {
  return new Set(
    changes
      .filter(({ path, before, after }) => {
        const now = disk.get(path);
        if (now === undefined || isIndex(path)) return false;
        const text = now?.text ?? null;
        return text !== before && text !== after;
      })
      .map(({ path }) => path),
  );
}

/** `conflicts`: paths that are no longer what the dream saw. */
export function outlineOf(proposed: ProposedChanges, conflicts: ReadonlySet<string> = new Set()): readonly Outline[] {
  const { changes, contradictions } = proposed;
  const topics = changes.filter(({ path }) => !isIndex(path));
  const byPath = new Map(topics.map((change) => [change.path, change]));
  const survivorOf = (path: string): string | undefined => {
    const seen = new Set<string>();
    let at = path;
    for (
      let next = byPath.get(path)?.mergedInto;
      next !== undefined && !seen.has(next);
      next = byPath.get(next)?.mergedInto
    ) {
      seen.add(next);
      at = next;
    }
    return at === path ? undefined : at;
  };
  /** Deletions that belong to the change of the memory they went into. */
  const merged = new Map<string, ProposedChange[]>();
  for (const change of topics) {
    const survivor = change.after === null ? survivorOf(change.path) : undefined;
    if (survivor === undefined || (byPath.get(survivor)?.after ?? null) === null) continue;
    merged.set(survivor, [...(merged.get(survivor) ?? []), change]);
  }
  const grouped = new Set([...merged.values()].flat());
  const cards = topics
    .filter((change) => !grouped.has(change))
    .map((change): Outline => {
      const together = [change, ...(merged.get(change.path) ?? [])];
      const mergedInto = change.after === null ? survivorOf(change.path) : undefined;
      return {
        id: change.path,
        kind: together.some(({ path }) => conflicts.has(path)) ? 'conflict' : kindOf(together),
        path: change.path,
        changes: together,
        ...(mergedInto === undefined ? {} : { mergedInto }),
      };
    });
  const asked = contradictions.map(
    (question): Outline => ({ id: question.id, kind: 'choose', path: question.newer.path, changes: [], question }),
  );
  const indexes = changes
    .filter((change) => isIndex(change.path) && changesAlone(change, [...byPath.keys()]))
    .map((change): Outline => ({ id: change.path, kind: 'updated', path: change.path, changes: [change] }));
  const settled = cards.filter(({ kind }) => kind !== 'conflict');
  return [...settled, ...asked, ...indexes, ...cards.filter(({ kind }) => kind === 'conflict')];
}

function kindOf([change, ...more]: readonly ProposedChange[]): CardKind {
  if (more.length > 0) return 'merged';
  if (change?.before == null) return 'created';
  return change.after === null ? 'deleted' : 'updated';
}

/** By its name alone: the engine's own test would load the engine with the first view. */
export const isIndex = (path: string): boolean => /(?:^|\/)memory\.md$/i.test(path);

/** Whether the index changes in lines that are about none of the memories that change. */
function changesAlone({ path, before, after }: ProposedChange, paths: readonly string[]): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const targets = paths.filter((each) => each.startsWith(folder)).map((each) => `(${each.slice(folder.length)})`);
  const [old, next] = [linesOf(before), linesOf(after)];
  const differing = [...[...old].filter((line) => !next.has(line)), ...[...next].filter((line) => !old.has(line))];
  return differing.some((line) => /\S/.test(line) && !targets.some((target) => line.includes(target)));
}

const linesOf = (text: string | null): ReadonlySet<string> => new Set((text ?? '').split(/\r?\n/));
