import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { absoluteDates, hasRelativeDate } from '../../../src/core/sessions/signals';

const on = (day: string, time = '12:00') => Date.parse(`${day}T${time}:00Z`);

describe('making dates absolute', () => {
  for (const [day, text, expected] of [
    ['2026-07-08', 'the demo is tomorrow', 'the demo is on 2026-07-09'],
    ['2026-07-08', 'starts this Friday, nothing after', 'starts on 2026-07-10, nothing after'],
    ['2026-07-08', 'done by Friday', 'done by 2026-07-10'],
    ['2026-07-08', 'the trial ends next Friday', 'the trial ends on 2026-07-17'],
    ['2026-07-08', 'the release on Thursday', 'the release on 2026-07-09'],
    ['2026-07-08', 'away until the 24th', 'away until 2026-07-24'],
    ['2026-07-08', 'the audit is on June 15', 'the audit is on 2027-06-15'],
    ['2026-07-08', 'launch is on the 12th of August', 'launch is on 2026-08-12'],
    ['2026-07-08', 'they get it in October', 'they get it in 2026-10'],
    ['2026-07-08', 'on leave until August', 'on leave until 2026-08'],
    ['2026-07-08', 'dropped at the end of the month', 'dropped on 2026-07-31'],
    ['2026-07-08', 'runs out at the end of September', 'runs out on 2026-09-30'],
    ['2026-07-08', 'QA is out next week', 'QA is out in the week of 2026-07-13'],
    ['2026-07-08', 'it moves next month', 'it moves in 2026-08'],
    ['2026-07-08', 'it ends next quarter', 'it ends in Q4 2026'],
    ['2026-07-08', 'closed from Monday until the 24th', 'closed from 2026-07-13 to 2026-07-24'],
    ['2026-07-08', 'the day after tomorrow we ship', 'On 2026-07-10 we ship'],
    ['2026-07-08', 'switched off in two weeks, on July 22', 'switched off on 2026-07-22'],
    ['2026-07-08', 'the call is next Tuesday at 10am', 'the call is on 2026-07-14 10:00'],
    ['2026-07-08', 'no support for Node 18 at the end of the month', 'no support for Node 18 on 2026-07-31'],
    ['2026-07-08', 'ends on May 3rd, 2027', 'ends on 2027-05-03'],
    ['2026-07-08', 'a entrega é na sexta-feira', 'a entrega é em 2026-07-10'],
    ['2026-07-08', 'depois de amanhã tem vistoria', '2026-07-10 tem vistoria'],
    ['2026-07-08', 'a auditoria é na semana que vem', 'a auditoria é na semana de 2026-07-13'],
    ['2026-07-08', 'vamos desligar no fim do mês', 'vamos desligar em 2026-07-31'],
    ['2026-07-08', 'vence no próximo mês', 'vence em 2026-08'],
    ['2026-07-08', 'a entrega é dia 20', 'a entrega é em 2026-07-20'],
    ['2026-07-08', 'a virada é no dia 1º de agosto', 'a virada é em 2026-08-01'],
    ['2026-07-08', 'de 20 a 31 de julho', 'de 2026-07-20 a 2026-07-31'],
    ['2026-07-08', 'começa em setembro', 'começa em 2026-09'],
    ['2026-07-08', 'até 15/08', 'até 2026-08-15'],
    ['2026-07-08', 'vence daqui a duas semanas', 'vence em 2026-07-22'],
  ] as const) {
    it(`on ${day}, "${text}" is "${expected}"`, () => assert.equal(absoluteDates(text, on(day)), expected));
  }

  it('crosses the ends of months and years', () => {
    assert.equal(absoluteDates('the demo is tomorrow', on('2026-12-31', '23:59')), 'the demo is on 2027-01-01');
    assert.equal(absoluteDates('ends next month', on('2026-12-15')), 'ends in 2027-01');
    assert.equal(absoluteDates('due in 3 weeks', on('2026-12-20')), 'due 2027-01-10');
    assert.equal(absoluteDates('amanhã', on('2028-02-28')), '2028-02-29');
    assert.equal(absoluteDates('amanhã', on('2026-02-28')), '2026-03-01');
    assert.equal(absoluteDates('until January 5', on('2026-12-30')), 'until 2027-01-05');
  });

  it('counts whole days on the day a clock is changed', () => {
    assert.equal(absoluteDates('the demo is tomorrow', on('2026-03-28', '23:30')), 'the demo is on 2026-03-29');
    assert.equal(absoluteDates('the demo is tomorrow', on('2026-03-29', '00:30')), 'the demo is on 2026-03-30');
    assert.equal(absoluteDates('due in two weeks', on('2026-10-24', '23:30')), 'due 2026-11-07');
    assert.equal(absoluteDates('due on Sunday', on('2026-10-31', '01:30')), 'due 2026-11-01');
  });

  it('looks back when the sentence tells of the past', () => {
    assert.equal(absoluteDates('we had this bug in January', on('2026-04-13')), 'we had this bug in 2026-01');
    assert.equal(absoluteDates('since the incident in February', on('2026-05-06')), 'since the incident in 2026-02');
    assert.equal(absoluteDates('we decided on Monday', on('2026-07-08')), 'we decided on 2026-07-06');
    assert.equal(absoluteDates('decidimos na segunda', on('2026-07-08')), 'decidimos em 2026-07-06');
    assert.equal(absoluteDates('as of June 1 it is primary', on('2026-07-08')), 'as of 2026-06-01 it is primary');
  });

  for (const text of [
    "today's build is broken",
    "new rule after yesterday's outage",
    'rotated every Monday morning',
    'no deploys on Fridays',
    'o deploy só acontece às terças e quintas',
    'cai todo dia às 22h',
    'the Friday freeze is over',
    'Black Friday is coming',
    'data is deleted within 30 days',
    'ten years of Go',
    'on ten year old tablets',
    'it may change',
    'at 3 am on port 5544',
    '4/5 tests passed',
    'on 9/12 or on 12/9',
    'I ran it 5 minutes ago',
    'a segunda opção',
    'na quinta tentativa',
    'hoje em dia ninguém usa',
    'write "today" in the release notes',
    'code freeze from 2026-04-20 to 2026-05-04',
    'version 2.10.3 and node 18',
    'nothing here',
    '',
  ]) {
    it(`leaves "${text}" as it is`, () => {
      assert.equal(absoluteDates(text, on('2026-07-08')), text);
      assert.equal(hasRelativeDate(text), false);
    });
  }

  it('says whether a text depends on the day it was written', () => {
    assert.equal(hasRelativeDate('the demo is tomorrow'), true);
    assert.equal(hasRelativeDate('launch on May 12'), true);
    assert.equal(hasRelativeDate('entrega na sexta'), true);
    assert.equal(hasRelativeDate('launch on 2026-05-12'), false);
    assert.equal(hasRelativeDate('launch on May 12, 2027'), false);
  });

  it('keeps the lines of a text apart', () => {
    const text = 'the demo is tomorrow\n\nnothing on this line\nfreeze starts this Friday';
    assert.equal(
      absoluteDates(text, on('2026-07-08')),
      'the demo is on 2026-07-09\n\nnothing on this line\nfreeze starts on 2026-07-10',
    );
  });

  const phrase = fc.constantFrom(
    'the demo is',
    'ends',
    'starts',
    'we ship',
    'until',
    'tomorrow',
    'this Friday',
    'next week',
    'in two weeks',
    'at the end of the month',
    'on May 12',
    'in October',
    'the 24th',
    'Q3',
    'next quarter',
    'and then',
    ', ',
    '. ',
    'a entrega é',
    'amanhã',
    'na sexta-feira',
    'semana que vem',
    'no fim do mês',
    'dia 15',
    'em julho',
    'version 2',
    '18',
    '2026-03-04',
    'every Monday',
    '"',
    "'s build",
    '7/9',
    'last Monday',
    'ontem',
  );

  it('changes nothing more the second time, and leaves no relative date behind', () => {
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 9 }), fc.integer({ min: 0, max: 20_000 }), (words, day) => {
        const at = day * 86_400_000;
        const once = absoluteDates(words.join(' '), at);
        assert.equal(absoluteDates(once, at), once);
        assert.equal(hasRelativeDate(once), false, once);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same answer in every time zone of the machine', function () {
    this.timeout(60_000);
    const script = `
      const { absoluteDates } = require(${JSON.stringify(join(__dirname, '../../../src/core/sessions/signals.ts'))});
      const at = Date.parse('2026-07-08T23:30:00Z');
      console.log(['the demo is tomorrow', 'due on Friday', 'in two weeks', 'no fim do mês', 'July 9', 'dia 9'].map((text) => absoluteDates(text, at)).join('|'));`;
    const answers = ['UTC', 'America/Sao_Paulo', 'Pacific/Kiritimati'].map((zone) => {
      const run = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      });
      assert.equal(run.status, 0, run.stderr);
      return run.stdout.trim();
    });
    assert.deepEqual(
      new Set(answers),
      new Set(['the demo is on 2026-07-09|due 2026-07-10|2026-07-22|2026-07-31|2026-07-09|2026-07-09']),
    );
  });
});
