// The dream review's panel: one at a time, brought back after a window was loaded anew. It shows what it is handed and passes on
// what a person decides; it knows no engine. What it was not asked for by the page, it does not do.

import { randomBytes } from 'node:crypto';
import { type Disposable, env, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Applied } from '../core/dream/applying';
import type { Proposal, Selection } from '../core/dream/proposal';
import type { UndoResult } from '../core/memory/snapshots';
import { isIndex } from './proposalCards';
import { Refusal } from './refusal';
import type { ReviewDocuments } from './reviewDocuments';
import { reviewHtml } from './reviewHtml';
import type { ReviewContext } from './reviewModel';
import {
  type PageAction,
  parseRequest,
  type Review,
  type ReviewRequest,
  type ReviewState,
  type Source,
} from './reviewProtocol';
import type { Words } from './words';

export const reviewViewType = 'reverie.dreamReview';

export interface Waiting extends Pick<ReviewContext, 'disk' | 'memoryOf' | 'sourceOf'> {
  readonly proposal: Proposal;
}

/** What the panel may ask for. Each rejects with a sentence for a person. */
export interface ReviewDesk {
  /** `undefined`: nothing waits. */
  waiting(project: string): Promise<Waiting | undefined>;
  /** Why nothing waits, in a sentence or two. */
  whyEmpty(project: string): Promise<string>;
  apply(project: string, proposal: string, selection: Selection): Promise<Applied>;
  discard(project: string, proposal: string): Promise<void>;
  undo(project: string, run: string): Promise<UndoResult>;
  openSource(project: string, source: Source): Promise<void>;
  openMemory(project: string, path: string): Promise<void>;
  act(project: string, action: PageAction): Promise<void>;
  /** An error as a sentence. */
  explain(error: unknown): string;
}

export interface DreamReview extends Disposable {
  /** Opens the panel or brings it to the front; with `card`, at that card. */
  show(project: string, card?: string): Promise<void>;
  /** Something about a project's proposal or its memories changed. */
  changed(project: string): void;
  /** What the page shows; for tests inside a host. */
  state(): ReviewState | undefined;
}

interface Shown {
  readonly waiting: Waiting;
  readonly review: Review;
}

export function createDreamReview(options: {
  readonly extensionUri: Uri;
  readonly desk: ReviewDesk;
  readonly documents: ReviewDocuments;
  readonly words: Words;
  readonly log: { error(message: string): void };
}): DreamReview {
  const { extensionUri, desk, documents, words, log } = options;
  const { t, number } = words;
  const roots = [Uri.joinPath(extensionUri, 'dist'), Uri.joinPath(extensionUri, 'media')];
  let panel: WebviewPanel | undefined;
  let project = '';
  let state: ReviewState = { status: 'loading' };
  let shown: Shown | undefined;
  let run: string | undefined;
  let isBusy = false;
  let reveal: string | undefined;

  const bundle = () => import('./reviewBundle');

  async function send(next: ReviewState): Promise<void> {
    state = next;
    const { pageTexts } = await bundle();
    await panel?.webview.postMessage({ type: 'state', project, state, texts: pageTexts(words) });
    if (panel) panel.title = t('Dream Review');
    if (reveal !== undefined && next.status === 'pending') {
      await panel?.webview.postMessage({ type: 'reveal', card: reveal });
      reveal = undefined;
    }
  }

  const message = (
    kind: Extract<ReviewState, { status: 'message' }>['kind'],
    title: string,
    text: string,
    actions: readonly PageAction[],
  ): Promise<void> => send({ status: 'message', kind, title, text, actions });

  /** Shows what waits, whatever was shown before. */
  async function load(): Promise<void> {
    run = undefined;
    try {
      const waiting = await desk.waiting(project);
      if (!waiting) {
        shown = undefined;
        await message('empty', t('Nothing to review'), await desk.whyEmpty(project), ['runDream', 'showHistory']);
        return;
      }
      await showWaiting(waiting);
    } catch (error) {
      shown = undefined;
      log.error(`The review can't be shown: ${error}`);
      const text = t('This proposal can’t be read any more. The memories are as they are.');
      await message('unreadable', t('Dream Review'), text, ['runDream']);
    }
  }

  async function showWaiting(waiting: Waiting): Promise<void> {
    const { buildReview } = await bundle();
    const review = buildReview(waiting.proposal, { ...waiting, words, now: Date.now() });
    shown = { waiting, review };
    await send({ status: 'pending', review });
  }

  /** The proposal or a file of it changed while a person looks at it. */
  async function follow(): Promise<void> {
    const before = shown;
    if (!panel || isBusy || state.status !== 'pending' || !before) return;
    const waiting = await desk.waiting(project);
    if (isBusy || shown !== before) return;
    if (waiting?.proposal.id === before.waiting.proposal.id) return showWaiting(waiting);
    if (!waiting) return load();
    shown = undefined;
    const text = t('Nothing of the older one was applied.');
    return message('superseded', t('A newer dream took its place'), text, ['review', 'close']);
  }

  async function apply({ cards, proposal, all }: Extract<ReviewRequest, { type: 'apply' }>): Promise<void> {
    if (!shown || shown.review.proposal !== proposal)
      throw new Refusal(t('This review is no longer the one that waits.'));
    const { waiting, review } = shown;
    const { outcomeOf, selectionOf } = await bundle();
    const { loss } = waiting.proposal;
    const chosen = selectionOf(waiting.proposal, waiting.disk, cards);
    if (chosen.cards.length === 0) return;
    if (all && loss.tooMuchLost) {
      const question = t(
        'Remove {0} of {1} memories? They go to the trash and Undo brings them back.',
        number(loss.removed),
        number(loss.memoriesBefore),
      );
      const remove = t('Remove');
      const answer = await window.showWarningMessage(question, { modal: true }, remove);
      if (answer !== remove) return;
    }
    isBusy = true;
    try {
      await send({ status: 'applying', review });
      const result = await desk.apply(project, proposal, chosen.selection);
      if (result.conflicts.length > 0) {
        isBusy = false;
        [reveal] = result.conflicts;
        await load();
        const [first = ''] = result.conflicts;
        throw new Refusal(
          result.conflicts.length === 1
            ? t('“{0}” changed meanwhile, so nothing was applied. Choose what becomes of it.', first)
            : t(
                '{0} files changed meanwhile, so nothing was applied. Choose what becomes of them.',
                number(result.conflicts.length),
              ),
        );
      }
      run = result.run;
      const parts = review.cards.map(({ id, sections }) => ({ id, parts: sections.length }));
      const { results, applied, leftFiles, leftHunks } = outcomeOf(parts, chosen, result);
      const title = applied === 1 ? t('Applied 1 change') : t('Applied {0} changes', number(applied));
      await send({ status: 'applied', review, title, text: leftText(leftHunks, leftFiles), results });
    } catch (error) {
      if (state.status === 'applying') await send({ status: 'pending', review });
      throw error;
    } finally {
      isBusy = false;
    }
  }

  function leftText(hunks: number, files: number): string {
    const parts = hunks === 1 ? t('1 part') : t('{0} parts', number(hunks));
    const whole = files === 1 ? t('1 change') : t('{0} changes', number(files));
    if (hunks === 0 && files === 0) return '';
    if (files === 0) return t('Left out: {0}.', parts);
    if (hunks === 0) return t('Left out: {0}.', whole);
    return t('Left out: {0} and {1}.', parts, whole);
  }

  async function discard(proposal: string): Promise<void> {
    if (!shown || shown.review.proposal !== proposal) return;
    const count = shown.review.cards.length;
    const question =
      count === 1
        ? t('Discard 1 change? The memories stay as they are.')
        : t('Discard {0} changes? The memories stay as they are.', number(count));
    const yes = t('Discard');
    const answer = await window.showWarningMessage(question, { modal: true }, yes);
    if (answer !== yes) return;
    isBusy = true;
    try {
      await desk.discard(project, proposal);
      shown = undefined;
      await message('discarded', t('Discarded'), t('The memories are as they were.'), ['close', 'showHistory']);
    } finally {
      isBusy = false;
    }
  }

  async function undo(): Promise<void> {
    if (run === undefined) return;
    const { restored, conflicts } = await desk.undo(project, run);
    run = undefined;
    const files = restored.filter((path) => !isIndex(path)).length;
    const back = files === 1 ? t('1 file is as it was.') : t('All {0} files are as they were.', number(files));
    const alone =
      conflicts.length === 1
        ? t('1 file was edited since and was left alone.')
        : t('{0} files were edited since and were left alone.', number(conflicts.length));
    const some = files === 1 ? t('1 file is as it was.') : t('{0} files are as they were.', number(files));
    const text = conflicts.length === 0 ? back : `${some} ${alone}`;
    shown = undefined;
    await message('undone', t('Undone'), text, ['showMemories', 'close']);
  }

  async function openDiff(id: string): Promise<void> {
    const change = shownChange(id);
    if (!change) return;
    const { proposal, path, before, after, name } = change;
    await documents.diff(proposal, path, before, after, t('{0}: before and after the dream', name));
  }

  function shownChange(id: string) {
    const { review, waiting } = lastShown ?? {};
    const card = review?.cards.find((each) => each.id === id);
    const change = waiting?.proposal.changes.find(({ path }) => path === card?.path);
    if (!card || !change || !review || !waiting) return undefined;
    const stands = card.kind === 'conflict' ? (waiting.disk.get(card.path)?.text ?? '') : (change.before ?? '');
    return { proposal: review.proposal, path: card.path, before: stands, after: change.after ?? '', name: card.name };
  }

  /** What is on the page, applied or not. */
  let lastShown: Shown | undefined;

  async function serve(request: ReviewRequest): Promise<void> {
    if (shown) lastShown = shown;
    switch (request.type) {
      case 'ready':
        return state.status === 'loading' ? load() : send(state);
      case 'apply':
        return apply(request);
      case 'discard':
        return discard(request.proposal);
      case 'undo':
        return undo();
      case 'openDiff':
        return openDiff(request.card);
      case 'openSource': {
        const source = sourcesOf(request.card)[request.source];
        return source && desk.openSource(project, source);
      }
      case 'openMemory':
        return desk.openMemory(project, request.path);
      case 'act':
        if (request.action === 'close') return panel?.dispose();
        if (request.action === 'review') return load();
        return desk.act(project, request.action);
    }
  }

  const sourcesOf = (card: string): readonly Source[] =>
    lastShown?.review.cards.find(({ id }) => id === card)?.sources ?? [];

  function attach(next: WebviewPanel): void {
    panel = next;
    const { webview } = next;
    webview.options = { enableScripts: true, localResourceRoots: roots };
    webview.onDidReceiveMessage(async (value: unknown) => {
      const request = parseRequest(value);
      if (!request) return;
      let error: string | undefined;
      try {
        await serve(request);
      } catch (reason) {
        error = desk.explain(reason);
      }
      const answer = {
        type: 'answer',
        request: request.request,
        ...(error === undefined ? { ok: true } : { ok: false, error }),
      };
      await next.webview.postMessage(answer);
    });
    next.onDidDispose(() => {
      if (panel !== next) return;
      panel = undefined;
      shown = undefined;
      lastShown = undefined;
      run = undefined;
      state = { status: 'loading' };
    });
    webview.html = reviewHtml({
      script: webview.asWebviewUri(Uri.joinPath(extensionUri, 'dist', 'dreamReview.js')).toString(),
      styles: ['dreamReview.css', 'dreamReviewCards.css'].map((name) =>
        webview.asWebviewUri(Uri.joinPath(extensionUri, 'media', name)).toString(),
      ),
      source: webview.cspSource,
      nonce: randomBytes(16).toString('hex'),
      language: env.language,
      title: t('Dream Review'),
    });
  }

  const serializer = window.registerWebviewPanelSerializer(reviewViewType, {
    async deserializeWebviewPanel(restored, kept: unknown) {
      if (panel) return restored.dispose();
      project = typeof kept === 'object' && kept !== null && 'project' in kept ? String(kept.project) : '';
      attach(restored);
    },
  });

  return {
    async show(next, card) {
      const isOther = next !== project;
      project = next;
      reveal = card;
      if (panel) {
        panel.reveal();
        await load();
        return;
      }
      if (isOther) shown = undefined;
      state = { status: 'loading' };
      attach(
        window.createWebviewPanel(reviewViewType, t('Dream Review'), ViewColumn.Active, {
          enableScripts: true,
          localResourceRoots: roots,
        }),
      );
    },
    changed(key) {
      if (key === project) void follow().catch((error) => log.error(`The review can't follow: ${error}`));
    },
    state: () => (panel ? state : undefined),
    dispose() {
      serializer.dispose();
      panel?.dispose();
    },
  };
}
