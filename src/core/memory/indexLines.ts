// Markdown as lines with links: enough of it to tell a link that counts from one in a code block, a comment or a code
// span. Tolerant of what people write by hand (spaces and brackets in a destination); it never changes a text.

import { findBlock } from './frontBlock';

export interface Line {
  /** Without its line end. */
  readonly text: string;
  readonly end: string;
  /** Of the same length, with everything blanked that is code, comment or front matter. */
  readonly masked: string;
  /** It belongs to a code block or to front matter. */
  readonly isCode: boolean;
  /** A line put below it would be part of a code block, a comment or front matter. */
  readonly endsInside: boolean;
}

export interface Link {
  /** Offsets into the line: the whole link, and the text in its brackets. */
  readonly start: number;
  readonly textStart: number;
  readonly textEnd: number;
  readonly end: number;
  /** The file it names, relative and decoded, or `undefined` when it leads elsewhere. */
  readonly target: string | undefined;
}

/** The lines of a text. Front matter at its top counts as masked. */
export function linesOf(text: string): Line[] {
  const block = findBlock(text);
  const lines: Line[] = [];
  let fence = '';
  const lastClose = text.lastIndexOf('-->');
  let inComment = false;
  let at = 0;
  for (const [whole] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const end = /\r?\n$/.exec(whole)?.[0] ?? '';
    const line = whole.slice(0, whole.length - end.length);
    const blank = ' '.repeat(line.length);
    let masked = line;
    let isCode = true;
    const marks = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line);
    if (block && at < block.bodyStart) masked = blank;
    else if (fence !== '') {
      masked = blank;
      if (marks?.[1]?.startsWith(fence) && marks[2]?.trim() === '') fence = '';
    } else if (!inComment && marks?.[1] && !(marks[1].startsWith('`') && marks[2]?.includes('`'))) {
      masked = blank;
      fence = marks[1];
    } else {
      isCode = false;
      [masked, inComment] = maskLine(line, inComment, lastClose >= at + line.length);
    }
    at += whole.length;
    const endsInside = inComment || fence !== '' || (block !== undefined && at < block.bodyStart);
    lines.push({ text: line, end, masked, isCode, endsInside });
  }
  return lines;
}

/** Blanks code spans and comments. A comment that nothing closes is text. */
function maskLine(line: string, startsInComment: boolean, closesLater: boolean): [masked: string, inComment: boolean] {
  if (!startsInComment && !/[`<\\]/.test(line)) return [line, false];
  let masked = '';
  let inComment = startsInComment;
  let at = 0;
  const blankTo = (end: number) => {
    masked += ' '.repeat(end - at);
    at = end;
  };
  while (at < line.length) {
    if (inComment) {
      const close = line.indexOf('-->', at);
      if (close === -1) blankTo(line.length);
      else {
        blankTo(close + 3);
        inComment = false;
      }
    } else if (line[at] === '\\') {
      masked += line.slice(at, at + 2);
      at += 2;
    } else if (line[at] === '`') {
      const run = /^`+/.exec(line.slice(at))?.[0] ?? '`';
      const close = new RegExp(`(?<!\`)${run}(?!\`)`).exec(line.slice(at + run.length));
      if (close) blankTo(at + run.length + close.index + run.length);
      else {
        masked += run;
        at += run.length;
      }
    } else if (line.startsWith('<!--', at) && (closesLater || line.includes('-->', at + 4))) {
      inComment = true;
      blankTo(at + 4);
    } else {
      masked += line[at];
      at += 1;
    }
  }
  return [masked, inComment];
}

/** Inline links of a line, images left out. */
export function linksOf(line: Line): Link[] {
  const { text, masked } = line;
  const links: Link[] = [];
  for (let at = masked.indexOf('['); at !== -1; at = masked.indexOf('[', at + 1)) {
    if (masked[at - 1] === '\\' || masked[at - 1] === '!') continue;
    const close = closing(masked, at, '[', ']');
    if (close === -1 || masked[close + 1] !== '(') continue;
    const open = close + 1;
    const destination = masked[open + 1] === '<' ? masked.indexOf('>', open) : -1;
    let end = destination === -1 ? closing(masked, open, '(', ')') : masked.indexOf(')', destination);
    if (end === -1) end = masked.indexOf(')', open);
    if (end === -1) continue;
    links.push({
      start: at,
      textStart: at + 1,
      textEnd: close,
      end: end + 1,
      target: targetOf(text.slice(open + 1, end)),
    });
    at = end;
  }
  return links;
}

function closing(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === open) depth += 1;
    else if (text[at] === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The file a destination names, or `undefined` when it leads elsewhere: another site, an absolute path, a parent folder. */
function targetOf(destination: string): string | undefined {
  let href = destination.trim();
  if (href.startsWith('<')) href = href.slice(1, href.includes('>') ? href.indexOf('>') : undefined);
  else href = href.replace(/\s+(?:"[^"]*"|'[^']*')$/, '');
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#|\\)/i.test(href)) return undefined;
  href = href.replace(/\\([()<>\\ ])/g, '$1').replace(/[#?].*$/, '');
  try {
    href = decodeURIComponent(href);
  } catch {
    // A stray percent sign is part of the name.
  }
  const path = href.replace(/^(?:\.\/)+/, '').trim();
  return path === '' || /(?:^|\/)\.\.(?:\/|$)/.test(path) ? undefined : path;
}
