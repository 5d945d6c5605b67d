import assert from 'node:assert/strict';
import { findSignals } from '../../../src/core/sessions/signals';

const at = Date.parse('2026-03-11T09:00:00Z');
const factsOf = (text: string) => findSignals({ text, at }).signals.map(({ fact }) => fact);

describe('a report is no rule', () => {
  it('takes "always" and "never" before what something does for a report, before what to do for a rule', () => {
    for (const text of ['always returns null when I call it twice', 'never works on Safari']) {
      assert.deepEqual(factsOf(text), [], text);
    }
    assert.deepEqual(factsOf('always return early'), ['Always return early']);
  });

  it('leaves a duration that still goes on as it was said', () => {
    const said = 'Sou dev iOS há 10 anos mas nunca mexi com Kotlin';
    assert.deepEqual(factsOf(said), [said]);
  });
});
