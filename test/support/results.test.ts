// The reader of results decides whether a run was good: it must never take a run that broke off for a good one.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readResults } from './results';

describe('the reader of test results', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reverie-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (...lines: readonly object[]): string => {
    const file = join(folder, 'results.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };

  it('counts what passed, failed and was skipped', () => {
    const fail = { event: 'fail', title: 'b', stack: 'Error: boom' };
    const file = write(
      { event: 'start' },
      { event: 'pass', title: 'a' },
      fail,
      { event: 'skip', title: 'c' },
      { event: 'end' },
    );
    assert.deepEqual(readResults(file), {
      passed: 1,
      failed: 1,
      skipped: 1,
      hasEnded: true,
      failures: [{ title: 'b', stack: 'Error: boom' }],
    });
  });

  it('says that a run without its last line has not ended', () => {
    assert.equal(readResults(write({ event: 'start' }, { event: 'pass', title: 'a' })).hasEnded, false);
  });

  it('says that a run without a file has not ended', () => {
    assert.equal(readResults(join(folder, 'missing')).hasEnded, false);
  });
});
