// The one question before others see a memory: both texts stand in the editor, and a list over it says where the memory goes, what is
// left out and what it would tell of the person. Who wants to read first puts the list away and answers by the buttons of
// the editor. Nothing is shared but by *Share*.

import {
  type Disposable,
  QuickInputButtons,
  type QuickPickItem,
  QuickPickItemKind,
  Range,
  TabInputTextDiff,
  TextEditorRevealType,
  ThemeIcon,
  type Uri,
  window,
} from 'vscode';
import type { MovePlan } from '../core/memory/moving';
import { noteText, previewTitle, reachText } from '../views/moveTexts';
import type { ReviewDocuments } from '../views/reviewDocuments';
import { oneLine, type Words } from '../views/words';
import { asLabel } from './context';

export type ShareAnswer = 'share' | 'edit' | undefined;

/** Questions whose list was put away, by the query of their documents' addresses. */
export interface OpenQuestions {
  /** Answers the question that a document belongs to; another document is none. */
  answer(document: Uri | undefined, answer: ShareAnswer): void;
  ask(query: string): Promise<ShareAnswer>;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, (answer: ShareAnswer) => void>();
  return {
    answer(document, answer) {
      const query = document?.query ?? '';
      open.get(query)?.(answer);
      open.delete(query);
    },
    ask: (query) => new Promise((done) => open.set(query, done)),
  };
}

type ShareItem = QuickPickItem & {
  readonly answer?: ShareAnswer | 'cancel' | 'read';
  /** Shows this memory, at this line of what others will see. */
  readonly show?: { readonly plan: MovePlan; readonly line?: number | undefined };
};

export async function askToShare(
  plans: readonly MovePlan[],
  place: { readonly directory: string; readonly isInRepository: boolean; readonly isIgnored: boolean },
  documents: ReviewDocuments,
  questions: OpenQuestions,
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
      ? [
          {
            label: t('Read It First'),
            description: t('then answer by the buttons of the editor'),
            iconPath: new ThemeIcon('book'),
            alwaysShow: true,
            answer: 'read',
          } as const,
          { label: t('Edit First'), iconPath: new ThemeIcon('edit'), alwaysShow: true, answer: 'edit' } as const,
        ]
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
  const answer = await new Promise<ShareAnswer | 'read'>((done) => {
    const end = (value: ShareAnswer | 'read') => {
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
  if (answer !== 'read') {
    await documents.close(key);
    return answer;
  }
  // Whoever closes the editor has not shared.
  const asked = questions.ask(`${key} after`);
  const closing = window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const { input } of closed) if (input instanceof TabInputTextDiff) questions.answer(input.modified, undefined);
  });
  const later = await asked;
  closing.dispose();
  await documents.close(key);
  return later;
}
