// The review as data: every change is one card, what changed meanwhile is a conflict, and what a person reads is a sentence.

import { strict as assert } from 'node:assert';
import { conflictsOf, outlineOf } from '../../src/views/proposalCards';
import { buildReview, changeOnto } from '../../src/views/reviewModel';
import type { Card, Line } from '../../src/views/reviewProtocol';
import { fakeNow } from '../support/fakeProject';
import {
  answersOnDisk,
  lossyProposal,
  memoryText,
  proposedChange,
  sampleContext,
  sampleProposal,
} from '../support/reviewSamples';

const sample = (change: Partial<ReturnType<typeof sampleProposal>> = {}) => {
  const proposal = { ...sampleProposal(), ...change };
  return buildReview(proposal, sampleContext(proposal));
};
const cardOf = (path: string, review = sample()): Card => {
  const card = review.cards.find(({ id }) => id === path);
  assert.ok(card, path);
  return card;
};
/** A line with its marks: `a [b] c`. */
const marked = (line: Line | undefined) =>
  line?.spans.map(({ text, strong }) => (strong ? `[${text}]` : text)).join('') ?? '-';

describe('the review of a proposal', () => {
  it('has a card for each change: what is merged is one, a question is one, and what needs a decision comes last', () => {
    assert.deepEqual(
      sample().cards.map(({ id, kindText, isSelected }) => [id, kindText, isSelected]),
      [
        ['feedback_integration_tests.md', 'updated', true],
        ['feedback_commit_style.md', 'merged from 2', true],
        ['project_staging_rebuild.md', 'created', true],
        ['reference_blue_runner.md', 'deleted · merged into Runners', true],
        ['retry', 'two sayings', true],
        ['user_respostas.md', 'conflict', false],
      ],
    );
    assert.equal(sample().title, '6 changes to review');
  });

  it('says in its head what was read, what becomes of the memories and what it cost', () => {
    const facts = sample().facts.map((spans) => spans.map(({ text }) => text).join(''));
    assert.deepEqual(facts.slice(0, 5), [
      '4 sessions read',
      '138 → 137 memories',
      '61.2 → 60.4 KB',
      '31,240 tokens, 24,100 from cache',
      'claude-sonnet-5-5',
    ]);
    assert.match(facts[5] ?? '', /^today 12:00\sAM$/);
    const offline = sample({ engine: 'offline', sessions: [{ id: 'flaky', file: '/f' }] }).facts.map((spans) =>
      spans.map(({ text }) => text).join(''),
    );
    assert.deepEqual(offline.slice(0, 4), [
      '1 session read',
      '138 → 137 memories',
      '61.2 → 60.4 KB',
      'offline, no tokens',
    ]);
  });

  it('marks the changed words, line beside line, and names each part that can be left', () => {
    const { sections } = cardOf('feedback_integration_tests.md');
    assert.deepEqual(
      sections.map(({ hunk, label }) => [hunk, label]),
      [
        [0, 'Change 1 of 2 · line 7'],
        [1, 'Change 2 of 2 · line 12'],
      ],
    );
    const [first, second] = sections.map(({ rows }) =>
      rows.map(({ before, after }) => [marked(before), marked(after)]),
    );
    assert.deepEqual(first?.[0], [
      'Mocks hid a broken migration [last Thursday],',
      'Mocks hid a broken migration [on 13 November 2026],',
    ]);
    assert.deepEqual(second?.at(-1), ['-', '[Run it after each change to `migrations/`.]']);
  });

  it('takes the index line by line: a memory a part, a line put right with the one it was, and none of a memory that changes', () => {
    const before =
      '# Memory\n\n- [Long](long.md) — far too long\n- [Gone](gone.md) — y\n- [Misspelt](mispelt.md) — z\n';
    const after = '# Memory\n\n- [Long](long.md) — short\n- [Misspelt](misspelt.md) — z\n- [New](new.md) — n\n';
    const changes = [
      proposedChange('new.md', null, memoryText('New', 'project', 'n')),
      proposedChange('MEMORY.md', before, after),
    ];
    const { sections } = cardOf('MEMORY.md', sample({ changes, contradictions: [] }));
    assert.deepEqual(
      sections.map(({ label, rows }) => [
        label,
        rows.flatMap((row) =>
          [row.before, row.after].flatMap((line) =>
            line && line.state !== 'same' ? [line.spans.map(({ text }) => text).join('')] : [],
          ),
        ),
      ]),
      [
        ['Change 1 of 3 · line 3', ['- [Long](long.md) — far too long', '- [Long](long.md) — short']],
        ['Change 2 of 3 · line 4', ['- [Gone](gone.md) — y']],
        ['Change 3 of 3 · line 5', ['- [Misspelt](mispelt.md) — z', '- [Misspelt](misspelt.md) — z']],
      ],
    );
  });

  it('offers no choice within a file that has one change only', () => {
    const before = memoryText('One', 'project', 'a');
    const card = cardOf(
      'one.md',
      sample({ changes: [proposedChange('one.md', before, `${before}b\n`)], contradictions: [] }),
    );
    assert.deepEqual(
      [card.sections.length, card.sections[0]?.hunk, card.sections[0]?.label],
      [1, undefined, undefined],
    );
  });

  it('shows what was merged in beside the result, and says that its file goes to the trash', () => {
    const { sections } = cardOf('feedback_commit_style.md');
    assert.deepEqual(
      sections.map(({ headings }) => headings.map(({ text, note }) => [text, note].filter(Boolean).join(': '))),
      [['feedback_commit_style.md', 'Result'], ['feedback_git.md: goes to the trash']],
    );
    assert.deepEqual(
      sections[1]?.rows.map(({ before }) => marked(before)),
      ['description: About git', 'Use the imperative in commits.', 'Never squash a release branch.'],
    );
  });

  it('shows of a new file what will be read of it: its description and its body', () => {
    const [section] = cardOf('project_staging_rebuild.md').sections;
    assert.equal(section?.headings.length, 1);
    assert.equal(marked(section?.rows[0]?.after), 'description: About staging rebuild on mondays');
    assert.ok(section?.rows.every(({ before, after }) => before === undefined && after?.state === 'added'));
  });

  it('leads from a deleted memory to the one that holds what it said, and to the chats', () => {
    const { link, sources } = cardOf('reference_blue_runner.md');
    assert.deepEqual(link, { path: 'reference_runners.md', label: 'Runners' });
    const path = 'reference_blue_runner.md';
    assert.deepEqual(sources, [{ session: 'gone', messages: [], path, title: 'A chat', detail: '', isGone: true }]);
    assert.deepEqual(cardOf('feedback_integration_tests.md').sources, [
      {
        session: 'flaky',
        messages: ['message-1', 'message-2'],
        path: 'feedback_integration_tests.md',
        title: 'Flaky migration test',
        detail: 'November 15 · 2 messages',
        isGone: false,
      },
      {
        session: 'settings',
        messages: ['message-3'],
        path: 'feedback_integration_tests.md',
        title: 'Split the settings page',
        detail: 'November 15 · 1 message',
        isGone: false,
      },
    ]);
  });

  it('puts two sayings to the person, the newer one proposed', () => {
    const { question, sources } = cardOf('retry');
    assert.deepEqual(
      question?.options.map(({ value, label, source }) => [value, label, source]),
      [
        ['newer', 'The newer one', 0],
        ['older', 'The older one', 1],
        ['both', 'Keep both', undefined],
      ],
    );
    assert.equal(question?.proposed, 'newer');
    assert.match(marked({ state: 'same', spans: question?.options[0]?.quote ?? [] }), /at most \[4\] attempts/);
    assert.equal(sources.length, 2);
  });

  it('leads from each of two sayings to its own message, be it of the same chat', () => {
    const { contradictions } = sampleProposal();
    const sameChat = contradictions.map((question) => ({
      ...question,
      older: { ...question.older, session: 'flaky', messages: ['first'] },
      newer: { ...question.newer, session: 'flaky', messages: ['second'] },
    }));
    const { question, sources } = cardOf('retry', sample({ contradictions: sameChat }));
    assert.deepEqual(
      question?.options.map(({ source }) => source !== undefined && sources[source]?.messages),
      [['second'], ['first'], false],
    );
  });

  it('makes a conflict of a file that was edited meanwhile, with both versions and three ways out', () => {
    const card = cardOf('user_respostas.md');
    assert.deepEqual(
      card.question?.options.map(({ value }) => value),
      ['disk', 'both', 'dream'],
    );
    assert.deepEqual([card.question?.proposed, card.idle, card.isSelected], ['disk', 'disk', false]);
    assert.deepEqual(
      card.sections[0]?.headings.map(({ text }) => text),
      ['On disk now', 'The dream’s version'],
    );
  });

  it('takes a file that is already what the dream would write for no conflict', () => {
    const proposal = sampleProposal();
    const context = sampleContext(proposal);
    const after = proposal.changes.find(({ path }) => path === 'user_respostas.md')?.after ?? '';
    const disk = new Map([...context.disk, ['user_respostas.md', { text: after, mtimeMs: fakeNow }]]);
    assert.deepEqual([...conflictsOf(proposal, disk)], []);
    assert.deepEqual([...conflictsOf(proposal, context.disk)], ['user_respostas.md']);
  });

  it('says a loss over the limit, and begins with the deletions left out', () => {
    const proposal = lossyProposal(43);
    const review = buildReview(proposal, sampleContext(proposal));
    assert.equal(review.loss?.head, 'This dream would remove 43 of 138 memories (31%). The limit is 25%.');
    assert.equal(review.loss?.show, 'Show the 44 deletions');
    const deleted = review.cards.filter(({ kind }) => kind === 'deleted');
    assert.equal(deleted.length, 44);
    assert.ok(deleted.every(({ isSelected }) => !isSelected));
    assert.ok(review.cards.some(({ kind, isSelected }) => kind === 'merged' && isSelected));
  });
});

describe('the changes a person counts', () => {
  const count = (changes: readonly ReturnType<typeof proposedChange>[], conflicts: readonly string[] = []) =>
    outlineOf({ changes, contradictions: [] }, new Set(conflicts));
  const gone = (path: string, mergedInto: string) => proposedChange(path, 'x', null, { mergedInto });

  it('leave the index out where it only follows its memories, and name it where it changes by itself', () => {
    const created = proposedChange('a.md', null, 'x');
    const line = '- [A](a.md) — x\n';
    assert.deepEqual(
      count([created, proposedChange('MEMORY.md', '', line)]).map(({ id }) => id),
      ['a.md'],
    );
    const alone = count([created, proposedChange('MEMORY.md', '- [Gone](gone.md) — y\n', line)]);
    assert.deepEqual(
      alone.map(({ id, kind }) => [id, kind]),
      [
        ['a.md', 'created'],
        ['MEMORY.md', 'updated'],
      ],
    );
  });

  it('keep a deletion by itself when the memory it went into does not change', () => {
    assert.deepEqual(
      count([gone('b.md', 'a.md')]).map(({ id, kind, mergedInto }) => [id, kind, mergedInto]),
      [['b.md', 'deleted', 'a.md']],
    );
  });

  it('follow a chain of merges to its end, and no circle', () => {
    const changed = proposedChange('a.md', 'x', 'y');
    const chained = count([changed, gone('b.md', 'a.md'), gone('c.md', 'b.md')]);
    assert.deepEqual(
      chained.map(({ kind, changes: all }) => [kind, all.length]),
      [['merged', 3]],
    );
    const circle = count([changed, gone('b.md', 'c.md'), gone('c.md', 'b.md')]);
    assert.equal(circle.flatMap(({ changes: all }) => all).length, 3);
  });

  it('make a conflict of all that is merged when one of the files was edited', () => {
    const [card] = count([proposedChange('a.md', 'x', 'y'), gone('b.md', 'a.md')], ['b.md']);
    assert.deepEqual([card?.kind, card?.changes.length], ['conflict', 2]);
  });
});

describe('a change made in another text', () => {
  it('keeps both lines', () => {
    const before = 'one\n';
    assert.equal(changeOnto(before, 'one\ntwo\n', 'one\nthree\n'), 'one\ntwo\nthree\n');
  });

  it('is refused where its place is gone', () => {
    assert.equal(changeOnto('a\nb\nc\n', 'a\nB\nc\n', 'wholly\nother\ntext\n'), undefined);
    assert.ok(answersOnDisk.includes('Sem emojis'));
  });
});
