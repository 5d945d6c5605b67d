import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { ageDays } from '../../src/core/memory/memory';
import { createTempProject, type TempProject } from '../support/tempProject';

describe('what a person does by hand', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('MEMORY.md', '# Memory\r\n\r\n- [Retries](project_retries.md) — eight attempts\r\n');
    await temp.put(
      'project_retries.md',
      '---\r\nname: Retries\r\ndescription: eight attempts\r\ntype: project\r\nown: kept\r\n---\r\n\r\nEight attempts.\r\n',
    );
    await temp.put('broken.md', '---\nname: "a" b: [\n---\n\ntext\n');
  });
  afterEach(() => temp.remove());

  it('verifies and pins a memory that says no date without making it new', async () => {
    await temp.put('old.md', '---\nname: Old\ntype: project\n---\n\nFrom long ago.\n');
    const at = new Date(Date.now() - 50 * 86_400_000);
    const project = await temp.open();
    await utimes(await project.locate('old.md'), at, at);
    await project.verify('old.md');
    await project.pin('old.md', true);
    const head = (await project.heads()).find(({ path }) => path === 'old.md');
    assert.equal(ageDays(head?.modifiedAt ?? 0, Date.now()), 50);
    assert.ok(head?.pinned && head.verifiedAt !== undefined);
  });

  it('remembers, links and takes back, byte for byte', async () => {
    const project = await temp.open();
    const before = await temp.memories();
    const { path } = await project.remember({ text: 'Ask Ana before the schema changes.', type: 'project' });
    assert.match(path, /^project_/, 'the folder’s own naming style');
    assert.ok((await temp.memory('MEMORY.md'))?.includes(`(${path})`));
    await assert.rejects(project.remember({ text: 'Ask Ana before the schema changes.', type: 'project' }), {
      code: 'exists',
    });
    await project.undo();
    assert.deepEqual(await temp.memories(), before);
    await assert.rejects(project.remember({ text: '  ' }), { code: 'usage' });
  });

  it('puts a new line below the heading of its type, whatever the files are called and also when it is the first', async () => {
    await temp.put('freeze.md', '---\nname: Freeze\ndescription: when\ntype: project\n---\n\nThe freeze is in May.\n');
    await temp.put('zeta.md', '---\nname: Zeta\ndescription: why\ntype: feedback\n---\n\nZeta is spelled so.\n');
    await temp.put(
      'MEMORY.md',
      '# Memory\n\n## How we work\n\n- [Zeta](zeta.md) — why\n\n## Work\n\n- [Freeze](freeze.md) — when\n\n## References\n\n',
    );
    const project = await temp.open();
    const one = await project.remember({ text: 'Ask Ana before the schema changes.', type: 'project' });
    const other = await project.remember({ text: 'Bugs are tracked on the Linear board.', type: 'reference' });
    const lines = ((await temp.memory('MEMORY.md')) ?? '').split('\n');
    const headingOf = (path: string) =>
      lines
        .slice(
          0,
          lines.findIndex((line) => line.includes(`(${path})`)),
        )
        .findLast((line) => line.startsWith('#'));
    assert.equal(headingOf(one.path), '## Work');
    assert.equal(headingOf(other.path), '## References');
  });

  it('guesses the type of what is remembered', async () => {
    const project = await temp.open();
    assert.equal(await project.guessType('Never force-push to release branches.'), 'feedback');
    assert.equal(await project.guessType('I am a backend developer, new to React.'), 'user');
  });

  it('forgets several at once and brings each back with its index line', async () => {
    const project = await temp.open();
    const before = await temp.memories();
    const { path } = await project.remember({ text: 'Ask Ana before the schema changes.', type: 'project' });
    await project.forget([path, 'project_retries.md']);
    assert.deepEqual(
      (await project.heads()).map((head) => head.path),
      ['broken.md'],
    );
    assert.equal((await temp.memory('MEMORY.md'))?.includes('('), false);
    await project.restore('project_retries.md');
    assert.equal(await temp.memory('project_retries.md'), before['project_retries.md']);
    assert.ok((await temp.memory('MEMORY.md'))?.includes('[Retries](project_retries.md) — eight attempts'));
    await assert.rejects(project.forget(['nothing.md']), { code: 'not_found' });
    for (const index of ['MEMORY.md', 'memory.md', 'team/Memory.MD']) {
      await assert.rejects(project.forget([index]), { code: 'usage' });
    }
    await assert.rejects(project.forget(['../../x.md']), { code: 'bad_path' });
  });

  it('pins, verifies and renames by changing only those keys, and never rewrites a broken file', async () => {
    const project = await temp.open({ now: () => Date.parse('2026-02-03T04:05:06Z') });
    const before = (await temp.memory('project_retries.md')) ?? '';
    await project.pin('project_retries.md', true);
    await project.verify('project_retries.md');
    await project.rename('project_retries.md', 'Retry budget');
    const after = (await temp.memory('project_retries.md')) ?? '';
    for (const line of before.split('\r\n')) if (!line.startsWith('name:')) assert.ok(after.includes(line), line);
    assert.ok(!/[^\r]\n/.test(after), 'every line still ends with CRLF');
    const head = (await project.heads()).find(({ path }) => path === 'project_retries.md');
    assert.deepEqual(
      [head?.pinned, head?.name, head?.verifiedAt],
      [true, 'Retry budget', Date.parse('2026-02-03T04:05:06Z')],
    );
    assert.ok((await temp.memory('MEMORY.md'))?.includes('[Retry budget](project_retries.md) — eight attempts'));
    const broken = await temp.memory('broken.md');
    await assert.rejects(project.pin('broken.md', true), { code: 'unreadable' });
    assert.equal(await temp.memory('broken.md'), broken);
    for (let runs = 0; runs < 3; runs += 1) await project.undo();
    assert.equal(await temp.memory('project_retries.md'), before);
  });

  it('recalls what fits, says why, and stays silent when nothing fits', async () => {
    const project = await temp.open();
    const found = await project.recall('how many retries are there');
    assert.deepEqual(
      found.memories.map(({ path }) => path),
      ['project_retries.md'],
    );
    assert.match(found.memories[0]?.why ?? '', /retries/i);
    assert.deepEqual((await project.recall('what is the weather in Lisbon')).memories, []);
    assert.deepEqual((await project.recall('how many retries', { exclude: ['project_retries.md'] })).memories, []);
  });
});
