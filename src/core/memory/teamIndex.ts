// Brings an index that came out of git's merges to agreement with the files beside it: a line for each memory, none for what is
// gone, one for what two sides listed twice. Lines that need nothing keep their bytes and their order. Pure text: an index
// with marks of a merge is the caller's to leave alone.

import { comparable, indexBudget, mergeIndexAt, parseIndex } from './memoryIndex';
import { indexPaths } from './memoryPaths';

export interface ListedMemory {
  /** Relative to the index. */
  readonly target: string;
  readonly title: string;
  readonly hook: string | undefined;
  /** Held back: its line stays if it has one, and it gets none. */
  readonly isHeldBack: boolean;
}

/** `undefined`: no index is needed. A memory for which the index has no room is found by recall all the same. */
export function agreedIndex(text: string | undefined, files: readonly ListedMemory[]): string | undefined {
  const byTarget = new Map(files.map((file) => [comparable(file.target), file]));
  const { entries, mentions } = parseIndex(text ?? '');
  const gone = entries.filter(({ target }) => /\.md$/i.test(target) && !byTarget.has(comparable(target)));
  const seen = new Map<string, number>();
  for (const { target } of entries) seen.set(comparable(target), (seen.get(comparable(target)) ?? 0) + 1);
  const twice = [...seen].filter(([target, count]) => count > 1 && byTarget.has(target)).map(([target]) => target);

  const mended = mergeIndexAt(indexPaths.team, text, {
    remove: gone.map(({ target }) => target),
    // Of two lines the first place stays, with the words that the file itself has.
    set: twice.map((target) => ({ target, title: byTarget.get(target)?.title, hook: byTarget.get(target)?.hook })),
  });
  const linked = new Set([...seen.keys(), ...mentions.map(comparable)]);
  let agreed = text === undefined && files.length > 0 ? teamIndexStart : mended;
  for (const { target, title, hook, isHeldBack } of files) {
    if (isHeldBack || linked.has(comparable(target))) continue;
    const longer = mergeIndexAt(indexPaths.team, agreed, { set: [{ target, title, hook }] });
    if (indexBudget(longer).overBudget) break;
    agreed = longer;
  }
  if (text === undefined) return agreed === teamIndexStart || agreed === '' ? undefined : agreed;
  return agreed;
}

/** How a team's index begins. */
export const teamIndexStart = '# Team memory\n\n';

/** Two sides that each add a line are no conflict: git keeps both, and what it keeps too much is mended afterwards. */
export const teamGitAttributes = `# Both sides' lines of the memory index are kept when branches are merged.
MEMORY.md merge=union
`;
