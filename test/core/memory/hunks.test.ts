// Hunks of a change: whatever is taken and left, no other byte moves.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hunksOf, takeHunks } from '../../../src/core/memory/hunks';

const line = fc.constantFrom('a', 'b', 'c', '', '- d', 'é ü');
const ending = fc.constantFrom('\n', '\r\n');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 14 }), fc.constantFrom('', 'last', 'a'))
  .map(([lines, last]) => lines.map((pair) => pair.join('')).join('') + last);

const all = (before: string, after: string) => new Set(hunksOf(before, after).keys());

describe('hunks of a change', () => {
  it('give the new text when all are taken and the old one when none is, byte for byte', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(takeHunks(before, after, all(before, after)), after);
        assert.equal(takeHunks(before, after, new Set()), before);
      }),
    );
  });

  it('are independent: what is left out can be taken later and gives the new text', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, coins) => {
        const taken = new Set([...all(before, after)].filter(() => coins.next().value));
        const middle = takeHunks(before, after, taken);
        assert.equal(takeHunks(middle, after, all(middle, after)), after);
      }),
    );
  });

  it('are none for equal texts', () => {
    fc.assert(fc.property(text, (same) => hunksOf(same, same).length === 0));
  });

  it('are apart when more than two lines between them stay, and name the line where each begins', () => {
    const lines = (first: string, last: string) => `${first}\n1\n2\n3\n${last}\n`;
    assert.deepEqual(
      hunksOf(lines('a', 'z'), lines('b', 'y')).map(({ line, before, after, lead, trail }) => ({
        line,
        before,
        after,
        lead,
        trail,
      })),
      [
        { line: 1, before: ['a\n'], after: ['b\n'], lead: [], trail: ['1\n'] },
        { line: 5, before: ['z\n'], after: ['y\n'], lead: ['3\n'], trail: [] },
      ],
    );
    const [only, ...more] = hunksOf('a\n1\n2\nz\n', 'b\n1\n2\ny\n');
    assert.deepEqual(
      [only?.before, only?.after, more],
      [['a\n', '1\n', '2\n', 'z\n'], ['b\n', '1\n', '2\n', 'y\n'], []],
    );
  });

  it('take one change and leave another', () => {
    const [before, after] = ['a\n1\n2\n3\nz\n', 'b\n1\n2\n3\ny\nnew'];
    assert.equal(takeHunks(before, after, new Set([0])), 'b\n1\n2\n3\nz\n');
    assert.equal(takeHunks(before, after, new Set([1])), 'a\n1\n2\n3\ny\nnew');
  });

  it('hold a whole file that comes or goes', () => {
    assert.deepEqual(
      hunksOf('', 'a\nb').map(({ line, after }) => [line, after]),
      [[1, ['a\n', 'b']]],
    );
    assert.equal(takeHunks('a\r\nb\r\n', '', new Set([0])), '');
  });
});
