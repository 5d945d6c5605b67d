// A chat session as a text for a model: what the person said, what the assistant said, which tools ran and how that
// ended. It only grows: what was once rendered is never rendered anew, so that the next extraction of a session extends the
// last one's prefix byte for byte. Bounded: whole old chunks go, in large steps. Everything in it is quoted speech; a
// line of it can't pass for one of our labels, and nothing that a tool, a hook or a memory said is in it as the person's.

import { estimateTokens } from '../tokens';
import type { ToolUse, TranscriptMessage } from './transcript';

/** JSON, kept between extractions of one session. */
export interface Digest {
  readonly chunks: readonly DigestChunk[];
  /** Numbered messages of the person so far; the next one gets the next number. */
  readonly count: number;
  /** The message up to which it goes. */
  readonly lastMessageUuid?: string;
}

export interface DigestChunk {
  readonly text: string;
  readonly tokens: number;
  /** It ends an extraction: a request that had this prefix was made. */
  readonly sent?: true;
}

export interface ExtendedDigest {
  readonly digest: Digest;
  /** The first number of the new messages; `undefined` when nothing new was said by the person. */
  readonly firstNew: number | undefined;
  /** The person's new messages by their number. */
  readonly numbered: ReadonlyMap<number, TranscriptMessage>;
}

export const emptyDigest: Digest = { chunks: [], count: 0 };

/** Tokens that a digest may have, and to how many it is cut when it has more: the room between is for growing. */
export const digestLimits = { most: 18_000, cutTo: 10_000 };

/** Tokens after which a window ends before the next prompt, and after which it ends anywhere. */
const windowTokens = { wanted: 16_000, most: 17_500 };

/** Tokens of a chunk, about: what is cut off is cut by whole chunks. */
const chunkTokens = 1_500;
const longest = { person: 6_000, assistant: 400, lastAssistant: 2_000 };

/**
 * Adds messages that came after the digest's last one; those it has already are skipped. `previousAssistant` opens a
 * digest that begins in the middle of a session.
 */
export function extendDigest(
  digest: Digest,
  messages: readonly TranscriptMessage[],
  previousAssistant?: string,
): ExtendedDigest {
  const known = digest.lastMessageUuid;
  const seen = known === undefined ? -1 : messages.findLastIndex((message) => message.uuid === known);
  const opening = digest.chunks.length === 0 ? previousAssistant : undefined;
  const { entries, numbered, count } = rendered(messages.slice(seen + 1), digest.count, opening);
  const last = messages.at(-1)?.uuid ?? known;
  const added = packed(entries);
  const chunks = [...digest.chunks, ...added];
  const end = chunks.at(-1);
  if (end && entries.length > 0) chunks[chunks.length - 1] = { ...end, sent: true };
  return {
    digest: { chunks: bounded(chunks, added.length), count, ...(last === undefined ? {} : { lastMessageUuid: last }) },
    firstNew: numbered.size > 0 ? digest.count + 1 : undefined,
    numbered,
  };
}

/** Live messages as entries, the person's numbered on from `from`. */
function rendered(messages: readonly TranscriptMessage[], from: number, opening: string | undefined) {
  const numbered = new Map<number, TranscriptMessage>();
  let count = from;
  const entries: string[] = [];
  if (opening) entries.push(spoken('assistant', opening, longest.lastAssistant));
  const live = messages.filter((message) => message.live);
  for (const [index, message] of live.entries()) {
    if (message.human) {
      count += 1;
      numbered.set(count, message);
      entries.push(spoken(`#${count} person, ${dayOf(message.at)}`, message.text, longest.person));
    } else if (message.role === 'assistant') {
      // The answer that the person replies to next carries what they agree with or correct.
      const isAnswered = message.final || live[index + 1]?.human === true;
      const limit = isAnswered ? longest.lastAssistant : longest.assistant;
      if (message.text) entries.push(spoken('assistant', message.text, limit));
      const tools = toolsOf(message.toolUses);
      if (tools) entries.push(tools);
    }
  }
  return { entries, numbered, count };
}

/** A whole session in one text, however long: for looking things up in it, part by part. */
export function digestText(messages: readonly TranscriptMessage[]): NumberedText {
  const { entries, numbered } = rendered(messages, 0, undefined);
  return { text: entries.join('\n'), numbered };
}

export interface NumberedText {
  readonly text: string;
  /** The person's messages by the numbers that the text gives them. */
  readonly numbered: ReadonlyMap<number, Pick<TranscriptMessage, 'uuid'>>;
}

/** What is new is never cut off: `windowsOf` keeps it within bounds. */
function bounded(chunks: readonly DigestChunk[], added: number): readonly DigestChunk[] {
  let total = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  if (total <= digestLimits.most) return chunks;
  let from = 0;
  while (total > digestLimits.cutTo && from < chunks.length - added) {
    total -= chunks[from]?.tokens ?? 0;
    from += 1;
  }
  return chunks.slice(from);
}

/**
 * Messages in parts that one digest can take in, each beginning with a prompt of the person where that is possible. A long
 * session is looked at part by part, rather than by its end only.
 */
export function windowsOf(messages: readonly TranscriptMessage[]): readonly (readonly TranscriptMessage[])[] {
  const windows: TranscriptMessage[][] = [];
  let open: TranscriptMessage[] = [];
  let tokens = 0;
  for (const message of messages) {
    const longestText = message.human ? longest.person : longest.lastAssistant;
    const own =
      message.live && (message.human || message.text) ? estimateTokens(message.text.slice(0, longestText)) + 8 : 0;
    if (tokens + own > windowTokens.most || (message.human && tokens + own > windowTokens.wanted)) {
      windows.push(open);
      open = [];
      tokens = 0;
    }
    open.push(message);
    tokens += own;
  }
  if (open.length > 0) windows.push(open);
  return windows;
}

function packed(entries: readonly string[]): DigestChunk[] {
  const chunks: DigestChunk[] = [];
  let open: string[] = [];
  let tokens = 0;
  const close = () => {
    if (open.length > 0) chunks.push({ text: `${open.join('\n')}\n`, tokens });
    open = [];
    tokens = 0;
  };
  for (const entry of entries) {
    const own = estimateTokens(entry);
    if (tokens + own > chunkTokens) close();
    open.push(entry);
    tokens += own;
  }
  close();
  return chunks;
}

/** A label on a line of its own, then the words, each line of them behind a bar. */
function spoken(label: string, words: string, limit: number): string {
  const lines = shortened(words.trim(), limit).split(/\r\n|[\n\r\u2028\u2029]/);
  return [`[${label}]`, ...lines.map((line) => `| ${line}`)].join('\n');
}

/** The beginning and the end: a question often stands last. */
function shortened(words: string, limit: number): string {
  if (words.length <= limit) return words;
  const head = Math.floor(limit * 0.7);
  return `${whole(words.slice(0, head))} … (${words.length - limit} characters left out) … ${whole(words.slice(head - limit))}`;
}

/** Half a surrogate pair at a cut is no text. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');

/** Names with how often, and how it ended: never what a tool said. */
function toolsOf(uses: readonly ToolUse[]): string {
  const counts = new Map<string, number>();
  for (const use of uses) {
    const name = /^[\w.-]{1,64}$/.test(use.name) ? use.name : 'tool';
    const key = `${name} ${use.outcome ?? 'pending'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts.size === 0
    ? ''
    : `[tools] ${[...counts].map(([key, times]) => (times > 1 ? `${key} ×${times}` : key)).join(', ')}`;
}

/** The same day that the dates in a person's words are counted from. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
