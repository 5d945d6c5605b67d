// Joins what extraction is made of, and decides before each run which engine reads: the rules, or the model that a person
// chose. A model that was chosen and can't be had is a failure that is said, never a silent step back to the rules.

import { join } from 'node:path';
import { chosenModel, type Provider } from '../agent/provider';
import type { Spend } from '../agent/spend';
import type { Assistant } from '../assistant';
import type { Disk } from '../disk';
import type { EngineSettings } from '../engineSettings';
import { isWithin } from '../files';
import { openGuard, type ProcessTable } from '../guard';
import type { Logger } from '../log';
import type { Overlay } from '../memory/changeset';
import type { MemoryHeader } from '../memory/memory';
import type { MemoryStore } from '../memory/memoryStore';
import type { Suggestions } from '../memory/proposals';
import type { Snapshots } from '../memory/snapshots';
import type { UsableMemories } from '../memory/usableMemories';
import type { Cursors } from '../sessions/cursors';
import { openDigests } from '../sessions/digestStore';
import type { Clock, TranscriptSource } from '../sessions/transcript';
import { createExtraction, type Extract, type Extraction } from './extraction';
import { createKeepFindings, type KeepFindings } from './findings';
import { isKeptElsewhere } from './keptElsewhere';
import { createLogging } from './logging';
import type { ModelRunOptions } from './modelRun';
import { createOfflineExtract } from './offline';
import { noResult, type SkipReason } from './outcome';
import { indexChars } from './prompt';
import type { SavingContext } from './saving';

export interface OpenExtraction extends Extraction {
  /** What a run of a model needs to be checked and kept as these are, but for its model. */
  readonly run: Omit<ModelRunOptions, 'model' | 'spend'>;
}

export function openExtraction(options: {
  readonly stateDir: string;
  readonly memoryDir: string;
  readonly store: MemoryStore;
  /** What a model may see. */
  readonly usable: UsableMemories;
  readonly team: () => boolean;
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  readonly provider: Provider;
  readonly spend: Spend;
  readonly openOverlay: () => Overlay;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly guidance: () => Promise<readonly string[]>;
  readonly findForgotten: (words: string, heads: readonly MemoryHeader[]) => MemoryHeader | undefined;
  readonly assistant: Assistant;
  readonly settings: () => EngineSettings;
  /** Why nothing may run now. */
  readonly refusal: () => Promise<SkipReason | undefined>;
  readonly processes: ProcessTable;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Logger;
}): OpenExtraction {
  const { stateDir, memoryDir, store, provider, spend, openOverlay, settings, disk, now, log } = options;
  const mode = () => settings().extraction.mode;
  const { assistant } = options;
  const logging = createLogging({
    logs: assistant.logs,
    openOverlay,
    saving: options.saving,
    heads: store.heads,
    mode,
  });
  const save = createKeepFindings({ ...options, mode });
  const keep: KeepFindings = (findings, from) => (assistant.isOn() ? logging.keep : save)(findings, from);
  const digests = openDigests({ folder: stateDir, disk, now });
  const extractOffline = createOfflineExtract({
    keep,
    heads: store.heads,
    team: options.team,
    findForgotten: options.findForgotten,
  });

  const run = {
    keep,
    openOverlay,
    heads: options.usable.heads,
    team: options.team,
    now,
    log,
  };

  const extract: Extract = async (reading, session, signal, isPast) => {
    if (!assistant.isOn()) return extractBy(reading, session, signal, isPast);
    await assistant.distilled.begin();
    const unlogged = await logging.unlogged(reading, session.file);
    return unlogged ? extractBy(unlogged, session, signal, isPast) : noResult;
  };

  const extractBy: Extract = async (reading, session, signal, isPast) => {
    const model = await chosenModel(provider, 'extraction');
    if (!model) return extractOffline(reading, session, signal);
    const { createModelExtract, runLogging } = await import('../modelEngine');
    const extractByModel = createModelExtract({
      ...run,
      model,
      ...(assistant.isOn() ? { runLog: runLogging(logging.log) } : {}),
      digests,
      index: () => options.usable.indexes(indexChars),
      guidance: options.guidance,
      spend: (usage) => spend.record({ purpose: 'extraction', model: model.id, usage, run: session.id }),
    });
    return extractByModel(reading, session, signal, isPast);
  };

  const extraction = createExtraction({
    source: options.source,
    cursors: options.cursors,
    guard: openGuard({ folder: join(stateDir, 'extraction'), disk, processes: options.processes }),
    extract,
    isMemoryPath: (path) => isWithin(memoryDir, path),
    isKeptElsewhere: (session, messages) => isKeptElsewhere(session, messages, store),
    async refusal() {
      const refused = await options.refusal();
      if (refused) return refused;
      const isPaid = (await provider.state()).kind !== 'offline';
      return isPaid && !(await spend.mayRun()) ? 'budget' : undefined;
    },
    everyTurns: () => settings().extraction.everyTurns,
    clock: { now, setTimer: options.clock.setTimer },
    log,
  });
  return { ...extraction, run };
}
