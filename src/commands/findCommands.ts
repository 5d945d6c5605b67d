// Finding memories: a quick pick over all of them that shows the file while one moves through it, and the filter of the
// tree. Leaving the quick pick without a choice leaves the editor as it was.

import {
  commands,
  type Disposable,
  type QuickInputButton,
  type QuickPickItem,
  QuickPickItemKind,
  type TabInputText,
  ThemeColor,
  ThemeIcon,
  Uri,
  ViewColumn,
  window,
} from 'vscode';
import type { MemoryHeader } from '../core/memory/memory';
import type { OpenProject } from '../projects';
import { isFiltering, type MemoryFilter, noFilter } from '../views/memoryFilter';
import { memoryMark, memoryTypeHints, typeIcons } from '../views/memoryRows';
import { oneLine, typesInOrder, wholeDays } from '../views/words';
import { asLabel, type CommandContext, type Handlers } from './context';
import { undo } from './undo';

interface MemoryItem extends QuickPickItem {
  readonly open?: OpenProject;
  readonly head?: MemoryHeader;
}

export function findCommands(context: CommandContext): Handlers {
  return {
    'reverie.goTo': () => goTo(context),
    'reverie.filter': () => chooseFilter(context),
    // The same with another icon, while a filter is on.
    'reverie.changeFilter': () => chooseFilter(context),
    'reverie.clearFilter': () => context.memoryTree.setFilter(noFilter),
  };
}

async function goTo(context: CommandContext): Promise<void> {
  const { memories, projects, words, notices } = context;
  const { t } = words;
  await memories.read();

  const aside: QuickInputButton = { iconPath: new ThemeIcon('split-horizontal'), tooltip: t('Open to the Side') };
  const pin: QuickInputButton = { iconPath: new ThemeIcon('pin'), tooltip: t('Pin') };
  const unpin: QuickInputButton = { iconPath: new ThemeIcon('pinned'), tooltip: t('Unpin') };
  const trash: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: t('Delete') };

  function items(): MemoryItem[] {
    const now = Date.now();
    const all = memories.latest().flatMap((snapshot) => {
      const open = projects.find(snapshot.key);
      return open ? snapshot.heads.map((head) => ({ open, head, isStale: snapshot.stalePaths.has(head.path) })) : [];
    });
    const itemOf = ({ open, head, isStale }: (typeof all)[number]): MemoryItem => {
      const facts = [words.shortAge(wholeDays(head.modifiedAt, now)), head.scope === 'team' && words.scope('team')];
      if (isStale) facts.push(t('stale'));
      if (projects.current().length > 1) facts.push(open.name);
      const mark = memoryMark(head, isStale);
      return {
        label: asLabel(oneLine(head.name)),
        description: asLabel(facts.filter(Boolean).join(' · ')),
        ...(head.description ? { detail: asLabel(oneLine(head.description)) } : {}),
        iconPath: new ThemeIcon(mark.codicon, mark.color === undefined ? undefined : new ThemeColor(mark.color)),
        buttons: head.problem ? [aside, trash] : [aside, head.pinned ? unpin : pin, trash],
        open,
        head,
      };
    };
    const section = (label: string, some: typeof all): MemoryItem[] =>
      some.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...some.map(itemOf)];
    return [
      ...typesInOrder.flatMap((type) =>
        section(
          words.typeHeading(type),
          all
            .filter(({ head }) => head.type === type && !head.problem)
            .sort((a, b) => Number(b.head.pinned) - Number(a.head.pinned)),
        ),
      ),
      ...section(
        t('Problems'),
        all.filter(({ head }) => head.problem !== undefined),
      ),
    ];
  }

  const picker = window.createQuickPick<MemoryItem>();
  picker.title = t('Memory: Go to Memory');
  picker.placeholder = t('Search names and descriptions');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = items();
  if (picker.items.length === 0) picker.placeholder = t('There are no memories yet.');

  const editorBefore = window.activeTextEditor;
  let previewed: Uri | undefined;
  let isChosen = false;
  let isMoved = false;
  const listeners: Disposable[] = [
    picker.onDidChangeActive(async ([item]) => {
      // The first one is active by itself: a preview follows only what a person does.
      if (!isMoved) {
        isMoved = true;
        return;
      }
      if (!item?.open || !item.head) return;
      const file = Uri.file(await item.open.project.locate(item.head.path));
      if (isChosen) return;
      previewed = file;
      await window.showTextDocument(file, { preview: true, preserveFocus: true }).then(undefined, () => {});
    }),
    picker.onDidTriggerItemButton(({ item: { open, head }, button }) =>
      notices.guard(button.tooltip ?? '', async () => {
        if (!open || !head) return;
        if (button === aside) {
          isChosen = true;
          const file = Uri.file(await open.project.locate(head.path));
          await window.showTextDocument(file, { viewColumn: ViewColumn.Beside });
          return;
        }
        if (button === trash) {
          const run = await open.project.forget([head.path]);
          notices.info(t('Moved “{0}” to the trash.', oneLine(head.name)), {
            label: t('Undo'),
            run: () => undo(context, open, [run.id]),
          });
        } else {
          await open.project.pin(head.path, button === pin);
        }
        await memories.refresh();
        const active = picker.activeItems[0]?.head?.path;
        picker.items = items();
        picker.activeItems = picker.items.filter((each) => each.head !== undefined && each.head.path === active);
      }),
    ),
    picker.onDidAccept(async () => {
      const [item] = picker.selectedItems;
      isChosen = true;
      picker.hide();
      if (!item?.open || !item.head) return;
      const { open, head } = item;
      await notices.guard(t('Go to Memory'), async () =>
        window.showTextDocument(Uri.file(await open.project.locate(head.path)), { preview: false }),
      );
    }),
  ];
  const hidden = new Promise<void>((done) => {
    picker.onDidHide(() => done());
  });
  picker.show();
  await hidden;
  for (const each of listeners) each.dispose();
  picker.dispose();
  if (!isChosen && previewed) await restore(previewed);

  async function restore(preview: Uri): Promise<void> {
    if (editorBefore) {
      const { document, viewColumn, selection } = editorBefore;
      await window
        .showTextDocument(document, { selection, ...(viewColumn === undefined ? {} : { viewColumn }) })
        .then(undefined, () => {});
    }
    const tabs = window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input, isPreview, isDirty }) =>
          isPreview && !isDirty && (input as TabInputText | undefined)?.uri?.toString() === preview.toString(),
      );
    if (tabs.length > 0) await window.tabGroups.close(tabs);
  }
}

type FilterItem = QuickPickItem & { readonly set?: (filter: MemoryFilter) => MemoryFilter };

/** One quick pick for all: types, scopes, states, and what was typed as words to find. */
async function chooseFilter(context: CommandContext): Promise<void> {
  const { memoryTree, words } = context;
  const { t } = words;
  const now = memoryTree.filter();
  const hints = memoryTypeHints(words);
  const separator = (label: string): FilterItem => ({ label, kind: QuickPickItemKind.Separator });
  const fixed: readonly { readonly item: FilterItem; readonly isOn: boolean }[] = [
    { item: separator(t('type')), isOn: false },
    ...typesInOrder.map((type) => ({
      item: {
        label: words.typeHeading(type),
        description: hints[type],
        iconPath: new ThemeIcon(typeIcons[type]),
        set: (filter: MemoryFilter) => ({ ...filter, types: [...filter.types, type] }),
      },
      isOn: now.types.includes(type),
    })),
    { item: separator(t('scope')), isOn: false },
    ...(['private', 'team'] as const).map((scope) => ({
      item: {
        label: scope === 'team' ? t('Team') : t('Private'),
        iconPath: new ThemeIcon(scope === 'team' ? 'organization' : 'lock'),
        set: (filter: MemoryFilter) => ({ ...filter, scopes: [...filter.scopes, scope] }),
      },
      isOn: now.scopes.includes(scope),
    })),
    { item: separator(t('state')), isOn: false },
    {
      item: {
        label: t('Stale'),
        iconPath: new ThemeIcon('history'),
        set: (filter) => ({ ...filter, isStale: true }),
      },
      isOn: now.isStale,
    },
    {
      item: {
        label: t('Pinned'),
        iconPath: new ThemeIcon('pinned'),
        set: (filter) => ({ ...filter, isPinned: true }),
      },
      isOn: now.isPinned,
    },
    {
      item: {
        label: t('New from the team'),
        iconPath: new ThemeIcon('organization'),
        set: (filter) => ({ ...filter, isNew: true }),
      },
      isOn: now.isNew,
    },
  ];
  const textItem = (text: string): FilterItem => ({
    label: t('Contains “{0}”', asLabel(text)),
    iconPath: new ThemeIcon('search'),
    alwaysShow: true,
    set: (filter) => ({ ...filter, text }),
  });

  const picker = window.createQuickPick<FilterItem>();
  picker.title = t('Memory: Filter');
  picker.placeholder = t('Choose what to show, or type words to find');
  picker.canSelectMany = true;
  let word = now.text.trim() === '' ? undefined : textItem(now.text.trim());
  picker.items = [...(word ? [word] : []), ...fixed.map(({ item }) => item)];
  picker.selectedItems = [...(word ? [word] : []), ...fixed.filter(({ isOn }) => isOn).map(({ item }) => item)];

  picker.onDidChangeValue((value) => {
    const chosen = picker.selectedItems.filter((item) => item !== word);
    const text = value.trim();
    word = text === '' ? undefined : textItem(text);
    picker.items = [...(word ? [word] : []), ...fixed.map(({ item }) => item)];
    picker.selectedItems = [...(word ? [word] : []), ...chosen];
  });
  const chosen = await new Promise<readonly FilterItem[] | undefined>((done) => {
    picker.onDidAccept(() => {
      done(picker.selectedItems);
      picker.hide();
    });
    picker.onDidHide(() => done(undefined));
    picker.show();
  });
  picker.dispose();
  if (!chosen) return;
  const filter = chosen.reduce((all, item) => item.set?.(all) ?? all, noFilter);
  memoryTree.setFilter(filter);
  if (isFiltering(filter)) await commands.executeCommand('reverie.memories.focus');
}
