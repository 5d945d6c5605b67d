// What a memory is: its four types, its front matter in every dialect found in the wild, its age.
// Reading never fails: what is wrong with a file is a problem that its header carries. Writing changes only the keys
// it was asked to change and throws rather than touch a file it can't read with certainty.

import { MemoryError } from '../memoryError';
import { conflictLineOf } from './conflictMarks';
import { findBlock, openingEnd } from './frontBlock';
import {
  formatYaml,
  type KeyPath,
  lineEndOf,
  type ParsedBlock,
  parseBlock,
  setKeys,
  type YamlData,
  type YamlValue,
} from './frontMatter';
import { folded, isIndexPath, type MemoryScope, scopeOf } from './memoryPaths';

export type MemoryType = 'user' | 'feedback' | 'project' | 'reference';
export const memoryTypes: readonly MemoryType[] = ['user', 'feedback', 'project', 'reference'];
const typesByWord = new Map<string, MemoryType>(memoryTypes.map((type) => [type, type]));

export interface MemoryProblem {
  readonly kind:
    | 'invalid_yaml'
    | 'no_type'
    | 'unknown_type'
    | 'merge_conflict'
    | 'too_large'
    | 'not_text'
    | 'link_outside'
    | 'unreadable'
    | 'secret' // of a team memory: `detail` is the rule that found it
    | 'refused'; // an entry of the team folder that can't be one: `detail` is the rule, see `TeamEntryRule`
  /** Counted from 1. */
  readonly line?: number;
  /** Plain English. May quote a word of the file: untrusted text. */
  readonly detail?: string;
}

/**
 * Whether a memory is held back: shown to a person with its problem, never recalled, never given to a model. Of a memory with
 * another problem, such as no type, the words are still good.
 */
export const isHeldBack = ({ problem }: Pick<MemoryHeader, 'problem'>): boolean =>
  problem !== undefined && heldBack.has(problem.kind);

const heldBack: ReadonlySet<MemoryProblem['kind']> = new Set([
  'merge_conflict',
  'secret',
  'refused',
  'link_outside',
  'not_text',
  'too_large',
  'unreadable',
]);

/** What a scan of the head of a file knows. */
export interface MemoryHeader {
  /** Relative to the memory folder, '/'-separated; `team/…` for the team mount, wherever that folder lies. */
  readonly path: string;
  /** From the front matter, else the file's stem. Never a key to find a file by. */
  readonly name: string;
  /** One line, whatever the file holds. */
  readonly description: string | undefined;
  readonly type: MemoryType | undefined;
  readonly scope: MemoryScope;
  /** Milliseconds: the front matter's `modified` when it is a date that is not in the future, else the file's mtime. */
  readonly modifiedAt: number;
  readonly mtimeMs: number;
  /** Bytes of the file, where a scan has seen it. */
  readonly size?: number;
  readonly verifiedAt: number | undefined;
  readonly pinned: boolean;
  readonly keywords: readonly string[];
  readonly originSessionId: string | undefined;
  readonly supersededBy: string | undefined;
  /** The day, `2026-04-23`, of a deadline in it that a dream found to be over. */
  readonly deadlinePassed: string | undefined;
  /** Lines of daily logs that it was distilled from: `logs/2026/12/2026-12-01.md#3f9a2c1b0d4e`. */
  readonly sourceLogs?: readonly string[];
  readonly problem?: MemoryProblem;
}

export interface Memory extends MemoryHeader {
  /** The whole file; byte order mark and line ends as on disk. */
  readonly text: string;
  /** Everything below the front matter, to the byte; the whole text when there is none. */
  readonly body: string;
  /** The front matter as it was written, `metadata` included. */
  readonly data: Readonly<Record<string, unknown>>;
  /** uuids of the messages whose words this memory came from, where known. */
  readonly sourceMessages: readonly string[];
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
  readonly sourceLogs?: readonly string[];
}

/** `undefined` removes the key. Times are milliseconds. */
export interface FrontMatterChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: MemoryType | undefined;
  readonly modified?: number | undefined;
  readonly verified?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly supersededBy?: string | undefined;
  readonly deadlinePassed?: string | undefined;
  readonly originSessionId?: string | undefined;
  readonly sourceMessages?: readonly string[] | undefined;
  readonly sourceLogs?: readonly string[] | undefined;
}

/** `text` is the whole file. `now` decides whether a `modified` in it lies in the future. */
export function parseMemory(path: string, text: string, mtimeMs: number, now: number): Memory {
  const { header, block, parsed } = parseHead(path, text, mtimeMs, now);
  return {
    ...header,
    text,
    body: block ? text.slice(block.bodyStart) : text,
    data: parsed.data,
    sourceMessages: strings(lookUp(parsed.data, 'sourceMessages')),
  };
}

/**
 * The header from the first lines of a file. `isCut` says that the file goes on: a block that does not close within
 * them is then read as far as it goes. `changesWithTime` is set when a date in it is still to come.
 */
export function parseHead(path: string, text: string, mtimeMs: number, now: number, isCut = false) {
  const block = findBlock(text);
  const conflict = conflictLineOf(text);
  const parsed: ParsedBlock = block ? parseBlock(text.slice(block.start, block.end)) : parseOpenBlock(text, isCut);
  const { data } = parsed;
  const metadata = metadataOf(data);
  const at = (key: string): unknown => metadata?.[key] ?? data[key];

  const typeText = firstLine(at('type'));
  const type = typesByWord.get(typeText ?? '') ?? typesByWord.get(typeText?.toLowerCase() ?? '');
  const modified = timeOf(at('modified'));
  const verified = timeOf(at('verified'));
  const problem: MemoryProblem | undefined = conflict
    ? { kind: 'merge_conflict', line: conflict }
    : parsed.problem
      ? { kind: 'invalid_yaml', ...parsed.problem }
      : type
        ? undefined
        : typeText
          ? { kind: 'unknown_type', detail: typeText }
          : { kind: 'no_type', ...(block ? {} : { detail: 'it has no front matter' }) };
  const sourceLogs = strings(at('sourceLogs'));
  const header: MemoryHeader = {
    path,
    name: firstLine(data.name) ?? stemOf(path),
    description: firstLine(data.description) ?? firstLine(metadata?.description),
    type,
    scope: scopeOf(path),
    modifiedAt: modified !== undefined && modified <= now ? modified : mtimeMs,
    mtimeMs,
    verifiedAt: verified !== undefined && verified <= now ? verified : undefined,
    pinned: at('pinned') === true,
    keywords: strings(at('keywords')),
    originSessionId: firstLine(at('originSessionId')),
    supersededBy: firstLine(at('supersededBy')),
    deadlinePassed: firstLine(at('deadlinePassed')),
    ...(sourceLogs.length > 0 && { sourceLogs }),
    ...(problem && { problem }),
  };
  const changesWithTime = (modified ?? 0) > now || (verified ?? 0) > now;
  return { header, block, parsed, changesWithTime };
}

/** A block that is opened but not closed: keys are read up to the first blank line. */
function parseOpenBlock(text: string, isCut: boolean): ParsedBlock {
  const start = openingEnd(text);
  const lines = start === undefined ? '' : (text.slice(start).split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? '');
  if (!/^[A-Za-z_][\w-]*:(?:\s|$)/.test(lines)) return { data: {} };
  const parsed = parseBlock(lines);
  return isCut
    ? { data: parsed.data }
    : { data: parsed.data, problem: { line: 1, detail: 'its closing --- is missing' } };
}

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');

/** A key in either generation: nested under `metadata`, else at the top. */
function lookUp(data: YamlData, key: string): unknown {
  return metadataOf(data)?.[key] ?? data[key];
}

function metadataOf(data: YamlData): YamlData | undefined {
  const { metadata } = data;
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? (metadata as YamlData)
    : undefined;
}

function firstLine(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return oneLine(String(value)) || undefined;
}

const untidy = /^\s|\s$|\s\s|[^\S ]/;
const oneLine = (text: string): string => (untidy.test(text) ? text.replace(/\s+/g, ' ').trim() : text);

const none: readonly string[] = [];

function strings(value: unknown): readonly string[] {
  if (value === undefined) return none;
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return items.map(firstLine).filter((item) => item !== undefined);
}

const asWritten = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const dateText = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Milliseconds. A time without a zone is taken as UTC: the same file must mean the same everywhere. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (asWritten.test(value)) return Date.parse(value);
  const match = dateText.exec(value.trim());
  if (!match) return undefined;
  const text = match[0].replace(' ', 'T');
  const time = Date.parse(match[1] || text.length === 10 ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** A new file, in the front matter that Claude Code writes since 2.1.139. */
export function formatMemory(draft: MemoryDraft): string {
  const metadata: [string, YamlValue | undefined][] = [
    ['node_type', 'memory'],
    ['type', draft.type],
    ['originSessionId', draft.originSessionId ?? draft.source?.session],
    ['modified', new Date(draft.modifiedAt).toISOString()],
    ['keywords', draft.keywords?.length ? draft.keywords.map(oneLine) : undefined],
    ['sourceMessages', draft.source?.messages.length ? draft.source.messages : undefined],
    ['sourceLogs', draft.sourceLogs?.length ? draft.sourceLogs : undefined],
  ];
  return [
    '---',
    `name: ${formatYaml(oneLine(draft.name))}`,
    `description: ${formatYaml(oneLine(draft.description))}`,
    'metadata:',
    ...metadata.flatMap(([key, value]) => (value === undefined ? [] : [`  ${key}: ${formatYaml(value)}`])),
    '---',
    '',
    `${draft.body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()}\n`,
  ].join('\n');
}

/** Where a key of its own goes; the others follow the generation of the file. */
const alwaysNested = new Set([
  'verified',
  'pinned',
  'keywords',
  'supersededBy',
  'deadlinePassed',
  'sourceMessages',
  'sourceLogs',
]);
const topOrder = ['name', 'description', 'type', 'originSessionId', 'modified'];

/**
 * The text with these keys changed, in the generation that the file already uses, and every other byte as it was.
 * A key stays where it is found (both places, if it is in both). Throws `unreadable` for invalid YAML and for a file
 * without front matter: giving it some is a person's own step, `addFrontMatter`. No changes, no look at the text.
 */
export function editFrontMatter(text: string, changes: FrontMatterChanges): string {
  const keys = Object.keys(changes) as (keyof FrontMatterChanges)[];
  if (keys.length === 0) return text;
  const block = findBlock(text);
  const data = block ? parseBlock(text.slice(block.start, block.end)).data : {};
  const metadata = metadataOf(data);
  const isNested = metadata !== undefined && (!('type' in data) || 'type' in metadata || 'node_type' in metadata);
  const edits = keys.flatMap((key) => {
    const value = writable(key, changes[key]);
    const paths: KeyPath[] = [];
    if (key in data) paths.push([key]);
    if (metadata && key in metadata) paths.push(['metadata', key]);
    if (paths.length === 0) {
      const nested = alwaysNested.has(key) || (isNested && key !== 'name' && key !== 'description');
      paths.push(nested ? ['metadata', key] : [key]);
    }
    return paths.map((path) => ({
      path,
      value,
      ...(path.length === 1 && { after: topOrder.slice(0, topOrder.indexOf(key)) }),
    }));
  });
  return setKeys(text, edits);
}

function writable(key: keyof FrontMatterChanges, value: FrontMatterChanges[typeof key]): YamlValue | undefined {
  if (typeof value === 'number') return new Date(value).toISOString();
  if (typeof value === 'string') return oneLine(value);
  if (key === 'pinned' && value === false) return undefined;
  return typeof value === 'object' ? value.map(oneLine) : value;
}

/**
 * Puts front matter above a text that has none, on a person's word only: no engine may decide that a plain note is a
 * memory of some type. Throws `exists` when there is a block, closed or not.
 */
export function addFrontMatter(
  text: string,
  fields: { readonly name: string; readonly description?: string; readonly type: MemoryType },
): string {
  if (openingEnd(text) !== undefined) throw new MemoryError('exists', 'There is front matter already.');
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = [
    '---',
    `name: ${formatYaml(oneLine(fields.name))}`,
    ...(fields.description ? [`description: ${formatYaml(oneLine(fields.description))}`] : []),
    'metadata:',
    '  node_type: memory',
    `  type: ${fields.type}`,
    '---',
    '',
    '',
  ];
  return mark + lines.join(lineEndOf(text)) + text.slice(mark.length);
}

const reservedStem = /^(?:memory|claude|con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/;
const stemLimit = 76;
const stemByteLimit = 200;

/**
 * The path for a new memory: `team/…` for the team scope. The name follows the naming style that most files of that
 * folder have (with or without the type in front, `_` or `-`), else `type-topic.md`. Unique whatever the case, at most
 * 80 characters, and a name that every file system can hold. `existing` are the paths that are taken.
 */
export function memoryFileName(
  draft: Pick<MemoryDraft, 'type' | 'scope' | 'name'>,
  existing: readonly string[],
): string {
  const folder = draft.scope === 'team' ? 'team/' : '';
  const taken = new Set(existing.map(folded));
  const siblings = existing
    .filter((path) => scopeOf(path) === draft.scope && !isIndexPath(path) && path.indexOf('/', folder.length) === -1)
    .map(stemOf);
  const prefixed = siblings.filter((stem) => /^(?:user|feedback|project|reference)[_-]/i.test(stem)).length;
  const snake = siblings.filter((stem) => stem.includes('_')).length;
  const kebab = siblings.filter((stem) => stem.includes('-') && !stem.includes('_')).length;
  const separator = snake > kebab ? '_' : '-';
  const withType = prefixed * 2 >= siblings.length;

  const topic = slugOf(draft.name, separator) || 'note';
  let stem = withType && !topic.startsWith(draft.type + separator) ? `${draft.type}${separator}${topic}` : topic;
  if (reservedStem.test(stem)) stem += `${separator}note`;
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `${separator}${count}`;
    const path = `${folder}${shortened(stem, separator, suffix.length)}${suffix}.md`;
    if (!taken.has(folded(path))) return path;
  }
}

/** Letters and digits of any script, Latin ones without their accents; an apostrophe inside a word joins it. */
function slugOf(name: string, separator: string): string {
  return name
    .normalize('NFKD')
    .replace(/(?<=[A-Za-z])\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, separator)
    .replace(/^[_-]+|[_-]+$/g, '');
}

function shortened(stem: string, separator: string, reserved: number): string {
  const fits = (text: string) =>
    text.length <= stemLimit - reserved && Buffer.byteLength(text) <= stemByteLimit - reserved;
  if (fits(stem)) return stem;
  let cut = '';
  for (const character of stem) {
    if (!fits(cut + character)) break;
    cut += character;
  }
  const word = cut.lastIndexOf(separator);
  return (word > stemLimit / 2 ? cut.slice(0, word) : cut).replace(/[_-]+$/, '');
}

const dayMs = 86_400_000;

/** Whole days, never negative: a date in the future is today. */
export const ageDays = (modifiedAt: number, now: number): number => Math.max(0, Math.floor((now - modifiedAt) / dayMs));

export const ageText = (days: number): string => (days <= 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`);

/** What a reader of an old memory is told, from two whole days on. */
export function caveat(days: number): string | undefined {
  if (days < 2) return undefined;
  return `Noted ${days} days ago. It tells how things were then: check what it says about code, files or lines before relying on it.`;
}

/** Whole days of age from which a memory counts as stale. */
export type StaleDays = Readonly<Record<MemoryType, number>>;
export const defaultStaleDays: StaleDays = { project: 30, reference: 90, feedback: 180, user: 365 };

/** Counted from the last *Verify*, else from the last change. Without a type there is nothing to count by. */
export function isStale(
  header: Pick<MemoryHeader, 'type' | 'verifiedAt' | 'modifiedAt'>,
  now: number,
  staleDays: StaleDays = defaultStaleDays,
): boolean {
  if (!header.type) return false;
  const seenAt = Math.max(header.verifiedAt ?? Number.NEGATIVE_INFINITY, header.modifiedAt);
  return ageDays(seenAt, now) >= staleDays[header.type];
}
