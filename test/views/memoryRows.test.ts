// What *Memories* shows, from what is known of the memories, without an editor.

import { strict as assert } from 'node:assert';
import type { MemoryHeader } from '../../src/core/memory/memory';
import { noFilter } from '../../src/views/memoryFilter';
import { type MemorySnapshot, memoryBranches, waitingText } from '../../src/views/memoryRows';
import { type Branch, childrenOf } from '../../src/views/rows';
import { fakeDayMs, fakeHead, fakeNow, fakeSuggestion } from '../support/fakeProject';
import { englishWords } from '../support/words';

const index = {
  exists: true,
  lines: 142,
  chars: 18_200,
  lineLimit: 200,
  charLimit: 25_000,
  overBudget: false,
  hiddenLines: 0,
};

const snapshotOf = (facts: Partial<MemorySnapshot> = {}): MemorySnapshot => ({
  key: 'k',
  name: 'harbor',
  heads: [],
  stalePaths: new Set(),
  suggestions: [],
  index,
  ...facts,
});

const rowsOf = (snapshots: MemorySnapshot | readonly MemorySnapshot[], filter = noFilter) =>
  memoryBranches('key' in snapshots ? [snapshots] : snapshots, filter, englishWords, fakeNow);

/** `label description` of each row, indented below its group. */
const drawn = <T>(branches: readonly Branch<T>[], indent = ''): string[] =>
  branches.flatMap((branch) => [
    `${indent}${[branch.row.label, branch.row.description].filter(Boolean).join(' | ')}`,
    ...drawn(childrenOf(branch) ?? [], `${indent}  `),
  ]);

const leavesOf = (heads: readonly MemoryHeader[], stale: readonly string[] = []) => {
  const all = rowsOf(snapshotOf({ heads, stalePaths: new Set(stale) })).flatMap((branch) => childrenOf(branch) ?? []);
  return new Map(all.map(({ row }) => [row.label, row]));
};

describe('the rows of Memories', () => {
  it('stand in a fixed order: index, suggestions, problems, then the four types, also when they are empty', () => {
    const rows = rowsOf(
      snapshotOf({
        heads: [
          fakeHead('a.md'),
          fakeHead('b.md', { type: 'user' }),
          fakeHead('c.md', { problem: { kind: 'invalid_yaml', line: 4 } }),
        ],
        suggestions: [fakeSuggestion('1', 'Prefer table-driven tests')],
      }),
    );
    assert.deepEqual(drawn(rows), [
      'MEMORY.md | 142/200 lines · 18.2/25 KB',
      'Suggestions | 1',
      '  Prefer table-driven tests | feedback',
      'Problems | 1',
      '  c.md | invalid YAML, line 4',
      'User | 1',
      '  b | 3 d',
      'Feedback | 1',
      '  a | 3 d',
      'Project | 0',
      'Reference | 0',
    ]);
  });

  it('leave out suggestions and problems when there are none', () => {
    const labels = rowsOf(snapshotOf({ heads: [fakeHead('a.md')] })).map(({ row }) => row.label);
    assert.deepEqual(labels, ['MEMORY.md', 'User', 'Feedback', 'Project', 'Reference']);
  });

  it('are none at all when there is nothing, so that the welcome shows', () => {
    const empty = snapshotOf({ index: { ...index, exists: false, lines: 0, chars: 0 } });
    assert.deepEqual(rowsOf(empty), []);
    assert.deepEqual(rowsOf([empty, { ...empty, key: 'other' }]), []);
  });

  it('begin a type with what is pinned and keep the rest as it came, newest first', () => {
    const rows = rowsOf(snapshotOf({ heads: [fakeHead('new.md'), fakeHead('old.md', { pinned: true })] }));
    assert.deepEqual(drawn(rows).slice(2, 5), ['Feedback | 2', '  old | 3 d', '  new | 3 d']);
  });

  it('give each memory the one mark that says most: problem, stale, pinned, team, type', () => {
    const rows = leavesOf(
      [
        fakeHead('team/all.md', { name: 'all', pinned: true, problem: { kind: 'no_type' } }),
        fakeHead('team/stale.md', { name: 'stale', pinned: true }),
        fakeHead('team/pinned.md', { name: 'pinned', pinned: true }),
        fakeHead('team/shared.md', { name: 'shared' }),
        fakeHead('u.md', { type: 'user' }),
        fakeHead('f.md', { type: 'feedback' }),
        fakeHead('p.md', { type: 'project' }),
        fakeHead('r.md', { type: 'reference' }),
      ],
      ['team/all.md', 'team/stale.md'],
    );
    const marks = [...rows].map(([label, { mark }]) => [label, mark && 'codicon' in mark ? mark.codicon : '']);
    assert.deepEqual(Object.fromEntries(marks), {
      'all.md': 'error',
      stale: 'history',
      pinned: 'pinned',
      shared: 'organization',
      u: 'account',
      f: 'comment',
      p: 'project',
      r: 'bookmark',
    });
  });

  it('say a second state behind the age', () => {
    const head = fakeHead('a.md', { pinned: true, modifiedAt: fakeNow - 201 * fakeDayMs });
    assert.equal(leavesOf([head], ['a.md']).get('a')?.description, '201 d · pinned');
  });

  it('never let a row with a mark unfold: one would indent the whole level', () => {
    const rows = rowsOf(
      snapshotOf({
        heads: [fakeHead('a.md'), fakeHead('b.md', { problem: { kind: 'too_large' } })],
        suggestions: [fakeSuggestion('1', 's')],
      }),
      { ...noFilter, types: ['feedback'] },
    );
    for (const branch of rows) assert.ok(!(branch.row.mark && childrenOf(branch)), branch.row.label);
  });

  it('tell a screen reader what marks and badges tell the eye', () => {
    const head = fakeHead('team/a.md', { name: 'Ask first', pinned: true });
    assert.equal(
      leavesOf([head], ['team/a.md']).get('Ask first')?.spoken,
      'Ask first, feedback, team, 3 days old, stale, pinned',
    );
    const broken = fakeHead('b.md', { problem: { kind: 'invalid_yaml', line: 4 } });
    assert.equal(leavesOf([broken]).get('b.md')?.spoken, 'b.md, problem: invalid YAML, line 4');
  });

  it('draw the meter as a ring of the fuller of lines and size', () => {
    const meterOf = (facts: Partial<MemorySnapshot['index']>) =>
      rowsOf(snapshotOf({ heads: [fakeHead('a.md')], index: { ...index, ...facts } }))[0]?.row;
    assert.deepEqual(meterOf({})?.mark, { ring: 0.728 });
    assert.deepEqual(meterOf({ lines: 190 })?.mark, { ring: 0.95 });
    const over = meterOf({ lines: 213, overBudget: true, hiddenLines: 13 });
    assert.deepEqual(
      [over?.description, over?.mark],
      ['13 lines not loaded', { codicon: 'warning', color: 'list.warningForeground' }],
    );
    const missing = meterOf({ exists: false, lines: 0, chars: 0 });
    assert.deepEqual([missing?.description, missing?.mark], ['not written yet', { codicon: 'circle-large-outline' }]);
  });

  it('show a filter beside the meter and only the groups that have something', () => {
    const heads = [fakeHead('team/a.md', { name: 'a' }), fakeHead('b.md'), fakeHead('c.md', { type: 'user' })];
    const rows = rowsOf(snapshotOf({ heads }), { ...noFilter, scopes: ['team'], isStale: false });
    assert.deepEqual(drawn(rows), [
      'MEMORY.md | 142/200 lines · 18.2/25 KB',
      'Team | 1 of 3',
      'Feedback | 1',
      '  a | 3 d',
    ]);
    assert.equal(rows[1]?.row.context, 'filter');
  });

  it('mark what came from the team and was not opened yet, in the group’s line too, so that a folded one says it', () => {
    const origin = { author: 'Ana', email: 'ana@example.com', at: fakeNow };
    const team = {
      isOn: true,
      fresh: new Set(['team/a.md', 'team/b.md']),
      origins: new Map([['team/a.md', origin]]),
    };
    const heads = [
      fakeHead('team/a.md', { name: 'a' }),
      fakeHead('team/b.md', { name: 'b', pinned: true }),
      fakeHead('team/c.md', { name: 'c' }),
      fakeHead('d.md'),
    ];
    const snapshot = snapshotOf({ heads, team, stalePaths: new Set(['team/a.md']) });
    const rows = rowsOf(snapshot);
    assert.deepEqual(drawn(rows).slice(2, 7), [
      'Feedback | 4 · 2 new',
      '  b | new · 3 d · pinned',
      '  a | new from Ana · 3 d',
      '  c | 3 d',
      '  d | 3 d',
    ]);
    const leaves = new Map(rows.flatMap((branch) => childrenOf(branch) ?? []).map(({ row }) => [row.label, row]));
    assert.equal(leaves.get('a')?.spoken, 'a, feedback, team, 3 days old, new from Ana, stale');
    assert.deepEqual(leaves.get('a')?.mark, { codicon: 'organization', color: 'charts.blue' });
    assert.match(leaves.get('a')?.context ?? '', /\bteam\b.*\bnew\b/);
    assert.doesNotMatch(leaves.get('c')?.context ?? '', /\bnew\b/);
    const filtered = rowsOf(snapshot, { ...noFilter, isNew: true });
    assert.deepEqual(drawn(filtered).slice(1), [
      'New | 2 of 4',
      'Feedback | 2 · 2 new',
      '  b | new · 3 d · pinned',
      '  a | new from Ana · 3 d',
    ]);
    const before = rows.find(({ row }) => row.label === 'Feedback')?.print;
    const seen = rowsOf({ ...snapshot, team: { ...team, fresh: new Set(['team/b.md']) } });
    assert.notEqual(seen.find(({ row }) => row.label.startsWith('Feedback'))?.print, before, 'it is drawn again');
  });

  it('offer no sharing of what is said of a person, and a way out of a conflict', () => {
    const rows = leavesOf([
      fakeHead('a.md', { name: 'a', type: 'user' }),
      fakeHead('team/b.md', { problem: { kind: 'merge_conflict', line: 3 } }),
    ]);
    assert.match(rows.get('a')?.context ?? '', /\bpersonal\b/);
    assert.match(rows.get('b.md')?.context ?? '', /\bconflict\b/);
    const indexFaults = [{ path: 'team/MEMORY.md', problem: { kind: 'merge_conflict' as const, line: 3 } }];
    const [, problems] = rowsOf(snapshotOf({ heads: [fakeHead('a.md')], indexFaults }));
    assert.deepEqual(drawn(problems ? [problems] : []), ['Problems | 1', '  MEMORY.md | merge conflict']);
  });

  it('say what the number on the icon stands for', () => {
    assert.equal(waitingText(1, 0, englishWords), '1 suggestion waits');
    assert.equal(waitingText(2, 3, englishWords), '2 suggestions wait, 3 new from the team');
    assert.equal(waitingText(0, 1, englishWords), '1 new from the team');
  });

  it('say it when nothing matches', () => {
    const rows = rowsOf(snapshotOf({ heads: [fakeHead('a.md')] }), { ...noFilter, text: 'zebra' });
    assert.deepEqual(drawn(rows).slice(1), ['“zebra” | 0 of 1', 'Nothing matches.']);
  });

  it('stand below their folder when there are several', () => {
    const rows = rowsOf([
      snapshotOf({ heads: [fakeHead('a.md')] }),
      snapshotOf({ key: 'other', name: 'lighthouse', heads: [], index: { ...index, lines: 0, exists: false } }),
    ]);
    assert.deepEqual(
      drawn(rows).filter((row) => !row.startsWith('  ')),
      ['harbor', 'lighthouse | no memories yet'],
    );
    const ids = rows.flatMap((branch) => [branch.row.id, ...(childrenOf(branch) ?? []).map(({ row }) => row.id)]);
    assert.equal(new Set(ids).size, ids.length, 'ids are unique');
  });

  it('show a stranger’s name as one line that keeps its direction', () => {
    const rows = leavesOf([fakeHead('a.md', { name: 'one\n\ttwo \u202egnp.exe' })]);
    assert.deepEqual([...rows.keys()], ['one two gnp.exe']);
  });

  it('build a group of five thousand only when somebody looks', () => {
    let built = 0;
    const counting = {
      ...englishWords,
      shortAge(days: number) {
        built += 1;
        return englishWords.shortAge(days);
      },
    };
    const heads = Array.from({ length: 5000 }, (_each, at) => fakeHead(`${at}.md`, { type: 'project' }));
    const rows = memoryBranches([snapshotOf({ heads })], noFilter, counting, fakeNow);
    const project = rows.find(({ row }) => row.label === 'Project');
    assert.ok(project);
    assert.deepEqual([project.row.description, project.unfolded, built], ['5,000', false, 0]);
    assert.equal(childrenOf(project)?.length, 5000);
    assert.equal(built, 5000);
  });
});
