// What a hook costs who waits for it: the whole process, from the start to its end, beside that of a bare `node -e 0`, turn by
// turn. A prompt over a thousand memories with the index kept, through the launcher's shell and without; a turn's end.
//   node --import tsx bench/hook.ts [turns]

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../src/core/disk';
import { launcherOf, writeLauncher } from '../src/core/hooks/launcher';
import { slug } from '../src/core/pathRules';
import { figure, median } from './figure';
import { fillMemories } from './memories';

const turns = Number(process.argv[2] ?? 25);
const count = 1_000;

async function main(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'reverie-hook-'));
  try {
    const bundle = join(base, 'hook.js');
    const script = `await (await import('./esbuild.mjs')).buildOne('hook', ${JSON.stringify(dirname(bundle))})`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: join(__dirname, '..') });
    const project = join(base, 'project');
    const configDir = join(base, 'config');
    const memories = join(configDir, 'projects', slug(project), 'memory');
    mkdirSync(project);
    mkdirSync(memories, { recursive: true });
    // A question finds most of them: the most work there can be.
    fillMemories(memories, count, (at) => `reason ${at % 97} is long. `);
    await writeLauncher(configDir, { version: '0.0.0', bundle, runtime: process.execPath }, nodeDisk);
    const env = { PATH: process.env.PATH, HOME: base, CLAUDE_CONFIG_DIR: configDir };

    let runs = 0;
    function run(file: string, args: readonly string[], input: object | undefined): number {
      const more = { session_id: `s${runs++}`, cwd: project, transcript_path: join(base, 'none.jsonl') };
      const began = performance.now();
      const done = spawnSync(file, args, { env, input: input ? JSON.stringify({ ...more, ...input }) : '' });
      const ms = performance.now() - began;
      const isAnswered = done.stdout.length > 0;
      if (done.status !== 0 || isAnswered !== (input !== undefined && 'prompt' in input))
        throw new Error(`not as it should be: ${done.status}, ${done.stdout}${done.stderr}`);
      return ms;
    }
    const prompt = {
      hook_event_name: 'UserPromptSubmit',
      prompt: 'why does the importer of the gateway skip staging?',
    };
    const ways = {
      bare: () => run(process.execPath, ['-e', '0'], undefined),
      prompt: () => run(process.execPath, [bundle], prompt),
      launcher: () => run(launcherOf(configDir), [], prompt),
      stop: () => run(process.execPath, [bundle], { hook_event_name: 'Stop' }),
    };
    // The first prompt makes the index.
    const first = ways.prompt();
    const taken: Record<keyof typeof ways, number[]> = { bare: [], prompt: [], launcher: [], stop: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      for (const way of Object.keys(ways) as (keyof typeof ways)[]) taken[way].push(ways[way]());
    }
    const bare = median(taken.bare);
    const times = (way: keyof typeof ways) => median(taken[way]) / bare;
    figure(`a prompt’s hook over ${count} memories`, times('prompt'), { atMost: 6 }, 'times a bare node');
    figure(`the same through the launcher`, times('launcher'), { atMost: 6 }, 'times a bare node');
    figure('a turn’s end', times('stop'), { atMost: 3 }, 'times a bare node');
    figure('the very first prompt, which makes the index', first, { atMost: 4_000 }, 'ms');
    console.log(JSON.stringify({ bareMs: Math.round(bare), promptMs: Math.round(median(taken.prompt)), turns }));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

void main();
