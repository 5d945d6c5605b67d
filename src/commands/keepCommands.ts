// Remembering by hand: a selection or typed words become a memory. The type is asked for, with the engine's guess first;
// everything else the engine finds out.

import { type QuickPickItem, QuickPickItemKind, Range, ThemeIcon, Uri, window, workspace } from 'vscode';
import type { MemoryType } from '../core/memory/memory';
import type { OpenProject } from '../projects';
import { memoryTypeHints, typeIcons } from '../views/memoryRows';
import { oneLine, typesInOrder } from '../views/words';
import { type CommandContext, type Handlers, pickProject } from './context';
import { undo } from './undo';

export function keepCommands(context: CommandContext): Handlers {
  const { words, notices } = context;
  const { t } = words;

  async function remember(open: OpenProject, text: string, type: MemoryType): Promise<string> {
    const { path, run } = await open.project.remember({ text, type });
    const head = (await open.project.heads()).find((each) => each.path === path);
    const name = oneLine(head?.name ?? path);
    const file = Uri.file(await open.project.locate(path));
    notices.info(
      t('Remembered “{0}”.', name),
      { label: t('Open'), run: () => window.showTextDocument(file) },
      { label: t('Undo'), run: () => undo(context, open, [run.id]) },
    );
    return path;
  }

  return {
    async 'reverie.remember'(given, givenType) {
      const open = await pickProject(context);
      if (!open) return undefined;
      // A caller in code may say it all; a menu hands over an address, which is not words.
      const text = typeof given === 'string' ? given : (selectedText() ?? (await askForWords(context)));
      if (text === undefined || text.trim() === '') return undefined;
      const type = typesInOrder.find((each) => each === givenType) ?? (await askForType(context, open, text));
      return type && remember(open, text, type);
    },

    async 'reverie.newMemory'() {
      const open = await pickProject(context);
      if (!open) return undefined;
      const text = await askForWords(context);
      if (text === undefined) return undefined;
      const type = await askForType(context, open, text);
      if (!type) return undefined;
      const { path } = await open.project.remember({ text, type });
      const document = await workspace.openTextDocument(Uri.file(await open.project.locate(path)));
      const end = document.lineAt(document.lineCount - 1).range.end;
      await window.showTextDocument(document, { selection: new Range(end, end) });
      return path;
    },
  };
}

/** Words selected in the editor, several selections as one text. */
function selectedText(): string | undefined {
  const editor = window.activeTextEditor;
  const text = editor?.selections
    .map((selection) => editor.document.getText(selection).trim())
    .filter(Boolean)
    .join('\n');
  return text || undefined;
}

async function askForWords({ words: { t } }: CommandContext): Promise<string | undefined> {
  const text = await window.showInputBox({
    title: t('Remember This'),
    prompt: t('One thing worth keeping, in your own words.'),
    placeHolder: t('Use pnpm here, because the lock file broke twice'),
    ignoreFocusOut: true,
  });
  return text?.trim() || undefined;
}

async function askForType({ words }: CommandContext, open: OpenProject, text: string): Promise<MemoryType | undefined> {
  const { t } = words;
  const guess = await open.project.guessType(text);
  const hints = memoryTypeHints(words);
  const itemOf = (type: MemoryType): QuickPickItem & { type: MemoryType } => ({
    label: words.typeHeading(type),
    description: hints[type],
    iconPath: new ThemeIcon(typeIcons[type]),
    type,
  });
  const rest = typesInOrder.filter((type) => type !== guess).map(itemOf);
  const items: (QuickPickItem & { type?: MemoryType })[] = [
    { label: t('suggested'), kind: QuickPickItemKind.Separator },
    itemOf(guess),
    { label: t('other types'), kind: QuickPickItemKind.Separator },
    ...rest,
  ];
  const short = oneLine(text);
  const picked = await window.showQuickPick(items, {
    title: t('Remember This'),
    placeHolder: t('What kind of memory is “{0}”?', short.length > 60 ? `${short.slice(0, 59)}…` : short),
    ignoreFocusOut: true,
  });
  return picked?.type;
}
