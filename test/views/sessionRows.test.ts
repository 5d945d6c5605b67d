// What *Sessions* shows of the chats that were read, without an editor.

import { strict as assert } from 'node:assert';
import { type Branch, childrenOf } from '../../src/views/rows';
import {
  outcomeText,
  type SessionSnapshot,
  sessionBranch,
  sessionBranches,
  sessionsSummary,
} from '../../src/views/sessionRows';
import { fakeDayMs, fakeNow, fakeSession } from '../support/fakeProject';
import { englishWords } from '../support/words';

const snapshotOf = (facts: Partial<SessionSnapshot> = {}): SessionSnapshot => ({
  key: 'k',
  name: 'harbor',
  entries: [],
  sources: [],
  tokensToday: 0,
  ...facts,
});

const drawn = <T>(branches: readonly Branch<T>[], indent = ''): string[] =>
  branches.flatMap((branch) => [
    `${indent}${[branch.row.label, branch.row.description].filter(Boolean).join(' | ')}`,
    ...drawn(childrenOf(branch) ?? [], `${indent}  `),
  ]);

const rowsOf = (facts: Partial<SessionSnapshot>, filter: Parameters<typeof sessionBranches>[1] = []) =>
  drawn(sessionBranches([snapshotOf(facts)], filter, englishWords, fakeNow));

describe('the summary beside the title of Sessions', () => {
  it('says what failed and what models used today, and is silent otherwise', () => {
    const failed = fakeSession('1', { state: 'failed' });
    assert.equal(sessionsSummary([snapshotOf()], englishWords), '');
    assert.equal(sessionsSummary([snapshotOf({ tokensToday: 41_208 })], englishWords), '41,208 tokens today');
    const both = snapshotOf({ entries: [failed], tokensToday: 7 });
    // The day's tokens are those of all projects: they are said once.
    assert.equal(sessionsSummary([both, snapshotOf({ tokensToday: 7 })], englishWords), '1 failed · 7 tokens today');
  });
});

describe('the rows of Sessions', () => {
  it('are grouped by day, newest first, with the past as one row on top', () => {
    const rows = rowsOf({
      entries: [
        fakeSession('1', { title: 'Retry budget', state: 'saved', savedCount: 2 }),
        fakeSession('2', { title: 'Metrics', at: fakeNow - fakeDayMs }),
        fakeSession('3', { title: 'Tickets', at: fakeNow - 10 * fakeDayMs, state: 'skipped', reason: 'direct_write' }),
        fakeSession('4', { state: 'past' }),
        fakeSession('5', { state: 'past' }),
      ],
    });
    assert.deepEqual(rows, [
      'Learn from 2 past sessions | no tokens',
      'Today | 1',
      '  Retry budget | saved 2',
      'Yesterday | 1',
      '  Metrics | nothing new',
      'Tuesday, November 10 | 1',
      '  Tickets | skipped: direct write',
    ]);
  });

  it('stand under the day something was said last, not under the day they were read', () => {
    const said = { ...fakeSession('1').session, modifiedAt: fakeNow - fakeDayMs };
    assert.deepEqual(rowsOf({ entries: [fakeSession('1', { session: said, title: 'Old chat', at: fakeNow })] }), [
      'Yesterday | 1',
      '  Old chat | nothing new',
    ]);
  });

  it('are none when nothing was read and nothing is unreachable, so that the view hides', () => {
    assert.deepEqual(rowsOf({}), []);
  });

  it('say once which sources can’t be reached, and why', () => {
    const sources = [
      { kind: 'claude-code', reachable: false, why: 'no projects folder on this machine', sessions: 0 },
      { kind: 'vscode-chat', reachable: true, sessions: 3 },
    ] as const;
    assert.deepEqual(rowsOf({ sources }), [
      'Not reachable here | 1 source',
      '  Claude Code | no projects folder on this machine',
    ]);
  });

  it('say what helps where a source can’t be reached, and how many chats of it are of another generation', () => {
    const unreadable = ['a', 'b'].map((file) => ({ file, why: 'written by an older VS Code' }));
    const help = 'chats with @memory and with Claude Code are read here';
    const rows = (facts: Partial<SessionSnapshot['sources'][number]>) =>
      sessionBranches(
        [snapshotOf({ sources: [{ kind: 'vscode-chat', reachable: true, sessions: 0, ...facts }] })],
        [],
        englishWords,
        fakeNow,
      );
    const [group] = rows({ reachable: false, why: 'stored on your desktop, not on this server', helps: help });
    const [row] = group ? (childrenOf(group) ?? []) : [];
    assert.equal(row?.row.tooltip, 'Chats with @memory and with Claude Code are read here.');
    assert.match(row?.row.spoken ?? '', /VS Code chats, stored on your desktop, not on this server, Chats with/);
    const older = [...unreadable, { file: 'c', why: 'damaged' }];
    assert.deepEqual(drawn(rows({ unreadable: older })), [
      'Not reachable here | 1 source',
      '  VS Code chats | 2 chats: written by an older VS Code',
      '  VS Code chats | 1 chat: damaged',
    ]);
  });

  it('say each outcome first and then the reason', () => {
    const said = (facts: Parameters<typeof fakeSession>[1]) => outcomeText(fakeSession('1', facts), englishWords);
    assert.equal(said({ state: 'reading' }), 'reading');
    assert.equal(said({ state: 'saved', savedCount: 2, suggestedCount: 1 }), 'saved 2 · 1 suggestion');
    assert.equal(said({ state: 'proposed', suggestedCount: 3 }), '3 suggestions');
    assert.equal(said({ state: 'waiting' }), 'waiting · still open');
    assert.equal(said({ state: 'waiting', reason: 'paused' }), 'waiting · paused');
    assert.equal(said({ state: 'skipped', reason: 'secret' }), 'skipped: holds a secret');
    assert.equal(said({ state: 'skipped', reason: 'budget' }), 'skipped: daily budget');
    assert.equal(said({ state: 'failed', reason: 'the disk is full' }), 'failed: the disk is full');
    assert.equal(said({ state: 'failed', reason: 'EIO' }), 'failed: EIO');
    assert.equal(said({ state: 'failed', reason: 'A sentence.', failure: 'unreachable' }), 'failed: no connection');
    assert.equal(said({ state: 'failed', reason: 'A sentence.', failure: 'bad_request' }), 'failed: A sentence.');
    assert.equal(said({ state: 'excluded' }), 'not learned from');
  });

  it('offer Retry only where something failed, and undo only where a run can be taken back', () => {
    const words = (facts: Parameters<typeof fakeSession>[1]) =>
      sessionBranch('k', fakeSession('1', facts), englishWords).row.context.split(' ');
    assert.ok(words({ state: 'failed' }).includes('failed'));
    assert.ok(!words({ state: 'saved' }).includes('failed'));
    assert.ok(words({ state: 'saved', run: 'r' }).includes('undoable'));
    assert.ok(!words({ state: 'saved' }).includes('undoable'));
  });

  it('name a chat that was never read by its time, and tell a screen reader all that the eye sees', () => {
    const at = new Date(2026, 10, 20, 14, 20).getTime();
    const { row } = sessionBranch('k', fakeSession('1', { title: undefined, state: 'waiting', at }), englishWords);
    assert.match(row.label, /^Chat of 2:20\sPM$/);
    assert.match(row.spoken, /^Chat of 2:20\sPM, waiting · still open, 2:20\sPM, Claude Code$/);
  });

  it('keep a filter in sight and say it when nothing matches', () => {
    const entries = [fakeSession('1', { state: 'saved', savedCount: 1, title: 'A' }), fakeSession('2', { title: 'B' })];
    assert.deepEqual(rowsOf({ entries }, ['saved']), ['Saved | 1 of 2', 'Today | 1', '  A | saved 1']);
    assert.deepEqual(rowsOf({ entries }, ['failed']), ['Failed | 0 of 2', 'Nothing matches.']);
  });

  it('open the day of a failure by themselves, however old it is', () => {
    const at = fakeNow - 20 * fakeDayMs;
    const [failed] = sessionBranches(
      [snapshotOf({ entries: [fakeSession('1', { at, state: 'failed' })] })],
      [],
      englishWords,
      fakeNow,
    );
    const [fine] = sessionBranches([snapshotOf({ entries: [fakeSession('1', { at })] })], [], englishWords, fakeNow);
    assert.deepEqual([failed?.unfolded, fine?.unfolded], [true, false]);
  });
});
