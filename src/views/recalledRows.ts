// What *Recalled* shows, as rows: each question that memory was asked, the newest first, with the way it came by; below it
// the memories that were brought back, as they are now. A question that found nothing is said to have found nothing.

import type { Origin } from '../core/git';
import type { MemoryHeader } from '../core/memory/memory';
import type { RecalledTurn } from '../core/recall/openRecall';
import type { RecalledEntry, RecallWay } from '../core/recall/recalled';
import { originText, type Piece } from './hovers';
import { memoryMark } from './memoryRows';
import { contextOf, factsText, isToday, whyText } from './recallTexts';
import { type Branch, printOf, type Row } from './rows';
import { oneLine, type Words, wholeDays } from './words';

export interface RecalledSnapshot {
  readonly key: string;
  readonly name: string;
  /** Newest first. */
  readonly turns: readonly RecalledTurn[];
  /** Of every memory that is there, by its path. */
  readonly heads: ReadonlyMap<string, MemoryHeader>;
  readonly stalePaths: ReadonlySet<string>;
  /** Who wrote memories of the team, by path. */
  readonly origins?: ReadonlyMap<string, Origin>;
  /** Paths that lie in the trash. */
  readonly trashed: ReadonlySet<string>;
}

export type RecalledTarget = { readonly project: string } & (
  | {
      readonly kind: 'memory';
      readonly path: string;
      readonly name: string;
      /** For which question it came; empty when that is not known. */
      readonly query: string;
      readonly turn: string;
    }
  | { readonly kind: 'turn'; readonly turn: string; readonly query: string }
  | { readonly kind: 'heading' }
);

export type RecalledBranch = Branch<RecalledTarget>;

/** Older ones begin folded. */
const unfoldedTurns = 1;

/** `isKept` says whether a person verified a memory in this window and can take that back. */
export function recalledBranches(
  snapshots: readonly RecalledSnapshot[],
  isKept: (project: string, path: string) => boolean,
  words: Words,
  now: number,
): readonly RecalledBranch[] {
  const rowsOf = (snapshot: RecalledSnapshot) =>
    snapshot.turns.map((turn, at) => turnBranch(snapshot, turn, at < unfoldedTurns, isKept, words, now));
  const [only] = snapshots;
  if (snapshots.length < 2) return only ? rowsOf(only) : [];
  return snapshots
    .filter(({ turns }) => turns.length > 0)
    .map((snapshot) => {
      const { key, name } = snapshot;
      const row = { id: key, label: name, context: 'folder', spoken: name };
      return {
        row,
        target: { project: key, kind: 'heading' },
        print: printOf(row),
        groups: rowsOf(snapshot),
        unfolded: true,
      };
    });
}

export const turnRowId = (key: string, turn: string): string => `${key}/turn/${turn}`;

function turnBranch(
  snapshot: RecalledSnapshot,
  turn: RecalledTurn,
  unfolded: boolean,
  isKept: (project: string, path: string) => boolean,
  words: Words,
  now: number,
): RecalledBranch {
  const { t } = words;
  const { key } = snapshot;
  const label = oneLine(turn.query) || t('A question with a secret in it');
  const when = isToday(turn.at, now) ? words.time(turn.at) : words.dayOfYear(turn.at);
  const count = turn.memories.length === 0 ? t('nothing') : words.number(turn.memories.length);
  const way = wayText(turn.way, words);
  const spokenCount =
    turn.memories.length === 0
      ? t('nothing recalled')
      : turn.memories.length === 1
        ? t('1 memory recalled')
        : t('{0} memories recalled', words.number(turn.memories.length));
  const row: Row = {
    id: turnRowId(key, turn.id),
    label,
    description: [count, way, when].join(' · '),
    context: turn.memories.length === 0 ? 'turn empty' : 'turn full',
    spoken: [label, spokenCount, way, when].join(', '),
  };
  const target = { project: key, kind: 'turn', turn: turn.id, query: turn.query } as const;
  if (turn.memories.length === 0) {
    const mark = { codicon: 'circle-large-outline', color: 'descriptionForeground' };
    return { row: { ...row, mark }, target, print: printOf(row) };
  }
  const leaves = () => turn.memories.map((entry) => entryBranch(snapshot, turn, entry, isKept, words, now));
  const prints = turn.memories.map(({ path }) => {
    const head = snapshot.heads.get(path);
    const days = head && wholeDays(head.modifiedAt, now);
    const author = snapshot.origins?.get(path)?.author;
    const facts = head && [
      head.name,
      head.pinned,
      head.verifiedAt,
      head.type,
      head.originSessionId,
      head.sourceLogs,
      days,
      author,
    ];
    return [facts, snapshot.stalePaths.has(path), snapshot.trashed.has(path), isKept(key, path)];
  });
  return { row, target, print: printOf(row, prints, turn.leftOut), leaves, unfolded };
}

function entryBranch(
  { key, heads, stalePaths, trashed, origins }: RecalledSnapshot,
  turn: RecalledTurn,
  entry: RecalledEntry,
  isKept: (project: string, path: string) => boolean,
  words: Words,
  now: number,
): RecalledBranch {
  const { t } = words;
  const { path } = entry;
  const head = heads.get(path);
  const label = oneLine(head?.name ?? entry.name);
  const target = { project: key, kind: 'memory', path, name: label, query: turn.query, turn: turn.id } as const;
  const id = `${turnRowId(key, turn.id)}/${path}`;
  if (!head) {
    const description = trashed.has(path) ? t('in the trash') : t('no longer there');
    const mark = { codicon: 'trash', color: 'descriptionForeground' };
    const context = trashed.has(path) ? 'forgotten' : 'gone';
    return leafOf({ id, label, description, mark, context, spoken: `${label}, ${description}` }, target);
  }
  const isLeftOut = turn.leftOut.includes(path);
  const facts = factsText(head, { isLeftOut, origin: origins?.get(path) }, words, now);
  const context = contextOf(head, { isLeftOut, isKept: isKept(key, path) && isToday(head.verifiedAt, now) });
  return leafOf(
    {
      id,
      label,
      // Type and scope show as the mark and in the hover.
      description: facts.slice(head.type === undefined ? 1 : 2).join(' · '),
      mark: memoryMark(head, stalePaths.has(path)),
      context: turn.query === '' ? context.replace(/ (?:un)?fit\b/, '') : context,
      spoken: [label, ...facts].join(', '),
    },
    target,
  );
}

/** What a question was and how it was answered; of a memory, why it was picked. */
export function recalledHover(
  { memories, query, way, at, considered, selector, leftOut }: RecalledTurn,
  path: string | undefined,
  { heads, origins }: Pick<RecalledSnapshot, 'heads' | 'origins'>,
  words: Words,
  now: number,
): readonly Piece[] {
  const { t, number } = words;
  const entry = memories.find((each) => each.path === path);
  const lines: string[] = [];
  if (entry) {
    const head = heads.get(entry.path);
    if (head?.description) lines.push(head.description);
    const origin = origins?.get(entry.path);
    if (head) lines.push(factsText(head, { isLeftOut: leftOut.includes(entry.path), origin }, words, now).join(' · '));
    if (head?.scope === 'team') lines.push(originText(origin, false, words, now));
    lines.push(whyText(entry.picked, words));
  } else {
    lines.push(`${wayText(way, words)}, ${words.date(at)}, ${words.time(at)}`);
    const found = t('{0} of {1} memories', number(memories.length), number(considered));
    lines.push(
      memories.length === 0
        ? found
        : `${found}, ${selector === 'model' ? t('picked by the model') : t('picked by words')}`,
    );
  }
  const title = oneLine(entry ? (heads.get(entry.path)?.name ?? entry.name) : query);
  const pieces: Piece[] = [
    { markdown: '**' },
    { text: title || t('A question with a secret in it') },
    { markdown: '**' },
  ];
  for (const line of lines) pieces.push({ markdown: '\n\n' }, { text: oneLine(line) });
  return pieces;
}

/** Where the question came from. */
function wayText(way: RecallWay, { t }: Words): string {
  switch (way) {
    case 'inline':
      return t('in the editor');
    case 'palette':
      return t('typed');
    case 'tool':
      return t('by an agent');
    case 'participant':
      return '@memory';
    case 'hook':
      return 'Claude Code';
    case 'command line':
      return t('command line');
    case 'mcp':
      return 'MCP';
  }
}

/** The turn's own print covers its memories. */
const leafOf = (row: Row, target: RecalledTarget): RecalledBranch => ({ row, target, print: '' });
