// Dreams as a person starts, stops, reviews and takes them back. What a dream changes is decided in the review; from a row or the
// palette it is applied whole, where that loses no more than the limit and nothing changed meanwhile.

import { commands, ThemeIcon, window } from 'vscode';
import type { OpenProject } from '../projects';
import { countChanges, type DreamSnapshot, type DreamTarget } from '../views/dreamRows';
import { changesToReview, gateHint, gateLabel, gateText, nextSentence } from '../views/dreamWords';
import { isIndex } from '../views/proposalCards';
import { type CommandContext, type Handlers, pickProject, targetsOf } from './context';
import { undo } from './undo';

export function dreamCommands(context: CommandContext): Handlers {
  const { dreams, notices, projects, statusBar, words } = context;
  const { t, number } = words;

  const targetOf = (args: readonly unknown[]): DreamTarget | undefined => targetsOf(args)[0] as DreamTarget | undefined;

  async function projectOf(args: readonly unknown[]): Promise<OpenProject | undefined> {
    const target = targetOf(args);
    await projects.open();
    return (target && projects.find(target.project)) ?? pickProject(context);
  }

  /** The project whose changes wait, without asking when there is only one. */
  async function reviewed(
    args: readonly unknown[],
  ): Promise<{ open: OpenProject; snapshot: DreamSnapshot } | undefined> {
    const target = targetOf(args);
    const all = await dreams.live.read();
    const waiting = all.filter((snapshot) => (target ? snapshot.key === target.project : countChanges(snapshot) > 0));
    const [first] = waiting;
    const key = waiting.length === 1 ? first?.key : (await pickProject(context))?.key;
    const open = key === undefined ? undefined : projects.find(key);
    const snapshot = all.find((each) => each.key === key);
    return open && snapshot ? { open, snapshot } : undefined;
  }

  async function applyAll(args: readonly unknown[]): Promise<void> {
    const found = await reviewed(args);
    const proposal = await found?.open.project.dream.proposal();
    if (!found || !proposal) return notices.info(t('There is nothing to review.'));
    const { open } = found;
    // What a person has to look at first opens, and is not applied.
    if (proposal.loss.tooMuchLost || proposal.contradictions.length > 0) {
      await dreams.review.show(open.key);
      return;
    }
    const { run, applied, conflicts } = await open.project.dream.apply(proposal.id);
    if (conflicts.length > 0) {
      await dreams.review.show(open.key, conflicts[0]);
      notices.warn(
        t('“{0}” changed meanwhile, so nothing was applied. Choose what becomes of it.', conflicts[0] ?? ''),
      );
      return;
    }
    const count = applied.filter((path) => !isIndex(path)).length;
    notices.info(
      count === 1 ? t('Improved 1 memory') : t('Improved {0} memories', number(count)),
      ...(run === undefined ? [] : [{ label: t('Undo'), run: () => undo(context, open, [run]) }]),
    );
  }

  async function discard(args: readonly unknown[]): Promise<void> {
    const found = await reviewed(args);
    const proposal = await found?.open.project.dream.proposal();
    if (!found || !proposal) return notices.info(t('There is nothing to review.'));
    const count = countChanges({ proposal });
    const question =
      count === 1
        ? t('Discard 1 change? The memories stay as they are.')
        : t('Discard {0} changes? The memories stay as they are.', number(count));
    const yes = t('Discard');
    const answer = await window.showWarningMessage(question, { modal: true }, yes);
    if (answer === yes) await found.open.project.dream.discard(proposal.id);
  }

  async function review(args: readonly unknown[]): Promise<void> {
    const target = targetOf(args);
    const found = await reviewed(args);
    const key = found?.open.key ?? target?.project;
    if (key === undefined) return notices.info(t('There is nothing to review.'));
    await dreams.review.show(key, target?.kind === 'change' ? target.card : undefined);
  }

  return {
    async 'reverie.runDream'(...args) {
      const open = await projectOf(args);
      if (!open) return;
      const outcome = await open.project.dream.executeAutoDream('command', { force: true });
      if (outcome.outcome === 'unchanged') notices.info(t('The dream found nothing to change.'));
      else if (outcome.outcome === 'skipped') {
        const gate = outcome.gates.find(({ open: isOpen }) => !isOpen);
        notices.info(
          gate
            ? t('No dream now. {0}: {1}.', gateLabel(gate, words), gateText(gate, words))
            : t('A dream is under way already.'),
        );
      }
    },

    async 'reverie.cancelDream'(...args) {
      const target = targetOf(args);
      const running = projects.current().filter(({ project }) => project.dream.task().status === 'running');
      const chosen = running.filter(({ key }) => !target || key === target.project);
      await Promise.all(chosen.map(({ project }) => project.dream.cancel()));
      if (chosen.length > 0) notices.info(t('The dream was cancelled. Nothing was changed.'));
    },

    'reverie.reviewChanges': (...args) => review(args),
    'reverie.applyDream': (...args) => applyAll(args),
    'reverie.discardDream': (...args) => discard(args),

    /** The click on the status bar. */
    async 'reverie.reviewActions'() {
      const snapshots = await dreams.live.read();
      const waiting = snapshots.filter((snapshot) => countChanges(snapshot) > 0);
      const [first] = waiting;
      if (!first) return;
      const target = waiting.length === 1 ? [{ project: first.key, kind: 'review' }] : [];
      const items = [
        { label: t('Review'), iconPath: new ThemeIcon('open-preview'), run: () => review(target) },
        { label: t('Apply All'), iconPath: new ThemeIcon('check-all'), run: () => applyAll(target) },
        { label: t('Discard…'), iconPath: new ThemeIcon('close'), run: () => discard(target) },
        {
          label: t('Show in Dream View'),
          iconPath: new ThemeIcon('list-tree'),
          run: () => commands.executeCommand('reverie.dream.focus'),
        },
      ];
      const count = waiting.reduce((sum, snapshot) => sum + countChanges(snapshot), 0);
      await (await window.showQuickPick(items, { placeHolder: changesToReview(count, words) }))?.run();
    },

    async 'reverie.undoDream'(...args) {
      const target = targetOf(args);
      const open = await projectOf(args);
      if (!open) return;
      let run = target?.kind === 'run' ? target.run : undefined;
      if (run === undefined) {
        const [runs, records] = await Promise.all([open.project.runs(), open.project.dream.history()]);
        const undoable = new Set(runs.filter(({ undone }) => !undone).map(({ id }) => id));
        run = records.find((record) => record.run !== undefined && undoable.has(record.run))?.run;
      }
      if (run === undefined) return notices.info(t('There is no dream to take back.'));
      await undo(context, open, [run]);
      await dreams.live.refresh();
    },

    /** From a row of the history: what was left out or discarded then waits again. */
    async 'reverie.reviewLeftOut'(...args) {
      const target = targetOf(args);
      const open = await projectOf(args);
      if (!open) return;
      const { dream } = open.project;
      if (await dream.proposal()) {
        await dreams.review.show(open.key);
        return notices.info(t('Decide on the changes that wait first.'));
      }
      const record = target?.kind === 'run' ? target.record : (await dream.history()).find((one) => one.leftOut)?.id;
      if (record === undefined) return notices.info(t('Nothing was left out that could be looked at again.'));
      await dream.reopen(record);
      await dreams.review.show(open.key);
    },

    'reverie.showDream': () => commands.executeCommand('reverie.dream.focus'),

    /** Why not now: every gate, each with what it takes. */
    async 'reverie.whyNoDream'(...args) {
      const open = await projectOf(args);
      if (!open) return;
      const { results } = await open.project.dream.whyNot();
      const items = results.map((gate) => ({
        label: `$(${gate.open ? 'pass' : 'circle-large-outline'}) ${gateLabel(gate, words)}`,
        description: gateText(gate, words),
        detail: gateHint(gate, words),
        name: gate.name,
      }));
      const picked = await window.showQuickPick(items, {
        title: t('Why Is No Dream Running?'),
        placeHolder: nextSentence(results, words) ?? '',
        matchOnDescription: true,
      });
      if (picked) await openSetting(picked.name);
    },

    async 'reverie.dreamSettings'(...args) {
      const target = targetOf(args);
      await openSetting(target?.kind === 'gate' ? target.name : undefined);
    },

    'reverie.showDreamFailure'() {
      const failure = dreams.lastFailure();
      statusBar.seen();
      if (!failure) return;
      notices.warn(
        t('The dream failed: {0}. Nothing was changed.', failure.reason.replace(/\.$/, '')),
        {
          label: t('Retry'),
          run: () => commands.executeCommand('reverie.runDream', { project: failure.project, kind: 'heading' }),
        },
        { label: t('Show Log'), run: () => context.log.show() },
      );
    },
  };

  async function openSetting(gate: string | undefined): Promise<void> {
    const setting = {
      assistant: 'reverie.assistantMode',
      enabled: 'reverie.dream.mode',
      time: 'reverie.dream.minHours',
      sessions: 'reverie.dream.minSessions',
    }[gate ?? ''];
    await commands.executeCommand('workbench.action.openSettings', setting ?? 'reverie.dream');
  }
}
