// What a memory is: its four types, its front matter in every dialect found in the wild, its age.
// Promises: reading never fails and never runs code, writing changes only what was asked for, byte for byte.

export type MemoryType = 'user' | 'feedback' | 'project' | 'reference';
export const memoryTypes: readonly MemoryType[] = ['user', 'feedback', 'project', 'reference'];
export type MemoryScope = 'private' | 'team';

export interface MemoryProblem {
  readonly kind:
    | 'invalid_yaml'
    | 'no_type'
    | 'unknown_type'
    | 'merge_conflict'
    | 'too_large'
    | 'not_text'
    | 'link_outside'
    | 'unreadable';
  /** Counted from 1. */
  readonly line?: number;
  readonly detail?: string;
}

/** What a scan of the head of a file knows. */
export interface MemoryHeader {
  /** Relative to the memory folder, '/'-separated; 'team/…' for the team mount, wherever that folder lies. */
  readonly path: string;
  /** From the front matter, else the file's stem. */
  readonly name: string;
  readonly description: string | undefined;
  readonly type: MemoryType | undefined;
  readonly scope: MemoryScope;
  /** Milliseconds: the front matter's `modified` when it is a valid date that is not in the future, else the file's mtime. */
  readonly modifiedAt: number;
  readonly mtimeMs: number;
  readonly verifiedAt: number | undefined;
  readonly pinned: boolean;
  readonly keywords: readonly string[];
  readonly originSessionId: string | undefined;
  readonly supersededBy: string | undefined;
  readonly problem?: MemoryProblem;
}

export interface Memory extends MemoryHeader {
  /** The whole file; BOM and line endings as on disk. */
  readonly text: string;
  /** What follows the front matter. */
  readonly body: string;
  /** The front matter as it was written, `metadata` included. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface MemorySource {
  readonly session: string;
  /** uuids of the messages whose words this memory came from. */
  readonly messages: readonly string[];
}

export interface MemoryDraft {
  readonly type: MemoryType;
  readonly scope: MemoryScope;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly keywords?: readonly string[];
  readonly originSessionId?: string;
  /** Milliseconds. */
  readonly modifiedAt: number;
  readonly source?: MemorySource;
}

export interface FrontMatterChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: MemoryType | undefined;
  /** Milliseconds, written as an ISO date. */
  readonly modified?: number | undefined;
  readonly verified?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly supersededBy?: string | undefined;
}

/** Whole days of age from which a memory counts as stale. */
export type StaleDays = Readonly<Record<MemoryType, number>>;

export declare function parseMemory(path: string, text: string, mtimeMs: number, now: number): Memory;
export declare function formatMemory(draft: MemoryDraft): string;
export declare function editFrontMatter(text: string, changes: FrontMatterChanges): string;
export declare function ageDays(modifiedAt: number, now: number): number;
export declare function ageText(days: number): string;
export declare function caveat(days: number): string | undefined;
export declare function isStale(header: MemoryHeader, now: number, staleDays?: StaleDays): boolean;
export declare function memoryFileName(draft: Pick<MemoryDraft, 'type' | 'name'>, existing: readonly string[]): string;
