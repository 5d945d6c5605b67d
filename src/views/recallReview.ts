// Recalled memories where the question was asked: one thread at that place, one comment a memory. The comments follow the
// files: who changes, forgets or brings back a memory anywhere sees it here. It changes no memory itself, and a body that
// holds a memory's words is never trusted with a command.

import {
  type Comment,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  comments,
  type Disposable,
  type Range,
  type Uri,
} from 'vscode';
import type { Origin } from '../core/git';
import type { Logger } from '../core/log';
import type { Memory } from '../core/memory/memory';
import type { RecalledMemory, Recollection } from '../core/recall/recall';
import { linksOf } from './hovers';
import { toMarkdown } from './markdown';
import type { RecalledTarget } from './recalledRows';
import { commentText, isToday, nothingText, threadTitle } from './recallTexts';
import type { Words } from './words';

export interface Place {
  readonly uri: Uri;
  readonly range: Range;
}

export interface Recalled {
  readonly project: string;
  readonly place: Place;
  readonly found: Recollection;
}

export interface RecallReview extends Disposable {
  /** Shows an answer at a place; one that stands there already goes. `fellBack` says why words decided, if a model was asked. */
  show(recalled: Recalled, fellBack: string | undefined): Promise<void>;
  /** What a thread that a command was started on is about; it may be any value. */
  of(thread: unknown): Recalled | undefined;
  close(thread: unknown): void;
  /** A person said whether a memory fits a question. */
  setLeftOut(project: string, query: string, path: string, isLeftOut: boolean): void;
  /** Draws what changed. Never rejects. */
  refresh(): Promise<void>;
  /** For tests inside a host. */
  threads(): readonly CommentThread[];
}

/** What the editor hands to a command that is started on a comment. */
interface MemoryComment extends Comment {
  target: RecalledTarget;
}

interface Shown extends Recalled {
  readonly thread: CommentThread;
  readonly entries: readonly { readonly memory: RecalledMemory; readonly comment: MemoryComment; print: string }[];
  readonly leftOut: Set<string>;
  readonly fellBack: string | undefined;
}

/** Commands that the answer without a memory links to. */
const nothingCommands = ['reverie.remember', 'reverie.recallAgain'] as const;

export function createRecallReview(options: {
  /** A memory as it is now, wherever it was moved, or what became of it. */
  readonly look: (project: string, path: string) => Promise<Memory | 'trashed' | undefined>;
  readonly isKept: (project: string, path: string) => boolean;
  /** Who wrote a memory of the team, as far as that is known. */
  readonly originOf: (project: string, path: string) => Origin | undefined;
  readonly words: Words;
  readonly log: Logger;
}): RecallReview {
  const { words, log } = options;
  const { t } = words;
  const controller = comments.createCommentController('reverie.recall', t('Memory'));
  let shown: readonly Shown[] = [];

  function nothing(found: Recollection): Comment {
    const remember = { icon: 'add', label: t('Remember This…'), command: 'reverie.remember' };
    const again = { icon: 'search', label: t('Recall Something Else…'), command: 'reverie.recallAgain' };
    const body = toMarkdown(
      [
        { text: nothingText(found, words) },
        { markdown: '\n\n' },
        linksOf(found.considered === 0 ? [remember] : [remember, again]),
      ],
      nothingCommands,
    );
    return { author: { name: t('Memory') }, body, mode: CommentMode.Preview, contextValue: 'nothing' };
  }

  const commentOf = (project: string, query: string, { path, name }: RecalledMemory): MemoryComment => ({
    author: { name },
    body: '',
    mode: CommentMode.Preview,
    target: { project, kind: 'memory', path, name, query, turn: '' },
  });

  /** Comments stay the same objects, so that the focus stays on them. */
  async function draw(one: Shown): Promise<void> {
    const { project, thread, entries, leftOut } = one;
    const now = Date.now();
    let isChanged = false;
    for (const [at, entry] of entries.entries()) {
      const { path } = entry.memory;
      let seen: Memory | 'trashed' | undefined;
      try {
        seen = await options.look(project, path);
      } catch (error) {
        // It can't be read at the moment; what is shown of it is the last that is known.
        log.warn(`A recalled memory can't be read: ${error}`);
        continue;
      }
      const memory = seen === 'trashed' ? undefined : seen;
      // A memory that was shared or made private has another path: its buttons follow it.
      if (memory) entry.comment.target = { ...entry.comment.target, path: memory.path } as RecalledTarget;
      const origin = memory && options.originOf(project, memory.path);
      const isKept = options.isKept(project, path) && isToday(memory?.verifiedAt, now);
      const text = commentText(
        entry.memory,
        { memory, isTrashed: seen === 'trashed', isLeftOut: leftOut.has(path), isKept, origin },
        at === 0 ? one.fellBack : undefined,
        words,
        now,
      );
      const print = JSON.stringify(text);
      if (print === entry.print) continue;
      entry.print = print;
      isChanged = true;
      const { comment } = entry;
      comment.author = { name: text.author };
      comment.label = text.label;
      comment.contextValue = text.context;
      comment.body = toMarkdown(text.body, [], false);
    }
    if (isChanged && shown.includes(one)) thread.comments = entries.map(({ comment }) => comment);
  }

  function drop(one: Shown | undefined): void {
    if (!one) return;
    shown = shown.filter((each) => each !== one);
    one.thread.dispose();
  }

  const byThread = (thread: unknown) => shown.find((one) => one.thread === thread);

  return {
    async show({ project, place, found }, fellBack) {
      for (const one of shown) {
        const isSame = one.place.uri.toString() === place.uri.toString();
        if (isSame && one.thread.range?.end.line === place.range.end.line) drop(one);
      }
      const thread = controller.createCommentThread(place.uri, place.range, []);
      thread.canReply = false;
      thread.label = threadTitle(found, words);
      thread.contextValue = found.memories.length === 0 ? 'nothing' : 'recalled';
      thread.state = CommentThreadState.Unresolved;
      const entries = found.memories.map((memory) => ({
        memory,
        comment: commentOf(project, found.query, memory),
        print: '',
      }));
      const one: Shown = { project, place, found, thread, entries, leftOut: new Set(), fellBack };
      shown = [...shown, one];
      if (entries.length === 0) thread.comments = [nothing(found)];
      else await draw(one);
      thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    },
    of(thread) {
      const one = byThread(thread);
      // The file may have been edited since: the thread has moved with its line.
      return one && { ...one, place: { uri: one.place.uri, range: one.thread.range ?? one.place.range } };
    },
    close: (thread) => drop(byThread(thread)),
    setLeftOut(project, query, path, isLeftOut) {
      for (const one of shown) {
        if (one.project !== project || one.found.query !== query) continue;
        if (isLeftOut) one.leftOut.add(path);
        else one.leftOut.delete(path);
      }
    },
    async refresh() {
      await Promise.all(shown.map(draw));
    },
    threads: () => shown.map(({ thread }) => thread),
    dispose() {
      shown = [];
      controller.dispose();
    },
  };
}
