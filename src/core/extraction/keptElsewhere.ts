// Whether another program has extracted these messages already. Claude Code's own background extraction leaves no trace in
// the transcript; what it leaves is a memory with the session's id, written as the turn ended, and without our sources.

import type { Memory, MemoryHeader } from '../memory/memory';
import type { Session, TranscriptMessage } from '../sessions/transcript';

/** A background extraction writes within this time of the last word. */
const afterMs = 10 * 60_000;

export async function isKeptElsewhere(
  session: Session,
  messages: readonly TranscriptMessage[],
  store: {
    heads(): Promise<readonly MemoryHeader[]>;
    read(path: string): Promise<Memory | undefined>;
  },
): Promise<boolean> {
  const lastAt = messages.at(-1)?.at;
  if (lastAt === undefined) return false;
  const candidates = (await store.heads()).filter(
    ({ originSessionId, modifiedAt }) =>
      originSessionId === session.id && modifiedAt >= lastAt && modifiedAt <= lastAt + afterMs,
  );
  for (const { path } of candidates) {
    const memory = await store.read(path).catch(() => undefined);
    if (memory && memory.sourceMessages.length === 0) return true;
  }
  return false;
}
