import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { teamRefusalsIn } from '../../src/core/memory/teamEntries';
import { MemoryError } from '../../src/core/memoryError';
import type { Project } from '../../src/core/project';
import { watchedDisk } from '../support/disks';
import { createTempProject, type TempProject, teamSettings } from '../support/tempProject';

const memory = (name: string, type = 'project') =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: ${type}\n---\n\nThe ${name} service answers on port 8080.\n`;
const wide = (text: string) => [...text].map((c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)).join('');

/** Names that git can carry here, by the rule that refuses them. */
const hostileNames: Readonly<Record<string, readonly string[]>> = {
  backslash: ['..\\..\\evil.md', 'a\\b.md', '\\\\server\\share.md', 'C:\\x.md', '.\\x.md'],
  absolute: ['C:evil.md', 'd:x.md', 'Z:.md'],
  encoded_separator: [
    '%2e%2e%2fevil.md',
    '..%2Fevil.md',
    '%2e%2e%5cevil.md',
    'a%00.md',
    'x%252fy.md',
    '%252e%252e%252fz.md',
    `${wide('..')}${wide('/')}evil.md`,
    `a${wide('/')}b.md`,
    `a${wide('\\')}b.md`,
  ],
  leaves_folder: ['%2e%2e', `${wide('..')}`, '%2e'],
  control_character: ['tab\t.md', 'line\nbreak.md', 'bell\u0007.md', 'del\u007f.md', 'esc\u001b[31m.md'],
  device_name: [
    ...['CON', 'PRN', 'AUX', 'NUL', 'con', 'nul', 'COM1', 'com9', 'LPT1', 'lpt9', 'CONIN$', 'COM¹'].map(
      (name) => `${name}.md`,
    ),
    'NUL',
    'aux.notes.md',
    'nul .md',
    `${wide('CON')}.md`,
  ],
  odd_name: [
    'trailing.md.',
    'trailing.md ',
    'space.md  ',
    'dots.md...',
    ' leading.md',
    'ads.md:stream',
    'question?.md',
    'star*.md',
    'less<more>.md',
    'pipe|.md',
    'quote".md',
    '~',
    '~root.md',
    `notes${wide('.')}md`,
    `ab${wide(':')}c.md`,
    'fraction\u2044slash.md',
    'one\u2024md',
  ],
  git_folder: ['.GIT', '.Git', 'git~1', 'GIT~1', 'git~2', '.git.md '.trim().replace('.md', '')].filter(
    (name) => name !== '.git',
  ),
  invisible_character: [
    'zero\u200bwidth.md',
    'soft\u00adhyphen.md',
    'right\u202eleft.md',
    'mark\u200e.md',
    'join\u2060er.md',
    'bom\ufeff.md',
    'a\u200cb.md',
    '.g\u200cit',
    'iso\u2066late.md',
  ],
  too_long: [`${'l'.repeat(220)}.md`, `${'é'.repeat(110)}.md`, `${'x'.repeat(250)}.md`, 'w'.repeat(255)],
};

describe('what arrives in a team folder by git', function () {
  this.timeout(60_000);
  let temp: TempProject;
  let team: string;
  let outside: string;
  beforeEach(async () => {
    temp = await createTempProject();
    team = join(temp.directory, 'docs/team');
    outside = join(temp.base, 'outside');
    await mkdir(team, { recursive: true });
    await mkdir(temp.memoryDir, { recursive: true });
    await mkdir(join(outside, 'folder'), { recursive: true });
    for (const name of ['secret.md', 'folder/inner.md', 'MEMORY.md'])
      await writeFile(join(outside, name), memory('outsider'));
    spawnSync('git', ['init', '-q'], { cwd: temp.directory });
  });
  afterEach(() => temp.remove());

  const open = (disk?: Parameters<TempProject['open']>[0]) =>
    temp.open({ settings: teamSettings('docs/team'), ...disk });

  /** Two hundred and more; returns the memory paths of those that must be told of. */
  async function plant(): Promise<{ readonly paths: Map<string, string>; readonly count: number }> {
    const paths = new Map<string, string>();
    let count = 0;
    for (const folder of ['', 'sub/', 'sub/deeper/']) {
      await mkdir(join(team, folder), { recursive: true });
      for (const [rule, names] of Object.entries(hostileNames)) {
        for (const name of names) {
          if (folder !== '' && /^(?:~|w{255})$/.test(name)) continue;
          const target = `${team}/${folder}${name}`;
          if (rule === 'git_folder' || !/md/.test(name.normalize('NFKC'))) {
            await mkdir(target);
            await writeFile(join(target, 'inner.md'), memory('inside a hostile folder'));
          } else await writeFile(target, memory('hostile'));
          // A drive's colon is only absolute where a path begins.
          paths.set(`team/${folder}${name}`, rule === 'absolute' && folder !== '' ? 'odd_name' : rule);
          count += 1;
        }
      }
    }
    const links: readonly (readonly [name: string, target: string, rule: string])[] = [
      ['out.md', join(outside, 'secret.md'), 'link_outside'],
      ['up.md', '../../../outside/secret.md', 'link_outside'],
      ['passwd.md', '/etc/passwd', 'link_outside'],
      ['folder', join(outside, 'folder'), 'link_outside'],
      ['folder.md', join(outside, 'folder'), 'link_outside'],
      ['parent', '..', 'link_outside'],
      ['self', '.', 'link_folder'],
      ['private', temp.memoryDir, 'link_outside'],
      ['dangling.md', join(outside, 'nothing.md'), 'unreadable'],
      ['dangling', 'nowhere', 'link_nowhere'],
      ['loop', 'loop', 'link_loop'],
      ['there', 'back', 'link_loop'],
      ['back', 'there', 'link_loop'],
      ['config', join(temp.directory, '.git/config'), 'link_outside'],
    ];
    for (const [name, target, rule] of links) {
      await symlink(target, join(team, name));
      paths.set(`team/${name}`, rule);
      count += 1;
    }
    for (const name of ['Twin.md', 'TWIN.md', 'twin.MD']) {
      await writeFile(join(team, name), memory('twin'));
      paths.set(`team/${name}`, 'case_collision');
      count += 1;
    }
    await writeFile(join(team, 'bytes.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0xff, 0xfe, 0x0a]));
    paths.set('team/bytes.md', 'not_text');
    await writeFile(join(team, 'huge.md'), 'x'.repeat(1_100_000));
    paths.set('team/huge.md', 'too_large');
    await writeFile(
      Buffer.concat([Buffer.from(`${team}/name-`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
      memory('bytes'),
    );
    paths.set('team/name-\ufffd\ufffd.md', 'not_text_name');
    return { paths, count: count + 3 };
  }

  const good = [
    'rules.md',
    'twin.md',
    'preferências-✍.md',
    'リリース手順.md',
    'a b.md',
    'sub/deploy.md',
    'sub/deeper/ci.md',
    '100%.md',
    'v1.2.3.md',
    "ana's.md",
    'emoji-👩‍💻.md',
    'notes (old).md',
    'console.md',
    'nullable.md',
    `${'long-but-fine-'.repeat(10)}.md`,
  ];

  it('is refused and shown by its rule where it is hostile; every good one works, and nothing outside is read or written', async () => {
    const { paths, count } = await plant();
    for (const name of good) await writeFile(join(team, name), memory(`good ${good.indexOf(name)}`));
    assert.ok(count >= 200, `${count} hostile entries`);
    const touched: string[] = [];
    const reading = new Set(['read', 'readRange', 'list']);
    const changing = new Set(['create', 'append', 'rename', 'link', 'remove', 'makeFolder', 'setModified']);
    const disk = watchedDisk((call, path, args) => {
      if (call === 'readStarts') touched.push(...(args[0] as readonly string[]));
      if (reading.has(call) || changing.has(call)) touched.push(path);
      if (call === 'rename' || call === 'link') touched.push(String(args[1]));
    });
    const before = await snapshot(outside);
    const project = await open({ disk });
    const state = await project.teamFolder();
    const told = new Map(state.refused.map(({ path, rule }) => [path, rule]));
    const otherwise = [...paths].filter(([path, rule]) => told.get(path) !== rule);
    assert.equal(otherwise.map(([path, rule]) => `${path}: ${told.get(path)}, not ${rule}`).join('\n'), '');
    assert.equal(state.memories, good.length);

    const heads = await project.heads();
    for (const name of good) {
      const head = heads.find(({ path }) => path === `team/${name}`);
      assert.deepEqual([head?.problem, head?.name], [undefined, `good ${good.indexOf(name)}`], name);
      assert.ok((await project.read(`team/${name}`))?.body.includes('port 8080'), name);
      await project.pin(`team/${name}`, true);
      assert.match(await readFile(join(team, name), 'utf8'), /pinned: true/);
    }
    const found = await project.recall('which port does the good service answer on');
    assert.ok(found.memories.length > 0);
    assert.ok(found.memories.every(({ path }) => good.includes(path.slice('team/'.length))));
    let at = 0;
    for (const path of paths.keys()) await attempt(project, path, at++ % 9 === 0);

    assert.deepEqual(await snapshot(outside), before);
    const strayed = touched.filter((path) => path.startsWith(outside) || path === '/etc/passwd');
    assert.deepEqual(strayed, []);
    const hostile = touched.filter((path) => path.includes(`${sep}inner.md`));
    assert.deepEqual(hostile, [], 'no folder of a bad name is entered');
  });

  /** Whatever one asks of it, it is refused, and its words are never given. */
  async function attempt(project: Project, path: string, isChanged: boolean): Promise<void> {
    const read = await project.read(path).catch((error: unknown) => error);
    const isText = typeof (read as { text?: unknown } | undefined)?.text === 'string';
    if (isText) assert.doesNotMatch((read as { text: string }).text, /outsider|root:/, path);
    if (!isChanged) return;
    for (const change of [
      () => project.pin(path, true),
      () => project.rename(path, 'another name'),
      () => project.remember({ text: `Kept at ${path.length}`, scope: 'team', name: path }),
    ])
      await change().then(
        () => undefined,
        (error: unknown) => assert.ok(error instanceof Error, path),
      );
  }

  it('is never written to by a name of that kind either', async () => {
    const project = await open();
    for (const names of Object.values(hostileNames)) {
      for (const name of names) {
        await assert.rejects(
          project.forget([`team/${name}`]),
          (error) => error instanceof MemoryError || error instanceof Error,
          name,
        );
      }
    }
    assert.deepEqual(
      (await readdir(team)).filter((name) => name !== 'MEMORY.md'),
      [],
    );
  });

  it('is not read in the place of the index either, where that is a link', async () => {
    await symlink(join(outside, 'MEMORY.md'), join(team, 'MEMORY.md'));
    await writeFile(join(team, 'rules.md'), memory('rules'));
    const before = await snapshot(outside);
    const project = await open();
    await project.recover();
    assert.deepEqual((await project.teamFolder()).refused, [{ path: 'team/MEMORY.md', rule: 'outside' }]);
    assert.equal(await project.usable.indexes(), '');
    await assert.rejects(project.remember({ text: 'The freeze begins on 2027-01-01.', scope: 'team' }));
    assert.deepEqual(await snapshot(outside), before);
    assert.deepEqual((await readdir(team)).sort(), ['MEMORY.md', 'rules.md']);
  });

  it('never puts another name in the place of the index, in whatever order they are listed', () => {
    const names = ['MEMORY.md', 'memory.md', `${wide('MEMORY')}.md`];
    for (const listed of [names, names.toReversed()]) {
      const refused = teamRefusalsIn(
        listed.map((name) => ({ name, kind: 'file' })),
        '',
      );
      assert.deepEqual([...refused.keys()].sort(), names.slice(1));
    }
  });

  async function snapshot(folder: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs } = await stat(path);
      found[path] = entry.isFile() ? `${await readFile(path, 'utf8')} @${mtimeMs}` : 'folder';
    }
    return found;
  }
});
