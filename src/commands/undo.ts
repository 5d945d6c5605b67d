// Taking back: one run or several, the newest first, and saying plainly what came back and what was left alone.

import type { OpenProject } from '../projects';
import type { CommandContext } from './context';

/** Without `runs`, the last thing that can be taken back. */
export async function undo(
  { notices, words }: CommandContext,
  open: OpenProject,
  runs?: readonly string[],
): Promise<{ readonly restored: readonly string[]; readonly conflicts: readonly string[] }> {
  const { t, number } = words;
  const restored = new Set<string>();
  const conflicts = new Set<string>();
  let retracted = 0;
  for (const run of runs === undefined ? [undefined] : [...runs].reverse()) {
    const result = await open.project.undo(run);
    for (const path of result.restored) restored.add(path);
    for (const path of result.conflicts) conflicts.add(path);
    retracted += result.retracted?.lines ?? 0;
  }
  // The index follows its memories; nobody counts it.
  const topics = [...restored].filter((path) => !/(^|\/)MEMORY\.md$/.test(path));
  const isIncomplete = conflicts.size > 0;
  const done =
    retracted > 0 && restored.size === 0
      ? retracted === 1
        ? t('Taken back: a line in the daily log says so, and no dream makes a memory of it.')
        : t('Taken back: {0} lines in the daily log say so, and no dream makes memories of them.', number(retracted))
      : topics.length === 1
        ? t('Undone. “{0}” is as it was.', topics[0] ?? '')
        : topics.length > 1
          ? t('Undone. {0} files are as they were.', number(topics.length))
          : isIncomplete
            ? t('Nothing was undone.')
            : t('Undone.');
  if (!isIncomplete) {
    notices.info(done);
  } else {
    const first = [...conflicts][0] ?? '';
    const alone =
      conflicts.size === 1
        ? t('“{0}” was edited since and was left alone.', first)
        : t('{0} files were edited since and were left alone, “{1}” among them.', number(conflicts.size), first);
    notices.warn(`${done} ${alone}`);
  }
  return { restored: [...restored], conflicts: [...conflicts] };
}
