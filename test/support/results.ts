// Test results as JSON lines: the same from every mocha run, outside and inside a host, so that one reader counts them all.
// A file without an `end` line is a run that never came to its end; the reader says so and never takes it for a success.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Runner } from 'mocha';

export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly hasEnded: boolean;
  readonly failures: readonly { readonly title: string; readonly stack: string }[];
}

type Line =
  | { readonly event: 'start' | 'end' }
  | { readonly event: 'pass' | 'skip' | 'fail'; readonly title: string; readonly ms?: number; readonly stack?: string };

/** Appends a line for each test of `runner` to `file`. */
export function recordResults(runner: Runner, file: string): void {
  const put = (line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  runner.once('start', () => put({ event: 'start' }));
  runner.on('pass', (test) => put({ event: 'pass', title: test.fullTitle(), ms: test.duration ?? 0 }));
  runner.on('pending', (test) => put({ event: 'skip', title: test.fullTitle() }));
  runner.on('fail', (test, error: Error) => {
    put({ event: 'fail', title: test.fullTitle(), stack: error.stack ?? `${error}` });
  });
  runner.once('end', () => put({ event: 'end' }));
}

/** A missing file is a run without an end. */
export function readResults(file: string): Results {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const of = (event: Line['event']): number => lines.filter((line) => line.event === event).length;
  const failures = lines.flatMap((line) =>
    line.event === 'fail' ? [{ title: line.title, stack: line.stack ?? '' }] : [],
  );
  return { passed: of('pass'), failed: of('fail'), skipped: of('skip'), hasEnded: of('end') === 1, failures };
}
