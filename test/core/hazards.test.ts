import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dice, secretKinds } from '../support/secretSamples';
import { createTempProject, type TempProject, teamSettings } from '../support/tempProject';

const secret = secretKinds.GitLab?.(dice(8)) ?? '';
const note = (body: string) => `---\nname: Note\ntype: project\n---\n\n${body}\n`;
const marks = '<<<<<<< HEAD\r\nours\r\n||||||| 1a2b3c4\r\nold\r\n=======\r\ntheirs\r\n>>>>>>> origin/main\r\n';

describe('what a person should look at in memory files', () => {
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  it('is each secret by file, line and rule: of private ones a warning, of the team’s held back', async () => {
    await temp.put('mine.md', note(`Robot: ${secret}`));
    await temp.put('team/shared.md', note(`Robot: ${secret}`));
    await temp.put('clean.md', note('Nothing here.'));
    const project = await temp.open({ settings: teamSettings() });
    const found = await project.hazards();
    assert.deepEqual(found, [
      { path: 'mine.md', rule: 'secret', secret: 'gitlab', line: 6, isHeldBack: false },
      { path: 'team/shared.md', rule: 'secret', secret: 'gitlab', line: 6, isHeldBack: true },
    ]);
    assert.ok(!JSON.stringify(found).includes(secret));
    assert.ok(await project.usable.read('mine.md'), 'a private memory is still one’s own');
    await writeFile(join(temp.memoryDir, 'mine.md'), note('Robot: see the vault.'));
    assert.deepEqual(
      (await project.hazards()).map(({ path }) => path),
      ['team/shared.md'],
    );
  });

  it('is a merge conflict in any style and with any line ends, in a memory or an index, which nothing changes or reads', async () => {
    await temp.put('private.md', note(marks));
    await temp.put('deep.md', note(`${'A line of text.\n'.repeat(500)}${marks}`));
    await temp.put('team/shared.md', note(marks.replaceAll('\r', '')));
    await temp.put('MEMORY.md', `# Memory\n\n${marks}- [Private](private.md) — p\n`);
    await temp.put('team/MEMORY.md', `${marks}- [Shared](shared.md) — s\n`);
    const before = await temp.memories();
    const project = await temp.open({ settings: teamSettings() });
    await project.recover();
    assert.deepEqual(
      (await project.hazards()).map(({ path, rule, line }) => [path, rule, line]),
      [
        ['MEMORY.md', 'merge_conflict', 3],
        ['private.md', 'merge_conflict', 6],
        ['team/MEMORY.md', 'merge_conflict', 1],
        ['team/shared.md', 'merge_conflict', 6],
      ],
    );
    for (const path of ['private.md', 'deep.md', 'team/shared.md']) {
      assert.equal(await project.usable.read(path), undefined, path);
      await assert.rejects(project.forget([path]), { code: 'merge_conflict' }, path);
      await assert.rejects(project.pin(path, true), path);
    }
    assert.equal(await project.usable.indexes(), '');
    assert.deepEqual((await project.recall('what do ours and theirs say of the old line of text')).memories, []);
    const { path } = await project.remember({ text: 'The freeze begins on 2027-01-01.', type: 'project' });
    const { [path]: kept, ...others } = await temp.memories();
    assert.ok(kept);
    assert.deepEqual(others, before, 'the memory is kept, and its line waits');
  });

  it('leaves a line of equals signs and a quoted arrow alone', async () => {
    await temp.put('plain.md', note('Title\n=======\n\n> > > quoted\n\n<< not a mark >>'));
    const project = await temp.open();
    assert.deepEqual(await project.hazards(), []);
    assert.equal((await project.heads())[0]?.problem, undefined);
  });
});
