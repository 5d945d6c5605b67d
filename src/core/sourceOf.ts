// From a memory back to the words it came from: the line of a daily log that a dream distilled it from, else the line of the
// transcript that holds the message. Both are only read, and one that is gone is no error.

import { join } from 'node:path';
import { findLogLine } from './assistant';
import type { Disk } from './disk';
import type { DailyLogs } from './logs/dailyLogs';
import type { MemoryStore } from './memory/memoryStore';
import { findSource, type SourceHint, type SourceMessage } from './sessions/sourceMessage';

export interface SourceOf {
  sourceMessage(path: string): Promise<SourceMessage | undefined>;
  /** `session` may be a line of a daily log: `logs/…#3f9a2c1b0d4e`. */
  findSource(hint: SourceHint): Promise<SourceMessage | undefined>;
}

/** `files`: those that a session's words may lie in, there or not. */
export function createSourceOf(options: {
  readonly memoryDir: string;
  readonly store: MemoryStore;
  readonly logs: DailyLogs;
  readonly files: (session: string) => readonly string[];
  readonly disk: Disk;
}): SourceOf {
  const { store, logs, disk } = options;

  async function find(hint: SourceHint): Promise<SourceMessage | undefined> {
    if (!hint.session.startsWith('logs/')) return findSource(disk, options.files(hint.session), hint);
    const found = await findLogLine(logs, hint.session);
    return found && { file: join(options.memoryDir, ...found.path.split('/')), line: found.line };
  }

  return {
    findSource: find,
    async sourceMessage(path) {
      const memory = await store.read(path);
      // The newest: what was said last is what a memory says now.
      for (const session of [...(memory?.sourceLogs ?? [])].reverse()) {
        const found = session.startsWith('logs/') ? await find({ session, messages: [], path }) : undefined;
        if (found) return found;
      }
      if (!memory?.originSessionId) return undefined;
      const { originSessionId: session, sourceMessages: messages } = memory;
      return /^[\w-]+$/.test(session) ? find({ session, messages, path }) : undefined;
    },
  };
}
