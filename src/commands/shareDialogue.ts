// The one question before others see a memory: both texts stand side by side in the editor, and a list says where it goes, what is left
// out and what it would tell of the person. Nothing is shared but by *Share*; a line that matters can be gone to first.

import {
  type Disposable,
  QuickInputButtons,
  type QuickPickItem,
  QuickPickItemKind,
  Range,
  TextEditorRevealType,
  ThemeIcon,
  window,
} from 'vscode';
import type { MovePlan } from '../core/memory/moving';
import { noteText, previewTitle, reachText } from '../views/moveTexts';
import type { ReviewDocuments } from '../views/reviewDocuments';
import { oneLine, type Words } from '../views/words';
import { asLabel } from './context';

export type ShareAnswer = 'share' | 'edit' | undefined;

type ShareItem = QuickPickItem & {
  readonly answer?: ShareAnswer | 'cancel';
  /** Shows this memory, at this line of what others will see. */
  readonly show?: { readonly plan: MovePlan; readonly line?: number | undefined };
};

export async function askToShare(
  plans: readonly MovePlan[],
  place: { readonly directory: string; readonly isInRepository: boolean; readonly isIgnored: boolean },
  documents: ReviewDocuments,
  words: Words,
): Promise<ShareAnswer> {
  const { t } = words;
  const [first] = plans;
  if (!first) return undefined;
  const key = `${first.from} ${Date.now()}`;
  const isOne = plans.length === 1;

  async function show(plan: MovePlan, line?: number): Promise<void> {
    await documents.diff(key, plan.to, plan.before, plan.after, previewTitle(plan, words));
    if (line === undefined) return;
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.query === `${key} after`);
    const range = new Range(line - 1, 0, line - 1, 1000);
    editor?.revealRange(range, TextEditorRevealType.InCenter);
  }

  const separator = (label: string): ShareItem => ({ label, kind: QuickPickItemKind.Separator });
  const notesOf = (plan: MovePlan): ShareItem[] =>
    plan.notes.map((note) => {
      const { icon, text, line } = noteText(note, words);
      return { label: asLabel(text), iconPath: new ThemeIcon(icon), alwaysShow: true, show: { plan, line } };
    });
  const pathOf = ({ to }: MovePlan) => `${place.directory}/${to.slice('team/'.length)}`;
  const reach = reachText(place.isInRepository, place.isIgnored, words);
  const items: ShareItem[] = [
    {
      label: isOne ? t('Share') : t('Share {0} Memories', words.number(plans.length)),
      ...(isOne ? { description: asLabel(oneLine(pathOf(first))) } : {}),
      detail: reach,
      iconPath: new ThemeIcon('organization'),
      alwaysShow: true,
      answer: 'share',
    },
    ...(isOne
      ? [{ label: t('Edit First'), iconPath: new ThemeIcon('edit'), alwaysShow: true, answer: 'edit' } as const]
      : []),
    { label: t('Cancel'), iconPath: new ThemeIcon('close'), alwaysShow: true, answer: 'cancel' },
    ...(isOne
      ? [...(first.notes.length > 0 ? [separator(t('before you share it'))] : []), ...notesOf(first)]
      : plans.flatMap((plan) => [
          separator(asLabel(oneLine(plan.name))),
          {
            label: asLabel(oneLine(pathOf(plan))),
            description: t('show'),
            iconPath: new ThemeIcon('diff'),
            alwaysShow: true,
            show: { plan },
          },
          ...notesOf(plan),
        ])),
  ];

  await show(first);
  const picker = window.createQuickPick<ShareItem>();
  picker.title = isOne
    ? t('Share “{0}” with the Team', asLabel(oneLine(first.name)))
    : t('Share {0} Memories with the Team', words.number(plans.length));
  picker.placeholder = t('The editor shows what others will see');
  picker.items = items;
  picker.ignoreFocusOut = true;
  picker.buttons = [{ ...QuickInputButtons.Back, iconPath: new ThemeIcon('close'), tooltip: t('Cancel') }];
  const listeners: Disposable[] = [];
  const answer = await new Promise<ShareAnswer>((done) => {
    const end = (value: ShareAnswer) => {
      done(value);
      picker.hide();
    };
    listeners.push(
      picker.onDidAccept(() => {
        const [item] = picker.activeItems;
        if (item?.answer !== undefined) end(item.answer === 'cancel' ? undefined : item.answer);
        else if (item?.show) void show(item.show.plan, item.show.line);
      }),
      picker.onDidTriggerButton(() => end(undefined)),
      picker.onDidHide(() => done(undefined)),
    );
    picker.show();
  });
  for (const each of listeners) each.dispose();
  picker.dispose();
  await documents.close(key);
  return answer;
}
