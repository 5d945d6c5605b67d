// What the daily logs hold that no dream has settled, folded into a dream's overlay: facts become memories, or what existing ones say
// more; what a person asked to forget goes, and what they took back never comes. The logs stay as they are. For a model they are
// documents to read. Nothing counts as distilled here.

import type { ChangeNote, DreamContext } from './dream/dreamEngine';
import type { LogDocuments } from './dream/modelDream';
import { because, reasonFor } from './dream/reasons';
import type { Gathered } from './dream/tidy';
import { chatsThatAgree } from './dreamGathering';
import { bodyOfFact } from './extraction/offline';
import { factOf, planForgetting, planSaving, type SavingContext } from './extraction/saving';
import { type DailyLogs, dayOfPath, type LogBatch } from './logs/dailyLogs';
import type { Distilled, UnreadLine } from './logs/distilled';
import { clockText, type LogFact, type LogLine } from './logs/logLines';
import type { Overlay } from './memory/changeset';
import { editFrontMatter, type MemoryDraft, type MemoryHeader, parseMemory } from './memory/memory';
import type { Suggestion, Suggestions } from './memory/proposals';
import { sentencesOf } from './memory/sentences';
import { repeats, saysAtLeast, similarity } from './memory/similarity';
import { describeFact } from './sessions/describeFact';

export interface LogGatheringOptions {
  readonly logs: DailyLogs;
  readonly distilled: Distilled;
  readonly isAssistantMode: () => boolean;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly suggestions: Suggestions;
  /** Facts that a person had in memory and did not want to keep. */
  readonly unwanted: () => Promise<readonly string[]>;
  readonly findForgotten: (words: string, heads: readonly MemoryHeader[]) => MemoryHeader | undefined;
}

/** A fact of one line or several. */
interface Candidate {
  readonly draft: MemoryDraft;
  readonly sure: boolean;
  /** `logs/…#id` */
  readonly refs: readonly string[];
  readonly sessions: readonly string[];
  readonly session: Suggestion['session'] | undefined;
}

type Context = Pick<DreamContext, 'heads' | 'overlay' | 'now' | 'byHand' | 'isSeen'>;

/** How a line of a log is named: by its mark, or by its number where others wrote it. */
const refOf = ({ path, id, line }: Pick<UnreadLine, 'path' | 'id' | 'line'>): string => `${path}#${id ?? `L${line}`}`;

export function createLogGather(options: LogGatheringOptions) {
  const { logs, distilled, suggestions } = options;

  /** In the order they were said, without what was taken back. `undone`: marks of lines that are no longer among them. */
  async function wanted(byHand: boolean) {
    const isOn = options.isAssistantMode();
    const { lines, spans } = await distilled.unread({ past: isOn && byHand });
    // Where the mode is off, what it left is distilled, and other people's diaries are their own.
    const ours = isOn ? lines : lines.filter(({ id }) => id !== undefined);
    const known = await provenance();
    const undone = new Set(ours.flatMap(({ kind, id }) => (kind === 'undo' && id ? [id] : [])));
    const said = ours
      .filter(({ kind, id }) => kind !== 'undo' && !(id && undone.has(id)))
      .map((line) => ({ ...line, at: known.get(line.id ?? '')?.at ?? line.at }))
      .sort((a, b) => a.at - b.at);
    for (const { kind, id } of ours) if (kind !== 'undo' && id) undone.delete(id);
    return { said, undone, known, spans: ours.length > 0 || isOn ? spans : [] };
  }

  async function provenance() {
    const known = new Map<
      string,
      { readonly batch: LogBatch; readonly at: number; readonly messages: readonly string[] }
    >();
    for (const batch of await logs.batches())
      for (const { id, at, messages } of batch.retracted && batch.session.id === 'undo' ? [] : batch.lines)
        known.set(id, { batch, at, messages });
    return known;
  }

  async function candidateOf(
    line: UnreadLine & LogFact,
    known: Awaited<ReturnType<typeof provenance>>,
  ): Promise<Candidate> {
    const { absoluteDates, findSignals } = await import('./sessions/signals');
    const from = known.get(line.id ?? '');
    const text = line.id === undefined ? absoluteDates(line.text, line.at) : line.text;
    const type = line.type ?? findSignals({ text: `Remember: ${text}`, at: line.at }).signals[0]?.type ?? 'project';
    const ref = refOf(line);
    const origin = from && { session: from.batch.session.id, messages: from.messages };
    return {
      draft: {
        type,
        scope: 'private',
        ...describeFact(text),
        body: bodyOfFact(text, line.why),
        modifiedAt: line.at,
        sourceLogs: [ref],
        ...(origin ? { originSessionId: origin.session, source: origin } : {}),
      },
      sure: line.sure,
      refs: [ref],
      sessions: origin ? [origin.session] : [],
      session: from?.batch.session,
    };
  }

  async function gather(context: Context, created: readonly MemoryHeader[], signal: AbortSignal): Promise<Gathered> {
    const { overlay, heads, now } = context;
    const { said, undone, known, spans } = await wanted(context.byHand);
    const notes = new Map<string, ChangeNote>();
    const gone = new Set<string>();
    let candidates: Candidate[] = [];
    for (const line of said) {
      signal.throwIfAborted();
      if (line.kind === 'fact') candidates = withCandidate(candidates, await candidateOf(line, known));
      else if (line.kind === 'forget') {
        const asHead = ({ draft }: Candidate, at: number) => ({ ...blankHead, ...draft, path: `#${at}` });
        const found = options.findForgotten(line.text, [...heads, ...candidates.map(asHead)]);
        if (found?.path.startsWith('#')) candidates = candidates.filter((_, at) => found.path !== `#${at}`);
        else if (found && !found.pinned && found.scope === 'private') {
          gone.add(found.path);
          notes.set(found.path, { ...because(reasonFor('askedToForget', line.day)), sources: [refOf(line)] });
        }
      }
    }
    for (const [path, ref] of await takenBack(undone, context)) {
      gone.add(path);
      notes.set(path, { ...because(reasonFor('logTakenBack', dayOfRef(ref))), sources: [ref] });
    }
    await planForgetting([...gone], overlay);

    const past = await options.unwanted();
    const keep: Candidate[] = [];
    for (const candidate of candidates) {
      const fact = factOf(candidate.draft.body);
      if (past.some((text) => repeats(fact, text)) || (await suggestions.isSettled(candidate.draft))) continue;
      if (candidate.sure || context.isSeen || new Set(candidate.sessions).size >= chatsThatAgree) keep.push(candidate);
      else await suggest(candidate);
    }
    const saving = await options.saving(overlay);
    const read = async (path: string) => {
      const text = await overlay.read(path);
      return text === undefined ? undefined : parseMemory(path, text, now, now);
    };
    const plan = await planSaving(
      keep.map(({ draft }) => draft),
      { ...saving, heads: [...saving.heads, ...created].filter(({ path }) => !gone.has(path)), read },
    );
    const fresh: MemoryHeader[] = [];
    for (const [at, saved] of plan.entries()) {
      const candidate = keep[at];
      if (!candidate || (saved.kind !== 'created' && saved.kind !== 'updated')) continue;
      const before = notes.get(saved.path);
      const sources = [...new Set([...(before?.sources ?? []), ...candidate.refs])];
      notes.set(saved.path, { ...whyOf(sources), sources });
      const memory = saved.kind === 'created' ? await read(saved.path) : undefined;
      if (memory) fresh.push(memory);
    }
    return { notes, created: fresh, gone: [...gone], ...(spans.length > 0 ? { logs: spans } : {}) };
  }

  /** Memories of nothing but lines that were taken back after a dream had distilled them; one that says more is left. */
  async function takenBack(undone: ReadonlySet<string>, { heads, overlay, now }: Context) {
    const found = new Map<string, string>();
    const isUndone = (ref: string) => undone.has(ref.slice(ref.indexOf('#') + 1));
    for (const head of undone.size === 0 ? [] : heads) {
      const refs = head.sourceLogs ?? [];
      if (refs.length === 0 || !refs.every(isUndone) || head.pinned || head.scope !== 'private') continue;
      const text = await overlay.read(head.path).catch(() => undefined);
      const body = text === undefined ? '' : parseMemory(head.path, text, now, now).body;
      const lines = await Promise.all(refs.map((ref) => logs.lines(ref.slice(0, ref.indexOf('#')))));
      const said = lines.flat().flatMap((line) => (line.kind === 'fact' && undone.has(line.id ?? '') ? [line] : []));
      const all = said.map((line) => bodyOfFact(line.text, line.why)).join('\n\n');
      if (refs[0] !== undefined && saysAtLeast(all, body)) found.set(head.path, refs[0]);
    }
    return found;
  }

  async function suggest({ draft, session }: Candidate): Promise<void> {
    const from = session ?? { id: '', file: '' };
    await suggestions.add([{ draft, why: 'a daily log', session: from, at: draft.modifiedAt }]);
  }

  /** For a model: each log that holds something new, and the newest before; marks and what was taken back left out. */
  async function documents({ byHand, now }: Pick<DreamContext, 'byHand' | 'now'>): Promise<LogDocuments> {
    const { said, undone, spans } = await wanted(byHand);
    const fresh = new Set(said.map(refOf));
    const days = await logs.days();
    const shown = days.filter(({ path }, at) => at >= days.length - mostLogs || spans.some((one) => one.path === path));
    const found: { path: string; text: string }[] = [];
    for (const { path } of shown.reverse()) {
      const lines = await logs.lines(path).catch(() => []);
      const back = new Set([...undone, ...lines.flatMap(({ kind, id }) => (kind === 'undo' && id ? [id] : []))]);
      const isUnsettled = spans.some((one) => one.path === path && one.from === 0);
      const isNew = (line: LogLine) => fresh.has(refOf({ path, ...line }));
      const text = lines
        .filter(({ kind, id }) => kind !== 'undo' && !(id && back.has(id)))
        .filter((line) => !isUnsettled || isNew(line))
        .map((line) => rowOf(line, isNew(line)))
        .join('\n');
      if (text !== '') found.push({ path, text: text.slice(-mostChars) });
    }
    const facts = said.filter((line) => line.kind === 'fact');
    return { documents: found, spans, sign: (overlay, path, cited) => sign(overlay, path, cited, facts, now) };
  }

  return { gather, documents };
}

/** Below this two sentences share no more than a common word. */
const closeEnough = 0.25;
const mostRefs = 3;

/** Notes in a memory which lines of the logs that a model names it came from: those of a day that its words come closest to. */
async function sign(
  overlay: Overlay,
  path: string,
  cited: readonly string[],
  facts: readonly (UnreadLine & LogFact)[],
  now: number,
): Promise<readonly string[]> {
  const text = await overlay.read(path);
  if (text === undefined) return cited;
  const memory = parseMemory(path, text, now, now);
  const sentences = sentencesOf(memory.body);
  const refs = cited.flatMap((day) => {
    const near = facts
      .filter((line) => line.path === day)
      .map((line) => ({ line, score: Math.max(0, ...sentences.map((sentence) => similarity(line.text, sentence))) }))
      .filter(({ score }) => score >= closeEnough)
      .sort((a, b) => b.score - a.score)
      .slice(0, mostRefs);
    return near.length > 0 ? near.map(({ line }) => refOf(line)) : [day];
  });
  const all = [...new Set([...(memory.sourceLogs ?? []), ...refs])];
  if (memory.problem === undefined) await overlay.write(path, editFrontMatter(text, { sourceLogs: all }));
  return refs;
}

/** Days that a model is shown beside those with news, and how much of each. */
const mostLogs = 14;
const mostChars = 64 * 1024;

const blankHead = {
  path: '',
  mtimeMs: 0,
  verifiedAt: undefined,
  pinned: false,
  keywords: [],
  originSessionId: undefined,
  supersededBy: undefined,
  deadlinePassed: undefined,
};

function rowOf(line: LogLine, isNew: boolean): string {
  const time = line.minutes === undefined ? '' : `${clockText(line.minutes)} `;
  const word = line.kind === 'fact' ? `${line.sure ? '' : 'maybe '}${line.type ?? 'note'}` : line.kind;
  const why = line.kind === 'fact' && line.why !== undefined ? ` (why: ${line.why})` : '';
  return `- ${isNew ? 'new ' : ''}${time}${word}: ${line.text}${why}`;
}

/** Adds a fact, or makes it part of the one that says the same; of the two the one that says more stays. */
function withCandidate(candidates: readonly Candidate[], fresh: Candidate): Candidate[] {
  const fact = factOf(fresh.draft.body);
  const at = candidates.findIndex(
    ({ draft }) => repeats(fact, factOf(draft.body)) || repeats(factOf(draft.body), fact),
  );
  const before = candidates[at];
  if (!before) return [...candidates, fresh];
  const refs = [...new Set([...before.refs, ...fresh.refs])];
  const more =
    repeats(fact, factOf(before.draft.body)) && before.draft.body.length >= fresh.draft.body.length ? before : fresh;
  const type = fresh.sure || !before.sure ? fresh.draft.type : before.draft.type;
  const joined: Candidate = {
    ...more,
    draft: { ...more.draft, type, sourceLogs: refs },
    sure: before.sure || fresh.sure,
    refs,
    sessions: [...before.sessions, ...fresh.sessions],
  };
  return candidates.map((one, index) => (index === at ? joined : one));
}

function whyOf(refs: readonly string[]) {
  const days = [...new Set(refs.map(dayOfRef))].sort();
  return because(reasonFor(days.length === 1 ? 'loggedOnce' : 'loggedOften', days.join(', ')));
}

const dayOfRef = (ref: string): string => dayOfPath(ref.split('#')[0] ?? '') ?? '';
