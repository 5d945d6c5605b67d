// The dream on the command line: run one, say why none runs, look at what it proposes, take all or part of it or nothing. What
// contradicts each other is never settled unless a person says how.

import { type Command, isoOf, listOf, oneOf, usage } from './cliCommand';
import type { Contradiction, ProposedChange } from './core/dream/dreamEngine';
import type { Proposal, Selection } from './core/dream/proposal';
import type { Choice } from './core/dream/settling';
import { MemoryError } from './core/engine';

const choices = ['newer', 'older', 'both'] as const satisfies readonly Choice[];

export const dreamCommands: Readonly<Record<string, Command>> = {
  dream: {
    usage: 'dream [--force] [--apply] [--dry-run]',
    does: 'tidies memories across chat sessions; waits for a review unless --apply is given',
    options: ['force', 'apply', 'dry-run'],
    async run({ options, project }) {
      const { dream } = await project();
      const outcome = await dream.executeAutoDream('terminal', {
        force: options.force ?? false,
        apply: options.apply ?? false,
        dryRun: options['dry-run'] ?? false,
      });
      const { changes, contradictions, ...rest } = outcome;
      return {
        ...rest,
        changes: changes.map(describeChange),
        contradictions: contradictions.map(describeContradiction),
        failed: outcome.outcome === 'failed',
      };
    },
  },
  proposals: {
    usage: 'proposals [list|show ID|apply ID [--only PATH,…] [--settle newer|older|both]|discard ID]',
    does: 'what a dream proposes, and a person’s answer to it',
    options: ['only', 'settle'],
    async run({ words, options, project }) {
      const [verb = 'list', id, ...more] = words;
      const { dream } = await project();
      const waiting = await dream.proposal();
      if (verb === 'list' && id === undefined) return { proposals: waiting ? [summaryOf(waiting)] : [] };
      if (more.length > 0 || !['show', 'apply', 'discard'].includes(verb))
        throw usage('proposals takes list, show, apply or discard.');
      if (id === undefined) throw usage(`proposals ${verb} needs the id of a proposal.`);
      if (waiting?.id !== id) throw new MemoryError('not_found', `There is no proposal “${id}” that waits.`);
      if (verb === 'show') return describeProposal(waiting);
      if (verb === 'discard') {
        await dream.discard(id);
        return { discarded: id };
      }
      const settle = oneOf(options.settle, choices, '--settle');
      return dream.apply(
        id,
        selectionOf(waiting, options.only === undefined ? undefined : listOf(options.only), settle),
      );
    },
  },
};

/** Naming a memory that is part of a contradiction and nothing else is a yes to what is proposed: the newer one. */
function selectionOf(proposal: Proposal, only: readonly string[] | undefined, settle: Choice | undefined): Selection {
  const changed = new Set(proposal.changes.map(({ path }) => path));
  const isNamed = ({ older, newer }: Contradiction) => [older, newer].some(({ path }) => only?.includes(path));
  const answers = proposal.contradictions.flatMap((question): [string, Choice][] => {
    if (settle) return only === undefined || isNamed(question) ? [[question.id, settle]] : [];
    const named = [question.older.path, question.newer.path].filter((path) => only?.includes(path));
    return named.length > 0 && named.every((path) => !changed.has(path)) ? [[question.id, 'newer']] : [];
  });
  const answered = new Set(answers.map(([id]) => id));
  const asked = proposal.contradictions
    .filter(({ id }) => answered.has(id))
    .flatMap(({ older, newer }) => [older.path, newer.path]);
  const paths = only?.filter((path) => changed.has(path) || !asked.includes(path));
  return { ...(paths ? { paths } : {}), choices: Object.fromEntries(answers) };
}

function describeChange({ path, kind, title, reason, sources, mergedInto, type }: ProposedChange) {
  return { path, kind, title, reason, sources, ...(mergedInto ? { mergedInto } : {}), ...(type ? { type } : {}) };
}

function describeContradiction({ id, subject, older, newer }: Contradiction) {
  const said = ({ path, sentence, at }: Contradiction['older']) => ({ path, sentence, at: isoOf(at) });
  return {
    id,
    kind: 'conflict',
    subject,
    paths: [older.path, newer.path],
    older: said(older),
    newer: said(newer),
    proposed: newer.path,
  };
}

function summaryOf({ id, at, trigger, engine, sessions, changes, contradictions, loss }: Proposal) {
  return {
    id,
    at: isoOf(at),
    trigger,
    engine,
    sessionsReviewed: sessions.length,
    changes: changes.map(describeChange),
    contradictions: contradictions.map(describeContradiction),
    loss,
  };
}

function describeProposal(proposal: Proposal) {
  const texts = new Map(proposal.changes.map(({ path, before, after }) => [path, { before, after }]));
  const summary = summaryOf(proposal);
  return {
    ...summary,
    changes: summary.changes.map((change) => ({ ...change, ...texts.get(change.path) })),
    recallOnly: proposal.recallOnly,
    remarks: proposal.remarks,
    usage: proposal.usage,
  };
}
