// What one transcript file holds, counted: records, prompts of a person, turns, compactions. It promises exact counts for
// every file, whoever wrote it and however damaged; of another product's file it says only which product's it is.
// Counting reads the whole file in bounded memory and hands out no words, only their length and hash.

import type { Disk } from '../disk';
import { sha256 } from '../files';
import { summarizeChat } from './chatSummary';
import {
  blocksOf,
  contentOf,
  isClaudeCodeRecord,
  isCompactBoundary,
  isNoReply,
  isSubagentFile,
  messageId,
  mustHang,
  normalText,
  parentOf,
  queuedCommand,
  textOf,
  timeOf,
  type UserKind,
  userKind,
} from './claudeCodeRecords';
import { textWithoutCopy } from './claudeCodeSkim';
import { isObject, type JsonObject, textField } from './json';
import { gone, type LineValues, lineText, parseValues, readLines } from './jsonLines';
import { createChain } from './transcript';

export interface PromptSummary {
  /** ISO, as the record gives it; where that is no time, the time of the nearest record before. */
  readonly at: string | undefined;
  /** As the record has it, whatever it is. */
  readonly timestamp: unknown;
  /** Of the normal text: injected elements cut, white space runs one space, trimmed; over its UTF-8. */
  readonly sha256: string;
  /** From 1; of a chat of VS Code, whose log may hold all of it in one, always 1. */
  readonly line: number;
  /** UTF-16 units of the normal text. */
  readonly chars: number;
  readonly via: 'user' | 'queued_command';
  /** On the branch that ends at the last message; null when several roots make that impossible to tell. */
  readonly live: boolean | null;
  /** A final answer of the assistant followed. */
  readonly answered: boolean;
}

export interface SessionSummary {
  readonly file: string;
  readonly kind: 'claude-code' | 'vscode-chat' | 'foreign';
  /** Which product wrote a foreign file, as far as a look tells: `codex`, `gemini`, `cursor`, `pi`, … */
  readonly format?: string;
  /** Why a chat of another generation is not read. */
  readonly unreadable?: string;
  /** A subagent's file: never a conversation, so without prompts and turns. */
  readonly subagent: boolean;
  /** JSON objects; `nonObjects` are other values, `unparsableFragments` what is no JSON. */
  readonly records: number;
  readonly nonObjects: number;
  readonly unparsableFragments: number;
  /** The last fragment is in a last line without LF: the file ends in the middle of a record. */
  readonly tornTail: boolean;
  /** Lines with two or more objects. */
  readonly gluedLines: number;
  readonly userRecords: number;
  readonly assistantRecords: number;
  readonly otherRecords: number;
  readonly sidechainRecords: number;
  /** Distinct messages: one message of the model is one line a block. */
  readonly assistantMessages: number;
  readonly userRecordsBy: Readonly<Partial<Record<UserKind, number>>>;
  readonly humanPrompts: number;
  /** Texts delivered during a turn that stand only in the queue's records, as older versions wrote them. */
  readonly queuedPrompts: number;
  readonly queued: readonly { readonly line: number; readonly sha256: string; readonly chars: number }[];
  /** Human prompts that got a final answer. */
  readonly turns: number;
  readonly compactions: number;
  readonly microCompactions: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly prompts?: readonly PromptSummary[];
}

/** Counts a transcript. Throws `MemoryError` `not_found` when there is no such file. */
export async function summarizeTranscript(
  disk: Disk,
  file: string,
  options: { readonly prompts?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SessionSummary> {
  const stat = await disk.stat(file);
  if (stat?.kind !== 'file') throw gone(file);
  const chat = await summarizeChat(disk, file, stat, options);
  if (chat) return chat;
  const tally = createTally(file);
  let line = 0;
  await readLines(disk, file, { from: 0, stat, signal: options.signal }, (bytes, offset, _end, hasEnd) => {
    line += 1;
    const { values, hasFragment } = valuesOn(bytes, offset);
    tally.addLine(line, values, hasFragment, hasEnd);
  });
  return tally.summary(options.prompts ?? false);
}

function valuesOn(line: Buffer, offset: number): LineValues {
  const short = textWithoutCopy(line);
  const found = short === undefined ? undefined : parseValues(short);
  return found && !found.hasFragment && found.values.length === 1 ? found : parseValues(lineText(line, offset));
}

interface Prompt {
  readonly node: number;
  readonly summary: Omit<PromptSummary, 'live' | 'answered'>;
}

/** What the records of one assistant message say together. */
interface Reply {
  /** Where its chain of parents begins; -1 when none of its records has a uuid. */
  node: number;
  hasText: boolean;
  isOut: boolean;
}

const endsSearch = new Set<UserKind>(['planHandOff', 'command', 'skill', 'notification']);
const prompt = 1;
const noPrompt = 2;

function createTally(file: string) {
  const subagent = isSubagentFile(file);
  const chain = createChain({ whole: true });
  /** By record index in the chain: whether a search for the prompt ends there, and with which result. */
  const marks: number[] = [];
  const replies = new Map<string, Reply>();
  const prompts: Prompt[] = [];
  const by: Partial<Record<UserKind, number>> = {};
  const queue: { line: number; text: string }[] = [];
  const delivered: { line: number; text: string }[] = [];
  const said = new Set<string>();
  const count = { records: 0, nonObjects: 0, fragments: 0, glued: 0, user: 0, assistant: 0, side: 0 };
  let tornTail = false;
  let own = false;
  let format: string | undefined;
  let roots = 0;
  let leaf = -1;
  let boundaries = 0;
  let microBoundaries = 0;
  let lastTime: string | undefined;
  let first: { at: number; text: string } | undefined;
  let last: { at: number; text: string } | undefined;

  function addRecord(record: JsonObject, line: number): void {
    count.records += 1;
    if (record.isSidechain === true) count.side += 1;
    const at = timeOf(record);
    if (at !== undefined) {
      lastTime = record.timestamp as string;
      if (!first || at < first.at) first = { at, text: lastTime };
      if (!last || at > last.at) last = { at, text: lastTime };
    }
    if (isClaudeCodeRecord(record)) own = true;
    else if (!own) format ??= formatOf(record);

    const node = typeof record.uuid === 'string' ? chain.add(record.uuid, parentOf(record), mustHang(record)) : -1;
    const mark = (value: number): void => {
      if (node >= 0) marks[node] = value;
    };
    switch (record.type) {
      case 'user':
        mark(addUser(record, line, node));
        break;
      case 'assistant':
        addReply(record, node);
        break;
      case 'attachment': {
        const content = queuedCommand(record, subagent);
        if (content === undefined) break;
        addPrompt(record, textOf(content), line, 'queued_command', node);
        mark(prompt);
        break;
      }
      case 'system':
        if (isCompactBoundary(record)) boundaries += 1;
        if (record.subtype === 'microcompact_boundary') microBoundaries += 1;
        break;
      case 'queue-operation':
        moveQueue(record, line);
        break;
    }
    if ((record.type === 'user' || record.type === 'assistant') && record.isSidechain !== true && node >= 0)
      leaf = node;
  }

  function addUser(record: JsonObject, line: number, node: number): number {
    count.user += 1;
    const kind = userKind(record, subagent);
    by[kind] = (by[kind] ?? 0) + 1;
    if (kind !== 'sidechain' && parentOf(record) === undefined) roots += 1;
    if (kind === 'human') {
      addPrompt(record, textOf(contentOf(record)), line, 'user', node);
      return prompt;
    }
    if (queue.length + delivered.length > 0 && kind !== 'toolResult') said.add(normalText(textOf(contentOf(record))));
    return endsSearch.has(kind) ? noPrompt : 0;
  }

  function addPrompt(record: JsonObject, text: string, line: number, via: PromptSummary['via'], node: number): void {
    const normal = normalText(text);
    said.add(normal);
    prompts.push({
      node,
      summary: { at: lastTime, timestamp: record.timestamp, sha256: sha256(normal), line, chars: normal.length, via },
    });
  }

  function addReply(record: JsonObject, node: number): void {
    count.assistant += 1;
    const id = messageId(record) ?? `${count.assistant}`;
    const reply = replies.get(id) ?? { node: -1, hasText: false, isOut: false };
    replies.set(id, reply);
    if (node >= 0) reply.node = node;
    const content = contentOf(record);
    if (textOf(content).trim() !== '') reply.hasText = true;
    const usesTool = blocksOf(content).some((block) => block.type === 'tool_use');
    if (usesTool || subagent || record.isSidechain === true || isNoReply(record)) reply.isOut = true;
  }

  function moveQueue(record: JsonObject, line: number): void {
    const { operation } = record;
    if (operation === 'enqueue') queue.push({ line, text: normalText(textField(record, 'content') ?? '') });
    else if (operation === 'popAll') queue.length = 0;
    else if (operation === 'dequeue' || operation === 'remove') {
      const item = queue.shift();
      const isTyped = operation === 'remove' && item && item.text !== '' && !/^[</!#]/.test(item.text);
      if (isTyped && !subagent) delivered.push(item);
    }
  }

  function answered(): ReadonlySet<number> {
    const nearest = chain.nearest((node) => (marks[node] ?? 0) !== 0);
    const nodes = new Set<number>();
    for (const reply of replies.values()) {
      if (reply.isOut || !reply.hasText || reply.node < 0) continue;
      const found = nearest(reply.node);
      if (found >= 0 && marks[found] === prompt) nodes.add(found);
    }
    return nodes;
  }

  return {
    addLine(line: number, values: readonly unknown[], hasFragment: boolean, hasEnd: boolean): void {
      let objects = 0;
      for (const value of values) {
        if (isObject(value)) {
          objects += 1;
          addRecord(value, line);
        } else {
          count.nonObjects += 1;
          // A pretty-printed object, line by line.
          if (value === 'projectHash') format ??= 'gemini';
        }
      }
      if (objects > 1) count.glued += 1;
      if (hasFragment) {
        count.fragments += 1;
        tornTail = !hasEnd;
      }
    },
    summary(withPrompts: boolean): SessionSummary {
      chain.close();
      const nodes = answered();
      const branch = chain.branch(leaf);
      const queued = delivered.filter((item) => !said.has(item.text));
      const summaries = prompts.map(({ node, summary }) => ({
        ...summary,
        at: summary.at ?? first?.text,
        live: roots > 1 ? null : branch[node] === 1,
        answered: nodes.has(node),
      }));
      return {
        file,
        kind: own ? 'claude-code' : format === 'vscode-chat' ? 'vscode-chat' : 'foreign',
        ...(own ? {} : { format: format ?? 'unknown' }),
        subagent,
        records: count.records,
        nonObjects: count.nonObjects,
        unparsableFragments: count.fragments,
        tornTail,
        gluedLines: count.glued,
        userRecords: count.user,
        assistantRecords: count.assistant,
        otherRecords: count.records - count.user - count.assistant,
        sidechainRecords: count.side,
        assistantMessages: replies.size,
        userRecordsBy: by,
        humanPrompts: own ? summaries.length : 0,
        queuedPrompts: own ? queued.length : 0,
        queued: own ? queued.map(({ line, text }) => ({ line, sha256: sha256(text), chars: text.length })) : [],
        turns: own ? nodes.size : 0,
        compactions: boundaries || (by.compactSummary ?? 0),
        microCompactions: microBoundaries,
        ...(first ? { firstTimestamp: first.text } : {}),
        ...(last ? { lastTimestamp: last.text } : {}),
        ...(withPrompts ? { prompts: own ? summaries : [] } : {}),
      };
    },
  };
}

/** Which other product an object looks like; undefined when it could be anyone's. */
export function formatOf(record: JsonObject): string | undefined {
  const { type } = record;
  if (isObject(record.payload) && /^(?:session_meta|response_item|event_msg|turn_context|compacted)$/.test(`${type}`))
    return 'codex';
  if (typeof record.projectHash === 'string' || type === 'gemini') return 'gemini';
  if (record.kind === 0 && isObject(record.v) && Array.isArray(record.v.requests)) return 'vscode-chat';
  if (Array.isArray(record.requests) && typeof record.version === 'number') return 'vscode-chat';
  if (type === 'session.start' && isObject(record.data)) return 'copilot';
  if (type === 'session' && typeof record.version === 'number') return 'pi';
  if (typeof record.role === 'string' && record.message !== undefined && record.uuid === undefined) return 'cursor';
  return undefined;
}
