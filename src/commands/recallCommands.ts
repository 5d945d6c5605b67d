// Asking memory and what a person does with the answer: kept, edited, pinned, not relevant, forgotten, and each of these
// taken back by the same button. The answer stands where the question was asked; where no file is open, in *Recalled*.

import {
  commands,
  env,
  Position,
  type Progress,
  ProgressLocation,
  Range,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { Recollection } from '../core/recall/recall';
import type { OpenProject } from '../projects';
import { readSettings } from '../settings';
import type { RecalledTarget } from '../views/recalledRows';
import type { Place } from '../views/recallReview';
import { fellBackText, promptText, questionOf } from '../views/recallTexts';
import { oneLine } from '../views/words';
import { asLabel, type CommandContext, type Handlers, pickProject, targetsOf } from './context';
import { undo } from './undo';

type MemoryTarget = Extract<RecalledTarget, { readonly kind: 'memory' }>;

/** A recall by words is done long before; only a model lets a person wait. */
const progressAfterMs = 400;
const copiedMs = 4_000;

export function recallCommands(context: CommandContext): Handlers {
  const { projects, words, notices, recalls } = context;
  const { review: recallReview, deeds: recallDeeds } = recalls;
  const { t } = words;

  async function recall(question: string, place: Place | undefined): Promise<Recollection | undefined> {
    const open = place ? await projectAt(place.uri) : await pickProject(context);
    if (!open) return undefined;
    // From here on, what changes is heard of.
    await recalls.live.read();
    const found = await withLateProgress(t('Recalling…'), (signal) =>
      open.project.recall(question, { way: place ? 'inline' : 'palette', signal }),
    );
    if (!place) await showInView(open, found);
    else {
      const { timeoutMs } = (await readSettings(place.uri)).recall;
      await recallReview.show(
        { project: open.key, place, found },
        fellBackText(found.fellBack, timeoutMs / 1000, words),
      );
    }
    return found;
  }

  async function projectAt(uri: Uri): Promise<OpenProject | undefined> {
    await projects.open();
    return (uri.scheme === 'file' ? projects.ofFile(uri.fsPath) : undefined) ?? pickProject(context);
  }

  async function showInView(open: OpenProject, { considered }: Recollection): Promise<void> {
    if (considered === 0) {
      const remember = { label: t('Remember This…'), run: () => commands.executeCommand('reverie.remember') };
      return notices.info(t('There are no memories yet.'), remember);
    }
    await recalls.live.refresh();
    await recalls.tree.update();
    await commands.executeCommand('reverie.recalled.focus');
    const [newest] = await open.project.recalled();
    if (!newest) return;
    // The row is there to be seen, whether it could be scrolled to or not.
    await recalls.tree
      .revealTurn(open.key, newest.id)
      .catch((error) => context.log.warn(`The answer can't be scrolled to: ${error}`));
  }

  const ask = (value = '') =>
    window.showInputBox({
      title: t('Memory: Recall'),
      prompt: t('What do you want to recall? At most five memories that fit are shown.'),
      placeHolder: t('How do we make a release?'),
      value,
    });

  /** Does something with each memory that a command was started on. */
  async function each(args: readonly unknown[], act: (open: OpenProject, target: MemoryTarget) => Promise<unknown>) {
    const targets = targetsOf(args).filter(isMemory);
    for (const target of targets) {
      const open = projects.find(target.project);
      if (open) await act(open, target);
    }
    if (targets.length > 0) await Promise.all([recallReview.refresh(), recalls.live.refresh()]);
    return targets.length;
  }

  async function mark({ project }: OpenProject, target: MemoryTarget, isRelevant: boolean): Promise<void> {
    if (target.query === '') return;
    await project.markRelevance(target.path, target.query, isRelevant);
    recallReview.setLeftOut(target.project, target.query, target.path, !isRelevant);
    const name = asLabel(oneLine(target.name));
    const text = isRelevant
      ? t('Recalled again for such questions: {0}', name)
      : t('Left out for such questions: {0}', name);
    window.setStatusBarMessage(`$(${isRelevant ? 'check' : 'thumbsdown'}) ${text}`, copiedMs);
  }

  async function copy(
    open: OpenProject | undefined,
    recalled: readonly { readonly path: string }[],
  ): Promise<string | undefined> {
    if (!open) return undefined;
    const memories = await Promise.all(recalled.map(({ path }) => open.project.read(path)));
    const there = memories.filter((memory) => memory !== undefined);
    if (there.length === 0) {
      notices.info(t('There is nothing left to copy.'));
      return undefined;
    }
    const text = promptText(there, Date.now());
    await env.clipboard.writeText(text);
    const done = there.length === 1 ? t('Copied 1 memory') : t('Copied {0} memories', words.number(there.length));
    window.setStatusBarMessage(`$(copy) ${done}`, copiedMs);
    return text;
  }

  return {
    async 'reverie.recall'(given) {
      const place = placeInEditor();
      // A caller in code may say the question; a menu hands over an address, which is none.
      const said = typeof given === 'string' ? given : place && questionOf(place.text);
      const question = said ?? (await ask());
      return question === undefined || question.trim() === '' ? undefined : recall(question.trim(), place);
    },

    async 'reverie.recallAgain'(...args) {
      const thread = recallReview.of(args[0]);
      const turn = targetsOf(args).find((target) => target.kind === 'turn') as { query?: unknown } | undefined;
      const before = thread?.found.query ?? (typeof turn?.query === 'string' ? turn.query : '');
      const question = await ask(before);
      return question === undefined || question.trim() === ''
        ? undefined
        : recall(question.trim(), thread?.place ?? (turn ? undefined : placeInEditor()));
    },

    'reverie.closeRecall': (thread) => recallReview.close(thread),

    async 'reverie.copyRecalled'(...args) {
      const thread = recallReview.of(args[0]);
      if (thread) return copy(projects.find(thread.project), thread.found.memories);
      const [target] = targetsOf(args) as readonly RecalledTarget[];
      const open = target && projects.find(target.project);
      if (!open || target.kind !== 'turn') return undefined;
      const turn = (await open.project.recalled()).find(({ id }) => id === target.turn);
      return turn && copy(open, turn.memories);
    },

    async 'reverie.copyForPrompt'(...args) {
      const [target] = targetsOf(args).filter(isMemory);
      return target && copy(projects.find(target.project), [target]);
    },

    'reverie.keepRecalled': (...args) =>
      each(args, async ({ project }, { project: key, path }) => {
        const run = await project.verify(path);
        recallDeeds.set('kept', key, path, run.id);
      }),
    'reverie.undoKeep': (...args) => each(args, (open, { path }) => takeBack(open, 'kept', path)),

    'reverie.editRecalled': (...args) =>
      each(args, async ({ project }, { path }) => {
        const document = await workspace.openTextDocument(Uri.file(await project.locate(path)));
        const memory = await project.read(path);
        const body = memory?.body.replace(/^\s+/, '') ?? '';
        const start = document.positionAt(Math.max(0, document.getText().length - body.length));
        // Beside it, so that the question and the answer stay in sight.
        const editor = await window.showTextDocument(document, {
          viewColumn: ViewColumn.Beside,
          selection: new Range(start, start),
        });
        editor.revealRange(new Range(start, start), TextEditorRevealType.InCenterIfOutsideViewport);
      }),

    'reverie.notRelevant': (...args) => each(args, (open, target) => mark(open, target, false)),
    'reverie.undoNotRelevant': (...args) => each(args, (open, target) => mark(open, target, true)),

    'reverie.forgetRecalled': (...args) =>
      each(args, async ({ project }, { project: key, path }) => {
        const run = await project.forget([path]);
        recallDeeds.set('forgotten', key, path, run.id);
      }),
    'reverie.undoForget': (...args) =>
      each(args, async (open, { path }) => {
        // Forgotten elsewhere or in an earlier window: the trash has it.
        if (recallDeeds.runOf('forgotten', open.key, path) === undefined) await open.project.restore(path);
        else await takeBack(open, 'forgotten', path);
      }),

    async 'reverie.clearRecalled'() {
      for (const { project } of await projects.open()) await project.clearRecalled();
      await recalls.live.refresh();
    },
  };

  async function takeBack(open: OpenProject, deed: 'kept' | 'forgotten', path: string): Promise<void> {
    const run = recallDeeds.runOf(deed, open.key, path);
    if (run === undefined) return;
    const { conflicts } = await undo(context, open, [run]);
    if (conflicts.length === 0) recallDeeds.set(deed, open.key, path, undefined);
  }
}

const isMemory = (target: { readonly kind: string }): target is MemoryTarget =>
  target.kind === 'memory' && 'path' in target && typeof target.path === 'string' && 'query' in target;

/** The selection, or the line of the cursor, where a file is open in the editor. */
function placeInEditor(): (Place & { readonly text: string }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor || !['file', 'untitled', 'vscode-remote'].includes(editor.document.uri.scheme)) return undefined;
  const { document, selection } = editor;
  const line = document.lineAt(selection.active.line).range;
  if (selection.isEmpty) return { uri: document.uri, range: line, text: document.getText(line) };
  // A selection of whole lines ends before the first sign of the next one.
  const isBefore = selection.end.character === 0 && selection.end.line > selection.start.line;
  const end = isBefore ? document.lineAt(selection.end.line - 1).range.end : selection.end;
  const range = new Range(new Position(selection.start.line, selection.start.character), end);
  return { uri: document.uri, range, text: document.getText(range) };
}

/** Shows progress with a way to cancel, but only for work that takes long enough to be seen. */
async function withLateProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const result = work(cancel.signal);
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<true>((late) => {
    timer = setTimeout(() => late(true), progressAfterMs);
  });
  const first = await Promise.race([result.then(() => false), isLate]).finally(() => clearTimeout(timer));
  if (!first) return result;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (_progress: Progress<unknown>, token) => {
    token.onCancellationRequested(() => cancel.abort());
    return result;
  });
}
