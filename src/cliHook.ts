// `reverie hook`: answers one hook of Claude Code, or connects Claude Code's settings with these hooks and takes that back. A
// hook prints its answer and nothing else; connecting changes one settings file, and says which.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Call, type Command, type Options, usage } from './cliCommand';
import type { ConnectionProblem } from './core/hooks/connection';

const verbs = ['install', 'uninstall', 'status'] as const;

export const hookCommands: Readonly<Record<string, Command>> = {
  hook: {
    usage: 'hook [install|uninstall|status] [--local] [--dry-run]',
    does:
      'answers a hook of Claude Code, whose JSON is read on standard input; or adds these hooks to Claude Code’s settings\n' +
      '      (with --local to those of this project on this machine), takes them out again, or says whether they are there',
    options: ['local', 'dry-run'],
    async run(call) {
      const [word, ...more] = call.words;
      if (word === undefined) {
        const { runHook } = await import('./hook');
        await runHook();
        return undefined;
      }
      const verb = verbs.find((one) => one === word);
      if (!verb || more.length > 0)
        throw usage('hook takes install, uninstall, status, or no word and a hook’s JSON on standard input.');
      return connect(verb, call);
    },
  },
};

async function connect(verb: (typeof verbs)[number], { options }: Call): Promise<object> {
  const setup = await import('./core/hookSetup');
  const { nodeDisk: disk } = setup;
  const { configDir, top } = await placesOf(options, setup);
  const file = options.local ? await setup.localSettings(top, disk) : setup.userSettings(configDir);
  const connection = setup.openHookConnection({ configDir, disk });
  if (verb === 'status') {
    const state = await connection.state(file);
    if ('problem' in state) return state;
    return { file, connected: state.events, disabled: state.isDisabled, launcher: setup.launcherOf(configDir) };
  }
  const command = setup.launcherCommand(configDir);
  const plan = await (verb === 'install' ? connection.planConnect(file, command) : connection.planDisconnect(file));
  if ('problem' in plan) throw new Error(problemText(plan));
  const isDry = options['dry-run'] ?? false;
  if (verb === 'install' && !isDry) {
    const bundle = join(__dirname, 'hook.js');
    if (!existsSync(bundle)) throw new Error(`There is no ${bundle}: build the project first.`);
    const version = process.env.REVERIE_VERSION ?? '0.0.0';
    await setup.writeLauncher(configDir, { version, bundle, runtime: process.execPath }, disk);
  }
  const problem = isDry ? undefined : await connection.apply(plan);
  if (problem) throw new Error(problemText(problem));
  const isOther = plan.before !== plan.after;
  return {
    file,
    changed: isOther && !isDry,
    ...(isDry ? { wouldChange: isOther } : {}),
    ...(verb === 'install' ? { hooks: JSON.parse(setup.wantedHooks(command)).hooks } : {}),
  };
}

async function placesOf(options: Options, setup: typeof import('./core/hookSetup')) {
  const given = options['config-dir'];
  const { paths } = await setup.resolveProject({
    directory: resolve(options.project ?? '.'),
    env: process.env,
    homeDir: homedir(),
    trusted: false,
    disk: setup.nodeDisk,
    ...(given === undefined ? {} : { configDir: resolve(given) }),
  });
  return paths;
}

/** What a person can do about a settings file that was left as it is. */
function problemText({ file, problem, detail }: ConnectionProblem): string {
  switch (problem) {
    case 'broken':
      return `${file} is no valid JSON. Nothing was changed; mend it first.`;
    case 'odd':
      return `In ${file}, ${detail} is not what Claude Code expects. Nothing was changed; mend it first.`;
    case 'read_only':
      return `${file} can’t be written. Nothing was changed; make it writable, or add yourself what reverie hook install --dry-run shows.`;
    case 'too_large':
      return `${file} is too large for a settings file. Nothing was changed.`;
    case 'not_text':
      return `${file} is not UTF-8 text. Nothing was changed.`;
    case 'not_a_file':
      return `${file} is no file. Nothing was changed.`;
  }
}
