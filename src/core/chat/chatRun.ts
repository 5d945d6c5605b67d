// What a model does in a conversation of our own: answer a turn, and at the end, as a fork that has the very same request as
// its beginning, look for what is worth keeping. Loaded when a model is used. A turn reads memory and changes nothing.

import { type AgentResult, runForkedAgent } from '../agent/agentLoop';
import type { LanguageModel, ModelMessage, ModelObserver, TextBlock } from '../agent/languageModel';
import { createMemoryTools, fieldsOf } from '../agent/memoryTools';
import type { Extract } from '../extraction/extraction';
import { type ModelRunOptions, runExtraction } from '../extraction/modelRun';
import { formatKnown, formatTask, type Known } from '../extraction/prompt';
import type { Overlay } from '../memory/changeset';
import type { TranscriptMessage } from '../sessions/transcript';
import { chatSystem, formatFork } from './prompt';

/** What both requests begin with. */
export interface ChatPrefix {
  readonly system: readonly TextBlock[];
  readonly messages: readonly ModelMessage[];
}

/** A person waits. */
const limits = { maxTurns: 6, maxTokens: 200_000, maxMs: 2 * 60_000 };

const reading: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob']);
const noWriting =
  'Nothing is written in this conversation. The person keeps something with /remember and takes something away with /forget; tell them so if they asked for it.';

export const chatPrefix = (known: Known): ChatPrefix => ({
  system: [
    { type: 'text', text: chatSystem, stable: true },
    { type: 'text', text: formatKnown(known), stable: true },
  ],
  messages: [],
});

/** One turn. Its end is a value, as `runForkedAgent` says. */
export async function answerTurn(options: {
  readonly model: LanguageModel;
  readonly prefix: ChatPrefix;
  readonly prompt: string;
  /** Thrown away: it is what the tools read through. */
  readonly overlay: Overlay;
  readonly paths: readonly string[];
  readonly onRead: (path: string) => void;
  readonly observer: ModelObserver;
  readonly signal: AbortSignal;
}): Promise<AgentResult> {
  const memory = createMemoryTools({
    overlay: options.overlay,
    paths: options.paths,
    documents: [],
    isPinned: () => false,
    team: false,
    index: false,
    mostFiles: 0,
    mayDelete: () => noWriting,
  });
  return runForkedAgent({
    model: options.model,
    prefix: options.prefix,
    prompt: options.prompt,
    tools: memory.tools,
    canUseTool: (name, input) => (reading.has(name) ? memory.canUseTool(name, input) : noWriting),
    limits,
    signal: options.signal,
    observer: options.observer,
    onEvent: (event) => {
      if (event.kind !== 'tool' || event.name !== 'Read' || event.isError) return;
      const { file_path: path } = fieldsOf(event.input);
      if (typeof path === 'string') options.onRead(path);
    },
  });
}

/** `numbered` are the turns that were not looked at before. */
export const createForkExtract =
  (
    options: ModelRunOptions & {
      readonly prefix: ChatPrefix;
      readonly numbered: ReadonlyMap<number, TranscriptMessage>;
    },
  ): Extract =>
  (given, session, signal) => {
    const { numbered } = options;
    const firstNew = Math.min(...numbered.keys());
    const lastNew = Math.max(...numbered.keys());
    return runExtraction(
      options,
      {
        prefix: options.prefix,
        prompt: (facts) => formatFork(formatTask({ firstNew, lastNew, ...facts })),
        numbered,
        lastNumber: lastNew,
      },
      { reading: given, session, signal },
    );
  };
