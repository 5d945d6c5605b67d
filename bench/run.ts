// `npm run bench`: every figure beside its limit, one JSON object a line. Each part runs in a process of its own, one after
// the other. `npm run bench -- scan host` runs some. Exit status 1 when a figure is beyond its limit.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

const parts = ['scan', 'transcripts', 'chats', 'sizes', 'idle', 'dream', 'review', 'hook', 'host'];
const wanted = process.argv.slice(2);

async function run(part: string): Promise<boolean> {
  console.log(`# ${part}`);
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, `${part}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data;
    process.stdout.write(data);
  });
  const status = await new Promise((done) => child.once('close', done));
  return status === 0 && !text.includes('"ok":false');
}

async function main(): Promise<void> {
  let ok = true;
  for (const part of wanted.length > 0 ? wanted : parts) ok = (await run(part)) && ok;
  process.exitCode = ok ? 0 : 1;
}

void main();
