// What a model may do to memory: read, search, write, edit, delete, all of it in an overlay, so that nothing reaches the
// disk. The list is one constant, byte for byte; what a run may not do is refused at the call, in words it can act on.
// Paths are memory paths and the names of read-only documents, never the machine's. Edits are of exact text.

import picomatch from 'picomatch';
import { RE2JS } from 're2js';
import { pathProblem } from '../files';
import type { Overlay } from '../memory/changeset';
import { conflictLineOf } from '../memory/conflictMarks';
import { isIndexPath, scopeOf } from '../memory/memoryPaths';
import { teamRefusal } from '../memory/teamMemory';
import type { Tool, ToolOutcome } from './agentLoop';
import type { ToolDefinition } from './languageModel';

/** A text that can be read and searched and never changed: a digest of a session, a daily log. */
export interface ReadOnlyDocument {
  /** `transcripts/…` or `logs/…`. */
  readonly path: string;
  text(): Promise<string>;
}

export interface MemoryToolsOptions {
  readonly overlay: Overlay;
  /** Every memory there is, as the run began; the index is not among them. */
  readonly paths: readonly string[];
  readonly documents: readonly ReadOnlyDocument[];
  readonly isPinned: (path: string) => boolean;
  /** Whether team memory may be written. */
  readonly team: boolean;
  /** Why this memory may not be deleted, or undefined. */
  readonly mayDelete: (path: string) => string | undefined;
  /** Whether the index may be written; where it is kept by the engine, it may not. */
  readonly index: boolean;
  /** Files that one run may write or delete. */
  readonly mostFiles: number;
}

export interface Removal {
  readonly reason: string;
  readonly mergedInto?: string;
}

export interface MemoryTools {
  readonly tools: readonly Tool[];
  readonly canUseTool: (name: string, input: unknown) => string | undefined;
  /** Deleted memories with the reason that the model gave. */
  readonly removals: ReadonlyMap<string, Removal>;
  /** Paths written, edited or deleted, the index included, in the order of their first change. */
  readonly touched: ReadonlySet<string>;
}

/** Characters of one memory; more is a document that a memory can point to. */
export const longestMemory = 20_000;
const longestRead = 30_000;
const mostMatches = 100;
const longestMatch = 300;
const longestPattern = 300;

const path = (description: string) => ({ type: 'string', description });
const tool = (
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): ToolDefinition => ({ name, description, inputSchema: { type: 'object', properties, required } });

const memoryPath = path(
  'A memory, relative to the memory folder, such as "feedback-tests.md"; "MEMORY.md" is the index.',
);

export const memoryToolDefinitions: readonly ToolDefinition[] = [
  tool(
    'Read',
    'Reads a memory, the memory index, or a read-only document (transcripts/…, logs/…).',
    {
      file_path: path('A memory, "MEMORY.md", or the name of a read-only document.'),
      offset: { type: 'integer', description: 'First line, counted from 1. For long documents only.' },
      limit: { type: 'integer', description: 'Number of lines. For long documents only.' },
    },
    ['file_path'],
  ),
  tool(
    'Grep',
    'Finds lines that match a regular expression (RE2 syntax) in memories and read-only documents.',
    {
      pattern: { type: 'string', description: 'Regular expression.' },
      path: path('Where to look: a file, or a glob such as "transcripts/**". Without it: all memories.'),
      ignore_case: { type: 'boolean' },
    },
    ['pattern'],
  ),
  tool('Glob', 'Lists memories and read-only documents by name.', { pattern: path('Such as "**/*.md".') }, ['pattern']),
  tool(
    'Write',
    'Creates a memory, or replaces one that was read before in this run. The content is the whole file.',
    { file_path: memoryPath, content: { type: 'string' } },
    ['file_path', 'content'],
  ),
  tool(
    'Edit',
    'Replaces an exact text in a memory that was read before in this run. It must occur once, unless replace_all is true.',
    {
      file_path: memoryPath,
      old_string: { type: 'string', description: 'Exact text, line breaks included.' },
      new_string: { type: 'string' },
      replace_all: { type: 'boolean' },
    },
    ['file_path', 'old_string', 'new_string'],
  ),
  tool(
    'Delete',
    'Takes a memory away: it goes to the trash. Only where the task says that you may.',
    {
      file_path: memoryPath,
      reason: { type: 'string', description: 'One sentence for the person.' },
      merged_into: path('The memory that now says all that this one said, if there is one.'),
    },
    ['file_path', 'reason'],
  ),
];

const writing = new Set(['Write', 'Edit', 'Delete']);
const instructionFile = /(?:^|\/)(?:claude|agents|gemini|copilot-instructions)(?:\.local)?\.md$/i;

export function createMemoryTools(options: MemoryToolsOptions): MemoryTools {
  const { overlay } = options;
  const documents = new Map(options.documents.map((document) => [document.path, document]));
  const existing = new Set(options.paths);
  /** What the model was shown of a file, so that it never overwrites what it does not know. */
  const shown = new Map<string, string>();
  const removals = new Map<string, Removal>();
  const touched = new Set<string>();
  let writes: Promise<unknown> = Promise.resolve();

  /** Changes of one turn happen one after the other, in the order of their calls; reads wait for none of them. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = writes.then(work, work);
    writes = next.catch(() => undefined);
    return next;
  }

  function refuseChange(name: string, target: string): string | undefined {
    const problem = pathProblem(target, true);
    if (problem) return `“${target}” can't be a memory: ${problem}. Give a path such as "feedback-tests.md".`;
    if (documents.has(target) || /^(?:transcripts|logs)(?:\/|$)/i.test(target)) return `“${target}” is read-only.`;
    if (!/\.md$/.test(target)) return `“${target}” is no memory: its name must end in ".md".`;
    if (target.split('/').some((segment) => segment.startsWith('.'))) return `“${target}” is hidden: not a memory.`;
    if (instructionFile.test(target))
      return `“${target}” holds instructions that people write. Memory never changes it.`;
    if (scopeOf(target) === 'team' && !options.team) {
      return 'Team memory is shared with other people and is off in this run. Write a private memory instead.';
    }
    if (isIndexPath(target)) {
      if (target !== 'MEMORY.md' && target !== 'team/MEMORY.md') return 'The index is called "MEMORY.md".';
      if (!options.index) return 'The index is kept for you: the name and description of a memory become its line.';
      return name === 'Delete' ? 'The index can not be deleted.' : undefined;
    }
    if (options.isPinned(target)) return `“${target}” is pinned by the person: it stays as it is.`;
    return undefined;
  }

  /** Asked when a change is made: calls of one turn are allowed before the first of them has run. */
  function tooManyWith(target: string): string | undefined {
    const changed = [...touched].filter((one) => !isIndexPath(one));
    if (isIndexPath(target) || touched.has(target) || changed.length < options.mostFiles) return undefined;
    return `This run has changed ${options.mostFiles} memories, which is the most one run may change. Finish now.`;
  }

  function canUseTool(name: string, input: unknown): string | undefined {
    if (!writing.has(name)) return undefined;
    const target = pathOf(input);
    if (target === undefined) return 'file_path is missing.';
    return refuseChange(name, target) ?? (name === 'Delete' ? options.mayDelete(target) : undefined);
  }

  async function textAt(target: string): Promise<string | undefined> {
    const document = documents.get(target);
    if (document) return document.text();
    const problem = pathProblem(target);
    if (problem || !/\.md$/i.test(target)) return undefined;
    // The team's: what is held back, or all of it while that is off, is not among the paths.
    if (
      scopeOf(target) === 'team' &&
      !existing.has(target) &&
      !touched.has(target) &&
      !(options.team && isIndexPath(target))
    )
      return undefined;
    return overlay.read(target);
  }

  async function read(input: unknown): Promise<ToolOutcome> {
    const target = pathOf(input);
    if (target === undefined) return failed('file_path is missing.');
    const text = await textAt(target);
    if (text === undefined) return failed(`There is no “${target}”. Glob lists what there is.`);
    if (!documents.has(target) && conflictLineOf(text) !== undefined)
      return failed(`“${target}” holds a merge conflict, which a person has to resolve. Leave it alone.`);
    shown.set(target, text);
    const offset = numberOf(input, 'offset');
    const limit = numberOf(input, 'limit');
    if (offset === undefined && limit === undefined && text.length <= longestRead) return done(text);
    const lines = text.split('\n');
    const from = Math.max(1, offset ?? 1) - 1;
    const part = lines.slice(from, limit === undefined ? undefined : from + Math.max(1, limit)).join('\n');
    if (part.length <= longestRead) return done(part);
    const cut = part.slice(0, longestRead);
    const next = from + cut.split('\n').length;
    return done(`${cut}\n… cut here. Go on with offset ${next}.`);
  }

  /** Names of all that can be read now. */
  function names(): string[] {
    const memories = [...existing, 'MEMORY.md', ...[...touched]].filter((name) => !removals.has(name));
    return [...new Set([...memories, ...documents.keys()])].sort();
  }

  async function glob(input: unknown): Promise<ToolOutcome> {
    const pattern = stringOf(input, 'pattern', 'glob', 'path');
    if (pattern === undefined) return failed('pattern is missing.');
    const matches = matcher(pattern);
    if (typeof matches === 'string') return failed(matches);
    const found = names().filter(matches);
    const text = found.slice(0, 5 * mostMatches).join('\n');
    return done(found.length === 0 ? 'Nothing matches.' : text);
  }

  async function grep(input: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    const pattern = stringOf(input, 'pattern', 'regex', 'query');
    if (!pattern) return failed('pattern is missing.');
    if (pattern.length > longestPattern) return failed(`The pattern is longer than ${longestPattern} characters.`);
    const where = stringOf(input, 'path', 'glob', 'file_path');
    const inPlace = where === undefined ? (name: string) => !documents.has(name) : matcher(where);
    if (typeof inPlace === 'string') return failed(inPlace);
    let expression: RE2JS;
    try {
      expression = RE2JS.compile(pattern, flag(input, 'ignore_case', '-i') ? RE2JS.CASE_INSENSITIVE : 0);
    } catch {
      return failed('The pattern is not a regular expression in RE2 syntax (no look-around, no back-references).');
    }
    const found: string[] = [];
    for (const name of names().filter(inPlace)) {
      signal.throwIfAborted();
      const text = await textAt(name);
      if (text === undefined || (!documents.has(name) && conflictLineOf(text) !== undefined)) continue;
      for (const [at, line] of text.split('\n').entries()) {
        if (found.length >= mostMatches)
          return done(`${found.join('\n')}\n… more matches are left out. Narrow the search.`);
        if (expression.matcher(line).find()) found.push(`${name}:${at + 1}: ${line.trimEnd().slice(0, longestMatch)}`);
      }
    }
    return done(found.length === 0 ? 'Nothing matches.' : found.join('\n'));
  }

  async function unknownText(target: string): Promise<string | undefined> {
    const text = await overlay.read(target);
    if (text === undefined || shown.get(target) === text) return undefined;
    return shown.has(target)
      ? `“${target}” is no longer what you read. Read it again first.`
      : `“${target}” exists and was not read in this run. Read it first, then change what it says.`;
  }

  async function put(target: string, text: string, verb: string): Promise<ToolOutcome> {
    if (text.trim() === '') return failed(`“${target}” would be empty. Nothing was changed.`);
    const tooMany = tooManyWith(target);
    if (tooMany) return failed(tooMany);
    if (text.length > longestMemory && !isIndexPath(target)) {
      return failed(
        `That would be ${text.length} characters; a memory has at most ${longestMemory}. Keep what matters.`,
      );
    }
    const refusal = await teamRefusal(target, text, (await overlay.read(target)) ?? null);
    if (refusal) return failed(`${refusal.message} Nothing was changed.`);
    await overlay.write(target, text);
    shown.set(target, text);
    touched.add(target);
    removals.delete(target);
    return done(`${verb} ${target}.`);
  }

  async function write(input: unknown): Promise<ToolOutcome> {
    const target = pathOf(input) ?? '';
    const content = stringOf(input, 'content', 'text', 'file_text');
    if (content === undefined) return failed('content is missing.');
    const unknown = await unknownText(target);
    if (unknown) return failed(unknown);
    const isNew = (await overlay.read(target)) === undefined;
    return put(target, content, isNew ? 'Created' : 'Replaced');
  }

  async function edit(input: unknown): Promise<ToolOutcome> {
    const target = pathOf(input) ?? '';
    const before = stringOf(input, 'old_string', 'old_str', 'old_text');
    const after = stringOf(input, 'new_string', 'new_str', 'new_text');
    if (!before) return failed('old_string is missing or empty. To create a memory use Write.');
    if (after === undefined) return failed('new_string is missing.');
    const text = await overlay.read(target);
    if (text === undefined) return failed(`There is no “${target}”. To create it use Write.`);
    const unknown = await unknownText(target);
    if (unknown) return failed(unknown);
    const [old, fresh] = inLineEndsOf(text, before, after);
    const at = occurrences(text, old);
    if (at.length === 0)
      return failed(`old_string does not occur in “${target}”. Copy it exactly, line breaks included.`);
    if (at.length > 1 && !flag(input, 'replace_all')) {
      return failed(`old_string occurs ${at.length} times in “${target}”. Give more of the text, or set replace_all.`);
    }
    return put(target, replacedAt(text, at, old.length, fresh), 'Edited');
  }

  async function remove(input: unknown): Promise<ToolOutcome> {
    const target = pathOf(input) ?? '';
    const reason = stringOf(input, 'reason', 'why')?.trim();
    if (!reason) return failed('reason is missing: the person will want to know why.');
    if ((await overlay.read(target)) === undefined) return failed(`There is no “${target}”.`);
    const unknown = await unknownText(target);
    if (unknown) return failed(unknown);
    const tooMany = tooManyWith(target);
    if (tooMany) return failed(tooMany);
    const mergedInto = stringOf(input, 'merged_into', 'mergedInto');
    if (mergedInto !== undefined && (await textAt(mergedInto)) === undefined) {
      return failed(`There is no “${mergedInto}” that it could be merged into.`);
    }
    await overlay.remove(target);
    shown.delete(target);
    touched.add(target);
    removals.set(target, { reason, ...(mergedInto === undefined ? {} : { mergedInto }) });
    return done(`Deleted ${target}.`);
  }

  const runs: Readonly<Record<string, Tool['run']>> = {
    Read: read,
    Grep: grep,
    Glob: glob,
    Write: (input) => inTurn(() => write(input)),
    Edit: (input) => inTurn(() => edit(input)),
    Delete: (input) => inTurn(() => remove(input)),
  };
  const unavailable = async () => failed('This tool is not available.');
  return {
    tools: memoryToolDefinitions.map((definition) => ({ definition, run: runs[definition.name] ?? unavailable })),
    canUseTool,
    removals,
    touched,
  };
}

const done = (text: string): ToolOutcome => ({ text, isError: false });
const failed = (text: string): ToolOutcome => ({ text, isError: true });

/** Says which names match; a string is why the pattern can't be used. Many stars make a pattern slow, so they are few. */
function matcher(pattern: string): ((name: string) => boolean) | string {
  if (pattern.length > longestPattern || (pattern.match(/\*+/g)?.length ?? 0) > 4) {
    return 'The pattern is too long or has too many stars.';
  }
  const matches = picomatch(pattern.replace(/^\.\//, ''), { dot: true, noextglob: true, nobrace: true });
  return (name) => matches(name);
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** By position: in a replacement text, `$&` is just text. */
function replacedAt(text: string, at: readonly number[], length: number, fresh: string): string {
  let result = '';
  let from = 0;
  for (const start of at) {
    result += text.slice(from, start) + fresh;
    from = start + length;
  }
  return result + text.slice(from);
}

/** A model sees lines, not their ends: its text gets those of the file. */
function inLineEndsOf(text: string, before: string, after: string): readonly [string, string] {
  if (text.includes(before) || !text.includes('\r\n')) return [before, after];
  const converted = (part: string) => part.replace(/\r?\n/g, '\r\n');
  return [converted(before), converted(after)];
}

/** The arguments of a call, whatever a model gave. */
export const fieldsOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};

/** Models mix the names of arguments up: the first that is there counts. */
function stringOf(input: unknown, ...keys: readonly string[]): string | undefined {
  const fields = fieldsOf(input);
  for (const key of keys) if (typeof fields[key] === 'string') return fields[key];
  return undefined;
}

function pathOf(input: unknown): string | undefined {
  const given = stringOf(input, 'file_path', 'path', 'filePath', 'file');
  return given === undefined || given === '' ? undefined : given.replace(/^\.\//, '');
}

function numberOf(input: unknown, key: string): number | undefined {
  const value = Number(fieldsOf(input)[key] ?? Number.NaN);
  return Number.isInteger(value) ? value : undefined;
}

const flag = (input: unknown, ...keys: readonly string[]): boolean =>
  keys.some((key) => fieldsOf(input)[key] === true || fieldsOf(input)[key] === 'true');
