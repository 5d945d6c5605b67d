// A dream's proposal as the review shows it: figures, one card a change, every sentence finished. Pure: it is handed what
// stands on disk now, so that a file that changed meanwhile is a conflict and never written over. Text is a stranger's.

import { applyPatch, structuredPatch } from 'diff';
import type { Usage } from '../core/agent/languageModel';
import { findBlock } from '../core/memory/frontMatter';
import { hunksOf } from '../core/memory/hunks';
import { type Memory, parseMemory } from '../core/memory/memory';
import { isIndex, type Outline, outlineOf, type ProposedChanges, type ProposedQuestion } from './proposalCards';
import { hunkRows, markedSpans, oneSide, wholeRows } from './reviewDiff';
import type { Card, Heading, Option, Review, Section, Source, Span } from './reviewProtocol';
import { oneLine, type Words } from './words';

/** What is lost if everything is applied, where that is more than the limit. */
export interface ProposedLoss {
  readonly of: 'memories' | 'text';
  readonly removed: number;
  readonly total: number;
  readonly percent: number;
  readonly limitPercent: number;
}

export interface ReviewedProposal extends ProposedChanges {
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly sessionsRead: number;
  readonly memories: { readonly before: number; readonly after: number };
  readonly chars: { readonly before: number; readonly after: number };
  readonly usage: Usage;
  /** `undefined`: the offline engine. */
  readonly model: string | undefined;
  readonly loss: ProposedLoss | undefined;
}

export interface ReviewContext {
  /** Of every path the proposal names, as it is now; `null` where there is no file. */
  readonly disk: ReadonlyMap<string, { readonly text: string; readonly mtimeMs: number } | null>;
  readonly sourceOf: (session: string) => ReviewSource | undefined;
  readonly words: Words;
  readonly now: number;
}

export interface ReviewSource {
  readonly title: string;
  readonly at: number;
  readonly messages?: number;
}

/** Answers to a conflict. */
export const conflictAnswers = { keep: 'disk', both: 'both', dream: 'dream' } as const;

/** Paths that are neither what the dream saw nor what it would write. The index is merged line by line and never one. */
export function conflictsOf({ changes }: ProposedChanges, disk: ReviewContext['disk']): ReadonlySet<string> {
  return new Set(
    changes
      .filter(({ path, before, after }) => {
        const now = disk.get(path);
        if (now === undefined || isIndex(path)) return false;
        const text = now?.text ?? null;
        return text !== before && text !== after;
      })
      .map(({ path }) => path),
  );
}

/** The change, made in another text than the one it was written for. `undefined` when its place is not there. */
export function changeOnto(before: string, after: string, text: string): string | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 1 });
  return applyPatch(text, patch, { fuzzFactor: 1 }) || undefined;
}

export function buildReview(proposal: ReviewedProposal, context: ReviewContext): Review {
  const { words } = context;
  const { t, number } = words;
  const cards = outlineOf(proposal, conflictsOf(proposal, context.disk)).map((outline) =>
    cardOf(outline, proposal, context),
  );
  const { loss } = proposal;
  const deletions = cards.filter(({ kind }) => kind === 'deleted').length;
  return {
    proposal: proposal.id,
    title: cards.length === 1 ? t('1 change to review') : t('{0} changes to review', number(cards.length)),
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
  };
}

export function lossText({ of, removed, total, percent, limitPercent }: ProposedLoss, { t, number }: Words): string {
  const limit = t('The limit is {0}%.', number(limitPercent));
  return of === 'memories'
    ? `${t('This dream would remove {0} of {1} memories ({2}%).', number(removed), number(total), number(percent))} ${limit}`
    : `${t('This dream would remove {0}% of the text of all memories.', number(percent))} ${limit}`;
}

function factsOf(proposal: ReviewedProposal, { words, now }: ReviewContext): readonly (readonly Span[])[] {
  const { t, number } = words;
  const { sessionsRead, memories, chars, usage, model, at } = proposal;
  const kb = (value: number) => number(value / 1000);
  const facts: (readonly Span[])[] = [
    sessionsRead === 1
      ? emphasised(t('{0} session read', '{0}'), '1')
      : emphasised(t('{0} sessions read', '{0}'), number(sessionsRead)),
    emphasised(t('{0} memories', '{0}'), `${number(memories.before)} → ${number(memories.after)}`),
    [{ text: t('{0} KB', `${kb(chars.before)} → ${kb(chars.after)}`), strong: true }],
  ];
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  if (model !== undefined) {
    const spent = emphasised(t('{0} tokens', '{0}'), number(tokens));
    const cached = usage.cacheRead > 0 ? [{ text: `, ${t('{0} from cache', number(usage.cacheRead))}` }] : [];
    facts.push([...spent, ...cached]);
  }
  facts.push([{ text: model ?? t('offline, no tokens') }], [{ text: momentText(at, now, words) }]);
  return facts;
}

/** A text with its figure set off; `{0}` marks where the figure stands. */
function emphasised(text: string, figure: string): readonly Span[] {
  const at = text.indexOf('{0}');
  if (at < 0) return [{ text }];
  const parts = [{ text: text.slice(0, at) }, { text: figure, strong: true }, { text: text.slice(at + 3) }];
  return parts.filter((part) => part.text !== '');
}

/** `today 03:12`, `Nov 15, 03:12` */
export function momentText(at: number, now: number, { t, time, dayOfYear }: Words): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? t('today {0}', time(at)) : `${dayOfYear(at)}, ${time(at)}`;
}

function cardOf(outline: Outline, proposal: ReviewedProposal, context: ReviewContext): Card {
  const { words, now } = context;
  const { kind, path, question, changes } = outline;
  const [change] = changes;
  const text = change?.after ?? change?.before ?? context.disk.get(path)?.text ?? '';
  const memory = parseMemory(path, text, now, now);
  const name = isIndex(path) ? words.t('Memory index') : oneLine(question?.subject ?? memory.name);
  const kindText = kindTextOf(outline, proposal, context);
  const paths = changes.map((each) => each.path);
  const sessions = question
    ? [question.newer.session, question.older.session].flatMap((session) => session ?? [])
    : paths.flatMap((each) => proposal.notes[each]?.sources ?? []);
  const sources = [...new Set(sessions)];
  const shown = {
    id: outline.id,
    kind,
    kindText,
    name,
    about: [memory.type && !isIndex(path) ? words.type(memory.type) : undefined, words.scope(memory.scope)]
      .filter(Boolean)
      .join(' · '),
    path,
    icon: isIndex(path) ? 'list-flat' : iconOf(memory),
    applyLabel: words.t('Apply: {0}, {1}', name, kindText),
    sources: sources.map((session) => sourceText(context.sourceOf(session), words)),
    isSelected: kind !== 'conflict' && !(kind === 'deleted' && proposal.loss !== undefined),
  };
  if (question) return { ...shown, ...questionParts(question, sources, context) };
  const reasons = paths.map((each) => proposal.notes[each]?.reason).filter((reason) => reason !== undefined);
  const { mergedInto } = outline;
  const more = {
    ...shown,
    reason: [...new Set(reasons)].join(' '),
    ...(mergedInto === undefined ? {} : { link: { path: mergedInto, label: nameOf(mergedInto, context) } }),
  };
  return kind === 'conflict'
    ? { ...more, ...conflictParts(outline, context) }
    : { ...more, sections: sectionsOf(outline, context) };
}

const iconOf = ({ type }: Memory): string =>
  type === undefined
    ? 'note'
    : { user: 'account', feedback: 'comment', project: 'project', reference: 'bookmark' }[type];

function kindTextOf(
  { kind, changes, mergedInto }: Outline,
  _proposal: ReviewedProposal,
  context: ReviewContext,
): string {
  const { t, number } = context.words;
  switch (kind) {
    case 'created':
      return t('created');
    case 'updated':
      return t('updated');
    case 'merged':
      return t('merged from {0}', number(changes.length));
    case 'deleted':
      return mergedInto === undefined
        ? t('deleted · goes to the trash')
        : t('deleted · merged into {0}', nameOf(mergedInto, context));
    case 'choose':
      return t('two sayings');
    case 'conflict':
      return t('conflict');
  }
}

function nameOf(path: string, { disk, now }: ReviewContext): string {
  const text = disk.get(path)?.text;
  return oneLine(text === undefined ? path : parseMemory(path, text, now, now).name);
}

function sourceText(source: ReviewSource | undefined, words: Words): Source {
  const { t, number, dayOfYear } = words;
  if (!source) return { title: t('A chat'), detail: '', isGone: true };
  const { messages } = source;
  const count =
    messages === undefined ? undefined : messages === 1 ? t('1 message') : t('{0} messages', number(messages));
  const detail = [dayOfYear(source.at), count].filter(Boolean).join(' · ');
  return { title: oneLine(source.title), detail, isGone: false };
}

function sectionsOf({ kind, changes }: Outline, { words }: ReviewContext): readonly Section[] {
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
  const hunks = hunksOf(before, after);
  return hunks.map((hunk, at) => ({
    ...(hunks.length < 2
      ? {}
      : {
          hunk: at,
          label: t('Change {0} of {1} · line {2}', number(at + 1), number(hunks.length), number(hunk.line)),
        }),
    headings: two,
    rows: hunkRows(hunk),
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

function questionParts({ newer, older }: ProposedQuestion, sources: readonly string[], { words }: ReviewContext) {
  const { t, dayOfYear, time } = words;
  const [oldWords, newWords] = markedSpans(older.sentence.trim(), newer.sentence.trim());
  const side = (value: 'newer' | 'older', label: string, note: string, quote: readonly Span[]): Option => {
    const { at, session, path } = value === 'newer' ? newer : older;
    const source = session === undefined ? -1 : sources.indexOf(session);
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
