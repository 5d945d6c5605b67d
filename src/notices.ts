// What is told to a person in a notification, and the one place where an error becomes a sentence. A notification is
// never waited for: what it reports has happened already.

import { CancellationError, type LogOutputChannel, window } from 'vscode';
import type { MemoryErrorCode } from './core/memoryError';
import { Refusal } from './views/refusal';
import type { Words } from './views/words';

export interface Action {
  readonly label: string;
  readonly run: () => unknown;
}

export interface Notices {
  info(text: string, ...actions: readonly Action[]): void;
  warn(text: string, ...actions: readonly Action[]): void;
  /** What was refused, in the language of the editor; `undefined` for a fault. */
  sentenceOf(error: unknown): string | undefined;
  /** Runs what a person started; `title` is what they called it. Failures are told and logged, cancelling is silent. */
  guard<T>(title: string, work: () => T | Promise<T>): Promise<T | undefined>;
}

export const isCancellation = (error: unknown): boolean =>
  error instanceof CancellationError || (error instanceof Error && error.name === 'AbortError');

export function createNotices(words: Words, log: LogOutputChannel, language: string): Notices {
  const { t } = words;

  /** Links of any kind work in a notification, those to commands too; a memory's name must never be one. */
  const plain = (text: string) => text.replaceAll('](', '] (');

  async function tell(shown: Thenable<string | undefined>, actions: readonly Action[]): Promise<void> {
    const label = await shown;
    const action = actions.find((each) => each.label === label);
    if (action) await guard(action.label, action.run);
  }

  function sentenceOf(error: unknown): string | undefined {
    if (error instanceof Refusal) return error.message;
    const refusal = refusalOf(error);
    return refusal && (language.startsWith('en') ? refusal.message : refusalText(refusal, words));
  }

  async function guard<T>(title: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isCancellation(error)) return undefined;
      const text = sentenceOf(error);
      if (text !== undefined) {
        log.info(`${title}: refused, ${refusalOf(error)?.code ?? 'here'}`);
        // A refusal is no fault of the program, and nothing was changed.
        void tell(window.showWarningMessage(plain(text)), []);
      } else {
        log.error(`${title}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
        const showLog = { label: t('Show Log'), run: () => log.show() };
        const failed = t('{0} failed. Nothing was lost.', title.replace(/…$/, ''));
        void tell(window.showErrorMessage(plain(failed), showLog.label), [showLog]);
      }
      return undefined;
    }
  }

  const labels = (actions: readonly Action[]) => actions.map(({ label }) => label);
  return {
    info: (text, ...actions) => void tell(window.showInformationMessage(plain(text), ...labels(actions)), actions),
    warn: (text, ...actions) => void tell(window.showWarningMessage(plain(text), ...labels(actions)), actions),
    guard,
    sentenceOf,
  };
}

interface EngineRefusal {
  readonly code: MemoryErrorCode;
  readonly message: string;
  readonly path?: string;
  readonly refusal?: { readonly rule: string; readonly line?: number };
}

/** By name and not by class: the engine's own class is loaded with the engine. */
function refusalOf(error: unknown): EngineRefusal | undefined {
  return error instanceof Error && error.name === 'MemoryError' ? (error as unknown as EngineRefusal) : undefined;
}

/** The engine speaks English, and in more detail; in another language a refusal is told by its code. */
function refusalText({ code, message, path, refusal }: EngineRefusal, { t, number }: Words): string {
  const file = path ?? 'MEMORY.md';
  switch (code) {
    case 'outside':
      return t('“{0}” leads outside the memory folder. Nothing was changed.', file);
    case 'bad_path':
      return t('“{0}” can’t be the name of a memory.', file);
    case 'not_found':
      return path === undefined ? t('There is nothing left to do: it is gone.') : t('“{0}” is gone.', file);
    case 'exists':
      return path === undefined ? t('This is known already.') : t('“{0}” is there already.', file);
    case 'changed':
      return t('“{0}” changed meanwhile. Nothing was changed; try again.', file);
    case 'unreadable':
      return t('The lines between the two --- can’t be read. Nothing was changed.');
    case 'not_text':
      return t('“{0}” is not a text file.', file);
    case 'merge_conflict':
      return t('“{0}” holds a merge conflict. Resolve it first: nothing was changed.', file);
    case 'team_off':
      return t('Team memory is not switched on in this workspace. Nothing was changed.');
    case 'user_type':
      return t('A memory about a person is always private. Nothing was changed.');
    case 'secret':
      if (refusal?.line !== undefined && path !== undefined)
        return t(
          'Line {0} of “{1}” looks like it holds a secret ({2}). Leave it out.',
          number(refusal.line),
          path,
          refusal.rule,
        );
      return t('This looks like it holds a secret. Memories are plain files: leave it out.');
    case 'too_large':
      return t('This is too long for a memory. Keep the point, and link to the rest.');
    case 'busy':
      return t('Another window or command is changing these memories. Try again in a moment.');
    case 'disabled':
      return t('Memory is off here. Nothing was changed.');
    case 'usage':
      return message;
  }
}
