// Links from a memory to others as they are written: `[[name]]`, and Markdown links to files. Tells what each leads to and
// writes it anew where its caller says so; every other byte stays. No look at the disk: which memories there are is given.

import { type Line, linesOf, linksOf } from './indexLines';
import { stemOf } from './memory';
import { folded } from './memoryPaths';

const wikiLink = /\[\[([\p{L}\p{N}](?:[^[\]|#\n]*[^[\]|#\s])?)((?:#[^\]|\n]*)?(?:\|[^\]\n]*)?)\]\]/gu;

export interface LinkTarget {
  readonly path: string;
  readonly name: string;
}

export interface WrittenLink {
  /** `name` for `[[…]]`, `file` for a Markdown link. */
  readonly kind: 'name' | 'file';
  /** What stands in the brackets of `[[…]]`; of a Markdown link the memory path it leads to. */
  readonly to: string;
  /** What follows in `[[…]]`: `#part|label`. Of a Markdown link the text that is shown. */
  readonly more: string;
  readonly written: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Whether a wiki link leads to this memory as it is written. */
export function leadsTo(link: string, { path, name }: LinkTarget): boolean {
  const same = (other: string) => folded(other) === folded(link);
  return same(stemOf(path)) || same(path) || same(path.replace(/\.md$/i, '')) || same(name);
}

/** Links of a memory, in the order of its lines. `path` is its own: Markdown links are relative to its folder. */
export function* linksIn(text: string, path: string): Generator<WrittenLink> {
  for (const [at, line] of linesOf(text).entries()) for (const { link } of placedLinks(line, path, at + 1)) yield link;
}

/** The text with the links for which `anew` gives another wording, and what was changed. */
export function rewriteLinks(
  text: string,
  path: string,
  anew: (link: WrittenLink) => string | undefined,
): { readonly text: string; readonly changed: readonly { readonly from: string; readonly to: string }[] } {
  const changed: { from: string; to: string }[] = [];
  const lines = linesOf(text).map((line, at) => {
    let result = line.text;
    for (const { start, end, link } of [...placedLinks(line, path, at + 1)].reverse()) {
      const to = anew(link);
      if (to === undefined || to === link.written) continue;
      changed.push({ from: link.written, to });
      result = result.slice(0, start) + to + result.slice(end);
    }
    return result + line.end;
  });
  return { text: lines.join(''), changed };
}

/** The text with links to these blank: once memories are merged, a link to one is no other word than a link to its heir. */
export const withoutLinksTo = (targets: readonly LinkTarget[], text: string, path: string): string =>
  rewriteLinks(text, path, ({ kind, to }) =>
    targets.some((target) => (kind === 'name' ? leadsTo(to, target) : to === target.path)) ? '[[]]' : undefined,
  ).text;

function placedLinks(line: Line, path: string, number: number): { start: number; end: number; link: WrittenLink }[] {
  if (line.isCode || !line.text.includes('[')) return [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const placed: { start: number; end: number; link: WrittenLink }[] = [];
  for (const match of line.text.matchAll(wikiLink)) {
    const [written, to = '', more = ''] = match;
    const end = match.index + written.length;
    if (line.masked.slice(match.index, end) !== written) continue;
    placed.push({ start: match.index, end, link: { kind: 'name', to, more, written, line: number } });
  }
  for (const { start, textStart, textEnd, end, target } of linksOf(line)) {
    if (!target?.toLowerCase().endsWith('.md')) continue;
    const link = { kind: 'file', to: folder + target, more: line.text.slice(textStart, textEnd) } as const;
    placed.push({ start, end, link: { ...link, written: line.text.slice(start, end), line: number } });
  }
  return placed.sort((a, b) => a.start - b.start);
}

/** A Markdown link; `target` is relative to the file it stands in. */
export const fileLink = (text: string, target: string): string =>
  `[${text}](${encodeURI(target).replace(/[()#?]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)})`;

/** A wiki link to a memory, by its file's name; `more` as in `WrittenLink`. */
export const nameLink = (path: string, more = ''): string => `[[${stemOf(path)}${more}]]`;
