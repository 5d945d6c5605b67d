// Turns Claude Code's records, fed in file order, into messages, and says whether the last turn is over.
// Records from before the position may be fed first: they give context and never become messages. Nothing is dropped
// because a field is odd; a record that can't be placed in the conversation counts as said.

import {
  blocksOf,
  contentOf,
  humanText,
  isNoReply,
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
import { isObject, type JsonObject, textField } from './json';
import {
  createChain,
  type TitleOrigin,
  type ToolUse,
  type TranscriptMessage,
  type TranscriptPosition,
  titleOrigins,
} from './transcript';

export type Title = NonNullable<TranscriptPosition['title']>;

export interface ReadingDraft {
  /** A record from before the position. */
  addEarlier(record: JsonObject): void;
  /** A record after the position; true when it brought or extended a message. `offset` is its line's. */
  add(record: JsonObject, offset: number): boolean;
  /** A record of the file's head, where a reading of new bytes looks for a title only. */
  addHead(record: JsonObject): void;
  /** Whether the file's head could give a better title than is known. */
  wantsHead(): boolean;
  /** To be called once. `fallbackAt` is the time of messages before which no record has one. */
  finish(fallbackAt: number): {
    readonly messages: readonly TranscriptMessage[];
    readonly previousAssistant: string | undefined;
    readonly sealedBy: 'record' | 'quiet' | undefined;
    readonly cwd: string | undefined;
    readonly title: Title | undefined;
  };
}

interface MessageDraft {
  readonly role: TranscriptMessage['role'];
  readonly uuids: string[];
  readonly offset: number;
  /** Its records in the chain. */
  readonly nodes: number[];
  readonly at: number | undefined;
  readonly texts: string[];
  readonly toolUses: Mutable<ToolUse>[];
  readonly userKind?: UserKind;
  readonly writtenPaths?: readonly string[];
  isNoReply: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const none: readonly never[] = [];
const titleLength = 80;

/** `whole`: everything from the file's beginning will be fed, so a parent that is not there is nowhere. */
export function createReading(options: { readonly whole: boolean; readonly title: Title | undefined }): ReadingDraft {
  const chain = createChain(options);
  const turn = createTurn();
  const drafts: MessageDraft[] = [];
  const replies = new Map<string, MessageDraft>();
  const calls = new Map<string, Mutable<ToolUse>>();
  const summaries: { text: string; leaf: string }[] = [];
  const titles = new Map<TitleOrigin, string>();
  let earlier: { id: string | undefined; texts: string[] } | undefined;
  let lastAt: number | undefined;
  let firstAt: number | undefined;
  let cwd: string | undefined;
  let roots = 0;
  let leaf = -1;
  let isNamedByHead = false;

  if (options.title) titles.set(options.title.from, options.title.text);

  function note(record: JsonObject): void {
    const at = timeOf(record);
    if (at !== undefined) {
      lastAt = at;
      firstAt ??= at;
    }
    cwd ??= textField(record, 'cwd');
  }

  /** Titles come as records of their own; a better or a later one wins. */
  function noteTitle(record: JsonObject): void {
    if (record.type !== 'custom-title' && record.type !== 'ai-title' && record.type !== 'summary') return;
    const custom = record.type === 'custom-title' ? textField(record, 'customTitle') : undefined;
    const generated = record.type === 'ai-title' ? textField(record, 'aiTitle') : undefined;
    if (custom) titles.set('custom-title', cutTitle(custom));
    if (generated) titles.set('ai-title', cutTitle(generated));
    const leafUuid = textField(record, 'leafUuid');
    const text = textField(record, 'summary');
    if (record.type === 'summary' && text && leafUuid) summaries.push({ text, leaf: leafUuid });
  }

  function notePrompt(text: string): void {
    const title = titles.has('prompt') ? '' : cutTitle(text);
    if (title !== '') titles.set('prompt', title);
  }

  function addUser(record: JsonObject, uuid: string, node: number, offset: number): boolean {
    const kind = userKind(record, false);
    if (kind === 'sidechain') return false;
    if (parentOf(record) === undefined) roots += 1;
    leaf = node;
    turn.user(kind, record);
    if (kind === 'toolResult') noteResults(record);
    const text = kind === 'human' ? textOf(contentOf(record)) : '';
    if (text) notePrompt(text);
    drafts.push(said(uuid, node, offset, text, kind));
    return true;
  }

  const said = (uuid: string, node: number, offset: number, text: string, kind: UserKind): MessageDraft => ({
    role: 'user',
    uuids: [uuid],
    offset,
    nodes: [node],
    at: lastAt,
    texts: text ? [humanText(text)] : [],
    toolUses: [],
    userKind: kind,
    isNoReply: false,
  });

  function noteResults(record: JsonObject): void {
    for (const block of blocksOf(contentOf(record))) {
      const call = typeof block.tool_use_id === 'string' ? calls.get(block.tool_use_id) : undefined;
      if (call && block.type === 'tool_result') call.outcome = block.is_error === true ? 'error' : 'ok';
    }
  }

  function addReply(record: JsonObject, uuid: string, node: number, offset: number): boolean {
    leaf = node;
    turn.reply(record);
    const id = messageId(record);
    const known = id === undefined ? undefined : replies.get(id);
    const draft: MessageDraft = known ?? {
      role: 'assistant',
      uuids: [],
      offset,
      nodes: [],
      at: lastAt,
      texts: [],
      toolUses: [],
      isNoReply: false,
    };
    if (!known) {
      drafts.push(draft);
      if (id !== undefined) replies.set(id, draft);
    }
    draft.uuids.push(uuid);
    draft.nodes.push(node);
    if (isNoReply(record)) draft.isNoReply = true;
    const content = contentOf(record);
    const text = textOf(content);
    if (text.trim() !== '') draft.texts.push(text);
    for (const block of blocksOf(content)) {
      if (block.type !== 'tool_use' || typeof block.name !== 'string') continue;
      const input = isObject(block.input) ? block.input : {};
      const filePath = textField(input, 'file_path') ?? textField(input, 'notebook_path');
      const call: Mutable<ToolUse> = { name: block.name, ...(filePath === undefined ? {} : { filePath }) };
      draft.toolUses.push(call);
      if (typeof block.id === 'string') calls.set(block.id, call);
    }
    return true;
  }

  function addMemorySaved(record: JsonObject, uuid: string, node: number, offset: number): boolean {
    const paths = record.writtenPaths;
    if (!Array.isArray(paths)) return false;
    drafts.push({
      role: 'system',
      uuids: [uuid],
      offset,
      nodes: [node],
      at: lastAt,
      texts: [],
      toolUses: [],
      writtenPaths: paths.filter((path) => typeof path === 'string'),
      isNoReply: false,
    });
    return true;
  }

  return {
    addEarlier(record) {
      note(record);
      noteTitle(record);
      if (record.isSidechain === true) return;
      if (record.type === 'user') turn.user(userKind(record, false), record);
      else if (record.type === 'system') turn.system(record);
      else if (record.type === 'assistant') {
        turn.reply(record);
        const text = textOf(contentOf(record));
        const id = messageId(record);
        if (text.trim() === '') return;
        if (earlier && id !== undefined && earlier.id === id) earlier.texts.push(text);
        else earlier = { id, texts: [text] };
      } else if (queuedCommand(record, false) !== undefined) turn.user('human', record);
    },
    add(record, offset) {
      note(record);
      noteTitle(record);
      const hasUuid = typeof record.uuid === 'string';
      const isMemorySaved = record.type === 'system' && record.subtype === 'memory_saved';
      if (!hasUuid && !isMemorySaved) return false;
      const uuid = hasUuid ? (record.uuid as string) : `${record.subtype} ${offset}`;
      const node = chain.add(uuid, parentOf(record), mustHang(record));
      if (record.isSidechain === true) return false;
      switch (record.type) {
        case 'user':
          return addUser(record, uuid, node, offset);
        case 'assistant':
          return addReply(record, uuid, node, offset);
        case 'system':
          turn.system(record);
          return isMemorySaved && addMemorySaved(record, uuid, node, offset);
        case 'attachment': {
          const content = queuedCommand(record, false);
          if (content === undefined) return false;
          turn.user('queued', record);
          const text = textOf(content);
          notePrompt(text);
          drafts.push(said(uuid, node, offset, text, 'human'));
          return true;
        }
        default:
          return false;
      }
    },
    addHead(record) {
      noteTitle(record);
      cwd ??= textField(record, 'cwd');
      if (isNamedByHead || record.type !== 'user' || userKind(record, false) !== 'human') return;
      // The file's first prompt names it, not the first new one.
      const text = cutTitle(textOf(contentOf(record)));
      isNamedByHead = text !== '';
      if (isNamedByHead) titles.set('prompt', text);
    },
    wantsHead: () => !options.whole && !options.title && [...titles.keys()].every((from) => from === 'prompt'),
    finish(fallbackAt) {
      chain.close();
      const branch = chain.branch(leaf);
      const isLive = (nodes: readonly number[]): boolean => roots > 1 || nodes.some((node) => branch[node] === 1);
      const summary = summaries.findLast(({ leaf }) => chain.has(leaf));
      if (summary) titles.set('summary', cutTitle(summary.text));
      const from = titleOrigins.find((origin) => titles.has(origin));
      return {
        messages: drafts.map((draft) => messageOf(draft, isLive(draft.nodes), draft.at ?? firstAt ?? fallbackAt)),
        previousAssistant: earlier?.texts.join('\n'),
        sealedBy: turn.sealedBy(),
        cwd,
        title: from && { from, text: titles.get(from) ?? '' },
      };
    },
  };
}

function messageOf(draft: MessageDraft, isLive: boolean, at: number): TranscriptMessage {
  const text = draft.texts.join('\n');
  return {
    uuid: draft.uuids[0] ?? '',
    ...(draft.uuids.length > 1 ? { recordUuids: draft.uuids } : {}),
    offset: draft.offset,
    role: draft.role,
    at,
    human: draft.userKind === 'human',
    text,
    live: isLive || draft.role === 'system',
    toolUses: draft.toolUses.length > 0 ? draft.toolUses : none,
    final: draft.role === 'assistant' && text !== '' && draft.toolUses.length === 0 && !draft.isNoReply,
    ...(draft.userKind ? { userKind: draft.userKind } : {}),
    ...(draft.writtenPaths ? { writtenPaths: draft.writtenPaths } : {}),
  };
}

/** A title of one line, from whatever was said. */
export function cutTitle(text: string): string {
  const line = normalText(text);
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/**
 * Whether the last turn is over. `record`: Claude Code said so, or the person interrupted it. `quiet`: the last message
 * has text and no call waits for its result; as one message is several lines, a call may still follow.
 */
function createTurn() {
  const pending = new Set<string>();
  let sealed: 'record' | 'quiet' | undefined;

  return {
    user(kind: UserKind | 'queued', record: JsonObject): void {
      switch (kind) {
        case 'toolResult':
          for (const block of blocksOf(contentOf(record))) {
            if (typeof block.tool_use_id === 'string') pending.delete(block.tool_use_id);
          }
          sealed = undefined;
          break;
        case 'interrupt':
          pending.clear();
          sealed = 'record';
          break;
        // Local commands are answered at once; no reply of the model follows their output.
        case 'commandOutput':
        case 'bash':
          sealed = pending.size === 0 ? 'quiet' : undefined;
          break;
        // Both stand beside the conversation: whether the turn goes on, the records around them say.
        case 'meta':
        case 'compactSummary':
          break;
        case 'queued':
          sealed = undefined;
          break;
        default:
          pending.clear();
          sealed = undefined;
      }
    },
    reply(record: JsonObject): void {
      const content = contentOf(record);
      for (const block of blocksOf(content)) {
        if (block.type === 'tool_use' && typeof block.id === 'string') pending.add(block.id);
      }
      const goesOn = isObject(record.message) && record.message.stop_reason === 'tool_use';
      const hasText = textOf(content).trim() !== '';
      sealed = hasText && pending.size === 0 && !goesOn ? 'quiet' : undefined;
    },
    system(record: JsonObject): void {
      if (record.subtype !== 'turn_duration' && record.subtype !== 'stop_hook_summary') return;
      pending.clear();
      sealed = 'record';
    },
    sealedBy: () => sealed,
  };
}
