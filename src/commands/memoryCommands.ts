// What can be done with a memory that is there: open, pin, verify, rename, delete and bring back. Everything that changes
// something is one run that *Undo* takes back; what is deleted goes to the trash.

import { commands, env, ThemeIcon, Uri, window } from 'vscode';
import { oneLine, wholeDays } from '../views/words';
import { asLabel, type CommandContext, type Handlers, memoriesOf, memoryTargets, pickProject } from './context';
import { openTranscript } from './transcripts';
import { undo } from './undo';

export function memoryCommands(context: CommandContext): Handlers {
  const { projects, words, notices } = context;
  const { t } = words;

  /** Does something with each memory a command was started on, one after the other. */
  async function each(
    args: readonly unknown[],
    act: (open: NonNullable<ReturnType<typeof projects.find>>, path: string, name: string) => Promise<unknown>,
  ): Promise<number> {
    const targets = memoriesOf(context, args);
    for (const { project, path, name } of targets) {
      const open = projects.find(project);
      if (open) await act(open, path, oneLine(name));
    }
    return targets.length;
  }

  async function remove(args: readonly unknown[]): Promise<readonly string[]> {
    const targets = memoriesOf(context, args);
    const done: string[] = [];
    for (const key of new Set(targets.map(({ project }) => project))) {
      const open = projects.find(key);
      const some = targets.filter(({ project }) => project === key);
      if (!open) continue;
      const run = await open.project.forget(some.map(({ path }) => path));
      done.push(...some.map(({ path }) => path));
      notices.info(
        some.length === 1
          ? t('Moved “{0}” to the trash.', oneLine(some[0]?.name ?? ''))
          : t('Moved {0} memories to the trash.', words.number(some.length)),
        { label: t('Undo'), run: () => undo(context, open, [run.id]) },
      );
    }
    return done;
  }

  return {
    'reverie.open': (...args) =>
      each(args, async (open, path) =>
        commands.executeCommand('vscode.open', Uri.file(await open.project.locate(path)), { preview: false }),
      ),
    'reverie.pin': (...args) => each(args, (open, path) => open.project.pin(path, true)),
    'reverie.unpin': (...args) => each(args, (open, path) => open.project.pin(path, false)),
    'reverie.verify': (...args) =>
      each(args, async (open, path, name) => {
        await open.project.verify(path);
        // A memory that was not stale looks the same afterwards.
        window.setStatusBarMessage(`$(verified) ${t('Verified today: {0}', asLabel(name))}`, 4000);
      }),

    async 'reverie.delete'(...args) {
      // The key deletes whatever is selected: memories go to the trash, suggestions are dismissed.
      const isSuggestion = memoryTargets(context, args).some(({ kind }) => kind === 'suggestion');
      if (isSuggestion) await commands.executeCommand('reverie.dismissSuggestion', ...args);
      return remove(args);
    },

    async 'reverie.rename'(...args) {
      const [target] = memoriesOf(context, args);
      const open = target && projects.find(target.project);
      if (!open) return undefined;
      const [, , given] = args;
      const name =
        typeof given === 'string'
          ? given
          : await window.showInputBox({
              title: t('Rename Memory'),
              prompt: t('The file keeps its name, so that links to it stay.'),
              value: target.name,
              validateInput: (value) => (value.trim() === '' ? t('A memory needs a name.') : undefined),
            });
      if (name === undefined || name.trim() === target.name) return undefined;
      await open.project.rename(target.path, name.trim());
      return name.trim();
    },

    async 'reverie.copyLink'(...args) {
      const links = memoriesOf(context, args).map(({ name }) => `[[${name}]]`);
      if (links.length === 0) return undefined;
      await env.clipboard.writeText(links.join('\n'));
      window.setStatusBarMessage(`$(copy) ${t('Copied {0}', asLabel(links[0] ?? ''))}`, 3000);
      return links;
    },

    'reverie.revealInExplorer': (...args) =>
      each(args, async (open, path) =>
        commands.executeCommand('revealFileInOS', Uri.file(await open.project.locate(path))),
      ),

    async 'reverie.openMemoryFolder'() {
      const open = await pickProject(context);
      if (!open) return undefined;
      const folder = Uri.file(open.project.paths.memoryDir);
      const [{ exists }, heads] = await Promise.all([open.project.indexBudget(), open.project.heads()]);
      if (!exists && heads.length === 0) {
        notices.info(t('There is no memory folder yet. The first memory makes it.'));
        return undefined;
      }
      // A file manager is only where the files are.
      if (env.remoteName === undefined && env.appHost === 'desktop') return env.openExternal(folder);
      return commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
    },

    async 'reverie.openSourceMessage'(...args) {
      const [target] = memoriesOf(context, args);
      const open = target && projects.find(target.project);
      if (!open) return undefined;
      const message = await open.project.sourceMessage(target.path);
      if (!message) {
        notices.info(t('The chat this came from is no longer there.'));
        return undefined;
      }
      await openTranscript(message.file, message.line);
      return message;
    },

    async 'reverie.showTrash'() {
      const open = await pickProject(context);
      if (!open) return undefined;
      const entries = await open.project.trash();
      if (entries.length === 0) {
        notices.info(t('The trash is empty.'));
        return undefined;
      }
      const now = Date.now();
      const items = entries.map((entry) => ({
        label: asLabel(oneLine(entry.line?.title ?? entry.path)),
        description: words.shortAge(wholeDays(entry.deletedAt, now)),
        detail: asLabel(oneLine([entry.path, entry.reason].filter(Boolean).join(' · '))),
        iconPath: new ThemeIcon('trash'),
        entry,
      }));
      const picked = await window.showQuickPick(items, {
        title: t('Memory: Trash'),
        placeHolder: t('Choose what to bring back'),
        canPickMany: true,
        matchOnDetail: true,
      });
      for (const { entry } of picked ?? []) await open.project.restore(entry.path);
      const [first] = picked ?? [];
      if (!picked || !first) return undefined;
      notices.info(
        picked.length === 1
          ? t('Brought back “{0}”.', oneLine(first.entry.line?.title ?? first.entry.path))
          : t('Brought back {0} memories.', words.number(picked.length)),
        {
          label: t('Show'),
          run: () =>
            showMemories(
              context,
              open.key,
              picked.map(({ entry }) => entry.path),
            ),
        },
      );
      return picked.map(({ entry }) => entry.path);
    },

    /** A button names project and run; without them, it is the last run that can be taken back. */
    async 'reverie.undo'(key, run) {
      if (typeof key === 'string' && typeof run === 'string') {
        const named = projects.find(key);
        if (named) return undo(context, named, [run]);
      }
      const open = await pickProject(context);
      return open && undo(context, open);
    },
  };
}

/** Brings the view to the front and selects the first of these memories. */
export async function showMemories(context: CommandContext, project: string, paths: readonly string[]): Promise<void> {
  await commands.executeCommand('reverie.memories.focus');
  await context.memories.refresh();
  await context.memoryTree.revealMemories(project, paths, { focus: true });
}
