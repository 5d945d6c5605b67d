import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryTools } from '../../src/core/agent/memoryTools';
import { nodeDisk } from '../../src/core/disk';
import { nodeProcessTable, openGuard } from '../../src/core/guard';
import { silentLogger } from '../../src/core/log';
import { createOverlay } from '../../src/core/memory/changeset';
import { memoryTypes } from '../../src/core/memory/memory';
import { openMemoryStore } from '../../src/core/memory/memoryStore';
import { openSuggestions } from '../../src/core/memory/proposals';
import { openSnapshots, type RunKind } from '../../src/core/memory/snapshots';
import { routedScope, teamRefusal, teamRouting } from '../../src/core/memory/teamMemory';
import { MemoryError } from '../../src/core/memoryError';
import { runCommand } from '../support/commandLine';
import { dice, secretKinds } from '../support/secretSamples';
import {
  createTempProject,
  extractAll,
  openBeforeChats,
  type TempProject,
  teamSettings,
  turn,
} from '../support/tempProject';

const secret = secretKinds['GitHub personal token']?.(dice(5)) ?? '';
const note = (name: string, body: string, type = 'project') =>
  `---\nname: ${name}\ndescription: About it\nmetadata:\n  type: ${type}\n---\n\n${body}\n`;

describe('team memory', function () {
  this.timeout(30_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());
  const open = () => temp.open({ settings: teamSettings() });
  const teamTexts = async () =>
    Object.entries(await temp.memories())
      .filter(([path]) => path.startsWith('team/'))
      .map(([, text]) => text)
      .join('\n');
  const isRefusal = (rule: string, line?: number) => (error: unknown) => {
    assert.ok(error instanceof MemoryError, String(error));
    assert.equal(error.code, 'secret');
    assert.equal(error.refusal?.rule, rule);
    if (line !== undefined) assert.equal(error.refusal?.line, line);
    assert.ok(!error.message.includes(secret), 'the value is never told');
    return true;
  };

  describe('gets no secret by any way in', () => {
    it('not by a run of any kind, which is where all ways end', async () => {
      await mkdir(temp.memoryDir, { recursive: true });
      const folder = join(temp.base, 'state');
      const store = openMemoryStore({
        roots: { private: temp.memoryDir },
        disk: nodeDisk,
        now: Date.now,
        log: silentLogger,
      });
      const processes = nodeProcessTable(nodeDisk);
      const guard = openGuard({ folder: join(folder, 'guard'), disk: nodeDisk, processes });
      const snapshots = openSnapshots({
        folder,
        files: store,
        disk: nodeDisk,
        guard,
        processes,
        now: Date.now,
        log: silentLogger,
      });
      const kinds: readonly RunKind[] = [
        ...(['extraction', 'remember', 'forget', 'restore', 'accept'] as const),
        ...(['edit', 'move', 'mend', 'dream', 'undo'] as const),
      ];
      for (const kind of kinds) {
        const after = note('Robot', `Signs in with ${secret}.`);
        const change = { path: 'team/robot.md', before: null, after };
        await assert.rejects(snapshots.apply([change], { kind }), isRefusal('github', 8));
        const index = { path: 'team/MEMORY.md', before: null, after: `- [Robot](robot.md) — ${secret}\n` };
        await assert.rejects(snapshots.apply([index], { kind }), isRefusal('github', 1));
        const both = [{ path: 'mine.md', before: null, after: note('Mine', 'Text.') }, change];
        await assert.rejects(snapshots.apply(both, { kind }), isRefusal('github'));
      }
      store.dispose();
      assert.deepEqual(await temp.memories(), {}, 'all or nothing: the private file was not written either');
    });

    it('not remembered by hand or on the command line', async () => {
      const project = await open();
      const text = `Deploys need a robot.\nIt signs in with ${secret}.`;
      await assert.rejects(project.remember({ text, type: 'project', scope: 'team' }), isRefusal('github', 2));
      await runCommand(temp, 'team', 'on');
      const { status, out } = await runCommand(temp, 'remember', text, '--scope', 'team', '--json');
      assert.equal(status, 1);
      assert.ok(out.includes('github') && !out.includes(secret));
      assert.equal((await teamTexts()).includes(secret), false);
    });

    it('not by an edit of a memory that holds one, nor by its way back from the trash or from an undone run', async () => {
      await temp.put('team/robot.md', note('Robot', `Signs in with ${secret}.`));
      await temp.put('team/MEMORY.md', '- [Robot](robot.md) — signs in\n');
      const project = await open();
      await assert.rejects(project.pin('team/robot.md', true), isRefusal('github', 8));
      await assert.rejects(project.verify('team/robot.md'), isRefusal('github'));
      await assert.rejects(project.rename('team/robot.md', 'Other'), isRefusal('github'));
      await project.forget(['team/robot.md']);
      await assert.rejects(project.restore('team/robot.md'), isRefusal('github'));
      await assert.rejects(project.undo(), isRefusal('github'));
      assert.equal((await teamTexts()).includes(secret), false);
    });

    it('not moved there', async () => {
      await temp.put('robot.md', note('Robot', `Signs in with ${secret}.`));
      const project = await open();
      await project.move(['robot.md'], 'team').catch(() => undefined);
      assert.ok((await temp.memory('robot.md'))?.includes(secret), 'it stays where it was');
      assert.equal((await teamTexts()).includes(secret), false);
    });

    it('not by a model that writes or edits, which is told the rule and the line', async () => {
      await temp.put('team/rule.md', note('Rule', 'Deploy on Tuesdays.'));
      const files: Record<string, string> = { 'team/rule.md': note('Rule', 'Deploy on Tuesdays.') };
      const overlay = createOverlay(async (path) =>
        files[path] === undefined ? undefined : { text: files[path], mtimeMs: 0 },
      );
      const { tools } = createMemoryTools({
        overlay,
        paths: Object.keys(files),
        documents: [],
        isPinned: () => false,
        team: true,
        index: true,
        mayDelete: () => undefined,
        mostFiles: 9,
      });
      const { signal } = new AbortController();
      const use = (name: string, input: object) =>
        tools.find(({ definition }) => definition.name === name)?.run(input, signal);
      await use('Read', { file_path: 'team/rule.md' });
      for (const [name, input] of [
        ['Write', { file_path: 'team/robot.md', content: note('Robot', secret) }],
        ['Edit', { file_path: 'team/rule.md', old_string: 'Tuesdays', new_string: `Tuesdays with ${secret}` }],
        ['Write', { file_path: 'team/MEMORY.md', content: `- [Robot](robot.md) — ${secret}` }],
        ['Write', { file_path: 'team/ana.md', content: note('Ana', 'A tester.', 'user') }],
      ] as const) {
        const outcome = await use(name, input);
        assert.equal(outcome?.isError, true, JSON.stringify(input));
        assert.ok(!outcome?.text.includes(secret));
      }
      assert.deepEqual(overlay.changes(), []);
    });

    it('not from a chat, and not from a suggestion that a person accepts', async () => {
      const project = await openBeforeChats(temp, { settings: teamSettings() });
      await temp.chat('a', turn(`In this project we always deploy with the robot token ${secret}, as a convention.`));
      await extractAll(project);
      await openSuggestions({ folder: project.paths.stateDir, disk: nodeDisk }).add([
        {
          draft: {
            type: 'project',
            scope: 'team',
            name: 'Robot',
            description: 'Robot',
            body: `Robot: ${secret}`,
            modifiedAt: 1,
          },
          why: 'test',
          session: { id: 'a', file: 'a' },
          at: 1,
        },
      ]);
      const waiting = await project.suggestions();
      const [robot] = waiting.filter(({ draft }) => draft.name === 'Robot');
      assert.ok(robot);
      await assert.rejects(project.accept(robot.id), isRefusal('github'));
      assert.equal((await teamTexts()).includes(secret), false);
    });
  });

  it('keeps a secret that a teammate wrote out of recall, models and indexes, and names file, line and rule', async () => {
    await temp.put('team/robot.md', note('Robot sign-in', `The robot signs in with ${secret} at the gateway.`));
    await temp.put('team/gate.md', note('Gateway', 'The gateway of the robot is in Lisbon.'));
    await temp.put('team/MEMORY.md', `- [Robot](robot.md) — ${secret}\n- [Gateway](gate.md) — Lisbon\n`);
    const project = await open();
    const { refused, memories } = await project.teamFolder();
    assert.deepEqual(refused, [
      { path: 'team/MEMORY.md', rule: 'secret', secret: 'github', line: 1 },
      { path: 'team/robot.md', rule: 'secret', secret: 'github', line: 8 },
    ]);
    assert.equal(memories, 1);
    const found = await project.recall('how does the robot sign in at the gateway');
    assert.deepEqual(
      found.memories.map(({ path }) => path),
      ['team/gate.md'],
    );
    assert.equal(await project.usable.read('team/robot.md'), undefined);
    assert.deepEqual(
      (await project.usable.heads()).map(({ path }) => path),
      ['team/gate.md'],
    );
    assert.ok(!(await project.usable.indexes()).includes(secret));
    const robot = (await project.heads()).find(({ path }) => path === 'team/robot.md');
    assert.deepEqual(robot?.problem, { kind: 'secret', line: 8, detail: 'github' });
  });

  it('takes nothing of type user by any way, and what is a bad name by none', async () => {
    const project = await open();
    await assert.rejects(project.remember({ text: 'I am a tester from Porto.', type: 'user', scope: 'team' }), {
      code: 'user_type',
    });
    assert.equal((await teamRefusal('team/a.md', note('A', 'x', 'user')))?.rule, 'user_type');
    assert.equal(await teamRefusal('a.md', note('A', secret, 'user')), undefined, 'private paths are not its business');
    for (const [path, rule] of [
      ['team/../a.md', 'leaves_folder'],
      ['team/a\\b.md', 'backslash'],
      ['team/NUL.md', 'device_name'],
      ['team/.hidden.md', 'hidden'],
      ['team/.git/config.md', 'git_folder'],
      ['TEAM/a.md', 'odd_name'],
      [`team/${secret}.md`, 'secret'],
    ] as const)
      assert.equal((await teamRefusal(path, note('A', 'x')))?.rule, rule, path);
  });

  it('is off by default: what lies there is shown and nothing of it is used, written or removed', async () => {
    await temp.put('team/gate.md', note('Gateway', 'The gateway of the robot is in Lisbon.'));
    const project = await temp.open();
    const before = await temp.memories();
    assert.deepEqual(
      (await project.heads()).map(({ path }) => path),
      ['team/gate.md'],
    );
    assert.deepEqual((await project.recall('where is the gateway of the robot')).memories, []);
    for (const change of [
      () => project.remember({ text: 'The freeze begins on 2027-01-01.', scope: 'team' }),
      () => project.pin('team/gate.md', true),
      () => project.forget(['team/gate.md']),
    ])
      await assert.rejects(change, { code: 'team_off' });
    assert.deepEqual(await temp.memories(), before);
    const untrusted = await temp.open({ settings: teamSettings(), trusted: false });
    assert.equal((await untrusted.teamFolder()).enabled, false);
  });

  it('is switched on for one checkout, by the editor or the command line, and the command line follows', async () => {
    const status = async () => JSON.parse((await runCommand(temp, 'team', 'status', '--json')).out);
    assert.deepEqual([(await status()).enabled, (await status()).teamDir], [false, join(temp.memoryDir, 'team')]);
    const editor = await temp.open({ settings: teamSettings('docs/memory') });
    await editor.start();
    assert.deepEqual([(await status()).enabled, (await status()).teamDir], [true, join(temp.directory, 'docs/memory')]);
    const { status: done } = await runCommand(temp, 'remember', 'The freeze begins on 2027-01-01.', '--scope', 'team');
    assert.equal(done, 0);
    assert.equal((await readdir(join(temp.directory, 'docs/memory'))).length, 2);
    await runCommand(temp, 'team', 'off');
    assert.equal((await status()).enabled, false);
    assert.equal((await runCommand(temp, 'team', 'on', '../elsewhere')).status, 2);
    assert.equal((await runCommand(temp, 'team', 'on', 'docs/shared')).status, 0);
    assert.equal((await status()).teamDir, join(temp.directory, 'docs/shared'));
    const whole = JSON.parse((await runCommand(temp, 'status', '--json')).out);
    assert.equal(whole.project.teamDir, join(temp.directory, 'docs/shared'));
  });

  it('routes by one table: user never, conventions of all, project and reference unless personal', async () => {
    assert.deepEqual(Object.keys(teamRouting), memoryTypes);
    const scopes = (facts: Omit<Parameters<typeof routedScope>[1], 'team'>) =>
      memoryTypes.map((type) => routedScope(type, { team: true, ...facts }));
    assert.deepEqual(scopes({}), ['private', 'private', 'team', 'team']);
    assert.deepEqual(scopes({ isConvention: true }), ['private', 'team', 'team', 'team']);
    assert.deepEqual(scopes({ isPersonal: true }), ['private', 'private', 'private', 'private']);
    for (const type of memoryTypes) assert.equal(routedScope(type, { team: false, isConvention: true }), 'private');
  });

  it('gets from a chat what everybody follows, and not what one person prefers', async () => {
    const project = await openBeforeChats(temp, { settings: teamSettings() });
    await temp.chat('a', (talk) =>
      [
        'Remember: in this project we always squash commits before a merge.',
        'Remember that I prefer short answers without summaries.',
        'Remember: the release freeze for the mobile app begins on 2027-03-04.',
        'Remember: I am a backend developer, new to React.',
      ].reduce((so, text) => turn(text)(so), talk),
    );
    await extractAll(project);
    const heads = await project.heads();
    const scopeOf = (word: string) =>
      heads.find(({ name, description }) => `${name} ${description}`.includes(word))?.scope;
    assert.deepEqual(['squash', 'short answers', 'freeze', 'React'].map(scopeOf), [
      'team',
      'private',
      'team',
      'private',
    ]);
    assert.match((await temp.memory('team/MEMORY.md')) ?? '', /squash/i);
    assert.doesNotMatch((await temp.memory('MEMORY.md')) ?? '', /squash/i);
  });

  it('is not contradicted without saying so', async () => {
    await temp.put('team/indent.md', note('Indentation', 'We indent with 2 spaces.', 'feedback'));
    await temp.put('team/MEMORY.md', '- [Indentation](indent.md) — two spaces\n');
    const project = await open();
    const { path } = await project.remember({ text: 'We indent with 4 spaces.', type: 'feedback' });
    assert.match(
      (await readFile(join(temp.memoryDir, path), 'utf8')) ?? '',
      /Differs from the team:.*team\/indent\.md.*2 spaces/,
    );
    assert.match((await temp.memory('team/indent.md')) ?? '', /2 spaces/);
  });

  it('is left out whole where it lies in a folder that can not be the team’s', async () => {
    await mkdir(join(temp.directory, 'docs'), { recursive: true });
    await writeFile(join(temp.directory, 'docs/x.md'), note('X', 'y'));
    const project = await temp.open({ settings: teamSettings('../outside') });
    assert.ok(project.paths.warnings.some(({ kind }) => kind === 'team_refused'));
  });
});
