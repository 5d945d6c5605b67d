// Joins pieces to a hover of the editor. Text that may be a stranger's enters as text; commands work only when they are
// named here, so that a link in a memory's name is never one.

import { MarkdownString } from 'vscode';
import type { Piece } from './hovers';

/** `commands` are those that our own pieces link to. */
export function toMarkdown(pieces: readonly Piece[], commands: readonly string[] = []): MarkdownString {
  const result = new MarkdownString(undefined, true);
  result.supportHtml = false;
  result.isTrusted = commands.length > 0 ? { enabledCommands: commands } : false;
  for (const piece of pieces) {
    if ('markdown' in piece) result.appendMarkdown(piece.markdown);
    else result.appendText(piece.text);
  }
  return result;
}
