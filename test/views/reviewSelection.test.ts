// What a person chooses in a review, as values.

import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import {
  answerCard,
  type Chosen,
  checkOf,
  choicesOf,
  initialSelection,
  restoreSelection,
  toggleCard,
  togglePart,
} from '../../media/review/selection';
import { buildReview } from '../../src/views/reviewModel';
import type { Card } from '../../src/views/reviewProtocol';
import { sampleContext, sampleProposal } from '../support/reviewSamples';

const { cards } = buildReview(sampleProposal(), sampleContext(sampleProposal()));
const cardOf = (kind: Card['kind']): Card => {
  const card = cards.find((each) => each.kind === kind);
  assert.ok(card);
  return card;
};
const parted = cardOf('updated');
const on: Chosen = { isOn: true, off: [] };

describe('the choice in a review', () => {
  it('is mixed while some parts are out, off with the last of them, and on with all', () => {
    const one = togglePart(parted, on, 0);
    const none = togglePart(parted, one, 1);
    assert.deepEqual([checkOf(one), checkOf(none)], ['mixed', 'off']);
    assert.equal(checkOf(togglePart(parted, one, 0)), 'on');
    assert.deepEqual(togglePart(parted, none, 1), { isOn: true, off: [0] });
    assert.equal(checkOf(toggleCard(parted, one)), 'on');
  });

  it('never has a change in it with no part, or one that is off with parts out', () => {
    const steps = fc.array(fc.constantFrom<'card' | number>('card', 0, 1), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (all) => {
        const chosen = all.reduce<Chosen>(
          (now, step) => (step === 'card' ? toggleCard(parted, now) : togglePart(parted, now, step)),
          on,
        );
        return chosen.isOn ? chosen.off.length < 2 : chosen.off.length === 0;
      }),
    );
  });

  it('takes a conflict in with an answer, and out with the one that leaves it alone', () => {
    const card = cardOf('conflict');
    const start = initialSelection([card])[card.id] ?? on;
    assert.deepEqual([start.isOn, start.answer], [false, 'disk']);
    const taken = toggleCard(card, start);
    assert.deepEqual([taken.isOn, taken.answer], [true, 'both']);
    assert.equal(answerCard(card, taken, 'disk').isOn, false);
    assert.deepEqual(toggleCard(card, answerCard(card, taken, 'dream')), { isOn: false, off: [], answer: 'disk' });
  });

  it('answers a question by its box too, with what was answered before', () => {
    const card = cardOf('choose');
    const answered = answerCard(card, initialSelection([card])[card.id] ?? on, 'older');
    const out = toggleCard(card, answered);
    assert.deepEqual([out.isOn, toggleCard(card, out).answer], [false, 'older']);
  });

  it('is applied as it stands, or whole but for conflicts nobody settled', () => {
    const selection = { ...initialSelection(cards), [parted.id]: { isOn: true, off: [1] } };
    assert.deepEqual(choicesOf(cards, selection, false)[0], { id: parted.id, hunks: [0] });
    const all = choicesOf(cards, { ...selection, [cardOf('created').id]: { isOn: false, off: [] } }, true);
    assert.deepEqual([all.length, all[0]], [5, { id: parted.id }]);
  });

  it('is forgotten where it no longer fits what is proposed', () => {
    const kept = {
      [parted.id]: { isOn: true, off: [7] },
      retry: { isOn: true, off: [], answer: 'maybe' },
      'user_respostas.md': { isOn: true, off: [], answer: 'dream' },
    };
    const restored = restoreSelection(cards, kept);
    assert.deepEqual(restored[parted.id], on);
    assert.equal(restored.retry?.answer, 'newer');
    assert.deepEqual(restored['user_respostas.md'], kept['user_respostas.md']);
    assert.deepEqual(Object.keys(restored).length, cards.length);
  });
});
