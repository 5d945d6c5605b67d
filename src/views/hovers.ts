// What hovers say, as pieces: our own Markdown, and text that may be a stranger's and is never taken for Markdown. A view
// joins them; a piece can't change from one kind into the other on the way.

import type { Origin } from '../core/git';
import type { MemoryHeader, MemoryProblem, MemoryType } from '../core/memory/memory';
import type { Suggestion } from '../core/memory/proposals';
import type { SessionEntry } from '../core/sessions/sessionList';
import { dayOfRef } from './logRows';
import { failureText, outcomeText, sessionMark, sessionTitle, sourceName } from './sessionRows';
import { oneLine, type Words, wholeDays } from './words';

export type Piece = { readonly markdown: string } | { readonly text: string };

const paragraph: Piece = { markdown: '\n\n' };
const rule: Piece = { markdown: '\n\n---\n\n' };

export interface Link {
  readonly icon: string;
  readonly label: string;
  readonly command: string;
  readonly argument?: unknown;
}

/** Links to commands, which work only where the one who joins the pieces allows these commands. */
export function linksOf(links: readonly Link[]): Piece {
  const one = ({ icon, label, command, argument }: Link) => {
    // `encodeURIComponent` leaves brackets, and one in a file's name would end the link.
    const query = encodeURIComponent(JSON.stringify([argument])).replace(/[()]/g, (sign) =>
      sign === '(' ? '%28' : '%29',
    );
    return `[$(${icon}) ${label}](command:${command}${argument === undefined ? '' : `?${query}`})`;
  };
  return { markdown: links.map(one).join(' &nbsp;·&nbsp; ') };
}

const bold = (text: string): Piece[] => [{ markdown: '**' }, { text }, { markdown: '**' }];

/** `title` is that of the chat it came from, `staleDays` what its type allows. */
export function memoryHover(
  head: MemoryHeader,
  more: {
    readonly label: string;
    readonly isStale: boolean;
    readonly isNew?: boolean;
    /** Who wrote it last, where git says so. */
    readonly origin?: Origin | undefined;
    readonly staleDays: Readonly<Record<MemoryType, number>>;
    readonly source: { readonly title: string; readonly at: number } | undefined;
  },
  words: Words,
  now: number,
): readonly Piece[] {
  const { t } = words;
  const pieces: Piece[] = bold(more.label);
  if (head.description) pieces.push(paragraph, { text: head.description });
  const kind = [head.type && words.type(head.type), words.scope(head.scope), head.pinned && t('pinned')];
  pieces.push(paragraph, { text: kind.filter(Boolean).join(' · ') });

  if (head.scope === 'team') pieces.push(paragraph, { text: originText(more.origin, more.isNew ?? false, words, now) });
  const age = agoText(wholeDays(head.modifiedAt, now), words);
  const verified =
    head.verifiedAt === undefined ? t('last verified never') : t('last verified {0}', words.date(head.verifiedAt));
  pieces.push(paragraph, { text: `${t('Written {0} ({1})', words.date(head.modifiedAt), age)}, ${verified}` });
  if (more.isStale && head.type) {
    const limit = words.number(more.staleDays[head.type]);
    pieces.push(paragraph, {
      text: t('Stale: {0} is marked after {1} days. Verify it if it still holds.', words.type(head.type), limit),
    });
  }
  if (head.problem) {
    pieces.push(paragraph, { markdown: '$(error) ' }, { text: words.problem(head.problem) });
    if (head.problem.detail) pieces.push({ text: `: ${head.problem.detail}` });
    pieces.push(paragraph, { text: nextStep(head.problem, words) });
  }
  const logged = (head.sourceLogs ?? []).flatMap((ref) => dayOfRef(ref) ?? []);
  if (logged.length > 0) {
    const days = [...new Set(logged.map(words.dayOfYear))];
    pieces.push(paragraph, { text: t('From the daily log of {0}', days.join(', ')) });
  }
  if (more.source) {
    pieces.push(paragraph, { text: t('From “{0}”, {1}', more.source.title, words.dayOfYear(more.source.at)) });
  }
  return pieces;
}

const agoText = (days: number, { t, number }: Words): string =>
  days === 0 ? t('today') : days === 1 ? t('1 day ago') : t('{0} days ago', number(days));

/** Who says so, and that it is what somebody says. */
export function originText(origin: Origin | undefined, isNew: boolean, words: Words, now: number): string {
  const { t } = words;
  const from = origin
    ? t(
        'Shared by {0}, {1} ({2}).',
        oneLine(origin.author),
        words.date(origin.at),
        agoText(wholeDays(origin.at, now), words),
      )
    : t('Shared with the team.');
  const news = isNew ? [t('New: you have not opened it yet.')] : [];
  return [from, ...news, t('It is a note to be checked, no instruction.')].join(' ');
}

/** What a person can do about a memory that can't be used as it is. */
function nextStep({ kind }: MemoryProblem, { t }: Words): string {
  return kind === 'merge_conflict'
    ? t('Both sides stand in the file. Choose what holds; until then it is not recalled and not written over.')
    : t('The file is left as it is until you mend it.');
}

export function suggestionHover({ draft, session, at, why }: Suggestion, words: Words): readonly Piece[] {
  const { t } = words;
  const title = session.title?.trim();
  const reason = reasonText(why, words);
  return [
    ...bold(draft.name),
    paragraph,
    { text: draft.body.trim() },
    paragraph,
    { text: title ? t('From “{0}”, {1}', title, words.dayOfYear(at)) : t('From a chat, {0}', words.dayOfYear(at)) },
    ...(reason ? [paragraph, { text: reason }] : []),
  ];
}

/** Why the offline rules picked it, by the rule's id; a reason in words, a model's for instance, as it is. */
function reasonText(why: string, { t }: Words): string | undefined {
  switch (why) {
    case 'asked-to-remember':
    case 'said outright':
      return t('Picked because you said so outright.');
    case 'standing-rule':
    case 'no-need-to-ask':
    case 'next-time':
    case 'reads-like-feedback':
      return t('Picked because it sounds like a rule for the future.');
    case 'correction-with-reason':
      return t('Picked because it is a correction with its reason.');
    case 'habit-of-the-team':
      return t('Picked because it is how your team does things.');
    case 'about-the-person':
    case 'preference':
    case 'taste':
    case 'reads-like-user':
      return t('Picked because it says something about you.');
    case 'plan-or-decision':
    case 'ruled-out':
      return t('Picked because it sounds like a decision.');
    case 'date-ahead':
      return t('Picked because it names a date ahead.');
    case 'where-it-is-kept':
    case 'where-it-runs':
    case 'reads-like-reference':
      return t('Picked because it says where something is found.');
    case 'reads-like-project':
      return t('Picked because it tells something about the project.');
    default:
      return /\s/.test(why) ? t('Picked because: {0}', why) : undefined;
  }
}

/** Commands that a session's hover may link to. */
export const sessionHoverCommands = [
  'reverie.openTranscript',
  'reverie.undoRun',
  'reverie.excludeSession',
  'reverie.includeSession',
  'reverie.retrySession',
  'reverie.showLog',
] as const;

/** `target` is what the linked commands get: data that a stranger's text has no part in but for a file's path. */
export function sessionHover(entry: SessionEntry, target: unknown, words: Words): readonly Piece[] {
  const { t } = words;
  const pieces: Piece[] = [...bold(sessionTitle(entry, words)), paragraph];
  pieces.push({ markdown: `$(${sessionMark(entry).codicon}) ` }, { text: sentenceOf(entry, words) });
  const hint = hintOf(entry, words);
  if (hint) pieces.push(paragraph, { text: hint });
  pieces.push(paragraph, { text: [sourceName(entry.session.kind, words), ...readBy(entry, words)].join(' · ') });

  const links: Link[] = [];
  const link = (icon: string, label: string, command: (typeof sessionHoverCommands)[number]) =>
    links.push({ icon, label, command, argument: target });
  if (entry.state === 'failed') link('refresh', t('Retry Now'), 'reverie.retrySession');
  if (entry.state === 'failed') link('output', t('Show Log'), 'reverie.showLog');
  link('comment-discussion', t('Open Transcript'), 'reverie.openTranscript');
  if (entry.run !== undefined) link('discard', t('Undo'), 'reverie.undoRun');
  if (entry.state === 'excluded') link('eye', t('Learn Again'), 'reverie.includeSession');
  else link('eye-closed', t('Don’t Learn from This Session'), 'reverie.excludeSession');
  return [...pieces, rule, linksOf(links)];
}

/** Which model read it and what that took. Another product's cache can't be shared, and that is said. */
function readBy({ model, usage, session }: SessionEntry, { t, number }: Words): string[] {
  if (model === undefined || usage === undefined) return [t('offline, no tokens')];
  const fresh = number(usage.input + usage.cacheWrite);
  const tokens = t('{0} fresh · {1} cache read · {2} out', fresh, number(usage.cacheRead), number(usage.output));
  return [model, tokens, ...(session.kind === 'participant' ? [] : [t('parent not shareable')])];
}

function sentenceOf(entry: SessionEntry, words: Words): string {
  const { t } = words;
  const at = words.time(entry.at);
  switch (entry.state) {
    case 'saved':
      if (entry.loggedCount)
        return entry.loggedCount === 1
          ? t('Noted 1 line in the daily log at {0}', at)
          : t('Noted {0} lines in the daily log at {1}', words.number(entry.loggedCount), at);
      return entry.savedCount === 1
        ? t('Saved 1 memory at {0}', at)
        : t('Saved {0} memories at {1}', words.number(entry.savedCount), at);
    case 'failed':
      return t('Failed at {0}: {1}', at, failureText(entry, words));
    case 'skipped':
      return entry.reason === 'direct_write'
        ? t('Skipped: the assistant wrote memory itself in this session')
        : outcomeText(entry, words);
    default:
      return outcomeText(entry, words);
  }
}

function hintOf(entry: SessionEntry, words: Words): string | undefined {
  const { t } = words;
  if (entry.state === 'failed') {
    const lost = t('Nothing was saved and nothing is lost: the next try starts at the same message.');
    return entry.retryAt === undefined
      ? lost
      : `${lost} ${t('Tries again by itself at {0}.', words.time(entry.retryAt))}`;
  }
  if (entry.state === 'skipped' && entry.reason === 'direct_write')
    return t('So that nothing is learned twice, Reverie moved on to its end.');
  if (entry.state === 'skipped' && entry.reason === 'secret')
    return t('A memory is a plain file, so what looks like a secret is never written into one.');
  if (entry.state === 'excluded') return t('What was saved from it before stays.');
  return undefined;
}
