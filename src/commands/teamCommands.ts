// Team memory as a person handles it: share a memory after a look at what others will see, take one back, see what is new,
// choose where a conflict is settled. A memory that may not be shared is named with the reason and stays as it is.

import { commands, type QuickPickItem, Range, TabInputTextDiff, ThemeIcon, Uri, window } from 'vscode';
import { type MemoryScope, scopeOf } from '../core/memory/memoryPaths';
import type { MovePlan, MoveRefusal } from '../core/memory/moving';
import type { OpenProject } from '../projects';
import { typeIcons } from '../views/memoryRows';
import { noteText, refusedText } from '../views/moveTexts';
import { oneLine } from '../views/words';
import { asLabel, type CommandContext, type Handlers, memoriesOf, pickProject } from './context';
import { showMemories } from './memoryCommands';
import { askToShare, createOpenQuestions } from './shareDialogue';
import { undo } from './undo';

export function teamCommands(context: CommandContext): Handlers {
  const { projects, words, notices, teams } = context;
  const { t } = words;
  const questions = createOpenQuestions();
  const inTab = () => {
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof TabInputTextDiff ? input.modified : undefined;
  };

  interface Wanted {
    readonly open: OpenProject;
    readonly paths: readonly string[];
  }

  /** Rows or comments, else the memory in the editor or the selected row, else one that is asked for. */
  async function wanted(args: readonly unknown[], scope: MemoryScope): Promise<Wanted | undefined> {
    await projects.open();
    const active = args.length === 0 ? window.activeTextEditor?.document.uri : undefined;
    const inEditor = active && teams.memoryOf(active);
    if (inEditor && isOther(inEditor.path, scope)) return { open: inEditor.open, paths: [inEditor.path] };
    const targets = memoriesOf(context, args);
    const [first] = targets;
    const given = first && projects.find(first.project);
    const paths = targets.filter(({ project, path }) => project === given?.key && isOther(path, scope));
    if (given && (paths.length > 0 || args.length > 0)) return { open: given, paths: paths.map(({ path }) => path) };
    const open = await pickProject(context);
    const path = open && (await pickMemory(open, scope));
    return open && path !== undefined ? { open, paths: [path] } : undefined;
  }

  const isOther = (path: string, scope: MemoryScope) => scopeOf(path) !== scope;

  async function pickMemory({ project }: OpenProject, scope: MemoryScope): Promise<string | undefined> {
    const heads = (await project.heads()).filter(
      ({ path, type, problem }) => isOther(path, scope) && problem === undefined && type !== 'user',
    );
    if (heads.length === 0) {
      notices.info(scope === 'team' ? t('There is no memory to share yet.') : t('The team has no memory yet.'));
      return undefined;
    }
    const items = heads.map((head): QuickPickItem & { path: string } => ({
      label: asLabel(oneLine(head.name)),
      ...(head.description === undefined ? {} : { description: asLabel(oneLine(head.description)) }),
      iconPath: new ThemeIcon(head.type ? typeIcons[head.type] : 'note'),
      path: head.path,
    }));
    const picked = await window.showQuickPick(items, {
      title: scope === 'team' ? t('Move to Team') : t('Make Private'),
      placeHolder: scope === 'team' ? t('Which memory shall the team have?') : t('Which memory shall be yours alone?'),
      matchOnDescription: true,
    });
    return picked?.path;
  }

  async function openAt({ project }: OpenProject, path: string, line: number | undefined): Promise<void> {
    const range = line === undefined ? undefined : new Range(line - 1, 0, line - 1, 0);
    const file = Uri.file(await project.locate(path));
    await window.showTextDocument(file, { preview: false, ...(range ? { selection: range } : {}) });
  }

  /** Says which stay, the first with its reason; a person may go to the line. */
  function tellRefused(open: OpenProject, refused: readonly MovePlan[]): void {
    const [plan] = refused;
    const [refusal] = plan?.refusals ?? [];
    if (!plan || !refusal) return;
    const texts = refused.slice(0, 3).map(({ name, refusals }) => refusedText(name, refusals[0] as MoveRefusal, words));
    const more = refused.length > texts.length ? [t('And {0} more.', words.number(refused.length - texts.length))] : [];
    notices.warn([...texts, ...more].join(' '), {
      label: refusal.line === undefined ? t('Open') : t('Open Line {0}', words.number(refusal.line)),
      run: () => openAt(open, plan.from, refusal.line),
    });
  }

  /** What may be moved; the rest is told. */
  async function possibleMoves(open: OpenProject, paths: readonly string[], scope: MemoryScope) {
    const plans = await open.project.previewMove(paths, scope);
    tellRefused(
      open,
      plans.filter(({ refusals }) => refusals.length > 0),
    );
    return plans.filter(({ refusals }) => refusals.length === 0);
  }

  async function move(open: OpenProject, paths: readonly string[], scope: MemoryScope, name: string) {
    const { paths: moved, run } = await open.project.move(paths, scope);
    const count = words.number(moved.length);
    const text =
      scope === 'team'
        ? moved.length === 1
          ? t('Shared “{0}” with the team.', name)
          : t('Shared {0} memories with the team.', count)
        : moved.length === 1
          ? t('“{0}” is yours alone again.', name)
          : t('{0} memories are yours alone again.', count);
    notices.info(
      text,
      { label: t('Show'), run: () => showMemories(context, open.key, moved) },
      { label: t('Undo'), run: () => undo(context, open, [run.id]) },
    );
    return moved;
  }

  return {
    async 'reverie.moveToTeam'(...args) {
      const target = await wanted(args, 'team');
      if (!target) return undefined;
      const { open, paths } = target;
      const { team } = open.project;
      if (!team.isOn()) {
        notices.info(t('Team memory is off in this workspace.'), {
          label: t('Set Up Team Memory…'),
          run: () => commands.executeCommand('reverie.setUpTeam'),
        });
        return undefined;
      }
      const possible = await possibleMoves(open, paths, 'team');
      const [first] = possible;
      if (!first) return undefined;
      const place = {
        directory: teams.directoryText(open),
        isInRepository: team.isInRepository,
        isIgnored: await team.isIgnored(),
      };
      const answer = await askToShare(possible, place, teams.previews, questions, words);
      if (answer === 'edit') {
        const line = first.notes.flatMap((note) => ('line' in note ? note.line : []))[0];
        await openAt(open, first.from, line);
        return undefined;
      }
      if (answer !== 'share') return undefined;
      return move(
        open,
        possible.map(({ from }) => from),
        'team',
        oneLine(first.name),
      );
    },

    'reverie.share': () => questions.answer(inTab(), 'share'),
    'reverie.doNotShare': () => questions.answer(inTab(), undefined),

    async 'reverie.makePrivate'(...args) {
      const target = await wanted(args, 'private');
      if (!target) return undefined;
      const { open, paths } = target;
      const possible = await possibleMoves(open, paths, 'private');
      const [first] = possible;
      if (!first) return undefined;
      const name = oneLine(first.name);
      if (open.project.team.isInRepository) {
        const asked =
          possible.length === 1
            ? t('Make “{0}” private?', name)
            : t('Make {0} memories private?', words.number(possible.length));
        const notes = possible.flatMap(({ notes }) => notes.map((note) => `${noteText(note, words).text}.`));
        const detail = [
          t('Its file leaves the team’s folder; with your next commit and push it is gone for the others, too.'),
          t('What was committed before stays in the history of the repository.'),
          ...new Set(notes),
        ].join('\n\n');
        const yes = t('Make Private');
        if ((await window.showWarningMessage(asked, { modal: true, detail }, yes)) !== yes) return undefined;
      }
      return move(
        open,
        possible.map(({ from }) => from),
        'private',
        name,
      );
    },

    async 'reverie.markSeen'(...args) {
      const targets = memoriesOf(context, args);
      for (const key of new Set(targets.map(({ project }) => project))) {
        const paths = targets.filter(({ project }) => project === key).map(({ path }) => path);
        await projects.find(key)?.project.team.markSeen(paths);
      }
      return targets.length;
    },
    async 'reverie.markAllSeen'() {
      for (const { project } of await projects.open()) await project.team.markSeen();
    },
    async 'reverie.showTeamNews'() {
      context.statusBar.seen();
      for (const { key, team } of context.memories.latest()) {
        if (team && team.fresh.size > 0) return showMemories(context, key, [...team.fresh]);
      }
      await commands.executeCommand('reverie.memories.focus');
    },

    async 'reverie.resolveConflict'(...args) {
      const [target] = memoriesOf(context, args);
      const open = target && projects.find(target.project);
      if (!open) return undefined;
      const file = Uri.file(await open.project.locate(target.path));
      const { refused } = await open.project.teamFolder();
      const head = (await open.project.heads()).find(({ path }) => path === target.path);
      const line = head?.problem?.line ?? refused.find(({ path }) => path === target.path)?.line;
      // Git's own editor knows both sides while git is merging; afterwards the marks are all there is.
      const isShown = await teams.openMergeEditor(file);
      if (!isShown) await openAt(open, target.path, line);
      return isShown ? 'editor' : 'file';
    },
  };
}
