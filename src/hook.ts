// One hook of Claude Code, as a process of its own: a hook's JSON on standard input, its answer on standard output, nothing
// else there whatever happens, and always exit status 0 within a few seconds. Loaded alone: somebody waits for each of its
// milliseconds. With REVERIE_DEBUG set it says on standard error what it did.

import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { blockingDisk } from './core/disk';
import { answerHook } from './core/hooks/answerHook';
import { type Logger, silentLogger } from './core/log';

/** A prompt that is not answered by then goes on without memory. */
const patienceMs = 4_000;
/** A longer input is read to its end, so that nobody writes into a closed pipe, and left unanswered. */
const largestInput = 32 * 1024 * 1024;

const debugLogger: Logger = (() => {
  const say = (message: string | Error) => void process.stderr.write(`reverie hook: ${message}\n`);
  return { trace: say, debug: say, info: say, warn: say, error: say };
})();

/** Never rejects. */
export async function runHook(): Promise<void> {
  const log = process.env.REVERIE_DEBUG ? debugLogger : silentLogger;
  const patience = setTimeout(() => {
    log.debug('It took too long.');
    process.exit(0);
  }, patienceMs);
  try {
    const text = await readInput();
    const surroundings = { env: process.env, homeDir: homedir(), disk: blockingDisk, now: Date.now, log };
    const answer = text === undefined ? '' : await answerHook(text, surroundings);
    if (answer !== '') writeAnswer(answer);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
  } finally {
    clearTimeout(patience);
    process.stdin.destroy();
  }
}

/** `undefined` when there is none, or more than could be a hook's. */
function readInput(): Promise<string | undefined> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve(undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    stdin.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestInput) chunks.push(chunk);
      else chunks.length = 0;
    });
    stdin.on('error', reject);
    stdin.on('end', () => resolve(size > largestInput ? undefined : Buffer.concat(chunks).toString('utf8')));
  });
}

/** In place, as the stream takes a tenth of a bare process to be set up; where the other end does not keep up, the stream. */
function writeAnswer(text: string): void {
  let left = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') process.stdout.on('error', () => {}).write(left);
    else throw error;
  }
}

/** For a process that does nothing else. */
export function runAlone(): void {
  // A run of a tenth of a second is over before optimised code pays: measured, it costs a third of the time.
  setFlagsFromString('--no-opt');
  process.on('uncaughtException', () => process.exit(0));
  void runHook();
}

if (require.main === module) runAlone();
