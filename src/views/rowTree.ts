// A tree of the editor that draws branches: rows are built when somebody unfolds them, and of a change only what differs
// is drawn again. What a row is about, it hands on as the target of its node; it knows no memory and no session.

import {
  type CancellationToken,
  type Command,
  type Disposable,
  EventEmitter,
  type MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
} from 'vscode';
import { type Branch, changedIds, childrenOf, type Mark, ringUri } from './rows';

/** What the editor hands to a command that is started on a row. */
export interface RowNode<T> {
  readonly id: string;
  readonly target: T;
}

export interface RowTree<T> extends Disposable {
  readonly view: TreeView<RowNode<T>>;
  /** Shows another state of the tree. */
  show(branches: readonly Branch<T>[]): void;
  /** Draws everything anew, for texts that depend on the time. */
  redraw(): void;
  /** Targets of the selected rows. */
  selection(): readonly T[];
  /** Scrolls to the first of these rows that exists, opening its group. Resolves to whether there is one. */
  reveal(ids: readonly string[], options?: { readonly focus?: boolean }): Promise<boolean>;
  /** The rows as the editor would ask for them; for tests inside a host. */
  rows(parent?: RowNode<T>): Promise<readonly { readonly node: RowNode<T>; readonly item: TreeItem }[]>;
  resolve(node: RowNode<T>): Promise<TreeItem>;
}

interface Node<T> extends RowNode<T> {
  branch: Branch<T>;
  target: T;
  readonly parent: Node<T> | undefined;
  /** Ids of the children that were handed out. */
  children: readonly string[];
}

/** The editor collects changes of a tree for this long before it draws them; and then a little. */
const redrawMs = 300;

type Icon = NonNullable<TreeItem['iconPath']>;
const marks = new Map<string, Icon>();

export function createRowTree<T>(options: {
  readonly id: string;
  readonly canSelectMany?: boolean;
  readonly showCollapseAll?: boolean;
  /** Resolves when there is a first state to show; until then the view shows its progress. */
  readonly ready: () => Promise<readonly Branch<T>[]>;
  readonly resolve: (
    target: T,
    token: CancellationToken | undefined,
  ) => Promise<{ readonly tooltip?: MarkdownString; readonly command?: Command }>;
  /** Address for the editor's decorations, if a row is to have one. */
  readonly decorated: (branch: Branch<T>) => Uri | undefined;
}): RowTree<T> {
  const nodes = new Map<string, Node<T>>();
  const changed = new EventEmitter<RowNode<T>[] | undefined>();
  let shown: readonly Branch<T>[] | undefined;
  let uppermost: readonly string[] = [];

  function nodeOf(branch: Branch<T>, parent: Node<T> | undefined): Node<T> {
    const known = nodes.get(branch.row.id);
    if (known && known.parent === parent) {
      known.branch = branch;
      known.target = branch.target;
      return known;
    }
    const node: Node<T> = { id: branch.row.id, target: branch.target, branch, parent, children: [] };
    nodes.set(node.id, node);
    return node;
  }

  function forget(ids: readonly string[], kept: ReadonlySet<string>): void {
    for (const id of ids) {
      if (kept.has(id)) continue;
      const node = nodes.get(id);
      nodes.delete(id);
      if (node) forget(node.children, kept);
    }
  }

  function childNodes(parent: Node<T> | undefined): Node<T>[] {
    const branches = parent ? (childrenOf(parent.branch) ?? []) : (shown ?? []);
    const before = parent?.children ?? uppermost;
    const ids = branches.map(({ row }) => row.id);
    forget(before, new Set(ids));
    if (parent) parent.children = ids;
    else uppermost = ids;
    return branches.map((branch) => nodeOf(branch, parent));
  }

  /** Nodes that were handed out follow the new state even where nothing is drawn again. */
  function follow(branches: readonly Branch<T>[]): void {
    for (const branch of branches) {
      const node = nodes.get(branch.row.id);
      if (node) {
        node.branch = branch;
        node.target = branch.target;
      }
      if (branch.groups) follow(branch.groups);
    }
  }

  function itemOf({ branch }: Node<T>): TreeItem {
    const { row } = branch;
    const canUnfold = branch.groups !== undefined || branch.leaves !== undefined;
    const state = !canUnfold
      ? TreeItemCollapsibleState.None
      : branch.unfolded
        ? TreeItemCollapsibleState.Expanded
        : TreeItemCollapsibleState.Collapsed;
    const item = new TreeItem(row.label, state);
    item.id = row.id;
    if (row.description !== undefined) item.description = row.description;
    if (row.mark) item.iconPath = iconOf(row.mark);
    if (row.tooltip !== undefined) item.tooltip = row.tooltip;
    item.contextValue = row.context;
    item.accessibilityInformation = { label: row.spoken, role: 'treeitem' };
    const address = options.decorated(branch);
    if (address) item.resourceUri = address;
    return item;
  }

  async function ready(): Promise<void> {
    shown ??= await options.ready();
  }

  async function resolveItem(item: TreeItem, node: Node<T>, token?: CancellationToken): Promise<TreeItem> {
    const { tooltip, command } = await options.resolve(node.target, token);
    if (tooltip) item.tooltip ??= tooltip;
    if (command) item.command = command;
    return item;
  }

  const provider = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node: RowNode<T>) => itemOf(node as Node<T>),
    async getChildren(node?: RowNode<T>): Promise<RowNode<T>[]> {
      await ready();
      return childNodes(node as Node<T> | undefined);
    },
    getParent: (node: RowNode<T>) => (node as Node<T>).parent,
    resolveTreeItem: (item: TreeItem, node: RowNode<T>, token: CancellationToken) =>
      resolveItem(item, node as Node<T>, token),
  };
  const view = window.createTreeView<RowNode<T>>(options.id, {
    treeDataProvider: provider,
    canSelectMany: options.canSelectMany ?? false,
    showCollapseAll: options.showCollapseAll ?? false,
  });

  /** Finds a row by building the groups above it, as the editor would. */
  function find(id: string, parent?: Node<T>): Node<T> | undefined {
    for (const node of childNodes(parent)) {
      if (node.id === id) return node;
      if (node.branch.groups || node.branch.leaves?.().some(({ row }) => row.id === id)) {
        const found = find(id, node);
        if (found) return found;
      }
    }
    return undefined;
  }

  return {
    view,
    show(branches) {
      const before = shown;
      shown = branches;
      if (!before) return changed.fire(undefined);
      const ids = changedIds(before, branches);
      follow(branches);
      if (ids === 'all') return changed.fire(undefined);
      const again = ids.flatMap((id) => nodes.get(id) ?? []);
      if (again.length > 0) changed.fire(again);
    },
    redraw: () => changed.fire(undefined),
    selection: () => view.selection.map(({ target }) => target),
    async reveal(ids, { focus = false } = {}) {
      await ready();
      const show = async (id: string): Promise<boolean> => {
        const node = find(id);
        if (node) await view.reveal(node, { select: true, focus, expand: false });
        return node !== undefined;
      };
      for (const id of ids) {
        // The editor refuses a row of a tree that it is drawing again at that moment.
        const isShown = await show(id).catch(() =>
          new Promise((done) => setTimeout(done, redrawMs)).then(() => show(id)),
        );
        if (isShown) return true;
      }
      return false;
    },
    async rows(parent) {
      const children = await provider.getChildren(parent);
      return children.map((node) => ({ node, item: provider.getTreeItem(node) }));
    },
    resolve: (node) => resolveItem(itemOf(node as Node<T>), node as Node<T>),
    dispose() {
      view.dispose();
      changed.dispose();
    },
  };
}

function iconOf(mark: Mark): Icon {
  if ('ring' in mark) {
    const of = (theme: 'dark' | 'light') => Uri.parse(ringUri(mark.ring, theme, mark.isCalm));
    return { dark: of('dark'), light: of('light') };
  }
  // One object a kind of mark: five thousand rows share a handful.
  const key = `${mark.codicon} ${mark.color ?? ''}`;
  let icon = marks.get(key);
  if (!icon) {
    icon = new ThemeIcon(mark.codicon, mark.color === undefined ? undefined : new ThemeColor(mark.color));
    marks.set(key, icon);
  }
  return icon;
}
