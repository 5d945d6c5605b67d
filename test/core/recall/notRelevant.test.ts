import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { openNotRelevant } from '../../../src/core/recall/notRelevant';
import { refusingDisk } from '../../support/disks';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('what a person said does not fit', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('staging.md', '---\nname: Staging database\ntype: project\n---\n\nPort 5433 on the staging host.\n');
    await temp.put('billing.md', '---\nname: Billing database\ntype: project\n---\n\nNever restart it by day.\n');
    await temp.put('logs.md', '---\nname: Logs\ntype: project\n---\n\nThey are rotated.\n');
  });
  afterEach(() => temp.remove());
  const question = 'which port does the billing database have?';
  const ask = async (query: string) => (await temp.open()).recall(query);
  const paths = async (query: string) => (await ask(query)).memories.map(({ path }) => path);

  it('is left out of the answer to that question, with the reason, however it is worded, over restarts', async () => {
    assert.deepEqual(await paths(question), ['billing.md', 'staging.md']);
    await (await temp.open()).markRelevance('staging.md', question, false);
    assert.deepEqual(await paths(question), ['billing.md']);
    const found = await ask('the port of the billing databases?');
    assert.deepEqual(
      found.memories.map(({ path }) => path),
      ['billing.md'],
    );
    assert.deepEqual(found.suppressed, [
      { path: 'staging.md', why: 'a person said that it does not fit this question' },
    ]);
  });

  it('comes later for a question much like it, and as before for any other', async () => {
    assert.deepEqual(await paths('how is a database configured?'), ['billing.md', 'staging.md']);
    await (await temp.open()).markRelevance('billing.md', 'how is the old database configured?', false);
    assert.deepEqual(await paths('how is a database configured?'), ['staging.md', 'billing.md']);
    assert.deepEqual(await paths('may I restart billing?'), ['billing.md']);
  });

  it('is taken back by saying so', async () => {
    const project = await temp.open();
    await project.markRelevance('staging.md', question, false);
    await project.markRelevance('staging.md', question, false);
    await project.markRelevance('staging.md', question, true);
    assert.deepEqual(await paths(question), ['billing.md', 'staging.md']);
  });

  it('is kept as terms, and a damaged file of it marks nothing', async () => {
    const folder = join(temp.base, 'marks');
    const marks = openNotRelevant({ folder, disk: nodeDisk });
    await Promise.all([
      marks.mark('a.md', 'Where does Marta’s laptop live?'),
      marks.mark('b.md', 'other things entirely'),
    ]);
    const text = await readFile(join(folder, 'notRelevant.json'), 'utf8');
    assert.ok(!text.includes('Where does') && text.includes('b.md'));
    await writeFile(join(folder, 'notRelevant.json'), '[{"path":7},{"path":"a.md","terms":"x"},null');
    assert.equal((await marks.for('Where does Marta’s laptop live?')).leftOut.size, 0);
  });

  it('says when it could not be kept', async () => {
    const marks = openNotRelevant({ folder: join(temp.base, 'marks'), disk: refusingDisk('ENOSPC', () => true) });
    await assert.rejects(marks.mark('a.md', 'which port'), { code: 'ENOSPC' });
    assert.equal((await marks.for('which port')).leftOut.size, 0);
  });
});
