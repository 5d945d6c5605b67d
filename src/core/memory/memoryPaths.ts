// What a memory path says by itself: whether it is an index, whose it is. No look at the disk and no parsing.

export type MemoryScope = 'private' | 'team';

/** The index of a folder, in whatever case its file system or its author wrote it: never a memory. */
export const isIndexPath = (path: string): boolean => /(?:^|\/)memory\.md$/i.test(path);

export const scopeOf = (path: string): MemoryScope => (/^team\//i.test(path) ? 'team' : 'private');

export const indexPathOf = (path: string): string => (path.startsWith('team/') ? 'team/MEMORY.md' : 'MEMORY.md');

/** What an index calls a memory: its path relative to the index. */
export const indexTargetOf = (path: string): string => (path.startsWith('team/') ? path.slice('team/'.length) : path);
