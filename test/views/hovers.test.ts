// What hovers say, and that a stranger's text in them is never Markdown.

import { strict as assert } from 'node:assert';
import { memoryHover, type Piece, sessionHover, suggestionHover } from '../../src/views/hovers';
import { fakeDayMs, fakeHead, fakeNow, fakeSession, fakeSuggestion } from '../support/fakeProject';
import { englishWords } from '../support/words';

const staleDays = { user: 365, feedback: 180, project: 30, reference: 90 };
const evil = '[x](command:workbench.action.quit) ![y](https://example.invalid/z.png) <b>bold</b> $(zap)';

const plain = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('text' in piece ? piece.text : piece.markdown)).join('');
const markdownOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('markdown' in piece ? piece.markdown : '')).join('');

describe('the hover of a memory', () => {
  it('says what it is, how old, when it was last verified, and why it counts as stale', () => {
    const head = fakeHead('team/a.md', {
      name: 'Deploy',
      description: 'Deploy from the blue runner',
      modifiedAt: fakeNow - 201 * fakeDayMs,
    });
    const source = { title: 'Release day', at: fakeNow - 201 * fakeDayMs };
    const origin = { author: 'Ana', email: 'ana@example.com', at: fakeNow - 2 * fakeDayMs };
    const more = { label: 'Deploy', isStale: true, isNew: true, origin, staleDays, source };
    assert.deepEqual(plain(memoryHover(head, more, englishWords, fakeNow)).split('\n\n'), [
      '**Deploy**',
      'Deploy from the blue runner',
      'feedback · team',
      'Shared by Ana, Nov 18, 2026 (2 days ago). New: you have not opened it yet. It is a note to be checked, no instruction.',
      'Written May 3, 2026 (201 days ago), last verified never',
      'Stale: feedback is marked after 180 days. Verify it if it still holds.',
      'From “Release day”, May 3',
    ]);
  });

  it('says what is wrong with a file and that it is left alone', () => {
    const head = fakeHead('a.md', { problem: { kind: 'merge_conflict', detail: 'line 3' } });
    const hover = plain(
      memoryHover(head, { label: 'a', isStale: false, staleDays, source: undefined }, englishWords, fakeNow),
    );
    assert.match(hover, /\$\(error\) merge conflict: line 3\n\nBoth sides stand in the file/);
  });
});

describe('a stranger’s text in a hover', () => {
  const cases: [string, readonly Piece[]][] = [
    [
      'of a memory',
      memoryHover(
        fakeHead('team/a.md', { name: evil, description: evil, problem: { kind: 'no_type', detail: evil } }),
        {
          label: evil,
          isStale: true,
          origin: { author: evil, email: evil, at: 0 },
          staleDays,
          source: { title: evil, at: 0 },
        },
        englishWords,
        fakeNow,
      ),
    ],
    [
      'of a suggestion',
      suggestionHover(
        { ...fakeSuggestion('1', evil), why: evil, session: { id: '', file: '', title: evil } },
        englishWords,
      ),
    ],
    ['of a session', sessionHover(fakeSession('1', { title: evil, state: 'failed', reason: evil }), {}, englishWords)],
  ];
  for (const [name, pieces] of cases) {
    it(`never becomes Markdown: ${name}`, () => {
      assert.ok(plain(pieces).includes('workbench.action.quit'), 'the text is there');
      for (const part of ['workbench.action.quit', 'example.invalid', '<b>', '$(zap)'])
        assert.ok(!markdownOf(pieces).includes(part), part);
    });
  }
});

describe('the hover of a session', () => {
  it('links to what can be done about a failure, and says that nothing is lost', () => {
    const entry = fakeSession('1', {
      title: 'Settings',
      state: 'failed',
      reason: 'the disk is full',
      retryAt: fakeNow,
    });
    const hover = plain(sessionHover(entry, { kind: 'session' }, englishWords));
    assert.match(hover, /Failed at .*: the disk is full/);
    assert.match(hover, /nothing is lost: the next try starts at the same message\. Tries again by itself at /);
    assert.match(hover, /\(command:reverie\.retrySession\?/);
    assert.match(hover, /\(command:reverie\.showLog\?/);
  });

  it('offers undo while a run can be taken back, and never both ways of leaving a chat out', () => {
    const saved = markdownOf(
      sessionHover(fakeSession('1', { state: 'saved', savedCount: 2, run: 'r' }), {}, englishWords),
    );
    assert.match(saved, /reverie\.undoRun/);
    assert.match(saved, /reverie\.excludeSession/);
    const excluded = markdownOf(sessionHover(fakeSession('1', { state: 'excluded' }), {}, englishWords));
    assert.doesNotMatch(excluded, /reverie\.(undoRun|excludeSession|retrySession)/);
    assert.match(excluded, /reverie\.includeSession/);
  });

  it('says which model read it and what that took, or that none did', () => {
    const usage = { input: 1200, cacheRead: 8000, cacheWrite: 300, output: 150 };
    const read = plain(sessionHover(fakeSession('1', { state: 'saved', model: 'a-model', usage }), {}, englishWords));
    assert.match(read, /a-model · 1,500 fresh · 8,000 cache read · 150 out · parent not shareable/);
    assert.match(plain(sessionHover(fakeSession('1', { state: 'saved' }), {}, englishWords)), /offline, no tokens/);
  });

  it('hands its commands the target, whatever signs its path has', () => {
    const target = { kind: 'session', project: 'k', file: '/chats/a b(1)]&.jsonl' };
    const link = /command:reverie\.openTranscript\?([^)]*)\)/.exec(
      markdownOf(sessionHover(fakeSession('1'), target, englishWords)),
    );
    assert.deepEqual(JSON.parse(decodeURIComponent(link?.[1] ?? '')), [target]);
  });
});
