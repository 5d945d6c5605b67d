// Numbers, ages and dates in the language of the editor.

import { strict as assert } from 'node:assert';
import { createWords, oneLine, wholeDays } from '../../src/views/words';
import { english } from '../support/words';

describe('words', () => {
  const at = Date.UTC(2026, 4, 3, 14, 20);

  it('follow the language of the editor', () => {
    const en = createWords('en', english, 'UTC');
    const pt = createWords('pt-br', english, 'UTC');
    assert.deepEqual([en.number(12_480.25), pt.number(12_480.25)], ['12,480.3', '12.480,3']);
    assert.deepEqual([en.date(at), pt.date(at)], ['May 3, 2026', '3 de mai. de 2026']);
    assert.deepEqual([en.weekday(at), pt.weekday(at)], ['Sunday, May 3', 'Domingo, 3 de maio']);
    assert.deepEqual([en.time(at).replace(/\s/g, ' '), pt.time(at)], ['2:20 PM', '14:20']);
  });

  it('fall back to English for a language that nobody knows', () => {
    assert.equal(createWords('!!', english, 'UTC').number(1000), '1,000');
  });

  it('count whole days, and none for the future', () => {
    const day = 24 * 60 * 60 * 1000;
    assert.deepEqual([wholeDays(0, day - 1), wholeDays(0, day), wholeDays(day, 0)], [0, 1, 0]);
    const { shortAge, spokenAge } = createWords('en', english);
    assert.deepEqual([shortAge(0), shortAge(1), shortAge(201)], ['today', '1 d', '201 d']);
    assert.deepEqual([spokenAge(0), spokenAge(1), spokenAge(2)], ['today', '1 day old', '2 days old']);
  });

  it('make one line of anything, without cutting a character in half', () => {
    assert.equal(oneLine('  a\r\n b\u0000c  '), 'a b c');
    assert.equal(oneLine('\u202eabc'), 'abc');
    assert.equal(oneLine('日本語の議事録'), '日本語の議事録');
    const long = oneLine('😀'.repeat(300));
    assert.equal([...long].length, 200);
    assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(long));
  });
});
