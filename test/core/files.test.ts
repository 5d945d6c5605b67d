import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { nodeDisk } from '../../src/core/disk';
import { isWithin, openFolder, pathProblem, readJson, writeJson } from '../../src/core/files';
import { refusingDisk } from '../support/disks';

describe('a confined folder', () => {
  let base: string;
  let root: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'files-'));
    root = join(base, 'memory');
    await mkdir(root);
    await mkdir(join(base, 'memory-evil'));
    await writeFile(join(base, 'secret.md'), 'secret');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const folder = () => openFolder(root, nodeDisk);
  const everything = async () => {
    const found: string[] = [];
    for (const entry of await readdir(base, { recursive: true, withFileTypes: true }))
      found.push(join(entry.parentPath, entry.name));
    return found.sort();
  };

  const hostile = [
    '../secret.md',
    'a/../../secret.md',
    '..',
    '.',
    '',
    'a//b.md',
    '/etc/passwd',
    'C:/x.md',
    'C:x.md',
    '..\\secret.md',
    'a\\b.md',
    'a\0.md',
    'a\n.md',
    '%2e%2e/secret.md',
    '%2E%2E%2Fsecret.md',
    '%252e%252e%252fsecret.md',
    '..%2fsecret.md',
    '..%5csecret.md',
    '．．/secret.md',
    '．．／secret.md',
    'a／b.md',
    '../memory-evil/x.md',
  ];

  it('F-29: refuses every path that leads outside, and writes nothing', async () => {
    const before = await everything();
    for (const path of hostile) {
      await assert.rejects(folder().write(path, 'x'), { name: 'MemoryError', code: 'bad_path' }, JSON.stringify(path));
      await assert.rejects(folder().read(path), { code: 'bad_path' }, JSON.stringify(path));
      await assert.rejects(folder().remove(path), { code: 'bad_path' }, JSON.stringify(path));
    }
    assert.deepEqual(await everything(), before);
  });

  it('F-29: refuses links that lead outside, nowhere or in a circle', async () => {
    await symlink(base, join(root, 'out'));
    await symlink(join(base, 'secret.md'), join(root, 'out.md'));
    await symlink(join(base, 'not-there.md'), join(root, 'dangling.md'));
    await symlink(join(root, 'loop-b'), join(root, 'loop-a'));
    await symlink(join(root, 'loop-a'), join(root, 'loop-b'));
    for (const path of ['out/secret.md', 'out/new.md', 'out.md', 'dangling.md', 'loop-a/x.md', 'loop-a']) {
      await assert.rejects(folder().write(path, 'x'), { name: 'MemoryError', code: 'outside' }, path);
      await assert.rejects(folder().read(path), { code: 'outside' }, path);
    }
    assert.equal(await readFile(join(base, 'secret.md'), 'utf8'), 'secret');
    assert.deepEqual(await readdir(join(base, 'memory-evil')), []);
  });

  it('F-30: does not take a sibling that shares its prefix for itself', async () => {
    assert.equal(isWithin(root, join(base, 'memory-evil', 'x.md')), false);
    assert.equal(isWithin(root, join(root, 'x.md')), true);
    await symlink(join(base, 'memory-evil'), join(root, 'inside'));
    await assert.rejects(folder().write('inside/x.md', 'x'), { code: 'outside' });
  });

  it('F-61: works where the folder itself is a link, and still refuses escapes', async () => {
    const link = join(base, 'link');
    await symlink(root, link);
    const linked = openFolder(link, nodeDisk);
    await linked.write('deep/er/a.md', 'text');
    assert.equal(await readFile(join(root, 'deep/er/a.md'), 'utf8'), 'text');
    await symlink(base, join(root, 'out'));
    await assert.rejects(linked.write('out/secret.md', 'x'), { code: 'outside' });
  });

  it('follows a link that stays inside and keeps it a link', async () => {
    await writeFile(join(root, 'real.md'), 'old');
    await symlink(join(root, 'real.md'), join(root, 'alias.md'));
    await folder().write('alias.md', 'new');
    assert.equal(await readFile(join(root, 'real.md'), 'utf8'), 'new');
    assert.deepEqual((await readdir(root)).sort(), ['alias.md', 'real.md']);
  });

  it('never creates names that another system can not hold, but reads them', async () => {
    await writeFile(join(root, 'what: now?.md'), 'there');
    assert.equal((await folder().read('what: now?.md'))?.text, 'there');
    await folder().write('what: now?.md', 'changed');
    for (const path of [
      'new: file.md',
      'con.md',
      'NUL',
      'aux/x.md',
      'trailing./x.md',
      'trailing .md ',
      `${'x'.repeat(260)}.md`,
    ]) {
      await assert.rejects(folder().write(path, 'x'), { code: 'bad_path' }, path);
    }
  });

  it('keeps byte order mark, line ends and permissions when it replaces a file', async () => {
    const path = join(root, 'a.md');
    await writeFile(path, '\uFEFFold\r\n', { mode: 0o640 });
    const file = await folder().read('a.md');
    assert.equal(file?.text, '\uFEFFold\r\n');
    await folder().write('a.md', '\uFEFFnew\r\n', { mtimeMs: 1_700_000_000_000 });
    const now = await stat(path);
    assert.equal(now.mode & 0o777, 0o640);
    assert.equal(now.mtimeMs, 1_700_000_000_000);
    assert.deepEqual([...(await readFile(path))], [...Buffer.from('\uFEFFnew\r\n')]);
  });

  it('refuses bytes that are not UTF-8 rather than change them', async () => {
    await writeFile(join(root, 'latin.md'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    await assert.rejects(folder().read('latin.md'), { code: 'not_text' });
  });

  it('F-17: reading changes no time', async () => {
    await writeFile(join(root, 'a.md'), 'x');
    await utimes(join(root, 'a.md'), 1_600_000_000, 1_600_000_000);
    await folder().read('a.md');
    assert.equal((await stat(join(root, 'a.md'))).mtimeMs, 1_600_000_000_000);
  });

  for (const code of ['EACCES', 'ENOSPC', 'EBUSY', 'EROFS'] as const) {
    for (const call of ['create', 'rename'] as const) {
      it(`F-57: ${code} at ${call} leaves the old file and no other`, async () => {
        await writeFile(join(root, 'a.md'), 'old');
        const failing = openFolder(
          root,
          refusingDisk(code, (refused) => refused === call),
        );
        await assert.rejects(failing.write('a.md', 'new'), { code });
        assert.equal(await readFile(join(root, 'a.md'), 'utf8'), 'old');
        assert.deepEqual(await readdir(root), ['a.md']);
      });
    }
  }

  it('says of any text either that it is refused or where inside it lies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (path) => {
        const real = await folder()
          .locate(path)
          .catch(() => undefined);
        if (real === undefined) return;
        assert.ok(isWithin(root, real) && real !== root, JSON.stringify(path));
        assert.equal(pathProblem(path), undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('takes a damaged file of our own for absent, and replaces it whole', async () => {
    const path = join(base, 'state', 'x.json');
    assert.equal(await readJson(nodeDisk, path), undefined);
    await writeJson(nodeDisk, path, { a: 1 });
    assert.deepEqual(await readJson(nodeDisk, path), { a: 1 });
    await writeFile(path, '{"a":');
    assert.equal(await readJson(nodeDisk, path), undefined);
    await writeJson(nodeDisk, path, { a: 2 });
    assert.deepEqual(await readdir(join(base, 'state')), ['x.json']);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });
});
