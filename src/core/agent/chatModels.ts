// An editor's own chat models as language models. It promises: nothing is sent in the background that a person has not
// allowed; a model that is blocked is left alone for hours, over all runs; a model that is gone is looked for anew and else
// said to be gone. It knows no editor: which models there are, and how one is asked, is handed in.

import { estimateTokens } from '../tokens';
import { type ChatMessage, type ChatPart, formatChat, readChat } from './chatFormat';
import {
  isModelError,
  type LanguageModel,
  ModelError,
  type ModelObserver,
  type ModelRequest,
  noUsage,
  type ToolDefinition,
} from './languageModel';
import type { TryResult } from './tryModel';

/** One model of the editor's, as it is now. */
export interface HostChat {
  /** Unique and the same over restarts: vendor and id. */
  readonly id: string;
  /** For a person. */
  readonly name: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
  /** Whether requests are allowed; `undefined` while nobody was asked. */
  access(): boolean | undefined;
  /**
   * Asks, and a person first where nobody was asked yet. Rejects with the editor's error, whose `code` may be
   * `NoPermissions`, `Blocked` or `NotFound`.
   */
  send(
    messages: readonly ChatMessage[],
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatPart>>;
  /** Tokens of one message, by the model's own count. */
  count(message: ChatMessage, signal: AbortSignal): Promise<number>;
}

export interface ChatModelState {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly access: 'granted' | 'refused' | 'not_asked';
  /** Milliseconds; until then it is not asked. */
  readonly blockedUntil?: number;
}

export interface ChatModels {
  /** What the editor offers now, in its order. */
  list(): Promise<readonly ChatModelState[]>;
  /** For background work: a request that a person has not allowed fails with `no_permission`. It need not be there now. */
  find(id: string): LanguageModel;
  /** For what a person has just asked for: where they have not allowed it yet, the editor asks them. */
  forPerson(chat: HostChat): LanguageModel;
  /** One tiny request at a person's gesture, which is how they allow the rest. Rejects when aborted. */
  tryModel(id: string, signal: AbortSignal): Promise<TryResult>;
  /** When a model that is blocked may be asked again, milliseconds. */
  blockedUntil(id: string): number | undefined;
}

/** A quota is counted by the day or the week, and asking again does not bring it back. */
const blockPausesMs = [60 * 60_000, 3 * 60 * 60_000, 12 * 60 * 60_000];
/** Nothing came for this long: the model is not answering any more. */
const silenceMs = 3 * 60_000;
const retryPausesMs = [2_000, 15_000];
/** Characters: no field limits an answer, so one that is longer than its tokens could be is stopped. */
const longestToken = 6;

export function createChatModels(options: {
  readonly list: () => Promise<readonly HostChat[]>;
  readonly now: () => number;
  /** Waits; rejects with the signal's reason. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly silenceMs?: number;
}): ChatModels {
  const { now, wait } = options;
  const blocks = new Map<string, { readonly until: number; readonly times: number }>();

  const blockedUntil = (id: string): number | undefined => {
    const block = blocks.get(id);
    return block && block.until > now() ? block.until : undefined;
  };

  function blocked(chat: Pick<HostChat, 'id' | 'name'>): ModelError {
    const until = blockedUntil(chat.id) ?? now();
    return new ModelError(
      'rate_limited',
      `The quota of “${chat.name}” is used up, or its provider blocks it for now.`,
      Math.max(0, until - now()),
    );
  }

  function block(chat: HostChat): ModelError {
    const times = (blocks.get(chat.id)?.times ?? 0) + 1;
    const pause = blockPausesMs[Math.min(times, blockPausesMs.length) - 1] ?? 0;
    blocks.set(chat.id, { until: now() + pause, times });
    return blocked(chat);
  }

  const present = async (id: string): Promise<HostChat> => {
    const found = (await options.list()).find((chat) => chat.id === id);
    if (found) return found;
    throw new ModelError('unknown_model', `VS Code has no chat model “${id}” at the moment. Choose another one.`);
  };

  /** The editor's error, as one of ours; undefined for a fault that may pass by itself. */
  function faultOf(error: unknown, chat: HostChat): ModelError | undefined {
    if (isModelError(error)) return error;
    switch ((error as { readonly code?: unknown } | undefined)?.code) {
      case 'NoPermissions':
        return notAllowed(chat);
      case 'Blocked':
        return block(chat);
      case 'NotFound':
        return new ModelError('unknown_model', `“${chat.name}” is no longer there. Choose another model.`);
      default:
        return undefined;
    }
  }

  function model(id: string, get: () => Promise<HostChat>, isPersons: boolean): LanguageModel {
    /** Messages of one run are the same objects in every turn. */
    const counted = new WeakMap<object, Promise<number>>();

    async function tokensOf(chat: HostChat, request: ModelRequest, signal: AbortSignal): Promise<number> {
      const count = (message: ChatMessage) => chat.count(message, signal).catch(() => estimateTokens(textOf(message)));
      const known = (key: object, messages: readonly ChatMessage[]) => {
        const before = counted.get(key);
        if (before) return before;
        const fresh = Promise.all(messages.map(count)).then(sum);
        counted.set(key, fresh);
        return fresh;
      };
      const { system, messages, tools } = request;
      const parts = await Promise.all([
        known(system, formatChat({ system, tools: [], messages: [], maxTokens: 0 })),
        ...messages.map((message) =>
          known(message, formatChat({ system: [], tools: [], messages: [message], maxTokens: 0 })),
        ),
      ]);
      return sum(parts) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));
    }

    async function once(chat: HostChat, request: ModelRequest, signal: AbortSignal, observer?: ModelObserver) {
      const input = await tokensOf(chat, request, signal);
      signal.throwIfAborted();
      if (chat.maxInputTokens > 0 && input > chat.maxInputTokens)
        throw new ModelError('too_long', `This is more text than “${chat.name}” takes.`);
      const parts: ChatPart[] = [];
      let length = 0;
      const usage = () => ({
        ...noUsage,
        input,
        output: parts.length === 0 ? 0 : estimateTokens(textOf({ role: 'assistant', parts })),
      });
      try {
        const wasCut = await receive(chat, request, signal, (part) => {
          parts.push(part);
          length += part.kind === 'text' ? part.text.length : JSON.stringify(part).length;
          if (part.kind === 'text') observer?.onText?.(part.text);
          return length < request.maxTokens * longestToken;
        });
        signal.throwIfAborted();
        const reply = readChat(parts, request, wasCut);
        blocks.delete(chat.id);
        return { ...reply, usage: usage() };
      } catch (error) {
        signal.throwIfAborted();
        // What was answered before a fault was paid for too.
        if (isModelError(error)) throw new ModelError(error.code, error.message, error.retryAfterMs, usage());
        throw error;
      }
    }

    /** Whether the answer was cut. `take` says whether more is wanted. */
    async function receive(
      chat: HostChat,
      request: ModelRequest,
      signal: AbortSignal,
      take: (part: ChatPart) => boolean,
    ): Promise<boolean> {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      const patient = async <T>(work: PromiseLike<T>): Promise<T> => {
        // While a person is asked whether they allow it, nothing is late.
        if (chat.access() !== true) return withAbort(Promise.resolve(work), either);
        const limit = new AbortController();
        const late = wait(options.silenceMs ?? silenceMs, limit.signal).then(
          () => {
            throw new ModelError('timed_out', `“${chat.name}” did not answer in time.`);
          },
          () => new Promise<never>(() => {}),
        );
        try {
          return await withAbort(Promise.race([work, late]), either);
        } finally {
          limit.abort();
        }
      };
      let iterator: AsyncIterator<ChatPart> | undefined;
      try {
        const stream = await patient(chat.send(formatChat(request), request.tools, either));
        iterator = stream[Symbol.asyncIterator]();
        for (;;) {
          const next = await patient(iterator.next());
          if (next.done) return false;
          const isEnough = !take(next.value);
          if (isEnough) return true;
        }
      } finally {
        stop.abort();
        void iterator?.return?.().catch(() => {});
      }
    }

    return {
      id,
      provider: 'vscode',
      reportsCache: false,
      countTokens: estimateTokens,
      async complete(request, signal, observer) {
        let isSecondLook = false;
        for (let tries = 0; ; tries += 1) {
          signal.throwIfAborted();
          const chat = await get();
          if (blockedUntil(chat.id) !== undefined && !isPersons) throw blocked(chat);
          if (!isPersons && chat.access() !== true) throw notAllowed(chat);
          try {
            return await once(chat, request, signal, observer);
          } catch (error) {
            signal.throwIfAborted();
            const fault = faultOf(error, chat);
            // A model that was registered anew has the same id and is another object.
            const mayBeBack = fault?.code === 'unknown_model' && !isSecondLook;
            isSecondLook = true;
            const pause = retryPausesMs[tries];
            if (!mayBeBack && (fault || pause === undefined)) throw fault ?? failed(chat);
            if (mayBeBack) continue;
            observer?.onRetry?.('server_error', pause ?? 0);
            await wait(pause ?? 0, signal);
          }
        }
      },
    };
  }

  return {
    async list() {
      return (await options.list()).map((chat) => {
        const access = chat.access();
        const until = blockedUntil(chat.id);
        return {
          id: chat.id,
          name: chat.name,
          vendor: chat.vendor,
          access: access === undefined ? 'not_asked' : access ? 'granted' : 'refused',
          ...(until === undefined ? {} : { blockedUntil: until }),
        };
      });
    },
    find: (id) => model(id, () => present(id), false),
    forPerson: (chat) => model(chat.id, async () => chat, true),
    async tryModel(id, signal) {
      const content = [{ type: 'text', text: 'Answer with the one word: ready' }] as const;
      try {
        await model(id, () => present(id), true).complete(
          { system: [], tools: [], messages: [{ role: 'user', content }], maxTokens: 16 },
          signal,
        );
        return { answered: true };
      } catch (error) {
        if (!isModelError(error)) throw error;
        return { answered: false, code: error.code, message: error.message };
      }
    },
    blockedUntil,
  };
}

const notAllowed = ({ name }: HostChat): ModelError =>
  new ModelError(
    'no_permission',
    `Reverie has not been allowed to use “${name}”. Grant access, or choose another model.`,
  );

const failed = ({ name }: HostChat): ModelError =>
  new ModelError('server_error', `“${name}” failed to answer, several times in a row.`);

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

const textOf = ({ parts }: ChatMessage): string =>
  parts.map((part) => (part.kind === 'call' ? JSON.stringify(part) : part.text)).join('');

/** What an aborted signal leaves behind is not waited for, and does not count as unhandled. */
function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
