import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasGit } from '../support/git';
import { runTeamRounds } from '../support/teamRounds';

/** `npm run test:soak` sets it: as many rounds as are promised. */
const isLong = process.env.REVERIE_SOAK !== undefined;
const rounds = isLong ? 200 : 3;

describe('the team’s folder in two clones', function () {
  this.timeout(isLong ? 3_600_000 : 120_000);
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'clones-')));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  for (const [style, isUnion, seed] of [
    ['zdiff3', false, 11],
    ['merge', true, 12],
    ...(isLong ? ([['diff3', false, 13]] as const) : []),
  ] as const)
    it(`loses nothing, writes over no marks, and keeps indexes in agreement with the files, ${rounds} rounds (${style}${isUnion ? ', union' : ''})${hasGit ? '' : ', skipped: no git here'}`, async function () {
      if (!hasGit) this.skip();
      const { merges, conflicts, refusals, memories } = await runTeamRounds(base, rounds, seed, style, isUnion);
      assert.equal(merges, rounds);
      assert.ok(isUnion || refusals > 0, 'somebody tried to write over marks');
      assert.ok(memories > 3);
      if (!isUnion) assert.ok(conflicts > 0, 'there were conflicts to resolve');
    });
});
