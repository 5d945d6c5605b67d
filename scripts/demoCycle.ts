// Shows in the terminal what Reverie does: a sample chat session is read, what is worth keeping becomes a file, and the
// file says where it came from. Everything happens in a temporary folder and is gone afterwards; nothing is sent.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSample } from '../test/support/sample';

const root = join(__dirname, '..');
const began = Date.now();
const base = mkdtempSync(join(tmpdir(), 'reverie-demo-'));

try {
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'ignore' });
  show();
} finally {
  rmSync(base, { recursive: true, force: true });
}

function show(): void {
  const sample = createSample(base, { hasMemories: false });
  const say = (text: string) => console.log(`\n\u001b[1m${text}\u001b[0m`);
  const reverie = (...words: string[]): string => {
    console.log(`\u001b[2m$ reverie ${words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}\u001b[0m`);
    const text = execFileSync(
      process.execPath,
      [join(root, 'dist/cli.js'), ...words, '--config-dir', sample.configDir],
      {
        cwd: sample.project,
        encoding: 'utf8',
      },
    );
    process.stdout.write(text);
    return text;
  };

  say('1. Five chats with an assistant took place in this project. Some of what a person typed in them:');
  for (const prompt of promptsOf(sample.sessions.map((session) => session.file)).slice(0, 6))
    console.log(`   > ${prompt}`);

  say('2. Reverie reads them. What was said outright is kept; what was only meant waits as a suggestion.');
  reverie('extract', '--all');

  say('3. What is remembered now:');
  reverie('list');

  say('4. A memory is a file that you own. It says which chat and which message it came from:');
  const [first] = (
    JSON.parse(reverieJson(sample.project, sample.configDir, 'list')) as { memories: { path: string }[] }
  ).memories;
  console.log(`\u001b[2m$ cat ${first?.path}\u001b[0m`);
  console.log(readFileSync(join(sample.memoryDir, first?.path ?? ''), 'utf8').trimEnd());

  say('5. It comes back when it matters:');
  reverie('recall', 'should I use npm or pnpm here');

  say('6. And it goes away again:');
  reverie('undo');

  console.log(
    `\nDone in ${((Date.now() - began) / 1000).toFixed(1)} s, offline. Nothing was sent; the temporary folder is gone.`,
  );
}

function reverieJson(cwd: string, configDir: string, command: string): string {
  const args = [join(root, 'dist/cli.js'), command, '--json', '--config-dir', configDir];
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });
}

/** What people typed, one line each. */
function promptsOf(files: readonly string[]): string[] {
  return files
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as { type?: string; isMeta?: boolean; message?: { content?: unknown } })
    .filter((record) => record.type === 'user' && !record.isMeta && typeof record.message?.content === 'string')
    .map((record) => String(record.message?.content).replace(/\s+/g, ' '))
    .filter((text) => !text.startsWith('<'))
    .map((text) => (text.length > 110 ? `${text.slice(0, 109)}…` : text));
}
