// What people said in the chat sessions a dream looks back on, folded into its overlay: what nobody has considered yet and was said
// outright, and what was only meant, but in several chats. Nothing that a person threw away, took back or dismissed comes
// again. The past before the first use is looked at only when a person asks for a dream, and then only proposed.

import { type ChangeNote, joinedOrigins, type Origins } from './dream/dreamEngine';
import { because, counted } from './dream/reasons';
import type { Gather } from './dream/tidy';
import { extractOffline } from './extraction/offline';
import { factOf, planSaving, type SavingContext } from './extraction/saving';
import type { Logger } from './log';
import type { Overlay } from './memory/changeset';
import { bodyOf } from './memory/frontBlock';
import { type MemoryDraft, type MemoryHeader, parseMemory } from './memory/memory';
import { isIndexPath } from './memory/memoryPaths';
import type { Suggestions } from './memory/proposals';
import { repeats } from './memory/similarity';
import type { Snapshots } from './memory/snapshots';
import { type Cursors, isConsidered, isPastMessage } from './sessions/cursors';
import type { Session, TranscriptSource } from './sessions/transcript';

/** Newest first; a dream after a long pause must not read for minutes. */
const mostSessions = 40;
/** What was only meant counts as said when it was meant in this many chats. */
export const chatsThatAgree = 2;

interface Finding {
  readonly draft: MemoryDraft;
  readonly origins: Origins;
}

const findingOf = (draft: MemoryDraft, session: string): Finding => ({
  draft,
  origins: { sources: [session], messages: { [session]: draft.source?.messages ?? [] } },
});

export function createGather(options: {
  readonly source: TranscriptSource;
  readonly cursors: Cursors;
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly log: Logger;
}): Gather {
  const { source, cursors, snapshots, suggestions, saving, log } = options;

  /** What one session holds: said outright and not considered before; and meant. */
  async function look(session: Session, byHand: boolean, signal: AbortSignal) {
    const state = await cursors.get(session.file);
    if (state?.excluded) return undefined;
    const reading = await source.read(session, undefined, signal);
    const messages = byHand ? reading.messages : reading.messages.filter((message) => !isPastMessage(message, state));
    const byUuid = new Map(messages.map((message) => [message.uuid, message]));
    const found = await extractOffline(messages, undefined, session, signal);
    const isFresh = ({ source: from }: MemoryDraft) => {
      const message = byUuid.get(from?.messages[0] ?? '');
      return message === undefined || !isConsidered(message, state);
    };
    return { said: found.drafts.filter(isFresh), meant: found.suggestions.map(({ draft }) => draft) };
  }

  return async ({ sessions, overlay, now, byHand }, signal) => {
    const notes = new Map<string, ChangeNote>();
    if (sessions.length === 0) return { notes, created: [] };
    const said: Finding[] = [];
    const meant: Finding[] = [];
    for (const session of [...sessions].sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, mostSessions)) {
      signal.throwIfAborted();
      try {
        const found = await look(session, byHand, signal);
        for (const draft of found?.said ?? []) said.push(findingOf(draft, session.id));
        for (const draft of found?.meant ?? []) meant.push(findingOf(draft, session.id));
      } catch (error) {
        signal.throwIfAborted();
        log.info(`A dream could not read ${session.id}: ${(error as { code?: string }).code ?? 'see above'}.`);
      }
    }
    // What was meant before, and still waits for a person, is one chat's word, too.
    for (const { draft, session } of await suggestions.waiting()) meant.push(findingOf(draft, session.id));
    const past = await unwantedFacts(snapshots);
    const wanted: Finding[] = [];
    for (const finding of [...said, ...agreed(meant)]) {
      const fact = factOf(finding.draft.body);
      if (past.some((text) => repeats(fact, text)) || (await suggestions.isSettled(finding.draft))) continue;
      wanted.push(finding);
    }
    const plan = await planSaving(
      wanted.map(({ draft }) => draft),
      await saving(overlay),
    );
    const created: MemoryHeader[] = [];
    for (const [at, saved] of plan.entries()) {
      const finding = wanted[at];
      if (!finding || (saved.kind !== 'created' && saved.kind !== 'updated')) continue;
      const { origins } = finding;
      const why = because(counted(origins.sources.length, 'saidOnce', 'saidOften'));
      notes.set(saved.path, { ...why, ...origins });
      const text = saved.kind === 'created' ? await overlay.read(saved.path) : undefined;
      if (text !== undefined) created.push(parseMemory(saved.path, text, now, now));
    }
    return { notes, created };
  };
}

/** What a person had in memory and did not want to keep. */
export async function unwantedFacts(snapshots: Snapshots): Promise<string[]> {
  const thrown = (await snapshots.trash()).filter(({ reason }) => !/merged/.test(reason ?? '')).map(({ text }) => text);
  const undone = (await snapshots.runs())
    .filter((run) => run.undone)
    .flatMap(({ changes }) => changes)
    .flatMap(({ path, before, after }) => (before === null && after !== null && !isIndexPath(path) ? [after] : []));
  return [...thrown, ...undone].map((text) => factOf(bodyOf(text)));
}

/** Suggestions that say what a dream has made a memory of wait no longer. */
export async function settleKept(runId: string, snapshots: Snapshots, suggestions: Suggestions): Promise<void> {
  const run = (await snapshots.runs()).find(({ id }) => id === runId);
  const facts = (run?.changes ?? []).flatMap(({ path, before, after }) =>
    before === null && after !== null && !isIndexPath(path) ? [factOf(bodyOf(after))] : [],
  );
  if (facts.length === 0) return;
  for (const { id, draft } of await suggestions.waiting())
    if (facts.some((fact) => repeats(factOf(draft.body), fact))) await suggestions.settle(id, 'accepted');
}

/** What several chats mean alike, each once, in the words of the newest. */
function agreed(findings: readonly Finding[]): Finding[] {
  const groups: Finding[] = [];
  for (const finding of findings) {
    const { draft, origins } = finding;
    const fact = factOf(draft.body);
    const at = groups.findIndex((one) => one.draft.type === draft.type && repeats(fact, factOf(one.draft.body)));
    const group = groups[at];
    if (group) groups[at] = { ...group, origins: joinedOrigins(group.origins, origins) };
    else groups.push(finding);
  }
  return groups.filter(({ origins }) => origins.sources.length >= chatsThatAgree);
}
