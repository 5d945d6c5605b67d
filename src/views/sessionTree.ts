// *Sessions*: which chats were read, and what came of each. Hidden while there is nothing to say. It reads no transcript.

import { commands, type Disposable } from 'vscode';
import type { Event } from '../core/event';
import type { Logger } from '../core/log';
import { sessionHover, sessionHoverCommands } from './hovers';
import { toMarkdown } from './markdown';
import { createRowTree, type RowTree } from './rowTree';
import {
  type SessionFilter,
  type SessionSnapshot,
  type SessionTarget,
  sessionBranches,
  sessionsSummary,
} from './sessionRows';
import type { Words } from './words';

export interface SessionTree extends Disposable {
  readonly tree: RowTree<SessionTarget>;
  filter(): SessionFilter;
  setFilter(filter: SessionFilter): void;
}

export function createSessionTree(options: {
  readonly snapshots: {
    read(): Promise<readonly SessionSnapshot[]>;
    latest(): readonly SessionSnapshot[];
    refresh(): Promise<void>;
    readonly onDidChange: Event<void>;
  };
  readonly words: Words;
  readonly log: Logger;
}): SessionTree {
  const { snapshots, words, log } = options;
  const { t } = words;
  let filter: SessionFilter = [];
  let hasRows: boolean | undefined;

  const branches = () => sessionBranches(snapshots.latest(), filter, words, Date.now());

  const tree = createRowTree<SessionTarget>({
    id: 'reverie.sessions',
    async ready() {
      await snapshots.read().catch((error) => log.error(`Sessions can't be shown: ${error}`));
      return branches();
    },
    decorated: () => undefined,
    async resolve(target) {
      if (target.kind === 'past')
        return { command: { title: t('Learn from Past Sessions…'), command: 'reverie.learnFromPast' } };
      if (target.kind !== 'session') return {};
      const command = { title: t('Show What Came of It'), command: 'reverie.openOutcome', arguments: [target] };
      const snapshot = snapshots.latest().find(({ key }) => key === target.project);
      const entry = snapshot?.entries.find(({ session }) => session.file === target.file);
      if (!entry) return { command };
      return { command, tooltip: toMarkdown(sessionHover(entry, target, words), sessionHoverCommands) };
    },
  });

  function update(): void {
    const rows = branches();
    const isNow = rows.length > 0;
    if (isNow !== hasRows) {
      hasRows = isNow;
      void commands.executeCommand('setContext', 'reverie.hasSessions', isNow);
    }
    tree.view.description = sessionsSummary(snapshots.latest(), words);
    tree.show(rows);
  }

  const listeners = [
    snapshots.onDidChange(update),
    // Chats begin and grow while nobody looks.
    tree.view.onDidChangeVisibility(({ visible }) => {
      if (visible) void snapshots.refresh().catch((error) => log.error(`Sessions can't be read: ${error}`));
    }),
  ];

  return {
    tree,
    filter: () => filter,
    setFilter(next) {
      filter = next;
      void commands.executeCommand('setContext', 'reverie.isSessionFiltered', filter.length > 0);
      update();
    },
    dispose() {
      for (const each of [...listeners, tree]) each.dispose();
    },
  };
}
