// A review that waits for a person: head, chips, cards, and the bar that applies. It keeps the choice, draws what follows from
// it, and answers keys. Cards are drawn in slices, so two hundred of them do not stop the page.

import type { CardKind, PageTexts, Review } from '../../src/views/reviewProtocol';
import type { Ask } from '../dreamReview';
import { type CardView, createCard, kindIcons } from './card';
import { button, el, fill, icon, makeToolbar } from './dom';
import {
  answerCard,
  type Chosen,
  choicesOf,
  countSelected,
  initialSelection,
  proposedOf,
  restoreSelection,
  type Selection,
  toggleCard,
  togglePart,
} from './selection';
import { inSlices } from './slices';

/** What the editor keeps of the page. */
export interface Kept {
  readonly proposal: string;
  readonly selection: Selection;
  readonly folded: readonly string[];
  readonly layout: 'split' | 'inline';
  readonly filter: CardKind | 'all';
  readonly current: string | undefined;
  readonly scroll: number;
}

export interface Pending {
  setBusy(isBusy: boolean): void;
  reveal(card: string): void;
  key(event: KeyboardEvent): void;
  dispose(): void;
}

/** In the order of the chips. */
const kinds: readonly CardKind[] = ['created', 'updated', 'merged', 'deleted', 'choose', 'conflict'];

export function createPending(options: {
  readonly review: Review;
  readonly texts: PageTexts;
  readonly kept: Kept | undefined;
  readonly keep: (kept: Kept) => void;
  readonly ask: (request: Ask) => Promise<boolean>;
  readonly say: (text: string) => void;
  readonly main: HTMLElement;
  readonly footer: HTMLElement;
}): Pending {
  const { review, texts, ask, say, main, footer } = options;
  const { cards } = review;
  const before = options.kept?.proposal === review.proposal ? options.kept : undefined;
  let selection: Selection = before ? restoreSelection(cards, before.selection) : initialSelection(cards);
  const folded = new Set(before?.folded ?? []);
  let layout = options.kept?.layout ?? 'split';
  let filter: CardKind | 'all' = before && cards.some(({ kind }) => kind === before.filter) ? before.filter : 'all';
  let current = cards.some(({ id }) => id === before?.current) ? before?.current : cards[0]?.id;
  let isBusy = false;
  let isOver = false;
  /** Counts the times that all were folded, so that the last one wins. */
  let folding = 0;
  const views = new Map<string, CardView>();
  const list = el('div', { class: 'list' });

  let keeping = 0;
  function keep(): void {
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      const scroll = document.scrollingElement?.scrollTop ?? 0;
      options.keep({ proposal: review.proposal, selection, folded: [...folded], layout, filter, current, scroll });
    }, 50);
  }

  // The head
  const facts = el('div', { class: 'facts dim' });
  for (const spans of review.facts)
    facts.append(el('span', {}, ...spans.map(({ text, strong }) => (strong ? el('b', {}, text) : text))));
  main.append(el('h1', { tabindex: '-1' }, review.title), facts);
  if (review.loss) {
    const { head, text, show, discard } = review.loss;
    main.append(
      el(
        'section',
        { class: 'loss' },
        icon('error', 'bad'),
        el(
          'div',
          {},
          el('p', {}, el('b', {}, head)),
          el('p', {}, `${text} `),
          el(
            'p',
            { class: 'links' },
            button({ class: 'link' }, () => setFilter('deleted'), show),
            button({ class: 'link' }, askDiscard, discard),
          ),
        ),
      ),
    );
  }

  // Chips and the view
  const chips = new Map<CardKind | 'all', HTMLButtonElement>();
  const bar = el('div', { class: 'bar', role: 'toolbar', 'aria-label': texts.show });
  const chip = (kind: CardKind | 'all', label: string, number: number) => {
    const [name, tone] = kind === 'all' ? [] : kindIcons[kind];
    const one = button(
      { class: 'chip' },
      () => setFilter(kind),
      name ? icon(name, tone) : undefined,
      label,
      ' ',
      el('b', {}, String(number)),
    );
    chips.set(kind, one);
    bar.append(one);
  };
  chip('all', texts.all, cards.length);
  for (const kind of kinds) {
    const number = cards.filter((card) => card.kind === kind).length;
    if (number > 0) chip(kind, texts.kinds[kind], number);
  }
  const split = button(
    { class: 'ibtn wide', title: texts.sideBySide, 'aria-label': texts.sideBySide },
    () => setLayout('split'),
    icon('split-horizontal'),
  );
  const inline = button(
    { class: 'ibtn wide', title: texts.inline, 'aria-label': texts.inline },
    () => setLayout('inline'),
    icon('list-flat'),
  );
  const foldAll = button({ class: 'ibtn' }, () => {
    const isFolding = !areAllFolded();
    folding += 1;
    const turn = folding;
    for (const { id } of cards) if (isFolding) folded.add(id);
    if (!isFolding) folded.clear();
    drawFoldAll();
    keep();
    void inSlices(
      [...views.values()],
      (view) => view.fold(isFolding),
      () => isOver || turn !== folding,
    );
  });
  bar.append(el('span', { class: 'sp' }), split, inline, foldAll);
  makeToolbar(bar);
  main.append(bar, list);
  if (review.remarks) {
    const { label, items } = review.remarks;
    const entries = items.map(({ path, text }) =>
      el(
        'li',
        {},
        button({ class: 'link path' }, () => void ask({ type: 'openMemory', path }), path),
        ' ',
        text,
      ),
    );
    main.append(el('details', {}, el('summary', {}, label), el('ul', {}, ...entries)));
  }

  const isShown = (kind: CardKind) => filter === 'all' || filter === kind;
  const shownIds = () => cards.filter(({ kind }) => isShown(kind)).map(({ id }) => id);
  const areAllFolded = () => cards.every(({ id }) => folded.has(id));

  function drawFoldAll(): void {
    const label = areAllFolded() ? texts.expandAll : texts.collapseAll;
    foldAll.title = label;
    foldAll.setAttribute('aria-label', label);
    foldAll.replaceChildren(icon(areAllFolded() ? 'expand-all' : 'collapse-all'));
  }

  function setFilter(next: CardKind | 'all'): void {
    filter = next;
    for (const [kind, one] of chips) one.setAttribute('aria-pressed', String(kind === filter));
    for (const view of views.values()) view.element.hidden = !isShown(view.card.kind);
    const shown = shownIds();
    if (current === undefined || !shown.includes(current)) setCurrent(shown[0]);
    keep();
  }

  function setLayout(next: 'split' | 'inline'): void {
    layout = next;
    list.dataset.layout = next;
    split.setAttribute('aria-pressed', String(next === 'split'));
    inline.setAttribute('aria-pressed', String(next === 'inline'));
    keep();
  }

  function setFolded(id: string, isFolded: boolean): void {
    if (isFolded) folded.add(id);
    else folded.delete(id);
    views.get(id)?.fold(isFolded);
    keep();
  }

  function setCurrent(id: string | undefined): void {
    if (current !== undefined) views.get(current)?.element.classList.remove('current');
    current = id;
    if (id !== undefined) views.get(id)?.element.classList.add('current');
    keep();
  }

  // The bar that applies
  const apply = button({ class: 'b' }, () => void askApply(false));
  const applyAll = button(
    { class: 'b s' },
    () => void askApply(true),
    review.loss ? texts.applyAllAsks : texts.applyAll,
  );
  const discard = button({ class: 'b s' }, askDiscard, texts.discard);
  const key = (sign: string) => el('kbd', {}, sign);
  const { keys } = texts;
  const command = /Mac/.test(navigator.platform) ? '⌘Enter' : 'Ctrl+Enter';
  const applyBar = el(
    'div',
    { role: 'toolbar', 'aria-label': texts.apply },
    apply,
    applyAll,
    discard,
    el(
      'span',
      { class: 'keys' },
      el('span', {}, key('J'), key('K'), keys.move),
      el('span', {}, key('Space'), keys.select),
      el('span', {}, key('D'), keys.diff),
      el('span', {}, key(command), keys.apply),
    ),
  );
  makeToolbar(applyBar);
  footer.append(applyBar);

  function drawBar(): void {
    const selected = countSelected(cards, selection);
    apply.textContent = isBusy ? texts.applying : fill(texts.applySelected, selected);
    apply.disabled = isBusy || selected === 0;
    applyAll.disabled = isBusy;
    discard.disabled = isBusy;
    // A disabled button can't be where the Tab key stops.
    if (apply.disabled && apply.tabIndex === 0 && !isBusy) {
      apply.tabIndex = -1;
      applyAll.tabIndex = 0;
    }
  }

  async function askApply(all: boolean): Promise<void> {
    if (isBusy || (!all && countSelected(cards, selection) === 0)) return;
    await ask({ type: 'apply', proposal: review.proposal, cards: choicesOf(cards, selection, all), all });
  }

  function askDiscard(): void {
    if (!isBusy) void ask({ type: 'discard', proposal: review.proposal });
  }

  function change(id: string, make: (chosen: Chosen) => Chosen): void {
    const view = views.get(id);
    if (!view || isBusy) return;
    const chosen = make(selection[id] ?? proposedOf(view.card));
    selection = { ...selection, [id]: chosen };
    view.choose(chosen);
    drawBar();
    say(fill(texts.selected, countSelected(cards, selection), cards.length));
    keep();
  }

  const ready = inSlices(
    cards,
    (card) => {
      const { id } = card;
      const view = createCard(card, texts, {
        toggle: () => change(id, (chosen) => toggleCard(card, chosen)),
        togglePart: (hunk) => change(id, (chosen) => togglePart(card, chosen, hunk)),
        answer: (value) => change(id, (chosen) => answerCard(card, chosen, value)),
        fold() {
          setFolded(id, !folded.has(id));
          drawFoldAll();
        },
        openDiff: () => void ask({ type: 'openDiff', card: id }),
        openSource: (source) => void ask({ type: 'openSource', card: id, source }),
        openMemory: (path) => void ask({ type: 'openMemory', path }),
      });
      views.set(id, view);
      view.choose(selection[id] ?? proposedOf(card));
      view.fold(folded.has(id));
      view.element.hidden = !isShown(card.kind);
      view.element.classList.toggle('current', id === current);
      view.element.addEventListener('focusin', () => {
        if (current !== id) setCurrent(id);
      });
      list.append(view.element);
    },
    () => isOver,
  ).then(() => {
    if (isOver) return;
    list.dataset.drawn = '';
    if (before && document.scrollingElement) document.scrollingElement.scrollTop = before.scroll;
  });
  const onScroll = () => keep();
  window.addEventListener('scroll', onScroll, { passive: true });
  setLayout(layout);
  setFilter(filter);
  drawFoldAll();
  drawBar();

  function focusCard(id: string | undefined): void {
    const view = id === undefined ? undefined : views.get(id);
    if (!view) return;
    setCurrent(id);
    view.element.focus({ preventScroll: true });
    view.element.scrollIntoView({ block: 'nearest' });
  }

  function step(by: number): void {
    const shown = shownIds();
    const at = current === undefined ? -1 : shown.indexOf(current);
    // The first press finds the card that is marked already.
    const isIn = current !== undefined && views.get(current)?.element.contains(document.activeElement);
    focusCard(shown[Math.min(shown.length - 1, Math.max(0, isIn ? at + by : Math.max(0, at)))]);
  }

  /** Keys that belong to the element in focus are its own. */
  function press(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    const isOnCard = target.matches('article');
    const card = cards.find(({ id }) => id === current);
    const view = card && views.get(card.id);
    switch (event.key) {
      case 'j':
      case 'k':
        step(event.key === 'j' ? 1 : -1);
        return true;
      case 'f':
        bar.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
        return true;
      case 'd':
        if (card && card.kind !== 'choose') void ask({ type: 'openDiff', card: card.id });
        return true;
      case 'x': {
        if (!view || view.parts.length === 0) return true;
        const at = view.parts.indexOf(document.activeElement as HTMLInputElement);
        if (view.isFolded()) setFolded(view.card.id, false);
        view.parts[(at + 1) % view.parts.length]?.focus();
        return true;
      }
      case 'Escape':
        focusCard(current);
        return true;
      case ' ':
        if (!isOnCard || !card) return false;
        change(card.id, (chosen) => toggleCard(card, chosen));
        return true;
      case 'Enter':
        if (!isOnCard || !card) return false;
        setFolded(card.id, !folded.has(card.id));
        drawFoldAll();
        return true;
      default:
        return false;
    }
  }

  return {
    setBusy(next) {
      isBusy = next;
      main.setAttribute('aria-busy', String(next));
      for (const each of list.querySelectorAll<HTMLInputElement>('input')) each.disabled = next;
      drawBar();
    },
    reveal(id) {
      void ready.then(() => {
        if (!views.has(id)) return;
        if (!isShown(views.get(id)?.card.kind ?? 'created')) setFilter('all');
        setFolded(id, false);
        focusCard(id);
      });
    },
    key(event) {
      const { target } = event;
      if (event.isComposing || event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        void askApply(false);
        return;
      }
      const isTyping =
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && /^(text|search)$/.test(target.type));
      if (!isTyping && press(event)) event.preventDefault();
    },
    dispose() {
      isOver = true;
      clearTimeout(keeping);
      window.removeEventListener('scroll', onScroll);
    },
  };
}
