// Front matter as bytes: where the block lies, what it says, and how to change one key of it and nothing else.
// It knows YAML and nothing of memories. The only user of gray-matter, which is given YAML blocks alone: other
// languages, code among them, are refused before it sees them. What can't be parsed is read line by line, never rewritten.

import { isDeepStrictEqual } from 'node:util';
import type { Pair, YAMLMap } from 'yaml';
import { MemoryError } from '../memoryError';
import { findBlock } from './frontBlock';
import { parsePlainBlock } from './plainBlock';

// Loaded when first needed: nearly all front matter is read without, and a hook has no time for what it does not use.
const jsYaml = () => require('js-yaml') as typeof import('js-yaml');
const matter = (text: string, options: object) =>
  (require('gray-matter') as typeof import('gray-matter'))(text, options);
const yamlNodes = () => require('yaml') as typeof import('yaml');

export type YamlData = Readonly<Record<string, unknown>>;

export interface ParsedBlock {
  readonly data: YamlData;
  /** Set when the block is not a YAML mapping; `data` then holds what could be read line by line. Lines count from 1, the opening `---` included. */
  readonly problem?: { readonly line?: number; readonly detail: string };
}

export type KeyPath = readonly [key: string] | readonly [parent: string, key: string];
export type YamlValue = string | boolean | readonly string[];

export const lineEndOf = (text: string): '\n' | '\r\n' => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n');

/** What a block says. Never throws, never runs code, never shares its result with another call. */
export function parseBlock(block: string): ParsedBlock {
  const plain = parsePlainBlock(block);
  return plain ? { data: plain } : parseAnyBlock(block);
}

const refuseLanguage = {
  parse: () => {
    throw new Error('Only YAML is read.');
  },
};

const matterOptions = {
  language: 'yaml',
  engines: {
    // JSON_SCHEMA: a date stays the text that was written.
    yaml: { parse: (text: string) => jsYaml().safeLoad(text, { schema: jsYaml().JSON_SCHEMA }) as object },
    json: refuseLanguage,
    js: refuseLanguage,
    javascript: refuseLanguage,
  },
};

/** The slow and true way. Exported so that a test can hold the fast way to it. */
export function parseAnyBlock(block: string): ParsedBlock {
  const refused = (detail: string, line?: number): ParsedBlock => ({
    data: readLines(block),
    problem: line === undefined ? { detail } : { line, detail },
  });
  const inner = /^---/m.exec(block);
  if (inner) return refused('a line in it begins with ---', 2 + countLines(block.slice(0, inner.index)));
  try {
    // Options given: this alone keeps gray-matter from handing out a cached result.
    const data: unknown = matter(`---\n${block}\n---\n`, matterOptions).data ?? {};
    if (typeof data !== 'object' || Array.isArray(data)) return refused('it is not a list of keys and values');
    if (hasAliases(data)) return refused('anchors and aliases are not read');
    // js-yaml takes `key: "words" and more: words` for two keys.
    const line = textAfterQuote.test(block) ? lineOfFault(block) : undefined;
    return line === undefined ? { data: data as YamlData } : refused(quoteDetail, line);
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line: number } };
    const detail = textAfterQuote.test(block) ? quoteDetail : (reason ?? 'it is not valid YAML');
    // js-yaml tells where it gave up, which may be lines below the fault.
    return refused(detail, lineOfFault(block) ?? (mark && mark.line + 1));
  }
}

const quoteDetail = 'a value in quotes is followed by more text';

const textAfterQuote = /:[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]+[^#\s]/;

function lineOfFault(block: string): number | undefined {
  const [error] = yamlNodes().parseDocument(block).errors;
  return error && 2 + countLines(block.slice(0, error.pos[0]));
}

const countLines = (text: string): number => text.split('\n').length - 1;

/** Whether one object is reachable twice: a few bytes of nested aliases can stand for gigabytes of text. */
function hasAliases(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return Object.values(value).some((part) => hasAliases(part, seen));
}

const keyLine = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/;
/** `key: rest-of-line`, for blocks that YAML refuses: a stray quote must not cost a memory its name and type. */
function readLines(block: string): YamlData {
  const data: Record<string, unknown> = {};
  let parent: Record<string, unknown> | undefined;
  for (const raw of block.split('\n')) {
    const line = raw.trimEnd();
    const match = keyLine.exec(line.trimStart());
    if (!match?.[1] || match[1] === '__proto__') continue;
    const nested = /^[ \t]/.test(line);
    const into = nested ? parent : data;
    if (!nested) parent = undefined;
    if (!into || Object.hasOwn(into, match[1])) continue;
    const text = match[2]?.trim() ?? '';
    if (text === '' && !nested) {
      parent = {};
      data[match[1]] = parent;
    } else {
      into[match[1]] = /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
    }
  }
  return data;
}

const safeScalar = /^\p{L}[^\p{C}\p{Zl}\p{Zp}"'`\\]*$/u;
const yaml11Word = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
const identifier =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const safeWord = /^\p{L}[\p{L}\p{N} ._-]*$/u;

/** A value as YAML 1.1 and 1.2 both read it, on one line; strings are quoted when anything in them could be misread. */
export function formatYaml(value: YamlValue): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') {
    return `[${value.map((text) => (safeWord.test(text) && !isMisread(text) ? text : quoted(text))).join(', ')}]`;
  }
  const plain = identifier.test(value) || (safeScalar.test(value) && !isMisread(value));
  return plain ? value : quoted(value);
}

const isMisread = (text: string): boolean =>
  yaml11Word.test(text) || text !== text.trim() || text.includes(': ') || text.includes(' #') || text.endsWith(':');

/** JSON's quoting is YAML's, but for characters that YAML does not allow bare. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The text with some keys set (`undefined` removes) and every other byte as it was. Keys that are new go where `after`
 * says, a nested one to the end of its parent. Throws `unreadable` when the block is missing, is not valid YAML, or is
 * written in a way that can't be changed with certainty: the result is parsed again and compared before it is returned.
 */
export function setKeys(
  text: string,
  edits: readonly {
    readonly path: KeyPath;
    readonly value: YamlValue | undefined;
    readonly after?: readonly string[];
  }[],
): string {
  const found = findBlock(text);
  if (!found) throw unreadable('it has no front matter');
  const eol = lineEndOf(text);
  const original = text.slice(found.start, found.end);
  const before = parseBlock(original);
  if (before.problem) throw unreadable(before.problem.detail);

  let block = original;
  const wanted = structuredClone(before.data) as Record<string, unknown>;
  for (const { path, value, after } of edits) {
    const { holder, key } = holderOf(wanted, path, value !== undefined);
    if (isDeepStrictEqual(holder?.[key], value)) continue;
    if (holder) {
      if (value === undefined) delete holder[key];
      else holder[key] = typeof value === 'object' ? [...value] : value;
    }
    block = setKey(block, path, value, after ?? [], eol);
  }
  const result = parseBlock(block);
  if (result.problem || !isDeepStrictEqual(withoutEmpty(result.data), withoutEmpty(wanted))) {
    throw unreadable('it is written in a way that can not be changed with certainty');
  }
  return text.slice(0, found.start) + block + text.slice(found.end);
}

const unreadable = (why: string) => new MemoryError('unreadable', `The front matter can't be changed: ${why}.`);

function holderOf(data: Record<string, unknown>, path: KeyPath, create: boolean) {
  if (path.length === 1) return { holder: data, key: path[0] };
  const [parent, key] = path;
  const value = data[parent];
  if (value !== undefined && value !== null) {
    if (typeof value !== 'object' || Array.isArray(value)) throw unreadable(`“${parent}” holds no keys`);
    return { holder: value as Record<string, unknown>, key };
  }
  if (!create) return { holder: undefined, key };
  const holder: Record<string, unknown> = {};
  data[parent] = holder;
  return { holder, key };
}

/** A parent that lost its last key may be gone or left empty: both mean the same. */
const withoutEmpty = (data: YamlData): YamlData =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) => !(value === null || (typeof value === 'object' && Object.keys(value).length === 0)),
    ),
  );

type Found = { key: string; keyStart: number; keyEnd: number; start: number; end: number; empty: boolean };

function setKey(
  block: string,
  path: KeyPath,
  value: YamlValue | undefined,
  after: readonly string[],
  eol: string,
): string {
  const document = yamlNodes().parseDocument(block, { version: '1.2', schema: 'core' });
  if (document.errors.length > 0) throw unreadable('it is not valid YAML');
  const root = document.contents;
  if (root !== null && !yamlNodes().isMap(root)) throw unreadable('it is not a list of keys and values');
  const top = pairsOf(root);

  const margin = indentOf(block, top);
  if (path.length === 1) return setIn(block, root, top, path[0], value, after, margin, eol);
  const [parent, key] = path;
  const owner = top.find((pair) => pair.key === parent);
  if (!owner) {
    if (value === undefined) return block;
    const lines = `${margin}${parent}:${eol}${margin}  ${key}: ${formatYaml(value)}`;
    return insertLine(block, top, [], lines, eol, root);
  }
  if (owner.empty) {
    if (value === undefined) return block;
    const at = lineEnd(block, owner.keyEnd);
    const line = `${margin}  ${key}: ${formatYaml(value)}${eol}`;
    return at === block.length && !block.endsWith('\n')
      ? block + eol + line
      : block.slice(0, at) + line + block.slice(at);
  }
  const map = (root as YAMLMap).get(parent, true) as unknown;
  if (!yamlNodes().isMap(map)) throw unreadable(`“${parent}” holds no keys`);
  const inner = pairsOf(map);
  if (value === undefined && inner.length === 1 && inner[0]?.key === key) {
    // The last key takes its parent with it, unless a comment would be lost.
    const { from, to } = linesOf(block, owner);
    if (!map.flow && !block.slice(from, to).includes('#')) return block.slice(0, from) + block.slice(to);
  }
  const order = after.length > 0 ? after : inner.map((pair) => pair.key);
  return setIn(block, map, inner, key, value, order, indentOf(block, inner) || `${margin}  `, eol);
}

function indentOf(block: string, pairs: readonly Found[]): string {
  const first = pairs[0];
  return first ? ' '.repeat(first.keyStart - lineStart(block, first.keyStart)) : '';
}

function pairsOf(map: YAMLMap | null): Found[] {
  const { isNode, isScalar } = yamlNodes();
  return (map?.items ?? []).map((pair: Pair) => {
    const { key, value } = pair;
    if (!isScalar(key) || !key.range) throw unreadable('a key in it is not a word');
    const range = isNode(value) ? value.range : undefined;
    const empty = isScalar(value) && value.value === null && (value.source ?? '') === '';
    return {
      key: String(key.value),
      keyStart: key.range[0],
      keyEnd: key.range[1],
      start: range?.[0] ?? key.range[1],
      end: range?.[1] ?? key.range[1],
      empty: empty || !range,
    };
  });
}

function setIn(
  block: string,
  map: YAMLMap | null,
  pairs: readonly Found[],
  key: string,
  value: YamlValue | undefined,
  after: readonly string[],
  indent: string,
  eol: string,
): string {
  const index = pairs.findIndex((pair) => pair.key === key);
  const pair = pairs[index];
  if (value !== undefined) {
    if (pair) return replaceValue(block, pair, formatYaml(value), eol);
    return insertLine(block, pairs, after, `${indent}${key}: ${formatYaml(value)}`, eol, map);
  }
  if (!pair) return block;
  if (map?.flow) {
    const next = pairs[index + 1];
    const previous = pairs[index - 1];
    const [from, to] = next
      ? [pair.keyStart, next.keyStart]
      : [previous ? previous.end : pair.keyStart, Math.max(pair.end, pair.keyEnd)];
    return block.slice(0, from) + block.slice(to);
  }
  const { from, to } = linesOf(block, pair);
  return block.slice(0, from) + block.slice(to);
}

function replaceValue(block: string, pair: Found, formatted: string, eol: string): string {
  const colon = block.indexOf(':', pair.keyEnd);
  if (colon === -1) throw unreadable('a key in it has no colon');
  if (pair.empty)
    return `${block.slice(0, colon + 1)} ${formatted}${block.slice(colon + 1).replace(/^[ \t]+(?=\r?\n|$)/, '')}`;
  const gap = block.slice(colon + 1, pair.start);
  if (/[#&!]/.test(gap)) throw unreadable('a comment, an anchor or a tag stands before the value');
  const endsLine = block[pair.end - 1] === '\n';
  const lead = gap.includes('\n') || gap === '' ? ' ' : gap;
  return block.slice(0, colon + 1) + lead + formatted + (endsLine ? eol : '') + block.slice(pair.end);
}

/** Puts a line below the last of the pairs named in `after`, else above the first one. */
function insertLine(
  block: string,
  pairs: readonly Found[],
  after: readonly string[],
  line: string,
  eol: string,
  map: YAMLMap | null,
): string {
  if (map?.flow) {
    if (line.includes('\n')) throw unreadable('it is written in braces');
    const last = pairs.at(-1);
    const at = last ? last.end : (map.range?.[0] ?? 0) + 1;
    return `${block.slice(0, at)}${last ? ', ' : ''}${line.trim()}${block.slice(at)}`;
  }
  const isNewParent = line.includes('\n');
  const anchor = isNewParent ? pairs.at(-1) : pairs.findLast((pair) => after.includes(pair.key));
  const first = pairs[0];
  const at = anchor ? linesOf(block, anchor).to : first ? lineStart(block, first.keyStart) : block.length;
  const head = block.slice(0, at);
  return `${head}${head === '' || head.endsWith('\n') ? '' : eol}${line}${eol}${block.slice(at)}`;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** The whole lines of a pair, a comment at their end included. */
function linesOf(block: string, pair: Found) {
  const end = pair.empty ? pair.keyEnd : pair.end;
  return { from: lineStart(block, pair.keyStart), to: lineEnd(block, end) };
}
