// The dream's side of the editor, joined: the view, the status bar's part, the review's panel and what is told when a dream has
// ended. The engine decides and changes; here it is only shown and asked.

import { commands, Uri } from 'vscode';
import type { CommandContext } from './commands/context';
import { openTranscript } from './commands/transcripts';
import type { DreamTask } from './core/dream/dreamTask';
import type { DreamOutcome } from './core/dream/outcome';
import type { Proposal } from './core/dream/proposal';
import type { Disposable } from './core/event';
import { createLive, type Live } from './live';
import type { OpenProject, Projects } from './projects';
import { createDreamReview, type DreamReview } from './views/dreamReview';
import { countChanges, type DreamSnapshot, phaseText } from './views/dreamRows';
import { createDreamTree, type DreamTree } from './views/dreamTree';
import { changesToReview, lastSentence, nextSentence } from './views/dreamWords';
import { logSources } from './views/logRows';
import { conflictsOf, isIndex, type Standing } from './views/proposalCards';
import { Refusal } from './views/refusal';
import { createReviewDocuments } from './views/reviewDocuments';
import type { SessionSnapshot } from './views/sessionRows';
import { failureText, sessionTitle } from './views/sessionRows';
import type { DreamFacts } from './views/status';
import type { StatusBar } from './views/statusBar';
import type { Words } from './views/words';

type RunningTask = Extract<DreamTask, { readonly status: 'running' }>;

export interface DreamFailure {
  readonly project: string;
  readonly reason: string;
}

export interface Dreams extends Disposable {
  readonly live: Live<DreamSnapshot>;
  readonly tree: DreamTree;
  readonly review: DreamReview;
  /** For the status bar's hover. */
  facts(): DreamFacts | undefined;
  lastFailure(): DreamFailure | undefined;
  /** The folder's lifetime: tells what its dreams come to. */
  attach(open: OpenProject): Disposable;
}

/** Each costs a look into its file. */
const mostTitles = 40;

export function createDreams(options: {
  readonly projects: Projects;
  readonly sessions: Live<SessionSnapshot>;
  readonly statusBar: StatusBar;
  readonly extensionUri: Uri;
  readonly words: Words;
  readonly log: CommandContext['log'];
  readonly notices: CommandContext['notices'];
  readonly isSilent: () => boolean;
}): Dreams {
  const { projects, sessions, statusBar, words, log } = options;
  const { t } = words;
  let failure: DreamFailure | undefined;
  const gates = new Map<string, DreamSnapshot['gates']>();

  async function load({ key, name, project }: OpenProject): Promise<DreamSnapshot> {
    const { dream } = project;
    const task = dream.task();
    // Asked when somebody looks, and once for the hover; never while a dream runs, which holds what they ask about.
    if (task.status !== 'running' && (tree.isVisible() || !gates.has(key)))
      gates.set(key, (await dream.whyNot()).results);
    const [proposal, records, runs] = await Promise.all([dream.proposal(), dream.history(), project.runs()]);
    const undone = new Set(runs.filter((run) => run.undone).map(({ id }) => id));
    const history = records.map((record) => ({ record, isUndone: record.run !== undefined && undone.has(record.run) }));
    const undoable = new Set(runs.filter((run) => !run.undone).map(({ id }) => id));
    const conflicts = proposal ? conflictsOf(proposal, await standingOf(project, proposal)) : new Set<string>();
    return { key, name, task, gates: gates.get(key), proposal, conflicts, history, undoable };
  }

  const live = createLive<DreamSnapshot>({
    projects,
    load,
    events: (project) => [
      (listener) => project.dream.onDidChange(() => listener()),
      project.onDidChangeMemories,
      project.onDidChangeSessions,
      project.onDidChangeRest,
    ],
    log,
  });
  const tree = createDreamTree({ snapshots: live, words, log });
  const documents = createReviewDocuments();

  const projectOf = (key: string): OpenProject['project'] => {
    const found = projects.find(key)?.project;
    if (!found) throw new Refusal(t('This folder is no longer open.'));
    return found;
  };

  const sessionOf = (key: string, id: string) => {
    const { entries } = sessions.latest().find((each) => each.key === key) ?? { entries: [] };
    return entries.find(({ session }) => session.id === id);
  };

  /** Of the chats that a proposal names and that no reading has given a title yet. */
  async function titlesOf(key: string, { changes, contradictions }: Proposal): Promise<ReadonlyMap<string, string>> {
    const { titleOf } = projectOf(key);
    const titles = new Map<string, string>();
    const named = contradictions.flatMap(({ older, newer }) => [older, newer]).flatMap(({ session }) => session ?? []);
    const ids = new Set([...changes.flatMap(({ sources }) => sources), ...named]);
    for (const id of [...ids].slice(0, mostTitles)) {
      const entry = sessionOf(key, id);
      const title = entry && !entry.title ? await titleOf(entry.session).catch(() => undefined) : undefined;
      if (title) titles.set(id, title);
    }
    return titles;
  }

  const review = createDreamReview({
    extensionUri: options.extensionUri,
    documents,
    words,
    log,
    desk: {
      async waiting(key) {
        await projects.open();
        const project = projectOf(key);
        const proposal = await project.dream.proposal();
        if (!proposal) return undefined;
        const heads = new Map((await project.heads()).map((head) => [head.path, head]));
        await sessions.read().catch(() => []);
        const logged = logSources(await project.logs(), words);
        const titles = await titlesOf(key, proposal);
        return {
          proposal,
          disk: await standingOf(project, proposal),
          memoryOf: (path) => heads.get(path),
          sourceOf(id) {
            const line = logged(id);
            if (line) return line;
            const entry = sessionOf(key, id);
            const title = entry?.title ?? titles.get(id);
            return entry && { title: sessionTitle({ ...entry, title }, words), at: entry.session.modifiedAt };
          },
        };
      },
      async whyEmpty(key) {
        await live.refresh();
        const snapshot = live.latest().find((each) => each.key === key);
        if (!snapshot) return '';
        const next = nextSentence(snapshot.gates, words);
        const last = lastSentence(snapshot.history, words, Date.now());
        return next === undefined ? last : `${last.replace(/\.$/, '')}. ${next}.`;
      },
      apply: (key, id, selection) => projectOf(key).dream.apply(id, selection),
      discard: (key, id) => projectOf(key).dream.discard(id),
      undo: (key, run) => projectOf(key).undo(run),
      async openSource(key, source) {
        const entry = sessionOf(key, source.session);
        const message = await projectOf(key).findSource(source);
        const file = message?.file ?? entry?.session.file;
        if (file === undefined) throw new Refusal(t('The transcript is no longer there.'));
        await openTranscript(file, message?.line);
      },
      async openMemory(key, path) {
        await commands.executeCommand('vscode.open', Uri.file(await projectOf(key).locate(path)), { preview: true });
      },
      async act(key, action) {
        if (action === 'showMemories') await commands.executeCommand('reverie.memories.focus');
        else if (action === 'showHistory') await commands.executeCommand('reverie.dream.focus');
        else if (action === 'runDream')
          await commands.executeCommand('reverie.runDream', { project: key, kind: 'heading' });
      },
      explain(error) {
        const sentence = options.notices.sentenceOf(error);
        if (sentence !== undefined) return sentence;
        log.error(error instanceof Error ? error : String(error));
        return t('That failed. Nothing was lost. The log says more.');
      },
    },
  });

  function facts(): DreamFacts | undefined {
    const [first] = live.latest();
    return first && { gates: first.gates, last: lastSentence(first.history, words, Date.now()) };
  }

  function showRunning(task: RunningTask): void {
    const files = task.touched.filter((path) => !isIndex(path)).length;
    statusBar.dream({ kind: 'dreaming', phase: phaseText(task, words), files });
  }

  function update(): void {
    const all = live.latest();
    const running = all.flatMap(({ task }) => (task.status === 'running' ? [task] : []))[0];
    const changes = all.reduce((sum, snapshot) => sum + countChanges(snapshot), 0);
    if (running) showRunning(running);
    else statusBar.dream(changes > 0 ? { kind: 'review', changes } : undefined);
    for (const { key } of all) review.changed(key);
  }
  const listening = live.onDidChange(update);

  /** Once for a dream that ended here, and only where it is news. */
  async function tell(open: OpenProject, outcome: DreamOutcome): Promise<void> {
    // What it left is on the screen before it is spoken of.
    await live.refresh();
    if (outcome.outcome === 'failed' && outcome.reason !== 'cancelled') {
      failure = { project: open.key, reason: failureText(outcome, words) };
      statusBar.flash({ kind: 'dreamFailed', reason: failure.reason });
      return;
    }
    if (statusBar.current().kind === 'dreamFailed') statusBar.seen();
    if (options.isSilent()) return;
    const { notices } = options;
    const target = { project: open.key, kind: 'review' };
    if (outcome.outcome === 'proposed') {
      const snapshot = live.latest().find(({ key }) => key === open.key);
      const count = snapshot ? countChanges(snapshot) : outcome.changes.length;
      if (count > 0)
        notices.info(t('A dream is done: {0}. Nothing changes before you say so.', changesToReview(count, words)), {
          label: t('Review'),
          run: () => commands.executeCommand('reverie.reviewChanges', target),
        });
    } else if (outcome.outcome === 'applied') {
      const improved = outcome.changes.filter(({ path }) => !isIndex(path)).length;
      const text = improved === 1 ? t('Improved 1 memory') : t('Improved {0} memories', words.number(improved));
      const undoing = { ...target, kind: 'run', run: outcome.run };
      notices.info(
        `${text}.`,
        { label: t('Show'), run: () => commands.executeCommand('reverie.showDream') },
        { label: t('Undo'), run: () => commands.executeCommand('reverie.undoDream', undoing) },
      );
    }
  }

  return {
    live,
    tree,
    review,
    facts,
    lastFailure: () => failure,
    attach(open) {
      gates.delete(open.key);
      const { dream } = open.project;
      const listening = [
        // At once: a phase may be shorter than the time in which views gather changes.
        dream.onDidChange((task) => {
          if (task.status === 'running') showRunning(task);
        }),
        dream.onDidDream((outcome) => {
          void tell(open, outcome).catch((error) => log.error(`A dream's end: ${error}`));
        }),
      ];
      return { dispose: () => listening.forEach((each) => void each.dispose()) };
    },
    dispose() {
      for (const each of [listening, review, documents, tree, live]) each.dispose();
    },
  };
}

/** What stands now where the proposal would change something. */
async function standingOf({ dream }: OpenProject['project'], { changes }: Proposal): Promise<Standing> {
  const standing = new Map<string, { readonly text: string; readonly mtimeMs: number } | null>();
  for (const { path } of changes) standing.set(path, (await dream.standing(path)) ?? null);
  return standing;
}
