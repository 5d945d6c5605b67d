// Suggestions: keep, keep with changes, or dismiss. Several at once where several are selected.

import { window } from 'vscode';
import { oneLine } from '../views/words';
import { type CommandContext, type Handlers, suggestionsOf } from './context';
import { showMemories } from './memoryCommands';
import { undo } from './undo';

export function suggestionCommands(context: CommandContext): Handlers {
  const { projects, suggestionDocuments: documents, notices, words } = context;
  const { t } = words;

  async function accept(args: readonly unknown[]): Promise<readonly string[]> {
    const kept: string[] = [];
    const targets = suggestionsOf(context, args);
    for (const key of new Set(targets.map(({ project }) => project))) {
      const open = projects.find(key);
      if (!open) continue;
      const ids = targets.filter(({ project }) => project === key).map(({ id }) => id);
      const runs: string[] = [];
      const paths: string[] = [];
      for (const id of ids) {
        const { path, run } = await open.project.accept(id, await documents.edited(key, id));
        paths.push(path);
        if (run) runs.push(run.id);
        await documents.close(key, [id]);
      }
      kept.push(...paths);
      if (paths.length === 0) continue;
      const show = { label: t('Show'), run: () => showMemories(context, key, paths) };
      const back = { label: t('Undo'), run: () => undo(context, open, runs) };
      const heads = await open.project.heads();
      const name = oneLine(heads.find(({ path }) => path === paths[0])?.name ?? paths[0] ?? '');
      const text =
        paths.length === 1
          ? t('Remembered “{0}”.', name)
          : t('Remembered {0} suggestions.', words.number(paths.length));
      notices.info(text, show, ...(runs.length > 0 ? [back] : []));
    }
    return kept;
  }

  return {
    'reverie.acceptSuggestion': (...args) => accept(args),

    async 'reverie.editSuggestion'(...args) {
      const [target] = suggestionsOf(context, args);
      const waiting = target && (await projects.find(target.project)?.project.suggestions());
      const suggestion = waiting?.find(({ id }) => id === target?.id);
      if (!target || !suggestion) return;
      await window.showTextDocument(documents.uri(target.project, suggestion), { preview: false });
      window.setStatusBarMessage(`$(edit) ${t('Edit the text, then accept it with the check mark above.')}`, 8000);
    },

    async 'reverie.dismissSuggestion'(...args) {
      const targets = suggestionsOf(context, args);
      for (const { project, id } of targets) {
        await projects.find(project)?.project.dismiss(id);
        await documents.close(project, [id]);
      }
      return targets.length;
    },
  };
}
