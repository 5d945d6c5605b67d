// JSON that comes in pieces, cut down to a shape: the same as parsing all of it and cutting that down, wherever the pieces end.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPieceReader } from '../../../src/core/sessions/jsonPieces';
import { longestText, pick, type Shape } from '../../../src/core/sessions/jsonShape';

const key = fc.constantFrom('a', 'b', 'c', 'kind', '__proto__');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, 'naïve 中文 🎉', '"\\/\b\f\n\r\t\u2028'),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('any')), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).any;
const shape = fc.letrec<{ any: Shape }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Shape>(true),
    fc.constant<Shape>(3),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '*'), tie('any'), { maxKeys: 4 }),
  ),
})).any;

function read(bytes: Buffer, wanted: Shape, ends: readonly number[] = []) {
  const reader = createPieceReader(wanted);
  let from = 0;
  for (const end of [...ends, bytes.length].map((at) => at % (bytes.length + 1)).sort((a, b) => a - b)) {
    reader.write(bytes.subarray(from, end));
    from = end;
  }
  reader.write(bytes.subarray(from));
  return reader.end();
}

describe('JSON in pieces', () => {
  it('comes to what a parser makes of all of it, cut down to the shape', () => {
    fc.assert(
      fc.property(value, shape, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (any, wanted, ends, isPretty) => {
        const text = JSON.stringify(any, null, isPretty ? 1 : 0);
        const parsed = JSON.parse(text);
        const found = read(Buffer.from(`${text} `), wanted, ends);
        assert.equal(found.isWhole, true);
        assert.deepEqual(found.value, pick(parsed, wanted));
      }),
      { numRuns: 500 },
    );
  });

  it('gives of a value that breaks off whole items only, wherever it breaks', () => {
    const wanted: Shape = { list: { '*': { id: true, text: true } } };
    const items = [1, 2, 3].map((id) => ({ text: 'naïve "text" {}', id, extra: [{ id }, []] }));
    const bytes = Buffer.from(JSON.stringify({ extra: { list: [1] }, list: items, end: 1 }));
    const whole = pick({ list: items }, wanted) as { list: unknown[] };
    let most = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const { value: found, isWhole } = read(bytes.subarray(0, at), wanted);
      assert.equal(isWhole, false);
      const list = (found as typeof whole | undefined)?.list ?? [];
      assert.deepEqual(list, whole.list.slice(0, list.length), `${at}`);
      assert.ok(list.length >= most);
      most = list.length;
    }
    assert.equal(most, 3);
  });

  it('keeps places in a list, whatever is left out', () => {
    const text = '{"list":[{"a":1},[2],"x",{"b":2},null,{"a":3}]}';
    const wanted: Shape = { list: { '*': { a: true } } };
    const expected = { list: [{ a: 1 }, [null], 'x', {}, null, { a: 3 }] };
    assert.deepEqual(read(Buffer.from(text), wanted).value, expected);
    assert.deepEqual(pick(JSON.parse(text), wanted), expected);
    assert.deepEqual(read(Buffer.from(text), { list: {} }).value, {
      list: [null, null, null, null, null, null].map((_, at) => (at === 2 ? null : null)),
    });
  });

  it('takes the middle out of a text that is too long', () => {
    const long = `begin ${'x'.repeat(3 * longestText)} end`;
    const { value: found } = read(Buffer.from(JSON.stringify({ a: long, b: long })), { a: true, b: 40 });
    const { a, b } = found as { a: string; b: string };
    assert.ok(a.length < longestText + 10 && a.startsWith('begin ') && a.endsWith(' end'));
    assert.ok(b.length < 50 && b.startsWith('begin ') && b.endsWith(' end'));
  });

  it('reads on over bytes that are no text, and stops at what is no JSON', () => {
    const bytes = Buffer.from('{"a":"x\u00e9y","b":2}');
    bytes[7] = 0xff;
    const { value: found, isWhole } = read(bytes, true);
    assert.deepEqual([isWhole, (found as { b: number }).b], [true, 2]);
    const broken = read(Buffer.from('{"a":1,"b":[1,2,}{"a":2}'), true);
    assert.deepEqual([broken.isWhole, broken.value], [false, { a: 1, b: [1, 2] }]);
    assert.deepEqual(read(Buffer.from('{"a":1}{"a":2}'), true).value, { a: 1 }, 'what follows is another value');
  });
});
