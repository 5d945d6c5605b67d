// The editor's side of team memory: a memory that is opened counts as seen, what a person saves is no news, and a pull is told
// once, quietly, in the status bar. It reads the memories' state and changes nothing but what was seen.

import { commands, type Disposable, extensions, Uri, window, workspace } from 'vscode';
import type { Logger } from './core/log';
import { scopeOf } from './core/memory/memoryPaths';
import type { Live } from './live';
import type { Notices } from './notices';
import type { OpenProject, Projects } from './projects';
import type { MemorySnapshot } from './views/memoryRows';
import { createReviewDocuments, type ReviewDocuments } from './views/reviewDocuments';
import type { StatusBar } from './views/statusBar';
import type { Words } from './views/words';

export interface Teams extends Disposable {
  /** What others will see of a memory, before they do. */
  readonly previews: ReviewDocuments;
  /** The memory that a file is, in an open project. */
  memoryOf(file: Uri): { readonly open: OpenProject; readonly path: string } | undefined;
  /** As a person reads it: relative to the repository, where it lies there. */
  directoryText(open: Pick<OpenProject, 'project'>): string;
  /** Whether git's editor for both sides could be opened. */
  openMergeEditor(file: Uri): Promise<boolean>;
}

export function createTeams(options: {
  readonly projects: Projects;
  readonly memories: Live<MemorySnapshot>;
  readonly statusBar: StatusBar;
  readonly notices: Notices;
  readonly words: Words;
  readonly log: Logger;
}): Teams {
  const { projects, memories, statusBar, notices, words, log } = options;
  const { t } = words;
  const previews = createReviewDocuments('reverie-share');
  /** What was new when it was last told, by project; what was new before this window is only counted on the icon. */
  const told = new Map<string, ReadonlySet<string>>();
  const welcomed = new Set<string>();

  function memoryOf(file: Uri) {
    if (file.scheme !== 'file' || !/\.md$/i.test(file.path) || /\/memory\.md$/i.test(file.path)) return undefined;
    for (const open of projects.current()) {
      const { paths, team } = open.project;
      // An editor names a file as it was opened, through a link or not.
      const opened = pathBelow(paths.openedAs, file.fsPath);
      const real = opened === undefined ? file.fsPath : `${paths.directory}/${opened}`;
      for (const [folder, prefix] of [
        [team.directory, 'team/'],
        [paths.memoryDir, ''],
      ] as const) {
        const below = pathBelow(folder, real);
        if (below !== undefined) return { open, path: prefix + below };
      }
    }
    return undefined;
  }

  async function seen(file: Uri | undefined, isSaved = false): Promise<void> {
    const memory = file && memoryOf(file);
    if (!memory || scopeOf(memory.path) !== 'team') return;
    if (isSaved) memory.open.project.team.wrote([memory.path]);
    else if (isNew(memory.open.key, memory.path)) await memory.open.project.team.markSeen([memory.path]);
  }

  const isNew = (key: string, path: string) =>
    memories.latest().some((snapshot) => snapshot.key === key && snapshot.team?.fresh.has(path));

  function tell(): void {
    const all = memories.latest();
    void commands.executeCommand(
      'setContext',
      'reverie.isTeamOn',
      all.some(({ team }) => team?.isOn),
    );
    void commands.executeCommand(
      'setContext',
      'reverie.hasTeamNews',
      all.some(({ team }) => team && team.fresh.size > 0),
    );
    let count = 0;
    for (const { key, name, team } of all) {
      if (!team) continue;
      const before = told.get(key);
      // What was seen and comes with other words is told anew.
      told.set(key, team.fresh);
      if (before) count += [...team.fresh].filter((path) => !before.has(path)).length;
      if (team.firstSight !== undefined && !welcomed.has(key)) {
        welcomed.add(key);
        tellFirst(name, team.firstSight);
      }
    }
    const active = window.activeTextEditor?.document.uri;
    if (count > 0) statusBar.flash({ kind: 'teamNews', count });
    // What is open already was seen as soon as it came.
    void seen(active).catch(failed);
  }

  function tellFirst(name: string, count: number): void {
    const text =
      count === 1
        ? t('{0} shares 1 memory with its team. It is recalled like your own.', name)
        : t('{0} shares {1} memories with its team. They are recalled like your own.', name, words.number(count));
    notices.info(text, { label: t('Show'), run: () => commands.executeCommand('reverie.showTeam') });
  }

  const failed = (error: unknown) => log.warn(`What the team wrote: ${error}`);
  const lifetime: Disposable[] = [
    previews,
    memories.onDidChange(tell),
    window.onDidChangeActiveTextEditor((editor) => void seen(editor?.document.uri).catch(failed)),
    workspace.onDidSaveTextDocument(({ uri }) => void seen(uri, true).catch(failed)),
  ];

  return {
    previews,
    memoryOf,
    directoryText({ project }) {
      const { directory } = project.team;
      return pathBelow(project.paths.top, directory) ?? directory;
    },
    async openMergeEditor(file) {
      const git = extensions.getExtension('vscode.git');
      if (!git) return false;
      try {
        await git.activate();
        const api = (git.exports as { getAPI?(version: 1): GitApi } | undefined)?.getAPI?.(1);
        const repository = api?.getRepository(file);
        // What it knows may be older than the merge.
        await repository?.status();
        const isMerging = repository?.state.mergeChanges.some(({ uri }) => uri.fsPath === file.fsPath);
        if (!isMerging) return false;
        await commands.executeCommand('git.openMergeEditor', file);
        return true;
      } catch (error) {
        log.warn(`Git's editor for conflicts: ${error}`);
        return false;
      }
    },
    dispose() {
      for (const each of lifetime) each.dispose();
    },
  };
}

/** What is used of the editor's own git. */
interface GitApi {
  getRepository(file: Uri): {
    status(): Promise<void>;
    readonly state: { readonly mergeChanges: readonly { readonly uri: Uri }[] };
  } | null;
}

/** A file's path below a folder, '/'-separated. */
function pathBelow(folder: string, file: string): string | undefined {
  const root = Uri.file(folder).path.replace(/\/$/, '');
  const { path } = Uri.file(file);
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
