// Memory as tools of the editor's agents: recall, save, forget. Registering is cheap; what a call comes to is loaded with the
// first one.

import { type CancellationToken, type Disposable, LanguageModelTextPart, LanguageModelToolResult, lm } from 'vscode';
import type { createToolCalls, ToolCalls } from './toolCalls';
import { toMarkdown } from './views/markdown';

/** As the manifest declares them. */
const names = ['reverie_recall', 'reverie_save', 'reverie_forget'];

export function registerMemoryTools(options: Parameters<typeof createToolCalls>[0]): Disposable[] {
  if (!lm?.registerTool) return [];
  let loading: Promise<ToolCalls> | undefined;
  const calls = () => {
    loading ??= import('./toolCalls').then((loaded) => loaded.createToolCalls(options));
    return loading;
  };
  return names.map((name) =>
    lm.registerTool(name, {
      async prepareInvocation({ input }) {
        const { said, confirmation } = await (await calls()).prepare(name, input);
        return {
          invocationMessage: said,
          ...(confirmation
            ? { confirmationMessages: { title: confirmation.title, message: toMarkdown(confirmation.message) } }
            : {}),
        };
      },
      async invoke({ input }, token) {
        const text = await (await calls()).invoke(name, input, signalOf(token));
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      },
    }),
  );
}

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
