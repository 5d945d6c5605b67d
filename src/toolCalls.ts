// Calls of the editor's memory tools, carried out: which project one is about, what a person is asked before, what is done,
// and what the agent hears. It knows no editor. What only reads asks nobody; what changes something asks with the very words
// at stake; a refusal is an error that tells the agent what to do next, and an untrusted workspace refuses everything.

import type { OpenProject, Projects } from './projects';
import { answered, recalledText, restText, type ToolAnswer } from './toolAnswers';
import { type Confirmation, confirmForget, confirmSave, folderIn, pathIn, recallIn, saveIn } from './views/toolTexts';
import { oneLine, type Words } from './views/words';

const paths = 'Call reverie_recall first: it gives the paths of the memories that fit.';

interface Tool {
  readonly said: (input: unknown) => string;
  readonly confirm?: (open: OpenProject, input: unknown) => Promise<Confirmation>;
  readonly run: (open: OpenProject, input: unknown, signal: AbortSignal) => Promise<string | ToolAnswer>;
}

export interface ToolCalls {
  /** Changes nothing. `confirmation` is there for what does. */
  prepare(name: string, input: unknown): Promise<{ readonly said: string; readonly confirmation?: Confirmation }>;
  invoke(name: string, input: unknown, signal: AbortSignal): Promise<string>;
}

export function createToolCalls(options: {
  readonly projects: Pick<Projects, 'open' | 'ofFile'>;
  readonly words: Words;
  readonly isTrusted: () => boolean;
  /** The file in the active editor, as an absolute path. */
  readonly activeFile: () => string | undefined;
}): ToolCalls {
  const { projects, words } = options;
  const { t } = words;
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
        return confirmSave(save, await project.guessType(save.text), words);
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

  function toolOf(name: string): Tool {
    const tool = tools[name];
    if (!tool) throw new Error(`There is no tool ${name} here. Go on without it.`);
    return tool;
  }

  async function projectFor(input: unknown): Promise<OpenProject> {
    if (!options.isTrusted()) throw new Error(`${restText({ kind: 'untrusted' })} Go on without memory.`);
    const open = await projects.open();
    const wanted = folderIn(input);
    const named = open.find(({ folders }) => folders.some(({ name }) => name === wanted));
    if (wanted !== undefined && !named) {
      const names = open.flatMap(({ folders }) => folders.map(({ name }) => `“${name}”`)).join(', ');
      throw new Error(`There is no folder “${wanted}” here. Call again with one of ${names}, or without a folder.`);
    }
    const file = options.activeFile();
    const found = named ?? (file === undefined ? undefined : projects.ofFile(file)) ?? open[0];
    if (!found) throw new Error('No folder is open, so there is no memory here. Go on without memory.');
    return found;
  }

  return {
    async prepare(name, input) {
      const { said, confirm } = toolOf(name);
      const sentence = said(input);
      return confirm
        ? { said: sentence, confirmation: await confirm(await projectFor(input), input) }
        : { said: sentence };
    },
    async invoke(name, input, signal) {
      const { run } = toolOf(name);
      const open = await projectFor(input);
      const { text, isError } = await answered(open.project, paths, () => run(open, input, signal));
      if (isError) throw new Error(text);
      return text;
    },
  };
}
