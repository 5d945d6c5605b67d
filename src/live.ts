// What the views show of every open project, loaded when somebody first looks and again, a moment after, when it
// changed. Of two loads of one project the later one wins; a load that fails keeps what was known and is logged.

import { createEmitter, type Disposable, type Event } from './core/event';
import type { Logger } from './core/log';
import type { Project } from './core/project';
import type { OpenProject, Projects } from './projects';

export interface Live<T> extends Disposable {
  /** Opens the projects and loads what is missing. Rejects when there is nothing to show because of an error. */
  read(): Promise<readonly T[]>;
  /** As far as it is loaded. */
  latest(): readonly T[];
  /** Loads everything again. */
  refresh(): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** Changes come in bursts: a run writes several files, each of which is reported. */
const settleMs = 100;

export function createLive<T>(options: {
  readonly projects: Projects;
  readonly load: (open: OpenProject) => Promise<T>;
  readonly events: (project: Project) => readonly Event<void>[];
  readonly log: Logger;
}): Live<T> {
  const { projects, load, events, log } = options;
  const values = new Map<string, T>();
  const running = new Map<string, Promise<void>>();
  const dirty = new Set<string>();
  const listening = new Map<string, readonly Disposable[]>();
  const changed = createEmitter<void>((error) => log.error(error instanceof Error ? error : String(error)));
  let timer: NodeJS.Timeout | undefined;
  let isRead = false;
  let lastError: unknown;

  /** Loads until nothing has changed during a load. */
  function reload(open: OpenProject): Promise<void> {
    const { key } = open;
    dirty.add(key);
    let work = running.get(key);
    if (!work) {
      work = (async () => {
        for (let now = projects.find(key); now && dirty.delete(key); now = projects.find(key)) {
          try {
            values.set(key, await load(now));
          } catch (error) {
            lastError = error;
            log.error(`The state of ${open.name} can't be read: ${error}`);
          }
        }
      })().finally(() => running.delete(key));
      running.set(key, work);
    }
    return work;
  }

  async function reloadAll(some: readonly OpenProject[]): Promise<void> {
    await Promise.all(some.map(reload));
    changed.fire();
  }

  function later(key: string): void {
    dirty.add(key);
    timer ??= setTimeout(() => {
      timer = undefined;
      void reloadAll(projects.current().filter((open) => dirty.has(open.key)));
    }, settleMs);
  }

  function listen(): void {
    const current = projects.current();
    for (const [key, disposables] of listening) {
      if (current.some((open) => open.key === key)) continue;
      for (const each of disposables) each.dispose();
      listening.delete(key);
      values.delete(key);
    }
    for (const { key, project } of current) {
      if (!listening.has(key))
        listening.set(
          key,
          events(project).map((event) => event(() => later(key))),
        );
    }
  }

  const opened = projects.onDidChange(() => {
    // A project that was closed and opened anew is another one, with other events.
    for (const disposables of listening.values()) for (const each of disposables) each.dispose();
    listening.clear();
    if (!isRead) return;
    listen();
    void reloadAll(projects.current());
  });

  const latest = () => projects.current().flatMap(({ key }) => (values.has(key) ? [values.get(key) as T] : []));

  return {
    async read() {
      isRead = true;
      const open = await projects.open();
      listen();
      const missing = open.filter(({ key }) => !values.has(key));
      await Promise.all(missing.map((one) => running.get(one.key) ?? reload(one)));
      if (missing.length > 0) changed.fire();
      const all = latest();
      if (open.length > 0 && all.length === 0 && lastError !== undefined) throw lastError;
      return all;
    },
    latest,
    async refresh() {
      isRead = true;
      await projects.open();
      listen();
      await reloadAll(projects.current());
    },
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      opened.dispose();
      for (const disposables of listening.values()) for (const each of disposables) each.dispose();
      changed.dispose();
    },
  };
}
