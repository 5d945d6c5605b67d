// MEMORY.md as text: what it links to, how it is changed line by line, how much of it an agent ever sees.
// Lines belong to their link target. Whatever else stands in the file, by hand or by another program, keeps its bytes
// and its order. Pure functions that accept any text; no look at the disk, so no word on whether a target exists.

import { findBlock } from './frontBlock';
import { type Line, type Link, linesOf, linksOf } from './indexLines';
import { byteOrderMark, createPlaces, heading, placesByTarget, typeFromName } from './indexPlaces';
import type { MemoryType } from './memory';
import { scopeOf } from './memoryPaths';

/** Claude Code loads no more than this: lines, and UTF-16 units of the trimmed text. */
export const indexLineLimit = 200;
export const indexCharLimit = 25_000;
/** Longer lines are what its own dream shortens. */
export const lineLengthLimit = 150;

export interface IndexLine {
  /** Relative to the index's folder, decoded, without a fragment. */
  readonly target: string;
  readonly title: string;
  readonly hook: string;
  /** The whole line as its writer wrote it; used as it is, where given. */
  readonly line?: string;
}

export interface IndexEntry extends IndexLine {
  readonly line: string;
  /** Counted from 0. */
  readonly lineNumber: number;
  /** The line lists several memories. */
  readonly shared: boolean;
}

export interface ParsedIndex {
  /** Bullets that stand for one memory, in the file's order; a target may occur twice. */
  readonly entries: readonly IndexEntry[];
  /** Targets that are only linked in passing: in prose, or in the hook of another memory. */
  readonly mentions: readonly string[];
}

export interface IndexEdits {
  readonly set: readonly IndexLine[];
  readonly remove: readonly string[];
}

/** What is left out of a line that exists stays as it stands there; in a new line it is made from the target. */
export interface IndexLineEdit {
  readonly target: string;
  readonly title?: string | undefined;
  readonly hook?: string | undefined;
  readonly line?: string | undefined;
}

export interface IndexBudget {
  readonly lines: number;
  /** UTF-16 units, as Claude Code counts. */
  readonly chars: number;
  readonly lineLimit: number;
  readonly charLimit: number;
  readonly overBudget: boolean;
  /** Lines at the end that are never loaded, one that is cut included. */
  readonly hiddenLines: number;
}

const bullet = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const separator = /^[*_]*[ \t]*(?:(?:—|–|->|=>|→|:|\||-|see(?=[ \t]))[ \t]*)?/;
const listedNext = /^[ \t]*(?:[,;|/·•&+]|and|e|y|und|et)[ \t]*(?=\[)/;

export function parseIndex(text: string): ParsedIndex {
  return parseLines(linesOf(text));
}

function parseLines(lines: readonly Line[]): ParsedIndex {
  const entries: IndexEntry[] = [];
  const mentions: string[] = [];
  for (const [lineNumber, line] of lines.entries()) {
    const links = linksOf(line);
    if (links.length === 0) continue;
    const listed = bullet.test(line.masked) ? listedLinks(line, links) : [];
    for (const link of listed) {
      if (link.target === undefined) continue;
      entries.push({
        target: link.target,
        title: unescaped(line.text.slice(link.textStart, link.textEnd)),
        hook: line.text.slice(hookStart(line, link)).trim(),
        line: line.text,
        lineNumber,
        shared: listed.length > 1,
      });
    }
    for (const link of links) if (link.target !== undefined && !listed.includes(link)) mentions.push(link.target);
  }
  const listedTargets = new Set(entries.map((entry) => entry.target));
  return { entries, mentions: [...new Set(mentions)].filter((target) => !listedTargets.has(target)) };
}

/** The links a bullet stands for: its first one, and those that follow with nothing but a comma between. */
function listedLinks(line: Line, links: readonly Link[]): Link[] {
  const [first, ...rest] = links;
  if (!first) return [];
  const listed = [first];
  for (const link of rest) {
    const last = listed.at(-1) ?? first;
    const between = listedNext.exec(line.masked.slice(last.end));
    if (!between || last.end + between[0].length !== link.start) break;
    listed.push(link);
  }
  return listed;
}

const hookStart = (line: Line, link: Link): number =>
  link.end + (separator.exec(line.text.slice(link.end))?.[0].length ?? 0);

/**
 * The index with some lines set and some removed, each found by its target; everything else stays, byte for byte.
 * Afterwards each target of `set` has exactly one line. A new line goes to the top of the list below the heading where
 * memories of its type are (`typeOf`, else the file name's prefix) or are to come, or to the top of the first list: the end of an
 * index is what truncation hides. Lines made here are at most 150 UTF-16 units long, if the target allows it.
 */
export function mergeIndex(
  text: string | undefined,
  edits: {
    readonly set?: readonly IndexLineEdit[];
    readonly remove?: readonly string[];
    readonly typeOf?: (target: string) => MemoryType | undefined;
    /** A new line stands before the first one whose target is greater. */
    readonly byTarget?: boolean;
  },
): string {
  const { set = [], remove = [], typeOf } = edits;
  const before = text ?? '';
  if (set.length === 0 && remove.length === 0) return before;
  const lines = linesOf(before);
  const { entries } = parseLines(lines);
  const wanted = new Map(set.map((edit) => [comparable(edit.target), edit]));
  const unwanted = new Set(remove.map(comparable).filter((target) => !wanted.has(target)));

  const result: (string | undefined)[] = lines.map((line) => line.text);
  const kept = new Set<string>();
  for (const entry of entries) {
    const key = comparable(entry.target);
    const edit = wanted.get(key);
    if (edit && !kept.has(key)) {
      kept.add(key);
      if (!entry.shared) result[entry.lineNumber] = changedLine(lines, entry, edit);
    } else if (edit || unwanted.has(key)) {
      if (entry.shared) {
        result[entry.lineNumber] = unlinked(result[entry.lineNumber] ?? '', entry.target);
      } else {
        for (const number of linesOfEntry(lines, entry)) result[number] = undefined;
      }
    }
  }
  const eol = lines.find((line) => line.end !== '')?.end ?? '\n';
  const additions = new Map<number, string[]>();
  const places = edits.byTarget
    ? placesByTarget(lines, entries, endOfEntry)
    : createPlaces(lines, entries, typeOf ?? typeFromName, visibleLines(before).at(-1)?.lineNumber ?? -1);
  const inTurn = edits.byTarget ? [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)) : wanted;
  for (const [key, edit] of inTurn) {
    if (kept.has(key)) continue;
    const { at, mark } = places(edit.target);
    additions.set(at, [...(additions.get(at) ?? []), newLine(edit, mark)]);
  }
  let merged = '';
  for (let number = 0; number <= lines.length; number += 1) {
    const added = additions.get(number);
    if (added) {
      if (merged !== '' && !merged.endsWith('\n') && merged !== byteOrderMark) merged += eol;
      merged += added.map((line) => line + eol).join('');
      const next = result[number] ?? '';
      if (next.trim() !== '' && !bullet.test(next)) merged += eol;
    }
    const line = result[number];
    if (line !== undefined) merged += line + (lines[number]?.end ?? '');
  }
  return merged;
}

/** The index with the links of one target leading to another one; nothing else of their lines changes. */
export function retargetIndex(text: string, from: string, to: string): string {
  return linesOf(text)
    .map((line) => {
      const links = linksOf(line).filter(
        ({ target }) => target !== undefined && comparable(target) === comparable(from),
      );
      let changed = line.text;
      for (const link of links.reverse())
        changed = `${changed.slice(0, link.textEnd)}](${encodeTarget(to)})${changed.slice(link.end)}`;
      return changed + line.end;
    })
    .join('');
}

export const comparable = (target: string): string => target.normalize('NFC');

/**
 * `mergeIndex` as the index of that path wants it. Lines of the team's are in the order of their targets: two people who
 * add memories then seldom add them at the same place, which git could not merge.
 */
export const mergeIndexAt = (
  index: string,
  text: string | undefined,
  edits: Parameters<typeof mergeIndex>[1],
): string => mergeIndex(text, scopeOf(index) === 'team' ? { ...edits, byTarget: true } : edits);

/** The line below an entry and the text that continues it. */
const endOfEntry = (lines: readonly Line[], entry: IndexEntry): number => (linesOfEntry(lines, entry).at(-1) ?? 0) + 1;

/** The line of an entry and the indented text that continues it. */
function linesOfEntry(lines: readonly Line[], entry: IndexEntry): number[] {
  const numbers = [entry.lineNumber];
  for (let number = entry.lineNumber + 1; number < lines.length; number += 1) {
    const line = lines[number];
    if (!line || !/^(?: {2,}|\t)[ \t]*\S/.test(line.text) || line.masked !== line.text) break;
    if (bullet.test(line.text) || heading.test(line.text)) break;
    numbers.push(number);
  }
  return numbers;
}

function changedLine(lines: readonly Line[], entry: IndexEntry, edit: IndexLineEdit): string {
  const line = lines[entry.lineNumber];
  const link = line && linksOf(line).find((candidate) => candidate.target === entry.target);
  if (!line || !link) return entry.line;
  if (edit.line !== undefined && standsFor(edit.line, edit.target)) return edit.line;
  const title = edit.title === entry.title ? '' : oneLine(edit.title ?? '');
  const hook = edit.hook === entry.hook ? undefined : edit.hook;
  if (hook === undefined && title === '') return entry.line;
  const open = line.text.slice(0, link.textStart);
  const close = line.text.slice(link.textEnd, link.end);
  const head = title === '' ? line.text.slice(0, link.end) : withTitle(open, title, close);
  const start = hookStart(line, link);
  if (hook === undefined) return head + line.text.slice(link.end);
  return withHook(head, start < line.text.length ? line.text.slice(link.end, start) : ' — ', hook);
}

function newLine(edit: IndexLineEdit, mark: string): string {
  if (edit.line !== undefined && standsFor(edit.line, edit.target)) return edit.line;
  const stem = edit.target.slice(edit.target.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  const title = oneLine(edit.title ?? '') || stem.replace(/[-_]+/g, ' ').replace(/^./u, (first) => first.toUpperCase());
  return withHook(withTitle(`${mark} [`, title, `](${encodeTarget(edit.target)})`), ' — ', edit.hook ?? '');
}

function withTitle(open: string, title: string, close: string): string {
  const limit = Math.max(20, lineLengthLimit - open.length - close.length);
  for (let room = limit; ; room -= 1) {
    const text = escaped(shortened(title, room));
    if (text.length <= limit || room <= 2) return open + text + close;
  }
}

const standsFor = (line: string, target: string): boolean => {
  const { entries } = parseIndex(line);
  return !line.includes('\n') && entries.length === 1 && comparable(entries[0]?.target ?? '') === comparable(target);
};

function withHook(head: string, lead: string, hook: string): string {
  // A comment's start in a hook could swallow the lines below it.
  const text = oneLine(hook).replaceAll('<!--', '<! --');
  const room = lineLengthLimit - head.length - lead.length;
  const fitted = room < 10 ? '' : shortened(text, room);
  return fitted === '' ? head : head + lead + fitted;
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** At most `room` UTF-16 units; cut at a word where there is one, never inside a character. */
function shortened(text: string, room: number): string {
  if (text.length <= room) return text;
  let cut = text.slice(0, room - 1);
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1);
  const space = cut.lastIndexOf(' ');
  if (space > room / 2) cut = cut.slice(0, space);
  return `${cut.replace(/[\s,;:.—–-]+$/, '')}…`;
}

const escaped = (title: string): string => title.replace(/[\\[\]`<]/g, '\\$&');
const unescaped = (title: string): string => title.replace(/\\([\\[\]`<>()*_#!-])/g, '$1');

/** A link destination that every Markdown reader takes for this target. Letters of all scripts stay readable. */
function encodeTarget(target: string): string {
  return target.replace(/[\s%()<>[\]\\#?"`|]|^[a-z][a-z0-9+.-]*:/giu, (part) => {
    const encoded = encodeURIComponent(part);
    return encoded === part ? `%${part.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
  });
}

function unlinked(text: string, target: string): string {
  const [line] = linesOf(text);
  const link = line && linksOf(line).find((candidate) => candidate.target === target);
  return link ? text.slice(0, link.start) + text.slice(link.textStart, link.textEnd) + text.slice(link.end) : text;
}

/** What another writer changed, line by line: for merging it into a third text. */
export function diffIndex(before: string | undefined, after: string | undefined): IndexEdits {
  const old = byTarget(parseIndex(before ?? '').entries);
  const fresh = byTarget(parseIndex(after ?? '').entries);
  return {
    set: [...fresh.values()]
      .filter((entry) => entry.line !== old.get(comparable(entry.target))?.line)
      .map(({ target, title, hook, line, shared }) => ({ target, title, hook, ...(shared ? {} : { line }) })),
    remove: [...old].filter(([target]) => !fresh.has(target)).map(([, entry]) => entry.target),
  };
}

function byTarget(entries: readonly IndexEntry[]): Map<string, IndexEntry> {
  const map = new Map<string, IndexEntry>();
  for (const entry of entries) {
    const key = comparable(entry.target);
    if (!map.has(key)) map.set(key, entry);
  }
  return map;
}

/** What Claude Code puts before a model: trimmed, without front matter and block comments, cut at both limits. */
export function loadedIndex(text: string): string {
  return cut(visibleText(text)).loaded;
}

export function indexBudget(text: string): IndexBudget {
  const content = visibleText(text);
  const lines = content === '' ? 0 : content.split('\n').length;
  const { wholeLines } = cut(content);
  return {
    lines,
    chars: content.length,
    lineLimit: indexLineLimit,
    charLimit: indexCharLimit,
    overBudget: lines > indexLineLimit || content.length > indexCharLimit,
    hiddenLines: lines - wholeLines,
  };
}

function cut(content: string): { loaded: string; wholeLines: number } {
  if (content === '') return { loaded: '', wholeLines: 0 };
  const head = content.split('\n').slice(0, indexLineLimit).join('\n');
  if (head.length <= indexCharLimit) return { loaded: head, wholeLines: head.split('\n').length };
  const newline = head.lastIndexOf('\n', indexCharLimit);
  if (newline > 0) return { loaded: head.slice(0, newline), wholeLines: head.slice(0, newline).split('\n').length };
  const hard = head.slice(0, indexCharLimit);
  return { loaded: /[\ud800-\udbff]$/.test(hard) ? hard.slice(0, -1) : hard, wholeLines: 0 };
}

const visibleText = (text: string): string =>
  countedLines(text)
    .map((line) => line.text)
    .join('\n')
    .trim();

/** The lines that are loaded, with their numbers in the file. */
function visibleLines(text: string): { text: string; lineNumber: number }[] {
  const counted = countedLines(text);
  const first = counted.findIndex((line) => line.text.trim() !== '');
  return first === -1 ? [] : counted.slice(first, first + cut(visibleText(text)).wholeLines);
}

/** Lines without front matter and comments that begin a line. A carriage return stays: it is counted. */
function countedLines(text: string): { text: string; lineNumber: number }[] {
  const block = findBlock(text);
  const skipped = block ? text.slice(0, block.bodyStart).split('\n').length - 1 : 0;
  const counted: { text: string; lineNumber: number }[] = [];
  let inComment = false;
  for (const [lineNumber, line] of linesOf(text).entries()) {
    if (lineNumber < skipped) continue;
    const whole = line.text + line.end.replace('\n', '');
    const opens = !line.isCode && /^ {0,3}<!--/.test(line.text) && !/^ {0,3}<!--/.test(line.masked);
    if (!inComment && !opens) {
      counted.push({ text: whole, lineNumber });
      continue;
    }
    const close = line.text.indexOf('-->', inComment ? 0 : line.text.indexOf('<!--') + 4);
    inComment = close === -1;
    const rest = inComment ? '' : whole.slice(close + 3);
    if (rest.trim() !== '') counted.push({ text: rest, lineNumber });
  }
  return counted;
}
