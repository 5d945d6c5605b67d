// Daily logs in the tree, and as what a change of a dream came from.

import assert from 'node:assert/strict';
import type { LogLine } from '../../src/core/logs/logLines';
import type { LogDay, ProjectLogs } from '../../src/core/project';
import { dayOfRef, logBranches, logSources } from '../../src/views/logRows';
import { noFilter } from '../../src/views/memoryFilter';
import { type MemoryBranch, memoryBranches, typeIcons } from '../../src/views/memoryRows';
import { childrenOf } from '../../src/views/rows';
import { fakeHead, fakeNow } from '../support/fakeProject';
import { englishWords } from '../support/words';

const id = '3f9a2c1b0d4e';
const line = (text: string, more: Partial<LogLine> = {}): LogLine =>
  ({ kind: 'fact', line: 1, minutes: 845, id, type: 'feedback', sure: true, text, ...more }) as LogLine;
const day = (date: string, lines?: readonly LogLine[]): LogDay => ({
  path: `logs/${date.slice(0, 4)}/${date.slice(5, 7)}/${date}.md`,
  day: date,
  lines,
});
const logs: ProjectLogs = {
  isOn: true,
  days: [
    day('2026-12-01', [
      line('Use pnpm.'),
      line('Knows Rust.', { line: 2, minutes: 850, id: 'aaaaaaaaaaaa', type: 'user', sure: false } as Partial<LogLine>),
      line('Use pnpm.', { line: 3, kind: 'undo' } as Partial<LogLine>),
      line('the tabs', { line: 4, kind: 'forget', minutes: 851, id: 'bbbbbbbbbbbb' } as Partial<LogLine>),
    ]),
    day('2026-11-30', []),
    day('2026-11-02'),
  ],
};

/** Rows with what stands below, indented. */
function drawn(branches: readonly MemoryBranch[], depth = 0): string[] {
  return branches.flatMap((branch) => [
    `${'  '.repeat(depth)}${branch.row.label}${branch.row.description ? ` | ${branch.row.description}` : ''}`,
    ...drawn((childrenOf(branch) ?? []) as readonly MemoryBranch[], depth + 1),
  ]);
}

describe('daily logs in the tree', () => {
  it('stand by month, day and line, newest first; of older days the log alone', () => {
    assert.deepEqual(drawn(logBranches('p', logs, typeIcons, englishWords)), [
      'Daily logs | 3',
      '  December 2026 | 1',
      '    Tuesday, December 1 | 3 lines',
      '      Use pnpm. | 14:05 · taken back',
      '      Knows Rust. | 14:10 · perhaps',
      '      the tabs | 14:11 · to be forgotten',
      '  November 2026 | 2',
      '    Monday, November 30 | 0 lines',
      '    Monday, November 2',
    ]);
  });

  it('open where the line stands, and a day at its end', () => {
    const [group] = logBranches('p', logs, typeIcons, englishWords);
    const month = group && childrenOf(group)?.[0];
    const newest = month && childrenOf(month)?.[0];
    const second = newest && childrenOf(newest)?.[1];
    assert.deepEqual(newest?.target, { project: 'p', kind: 'log', path: 'logs/2026/12/2026-12-01.md' });
    assert.deepEqual(second?.target, { project: 'p', kind: 'log', path: 'logs/2026/12/2026-12-01.md', line: 2 });
    assert.equal(second?.row.spoken, 'Knows Rust., user, 14:10, perhaps');
    assert.deepEqual([group?.unfolded, month?.unfolded, newest?.unfolded], [true, true, true]);
  });

  it('are drawn again when a line came, and only then', () => {
    const print = (some: ProjectLogs) => logBranches('p', some, typeIcons, englishWords)[0]?.print;
    assert.equal(print(logs), print({ ...logs }));
    assert.notEqual(print(logs), print({ ...logs, days: [day('2026-12-01', [line('x')]), ...logs.days.slice(1)] }));
  });

  it('are not there where there is nothing to show, and say so where the mode is on', () => {
    assert.deepEqual(logBranches('p', undefined, typeIcons, englishWords), []);
    assert.deepEqual(logBranches('p', { isOn: false, days: [] }, typeIcons, englishWords), []);
    assert.deepEqual(drawn(logBranches('p', { isOn: true, days: [] }, typeIcons, englishWords)), [
      'Daily logs | nothing yet',
    ]);
  });

  it('stand below the memories, show a view that has nothing else, and step aside for a filter', () => {
    const snapshot = {
      key: 'p',
      name: 'p',
      heads: [fakeHead('a.md')],
      stalePaths: new Set<string>(),
      suggestions: [],
      index: {
        exists: false,
        lines: 0,
        chars: 0,
        lineLimit: 200,
        charLimit: 25_000,
        overBudget: false,
        hiddenLines: 0,
      },
      logs,
    };
    const labels = (some: object, filter = noFilter) =>
      memoryBranches([{ ...snapshot, ...some }], filter, englishWords, fakeNow).map(({ row }) => row.label);
    assert.equal(labels({}).at(-1), 'Daily logs');
    assert.equal(labels({ heads: [] }).at(-1), 'Daily logs');
    assert.deepEqual(labels({ heads: [], logs: { isOn: true, days: [] } }), []);
    assert.ok(!labels({}, { ...noFilter, text: 'pnpm' }).includes('Daily logs'));
  });

  it('are named by their day where a change came from one, and are gone when their file is', () => {
    const sourceOf = logSources(logs, englishWords);
    assert.deepEqual(sourceOf(`logs/2026/12/2026-12-01.md#${id}`), {
      title: 'Daily log of December 1',
      at: dayOfRef('logs/2026/12/2026-12-01.md#x'),
      detail: '14:05',
    });
    assert.equal(sourceOf('logs/2026/10/2026-10-01.md#x'), undefined);
    assert.equal(sourceOf('5e6d0000-0000-4000-8000-000000000000'), undefined);
    assert.equal(dayOfRef('logs/../../etc/passwd#x'), undefined);
  });
});
