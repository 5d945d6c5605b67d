// The Dream view as rows: what waits stands first, each gate says what it takes, and each run what came of it.

import { strict as assert } from 'node:assert';
import type { DreamRecord } from '../../src/core/dream/history';
import { type DreamBranch, type DreamSnapshot, dreamBranches, headline } from '../../src/views/dreamRows';
import { lastSentence, nextSentence, nextText, spanText } from '../../src/views/dreamWords';
import { childrenOf } from '../../src/views/rows';
import { dreamGates, dreamRecord, dreamSnapshot, history, notDue, running } from '../support/dreamSamples';
import { fakeDayMs, fakeNow } from '../support/fakeProject';
import { lossyProposal, sampleProposal } from '../support/reviewSamples';
import { englishWords } from '../support/words';

const rows = (snapshot: DreamSnapshot | readonly DreamSnapshot[]) =>
  dreamBranches([snapshot].flat(), englishWords, fakeNow);
/** `label description`, two spaces deeper below an unfolded group. */
const drawn = (branches: readonly DreamBranch[], indent = ''): string[] =>
  branches.flatMap((branch) => {
    const { label, description } = branch.row;
    const line = `${indent}${[label, description].filter(Boolean).join(' · ')}`.replace(/\s([AP]M)/g, ' $1');
    return [line, ...(branch.unfolded ? drawn(childrenOf(branch) ?? [], `${indent}  `) : [])];
  });
const find = (branches: readonly DreamBranch[], label: string): DreamBranch => {
  const all = (some: readonly DreamBranch[]): DreamBranch[] =>
    some.flatMap((one) => [one, ...all(childrenOf(one) ?? [])]);
  const found = all(branches).find(({ row }) => row.label === label);
  assert.ok(found, label);
  return found;
};

describe('the Dream view', () => {
  it('answers why no dream is running: each gate with present and threshold', () => {
    assert.deepEqual(drawn(rows(dreamSnapshot())), [
      'Next dream · in 11 h, after 2 more sessions',
      '  Assistant mode · off',
      '  Enabled · review before applying',
      '  Time · 13 h of 24 h',
      '  Scan throttle · ready · every 10 min',
      '  Sessions · 3 of 5 sessions',
      '  Lock · free',
      'History · 1 run',
      '  Improved 6 memories · 13 h · quiet timer',
    ]);
  });

  it('puts what waits for a review above everything, each change with its kind, and folds the rest', () => {
    assert.deepEqual(drawn(rows(dreamSnapshot({ proposal: sampleProposal() }))), [
      '6 changes to review · today 12:00 AM · 4 sessions',
      '  Integration tests · updated',
      '  Commit style · merged from 2',
      '  Staging rebuild on Mondays · created',
      '  Blue runner address · deleted',
      '  Prefere respostas curtas · updated',
      '  Retry budget · two sayings: choose',
      'Next dream · in 11 h, after 2 more sessions',
      'History · 1 run',
    ]);
  });

  it('marks what changed since the dream read it, and puts it last', () => {
    const lines = drawn(rows(dreamSnapshot({ proposal: sampleProposal(), conflicts: new Set(['user_respostas.md']) })));
    assert.deepEqual(lines.slice(5, 7), [
      '  Retry budget · two sayings: choose',
      '  Prefere respostas curtas · conflict',
    ]);
  });

  it('shows a dream that runs: phase, sessions, files, tokens', () => {
    const task = running({
      phase: 'consolidate',
      touched: ['a.md', 'MEMORY.md', 'b.md'],
      usage: { input: 18_000, cacheRead: 400, cacheWrite: 0, output: 12 },
    });
    assert.deepEqual(drawn(rows(dreamSnapshot({ task }))), [
      'Dreaming 3/4 · 18,412 tokens',
      '  Orient',
      '  Gather · 4 sessions',
      '  Consolidate · 2 files',
      '  Prune',
      'Files touched · 2',
      '  a.md',
      '  b.md',
      'History · 1 run',
    ]);
    const all = rows(dreamSnapshot({ task }));
    const marks = ['Orient', 'Consolidate', 'Prune'].map((label) => find(all, label).row.mark);
    assert.deepEqual(
      marks.map((mark) => mark && 'codicon' in mark && mark.codicon),
      ['pass', 'loading~spin', 'circle-large-outline'],
    );
  });

  it('says what came of each dream, and undoes only what can be taken back', () => {
    const cases: readonly [Partial<DreamRecord> & { outcome: DreamRecord['outcome'] }, boolean, string, string][] = [
      [{ outcome: 'applied', run: 'r1', changes: 1 }, false, 'Improved 1 memory', 'run applied undoable'],
      [{ outcome: 'applied', run: 'r1' }, true, 'Undone: Improved 6 memories', 'run applied'],
      [{ outcome: 'applied', run: 'old' }, false, 'Improved 6 memories', 'run applied'],
      [{ outcome: 'unchanged' }, false, 'Ran, nothing to change', 'run unchanged'],
      [{ outcome: 'failed', reason: 'no answer' }, false, 'Failed: no answer', 'run failed'],
      [{ outcome: 'cancelled', phase: 'gather' }, false, 'Cancelled in gather', 'run cancelled'],
      [{ outcome: 'discarded', changes: 2 }, false, 'Discarded 2 changes', 'run discarded'],
      [{ outcome: 'replaced' }, false, 'Replaced by a newer dream', 'run replaced'],
      [{ outcome: 'set_aside' }, false, 'Set aside after 14 days', 'run set_aside'],
      [{ outcome: 'proposed' }, false, 'Proposed 6 changes', 'run proposed'],
    ];
    for (const [facts, isUndone, label, context] of cases) {
      const snapshot = dreamSnapshot({ history: [history(dreamRecord(facts.outcome, facts), isUndone)] });
      assert.equal(find(rows(snapshot), label).row.context, context, label);
    }
  });

  it('says what was left out of a run, and offers it again', () => {
    const applied = dreamRecord('applied', { changes: 4, leftOut: 2, run: 'r1' });
    const partly = find(rows(dreamSnapshot({ history: [history(applied)] })), 'Improved 4 memories').row;
    assert.equal(partly.context, 'run applied undoable left');
    assert.match(partly.description ?? '', /^2 left out · /);
    const gone = dreamRecord('discarded', { changes: 4, leftOut: 4 });
    const discarded = find(rows(dreamSnapshot({ history: [history(gone)] })), 'Discarded 4 changes').row;
    assert.equal(discarded.context, 'run discarded left');
    assert.doesNotMatch(discarded.description ?? '', /left out/);
  });

  it('says why a dream failed in few words, whatever the engine said of it', () => {
    const label = (facts: Partial<DreamRecord>) =>
      drawn(rows(dreamSnapshot({ history: [history(dreamRecord('failed', facts))] })))
        .at(-1)
        ?.replace(/ · .*/, '')
        .trim();
    assert.deepEqual(
      [
        label({ reason: 'Today’s budget of tokens is used up', failure: 'over_budget' }),
        label({ reason: 'The model declined to tidy these memories', failure: 'refused' }),
        label({ reason: 'it took longer than ten minutes' }),
        label({ reason: 'the disk is full' }),
      ],
      [
        'Failed: today’s budget is used up',
        'Failed: declined by the model',
        'Failed: no answer within 10 min',
        'Failed: the disk is full',
      ],
    );
  });

  it('says before anything else that a failure changed nothing', () => {
    const failed = dreamRecord('failed', { reason: 'no answer', trigger: 'command', at: fakeNow - 4 * fakeDayMs });
    assert.equal(
      find(rows(dreamSnapshot({ history: [history(failed)] })), 'Failed: no answer').row.description,
      'nothing changed · 4 d · Run Dream',
    );
  });

  it('has something to say before the first dream, and before anybody asked', () => {
    assert.deepEqual(drawn(rows(dreamSnapshot({ gates: undefined, history: [] }))), [
      'Next dream · not checked yet',
      'No dream yet',
    ]);
    const firstAfter = (value: number, threshold = 5) => {
      const gates = notDue.map((gate) =>
        gate.name === 'sessions' ? { ...gate, value, threshold, open: value >= threshold } : gate,
      );
      return drawn(rows(dreamSnapshot({ gates, history: [] }))).at(-1);
    };
    assert.deepEqual(
      [firstAfter(0), firstAfter(3), firstAfter(4), firstAfter(5), firstAfter(0, 1)],
      [
        'No dream yet · needs 5 sessions',
        'No dream yet · needs 2 more sessions',
        'No dream yet · needs 1 more session',
        'No dream yet',
        'No dream yet · needs 1 session',
      ],
    );
  });

  it('has one root a folder when there are several, each with its state', () => {
    const all = rows([dreamSnapshot(), dreamSnapshot({ key: 'q', name: 'store', task: running() })]);
    assert.deepEqual(
      all.map(({ row }) => [row.label, row.description]),
      [
        ['harbor', 'not due'],
        ['store', '2/4 gather'],
      ],
    );
    const ids = (some: readonly DreamBranch[]): string[] =>
      some.flatMap((one) => [one.row.id, ...ids(childrenOf(one) ?? [])]);
    assert.equal(new Set(ids(all)).size, ids(all).length);
  });

  it('gives every row words for a screen reader, and no group a mark', () => {
    const states = [
      dreamSnapshot(),
      dreamSnapshot({ proposal: lossyProposal(43) }),
      dreamSnapshot({ task: running({ touched: ['a.md'] }) }),
    ];
    const check = (branch: DreamBranch): void => {
      assert.ok(branch.row.spoken.length > 0);
      if (childrenOf(branch)) assert.equal(branch.row.mark, undefined, branch.row.label);
      for (const child of childrenOf(branch) ?? []) check(child);
    };
    for (const state of states) for (const branch of rows(state)) check(branch);
    assert.equal(find(rows(dreamSnapshot()), 'Time').row.spoken, 'Time gate, closed: 13 h of 24 h');
  });

  it('draws nothing again that looks the same', () => {
    const prints = (snapshot: DreamSnapshot) => rows(snapshot).map(({ print }) => print);
    assert.deepEqual(prints(dreamSnapshot()), prints(dreamSnapshot()));
    assert.notDeepEqual(prints(dreamSnapshot()), prints(dreamSnapshot({ gates: dreamGates() })));
  });

  it('has its state in its title', () => {
    const head = (facts: Partial<DreamSnapshot>) => headline(dreamSnapshot(facts), englishWords);
    assert.deepEqual(
      [
        head({}),
        head({ gates: dreamGates() }),
        head({ gates: dreamGates({ enabled: 'off' }) }),
        head({ gates: undefined }),
        head({ proposal: sampleProposal() }),
        head({ task: running() }),
      ],
      ['not due', 'due', 'off', '', '6 changes to review', '2/4 gather'],
    );
  });
});

describe('when the next dream may come', () => {
  it('is said in a few words, whatever stands in its way', () => {
    const next = (closed: Parameters<typeof dreamGates>[0]) => nextText(dreamGates(closed), englishWords);
    assert.deepEqual(
      [
        next({}),
        next({ time: 13 }),
        next({ time: 23.99, sessions: 4 }),
        next({ sessions: 4 }),
        next({ sessions: 0 }),
        next({ throttle: 'after a failure' }),
        next({ lock: 'held by process 42' }),
        next({ enabled: 'only by hand', time: 3 }),
        next({ assistant: 'on' }),
      ],
      [
        'at the next pause',
        'in 11 h',
        'in 1 h, after 1 more session',
        'when 1 more session has ended',
        'when 5 more sessions have ended',
        'in a while',
        'when the other dream is over',
        'only by hand',
        'at night',
      ],
    );
    assert.equal(nextSentence(notDue, englishWords), 'Next dream in 11 h, after 2 more sessions');
    assert.equal(nextSentence(dreamGates({ enabled: 'off' }), englishWords), 'Dreams: off');
    assert.equal(nextSentence(undefined, englishWords), undefined);
  });

  it('stands beside what the last one came to', () => {
    assert.equal(lastSentence([], englishWords, fakeNow), 'There was no dream yet.');
    assert.equal(
      lastSentence([history(dreamRecord('unchanged'))], englishWords, fakeNow),
      'Last dream: 13 h ago, ran, nothing to change',
    );
  });

  it('counts in minutes, hours and days', () => {
    const said = [0, 59 * 60_000, 60 * 60_000, 47 * 3_600_000].map((ms) => spanText(ms, englishWords));
    assert.deepEqual(said, ['1 min', '59 min', '1 h', '1 d']);
  });
});
