// *Dream*: why the next one is not running, the one that runs, what waits for a review and what came of the last ones. While a
// dream runs the view shows its progress. Gates are asked while somebody looks. It starts and changes nothing.

import { commands, type Disposable, window } from 'vscode';
import type { Event } from '../core/event';
import type { Logger } from '../core/log';
import { countChanges, type DreamSnapshot, type DreamTarget, dreamBranches, headline } from './dreamRows';
import { changesToReview } from './dreamWords';
import { createRowTree, type RowTree } from './rowTree';
import type { Words } from './words';

export interface DreamTree extends Disposable {
  readonly tree: RowTree<DreamTarget>;
  isVisible(): boolean;
}

export function createDreamTree(options: {
  readonly snapshots: {
    read(): Promise<readonly DreamSnapshot[]>;
    latest(): readonly DreamSnapshot[];
    refresh(): Promise<void>;
    readonly onDidChange: Event<void>;
  };
  readonly words: Words;
  readonly log: Logger;
}): DreamTree {
  const { snapshots, words, log } = options;
  const { t } = words;
  let endProgress: (() => void) | undefined;

  const branches = () => dreamBranches(snapshots.latest(), words, Date.now());

  const tree = createRowTree<DreamTarget>({
    id: 'reverie.dream',
    async ready() {
      await snapshots.read().catch((error) => log.error(`Dreams can't be shown: ${error}`));
      return branches();
    },
    decorated: () => undefined,
    async resolve(target) {
      switch (target.kind) {
        case 'review':
        case 'change':
          return { command: { title: t('Review'), command: 'reverie.reviewChanges', arguments: [target] } };
        case 'gate':
          return { command: { title: t('Dream Settings'), command: 'reverie.dreamSettings', arguments: [target] } };
        default:
          return {};
      }
    },
  });

  function update(): void {
    const all = snapshots.latest();
    const isRunning = all.some(({ task }) => task.status === 'running');
    const waiting = all.reduce((sum, snapshot) => sum + countChanges(snapshot), 0);
    void commands.executeCommand('setContext', 'reverie.isDreaming', isRunning);
    void commands.executeCommand('setContext', 'reverie.hasReview', waiting > 0);
    const [only] = all;
    tree.view.description = all.length === 1 && only ? headline(only, words) : '';
    tree.view.badge = waiting === 0 ? undefined : { value: 1, tooltip: changesToReview(waiting, words) };
    if (isRunning && !endProgress) {
      void window.withProgress(
        { location: { viewId: 'reverie.dream' } },
        () => new Promise<void>((done) => (endProgress = done)),
      );
    } else if (!isRunning) {
      endProgress?.();
      endProgress = undefined;
    }
    tree.show(branches());
  }

  const listeners = [
    snapshots.onDidChange(update),
    // Gates move on while nobody looks.
    tree.view.onDidChangeVisibility(({ visible }) => {
      if (visible) void snapshots.refresh().catch((error) => log.error(`Dreams can't be read: ${error}`));
    }),
  ];

  return {
    tree,
    isVisible: () => tree.view.visible,
    dispose() {
      endProgress?.();
      for (const each of [...listeners, tree]) each.dispose();
    },
  };
}
