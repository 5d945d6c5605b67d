import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareTexts,
  duplicateScore,
  findDuplicate,
  repeats,
  saysAtLeast,
  similarity,
} from '../../../src/core/memory/similarity';
import { stemsOf } from '../../../src/core/memory/terms';

type Pair = readonly [string, string];

const same: readonly Pair[] = [
  ['NEVER USE A LIBRARY', 'Never use a library.'],
  ['Note: A test is needed.', 'Note: a test is needed.'],
  ['Use pnpm, never npm.', 'Use pnpm and not npm'],
  ["Don't use mocks in integration tests", 'Never use mocks in integration tests.'],
  ['Always run the linter before committing.', 'Run the linter before each commit'],
  ['Before you commit, run the linter.', 'Run the linter before each commit'],
  ['The default timeout is 5 seconds.', 'The timeout is 5s by default'],
  ['We retry three times', 'We retry 3 times'],
  ['Use the shared logger instead of console.log.', 'Use the shared logger rather than console.log.'],
  ['The runbook is in the wiki of the infra team', "The runbook is in the infra team's wiki"],
  ['Before the release of v2, freeze main.', 'Before the v2 release freeze main'],
  ['Return null when nothing is found.', 'When nothing is found, return null.'],
  ['Logs are written as JSON. They carry the trace id.', 'Logs are written as JSON, and they carry the trace id.'],
  [
    'Every picture has a caption. Old ones get a short one.',
    'Old pictures get a short caption. Each picture has a caption.',
  ],
  ['- **Why:** reviewers asked\n- Small commits', 'Small commits.\n\n**Why:** reviewers asked.'],
  ['Sempre rode os testes antes do commit', 'Rode sempre os testes antes de cada commit'],
  ['As mensagens de erro ficam em português', 'A mensagem de erro fica em português'],
  ['Não use mocks nos testes de integração', 'Nunca use mocks em testes de integração'],
  ['배포는 화요일에만 한다. 긴급 수정은 예외다.', '긴급 수정은 예외다. 배포는 화요일에만 한다.'],
  ['部署只在周二和周四进行。', '部署只在周二和周四进行'],
];

const contradictory: readonly Pair[] = [
  ['O deploy precisa de uma aprovação.', 'O deploy precisa de duas aprovações.'],
  ['A deployment needs an approval.', 'A deployment needs two approvals.'],
  ['Plan A includes support.', 'Plan B includes support.'],
  ['O plano A inclui suporte.', 'O plano B inclui suporte.'],
  ['The timeout is 5 s', 'The timeout is 9 s'],
  ['The app supports Android 6 and newer', 'The app supports Android 8 and newer'],
  ['Use mocks in tests', "Don't use mocks in tests"],
  ['Use pnpm', "Don't use pnpm"],
  ['Use tabs, not spaces', 'Use spaces, not tabs'],
  ['Prefer rebase over merge', 'Prefer merge over rebase'],
  ['Run lint before tests', 'Run tests before lint'],
  ['The client calls the server', 'The server calls the client'],
  ['Copy staging to production', 'Copy production to staging'],
  ['Ana Prado reviews the API', 'Mei Tanaka reviews the API'],
  ['The freeze begins on 2026-06-23', 'The freeze begins on 2026-06-24'],
  ['New flags are off by default', 'New flags are on by default'],
  ['Deploy on Fridays', 'No deploys on Fridays'],
  ['Uploads may be 5 MB large', 'Uploads may be 5 GB large'],
  ['Service A has 3 replicas, service B has 5', 'Service A has 5 replicas, service B has 3'],
  ['Merge with squash', 'Merge without squash'],
  ['Use os testes de unidade', 'Não use os testes de unidade'],
  [
    'Sessions time out after 9 minutes. It is part of the concept.',
    'Sessions time out after 5 hours. It is part of the concept.',
  ],
];

const different: readonly Pair[] = [
  ['The main branch is called master.', 'The main branch is called main.'],
  ['Uploads are retried three times before the job fails.', 'Downloads are retried three times before the job fails.'],
  ['The staging database is on port 6432', 'The production database is on port 7432'],
  ['Questions on the warehouse go to Ana Prado', 'Questions on the gateway go to Mei Tanaka'],
  ['Keep commits small', 'Keep functions small'],
  ['Sensor A is calibrated every 30 days.', 'Sensor B is calibrated every 90 days.'],
  ['Room 3 holds 12 people.', 'Room 4 holds 30 people.'],
  ['Send invoices in euro', 'Send invoices in dollars'],
  ['Write tests first', 'Write docs first'],
  [
    'The staging database is refreshed on Sunday',
    'The staging database is on port 6432. The production dump is refreshed on Sunday.',
  ],
  ['部署只在周二进行', '部署只在周三进行'],
  ['可以使用缓存', '不可以使用缓存'],
  ['배포는 화요일에 한다', '배포는 금요일에 한다'],
  ['キャッシュを使う', 'キャッシュを使わない'],
  ['Use pnpm', ''],
  ['', ''],
  ['...', '!!!'],
];

const swapped = ([a, b]: Pair): Pair => [b, a];

describe('the comparison of two texts', () => {
  it('finds the same in another order, with other small words and punctuation, in several languages', () => {
    for (const [a, b] of [...same, ...same.map(swapped)])
      assert.equal(compareTexts(a, b).relation, 'same', `${a} | ${b}`);
  });

  it('takes a number, name, date, denial or order on which they differ for a contradiction', () => {
    for (const [a, b] of [...contradictory, ...contradictory.map(swapped)])
      assert.equal(compareTexts(a, b).relation, 'contradicts', `${a} | ${b}`);
  });

  it('keeps apart what only looks alike', () => {
    for (const [a, b] of [...different, ...different.map(swapped)])
      assert.equal(compareTexts(a, b).relation, 'different', `${a} | ${b}`);
  });

  it('scores every repetition at least as high as the limit and everything else below it', () => {
    for (const [a, b] of same) assert.equal(similarity(a, b), 1);
    for (const [a, b] of [...contradictory, ...different])
      assert.ok(similarity(a, b) <= 0.75 && 0.75 < duplicateScore, `${a} | ${b}`);
  });

  it('knows which of two texts says more', () => {
    const more =
      'The importer reads CSV as a stream. Rejected rows are written next to the input. Dates are day first.';
    const less = 'Rejected rows are written next to the input. The importer reads CSV as a stream.';
    assert.equal(compareTexts(more, less).relation, 'contains');
    assert.equal(compareTexts(less, more).relation, 'contained');
    assert.ok(similarity(more, less) >= duplicateScore && similarity(more, less) < 1);
    assert.deepEqual(
      [repeats(less, more), repeats(more, less), saysAtLeast(more, less), saysAtLeast(less, more)],
      [true, false, true, false],
    );
    assert.equal(repeats('Use pnpm', 'Use pnpm'), true);
  });

  it('does not take one word in a long sentence for what the sentence says', () => {
    assert.equal(
      compareTexts('Postgres', 'The nightly report reads from a Postgres replica in the old data centre').relation,
      'different',
    );
  });

  it('is the same both ways round, the same for equal texts, and ends for any text', () => {
    const flip = {
      same: 'same',
      contains: 'contained',
      contained: 'contains',
      contradicts: 'contradicts',
      different: 'different',
    } as const;
    const word = fc.constantFrom(
      'use',
      'pnpm',
      'not',
      '5',
      'seconds',
      'before',
      'tests',
      'of',
      'Ana',
      'off',
      'one',
      '.',
      ';',
      'não',
      '배포',
      '不',
      'v1.2',
      "don't",
      '\n- ',
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        const there = compareTexts(a, b);
        const back = compareTexts(b, a);
        assert.equal(back.relation, flip[there.relation], JSON.stringify([a, b]));
        assert.ok(Math.abs(there.score - back.score) < 1e-9 && there.score >= 0 && there.score <= 1);
        const self = compareTexts(a, a).relation;
        assert.ok(self === 'same' || stemsOf(a).size === 0 || self === 'different', a);
      }),
      { numRuns: 500 },
    );
  }).timeout(20_000);
});

describe('the search for a duplicate', () => {
  const candidates = [
    'Use npm',
    'Deploy on Tuesdays.',
    'Deploy on Tuesdays. Tell the channel.',
    'Use pnpm, not npm',
  ].map((text, id) => ({ id, text }));

  it('finds the closest of those that say the same, or none', () => {
    assert.deepEqual(findDuplicate('We deploy on Tuesdays', candidates), {
      candidate: candidates[1],
      relation: 'same',
      score: 1,
    });
    assert.equal(findDuplicate('Tell the channel', candidates)?.candidate.id, 2);
    assert.equal(
      findDuplicate('Deploy on Tuesdays. Tell the channel. Wait an hour.', candidates)?.relation,
      'contains',
    );
    assert.equal(findDuplicate('Never deploy on Tuesdays', candidates), undefined);
    assert.equal(findDuplicate('Deploy on Wednesdays', candidates), undefined);
    assert.equal(findDuplicate('Anything', []), undefined);
  });
});

describe('the stems of a text', () => {
  it('are the words that tell what it is about, each with the word it came from', () => {
    assert.deepEqual(
      [...stemsOf('The retries of the importers, and retrying imports')].map(([, word]) => word),
      ['retries', 'importers'],
    );
    assert.deepEqual(
      [...stemsOf('o que a gente usa para as mensagens?')].map(([, word]) => word),
      ['gente', 'mensagens'],
    );
    assert.equal(stemsOf('what is it?').size, 0);
  });

  it('meet for the forms of a word in both languages', () => {
    for (const forms of [
      'deploy deploys deployed deploying',
      'retry retries retried',
      'mensagem mensagens',
      'decisão decisões',
      'teste testes testar',
      'policy policies',
      'erro erros',
    ])
      assert.equal(stemsOf(forms).size, 1, forms);
  });

  it('keep identifiers whole and give their parts too', () => {
    const stems = stemsOf('see package-lock.json and log.with()');
    assert.ok(stems.has('json') && [...stems.values()].includes('package-lock.json'));
  });

  it('of scripts without spaces are pairs of characters', () => {
    assert.deepEqual([...stemsOf('部署周二').keys()], ['部署', '署周', '周二']);
  });
});
