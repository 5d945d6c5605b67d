// A dream's proposal as the review shows it: figures, one card a change, every sentence finished. Pure: it is handed what
// stands on disk now, so that a file that changed meanwhile is a conflict and never written over. Text is a stranger's.

import { applyPatch, structuredPatch } from 'diff';
import type { Contradiction, Loss } from '../core/dream/dreamEngine';
import type { Proposal } from '../core/dream/proposal';
import { findBlock } from '../core/memory/frontBlock';
import { hunksOf } from '../core/memory/hunks';
import { changedInPart, indexPartsOf, topicsOf } from '../core/memory/indexParts';
import type { MemoryType } from '../core/memory/memory';
import { reasonsText } from './dreamReasons';
import { changesToReview } from './dreamWords';
import { momentText } from './moments';
import { conflictsOf, isIndex, type Outline, outlineOf, type Standing } from './proposalCards';
import { hunkRows, markedSpans, oneSide, wholeRows } from './reviewDiff';
import type { Card, Heading, Option, Review, Section, Source, Span } from './reviewProtocol';
import { oneLine, type Words } from './words';

export interface ReviewContext {
  /** Of every path the proposal names, as it is now; `null` where there is no file. */
  readonly disk: Standing;
  /** Of a memory that is there. */
  readonly memoryOf: (path: string) => { readonly name: string; readonly type: MemoryType | undefined } | undefined;
  readonly sourceOf: (session: string) => ReviewSource | undefined;
  readonly words: Words;
  readonly now: number;
}

export interface ReviewSource {
  readonly title: string;
  readonly at: number;
  /** In the place of the day and the count of messages. */
  readonly detail?: string;
}

type Origin = Pick<Source, 'session' | 'messages' | 'path'>;

/** What the engine without a model calls itself. */
const offline = 'offline';

/** Answers to a conflict. */
export const conflictAnswers = { keep: 'disk', both: 'both', dream: 'dream' } as const;

/** The change, made in another text than the one it was written for. `undefined` when its place is not there. */
export function changeOnto(before: string, after: string, text: string): string | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 1 });
  return applyPatch(text, patch, { fuzzFactor: 1 }) || undefined;
}

export function buildReview(proposal: Proposal, context: ReviewContext): Review {
  const { words } = context;
  const { t, number } = words;
  const cards = outlineOf(proposal, conflictsOf(proposal, context.disk)).map((outline) =>
    cardOf(outline, proposal, context),
  );
  const loss = proposal.loss.tooMuchLost ? proposal.loss : undefined;
  const deletions = cards.filter(({ kind }) => kind === 'deleted').length;
  return {
    proposal: proposal.id,
    title: changesToReview(cards.length, words),
    facts: factsOf(proposal, context),
    ...(loss === undefined
      ? {}
      : {
          loss: {
            head: lossText(loss, words),
            text: t('It is never applied by itself, and deletions start unselected.'),
            show: deletions === 1 ? t('Show the deletion') : t('Show the {0} deletions', number(deletions)),
            discard: t('Discard the dream'),
          },
        }),
    cards,
    ...leftAlone(proposal, words),
  };
}

/** What the dream saw and did not touch, for a person who wonders. */
function leftAlone({ remarks, recallOnly }: Proposal, words: Words): Pick<Review, 'remarks'> {
  const { t, number } = words;
  const items = [
    ...remarks.map(({ path, text, why }) => ({ path, text: reasonsText(text, why && [why], words) })),
    ...recallOnly.map((path) => ({
      path,
      text: t('It has no line in the index, which is full. Recall still finds it.'),
    })),
  ];
  if (items.length === 0) return {};
  const label =
    items.length === 1 ? t('1 thing was left as it is') : t('{0} things were left as they are', number(items.length));
  return { remarks: { label, items } };
}

export function lossText({ removed, memoriesBefore, percent, limitPercent }: Loss, { t, number }: Words): string {
  const limit = t('The limit is {0}%.', number(limitPercent));
  const share = memoriesBefore === 0 ? 0 : (100 * removed) / memoriesBefore;
  const what =
    share > limitPercent
      ? t(
          'This dream would remove {0} of {1} memories ({2}%).',
          number(removed),
          number(memoriesBefore),
          number(Math.round(share)),
        )
      : t('This dream would remove {0}% of the text of all memories.', number(Math.round(percent)));
  return `${what} ${limit}`;
}

function factsOf(proposal: Proposal, { words, now }: ReviewContext): readonly (readonly Span[])[] {
  const { t, number } = words;
  const { loss, usage, engine, at } = proposal;
  const sessionsRead = proposal.sessions.length;
  const change = (before: string, after: string) => (before === after ? after : `${before} → ${after}`);
  const kb = (value: number) => number(value / 1000);
  const facts: (readonly Span[])[] = [
    sessionsRead === 1
      ? emphasised(t('{0} session read', '{0}'), '1')
      : emphasised(t('{0} sessions read', '{0}'), number(sessionsRead)),
    emphasised(t('{0} memories', '{0}'), change(number(loss.memoriesBefore), number(loss.memoriesAfter))),
    [{ text: t('{0} KB', change(kb(loss.charsBefore), kb(loss.charsAfter))), strong: true }],
  ];
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  if (engine !== offline) {
    const spent = emphasised(t('{0} tokens', '{0}'), number(tokens));
    const cached = usage.cacheRead > 0 ? [{ text: `, ${t('{0} from cache', number(usage.cacheRead))}` }] : [];
    facts.push([...spent, ...cached]);
  }
  facts.push([{ text: engine === offline ? t('offline, no tokens') : engine }], [{ text: momentText(at, now, words) }]);
  return facts;
}

/** A text with its figure set off; `{0}` marks where the figure stands. */
function emphasised(text: string, figure: string): readonly Span[] {
  const at = text.indexOf('{0}');
  if (at < 0) return [{ text }];
  const parts = [{ text: text.slice(0, at) }, { text: figure, strong: true }, { text: text.slice(at + 3) }];
  return parts.filter((part) => part.text !== '');
}

function cardOf(outline: Outline, proposal: Proposal, context: ReviewContext): Card {
  const { words, memoryOf } = context;
  const { kind, path, question, changes, mergedInto } = outline;
  const [change] = changes;
  const type = change?.type ?? memoryOf(path)?.type;
  const name = isIndex(path) ? words.t('Memory index') : oneLine(question?.subject ?? change?.title ?? path);
  const titles = new Map(proposal.changes.map((each) => [each.path, each.title]));
  const into = mergedInto === undefined ? undefined : nameOf(mergedInto, titles, context);
  const kindText = kindTextOf(outline, into, words);
  const sources = question ? [...originOf(question.newer), ...originOf(question.older)] : originsOf(changes);
  const shown = {
    id: outline.id,
    kind,
    kindText,
    name,
    about: [
      type && !isIndex(path) ? words.type(type) : undefined,
      words.scope(path.startsWith('team/') ? 'team' : 'private'),
    ]
      .filter(Boolean)
      .join(' · '),
    path,
    icon: isIndex(path) ? 'list-flat' : iconOf(type),
    applyLabel: words.t('Apply: {0}, {1}', name, kindText),
    sources: sources.map((source) => ({ ...source, ...sourceText(source, context) })),
    isSelected: kind !== 'conflict' && !(kind === 'deleted' && proposal.loss.tooMuchLost),
  };
  if (question) return { ...shown, ...questionParts(question, sources, context) };
  const more = {
    ...shown,
    reason: [...new Set(changes.map((each) => reasonsText(each.reason, each.reasons, words)))]
      .filter(Boolean)
      .join(' '),
    ...(mergedInto === undefined || into === undefined ? {} : { link: { path: mergedInto, label: into } }),
  };
  return kind === 'conflict'
    ? { ...more, ...conflictParts(outline, context) }
    : { ...more, sections: sectionsOf(outline, proposal, context) };
}

const iconOf = (type: MemoryType | undefined): string =>
  type === undefined
    ? 'note'
    : { user: 'account', feedback: 'comment', project: 'project', reference: 'bookmark' }[type];

function kindTextOf({ kind, changes }: Outline, into: string | undefined, { t, number }: Words): string {
  switch (kind) {
    case 'created':
      return t('created');
    case 'updated':
      return t('updated');
    case 'merged':
      return t('merged from {0}', number(changes.length));
    case 'deleted':
      return into === undefined ? t('deleted · goes to the trash') : t('deleted · merged into {0}', into);
    case 'choose':
      return t('two sayings');
    case 'conflict':
      return t('conflict');
  }
}

const nameOf = (path: string, titles: ReadonlyMap<string, string>, { memoryOf }: ReviewContext): string =>
  oneLine(titles.get(path) ?? memoryOf(path)?.name ?? path);

const originOf = ({ session, messages = [], path }: Contradiction['newer']): readonly Origin[] =>
  session === undefined ? [] : [{ session, messages, path }];

/** Each chat once, with all of its messages that the changes came from. */
function originsOf(changes: Proposal['changes']): readonly Origin[] {
  const origins = new Map<string, Origin>();
  for (const { path, sources, messages } of changes)
    for (const session of sources) {
      const known = origins.get(session) ?? { session, messages: [], path };
      const all = [...new Set([...known.messages, ...(messages?.[session] ?? [])])];
      origins.set(session, { ...known, messages: all });
    }
  return [...origins.values()];
}

function sourceText({ session, messages }: Origin, { sourceOf, words }: ReviewContext): Omit<Source, keyof Origin> {
  const { t, number, dayOfYear } = words;
  const source = sourceOf(session);
  if (!source) return { title: t('A chat'), detail: '', isGone: true };
  const count =
    messages.length === 0
      ? undefined
      : messages.length === 1
        ? t('1 message')
        : t('{0} messages', number(messages.length));
  const detail = source.detail ?? [dayOfYear(source.at), count].filter(Boolean).join(' · ');
  return { title: oneLine(source.title), detail, isGone: false };
}

function sectionsOf({ kind, changes }: Outline, proposal: Proposal, { words }: ReviewContext): readonly Section[] {
  const { t, number } = words;
  const [change, ...dropped] = changes;
  if (!change) return [];
  const [before, after] = [change.before ?? '', change.after ?? ''];
  const two: readonly [Heading, Heading] = [{ text: t('Before') }, { text: t('After') }];
  if (kind === 'created') return [{ headings: [{ text: t('New file') }], rows: oneSide(readable(after), 'added') }];
  if (kind === 'deleted') return [{ headings: [{ text: t('Before') }], rows: oneSide(readable(before), 'removed') }];
  if (kind === 'merged') {
    return [
      { headings: [{ text: change.path }, { text: t('Result') }], rows: wholeRows(before, after) },
      ...dropped.map(({ path, before: gone }) => ({
        headings: [{ text: path, note: t('goes to the trash') }] as const,
        rows: oneSide(readable(gone ?? ''), 'removed'),
      })),
    ];
  }
  const parts = isIndex(change.path)
    ? // Lines of memories that change come and go with them.
      indexPartsOf(before, after, topicsOf(proposal.changes, change.path)).map(({ targets, line }) => {
        const alone = changedInPart(before, after, (target) => targets.has(target));
        return { line, rows: hunksOf(before, alone).flatMap(hunkRows) };
      })
    : hunksOf(before, after).map((hunk) => ({ line: hunk.line, rows: hunkRows(hunk) }));
  return parts.map(({ line, rows }, at) => ({
    ...(parts.length < 2
      ? {}
      : { hunk: at, label: t('Change {0} of {1} · line {2}', number(at + 1), number(parts.length), number(line)) }),
    headings: two,
    rows,
  }));
}

/** A whole file without what the card says already: its description, which goes into the index, and its body. */
function readable(text: string): string {
  const block = findBlock(text);
  if (!block) return text;
  const described = /^description:.*\n?/m.exec(text.slice(0, block.bodyStart))?.[0] ?? '';
  const body = text.slice(block.bodyStart).replace(/^(?:\r?\n)+/, '');
  return `${described}${body}`;
}

function questionParts({ newer, older }: Contradiction, sources: readonly Origin[], { words }: ReviewContext) {
  const { t, dayOfYear, time } = words;
  const [oldWords, newWords] = markedSpans(older.sentence.trim(), newer.sentence.trim());
  const side = (value: 'newer' | 'older', label: string, note: string, quote: readonly Span[]): Option => {
    const { at, session, path } = value === 'newer' ? newer : older;
    const source = sources.findIndex((one) => one.session === session && one.path === path);
    return {
      value,
      label,
      note,
      quote,
      detail: `${dayOfYear(at)}, ${time(at)} · ${path}`,
      ...(source < 0 ? {} : { source }),
    };
  };
  return {
    reason: t('Two memories say different things. A dream never decides that alone; the newer one is proposed.'),
    sections: [],
    question: {
      legend: t('Which one holds?'),
      proposed: 'newer',
      options: [
        side('newer', t('The newer one'), t('proposed'), newWords),
        side('older', t('The older one'), '', oldWords),
        {
          value: 'both',
          label: t('Keep both'),
          detail: t('Both sentences stay, each with its date. Recall ranks the newer one first.'),
        },
      ],
    },
  };
}

function conflictParts({ changes }: Outline, { disk, words }: ReviewContext) {
  const { t, time } = words;
  const [change, ...dropped] = changes;
  const now = change && (disk.get(change.path) ?? null);
  const text = now?.text ?? '';
  const dream = change?.after ?? '';
  const both = change?.before == null || change.after === null ? undefined : changeOnto(change.before, dream, text);
  const options: Option[] = [
    { value: conflictAnswers.keep, label: t('Keep what is on disk'), detail: t('Nothing is applied to this file.') },
  ];
  if (both !== undefined && both !== text && both !== dream) {
    options.push({
      value: conflictAnswers.both,
      label: t('Take both'),
      detail: t('The dream’s change is made in the file as it is now.'),
    });
  }
  options.push({
    value: conflictAnswers.dream,
    label: t('Take the dream’s version'),
    detail: now
      ? t('The edit of {0} stays in the snapshot; Undo brings it back.', time(now.mtimeMs))
      : t('The file comes back. Undo takes it away again.'),
  });
  return {
    note: {
      head: t('Changed since the dream read it.'),
      text: t('Choose below, or leave it out: nothing is written over by itself.'),
    },
    sections: [
      {
        headings: [{ text: t('On disk now') }, { text: t('The dream’s version') }] as const,
        rows: wholeRows(text, dream),
      },
      ...dropped.map(({ path, before }) => ({
        headings: [{ text: path, note: t('goes to the trash') }] as const,
        rows: oneSide(readable(disk.get(path)?.text ?? before ?? ''), 'removed'),
      })),
    ],
    question: { legend: t('Which one holds?'), proposed: conflictAnswers.keep, options },
    idle: conflictAnswers.keep,
  };
}
