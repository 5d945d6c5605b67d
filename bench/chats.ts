// What reading one of VS Code's chats of 30 MB costs: how much memory grows, how long others wait, and how little of it is read
// again: `node --import tsx bench/chats.ts`. One JSON object a line: {name, value, limit, unit, ok}. Works on chats it makes, in
// every form that they lie in, in a temporary folder that it removes.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../src/core/disk';
import { chatPlaces } from '../src/core/sessions/chatStorage';
import { openVscodeChats } from '../src/core/sessions/vscodeChat';
import { type AskOptions, type VscodeChat, vscodeChat } from '../test/support/vscodeChats';
import { figure } from './figure';

const megabyte = 1024 * 1024;
const size = 30 * megabyte;
const code = '  if (value === "x") {\n    return { ok: true, text: \'naïve\', path: "C:\\\\tmp" };\n  }\n';

/** What a tool brought, about as long as asked for. */
const toolPart = (bytes: number) => ({
  kind: 'toolInvocationSerialized',
  toolId: 'copilot_readFile',
  isComplete: true,
  resultDetails: { input: '{}', output: [{ value: code.repeat(Math.ceil(bytes / code.length)), isText: true }] },
});

function filled(seed: string, each: number, options: (each: number) => AskOptions): VscodeChat {
  const chat = vscodeChat(seed);
  for (let bytes = 0, number = 0; bytes < size * 1.25; bytes += each * 1.3, number += 1)
    chat.ask(`Question ${number}: please look at the cache and tell me why it is slow.`, options(each));
  return chat;
}

const withTools = (each: number): AskOptions => ({ parts: [toolPart(each)], answer: 'It opens the file again.' });
const withWords = (each: number): AskOptions => ({ answer: 'Some words of the model. '.repeat(each / 25) });

const forms: Readonly<Record<string, () => readonly [string, string]>> = {
  'one object': () => ['json', filled('flat', 40_000, withTools).flat()],
  'a log': () => ['jsonl', filled('log', 40_000, withTools).log()],
  'a log written anew': () => ['jsonl', filled('compact', 40_000, withTools).compact().log()],
  'one answer with a tool’s output of 30 MB': () => ['json', filled('huge', 30 * megabyte, withTools).flat()],
  'all words': () => ['json', filled('words', 100_000, withWords).flat()],
};

/** In a process of its own, so that only this reading is measured. */
async function child(file: string): Promise<void> {
  const home = dirname(dirname(file));
  const source = openVscodeChats({ places: chatPlaces({ workspace: join(home, 'own') }, []), disk: nodeDisk });
  // Loading is another figure.
  await import('../src/core/sessions/jsonPieces');
  global.gc?.();
  const before = process.memoryUsage().rss;
  let longest = 0;
  let largest = before;
  let last = performance.now();
  let lastCpu = process.cpuUsage();
  const watch = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(lastCpu);
    // What another program's work took of the time is not ours.
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    lastCpu = process.cpuUsage();
    last = now;
    largest = Math.max(largest, process.memoryUsage.rss());
  };
  const timer = setInterval(watch, 1);
  const began = performance.now();
  const session = await source.find(file);
  if (!session) throw new Error('it is no session');
  const reading = await source.read(session);
  const tookMs = performance.now() - began;
  watch();
  appendFileSync(
    file,
    '{"kind":2,"k":["requests"],"v":[{"requestId":"last","timestamp":1800000000000,"message":"And now?"}]}\n',
  );
  const next = file.endsWith('l') ? await source.read(session, reading.position) : undefined;
  clearInterval(timer);
  const peakMb = (Math.max(largest, process.resourceUsage().maxRSS * 1024) - before) / megabyte;
  const messages = reading.messages.length;
  console.log(
    JSON.stringify({ messages, peakMb, longest, tookMs, next: next?.bytesRead, news: next?.messages.length }),
  );
}

function inChild(file: string) {
  const args = ['--expose-gc', '--import', 'tsx', process.argv[1] ?? '', '--child', file];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<'messages' | 'peakMb' | 'longest' | 'tookMs' | 'next' | 'news', number>;
}

async function main(): Promise<void> {
  const [mode, file] = process.argv.slice(2);
  if (mode === '--child' && file) return child(file);
  const folder = mkdtempSync(join(tmpdir(), 'bench-chats-'));
  try {
    for (const [name, make] of Object.entries(forms)) {
      const [ending, text] = make();
      const path = join(folder, 'chatSessions', `chat.${ending}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const what = `${name}, ${Math.round(statSync(path).size / megabyte)} MB`;
      const { messages, peakMb, longest, tookMs, next, news } = inChild(path);
      if (messages === 0) throw new Error(`nothing was read of ${what}`);
      figure(`${what}: growth of memory`, peakMb, { atMost: 150 }, 'MB');
      figure(`${what}: longest time that others waited`, longest, { atMost: 100 }, 'ms');
      figure(`${what}: time to read`, tookMs, { atMost: 5000 }, 'ms');
      if (next !== undefined) {
        if (news !== 1) throw new Error('the new question was not read');
        figure(`${what}: bytes read for one more question`, next, { atMost: 64 * 1024 }, 'B');
      }
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
