// What was applied and what was left out, folded up, with Undo.

import type { PageTexts, ReviewState } from '../../src/views/reviewProtocol';
import type { Ask } from '../dreamReview';
import { createCard } from './card';
import { button, el, icon, makeToolbar } from './dom';
import { inSlices } from './slices';

export function showApplied(options: {
  readonly state: Extract<ReviewState, { status: 'applied' }>;
  readonly texts: PageTexts;
  readonly ask: (request: Ask) => Promise<boolean>;
  readonly main: HTMLElement;
  readonly footer: HTMLElement;
}): void {
  const { state, texts, ask, main, footer } = options;
  const list = el('div', { class: 'list' });
  main.append(
    el('h1', {}, icon('pass', 'good'), state.title),
    el(
      'p',
      { class: 'dim left' },
      state.text,
      state.text ? ' ' : '',
      button({ class: 'link' }, () => void ask({ type: 'act', action: 'showMemories' }), texts.actions.showMemories),
    ),
    list,
  );
  void inSlices(state.review.cards, (card) => {
    const view = createCard(
      card,
      texts,
      {
        toggle() {},
        togglePart() {},
        answer() {},
        fold: () => view.fold(!view.isFolded()),
        openDiff: () => void ask({ type: 'openDiff', card: card.id }),
        openSource: (source) => void ask({ type: 'openSource', card: card.id, source }),
        openMemory: (path) => void ask({ type: 'openMemory', path }),
      },
      state.results[card.id] ?? 'left',
    );
    list.append(view.element);
  });
  const undo = button(
    { class: 'b' },
    () => {
      undo.disabled = true;
      void ask({ type: 'undo' }).then(() => {
        undo.disabled = false;
      });
    },
    texts.undo,
  );
  const bar = el(
    'div',
    { role: 'toolbar', 'aria-label': texts.undo },
    undo,
    button({ class: 'b s' }, () => void ask({ type: 'act', action: 'close' }), texts.close),
    el('span', { class: 'dim' }, texts.undoHint),
  );
  makeToolbar(bar);
  footer.append(bar);
  undo.focus({ preventScroll: true });
}
