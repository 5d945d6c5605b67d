// Chat sessions: what came of one, trying again, leaving one out, and learning from those that lie in the past, with a
// range to choose, progress, cancel and undo.

import { commands, ProgressLocation, type QuickPickItem, ThemeIcon, window } from 'vscode';
import type { ExtractionOutcome } from '../core/extraction/outcome';
import type { PastProgress } from '../core/project';
import type { Session } from '../core/sessions/transcript';
import type { OpenProject } from '../projects';
import { outcomeText, type SessionFilter, sessionFilterText, sessionMark, sessionTitle } from '../views/sessionRows';
import { broughtBy, loggedText, savedText, suggestedText } from '../views/status';
import { asLabel, type CommandContext, findSession, type Handlers, pickProject, sessionTargetOf } from './context';
import { showMemories } from './memoryCommands';
import { openTranscript } from './transcripts';
import { undo } from './undo';

const dayMs = 24 * 60 * 60 * 1000;
/** A quick pick of more than this is not read. */
const mostListed = 50;

export function sessionCommands(context: CommandContext): Handlers {
  const { words, notices, sessionTree } = context;
  const { t } = words;

  /** The session of a row, else one that a person picks. */
  async function sessionOf(args: readonly unknown[]) {
    const target = sessionTargetOf(context, args);
    if (target) return findSession(context, target);
    const open = await pickProject(context);
    const entries = (await open?.project.sessions()) ?? [];
    const items = entries.slice(0, mostListed).map((entry) => ({
      label: asLabel(sessionTitle(entry, words)),
      description: `${outcomeText(entry, words)} · ${words.dayOfYear(entry.session.modifiedAt)}`,
      iconPath: new ThemeIcon(sessionMark(entry).codicon.replace('~spin', '')),
      entry,
    }));
    const picked = await window.showQuickPick(items, { placeHolder: t('Which chat session?') });
    return open && picked ? { open, entry: picked.entry } : undefined;
  }

  return {
    async 'reverie.openOutcome'(...args) {
      const found = await sessionOf(args);
      if (!found) return undefined;
      const { open, entry } = found;
      if (entry.state === 'failed') return context.log.show();
      if (entry.state === 'proposed') {
        await commands.executeCommand('reverie.memories.focus');
        if (await context.memoryTree.revealSuggestions(open.key)) return undefined;
      }
      if (entry.writtenPaths.length === 1) {
        const [path = ''] = entry.writtenPaths;
        return commands.executeCommand('reverie.open', { project: open.key, kind: 'memory', path, name: path });
      }
      if (entry.writtenPaths.length > 1) return showMemories(context, open.key, entry.writtenPaths);
      return openTranscript(entry.session.file);
    },

    async 'reverie.openTranscript'(...args) {
      const found = await sessionOf(args);
      if (found) await openTranscript(found.entry.session.file);
    },

    async 'reverie.retrySession'(...args) {
      const found = await sessionOf(args);
      if (!found) return undefined;
      return found.open.project.extract(found.entry.session, 'retry');
    },

    async 'reverie.excludeSession'(...args) {
      const found = await sessionOf(args);
      if (!found) return;
      const { open, entry } = found;
      await open.project.exclude(entry.session, true);
      await context.sessions.refresh();
      notices.info(t('Reverie leaves “{0}” alone. What was saved from it stays.', sessionTitle(entry, words)), {
        label: t('Learn Again'),
        run: () => open.project.exclude(entry.session, false),
      });
    },

    async 'reverie.includeSession'(...args) {
      const found = await sessionOf(args);
      await found?.open.project.exclude(found.entry.session, false);
      await context.sessions.refresh();
    },

    async 'reverie.undoRun'(...args) {
      const found = await sessionOf(args);
      if (found?.entry.run === undefined) return;
      await undo(context, found.open, [found.entry.run]);
      await context.sessions.refresh();
    },

    'reverie.filterSessions': () => chooseFilter(),
    'reverie.changeSessionFilter': () => chooseFilter(),
    'reverie.clearSessionFilter': () => sessionTree.setFilter([]),

    'reverie.learnFromPast': (given) => learnFromPast(context, typeof given === 'number' ? given : undefined),
  };

  async function chooseFilter(): Promise<void> {
    const now = sessionTree.filter();
    const kinds: SessionFilter = ['saved', 'failed', 'skipped'];
    const items = kinds.map((kind) => ({
      label: sessionFilterText([kind], words),
      picked: now.includes(kind),
      outcome: kind,
    }));
    const options = { title: t('Memory: Filter Sessions'), placeHolder: t('Choose what to show') };
    const picked = await window.showQuickPick(items, { ...options, canPickMany: true });
    if (picked) sessionTree.setFilter(picked.map(({ outcome }) => outcome));
  }
}

/** `days` answers the question how far back; `Infinity` is everything. */
async function learnFromPast(context: CommandContext, days: number | undefined) {
  const { notices, words } = context;
  const { t } = words;
  const open = await pickProject(context);
  if (!open) return undefined;
  const { sessions } = await open.project.past();
  if (sessions.length === 0) {
    notices.info(t('There are no past chat sessions to learn from.'));
    return undefined;
  }
  const chosen = days === undefined ? await chooseRange(context, sessions) : newerThan(sessions, days);
  if (!chosen || chosen.length === 0) return undefined;

  let done = 0;
  let isCancelled = false;
  const outcomes = await window.withProgress(
    { location: ProgressLocation.Notification, cancellable: true, title: t('Learning from past sessions') },
    async (progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => {
        isCancelled = true;
        abort.abort();
      });
      try {
        const report = (now: PastProgress) => {
          progress.report({ increment: ((now.done - done) / now.total) * 100, message: progressText(context, now) });
          done = now.done;
        };
        return await context.inSilence(() => open.project.learnPast(chosen, report, abort.signal));
      } finally {
        listening.dispose();
      }
    },
  );
  await Promise.all([context.memories.refresh(), context.sessions.refresh()]);
  tellOutcome(context, open, outcomes, chosen.length, isCancelled);
  return outcomes;
}

const newerThan = (sessions: readonly Session[], days: number) =>
  sessions.filter(({ modifiedAt }) => modifiedAt >= Date.now() - days * dayMs);

async function chooseRange(
  { words }: CommandContext,
  sessions: readonly Session[],
): Promise<readonly Session[] | undefined> {
  const { t } = words;
  const itemOf = (label: string, some: readonly Session[]): QuickPickItem & { some: readonly Session[] } => {
    const megabytes = some.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
    return {
      label,
      description: some.length === 1 ? t('1 session') : t('{0} sessions', words.number(some.length)),
      detail: t('{0} MB to read on this machine. No tokens, nothing is sent.', words.number(Math.max(0.1, megabytes))),
      iconPath: new ThemeIcon('calendar'),
      some,
    };
  };
  const oldest = Math.min(...sessions.map(({ modifiedAt }) => modifiedAt));
  const everything = itemOf(t('Everything'), sessions);
  const items = [
    itemOf(t('Last 7 days'), newerThan(sessions, 7)),
    itemOf(t('Last 30 days'), newerThan(sessions, 30)),
    { ...everything, description: t('{0} since {1}', everything.description ?? '', words.date(oldest)) },
  ];
  // Two ranges that hold the same sessions are one choice.
  const distinct = items.filter(({ some }, at) => some.length > 0 && some.length !== items[at + 1]?.some.length);
  const options = { title: t('Learn from Past Sessions'), placeHolder: t('How far back?') };
  return (await window.showQuickPick(distinct, options))?.some;
}

function progressText({ words }: CommandContext, { done, total, memories, suggestions }: PastProgress): string {
  const { t, number } = words;
  const kept = memories === 1 ? t('1 memory') : t('{0} memories', number(memories));
  const parts = [t('{0} of {1}', number(done), number(total)), kept];
  if (suggestions > 0) parts.push(suggestedText(suggestions, words));
  return parts.join(' · ');
}

function tellOutcome(
  context: CommandContext,
  open: OpenProject,
  outcomes: readonly ExtractionOutcome[],
  wanted: number,
  isCancelled: boolean,
): void {
  const { notices, words } = context;
  const { t } = words;
  const { saved, suggested, logged } = broughtBy(outcomes);
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  const runs = outcomes.flatMap((outcome) => outcome.runs);
  const paths = outcomes.flatMap(({ writtenPaths }) => writtenPaths);

  const show = {
    label: t('Show'),
    run: () =>
      logged > 0
        ? commands.executeCommand('reverie.openLog', { project: open.key, kind: 'log', path: paths.at(-1) })
        : paths.length > 0
          ? showMemories(context, open.key, paths)
          : context.memoryTree.revealSuggestions(open.key),
  };
  const actions = [
    ...(saved + suggested + logged > 0 ? [show] : []),
    ...(runs.length > 0 ? [{ label: t('Undo'), run: () => undo(context, open, runs) }] : []),
  ];
  const kept = [
    logged > 0 && loggedText(logged, words),
    saved > 0 && savedText(saved, words),
    suggested > 0 && suggestedText(suggested, words),
  ];
  const found = kept.filter(Boolean).join(' · ');
  if (isCancelled) {
    const stopped = t(
      'Stopped after {0} of {1} sessions. What was saved stays.',
      words.number(outcomes.length),
      words.number(wanted),
    );
    notices.info([stopped, found && `${found}.`].filter(Boolean).join(' '), ...actions);
  } else if (failed > 0) {
    const text = t(
      '{0} of {1} sessions could not be read. Nothing is lost.',
      words.number(failed),
      words.number(wanted),
    );
    notices.warn([text, found && `${found}.`].filter(Boolean).join(' '), ...actions, {
      label: t('Show Log'),
      run: () => context.log.show(),
    });
  } else if (saved + suggested + logged === 0) {
    notices.info(
      wanted === 1
        ? t('Read 1 session. It holds nothing to keep.')
        : t('Read {0} sessions. They hold nothing to keep.', words.number(wanted)),
    );
  } else {
    const text = wanted === 1 ? t('Read 1 session.') : t('Read {0} sessions.', words.number(wanted));
    notices.info(`${text} ${found}.`, ...actions);
  }
}
