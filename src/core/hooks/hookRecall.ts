// The memories that fit a prompt, found by words, as a hook's answer. A bundle of its own, because most hooks need none of it.

import { openRecall } from '../recall/openRecall';
import { openMemories } from '../teamFolder';
import type { HookPaths, HookSurroundings } from './answerHook';
import { contextBytes, formatContext } from './context';
import { type HookInput, questionOf } from './hookInput';
import { readRecentTools } from './recentTools';

/** The answer to a prompt, '' for none. Rejects when the memory folder can't be listed. */
export async function recallForPrompt(
  input: HookInput,
  paths: HookPaths,
  surroundings: HookSurroundings,
): Promise<string> {
  const { disk, now, log } = surroundings;
  const { stateDir } = paths;
  const query = questionOf(input.prompt);
  const { store, usable } = openMemories({ paths, isTeamOn: () => paths.isTeamOn, isHurried: true, disk, now, log });
  const recall = openRecall({ stateDir, store: usable, once: true, disk, now, log });
  try {
    const found = await recall.recall(query, {
      lexical: true,
      way: 'hook',
      automatic: true,
      conversation: input.session,
      recentTools: await readRecentTools(input.transcript, disk),
      mostBytes: contextBytes,
    });
    log.debug(`${found.memories.length} of ${found.considered} memories${found.skipped ? `: ${found.skipped}` : ''}.`);
    const additionalContext = formatContext(found.memories, now());
    if (additionalContext === undefined) return '';
    return JSON.stringify({ hookSpecificOutput: { hookEventName: input.event, additionalContext } });
  } finally {
    recall.dispose();
    store.dispose();
  }
}
