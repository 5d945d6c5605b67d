// One run of a model that extracts: it takes over a conversation, works in an overlay, and what it left there is checked and
// kept as one run. Which conversation, and how its task is worded, is the caller's. A run that fails rejects, and nothing of
// it is kept.

import { type AgentPrefix, type AgentResult, runForkedAgent, type Tool } from '../agent/agentLoop';
import { type LanguageModel, ModelError, type Usage } from '../agent/languageModel';
import { createMemoryTools } from '../agent/memoryTools';
import type { Logger } from '../log';
import type { Overlay } from '../memory/changeset';
import { formatManifest } from '../memory/manifest';
import type { MemoryHeader } from '../memory/memory';
import { findSignals } from '../sessions/signals';
import type { Session, TranscriptMessage, TranscriptReading } from '../sessions/transcript';
import type { ExtractionResult, KeepFindings } from './findings';
import { readModelWork } from './modelWork';
import { manifestTokens } from './prompt';

export interface ModelRunOptions {
  readonly model: LanguageModel;
  readonly keep: KeepFindings;
  readonly openOverlay: () => Overlay;
  readonly heads: () => Promise<readonly MemoryHeader[]>;
  readonly team: () => boolean;
  readonly spend: (usage: Usage) => Promise<void>;
  readonly now: () => number;
  readonly log: Logger;
}

export interface ModelRunTask {
  readonly prefix: AgentPrefix;
  /** The task, which comes last because the list of memories changes with each run. */
  readonly prompt: (facts: {
    readonly manifest: string;
    readonly mayForget: boolean;
    readonly team: boolean;
  }) => string;
  /** The person's new messages by the number they can be cited by, and the highest number there is. */
  readonly numbered: ReadonlyMap<number, TranscriptMessage>;
  readonly lastNumber: number;
}

/** Turns of one run: reads, then writes, then a word at the end; two more for what was refused. */
const maxTurns = 5;
/** A run of one window is a few requests of at most 30,000 tokens. */
const maxTokens = 200_000;
const maxMs = 5 * 60_000;
const mostFiles = 12;
/** Memories that one request to forget may take away. */
const mostForgotten = 3;

export async function runExtraction(
  options: ModelRunOptions,
  { prefix, prompt, numbered, lastNumber }: ModelRunTask,
  from: { readonly reading: TranscriptReading; readonly session: Session; readonly signal: AbortSignal },
): Promise<ExtractionResult> {
  const { log } = options;
  const heads = await options.heads();
  const overlay = options.openOverlay();
  const pinned = new Set(heads.filter((head) => head.pinned).map((head) => head.path));
  const mayForget = [...numbered.values()].some(asksToForget);
  const team = options.team();
  let forgotten = 0;
  const memory = createMemoryTools({
    overlay,
    paths: heads.map((head) => head.path),
    documents: [],
    isPinned: (path) => pinned.has(path),
    team,
    index: false,
    mostFiles,
    mayDelete: () => {
      if (!mayForget) return 'The person did not ask to forget anything, so nothing is deleted. Edit it instead.';
      forgotten += 1;
      return forgotten > mostForgotten ? `One run deletes at most ${mostForgotten} memories.` : undefined;
    },
  });
  const text = prompt({ manifest: formatManifest(heads, manifestTokens), mayForget, team });
  const result = await runWithin(options, { prefix, prompt: text, ...memory }, from);

  const work = await readModelWork(overlay.changes(), memory.removals, {
    sessionId: from.session.id,
    numbered,
    lastNumber,
    now: options.now(),
  });
  for (const { path, why } of work.leftOut) log.warn(`${path} was left out: ${why}.`);
  return { ...(await options.keep(work, from)), usage: result.usage, turns: result.turns, model: options.model.id };
}

export const asksToForget = ({ text, at }: TranscriptMessage): boolean => findSignals({ text, at }).forget.length > 0;

/** One run of the model, within the limits of an extraction. Rejects when it did not come to an end. */
export async function runWithin(
  { model, spend, log }: Pick<ModelRunOptions, 'model' | 'spend' | 'log'>,
  task: {
    readonly prefix: AgentPrefix;
    readonly prompt: string;
    readonly tools: readonly Tool[];
    readonly canUseTool: (name: string, input: unknown) => string | undefined;
  },
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<AgentResult> {
  const { prefix, prompt, tools, canUseTool } = task;
  const limits = { maxTurns, maxTokens, maxMs };
  const result = await runForkedAgent({ model, prefix, prompt, tools, canUseTool, limits, signal });
  await spend(result.usage);
  if (result.stopReason === 'aborted') signal.throwIfAborted();
  if (result.error) throw result.error;
  if (result.stopReason === 'refusal') throw new ModelError('refused', 'The model declined to read this session.');
  if (result.stopReason === 'timed_out')
    throw new ModelError('timed_out', 'The model did not finish within five minutes.');
  log.info(`${session.id}: ${result.turns} turns, stopped by ${result.stopReason}.`);
  return result;
}
