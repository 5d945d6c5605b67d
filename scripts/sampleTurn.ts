// Lets a chat session of the sample go on, as if somebody had typed something in Claude Code and got an answer: what `npm start`
// opened sees a finished turn. It appends to that one transcript and touches nothing else.
//   npm run sample:turn -- "From now on, never mock the store in tests."      [--file TRANSCRIPT] [--answer TEXT]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { appendTurn, type Sample } from '../test/support/sample';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, answer: { type: 'string', default: 'Understood.' } },
});
const text = positionals.join(' ');
const file = values.file ?? lastStarted();
if (text === '' || file === undefined) {
  console.error(
    text === '' ? 'say something: npm run sample:turn -- "text"' : 'npm start has no chat session to go on with',
  );
  process.exit(2);
}
appendTurn(file, (talk) => talk.human(text).assistant(values.answer).turnEnd());
console.log(`added to ${file}`);

/** The newest session of the sample that `npm start` opened last. */
function lastStarted(): string | undefined {
  const sample = JSON.parse(readFileSync(join(__dirname, '../out/start.json'), 'utf8')) as Sample;
  return sample.sessions.at(-1)?.file;
}
