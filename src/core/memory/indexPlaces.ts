// Where in an index a new line goes: into the list where memories of its type are, or, in an index that several people merge, to
// the place that the order of targets gives it. It looks at lines alone and changes none.

import type { Line } from './indexLines';
import type { MemoryType } from './memory';
import type { IndexEntry } from './memoryIndex';

/** `at` is the line it stands above, `mark` the bullet of that list. */
export type Places = (target: string) => { readonly at: number; readonly mark: string };

export const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
export const byteOrderMark = '\ufeff';

export const typeFromName = (target: string): MemoryType | undefined =>
  /(?:^|\/)(user|feedback|project|reference)[_-]/i.exec(target)?.[1]?.toLowerCase() as MemoryType | undefined;

const headingWords: Readonly<Record<MemoryType, RegExp>> = {
  user: /\b(?:user|me|about me|who|people|usuário|pessoa|perfil)\b/i,
  feedback: /\b(?:feedback|rules?|preferences?|how we work|conventions?|regras?|preferências?)\b/i,
  project: /\b(?:projects?|decisions?|work|projetos?|decisões)\b/i,
  reference: /\b(?:references?|links?|where|resources?|referências?)\b/i,
};

const isOpenAt = (lines: readonly Line[], at: number): boolean => at > 0 && lines[at - 1]?.endsInside === true;
const markOf = (entry: IndexEntry): string => /^[ \t]*([-*+])/.exec(entry.line)?.[1] ?? '-';

/** By type: where most memories of it are, under a heading that names it, else at the top. */
export function createPlaces(
  lines: readonly Line[],
  entries: readonly IndexEntry[],
  typeOf: (target: string) => MemoryType | undefined,
  lastVisible: number,
): Places {
  const sections = [0, ...lines.flatMap((line, number) => (heading.test(line.masked) ? [number] : []))].map(
    (start, index, starts) => {
      const own = entries.filter(
        ({ lineNumber }) => lineNumber >= start && lineNumber < (starts[index + 1] ?? Number.POSITIVE_INFINITY),
      );
      return { start, own, types: own.map(({ target }) => typeOf(target)) };
    },
  );
  const above = (entry: IndexEntry | undefined) => {
    if (!entry || entry.lineNumber > lastVisible || isOpenAt(lines, entry.lineNumber)) return undefined;
    return { at: entry.lineNumber, mark: markOf(entry) };
  };
  const isEmptyFor = ({ start, own }: (typeof sections)[number], type: MemoryType | undefined) => {
    const words = /^#{2,}\s+(.*\S)/.exec(lines[start]?.masked ?? '')?.[1] ?? '';
    return type !== undefined && own.length === 0 && words.split(/\s+/).length <= 2 && headingWords[type].test(words);
  };
  const below = (section: (typeof sections)[number] | undefined) => {
    if (!section || section.start > lastVisible) return undefined;
    const at = section.start + (lines[section.start + 1]?.text.trim() === '' ? 2 : 1);
    return isOpenAt(lines, at) ? undefined : { at, mark: '-' };
  };
  const top = () => above(entries[0]) ?? { at: lineBelowTitle(lines), mark: '-' };
  const found = new Map<MemoryType | undefined, ReturnType<Places>>();

  return (target: string) => {
    const type = typeOf(target);
    let place = found.get(type);
    if (!place) {
      const count = (section: (typeof sections)[number]) => section.types.filter((other) => other === type).length;
      const best = sections
        .filter((section) => type !== undefined && count(section) * 2 >= section.own.length && count(section) > 0)
        .sort((a, b) => count(b) - count(a))[0];
      const named =
        best ??
        sections.find(
          ({ start, own }) => type && own.length > 0 && start > 0 && headingWords[type].test(lines[start]?.text ?? ''),
        );
      place = above(named?.own[0]) ?? below(sections.find((section) => isEmptyFor(section, type))) ?? top();
      found.set(type, place);
    }
    return place;
  };
}

/** In the order of targets, whatever headings there are: the same place whoever adds it. */
export function placesByTarget(
  lines: readonly Line[],
  entries: readonly IndexEntry[],
  endOf: (lines: readonly Line[], entry: IndexEntry) => number,
): Places {
  return (target) => {
    const key = target.normalize('NFC');
    const next = entries.find((entry) => entry.target.normalize('NFC') > key && !isOpenAt(lines, entry.lineNumber));
    if (next) return { at: next.lineNumber, mark: markOf(next) };
    const last = entries.at(-1);
    if (last && !isOpenAt(lines, endOf(lines, last))) return { at: endOf(lines, last), mark: markOf(last) };
    return { at: lineBelowTitle(lines), mark: '-' };
  };
}

/** Below front matter, a heading at the top and the blank line after it. */
function lineBelowTitle(lines: readonly Line[]): number {
  let start = 0;
  while (start < lines.length && lines[start]?.isCode && lines[0]?.text.replace(byteOrderMark, '').startsWith('---'))
    start += 1;
  const title = lines.findIndex((line, number) => number >= start && line.text.trim() !== '');
  const line = lines[title];
  if (!line || line.endsInside || !heading.test(line.masked.replace(byteOrderMark, ''))) return start;
  return lines[title + 1]?.text.trim() === '' ? title + 2 : title + 1;
}
