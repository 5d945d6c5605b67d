// Sharing a memory, and taking it back: one change, one undo; what goes along, what is left out, what stays away.

import assert from 'node:assert/strict';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { personalWords } from '../../../src/core/memory/moving';
import { createTempProject, type TempProject, teamSettings } from '../../support/tempProject';

const session = '3f0c8e1d-52ab-4c10-9d2e-aa10bb20cc30';

describe('moving a memory to the team and back', function () {
  this.timeout(20_000);
  let temp: TempProject;
  const open = () => temp.open({ settings: teamSettings() });

  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put(
      'MEMORY.md',
      '# Memory\r\n\r\n- [Retries](project_retries.md) — eight attempts\r\n- [Role](user_role.md) — a tester\r\n\r\nSee also [the budget](project_retries.md).\r\n',
    );
    await temp.put(
      'project_retries.md',
      [
        '---',
        'name: Retry budget',
        'description: eight attempts',
        'metadata:',
        '  type: project',
        `  originSessionId: ${session}`,
        '  modified: 2026-02-03T04:05:06.000Z',
        '  pinned: true',
        '  verified: 2026-03-01T00:00:00.000Z',
        '  sourceMessages: [a, b]',
        '  sourceLogs: ["logs/2026/02/2026-02-03.md#k3"]',
        'own: kept',
        '---',
        '',
        'Eight attempts, see [[user_role]] and [the freeze](freeze.md).',
        '',
      ].join('\r\n'),
    );
    await temp.put(
      'freeze.md',
      '---\nname: Freeze\ntype: project\n---\n\nIn May. [[project_retries|Retries]] stay, see [budget](project_retries.md).\n',
    );
    await temp.put('user_role.md', '---\nname: Role\ntype: user\n---\n\nA tester.\n');
  });
  afterEach(() => temp.remove());

  it('shows beforehand exactly what others will see, and changes nothing by it', async () => {
    const before = await temp.memories();
    const project = await open();
    const [plan] = await project.previewMove(['project_retries.md'], 'team');
    assert.deepEqual(await temp.memories(), before);
    await project.move(['project_retries.md'], 'team');
    assert.equal(await temp.memory('team/project_retries.md'), plan?.after);
  });

  it('carries file, age, pin, verification and index line along, and leaves out what names the person’s own chats', async () => {
    const project = await open();
    const file = join(temp.memoryDir, 'project_retries.md');
    const { mtimeMs } = await stat(file);
    const { paths } = await project.move(['project_retries.md'], 'team');
    assert.deepEqual(paths, ['team/project_retries.md']);
    const text = (await temp.memory('team/project_retries.md')) ?? '';
    assert.doesNotMatch(text, /originSessionId|sourceMessages|sourceLogs/);
    for (const kept of ['own: kept', 'pinned: true', 'verified: 2026-03-01', 'modified: 2026-02-03'])
      assert.ok(text.includes(kept), kept);
    assert.ok(!/[^\r]\n/.test(text), 'line ends stay');
    assert.equal((await stat(join(temp.memoryDir, 'team/project_retries.md'))).mtimeMs, mtimeMs);
    assert.equal(await temp.memory('project_retries.md'), undefined);
    assert.match(
      (await temp.memory('team/MEMORY.md')) ?? '',
      /^- \[Retries\]\(project_retries\.md\) — eight attempts$/m,
    );
    assert.doesNotMatch((await temp.memory('MEMORY.md')) ?? '', /\[Retries\]/);
    const head = (await project.heads()).find(({ path }) => path === 'team/project_retries.md');
    assert.deepEqual([head?.scope, head?.pinned, head?.problem], ['team', true, undefined]);
  });

  it('leads links of other memories to the new place, without making them new', async () => {
    const project = await open();
    const { mtimeMs } = await stat(join(temp.memoryDir, 'freeze.md'));
    await project.move(['project_retries.md'], 'team');
    assert.match(
      (await temp.memory('freeze.md')) ?? '',
      /\[\[project_retries\|Retries\]\] stay, see \[budget\]\(team\/project_retries\.md\)/,
    );
    assert.equal((await stat(join(temp.memoryDir, 'freeze.md'))).mtimeMs, mtimeMs);
    assert.match((await temp.memory('MEMORY.md')) ?? '', /See also \[the budget\]\(team\/project_retries\.md\)/);
    assert.match(
      (await temp.memory('team/project_retries.md')) ?? '',
      /\[\[freeze\|the freeze\]\]/,
      'no path leads out',
    );
  });

  it('is one run: undo brings every byte and every time back, and the trash stays empty', async () => {
    const project = await open();
    const before = await temp.memories();
    const { mtimeMs } = await stat(join(temp.memoryDir, 'project_retries.md'));
    await project.move(['project_retries.md', 'freeze.md'], 'team');
    assert.deepEqual(await project.trash(), []);
    assert.deepEqual([...(await project.team.movedTo(['freeze.md', 'other.md']))], [['freeze.md', 'team/freeze.md']]);
    await project.undo();
    assert.deepEqual(await temp.memories(), before);
    assert.equal((await stat(join(temp.memoryDir, 'project_retries.md'))).mtimeMs, mtimeMs);
    assert.equal((await project.team.movedTo(['freeze.md'])).size, 0);
  });

  it('is not taken back in part: a memory that was edited there since stays there alone', async () => {
    const project = await open();
    await project.move(['project_retries.md'], 'team');
    await temp.put('team/project_retries.md', '---\nname: Retry budget\ntype: project\n---\n\nNine attempts.\n');
    const before = await temp.memories();
    const { restored, conflicts } = await project.undo();
    assert.deepEqual([restored, conflicts], [[], ['team/project_retries.md']]);
    assert.deepEqual(await temp.memories(), before);
  });

  it('comes back private with its line and its links', async () => {
    const project = await open();
    const before = await temp.memories();
    await project.move(['project_retries.md', 'freeze.md'], 'team');
    assert.match((await temp.memory('team/freeze.md')) ?? '', /see \[budget\]\(project_retries\.md\)/);
    await project.move(['team/project_retries.md', 'team/freeze.md'], 'private');
    assert.equal(
      await temp.memory('freeze.md').then((text) => text?.replace(/^modified.*\n/m, '')),
      before['freeze.md'],
    );
    assert.equal(await temp.memory('team/freeze.md'), undefined);
    assert.match((await temp.memory('MEMORY.md')) ?? '', /\[Retries\]\(project_retries\.md\) — eight attempts/);
    assert.doesNotMatch((await temp.memory('team/MEMORY.md')) ?? '', /\]\(/);
  });

  it('says the date of a memory that has only its file’s, as git keeps no times', async () => {
    const project = await open();
    const at = new Date('2026-01-02T03:04:05.000Z');
    await utimes(join(temp.memoryDir, 'freeze.md'), at, at);
    await project.move(['freeze.md'], 'team');
    assert.match((await temp.memory('team/freeze.md')) ?? '', /modified: 2026-01-02T03:04:05\.000Z/);
  });

  it('takes another name where the team has one of that name, and the links follow', async () => {
    await temp.put('team/freeze.md', '---\nname: Team freeze\ntype: project\n---\n\nIn June.\n');
    const project = await open();
    const [plan] = await project.previewMove(['freeze.md'], 'team');
    assert.equal(plan?.to, 'team/freeze-2.md');
    await project.move(['freeze.md'], 'team');
    assert.match((await temp.memory('team/freeze.md')) ?? '', /In June/);
    assert.match((await temp.memory('project_retries.md')) ?? '', /\[the freeze\]\(team\/freeze-2\.md\)/);
  });

  it('never shares what is said of a person, nor what can not be read', async () => {
    await temp.put('broken.md', '---\nname: "a" b: [\n---\n\ntext\n');
    const project = await open();
    const before = await temp.memories();
    await assert.rejects(project.move(['user_role.md'], 'team'), /never shared|always private/);
    await assert.rejects(project.move(['freeze.md', 'broken.md'], 'team'));
    assert.deepEqual(await temp.memories(), before, 'all or none');
  });

  it('never shares a secret: the rule and the line in the person’s own file are named, the value is not', async () => {
    const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
    await temp.put(
      'deploy.md',
      `---\nname: Deploy\nmetadata:\n  type: reference\n  originSessionId: ${session}\n---\n\nOne.\nUse ${token} there.\n`,
    );
    const project = await open();
    const [plan] = await project.previewMove(['deploy.md'], 'team');
    assert.deepEqual(
      plan?.refusals.map(({ kind, line }) => [kind, line]),
      [['secret', 9]],
    );
    await assert.rejects(project.move(['deploy.md'], 'team'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'secret');
      assert.match(error.message, /line 9/i);
      assert.match(error.message, /github/i);
      return !error.message.includes(token);
    });
    assert.equal(await temp.memory('team/deploy.md'), undefined);
  });

  it('says what others would learn of this person and machine, and where a link leads to nothing they have', async () => {
    await temp.put(
      'paths.md',
      '---\nname: Paths\ntype: reference\n---\n\nIn /home/ana/work or C:\\Users\\Ana\\work.\nAsk ana.silva@example.com.\nSee [[Role]].\n',
    );
    const project = await open();
    const [plan] = await project.previewMove(['paths.md'], 'team');
    const told = plan?.notes.map((note) => ('words' in note ? [note.kind, note.words] : [note.kind]));
    assert.deepEqual(told, [
      ['home_path', '/home/ana'],
      ['email', 'ana.silva@example.com'],
      ['private_link', 'Role'],
    ]);
    assert.deepEqual(personalWords('Ask Ana about banana.', '/x', ['Ana']), [
      { kind: 'person', line: 1, words: 'Ana' },
    ]);
    assert.deepEqual(personalWords('The root user.', '/root', ['root']), []);
  });

  it('says what the team has on the matter already, and when it is the opposite', async () => {
    const memory = (name: string, body: string) => `---\nname: ${name}\ntype: feedback\n---\n\n${body}\n`;
    await temp.put('team/tabs.md', memory('Indentation', 'We indent with 2 spaces.'));
    await temp.put('indent.md', memory('Indentation', 'We indent with 4 spaces.'));
    const project = await open();
    const [plan] = await project.previewMove(['indent.md'], 'team');
    assert.ok(plan?.notes.some(({ kind }) => kind === 'usually_private'));
    assert.deepEqual(
      plan?.notes.flatMap((note) => (note.kind === 'team_says' ? [note.name, note.relation] : [])),
      ['Indentation', 'contradicts'],
    );
  });

  it('is refused while team memory is off', async () => {
    const project = await temp.open();
    await assert.rejects(project.move(['freeze.md'], 'team'), { code: 'team_off' });
    assert.equal(await temp.memory('team/freeze.md'), undefined);
  });
});
