// The sample: a small project under git, and a config folder with the chat sessions and memories of somebody who works on it.
// Times are relative to the clock given, so that gates and ages look as they do in daily life. Everything lands below the
// folder given; it refuses to write anywhere else, and to overwrite a project that is there.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { slug } from '../../src/core/pathRules';
import { resumeTranscript, type Transcript, transcript, uuidOf } from './transcripts';

export interface SampleSession {
  readonly id: string;
  readonly title: string;
  readonly file: string;
}

export interface Sample {
  /** Real path of the project's root. */
  readonly project: string;
  readonly configDir: string;
  readonly transcriptDir: string;
  readonly memoryDir: string;
  /** Oldest first. */
  readonly sessions: readonly SampleSession[];
}

export interface SampleOptions {
  /** Default: `<folder>/config`. */
  readonly configDir?: string;
  /** Milliseconds; default: the machine's clock. */
  readonly now?: number;
  /** Whether the memory folder has something in it already. Default true. */
  readonly hasMemories?: boolean;
  /** Whether there are past chat sessions. Default true. */
  readonly hasSessions?: boolean;
}

const fixtures = join(__dirname, '../fixtures/sample');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Age in days of each memory of the sample. One is stale, two say the same, one has front matter that can't be read. */
const memoryDays: Readonly<Record<string, number>> = {
  'MEMORY.md': 8,
  'keep-commits-small.md': 12,
  'onboarding.md': 60,
  'project_retries.md': 52,
  'reader-role.md': 26,
  'retry-budget.md': 45,
  'sensor-dashboards.md': 8,
};

/** Makes the sample in `folder`, which must exist: `<folder>/harbor` is the project. Needs `git`. */
export function createSample(folder: string, options: SampleOptions = {}): Sample {
  const now = options.now ?? Date.now();
  const configDir = options.configDir ?? join(folder, 'config');
  const draft = join(folder, 'harbor');
  mkdirSync(draft);
  cpSync(join(fixtures, 'project'), draft, { recursive: true });
  const project = realpathSync(draft);
  initRepository(project, now - 90 * dayMs);

  const transcriptDir = join(configDir, 'projects', slug(project));
  const memoryDir = join(transcriptDir, 'memory');
  mkdirSync(options.hasMemories === false ? transcriptDir : memoryDir, { recursive: true });
  if (options.hasMemories !== false) writeMemories(memoryDir, now);

  const sessions: SampleSession[] = [];
  for (const { title, talk } of options.hasSessions === false ? [] : sampleTalks(project, now)) {
    const file = join(transcriptDir, `${talk.sessionId}.jsonl`);
    talk.raw({ type: 'ai-title', sessionId: talk.sessionId, aiTitle: title });
    writeFileSync(file, talk.text());
    utimesSync(file, talk.lastAt() / 1000, talk.lastAt() / 1000);
    sessions.push({ id: talk.sessionId, title, file });
  }
  return { project, configDir, transcriptDir, memoryDir, sessions };
}

/** Appends what `say` adds to the session in `file`, as one write at `at` (default: now), and returns it. */
export function appendTurn(file: string, say: (talk: Transcript) => Transcript, at: number = Date.now()): Transcript {
  const talk = say(resumeTranscript(readFileSync(file, 'utf8'), { at }));
  appendFileSync(file, talk.text());
  return talk;
}

function initRepository(project: string, at: number): void {
  const env: NodeJS.ProcessEnv = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith('GIT_')) env[name] = value;
  const date = new Date(at).toISOString();
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Ada Lindqvist', '-c', 'user.email=ada@example.invalid'];
    execFileSync('git', [...who, ...args], {
      cwd: project,
      env: { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Take in readings and show them');
}

function writeMemories(memoryDir: string, now: number): void {
  for (const name of readdirSync(join(fixtures, 'memory'))) {
    const at = new Date(now - (memoryDays[name] ?? 0) * dayMs);
    const text = readFileSync(join(fixtures, 'memory', name), 'utf8').replaceAll('{{modified}}', at.toISOString());
    writeFileSync(join(memoryDir, name), text);
    utimesSync(join(memoryDir, name), at, at);
  }
}

/** Five sessions of three days: four say something worth keeping, in passing, as people do; one is only work. */
function sampleTalks(cwd: string, now: number): { title: string; talk: Transcript }[] {
  const start = (name: string, ageMs: number): Transcript =>
    transcript(uuidOf(`harbor ${name}`), cwd, { at: now - ageMs });
  const file = (path: string): string => `${cwd}/${path}`;

  const retries = start('retries', 3 * dayMs)
    .human('The retry delay in src/retry.ts has no jitter, can you add some? Half of the delay is enough.')
    .assistant('I look at the file first.')
    .tool('Read', { file_path: file('src/retry.ts') }, '1\texport function delayMs(attempt: number): number {')
    .tool(
      'Edit',
      {
        file_path: file('src/retry.ts'),
        old_string: 'return base;',
        new_string: 'return base / 2 + (base / 2) * random();',
      },
      'The file has been updated.',
    )
    .tool(
      'Bash',
      { command: 'npm test', description: 'Run the tests' },
      'npm error code ELSPROBLEMS\nnpm error missing: vitest',
      {
        isError: true,
      },
    )
    .assistant('The delay has jitter now. `npm test` fails because vitest is missing; shall I run `npm install`?')
    .turnEnd({ durationMs: 38_000 })
    .wait(2 * minuteMs)
    .human('From now on always use pnpm here, not npm, because the lockfile broke twice. Then run the tests again.')
    .tool(
      'Bash',
      { command: 'pnpm install --frozen-lockfile && pnpm test', description: 'Install and test' },
      'Tests  1 passed (1)',
    )
    .assistant('I used pnpm: the lock file is untouched and the test passes.')
    .turnEnd({ durationMs: 22_000 });

  const table = start('table', 2 * dayMs)
    .human("Remember: I'm a backend developer, new to React. Why does the table flicker when readings come in?")
    .tool('Read', { file_path: file('web/Readings.tsx') }, '1\texport function Readings({ readings }) {')
    .assistant(
      'Each row has the index as its key, so React reuses the wrong row when a reading is put in front. ' +
        'A key is to React what a primary key is to a table: give it one that follows the reading.',
    )
    .turnEnd({ durationMs: 19_000 })
    .wait(3 * minuteMs)
    .human('Good comparison, do that.')
    .tool(
      'Edit',
      {
        file_path: file('web/Readings.tsx'),
        old_string: 'key={index}',
        new_string: 'key={keyOf(reading)}',
      },
      'The file has been updated.',
    )
    .assistant('Done: the key is made of ship, sensor and time.')
    .turnEnd({ durationMs: 12_000 });

  const freeze = start('freeze', 26 * hourMs)
    .human('Can we still put the new ingest checks on staging this week?')
    .tool(
      'Bash',
      { command: 'git log --oneline -3', description: 'Latest commits' },
      '4be1c02 Take in readings and show them',
    )
    .assistant('Nothing in the repository speaks against it. Is there a freeze that I should know of?')
    .turnEnd({ durationMs: 9_000 })
    .wait(minuteMs)
    .human(
      'The staging freeze is on Friday because the mobile team cuts a release branch, so merge nothing after Thursday evening.',
    )
    .assistant('Then the checks should be merged by Thursday evening. I prepare the change today.')
    .turnEnd({ durationMs: 7_000 });

  const bugs = start('bugs', 5 * hourMs)
    .human(
      'A captain says that readings with a time in the future vanish. Bugs for ingest are tracked in the Linear project INGEST, so note it there in your summary.',
    )
    .tool('Grep', { pattern: 'Date.now', path: file('src') }, `${file('src/ingest.ts')}:17`)
    .tool('Read', { file_path: file('src/ingest.ts') }, '17\t  reading.at <= Date.now()')
    .assistant(
      '`ingest` drops a reading whose time is later than the server clock. Ships without GPS time run a minute ahead. For INGEST: allow two minutes.',
    )
    .turnEnd({ durationMs: 27_000 });

  const flaky = start('flaky', 40 * minuteMs)
    .human('Run the tests five times, is anything flaky?')
    .tool(
      'Bash',
      { command: 'for i in 1 2 3 4 5; do pnpm test; done', description: 'Tests, five times' },
      'Tests  1 passed (1)\n'.repeat(5).trim(),
    )
    .assistant('Five runs, five passes: nothing is flaky.')
    .turnEnd({ durationMs: 31_000 });

  return [
    { title: 'Add jitter to the retry delay', talk: retries },
    { title: 'Stop the readings table from flickering', talk: table },
    { title: 'Ingest checks and the staging freeze', talk: freeze },
    { title: 'Readings from the future vanish', talk: bugs },
    { title: 'Look for flaky tests', talk: flaky },
  ];
}
