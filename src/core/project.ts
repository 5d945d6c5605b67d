// The one door to the engine: everything the views, the command line and the tests may ask of one project's memory.
// Opening reads only what it must and changes nothing; `start` begins to listen for chat sessions.

import type { LanguageModel } from './agent/languageModel';
import type { AskedProvider, Provider, ProviderState } from './agent/provider';
import type { DaySpend } from './agent/spend';
import type { Conversations } from './chat/conversations';
import type { Disk } from './disk';
import type { LockState } from './dream/consolidationLock';
import type { Dream } from './dream/dream';
import type { GateResult } from './dream/gates';
import type { EngineSettings } from './engineSettings';
import type { Disposable, Event } from './event';
import type { ExtractionOutcome } from './extraction/outcome';
import type { Hazard } from './hazards';
import type { Keeping } from './keeping';
import type { Logger } from './log';
import type { LogLine } from './logs/logLines';
import type { Memory, MemoryHeader, MemoryType } from './memory/memory';
import type { IndexBudget } from './memory/memoryIndex';
import type { Suggestion } from './memory/proposals';
import type { Run, RunSummary, TrashEntry, UndoResult } from './memory/snapshots';
import type { UsableMemories } from './memory/usableMemories';
import type { ProjectPaths, Switches } from './paths';
import type { ProjectRecallOptions, RecalledTurn } from './recall/openRecall';
import type { Recollection } from './recall/recall';
import type { ChatStorage } from './sessions/chatStorage';
import type { SessionEntry } from './sessions/sessionList';
import type { SourceHint, SourceMessage } from './sessions/sourceMessage';
import type { Clock, Session } from './sessions/transcript';
import type { TeamFolderState } from './teamFolder';
import type { Team } from './teaming';
import type { TeamSwitch } from './teamSwitch';

export interface ProjectOptions {
  readonly directory: string;
  readonly homeDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Overrides the environment's. */
  readonly configDir?: string;
  /** An untrusted workspace shows the person's own memories and runs nothing. */
  readonly trusted: boolean;
  /** Whether directories that the project's own settings name are honoured; by default as `trusted`. */
  readonly honoursProjectDirectories?: boolean;
  readonly settings: EngineSettings;
  /**
   * Whether what was kept of team memory for this checkout goes before the settings: on the command line, and in an editor whose
   * settings do not speak of it. Else the settings hold, and are kept.
   */
  readonly followsKeptTeam?: boolean;
  /** The key that a person gave for a host, from where secrets are kept. */
  readonly secret?: (host: string) => Promise<string | undefined>;
  /** An editor's own chat model by its id; only there is one. */
  readonly chatModel?: (id: string) => Promise<LanguageModel>;
  /** What a command line asks for, over the settings. */
  readonly askedProvider?: AskedProvider;
  /** In the place of the one that settings and a person's choice lead to. */
  readonly provider?: Provider;
  /** Where the editor keeps its own chats; a command line has none. */
  readonly chatStorage?: ChatStorage;
  readonly disk?: Disk;
  readonly now?: () => number;
  /** The time zone whose days the daily logs have, by its name; the machine's without. */
  readonly zone?: string;
  /** For what waits for quiet in a conversation of our own. */
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** What models were paid for today, over all projects. */
export interface ProjectSpend {
  readonly today: DaySpend;
  /** 0: no limit. */
  readonly dailyTokens: number;
}

/** Why memory is at rest, or `undefined` when it is at work. */
export type Rest =
  | { readonly kind: 'disabled'; readonly by: string }
  | { readonly kind: 'paused'; readonly until: number | undefined }
  | { readonly kind: 'untrusted' };

export interface SourceState {
  readonly kind: 'claude-code' | 'vscode-chat';
  readonly reachable: boolean;
  /** In words for a person, when it can't be reached; and what helps. */
  readonly why?: string;
  readonly helps?: string;
  readonly sessions: number;
  /** Files of this source that hold chats of another generation, or are damaged as a whole. */
  readonly unreadable?: readonly { readonly file: string; readonly why: string }[];
}

export interface PastProgress {
  readonly done: number;
  readonly total: number;
  readonly memories: number;
  readonly suggestions: number;
}

export interface PastSessions {
  readonly sessions: readonly Session[];
  readonly bytes: number;
}

export interface ProjectStatus {
  readonly paths: ProjectPaths;
  readonly switches: Switches;
  readonly sources: readonly SourceState[];
  readonly memories: {
    readonly total: number;
    readonly byType: Readonly<Record<MemoryType, number>>;
    readonly stale: number;
    readonly problems: number;
  };
  readonly index: IndexBudget & { readonly exists: boolean };
  readonly team: TeamFolderState;
  readonly provider: ProviderState;
  readonly spend: ProjectSpend;
  readonly rest: Rest | undefined;
  /** Every gate of the next dream by itself. */
  readonly gates: readonly GateResult[];
  readonly lock: LockState;
  readonly assistantMode: {
    readonly enabled: boolean;
    readonly dreamHour: number;
    /** Lines of the daily logs that no dream has looked at. */
    readonly waitingLines: number;
  };
}

export interface LogDay {
  /** A memory path. */
  readonly path: string;
  /** `2026-12-01` */
  readonly day: string;
  /** Of the newest days; `undefined` of an older one, which is read when somebody opens it. */
  readonly lines: readonly LogLine[] | undefined;
}

export interface ProjectLogs {
  /** Assistant mode. */
  readonly isOn: boolean;
  /** Newest first. */
  readonly days: readonly LogDay[];
}

export interface Project extends Keeping, Disposable {
  readonly paths: ProjectPaths;
  readonly switches: Switches;

  // Reading
  /** Every memory, newest first; those with a problem too. */
  heads(): Promise<readonly MemoryHeader[]>;
  read(path: string): Promise<Memory | undefined>;
  /** What a model may see of them: without what is held back, and without the team's while that is off. */
  readonly usable: UsableMemories;
  /** Absolute path of a memory or of `MEMORY.md`. */
  locate(path: string): Promise<string>;
  indexBudget(): Promise<IndexBudget & { readonly exists: boolean }>;
  /** Team memory here: whether it is on, where it lies, what is in it, what of it is refused. Looks also while it is off. */
  teamFolder(): Promise<TeamFolderState>;
  /** What a person should look at in the files: secrets, marks of a merge, refused entries. */
  hazards(): Promise<readonly Hazard[]>;
  /** Keeps the switch for this checkout, from the next opening on; makes the folder. Throws `usage` for a folder that can't be it. */
  switchTeam(next: TeamSwitch): Promise<void>;
  isStale(memory: MemoryHeader): boolean;
  suggestions(): Promise<readonly Suggestion[]>;
  sessions(): Promise<readonly SessionEntry[]>;
  sources(): Promise<readonly SourceState[]>;
  status(): Promise<ProjectStatus>;
  /** At most five memories that fit, each with the reason; none rather than a guess. */
  recall(query: string, options?: ProjectRecallOptions): Promise<Recollection>;
  /** *Not relevant*: this memory does not fit this question; `relevant` takes it back. */
  markRelevance(path: string, query: string, relevant: boolean): Promise<void>;
  /** What was brought back lately by any way, newest first, in whatever process. */
  recalled(): Promise<readonly RecalledTurn[]>;
  /** Forgets what was brought back; memories stay, and what a person said of them. */
  clearRecalled(): Promise<void>;
  /** A conversation was compacted: what it was given may be given again. */
  forgetConversation(conversation: string): Promise<void>;
  runs(): Promise<readonly RunSummary[]>;
  trash(): Promise<readonly TrashEntry[]>;
  /** The words a memory came from: the line of a daily log, else of a transcript; `undefined` when neither is there. */
  sourceMessage(path: string): Promise<SourceMessage | undefined>;
  /** The same for what a dream names as a source: a chat session, or a line of a daily log. */
  findSource(hint: SourceHint): Promise<SourceMessage | undefined>;
  /** What a chat is called, by the beginning of its file. Rejects when it is gone. */
  titleOf(session: Session): Promise<string | undefined>;
  /** The daily logs, newest first. */
  logs(): Promise<ProjectLogs>;
  rest(): Promise<Rest | undefined>;
  /** Which engine works now; nothing is sent to find out. */
  provider(): Promise<ProviderState>;
  spend(): Promise<ProjectSpend>;

  // Changing, besides what a person does by hand (`Keeping`); each is one run that `undo` takes back.
  /** Brings a memory back from the trash. */
  restore(path: string): Promise<Run>;
  undo(runId?: string): Promise<UndoResult>;

  // Chat sessions
  /** Extracts from a session what is new since its cursor. Never rejects. */
  extract(session: Session, trigger: 'command' | 'retry'): Promise<ExtractionOutcome>;
  /** Sessions with words after their cursor. */
  behind(): Promise<readonly Session[]>;
  /** Sessions whose words lie before the cursors' start. */
  past(sinceMs?: number): Promise<PastSessions>;
  learnPast(
    sessions: readonly Session[],
    progress?: (progress: PastProgress) => void,
    signal?: AbortSignal,
  ): Promise<readonly ExtractionOutcome[]>;
  exclude(session: Session, excluded: boolean): Promise<void>;
  /** For good in this project (`undefined`), or until a time in milliseconds; `resume` ends it. */
  pause(until: number | undefined): Promise<void>;
  resume(): Promise<void>;
  configure(settings: EngineSettings): void;

  /** Consolidation across chat sessions: run, cancel, why not now, the proposal that waits, its review, the history. */
  readonly dream: Dream;

  /** Team memory: where it lies, who wrote what, what is new. */
  readonly team: Team;

  /** Our own conversations: answers from memory, and at their end an extraction. */
  readonly conversations: Conversations;

  /** Rolls back what a crash left half-done; `start` does it too. */
  recover(): Promise<void>;
  /** Listens for chat sessions. Does nothing while memory is disabled or the workspace is untrusted. */
  start(): Promise<void>;
  /** Resolves when running work has ended, at the latest after `ms`. */
  drain(ms: number): Promise<void>;

  readonly onDidChangeMemories: Event<void>;
  /** A line was added to a daily log, in whatever process of ours. */
  readonly onDidChangeLogs: Event<void>;
  readonly onDidChangeSuggestions: Event<void>;
  readonly onDidChangeSessions: Event<void>;
  readonly onDidChangeRecalled: Event<void>;
  readonly onDidChangeRest: Event<void>;
  /** Once for a run and its trailing runs. Fires only where the run was started (decision 8). */
  readonly onDidExtract: Event<readonly ExtractionOutcome[]>;
}
