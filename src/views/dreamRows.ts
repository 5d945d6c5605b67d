// What *Dream* shows, as rows: what waits for a review above everything, then the dream that runs, why the next one is not running
// yet, and what came of the last ones. Groups carry no mark, so that marks stand in one column.

import type { DreamTask } from '../core/dream/dreamTask';
import type { GateResult } from '../core/dream/gates';
import type { Proposal } from '../core/dream/proposal';
import { reasonsText } from './dreamReasons';
import {
  changesToReview,
  comesByItself,
  gateHint,
  gateLabel,
  gateText,
  type History,
  isDue,
  nextText,
  outcomeLabel,
  phaseLabel,
  phaseName,
  phasesInOrder,
  recordText,
  tokensOf,
} from './dreamWords';
import { momentText } from './moments';
import { isIndex, type Outline, outlineOf } from './proposalCards';
import { type Branch, type IconMark, type Mark, printOf, type Row } from './rows';
import { oneLine, type Words } from './words';

export interface DreamSnapshot {
  readonly key: string;
  readonly name: string;
  readonly task: DreamTask;
  /** Every gate; `undefined` while nobody looked. */
  readonly gates: readonly GateResult[] | undefined;
  /** What waits for a review. */
  readonly proposal: Proposal | undefined;
  /** Its files that are no longer what the dream saw. */
  readonly conflicts: ReadonlySet<string>;
  /** Newest first. */
  readonly history: readonly History[];
  /** Runs that can be taken back. */
  readonly undoable: ReadonlySet<string>;
}

export type DreamTarget = { readonly project: string } & (
  | { readonly kind: 'review' }
  | { readonly kind: 'change'; readonly card: string }
  | { readonly kind: 'gate'; readonly name: GateResult['name'] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'run'; readonly run: string | undefined; readonly record?: string }
  | { readonly kind: 'heading' }
);
export type DreamBranch = Branch<DreamTarget>;

/** Changes a person counts; 0 when nothing waits. */
export const countChanges = ({ proposal }: Pick<DreamSnapshot, 'proposal'>): number =>
  proposal ? outlineOf(proposal).length : 0;

export function dreamBranches(snapshots: readonly DreamSnapshot[], words: Words, now: number): readonly DreamBranch[] {
  const [only] = snapshots;
  if (snapshots.length < 2) return only ? projectBranches(only, words, now) : [];
  return snapshots.map((snapshot) => {
    const { key, name } = snapshot;
    const description = headline(snapshot, words);
    const row = { id: key, label: name, description, context: 'folder', spoken: `${name}, ${description}` };
    return branchOf(
      row,
      { project: key, kind: 'heading' },
      { groups: projectBranches(snapshot, words, now), unfolded: true },
    );
  });
}

/** The state in a word or two, for the title of the view. */
export function headline(snapshot: DreamSnapshot, words: Words): string {
  const { t } = words;
  const { task, gates } = snapshot;
  if (task.status === 'running') return phaseText(task, words);
  const waiting = countChanges(snapshot);
  if (waiting > 0) return changesToReview(waiting, words);
  if (!gates) return '';
  if (!comesByItself(gates)) return nextText(gates, words) ?? '';
  const isNightDue = gates.some(({ name, value }) => name === 'assistant' && value === 'due');
  return isNightDue || isDue(gates) ? t('due') : t('not due');
}

/** `2/4 gather` */
export const phaseText = ({ phase }: Extract<DreamTask, { status: 'running' }>, words: Words): string =>
  `${phasesInOrder.indexOf(phase) + 1}/${phasesInOrder.length} ${phaseName(phase, words)}`;

function projectBranches(snapshot: DreamSnapshot, words: Words, now: number): readonly DreamBranch[] {
  const branches: DreamBranch[] = [];
  if (snapshot.proposal && countChanges(snapshot) > 0)
    branches.push(reviewBranch(snapshot, snapshot.proposal, words, now));
  if (snapshot.task.status === 'running') branches.push(...runningBranches(snapshot, snapshot.task, words));
  else branches.push(gatesBranch(snapshot, words));
  branches.push(historyBranch(snapshot, words, now));
  return branches;
}

function reviewBranch(snapshot: DreamSnapshot, proposal: Proposal, words: Words, now: number): DreamBranch {
  const { t, number } = words;
  const { key } = snapshot;
  const outlines = outlineOf(proposal, snapshot.conflicts);
  const label = changesToReview(outlines.length, words);
  const count = proposal.sessions.length;
  const sessions = count === 1 ? t('1 session') : t('{0} sessions', number(count));
  const description = `${momentText(proposal.at, now, words)} · ${sessions}`;
  const row = {
    id: `${key}/review`,
    label,
    description,
    context: proposal.loss.tooMuchLost ? 'review lossy' : 'review',
    spoken: `${label}, ${description}`,
    ...(proposal.loss.tooMuchLost
      ? { tooltip: t('More would be lost than the limit allows. Look before you apply.') }
      : {}),
  };
  return {
    row,
    target: { project: key, kind: 'review' },
    print: printOf(
      row,
      outlines.map(({ id, kind }) => [id, kind]),
    ),
    unfolded: true,
    leaves: () => outlines.map((outline) => changeBranch(key, outline, words)),
  };
}

/** Shape and colour of each kind of change. */
const kindMarks: Readonly<Record<Outline['kind'], IconMark>> = {
  created: { codicon: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  updated: { codicon: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  merged: { codicon: 'git-merge', color: 'charts.purple' },
  deleted: { codicon: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' },
  choose: { codicon: 'question', color: 'list.warningForeground' },
  conflict: { codicon: 'warning', color: 'list.warningForeground' },
};

function changeBranch(key: string, outline: Outline, words: Words): DreamBranch {
  const { t, number } = words;
  const { kind, changes, question, path } = outline;
  const [change] = changes;
  const label = isIndex(path) && !question ? t('Memory index') : oneLine(question?.subject ?? change?.title ?? path);
  const description = {
    created: t('created'),
    updated: t('updated'),
    merged: t('merged from {0}', number(changes.length)),
    deleted: t('deleted'),
    choose: t('two sayings: choose'),
    conflict: t('conflict'),
  }[kind];
  return branchOf(
    {
      id: `${key}/change/${outline.id}`,
      label,
      description,
      mark: kindMarks[kind],
      context: 'change',
      spoken: `${label}, ${description}`,
      ...(change?.reason ? { tooltip: oneLine(reasonsText(change.reason, change.reasons, words)) } : {}),
    },
    { project: key, kind: 'change', card: outline.id },
  );
}

function runningBranches(
  { key }: DreamSnapshot,
  task: Extract<DreamTask, { status: 'running' }>,
  words: Words,
): readonly DreamBranch[] {
  const { t, number } = words;
  const tokens = tokensOf(task);
  const now = phasesInOrder.indexOf(task.phase);
  const label = t('Dreaming {0}/{1}', number(now + 1), number(phasesInOrder.length));
  const heading = { project: key, kind: 'heading' } as const;
  const row = {
    id: `${key}/running`,
    label,
    description: tokens > 0 ? t('{0} tokens', number(tokens)) : phaseName(task.phase, words),
    context: 'running',
    spoken: `${label}, ${phaseName(task.phase, words)}`,
  };
  const files = task.touched.filter((path) => !isIndex(path));
  const phases = phasesInOrder.map((phase, at): DreamBranch => {
    const mark: Mark =
      at < now
        ? { codicon: 'pass', color: 'charts.green' }
        : at === now
          ? { codicon: 'loading~spin' }
          : { codicon: 'circle-large-outline', color: 'descriptionForeground' };
    const facts =
      at > now
        ? undefined
        : {
            orient: undefined,
            gather: task.sessions === 1 ? t('1 session') : t('{0} sessions', number(task.sessions)),
            consolidate: files.length === 1 ? t('1 file') : t('{0} files', number(files.length)),
            prune: undefined,
          }[phase];
    const state = at < now ? t('done') : at === now ? t('running') : t('waiting');
    const name = phaseLabel(phase, words);
    return branchOf(
      {
        id: `${key}/phase/${phase}`,
        label: name,
        ...(facts === undefined ? {} : { description: facts }),
        mark,
        context: 'phase',
        spoken: [name, state, facts].filter(Boolean).join(', '),
      },
      heading,
    );
  });
  const touched = {
    id: `${key}/touched`,
    label: t('Files touched'),
    description: number(files.length),
    context: 'group',
    spoken: `${t('Files touched')}, ${number(files.length)}`,
  };
  return [
    {
      row,
      target: heading,
      print: printOf(row, task.phase, task.sessions, files.length),
      unfolded: true,
      leaves: () => phases,
    },
    ...(files.length === 0
      ? []
      : [
          {
            row: touched,
            target: heading,
            print: printOf(touched, files),
            unfolded: true,
            leaves: () =>
              files.map((path) =>
                branchOf(
                  {
                    id: `${key}/file/${path}`,
                    label: oneLine(path),
                    mark: kindMarks.updated,
                    context: 'file',
                    spoken: oneLine(path),
                  },
                  { project: key, kind: 'file', path },
                ),
              ),
          },
        ]),
  ];
}

/**
 * Beside something more important a group is another row, which begins folded: the editor keeps how a row stood for good, and
 * it would stay folded when it is all there is.
 */
const besideOf = ({ proposal, task }: DreamSnapshot): string =>
  task.status === 'running' ? 'running ' : proposal ? 'waiting ' : '';

function gatesBranch(snapshot: DreamSnapshot, words: Words): DreamBranch {
  const { t } = words;
  const { key, gates } = snapshot;
  const description = nextText(gates, words) ?? t('not checked yet');
  const row = {
    id: `${key}/${besideOf(snapshot)}gates`,
    label: t('Next dream'),
    description,
    context: 'gates',
    spoken: `${t('Next dream')}, ${description}`,
    tooltip: t('Why it is not running now: the first closed gate ends the check.'),
  };
  const leaves = () => (gates ?? []).map((gate) => gateBranch(key, gate, words));
  return {
    row,
    target: { project: key, kind: 'heading' },
    print: printOf(row, gates),
    ...(gates ? { leaves, unfolded: besideOf(snapshot) === '' } : {}),
  };
}

function gateBranch(key: string, gate: GateResult, words: Words): DreamBranch {
  const { t } = words;
  const label = gateLabel(gate, words);
  const description = gateText(gate, words);
  const row: Row = {
    id: `${key}/gate/${gate.name}`,
    label,
    description,
    mark: gateMark(gate),
    context: `gate ${gate.name}`,
    spoken: gate.open ? t('{0} gate, open: {1}', label, description) : t('{0} gate, closed: {1}', label, description),
    tooltip: gateHint(gate, words),
  };
  return branchOf(row, { project: key, kind: 'gate', name: gate.name });
}

/** A check when it is open, else a ring that fills; what can't be counted has none. */
function gateMark({ open, value, threshold }: GateResult): Mark {
  if (open) return { codicon: 'pass', color: 'charts.green' };
  if (typeof value === 'number' && threshold) return { ring: value / threshold, isCalm: true };
  return { codicon: 'circle-large-outline', color: 'descriptionForeground' };
}

function historyBranch(snapshot: DreamSnapshot, words: Words, now: number): DreamBranch {
  const { t, number } = words;
  const { key, history, gates } = snapshot;
  if (history.length === 0) {
    const label = t('No dream yet');
    const description = missingText(
      gates?.find(({ name }) => name === 'sessions'),
      words,
    );
    const row = {
      id: `${key}/none`,
      label,
      ...(description === undefined ? {} : { description }),
      mark: { codicon: 'circle-large-outline', color: 'descriptionForeground' },
      context: 'none',
      spoken: [label, description].filter(Boolean).join(', '),
    };
    return branchOf(row, { project: key, kind: 'heading' });
  }
  const description = history.length === 1 ? t('1 run') : t('{0} runs', number(history.length));
  const row = {
    id: `${key}/${besideOf(snapshot)}history`,
    label: t('History'),
    description,
    context: 'group',
    spoken: `${t('History')}, ${description}`,
  };
  const leaves = () => history.map((one) => recordBranch(snapshot, one, words, now));
  return {
    row,
    target: { project: key, kind: 'heading' },
    print: printOf(
      row,
      history.map(({ record, isUndone }) => [record, isUndone, recordText({ record, isUndone }, words, now)]),
    ),
    leaves,
    unfolded: besideOf(snapshot) === '',
  };
}

/** What is missing for a first dream; nothing once enough was said. */
function missingText(gate: GateResult | undefined, { t, number }: Words): string | undefined {
  const { threshold = 0, value = 0, open = true } = gate ?? {};
  if (open) return undefined;
  const had = Number(value);
  const missing = Math.max(1, threshold - had);
  if (had > 0) return missing === 1 ? t('needs 1 more session') : t('needs {0} more sessions', number(missing));
  return missing === 1 ? t('needs 1 session') : t('needs {0} sessions', number(missing));
}

const outcomeMarks: Readonly<Record<History['record']['outcome'], IconMark>> = {
  applied: { codicon: 'check', color: 'charts.green' },
  unchanged: { codicon: 'dash' },
  failed: { codicon: 'error', color: 'list.errorForeground' },
  cancelled: { codicon: 'circle-slash', color: 'descriptionForeground' },
  discarded: { codicon: 'close' },
  replaced: { codicon: 'arrow-right', color: 'descriptionForeground' },
  set_aside: { codicon: 'history', color: 'descriptionForeground' },
  proposed: { codicon: 'diff' },
};

function recordBranch({ key, undoable }: DreamSnapshot, history: History, words: Words, now: number): DreamBranch {
  const { record, isUndone } = history;
  const label = outcomeLabel(history, words);
  const description = recordText(history, words, now);
  const { run } = record;
  const canUndo = run !== undefined && !isUndone && undoable.has(run);
  const row: Row = {
    id: `${key}/run/${record.id}`,
    label,
    description,
    mark: isUndone ? { codicon: 'discard' } : outcomeMarks[record.outcome],
    context: ['run', record.outcome, canUndo ? 'undoable' : '', record.leftOut ? 'left' : ''].filter(Boolean).join(' '),
    spoken: `${label}, ${description}`,
    tooltip: [
      label,
      momentText(record.at, now, words),
      record.engine === 'offline' ? words.t('offline, no tokens') : oneLine(record.engine),
    ].join(' · '),
  };
  return branchOf(row, { project: key, kind: 'run', run: canUndo ? run : undefined, record: record.id });
}

function branchOf(row: Row, target: DreamTarget, below: Partial<DreamBranch> = {}): DreamBranch {
  return { row, target, print: printOf(row), ...below };
}
