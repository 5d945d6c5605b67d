// Which tools the assistant used lately, by the end of its transcript. Only names are taken: what was said and what a tool
// answered is passed over unread. A transcript that is absent, cut or another product's has used no tools.

import { isAbsolute } from 'node:path';
import type { Disk } from '../disk';
import { isObject } from '../sessions/json';

const messagesLookedAt = 10;
/** Ten messages with what their tools answered; a longer end is looked at as far as this. */
const tailBytes = 524_288;

/** Tool names of the last ten assistant messages, the newest first, each once. Never rejects. */
export async function readRecentTools(transcript: string | undefined, disk: Disk): Promise<readonly string[]> {
  if (transcript === undefined || !isAbsolute(transcript) || !transcript.endsWith('.jsonl')) return [];
  try {
    const stat = await disk.stat(transcript);
    if (stat?.kind !== 'file') return [];
    const from = Math.max(0, stat.size - tailBytes);
    const tail = await disk.readRange(transcript, from, tailBytes);
    return tail ? recentTools(tail.bytes.toString('utf8')) : [];
  } catch {
    return [];
  }
}

/** As `readRecentTools`, of the end of a transcript; a first line that is cut is passed over. */
export function recentTools(tail: string): readonly string[] {
  const messages = new Set<string>();
  const names = new Set<string>();
  for (const line of tail.split('\n').reverse()) {
    // Most of a transcript's bytes are results of tools: not parsed.
    if (!line.includes('"assistant"')) continue;
    const message = assistantMessage(line);
    if (!message) continue;
    // One message may be several lines, which share its id.
    messages.add(message.id);
    if (messages.size > messagesLookedAt) break;
    for (const name of message.tools) names.add(name);
  }
  return [...names];
}

function assistantMessage(line: string): { readonly id: string; readonly tools: readonly string[] } | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(record) || record.type !== 'assistant' || record.isSidechain === true) return undefined;
  const { message } = record;
  if (!isObject(message) || !Array.isArray(message.content)) return undefined;
  const tools = message.content.flatMap((block: unknown) =>
    isObject(block) && block.type === 'tool_use' && typeof block.name === 'string' ? [block.name] : [],
  );
  return { id: String(message.id ?? record.uuid), tools };
}
