// A request and an answer in the words of an editor's chat models, which know two roles, texts, calls and results and no
// more. Pure, and both ways: what such a model can't be told by a field of its own is told in words. Nothing of a request is
// dropped but blocks that only another provider understands.

import {
  type AssistantBlock,
  ModelError,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
} from './languageModel';

export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  /** Never empty. */
  readonly parts: readonly ChatPart[];
}

/** There is no role for a system's text: it comes first, as a message of its own, so that it never moves. */
export function formatChat(request: ModelRequest): readonly ChatMessage[] {
  const { system, messages, outputSchema } = request;
  const formatted = [
    { role: 'user' as const, parts: system.flatMap(({ text }) => textPart(text)) },
    ...messages.map(formatMessage),
    ...(outputSchema ? [{ role: 'user' as const, parts: textPart(schemaText(outputSchema)) }] : []),
  ];
  return formatted.filter(({ parts }) => parts.length > 0);
}

const formatMessage = ({ role, content }: ModelMessage): ChatMessage => ({ role, parts: content.flatMap(partsOf) });

function partsOf(block: ModelMessage['content'][number]): readonly ChatPart[] {
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'tool_use':
      return [{ kind: 'call', id: block.id, name: block.name, input: isObject(block.input) ? block.input : {} }];
    case 'tool_result':
      // No field says that a call failed, and a model must not take the reason for what it asked for.
      return [{ kind: 'result', id: block.toolUseId, text: block.isError ? `Error: ${block.text}` : block.text }];
    case 'opaque':
      return [];
  }
}

const textPart = (text: string): readonly ChatPart[] => (text === '' ? [] : [{ kind: 'text', text }]);

const schemaText = (schema: Readonly<Record<string, unknown>>): string =>
  `Answer with one JSON object and nothing else, no code block around it. It follows this JSON schema:\n${JSON.stringify(schema)}`;

/**
 * The answer that came in parts; `wasCut` when it was stopped for its length. Throws `bad_answer` for silence, unless it
 * follows results of calls: then the model has simply nothing to add.
 */
export function readChat(
  parts: readonly ChatPart[],
  request: Pick<ModelRequest, 'messages'>,
  wasCut: boolean,
): Pick<ModelReply, 'content' | 'stopReason'> {
  const content: AssistantBlock[] = [];
  const used = new Set(request.messages.flatMap(({ content }) => content.flatMap(callId)));
  for (const part of parts) {
    if (part.kind === 'text') {
      const last = content.at(-1);
      if (last?.type === 'text') content[content.length - 1] = { type: 'text', text: last.text + part.text };
      else if (part.text !== '') content.push({ type: 'text', text: part.text });
    } else if (part.kind === 'call') {
      const { name, input } = part;
      // Some models number their calls anew in each answer, or not at all; a result must find its call.
      let id = part.id || 'call';
      for (let number = 2; used.has(id); number += 1) id = `${part.id || 'call'}-${number}`;
      used.add(id);
      content.push({
        type: 'tool_use',
        id,
        name,
        input,
        ...(isObject(input) ? {} : { malformed: JSON.stringify(input) ?? '' }),
      });
    }
  }
  const written = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const hasCalls = written.some(({ type }) => type === 'tool_use');
  if (written.length === 0 && !wasCut && !followsResults(request))
    throw new ModelError('bad_answer', 'The chat model gave an empty answer.');
  return { content: written, stopReason: wasCut ? 'max_tokens' : hasCalls ? 'tool_use' : 'end_turn' };
}

const callId = (block: ModelMessage['content'][number]): readonly string[] =>
  block.type === 'tool_use' ? [block.id] : [];

const followsResults = ({ messages }: Pick<ModelRequest, 'messages'>): boolean =>
  messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
