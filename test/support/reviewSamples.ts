// Proposals of a dream in domain terms: a file that is created, changed, merged, deleted, contradicted or edited meanwhile.

import type { FileChange } from '../../src/core/memory/changeset';
import type { ReviewContext, ReviewedProposal } from '../../src/views/reviewModel';
import { fakeDayMs, fakeNow } from './fakeProject';
import { englishWords } from './words';

export const memoryText = (name: string, type: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name.toLowerCase()}\ntype: ${type}\n---\n\n${body}\n`;

const gone = (path: string, before: string): FileChange => ({ path, before, after: null });

const testsBefore = memoryText(
  'Integration tests',
  'feedback',
  'Mocks hid a broken migration last Thursday,\nso integration tests must hit a real database.\n\n**Why:** the outage.\n\n**How to apply:** `make test-db` starts one.',
);
const testsAfter = testsBefore
  .replace('last Thursday', 'on 13 November 2026')
  .replace('starts one.', 'starts one.\nRun it after each change to `migrations/`.');
const styleBefore = memoryText(
  'Commit style',
  'feedback',
  'Commit messages in the imperative mood,\nfirst line at most 72 characters.',
);
const styleAfter = styleBefore.replace('72 characters.', '60 characters.\n\nNever squash a release branch.');
const gitBefore = memoryText('Git', 'feedback', 'Use the imperative in commits.\nNever squash a release branch.');
const staging = memoryText(
  'Staging rebuild on Mondays',
  'project',
  'The staging database is rebuilt every Monday at 06:00 UTC.\n\n**Why:** it is restored from the weekend’s masked dump.\n\n**How to apply:** no manual test data there before Monday noon.',
);
const runner = memoryText('Blue runner address', 'reference', 'The blue runner is `runner-blue.internal`, port 8443.');
const answers = memoryText('Prefere respostas curtas', 'user', 'Prefere respostas curtas, em português.');
const answersDream = `${answers}Exemplos de código antes da explicação.\n`;
export const answersOnDisk = `${answers}Sem emojis.\n`;

export const contested = {
  older: memoryText('Retry limit', 'project', 'Billing calls: at most 3 attempts, the fourth is billed twice.'),
  newer: memoryText('Retry budget', 'project', 'Billing calls: at most 4 attempts, the gateway deduplicates now.'),
};

/** One change of each kind. */
export function sampleProposal(): ReviewedProposal {
  return {
    id: 'dream-1',
    at: fakeNow - fakeDayMs / 2,
    sessionsRead: 4,
    memories: { before: 138, after: 137 },
    chars: { before: 61_200, after: 60_400 },
    usage: { input: 4_240, cacheRead: 24_100, cacheWrite: 2_000, output: 900 },
    model: 'claude-sonnet-5-5',
    loss: undefined,
    changes: [
      { path: 'feedback_integration_tests.md', before: testsBefore, after: testsAfter },
      { path: 'feedback_commit_style.md', before: styleBefore, after: styleAfter },
      gone('feedback_git.md', gitBefore),
      { path: 'project_staging_rebuild.md', before: null, after: staging },
      gone('reference_blue_runner.md', runner),
      { path: 'user_respostas.md', before: answers, after: answersDream },
      {
        path: 'MEMORY.md',
        before: '- [Git](feedback_git.md) — commits\n',
        after: '- [Staging rebuild on Mondays](project_staging_rebuild.md) — 06:00\n',
      },
    ],
    notes: {
      'feedback_integration_tests.md': {
        reason: '“Last Thursday” was made a date, and the migration rule from two later chats was added.',
        sources: ['flaky', 'settings'],
      },
      'feedback_commit_style.md': {
        reason: 'What only feedback_git.md said was added.',
        sources: ['flaky', 'settings'],
      },
      'feedback_git.md': {
        reason: 'All of it stands in feedback_commit_style.md. It was merged into that one.',
        sources: ['settings'],
        mergedInto: 'feedback_commit_style.md',
      },
      'project_staging_rebuild.md': {
        reason: 'A fact with a date that three chats relied on and no memory held.',
        sources: ['report'],
      },
      'reference_blue_runner.md': {
        reason: 'All of it stands in reference_runners.md. It was merged into that one.',
        sources: ['gone'],
        mergedInto: 'reference_runners.md',
      },
      'user_respostas.md': { reason: 'A line from a later chat was added.', sources: ['flaky'] },
    },
    questions: [
      {
        id: 'retry',
        subject: 'Retry budget',
        older: {
          path: 'project_retry_limit.md',
          sentence: 'Billing calls: at most 3 attempts, the fourth is billed twice.',
          at: fakeNow - 70 * fakeDayMs,
          session: 'flaky',
        },
        newer: {
          path: 'project_retry_budget.md',
          sentence: 'Billing calls: at most 4 attempts, the gateway deduplicates now.',
          at: fakeNow - 5 * fakeDayMs,
          session: 'settings',
        },
      },
    ],
  };
}

/** What stands on disk as the dream saw it, but for the file that somebody edited. */
export function sampleContext(proposal: ReviewedProposal): ReviewContext {
  const disk = new Map<string, { text: string; mtimeMs: number } | null>(
    proposal.changes.map(({ path, before }) => [path, before === null ? null : { text: before, mtimeMs: fakeNow }]),
  );
  const put = (path: string, text: string) => disk.set(path, { text, mtimeMs: fakeNow });
  if (disk.has('user_respostas.md')) put('user_respostas.md', answersOnDisk);
  put('project_retry_limit.md', contested.older);
  put('project_retry_budget.md', contested.newer);
  put('reference_runners.md', memoryText('Runners', 'reference', 'The blue runner is there.'));
  const titles: Record<string, string> = {
    flaky: 'Flaky migration test',
    settings: 'Split the settings page',
    report: '障害報告書の書き方',
  };
  return {
    disk,
    sourceOf(session) {
      const title = titles[session];
      return title === undefined ? undefined : { title, at: fakeNow - 5 * fakeDayMs, messages: 2 };
    },
    words: englishWords,
    now: fakeNow,
  };
}

/** The sample over the loss limit: so many memories would be deleted. */
export function lossyProposal(deletions: number): ReviewedProposal {
  const sample = sampleProposal();
  const removed = Array.from({ length: deletions }, (_each, at) =>
    gone(`old-${at}.md`, memoryText(`Old fact ${at}`, 'project', `Part ${at} is handled with care.`)),
  );
  return {
    ...sample,
    memories: { before: 138, after: 138 - deletions },
    changes: [...sample.changes, ...removed],
    notes: {
      ...sample.notes,
      ...Object.fromEntries(removed.map(({ path }) => [path, { reason: 'Nobody asked for it.', sources: [] }])),
    },
    loss: {
      of: 'memories',
      removed: deletions,
      total: 138,
      percent: Math.round((deletions / 138) * 100),
      limitPercent: 25,
    },
  };
}

/** So many updated memories of so many lines each, every third line changed. */
export function largeProposal(cards: number, lines: number): ReviewedProposal {
  const changes = Array.from({ length: cards }, (_each, at): FileChange => {
    const body = (version: number) =>
      Array.from({ length: lines }, (_line, n) =>
        n % 4 === 0
          ? `Line ${n} of part ${at} says ${version === 0 ? 'one thing' : 'another'} about it.`
          : `Line ${n} stays.`,
      ).join('\n');
    const name = `Part ${at}`;
    return {
      path: `part-${at}.md`,
      before: memoryText(name, 'project', body(0)),
      after: memoryText(name, 'project', body(1)),
    };
  });
  const notes = Object.fromEntries(
    changes.map(({ path }) => [path, { reason: 'Another chat said it anew.', sources: ['flaky', 'settings'] }]),
  );
  return { ...sampleProposal(), changes, notes, questions: [], memories: { before: cards, after: cards } };
}
