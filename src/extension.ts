// The extension's root in VS Code: puts the parts together and hands them what they need. Activation registers and reads
// nothing; the engine is loaded when a view is looked at, a command asks, or the start has settled.
// Two lifetimes: the extension's, and that of each open project.

import { homedir } from 'node:os';
import { commands, type ExtensionContext, ExtensionMode, env, l10n, UIKind, Uri, window, workspace } from 'vscode';
import { registerMemoryTools } from './chatTools';
import { registerCommands } from './commands';
import type { CommandContext } from './commands/context';
import { keepHookLauncher } from './commands/hookCommands';
import type { Disposable } from './core/event';
import type { Rest } from './core/project';
import type { ChatStorage } from './core/sessions/chatStorage';
import type { RefusedEntry } from './core/teamFolder';
import { createDreams, type Dreams } from './dreams';
import { createEditorModels, type EditorModels } from './editorModels';
import { createKeys } from './keys';
import { createLive } from './live';
import { registerMcpProvider } from './mcpProvider';
import { createModelWaits } from './modelWaits';
import { createNotices, isCancellation } from './notices';
import { createProjects, type OpenProject, type Projects, type WorkspaceFolder } from './projects';
import { createRecalls, type Recalls } from './recalls';
import { createRunNotices } from './runNotices';
import { affectsSettings, mirrorSettings, readSettings, saysTeam } from './settings';
import { createTeams } from './teams';
import { registerChat } from './views/chat';
import { createMemoryDiagnostics } from './views/memoryDiagnostics';
import type { MemorySnapshot } from './views/memoryRows';
import { createMemoryTree, type MemoryTree } from './views/memoryTree';
import type { SessionSnapshot } from './views/sessionRows';
import { sessionTitle } from './views/sessionRows';
import { createSessionTree, type SessionTree } from './views/sessionTree';
import { type EngineFacts, offReason } from './views/status';
import { createStatusBar, type StatusBar } from './views/statusBar';
import { createSuggestionDocuments } from './views/suggestionDocuments';
import { createWords } from './views/words';

/** Background work begins this long after activation, when the editor's own start is over. */
const settleMs = 2_000;
const drainMs = 5_000;

/** For tests inside a host only: what a person would look at. */
export interface TestApi {
  readonly memoryTree: MemoryTree;
  readonly sessionTree: SessionTree;
  readonly statusBar: StatusBar;
  readonly dreams: Dreams;
  readonly recalls: Recalls;
  readonly projects: Projects;
  readonly chatModels: EditorModels;
}

let ending: (() => Promise<void>) | undefined;

export function activate(context: ExtensionContext): TestApi | undefined {
  const log = window.createOutputChannel('Reverie', { log: true });
  context.subscriptions.push(log);
  try {
    const api = start(context, log);
    return context.extensionMode === ExtensionMode.Test ? api : undefined;
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    return undefined;
  }
}

/** Resolves when running work has come to an end or was stopped. */
export async function deactivate(): Promise<void> {
  await ending?.();
}

function start(context: ExtensionContext, log: CommandContext['log']): TestApi {
  const words = createWords(env.language, l10n.t);
  const { t } = words;
  const notices = createNotices(words, log, env.language);
  const statusBar = createStatusBar(words);
  const keys = createKeys(context.secrets);
  const chatModels = createEditorModels(
    context.languageModelAccessInformation,
    t('Reverie reads your chats with it and keeps what is worth remembering.'),
  );
  const hookPointer = {
    version: String(context.extension.packageJSON.version),
    bundle: context.asAbsolutePath('dist/hook.js'),
    runtime: process.execPath,
  };
  let silenced = 0;

  const projects = createProjects({
    folders: workspaceFolders(),
    async openProject(folder) {
      const { openProject } = await import('./core/engine');
      return openProject({
        directory: folder.path,
        homeDir: homedir(),
        env: process.env,
        trusted: workspace.isTrusted,
        settings: await readSettings(Uri.file(folder.path)),
        followsKeptTeam: !saysTeam(Uri.file(folder.path)),
        secret: keys.get,
        chatModel: chatModels.find,
        chatStorage: chatStorageOf(context, folder),
        log,
      });
    },
    attach,
    log,
  });

  const waits = createModelWaits({ chatModels, projects, statusBar, notices, words, log });
  const runs = createRunNotices({ waits, globalState: context.globalState, words });
  const diagnostics = createMemoryDiagnostics({ words, warn: notices.warn, log });
  context.subscriptions.push(diagnostics);
  const memories = createLive<MemorySnapshot>({ projects, load: loadMemories, events: memoryEvents, log });
  const sessions = createLive<SessionSnapshot>({ projects, load: loadSessions, events: sessionEvents, log });

  const suggestionDocuments = createSuggestionDocuments(async (key, id) => {
    // An editor that was open when the window closed asks before anything else does.
    await projects.open();
    const waiting = await projects.find(key)?.project.suggestions();
    return waiting?.find((each) => each.id === id);
  });
  const memoryTree = createMemoryTree({
    snapshots: memories,
    locate: async (key, path) => projects.find(key)?.project.locate(path),
    suggestionUri: suggestionDocuments.uri,
    sourceOf(key, sessionId) {
      const { entries } = sessions.latest().find((each) => each.key === key) ?? { entries: [] };
      const entry = entries.find(({ session }) => session.id === sessionId);
      return entry && { title: sessionTitle(entry, words), at: entry.session.modifiedAt };
    },
    staleDays: async () => (await readSettings(undefined)).staleDays,
    words,
    log,
  });
  const sessionTree = createSessionTree({ snapshots: sessions, words, log });

  const recalls = createRecalls({ projects, words, log });
  const teams = createTeams({ projects, memories, statusBar, notices, words, log });
  const dreams = createDreams({
    projects,
    sessions,
    statusBar,
    extensionUri: context.extensionUri,
    words,
    log,
    notices,
    isSilent: () => silenced > 0,
  });

  const commandContext: CommandContext = {
    dreams,
    recalls,
    teams,
    projects,
    memories,
    sessions,
    memoryTree,
    sessionTree,
    suggestionDocuments,
    statusBar,
    notices,
    words,
    log,
    keys,
    chatModels,
    readAgain: () => waits.readAgain(),
    engineChanged: updateEngine,
    lastRun: runs.lastRun,
    hookPointer,
    async inSilence(work) {
      silenced += 1;
      try {
        return await work();
      } finally {
        silenced -= 1;
      }
    },
  };
  const titles = new Map<string, string>(
    (context.extension.packageJSON.contributes?.commands ?? []).map((each: { command: string; title: string }) => [
      each.command,
      each.title,
    ]),
  );

  /** The folder's lifetime. */
  function attach(open: OpenProject): Disposable {
    const listening = [
      open.project.onDidExtract((outcomes) => {
        runs.tell(commandContext, open, outcomes, silenced > 0);
        void updateEngine();
      }),
      open.project.onDidChangeRest(() => void updateRest()),
      dreams.attach(open),
      diagnostics.attach(open.project),
    ];
    void open.project.start().catch((error) => log.error(`Learning in ${open.name} did not start: ${error}`));
    return { dispose: () => listening.forEach((each) => void each.dispose()) };
  }

  let restTimer: NodeJS.Timeout | undefined;
  let restAsked = 0;
  /** Idle, paused or off: for the status bar, the welcome texts and the menus. */
  async function updateRest(): Promise<void> {
    clearTimeout(restTimer);
    restAsked += 1;
    const asked = restAsked;
    statusBar.setVisible(workspaceFolders().length > 0);
    const rests = await Promise.all(projects.current().map(({ project }) => project.rest()));
    // A later question may be answered before an earlier one.
    if (asked !== restAsked) return;
    const disabled = rests.find((rest) => rest?.kind === 'disabled') as (Rest & { kind: 'disabled' }) | undefined;
    const isDisabled = disabled !== undefined && rests.every((rest) => rest?.kind === 'disabled');
    const pauses = rests.flatMap((rest) => (rest?.kind === 'paused' ? [rest] : []));
    const isPaused = pauses.length > 0 && rests.every((rest) => rest !== undefined);
    const ends = pauses.flatMap(({ until }) => until ?? []);
    if (!workspace.isTrusted) statusBar.rest({ kind: 'untrusted' });
    else if (isDisabled) statusBar.rest({ kind: 'disabled', by: disabled.by });
    else if (isPaused) {
      const until = ends.length === pauses.length ? Math.min(...ends) : undefined;
      statusBar.rest({ kind: 'paused', until });
    } else statusBar.rest({ kind: 'idle' });
    if (ends.length > 0)
      restTimer = setTimeout(() => void updateRest(), Math.max(0, Math.min(...ends) - Date.now()) + 500);
    void commands.executeCommand('setContext', 'reverie.isPaused', pauses.length > 0);
    void commands.executeCommand('setContext', 'reverie.off', isDisabled ? offReason(disabled.by) : '');
  }

  let engine: EngineFacts | undefined;
  /** Which engine works and what it used: the same in every project, as the choice is a person's. */
  async function updateEngine(): Promise<void> {
    try {
      const [open] = projects.current();
      if (!open) return;
      const [provider, spend] = await Promise.all([open.project.provider(), open.project.spend()]);
      engine = { provider, spend };
      updateFacts();
    } catch (error) {
      log.warn(`The engine's state: ${error}`);
    }
  }

  /** What the status bar knows of the trees' states. */
  function updateFacts(): void {
    const all = memories.latest();
    statusBar.facts({
      memories: all.length === 0 ? undefined : all.reduce((sum, { heads }) => sum + heads.length, 0),
      suggestions: all.reduce((sum, { suggestions }) => sum + suggestions.length, 0),
      fresh: all.reduce((sum, { team }) => sum + (team?.fresh.size ?? 0), 0),
      engine,
      dream: dreams.facts(),
    });
    statusBar.learning(sessions.latest().some(({ entries }) => entries.some(({ state }) => state === 'reading')));
  }

  /** The end of the start: engines are opened, what they know is shown, and they begin to listen. */
  async function begin(): Promise<void> {
    if (workspaceFolders().length === 0) return;
    const loaded = await Promise.allSettled([
      memories.read(),
      sessions.read(),
      dreams.live.read(),
      recalls.live.read(),
    ]);
    for (const each of loaded) if (each.status === 'rejected') log.error(`${each.reason}`);
    const configDir = projects.current()[0]?.project.paths.configDir;
    if (configDir !== undefined && workspace.isTrusted) await keepHookLauncher(configDir, hookPointer);
  }
  const settled = setTimeout(() => void begin().catch(failing('The start')), settleMs);

  async function followSettings(isElsewhere: boolean): Promise<void> {
    // Where memories lie is settled at opening.
    if (isElsewhere) await projects.reopen();
    for (const { project, folders } of projects.current()) {
      const [folder] = folders;
      project.configure(await readSettings(folder ? Uri.file(folder.path) : undefined));
      // What was switched off at the start may be on now.
      await project.start();
    }
    await Promise.all([memories.refresh(), dreams.live.refresh(), updateEngine()]);
    const configDir = projects.current()[0]?.project.paths.configDir;
    if (workspace.isTrusted && configDir !== undefined) await mirrorSettings(configDir);
  }
  const failing = (what: string) => (error: unknown) => log.error(`${what}: ${error}`);

  context.subscriptions.push(
    suggestionDocuments,
    memoryTree,
    sessionTree,
    memories,
    sessions,
    dreams,
    recalls,
    teams,
    statusBar,
    projects,
    memories.onDidChange(updateFacts),
    dreams.live.onDidChange(updateFacts),
    sessions.onDidChange(updateFacts),
    projects.onDidChange(() => void Promise.all([updateRest(), updateEngine()])),
    context.secrets.onDidChange(() => void updateEngine()),
    waits,
    ...registerChat({
      project: async () => {
        const open = await projects.open();
        const file = activeFile();
        return (file === undefined ? undefined : projects.ofFile(file)) ?? open[0];
      },
      modelOf: async ({ model }) => model && chatModels.ofChat(model),
      failure(error) {
        if (isCancellation(error)) return undefined;
        const sentence = notices.sentenceOf(error);
        if (sentence === undefined) log.error(error instanceof Error ? error : String(error));
        return sentence ?? t('{0} failed. Nothing was lost.', '@memory');
      },
      words,
    }),
    ...registerMcpProvider({
      folders: workspaceFolders,
      cli: context.asAbsolutePath('dist/cli.js'),
      version: context.extension.packageJSON.version,
    }),
    ...registerMemoryTools({ projects, words, isTrusted: () => workspace.isTrusted, activeFile }),
    ...chatModels.events.map((event) => event(waits.mayGoOn)),
    ...registerCommands(commandContext, titles),
    workspace.onDidChangeWorkspaceFolders(() => {
      void projects
        .setFolders(workspaceFolders())
        .then(() => Promise.all([updateRest(), begin()]))
        .catch(failing('Folders'));
    }),
    workspace.onDidGrantWorkspaceTrust(() => {
      void projects
        .reopen()
        .then(() => Promise.all([updateRest(), begin()]))
        .catch(failing('Trust'));
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (!affectsSettings(event)) return;
      void followSettings(event.affectsConfiguration('reverie.team')).catch(failing('Settings'));
    }),
    { dispose: () => clearTimeout(settled) },
    { dispose: () => clearTimeout(restTimer) },
  );
  ending = () => projects.drain(drainMs);
  void updateRest();
  return { memoryTree, sessionTree, statusBar, dreams, recalls, projects, chatModels };
}

async function loadMemories({ key, name, project }: OpenProject): Promise<MemorySnapshot> {
  const [heads, suggestions, index, team, logs, folder] = await Promise.all([
    project.heads(),
    project.suggestions(),
    project.indexBudget(),
    project.team.state(),
    project.logs(),
    project.team.isOn() ? project.teamFolder() : undefined,
  ]);
  const indexFaults = folder?.refused.flatMap(indexFault);
  const stalePaths = new Set(heads.filter((head) => project.isStale(head)).map(({ path }) => path));
  return { key, name, heads, suggestions, index, stalePaths, team, logs, indexFaults };
}

/** Of what is refused in the team's folder, the index: its memories say by themselves what is wrong with them. */
function indexFault({ path, rule, line, secret }: RefusedEntry): NonNullable<MemorySnapshot['indexFaults']> {
  if (path !== 'team/MEMORY.md' || (rule !== 'merge_conflict' && rule !== 'secret')) return [];
  const more = { ...(line === undefined ? {} : { line }), ...(secret === undefined ? {} : { detail: secret }) };
  return [{ path, problem: { kind: rule, ...more } }];
}

async function loadSessions({ key, name, project }: OpenProject): Promise<SessionSnapshot> {
  const [entries, sources, { today }] = await Promise.all([project.sessions(), project.sources(), project.spend()]);
  return { key, name, entries, sources, tokensToday: today.tokens };
}

const memoryEvents: Parameters<typeof createLive>[0]['events'] = (project) => [
  project.onDidChangeMemories,
  project.onDidChangeSuggestions,
  project.onDidChangeLogs,
  project.team.onDidChange,
];
const sessionEvents: Parameters<typeof createLive>[0]['events'] = (project) => [project.onDidChangeSessions];

/** Chats of VS Code belong to a workspace; where it has several folders, to the first. */
function chatStorageOf({ storageUri, globalStorageUri }: ExtensionContext, folder: WorkspaceFolder): ChatStorage {
  const pathOf = (uri: Uri | undefined) => (uri?.scheme === 'file' ? uri.fsPath : undefined);
  const [workspace, global] = [pathOf(storageUri), pathOf(globalStorageUri)];
  const host = env.uiKind === UIKind.Web ? 'browser' : env.remoteName === undefined ? undefined : 'remote';
  return {
    ...(workspace === undefined ? {} : { workspace }),
    ...(global === undefined ? {} : { global }),
    ...(host === undefined ? {} : { host }),
    isAnothers: folder.path !== workspaceFolders()[0]?.path,
  };
}

function activeFile(): string | undefined {
  const file = window.activeTextEditor?.document.uri;
  return file?.scheme === 'file' ? file.fsPath : undefined;
}

/** Folders on this machine's disk; memory lies where files do. */
function workspaceFolders(): readonly WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
