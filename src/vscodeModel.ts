// VS Code's chat models as the engine's: the editor's classes on one side, plain data on the other. It decides nothing; what
// may be sent and what a fault means is in `core/agent/chatModels.ts`. Older hosts have no such models: then there are none.

import {
  CancellationTokenSource,
  type ExtensionContext,
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from 'vscode';
import type { ChatMessage, ChatPart } from './core/agent/chatFormat';
import { type ChatModels, createChatModels, type HostChat } from './core/agent/chatModels';
import type { LanguageModel } from './core/agent/languageModel';
import { sleep } from './core/agent/sleep';

export interface VscodeModels extends ChatModels {
  /** The model that a person picked in the chat. */
  ofChat(chat: LanguageModelChat): LanguageModel;
}

/** `justification` is what the editor's question says under “why”. */
export function createVscodeModels(
  access: ExtensionContext['languageModelAccessInformation'],
  justification: string,
): VscodeModels {
  const hostChat = (chat: LanguageModelChat): HostChat => ({
    id: `${chat.vendor}/${chat.id}`,
    name: chat.name,
    vendor: chat.vendor,
    maxInputTokens: chat.maxInputTokens,
    access: () => access.canSendRequest(chat),
    async send(messages, tools, signal) {
      const { token, release } = tokenOf(signal);
      try {
        const response = await chat.sendRequest(
          messages.map(toMessage),
          {
            justification,
            ...(tools.length === 0
              ? {}
              : {
                  tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
                }),
          },
          token,
        );
        return partsOf(response.stream, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    async count(message, signal) {
      const { token, release } = tokenOf(signal);
      try {
        return await chat.countTokens(toMessage(message), token);
      } finally {
        release();
      }
    },
  });
  const models = createChatModels({
    list: async () => ((await lm?.selectChatModels?.()) ?? []).map(hostChat),
    now: Date.now,
    wait: sleep,
  });
  return { ...models, ofChat: (chat) => models.forPerson(hostChat(chat)) };
}

function tokenOf(signal: AbortSignal) {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  const release = () => {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  };
  return { token: source.token, release };
}

/** Parts that we have no use for (a model's thinking, pictures) are passed over. */
async function* partsOf(stream: AsyncIterable<unknown>, release: () => void): AsyncIterable<ChatPart> {
  try {
    for await (const part of stream) {
      if (part instanceof LanguageModelTextPart) yield { kind: 'text', text: part.value };
      else if (part instanceof LanguageModelToolCallPart)
        yield { kind: 'call', id: part.callId, name: part.name, input: part.input };
    }
  } finally {
    release();
  }
}

function toMessage({ role, parts }: ChatMessage): LanguageModelChatMessage {
  // Which part may stand in which role is settled where messages are made.
  return role === 'user'
    ? LanguageModelChatMessage.User(parts.map(toPart) as (LanguageModelTextPart | LanguageModelToolResultPart)[])
    : LanguageModelChatMessage.Assistant(parts.map(toPart) as (LanguageModelTextPart | LanguageModelToolCallPart)[]);
}

function toPart(part: ChatPart) {
  switch (part.kind) {
    case 'text':
      return new LanguageModelTextPart(part.text);
    case 'call':
      return new LanguageModelToolCallPart(part.id, part.name, part.input as object);
    case 'result':
      return new LanguageModelToolResultPart(part.id, [new LanguageModelTextPart(part.text)]);
  }
}
