// What a person does to memories by hand: remember, forget, pin, verify, rename, share, accept a suggestion. Each verb is
// one run that can be undone. A memory whose front matter can't be parsed is never rewritten; a text with a secret in it is
// refused by the name of the rule.

import { draftFromFact } from './extraction/offline';
import { planForgetting, planSaving, type SavingContext } from './extraction/saving';
import { createOverlay, type Overlay } from './memory/changeset';
import { editFrontMatter, type FrontMatterChanges, type MemoryDraft, type MemoryType } from './memory/memory';
import { mergeIndex } from './memory/memoryIndex';
import { indexPathOf, indexTargetOf, isIndexPath, type MemoryScope } from './memory/memoryPaths';
import type { MemoryStore } from './memory/memoryStore';
import { type MoveContext, type MovePlan, type MoveRefusal, planMoves } from './memory/moving';
import type { Suggestions } from './memory/proposals';
import type { Run, RunPurpose, Snapshots } from './memory/snapshots';
import { refusedByTeam, teamIsOff } from './memory/teamMemory';
import { MemoryError } from './memoryError';

/** Each is one run that `undo` takes back, and throws `MemoryError` for what it refuses. */
export interface Keeping {
  remember(memory: {
    readonly text: string;
    readonly type?: MemoryType;
    readonly scope?: MemoryScope;
    readonly name?: string;
  }): Promise<{ readonly path: string; readonly run: Run }>;
  /** To the trash, with their index lines. */
  forget(paths: readonly string[], purpose?: RunPurpose): Promise<Run>;
  pin(path: string, pinned: boolean): Promise<Run>;
  /** The memory still holds: its age for staleness begins anew, `modified` stays. */
  verify(path: string): Promise<Run>;
  rename(path: string, name: string): Promise<Run>;
  /** What `move` would do with each, and why not; nothing is changed. */
  previewMove(paths: readonly string[], scope: MemoryScope): Promise<readonly MovePlan[]>;
  /** To the team's folder, or back into the person's own. All of them or, where one is refused, none. */
  move(paths: readonly string[], scope: MemoryScope): Promise<{ readonly paths: readonly string[]; readonly run: Run }>;
  accept(
    suggestionId: string,
    edited?: { readonly name?: string; readonly text?: string; readonly type?: MemoryType },
  ): Promise<{ readonly path: string; readonly run: Run | undefined }>;
  dismiss(suggestionId: string): Promise<void>;
  /** The type the rules would give a text that a person wants remembered. */
  guessType(text: string): Promise<MemoryType>;
}

/** A memory is a small file; what is longer belongs into a document that a memory can point to. */
const longestText = 20_000;

export function createKeeping(options: {
  readonly store: MemoryStore;
  readonly snapshots: Snapshots;
  readonly suggestions: Suggestions;
  readonly saving: (overlay: Overlay) => Promise<SavingContext>;
  readonly moving: (overlay: Overlay) => Promise<MoveContext>;
  readonly isTeamOn: () => boolean;
  readonly now: () => number;
}): Keeping {
  const { store, snapshots, suggestions, now } = options;
  const overlayOf = () => createOverlay((path) => readThrough(store, path));

  async function applied(overlay: Overlay, purpose: RunPurpose): Promise<Run> {
    const { run, conflicts } = await snapshots.apply(overlay.changes(), purpose);
    if (conflicts[0]) throw changedMeanwhile(conflicts[0]);
    if (!run) throw new MemoryError('usage', 'There is nothing to change.');
    return run;
  }

  async function editOne(path: string, changes: FrontMatterChanges): Promise<Run> {
    const overlay = overlayOf();
    const text = await overlay.read(path);
    if (text === undefined) throw notFound(path);
    await overlay.write(path, editFrontMatter(text, { ...(await keptAge(path)), ...changes }));
    if (changes.name !== undefined) await retitle(overlay, path, changes.name);
    return applied(overlay, { kind: 'edit' });
  }

  /** Where the file's time is all that says how old a memory is, writing to the file must not make it new. */
  async function keptAge(path: string): Promise<FrontMatterChanges> {
    const memory = await store.read(path);
    const isByFile = memory !== undefined && !memory.problem && memory.modifiedAt === memory.mtimeMs;
    return isByFile ? { modified: memory.mtimeMs } : {};
  }

  /** The index calls a memory by its name; the hook stays. */
  async function retitle(overlay: Overlay, path: string, title: string): Promise<void> {
    const index = indexPathOf(path);
    const text = await overlay.read(index);
    const merged =
      text && mergeIndex(text, { set: [{ target: indexTargetOf(path), title, hook: undefined }], remove: [] });
    if (merged) await overlay.write(index, merged);
  }

  async function save(draft: MemoryDraft, purpose: RunPurpose) {
    if (draft.body.length > longestText)
      throw new MemoryError('too_large', 'This is too long for a memory. Keep the point, and link to the rest.');
    const overlay = overlayOf();
    const [saved] = await planSaving([draft], await options.saving(overlay));
    if (!saved) throw new MemoryError('usage', 'There is nothing to save.');
    if (saved.kind === 'refused') {
      throw new MemoryError(
        'secret',
        `Line ${saved.line} of this looks like it holds a secret (${saved.rule}). Memories are plain files: leave it out.`,
        undefined,
        { rule: saved.rule, line: saved.line },
      );
    }
    if (saved.kind === 'known') return { saved, run: undefined };
    return { saved, run: await applied(overlay, purpose) };
  }

  async function planned(paths: readonly string[], scope: MemoryScope) {
    if (scope === 'team' && !options.isTeamOn()) throw refusedByTeam(teamIsOff, paths[0] ?? '');
    const overlay = overlayOf();
    const plans = await planMoves(paths, scope, await options.moving(overlay));
    return { overlay, plans };
  }

  async function guessType(text: string): Promise<MemoryType> {
    const { findSignals } = await import('./sessions/signals');
    return findSignals({ text: `Remember: ${text}`, at: now() }).signals[0]?.type ?? 'project';
  }

  return {
    async remember({ text, type, scope, name }) {
      const words = text.trim();
      if (words === '') throw new MemoryError('usage', 'There is nothing to remember: the text is empty.');
      const draft: MemoryDraft = {
        ...draftFromFact(words, type ?? (await guessType(words)), now()),
        ...(scope === undefined ? {} : { scope }),
        ...(name === undefined ? {} : { name }),
      };
      const { saved, run } = await save(draft, { kind: 'remember' });
      if (saved.path && run) return { path: saved.path, run };
      throw new MemoryError(
        'exists',
        saved.path
          ? `This is remembered already, in “${saved.path}”.`
          : 'This stands in a CLAUDE.md already; it needs no memory.',
        saved.path,
      );
    },

    async forget(paths, purpose = { kind: 'forget' }) {
      const overlay = overlayOf();
      for (const path of paths) {
        if (isIndexPath(path))
          throw new MemoryError('usage', 'The index is not a memory and can not be forgotten.', path);
        if ((await overlay.read(path)) === undefined) throw notFound(path);
      }
      await planForgetting(paths, overlay);
      return applied(overlay, purpose);
    },

    pin: (path, pinned) => editOne(path, { pinned: pinned || undefined }),
    verify: (path) => editOne(path, { verified: now() }),
    async rename(path, name) {
      const title = name.replace(/\s+/g, ' ').trim();
      if (title === '') throw new MemoryError('usage', 'A memory needs a name.', path);
      return editOne(path, { name: title, modified: now() });
    },

    previewMove: async (paths, scope) => (await planned(paths, scope)).plans,
    async move(paths, scope) {
      const { overlay, plans } = await planned(paths, scope);
      const [first] = plans;
      if (!first) throw notFound(paths[0] ?? '');
      for (const { from, refusals } of plans) if (refusals[0]) throw refusedMove(from, refusals[0]);
      const moves = Object.fromEntries(plans.map(({ from, to }) => [from, to]));
      return { paths: plans.map(({ to }) => to), run: await applied(overlay, { kind: 'move', moves }) };
    },

    async accept(id, edited = {}) {
      const suggestion = await suggestions.find(id);
      if (!suggestion) throw new MemoryError('not_found', 'This suggestion is no longer there.');
      const { draft, session } = suggestion;
      const type = edited.type ?? draft.type;
      const rewritten =
        edited.text === undefined
          ? { ...draft, type }
          : { ...draft, ...draftFromFact(edited.text.trim(), type, draft.modifiedAt), scope: draft.scope };
      // Suggested while team memory was on, or as another type: what is a person's own is private.
      const mayShare = options.isTeamOn() && type !== 'user';
      const scoped = mayShare ? rewritten : { ...rewritten, scope: 'private' as const };
      const named = edited.name === undefined ? scoped : { ...scoped, name: edited.name };
      const { saved, run } = await save(named, { kind: 'accept', session });
      await suggestions.settle(id, 'accepted');
      return { path: saved.path ?? '', run };
    },

    dismiss: (id) => suggestions.settle(id, 'dismissed'),

    guessType,
  };
}

/** Whether a file of the memory folder is there, whatever it is. Rejects for a path that leads elsewhere. */
export async function existsBelow(store: MemoryStore, path: string): Promise<boolean> {
  const { folder, relative } = await store.locate(path);
  return (await folder.stat(relative)) !== undefined;
}

/** What lies on disk below an overlay. Bytes that are not text throw `not_text`: such a file is never rewritten. */
export async function readThrough(
  store: MemoryStore,
  path: string,
): Promise<{ text: string; mtimeMs: number } | undefined> {
  const { folder, relative } = await store.locate(path);
  const file = await folder.read(relative);
  return file && { text: file.text, mtimeMs: file.stat.mtimeMs };
}

export const notFound = (path: string) => new MemoryError('not_found', `There is no memory “${path}”.`, path);

function refusedMove(path: string, { kind, rule, line }: MoveRefusal): MemoryError {
  const at = line === undefined ? '' : ` in line ${line}`;
  switch (kind) {
    case 'type':
      return new MemoryError('user_type', 'What is said of a person stays private: type “user” is never shared.', path);
    case 'problem':
      return new MemoryError('unreadable', `“${path}” has a problem${at}. Mend it first; nothing was changed.`, path);
    case 'secret':
      return new MemoryError(
        'secret',
        `“${path}” holds what looks like a secret${at} (${rule}). It stays private.`,
        path,
      );
    case 'path':
      return new MemoryError('bad_path', `“${path}” can't be shared under this name (${rule}).`, path);
  }
}

const changedMeanwhile = (path: string) =>
  new MemoryError('changed', `“${path}” changed meanwhile. Nothing was changed; try again.`, path);
