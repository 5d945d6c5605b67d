// Choosing a model in the editor: the dialogue's questions as quick picks and input boxes, the answers kept where they
// belong (the choice beside the settings, the key in the secret storage, address and model in the settings).

import { commands, ProgressLocation, ThemeIcon, window } from 'vscode';
import { readSettings, updateModelSettings } from '../settings';
import { chatErrorText } from '../views/engineText';
import type { CommandContext, Handlers } from './context';
import type { Asking, Chosen, Keeping } from './modelDialogue';

export function modelCommands(context: CommandContext): Handlers {
  const { words, notices, keys, projects, chatModels } = context;
  const { t } = words;

  const dailyLimit = {
    label: t('Set a Daily Limit'),
    run: () => commands.executeCommand('workbench.action.openSettings', 'reverie.spend.dailyTokens'),
  };

  function tell(chosen: Chosen): void {
    switch (chosen.kind) {
      case 'offline':
        notices.info(t('Reverie works offline. Nothing is sent.'));
        break;
      case 'forgotten':
        notices.info(t('The API key for {0} is forgotten.', chosen.host));
        break;
      case 'chat':
        notices.info(
          chosen.isForRecall
            ? t('{0} chooses memories for your questions from now on.', chosen.name)
            : t('{0} reads your chats from now on.', chosen.name),
          dailyLimit,
        );
        break;
      case 'model':
        notices.info(t('{0} at {1} reads your chats from now on.', chosen.model, chosen.host), dailyLimit);
        break;
    }
  }

  return {
    async 'reverie.chooseModel'() {
      const [open] = await projects.open();
      const { nodeDisk, readChoice, tryModel, writeChoice } = await import('../core/engine');
      const configDir = open?.project.paths.configDir;
      if (configDir === undefined) return;
      const keeping: Keeping = {
        settings: (await readSettings(undefined)).model,
        choice: await readChoice(nodeDisk, configDir),
        storedHost: await keys.host(),
        environmentKey: process.env.ANTHROPIC_API_KEY?.trim() || undefined,
        storedKey: keys.get,
        tryModel,
        chatModels: chatModels.list,
        tryChatModel: chatModels.tryModel,
        forgetKey: keys.forget,
        async keep({ choice, typedKey, endpoint }) {
          if (typedKey !== undefined && choice.host !== undefined) await keys.set(choice.host, typedKey);
          await updateModelSettings(endpoint);
          await writeChoice(nodeDisk, configDir, choice);
        },
      };
      const { chooseModel } = await import('./modelDialogue');
      const chosen = await chooseModel(asking, keeping, words);
      if (!chosen) return;
      context.log.info(`Engine: ${chosen.kind}`);
      await context.engineChanged();
      tell(chosen);
      void context.readAgain();
    },

    /** The editor asks for access only at a person's gesture: this is one. */
    async 'reverie.grantAccess'() {
      const [open] = await projects.open();
      const state = await open?.project.provider();
      if (state?.kind !== 'vscode') return commands.executeCommand('reverie.chooseModel');
      const models = new Set([state.models.extraction, state.models.recall]);
      for (const id of models) {
        const name = (await chatModels.list()).find((model) => model.id === id)?.name ?? id;
        const result = await asking.working(t('Asking {0} for one word', name), (signal) =>
          chatModels.tryModel(id, signal),
        );
        if (!result) return undefined;
        if (!result.answered) {
          notices.warn(chatErrorText(result.code, name, words), {
            label: t('Choose Model…'),
            run: () => commands.executeCommand('reverie.chooseModel'),
          });
          return undefined;
        }
      }
      await context.engineChanged();
      await context.readAgain();
      return undefined;
    },
  };
}

const asking: Asking = {
  async pick(title, hint, options) {
    const items = options.map(({ icon, value, description = '', detail = '', label }) => ({
      label,
      description,
      ...(detail === '' ? {} : { detail }),
      iconPath: new ThemeIcon(icon),
      value,
    }));
    return (await window.showQuickPick(items, { title, placeHolder: hint, ignoreFocusOut: true }))?.value;
  },
  async text({ title, hint, value = '', isSecret = false, problem }) {
    return window
      .showInputBox({
        title,
        prompt: hint,
        value,
        password: isSecret,
        ignoreFocusOut: true,
        validateInput: (text) => (text === '' ? undefined : problem(text)),
      })
      .then((text) => (text === undefined || problem(text) !== undefined ? undefined : text));
  },
  async working(title, work) {
    return window.withProgress(
      { location: ProgressLocation.Notification, cancellable: true, title },
      async (_progress, token) => {
        const abort = new AbortController();
        const listening = token.onCancellationRequested(() => abort.abort());
        try {
          return await work(abort.signal);
        } catch (error) {
          if (abort.signal.aborted) return undefined;
          throw error;
        } finally {
          listening.dispose();
        }
      },
    );
  },
  trouble: async (text, actions) => window.showWarningMessage(text, ...actions),
};
