// What Recalled shows: questions with the memories that came back, as they are now, and what hovers say of both.

import { strict as assert } from 'node:assert';
import type { RecalledTurn } from '../../src/core/recall/openRecall';
import type { RecalledEntry } from '../../src/core/recall/recalled';
import {
  type RecalledBranch,
  type RecalledSnapshot,
  recalledBranches,
  recalledHover,
} from '../../src/views/recalledRows';
import { changedIds, childrenOf } from '../../src/views/rows';
import { fakeDayMs, fakeHead, fakeNow } from '../support/fakeProject';
import { englishWords as words } from '../support/words';

const entry = (path: string): RecalledEntry => ({
  path,
  name: `Was ${path}`,
  type: 'project',
  scope: 'private',
  picked: { by: 'words', words: [{ word: 'port', field: 'body' }] },
});
const turn = (id: string, facts: Partial<RecalledTurn> = {}): RecalledTurn => ({
  id,
  at: fakeNow,
  way: 'inline',
  query: `question ${id}`,
  selector: 'lexical',
  considered: 9,
  memories: [entry('a.md'), entry('b.md')],
  leftOut: [],
  ...facts,
});
const snapshot = (turns: readonly RecalledTurn[], facts: Partial<RecalledSnapshot> = {}): RecalledSnapshot => ({
  key: 'p',
  name: 'harbor',
  turns,
  heads: new Map(['a.md', 'b.md'].map((path) => [path, fakeHead(path)])),
  stalePaths: new Set(),
  trashed: new Set(),
  ...facts,
});
const rowsOf = (...snapshots: readonly RecalledSnapshot[]) => recalledBranches(snapshots, () => false, words, fakeNow);
const told = (branch: RecalledBranch | undefined) => [branch?.row.label, branch?.row.description];
const below = (branch: RecalledBranch | undefined) => (branch && childrenOf(branch)) ?? [];

describe('the rows of Recalled', () => {
  it('are the questions, newest first, with how many, by which way and when; only the newest is open', () => {
    const time = words.time(fakeNow);
    const day = words.dayOfYear(fakeNow - 3 * fakeDayMs);
    const rows = rowsOf(snapshot([turn('2', { way: 'mcp' }), turn('1', { way: 'hook', at: fakeNow - 3 * fakeDayMs })]));
    assert.deepEqual(rows.map(told), [
      ['question 2', `2 · MCP · ${time}`],
      ['question 1', `2 · Claude Code · ${day}`],
    ]);
    assert.deepEqual(
      rows.map(({ unfolded }) => unfolded),
      [true, false],
    );
    assert.equal(rows[0]?.row.spoken, `question 2, 2 memories recalled, MCP, ${time}`);
  });

  it('say that a question found nothing, as a row that never unfolds', () => {
    const [row] = rowsOf(snapshot([turn('1', { memories: [], way: 'palette' })]));
    assert.equal(row?.row.description, `nothing · typed · ${words.time(fakeNow)}`);
    assert.deepEqual([row?.leaves, row?.row.context], [undefined, 'turn empty']);
    assert.match(row?.row.spoken ?? '', /nothing recalled/);
  });

  it('hold the memories as they are now, with what was done to them', () => {
    const heads = new Map([
      ['a.md', fakeHead('a.md', { name: 'Renamed', pinned: true, verifiedAt: fakeNow, originSessionId: 's' })],
      ['b.md', fakeHead('b.md')],
    ]);
    const state = snapshot([turn('1', { leftOut: ['b.md'] })], { heads });
    const [asked] = recalledBranches([state], (_key, path) => path === 'a.md', words, fakeNow);
    const [first, second] = below(asked);
    assert.deepEqual(told(first), ['Renamed', '3 d · pinned · verified today']);
    assert.equal(first?.row.context, 'memory pinned kept fit private sourced');
    assert.deepEqual(told(second), ['b', '3 d · left out for such questions']);
    assert.equal(second?.row.context, 'memory loose open unfit private unsourced');
    assert.deepEqual(second?.target, {
      project: 'p',
      kind: 'memory',
      path: 'b.md',
      name: 'b',
      query: 'question 1',
      turn: '1',
    });
  });

  it('keep the name of what is gone, and tell the trash from nowhere', () => {
    const [asked] = rowsOf(snapshot([turn('1')], { heads: new Map(), trashed: new Set(['a.md']) }));
    assert.deepEqual(below(asked).map(told), [
      ['Was a.md', 'in the trash'],
      ['Was b.md', 'no longer there'],
    ]);
    assert.deepEqual(
      below(asked).map(({ row }) => row.context),
      ['forgotten', 'gone'],
    );
  });

  it('offer no mark for a question that is not known, because it held a secret', () => {
    const [asked] = rowsOf(snapshot([turn('1', { query: '' })]));
    assert.equal(asked?.row.label, 'A question with a secret in it');
    assert.equal(below(asked)[0]?.row.context, 'memory loose open private unsourced');
  });

  it('stand below their folder where there are several, without those that were never asked', () => {
    const rows = rowsOf(
      snapshot([turn('1')]),
      snapshot([], { key: 'q', name: 'empty' }),
      snapshot([turn('2')], { key: 'r', name: 'lighthouse' }),
    );
    assert.deepEqual(
      rows.map(({ row, groups }) => [row.label, groups?.length]),
      [
        ['harbor', 1],
        ['lighthouse', 1],
      ],
    );
    assert.deepEqual(rowsOf(snapshot([]), snapshot([], { key: 'q' })), []);
  });

  it('are drawn again where something changed, and nowhere else', () => {
    const turns = [turn('2', { memories: [entry('b.md')] }), turn('1', { memories: [entry('a.md')] })];
    const before = rowsOf(snapshot(turns));
    assert.deepEqual(changedIds(before, rowsOf(snapshot(turns))), []);
    const heads = new Map([
      ['a.md', fakeHead('a.md', { pinned: true })],
      ['b.md', fakeHead('b.md')],
    ]);
    assert.deepEqual(changedIds(before, rowsOf(snapshot(turns, { heads }))), ['p/turn/1']);
    const marked = turns.map((each) => (each.id === '2' ? { ...each, leftOut: ['b.md'] } : each));
    assert.deepEqual(changedIds(before, rowsOf(snapshot(marked))), ['p/turn/2']);
    assert.equal(changedIds(before, rowsOf(snapshot([turn('3'), ...turns]))), 'all');
  });
});

describe('the hover of a row', () => {
  const linesOf = (path: string | undefined, facts: Partial<RecalledTurn> = {}) =>
    recalledHover(turn('1', facts), path, snapshot([]), words, fakeNow).flatMap((piece) =>
      'text' in piece ? [piece.text] : [],
    );

  it('says of a question by which way, when, and of how many who picked', () => {
    assert.deepEqual(linesOf(undefined, { selector: 'model' }), [
      'question 1',
      `in the editor, ${words.date(fakeNow)}, ${words.time(fakeNow)}`,
      '2 of 9 memories, picked by the model',
    ]);
    assert.equal(linesOf(undefined, { memories: [] })[2], '0 of 9 memories');
  });

  it('says of a memory what it is and why it was picked', () => {
    assert.deepEqual(linesOf('a.md'), ['a', 'feedback · private · 3 d', 'Picked for: “port” in its text']);
  });

  it('takes a stranger’s words as text', () => {
    const pieces = recalledHover(turn('1', { query: '[x](command:y)' }), undefined, snapshot([]), words, fakeNow);
    assert.ok(pieces.every((piece) => !('markdown' in piece) || !piece.markdown.includes('command')));
  });
});
