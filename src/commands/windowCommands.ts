// What concerns the whole window: pausing, showing views and the log, why memory is off, reading everything anew.

import { commands, ThemeIcon, window, workspace } from 'vscode';
import type { Rest } from '../core/project';
import { failureText } from '../views/sessionRows';
import type { CommandContext, Handlers } from './context';
import { showMemories } from './memoryCommands';

const hourMs = 60 * 60 * 1000;

export function windowCommands(context: CommandContext): Handlers {
  const { projects, notices, words, statusBar } = context;
  const { t } = words;

  async function pause(until: number | undefined): Promise<void> {
    for (const { project } of await projects.open()) await project.pause(until);
  }

  return {
    async 'reverie.pause'(given) {
      if (given === 'hour') return pause(Date.now() + hourMs);
      if (given === 'workspace') return pause(undefined);
      const items = [
        {
          label: t('For an hour'),
          description: t('until {0}', words.time(Date.now() + hourMs)),
          iconPath: new ThemeIcon('clock'),
          pause: () => pause(Date.now() + hourMs),
        },
        {
          label: t('In this workspace'),
          description: t('until you resume'),
          iconPath: new ThemeIcon('debug-pause'),
          pause: () => pause(undefined),
        },
      ];
      const picked = await window.showQuickPick(items, {
        title: t('Pause Memory'),
        placeHolder: t('Chats are not read meanwhile. How long?'),
      });
      return picked?.pause();
    },
    async 'reverie.resume'() {
      for (const { project } of await projects.open()) await project.resume();
    },

    'reverie.showLog': () => context.log.show(),
    'reverie.showMemories': () => commands.executeCommand('reverie.memories.focus'),
    'reverie.showSessions': () => commands.executeCommand('reverie.sessions.focus'),

    async 'reverie.showSaved'() {
      const last = context.lastRun();
      statusBar.seen();
      const log = last?.writtenPaths.find((path) => path.startsWith('logs/'));
      if (last && log)
        return commands.executeCommand('reverie.openLog', { project: last.project, kind: 'log', path: log });
      if (last && last.writtenPaths.length > 0) return showMemories(context, last.project, last.writtenPaths);
      await commands.executeCommand('reverie.memories.focus');
      if (last) await context.memoryTree.revealSuggestions(last.project);
      return undefined;
    },
    async 'reverie.showFailure'() {
      const last = context.lastRun();
      statusBar.seen();
      if (!last?.failure) return;
      const { file, failure } = last.failure;
      const isAllowed = failure !== 'no_permission';
      notices.warn(
        t('Learning failed: {0}. Nothing was changed.', failureText(last.failure, words)),
        ...(isAllowed
          ? []
          : [{ label: t('Grant Access…'), run: () => commands.executeCommand('reverie.grantAccess') }]),
        {
          label: t('Retry'),
          run: () => commands.executeCommand('reverie.retrySession', { project: last.project, kind: 'session', file }),
        },
        { label: t('Show Log'), run: () => context.log.show() },
      );
    },

    async 'reverie.showWhy'() {
      const rests = await Promise.all((await projects.open()).map(({ project }) => project.rest()));
      const disabled = rests.find((rest): rest is Rest & { kind: 'disabled' } => rest?.kind === 'disabled');
      if (!workspace.isTrusted) {
        notices.info(t('Memory is off in this untrusted workspace.'), {
          label: t('Manage Workspace Trust'),
          run: () => commands.executeCommand('workbench.trust.manage'),
        });
      } else if (disabled?.by.startsWith('reverie.enabled')) {
        notices.info(t('Memory is switched off by the setting reverie.enabled.'), {
          label: t('Open Setting'),
          run: () => commands.executeCommand('workbench.action.openSettings', 'reverie.enabled'),
        });
      } else if (disabled) {
        notices.info(
          t(
            'Memory is switched off by {0}. Reverie keeps to it, as Claude Code does, and never changes it.',
            disabled.by,
          ),
        );
      } else {
        notices.info(t('Memory is on.'));
      }
    },

    async 'reverie.refresh'() {
      await Promise.all([context.memories.refresh(), context.sessions.refresh()]);
    },
  };
}
