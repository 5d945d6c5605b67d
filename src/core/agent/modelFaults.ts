// What went wrong between us and a provider, as one sentence for a person and a decision: does it pass by itself?
// The provider's own words are never passed on, as they may quote the request; its request id is, for its support.

import { ModelError, type ModelErrorCode } from './languageModel';

export interface Fault {
  readonly error: ModelError;
  /** Worth trying again as it is. */
  readonly isTransient: boolean;
}

export interface Endpoint {
  /** As in a URL, without credentials. */
  readonly host: string;
  readonly model: string;
  readonly hasKey: boolean;
}

/** What the SDK throws, as far as it matters here. */
interface ApiFailure {
  readonly status?: number | undefined;
  readonly error?: unknown;
  readonly headers?: Headers | undefined;
}

/** The message of an error about an answer that is none: a sign-in page, or events that don't fit together. */
export const notTheProtocol = 'not the Messages API';

export function faultOf(failure: unknown, endpoint: Endpoint, now: number): Fault {
  const { host, model, hasKey } = endpoint;
  const { status, error: body, headers } = failure as ApiFailure;
  const requestId = /^[\w-]{1,80}$/.exec(headers?.get?.('request-id') ?? '')?.[0];
  const fault = (code: ModelErrorCode, sentence: string, isTransient = false, retryAfterMs?: number): Fault => ({
    error: new ModelError(code, requestId ? `${sentence} (${requestId}).` : `${sentence}.`, retryAfterMs),
    isTransient,
  });
  const { kind, words, detail } = saidBy(body);

  if (status === undefined && kind === undefined) {
    if (isNotTheProtocol(failure))
      return fault('bad_answer', `${host} answered with something else than the Messages API; check its address`);
    if (failure instanceof SyntaxError) return brokenOff(host);
    return fault('unreachable', `${host} can't be reached`, true);
  }
  if (isAbout(words, /credit balance|spend limit|usage limit|billing/i) || status === 402 || /spend_limit/.test(detail))
    return fault('rate_limited', `The account at ${host} has no credit left, or has reached its spend limit`);
  if (status === 401 || kind === 'authentication_error')
    return fault('unauthorised', hasKey ? `${host} does not accept the API key` : `${host} wants an API key`);
  if (status === 403 || kind === 'permission_error')
    return fault('no_permission', `${host} does not allow this key to do that`);
  if (
    status === 413 ||
    kind === 'request_too_large' ||
    isAbout(words, /prompt is too long|context (limit|window|length)/i)
  )
    return fault('too_long', `This is more text than “${model}” takes`);
  if (status === 404 || kind === 'not_found_error')
    return kind === 'not_found_error' && isAbout(words, /model/i)
      ? fault('unknown_model', `${host} has no model “${model}”`)
      : fault('bad_answer', `There is no Messages API at ${host}: it answered “not found”; check its address`);
  const wait = waitOf(headers, now);
  if (status === 429 || kind === 'rate_limit_error')
    return fault('rate_limited', `${host} has had too many requests for now`, true, wait);
  if (status === 529 || kind === 'overloaded_error')
    return fault('overloaded', `${host} is overloaded at the moment`, true, wait);
  if (status === 408 || status === 504 || kind === 'timeout_error')
    return fault('timed_out', `${host} did not answer in time`, true, wait);
  if (kind === 'api_error' || (status ?? 0) >= 500 || status === 409)
    return fault('server_error', `${host} has a fault at the moment${status ? `, ${status}` : ''}`, true, wait);
  if (status !== undefined && status >= 300 && status < 400)
    return fault('bad_answer', `${host} sends to another address, which is not followed; check its address`);
  return fault('bad_request', `${host} refused the request${status ? `, ${status}` : ''}`);
}

export const brokenOff = (host: string): Fault => ({
  error: new ModelError('unreachable', `The connection to ${host} broke off in the middle of the answer.`),
  isTransient: true,
});

export const tooSlow = (host: string, hasBegun: boolean): Fault => ({
  error: new ModelError(
    'timed_out',
    hasBegun ? `${host} stopped in the middle of its answer.` : `${host} did not answer in time.`,
  ),
  isTransient: true,
});

/** The documented shape of an error, at any depth an SDK leaves it. */
function saidBy(body: unknown) {
  const outer = (body ?? {}) as { error?: unknown; type?: unknown; message?: unknown };
  const inner = (typeof outer.error === 'object' && outer.error !== null ? outer.error : outer) as {
    type?: unknown;
    message?: unknown;
    details?: { error_code?: unknown };
  };
  const kind = typeof inner.type === 'string' ? inner.type : undefined;
  return { kind, words: String(inner.message ?? ''), detail: String(inner.details?.error_code ?? '') };
}

const isAbout = (words: string, pattern: RegExp) => pattern.test(words.slice(0, 500));

function isNotTheProtocol(failure: unknown): boolean {
  for (
    let error = failure as { message?: string; cause?: unknown } | undefined, depth = 0;
    error && depth < 5;
    depth += 1
  ) {
    if (error.message === notTheProtocol) return true;
    error = error.cause as typeof error;
  }
  return false;
}

/** `retry-after` in seconds or as a date, as milliseconds from now. */
function waitOf(headers: Headers | undefined, now: number): number | undefined {
  const precise = Number.parseFloat(headers?.get?.('retry-after-ms') ?? '');
  if (precise >= 0) return precise;
  const text = headers?.get?.('retry-after')?.trim();
  if (!text) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
