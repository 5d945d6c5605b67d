// How fast transcripts are read, and how little of a large one is read again: `node --import tsx bench/transcripts.ts`.
// Prints one JSON object a line: {name, value, limit, unit, ok}. Works on transcripts it makes, shaped as real ones are
// (most bytes are tool output, one record in three is progress), in a temporary folder that it removes.

import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../src/core/disk';
import { readTranscript } from '../src/core/sessions/claudeCode';
import { summarizeTranscript } from '../src/core/sessions/sessionSummary';
import type { TranscriptPosition } from '../src/core/sessions/transcript';
import { type Transcript, transcript, uuidOf } from '../test/support/transcripts';
import { figure, median } from './figure';

const megabyte = 1024 * 1024;
const runs = 7;

/** One turn of about 60 KB: a prompt, five tools with their progress, an answer. */
function turn(said: Transcript, number: number): Transcript {
  const code = `  if (value === "${number}") {\n    return { ok: true, text: 'naïve', path: "C:\\\\tmp" };\n  }\n`;
  said.human(`Prompt ${number}: please look at the cache and tell me why it is slow.`);
  for (let step = 0; step < 5; step += 1) {
    said.assistant(`Looking at part ${step}. ${'Some words of the model. '.repeat(20)}`);
    said.tool(
      'Bash',
      { command: `make part-${step}`, description: 'Builds a part' },
      code.repeat(40 + ((number * step) % 30)),
    );
    for (let tick = 0; tick < 4; tick += 1) {
      said.raw({
        parentUuid: said.lastUuid(),
        isSidechain: false,
        cwd: said.cwd,
        sessionId: said.sessionId,
        type: 'progress',
        data: { type: 'bash_progress', output: code.repeat(3), elapsedTimeSeconds: tick },
        toolUseID: `bash-progress-${tick}`,
        uuid: uuidOf(`progress ${number} ${step} ${tick}`),
        timestamp: new Date(said.lastAt()).toISOString(),
      });
    }
  }
  return said.assistant('It is slow because every lookup opens the file again.').turnEnd();
}

function generate(file: string, bytes: number): void {
  const fd = openSync(file, 'w');
  let written = 0;
  for (let part = 0; written < bytes; part += 1) {
    const said = transcript(`part ${part}`, '/repo');
    for (let number = 0; number < 20; number += 1) turn(said, part * 20 + number);
    written += writeSync(fd, said.text());
  }
  closeSync(fd);
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The plain way: the whole file, cut at LF, each line parsed and thrown away. */
function parseLines(file: string): void {
  const bytes = readFileSync(file);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    JSON.parse(bytes.toString('utf8', from, end));
    from = end + 1;
  }
}

async function speed(file: string): Promise<void> {
  const ways = {
    plain: () => parseLines(file),
    read: () => readTranscript(nodeDisk, file),
    count: () => summarizeTranscript(nodeDisk, file, { prompts: true }),
  };
  const times = { plain: [] as number[], read: [] as number[], count: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    for (const way of ['plain', 'read', 'count'] as const) times[way].push(await time(ways[way]));
  }
  const size = `${Math.round(statSync(file).size / megabyte)} MB`;
  const plain = median(times.plain);
  figure(`reading ${size}, speed over JSON.parse of each line`, plain / median(times.read), { atLeast: 0.8 }, 'ratio');
  figure(
    `counting ${size}, speed over JSON.parse of each line`,
    plain / median(times.count),
    { atLeast: 0.8 },
    'ratio',
  );
}

/** In a process of its own, so that only this reading is measured. */
async function child(file: string, after: TranscriptPosition | undefined): Promise<void> {
  const before = process.resourceUsage().maxRSS;
  const reading = await readTranscript(nodeDisk, file, after);
  const peak = process.resourceUsage().maxRSS - before;
  const { bytesRead, position, messages } = reading;
  console.log(JSON.stringify({ bytesRead, position, messages: messages.length, peakMb: peak / 1024 }));
}

function inChild(file: string, after?: TranscriptPosition) {
  const own = process.argv[1] ?? '';
  const args = ['--import', 'tsx', own, '--child', file, ...(after ? [JSON.stringify(after)] : [])];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { bytesRead: number; position: TranscriptPosition; messages: number; peakMb: number };
}

function newTurn(file: string): void {
  const whole = inChild(file);
  const size = `${Math.round(statSync(file).size / megabyte)} MB`;
  figure(`reading ${size} whole, peak memory growth`, whole.peakMb, { atMost: 300 }, 'MB');
  const added = turn(transcript('new turn', '/repo'), 1).text();
  appendFileSync(file, added);
  const bytes = Buffer.byteLength(added);
  const next = inChild(file, whole.position);
  if (next.messages === 0) throw new Error('the new turn was not read');
  figure(
    `one new turn of ${bytes} bytes in ${size}, bytes read`,
    next.bytesRead,
    { atMost: 2 * bytes + 64 * 1024 },
    'B',
  );
  figure(`one new turn in ${size}, peak memory growth`, next.peakMb, { atMost: 150 }, 'MB');
}

async function main(): Promise<void> {
  const [mode, file, after] = process.argv.slice(2);
  if (mode === '--child' && file) return child(file, after ? JSON.parse(after) : undefined);
  const folder = mkdtempSync(join(tmpdir(), 'bench-transcripts-'));
  try {
    const medium = join(folder, 'medium.jsonl');
    generate(medium, 50 * megabyte);
    await speed(medium);
    const large = join(folder, 'large.jsonl');
    generate(large, 200 * megabyte);
    newTurn(large);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
