// The page of the dream review. It shows the state it is told and asks for everything else: it applies nothing itself. What a
// person chose here is kept by the editor, so the page may be hidden or reloaded at any time and asks for its state again.

import type { PageAction, PageTexts, ReviewMessage, ReviewRequest, ReviewState } from '../src/views/reviewProtocol';
import { showApplied } from './review/applied';
import { button, el, icon } from './review/dom';
import { createPending, type Kept, type Pending } from './review/pending';

interface Editor {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Editor;

type Ask = ReviewRequest extends infer R
  ? R extends { readonly request: number }
    ? Omit<R, 'request'>
    : never
  : never;

const editor = acquireVsCodeApi();
const main = el('main', {});
const footer = el('footer', { hidden: true });
const live = el('div', { class: 'sr', 'aria-live': 'polite' });
const failure = el('div', { class: 'failure', role: 'alert' });
document.body.append(main, failure, footer, live);

let pending: Pending | undefined;
let lastRequest = 0;
const waiting = new Map<number, (error: string | undefined) => void>();
let drawn: ReviewState | undefined;

/** Resolves to whether it was done; what went wrong is said on the page. */
function ask(request: Ask): Promise<boolean> {
  lastRequest += 1;
  const number = lastRequest;
  failure.replaceChildren();
  return new Promise((done) => {
    waiting.set(number, (error) => {
      if (error !== undefined) failure.replaceChildren(icon('error', 'bad'), el('p', {}, error));
      done(error === undefined);
    });
    editor.postMessage({ ...request, request: number });
  });
}

/** Said to a screen reader. The same words twice are said once. */
function say(text: string): void {
  if (live.textContent !== text) live.textContent = text;
}

const kept = (): Kept | undefined => {
  const state = editor.getState();
  return typeof state === 'object' && state !== null && 'proposal' in state ? (state as Kept) : undefined;
};

function show(project: string, state: ReviewState, texts: PageTexts): void {
  const before = drawn;
  drawn = state;
  if (state.status !== 'loading' && !kept()) editor.setState({ project });
  document.body.dataset.status = state.status;
  if (
    (state.status === 'pending' || state.status === 'applying') &&
    pending &&
    JSON.stringify(before && 'review' in before && before.review) === JSON.stringify(state.review)
  ) {
    pending.setBusy(state.status === 'applying');
    return;
  }
  pending?.dispose();
  pending = undefined;
  main.replaceChildren();
  footer.replaceChildren();
  footer.hidden = true;
  switch (state.status) {
    case 'loading':
      main.append(el('p', { class: 'dim' }, texts.loading));
      return;
    case 'pending':
    case 'applying':
      footer.hidden = false;
      pending = createPending({
        review: state.review,
        texts,
        kept: kept(),
        keep: (next) => editor.setState({ ...next, project }),
        ask,
        say,
        main,
        footer,
      });
      pending.setBusy(state.status === 'applying');
      return;
    case 'applied':
      footer.hidden = false;
      showApplied({ state, texts, ask, main, footer });
      say(`${state.title} ${state.text}`);
      return;
    case 'message': {
      const press = (action: PageAction) => void ask({ type: 'act', action });
      const buttons = state.actions.map((action, at) =>
        button({ class: at === 0 ? 'b' : 'b s' }, () => press(action), texts.actions[action]),
      );
      const isGood = state.kind === 'undone';
      const isBad = state.kind === 'unreadable';
      main.append(
        el(
          'h1',
          { tabindex: '-1' },
          isGood ? icon('pass', 'good') : isBad ? icon('error', 'bad') : undefined,
          state.title,
        ),
        el('p', { class: 'dim message' }, state.text),
        el('div', { class: 'buttons' }, ...buttons),
      );
      say(`${state.title} ${state.text}`);
    }
  }
}

window.addEventListener('message', ({ data }: MessageEvent<ReviewMessage>) => {
  switch (data.type) {
    case 'state':
      show(data.project, data.state, data.texts);
      return;
    case 'reveal':
      pending?.reveal(data.card);
      return;
    case 'answer': {
      const settle = waiting.get(data.request);
      waiting.delete(data.request);
      settle?.(data.ok ? undefined : data.error);
    }
  }
});
window.addEventListener('keydown', (event) => pending?.key(event));
void ask({ type: 'ready' });

export type { Ask };
