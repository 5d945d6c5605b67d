// Builds the engine of one project and joins its parts. It takes no decision of its own: each verb finds the right part
// and hands it what it needs. Opening changes nothing on disk.

import { basename, join } from 'node:path';
import { createProvider } from './agent/provider';
import { openSpend } from './agent/spend';
import { openConversations } from './chat/conversations';
import { nodeDisk } from './disk';
import { createDreaming } from './dreaming';
import { readChoice } from './engineSettings';
import { createEmitter, type Disposable } from './event';
import { guidanceOf } from './extraction/guidance';
import { openExtraction } from './extraction/openExtraction';
import type { ExtractionOutcome, SkipReason } from './extraction/outcome';
import type { SavingContext } from './extraction/saving';
import { nodeProcessTable, openGuard } from './guard';
import { openHookInbox } from './hooks/hookInbox';
import { spoolFolder, spoolName } from './hooks/spool';
import { createKeeping, readThrough } from './keeping';
import { silentLogger } from './log';
import { createOverlay, type Overlay } from './memory/changeset';
import { isStale, memoryTypes } from './memory/memory';
import { indexBudget } from './memory/memoryIndex';
import { openMemoryStore } from './memory/memoryStore';
import { openSuggestions } from './memory/proposals';
import { openSnapshots } from './memory/snapshots';
import { slug } from './pathRules';
import { resolveProject } from './paths';
import { openPause, pauseName } from './pause';
import type { Project, ProjectOptions, ProjectStatus, Rest } from './project';
import { chosenSelector } from './recall/chosenSelector';
import { findForgotten } from './recall/forgotten';
import { openRecall } from './recall/openRecall';
import { openClaudeCode } from './sessions/claudeCode';
import { openCursors } from './sessions/cursors';
import { watchFolders } from './sessions/folderWatch';
import { listSessions } from './sessions/sessionList';
import { createSessionWatcher, machineClock } from './sessions/sessionWatcher';
import { findSource } from './sessions/sourceMessage';
import { createTeaming } from './teaming';
import { belongsTo } from './transcriptFolders';

/** Opens a project. Several windows and commands may have the same one open; what must not overlap is guarded. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { trusted, disk = nodeDisk, now = Date.now, log = silentLogger } = options;
  let { settings } = options;
  const resolved = () =>
    resolveProject({
      directory: options.directory,
      env: options.env,
      homeDir: options.homeDir,
      trusted: options.honoursProjectDirectories ?? trusted,
      disk,
      ...(options.configDir === undefined ? {} : { configDir: options.configDir }),
      ...(settings.team.directory === undefined ? {} : { teamDirectory: settings.team.directory }),
    });
  const { paths, switches } = await resolved();
  let { transcriptDirs } = paths;
  /** A worktree made since the start has a folder of its own. */
  const refreshedTranscriptDirs = async () => {
    transcriptDirs = (await resolved()).paths.transcriptDirs;
    return transcriptDirs;
  };
  const { stateDir } = paths;
  const processes = nodeProcessTable(disk);

  const store = openMemoryStore({
    roots: { private: paths.memoryDir, ...(paths.teamDir === undefined ? {} : { team: paths.teamDir }) },
    disk,
    now,
    log,
  });
  const guard = openGuard({ folder: join(stateDir, 'guard'), disk, processes });
  const isTeamOn = () => trusted;
  const { env, homeDir } = options;
  const runs = () => snapshots.runs();
  const teaming = createTeaming({ paths, store, runs, isOn: isTeamOn, env, homeDir, disk, log });
  const snapshots = openSnapshots({ folder: stateDir, files: teaming.files, disk, guard, processes, now, log });
  const suggestions = openSuggestions({ folder: stateDir, disk });
  const pause = openPause({ folder: stateDir, disk, now });
  const source = openClaudeCode({
    folders: async () => transcriptDirs,
    disk,
    // Two paths can have one slug; their sessions then share a folder. A transcript that was moved here is ours.
    isOther: async (cwd, folder) => slug(cwd) === basename(folder) && !(await belongsTo(cwd, paths, disk)),
  });
  const cursors = openCursors({ folder: stateDir, disk, now, log });
  const restChanged = createEmitter<void>();
  const sessionsChanged = createEmitter<void>();
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

  const openOverlay = () => createOverlay((path) => readThrough(store, path));
  async function saving(overlay: Overlay): Promise<SavingContext> {
    const [heads, guidance] = await Promise.all([store.heads(), guidanceOf(paths, disk)]);
    return { overlay, heads, guidance, read: store.read, now: now() };
  }

  const recollection = openRecall({
    stateDir,
    store,
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
    index: async () => (await store.index('private')) ?? '',
    guidance,
    idleMinutes: () => settings.sources.idleMinutes,
    disk,
    clock: options.clock ?? machineClock,
    log,
  });
  const watcher = createSessionWatcher({
    source,
    folders: refreshedTranscriptDirs,
    cursors,
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
    snapshots,
    suggestions,
    source,
    cursors,
    saving,
    settings: () => settings,
    rest,
    refresh: refreshedTranscriptDirs,
    clock: machineClock,
    now,
    log,
  });
  const recover = async () => {
    await snapshots.recover();
    await dreaming.dream.recover();
  };

  const inbox = openHookInbox({ stateDir, reader: paths.root, watcher, processes, disk, log });
  /** Another window or the command line may pause this project, and hooks leave word: nothing else there is news. */
  const stateWatch = watchFolders({
    folders: async () => [stateDir, spoolFolder(stateDir)],
    disk,
    log,
    onEntry: (folder, name) => {
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
    conversations,
    restChanged,
    sessionsChanged,
    watcher,
    stateWatch,
    recollection,
    teaming.news,
    store,
  ];
  lifetime.push(
    extraction.onDidChange(() => sessionsChanged.fire()),
    watcher.onDidChangeSessions(() => sessionsChanged.fire()),
  );
  let started = false;
  let prepared: Promise<void> | undefined;

  /** Cursors start at *now* (decision 2): once, before the first look for what is new. Not while memory is at rest. */
  async function prepare(): Promise<void> {
    if (await refusal()) return;
    prepared ??= source.list(0).then((sessions) => cursors.baseline(sessions, transcriptDirs));
    await prepared;
  }

  async function start(): Promise<void> {
    const refused = await refusal();
    if (started || refused === 'disabled' || refused === 'untrusted') return;
    started = true;
    await recover();
    await prepare();
    lifetime.push(
      store.onDidChange(({ paths: changed }) => recollection.changed(changed)),
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

  async function past(sinceMs = 0) {
    await prepare();
    const sessions = (await cursors.past(await source.list(sinceMs))).filter((session) => session.kind !== 'foreign');
    return { sessions, bytes: sessions.reduce((sum, session) => sum + session.pastBytes, 0) };
  }

  async function sources() {
    const folders = await Promise.all(transcriptDirs.map((folder) => disk.stat(folder)));
    const reachable = folders.some((stat) => stat?.kind === 'folder');
    const sessions = reachable ? (await source.list(0)).filter((session) => session.kind !== 'foreign').length : 0;
    const why = 'no projects folder on this machine';
    return [{ kind: 'claude-code' as const, reachable, sessions, ...(reachable ? {} : { why }) }];
  }

  async function index() {
    const text = await store.index('private');
    return { ...indexBudget(text ?? ''), exists: text !== undefined };
  }

  return {
    paths,
    switches,

    heads: store.heads,
    read: store.read,
    async locate(path) {
      const { folder, relative } = await store.locate(path);
      return folder.locate(relative);
    },
    indexBudget: index,
    isStale: (memory) => isStale(memory, now(), settings.staleDays),
    suggestions: suggestions.waiting,
    sessions: () => listSessions(source, cursors, extraction.reading),
    sources,
    async status(): Promise<ProjectStatus> {
      const heads = await store.heads();
      const byType = Object.fromEntries(
        memoryTypes.map((type) => [type, heads.filter((head) => head.type === type).length]),
      );
      return {
        paths,
        switches,
        sources: await sources(),
        memories: {
          total: heads.length,
          byType: byType as ProjectStatus['memories']['byType'],
          stale: heads.filter((head) => isStale(head, now(), settings.staleDays)).length,
          problems: heads.filter((head) => head.problem !== undefined).length,
        },
        index: await index(),
        provider: await provider.state(),
        spend: await spent(),
        rest: await rest(),
        gates: (await dreaming.dream.whyNot()).results,
        lock: await dreaming.dream.lock(),
      };
    },
    recall: recollection.recall,
    markRelevance: recollection.markRelevance,
    recalled: recollection.recalled,
    clearRecalled: recollection.clearRecalled,
    forgetConversation: recollection.forgetConversation,
    runs: snapshots.runs,
    trash: snapshots.trash,
    async sourceMessage(path) {
      const memory = await store.read(path);
      if (!memory?.originSessionId) return undefined;
      const { originSessionId: session, sourceMessages: messages } = memory;
      return findSource(disk, transcriptDirs, { session, messages, path });
    },
    findSource: (hint) => findSource(disk, transcriptDirs, hint),
    rest,
    provider: provider.state,
    spend: spent,

    ...keeping,
    restore: (path) => snapshots.restore(path),
    undo: snapshots.undo,

    extract: extraction.executeExtractMemories,
    past,
    async learnPast(sessions, progress = () => {}, signal) {
      const outcomes: ExtractionOutcome[] = [];
      for (const session of sessions) {
        if (signal?.aborted) break;
        outcomes.push(await extraction.executeExtractMemories(session, 'past', signal));
        progress({
          done: outcomes.length,
          total: sessions.length,
          memories: outcomes.reduce((sum, outcome) => sum + outcome.savedCount, 0),
          suggestions: outcomes.reduce((sum, outcome) => sum + outcome.suggestedCount, 0),
        });
      }
      return outcomes;
    },
    behind: async () => {
      await prepare();
      const sessions = await source.list(0);
      const pending = await Promise.all(sessions.map((session) => cursors.pending(session)));
      return sessions.filter((session, at) => session.kind !== 'foreign' && pending[at]);
    },
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
      settings = next;
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
    onDidChangeSuggestions: suggestions.onDidChange,
    onDidChangeSessions: sessionsChanged.event,
    onDidChangeRecalled: recollection.onDidChangeRecalled,
    onDidChangeRest: restChanged.event,
    onDidExtract: extraction.onDidExtract,
  };
}
