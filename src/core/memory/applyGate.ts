// What a change of memories must not be, asked where all of them are applied: nothing is written over the marks of a merge, and
// nothing gets into team memory that may not stand there. Throws `MemoryError`; changes nothing.

import { MemoryError } from '../memoryError';
import type { FileChange } from './changeset';
import { conflictLineOf } from './conflictMarks';
import { isIndexPath, scopeOf } from './memoryPaths';
import { refusedByTeam, teamIsOff, teamRefusal } from './teamMemory';

/** `change.before` is what lies there now. An index with marks is left out of a run elsewhere: it does not stop the memories. */
export async function refuseChange(change: FileChange, isTeamOn: boolean): Promise<void> {
  const { path, before, after } = change;
  const line = before === null || isIndexPath(path) ? undefined : conflictLineOf(before);
  if (line !== undefined)
    throw new MemoryError(
      'merge_conflict',
      `“${path}” holds a merge conflict, line ${line}. Resolve it first: nothing was changed.`,
      path,
      { rule: 'merge_conflict', line },
    );
  if (scopeOf(path) !== 'team') return;
  const refusal = isTeamOn ? await teamRefusal(path, after, before) : teamIsOff;
  if (refusal) throw refusedByTeam(refusal, path);
}
