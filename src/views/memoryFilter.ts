// Which memories a person wants to see: types, scopes, stale, pinned, new, words. Nothing chosen is everything.

import type { MemoryHeader, MemoryType } from '../core/memory/memory';
import type { MemoryScope } from '../core/memory/memoryPaths';
import type { Words } from './words';

export interface MemoryFilter {
  /** None is all. */
  readonly types: readonly MemoryType[];
  readonly scopes: readonly MemoryScope[];
  readonly isStale: boolean;
  readonly isPinned: boolean;
  /** From the team, and not looked at yet. */
  readonly isNew: boolean;
  /** Every word must occur in name, description, keywords or path. */
  readonly text: string;
}

export const noFilter: MemoryFilter = {
  types: [],
  scopes: [],
  isStale: false,
  isPinned: false,
  isNew: false,
  text: '',
};

export const isFiltering = (filter: MemoryFilter): boolean =>
  filter.types.length > 0 ||
  filter.scopes.length > 0 ||
  filter.isStale ||
  filter.isPinned ||
  filter.isNew ||
  filter.text.trim() !== '';

/** What a filter asks of a memory, or of a suggestion, which is never stale, pinned or new. */
export interface Filtered {
  readonly type: MemoryType | undefined;
  readonly scope: MemoryScope;
  readonly isStale: boolean;
  readonly isPinned: boolean;
  readonly isNew: boolean;
  readonly texts: readonly (string | undefined)[];
}

export const filteredOf = (head: MemoryHeader, isStale: boolean, isNew = false): Filtered => ({
  type: head.type,
  scope: head.scope,
  isStale,
  isPinned: head.pinned,
  isNew,
  texts: [head.name, head.description, head.path, ...head.keywords],
});

/** Returns the test, so that the words are prepared once. */
export function createMatch(filter: MemoryFilter): (one: Filtered) => boolean {
  const words = folded(filter.text).split(/\s+/).filter(Boolean);
  return ({ type, scope, isStale, isPinned, isNew, texts }) => {
    if (filter.types.length > 0 && (type === undefined || !filter.types.includes(type))) return false;
    if (filter.scopes.length > 0 && !filter.scopes.includes(scope)) return false;
    if (filter.isStale && !isStale) return false;
    if (filter.isPinned && !isPinned) return false;
    if (filter.isNew && !isNew) return false;
    if (words.length === 0) return true;
    const text = folded(texts.filter((each) => each !== undefined).join('\n'));
    return words.every((word) => text.includes(word));
  };
}

/** `Team, stale` */
export function filterText(filter: MemoryFilter, words: Words): string {
  const { t } = words;
  const parts = [
    ...filter.types.map(words.type),
    ...filter.scopes.map(words.scope),
    ...(filter.isStale ? [t('stale')] : []),
    ...(filter.isPinned ? [t('pinned')] : []),
    ...(filter.isNew ? [t('new')] : []),
    ...(filter.text.trim() === '' ? [] : [t('“{0}”', filter.text.trim())]),
  ].join(', ');
  return parts.slice(0, 1).toLocaleUpperCase() + parts.slice(1);
}

/** Case and accents make no difference: `preferencia` finds `Preferência`. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
