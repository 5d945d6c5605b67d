// From drafts to changes: what stands in the way of saving is found here, whoever wrote the draft (rules, a model, a
// person). What is already known is not saved again, what holds a secret is refused by the name of the rule, and each
// new topic file comes with its index line. Pure planning over an overlay: nothing is written.

import type { Overlay } from '../memory/changeset';
import {
  editFrontMatter,
  formatMemory,
  type Memory,
  type MemoryDraft,
  type MemoryHeader,
  memoryFileName,
} from '../memory/memory';
import { mergeIndex, mergeIndexAt } from '../memory/memoryIndex';
import { indexPathOf, indexTargetOf } from '../memory/memoryPaths';
import { findSecrets } from '../memory/secrets';
import { sentencesOf } from '../memory/sentences';
import { compareTexts, repeats, saysAtLeast, similarity } from '../memory/similarity';
import type { SkipReason } from './outcome';

export interface SavingContext {
  readonly overlay: Overlay;
  readonly heads: readonly MemoryHeader[];
  readonly read: (path: string) => Promise<Memory | undefined>;
  /** Sentences of CLAUDE.md files: what stands there needs no memory. */
  readonly guidance: readonly string[];
  readonly now: number;
  /** Team memory is on: nothing is said against it without saying so. */
  readonly team?: boolean;
}

export type Saved =
  | { readonly draft: MemoryDraft; readonly kind: 'created' | 'updated'; readonly path: string }
  | { readonly draft: MemoryDraft; readonly kind: 'known'; readonly path: string | undefined }
  | {
      readonly draft: MemoryDraft;
      readonly kind: 'refused';
      readonly reason: SkipReason;
      readonly rule: string;
      /** Of the body, counted from 1. */
      readonly line: number;
    };

/** How many memories with the closest heads are read whole to look for the same fact. */
const closest = 8;

/** Plans the saving of drafts, in their order; a later draft sees what an earlier one added. */
export async function planSaving(drafts: readonly MemoryDraft[], context: SavingContext): Promise<Saved[]> {
  const { overlay } = context;
  const planned: Saved[] = [];
  const paths = context.heads.map((head) => head.path);
  const types = new Map(context.heads.map(({ path, type }) => [path.toLowerCase(), type]));
  for (const given of drafts) {
    const secrets = await findSecrets([given.name, given.description, given.body].join('\n'));
    const secret = secrets.find(({ line }) => line > 2) ?? secrets[0];
    if (secret) {
      // Name and description are made of the body.
      const line = Math.max(1, secret.line - 2);
      planned.push({ draft: given, kind: 'refused', reason: 'secret', rule: secret.rule, line });
      continue;
    }
    const draft = context.team ? await besideTeam(given, context) : given;
    const fact = factOf(draft.body);
    if (context.guidance.some((sentence) => repeats(fact, sentence))) {
      planned.push({ draft, kind: 'known', path: undefined });
      continue;
    }
    const earlier = planned.find((saved) => saved.kind === 'created' && repeats(fact, factOf(saved.draft.body)));
    if (earlier?.kind === 'created') {
      planned.push({ draft, kind: 'known', path: earlier.path });
      continue;
    }
    const known = await findKnown(fact, draft, context);
    if (known) {
      planned.push(await update(draft, known, context));
      continue;
    }
    const path = memoryFileName(draft, paths);
    paths.push(path);
    types.set(path.toLowerCase(), draft.type);
    await overlay.write(path, formatMemory(draft));
    const index = indexPathOf(path);
    const line = { target: indexTargetOf(path), title: draft.name, hook: draft.description };
    const folder = index.slice(0, index.lastIndexOf('/') + 1);
    const typeOf = (target: string) => types.get((folder + target).toLowerCase());
    await overlay.write(index, mergeIndexAt(index, await overlay.read(index), { set: [line], typeOf }));
    planned.push({ draft, kind: 'created', path });
  }
  return planned;
}

/** Takes memories out, with their index lines. */
export async function planForgetting(paths: readonly string[], overlay: Overlay): Promise<void> {
  for (const path of new Set(paths)) {
    await overlay.remove(path);
    const index = indexPathOf(path);
    const text = await overlay.read(index);
    if (text !== undefined) await overlay.write(index, mergeIndex(text, { set: [], remove: [indexTargetOf(path)] }));
  }
}

/** The memory that says the same, if there is one. Its head narrows the search, its whole text decides. */
async function findKnown(
  fact: string,
  draft: MemoryDraft,
  { heads, read }: SavingContext,
): Promise<Memory | undefined> {
  const ranked = heads
    .filter((head) => head.scope === draft.scope && head.problem === undefined)
    .map((head) => ({ head, score: similarity(fact, `${head.name}. ${head.description ?? ''}`) }))
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, closest);
  for (const { head } of ranked) {
    const memory = await read(head.path);
    if (
      memory &&
      memory.problem === undefined &&
      sentencesOf(memory.body).some((sentence) => isOneFact(fact, sentence))
    )
      return memory;
  }
  return undefined;
}

/**
 * A draft of feedback that says otherwise than the team's, as it may be kept: it says so. What was gathered from a chat stays with
 * the person then; who asks outright for the team gets what they asked for.
 */
async function besideTeam(draft: MemoryDraft, { heads, read }: SavingContext): Promise<MemoryDraft> {
  if (draft.type !== 'feedback') return draft;
  const fact = factOf(draft.body);
  const ranked = heads
    .filter((head) => head.scope === 'team' && head.type === 'feedback' && head.problem === undefined)
    .map((head) => ({ head, score: similarity(fact, `${head.name}. ${head.description ?? ''}`) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, closest);
  for (const { head } of ranked) {
    const memory = await read(head.path).catch(() => undefined);
    const against = sentencesOf(memory?.body ?? '').find(
      (sentence) => compareTexts(fact, sentence).relation === 'contradicts',
    );
    if (against === undefined) continue;
    const scope = draft.originSessionId === undefined ? draft.scope : 'private';
    return {
      ...draft,
      scope,
      body: `${draft.body}\n\n**Differs from the team:** ${head.path} says “${against.trim()}”`,
    };
  }
  return draft;
}

/** Whether two sentences say the same, or one says the other and more. */
const isOneFact = (a: string, b: string): boolean =>
  ['same', 'contains', 'contained'].includes(compareTexts(a, b).relation);

/** Adds to a memory what the draft says beyond it. Pinned memories and what says it all stay as they are. */
async function update(draft: MemoryDraft, known: Memory, { overlay, now }: SavingContext): Promise<Saved> {
  const text = (await overlay.read(known.path)) ?? known.text;
  const news = sentencesOf(draft.body).filter(
    (sentence) => !sentencesOf(text).some((old) => saysAtLeast(old, sentence)),
  );
  if (news.length === 0 || known.pinned) return { draft, kind: 'known', path: known.path };
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const addition = news.map((sentence) => sentence.trim()).join(end + end);
  const grown = `${text.trimEnd()}${end}${end}${addition}${end}`;
  const { sourceLogs: logs } = draft;
  const sourceLogs = logs ? { sourceLogs: [...new Set([...(known.sourceLogs ?? []), ...logs])] } : {};
  await overlay.write(known.path, editFrontMatter(grown, { modified: now, ...sourceLogs }));
  return { draft, kind: 'updated', path: known.path };
}

/** The lead of a body: its first paragraph. */
export const factOf = (body: string): string => body.trim().split(/\r?\n\s*\r?\n/, 1)[0] ?? '';
