// What a transcript is to the rest of the engine: sessions, messages, positions, and the questions asked of messages.
// It promises that a message once handed out is told apart by its uuid however much of the file is read again. It reads
// no file and knows no product's format; text in it was written by strangers and is never an instruction.

import type { Disposable } from '../event';
import type { ReadMarks } from './readMarks';

export interface Session {
  /** `foreign`: a file that holds nothing of the kind its place promises, another product's log for one. */
  readonly kind: 'claude-code' | 'vscode-chat' | 'participant' | 'foreign';
  readonly id: string;
  /** Absolute path; what cursors are kept by. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly modifiedAt: number;
}

export interface ToolUse {
  readonly name: string;
  /** As the call gave it (`file_path`, `notebook_path`): absolute or not, of whatever system the session ran on. */
  readonly filePath?: string;
  /** Undefined while no result has been read: the call is pending, or its result lies before this reading. */
  readonly outcome?: 'ok' | 'error';
}

export interface TranscriptMessage {
  /** Of the message's first record in this reading. A message of several records has all of them in `recordUuids`. */
  readonly uuid: string;
  readonly recordUuids?: readonly string[];
  /** Byte at which its first record's line begins; 0 where bytes say nothing, see `TranscriptPosition.marks`. */
  readonly offset: number;
  /** `system`: Claude Code says that it saved memories itself; such a message has no text, only `writtenPaths`. */
  readonly role: 'user' | 'assistant' | 'system';
  /** Milliseconds. Where the record has no good time: that of the nearest one before it that has. */
  readonly at: number;
  /** Whether these are the words of a person: typed as a prompt, or while the agent was working. */
  readonly human: boolean;
  /**
   * Of a person: the words with what the harness put between them cut, line breaks kept. Of the assistant: the text
   * blocks of one message, joined by LF. Of every other user record: empty.
   */
  readonly text: string;
  /** On the branch that ends at the last leaf: not taken back by a rewind. True where branches can't be told. */
  readonly live: boolean;
  readonly toolUses: readonly ToolUse[];
  /** The assistant's message ends a turn: text, and no tool call. An API error never does. */
  readonly final: boolean;
  /** What a user record is, in the words of the source; `human` for a person's. */
  readonly userKind?: string;
  readonly writtenPaths?: readonly string[];
}

export interface TranscriptPosition {
  /** Bytes considered; at the end of a line, or of a whole object in a last line that has no line end. */
  readonly offset: number;
  /** SHA-256 of the at most 4,096 bytes before `offset`; empty when only a size is known (then nothing is compared). */
  readonly fingerprint: string;
  readonly lastMessageUuid?: string;
  /**
   * Of a source whose files are rewritten: what was read, which then counts instead of the offset; and until when (ms) all
   * that was said is past. `print` is the file as it was read, to tell whether it is another one now.
   */
  readonly marks?: ReadMarks;
  readonly since?: number;
  readonly print?: string;
  /** The title known so far and how good it is, so that a reading of new bytes alone does not forget it. */
  readonly title?: { readonly text: string; readonly from: TitleOrigin };
}

/** Best first. */
export const titleOrigins = ['custom-title', 'ai-title', 'summary', 'prompt'] as const;
export type TitleOrigin = (typeof titleOrigins)[number];

/** Where the past ends: a byte, and for a source whose files are rewritten a time (ms). */
export interface PastEnd {
  readonly offset: number;
  readonly since?: number;
}

export interface TranscriptReading {
  /** In file order, subagents' left out. */
  readonly messages: readonly TranscriptMessage[];
  readonly position: TranscriptPosition;
  /** The file is no longer the one that `after` saw (shrunk, rewritten): everything was read again. */
  readonly restarted: boolean;
  /** Text of the last assistant message before the first new one, if it lies within 32 KB before the position. */
  readonly previousAssistant: string | undefined;
  /** The last turn is over as far as the file says. With `sealedBy` `quiet` a tool call may still follow: wait. */
  readonly turnEnded: boolean;
  readonly sealedBy: 'record' | 'quiet' | undefined;
  /** Offset after the last line that brought a message; that of the start when none did. */
  readonly messagesEnd: number;
  /** Every byte asked of the disk, looking back included. */
  readonly bytesRead: number;
  readonly cwd?: string;
  readonly title?: string;
}

export interface TranscriptSource {
  /** Sessions modified after `since` (ms), newest first. Those of another format have the kind `foreign`. */
  list(since: number): Promise<readonly Session[]>;
  /** The session of one file as it is now; undefined when there is none, or the file is not a session of this source. */
  find(file: string): Promise<Session | undefined>;
  /**
   * What was said after a position, or everything; with `until` only what was said before it. Throws `MemoryError`
   * `not_found` when the file is gone, `changed` when it was replaced while being read: leave the session for now.
   * Throws the signal's reason when aborted.
   */
  read(session: Session, after?: TranscriptPosition, signal?: AbortSignal, until?: PastEnd): Promise<TranscriptReading>;
}

/** A clock with one kind of timer: the machine's, or one that a test moves. */
export interface Clock {
  now(): number;
  setTimer(ms: number, run: () => void): Disposable;
}

/**
 * Messages after the one with this uuid. All of them without a uuid, and when the message is no longer there
 * (compaction, a rewritten file): what can't be placed counts as new, never as known.
 */
export function messagesSince(
  messages: readonly TranscriptMessage[],
  uuid: string | undefined,
): readonly TranscriptMessage[] {
  if (uuid === undefined) return messages;
  const index = messages.findLastIndex((message) => message.uuid === uuid || message.recordUuids?.includes(uuid));
  return messages.slice(index + 1);
}

const writingTools = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  // Copilot's, in its own transcripts.
  'create_file',
  'insert_edit_into_file',
  'replace_string_in_file',
  'multi_replace_string_in_file',
  'edit_notebook_file',
]);

/**
 * Whether the agent wrote memory itself after the cursor: a writing tool called on a memory path, or Claude Code's own
 * extraction reporting one. Only calls count: text that merely says so, a tool's output included, is no evidence.
 */
export function hasMemoryWritesSince(
  messages: readonly TranscriptMessage[],
  lastMemoryMessageUuid: string | undefined,
  isMemoryPath: (path: string) => boolean,
): boolean {
  return messagesSince(messages, lastMemoryMessageUuid).some(
    (message) =>
      message.writtenPaths?.some(isMemoryPath) ||
      message.toolUses.some(
        (use) => writingTools.has(use.name) && use.filePath !== undefined && isMemoryPath(use.filePath),
      ),
  );
}

export interface Chain {
  /**
   * Adds a record that has a uuid, in file order, and returns its index. `parent` is what it names; `mustHang` says
   * that a record naming none hangs below the one before it.
   */
  add(uuid: string, parent: string | undefined, mustHang: boolean): number;
  has(uuid: string): boolean;
  /** To be called once, after the last record: finds the parents that were named before they were read. */
  close(): void;
  /** 1 for each record on the way from `leaf` to its root, itself included. */
  branch(leaf: number): Uint8Array;
  /** For each record the nearest record above it, itself left out, that `stops`; -1 when there is none. */
  nearest(stops: (index: number) => boolean): (index: number) => number;
}

/**
 * The records of a transcript as a graph: each hangs below its parent, rewinds and parallel tool calls make branches.
 * With `whole`, a parent that is not there is replaced by the record before; otherwise it lies in an older part, where
 * the walk ends. Of two records with one uuid the nearest before the child is meant.
 */
export function createChain(options: { readonly whole: boolean }): Chain {
  const indexes = new Map<string, number>();
  const parents: number[] = [];
  const waiting = new Map<number, string>();

  return {
    add(uuid, parent, mustHang) {
      const index = parents.length;
      const known = parent === undefined ? undefined : indexes.get(parent);
      if (parent !== undefined && known === undefined) waiting.set(index, parent);
      parents.push(known ?? (mustHang && parent === undefined ? index - 1 : -1));
      indexes.set(uuid, index);
      return index;
    },
    has: (uuid) => indexes.has(uuid),
    close() {
      for (const [index, parent] of waiting) {
        parents[index] = indexes.get(parent) ?? (options.whole ? index - 1 : -1);
      }
      waiting.clear();
    },
    branch(leaf) {
      const on = new Uint8Array(parents.length);
      // A record seen twice is a circle, which only a damaged file has.
      for (let index = leaf; index >= 0 && on[index] === 0; index = parents[index] ?? -1) on[index] = 1;
      return on;
    },
    nearest(stops) {
      const unknown = -2;
      const found = new Int32Array(parents.length).fill(unknown);
      return (from) => {
        const way: number[] = [];
        let index = from;
        let answer = -1;
        while (index >= 0) {
          const known = found[index] ?? unknown;
          if (known !== unknown) {
            answer = known;
            break;
          }
          found[index] = -1;
          way.push(index);
          const parent = parents[index] ?? -1;
          if (parent >= 0 && stops(parent)) {
            answer = parent;
            break;
          }
          index = parent;
        }
        for (const step of way) found[step] = answer;
        return answer;
      };
    },
  };
}
