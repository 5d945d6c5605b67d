import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeFact } from '../../../src/core/sessions/describeFact';
import { absoluteDates, findSignals } from '../../../src/core/sessions/signals';

const word = fc.constantFrom(
  'remember',
  'that',
  'always',
  'never',
  'we',
  'use',
  'pnpm',
  'not npm',
  'here',
  'in this repo',
  'because',
  'it broke',
  'last week',
  'I prefer',
  'over',
  'from now on',
  'please',
  'forget',
  'the memory about',
  'what I said about',
  'tomorrow',
  'next Friday',
  ', ',
  '. ',
  '? ',
  '\n',
  '\n\n',
  '"',
  '`',
  '```',
  '<b>',
  '</b>',
  '> ',
  'https://x.example/a',
  'lembra',
  'que',
  'a gente',
  'nunca',
  'é',
  'não',
  'porque',
  'amanhã',
  'our customers',
  'are',
  'dentists',
  'so',
  'Marta',
  'owns',
  'the API',
  'is in',
  'Jira',
  '…',
  '🙄',
  '(',
  ')',
  ':',
  '- ',
);
const sentence = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
const anyText = fc.oneof(
  sentence,
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);

describe('the offline rules, whatever is typed', () => {
  it('quote only what stands in the prompt, and forget only what stands in it', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.option(anyText, { nil: undefined }),
        fc.integer({ min: 0, max: 4e12 }),
        (text, before, at) => {
          const { signals, forget } = findSignals({
            text,
            at,
            ...(before === undefined ? {} : { previousAssistant: before }),
          });
          for (const signal of signals) {
            assert.ok(text.includes(signal.quote), signal.quote);
            assert.ok(signal.quote.trim() !== '' && signal.fact.trim() !== '' && !signal.fact.includes('\n'));
          }
          for (const span of forget) assert.ok(text.includes(span), span);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('give the same answer twice', () => {
    fc.assert(
      fc.property(sentence, (text) => assert.deepEqual(findSignals({ text, at: 0 }), findSignals({ text, at: 0 }))),
      { numRuns: 300 },
    );
  });

  it('say one stretch of text once', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const { signals } = findSignals({ text, at: 0 });
        assert.equal(new Set(signals.map((signal) => signal.quote)).size, signals.length);
        assert.equal(new Set(signals.map((signal) => signal.fact)).size, signals.length);
      }),
      { numRuns: 500 },
    );
  });

  // A pattern that backtracks without bound would never come to the end of these; the time itself is for bench/.
  for (const piece of [
    ' ',
    '"',
    "'a ",
    '`a',
    '```',
    '<a>',
    '<a ',
    '</a>',
    '. ',
    'a\n',
    '\n',
    'a.a(',
    'no, ',
    'so ',
    'hm',
    "i'm a ",
    'if we ',
    'http://a',
    '-',
    'a: ',
    'friday ',
    'in two weeks, ',
    '12/12 ',
    'remember that ',
    'remember: ',
    'never ',
    'always use tabs here ',
    'whenever you touch it, ',
    'forget the note about ',
    'é ã “x” 🙄 ',
    '🙄',
    '# x\n',
    '- always use the thing\n',
    '**a**: ',
    'our customers are dentists and so we never use it here, because the bank. ',
    '\ud83d',
    'password is ',
    'a_1B',
  ]) {
    it(`come to an end on 200 kB of ${JSON.stringify(piece)}`, () => {
      const text = `Remember that we sign our commits. ${piece.repeat(Math.ceil(200_000 / piece.length))}`;
      for (const signal of findSignals({ text, at: 0 }).signals) assert.ok(text.includes(signal.quote));
      for (const length of [690, 3_900]) findSignals({ text: text.slice(0, length), at: 0 });
      absoluteDates(text.slice(0, 3_900), 0);
    });
  }

  it('read the first and the last part of a very long prompt, not its middle', () => {
    const text = `Remember that we sign our commits.\n\n${'the quick brown fox is idle. '.repeat(4_000)}\n\nNever push to main.\n\n${'the quick brown fox is idle. '.repeat(4_000)}\n\nFrom now on write the tests first.`;
    assert.deepEqual(
      findSignals({ text, at: 0 }).signals.map((signal) => signal.fact),
      ['We sign our commits', 'Write the tests first'],
    );
  });
});

describe('describing a fact', () => {
  it('gives a short title, one line and the telling words', () => {
    const found = describeFact(
      'Integration tests must not mock the database; they run against Postgres 15 in Docker, because a mock once hid a broken migration',
    );
    assert.equal(found.name, 'Integration tests must not mock the database');
    assert.ok(found.description.startsWith('Integration tests must not mock the database; they run against'));
    for (const wanted of ['integration', 'postgres', 'docker', 'migration'])
      assert.ok(found.keywords.includes(wanted), wanted);
  });

  it('knows the small words of both languages', () => {
    const { keywords } = describeFact('O deploy de produção só acontece às terças e quintas, nunca na sexta');
    assert.ok(keywords.includes('deploy') && keywords.includes('producao'));
    for (const small of ['de', 'so', 'as', 'e', 'na', 'nunca']) assert.ok(!keywords.includes(small), small);
  });

  it('takes the host of an address, not its path', () => {
    const { keywords } = describeFact('The board at https://grafana.example.com/d/abc123 is what on-call looks at');
    assert.ok(keywords.includes('grafana.example.com'));
    assert.ok(!keywords.some((keyword) => keyword.includes('abc123')));
  });

  it('stays within its limits, in one line, and says the same twice', () => {
    fc.assert(
      fc.property(fc.oneof(sentence, fc.string({ unit: 'grapheme', maxLength: 600 })), (fact) => {
        const found = describeFact(fact);
        assert.ok(found.name.length <= 60 && found.description.length <= 150 && found.keywords.length <= 8);
        assert.ok(!/[\n\r]/.test(found.name + found.description));
        assert.deepEqual(describeFact(fact), found);
        assert.ok(found.keywords.every((keyword) => keyword === keyword.toLowerCase()));
      }),
      { numRuns: 500 },
    );
  });

  it('finds at least three words in a fact that has them', () => {
    for (const fact of ['Use pnpm, never npm, in the frontend', 'Marta reviews every change of the billing schema']) {
      assert.ok(describeFact(fact).keywords.length >= 3, fact);
    }
  });
});
