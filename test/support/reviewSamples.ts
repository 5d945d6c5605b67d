// Proposals of a dream in domain terms: a file that is created, changed, merged, deleted, contradicted or edited meanwhile.

import type { ProposedChange } from '../../src/core/dream/dreamEngine';
import type { Proposal } from '../../src/core/dream/proposal';
import { parseMemory } from '../../src/core/memory/memory';
import type { ReviewContext } from '../../src/views/reviewModel';
import { fakeDayMs, fakeNow } from './fakeProject';
import { englishWords } from './words';

export const memoryText = (name: string, type: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name.toLowerCase()}\ntype: ${type}\n---\n\n${body}\n`;

/** A change as the engine would propose it. */
export function proposedChange(
  path: string,
  before: string | null,
  after: string | null,
  note: Partial<ProposedChange> = {},
): ProposedChange {
  const { name, type } = parseMemory(path, after ?? before ?? '', fakeNow, fakeNow);
  const kind = before === null ? 'create' : after === null ? 'delete' : 'update';
  return { path, before, after, kind, title: name, ...(type ? { type } : {}), reason: '', sources: [], ...note };
}

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

const fewLost = {
  memoriesBefore: 138,
  memoriesAfter: 137,
  removed: 0,
  charsBefore: 61_200,
  charsAfter: 60_400,
  lostChars: 0,
  percent: 0,
  limitPercent: 25,
  tooMuchLost: false,
};

/** One change of each kind. */
export function sampleProposal(): Proposal {
  return {
    id: 'dream-1',
    at: fakeNow - fakeDayMs / 2,
    trigger: 'quiet',
    engine: 'claude-sonnet-5-5',
    sessions: ['flaky', 'settings', 'report', 'gone'].map((id) => ({ id, file: `/chats/${id}.jsonl` })),
    usage: { input: 4_240, cacheRead: 24_100, cacheWrite: 2_000, output: 900 },
    loss: fewLost,
    recallOnly: ['project_old_port.md'],
    remarks: [{ path: 'user_role.md', text: 'It says no more than user_work.md, but it is pinned and stays.' }],
    changes: [
      proposedChange('feedback_integration_tests.md', testsBefore, testsAfter, {
        reason: '“Last Thursday” was made a date, and the migration rule from two later chats was added.',
        sources: ['flaky', 'settings'],
        messages: { flaky: ['message-1', 'message-2'], settings: ['message-3'] },
      }),
      proposedChange('feedback_commit_style.md', styleBefore, styleAfter, {
        reason: 'What only feedback_git.md said was added.',
        sources: ['flaky', 'settings'],
      }),
      proposedChange('feedback_git.md', gitBefore, null, {
        reason: 'All of it stands in feedback_commit_style.md. It was merged into that one.',
        sources: ['settings'],
        mergedInto: 'feedback_commit_style.md',
      }),
      proposedChange('project_staging_rebuild.md', null, staging, {
        reason: 'A fact with a date that three chats relied on and no memory held.',
        sources: ['report'],
      }),
      proposedChange('reference_blue_runner.md', runner, null, {
        reason: 'All of it stands in reference_runners.md. It was merged into that one.',
        sources: ['gone'],
        mergedInto: 'reference_runners.md',
      }),
      proposedChange('user_respostas.md', answers, answersDream, {
        reason: 'A line from a later chat was added.',
        sources: ['flaky'],
      }),
      proposedChange(
        'MEMORY.md',
        '- [Git](feedback_git.md) — commits\n',
        '- [Staging rebuild on Mondays](project_staging_rebuild.md) — 06:00\n',
      ),
    ],
    contradictions: [
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
export function sampleContext(proposal: Proposal): ReviewContext {
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
    memoryOf(path) {
      const text = disk.get(path)?.text;
      return text === undefined ? undefined : parseMemory(path, text, fakeNow, fakeNow);
    },
    sourceOf(session) {
      const title = titles[session];
      return title === undefined ? undefined : { title, at: fakeNow - 5 * fakeDayMs };
    },
    words: englishWords,
    now: fakeNow,
  };
}

/** The sample over the loss limit: so many memories would be deleted. */
export function lossyProposal(deletions: number): Proposal {
  const sample = sampleProposal();
  const removed = Array.from({ length: deletions }, (_each, at) =>
    proposedChange(`old-${at}.md`, memoryText(`Old fact ${at}`, 'project', `Part ${at} is handled with care.`), null, {
      reason: 'Nobody asked for it.',
    }),
  );
  const percent = (100 * deletions) / fewLost.memoriesBefore;
  return {
    ...sample,
    changes: [...sample.changes, ...removed],
    loss: { ...fewLost, memoriesAfter: 138 - deletions, removed: deletions, percent, tooMuchLost: percent > 25 },
  };
}

/** So many updated memories of so many lines each, every third line changed. */
export function largeProposal(cards: number, lines: number): Proposal {
  const changes = Array.from({ length: cards }, (_each, at) => {
    const body = (version: number) =>
      Array.from({ length: lines }, (_line, n) =>
        n % 4 === 0
          ? `Line ${n} of part ${at} says ${version === 0 ? 'one thing' : 'another'} about it.`
          : `Line ${n} stays.`,
      ).join('\n');
    const text = (version: number) => memoryText(`Part ${at}`, 'project', body(version));
    const note = { reason: 'Another chat said it anew.', sources: ['flaky', 'settings'] };
    return proposedChange(`part-${at}.md`, text(0), text(1), note);
  });
  return { ...sampleProposal(), changes, contradictions: [], remarks: [], recallOnly: [] };
}
