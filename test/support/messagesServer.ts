// A Messages API server on the loopback interface, for tests: it answers with scripted turns, as a stream of events or as
// plain JSON, refuses what the real one refuses (`messagesRules`), accounts for its prompt cache by a clock that a test
// moves (`promptCache`), and fails in the ways a network and a busy provider do. It understands nothing and calls nothing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { estimateTokens } from '../../src/core/tokens';
import { type Refusal, refusalOf } from './messagesRules';
import { createPromptCache, type InputUsage, type Json } from './promptCache';

export interface ScriptedCall {
  readonly name: string;
  readonly input?: unknown;
  /** Instead of `input`: the text that is streamed, JSON or not. */
  readonly rawInput?: string;
}

/** What the model says in one turn, in this order: thinking, text, calls. */
export interface Reply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** By default `tool_use` with calls and `end_turn` without. */
  readonly stopReason?: string;
  /** Faults; at most one of them. */
  readonly fault?: Fault;
}

export type Fault =
  /** An answer that is an error; a `body` that is no JSON is sent as HTML. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type?: string;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  /** The connection breaks before any byte of the answer. */
  | { readonly kind: 'reset' }
  /** The stream ends in the middle of the last block; `clean` closes it as if all were well. */
  | { readonly kind: 'cut'; readonly clean?: boolean }
  /** An error event in the middle of the last block. */
  | { readonly kind: 'errorEvent'; readonly type: string }
  /** Silence before the first byte, then the answer. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The stream begins and then nothing more comes; with `pings` only signs of life do. */
  | { readonly kind: 'stall'; readonly pings?: number };

export const faults = {
  rateLimited: (retryAfter?: number | Date): Reply =>
    status(429, 'rate_limit_error', retryAfter === undefined ? {} : { 'retry-after': retryAfterText(retryAfter) }),
  overloaded: (): Reply => status(529, 'overloaded_error'),
  serverError: (code = 500): Reply => status(code, 'api_error'),
  unauthorised: (): Reply => status(401, 'authentication_error'),
  forbidden: (): Reply => status(403, 'permission_error'),
  html: (code = 200): Reply => ({
    fault: {
      kind: 'status',
      status: code,
      body: '<html><title>Sign in</title></html>',
      headers: { 'content-type': 'text/html' },
    },
  }),
  redirect: (location: string): Reply => ({
    fault: { kind: 'status', status: 307, body: '<html></html>', headers: { location } },
  }),
  reset: (): Reply => ({ fault: { kind: 'reset' } }),
  cut: (reply: Reply, clean = false): Reply => ({ ...reply, fault: { kind: 'cut', clean } }),
  errorEvent: (reply: Reply, type = 'overloaded_error'): Reply => ({ ...reply, fault: { kind: 'errorEvent', type } }),
  slow: (reply: Reply, ms: number): Reply => ({ ...reply, fault: { kind: 'slow', ms } }),
  stall: (reply: Reply, pings?: number): Reply => ({
    ...reply,
    fault: { kind: 'stall', ...(pings === undefined ? {} : { pings }) },
  }),
};

const status = (code: number, type: string, headers: Record<string, string> = {}): Reply => ({
  fault: { kind: 'status', status: code, type, headers },
});
const retryAfterText = (value: number | Date) => (typeof value === 'number' ? String(value) : value.toUTCString());

export interface Received {
  readonly headers: IncomingMessage['headers'];
  /** As sent, byte for byte. */
  readonly text: string;
  readonly body: Json;
  /** 0 while there is no answer, and after a reset. */
  status: number;
  /** Of an answer that began. */
  usage: (InputUsage & { output_tokens: number }) | undefined;
  /** The other side went away before the answer was whole. */
  isAbandoned: boolean;
}

export type Turn = Reply | ((received: Received) => Reply);

export interface MessagesServer {
  /** To be given as base URL. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Turns that were not asked for yet. */
  turnsLeft(): number;
  addTurns(...turns: readonly Turn[]): void;
  /** Moves the cache's clock. */
  advance(ms: number): void;
  /** Requests whose answer is neither whole nor given up. */
  openRequests(): number;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Answered in order, one a request; a function answers all. A request without a turn left is refused. */
  readonly turns?: readonly Turn[] | ((received: Received) => Reply);
  /** Without it nobody needs a key. */
  readonly key?: string;
  readonly models?: readonly string[];
  /** Plain JSON even where a stream is asked for, as a simpler endpoint does. */
  readonly neverStreams?: boolean;
  /** Tokens of input a request may have. */
  readonly contextTokens?: number;
}

export async function startMessagesServer(options: ServerOptions = {}): Promise<MessagesServer> {
  const turns: Turn[] = Array.isArray(options.turns) ? [...options.turns] : [];
  const always = typeof options.turns === 'function' ? options.turns : undefined;
  const received: Received[] = [];
  const signatures = new Map<string, string>();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let clock = 0;
  let open = 0;
  let callCount = 0;
  const cache = createPromptCache({ now: () => clock });

  const server = createServer((request, response) => {
    readText(request)
      .then((text) => answer(request, response, text))
      .catch((error: unknown) => {
        if (request.errored || response.headersSent) response.destroy();
        // A script that throws fails the request it was asked about, not the test run.
        else response.writeHead(400).end(`The script of this test failed: ${error}`);
      });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function sendError(response: ServerResponse, entry: Received, { status, type, message }: Refusal): void {
    entry.status = status;
    const id = requestId(received.length);
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id });
    response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: id }));
  }

  /** What stands between a request and its turn. */
  function refuse(request: IncomingMessage, text: string, body: unknown, usage: InputUsage): Refusal | undefined {
    const because = (status: number, type: string, message: string): Refusal => ({ status, type, message });
    if (request.method !== 'POST' || request.url !== '/v1/messages')
      return because(404, 'not_found_error', 'Not Found');
    if (options.key !== undefined && keyOf(request) !== options.key)
      return because(401, 'authentication_error', 'invalid x-api-key');
    if (request.headers['anthropic-version'] === undefined)
      return because(400, 'invalid_request_error', 'anthropic-version: header is required');
    if (text.length > 32 * 1024 * 1024)
      return because(413, 'request_too_large', 'Request exceeds the maximum allowed number of bytes.');
    const refusal = refusalOf(body, signatures);
    if (refusal) return refusal;
    const { model } = body as Json;
    if (options.models && !options.models.includes(String(model)))
      return because(404, 'not_found_error', `model: ${model}`);
    const total = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    const limit = options.contextTokens ?? Number.POSITIVE_INFINITY;
    if (total > limit)
      return because(400, 'invalid_request_error', `prompt is too long: ${total} tokens > ${limit} maximum`);
    if (!always && turns.length === 0)
      return because(400, 'invalid_request_error', 'The script of this test has no turn left.');
    return undefined;
  }

  function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const body = parse(text);
    const entry: Received = {
      headers: request.headers,
      text,
      body: (body ?? {}) as Json,
      status: 0,
      usage: undefined,
      isAbandoned: false,
    };
    received.push(entry);
    open += 1;
    response.on('close', () => {
      open -= 1;
      entry.isAbandoned = !response.writableFinished;
    });
    const { usage, commit } = cache.account(entry.body);
    const refusal = refuse(request, text, body, usage);
    if (refusal) {
      sendError(response, entry, refusal);
      return;
    }
    const turn = (always ?? turns.shift()) as Turn;
    const reply = typeof turn === 'function' ? turn(entry) : turn;
    const { fault } = reply;
    const tell = () => {
      if (response.destroyed) return;
      commit();
      sendReply(response, entry, reply, usage);
    };
    if (fault?.kind === 'reset') request.socket.resetAndDestroy();
    else if (fault?.kind === 'status') sendStatus(response, entry, fault);
    else if (fault?.kind === 'slow') later(fault.ms, tell);
    else tell();
  }

  function sendStatus(response: ServerResponse, entry: Received, fault: Fault & { readonly kind: 'status' }): void {
    if (fault.body === undefined) {
      for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value);
      const { status, type = 'api_error' } = fault;
      sendError(response, entry, { status, type, message: 'The test wants it so.' });
      return;
    }
    entry.status = fault.status;
    response.writeHead(fault.status, fault.headers);
    response.end(fault.body);
  }

  function sendReply(response: ServerResponse, entry: Received, reply: Reply, input: InputUsage): void {
    const blocks = contentOf(reply);
    const stopReason = reply.stopReason ?? (reply.calls?.length ? 'tool_use' : 'end_turn');
    const output = Math.max(1, estimateTokens(JSON.stringify(blocks)));
    const usage = { ...input, output_tokens: output };
    entry.status = 200;
    entry.usage = usage;
    const id = requestId(received.length);
    const message = { id: `msg_${received.length}`, type: 'message', role: 'assistant', model: entry.body.model };
    if (entry.body.stream !== true || options.neverStreams) {
      response.writeHead(200, { 'content-type': 'application/json', 'request-id': id });
      const content = blocks.map(({ raw, ...block }) =>
        raw === undefined ? block : { ...block, input: parse(String(raw)) ?? {} },
      );
      response.end(JSON.stringify({ ...message, content, stop_reason: stopReason, stop_sequence: null, usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': id });
    const events = [
      event('message_start', {
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      }),
      event('ping', {}),
      ...blocks.flatMap((block, index) => blockEvents(block, index)),
      event('message_delta', {
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event('message_stop', {}),
    ];
    const { fault } = reply;
    if (!fault || fault.kind === 'slow') {
      response.end(events.join(''));
      return;
    }
    // The two events after the blocks, the end of the last block and half of what it says are missing.
    const whole = Math.max(
      2,
      events.length - 3 - Math.max(1, Math.floor(blockEvents(blocks.at(-1) ?? {}, 0).length / 3)),
    );
    response.write(events.slice(0, whole).join(''));
    if (fault.kind === 'cut' && fault.clean) response.end();
    else if (fault.kind === 'cut') later(5, () => response.socket?.resetAndDestroy());
    else if (fault.kind === 'errorEvent')
      response.end(event('error', { error: { type: fault.type, message: 'The test wants it so.' } }));
    else if (fault.kind === 'stall' && fault.pings !== undefined) {
      const beat = (left: number) => {
        if (response.destroyed) return;
        response.write(event('ping', {}));
        if (left > 1) later(20, () => beat(left - 1));
        else response.end(events.slice(whole).join(''));
      };
      beat(fault.pings);
    }
  }

  function contentOf({ thinking, text, calls = [] }: Reply): Json[] {
    const blocks: Json[] = [];
    if (thinking !== undefined) {
      const signature = `signature-${signatures.size}`;
      signatures.set(signature, thinking);
      blocks.push({ type: 'thinking', thinking, signature });
    }
    if (text !== undefined) blocks.push({ type: 'text', text, citations: null });
    for (const { name, input = {}, rawInput } of calls) {
      callCount += 1;
      blocks.push({
        type: 'tool_use',
        id: `toolu_${String(callCount).padStart(4, '0')}`,
        name,
        input,
        caller: { type: 'direct' },
        ...(rawInput === undefined ? {} : { raw: rawInput }),
      });
    }
    return blocks;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    turnsLeft: () => turns.length,
    addTurns: (...more) => void turns.push(...more),
    advance(ms) {
      clock += ms;
    },
    openRequests: () => open,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const requestId = (count: number) => `req_${String(count).padStart(4, '0')}`;

const event = (type: string, data: Json) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** A block as it is streamed: its text comes in three parts, which need not end where a word does. */
function blockEvents({ raw, ...block }: Json, index: number): string[] {
  const delta = (value: Json) => event('content_block_delta', { index, delta: value });
  const start = (value: Json) => event('content_block_start', { index, content_block: value });
  const end = event('content_block_stop', { index });
  switch (block.type) {
    case 'text':
      return [
        start({ ...block, text: '' }),
        ...thirds(String(block.text)).map((text) => delta({ type: 'text_delta', text })),
        end,
      ];
    case 'thinking':
      return [
        start({ ...block, thinking: '', signature: '' }),
        ...thirds(String(block.thinking)).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        end,
      ];
    default:
      return [
        start({ ...block, input: {} }),
        ...thirds(String(raw ?? JSON.stringify(block.input))).map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        ),
        end,
      ];
  }
}

function thirds(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return [0, 1, 2].map((at) => text.slice(at * size, (at + 1) * size));
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (headers['x-api-key'] as string | undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
