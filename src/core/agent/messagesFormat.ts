// Our words and those of the Messages API, in both directions. What is sent is a function of the request alone, so that
// two turns of a run begin with the same bytes. What comes back is a stranger's: an answer counts only when it is whole,
// a call's input that was cut or is no JSON is marked as such, and blocks we don't know are kept as they came.

import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { estimateTokens } from '../tokens';
import { type Place, placeBreakpoints } from './cacheBreakpoints';
import {
  type AssistantBlock,
  type ModelReply,
  type ModelRequest,
  noUsage,
  type ToolUseBlock,
  type Usage,
  type UserBlock,
} from './languageModel';
import { notTheProtocol } from './modelFaults';

type Json = Readonly<Record<string, unknown>>;

/** The whole body of a request. Empty texts, which the API refuses, are left out. */
export function toParams(given: ModelRequest, model: string): MessageCreateParamsStreaming {
  const request = withoutEmpty(given);
  const marks = new Set(placeBreakpoints(request, estimateTokens).map(keyOf));
  const marked = <T extends object>(block: T, place: Place): T =>
    marks.has(keyOf(place)) ? { ...block, cache_control: { type: 'ephemeral' } } : block;
  const { system, tools, messages, maxTokens, outputSchema } = request;
  return {
    model,
    max_tokens: maxTokens,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }, block) =>
            marked<Tool>(
              { name, description, input_schema: inputSchema as Tool['input_schema'] },
              { part: 'tools', block },
            ),
          ),
        }),
    ...(system.length === 0
      ? {}
      : {
          system: system.map(({ text }, block) =>
            marked<TextBlockParam>({ type: 'text', text }, { part: 'system', block }),
          ),
        }),
    messages: messages.map(({ role, content }, message): MessageParam => {
      const blocks = (content as readonly (UserBlock | AssistantBlock)[]).map((block, at) =>
        marked(toBlock(block), { part: 'messages', message, block: at }),
      );
      return { role, content: blocks };
    }),
    ...(outputSchema === undefined
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: { ...outputSchema } } } }),
    stream: true,
  };
}

const keyOf = ({ part, message, block }: Place) => `${part} ${message} ${block}`;

function withoutEmpty(request: ModelRequest): ModelRequest {
  const isSaid = (block: UserBlock | AssistantBlock) => block.type !== 'text' || block.text.trim() !== '';
  return {
    ...request,
    system: request.system.filter(isSaid),
    messages: request.messages.flatMap((message) => {
      const content = (message.content as readonly (UserBlock | AssistantBlock)[]).filter(isSaid);
      return content.length === 0 ? [] : [{ ...message, content } as ModelRequest['messages'][number]];
    }),
  };
}

function toBlock(block: UserBlock | AssistantBlock): ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: inputOf(block) };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        // An empty text is refused, no content at all is not.
        ...(block.text.trim() === '' ? {} : { content: block.text }),
        ...(block.isError ? { is_error: true } : {}),
      };
    case 'opaque':
      return block.value as ContentBlockParam;
  }
}

/** The API takes an object only; what the model wrote instead is given back under this name, as its guide advises. */
const inputOf = ({ input, malformed }: ToolUseBlock): unknown => {
  if (malformed !== undefined) return { INVALID_JSON: malformed };
  return isRecord(input) ? input : { INVALID_JSON: JSON.stringify(input) };
};

/** Puts an answer together from its events. Nothing of it can be had before it is whole. */
export interface ReplyReader {
  /** Takes one event, or a whole message of an endpoint that does not stream. Throws for what is not the protocol. */
  take(event: unknown): void;
  isWhole(): boolean;
  /** What the provider has charged so far. */
  usage(): Usage;
  /** The whole answer. Throws while there is none. */
  reply(): ModelReply;
}

interface Draft {
  block: Json;
  text: string;
  json: string;
  thinking: string;
  signature: string;
}

export function createReplyReader(onText: (delta: string) => void): ReplyReader {
  const drafts = new Map<number, Draft>();
  let usage = noUsage;
  let stopReason: unknown;
  let isWhole = false;

  function begin(index: number, block: Json): void {
    const { text, thinking, signature } = block;
    drafts.set(index, {
      block,
      text: textOf(text),
      json: '',
      thinking: textOf(thinking),
      signature: textOf(signature),
    });
  }

  function grow(draft: Draft, delta: Json): void {
    switch (delta.type) {
      case 'text_delta':
        draft.text += textOf(delta.text);
        onText(textOf(delta.text));
        break;
      case 'input_json_delta':
        draft.json += textOf(delta.partial_json);
        break;
      case 'thinking_delta':
        draft.thinking += textOf(delta.thinking);
        break;
      case 'signature_delta':
        draft.signature += textOf(delta.signature);
        break;
    }
  }

  return {
    take(event) {
      if (!isRecord(event)) throw new Error(notTheProtocol);
      switch (event.type) {
        case 'message_start':
          usage = usageOf(recordOf(event.message).usage, usage);
          break;
        case 'content_block_start':
          begin(indexOf(event), recordOf(event.content_block));
          break;
        case 'content_block_delta': {
          const draft = drafts.get(indexOf(event));
          if (!draft) throw new Error(notTheProtocol);
          grow(draft, recordOf(event.delta));
          break;
        }
        case 'message_delta':
          stopReason = recordOf(event.delta).stop_reason ?? stopReason;
          usage = usageOf(event.usage, usage);
          break;
        case 'message_stop':
          isWhole = true;
          break;
        case 'message':
          if (!Array.isArray(event.content)) throw new Error(notTheProtocol);
          event.content.forEach((block, at) => void begin(at, recordOf(block)));
          for (const { text } of drafts.values()) if (text !== '') onText(text);
          usage = usageOf(event.usage, usage);
          stopReason = event.stop_reason;
          isWhole = true;
          break;
      }
    },
    isWhole: () => isWhole,
    usage: () => usage,
    reply() {
      if (!isWhole) throw new Error('The answer has no end yet.');
      const ordered = [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => draft);
      const isCut = stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
      const content = ordered.flatMap((draft, at) => finish(draft, isCut && at === ordered.length - 1));
      return { content: kept(content, stopReason), stopReason: stopReasonOf(stopReason, isCut, content), usage };
    },
  };
}

function finish({ block, text, json, thinking, signature }: Draft, isCut: boolean): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    case 'tool_use':
      return [toCall(block, json, isCut)];
    case 'thinking':
      // Thinking that was cut has no signature and would be refused.
      return signature === '' && isCut ? [] : [{ type: 'opaque', value: { ...block, thinking, signature } }];
    default:
      return [{ type: 'opaque', value: block }];
  }
}

function toCall(block: Json, json: string, isCut: boolean): ToolUseBlock {
  const { id, name } = block;
  if (typeof id !== 'string' || typeof name !== 'string') throw new Error(notTheProtocol);
  const call = { type: 'tool_use', id, name } as const;
  if (json.trim() === '') {
    const input = isRecord(block.input) ? block.input : {};
    // No input at all is a call without arguments, unless the answer ended before there was any.
    return isCut && Object.keys(input).length === 0 ? { ...call, input, malformed: '' } : { ...call, input };
  }
  try {
    return { ...call, input: JSON.parse(json) };
  } catch {
    return { ...call, input: {}, malformed: json };
  }
}

/** A refused answer was begun before it was refused: its calls are not meant. */
const kept = (content: readonly AssistantBlock[], stopReason: unknown) =>
  stopReason === 'refusal' ? content.filter(({ type }) => type === 'text') : content;

function stopReasonOf(given: unknown, isCut: boolean, content: readonly AssistantBlock[]): ModelReply['stopReason'] {
  if (isCut) return 'max_tokens';
  if (given === 'refusal') return 'refusal';
  // Some endpoints say `end_turn` or `stop` over an answer that calls tools.
  return content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

/** Later figures are cumulative and may be missing. */
function usageOf(given: unknown, before: Usage): Usage {
  const figures = recordOf(given);
  const figure = (name: string, otherwise: number) => {
    const value = figures[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
  };
  return {
    input: figure('input_tokens', before.input),
    cacheRead: figure('cache_read_input_tokens', before.cacheRead),
    cacheWrite: figure('cache_creation_input_tokens', before.cacheWrite),
    output: figure('output_tokens', before.output),
  };
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
function indexOf({ index }: Json): number {
  if (typeof index !== 'number') throw new Error(notTheProtocol);
  return index;
}
