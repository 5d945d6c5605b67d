// Recall of one project: its index, what each conversation was given already, and the engine over both. Starts nothing by
// itself; the first question brings the index up to date, and from then on changes do, as long as they are watched for.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { createEmitter, type Disposable, type Event } from '../event';
import type { Logger } from '../log';
import type { MemoryStore } from '../memory/memoryStore';
import { openKeptIndex } from './keptIndex';
import { openNotRelevant } from './notRelevant';
import { findRelevantMemories, type RecallOptions, type Recollection, type SelectMemories } from './recall';
import { openRecalled, type RecallRecord, type RecallWay } from './recalled';
import { openSurfaced } from './surfaced';

export interface ProjectRecallOptions extends RecallOptions {
  /** Its id: what it was given before is not given again, and in all it is given 60 KB at most. */
  readonly conversation?: string;
  /** By words only, whatever model was chosen: where nothing may be sent and nobody waits. */
  readonly lexical?: boolean;
  /** By which way it was asked: it is then noted among what was recalled. */
  readonly way?: RecallWay;
}

/** What was brought back once, with what a person said of it since. */
export interface RecalledTurn extends RecallRecord {
  /** Paths of those that a person said do not fit this question. */
  readonly leftOut: readonly string[];
}

export interface Recall extends Disposable {
  /** Rejects when the memory folder can't be listed, or when the signal is aborted. */
  recall(query: string, options?: ProjectRecallOptions): Promise<Recollection>;
  /** *Not relevant*: this memory does not fit this question. `relevant` takes it back. Rejects when it can't be kept. */
  markRelevance(path: string, query: string, relevant: boolean): Promise<void>;
  /** A conversation was compacted: what it was given is gone from it. */
  forgetConversation(conversation: string): Promise<void>;
  /** What was brought back lately, newest first. Rejects when our own state can't be read. */
  recalled(): Promise<readonly RecalledTurn[]>;
  /** Forgets what was brought back; memories and marks stay. */
  clearRecalled(): Promise<void>;
  readonly onDidChangeRecalled: Event<void>;
  /** An entry of the state folder changed. */
  heard(name: string | undefined): void;
  /** Memories changed. Does nothing before the first question. */
  changed(paths: readonly string[] | undefined): void;
}

/** `stateDir` is our own state of this project; what is kept lies in `recall/` below it. */
export function openRecall(options: {
  readonly stateDir: string;
  readonly store: Pick<MemoryStore, 'heads' | 'isSettled' | 'read' | 'revision'>;
  /** Asked for each question; without one, words decide. */
  readonly selector?: () => Promise<SelectMemories | undefined>;
  /** One question will be asked, and somebody waits for it with the whole process. */
  readonly once?: boolean;
  /** How long a model may take to choose, milliseconds. */
  readonly timeoutMs?: () => number;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}): Recall {
  const { store, disk, now, log } = options;
  const folder = join(options.stateDir, 'recall');
  const index = openKeptIndex({ folder, store, disk, log, once: options.once ?? false });
  const notRelevant = openNotRelevant({ folder, disk });
  const surfaced = openSurfaced({ folder, disk, log });
  const recalled = openRecalled({ folder: options.stateDir, disk, now, log });
  const marked = createEmitter<void>((error) => log.warn(`What was recalled can't be shown: ${error}`));

  return {
    async recall(query, { conversation, lexical = false, way, ...asked } = {}) {
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
      if (way !== undefined) await recalled.add(found, way, asked.automatic ?? false);
      return found;
    },
    async markRelevance(path, query, relevant) {
      await (relevant ? notRelevant.unmark(path, query) : notRelevant.mark(path, query));
      marked.fire();
    },
    async recalled() {
      const [records, isMarked] = await Promise.all([recalled.all(), notRelevant.marked()]);
      return records.map((record) => ({
        ...record,
        leftOut: record.memories.map(({ path }) => path).filter((path) => isMarked(path, record.query)),
      }));
    },
    clearRecalled: recalled.clear,
    onDidChangeRecalled(listener) {
      const both = [recalled.onDidChange(listener), marked.event(listener)];
      return { dispose: () => both.forEach((each) => void each.dispose()) };
    },
    heard: recalled.heard,
    forgetConversation: surfaced.clear,
    changed: index.changed,
    dispose: index.dispose,
  };
}
