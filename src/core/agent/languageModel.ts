// What a language model is to the engine: one verb. Messages, tool calls, usage and stop reasons in the words of the
// Messages API, which every provider can be mapped to. It promises nothing about a provider; an adapter does.

/** Tokens. `input` is what was neither read from nor written to a cache. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
});

export const totalTokens = ({ input, cacheRead, cacheWrite, output }: Usage): number =>
  input + cacheRead + cacheWrite + output;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** The prefix up to here will be sent again, byte for byte: worth a cache entry. A hint; an adapter may have few to give. */
  readonly stable?: true;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** As the model gave it: any JSON value, of no schema in particular. */
  readonly input: unknown;
  /** The call's input was cut or is not JSON: its raw text. Such a call is never carried out. */
  readonly malformed?: string;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A block only the provider understands (thinking): kept as it came and sent back unchanged, in its place. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly value: unknown;
}

export type UserBlock = TextBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ToolUseBlock | OpaqueBlock;

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };

/** A tool as it is offered. The list is part of the cache's key: constant, in constant order. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly ModelMessage[];
  /** Output tokens. */
  readonly maxTokens: number;
  /** JSON schema that the whole answer must follow; for questions that are answered with data. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What happens while the model answers. */
export interface ModelObserver {
  /** A part of the text, for display only: after `onRetry` the text begins anew. */
  onText?(delta: string): void;
  /** A wait before the whole request is tried again. */
  onRetry?(reason: ModelErrorCode, waitMs: number): void;
}

export interface ModelReply {
  /** Never an empty text. After a refusal text only; after `max_tokens` the last call may be malformed. */
  readonly content: readonly AssistantBlock[];
  readonly stopReason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
  /** Of this answer and of the tries that failed before it. */
  readonly usage: Usage;
}

export interface LanguageModel {
  /** The model's id at its provider. */
  readonly id: string;
  readonly provider: 'anthropic' | 'vscode';
  /** Whether the provider says what its prompt cache did; where it doesn't, cache figures are no figures. */
  readonly reportsCache: boolean;
  /** Whole answer or `ModelError`; the signal's reason when aborted. Transient faults are retried inside, within limits. */
  complete(request: ModelRequest, signal: AbortSignal, observer?: ModelObserver): Promise<ModelReply>;
  /** Tokens of a text, near enough for limits; never used for billing. */
  countTokens(text: string): number;
}

export type ModelErrorCode =
  | 'unauthorised' // no key, or a wrong one
  | 'no_permission' // the person or the provider does not allow it
  | 'unknown_model'
  | 'rate_limited' // too many requests, or a quota is used up
  | 'overloaded'
  | 'server_error'
  | 'unreachable' // no connection, or it broke
  | 'timed_out'
  | 'bad_request'
  | 'refused' // the model declined
  | 'over_budget' // the day's tokens are used up
  | 'over_limit' // a run used up its turns or tokens
  | 'too_long' // more input than the model takes
  | 'bad_answer'; // what came back is not the protocol

/** Told apart by `code`, in every bundle. The message is one sentence for a person and holds no key and no prompt. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    /** How long the provider asks to wait, milliseconds. */
    readonly retryAfterMs?: number,
    /** What the tries were charged with, as far as the provider said. */
    readonly usage: Usage = noUsage,
  ) {
    super(message);
  }
}

export const isModelError = (error: unknown): error is ModelError =>
  error instanceof Error && error.name === 'ModelError' && 'code' in error;
