// Recall of one project: its index, what each conversation was given already, and the engine over both. Starts nothing by
// itself; the first question brings the index up to date, and from then on changes do, as long as they are watched for.

import { join } from 'node:path';
import type { Disk } from '../disk';
import type { Disposable } from '../event';
import type { Logger } from '../log';
import type { MemoryStore } from '../memory/memoryStore';
import { openKeptIndex } from './keptIndex';
import { openNotRelevant } from './notRelevant';
import { findRelevantMemories, type RecallOptions, type Recollection, type SelectMemories } from './recall';
import { openSurfaced } from './surfaced';

export interface ProjectRecallOptions extends RecallOptions {
  /** Its id: what it was given before is not given again, and in all it is given 60 KB at most. */
  readonly conversation?: string;
  /** By words only, whatever model was chosen: where nothing may be sent and nobody waits. */
  readonly lexical?: boolean;
}

export interface Recall extends Disposable {
  /** Rejects when the memory folder can't be listed, or when the signal is aborted. */
  recall(query: string, options?: ProjectRecallOptions): Promise<Recollection>;
  /** *Not relevant*: this memory does not fit this question. `relevant` takes it back. Rejects when it can't be kept. */
  markRelevance(path: string, query: string, relevant: boolean): Promise<void>;
  /** A conversation was compacted: what it was given is gone from it. */
  forgetConversation(conversation: string): Promise<void>;
  /** Memories changed. Does nothing before the first question. */
  changed(paths: readonly string[] | undefined): void;
}

/** `stateDir` is our own state of this project; what is kept lies in `recall/` below it. */
export function openRecall(options: {
  readonly stateDir: string;
  readonly store: Pick<MemoryStore, 'heads' | 'read' | 'revision'>;
  /** Asked for each question; without one, words decide. */
  readonly selector?: () => Promise<SelectMemories | undefined>;
  /** How long a model may take to choose, milliseconds. */
  readonly timeoutMs?: () => number;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}): Recall {
  const { store, disk, now, log } = options;
  const folder = join(options.stateDir, 'recall');
  const index = openKeptIndex({ folder, store, disk, log });
  const notRelevant = openNotRelevant({ folder, disk });
  const surfaced = openSurfaced({ folder, disk, log });

  return {
    async recall(query, { conversation, lexical = false, ...asked } = {}) {
      const [heads, marks, alreadySurfaced, select] = await Promise.all([
        index.heads(),
        notRelevant.for(query),
        conversation === undefined ? undefined : surfaced.of(conversation),
        lexical ? undefined : options.selector?.(),
      ]);
      const found = await findRelevantMemories(
        query,
        {
          heads,
          search: index.search,
          read: store.read,
          deadline: index.deadline,
          marks,
          now: now(),
          ...(alreadySurfaced ? { alreadySurfaced } : {}),
        },
        {
          ...(options.timeoutMs ? { timeoutMs: options.timeoutMs() } : {}),
          ...(select ? { select } : {}),
          ...asked,
        },
      );
      if (conversation !== undefined) {
        const given = found.memories.map(({ path, content }) => ({ path, bytes: Buffer.byteLength(content) }));
        await surfaced.add(conversation, given);
      }
      return found;
    },
    markRelevance: (path, query, relevant) =>
      relevant ? notRelevant.unmark(path, query) : notRelevant.mark(path, query),
    forgetConversation: surfaced.clear,
    changed: index.changed,
    dispose: index.dispose,
  };
}
