// One card of the review: head, reason, sources, texts side by side, what to choose. It is drawn once; what a person changes
// is set on what stands there. Long texts are drawn as far as they are shown.

import type {
  Card,
  CardKind,
  CardResult,
  DiffRow,
  Heading,
  Line,
  PageTexts,
  Section,
} from '../../src/views/reviewProtocol';
import { button, el, fill, icon } from './dom';
import { type Chosen, checkOf, isPartOn } from './selection';

export interface CardView {
  readonly card: Card;
  readonly element: HTMLElement;
  /** Shows what is chosen. */
  choose(chosen: Chosen): void;
  fold(isFolded: boolean): void;
  isFolded(): boolean;
  /** The boxes of its parts, in order. */
  readonly parts: readonly HTMLInputElement[];
}

export interface CardActions {
  toggle(): void;
  togglePart(hunk: number): void;
  answer(value: string): void;
  fold(): void;
  openDiff(): void;
  openSource(source: number): void;
  openMemory(path: string): void;
}

export const kindIcons: Readonly<Record<CardKind, readonly [icon: string, tone: string]>> = {
  created: ['diff-added', 'add'],
  updated: ['diff-modified', 'mod'],
  merged: ['git-merge', 'mrg'],
  deleted: ['diff-removed', 'del'],
  choose: ['question', 'warn'],
  conflict: ['warning', 'warn'],
};
const resultIcons: Readonly<Record<CardResult, readonly [icon: string, tone: string]>> = {
  applied: ['check', 'add'],
  partly: ['remove', 'add'],
  left: ['circle-slash', 'dim'],
};

/** Rows of one section that are shown before somebody asks for more. */
const shownRows = 12;
let count = 0;

export function createCard(card: Card, texts: PageTexts, actions: CardActions, result?: CardResult): CardView {
  count += 1;
  const title = `card-${count}`;
  const body = `${title}-body`;
  const box = el('input', { type: 'checkbox', 'aria-label': card.applyLabel });
  box.addEventListener('click', (event) => {
    // What it shows follows the choice, which may be neither on nor off.
    event.preventDefault();
    setTimeout(actions.toggle);
  });
  const [resultIcon = '', tone = ''] = result === undefined ? [] : resultIcons[result];
  const outcome =
    result === undefined
      ? box
      : el('span', { class: 'result' }, icon(resultIcon, tone), el('span', { class: 'sr' }, texts.results[result]));
  const chevron = el('span', { class: 'chevron' });
  const folder = button({ class: 'ibtn', 'aria-controls': body }, actions.fold, chevron);
  const [kindIcon, kindTone] = kindIcons[card.kind];
  const header = el(
    'header',
    {},
    outcome,
    icon(card.icon),
    el(
      'div',
      { class: 'name' },
      el('h2', { id: title }, card.name),
      el('span', { class: 'dim' }, card.about),
      el('span', { class: 'path' }, card.path),
      el('span', { class: 'kind' }, icon(kindIcon, kindTone), ` ${card.kindText}`),
    ),
    el(
      'div',
      { class: 'side' },
      card.kind === 'choose'
        ? undefined
        : button(
            { class: 'ibtn', title: texts.openDiff, 'aria-label': fill(texts.openDiffOf, card.name) },
            actions.openDiff,
            icon('diff-single'),
          ),
      folder,
    ),
  );
  const inputs: HTMLInputElement[] = [];
  const radios: HTMLInputElement[] = [];
  const content = el('div', { id: body, class: 'body' });
  if (card.note) {
    const words = el('p', {}, el('b', {}, card.note.head), ` ${card.note.text}`);
    content.append(el('div', { class: 'note' }, icon('warning', 'warn'), words));
  }
  const hunks = new Map<
    number,
    { readonly element: HTMLElement; readonly input: HTMLInputElement; readonly note: HTMLElement }
  >();
  if (card.sections.length > 0) {
    const diff = el('div', { class: 'diff' });
    for (const section of card.sections) {
      const part = el('div', { class: 'hunk' });
      if (section.hunk !== undefined && section.label !== undefined) {
        const { hunk } = section;
        const note = el('span', {});
        if (result === undefined) {
          const input = el('input', { type: 'checkbox' });
          input.addEventListener('change', () => actions.togglePart(hunk));
          inputs.push(input);
          hunks.set(hunk, { element: part, input, note });
          part.append(el('label', {}, input, el('span', {}, section.label, note)));
        } else {
          part.append(el('div', { class: 'label' }, section.label));
        }
      }
      part.append(columnsOf(section, texts));
      diff.append(part);
    }
    content.append(diff);
  }
  if (card.question) {
    const group = el('fieldset', {}, el('legend', {}, card.question.legend));
    if (result !== undefined) group.disabled = true;
    for (const option of card.question.options) {
      const input = el('input', { type: 'radio', name: `${title}-answer`, value: option.value });
      input.addEventListener('change', () => actions.answer(option.value));
      radios.push(input);
      const pick = el('label', { class: 'pick' }, input);
      pick.append(el('b', {}, option.label, option.note ? el('span', { class: 'dim' }, ` ${option.note}`) : undefined));
      if (option.quote) {
        const tag = option.value === 'older' ? 'del' : 'ins';
        pick.append(el('q', {}, ...option.quote.map(({ text, strong }) => (strong ? el(tag, {}, text) : text))));
      }
      const { source } = option;
      const open =
        source === undefined || card.sources[source]?.isGone !== false
          ? undefined
          : button({ class: 'link' }, () => actions.openSource(source), texts.openMessage);
      if (option.detail || open)
        pick.append(el('small', {}, option.detail ?? '', open && option.detail ? ' · ' : '', open));
      group.append(pick);
    }
    content.append(group);
  }
  const element = el(
    'article',
    { class: 'card', 'aria-labelledby': title, tabindex: '-1' },
    header,
    whyOf(card, texts, actions),
    content,
  );
  element.dataset.kind = card.kind;

  const self: CardView = {
    card,
    element,
    parts: inputs,
    choose(chosen) {
      const check = checkOf(chosen);
      box.checked = check === 'on';
      box.indeterminate = check === 'mixed';
      element.classList.toggle('off', check === 'off');
      for (const [hunk, { element: part, input, note }] of hunks) {
        const isOn = isPartOn(chosen, hunk);
        input.checked = isOn;
        part.classList.toggle('off', !isOn);
        note.textContent = isOn ? '' : ` · ${texts.leftOut}`;
      }
      for (const radio of radios) radio.checked = radio.value === chosen.answer;
    },
    fold(isFolded) {
      content.hidden = isFolded;
      folder.setAttribute('aria-expanded', String(!isFolded));
      const label = isFolded ? texts.expand : texts.collapse;
      folder.title = label;
      folder.setAttribute('aria-label', `${label}: ${card.name}`);
      chevron.replaceChildren(icon(isFolded ? 'chevron-down' : 'chevron-up'));
    },
    isFolded: () => content.hidden,
  };
  self.fold(result !== undefined);
  return self;
}

function whyOf(card: Card, texts: PageTexts, actions: CardActions): HTMLElement {
  const { link } = card;
  const reason = el('p', {}, card.reason);
  if (link)
    reason.append(
      card.reason ? ' ' : '',
      button({ class: 'link' }, () => actions.openMemory(link.path), link.label),
    );
  const sources = el('div', { class: 'src' });
  for (const [at, { title, detail, isGone }] of card.sources.entries()) {
    const name = isGone ? el('span', {}, title) : button({ class: 'link' }, () => actions.openSource(at), title);
    const more = isGone ? texts.transcriptGone : detail;
    sources.append(el('span', {}, icon('comment-discussion'), name, ' ', el('span', { class: 'dim' }, more)));
  }
  return el('div', { class: 'why' }, reason, card.sources.length > 0 ? sources : undefined);
}

/**
 * Two columns in the order they are read: the whole of *before*, then the whole of *after*. Numbers say where a line stands
 * when both are side by side (`--row`) and when they are one column (`--inline-row`).
 */
function columnsOf({ headings, rows }: Section, texts: PageTexts): HTMLElement {
  const [first, second] = headings;
  const columns = el('div', { class: second ? 'cols' : 'cols one' });
  const draw = (upTo: number) => {
    const shown = rows.slice(0, upTo);
    const lines = inlineOrder(shown);
    const column = (heading: Heading, side: 'before' | 'after', isOnly: boolean) => {
      const element = el('div', { class: side });
      element.append(
        el('h3', {}, heading.text, heading.note ? el('span', { class: 'dim' }, ` ${heading.note}`) : undefined),
      );
      for (const [at, row] of shown.entries()) {
        const line = isOnly ? (row.before ?? row.after) : row[side];
        const cell = line ? lineOf(line, texts) : el('div', { class: 'ln pad' });
        cell.style.setProperty('--row', String(at + 2));
        cell.style.setProperty('--inline-row', String((line && lines.get(line)) ?? at + 2));
        if (side === 'after' && !isOnly && line?.state === 'same') cell.classList.add('twice');
        element.append(cell);
      }
      return element;
    };
    columns.replaceChildren(
      ...(second ? [column(first, 'before', false), column(second, 'after', false)] : [column(first, 'before', true)]),
    );
    const left = rows.length - upTo;
    if (left > 0) {
      const more = button({ class: 'link' }, () => draw(rows.length), fill(texts.moreLines, left));
      columns.append(el('div', { class: 'more' }, more));
    }
  };
  draw(rows.length > shownRows + 2 ? shownRows : rows.length);
  return columns;
}

/** Where each line stands in one column: of lines that changed together, the old ones first. */
function inlineOrder(rows: readonly DiffRow[]): ReadonlyMap<Line, number> {
  const order = new Map<Line, number>();
  let next = 2;
  const put = (line: Line | undefined) => {
    if (line) order.set(line, next++);
  };
  const isSame = (row: DiffRow | undefined) => row?.before?.state === 'same';
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (isSame(row)) {
      put(row?.before);
      at += 1;
      continue;
    }
    let end = at;
    while (end < rows.length && !isSame(rows[end])) end += 1;
    const block = rows.slice(at, end);
    for (const { before } of block) put(before);
    for (const { after } of block) put(after);
    at = end;
  }
  return order;
}

function lineOf({ state, spans }: Line, texts: PageTexts): HTMLElement {
  const tag = state === 'removed' ? 'del' : 'ins';
  const said =
    state === 'same' ? undefined : el('span', { class: 'sr' }, `${state === 'removed' ? texts.removed : texts.added} `);
  const sign = state === 'same' ? '' : state === 'removed' ? '−' : '+';
  return el(
    'div',
    { class: state === 'same' ? 'ln' : state === 'removed' ? 'ln d' : 'ln a' },
    el('i', { 'aria-hidden': 'true' }, sign),
    el('span', {}, said, ...spans.map(({ text, strong }) => (strong ? el(tag, {}, text) : text))),
  );
}
