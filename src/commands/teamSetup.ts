// Switching team memory on: where its files shall lie, and what that means for who gets them. Nothing is written before a person
// chose a folder and agreed; then the workspace's settings say so, and the folder is made with an empty index.

import { commands, type QuickPickItem, QuickPickItemKind, ThemeIcon, Uri, window } from 'vscode';
import type { OpenProject } from '../projects';
import { readSettings, updateTeamSettings } from '../settings';
import { noFilter } from '../views/memoryFilter';
import { folderOf, folderProblem } from '../views/moveTexts';
import { type CommandContext, type Handlers, pickProject } from './context';

type Place =
  | { readonly kind: 'folder'; readonly directory: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'beside' }
  | { readonly kind: 'off' };

const offered = ['.reverie/team', 'docs/memory'];

export function teamSetup(context: CommandContext): Handlers {
  const { projects, notices, words, teams } = context;
  const { t } = words;

  async function askWhere({ project }: OpenProject): Promise<Place | undefined> {
    const { isGit } = project.paths;
    const { team } = project;
    const now = team.isOn() ? team.directory : undefined;
    const item = (
      label: string,
      detail: string,
      icon: string,
      place: Place,
      isNow = false,
    ): QuickPickItem & { place: Place } => ({
      label,
      detail,
      iconPath: new ThemeIcon(icon),
      place,
      ...(isNow ? { description: t('in use') } : {}),
    });
    const separator = (label: string) => ({ label, kind: QuickPickItemKind.Separator, place: undefined });
    const shared = isGit
      ? t('Shared by commits and reviews, like the code.')
      : t('No git repository yet: nobody else gets it by itself.');
    const items = [
      separator(t('in this repository')),
      ...offered.map((directory) => {
        const isNow = team.isInRepository && now !== undefined && teams.directoryText({ project }) === directory;
        return item(directory, shared, 'organization', { kind: 'folder', directory }, isNow);
      }),
      item(t('Another Folder…'), shared, 'folder', { kind: 'other' }),
      separator(t('on this machine')),
      item(
        t('Beside Your Own Memories'),
        t('Yours alone until you share that folder yourself.'),
        'lock',
        { kind: 'beside' },
        now !== undefined && !team.isInRepository,
      ),
      ...(now === undefined
        ? []
        : [
            separator(''),
            item(
              t('Switch Team Memory Off'),
              t('The files stay where they are; they are neither recalled nor written.'),
              'circle-slash',
              { kind: 'off' },
            ),
          ]),
    ];
    const picked = await window.showQuickPick(items, {
      title: t('Set Up Team Memory'),
      placeHolder: t('Where shall memories lie that your team shares?'),
      matchOnDetail: true,
      ignoreFocusOut: true,
    });
    return picked?.place;
  }

  const askFolder = () =>
    window.showInputBox({
      title: t('Set Up Team Memory'),
      prompt: t('A folder in this repository; it is made if it is not there.'),
      value: 'docs/memory',
      validateInput: (typed) => folderProblem(typed, words),
      ignoreFocusOut: true,
    });

  function agree(directory: string, isGit: boolean): Thenable<string | undefined> {
    const detail = [
      isGit
        ? t('Files in {0} are shared by your normal commits. Nothing is committed for you.', directory)
        : t('Files in {0} are shared when you share the folder.', directory),
      t('What is said of a person stays private, and a text with a secret in it is refused.'),
      t('The workspace’s settings will say so: commit .vscode/settings.json, and it is on for your team, too.'),
    ];
    return window.showInformationMessage(
      t('Switch team memory on in this workspace?'),
      { modal: true, detail: detail.join('\n\n') },
      t('Switch On'),
    );
  }

  async function switchOn(open: OpenProject, directory: string | undefined): Promise<boolean> {
    const [folder] = open.folders;
    if (!folder) return false;
    // Refuses a folder that can't be the team's, before anything says that it is.
    await open.project.switchTeam({ enabled: true, directory });
    await updateTeamSettings(Uri.file(folder.path), { enabled: true, directory });
    await projects.reopen();
    await context.memories.refresh();
    const anew = projects.ofFile(folder.path);
    if (anew) await tell(anew);
    return anew !== undefined;
  }

  async function tell(open: OpenProject): Promise<void> {
    const where = teams.directoryText(open);
    const share = { label: t('Move to Team…'), run: () => commands.executeCommand('reverie.moveToTeam') };
    if (await open.project.team.isIgnored()) {
      const ignoring = Uri.joinPath(Uri.file(open.project.paths.top), '.gitignore');
      notices.warn(t('Team memory is on, but git ignores {0}: nobody else will get what lies there.', where), {
        label: t('Open .gitignore'),
        run: () => commands.executeCommand('vscode.open', ignoring),
      });
    } else notices.info(t('Team memory is on, in {0}.', where), share);
  }

  return {
    async 'reverie.setUpTeam'() {
      const open = await pickProject(context);
      const [folder] = open?.folders ?? [];
      if (!open || !folder) return undefined;
      const place = await askWhere(open);
      if (!place) return undefined;
      if (place.kind === 'off') {
        const uri = Uri.file(folder.path);
        await open.project.switchTeam({ enabled: false, directory: (await readSettings(uri)).team.directory });
        await updateTeamSettings(uri, { enabled: false });
        await projects.reopen();
        await context.memories.refresh();
        notices.info(t('Team memory is off in this workspace. The files stay where they are.'));
        return 'off';
      }
      if (place.kind === 'beside') return (await switchOn(open, undefined)) ? 'on' : undefined;
      const typed = place.kind === 'folder' ? place.directory : await askFolder();
      const directory = typed && folderOf(typed);
      if (!directory) return undefined;
      if ((await agree(directory, open.project.paths.isGit)) === undefined) return undefined;
      return (await switchOn(open, directory)) ? 'on' : undefined;
    },

    async 'reverie.showTeam'() {
      context.memoryTree.setFilter({ ...noFilter, scopes: ['team'] });
      await commands.executeCommand('reverie.memories.focus');
    },
  };
}
