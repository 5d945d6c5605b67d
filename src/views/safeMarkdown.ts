// A memory's own Markdown where the editor draws it: formatted as its author meant it, and able to do nothing. Pure functions.

import type { Piece } from './hovers';

const joiner = '\u2060';

/**
 * A stranger's Markdown for the editor's renderer, which must be told that it is untrusted: no picture is loaded from
 * anywhere, what opens a block closes it, and nothing turns the writing direction around. Code shows as it was written: what is
 * put between two signs has no width.
 */
export function safeMarkdown(text: string): string {
  const harmless = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/!(?=\[)/g, `!${joiner}`)
    // These begin a block that a blank line does not end.
    .replace(/<(?=[!?]|\/?(?:script|style|pre|textarea)\b)/gi, `<${joiner}`)
    .replace(/command:/gi, (scheme) => `${scheme.slice(0, -1)}${joiner}:`)
    // Nor does a click start another program.
    .replace(/(\]\([\s<]*|<|\]:[\s<]*)(vscode[\w-]*|javascript|data|file):/gi, `$1$2${joiner}:`);
  let open: string | undefined;
  for (const line of harmless.split('\n')) {
    const fence = /^([\s>]*)(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (!fence) continue;
    const [, indent = '', signs = '', info = ''] = fence;
    if (open === undefined) open = indent + signs;
    else if (signs[0] === open.trim().at(-1) && signs.length >= open.replace(/[\s>]/g, '').length && info.trim() === '')
      open = undefined;
  }
  return open === undefined ? harmless : `${harmless}\n${open}`;
}

/** As a quotation, among pieces that may hold icons: what looks like one in the memory stays text. */
export const quotedMarkdown = (text: string): Piece => ({
  markdown: safeMarkdown(text.trim())
    .replaceAll('$(', `$${joiner}(`)
    .split(/\r?\n/)
    .map((line) => `\n> ${line}`)
    .join(''),
});
