// Which entries of a team folder can't be memories, whatever is in them: names that lead elsewhere, that another system reads as
// another name or takes for the same as its neighbour's, what is neither file nor folder. They came by git, from whoever may
// push. Names alone: nothing is opened.

import type { FolderEntry } from '../disk';
import { type TeamPathRule, teamPathFault } from './teamMemory';

export type TeamEntryRule =
  | TeamPathRule
  | 'case_collision'
  | 'not_a_file'
  | 'link_outside'
  | 'link_nowhere'
  | 'link_loop'
  | 'link_folder';

/** The refused entries of one folder, by name; `below` is what the paths of its entries begin with, '' or `sub/`. */
export function teamRefusalsIn(entries: readonly FolderEntry[], below: string): ReadonlyMap<string, TeamEntryRule> {
  const refused = new Map<string, TeamEntryRule>();
  const firstOf = new Map<string, string>();
  for (const { name, kind } of entries) {
    // A folder may be a checkout of its own.
    if (name === '.git' && below === '') continue;
    const fault = teamPathFault(below + name);
    if (fault) refused.set(name, fault.rule);
    else if (kind === 'other') refused.set(name, 'not_a_file');
    if (refused.has(name)) continue;
    const key = name.normalize('NFKC').toLowerCase();
    const other = firstOf.get(key);
    if (other === undefined) firstOf.set(key, name);
    else {
      const [kept, left] = inOrder(name, other);
      firstOf.set(key, kept);
      refused.set(left, 'case_collision');
    }
  }
  return refused;
}

/** Of two names that some system takes for one: the index as it is written everywhere, else the one in smaller letters. */
function inOrder(a: string, b: string): readonly [kept: string, left: string] {
  if (a === 'MEMORY.md') return [a, b];
  if (b === 'MEMORY.md') return [b, a];
  return a > b ? [a, b] : [b, a];
}
