// The same engine on the command line. Standard output carries the result and nothing else (with `--json` exactly one
// object); what happens on the way goes to standard error. Exit status: 0 done, also when there was nothing to do;
// 1 failed; 2 wrong usage. It runs what a person asked for and starts nothing in the background.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, isoOf, listOf, type OptionName, type Options, oneOf, optionTypes, usage } from './cliCommand';
import { dreamCommands } from './cliDream';
import { hookCommands } from './cliHook';
import { teamCommands } from './cliTeam';
import { formatResult, offlineText } from './cliText';
import type { ProviderState } from './core/agent/provider';
import {
  ageDays,
  caveat,
  MemoryError,
  memoryTypes,
  nodeDisk,
  openProject,
  readSettings,
  summarizeTranscript,
} from './core/engine';
import type { ExtractionOutcome } from './core/extraction/outcome';
import type { Logger } from './core/log';
import type { MemoryHeader, MemoryType } from './core/memory/memory';
import type { MemoryScope } from './core/memory/memoryPaths';
import type { Project } from './core/project';
import type { Session } from './core/sessions/transcript';

const everywhere: readonly OptionName[] = [
  'project',
  'config-dir',
  'chats',
  'provider',
  'now',
  'json',
  'trust',
  'verbose',
  'help',
];

export const commands: Readonly<Record<string, Command>> = {
  status: {
    usage: 'status',
    does: 'where everything lies, what is remembered, and whether memory is at work',
    options: [],
    async run({ project }) {
      const { paths, switches, index, team, rest, provider, spend, lock, ...status } = await (await project()).status();
      return {
        project: {
          root: paths.root,
          slug: paths.slug,
          memoryDir: paths.memoryDir,
          transcriptDirs: paths.transcriptDirs,
          teamDir: team.teamDir,
          stateDir: paths.stateDir,
        },
        enabled: switches.enabled && rest?.kind !== 'disabled',
        ...(rest?.kind === 'disabled' ? { disabledBy: rest.by } : {}),
        ...(rest?.kind === 'paused' ? { pausedUntil: rest.until ? isoOf(rest.until) : null } : {}),
        index,
        team,
        ...status,
        lock: { ...lock, lastConsolidatedAt: lock.lastConsolidatedAt === 0 ? null : isoOf(lock.lastConsolidatedAt) },
        ...describeProvider(provider),
        spend: { today: spend.today.tokens, dailyTokens: spend.dailyTokens, ...spend.today },
        warnings: paths.warnings.map(({ kind, message }) => ({ kind, message })),
      };
    },
  },
  sessions: {
    usage: 'sessions [FILE…] [--prompts]',
    does: 'which chat sessions there are and what came of them; or what is in these transcripts',
    options: ['prompts'],
    async run({ words, options, project }) {
      const files = words.map((file) => resolve(file));
      const outcomes = files.length === 0 ? await (await project()).sessions() : [];
      const all = files.length > 0 ? files : outcomes.map((entry) => entry.session.file);
      const sessions = [];
      for (const file of all) {
        const entry = outcomes.find((one) => one.session.file === file);
        const summary = await summarizeTranscript(nodeDisk, file, { prompts: options.prompts ?? false });
        sessions.push({
          ...summary,
          ...(entry ? { lastOutcome: entry.state, ...(entry.reason ? { reason: entry.reason } : {}) } : {}),
        });
      }
      return { sessions };
    },
  },
  list: {
    usage: 'list',
    does: 'all memories',
    options: [],
    async run({ project, now }) {
      const open = await project();
      const memories = (await open.heads()).map((head) => ({
        path: head.path,
        name: head.name,
        description: head.description ?? null,
        type: head.type ?? null,
        scope: head.scope,
        modifiedAt: isoOf(head.modifiedAt),
        ageDays: Math.max(0, Math.floor((now() - head.modifiedAt) / 86_400_000)),
        stale: open.isStale(head),
        ...(head.pinned ? { pinned: true } : {}),
        ...(head.problem ? { problem: head.problem.kind } : {}),
      }));
      const suggestions = (await open.suggestions()).map(({ id, draft, why }) => ({
        id,
        name: draft.name,
        type: draft.type,
        text: draft.body,
        why,
      }));
      return { memories, suggestions };
    },
  },
  recall: {
    usage: 'recall QUERY [--limit N] [--recent-tools A,B] [--exclude PATH,…]',
    does: 'the memories that fit a question, at most five',
    options: ['limit', 'recent-tools', 'exclude'],
    async run({ words, options, project }) {
      if (words.length === 0) throw usage('recall needs a question.');
      const limit = options.limit === undefined ? undefined : Number(options.limit);
      if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) throw usage('--limit takes a whole number.');
      const found = await (await project()).recall(words.join(' '), {
        ...(limit === undefined ? {} : { limit }),
        exclude: listOf(options.exclude),
        recentTools: listOf(options['recent-tools']),
        way: 'command line',
      });
      return { ...found, memories: found.memories.map((memory) => ({ ...memory, type: memory.type ?? null })) };
    },
  },
  extract: {
    usage: 'extract [--session FILE-OR-ID] [--all]',
    does: 'keeps what is worth keeping of chat sessions: what is new, or with --all the past too',
    options: ['session', 'all'],
    async run({ options, project }) {
      const open = await project();
      if (options.provider === 'anthropic') await needModel(open);
      const outcomes: ExtractionOutcome[] = [];
      if (options.all) outcomes.push(...(await open.learnPast((await wantedSessions(open, options.session)).past)));
      for (const session of (await wantedSessions(open, options.session)).behind) {
        outcomes.push(await open.extract(session, 'command'));
      }
      return {
        runs: outcomes.map((outcome) => ({
          session: outcome.session.id,
          file: outcome.session.file,
          outcome: outcome.outcome,
          ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
          writtenPaths: outcome.writtenPaths,
          savedCount: outcome.savedCount,
          suggestedCount: outcome.suggestedCount,
          ...(outcome.loggedCount ? { loggedCount: outcome.loggedCount } : {}),
          forgottenCount: outcome.forgottenCount,
          usage: outcome.usage,
          turns: outcome.turns,
        })),
        failed: outcomes.some((outcome) => outcome.outcome === 'failed'),
      };
    },
  },
  remember: {
    usage: 'remember TEXT [--type user|feedback|project|reference] [--scope private|team]',
    does: 'keeps a memory in your words',
    options: ['type', 'scope'],
    async run({ words, options, project }) {
      const type = oneOf(options.type, memoryTypes, '--type');
      const scope = oneOf(options.scope, ['private', 'team'] as const, '--scope');
      const { path } = await (await project()).remember({
        text: words.join(' '),
        ...(type ? { type: type as MemoryType } : {}),
        ...(scope ? { scope: scope as MemoryScope } : {}),
      });
      return { path };
    },
  },
  forget: {
    usage: 'forget PATH',
    does: 'moves a memory to the trash',
    options: [],
    async run({ words, project }) {
      const path = only(words, 'forget');
      await (await project()).forget([path]);
      return { path };
    },
  },
  restore: {
    usage: 'restore PATH',
    does: 'brings a memory back from the trash',
    options: [],
    async run({ words, project }) {
      const path = only(words, 'restore');
      await (await project()).restore(path);
      return { path };
    },
  },
  undo: {
    usage: 'undo [RUN]',
    does: 'takes back the last change, or the one named',
    options: [],
    async run({ words, project }) {
      const { restored, conflicts, retracted } = await (await project()).undo(words[0]);
      return { restored, conflicts, ...(retracted ? { retracted } : {}) };
    },
  },
  ...dreamCommands,
  ...teamCommands,
  ...hookCommands,
  mcp: {
    usage: 'mcp',
    does: 'serves recall, list, read, save and forget as tools of the Model Context Protocol, on standard input and output',
    options: [],
    async run({ project, now, log }) {
      const { serveMcp } = await import('./mcpServer');
      const { stdin: input, stdout: output } = process;
      const version = process.env.REVERIE_VERSION ?? '0.0.0';
      const caveatOf = (memory: MemoryHeader) => caveat(ageDays(memory.modifiedAt, now()));
      await serveMcp({ project: await project(), version, input, output, caveatOf, log });
      return undefined;
    },
  },
};

async function wantedSessions(project: Project, wanted: string | undefined) {
  const [behind, past] = await Promise.all([project.behind(), project.past()]);
  if (wanted === undefined) return { behind, past: past.sessions };
  const file = resolve(wanted);
  const isWanted = (session: Session) => session.id === wanted || session.file === file;
  const all = (await project.sessions()).map((entry) => entry.session);
  if (!all.some(isWanted)) throw new MemoryError('not_found', `This project has no chat session “${wanted}”.`);
  return { behind: behind.filter(isWanted), past: past.sessions.filter(isWanted) };
}

/** `model` is the one that reads chats. */
function describeProvider(state: ProviderState) {
  if (state.kind === 'offline')
    return { provider: state.kind, providerWhy: state.why, ...(state.host === undefined ? {} : { host: state.host }) };
  const { kind: provider, models } = state;
  return { provider, model: models.extraction, models, ...(state.kind === 'anthropic' ? { host: state.host } : {}) };
}

/** Who asks for a model by name does not want rules instead. */
async function needModel(project: Project): Promise<void> {
  const state = await project.provider();
  if (state.kind === 'offline') throw new Error(`There is no model to ask: ${offlineText(state.why, state.host)}.`);
}

function only(words: readonly string[], command: string): string {
  const [path] = words;
  if (path === undefined || words.length > 1) throw usage(`${command} takes one path.`);
  return path;
}

function help(): string {
  const lines = Object.values(commands).map(({ usage: form, does }) => `  reverie ${form}\n      ${does}`);
  return [
    'Reverie: the memory of your coding agents, on the command line.',
    '',
    ...lines,
    '',
    'Everywhere: --project DIR, --config-dir DIR, --chats DIR, --provider auto|anthropic|offline, --now ISO, --json, --trust,',
    '  --verbose',
    '  --chats names the folder that VS Code keeps for this workspace (workspaceStorage/ID): its chats are read, too.',
    '  --provider anthropic asks a model over the Messages API, with the key in ANTHROPIC_API_KEY.',
    '  --trust honours directories that the project itself names in its settings.',
  ].join('\n');
}

function stderrLogger(verbose: boolean): Logger {
  const say = (level: string) => (message: string | Error) => void process.stderr.write(`${level} ${message}\n`);
  const silent = () => {};
  return {
    trace: silent,
    debug: verbose ? say('debug') : silent,
    info: verbose ? say('info') : silent,
    warn: say('warning:'),
    error: say('error:'),
  };
}

function parseCall(
  argv: readonly string[],
): { name: string; command: Command; options: Options; words: string[] } | string {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help();
  if (name === '--version') return process.env.REVERIE_VERSION ?? '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw usage(`There is no command “${name}”. See reverie --help.`);
  const allowed = [...everywhere, ...command.options];
  const options = Object.fromEntries(allowed.map((option) => [option, optionTypes[option]]));
  try {
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
    if (values.help) return help();
    return { name, command, options: values as Options, words: positionals };
  } catch (error) {
    throw usage(`${(error as Error).message} See reverie --help.`);
  }
}

/** Runs one command line and returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  let json = argv.includes('--json');
  let opened: Promise<Project> | undefined;
  try {
    const call = parseCall(argv);
    if (typeof call === 'string') {
      process.stdout.write(`${call}\n`);
      return 0;
    }
    const { name, command, options, words } = call;
    json = options.json ?? false;
    const start = options.now === undefined ? undefined : Date.parse(options.now);
    if (start !== undefined && Number.isNaN(start)) throw usage('--now takes an ISO time.');
    // A set clock still moves: what happens later in a run is later.
    const began = Date.now();
    const now = () => (start === undefined ? Date.now() : start + Date.now() - began);
    const project = () => {
      opened ??= open(options, now);
      return opened;
    };
    const log = stderrLogger(options.verbose ?? false);
    const result = await command.run({ options, words, now, log, project });
    if (result === undefined) return 0;
    process.stdout.write(json ? `${JSON.stringify(result)}\n` : formatResult(name, result));
    return 'failed' in result && result.failed ? 1 : 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof MemoryError ? error.code : 'failed';
    if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    else process.stderr.write(`reverie: ${message}\n`);
    return code === 'usage' ? 2 : 1;
  } finally {
    const project = await opened?.catch(() => undefined);
    project?.dispose();
  }
}

async function open(options: Options, now: () => number): Promise<Project> {
  const configDir = options['config-dir'] === undefined ? undefined : resolve(options['config-dir']);
  const home = homedir();
  const base = configDir ?? process.env.CLAUDE_CONFIG_DIR ?? resolve(home, '.claude');
  const settings = await readSettings(nodeDisk, base);
  const askedProvider = oneOf(options.provider, ['auto', 'anthropic', 'offline'] as const, '--provider');
  const project = await openProject({
    directory: resolve(options.project ?? '.'),
    env: process.env,
    homeDir: home,
    ...(configDir === undefined ? {} : { configDir }),
    // As our own folder in it would lie.
    ...(options.chats === undefined ? {} : { chatStorage: { workspace: resolve(options.chats, 'reverie.reverie') } }),
    // The person at the command line trusts the folder to be worked on, but not the directories it names (decision 6).
    trusted: true,
    honoursProjectDirectories: options.trust ?? false,
    ...(askedProvider === undefined ? {} : { askedProvider }),
    settings: options.trust ? settings : { ...settings, team: { ...settings.team, directory: undefined } },
    followsKeptTeam: true,
    now,
    log: stderrLogger(options.verbose ?? false),
  });
  await project.recover();
  return project;
}

if (require.main === module) {
  void main(process.argv.slice(2)).then((status) => {
    process.exitCode = status;
  });
}
