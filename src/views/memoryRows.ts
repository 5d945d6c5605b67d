// What *Memories* shows, as rows: the meter of the index, suggestions, problems, the four types. One mark says a memory's
// state, by precedence problem > new > stale > pinned > team > type; what a mark can't hold stands behind the age.
// With nothing to show there is no row at all, because a single row hides the view's welcome.

import type { MemoryHeader, MemoryProblem, MemoryType } from '../core/memory/memory';
import type { IndexBudget } from '../core/memory/memoryIndex';
import { scopeOf } from '../core/memory/memoryPaths';
import type { Suggestion } from '../core/memory/proposals';
import type { ProjectLogs } from '../core/project';
import type { TeamState } from '../core/teamNews';
import { logBranches } from './logRows';
import { createMatch, filteredOf, filterText, isFiltering, type MemoryFilter } from './memoryFilter';
import { type Branch, type IconMark, type Mark, printOf, type Row } from './rows';
import { oneLine, typesInOrder, type Words, wholeDays } from './words';

/** What is known of the memories of one project. */
export interface MemorySnapshot {
  /** Tells projects apart, over restarts too. */
  readonly key: string;
  /** Of the workspace's folders that lead here. */
  readonly name: string;
  /** Newest first. */
  readonly heads: readonly MemoryHeader[];
  readonly stalePaths: ReadonlySet<string>;
  readonly suggestions: readonly Suggestion[];
  readonly index: IndexBudget & { readonly exists: boolean };
  /** Indexes that can't be used as they are. */
  readonly indexFaults?: readonly { readonly path: string; readonly problem: MemoryProblem }[] | undefined;
  /** Who wrote which memory of the team, and what of it is new to this person. */
  readonly team?: TeamState | undefined;
  /** Of assistant mode. */
  readonly logs?: ProjectLogs | undefined;
}

/** What a row stands for; what a command that is started on it gets. */
export type MemoryTarget = { readonly project: string } & (
  | { readonly kind: 'memory'; readonly path: string; readonly name: string }
  | { readonly kind: 'suggestion'; readonly id: string; readonly name: string }
  | { readonly kind: 'index' }
  /** A daily log, or a line of it, counted from 1. */
  | { readonly kind: 'log'; readonly path: string; readonly line?: number }
  | { readonly kind: 'heading' }
);

export type MemoryBranch = Branch<MemoryTarget>;

/** A type with more memories than this begins folded. */
const mostUnfolded = 20;

export const typeIcons: Readonly<Record<MemoryType, string>> = {
  user: 'account',
  feedback: 'comment',
  project: 'project',
  reference: 'bookmark',
};

export function memoryBranches(
  snapshots: readonly MemorySnapshot[],
  filter: MemoryFilter,
  words: Words,
  now: number,
): readonly MemoryBranch[] {
  const [only] = snapshots;
  if (snapshots.length < 2) return only ? projectBranches(only, filter, words, now) : [];
  const all = snapshots.map((snapshot) => ({ snapshot, groups: projectBranches(snapshot, filter, words, now) }));
  // Where no folder has anything, the welcome says what to do; a folder without memories beside others stays a row.
  if (all.every(({ groups }) => groups.length === 0)) return [];
  return all.map(({ snapshot: { key, name }, groups }) => {
    const row = { id: key, label: name, context: 'folder', spoken: name };
    const target = { project: key, kind: 'heading' } as const;
    if (groups.length > 0) return branchOf(row, target, { groups, unfolded: true });
    const description = words.t('no memories yet');
    return branchOf({ ...row, description, spoken: `${name}, ${description}` }, target);
  });
}

function projectBranches(
  snapshot: MemorySnapshot,
  filter: MemoryFilter,
  words: Words,
  now: number,
): readonly MemoryBranch[] {
  const { key, heads, suggestions, index } = snapshot;
  if (heads.length === 0 && suggestions.length === 0 && index.lines === 0 && !snapshot.logs?.days.length) return [];
  const { t } = words;
  const matches = createMatch(filter);
  const isFiltered = isFiltering(filter);
  const shown = isFiltered
    ? heads.filter((head) => matches(filteredOf(head, snapshot.stalePaths.has(head.path), isFresh(snapshot, head))))
    : heads;
  const waiting = isFiltered
    ? suggestions.filter((suggestion) => matches(filteredSuggestion(suggestion)))
    : suggestions;

  const rows: MemoryBranch[] = [meterBranch(snapshot, words)];
  if (isFiltered) rows.push(filterBranch(snapshot, filter, shown.length, words));

  const group = (
    name: string,
    label: string,
    tooltip: string,
    count: number,
    prints: () => readonly unknown[],
    leaves: () => readonly MemoryBranch[],
    unfolded: boolean,
    fresh = 0,
  ) => {
    const description = fresh === 0 ? words.number(count) : `${words.number(count)} · ${newText(fresh, words)}`;
    const row = {
      // While a filter is on, a group is another row: it begins unfolded, and how it stood before is kept for later.
      id: `${key}/${isFiltered ? 'filtered ' : ''}${name}`,
      label,
      description,
      context: 'group',
      spoken: fresh === 0 ? `${label}, ${description}` : `${label}, ${words.number(count)}, ${newText(fresh, words)}`,
      tooltip,
    };
    const target = { project: key, kind: 'heading' } as const;
    // Made when two states are compared: the first look at thousands of memories need not wait for it.
    let print: string | undefined;
    rows.push({
      row,
      target,
      get print() {
        print ??= printOf(row, prints());
        return print;
      },
      ...(count === 0 ? {} : { leaves, unfolded: unfolded || isFiltered }),
    });
  };

  if (waiting.length > 0) {
    group(
      'suggestions',
      t('Suggestions'),
      t('What you might want to keep. Nothing here is used until you accept it.'),
      waiting.length,
      () => waiting.map(({ id }) => id),
      () => waiting.map((suggestion) => suggestionBranch(key, suggestion, words)),
      true,
    );
  }
  const printsOf = (some: readonly MemoryHeader[]) => () =>
    some.map((head) => memoryPrint(head, stateOf(snapshot, head), now));
  const problems = shown.filter((head) => head.problem !== undefined);
  const faults = isFiltered ? [] : (snapshot.indexFaults ?? []);
  if (problems.length + faults.length > 0) {
    group(
      'problems',
      t('Problems'),
      t('Files that can’t be read. They are left as they are.'),
      problems.length + faults.length,
      () => [faults, printsOf(problems)()],
      () => [...faults, ...problems].map((one) => problemBranch(key, one, words)),
      true,
    );
  }
  const tooltips = memoryTypeHints(words);
  for (const type of typesInOrder) {
    const ofType = shown.filter((head) => head.type === type && head.problem === undefined);
    if (isFiltered && ofType.length === 0) continue;
    const ordered = [...ofType.filter((head) => head.pinned), ...ofType.filter((head) => !head.pinned)];
    group(
      type,
      words.typeHeading(type),
      tooltips[type],
      ordered.length,
      printsOf(ordered),
      () => ordered.map((head) => memoryBranch(key, head, stateOf(snapshot, head), words, now)),
      ordered.length <= mostUnfolded,
      ordered.filter((head) => isFresh(snapshot, head)).length,
    );
  }
  if (!isFiltered) rows.push(...logBranches(key, snapshot.logs, typeIcons, words));
  if (isFiltered && shown.length === 0 && waiting.length === 0) {
    const row = {
      id: `${key}/none`,
      label: t('Nothing matches.'),
      context: 'filter',
      spoken: t('Nothing matches.'),
      mark: { codicon: 'circle-large-outline', color: 'descriptionForeground' },
    };
    rows.push(branchOf(row, { project: key, kind: 'heading' }));
  }
  return rows;
}

/** What a type is for, in a few words. */
export const memoryTypeHints = ({ t }: Words): Readonly<Record<MemoryType, string>> => ({
  user: t('Who you are and how you like to work'),
  feedback: t('How you want things done'),
  project: t('What is going on in this project'),
  reference: t('Where things are found'),
});

function meterBranch({ key, index }: MemorySnapshot, words: Words): MemoryBranch {
  const { t } = words;
  const lines = words.number(index.lines);
  const size = words.number(index.chars / 1000);
  const lineLimit = words.number(index.lineLimit);
  const sizeLimit = words.number(index.charLimit / 1000);
  let description: string;
  let mark: Mark;
  if (!index.exists) {
    description = t('not written yet');
    mark = { codicon: 'circle-large-outline' };
  } else if (index.overBudget) {
    description =
      index.hiddenLines === 1 ? t('1 line not loaded') : t('{0} lines not loaded', words.number(index.hiddenLines));
    mark = { codicon: 'warning', color: 'list.warningForeground' };
  } else {
    description = t('{0}/{1} lines · {2}/{3} KB', lines, lineLimit, size, sizeLimit);
    mark = { ring: Math.max(index.lines / index.lineLimit, index.chars / index.charLimit) };
  }
  const tooltip = t(
    '{0} of {1} lines and {2} of {3} KB are used. What is over is not loaded into a chat; recall still finds it.',
    lines,
    lineLimit,
    size,
    sizeLimit,
  );
  const row = {
    id: `${key}/meter`,
    label: 'MEMORY.md',
    description,
    mark,
    context: index.exists ? 'index' : 'index missing',
    spoken: t('Memory index, {0}', description),
    tooltip,
  };
  return branchOf(row, { project: key, kind: index.exists ? 'index' : 'heading' });
}

function filterBranch({ key, heads }: MemorySnapshot, filter: MemoryFilter, shown: number, words: Words): MemoryBranch {
  const label = filterText(filter, words);
  const description = words.t('{0} of {1}', words.number(shown), words.number(heads.length));
  const spoken = words.t('Filter: {0}, {1}', label, description);
  return branchOf(
    { id: `${key}/filter`, label, description, mark: { codicon: 'filter-filled' }, context: 'filter', spoken },
    { project: key, kind: 'heading' },
  );
}

function suggestionBranch(key: string, { id, draft }: Suggestion, words: Words): MemoryBranch {
  const type = words.type(draft.type);
  const label = oneLine(draft.name);
  return leafOf(
    {
      id: `${key}/suggestion/${id}`,
      label,
      description: type,
      mark: { codicon: 'lightbulb' },
      context: 'suggestion',
      spoken: words.t('{0}, suggestion, {1}', label, type),
      isTeam: draft.scope === 'team',
    },
    { project: key, kind: 'suggestion', id, name: label },
  );
}

function problemBranch(key: string, head: Pick<MemoryHeader, 'path' | 'problem'>, words: Words): MemoryBranch {
  const label = oneLine(head.path.slice(head.path.lastIndexOf('/') + 1));
  const problem = head.problem ? words.problem(head.problem) : '';
  return leafOf(
    {
      id: memoryRowId(key, head.path),
      label,
      description: problem,
      mark: { codicon: 'error', color: 'list.errorForeground' },
      context: head.problem?.kind === 'merge_conflict' ? 'problem conflict' : 'problem',
      spoken: words.t('{0}, problem: {1}', label, problem),
      isTeam: scopeOf(head.path) === 'team',
    },
    { project: key, kind: 'memory', path: head.path, name: label },
  );
}

/** What is known of a memory besides its head. */
export interface MemoryState {
  readonly isStale: boolean;
  /** From the team, and not looked at yet. */
  readonly isNew: boolean;
  /** Who wrote it, where git says so: a stranger's words. */
  readonly author: string | undefined;
}

const isFresh = ({ team }: MemorySnapshot, { path }: MemoryHeader): boolean => team?.fresh.has(path) ?? false;

export const stateOf = (snapshot: MemorySnapshot, head: MemoryHeader): MemoryState => ({
  isStale: snapshot.stalePaths.has(head.path),
  isNew: isFresh(snapshot, head),
  author: snapshot.team?.origins.get(head.path)?.author,
});

/** What the number on the view stands for. */
export function waitingText(suggestions: number, fresh: number, words: Words): string {
  const parts = [suggestions > 0 && suggestionsWait(suggestions, words), fresh > 0 && newFromTeam(fresh, words)];
  return parts.filter(Boolean).join(', ');
}

export const suggestionsWait = (count: number, { t, number }: Words): string =>
  count === 1 ? t('1 suggestion waits') : t('{0} suggestions wait', number(count));

/** Of the team, and not looked at yet. */
export const newFromTeam = (count: number, { t, number }: Words): string =>
  count === 1 ? t('1 new from the team') : t('{0} new from the team', number(count));

const newText = (count: number, { t, number }: Words): string =>
  count === 1 ? t('1 new') : t('{0} new', number(count));

export function memoryBranch(
  key: string,
  head: MemoryHeader,
  state: MemoryState,
  words: Words,
  now: number,
): MemoryBranch {
  const { t } = words;
  const { isStale, isNew, author } = state;
  const days = wholeDays(head.modifiedAt, now);
  const age = words.shortAge(days);
  const label = oneLine(head.name);
  const spoken = [label, head.type && words.type(head.type), words.scope(head.scope), words.spokenAge(days)];
  const news = author === undefined ? t('new') : t('new from {0}', oneLine(author));
  if (isNew) spoken.push(news);
  if (isStale) spoken.push(t('stale'));
  if (head.pinned) spoken.push(t('pinned'));
  const flags = [
    'memory',
    head.pinned ? 'pinned' : 'loose',
    head.scope,
    ...(head.type === 'user' ? ['personal'] : []),
    ...(isNew ? ['new'] : []),
    head.originSessionId || head.sourceLogs ? 'sourced' : 'unsourced',
  ];
  return leafOf(
    {
      id: memoryRowId(key, head.path),
      label,
      description: [isNew && news, age, head.pinned && (isStale || isNew) && t('pinned')].filter(Boolean).join(' · '),
      mark: memoryMark(head, isStale, isNew),
      context: flags.join(' '),
      spoken: spoken.filter(Boolean).join(', '),
      isTeam: head.scope === 'team',
      isNew,
    },
    { project: key, kind: 'memory', path: head.path, name: label },
  );
}

/** The one mark that says most. */
export function memoryMark(head: MemoryHeader, isStale: boolean, isNew = false): IconMark {
  if (head.problem) return { codicon: 'error', color: 'list.errorForeground' };
  if (isNew) return { codicon: 'organization', color: 'charts.blue' };
  if (isStale) return { codicon: 'history', color: 'list.warningForeground' };
  if (head.pinned) return { codicon: 'pinned' };
  if (head.scope === 'team') return { codicon: 'organization' };
  return { codicon: head.type ? typeIcons[head.type] : 'note' };
}

export const memoryRowId = (key: string, path: string): string => `${key}/memory/${path}`;

/** What its row and its hover are made of: a hover that was looked at once is asked for again only with its row. */
function memoryPrint(head: MemoryHeader, state: MemoryState, now: number): readonly unknown[] {
  const { path, name, description, pinned, modifiedAt, verifiedAt, problem } = head;
  return [
    path,
    name,
    description,
    pinned,
    state,
    wholeDays(modifiedAt, now),
    verifiedAt,
    problem,
    head.originSessionId,
    head.sourceLogs,
  ];
}

const filteredSuggestion = ({ draft }: Suggestion) => ({
  type: draft.type,
  scope: draft.scope,
  isStale: false,
  isPinned: false,
  isNew: false,
  texts: [draft.name, draft.description, draft.body],
});

function branchOf(row: Row, target: MemoryTarget, below: Partial<MemoryBranch> = {}): MemoryBranch {
  return { row, target, print: printOf(row), ...below };
}

/** The group's own print covers its leaves. */
const leafOf = (row: Row, target: MemoryTarget): MemoryBranch => ({ row, target, print: '' });
