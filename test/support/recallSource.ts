// Memories of a test as recall sees them: written down in a line each, found by the real index, without a disk.

import { deadlineOf } from '../../src/core/memory/deadlines';
import {
  editFrontMatter,
  type FrontMatterChanges,
  formatMemory,
  type Memory,
  type MemoryType,
  parseMemory,
} from '../../src/core/memory/memory';
import { analyse } from '../../src/core/recall/analysedMemory';
import { createLexicalIndex } from '../../src/core/recall/lexicalIndex';
import type { RecallSource } from '../../src/core/recall/recall';

export const recallNow = Date.parse('2026-06-15T12:00:00Z');
export const recallDayMs = 86_400_000;

export interface MemoryNote {
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  readonly type?: MemoryType;
  readonly keywords?: readonly string[];
  readonly daysOld?: number;
  readonly extra?: FrontMatterChanges;
}

export function noteMemory(path: string, note: MemoryNote): Memory {
  const { name = path.replace(/\.md$/, ''), description = '', body = '', type = 'project', keywords = [] } = note;
  const modifiedAt = recallNow - (note.daysOld ?? 0) * recallDayMs;
  const scope = path.startsWith('team/') ? 'team' : 'private';
  const text = formatMemory({ type, scope, name, description, body, keywords, modifiedAt });
  return parseMemory(path, editFrontMatter(text, note.extra ?? {}), modifiedAt, recallNow);
}

/** `gone` are paths that can no longer be read. */
export function recallSource(
  notes: Readonly<Record<string, MemoryNote>>,
  gone: readonly string[] = [],
): RecallSource & { readonly searches: string[]; readonly reads: string[] } {
  const memories = new Map(Object.entries(notes).map(([path, note]) => [path, noteMemory(path, note)]));
  const index = createLexicalIndex();
  for (const memory of memories.values()) index.set(analyse(memory));
  const searches: string[] = [];
  const reads: string[] = [];
  return {
    heads: [...memories.values()].sort((a, b) => b.modifiedAt - a.modifiedAt),
    search: async (query, options) => {
      searches.push(query);
      return index.search(query, options);
    },
    read: async (path) => {
      reads.push(path);
      return gone.includes(path) ? undefined : memories.get(path);
    },
    deadline: (path) => deadlineOf(memories.get(path)?.body ?? ''),
    now: recallNow,
    searches,
    reads,
  };
}
