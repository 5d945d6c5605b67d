// A language model that says what a test tells it to say, and notes what it was asked. No network, no clock.

import {
  type AssistantBlock,
  type LanguageModel,
  type ModelReply,
  type ModelRequest,
  noUsage,
} from '../../src/core/agent/languageModel';
import type { Provider, ProviderState } from '../../src/core/agent/provider';
import { estimateTokens } from '../../src/core/tokens';

export type Script = readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn);
export type ScriptedTurn = ModelReply | Error | ((signal: AbortSignal) => Promise<ModelReply>);

export interface ScriptedModel extends LanguageModel {
  readonly received: readonly ModelRequest[];
}

export function scriptedModel(script: Script): ScriptedModel {
  const received: ModelRequest[] = [];
  return {
    id: 'scripted',
    provider: 'anthropic',
    reportsCache: false,
    received,
    countTokens: estimateTokens,
    async complete(request, signal) {
      signal.throwIfAborted();
      // A copy, so that what was sent stays what it was.
      received.push(structuredClone(request));
      const turn =
        typeof script === 'function'
          ? script(request, received.length)
          : (script[received.length - 1] ?? says('Done.'));
      if (turn instanceof Error) throw turn;
      return typeof turn === 'function' ? turn(signal) : turn;
    },
  };
}

/** As if a person had chosen this model for everything. */
export function providerOf(model: LanguageModel | (() => LanguageModel)): Provider {
  const state = async (): Promise<ProviderState> => ({
    kind: 'anthropic',
    host: 'scripted',
    keyFrom: 'none',
    models: { extraction: 'scripted', dream: 'scripted', recall: 'scripted' },
  });
  return {
    state,
    model: async () => ({ state: await state(), model: typeof model === 'function' ? model() : model }),
  };
}

let lastCall = 0;

export const says = (text: string, stopReason: ModelReply['stopReason'] = 'end_turn'): ModelReply => ({
  content: text === '' ? [] : [{ type: 'text', text }],
  stopReason,
  usage: { ...noUsage, input: 100, output: 10 },
});

export const calls = (...uses: readonly (readonly [name: string, input: unknown])[]): ModelReply =>
  callsWith(
    uses.map(([name, input]) => {
      lastCall += 1;
      return { type: 'tool_use', id: `call_${lastCall}`, name, input };
    }),
  );

export const callsWith = (
  content: readonly AssistantBlock[],
  stopReason: ModelReply['stopReason'] = 'tool_use',
): ModelReply => ({ content, stopReason, usage: { ...noUsage, input: 100, output: 50 } });
