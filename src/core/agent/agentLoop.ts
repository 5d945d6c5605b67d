// A forked agent: it takes over a conversation as it stands, byte for byte, adds one prompt, and works with tools that
// were given to it until it is done or a limit is reached. The tool list never changes; what may be used is decided at
// the call. It never rejects: the end of a run is a value, and nothing it did reaches a disk by itself.

import {
  type AssistantBlock,
  addUsage,
  isModelError,
  type LanguageModel,
  type ModelMessage,
  type ModelObserver,
  type ModelReply,
  type ModelRequest,
  noUsage,
  type TextBlock,
  type ToolDefinition,
  type ToolResultBlock,
  type ToolUseBlock,
  totalTokens,
  type Usage,
} from './languageModel';

/** What a call comes to: a result that the model reads. An error result says what to do instead. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** Called for all calls of one turn in their order, without waiting in between. A rejection becomes an error result. */
  run(input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface AgentPrefix {
  readonly system: readonly TextBlock[];
  /** The definitions to send, when they are a parent's; the given tools' own otherwise. */
  readonly tools?: readonly ToolDefinition[];
  readonly messages: readonly ModelMessage[];
}

export interface AgentLimits {
  readonly maxTurns: number;
  /** Tokens of all requests and answers together, cache reads included; checked between turns. */
  readonly maxTokens?: number;
  /** Milliseconds for the whole run. */
  readonly maxMs?: number;
}

export type AgentEvent =
  | { readonly kind: 'tool'; readonly name: string; readonly input: unknown; readonly isError: boolean }
  | { readonly kind: 'turn'; readonly turn: number; readonly usage: Usage; readonly request: ModelRequest };

export type AgentStopReason =
  | 'end_turn'
  | 'max_turns'
  /** An answer was cut, twice in a row or without a call in it. */
  | 'max_tokens'
  | 'budget'
  | 'timed_out'
  | 'refusal'
  | 'aborted'
  | 'error';

export interface AgentResult {
  readonly stopReason: AgentStopReason;
  readonly usage: Usage;
  readonly turns: number;
  /** The text of the last answer. */
  readonly text: string;
  /** The conversation as it stands: prefix, prompt, and every answer with the results of its calls. */
  readonly messages: readonly ModelMessage[];
  readonly error?: Error;
}

/** Tokens of one answer: enough for several memories in parallel calls. */
const answerTokens = 8192;

/** The one text for calls in a prefix that nobody answered, so that two forks of one conversation are equal. */
const unanswered = 'No result: the conversation went on before this call was answered.';

export async function runForkedAgent(options: {
  readonly model: LanguageModel;
  readonly prefix: AgentPrefix;
  readonly prompt: string;
  readonly tools: readonly Tool[];
  /** Why this call is not allowed, in words that the model can act on; undefined when it is. */
  readonly canUseTool: (name: string, input: unknown) => Promise<string | undefined> | string | undefined;
  readonly limits: AgentLimits;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
  readonly observer?: ModelObserver;
}): Promise<AgentResult> {
  const { model, prefix, tools, limits } = options;
  const deadline = new AbortController();
  const timer = limits.maxMs === undefined ? undefined : setTimeout(() => deadline.abort(), limits.maxMs);
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  const definitions = prefix.tools ?? tools.map((tool) => tool.definition);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  let messages: readonly ModelMessage[] = [...prefix.messages, opening(prefix.messages, options.prompt)];
  let usage = noUsage;
  let turns = 0;
  let text = '';
  let cutBefore = false;

  const end = (stopReason: AgentStopReason, error?: Error): AgentResult => ({
    stopReason,
    usage,
    turns,
    text,
    messages,
    ...(error ? { error } : {}),
  });

  async function answer(call: ToolUseBlock): Promise<ToolResultBlock> {
    const outcome = await carryOut(call);
    options.onEvent?.({ kind: 'tool', name: call.name, input: call.input, isError: outcome.isError });
    return { type: 'tool_result', toolUseId: call.id, text: outcome.text || '(empty)', isError: outcome.isError };
  }

  async function carryOut(call: ToolUseBlock): Promise<ToolOutcome> {
    if (call.malformed !== undefined) {
      return refusal(
        'The call was cut off or is not valid JSON. Nothing was done. Repeat it, in smaller parts if it was long.',
      );
    }
    const tool = byName.get(call.name);
    if (!tool) return refusal(`There is no tool “${call.name}” in this run. Use ${[...byName.keys()].join(', ')}.`);
    try {
      const denied = await options.canUseTool(call.name, call.input);
      return denied === undefined ? await tool.run(call.input, signal) : refusal(denied);
    } catch (error) {
      return refusal(error instanceof Error ? error.message : String(error));
    }
  }

  try {
    for (;;) {
      if (signal.aborted) return end(options.signal.aborted ? 'aborted' : 'timed_out');
      const request: ModelRequest = { system: prefix.system, tools: definitions, messages, maxTokens: answerTokens };
      let reply: ModelReply;
      try {
        reply = await model.complete(request, signal, options.observer);
      } catch (error) {
        if (isModelError(error)) usage = addUsage(usage, error.usage);
        if (options.signal.aborted) return end('aborted');
        if (deadline.signal.aborted) return end('timed_out');
        return end('error', error instanceof Error ? error : new Error(String(error)));
      }
      turns += 1;
      usage = addUsage(usage, reply.usage);
      text = textOf(reply.content);
      options.onEvent?.({ kind: 'turn', turn: turns, usage, request });
      if (reply.stopReason === 'refusal') return end('refusal');

      if (reply.content.length > 0) messages = [...messages, { role: 'assistant', content: reply.content }];

      const calls = reply.content.filter((block): block is ToolUseBlock => block.type === 'tool_use');
      const wasCut = reply.stopReason === 'max_tokens';
      if (calls.length === 0) return end(wasCut ? 'max_tokens' : 'end_turn');
      // Calls of the last turn are carried out too: they are work that the model has finished.
      const results = await Promise.all(calls.map(answer));
      messages = [...messages, { role: 'user', content: results }];
      if (signal.aborted) continue;
      if (wasCut && cutBefore) return end('max_tokens');
      cutBefore = wasCut;
      if (turns >= limits.maxTurns) return end('max_turns');
      if (limits.maxTokens !== undefined && totalTokens(usage) >= limits.maxTokens) return end('budget');
    }
  } finally {
    clearTimeout(timer);
  }
}

const refusal = (text: string): ToolOutcome => ({ text, isError: true });

const textOf = (content: readonly AssistantBlock[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** The message with the prompt; calls that the prefix leaves open are answered first, as the protocol wants. */
function opening(prefix: readonly ModelMessage[], prompt: string): ModelMessage {
  const last = prefix.at(-1);
  const open = last?.role === 'assistant' ? last.content.filter((block) => block.type === 'tool_use') : [];
  return {
    role: 'user',
    content: [
      ...open.map(({ id }) => ({ type: 'tool_result' as const, toolUseId: id, text: unanswered, isError: true })),
      { type: 'text', text: prompt },
    ],
  };
}
