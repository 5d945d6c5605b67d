// What a person is told when chats were read: one toast for the first save ever and for the first line in a log, after that the
// status bar for five seconds. A failure waits in the status bar.

import { commands, type Memento } from 'vscode';
import type { CommandContext, LastRun } from './commands/context';
import { undo } from './commands/undo';
import type { ExtractionOutcome } from './core/extraction/outcome';
import type { ModelWaits } from './modelWaits';
import type { OpenProject } from './projects';
import { sessionTitle } from './views/sessionRows';
import { broughtBy } from './views/status';
import type { Words } from './views/words';

const firstSaveKey = 'reverie.hasSaidFirstSave';
const firstLogKey = 'reverie.hasSaidFirstLog';

export interface RunNotices {
  lastRun(): LastRun | undefined;
  tell(context: CommandContext, open: OpenProject, outcomes: readonly ExtractionOutcome[], isSilent: boolean): void;
}

export function createRunNotices(options: {
  readonly waits: ModelWaits;
  readonly globalState: Memento;
  readonly words: Words;
}): RunNotices {
  const { waits, globalState, words } = options;
  const { t, number } = words;
  let lastRun: LastRun | undefined;

  function firstText(saved: number, logged: number, title: string): string {
    if (logged > 0)
      return logged === 1
        ? t(
            'Noted 1 line of “{0}” in the daily log. A dream at night makes memories of it; from now on only the status bar says so.',
            title,
          )
        : t(
            'Noted {0} lines of “{1}” in the daily log. A dream at night makes memories of them; from now on only the status bar says so.',
            number(logged),
            title,
          );
    return saved === 1
      ? t(
          'Saved 1 memory from “{0}”. Reverie does this after each chat session; from now on only the status bar says so.',
          title,
        )
      : t(
          'Saved {0} memories from “{1}”. Reverie does this after each chat session; from now on only the status bar says so.',
          number(saved),
          title,
        );
  }

  return {
    lastRun: () => lastRun,
    tell(context, open, outcomes, isSilent) {
      const { statusBar, notices } = context;
      const { saved, suggested, logged } = broughtBy(outcomes);
      const failed = outcomes.find(({ outcome, reason }) => outcome === 'failed' && reason !== 'cancelled');
      lastRun = {
        project: open.key,
        writtenPaths: outcomes.flatMap(({ writtenPaths }) => writtenPaths),
        suggested,
        failure: failed && { ...failed, file: failed.session.file },
      };
      if (isSilent) return;
      if (failed) {
        void waits.tell(open, failed);
        return;
      }
      if (statusBar.current().kind === 'failed') statusBar.seen();
      if (saved + suggested + logged === 0) return;
      statusBar.flash({ kind: 'saved', saved, suggested, logged });
      const key = logged > 0 ? firstLogKey : firstSaveKey;
      if (saved + logged === 0 || globalState.get(key) === true) return;
      void globalState.update(key, true);
      const first = outcomes.find(({ savedCount, loggedCount = 0 }) => savedCount + loggedCount > 0);
      const title = first ? sessionTitle({ title: first.title, session: { modifiedAt: Date.now() } }, words) : '';
      const runs = outcomes.flatMap((outcome) => outcome.runs);
      notices.info(
        firstText(saved, logged, title),
        { label: t('Show'), run: () => commands.executeCommand('reverie.showSaved') },
        { label: t('Undo'), run: () => undo(context, open, runs) },
      );
    },
  };
}
