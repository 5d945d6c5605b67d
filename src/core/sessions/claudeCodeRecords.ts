// Claude Code's transcript records: which objects are its own, what each user record is, which words are a person's.
// Pure functions over parsed JSON that a stranger wrote: every field may be absent or of any type. The definitions are
// those that independent readers agree on; a person's words are never guessed from tool output or injected text.

import { isObject, type JsonObject, textField } from './json';

export type UserKind =
  | 'human'
  | 'sidechain'
  | 'toolResult'
  | 'compactSummary'
  | 'meta'
  | 'malformed'
  | 'planHandOff'
  | 'interrupt'
  | 'command'
  | 'commandOutput'
  | 'bash'
  | 'notification'
  | 'skill'
  | 'otherOrigin'
  | 'empty';

const chained = new Set(['user', 'assistant', 'system', 'progress', 'attachment']);

/** Whether an object was written by Claude Code. A file without a single one is another product's. */
export function isClaudeCodeRecord(record: JsonObject): boolean {
  const type = textField(record, 'type');
  if (type === undefined) return false;
  if (chained.has(type)) return typeof record.uuid === 'string' && typeof record.sessionId === 'string';
  return type === 'file-history-snapshot' || (type === 'summary' && typeof record.leafUuid === 'string');
}

/**
 * Whether a file belongs to a subagent: those repeat their parent's words and are never a conversation. They lie in a
 * session's `subagents` folder or in one below it; older ones beside the sessions.
 */
export function isSubagentFile(file: string): boolean {
  const parts = file.split(/[\\/]/);
  const above = parts.slice(-4, -1);
  const at = above.lastIndexOf('subagents');
  // A person's own folder of that name, with the configuration in it, is no session's.
  const isOfSession = at >= 0 && above[at + 1] !== 'projects';
  return isOfSession || (parts.at(-1) ?? '').startsWith('agent-');
}

/** The content of a record's message; undefined when there is no message object. */
export function contentOf(record: JsonObject): unknown {
  return isObject(record.message) ? record.message.content : undefined;
}

/** Content blocks that are objects; none for a string. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** A string content, or the text blocks and bare strings of a list, joined by LF. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: string[] = [];
  for (const block of content) {
    if (typeof block === 'string') parts.push(block);
    else if (isObject(block) && block.type === 'text' && typeof block.text === 'string') parts.push(block.text);
  }
  return parts.join('\n');
}

const injected = ['system-reminder', 'ide_opened_file', 'ide_selection', 'ide_diagnostics'] as const;

/** Elements that the harness put between a person's words, each replaced by a space. Linear whatever the text. */
function cutInjected(text: string): string {
  if (!text.includes('<')) return text;
  let rest = text;
  for (const name of injected) {
    const open = `<${name}>`;
    const close = `</${name}>`;
    let from = rest.indexOf(open);
    if (from < 0) continue;
    const parts: string[] = [];
    let at = 0;
    while (from >= 0) {
      const end = rest.indexOf(close, from);
      if (end < 0) break;
      parts.push(rest.slice(at, from), ' ');
      at = end + close.length;
      from = rest.indexOf(open, at);
    }
    parts.push(rest.slice(at));
    rest = parts.join('');
  }
  return rest;
}

/** What prompts are compared and counted by: injected elements cut, every run of white space one space, trimmed. */
export const normalText = (text: string): string => cutInjected(text).replace(/\s+/g, ' ').trim();

/** A person's words to learn from: injected elements cut, line breaks kept. */
export const humanText = (text: string): string => cutInjected(text).trim();

const beginnings: readonly (readonly [UserKind, RegExp])[] = [
  ['interrupt', /^\[Request interrupted by user/],
  ['command', /^<command-(?:name|message|args|contents)>/],
  ['commandOutput', /^(?:<local-command-(?:stdout|stderr|caveat)>|Caveat: The messages below were generated)/],
  ['bash', /^<bash-(?:input|stdout|stderr)>/],
  ['notification', /^<(?:task-notification|agent-notification|teammate-message)/],
  ['planHandOff', /^Implement the following plan:/],
  ['compactSummary', /^This session is being continued from a previous conversation/],
  ['skill', /^Base directory for this skill:/],
];

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Whose words a user record holds: the first rule that fits decides, fields before texts. */
export function userKind(record: JsonObject, isSubagent: boolean): UserKind {
  if (isSubagent || record.isSidechain === true) return 'sidechain';
  const content = contentOf(record);
  const blocks = blocksOf(content);
  if (blocks.some((block) => block.type === 'tool_result')) return 'toolResult';
  if (isSet(record.toolUseResult) && typeof content !== 'string') return 'toolResult';
  if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true) return 'compactSummary';
  if (record.isMeta === true) return 'meta';
  if (typeof content !== 'string' && !Array.isArray(content)) return 'malformed';
  if (isSet(record.toolUseResult)) return 'toolResult';
  if (record.planContent) return 'planHandOff';
  return kindOfText(textOf(content), blocks, originOf(record));
}

function kindOfText(text: string, blocks: readonly JsonObject[], origin: unknown): UserKind {
  const normal = normalText(text);
  for (const [kind, beginning] of beginnings) if (beginning.test(normal)) return kind;
  if (isSet(origin) && origin !== 'human') return 'otherOrigin';
  const hasContent = normal !== '' || blocks.some((block) => block.type === 'image' || block.type === 'document');
  return hasContent ? 'human' : 'empty';
}

const originOf = (record: JsonObject): unknown => (isObject(record.origin) ? record.origin.kind : undefined);

/**
 * The content of a prompt that a person typed while the agent was working, or undefined when the record is something
 * else. The same kind of record also carries notifications and what other agents said.
 */
export function queuedCommand(record: JsonObject, isSubagent: boolean): unknown {
  const attachment = record.attachment;
  if (record.type !== 'attachment' || !isObject(attachment) || attachment.type !== 'queued_command') return undefined;
  if (isSubagent || record.isSidechain === true || record.isMeta === true || attachment.isMeta === true)
    return undefined;
  const mode = attachment.commandMode;
  if (isSet(mode) && mode !== 'prompt') return undefined;
  const { prompt } = attachment;
  if (typeof prompt !== 'string' && !Array.isArray(prompt)) return undefined;
  const kind = kindOfText(textOf(prompt), blocksOf(prompt), originOf(attachment) ?? originOf(record));
  return kind === 'human' ? prompt : undefined;
}

/** What a record names as its parent: after a compaction only the logical one is given. */
export function parentOf(record: JsonObject): string | undefined {
  return textField(record, 'parentUuid') ?? textField(record, 'logicalParentUuid');
}

/** Whether a record that names no parent hangs below the one before it: only a person begins a conversation. */
export const mustHang = (record: JsonObject): boolean => record.type === 'assistant' || isCompactBoundary(record);

export const isCompactBoundary = (record: JsonObject): boolean =>
  record.type === 'system' && record.subtype === 'compact_boundary';

/** Whether an assistant record is Claude Code's own text and no model's: an error, or a stand-in for a reply. */
export const isNoReply = (record: JsonObject): boolean =>
  record.isApiErrorMessage === true || (isObject(record.message) && record.message.model === '<synthetic>');

/** What all records of one assistant message share; undefined for one that stands alone. */
export const messageId = (record: JsonObject): string | undefined =>
  isObject(record.message) ? textField(record.message, 'id') : undefined;

/** Milliseconds of a record's own time; undefined when it has none that is a time. */
export function timeOf(record: JsonObject): number | undefined {
  const { timestamp } = record;
  if (typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(timestamp)) return undefined;
  const at = Date.parse(timestamp);
  return Number.isFinite(at) ? at : undefined;
}
