// What a memory path says by itself: whether it is an index, whose it is. No look at the disk and no parsing.

export type MemoryScope = 'private' | 'team';

/** The index of a folder, in whatever case its file system or its author wrote it: never a memory. */
export const isIndexPath = (path: string): boolean => /(?:^|\/)memory\.md$/i.test(path);

export const scopeOf = (path: string): MemoryScope => (/^team\//i.test(path) ? 'team' : 'private');

/** The memory paths of both indexes. */
export const indexPaths: Readonly<Record<MemoryScope, string>> = { private: 'MEMORY.md', team: 'team/MEMORY.md' };

export const indexPathOf = (path: string): string => indexPaths[path.startsWith('team/') ? 'team' : 'private'];

/** What an index calls a memory: its path relative to the index. */
export const indexTargetOf = (path: string): string => (path.startsWith('team/') ? path.slice('team/'.length) : path);

/** Names that some file system takes for one are the same, folded. */
export const folded = (name: string): string => name.normalize('NFC').toLowerCase();
