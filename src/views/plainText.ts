// A model's words on their way into a chat, as they come: no picture is fetched because a memory, and so perhaps a stranger,
// had a model say so, and no link leads to a program. The editor itself shows no HTML and runs no command of such a text.

/** Feeds on parts of a text and gives what may be shown of it; `end` gives what was held back, a few characters at most. */
export function createPlainText(): { next(delta: string): string; end(): string } {
  let held = '';
  const safe = (text: string): string =>
    text
      // A picture's address is asked for when it is shown; as a link it waits for a click.
      .replaceAll('![', '[')
      .replace(/\]\((?=[\s<]*(?:command|vscode[\w-]*|javascript|data|file)\s*:)/gi, '] (');
  return {
    next(delta) {
      const text = held + delta;
      // The beginning of a picture, or of a link whose scheme is not whole yet, waits for the rest.
      const from = Math.max(text.length - 48, 0);
      const open = /(?:!+|\](?:\([\s<]*[\w-]*\s*)?)$/.exec(text.slice(from));
      const cut = open ? from + open.index : text.length;
      held = text.slice(cut);
      return safe(text.slice(0, cut));
    },
    end() {
      const text = safe(held);
      held = '';
      return text;
    },
  };
}
