// Opens a transcript where a message stands, with the words selected, for reading only: it belongs to another program,
// which may be writing to it. A daily log, which is a person's own, opens in the same way and can be edited.

import { commands, Range, Selection, TextEditorRevealType, Uri, window, workspace } from 'vscode';

/** `line` counts from 1; without it the transcript opens at its end. */
export async function openTranscript(file: string, line?: number): Promise<void> {
  const uri = Uri.file(file);
  // The editor hands no document of more than 50 MB to an extension: such a file is only opened.
  const document = await workspace.openTextDocument(uri).then(
    (found) => found,
    () => undefined,
  );
  if (!document) {
    await commands.executeCommand('vscode.open', uri);
    return;
  }
  const isLog = uri.path.endsWith('.md');
  // A log ends in a line end.
  const last = document.lineCount - (isLog && document.lineCount > 1 ? 2 : 1);
  const at = Math.min(Math.max(0, line === undefined ? last : line - 1), document.lineCount - 1);
  const text = document.lineAt(at).text;
  const [from, to] = spanOfWords(text);
  const range = new Range(at, from, at, to);
  const editor = await window.showTextDocument(document, { preview: true });
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
  if (!isLog) await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
}

/** Where in a record, or in a line of a daily log, the words stand, as written there. The whole line when they can't be found. */
export function spanOfWords(line: string): readonly [number, number] {
  const bullet = /^- \d\d:\d\d (?:[a-z ]{3,20}: )?/.exec(line)?.[0];
  if (bullet !== undefined) {
    const mark = line.search(/ <!-- \w+ -->$/);
    return [bullet.length, mark < 0 ? line.length : mark];
  }
  try {
    const words = firstText(JSON.parse(line));
    const written = words === undefined ? undefined : JSON.stringify(words).slice(1, -1);
    const from = written ? line.indexOf(written) : -1;
    if (from >= 0 && written) return [from, from + written.length];
  } catch {
    // Not a record: shown as it is.
  }
  return [0, line.length];
}

function firstText(record: unknown): string | undefined {
  const content = (record as { message?: { content?: unknown } } | null)?.message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const block = content.find((each) => each?.type === 'text' && typeof each.text === 'string');
  return block?.text;
}
