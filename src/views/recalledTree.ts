// *Recalled*: what was brought back, for which question and by which way. Hidden while there is nothing to say. It asks
// memory nothing itself.

import { commands, type Disposable } from 'vscode';
import type { Event } from '../core/event';
import type { Logger } from '../core/log';
import { toMarkdown } from './markdown';
import { type RecalledSnapshot, type RecalledTarget, recalledBranches, recalledHover, turnRowId } from './recalledRows';
import { createRowTree, type RowTree } from './rowTree';
import type { Words } from './words';

export interface RecalledTree extends Disposable {
  readonly tree: RowTree<RecalledTarget>;
  /** Draws again what depends on what a person did. Resolves when the view is there to be focused, if it has a row. */
  update(): Promise<void>;
  revealTurn(project: string, turn: string): Promise<boolean>;
}

export function createRecalledTree(options: {
  readonly snapshots: {
    read(): Promise<readonly RecalledSnapshot[]>;
    latest(): readonly RecalledSnapshot[];
    readonly onDidChange: Event<void>;
  };
  readonly isKept: (project: string, path: string) => boolean;
  readonly words: Words;
  readonly log: Logger;
}): RecalledTree {
  const { snapshots, words, log } = options;
  const { t } = words;
  let hasRows: boolean | undefined;

  const branches = () => recalledBranches(snapshots.latest(), options.isKept, words, Date.now());

  const tree = createRowTree<RecalledTarget>({
    id: 'reverie.recalled',
    async ready() {
      await snapshots.read().catch((error) => log.error(`What was recalled can't be shown: ${error}`));
      return branches();
    },
    decorated: () => undefined,
    async resolve(target) {
      if (target.kind === 'heading') return {};
      const snapshot = snapshots.latest().find(({ key }) => key === target.project);
      const turn = snapshot?.turns.find(({ id }) => id === target.turn);
      if (!snapshot || !turn) return {};
      const tooltip = toMarkdown(
        recalledHover(turn, target.kind === 'memory' ? target.path : undefined, snapshot, words, Date.now()),
      );
      if (target.kind === 'turn' || !snapshot.heads.has(target.path)) return { tooltip };
      return { tooltip, command: { title: t('Open'), command: 'reverie.open', arguments: [target] } };
    },
  });

  async function update(): Promise<void> {
    const rows = branches();
    const isNow = rows.length > 0;
    if (isNow !== hasRows) {
      hasRows = isNow;
      await commands.executeCommand('setContext', 'reverie.hasRecalled', isNow);
    }
    tree.show(rows);
  }

  const listening = snapshots.onDidChange(() => void update());

  return {
    tree,
    update,
    revealTurn: (project, turn) => tree.reveal([turnRowId(project, turn)], { focus: true }),
    dispose() {
      listening.dispose();
      tree.dispose();
    },
  };
}
