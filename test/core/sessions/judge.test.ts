import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readPrompts, scoreSignals } from '../../../bench/signals';
import { trainJudge } from '../../../scripts/trainJudge';
import { findSignals } from '../../../src/core/sessions/signals';
import { createJudge, decide, type Judge, judge, verdicts } from '../../../src/core/sessions/signals/judge';
import learned from '../../../src/core/sessions/signals/judge.json';

const at = Date.UTC(2026, 2, 10);
const never: Judge = () => ({ keep: 0, outright: 0, type: 'project' });
const always: Judge = () => ({ keep: 1, outright: 1, type: 'reference' });

describe('the judge of sentences', () => {
  it('adds the weights of the marks it knows, whatever others there are', () => {
    const bytes = Int8Array.from([10, 0, 0, 0, 0, 5, -10, 10, 0, 9, 0, 0]);
    const own = createJudge({
      features: 'always\ntoday',
      weights: Buffer.from(bytes.buffer).toString('base64'),
      step: 0.1,
      bias: [0, 0, 0, 0, 0.1, 0],
    });
    assert.deepEqual(own(new Set(['unknown']), 0, 0), { keep: 0.5, outright: 0.5, type: 'project' });
    const known = own(new Set(['always', 'unknown']), 0, 0);
    assert.ok(Math.abs(known.keep - 1 / (1 + Math.exp(-1))) < 1e-9);
    assert.equal(known.type, 'reference');
    assert.deepEqual(own(new Set(['always', 'today']), 0, 0).type, 'feedback');
  });

  it('is shipped with one weight for each mark and verdict, and no mark twice', () => {
    const marks = learned.features.split('\n');
    assert.equal(new Set(marks).size, marks.length);
    assert.equal(Buffer.from(learned.weights, 'base64').length, marks.length * verdicts.length);
    assert.equal(learned.bias.length, verdicts.length);
  });

  it('says of any marks something that is a probability', () => {
    for (const marks of [[], ['order'], learned.features.split('\n')]) {
      const { keep, outright } = judge(new Set(marks), 0, 0);
      for (const value of [keep, outright]) assert.ok(value >= 0 && value <= 1);
    }
  });

  it('takes back what a rule found when it is far from it, and saves by itself only what is likely and said outright', () => {
    const rule = { id: 'standing-rule', type: 'feedback', explicit: true } as const;
    const hint = { id: 'plan-or-decision', type: 'project', explicit: false } as const;
    assert.equal(decide(rule, { keep: 0.01, outright: 1, type: 'feedback' }), undefined);
    assert.equal(decide(rule, { keep: 0.9, outright: 0.9, type: 'feedback' })?.explicit, true);
    assert.equal(decide(hint, { keep: 0.9, outright: 0.05, type: 'project' })?.explicit, false);
    assert.equal(decide(undefined, { keep: 0.1, outright: 1, type: 'project' }), undefined);
    assert.equal(decide(undefined, { keep: 0.99, outright: 0.05, type: 'project' })?.explicit, false);
    assert.equal(decide(undefined, { keep: 0.99, outright: 0.99, type: 'project' })?.explicit, true);
  });

  it('never argues with who asks to remember, and never saves by itself what nobody says to have it kept', () => {
    assert.equal(
      findSignals({ text: 'Remember: run the linter before you commit', at }, never).signals[0]?.explicit,
      true,
    );
    const deadline = { id: 'date-ahead', type: 'project', explicit: false } as const;
    assert.equal(decide(deadline, { keep: 1, outright: 1, type: 'project' })?.explicit, false);
  });

  it('is never asked about questions, ideas, other people’s words and what a document says', () => {
    const texts = [
      'Should we use tabs in this project?',
      'Maybe we use tabs at some point',
      'The linter says we use tabs in this project',
      `# Plan\n\n${'We use tabs in this project. '.repeat(30)}\n\n# More\n\nWe use tabs.`,
      '```\nWe use tabs in this project\n```',
    ];
    for (const text of texts) assert.deepEqual(findSignals({ text, at }, always).signals, [], text);
    assert.equal(findSignals({ text: 'The tabs are eight wide over here', at }, always).signals.length, 1);
    assert.equal(findSignals({ text: 'From now on always use tabs', at }, never).signals.length, 0);
  });

  it('finds what is said in a frame that no rule knows', () => {
    const texts = [
      'we’re a pnpm shop',
      'British spelling in user-facing copy, no exceptions',
      'prod = eu-west-1, dr = eu-central-1',
    ];
    assert.ok(
      texts.some((text) => findSignals({ text, at }).signals.some(({ rule }) => rule.startsWith('reads-like-'))),
    );
  });

  it('does on labelled prompts that no training saw what we ask of the offline rules', () => {
    const { score } = scoreSignals(readPrompts(join(import.meta.dirname, '../../../bench/prompts/held/held.jsonl')));
    assert.ok((score.saved.precision ?? 0) >= 0.9, `precision of what is saved: ${score.saved.precision}`);
    assert.ok((score.suggested.precision ?? 0) >= 0.6, `precision of suggestions: ${score.suggested.precision}`);
    assert.ok((score.recallExplicit ?? 0) >= 0.7, `recall of what was said outright: ${score.recallExplicit}`);
    assert.ok((score.recallAll ?? 0) >= 0.6, `recall of all: ${score.recallAll}`);
  });

  const corpus = process.env.REVERIE_CORPUS;
  it(`is what training gives${corpus ? '' : ' (skipped: set REVERIE_CORPUS to the folder with the shared data)'}`, function () {
    if (!corpus) return this.skip();
    const trained = trainJudge(join(corpus, 'extraction/prompts.jsonl'));
    const howTo = 'what the judge hears has changed: train it anew with scripts/trainJudge.ts --also';
    assert.ok(trained.features === learned.features && trained.weights === learned.weights, howTo);
    assert.deepEqual(trained.bias, learned.bias);
    return undefined;
  }).timeout(60_000);
});
