// Builds the engine of one project and joins its parts. It takes no decision of its own: each verb finds the right part
// and hands it what it needs. Opening changes nothing on disk.

import { join } from 'node:path';
import { createProvider } from './agent/provider';
import { openSpend } from './agent/spend';
import { createUndo, logDays, openAssistant } from './assistant';
import { openConversations } from './chat/conversations';
import { openChatSources } from './chatSources';
import { nodeDisk } from './disk';
import { createDreaming } from './dreaming';
import { readChoice } from './engineSettings';
import { createEmitter, type Disposable } from './event';
import { guidanceOf } from './extraction/guidance';
import { openExtraction } from './extraction/openExtraction';
import type { SkipReason } from './extraction/outcome';
import { indexChars } from './extraction/prompt';
import type { SavingContext } from './extraction/saving';
import { nodeProcessTable, openGuard } from './guard';
import { createHazards } from './hazards';
import { openHookInbox } from './hooks/hookInbox';
import { spoolFolder, spoolName } from './hooks/spool';
import { createKeeping, readThrough } from './keeping';
import { createLearning } from './learning';
import { silentLogger } from './log';
import { createOverlay, type Overlay } from './memory/changeset';
import { isStale, type MemoryHeader } from './memory/memory';
import { openSuggestions } from './memory/proposals';
import { openSnapshots } from './memory/snapshots';
import { resolveProject } from './paths';
import { openPause, pauseName } from './pause';
import type { Project, ProjectOptions, Rest } from './project';
import { createStatus } from './projectStatus';
import { chosenSelector } from './recall/chosenSelector';
import { findForgotten } from './recall/forgotten';
import { openRecall } from './recall/openRecall';
import { openCursors } from './sessions/cursors';
import { watchFolders } from './sessions/folderWatch';
import { listSessions } from './sessions/sessionList';
import { createSessionWatcher, machineClock } from './sessions/sessionWatcher';
import type { Session } from './sessions/transcript';
import { createSourceOf } from './sourceOf';
import { openMemories, openTeamFolder } from './teamFolder';
import { createTeaming } from './teaming';
import { keepTeamSwitch, readTeamSwitch } from './teamSwitch';

/** How far into a chat its title is looked for. */
const titleEnd = { offset: 64 * 1024 };

/** Opens a project. Several windows and commands may have the same one open; what must not overlap is guarded. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { trusted, env, homeDir, disk = nodeDisk, now = Date.now, log = silentLogger } = options;
  let { settings } = options;
  let team = settings.team;
  const resolved = () =>
    resolveProject({
      directory: options.directory,
      env: options.env,
      homeDir: options.homeDir,
      trusted: options.honoursProjectDirectories ?? trusted,
      disk,
      ...(options.configDir === undefined ? {} : { configDir: options.configDir }),
      ...(team.directory === undefined ? {} : { teamDirectory: team.directory }),
    });
  let found = await resolved();
  const kept = options.followsKeptTeam ? await readTeamSwitch(disk, found.paths.stateDir, found.paths.top) : undefined;
  team = kept ?? team;
  if (kept) found = await resolved();
  const { paths, switches } = found;
  const isTeamOn = () => team.enabled && trusted;
  let { transcriptDirs } = paths;
  /** A worktree made since the start has a folder of its own. */
  const refreshedTranscriptDirs = async () => {
    transcriptDirs = (await resolved()).paths.transcriptDirs;
    return transcriptDirs;
  };
  const { stateDir } = paths;
  const processes = nodeProcessTable(disk);

  const { store, usable, openMounted } = openMemories({ paths, isTeamOn, disk, now, log });
  const guard = openGuard({ folder: join(stateDir, 'guard'), disk, processes });
  const runs = () => snapshots.runs();
  const teaming = createTeaming({ paths, store, runs, isOn: isTeamOn, env, homeDir, disk, log });
  const { files } = teaming;
  const snapshots = openSnapshots({ folder: stateDir, files, disk, guard, processes, team: isTeamOn, now, log });
  const suggestions = openSuggestions({ folder: stateDir, disk });
  const pause = openPause({ folder: stateDir, disk, now });
  const source = openChatSources({
    repository: paths,
    transcriptDirs: () => transcriptDirs,
    storage: options.chatStorage,
    disk,
  });
  const cursors = openCursors({
    folder: stateDir,
    disk,
    now,
    twins: source.chats.twins,
    rewritten: source.folders,
    log,
  });
  const baseline = (sessions: readonly Session[]) => source.baseline(cursors, sessions, transcriptDirs);
  const restChanged = createEmitter<void>();
  const sessionsChanged = createEmitter<void>();
  const logsChanged = createEmitter<void>();
  const provider =
    options.provider ??
    createProvider({
      settings: () => settings.model,
      choice: () => readChoice(disk, paths.configDir),
      secret: options.secret,
      chatModel: options.chatModel,
      env: options.env,
      asked: options.askedProvider,
    });
  const spend = openSpend({
    folder: join(paths.configDir, 'reverie', 'spend'),
    disk,
    now,
    dailyTokens: () => settings.spend.dailyTokens,
    log,
  });
  const spent = async () => ({ today: await spend.today(), dailyTokens: settings.spend.dailyTokens });

  async function rest(): Promise<Rest | undefined> {
    if (!switches.enabled) return { kind: 'disabled', by: switches.disabledBy ?? 'a setting' };
    if (!settings.enabled) return { kind: 'disabled', by: 'reverie.enabled in the settings' };
    if (!trusted) return { kind: 'untrusted' };
    const until = await pause.get();
    if (until === undefined) return undefined;
    return { kind: 'paused', until: until === 'open' ? undefined : until };
  }

  async function refusal(): Promise<SkipReason | undefined> {
    if (settings.extraction.mode === 'off') return 'disabled';
    return (await rest())?.kind;
  }

  const assistant = openAssistant({
    memoryDir: paths.memoryDir,
    stateDir,
    settings: () => settings,
    zone: options.zone,
    disk,
    processes,
    now,
    log,
  });
  const { logs } = assistant;
  const sourceOf = createSourceOf({ memoryDir: paths.memoryDir, store, logs, files: source.filesOf, disk });

  const openOverlay = () => createOverlay((path) => readThrough(store, path));
  async function saving(overlay: Overlay): Promise<SavingContext> {
    const [heads, guidance] = await Promise.all([store.heads(), guidanceOf(paths, disk)]);
    return { overlay, heads, guidance, read: store.read, now: now(), team: isTeamOn() };
  }

  const recollection = openRecall({
    stateDir,
    store: usable,
    selector: chosenSelector(provider, spend),
    timeoutMs: () => settings.recall.timeoutMs,
    disk,
    now,
    log,
  });
  const keeping = createKeeping({ store, snapshots, suggestions, saving, moving: teaming.moving, isTeamOn, now });
  const guidance = () => guidanceOf(paths, disk);
  const extraction = openExtraction({
    stateDir,
    memoryDir: paths.memoryDir,
    store,
    usable,
    // Not combined with assistant mode: nothing goes to the team by itself there.
    team: () => isTeamOn() && !assistant.isOn(),
    snapshots,
    suggestions,
    source,
    cursors,
    provider,
    spend,
    openOverlay,
    saving,
    guidance,
    findForgotten,
    assistant,
    settings: () => settings,
    refusal,
    processes,
    disk,
    clock: machineClock,
    now,
    log,
  });
  const conversations = openConversations({
    stateDir,
    recall: recollection.recall,
    provider,
    spend,
    extraction,
    run: extraction.run,
    index: () => usable.indexes(indexChars),
    guidance,
    idleMinutes: () => settings.sources.idleMinutes,
    disk,
    clock: options.clock ?? machineClock,
    log,
  });
  const watcher = createSessionWatcher({
    source,
    folders: async () => [...(await refreshedTranscriptDirs()), ...source.folders],
    // The editor's own files come and go there all the time.
    isAlone: (folder) => source.folders.includes(folder),
    cursors,
    baseline,
    disk,
    clock: machineClock,
    idleMinutes: () => settings.sources.idleMinutes,
    log,
  });

  const dreaming = createDreaming({
    provider,
    spend,
    guidance,
    memoryDir: paths.memoryDir,
    stateDir,
    disk,
    processes,
    store,
    usable,
    snapshots,
    suggestions,
    source,
    cursors,
    saving,
    assistant,
    findForgotten,
    settings: () => settings,
    rest,
    refresh: refreshedTranscriptDirs,
    clock: machineClock,
    now,
    log,
  });
  const sharing = openTeamFolder({
    paths,
    isOn: isTeamOn,
    store,
    openMounted,
    snapshots,
    isAtRest: async () => (await rest()) !== undefined,
    disk,
    clock: machineClock,
    log,
  });
  const recover = async () => {
    await snapshots.recover();
    await logs.recover().catch((error) => log.warn(`The daily log: ${error}`));
    await dreaming.dream.recover();
    await sharing.settle();
  };

  const inbox = openHookInbox({ stateDir, reader: paths.root, watcher, processes, disk, log });
  /** Another window or the command line may pause this project, and hooks leave word: nothing else there is news. */
  const stateWatch = watchFolders({
    folders: async () => [stateDir, spoolFolder(stateDir), logs.batchFolder],
    disk,
    log,
    onEntry: (folder, name) => {
      if (folder === logs.batchFolder) return logsChanged.fire();
      if (folder !== stateDir) {
        if (name === undefined || name === spoolName) void inbox.look();
        return;
      }
      if (name === undefined || name === pauseName) restChanged.fire();
      recollection.heard(name);
      teaming.news.heard(name);
    },
    onFolders: () => {
      void stateWatch
        .refresh()
        .then(() => {
          restChanged.fire();
          return inbox.look();
        })
        .catch((error) => log.warn(`Watching ${stateDir}: ${error}`));
    },
  });

  const lifetime: Disposable[] = [
    sharing,
    conversations,
    restChanged,
    sessionsChanged,
    logsChanged,
    watcher,
    stateWatch,
    recollection,
    teaming.news,
    store,
  ];
  lifetime.push(
    extraction.onDidChange(() => sessionsChanged.fire()),
    logs.onDidAppend(() => logsChanged.fire()),
    watcher.onDidChangeSessions(() => sessionsChanged.fire()),
  );
  let started = false;
  let prepared: Promise<void> | undefined;

  /** Cursors start at *now* (decision 2): once, before the first look for what is new. Not while memory is at rest. */
  async function prepare(): Promise<void> {
    if (await refusal()) return;
    prepared ??= source.list(0).then(baseline);
    await prepared;
  }

  async function start(): Promise<void> {
    const refused = await refusal();
    if (started || refused === 'disabled' || refused === 'untrusted') return;
    started = true;
    if (!options.followsKeptTeam) await keepTeamSwitch(disk, stateDir, paths.top, team);
    await recover();
    await prepare();
    lifetime.push(
      store.onDidChange(({ paths: changed }) => recollection.changed(changed)),
      store.onDidChange(({ paths: changed }) => sharing.changed(changed)),
      store.onDidChange(() => void snapshots.keepIndexLines().catch((error) => log.warn(`Index lines: ${error}`))),
      watcher.onDidEndTurn((session) => {
        void isReadAtTurnEnds()
          .then((isRead) => (isRead ? extraction.executeExtractMemories(session, 'turnEnd') : undefined))
          .then(() => dreaming.ended('turnEnd', session))
          .catch((error) => log.warn(`The end of a turn: ${error}`));
      }),
      watcher.onDidEndSession(({ reason, ...session }) => {
        void extraction
          .executeExtractMemories(session, reason === 'start' ? 'start' : 'sessionEnd')
          // A session that is condensed goes on: no time to tidy up.
          .then(() => (reason === 'compact' ? undefined : dreaming.ended('sessionEnd', session)));
      }),
      dreaming.start(),
    );
    await stateWatch.refresh().catch((error) => log.warn(`Watching ${stateDir}: ${error}`));
    await watcher.start();
    await teaming.news.start();
    await conversations.resume();
    // What hooks left while no editor was there.
    await inbox.begin();
  }

  /** A model reads a whole session at once, which costs a part of reading it turn by turn. */
  async function isReadAtTurnEnds(): Promise<boolean> {
    const { when } = settings.extraction;
    return when === 'auto' ? (await provider.state()).kind === 'offline' : when === 'turnEnd';
  }

  const isStaleNow = (memory: MemoryHeader) => isStale(memory, now(), settings.staleDays);
  const status = createStatus({
    paths,
    switches,
    store,
    sources: source.states,
    provider,
    spent,
    rest,
    dream: dreaming.dream,
    assistantMode: async () => ({ enabled: assistant.isOn(), ...(await dreaming.night()) }),
    team: sharing.state,
    isStale: isStaleNow,
  });

  return {
    paths,
    switches,

    heads: store.heads,
    read: store.read,
    usable,
    async locate(path) {
      const { folder, relative } = await store.locate(path);
      return folder.locate(relative);
    },
    teamFolder: sharing.state,
    hazards: createHazards({ store, teamFolder: sharing.state, isTeamOn }),
    switchTeam: sharing.switchTo,
    isStale: isStaleNow,
    suggestions: suggestions.waiting,
    sessions: () => listSessions(source, cursors, extraction.reading),
    titleOf: async (session) => (await source.read(session, undefined, undefined, titleEnd)).title,
    sources: source.states,
    ...status,
    recall: recollection.recall,
    markRelevance: recollection.markRelevance,
    recalled: recollection.recalled,
    clearRecalled: recollection.clearRecalled,
    forgetConversation: recollection.forgetConversation,
    runs: snapshots.runs,
    trash: snapshots.trash,
    ...sourceOf,
    logs: () => logDays(assistant),
    rest,
    provider: provider.state,
    spend: spent,

    ...keeping,
    restore: (path) => snapshots.restore(path),
    undo: createUndo(snapshots, logs),

    extract: extraction.executeExtractMemories,
    ...createLearning({ source, cursors, extraction, prepare }),
    async exclude(session, excluded) {
      await cursors.exclude(session, excluded);
      sessionsChanged.fire();
    },
    async pause(until) {
      await pause.begin(until);
      restChanged.fire();
    },
    async resume() {
      await pause.end();
      restChanged.fire();
    },
    configure(next) {
      settings = { ...next, team };
      dreaming.configured();
      restChanged.fire();
    },

    dream: dreaming.dream,
    team: teaming.team,
    conversations,

    recover,
    start,
    async drain(ms) {
      await Promise.all([extraction.drain(ms), dreaming.dream.cancel()]);
    },
    dispose() {
      for (const one of lifetime.splice(0)) one.dispose();
    },

    onDidChangeMemories: (listener) => store.onDidChange(() => listener()),
    onDidChangeLogs: logsChanged.event,
    onDidChangeSuggestions: suggestions.onDidChange,
    onDidChangeSessions: sessionsChanged.event,
    onDidChangeRecalled: recollection.onDidChangeRecalled,
    onDidChangeRest: restChanged.event,
    onDidExtract: extraction.onDidExtract,
  };
}
