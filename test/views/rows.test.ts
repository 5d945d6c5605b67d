// Rows as data: what must be drawn again after a change, and the ring that shows how full the index is.

import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { type Branch, changedIds, childrenOf, ringUri } from '../../src/views/rows';

interface Shape {
  readonly id: string;
  readonly text: number;
  readonly below: readonly { readonly id: string; readonly text: number }[];
}

const toBranch = ({ id, text, below }: Shape): Branch<string> => ({
  row: { id, label: `${text}`, context: '', spoken: '' },
  target: id,
  print: JSON.stringify([text, below]),
  leaves: () =>
    below.map((leaf) => ({
      row: { id: `${id}/${leaf.id}`, label: `${leaf.text}`, context: '', spoken: '' },
      target: leaf.id,
      print: '',
    })),
});

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const shapes: fc.Arbitrary<Shape[]> = names.chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        text: fc.nat(2),
        below: fc.array(fc.record({ id: fc.constantFrom('x', 'y'), text: fc.nat(2) }), { maxLength: 2 }),
      }),
    ),
  ),
);

describe('changes of a tree', () => {
  it('name every row that looks different, or everything, and never a row that looks the same', () => {
    fc.assert(
      fc.property(shapes, shapes, (before, after) => {
        const changed = changedIds(before.map(toBranch), after.map(toBranch));
        const isSameList = JSON.stringify(before.map(({ id }) => id)) === JSON.stringify(after.map(({ id }) => id));
        if (changed === 'all') return !isSameList;
        const different = after.filter((shape, at) => JSON.stringify(shape) !== JSON.stringify(before[at]));
        return isSameList && JSON.stringify(changed) === JSON.stringify(different.map(({ id }) => id));
      }),
    );
  });

  it('go down into a folder whose own row stays', () => {
    const folder = (text: number): Branch<string> => ({
      row: { id: 'folder', label: 'harbor', context: '', spoken: '' },
      target: 'folder',
      print: 'harbor',
      groups: [toBranch({ id: 'a', text, below: [] }), toBranch({ id: 'b', text: 0, below: [] })],
    });
    assert.deepEqual(changedIds([folder(1)], [folder(2)]), ['a']);
    assert.equal(childrenOf(folder(1))?.length, 2);
  });
});

describe('the ring of the index', () => {
  const svg = (ratio: number, theme: 'dark' | 'light' = 'dark') =>
    Buffer.from(ringUri(ratio, theme).replace('data:image/svg+xml;base64,', ''), 'base64').toString();

  it('is filled to the ratio, from nothing to a full turn and not beyond', () => {
    const arc = (ratio: number) => Number(/stroke-dasharray="([\d.]+)/.exec(svg(ratio))?.[1] ?? 0);
    const turn = 2 * Math.PI * 5.5;
    for (const [ratio, share] of [
      [0, 0],
      [0.5, 0.5],
      [1, 1],
      [1.4, 1],
    ] as const)
      assert.ok(Math.abs(arc(ratio) - share * turn) < 0.01, `${ratio}`);
  });

  it('warns from 80 % on, in the colours of the theme', () => {
    assert.match(svg(0.79), /#4daafc/);
    assert.match(svg(0.8), /#cca700/);
    assert.match(svg(0.79, 'light'), /#005fb8/);
    assert.match(svg(0.8, 'light'), /#855f00/);
  });
});
