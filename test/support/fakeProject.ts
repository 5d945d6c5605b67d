// A project in domain terms, for tests of what stands in front of the engine: memories, suggestions and sessions are lists
// that a test changes, events fire when it says so, and what was asked for is written down.

import { createEmitter } from '../../src/core/event';
import type { ExtractionOutcome } from '../../src/core/extraction/outcome';
import type { MemoryHeader } from '../../src/core/memory/memory';
import type { Suggestion } from '../../src/core/memory/proposals';
import type { Project, Rest } from '../../src/core/project';
import type { SessionEntry } from '../../src/core/sessions/sessionList';

export interface FakeProject {
  readonly project: Project;
  memories: MemoryHeader[];
  waiting: Suggestion[];
  entries: SessionEntry[];
  resting: Rest | undefined;
  /** Verbs that were called, in order. */
  readonly calls: string[];
  isDisposed: boolean;
  /** Makes the next `heads` fail. */
  failure: Error | undefined;
  changeMemories(): void;
  changeSessions(): void;
}

/** `stateDir` is what tells projects apart. */
export function createFakeProject(stateDir: string): FakeProject {
  const memoriesChanged = createEmitter<void>();
  const suggestionsChanged = createEmitter<void>();
  const sessionsChanged = createEmitter<void>();
  const restChanged = createEmitter<void>();
  const extracted = createEmitter<readonly ExtractionOutcome[]>();

  const parts: Partial<Project> = {
    paths: { stateDir, memoryDir: `${stateDir}/memory`, root: stateDir } as Project['paths'],
    switches: { enabled: true },
    async heads() {
      fake.calls.push('heads');
      const { failure } = fake;
      fake.failure = undefined;
      if (failure) throw failure;
      return fake.memories;
    },
    suggestions: async () => fake.waiting,
    sessions: async () => fake.entries,
    sources: async () => [],
    rest: async () => fake.resting,
    isStale: () => false,
    indexBudget: async () => ({
      exists: true,
      lines: fake.memories.length,
      chars: 100,
      lineLimit: 200,
      charLimit: 25_000,
      overBudget: false,
      hiddenLines: 0,
    }),
    async start() {
      fake.calls.push('start');
    },
    async drain() {
      fake.calls.push('drain');
    },
    dispose() {
      fake.isDisposed = true;
    },
    onDidChangeMemories: memoriesChanged.event,
    onDidChangeSuggestions: suggestionsChanged.event,
    onDidChangeSessions: sessionsChanged.event,
    onDidChangeRest: restChanged.event,
    onDidExtract: extracted.event,
  };
  const fake: FakeProject = {
    project: parts as Project,
    memories: [],
    waiting: [],
    entries: [],
    resting: undefined,
    calls: [],
    isDisposed: false,
    failure: undefined,
    changeMemories: () => memoriesChanged.fire(),
    changeSessions: () => sessionsChanged.fire(),
  };
  return fake;
}

/** A memory that is fine: feedback, private, written three days before `now`. */
export function fakeHead(path: string, facts: Partial<MemoryHeader> = {}): MemoryHeader {
  return {
    path,
    name: path.replace(/\.md$/, ''),
    description: undefined,
    type: 'feedback',
    scope: path.startsWith('team/') ? 'team' : 'private',
    modifiedAt: fakeNow - 3 * fakeDayMs,
    mtimeMs: fakeNow - 3 * fakeDayMs,
    verifiedAt: undefined,
    pinned: false,
    keywords: [],
    originSessionId: undefined,
    supersededBy: undefined,
    deadlinePassed: undefined,
    ...facts,
  };
}

export function fakeSession(id: string, facts: Partial<SessionEntry> = {}): SessionEntry {
  return {
    session: { kind: 'claude-code', id, file: `/chats/${id}.jsonl`, size: 1000, modifiedAt: facts.at ?? fakeNow },
    title: `Chat ${id}`,
    state: 'nothing',
    at: fakeNow,
    savedCount: 0,
    suggestedCount: 0,
    writtenPaths: [],
    ...facts,
  };
}

export function fakeSuggestion(id: string, name: string, facts: Partial<Suggestion['draft']> = {}): Suggestion {
  const draft = {
    type: 'feedback',
    scope: 'private',
    name,
    description: name,
    body: name,
    modifiedAt: fakeNow,
  } as const;
  const session = { id: 's', file: '/chats/s.jsonl', title: 'A chat' };
  return { id, at: fakeNow, draft: { ...draft, ...facts }, session, why: 'a rule' };
}

export const fakeDayMs = 24 * 60 * 60 * 1000;
/** Noon, so that a few hours more or less are the same day in every time zone west of +12. */
export const fakeNow = new Date(2026, 10, 20, 12).getTime();
