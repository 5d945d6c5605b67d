// Joins pieces to a hover of the editor. Text that may be a stranger's enters as text; commands work only when they are
// named here, so that a link in a memory's name is never one.

import { MarkdownString } from 'vscode';
import type { Piece } from './hovers';

/** `commands` are those that our own pieces link to; without `hasIcons`, `$(name)` stays text wherever it stands. */
export function toMarkdown(
  pieces: readonly Piece[],
  commands: readonly string[] = [],
  hasIcons = true,
): MarkdownString {
  const result = new MarkdownString(undefined, hasIcons);
  result.supportHtml = false;
  result.isTrusted = commands.length > 0 ? { enabledCommands: commands } : false;
  for (const piece of pieces) {
    result.appendMarkdown('markdown' in piece ? piece.markdown : escaped(piece.text, hasIcons));
  }
  return result;
}

/**
 * The editor's own escaping, but for spaces: it makes them unbreakable, and long lines would break within words. Spaces
 * that mean something in Markdown, several and those that begin a line, become one or none.
 */
function escaped(text: string, hasIcons: boolean): string {
  return new MarkdownString(undefined, hasIcons)
    .appendText(text)
    .value.replace(/(?:&nbsp;)+/g, ' ')
    .replace(/^ +/gm, '');
}
