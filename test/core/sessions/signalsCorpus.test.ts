// The bars of the offline rules, over labelled prompts that lie outside the project. Measured the same way by `npm run bench:signals`.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPrompts, scoreSignals } from '../../../bench/signals';

const corpus = process.env.REVERIE_CORPUS;
const file = corpus === undefined ? '' : join(corpus, 'extraction', 'prompts.jsonl');
const why = corpus
  ? existsSync(file)
    ? ''
    : ' (skipped: no extraction/prompts.jsonl there)'
  : ' (skipped: REVERIE_CORPUS names no data folder)';

describe(`the offline rules over labelled prompts${why}`, function () {
  this.timeout(60_000);
  const test = why === '' ? it : it.skip;

  test('what is saved by itself is right nine times in ten', () => {
    const { score } = scoreSignals(readPrompts(file));
    assert.ok((score.saved.precision ?? 0) >= 0.9, JSON.stringify(score.saved));
  });

  test('seven of ten things asked for in so many words are saved', () => {
    const { score } = scoreSignals(readPrompts(file));
    assert.ok((score.recallExplicit ?? 0) >= 0.7, String(score.recallExplicit));
  });

  test('six of ten suggestions are worth the look', () => {
    const { score } = scoreSignals(readPrompts(file));
    assert.ok((score.suggested.precision ?? 0) >= 0.6, JSON.stringify(score.suggested));
  });

  test('six of ten things worth keeping are saved or suggested, in each language', () => {
    const prompts = readPrompts(file);
    for (const lang of ['en', 'pt']) {
      const { score } = scoreSignals(prompts.filter((prompt) => prompt.lang === lang));
      assert.ok((score.recallAll ?? 0) >= 0.6, `${lang} ${score.recallAll}`);
    }
  });

  test('nothing is saved by itself from prompts that hold nothing', () => {
    const { wrong } = scoreSignals(readPrompts(file).filter((prompt) => prompt.label === 'none'));
    assert.deepEqual(
      wrong.filter((one) => !one.saved.suggested),
      [],
    );
  });

  test('dates are absolute and every wish to forget is heard', () => {
    const { score } = scoreSignals(readPrompts(file));
    assert.ok(
      (score.dates.share ?? 0) >= 0.9 && (score.forget.share ?? 0) >= 0.9,
      JSON.stringify([score.dates, score.forget]),
    );
  });
});
