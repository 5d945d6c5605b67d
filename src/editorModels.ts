// VS Code's chat models as the extension's parts know them: the adapter and its rules are a bundle of their own, loaded when
// somebody looks for a model. Until then nothing is asked of the editor, not even which models there are.

import { type Disposable, type ExtensionContext, type LanguageModelChat, lm } from 'vscode';
import type { ChatModelState } from './core/agent/chatModels';
import type { LanguageModel } from './core/agent/languageModel';
import type { TryResult } from './core/agent/tryModel';

/** `ChatModels`, but everything is awaited. */
export interface EditorModels {
  list(): Promise<readonly ChatModelState[]>;
  find(id: string): Promise<LanguageModel>;
  /** The model that a person picked in the chat. */
  ofChat(chat: LanguageModelChat): Promise<LanguageModel>;
  tryModel(id: string, signal: AbortSignal): Promise<TryResult>;
  blockedUntil(id: string): Promise<number | undefined>;
  /** Models came or went; a person changed what we may use. */
  readonly events: readonly ((listener: () => void) => Disposable)[];
}

/** `justification` is what the editor's question says under “why”. */
export function createEditorModels(
  access: ExtensionContext['languageModelAccessInformation'],
  justification: string,
): EditorModels {
  const load = async () => (await import('./vscodeModel')).createVscodeModels(access, justification);
  let loaded: ReturnType<typeof load> | undefined;
  const models = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    list: async () => (await models()).list(),
    find: async (id) => (await models()).find(id),
    ofChat: async (chat) => (await models()).ofChat(chat),
    tryModel: async (id, signal) => (await models()).tryModel(id, signal),
    // What was never loaded was never blocked.
    blockedUntil: async (id) => (await loaded)?.blockedUntil(id),
    events: [lm?.onDidChangeChatModels, access?.onDidChange].flatMap((event) => event ?? []),
  };
}
