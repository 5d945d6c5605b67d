import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { localSettings, openHookConnection, userSettings } from '../../../src/core/hooks/connection';
import { refusingDisk } from '../../support/disks';

const command = '/home/ada/.claude/reverie/bin/reverie-hook';

describe('the connection with Claude Code', () => {
  let base: string;
  let file: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'connection-')));
    file = userSettings(base);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const open = (disk: Disk = nodeDisk) => openHookConnection({ configDir: base, disk });
  const bytes = () => readFile(file).catch(() => undefined);
  async function connect(disk?: Disk, as = command, where = file) {
    const plan = await open(disk).planConnect(where, as);
    return 'problem' in plan ? plan : open(disk).apply(plan);
  }
  async function disconnect(disk?: Disk, where = file) {
    const plan = await open(disk).planDisconnect(where);
    return 'problem' in plan ? plan : open(disk).apply(plan);
  }
  async function events() {
    const state = await open().state(file);
    return 'problem' in state ? state.problem : state.events.length;
  }

  const shapes: Readonly<Record<string, string | undefined>> = {
    'no file': undefined,
    'an empty file': '',
    'blank lines': '\n\n',
    'a byte order mark alone': '\ufeff',
    'an empty object': '{}',
    'a padded empty object': '{ \n }',
    'padded empty hooks': '{ "hooks": { "Stop": [ ] , } }',
    'comments, trailing commas and Windows line ends':
      '\ufeff// mine\r\n{\r\n\t"model": "opus", // large\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t],\r\n\t},\r\n}',
    'one long line': '{"a":[1,2,{"b":"//"}],"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
  };
  for (const [name, text] of Object.entries(shapes)) {
    it(`with ${name} is made and taken back to the very same bytes`, async () => {
      if (text !== undefined) await writeFile(file, text);
      const before = await bytes();
      assert.equal(await connect(), undefined);
      assert.equal(await events(), 4);
      assert.equal(await connect(nodeDisk, '/new/reverie/bin/reverie-hook'), undefined, 'brought up to date meanwhile');
      assert.equal(await disconnect(), undefined);
      assert.deepEqual(await bytes(), before);
    });
  }

  it('changes nothing when it is there, or was never there', async () => {
    await writeFile(file, '{"model": "opus"}');
    const first = await stat(file);
    assert.equal(await disconnect(), undefined);
    assert.equal((await stat(file)).ino, first.ino);
    await connect();
    const second = await stat(file);
    await connect();
    assert.equal((await stat(file)).ino, second.ino);
  });

  it('keeps a copy of the file as it was, for its owner only', async () => {
    await writeFile(file, '{"env": {"TOKEN": "x"}}');
    await connect();
    const folder = join(base, 'reverie/connections');
    const copies = await Promise.all(
      (await nodeDisk.list(folder))?.map(async ({ name }) => {
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
        return readFile(join(folder, name), 'utf8');
      }) ?? [],
    );
    assert.ok(copies.includes('{"env": {"TOKEN": "x"}}'));
  });

  it('leaves what a person did since, and takes out its own entries alone', async () => {
    await writeFile(file, '{\n  "model": "opus"\n}\n');
    await connect();
    await writeFile(file, (await readFile(file, 'utf8')).replace('"opus"', '"sonnet" /* cheaper */'));
    await disconnect();
    assert.equal(await readFile(file, 'utf8'), '{\n  "model": "sonnet" /* cheaper */\n}\n');
  });

  it('made in a project takes its folder along when it goes, and never follows a link out', async () => {
    const top = join(base, 'repo');
    await mkdir(top);
    const local = await localSettings(top, nodeDisk);
    assert.equal(local, join(top, '.claude/settings.local.json'));
    await connect(nodeDisk, command, local);
    assert.ok(await stat(local));
    await disconnect(nodeDisk, local);
    assert.deepEqual(await nodeDisk.list(top), []);
    await mkdir(join(base, 'outside'));
    await symlink(join(base, 'outside'), join(top, '.claude'));
    await assert.rejects(localSettings(top, nodeDisk), { code: 'outside' });
  });

  it('keeps a link to settings that lie elsewhere, and their mode', async () => {
    const target = join(base, 'dotfiles.json');
    await writeFile(target, '{}\n');
    await chmod(target, 0o640);
    await symlink(target, file);
    await connect();
    assert.ok((await lstat(file)).isSymbolicLink());
    assert.equal((await stat(target)).mode & 0o777, 0o640);
    assert.equal(await events(), 4);
    await disconnect();
    assert.equal(await readFile(target, 'utf8'), '{}\n');
  });

  it('refuses what it can’t be sure of, says why, and changes nothing', async () => {
    const cases: readonly (readonly [string | Buffer, string])[] = [
      ['{"model": "opus"', 'broken'],
      ['[]', 'odd'],
      ['{"hooks": "none"}', 'odd'],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'not_text'],
      [Buffer.from('\ufeff{}', 'utf16le'), 'not_text'],
      [`{"a": "${'x'.repeat(1_100_000)}"}`, 'too_large'],
    ];
    for (const [content, problem] of cases) {
      await writeFile(file, content);
      const result = await connect();
      assert.equal(result?.problem, problem);
      assert.deepEqual(await readFile(file), Buffer.from(content));
    }
    await rm(file);
    await mkdir(file);
    assert.equal((await connect())?.problem, 'not_a_file');
    assert.equal(await nodeDisk.list(join(base, 'reverie')), undefined, 'nothing was noted either');
  });

  it('leaves a read-only file alone, by its mode and by what the system says', async () => {
    await writeFile(file, '{}');
    await chmod(file, 0o444);
    assert.equal((await connect())?.problem, 'read_only');
    await chmod(file, 0o644);
    for (const code of ['EACCES', 'EROFS'] as const) {
      const disk = refusingDisk(code, (call, path) => call === 'create' && path.startsWith(join(base, '.reverie')));
      assert.equal((await connect(disk))?.problem, 'read_only');
    }
    assert.equal(await readFile(file, 'utf8'), '{}');
    await connect();
    await chmod(file, 0o444);
    assert.equal((await disconnect())?.problem, 'read_only');
    assert.equal(await events(), 4);
  });

  it('refuses a file that changed after it was shown', async () => {
    await writeFile(file, '{}');
    const plan = await open().planConnect(file, command);
    assert.ok(!('problem' in plan));
    await writeFile(file, '{"model": "opus"}');
    await assert.rejects(open().apply(plan), { code: 'changed' });
    assert.equal(await readFile(file, 'utf8'), '{"model": "opus"}');
  });
});
