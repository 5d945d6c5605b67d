// The editor's tools in words: what an agent asked for, looked at before it is believed, and what a person is asked before
// it is done. A person sees the very words that would be kept or lost; text of a model or of a memory enters as text.

import type { Memory, MemoryType } from '../core/memory/memory';
import type { MemoryScope } from '../core/memory/memoryPaths';
import type { Piece } from './hovers';
import { quotedMarkdown } from './safeMarkdown';
import { oneLine, typesInOrder, type Words } from './words';

export interface RecallInput {
  readonly query: string;
  readonly limit?: number;
  readonly recentTools?: readonly string[];
}

export interface SaveInput {
  readonly text: string;
  readonly type?: MemoryType;
  readonly scope?: MemoryScope;
  readonly name?: string;
}

/** The name of the workspace folder that a call is about, if it names one. */
export const folderIn = (input: unknown): string | undefined => textIn(input, 'folder', 200);

export function recallIn(input: unknown): RecallInput {
  const query = textIn(input, 'query', 4_000);
  if (query === undefined) throw new Error('A query is needed: say what you want to know, in a few words. Try again.');
  const { limit, recentTools } = recordOf(input);
  return {
    query,
    ...(typeof limit === 'number' && limit >= 1 ? { limit: Math.min(5, Math.floor(limit)) } : {}),
    ...(Array.isArray(recentTools)
      ? { recentTools: recentTools.filter((name) => typeof name === 'string').slice(0, 50) }
      : {}),
  };
}

export function saveIn(input: unknown): SaveInput {
  const text = textIn(input, 'text', 20_000);
  if (text === undefined)
    throw new Error('A text is needed: one fact, preference or rule, of at most 20,000 characters. Try again.');
  const { type, scope } = recordOf(input);
  const known = typesInOrder.find((each) => each === type);
  const name = textIn(input, 'name', 60);
  return {
    text,
    ...(known === undefined ? {} : { type: known }),
    ...(scope === 'team' || scope === 'private' ? { scope } : {}),
    ...(name === undefined ? {} : { name }),
  };
}

export function pathIn(input: unknown): string {
  const path = textIn(input, 'path', 1_024);
  if (path === undefined)
    throw new Error('A path is needed, as reverie_recall gives it, such as project-release.md. Recall first.');
  return path;
}

export interface Confirmation {
  readonly title: string;
  readonly message: readonly Piece[];
}

export function confirmSave({ text, type, scope, name }: SaveInput, guess: MemoryType, words: Words): Confirmation {
  const { t } = words;
  const kind = [words.type(type ?? guess), words.scope(scope ?? 'private')].join(' · ');
  const where =
    scope === 'team'
      ? t('Everybody who works on this project will see it.')
      : t('It is kept on this machine, for you.');
  return {
    title: name === undefined ? t('Save this as a memory?') : t('Save “{0}” as a memory?', oneLine(name)),
    message: [
      ...asTyped(glance(text, words)),
      { markdown: '\n\n' },
      { text: `${kind}. ${where} ${t('You can undo it.')}` },
    ],
  };
}

/** `memory` is what lies at that path now; undefined when there is none, which the call itself will say. */
export function confirmForget(path: string, memory: Memory | undefined, words: Words): Confirmation {
  const { t } = words;
  const days = t('It goes to the trash, from where you can bring it back for ninety days.');
  if (!memory) return { title: t('Forget “{0}”?', oneLine(path)), message: [{ text: days }] };
  return {
    title: t('Forget “{0}”?', oneLine(memory.name)),
    message: [
      quotedMarkdown(glance(memory.body, words)),
      { markdown: '\n\n' },
      { text: `${path}. ${memory.pinned ? `${t('It is pinned.')} ` : ''}${days}` },
    ],
  };
}

/** As much as a person reads at a glance; the rest is counted, never hidden without a word. */
const shownChars = 600;

function glance(text: string, { t, number }: Words): string {
  const whole = text.trim();
  const more = whole.length - shownChars;
  return more > 0 ? `${whole.slice(0, shownChars)}…\n${t('({0} more characters)', number(more))}` : whole;
}

/** A model's words, with every sign of Markdown in sight. */
const asTyped = (text: string): readonly Piece[] =>
  text.split(/\r?\n/).flatMap((line): readonly Piece[] => [{ markdown: '\n> ' }, { text: line || ' ' }]);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Longer ones are none: cut text would be kept as if it were whole. */
function textIn(input: unknown, key: string, longest: number): string | undefined {
  const value = recordOf(input)[key];
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest ? value.trim() : undefined;
}
