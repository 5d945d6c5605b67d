// The forked agent in the place of the rules: a model reads a digest of the session and writes into an overlay; what it
// left there is checked, and only then one run is applied. The digest and the index before it are kept between
// extractions, so that the next one extends this one's request. A model that fails rejects: the cursor stays.

import { runForkedAgent } from '../agent/agentLoop';
import { addUsage, type LanguageModel, ModelError, type Usage } from '../agent/languageModel';
import { createMemoryTools } from '../agent/memoryTools';
import type { Logger } from '../log';
import type { Overlay } from '../memory/changeset';
import { formatManifest } from '../memory/manifest';
import type { MemoryHeader } from '../memory/memory';
import { type Digest, emptyDigest, extendDigest, windowsOf } from '../sessions/digest';
import type { Digests } from '../sessions/digestStore';
import type { Session, TranscriptMessage, TranscriptReading } from '../sessions/transcript';
import type { Extract } from './extraction';
import type { ExtractionResult, KeepFindings } from './findings';
import type { readModelWork } from './modelWork';
import { noResult } from './outcome';
import { extractionSystem, formatContext, formatTask, guidanceChars, indexChars, manifestTokens } from './prompt';

export interface ModelExtractOptions {
  readonly model: LanguageModel;
  readonly keep: KeepFindings;
  readonly digests: Digests;
  readonly openOverlay: () => Overlay;
  readonly heads: () => Promise<readonly MemoryHeader[]>;
  /** As much of the index as is loaded into a chat. */
  readonly index: () => Promise<string>;
  /** Sentences of CLAUDE.md files. */
  readonly guidance: () => Promise<readonly string[]>;
  readonly team: () => boolean;
  /** Handed in, because the rules and their dictionaries are in the engine's own bundle. */
  readonly readWork: typeof readModelWork;
  readonly asksToForget: (message: TranscriptMessage) => boolean;
  readonly spend: (usage: Usage) => Promise<void>;
  readonly now: () => number;
  readonly log: Logger;
}

/** Turns of one run: reads, then writes, then a word at the end; two more for what was refused. */
const maxTurns = 5;
/** A run of one window is a few requests of at most 30,000 tokens. */
const maxTokens = 200_000;
const maxMs = 5 * 60_000;
/** Parts of one session that are looked at in one extraction; of a longer one, the newest. */
const mostWindows = 8;
const mostFiles = 12;
/** Memories that one request to forget may take away. */
const mostForgotten = 3;

export function createModelExtract(options: ModelExtractOptions): Extract {
  const { digests, log } = options;

  async function freshContext(): Promise<string> {
    const [index, guidance] = await Promise.all([options.index(), options.guidance()]);
    return formatContext({
      index: index.slice(0, indexChars),
      guidance: guidance.join('\n').slice(0, guidanceChars),
    });
  }

  return async (reading, session, signal) => {
    const kept = await digests.get(session.file);
    const isContinued = kept !== undefined && !reading.restarted;
    const context = isContinued ? kept.context : await freshContext();
    let digest: Digest = isContinued ? kept.digest : emptyDigest;
    const all = windowsOf(reading.messages);
    const windows = all.slice(-mostWindows);
    if (windows.length < all.length) log.warn(`${session.id} is long: only its newest part is read.`);

    let total: ExtractionResult = noResult;
    for (const messages of windows) {
      const extended = extendDigest(digest, messages, digest === emptyDigest ? reading.previousAssistant : undefined);
      digest = extended.digest;
      if (extended.firstNew === undefined) continue;
      const result = await runOnce(extended, context, { reading, session, signal });
      total = added(total, result);
    }
    await digests.put(session.file, { digest, context });
    return total;
  };

  async function runOnce(
    { digest, firstNew, numbered }: ReturnType<typeof extendDigest>,
    context: string,
    from: { readonly reading: TranscriptReading; readonly session: Session; readonly signal: AbortSignal },
  ): Promise<ExtractionResult> {
    const { model } = options;
    const heads = await options.heads();
    const overlay = options.openOverlay();
    const pinned = new Set(heads.filter((head) => head.pinned).map((head) => head.path));
    const mayForget = [...numbered.values()].some(options.asksToForget);
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
    const result = await runForkedAgent({
      model,
      prefix: {
        system: [{ type: 'text', text: extractionSystem, stable: true }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: context },
              ...digest.chunks.map(({ text, sent }) => ({
                type: 'text' as const,
                text,
                ...(sent ? { stable: true as const } : {}),
              })),
            ],
          },
        ],
      },
      prompt: formatTask({
        firstNew: firstNew ?? 1,
        lastNew: digest.count,
        manifest: formatManifest(heads, manifestTokens),
        mayForget,
        team,
      }),
      tools: memory.tools,
      canUseTool: memory.canUseTool,
      limits: { maxTurns, maxTokens, maxMs },
      signal: from.signal,
    });
    await options.spend(result.usage);
    if (result.stopReason === 'aborted') from.signal.throwIfAborted();
    if (result.error) throw result.error;
    if (result.stopReason === 'refusal') throw new ModelError('refused', 'The model declined to read this session.');
    if (result.stopReason === 'timed_out')
      throw new ModelError('timed_out', 'The model did not finish within five minutes.');

    const work = await options.readWork(overlay.changes(), memory.removals, {
      sessionId: from.session.id,
      numbered,
      lastNumber: digest.count,
      now: options.now(),
    });
    for (const { path, why } of work.leftOut) log.warn(`${path} was left out: ${why}.`);
    log.info(`${from.session.id}: ${result.turns} turns, stopped by ${result.stopReason}.`);
    return { ...(await options.keep(work, from)), usage: result.usage, turns: result.turns, model: model.id };
  }
}

function added(a: ExtractionResult, b: ExtractionResult): ExtractionResult {
  const writtenPaths = [...new Set([...a.writtenPaths, ...b.writtenPaths])];
  const refused = a.refused ?? b.refused;
  return {
    writtenPaths,
    savedCount: writtenPaths.length,
    forgottenCount: a.forgottenCount + b.forgottenCount,
    suggestedCount: a.suggestedCount + b.suggestedCount,
    runs: [...a.runs, ...b.runs],
    usage: addUsage(a.usage, b.usage),
    turns: a.turns + b.turns,
    ...(b.model === undefined ? {} : { model: b.model }),
    ...(refused ? { refused } : {}),
  };
}
