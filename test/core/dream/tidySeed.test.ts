// Memory folders after years of use, each with the truth of what a tidy may and may not do beside it. Needs REVERIE_CORPUS.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../support/commandLine';
import { createTempProject, type TempProject } from '../../support/tempProject';
import { filesOf, scoreTidy, type TidyReport, type TidyTruth } from '../../support/tidyTruth';

const corpus = process.env.REVERIE_CORPUS;
const root = corpus === undefined ? undefined : join(corpus, 'tidy');
const seeds =
  root !== undefined && existsSync(root)
    ? readdirSync(root).filter((name) => existsSync(join(root, name, 'truth.json')))
    : [];

describe('the tidy over a folder after years of use', function () {
  this.timeout(120_000);
  if (seeds.length === 0)
    it('does all that is owed and nothing that is forbidden (skipped: REVERIE_CORPUS is not set)');

  for (const seed of seeds) {
    describe(seed, () => {
      const folder = join(root ?? '', seed);
      const truth: TidyTruth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
      let temp: TempProject;
      beforeEach(async () => {
        temp = await createTempProject();
        mkdirSync(temp.memoryDir, { recursive: true });
        cpSync(join(folder, 'memory'), temp.memoryDir, { recursive: true });
        for (const [path, time] of Object.entries(truth.mtimes))
          utimesSync(join(temp.memoryDir, path), new Date(time), new Date(time));
      });
      afterEach(() => temp.remove());

      const dream = async (...more: readonly string[]) => {
        const words = ['dream', '--force', '--provider', 'offline', '--now', truth.now, '--json', ...more];
        const { status, out } = await runCommand(temp, ...words);
        assert.equal(status, 0);
        return JSON.parse(out);
      };
      const files = () => new Map([...filesOf(temp.memoryDir)].filter(([path]) => path !== '.consolidate-lock'));
      const times = () => [...files().keys()].map((path) => [path, statSync(join(temp.memoryDir, path)).mtimeMs]);

      it('does all that is owed, breaks nothing, finds nothing more; and undo brings every byte and time back', async () => {
        const [before, timesBefore] = [files(), times()];
        const first = await dream('--apply');
        assert.equal(first.outcome, 'applied');
        const report: TidyReport = {
          contradictions: first.contradictions,
          sources: Object.fromEntries(
            first.changes.map(({ path, sources }: { path: string; sources: string[] }) => [path, sources]),
          ),
          said: [
            ...first.changes.map(({ path, reason }: { path: string; reason: string }) => ({ path, text: reason })),
            ...first.remarks,
          ],
        };
        assert.deepEqual(scoreTidy(truth, before, files(), report), { breaches: [], undone: [], noise: [] });

        const [after, timesAfter] = [files(), times()];
        const second = await dream('--apply');
        assert.deepEqual([second.outcome, second.changes], ['unchanged', []]);
        assert.deepEqual([files(), times()], [after, timesAfter]);

        const undone = JSON.parse((await runCommand(temp, 'undo', '--json')).out);
        assert.deepEqual(undone.conflicts, []);
        assert.deepEqual([files(), times()], [before, timesBefore]);
      });

      it('settles a contradiction the way a person says, and no other one', async () => {
        const { proposalId } = await dream();
        const [question] = truth.conflicts;
        assert.ok(question);
        const words = [
          'proposals',
          'apply',
          proposalId,
          '--only',
          question.older,
          '--settle',
          'newer',
          '--now',
          truth.now,
          '--json',
        ];
        const { applied, conflicts } = JSON.parse((await runCommand(temp, ...words)).out);
        assert.deepEqual(conflicts, []);
        assert.ok(applied.includes(question.older));
        const after = files();
        assert.ok(!after.has(question.older));
        assert.ok(after.get(question.newer)?.includes(question.sentences[1] ?? ''));
        for (const { older, newer } of truth.conflicts.slice(1)) assert.ok(after.has(older) && after.has(newer));
      });
    });
  }
});
