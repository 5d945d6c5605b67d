// What the prompt cache saves, request by request: two extractions of one growing session by a scripted model behind a
// loopback Messages API server with the documented cache accounting. No real model, no real tokens: the server's estimate.
//   npm run bench:cache        REVERIE_CORPUS: a shared session of 1.4 MB; without it, one that is made here

import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAnthropicModel } from '../src/core/agent/anthropicModel';
import type { Project } from '../src/core/project';
import { estimateTokens } from '../src/core/tokens';
import { type MessagesServer, type Received, type Reply, startMessagesServer } from '../test/support/messagesServer';
import { providerOf } from '../test/support/scriptedModel';
import { createTempProject } from '../test/support/tempProject';
import { transcript, uuidOf } from '../test/support/transcripts';
import { figure } from './figure';

const memories = 60;
const firstPart = 0.9;

function madeSession(): string {
  let talk = transcript(uuidOf('cache'), '/home/lena/shop');
  for (let turn = 0; turn < 40; turn += 1) {
    talk = talk
      .human(`Question ${turn}: ${'how does the checkout handle a voucher that has expired '.repeat(6)}?`)
      .tool('Read', { file_path: `/home/lena/shop/src/file${turn}.ts` }, 'x'.repeat(30_000))
      .assistant(`Answer ${turn}: ${'the voucher service asks the ledger and then says so '.repeat(12)}.`)
      .turnEnd();
  }
  return talk.text();
}

async function session(): Promise<{ readonly name: string; readonly lines: readonly string[] }> {
  const corpus = process.env.REVERIE_CORPUS;
  if (!corpus) return { name: 'a made session', lines: madeSession().trimEnd().split('\n') };
  const file = join(corpus, 'transcripts/episodic-memory/large-conversation.jsonl');
  return { name: 'a shared session', lines: (await readFile(file, 'utf8')).trimEnd().split('\n') };
}

const memoryText = (title: string) =>
  `---\nname: ${title}\ndescription: ${title}, as it was decided for the shop\nmetadata:\n  type: project\n  sources: [1]\n---\n${title} holds.\n`;

/** Two turns: reads side by side, then writes side by side; then a word. */
function script(): (received: Received) => Reply {
  let request = 0;
  return () => {
    const step = request % 3;
    const run = Math.floor(request / 3);
    request += 1;
    const eight = Array.from({ length: 8 }, (_, at) => at);
    if (step === 0) {
      return {
        text: 'Reading.',
        calls: eight.map((at) => ({ name: 'Read', input: { file_path: `project-topic-${at}.md` } })),
      };
    }
    if (step === 2) return { text: 'Kept two memories.' };
    return {
      calls: ['Vouchers', 'Ledger'].map((title) => ({
        name: 'Write',
        input: { file_path: `project-${title.toLowerCase()}-${run}.md`, content: memoryText(`${title} rule ${run}`) },
      })),
    };
  };
}

const input = ({ usage }: Received) =>
  usage ? usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens : 0;
const read = ({ usage }: Received) => usage?.cache_read_input_tokens ?? 0;
const cacheable = ({ usage }: Received) =>
  usage ? usage.cache_read_input_tokens + usage.cache_creation_input_tokens : 0;

function taskOf({ body }: Received): string {
  const { messages } = body as { messages: { content: { text?: string }[] }[] };
  return messages.at(-1)?.content.at(-1)?.text ?? '';
}

async function extract(project: Project, server: MessagesServer): Promise<readonly Received[]> {
  const from = server.received.length;
  for (const one of await project.behind()) {
    const outcome = await project.extract(one, 'command');
    if (outcome.outcome === 'failed') throw new Error(String(outcome.reason));
  }
  return server.received.slice(from);
}

function print(run: number, requests: readonly Received[]): void {
  for (const [at, request] of requests.entries()) {
    const { usage } = request;
    console.log(
      JSON.stringify({
        run,
        request: at + 1,
        input: usage?.input_tokens,
        cacheRead: read(request),
        cacheWrite: usage?.cache_creation_input_tokens,
        output: usage?.output_tokens,
      }),
    );
  }
}

async function main(): Promise<void> {
  const temp = await createTempProject();
  const server = await startMessagesServer({ turns: script() });
  try {
    const { name, lines } = await session();
    const model = createAnthropicModel({ id: 'scripted', baseUrl: server.url, apiKey: undefined });
    const project = await temp.open({ provider: providerOf(model) });
    await project.behind();
    await mkdir(temp.memoryDir, { recursive: true });
    const titles = Array.from({ length: memories }, (_, at) => `Topic ${at}`);
    for (const [at, title] of titles.entries()) await temp.put(`project-topic-${at}.md`, memoryText(title));
    await temp.put(
      'MEMORY.md',
      titles.map((title, at) => `- [${title}](project-topic-${at}.md) — as decided\n`).join(''),
    );

    const file = join(temp.transcriptDir, `${uuidOf('cache')}.jsonl`);
    const cut = Math.floor(lines.length * firstPart);
    await writeFile(file, `${lines.slice(0, cut).join('\n')}\n`);
    const first = await extract(project, server);
    await appendFile(file, `${lines.slice(cut).join('\n')}\n`);
    server.advance(60_000);
    const second = await extract(project, server);

    console.log(
      `# ${name}, ${lines.length} records, ${memories} memories; the second extraction a minute after the first`,
    );
    print(1, first);
    print(2, second);
    const [opening] = first;
    const [reopening] = second;
    if (!opening || !reopening) throw new Error('A run made no request.');
    const later = [first, second].flatMap((run) =>
      run.slice(1).map((request, at) => read(request) / cacheable(run[at] as Received)),
    );
    // The task at the end is marked too, and is another one each time: it is no part of what can be found again.
    const digest = cacheable(opening) - estimateTokens(taskOf(opening));
    figure('first request', input(opening), { atMost: 30_000 }, 'tokens');
    figure(
      'later requests of a run: cache read of what the one before could keep, lowest',
      Math.min(...later),
      { atLeast: 0.98 },
      'share',
    );
    figure(
      'second extraction: cache read of the first one’s digest and all before it',
      read(reopening) / digest,
      { atLeast: 0.9 },
      'share',
    );
  } finally {
    await server.close();
    await temp.remove();
  }
}

void main();
