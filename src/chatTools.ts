// Memory as tools of the editor's agents: recall, save, forget. Registering is cheap and loads nothing of the engine. What
// only reads asks nobody; what changes something asks the person with the very words at stake. A refusal is an error that
// tells the agent what to do next, and an untrusted workspace refuses everything.

import {
  type CancellationToken,
  type Disposable,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  window,
} from 'vscode';
import type { OpenProject, Projects } from './projects';
import { answered, recalledText, restText, type ToolAnswer } from './toolAnswers';
import { toMarkdown } from './views/markdown';
import { type Confirmation, confirmForget, confirmSave, folderIn, pathIn, recallIn, saveIn } from './views/toolTexts';
import { oneLine, type Words } from './views/words';

const paths = 'Call reverie_recall first: it gives the paths of the memories that fit.';

interface Tool {
  readonly said: (input: unknown) => string;
  readonly confirm?: (open: OpenProject, input: unknown) => Promise<Confirmation>;
  readonly run: (open: OpenProject, input: unknown, signal: AbortSignal) => Promise<string | ToolAnswer>;
}

export function registerMemoryTools(options: {
  readonly projects: Projects;
  readonly words: Words;
  readonly isTrusted: () => boolean;
}): Disposable[] {
  const { projects, words, isTrusted } = options;
  const { t } = words;
  if (!lm?.registerTool) return [];

  const tools: Readonly<Record<string, Tool>> = {
    reverie_recall: {
      said: (input) => t('Looking into memory for “{0}”', oneLine(recallIn(input).query)),
      async run({ project }, input, signal) {
        const { query, ...asked } = recallIn(input);
        const found = await project.recall(query, { ...asked, way: 'tool', signal });
        return found.memories.length === 0
          ? `None of ${found.considered} memories fits. Ask with other words once, then go on without memory.`
          : recalledText(found);
      },
    },
    reverie_save: {
      said: () => t('Saving a memory'),
      async confirm({ project }, input) {
        const save = saveIn(input);
        return confirmSave(save, project.guessType(save.text), words);
      },
      async run({ project }, input) {
        const { path } = await project.remember(saveIn(input));
        return `Saved in ${path}.`;
      },
    },
    reverie_forget: {
      said: (input) => t('Forgetting {0}', oneLine(pathIn(input))),
      async confirm({ project }, input) {
        const path = pathIn(input);
        // What can't be read is said by the call itself.
        return confirmForget(path, await project.read(path).catch(() => undefined), words);
      },
      async run({ project }, input) {
        const path = pathIn(input);
        await project.forget([path]);
        return `Moved ${path} to the trash, from where the person can bring it back.`;
      },
    },
  };

  async function projectFor(input: unknown): Promise<OpenProject> {
    if (!isTrusted()) throw new Error(`${restText({ kind: 'untrusted' })} Go on without memory.`);
    const open = await projects.open();
    const wanted = folderIn(input);
    const named = open.find(({ folders }) => folders.some(({ name }) => name === wanted));
    if (wanted !== undefined && !named) {
      const names = open.flatMap(({ folders }) => folders.map(({ name }) => `“${name}”`)).join(', ');
      throw new Error(`There is no folder “${wanted}” here. Call again with one of ${names}, or without a folder.`);
    }
    const file = window.activeTextEditor?.document.uri;
    const found = named ?? (file?.scheme === 'file' ? projects.ofFile(file.fsPath) : undefined) ?? open[0];
    if (!found) throw new Error('No folder is open, so there is no memory here. Go on without memory.');
    return found;
  }

  return Object.entries(tools).map(([name, { said, confirm, run }]) =>
    lm.registerTool(name, {
      async prepareInvocation({ input }) {
        const invocationMessage = said(input);
        if (!confirm) return { invocationMessage };
        const { title, message } = await confirm(await projectFor(input), input);
        return { invocationMessage, confirmationMessages: { title, message: toMarkdown(message) } };
      },
      async invoke({ input }, token) {
        const open = await projectFor(input);
        const { text, isError } = await answered(open.project, paths, () => run(open, input, signalOf(token)));
        if (isError) throw new Error(text);
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      },
    }),
  );
}

export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
