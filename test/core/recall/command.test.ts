import assert from 'node:assert/strict';
import { runCommand } from '../../support/commandLine';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('reverie recall', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('deploy.md', '---\nname: Deploy days\ntype: project\n---\n\nOn Tuesdays, with Helm.\n');
    await temp.put(
      'helm.md',
      '---\nname: Helm flags\ndescription: How to call helm\ntype: reference\n---\n\n--atomic\n',
    );
    await temp.put('team/plain.md', 'Deploy notes without front matter.\n');
    await runCommand(temp, 'team', 'on');
  });
  afterEach(() => temp.remove());

  const run = (...argv: readonly string[]) => runCommand(temp, ...argv);
  const json = async (...argv: readonly string[]) => {
    const { status, out } = await run('recall', ...argv, '--json');
    return { status, lines: out.split('\n').length - 1, ...JSON.parse(out) };
  };

  it('prints one object with what was found, for what reason, of how many, and what was left out', async () => {
    const found = await json(
      'how',
      'to',
      'deploy',
      'with',
      'helm',
      '--recent-tools',
      'Bash, helm',
      '--now',
      '2026-01-01T00:00:00Z',
    );
    assert.deepEqual([found.status, found.lines], [0, 1]);
    assert.deepEqual(Object.keys(found.memories[0]).toSorted(), [
      'ageDays',
      'caveat',
      'content',
      'name',
      'path',
      'picked',
      'scope',
      'truncated',
      'type',
      'why',
    ]);
    assert.deepEqual(
      [found.query, found.selector, found.considered, found.memories[0].path, found.memories[0].content],
      ['how to deploy with helm', 'lexical', 3, 'deploy.md', 'On Tuesdays, with Helm.'],
    );
    assert.deepEqual(found.suppressed, [{ path: 'helm.md', why: 'a note on how to use helm, which is in use' }]);
  });

  it('honours the limit and what is excluded, and says null where a memory has no type', async () => {
    assert.deepEqual((await json('deploy', '--limit', '1')).memories.length, 1);
    const rest = await json('deploy', '--exclude', 'deploy.md, helm.md');
    assert.deepEqual(
      rest.memories.map(({ path, type, scope }: Record<string, unknown>) => [path, type, scope]),
      [['team/plain.md', null, 'team']],
    );
  });

  it('says so in words when nothing fits, and refuses a question that is none', async () => {
    assert.deepEqual(await run('recall', 'the weather in Lisbon'), { status: 0, out: 'None of 3 memories fits.\n' });
    const { write } = process.stderr;
    process.stderr.write = () => true;
    try {
      assert.equal((await run('recall')).status, 2);
      assert.equal((await run('recall', 'x', '--limit', '0')).status, 2);
    } finally {
      process.stderr.write = write;
    }
  });
});
