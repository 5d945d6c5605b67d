// A language model behind the Messages API, at Anthropic or at any endpoint that speaks it. It promises a whole answer or
// one `ModelError`: what passes by itself is tried again as a whole, nothing partial is handed out, an abort ends it at
// once. The one place where the SDK is loaded, and only when something is asked. Everything the SDK would take from the
// environment or from files (keys, hosts, headers, tracing) is set here or taken out: a key goes to one host and no other.

import { estimateTokens } from '../tokens';
import { anthropicUrl, type EndpointProblem, endpointProblem, hostOf, tidyUrl } from './endpoint';
import {
  addUsage,
  type LanguageModel,
  ModelError,
  type ModelObserver,
  type ModelReply,
  type ModelRequest,
  noUsage,
  type Usage,
} from './languageModel';
import { createReplyReader, toParams } from './messagesFormat';
import { brokenOff, type Endpoint, type Fault, faultOf, notTheProtocol, tooSlow } from './modelFaults';
import { sleep } from './sleep';

export interface AnthropicModelOptions {
  /** The model's id at the endpoint. */
  readonly id: string;
  /** Of the endpoint, with or without `/v1`; by default Anthropic's. */
  readonly baseUrl?: string;
  /** `undefined` for an endpoint that wants none. */
  readonly apiKey: string | undefined;
  readonly timeouts?: Partial<Timeouts>;
  readonly fetch?: typeof fetch;
  /** Waits before another try; rejects when aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** Milliseconds. */
export interface Timeouts {
  /** Until the answer begins. */
  readonly firstByte: number;
  /** Without any byte in the middle of an answer; the API sends pings while it thinks. */
  readonly silence: number;
  /** For all tries together. */
  readonly total: number;
}

const defaultTimeouts: Timeouts = { firstByte: 90_000, silence: 60_000, total: 600_000 };
const maxTries = 4;
/** A longer wait than this is the caller's to plan: it is told as `retryAfterMs`. */
const longestWaitMs = 60_000;
/** An endpoint that has said everything and does not hang up gets this long. */
const closingMs = 250;

/**
 * Creates a model. Nothing is loaded or sent before the first `complete`.
 *
 * `outputSchema` is sent as `output_config.format`. Endpoints older than structured outputs refuse it (`bad_request`) or
 * ignore it, so what comes back is still to be checked. The usage of a reply includes what broken tries were charged.
 */
export function createAnthropicModel(options: AnthropicModelOptions): LanguageModel {
  const { id, apiKey, now = Date.now, pause = sleep } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const baseUrl = tidyUrl(options.baseUrl ?? anthropicUrl);
  const endpoint: Endpoint = { host: hostOf(baseUrl), model: id, hasKey: apiKey !== undefined };

  async function tryOnce(
    request: ModelRequest,
    signal: AbortSignal,
    deadline: number,
    observer: ModelObserver,
  ): Promise<{ readonly reply: ModelReply } | { readonly fault: Fault; readonly usage: Usage }> {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    const reader = createReplyReader((delta) => observer.onText?.(delta));
    const watch = startWatch(signal, timeouts, deadline - now());
    let failure: unknown;
    try {
      const client = new Anthropic({
        baseURL: baseUrl,
        // Never left out: without one the SDK looks for one. The header is made below.
        apiKey: 'unused',
        authToken: null,
        webhookKey: null,
        maxRetries: 0,
        timeout: timeouts.total,
        logLevel: 'off',
        openTelemetry: false,
        fetch: guarded(options.fetch ?? fetch, headersFor(baseUrl, apiKey), watch.alive),
      });
      const stream = await client.messages.create(toParams(request, id), { signal: watch.signal });
      for await (const event of stream) {
        reader.take(event);
        if (reader.isWhole()) watch.close();
      }
    } catch (error) {
      failure = error;
    } finally {
      watch.dispose();
    }
    signal.throwIfAborted();
    try {
      if (reader.isWhole()) return { reply: reader.reply() };
    } catch (error) {
      failure = error;
    }
    const { host } = endpoint;
    const usage = reader.usage();
    if (watch.isTooSlow()) return { fault: tooSlow(host, watch.hasBegun()), usage };
    const fault = failure === undefined ? brokenOff(host) : faultOf(failure, endpoint, now());
    return { fault: watch.hasBegun() && fault.error.code === 'unreachable' ? brokenOff(host) : fault, usage };
  }

  return {
    id,
    provider: 'anthropic',
    reportsCache: true,
    countTokens: estimateTokens,
    async complete(request, signal, observer = {}) {
      signal.throwIfAborted();
      const problem = endpointProblem(baseUrl, apiKey);
      if (problem) throw problemError(problem, endpoint.host);
      const deadline = now() + timeouts.total;
      let spent = noUsage;
      for (let tries = 1; ; tries += 1) {
        const outcome = await tryOnce(request, signal, deadline, observer);
        if ('reply' in outcome) return { ...outcome.reply, usage: addUsage(spent, outcome.reply.usage) };
        spent = addUsage(spent, outcome.usage);
        const { error, isTransient } = outcome.fault;
        const wait = error.retryAfterMs ?? backOff(tries);
        const isLast = !isTransient || tries === maxTries || wait > longestWaitMs || now() + wait > deadline;
        if (isLast) throw new ModelError(error.code, error.message, error.retryAfterMs, spent);
        observer.onRetry?.(error.code, wait);
        await pause(wait, signal);
      }
    },
  };
}

/** Half a second, doubled each time, a quarter more or less, so that many clients don't come back together. */
const backOff = (tries: number): number => Math.min(500 * 2 ** (tries - 1), 8_000) * (0.75 + Math.random() / 2);

function problemError(problem: EndpointProblem, host: string): ModelError {
  switch (problem) {
    case 'bad_address':
      return new ModelError('bad_request', 'The address of the endpoint is not a plain http or https address.');
    case 'bad_key':
      return new ModelError('unauthorised', 'The API key holds characters that no key has.');
    case 'open_line':
      return new ModelError('unauthorised', `The line to ${host} is not encrypted: no API key is sent over it.`);
  }
}

/** Anthropic takes a key as the SDK sends it; of others, some know one header and some the other. */
function headersFor(baseUrl: string, apiKey: string | undefined): Readonly<Record<string, string>> {
  if (apiKey === undefined) return {};
  const authorization = `Bearer ${apiKey}`;
  return baseUrl === anthropicUrl ? { authorization } : { authorization, 'x-api-key': apiKey };
}

const sentHeaders = ['accept', 'content-type', 'anthropic-version', 'user-agent'];

/**
 * Sends no header but those meant, follows no redirect (it would take the key along), reports each sign of life, and
 * makes a stream of one event of an answer that does not stream.
 */
function guarded(send: typeof fetch, own: Readonly<Record<string, string>>, alive: () => void): typeof fetch {
  return async (url, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers(own);
    for (const name of sentHeaders) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    const response = await send(url, { ...init, headers, redirect: 'manual' });
    alive();
    if (!response.ok || !response.body) return response;
    const kind = response.headers.get('content-type') ?? '';
    if (/^application\/json\b/i.test(kind)) {
      const text = await response.text();
      const body = `event: message\ndata: ${JSON.stringify(JSON.parse(text))}\n\n`;
      return new Response(body, { status: response.status, headers: response.headers });
    }
    if (!/^text\/event-stream\b/i.test(kind)) {
      await response.body.cancel();
      throw new Error(notTheProtocol);
    }
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          alive();
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(watched, { status: response.status, headers: response.headers });
  };
}

/** Ends a try when the caller does, or when nothing has come for too long. */
function startWatch(signal: AbortSignal, timeouts: Timeouts, leftMs: number) {
  const controller = new AbortController();
  let hasBegun = false;
  let isTooSlow = false;
  const end = () => {
    isTooSlow = true;
    controller.abort();
  };
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let timer = setTimeout(end, timeouts.firstByte);
  const total = setTimeout(end, Math.max(0, leftMs));
  return {
    signal: controller.signal,
    alive() {
      hasBegun = true;
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = setTimeout(end, timeouts.silence);
    },
    /** The answer is whole; the connection may be used again if it ends right away. */
    close() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), closingMs);
    },
    hasBegun: () => hasBegun,
    isTooSlow: () => isTooSlow,
    dispose() {
      signal.removeEventListener('abort', abort);
      clearTimeout(timer);
      clearTimeout(total);
    },
  };
}
