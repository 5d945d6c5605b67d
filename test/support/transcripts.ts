// Builds Claude Code transcripts record by record, shaped as the real ones are: one content block a line, one chain of
// parents, tool results as user records, a `turn_duration` at the end of a turn. Same calls, same bytes: ids and times come
// from the session id and the clock given, never from the machine. It knows no file system; `resumeTranscript` continues a text.

import { createHash } from 'node:crypto';

export interface TranscriptOptions {
  readonly gitBranch?: string;
  /** Version of Claude Code that the records claim. */
  readonly version?: string;
  /** Time of the first record: ISO or milliseconds. */
  readonly at?: string | number;
  readonly model?: string;
}

export interface RecordOptions {
  /** Time of this record, ISO or milliseconds; later ones go on from here. Otherwise some seconds pass. */
  readonly at?: string | number;
  readonly uuid?: string;
  /** Merged over the record, for fields that the builder does not know. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type TranscriptRecord = Readonly<Record<string, unknown>>;

export interface Transcript {
  readonly sessionId: string;
  readonly cwd: string;
  /** What a person typed. */
  human(text: string, options?: RecordOptions): Transcript;
  /** A text block of the assistant. A `tool` right after it belongs to the same message, as in real files. */
  assistant(text: string, options?: RecordOptions): Transcript;
  /** A tool use and its result. `result` undefined leaves the call pending. */
  tool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    result: string | undefined,
    options?: RecordOptions & { readonly isError?: boolean },
  ): Transcript;
  /** Several tool uses in one message, then their results: the fork points that real files have. */
  tools(calls: readonly { name: string; input: Readonly<Record<string, unknown>>; result: string }[]): Transcript;
  /** The assistant itself writes a memory file: what a direct write looks like. */
  memoryWrite(path: string, content: string): Transcript;
  /** A slash command and its output: user records that no person's words are in. */
  command(name: string, output?: string): Transcript;
  /** Text that the harness put in (`isMeta`). */
  meta(text: string, options?: RecordOptions): Transcript;
  /** `[Request interrupted by user]`. */
  interrupt(): Transcript;
  /** A compaction: the boundary, then the summary as a user record. */
  compaction(summary: string): Transcript;
  /** The turn is over: `system/turn_duration`. */
  turnEnd(options?: RecordOptions & { readonly durationMs?: number }): Transcript;
  /** A record as it is, or a line as it is when a string; neither joins the chain of parents. */
  raw(record: TranscriptRecord | string): Transcript;
  /** Lets time pass before the next record. */
  wait(ms: number): Transcript;
  /** The next record hangs below this uuid (a rewind), or starts a new root. */
  rewindTo(uuid: string | null): Transcript;
  /** The records made by this builder, without raw lines. */
  records(): readonly TranscriptRecord[];
  /** One line a record, without line ends. */
  lines(): readonly string[];
  /** What goes into the file: every line ends with LF. */
  text(): string;
  lastUuid(): string | null;
  /** Time of the last record in milliseconds; the start time before the first one. */
  lastAt(): number;
}

const secondMs = 1000;
const defaultStart = Date.parse('2026-01-12T09:00:00.000Z');

interface State {
  /** What ids are made from. */
  seed: string;
  sessionId: string;
  cwd: string;
  parent: string | null;
  at: number;
  count: number;
  options: TranscriptOptions;
}

/** A new session. `sessionId` is any string; real ones are UUIDs, see `uuidOf`. */
export function transcript(sessionId: string, cwd: string, options: TranscriptOptions = {}): Transcript {
  const at = options.at === undefined ? defaultStart : msOf(options.at);
  return build({ seed: sessionId, sessionId, cwd, parent: null, at, count: 0, options });
}

/**
 * Goes on where the text of a transcript ends; the builder holds only the new records. Throws when the text has no
 * conversational record. Unreadable lines are passed over.
 */
export function resumeTranscript(text: string, options: TranscriptOptions = {}): Transcript {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines.toReversed()) {
    const { uuid, sessionId, cwd, timestamp, version, gitBranch } = parseLine(line);
    if (typeof uuid !== 'string' || typeof sessionId !== 'string' || typeof cwd !== 'string') continue;
    const at = options.at ?? (typeof timestamp === 'string' ? timestamp : defaultStart);
    const found = {
      ...(typeof version === 'string' ? { version } : {}),
      ...(typeof gitBranch === 'string' ? { gitBranch } : {}),
    };
    return build({
      seed: uuid,
      sessionId,
      cwd,
      parent: uuid,
      at: msOf(at),
      count: 0,
      options: { ...found, ...options },
    });
  }
  throw new Error('no record to go on from');
}

/** A UUID (version 4 in shape) that depends on the seed alone. */
export function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function build(state: State): Transcript {
  const made: TranscriptRecord[] = [];
  const lines: string[] = [];
  let openMessage: string | undefined;

  const nextId = (prefix: string, length: number): string => {
    state.count += 1;
    const hash = createHash('sha256').update(`${state.seed} ${state.count}`).digest('hex');
    return `${prefix}01${hash.slice(0, length)}`;
  };

  const push = (fields: Readonly<Record<string, unknown>>, options: RecordOptions = {}): string => {
    state.count += 1;
    state.at = options.at === undefined ? state.at + 2 * secondMs : msOf(options.at);
    const uuid = options.uuid ?? uuidOf(`${state.seed} ${state.count}`);
    const record = {
      parentUuid: state.parent,
      isSidechain: false,
      userType: 'external',
      cwd: state.cwd,
      sessionId: state.sessionId,
      version: state.options.version ?? '2.1.220',
      gitBranch: state.options.gitBranch ?? 'main',
      ...fields,
      uuid,
      timestamp: new Date(state.at).toISOString(),
      ...options.extra,
    };
    state.parent = uuid;
    made.push(record);
    lines.push(JSON.stringify(record));
    return uuid;
  };

  const pushBlock = (block: Readonly<Record<string, unknown>>, options?: RecordOptions): string => {
    openMessage ??= nextId('msg_', 22);
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 1200,
      cache_read_input_tokens: 18000,
      output_tokens: 90,
      service_tier: 'standard',
    };
    const message = {
      model: state.options.model ?? 'claude-sonnet-5-5',
      id: openMessage,
      type: 'message',
      role: 'assistant',
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return push({ type: 'assistant', message, requestId: `req_${openMessage.slice(4)}` }, options);
  };

  const pushResult = (toolUseId: string, from: string, result: string, isError: boolean): void => {
    const block = {
      tool_use_id: toolUseId,
      type: 'tool_result',
      content: result,
      ...(isError ? { is_error: true } : {}),
    };
    const toolUseResult = isError ? `Error: ${result}` : { stdout: result, stderr: '', interrupted: false };
    push({ type: 'user', message: { role: 'user', content: [block] }, toolUseResult, sourceToolAssistantUUID: from });
  };

  const pushUser = (content: string, fields: Readonly<Record<string, unknown>>, options?: RecordOptions): void => {
    openMessage = undefined;
    push({ type: 'user', message: { role: 'user', content }, ...fields }, options);
  };

  const self: Transcript = {
    sessionId: state.sessionId,
    cwd: state.cwd,
    human(text, options) {
      pushUser(text, { origin: { kind: 'human' }, permissionMode: 'default' }, options);
      return self;
    },
    assistant(text, options) {
      openMessage = undefined;
      pushBlock({ type: 'text', text }, options);
      return self;
    },
    tool(name, input, result, options = {}) {
      const id = nextId('toolu_', 22);
      const from = pushBlock({ type: 'tool_use', id, name, input }, options);
      openMessage = undefined;
      if (result !== undefined) pushResult(id, from, result, options.isError ?? false);
      return self;
    },
    tools(calls) {
      const asked = calls.map((call) => {
        const id = nextId('toolu_', 22);
        return {
          id,
          result: call.result,
          from: pushBlock({ type: 'tool_use', id, name: call.name, input: call.input }),
        };
      });
      openMessage = undefined;
      for (const { id, result, from } of asked) {
        state.parent = from;
        pushResult(id, from, result, false);
      }
      return self;
    },
    memoryWrite(path, content) {
      return self.tool('Write', { file_path: path, content }, `File created successfully at: ${path}`);
    },
    command(name, output = '') {
      const plain = name.replace(/^\//, '');
      pushUser(
        `<command-name>/${plain}</command-name>\n<command-message>${plain}</command-message>\n<command-args></command-args>`,
        {},
      );
      pushUser(`<local-command-stdout>${output}</local-command-stdout>`, {});
      return self;
    },
    meta(text, options) {
      pushUser(text, { isMeta: true }, options);
      return self;
    },
    interrupt() {
      pushUser('[Request interrupted by user]', {});
      return self;
    },
    compaction(summary) {
      const before = state.parent;
      state.parent = null;
      push({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        level: 'info',
        isMeta: false,
        logicalParentUuid: before,
        compactMetadata: { trigger: 'auto', preTokens: 155_000 },
      });
      pushUser(`This session is being continued from a previous conversation.\n${summary}`, {
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      });
      return self;
    },
    turnEnd(options = {}) {
      openMessage = undefined;
      push(
        { type: 'system', subtype: 'turn_duration', durationMs: options.durationMs ?? 41_000, isMeta: false },
        options,
      );
      return self;
    },
    raw(record) {
      if (typeof record !== 'string') made.push(record);
      lines.push(typeof record === 'string' ? record : JSON.stringify(record));
      return self;
    },
    wait(ms) {
      state.at += ms;
      return self;
    },
    rewindTo(uuid) {
      state.parent = uuid;
      openMessage = undefined;
      return self;
    },
    records: () => made,
    lines: () => lines,
    text: () => lines.map((line) => `${line}\n`).join(''),
    lastUuid: () => state.parent,
    lastAt: () => state.at,
  };
  return self;
}

function msOf(at: string | number): number {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (!Number.isFinite(ms)) throw new Error(`not a time: ${at}`);
  return ms;
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
