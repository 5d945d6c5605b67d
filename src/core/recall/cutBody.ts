// As much of a memory as a conversation is given: at most 200 lines and 4,096 bytes, cut at the end of a line, with a
// note that says where the rest is. The note counts.

const mostLines = 200;
const mostBytes = 4_096;

/** `path` is what the note names. Blank lines around the text are left out. */
export function cutBody(body: string, path: string): { readonly content: string; readonly truncated: boolean } {
  const text = body.replace(/^\uFEFF?(?:[ \t]*\r?\n)+/, '').trimEnd();
  const lines = text.split('\n');
  if (lines.length <= mostLines && Buffer.byteLength(text) <= mostBytes) return { content: text, truncated: false };
  const note = `\n\n[Cut here; the rest is in ${path}]`;
  const room = mostBytes - Buffer.byteLength(note);
  let content = '';
  for (const line of lines.slice(0, mostLines - 2)) {
    const next = content === '' ? line : `${content}\n${line}`;
    if (Buffer.byteLength(next) > room) break;
    content = next;
  }
  // One line that is longer than all there is room for is cut between two characters.
  if (content === '') content = wholeCharacters(lines[0] ?? '', room);
  return { content: content.trimEnd() + note, truncated: true };
}

function wholeCharacters(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
