// Moving memories between a person's own folder and the team's: what will stand where, what others will see of it, and why
// some may not go. Planned over an overlay as one change, so that one undo takes it all back: files with their age, pin and
// verification, both indexes, the links of other memories. Nothing is written here, and a secret is told by rule and line only.

import type { Overlay } from './changeset';
import { editFrontMatter, type Memory, type MemoryHeader } from './memory';
import { mergeIndex, mergeIndexAt, parseIndex } from './memoryIndex';
import { fileLink, leadsTo, linksIn, nameLink, rewriteLinks, type WrittenLink } from './memoryLinks';
import { folded, indexPathOf, indexTargetOf, isIndexPath, type MemoryScope, scopeOf } from './memoryPaths';
import { findSecrets } from './secrets';
import { sentencesOf } from './sentences';
import { compareTexts, type Relation, similarity } from './similarity';
import { teamRefusal, teamRouting } from './teamMemory';

/** What a person should know before others see a memory. */
export type MoveNote =
  /** Keys that name this person's own chats. They mean nothing to others and are left out. */
  | { readonly kind: 'left_out'; readonly keys: readonly string[] }
  /** Words that tell something of this person or machine; they stay, as only the person knows whether they matter. */
  | { readonly kind: 'home_path' | 'email' | 'person'; readonly line: number; readonly words: string }
  /** A link to a memory that others do not have. */
  | { readonly kind: 'private_link'; readonly line: number; readonly words: string }
  /** What the team has on this already. */
  | {
      readonly kind: 'team_says';
      readonly path: string;
      readonly name: string;
      readonly relation: Exclude<Relation, 'different'>;
    }
  /** Feedback belongs to one person, but for a convention that all keep to. */
  | { readonly kind: 'usually_private' }
  /** Memories of the team that link to one that others will no longer have. */
  | { readonly kind: 'team_links'; readonly paths: readonly string[] };

export interface MoveRefusal {
  readonly kind: 'type' | 'problem' | 'secret' | 'path';
  /** Of the rule that refuses, where it is one of several. */
  readonly rule?: string;
  /** Counted from 1, in the file as it lies there now. */
  readonly line?: number;
}

export interface MovePlan {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  /** The whole file as it is. */
  readonly before: string;
  /** The whole file as it will stand there: what others will see. */
  readonly after: string;
  /** When there is one, this memory stays where it is. */
  readonly refusals: readonly MoveRefusal[];
  readonly notes: readonly MoveNote[];
  /** Other memories whose links are led to the new place. */
  readonly relinked: readonly string[];
}

export interface MoveContext {
  readonly overlay: Overlay;
  readonly heads: readonly MemoryHeader[];
  readonly read: (path: string) => Promise<Memory | undefined>;
  /** Why a text may not stand at a path of the team. */
  readonly refusals: (path: string, text: string) => Promise<readonly MoveRefusal[]>;
  readonly exists: (path: string) => Promise<boolean>;
  /** The team's folder lies below the private one, so that one can link into it. */
  readonly isNested: boolean;
  readonly homeDir: string;
  /** Names that this person goes by. */
  readonly person: readonly string[];
}

/** Closest memories of the team that are read whole. */
const closest = 8;
const ownKeys = ['originSessionId', 'sourceMessages', 'sourceLogs'] as const;

/** Plans the move of memories to a scope; the changes of those that nothing refuses are in the overlay afterwards. */
export async function planMoves(
  paths: readonly string[],
  scope: MemoryScope,
  context: MoveContext,
): Promise<readonly MovePlan[]> {
  const { overlay, heads, read } = context;
  const plans: MovePlan[] = [];
  const moving = new Map<string, { readonly memory: Memory; readonly to: string }>();
  const taken = new Set(heads.map((head) => folded(head.path)));
  for (const path of new Set(paths)) {
    if (isIndexPath(path) || scopeOf(path) === scope) continue;
    const memory = await read(path);
    if (!memory) continue;
    const to = await freePath(inScope(path, scope), taken, context.exists);
    taken.add(folded(to));
    moving.set(path, { memory, to });
  }

  for (const [from, { memory, to }] of moving) {
    const { name, text: before } = memory;
    const refused = refusalOf(memory, scope);
    const stays = (refusals: readonly MoveRefusal[], after = before) =>
      plans.push({ from, to, name, before, after, refusals, notes: [], relinked: [] });
    if (refused) {
      stays([refused]);
      continue;
    }
    const { text: linked } = rewriteLinks(before, from, (link) => carried(link, from, to, heads, moving));
    const changes = frontMatterChanges(memory, scope);
    let after: string;
    try {
      after = editFrontMatter(linked, changes);
    } catch {
      stays([{ kind: 'problem' }], linked);
      continue;
    }
    const refusals = scope === 'team' ? await context.refusals(to, after) : [];
    if (refusals.length > 0) {
      stays(
        refusals.map((refusal) => withLineBefore(refusal, before, after)),
        after,
      );
      continue;
    }
    const notes = scope === 'team' ? await notesOf(memory, after, changes, context, moving) : [];
    await overlay.write(to, after, memory.mtimeMs);
    await overlay.remove(from);
    plans.push({ from, to, name, before, after, refusals, notes, relinked: [] });
  }
  const moved = plans.filter(({ refusals }) => refusals.length === 0);
  if (moved.length === 0) return plans;
  await moveLines(moved, context);
  const touched = await relink(moved, scope, context);
  return plans.map((plan) => {
    const own = touched.get(plan.from);
    if (!own) return plan;
    const notes: MoveNote[] = own.dead.length === 0 ? [] : [{ kind: 'team_links', paths: own.dead }];
    return { ...plan, relinked: own.relinked, notes: [...plan.notes, ...notes] };
  });
}

const inScope = (path: string, scope: MemoryScope): string =>
  scope === 'team' ? `team/${path}` : path.slice('team/'.length);

/** Existing names stay; a second one of a name gets a number. */
async function freePath(path: string, taken: ReadonlySet<string>, exists: MoveContext['exists']): Promise<string> {
  const stem = path.replace(/\.md$/i, '');
  const separator = stem.includes('_') && !stem.includes('-') ? '_' : '-';
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? path : `${stem}${separator}${count}.md`;
    if (taken.has(folded(free)) || isIndexPath(free)) continue;
    // A path that can't be used is refused with its reason later; it is not taken.
    if (!(await exists(free).catch(() => false))) return free;
  }
}

function refusalOf(memory: Memory, scope: MemoryScope): MoveRefusal | undefined {
  if (memory.problem) return { kind: 'problem', ...(memory.problem.line ? { line: memory.problem.line } : {}) };
  const isNever = memory.type !== undefined && teamRouting[memory.type] === 'never';
  return scope === 'team' && isNever ? { kind: 'type' } : undefined;
}

function frontMatterChanges(memory: Memory, scope: MemoryScope) {
  if (scope === 'private') return {};
  return {
    ...Object.fromEntries(ownKeysOf(memory).map((key) => [key, undefined])),
    // Git keeps no times of files: what says no date would be new on every other machine.
    ...(memory.modifiedAt === memory.mtimeMs ? { modified: memory.mtimeMs } : {}),
  };
}

function ownKeysOf({ data }: Memory): readonly string[] {
  const { metadata } = data;
  const isIn = (value: unknown, key: string) => typeof value === 'object' && value !== null && key in value;
  return ownKeys.filter((key) => isIn(data, key) || isIn(metadata, key));
}

/** Lines are told as they are in the file a person can open. */
function withLineBefore(refusal: MoveRefusal, before: string, after: string): MoveRefusal {
  if (refusal.line === undefined) return refusal;
  const shift = before.split('\n').length - after.split('\n').length;
  const lines = after.split('\n');
  const at = refusal.line - 1;
  const isMoved = before.split('\n')[at + shift] === lines[at];
  return { ...refusal, line: isMoved ? refusal.line + shift : refusal.line };
}

type Moving = ReadonlyMap<string, { readonly memory: Memory; readonly to: string }>;

/** A link of the moved memory itself: a file is named from the new place, or by its name where no path leads there. */
function carried(link: WrittenLink, from: string, to: string, heads: readonly MemoryHeader[], moving: Moving) {
  if (link.kind === 'name' || !heads.some(({ path }) => path === link.to)) return undefined;
  const target = link.to === from ? to : (moving.get(link.to)?.to ?? link.to);
  const folder = to.slice(0, to.lastIndexOf('/') + 1);
  // Into the team's folder no path leads from outside, wherever it lies on another machine.
  const isBelow = target.startsWith(folder) && scopeOf(target) === scopeOf(to);
  return isBelow ? fileLink(link.more, target.slice(folder.length)) : nameLink(target, labelOf(link.more, target));
}

/** `|label`, unless the name says it. */
function labelOf(label: string, path: string): string {
  const words = label.replace(/[[\]|\n\\]+/g, ' ').trim();
  return words === '' || nameLink(path) === `[[${words}]]` ? '' : `|${words}`;
}

async function moveLines(moved: readonly MovePlan[], { overlay, heads }: MoveContext): Promise<void> {
  const headOf = new Map(heads.map((head) => [head.path, head]));
  const types = new Map(heads.map(({ path, type }) => [folded(path), type]));
  for (const { from, to, name } of moved) {
    const [source, destination] = [indexPathOf(from), indexPathOf(to)];
    const text = await overlay.read(source);
    const target = indexTargetOf(from);
    const line = parseIndex(text ?? '').entries.find((entry) => folded(entry.target) === folded(target));
    if (text !== undefined) await overlay.write(source, mergeIndex(text, { remove: [line?.target ?? target] }));
    const hook = line?.hook || headOf.get(from)?.description || '';
    types.set(folded(to), headOf.get(from)?.type);
    const folder = destination.slice(0, destination.lastIndexOf('/') + 1);
    const merged = mergeIndexAt(destination, await overlay.read(destination), {
      set: [{ target: indexTargetOf(to), title: line?.title || name, hook }],
      typeOf: (other) => types.get(folded(folder + other)),
    });
    await overlay.write(destination, merged);
  }
}

interface Touched {
  relinked: string[];
  dead: string[];
}

/** Leads what links to the moved memories to their new places. The team's own files are not changed for one that leaves it. */
async function relink(
  moved: readonly MovePlan[],
  scope: MemoryScope,
  { overlay, heads, read, isNested }: MoveContext,
): Promise<Map<string, Touched>> {
  const touched = new Map<string, Touched>(moved.map(({ from }) => [from, { relinked: [], dead: [] }]));
  const others = heads.filter(({ path, problem }) => !touched.has(path) && problem === undefined);
  const movedTo = new Map(moved.map((plan) => [plan.from, plan]));
  const files = [...others.map(({ path }) => path), 'MEMORY.md'];
  for (const path of files) {
    const isIndex = isIndexPath(path);
    const memory = isIndex ? undefined : await read(path).catch(() => undefined);
    const text = isIndex ? await overlay.read(path) : memory?.text;
    if (!text?.includes('[')) continue;
    if (scopeOf(path) === 'team') {
      if (scope === 'team') continue;
      for (const { from, name } of moved) {
        const isDead = [...linksIn(text, path)].some((link) =>
          link.kind === 'file' ? link.to === from : leadsTo(link.to, { path: from, name }),
        );
        if (isDead) touched.get(from)?.dead.push(path);
      }
      continue;
    }
    const plans = new Set<MovePlan>();
    const { text: changed } = rewriteLinks(text, path, (link) => {
      const plan =
        link.kind === 'file'
          ? movedTo.get(link.to)
          : moved.find((one) => leadsTo(link.to, { path: one.from, name: one.name }));
      const anew = plan && ledTo(link, plan, path, others, isNested);
      if (plan && anew !== undefined) plans.add(plan);
      return anew;
    });
    if (plans.size === 0) continue;
    // A link says nothing new: the file keeps its time.
    await overlay.write(path, changed, memory?.mtimeMs);
    if (!isIndex) for (const { from } of plans) touched.get(from)?.relinked.push(path);
  }
  return touched;
}

/** A link in a private file to what moved, or `undefined` when it leads there as it is. */
function ledTo(
  link: WrittenLink,
  { from, to, name }: MovePlan,
  path: string,
  others: readonly MemoryHeader[],
  isNested: boolean,
): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  if (link.kind === 'file') {
    const isBelow = to.startsWith(folder) && (isNested || scopeOf(to) === 'private');
    return isBelow ? fileLink(link.more, to.slice(folder.length)) : nameLink(to, labelOf(link.more, to));
  }
  if (leadsTo(link.to, { path: to, name })) return undefined;
  // One that means another memory of the same name is left to that one, unless it meant the moved one all along.
  const isShared = others.some((other) => scopeOf(other.path) === scopeOf(path) && leadsTo(link.to, other));
  return isShared && scopeOf(from) !== scopeOf(path) ? undefined : nameLink(to, link.more);
}

async function notesOf(
  memory: Memory,
  after: string,
  changes: object,
  { heads, read, homeDir, person }: MoveContext,
  moving: Moving,
): Promise<MoveNote[]> {
  const notes: MoveNote[] = [];
  const keys = ownKeys.filter((key) => key in changes);
  if (keys.length > 0) notes.push({ kind: 'left_out', keys });
  if (memory.type && teamRouting[memory.type] === 'convention') notes.push({ kind: 'usually_private' });
  notes.push(...personalWords(after, homeDir, person));
  for (const link of linksIn(after, `team/${memory.path}`)) {
    const isOfTeam = heads.some((head) => scopeOf(head.path) === 'team' && leads(link, head));
    const target = heads.find((head) => scopeOf(head.path) === 'private' && leads(link, head));
    if (target && !isOfTeam && !moving.has(target.path))
      notes.push({ kind: 'private_link', line: link.line, words: target.name });
  }
  return [...notes, ...(await teamSays(memory, heads, read))];
}

const leads = (link: WrittenLink, head: MemoryHeader): boolean =>
  link.kind === 'file' ? link.to === head.path : leadsTo(link.to, head);

const anyHome = /(?:\/(?:home|Users)\/[\w.-]+|\b[A-Za-z]:\\Users\\[\w. -]+?(?=\\|$|["'`\s]))/;
const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
/** Names of accounts that say nothing of who has them. */
const nobody = /^(?:root|user|home|admin|node|vscode|codespace|ubuntu|debian|runner|dev|developer|test|.{0,2})$/i;

/** Each kind once a line. */
export function personalWords(text: string, homeDir: string, person: readonly string[]): MoveNote[] {
  const names = person.filter((name) => !nobody.test(name)).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const named =
    names.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return text.split('\n').flatMap((words, at) => {
    const line = at + 1;
    const home = words.includes(homeDir) && homeDir.length > 3 ? homeDir : anyHome.exec(words)?.[0];
    const mail = email.exec(words)?.[0];
    const rest = words.replace(home ?? '\0', ' ').replace(mail ?? '\0', ' ');
    const name = named?.exec(rest)?.[0];
    const notes: MoveNote[] = [];
    if (home !== undefined) notes.push({ kind: 'home_path', line, words: home });
    if (mail !== undefined) notes.push({ kind: 'email', line, words: mail });
    if (name !== undefined) notes.push({ kind: 'person', line, words: name });
    return notes;
  });
}

/** What the team has on the same matter: the same, a part, or something else. */
async function teamSays(
  memory: Memory,
  heads: readonly MemoryHeader[],
  read: MoveContext['read'],
): Promise<readonly MoveNote[]> {
  const lead = `${memory.name}. ${memory.description ?? ''}`;
  const ranked = heads
    .filter((head) => head.scope === 'team' && head.problem === undefined)
    .map((head) => ({ head, score: similarity(lead, `${head.name}. ${head.description ?? ''}`) }))
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, closest);
  const notes: MoveNote[] = [];
  for (const { head } of ranked) {
    const other = await read(head.path).catch(() => undefined);
    const relation = other && relationOf(memory.body, other.body);
    if (relation) notes.push({ kind: 'team_says', path: head.path, name: head.name, relation });
  }
  return notes;
}

/** Of two bodies; of single sentences where one says the opposite or the same. */
function relationOf(body: string, other: string): Exclude<Relation, 'different'> | undefined {
  const { relation } = compareTexts(body, other);
  if (relation !== 'different') return relation;
  const relations = sentencesOf(body).flatMap((one) =>
    sentencesOf(other).map((two) => compareTexts(one, two).relation),
  );
  return relations.includes('contradicts') ? 'contradicts' : relations.includes('same') ? 'contained' : undefined;
}

/** Why the team may not have this text under this path: every line with a secret, or the one rule that speaks against it. */
export async function moveRefusals(path: string, text: string): Promise<readonly MoveRefusal[]> {
  const refusal = await teamRefusal(path, text);
  if (!refusal) return [];
  if (refusal.rule !== 'secret') return [{ kind: 'path', rule: refusal.rule }];
  const secrets = refusal.line === undefined ? [] : await findSecrets(text);
  if (secrets.length === 0) return [{ kind: 'secret', ...(refusal.secret ? { rule: refusal.secret } : {}) }];
  return secrets.map(({ rule, line }) => ({ kind: 'secret', rule, line }));
}
