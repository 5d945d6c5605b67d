// Assistant mode in the place of saving: what an engine found in a session becomes lines of a daily log, and no memory changes.
// The checks are those of saving: a secret stays out, and so does what a memory or a CLAUDE.md says already, or the log of that
// day. A dream makes memories of it later, and a person looks through them then.

import { noUsage } from '../agent/languageModel';
import type { DailyLogs, Said } from '../logs/dailyLogs';
import type { LogFact, LogLine } from '../logs/logLines';
import type { Overlay } from '../memory/changeset';
import type { MemoryDraft, MemoryHeader } from '../memory/memory';
import { findSecrets } from '../memory/secrets';
import { compareTexts, repeats } from '../memory/similarity';
import { messagesSince, type TranscriptReading } from '../sessions/transcript';
import type { ExtractionResult, Findings, KeepFindings } from './findings';
import { draftFromFact } from './offline';
import { planSaving, type SavingContext } from './saving';

export interface Logging {
  /** Adds to the logs what is news. One run that `undo` takes back, by a line that says so. */
  log(said: readonly Said[], from: Parameters<KeepFindings>[1]): Promise<ExtractionResult>;
  /** The same of what was found with memories in mind. */
  keep: KeepFindings;
  /** Without the messages that were looked at before a crash; `undefined` when there are no others. */
  unlogged(reading: TranscriptReading, sessionFile: string): Promise<TranscriptReading | undefined>;
}

export function createLogging(options: {
  readonly logs: DailyLogs;
  readonly openOverlay: () => Overlay;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly heads: () => Promise<readonly MemoryHeader[]>;
  readonly mode: () => 'off' | 'ask' | 'automatic';
}): Logging {
  const { logs, heads } = options;

  /** A person who wants to be asked is: none of it is sure then. */
  const asWished = (entry: Said): Said =>
    entry.kind === 'fact' && options.mode() !== 'automatic' ? { ...entry, sure: false } : entry;

  async function newsOf(said: readonly Said[]): Promise<{ news: Said[]; hasSecret: boolean }> {
    const facts = said.filter((entry) => entry.kind === 'fact');
    // The plan is thrown away: it only tells what is known.
    const plan = await planSaving(facts.map(draftOf), await options.saving(options.openOverlay()));
    const kinds = new Map<Said, string | undefined>(facts.map((entry, at) => [entry, plan[at]?.kind]));
    const news: Said[] = [];
    const days = new Map<string, LogLine[]>();
    let hasSecret = false;
    for (const entry of said) {
      const kind = kinds.get(entry);
      const isSecret = kind === 'refused' || (entry.kind !== 'fact' && (await findSecrets(entry.text)).length > 0);
      hasSecret ||= isSecret;
      if (isSecret || (entry.kind === 'fact' && kind !== 'created' && kind !== 'updated')) continue;
      const path = logs.pathOf(entry.at);
      const day = days.get(path) ?? [...(await logs.lines(path))];
      days.set(path, day);
      if (entry.kind === 'fact' && isSaidIn(entry, day)) continue;
      news.push(entry);
      day.push({ ...entry, line: 0, minutes: undefined, id: undefined });
    }
    return { news, hasSecret };
  }

  async function log(said: readonly Said[], { session, reading, signal }: Parameters<KeepFindings>[1]) {
    const { news, hasSecret } = await newsOf(said.map(asWished));
    signal.throwIfAborted();
    const title = reading.title === undefined ? {} : { title: reading.title };
    const batch = await logs.append(news, {
      session: { id: session.id, file: session.file, ...title },
      upTo: reading.messages.at(-1)?.uuid,
    });
    return {
      writtenPaths: [...new Set(batch?.lines.map(({ path }) => path) ?? [])],
      savedCount: 0,
      forgottenCount: 0,
      suggestedCount: 0,
      loggedCount: batch?.lines.length ?? 0,
      runs: batch ? [batch.id] : [],
      usage: noUsage,
      turns: 0,
      ...(hasSecret ? { refused: 'secret' as const } : {}),
    };
  }

  return {
    log,
    keep: async (findings, from) => log(await saidIn(findings, heads), from),
    async unlogged(reading, sessionFile) {
      const messages = messagesSince(reading.messages, await logs.loggedUpTo(sessionFile));
      return messages.some(({ human }) => human) ? { ...reading, messages } : undefined;
    },
  };
}

/** Whether a day's log says it, and nothing after that took it back. */
function isSaidIn(entry: Said & LogFact, day: readonly LogLine[]): boolean {
  let isSaid = false;
  for (const line of day) {
    if (line.kind === 'fact' && repeats(entry.text, line.text)) isSaid ||= line.sure || !entry.sure;
    else if (line.kind === 'forget') isSaid = false;
    else if (line.kind === 'fact' && isSaid) isSaid = compareTexts(entry.text, line.text).relation !== 'contradicts';
  }
  return isSaid;
}

/** As a memory would say it. */
const draftOf = ({ type, text, why, at }: Said & LogFact): MemoryDraft =>
  draftFromFact(text, type ?? 'project', at, why);

/** What was found with memories in mind, as entries of a log. */
async function saidIn(findings: Findings, heads: () => Promise<readonly MemoryHeader[]>): Promise<Said[]> {
  const said: Said[] = [
    ...findings.drafts.map((draft) => factOfDraft(draft, true)),
    ...findings.edits.flatMap(({ news }) => (news ? [factOfDraft(news, true)] : [])),
    ...findings.suggestions.map(({ draft }) => factOfDraft(draft, false)),
  ];
  for (const { text, at, messages } of findings.forget ?? []) said.push({ kind: 'forget', text, at, messages });
  if (findings.forget === undefined && findings.gone.size > 0) {
    const names = new Map((await heads()).map(({ path, name }) => [path, name]));
    const at = Math.max(0, ...said.map((entry) => entry.at));
    for (const path of findings.gone.keys())
      said.push({ kind: 'forget', text: names.get(path) ?? path, at, messages: [] });
  }
  return said.sort((a, b) => a.at - b.at);
}

function factOfDraft(draft: MemoryDraft, sure: boolean): Said {
  const paragraphs = draft.body.trim().split(/\n\s*\n/);
  const why = paragraphs.find((one) => /^\*\*Why:\*\*/.test(one))?.replace(/^\*\*Why:\*\*\s*/, '');
  const text = paragraphs
    .filter((one) => !/^\*\*Why:\*\*/.test(one))
    .map((one) => one.replace(/^\*\*(How to apply:)\*\*/, '$1'))
    .join(' ');
  return {
    kind: 'fact',
    type: draft.type,
    sure,
    text,
    ...(why === undefined ? {} : { why }),
    at: draft.modifiedAt,
    messages: draft.source?.messages ?? [],
  };
}
