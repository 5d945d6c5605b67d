// What a person chose, as the engine takes it: nothing more than was chosen, nothing half of what belongs together.

import { strict as assert } from 'node:assert';
import { outcomeOf, selectionOf } from '../../src/views/reviewChoice';
import type { CardChoice } from '../../src/views/reviewProtocol';
import { fakeNow } from '../support/fakeProject';
import { answersOnDisk, sampleContext, sampleProposal } from '../support/reviewSamples';

const proposal = sampleProposal();
const { disk } = sampleContext(proposal);
const chosen = (...choices: CardChoice[]) => selectionOf(proposal, disk, choices);

describe('a choice for the engine', () => {
  it('holds what was chosen and the index that follows it, and nothing else', () => {
    assert.deepEqual(chosen({ id: 'project_staging_rebuild.md' }), {
      selection: { paths: ['project_staging_rebuild.md', 'MEMORY.md'], hunks: {}, choices: {}, settled: {} },
      cards: ['project_staging_rebuild.md'],
    });
  });

  it('takes a merge whole, and of an update the parts that were chosen', () => {
    const { selection } = chosen(
      { id: 'feedback_commit_style.md', hunks: [0] },
      { id: 'feedback_integration_tests.md', hunks: [1] },
    );
    assert.deepEqual(selection.paths, [
      'feedback_commit_style.md',
      'feedback_git.md',
      'feedback_integration_tests.md',
      'MEMORY.md',
    ]);
    assert.deepEqual(selection.hunks, { 'feedback_integration_tests.md': [1] });
  });

  it('answers a question only with an answer it has', () => {
    assert.deepEqual(chosen({ id: 'retry', answer: 'older' }).selection.choices, { retry: 'older' });
    assert.deepEqual(chosen({ id: 'retry', answer: 'all of them' }), {
      ...chosen(),
      cards: [],
    });
  });

  it('settles a conflict on what stands on disk now, and leaves it alone without an answer', () => {
    const before = { before: answersOnDisk, beforeMtimeMs: fakeNow };
    const settled = (answer: string) => chosen({ id: 'user_respostas.md', answer }).selection.settled;
    assert.deepEqual(settled('dream'), {
      'user_respostas.md': {
        ...before,
        after: proposal.changes.find(({ path }) => path === 'user_respostas.md')?.after,
      },
    });
    const both = settled('both')?.['user_respostas.md']?.after ?? '';
    assert.ok(both.includes('Sem emojis.') && both.includes('Exemplos de código'));
    assert.deepEqual(chosen({ id: 'user_respostas.md', answer: 'disk' }).cards, []);
    assert.deepEqual(chosen({ id: 'user_respostas.md' }).selection.settled, {});
  });

  it('never removes a memory that was edited since as part of a merge, unless that was chosen in so many words', () => {
    const edited = new Map([...disk, ['feedback_git.md', { text: 'Something new.\n', mtimeMs: fakeNow }]]);
    const paths = (answer: string) =>
      selectionOf(proposal, edited, [{ id: 'feedback_commit_style.md', answer }]).selection.paths;
    assert.deepEqual(paths('both'), ['feedback_commit_style.md', 'MEMORY.md']);
    assert.deepEqual(paths('dream'), ['feedback_commit_style.md', 'feedback_git.md', 'MEMORY.md']);
  });

  it('leaves out what the proposal does not have', () => {
    assert.deepEqual(chosen({ id: '../outside.md' }), chosen());
  });
});

describe('what came of each card', () => {
  it('is what the engine applied, in whole or in part', () => {
    const some = chosen(
      { id: 'feedback_integration_tests.md', hunks: [0] },
      { id: 'project_staging_rebuild.md' },
      { id: 'feedback_commit_style.md' },
      { id: 'retry', answer: 'newer' },
    );
    const cards = [
      { id: 'feedback_integration_tests.md', parts: 2 },
      { id: 'project_staging_rebuild.md', parts: 1 },
      { id: 'feedback_commit_style.md', parts: 2 },
      { id: 'retry', parts: 0 },
      { id: 'user_respostas.md', parts: 1 },
    ];
    // The engine refused one of those that were chosen.
    const applied = ['feedback_integration_tests.md', 'feedback_commit_style.md', 'feedback_git.md', 'MEMORY.md'];
    assert.deepEqual(outcomeOf(cards, some, { applied }), {
      results: {
        'feedback_integration_tests.md': 'partly',
        'project_staging_rebuild.md': 'left',
        'feedback_commit_style.md': 'applied',
        retry: 'applied',
        'user_respostas.md': 'left',
      },
      applied: 3,
      leftFiles: 2,
      leftHunks: 1,
    });
  });
});
