// The engines of a window: one for each memory folder, however many workspace folders lead to it. Nothing is opened
// before somebody asks, and a folder that can't be opened does not stop the others.

import type { Disposable, Event } from './core/event';
import { createEmitter } from './core/event';
import type { Logger } from './core/log';
import type { Project } from './core/project';

export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface OpenProject {
  /** The same over restarts, and one per memory folder. */
  readonly key: string;
  /** Names of the workspace's folders that lead here. */
  readonly name: string;
  readonly folders: readonly WorkspaceFolder[];
  readonly project: Project;
}

export interface Projects extends Disposable {
  /** Opens what is not open yet. Rejects only when there are folders and not one can be opened. */
  open(): Promise<readonly OpenProject[]>;
  /** What is open now; empty before `open`. */
  current(): readonly OpenProject[];
  find(key: string): OpenProject | undefined;
  /** The project of the workspace folder that a file lies in. */
  ofFile(path: string): OpenProject | undefined;
  /** To be called when the workspace's folders changed. Opens nothing unless something was open. */
  setFolders(folders: readonly WorkspaceFolder[]): Promise<void>;
  /** Closes everything and opens it anew, for what is fixed at opening: trust. */
  reopen(): Promise<void>;
  /** Resolves when running work has ended, at the latest after `ms`. */
  drain(ms: number): Promise<void>;
  /** The list of open projects is another one. */
  readonly onDidChange: Event<void>;
}

export function createProjects(options: {
  readonly folders: readonly WorkspaceFolder[];
  readonly openProject: (folder: WorkspaceFolder) => Promise<Project>;
  /** What lives as long as an open project. */
  readonly attach: (open: OpenProject) => Disposable;
  readonly log: Logger;
}): Projects {
  const { openProject, attach, log } = options;
  interface Held {
    readonly project: Project;
    readonly attached: Disposable;
  }
  const held = new Map<string, Held>();
  /** Which project a folder leads to, by the folder's path. */
  const keys = new Map<string, string>();
  const changed = createEmitter<void>((error) => log.error(error instanceof Error ? error : String(error)));
  let folders = options.folders;
  let open: readonly OpenProject[] = [];
  let isWanted = false;
  let lastError: unknown;
  /** Openings run one after the other: two at once could open one memory folder twice. */
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work, work);
    queue = next.catch(() => {});
    return next;
  };

  function close(key: string): void {
    const one = held.get(key);
    held.delete(key);
    one?.attached.dispose();
    one?.project.dispose();
  }

  function list(): OpenProject[] {
    const byKey = new Map<string, WorkspaceFolder[]>();
    for (const folder of folders) {
      const key = keys.get(folder.path);
      if (key !== undefined && held.has(key)) byKey.set(key, [...(byKey.get(key) ?? []), folder]);
    }
    return [...byKey].flatMap(([key, some]) => {
      const project = held.get(key)?.project;
      return project ? [{ key, name: some.map(({ name }) => name).join(', '), folders: some, project }] : [];
    });
  }

  async function openMissing(): Promise<void> {
    const fresh: string[] = [];
    for (const folder of folders) {
      if (keys.has(folder.path)) continue;
      try {
        const project = await openProject(folder);
        const key = project.paths.stateDir;
        keys.set(folder.path, key);
        if (held.has(key)) {
          project.dispose();
        } else {
          held.set(key, { project, attached: { dispose() {} } });
          fresh.push(key);
        }
      } catch (error) {
        lastError = error;
        log.error(`The memories of ${folder.name} can't be opened: ${error}`);
      }
    }
    const wanted = new Set(folders.map(({ path }) => path));
    for (const path of [...keys.keys()]) if (!wanted.has(path)) keys.delete(path);
    const used = new Set(keys.values());
    for (const key of [...held.keys()]) if (!used.has(key)) close(key);
    const before = open;
    open = list();
    for (const key of fresh) {
      const one = open.find((each) => each.key === key);
      if (one) held.set(key, { project: one.project, attached: attach(one) });
    }
    const isSame =
      before.length === open.length &&
      before.every((one, at) => one.key === open[at]?.key && one.name === open[at]?.name && held.has(one.key));
    if (!isSame || fresh.length > 0) changed.fire();
  }

  return {
    async open() {
      isWanted = true;
      if (folders.some(({ path }) => !keys.has(path))) await inTurn(openMissing);
      if (folders.length > 0 && open.length === 0) throw lastError;
      return open;
    },
    current: () => open,
    find: (key) => open.find((one) => one.key === key),
    ofFile: (path) =>
      open
        .flatMap((one) => one.folders.map((folder) => ({ one, folder })))
        .filter(({ folder }) => path === folder.path || path.startsWith(withSeparator(folder.path)))
        .sort((a, b) => b.folder.path.length - a.folder.path.length)[0]?.one,
    async setFolders(next) {
      folders = next;
      if (isWanted) await inTurn(openMissing);
    },
    async reopen() {
      if (!isWanted) return;
      await inTurn(async () => {
        for (const key of [...held.keys()]) close(key);
        keys.clear();
        open = [];
        await openMissing();
      });
    },
    async drain(ms) {
      await Promise.all(open.map(({ project }) => project.drain(ms)));
    },
    onDidChange: changed.event,
    dispose() {
      for (const key of [...held.keys()]) close(key);
      open = [];
      keys.clear();
      changed.dispose();
    },
  };
}

const withSeparator = (path: string) => (/[\\/]$/.test(path) ? path : path + (path.includes('\\') ? '\\' : '/'));
