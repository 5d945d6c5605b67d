// What a forked agent left in its overlay, looked at before anything of it is kept. A new file becomes a draft, a changed
// one an edit that keeps everything of the old front matter but what was meant to change. What can be repaired is; what
// can't is left out with a reason. Nothing is taken on the model's word: types, dates, sources and sizes are checked here.

import { longestMemory, type MemoryTools } from '../agent/memoryTools';
import type { Changeset } from '../memory/changeset';
import { findBlock } from '../memory/frontBlock';
import { lineEndOf } from '../memory/frontMatter';
import { editFrontMatter, type Memory, type MemoryDraft, type MemoryType, parseMemory } from '../memory/memory';
import { isIndexPath, scopeOf } from '../memory/memoryPaths';
import { findSecrets } from '../memory/secrets';
import { sentencesOf } from '../memory/sentences';
import { saysAtLeast, similarity } from '../memory/similarity';
import { describeFact } from '../sessions/describeFact';
import { absoluteDates } from '../sessions/signals';
import type { TranscriptMessage } from '../sessions/transcript';
import type { Findings } from './findings';
import { factOf } from './saving';

export interface LeftOut {
  readonly path: string;
  /** For the log: never text of the memory. */
  readonly why: string;
}

export interface ModelWork extends Findings {
  readonly leftOut: readonly LeftOut[];
}

export interface WorkContext {
  readonly sessionId: string;
  /** The person's messages by the numbers that the model could cite. */
  readonly numbered: ReadonlyMap<number, TranscriptMessage>;
  /** The highest number there is; those that are not in `numbered` are from earlier runs. */
  readonly lastNumber: number;
  readonly now: number;
}

/** What stands for something that was never filled in. */
export const placeholder =
  /\b(?:TODO|TBD|FIXME|lorem ipsum)\b|<(?:insert|your|the|name|date|path|reason)\b[^>]*>|\[(?:insert|your|fill|todo|placeholder)[^\]]*\](?!\()|\{\{[^}]*\}\}/i;

export async function readModelWork(
  changes: Changeset,
  removals: MemoryTools['removals'],
  context: WorkContext,
): Promise<ModelWork> {
  const drafts: MemoryDraft[] = [];
  const suggestions: { draft: MemoryDraft; why: string }[] = [];
  const edits: Findings['edits'][number][] = [];
  const leftOut: LeftOut[] = [];
  for (const { path, before, after } of changes) {
    if (after === null || isIndexPath(path)) continue;
    const memory = parseMemory(path, after, context.now, context.now);
    const problem = problemOf(memory, after) ?? (await secretIn(after, before));
    if (problem) {
      leftOut.push({ path, why: problem });
    } else if (before === null) {
      const { draft, isGrounded } = draftOf(memory, context);
      if (isGrounded) drafts.push(draft);
      else suggestions.push({ draft, why: 'a model’s reading' });
    } else {
      const edit = editOf(path, before, memory, context);
      if (typeof edit === 'string') leftOut.push({ path, why: edit });
      else if (edit) edits.push(edit);
    }
  }
  const gone = new Map([...removals].map(([path, { reason }]) => [path, reason]));
  return { drafts, suggestions, edits, gone, leftOut };
}

function problemOf(memory: Memory, text: string): string | undefined {
  if (memory.body.trim() === '') return 'it says nothing';
  if (memory.problem?.kind === 'invalid_yaml' && !findBlock(text)) return 'its front matter has no end';
  if (text.length > longestMemory) return 'it is too long';
  if (memory.problem?.kind === 'merge_conflict') return 'it holds a merge conflict';
  if (placeholder.test(memory.body) || placeholder.test(memory.description ?? '')) return 'it holds a placeholder';
  return undefined;
}

async function secretIn(after: string, before: string | null): Promise<string | undefined> {
  const known = new Set((before === null ? [] : await findSecrets(before)).map(({ rule }) => rule));
  const fresh = (await findSecrets(after)).find(({ rule }) => !known.has(rule));
  return fresh && `it holds a secret (rule ${fresh.rule})`;
}

function draftOf(memory: Memory, context: WorkContext): { draft: MemoryDraft; isGrounded: boolean } {
  const cited = citedIn(memory);
  const messages = sourcesOf(cited, factOf(memory.body), context);
  const at = Math.max(...messages.map((message) => message.at), 0) || lastSaid(context);
  const type = memory.type ?? 'project';
  const scope = type === 'user' ? 'private' : scopeOf(memory.path);
  const body = absoluteDates(memory.body.trim(), at);
  const told = describeFact(factOf(body));
  const hasOwnName = memory.data.name !== undefined;
  return {
    draft: {
      type,
      scope,
      name: absoluteDates(hasOwnName ? memory.name : told.name, at).slice(0, 100),
      description: absoluteDates(memory.description ?? told.description, at),
      body,
      keywords: keywordsOf(memory, told.keywords),
      modifiedAt: at,
      originSessionId: context.sessionId,
      source: { session: context.sessionId, messages: messages.map((message) => message.uuid) },
    },
    // What is said of a person, or as their wish, must come from their own words.
    isGrounded: !personal.has(type) || messages.length > 0 || citesEarlier(cited, context),
  };
}

export const personal = new Set<MemoryType>(['user', 'feedback']);

/** The messages that the model cites; where it cites none, the one that its words come closest to. */
export function sourcesOf(
  numbers: readonly number[],
  fact: string,
  { numbered }: Pick<WorkContext, 'numbered'>,
): TranscriptMessage[] {
  const cited = numbers.flatMap((number) => numbered.get(number) ?? []);
  if (cited.length > 0) return cited;
  const ranked = [...numbered.values()]
    .map((message) => ({
      message,
      score: Math.max(0, ...sentencesOf(message.text).map((sentence) => similarity(fact, sentence))),
    }))
    .sort((a, b) => b.score - a.score);
  const best = ranked[0];
  return best && best.score >= closeEnough ? [best.message] : [];
}

/** Below this two sentences share no more than a common word. */
const closeEnough = 0.25;

export const citesEarlier = (
  numbers: readonly number[],
  { numbered, lastNumber }: Pick<WorkContext, 'numbered' | 'lastNumber'>,
): boolean => numbers.some((number) => number >= 1 && number <= lastNumber && !numbered.has(number));

function citedIn(memory: Memory): number[] {
  const { metadata } = memory.data as { metadata?: { sources?: unknown } };
  const given = metadata?.sources ?? memory.data.sources;
  const list = Array.isArray(given) ? given : [given];
  return list.map((one) => Number(String(one).replace(/^#/, ''))).filter((number) => Number.isInteger(number));
}

function keywordsOf(memory: Memory, told: readonly string[]): readonly string[] {
  const given = memory.keywords.map((word) => word.trim()).filter((word) => word !== '' && word.length <= 40);
  return [...new Set(given.length > 0 ? given : told)].slice(0, 8);
}

export const lastSaid = ({ numbered, now }: Pick<WorkContext, 'numbered' | 'now'>): number =>
  Math.max(0, ...[...numbered.values()].map((message) => message.at)) || now;

/** The memory with the model's words in it, a reason why not, or undefined when nothing changes. */
function editOf(
  path: string,
  before: string,
  wanted: Memory,
  context: WorkContext,
): Findings['edits'][number] | string | undefined {
  const old = parseMemory(path, before, context.now, context.now);
  if (old.problem && old.problem.kind !== 'no_type' && old.problem.kind !== 'unknown_type') {
    return 'it can not be read with certainty, so it is not rewritten';
  }
  const at = lastSaid(context);
  const oldSentences = sentencesOf(old.body);
  const body = withAbsoluteDates(inLineEnds(wanted.body, before), new Set(old.body.split('\n')), at);
  const newSentences = sentencesOf(body);
  const lost = oldSentences.filter((sentence) => !newSentences.some((fresh) => saysAtLeast(fresh, sentence)));
  if (lost.length > 1 && lost.length * 2 > oldSentences.length) return 'it would lose most of what it says';

  const block = findBlock(before);
  const head = block ? before.slice(0, block.bodyStart) : '';
  const text = head + keptStart(old.body, body);
  const description =
    wanted.description && wanted.description !== old.description ? absoluteDates(wanted.description, at) : undefined;
  const keywords = keywordsOf(wanted, []);
  const isSame = text === before && description === undefined && wanted.type === old.type;
  if (isSame) return undefined;
  const changed = block
    ? editFrontMatter(text, {
        ...(description === undefined ? {} : { description }),
        ...(wanted.type && wanted.type !== old.type ? { type: wanted.type } : {}),
        ...(keywords.length > 0 ? { keywords } : {}),
        modified: context.now,
      })
    : text;
  const news = newSentences.filter((sentence) => !oldSentences.some((known) => saysAtLeast(known, sentence)));
  return { path, text: changed, description, news: news.length > 0 ? newsOf(news, old, context) : undefined };
}

function newsOf(sentences: readonly string[], old: Memory, context: WorkContext): MemoryDraft {
  const body = sentences.join('\n\n');
  return {
    ...describeFact(factOf(body)),
    type: old.type ?? 'project',
    scope: old.scope,
    body,
    modifiedAt: lastSaid(context),
    originSessionId: context.sessionId,
  };
}

const inLineEnds = (body: string, text: string): string => body.replace(/\r?\n/g, lineEndOf(text));

/** Lines that the memory had keep their dates: those were counted from another day. */
const withAbsoluteDates = (body: string, known: ReadonlySet<string>, at: number): string =>
  body
    .split('\n')
    .map((line) => (known.has(line) ? line : absoluteDates(line, at)))
    .join('\n');

/** The empty lines between front matter and text stay as they were, and so does the line end at the end. */
function keptStart(old: string, body: string): string {
  const start = /^(?:[ \t]*\r?\n)*/.exec(old)?.[0] ?? '';
  const end = /\r?\n$/.exec(old)?.[0] ?? '';
  return `${start}${body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()}${end}`;
}
