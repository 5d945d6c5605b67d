// What no model can do, however hostile: nothing outside the memory folder changes, nothing is lost, every refusal is a
// result that it can act on, and the run ends.

import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractChat, note, resultsOf, write } from '../../support/modelChat';
import { calls, says } from '../../support/scriptedModel';
import { createTempProject, type TempProject } from '../../support/tempProject';

describe('a hostile model', function () {
  this.timeout(20_000);
  let temp: TempProject;
  const outsiders = ['CLAUDE.md', 'settings.json'];
  const paths = [
    '../escape.md',
    '/tmp/escape.md',
    'a\0.md',
    '..%2fescape.md',
    '．．／escape.md',
    '..\\escape.md',
    'team/promoted.md',
    'CLAUDE.md',
    '../settings.json',
    '.git/config.md',
    'link/escape.md',
    'linked.md',
  ];

  /** Everything that lies in the test's folder, the memory folder and our own state left out. */
  const outside = async () => {
    const found: Record<string, string> = {};
    for (const name of outsiders) found[name] = await readFile(join(temp.directory, name), 'utf8');
    const { size, mtimeMs } = await stat(join(temp.base, 'target.md'));
    return { ...found, target: `${size} ${mtimeMs}` };
  };

  beforeEach(async () => {
    temp = await createTempProject();
    for (const name of outsiders) await writeFile(join(temp.directory, name), 'mine');
    await writeFile(join(temp.base, 'target.md'), 'mine');
    await temp.put('feedback-kept.md', note({ name: 'Kept', body: 'Keep this.' }));
    await temp.put('MEMORY.md', '- [Kept](feedback-kept.md) — kept\n');
    await symlink(temp.base, join(temp.memoryDir, 'link'));
    await symlink(join(temp.base, 'target.md'), join(temp.memoryDir, 'linked.md'));
  });

  afterEach(() => temp.remove());

  it('changes nothing outside and loses nothing, and each refusal is a result it can act on', async () => {
    const before = await outside();
    const { model, outcome } = await extractChat(temp, [
      calls(...paths.map((path) => ['Write', { file_path: path, content: note({ name: path.slice(-9) }) }] as const)),
      calls(
        ['Read', { file_path: 'MEMORY.md' }],
        ['Read', { file_path: 'feedback-kept.md' }],
        ['Write', { file_path: 'MEMORY.md', content: '' }],
        ['Write', { file_path: 'huge.md', content: 'x'.repeat(200_000) }],
        ['Delete', { file_path: 'feedback-kept.md', reason: 'why not' }],
        ['Bash', { command: 'rm -rf ~' }],
        ['Write', { file_path: 'feedback-kept.md', content: '' }],
      ),
      says('All done.'),
    ]);
    const results = resultsOf(model);
    equal(results.length, paths.length + 7);
    for (const [at, result] of results.entries()) {
      const isRead = at === paths.length || at === paths.length + 1;
      equal(result.isError, !isRead, `${at}: ${result.text}`);
      ok(result.text.length > 10);
    }
    deepEqual(await outside(), before);
    deepEqual([outcome.outcome, outcome.savedCount], ['nothing', 0]);
    deepEqual(Object.keys(await temp.memories()).sort(), ['MEMORY.md', 'feedback-kept.md']);
    equal(await temp.memory('MEMORY.md'), '- [Kept](feedback-kept.md) — kept\n');
  });

  it('that never ends is ended, and what it wrote passes the same checks', async () => {
    const { model, outcome } = await extractChat(temp, (_request, number) =>
      write(`note-${number}.md`, note({ name: `Note ${number}`, body: `Fact ${number} holds.` })),
    );
    equal(model.received.length, 5);
    equal(outcome.turns, 5);
    ok(outcome.savedCount <= 5);
  });

  it('that floods a run with memories is stopped', async () => {
    const { model } = await extractChat(temp, [
      calls(
        ...Array.from(
          { length: 40 },
          (_, at) =>
            [
              'Write',
              { file_path: `n${at}.md`, content: note({ name: `N${at}`, body: `Fact ${at} holds.` }) },
            ] as const,
        ),
      ),
      says('Done.'),
    ]);
    equal(resultsOf(model).filter((result) => result.isError).length, 28);
  });
});
