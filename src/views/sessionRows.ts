// What *Sessions* shows, as rows: what waits to be learned from the past, the chats by day with what came of each, and
// the sources that can't be reached. The outcome is the mark, and the description says it again before the reason.

import type { SourceState } from '../core/project';
import type { SessionEntry } from '../core/sessions/sessionList';
import { type Branch, type IconMark, printOf, type Row } from './rows';
import { sourceRows } from './sourceRows';
import { oneLine, type Words } from './words';

export interface SessionSnapshot {
  readonly key: string;
  readonly name: string;
  /** Newest first. */
  readonly entries: readonly SessionEntry[];
  readonly sources: readonly SourceState[];
  /** Of models on this day, over all projects. */
  readonly tokensToday: number;
}

/** Beside the view's title: what failed, and what models used today; nothing when there is neither. */
export function sessionsSummary(snapshots: readonly SessionSnapshot[], { t, number }: Words): string {
  const failed = snapshots.flatMap(({ entries }) => entries.filter(({ state }) => state === 'failed')).length;
  const tokens = Math.max(0, ...snapshots.map(({ tokensToday }) => tokensToday));
  return [
    ...(failed > 0 ? [t('{0} failed', number(failed))] : []),
    ...(tokens > 0 ? [t('{0} tokens today', number(tokens))] : []),
  ].join(' · ');
}

export type SessionTarget = { readonly project: string } & (
  | { readonly kind: 'session'; readonly file: string }
  | { readonly kind: 'past' }
  | { readonly kind: 'heading' }
);

export type SessionBranch = Branch<SessionTarget>;

/** Kinds of outcome to show; none is all. */
export type SessionFilter = readonly ('saved' | 'failed' | 'skipped')[];

export function sessionBranches(
  snapshots: readonly SessionSnapshot[],
  filter: SessionFilter,
  words: Words,
  now: number,
): readonly SessionBranch[] {
  const [only] = snapshots;
  if (snapshots.length < 2) return only ? projectBranches(only, filter, words, now) : [];
  return snapshots
    .map((snapshot) => ({ snapshot, groups: projectBranches(snapshot, filter, words, now) }))
    .filter(({ groups }) => groups.length > 0)
    .map(({ snapshot: { key, name }, groups }) =>
      branchOf(
        { id: key, label: name, context: 'folder', spoken: name },
        { project: key, kind: 'heading' },
        { groups, unfolded: true },
      ),
    );
}

function projectBranches(
  { key, entries, sources }: SessionSnapshot,
  filter: SessionFilter,
  words: Words,
  now: number,
): readonly SessionBranch[] {
  const { t } = words;
  const rows: SessionBranch[] = [];
  const heading = { project: key, kind: 'heading' } as const;

  const past = entries.filter((entry) => entry.state === 'past').length;
  if (past > 0) {
    const label = past === 1 ? t('Learn from 1 past session') : t('Learn from {0} past sessions', words.number(past));
    const description = t('no tokens');
    rows.push(
      branchOf(
        {
          id: `${key}/past`,
          label,
          description,
          mark: { codicon: 'history' },
          context: 'past',
          spoken: `${label}, ${description}`,
          tooltip: t('What was said before Reverie came is left alone until you ask.'),
        },
        { project: key, kind: 'past' },
      ),
    );
  }

  const read = entries.filter((entry) => entry.state !== 'past');
  const shown = filter.length === 0 ? read : read.filter((entry) => filter.some((kind) => isOfKind(entry, kind)));
  if (filter.length > 0) {
    const label = sessionFilterText(filter, words);
    const description = t('{0} of {1}', words.number(shown.length), words.number(read.length));
    rows.push(
      branchOf(
        {
          id: `${key}/filter`,
          label,
          description,
          mark: { codicon: 'filter-filled' },
          context: 'filter',
          spoken: t('Filter: {0}, {1}', label, description),
        },
        heading,
      ),
    );
    if (shown.length === 0) {
      const nothing = t('Nothing matches.');
      const mark = { codicon: 'circle-large-outline', color: 'descriptionForeground' };
      rows.push(branchOf({ id: `${key}/none`, label: nothing, context: 'filter', spoken: nothing, mark }, heading));
    }
  }

  for (const [day, ofDay] of byDay(shown)) {
    const label = dayLabel(day, words, now);
    const count = words.number(ofDay.length);
    const row = { id: `${key}/day/${day}`, label, description: count, context: 'group', spoken: `${label}, ${count}` };
    const leaves = () => ofDay.map((entry) => sessionBranch(key, entry, words));
    const isRecent = dayOf(now) - day < 2 * 24 * 60 * 60 * 1000;
    rows.push({
      row,
      target: heading,
      print: printOf(row, ofDay),
      leaves,
      unfolded: isRecent || ofDay.some((entry) => entry.state === 'failed'),
    });
  }

  const unreachable = sourceRows(key, sources, (kind) => sourceName(kind, words), words);
  if (unreachable.length > 0 && filter.length === 0) {
    const label = t('Not reachable here');
    const kinds = new Set(unreachable.map(({ kind }) => kind)).size;
    const count = kinds === 1 ? t('1 source') : t('{0} sources', words.number(kinds));
    const row = {
      id: `${key}/unreachable`,
      label,
      description: count,
      context: 'group',
      spoken: `${label}, ${count}`,
    };
    rows.push({
      row,
      target: heading,
      print: printOf(row, unreachable),
      unfolded: true,
      leaves: () => unreachable.map(({ row: own }) => branchOf(own, heading)),
    });
  }
  return rows;
}

export function sessionBranch(key: string, entry: SessionEntry, words: Words): SessionBranch {
  const label = sessionTitle(entry, words);
  const outcome = outcomeText(entry, words);
  const canUndo = entry.run !== undefined;
  const flags = ['session', entry.state, canUndo ? 'undoable' : 'done'];
  return leafOf(
    {
      id: `${key}/session/${entry.session.file}`,
      label,
      description: outcome,
      mark: sessionMark(entry),
      context: flags.join(' '),
      spoken: [label, outcome, words.time(entry.session.modifiedAt), sourceName(entry.session.kind, words)].join(', '),
    },
    { project: key, kind: 'session', file: entry.session.file },
  );
}

/** A stranger's text. A chat that was never read has no title yet. */
export const sessionTitle = (
  { title, session }: Pick<SessionEntry, 'title'> & { readonly session: Pick<SessionEntry['session'], 'modifiedAt'> },
  words: Words,
): string => oneLine(title ?? '') || words.t('Chat of {0}', words.time(session.modifiedAt));

const quiet = 'descriptionForeground';

export function sessionMark({ state }: SessionEntry): IconMark {
  switch (state) {
    case 'reading':
      return { codicon: 'loading~spin' };
    case 'saved':
      return { codicon: 'pass', color: 'charts.green' };
    case 'proposed':
      return { codicon: 'lightbulb' };
    case 'nothing':
      return { codicon: 'circle-large-outline', color: quiet };
    case 'waiting':
    case 'past':
      return { codicon: 'watch', color: quiet };
    case 'skipped':
      return { codicon: 'debug-step-over', color: quiet };
    case 'failed':
      return { codicon: 'error', color: 'list.errorForeground' };
    case 'excluded':
      return { codicon: 'eye-closed', color: quiet };
  }
}

export function outcomeText(entry: SessionEntry, words: Words): string {
  const { t } = words;
  const suggestions =
    entry.suggestedCount === 1 ? t('1 suggestion') : t('{0} suggestions', words.number(entry.suggestedCount));
  switch (entry.state) {
    case 'reading':
      return t('reading');
    case 'saved': {
      if (entry.loggedCount) return t('noted {0}', words.number(entry.loggedCount));
      const saved = t('saved {0}', words.number(entry.savedCount));
      return entry.suggestedCount > 0 ? `${saved} · ${suggestions}` : saved;
    }
    case 'proposed':
      return suggestions;
    case 'nothing':
      return t('nothing new');
    case 'waiting':
      return entry.reason === 'paused' ? t('waiting · paused') : t('waiting · still open');
    case 'past':
      return t('waiting');
    case 'skipped':
      return t('skipped: {0}', skipText(entry.reason, words));
    case 'failed':
      return t('failed: {0}', failureText(entry, words));
    case 'excluded':
      return t('not learned from');
  }
}

export function skipText(reason: string | undefined, { t }: Words): string {
  switch (reason) {
    case 'direct_write':
      return t('direct write');
    case 'throttled':
      return t('throttled');
    case 'budget':
      return t('daily budget');
    case 'overlapped':
      return t('overlapped');
    case 'disabled':
      return t('switched off');
    case 'paused':
      return t('paused');
    case 'untrusted':
      return t('untrusted');
    case 'secret':
      return t('holds a secret');
    case 'nothing_new':
      return t('nothing new');
    default:
      return reason ?? t('no reason given');
  }
}

/** Reasons of the engine that have a word of their own; another one, a system's message for instance, is shown as it is. */
/** How a reading failed: in the engine's words, and by kind where a model failed. */
export type Failure = Pick<SessionEntry, 'reason' | 'failure'>;

export function failureText({ reason, failure }: Failure, { t }: Words): string {
  switch (failure) {
    case 'unauthorised':
      return t('key refused');
    case 'no_permission':
      return t('not allowed');
    case 'unknown_model':
      return t('unknown model');
    case 'rate_limited':
      return t('too many requests');
    case 'overloaded':
    case 'server_error':
      return t('the provider is overloaded');
    case 'unreachable':
      return t('no connection');
    case 'timed_out':
      return t('no answer');
    case 'refused':
      return t('declined by the model');
    case 'over_limit':
      return t('not done within its limits');
    case 'over_budget':
      return t('today’s budget is used up');
    case 'bad_request':
    case 'too_long':
    case 'bad_answer':
    case undefined:
      break;
  }
  switch (reason) {
    case 'the disk is full':
      return t('the disk is full');
    case 'the folder can not be written':
      return t('the folder can’t be written');
    case 'it took longer than ten minutes':
      return t('no answer within 10 min');
    case 'another process took over':
      return t('another process took over');
    case 'another program holds a file':
      return t('another program holds a file');
    case 'cancelled':
      return t('cancelled');
    case undefined:
      return t('no reason given');
    default:
      return reason;
  }
}

export function sourceName(kind: SessionEntry['session']['kind'], { t }: Words): string {
  switch (kind) {
    case 'claude-code':
      return 'Claude Code';
    case 'vscode-chat':
      return t('VS Code chats');
    case 'participant':
      return '@memory';
    case 'foreign':
      return t('another product');
  }
}

export function sessionFilterText(filter: SessionFilter, { t }: Words): string {
  const names = { saved: t('Saved'), failed: t('Failed'), skipped: t('Skipped') };
  return filter.map((kind) => names[kind]).join(', ');
}

const isOfKind = ({ state }: SessionEntry, kind: SessionFilter[number]) =>
  state === kind || (kind === 'saved' && state === 'proposed');

/** Midnight of the person's own day. */
function dayOf(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** By the day something was said last: a chat of last week that is learned from today is still last week's. */
function byDay(entries: readonly SessionEntry[]): readonly (readonly [number, readonly SessionEntry[]])[] {
  const days = new Map<number, SessionEntry[]>();
  for (const entry of entries) {
    const day = dayOf(entry.session.modifiedAt);
    const known = days.get(day);
    if (known) known.push(entry);
    else days.set(day, [entry]);
  }
  return [...days].sort(([a], [b]) => b - a);
}

function dayLabel(day: number, words: Words, now: number): string {
  const today = new Date(dayOf(now));
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
  if (day >= today.getTime()) return words.t('Today');
  if (day === yesterday) return words.t('Yesterday');
  return words.weekday(day);
}

function branchOf(row: Row, target: SessionTarget, below: Partial<SessionBranch> = {}): SessionBranch {
  return { row, target, print: printOf(row), ...below };
}

/** The group's own print covers its leaves. */
const leafOf = (row: Row, target: SessionTarget): SessionBranch => ({ row, target, print: '' });
