// The forked agent in the place of the tidy: a model walks through the four phases in an overlay. Which phase it is in is
// read off its calls. It ends within its limits or has failed; what it wrote is checked and shown by others.

import { runForkedAgent } from '../agent/agentLoop';
import { type LanguageModel, ModelError, type ModelErrorCode, type Usage } from '../agent/languageModel';
import { createMemoryTools, type ReadOnlyDocument } from '../agent/memoryTools';
import type { LogSpan } from '../logs/distilled';
import type { Overlay } from '../memory/changeset';
import { formatManifest } from '../memory/manifest';
import type { MemoryHeader } from '../memory/memory';
import { isIndexPath } from '../memory/memoryPaths';
import type { NumberedText } from '../sessions/digest';
import type { Session } from '../sessions/transcript';
import type { ChangeNote, DreamContext, DreamEngine, DreamPhase, Origins } from './dreamEngine';
import { dreamSystem, formatDreamTask } from './prompt';
import { because, reasonFor } from './reasons';

export interface ModelDreamOptions {
  readonly model: LanguageModel;
  /** What a session said, as a digest; empty when there is nothing to look at. */
  readonly digestOf: (session: Session, byHand: boolean, signal: AbortSignal) => Promise<NumberedText>;
  readonly logs: (context: Pick<DreamContext, 'byHand' | 'now'>) => Promise<LogDocuments>;
  /** As much of the index as is loaded into a chat. */
  readonly index: (overlay: Overlay) => Promise<string>;
  /** Whether a model may see a memory. */
  readonly isUsable: (head: MemoryHeader) => boolean;
  /** Sentences of CLAUDE.md files. */
  readonly guidance: () => Promise<readonly string[]>;
  readonly spend: (usage: Usage) => Promise<void>;
}

export interface LogDocuments {
  /** Daily logs, newest first: `logs/…`. */
  readonly documents: readonly { readonly path: string; readonly text: string }[];
  /** The parts of them that no dream has settled. */
  readonly spans: readonly LogSpan[];
  /** Notes in a memory of the overlay which lines of these logs it came from, and returns them. */
  sign(overlay: Overlay, path: string, cited: readonly string[]): Promise<readonly string[]>;
}

interface DreamDocument extends ReadOnlyDocument {
  readonly chars: number;
  /** Of a transcript. */
  readonly session?: string;
  readonly numbered?: NumberedText['numbered'];
}

/** Decision 16. */
const dreamLimits = { maxTurns: 40, maxTokens: 200_000, maxMs: 10 * 60_000 };
const mostFiles = 200;
const guidanceChars = 6_000;
const manifestTokens = 8_000;

export function createModelDream({
  model,
  digestOf,
  logs,
  index,
  isUsable,
  guidance,
  spend,
}: ModelDreamOptions): DreamEngine {
  return async ({ heads: all, overlay, sessions, now, byHand }, signal, progress) => {
    const heads = all.filter(isUsable);
    const diary = await logs({ byHand, now });
    const documents: DreamDocument[] = [];
    for (const { path, text } of diary.documents) documents.push({ path, chars: text.length, text: async () => text });
    for (const session of sessions) {
      signal.throwIfAborted();
      const { text, numbered } = await digestOf(session, byHand, signal);
      if (text === '') continue;
      const path = `transcripts/${session.id}.md`;
      documents.push({ path, chars: text.length, session: session.id, numbered, text: async () => text });
    }
    const pinned = new Set(heads.filter((head) => head.pinned).map((head) => head.path));
    const memory = createMemoryTools({
      overlay,
      paths: heads.map((head) => head.path),
      documents,
      isPinned: (path) => pinned.has(path),
      team: false,
      index: true,
      mayDelete: () => undefined,
      mostFiles,
    });
    const task = formatDreamTask({
      today: new Date(now).toISOString().slice(0, 10),
      index: await index(overlay),
      guidance: (await guidance()).join('\n').slice(0, guidanceChars),
      memories: formatManifest(heads, manifestTokens),
      documents,
    });
    const result = await runForkedAgent({
      model,
      prefix: { system: [{ type: 'text', text: dreamSystem, stable: true }], messages: [] },
      prompt: task,
      tools: memory.tools,
      canUseTool: memory.canUseTool,
      limits: dreamLimits,
      signal,
      onEvent(event) {
        if (event.kind === 'turn') progress.usage(event.usage);
        else if (!event.isError) {
          const phase = phaseOf(event.name, event.input);
          if (phase) progress.phase(phase);
          for (const path of memory.touched) progress.touched(path);
        }
      },
    });
    await spend(result.usage);
    signal.throwIfAborted();
    if (result.error) throw result.error;
    const failure = failures[result.stopReason];
    if (failure) throw new ModelError(failure.code, failure.message);

    const told = reasonsIn(result.text);
    const notes = new Map<string, ChangeNote>();
    for (const path of memory.touched) {
      const removal = memory.removals.get(path);
      const line = told.get(path);
      const named: Named = line?.documents ?? new Map();
      const origins = originsOf(documents, named);
      const days = diary.documents.flatMap(({ path: from }) => (named.has(from) ? [from] : []));
      const lines = days.length === 0 || isIndexPath(path) ? days : await diary.sign(overlay, path, days);
      notes.set(path, {
        ...toldReason(removal?.reason ?? line?.reason),
        ...origins,
        sources: [...origins.sources, ...lines],
        ...(removal?.mergedInto === undefined ? {} : { mergedInto: removal.mergedInto }),
      });
    }
    const read = diary.spans.length > 0 ? { logs: diary.spans } : {};
    return { notes, contradictions: [], recallOnly: [], remarks: [], usage: result.usage, ...read };
  };
}

const toldReason = (reason: string | undefined) => (reason === undefined ? because(reasonFor('byModel')) : { reason });

const failures: Readonly<Record<string, { readonly code: ModelErrorCode; readonly message: string } | undefined>> = {
  refusal: { code: 'refused', message: 'The model declined to tidy these memories.' },
  timed_out: { code: 'timed_out', message: 'The model did not finish within ten minutes.' },
  max_turns: { code: 'over_limit', message: `The model did not finish within ${dreamLimits.maxTurns} turns.` },
  budget: { code: 'over_limit', message: 'The model did not finish within 200,000 tokens.' },
  max_tokens: { code: 'over_limit', message: 'The model’s answers were cut off.' },
};

/** Reading memories is to orient, reading transcripts to gather, a first write to consolidate, one of the index to prune. */
function phaseOf(tool: string, input: unknown): DreamPhase | undefined {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const path = String(fields.file_path ?? fields.path ?? fields.pattern ?? '');
  if (tool === 'Write' || tool === 'Edit' || tool === 'Delete') return isIndexPath(path) ? 'prune' : 'consolidate';
  return /^(?:transcripts|logs)\b/.test(path) ? 'gather' : 'orient';
}

/** Documents by path, each with the numbers of messages that were named of it. */
type Named = ReadonlyMap<string, readonly number[]>;

/** The sessions among the documents that were named, with the messages that are there. */
function originsOf(documents: readonly DreamDocument[], named: Named): Origins {
  const sources: string[] = [];
  const messages: Record<string, readonly string[]> = {};
  for (const { path, session, numbered } of documents) {
    const numbers = named.get(path);
    if (session === undefined || numbers === undefined) continue;
    sources.push(session);
    const uuids = numbers.flatMap((number) => numbered?.get(number)?.uuid ?? []);
    if (uuids.length > 0) messages[session] = uuids;
  }
  return { sources, ...(Object.keys(messages).length > 0 ? { messages } : {}) };
}

/** The lines of the last answer: a file, and why it was changed. */
function reasonsIn(text: string): Map<string, { readonly reason: string; readonly documents: Named }> {
  const told = new Map<string, { reason: string; documents: Named }>();
  for (const line of text.split('\n')) {
    const found = /^[\s*-]*[`"]?([^\s`":]+\.md)[`"]?\s*[:—–-]\s*(\S.*)$/.exec(line);
    const [, path, why] = found ?? [];
    if (path === undefined || why === undefined) continue;
    const documents = new Map<string, readonly number[]>();
    for (const [, document = '', rest = ''] of why.matchAll(/((?:transcripts|logs)\/[\w./-]+?\.md)((?:[\s,;]*#\d+)*)/g))
      documents.set(document, [...(documents.get(document) ?? []), ...[...rest.matchAll(/\d+/g)].map(Number)]);
    const reason = why.replace(/\s*\((?:transcripts|logs)\/[^)]*\)/g, '').trim();
    told.set(path, { reason: reason.slice(0, 300), documents });
  }
  return told;
}
