// The forked agent in the place of the rules: a model reads a digest of the session and writes into an overlay; what it
// left there is checked, and only then one run is applied. The digest and the index before it are kept between
// extractions, so that the next one extends this one's request. A model that fails rejects: the cursor stays.

import { addUsage } from '../agent/languageModel';
import { type Digest, emptyDigest, extendDigest, windowsOf } from '../sessions/digest';
import type { Digests } from '../sessions/digestStore';
import type { Extract } from './extraction';
import type { ExtractionResult } from './findings';
import { logSystem } from './logPrompt';
import type { LogRun } from './logRun';
import { type ModelRunOptions, type ModelRunTask, runExtraction } from './modelRun';
import { noResult } from './outcome';
import { extractionSystem, formatContext, formatTask } from './prompt';

export interface ModelExtractOptions extends ModelRunOptions {
  readonly digests: Digests;
  /** In assistant mode: notes what is worth it in the daily logs, and writes no memory. */
  readonly runLog?: LogRun;
  /** As much of the indexes as is loaded into a chat and fits into a request. */
  readonly index: () => Promise<string>;
  /** Sentences of CLAUDE.md files. */
  readonly guidance: () => Promise<readonly string[]>;
}

/** Parts of one session that are looked at in one extraction; of a longer one, the newest. */
const mostWindows = 8;

export function createModelExtract(options: ModelExtractOptions): Extract {
  const { digests, log } = options;

  async function freshContext(): Promise<string> {
    const [index, guidance] = await Promise.all([options.index(), options.guidance()]);
    return formatContext({ index, guidance });
  }

  return async (reading, session, signal, isPast = false) => {
    // A digest goes forward only: what was said before it is read as a session of its own.
    const kept = isPast ? undefined : await digests.get(session.file);
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
    if (!isPast) await digests.put(session.file, { digest, context });
    return total;
  };

  function runOnce(
    { digest, firstNew, numbered }: ReturnType<typeof extendDigest>,
    context: string,
    from: Parameters<typeof runExtraction>[2],
  ): Promise<ExtractionResult> {
    const system = options.runLog ? logSystem : extractionSystem;
    const content = [
      { type: 'text' as const, text: context },
      ...digest.chunks.map(({ text, sent }) => ({
        type: 'text' as const,
        text,
        ...(sent ? { stable: true as const } : {}),
      })),
    ];
    const prefix = {
      system: [{ type: 'text' as const, text: system, stable: true as const }],
      messages: [{ role: 'user' as const, content }],
    };
    const range = { firstNew: firstNew ?? 1, lastNew: digest.count };
    const task = { prefix, numbered, lastNumber: digest.count };
    if (options.runLog) return options.runLog(options, { ...task, ...range }, from);
    const prompt: ModelRunTask['prompt'] = (facts) => formatTask({ ...range, ...facts });
    return runExtraction(options, { ...task, prompt }, from);
  }
}

function added(a: ExtractionResult, b: ExtractionResult): ExtractionResult {
  const writtenPaths = [...new Set([...a.writtenPaths, ...b.writtenPaths])];
  const refused = a.refused ?? b.refused;
  return {
    writtenPaths,
    // Lines of a log are no memories.
    savedCount: a.loggedCount || b.loggedCount ? 0 : writtenPaths.length,
    forgottenCount: a.forgottenCount + b.forgottenCount,
    suggestedCount: a.suggestedCount + b.suggestedCount,
    ...(a.loggedCount || b.loggedCount ? { loggedCount: (a.loggedCount ?? 0) + (b.loggedCount ?? 0) } : {}),
    runs: [...a.runs, ...b.runs],
    usage: addUsage(a.usage, b.usage),
    turns: a.turns + b.turns,
    ...(b.model === undefined ? {} : { model: b.model }),
    ...(refused ? { refused } : {}),
  };
}
