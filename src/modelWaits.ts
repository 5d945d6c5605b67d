// What happens to chats whose model could not be had: it is said once what they wait for, and they are read when it is there
// again. Nothing goes on with another engine meanwhile, and nothing is asked of a person but by a button.

import { commands } from 'vscode';
import type { Disposable } from './core/event';
import type { ExtractionOutcome } from './core/extraction/outcome';
import type { Logger } from './core/log';
import type { EditorModels } from './editorModels';
import type { Notices } from './notices';
import type { OpenProject, Projects } from './projects';
import type { StatusBar } from './views/statusBar';
import type { Words } from './views/words';

/** Models come one by one when the editor starts, and each look at them may bring more news of them. */
const settleMs = 3_000;
const leastMs = 60_000;
const waiting: ReadonlySet<string | undefined> = new Set(['no_permission', 'unknown_model', 'unauthorised']);

export interface ModelWaits extends Disposable {
  /** Of a run that failed. What waits for a quota or for a person is said once; the tree has the reason of each chat. */
  tell(open: OpenProject, failed: ExtractionOutcome): Promise<void>;
  /** Chats that failed because their model could not be had. Never rejects. */
  readAgain(): Promise<void>;
  /** To be called when models came or went, or another access was given. */
  mayGoOn(): void;
}

export function createModelWaits(options: {
  readonly chatModels: Pick<EditorModels, 'blockedUntil'>;
  readonly projects: Pick<Projects, 'current'>;
  readonly statusBar: Pick<StatusBar, 'flash'>;
  readonly notices: Pick<Notices, 'warn'>;
  readonly words: Words;
  readonly log: Logger;
}): ModelWaits {
  const { chatModels, projects, statusBar, notices, log } = options;
  const { t } = options.words;
  let saidBlockedUntil = 0;
  let hasSaidAccess = false;
  let timer: NodeJS.Timeout | undefined;
  let last = 0;

  async function readAgain(): Promise<void> {
    try {
      for (const { project } of projects.current()) {
        for (const { session, failure } of await project.sessions())
          if (waiting.has(failure)) await project.extract(session, 'retry');
      }
    } catch (error) {
      log.warn(`Chats that wait for a model: ${error}`);
    }
  }

  return {
    async tell(open, failed) {
      const provider = await open.project.provider();
      if (provider.kind === 'vscode' && failed.failure === 'rate_limited') {
        const until = (await chatModels.blockedUntil(provider.models.extraction)) ?? 0;
        if (until > 0 && until === saidBlockedUntil) return;
        saidBlockedUntil = until;
      }
      statusBar.flash({ ...failed, kind: 'failed' });
      if (provider.kind !== 'vscode' || failed.failure !== 'no_permission' || hasSaidAccess) return;
      hasSaidAccess = true;
      notices.warn(
        t('Reverie may not use the chat model yet, so your chats wait to be read.'),
        { label: t('Grant Access…'), run: () => commands.executeCommand('reverie.grantAccess') },
        { label: t('Choose Model…'), run: () => commands.executeCommand('reverie.chooseModel') },
      );
    },
    readAgain,
    mayGoOn() {
      if (timer) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          last = Date.now();
          void readAgain();
        },
        Math.max(settleMs, last + leastMs - Date.now()),
      );
    },
    dispose: () => clearTimeout(timer),
  };
}
