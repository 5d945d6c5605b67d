// Rows of two texts: nothing is left out of either, words are marked in any language, and nothing hides.

import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { markedSpans, oneSide, wholeRows } from '../../src/views/reviewDiff';
import type { DiffRow, Line } from '../../src/views/reviewProtocol';

const textOf = (line: Line | undefined) => line?.spans.map(({ text }) => text).join('');
const side = (rows: readonly DiffRow[], key: 'before' | 'after') => rows.flatMap((row) => textOf(row[key]) ?? []);
const marked = (before: string, after: string) =>
  markedSpans(before, after).map((spans) => spans.filter(({ strong }) => strong).map(({ text }) => text));

describe('rows of two texts', () => {
  const line = fc.constantFrom('alpha beta', 'alpha gamma', 'delta', '', '- x', 'ünï código');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(''));

  it('hold every line that differs, on its own side and in its order', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = wholeRows(before, after);
        const isIn = (lines: readonly string[], all: readonly string[]) => {
          let at = 0;
          for (const each of all) if (each === lines[at]) at += 1;
          return at === lines.length;
        };
        const shown = (key: 'before' | 'after') => side(rows, key).filter((each) => each !== '⋯');
        return isIn(shown('before'), before.split('\n')) && isIn(shown('after'), after.split('\n'));
      }),
    );
  });

  it('call a line the same only when it is', () => {
    fc.assert(
      fc.property(text, text, (before, after) =>
        wholeRows(before, after).every(({ before: one, after: other }) =>
          one && other ? (one.state === 'same') === (textOf(one) === textOf(other)) : true,
        ),
      ),
    );
  });

  it('put a changed line beside what it was, though lines came before it', () => {
    const rows = wholeRows('retry at most three times\n', 'a new first line\nretry at most four times\n');
    assert.deepEqual(
      rows.map(({ before, after }) => [textOf(before), textOf(after)]),
      [
        [undefined, 'a new first line'],
        ['retry at most three times', 'retry at most four times'],
      ],
    );
  });

  it('say an ending that changed where nothing else did', () => {
    const [row] = wholeRows('a\r\n', 'a\n');
    assert.deepEqual([textOf(row?.before), textOf(row?.after)], ['a␍␊', 'a␊']);
    const [last] = wholeRows('a', 'a\n');
    assert.deepEqual([textOf(last?.before), textOf(last?.after)], ['a', 'a␊']);
  });

  it('name what would be invisible or turn the writing direction around', () => {
    const [row] = oneSide('pay \u202eevil\u200b\u0007\tok\n', 'added');
    assert.equal(textOf(row?.after), 'pay ‹U+202E›evil‹U+200B›‹U+0007›\tok');
  });

  it('stay small for a line without an end', () => {
    const [row] = wholeRows(`${'word '.repeat(100_000)}a\n`, `${'word '.repeat(100_000)}b\n`);
    assert.ok((textOf(row?.before) ?? '').length < 3_100);
  });
});

describe('marks within a line', () => {
  it('are words, not letters, in languages with and without spaces', () => {
    assert.deepEqual(marked('at most three attempts', 'at most four attempts'), [['three'], ['four']]);
    assert.deepEqual(marked('не более трёх попыток', 'не более четырёх попыток'), [['трёх'], ['четырёх']]);
    assert.deepEqual(marked('会議は月曜日です', '会議は火曜日です'), [['月曜日'], ['火曜日']]);
  });

  it('leave the whole text as it is, on both sides', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const [one, other] = markedSpans(before, after).map((spans) => spans.map(({ text }) => text).join(''));
        const plain = (text: string) => /^[\x20-\x7e]*$/.test(text);
        return !plain(before + after) || (one === before && other === after);
      }),
    );
  });
});
