// *Memories*: the tree of what is remembered. It draws what the rows say, resolves hovers when somebody looks, and keeps
// the filter. It changes no memory.

import { commands, type Disposable, FileDecoration, Uri, window } from 'vscode';
import type { Event } from '../core/event';
import type { Logger } from '../core/log';
import type { MemoryType } from '../core/memory/memory';
import type { Suggestion } from '../core/memory/proposals';
import { memoryHover, suggestionHover } from './hovers';
import { toMarkdown } from './markdown';
import { isFiltering, type MemoryFilter, noFilter } from './memoryFilter';
import { type MemorySnapshot, type MemoryTarget, memoryBranches, memoryRowId, waitingText } from './memoryRows';
import { createRowTree, type RowTree } from './rowTree';
import { oneLine, type Words } from './words';

/** Address scheme of rows, so that git and Problems leave them alone. Only the badge of team memories hangs on it. */
const rowScheme = 'reverie-memory';
const teamAuthority = 'team';
const newAuthority = 'team-new';

export interface MemoryTree extends Disposable {
  readonly tree: RowTree<MemoryTarget>;
  filter(): MemoryFilter;
  setFilter(filter: MemoryFilter): void;
  revealMemories(project: string, paths: readonly string[], options?: { readonly focus?: boolean }): Promise<boolean>;
  revealSuggestions(project: string): Promise<boolean>;
}

export function createMemoryTree(options: {
  readonly snapshots: {
    read(): Promise<readonly MemorySnapshot[]>;
    latest(): readonly MemorySnapshot[];
    readonly onDidChange: Event<void>;
  };
  /** Where a memory or the index lies. */
  readonly locate: (project: string, path: string) => Promise<string | undefined>;
  /** The address of the document that shows a suggestion. */
  readonly suggestionUri: (project: string, suggestion: Suggestion) => Uri;
  readonly sourceOf: (
    project: string,
    sessionId: string,
  ) => { readonly title: string; readonly at: number } | undefined;
  readonly staleDays: () => Promise<Readonly<Record<MemoryType, number>>>;
  readonly words: Words;
  readonly log: Logger;
}): MemoryTree {
  const { snapshots, words, log } = options;
  const { t } = words;
  let filter = noFilter;

  const branches = () => memoryBranches(snapshots.latest(), filter, words, Date.now());

  const open = (file: Uri) => ({ title: t('Open'), command: 'vscode.open', arguments: [file] });

  const tree = createRowTree<MemoryTarget>({
    id: 'reverie.memories',
    canSelectMany: true,
    showCollapseAll: true,
    async ready() {
      try {
        await snapshots.read();
      } catch (error) {
        log.error(`Memories can't be shown: ${error}`);
        tree.view.message = t('The memories can’t be read. They are left as they are. The log says more.');
      }
      headline();
      return branches();
    },
    decorated: ({ row }) =>
      row.isTeam
        ? Uri.from({ scheme: rowScheme, authority: row.isNew ? newAuthority : teamAuthority, path: `/${row.id}` })
        : undefined,
    async resolve(target) {
      const snapshot = snapshots.latest().find(({ key }) => key === target.project);
      if (!snapshot) return {};
      if (target.kind === 'suggestion') {
        const suggestion = snapshot.suggestions.find(({ id }) => id === target.id);
        if (!suggestion) return {};
        return {
          command: open(options.suggestionUri(target.project, suggestion)),
          tooltip: toMarkdown(suggestionHover(suggestion, words)),
        };
      }
      if (target.kind === 'heading') return {};
      if (target.kind === 'log')
        return { command: { title: t('Open'), command: 'reverie.openLog', arguments: [target] } };
      const path = target.kind === 'index' ? 'MEMORY.md' : target.path;
      const file = await options.locate(target.project, path).catch(() => undefined);
      const command = file === undefined ? {} : { command: open(Uri.file(file)) };
      const head = snapshot.heads.find((each) => each.path === path);
      if (!head) return command;
      const more = {
        label: oneLine(head.name),
        isStale: snapshot.stalePaths.has(head.path),
        isNew: snapshot.team?.fresh.has(head.path) ?? false,
        origin: snapshot.team?.origins.get(head.path),
        staleDays: await options.staleDays(),
        source: head.originSessionId ? options.sourceOf(target.project, head.originSessionId) : undefined,
      };
      return { ...command, tooltip: toMarkdown(memoryHover(head, more, words, Date.now())) };
    },
  });

  const decorations = window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      if (uri.scheme !== rowScheme) return undefined;
      return uri.authority === newAuthority
        ? new FileDecoration('T•', t('New from the team'))
        : new FileDecoration('T', t('Team memory, shared through git'));
    },
  });

  /** What stands in the view's title and on its icon. */
  function headline(): void {
    const all = snapshots.latest();
    const waiting = all.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
    tree.view.description = all.length === 1 ? (all[0]?.name ?? '') : '';
    const fresh = all.reduce((sum, { team }) => sum + (team?.fresh.size ?? 0), 0);
    tree.view.badge =
      waiting + fresh === 0 ? undefined : { value: waiting + fresh, tooltip: waitingText(waiting, fresh, words) };
  }

  function update(): void {
    tree.view.message = '';
    headline();
    tree.show(branches());
  }

  const listeners = [
    snapshots.onDidChange(update),
    // Ages move on while nobody looks.
    tree.view.onDidChangeVisibility(({ visible }) => {
      if (visible && snapshots.latest().length > 0) update();
    }),
  ];

  return {
    tree,
    filter: () => filter,
    setFilter(next) {
      filter = next;
      void commands.executeCommand('setContext', 'reverie.isFiltered', isFiltering(filter));
      update();
    },
    revealMemories: (project, paths, revealOptions) =>
      tree.reveal(
        paths.map((path) => memoryRowId(project, path)),
        revealOptions,
      ),
    async revealSuggestions(project) {
      const [first] = snapshots.latest().find(({ key }) => key === project)?.suggestions ?? [];
      return first ? tree.reveal([`${project}/suggestion/${first.id}`], { focus: true }) : false;
    },
    dispose() {
      for (const each of [...listeners, decorations, tree]) each.dispose();
    },
  };
}
