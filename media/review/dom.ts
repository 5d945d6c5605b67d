// How the page makes its elements. Text becomes text nodes and nothing else: no markup is ever read from a string, but for the
// drawings that are part of the program.

import account from '@vscode/codicons/src/icons/account.svg';
import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronUp from '@vscode/codicons/src/icons/chevron-up.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import collapseAll from '@vscode/codicons/src/icons/collapse-all.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import diffAdded from '@vscode/codicons/src/icons/diff-added.svg';
import diffModified from '@vscode/codicons/src/icons/diff-modified.svg';
import diffRemoved from '@vscode/codicons/src/icons/diff-removed.svg';
import diffSingle from '@vscode/codicons/src/icons/diff-single.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import expandAll from '@vscode/codicons/src/icons/expand-all.svg';
import gitMerge from '@vscode/codicons/src/icons/git-merge.svg';
import listFlat from '@vscode/codicons/src/icons/list-flat.svg';
import note from '@vscode/codicons/src/icons/note.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import project from '@vscode/codicons/src/icons/project.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import remove from '@vscode/codicons/src/icons/remove.svg';
import splitHorizontal from '@vscode/codicons/src/icons/split-horizontal.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

const drawings: Readonly<Record<string, string>> = {
  account,
  bookmark,
  check,
  'chevron-down': chevronDown,
  'chevron-up': chevronUp,
  'circle-slash': circleSlash,
  'collapse-all': collapseAll,
  comment,
  'comment-discussion': commentDiscussion,
  'diff-added': diffAdded,
  'diff-modified': diffModified,
  'diff-removed': diffRemoved,
  'diff-single': diffSingle,
  error,
  'expand-all': expandAll,
  'git-merge': gitMerge,
  'list-flat': listFlat,
  note,
  pass,
  project,
  question,
  remove,
  'split-horizontal': splitHorizontal,
  warning,
};

type Child = Node | string | undefined;

/** An element with attributes (`true` sets an empty one, `undefined` none) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | true | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

export function button(
  attributes: Readonly<Record<string, string | true | undefined>>,
  press: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', press);
  return element;
}

const parsed = new Map<string, SVGElement>();

/** A drawing that a screen reader passes over. `tone` names its colour in the style sheet. */
export function icon(name: string, tone?: string): SVGElement {
  let drawing = parsed.get(name);
  if (!drawing) {
    const text = drawings[name] ?? drawings.note ?? '';
    drawing = document.importNode(
      new DOMParser().parseFromString(text, 'image/svg+xml').documentElement as unknown as SVGElement,
      true,
    );
    drawing.setAttribute('aria-hidden', 'true');
    parsed.set(name, drawing);
  }
  const copy = drawing.cloneNode(true) as SVGElement;
  copy.setAttribute('class', tone === undefined ? 'icon' : `icon ${tone}`);
  return copy;
}

/** `{0}`, `{1}` become the values. */
export const fill = (text: string, ...values: readonly (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_whole, at: string) => String(values[Number(at)] ?? ''));

/** One stop for the Tab key, arrow keys within, as toolbars are. */
export function makeToolbar(bar: HTMLElement): void {
  const stops = () =>
    [...bar.querySelectorAll<HTMLButtonElement>('button')].filter(
      (each) => !each.disabled && each.offsetParent !== null,
    );
  const settle = (current: HTMLElement | undefined) => {
    for (const each of bar.querySelectorAll('button')) each.tabIndex = each === current ? 0 : -1;
  };
  settle(bar.querySelector('button') ?? undefined);
  bar.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLButtonElement) settle(target);
  });
  bar.addEventListener('keydown', (event) => {
    const all = stops();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  });
}
