// The rules about paths that need no disk: names of project folders, containment, folders for memories.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkMemoryDirectory, isInside, isSamePath, slug, slugPrefix, slugVariants } from '../../src/core/pathRules';

const long = (letter: string) => `/home/u/${Array.from({ length: 12 }, () => letter.repeat(20)).join('/')}`;
const first200 = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200);

describe('the name of a project folder', () => {
  const vectors: readonly (readonly [name: string, path: string, expected: string])[] = [
    ['F-23: underscores', '/home/user/my_repo', '-home-user-my-repo'],
    ['F-23: dots and nested worktrees', '/Users/me/proj/.worktrees/2573', '-Users-me-proj--worktrees-2573'],
    ['F-22: drive letter and spaces', 'C:\\Users\\Me\\My Proj', 'C--Users-Me-My-Proj'],
    ['F-22: a network path', '\\\\server\\share\\proj', '--server-share-proj'],
    ['F-23: Japanese', '/home/u/プロジェクト', '-home-u-------'],
    ['F-23: an emoji is two dashes', '/home/u/a😀b', '-home-u-a--b'],
    ['F-23: punctuation', '/home/u/a.b+c@d', '-home-u-a-b-c-d'],
    ['F-23: the root', '/', '-'],
    ['F-25: 200 characters stay plain', `/home/u/${'x'.repeat(192)}`, `-home-u-${'x'.repeat(192)}`],
    ['F-25: 201 characters get a hash', `/home/u/${'x'.repeat(193)}`, `-home-u-${'x'.repeat(192)}-f3o52b`],
    ['F-25: 259 characters get a hash', long('a'), `${first200(long('a'))}-jfkino`],
    ['F-25: and another one another hash', long('b'), `${first200(long('b'))}-oekodw`],
  ];
  for (const [name, path, expected] of vectors) it(name, () => assert.equal(slug(path), expected));

  it('F-25: the longest path of the vectors has 259 characters', () => {
    assert.equal(long('a').length, 259);
    assert.equal(slug('/home/u/プロジェクト').length, 14);
  });

  it('F-23: any text becomes a short name of letters, digits and dashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (path) => {
        const name = slug(path);
        assert.match(name, /^[A-Za-z0-9-]*$/);
        assert.ok(name.length <= 208);
        if (path.length <= 200) assert.equal(name.length, path.length);
      }),
    );
  });

  it('F-25: names of what lies below a folder begin as its prefix says, at any length', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z/._-]{1,260}$/), fc.stringMatching(/^[a-z]{1,80}$/), (start, rest) => {
        const parent = `/${start}`;
        assert.ok(slug(`${parent}/${rest}`).startsWith(slugPrefix(slug(parent))));
      }),
    );
  });

  it('F-22, F-23: a path is looked for in both normal forms and under both cases of its drive letter', () => {
    assert.deepEqual(slugVariants('C:\\Proj'), ['C--Proj', 'c--Proj']);
    assert.deepEqual(slugVariants('c:\\Proj'), ['c--Proj', 'C--Proj']);
    assert.deepEqual(slugVariants('/a/cafe\u0301'), ['-a-caf-', '-a-cafe-']);
    assert.deepEqual(slugVariants('/a/b'), ['-a-b']);
  });
});

describe('whether a path lies inside a folder', () => {
  const cases: readonly (readonly [parent: string, child: string, expected: boolean, name: string])[] = [
    ['/m/memory', '/m/memory/a.md', true, 'F-30: a file in it'],
    ['/m/memory/', '/m/memory/sub/a.md', true, 'F-30: a trailing separator'],
    ['/m/memory', '/m/memory', true, 'F-30: the folder itself'],
    ['/m/memory', '/m/memory-evil/a.md', false, 'F-30: a sibling that begins alike'],
    ['/m/memory', '/m/memory/../secret', false, 'F-30: dots that lead out'],
    ['/m/memory', '/m/memory/x/../a.md', true, 'F-30: dots that stay in'],
    ['/m/memory', '/m/memory/..evil', true, 'F-30: a name that begins with dots'],
    ['/m/memory', '/m/Memory/a.md', false, 'F-30: another case'],
    ['/m/memory', 'memory/a.md', false, 'F-30: a relative path'],
    ['memory', 'memory/a.md', false, 'F-30: two relative paths'],
    ['/m/memory', '/m/memory/a\0.md', false, 'F-30: a NUL'],
    ['/', '/anything', true, 'F-30: the root'],
    ['/m/memory', 'C:\\m\\memory\\a.md', false, 'F-22: paths of two systems'],
    ['C:\\m\\memory', 'c:\\M\\Memory\\a.md', true, 'F-22: Windows in another case'],
    ['C:\\m\\memory', 'C:/m/memory/a.md', true, 'F-22: Windows with slashes'],
    ['C:\\m\\memory', 'C:\\m\\memory-evil\\a.md', false, 'F-22: a sibling on Windows'],
    ['C:\\m\\memory', 'C:\\m\\memory\\..\\x', false, 'F-22: dots on Windows'],
    ['C:\\m\\memory', 'C:\\m\\memory\\.. \\x', false, 'F-22: dots and a space, which Windows drops'],
    ['C:\\m\\memory', 'C:\\m\\memory\\MEMORY.md.', false, 'F-22: a trailing dot, which Windows drops'],
    ['C:\\m\\memory', 'C:\\m\\memory\\a.md:stream', false, 'F-22: a stream'],
    ['C:\\m\\memory', 'D:\\m\\memory\\a.md', false, 'F-22: another drive'],
    ['\\\\server\\share\\m', '\\\\server\\share\\m\\a.md', true, 'F-22: a network path'],
    ['C:\\', 'C:\\a', true, 'F-22: a drive'],
  ];
  for (const [parent, child, expected, name] of cases) {
    it(`${name}: ${expected ? 'yes' : 'no'}`, () => assert.equal(isInside(parent, child), expected));
  }

  it('F-22, F-23: two spellings of one path are the same', () => {
    assert.ok(isSamePath('/a/cafe\u0301/', '/a/caf\u00e9'));
    assert.ok(isSamePath('C:\\A\\b', 'c:/a/B/'));
    assert.ok(!isSamePath('/A', '/a'));
  });
});

describe('a folder that is named for memories', () => {
  const refused: readonly (readonly [candidate: string, platform: NodeJS.Platform, why: RegExp])[] = [
    ['', 'linux', /empty/],
    ['memory', 'linux', /not an absolute/],
    ['./memory', 'linux', /not an absolute/],
    ['.claude/memory', 'linux', /not an absolute/],
    ['~', 'linux', /home/],
    ['~/', 'linux', /home/],
    ['~/.', 'linux', /home/],
    ['~/..', 'linux', /home/],
    ['~/../', 'linux', /home/],
    ['~/x/../..', 'linux', /home/],
    ['~/../..', 'linux', /root/],
    ['~someone/memory', 'linux', /not an absolute/],
    ['/home/me', 'linux', /home/],
    ['/home', 'linux', /home/],
    ['/', 'linux', /root/],
    ['/.', 'linux', /root/],
    ['/a/..', 'linux', /root/],
    ['/a', 'linux', /short/],
    ['/home/me/a\0b', 'linux', /NUL/],
    ['//server/share/m', 'linux', /network/],
    ['\\\\server\\share\\m', 'linux', /network/],
    ['/./\\server', 'linux', /network/],
    ['C:', 'linux', /drive/],
    ['C:\\m', 'linux', /not an absolute/],
    ['C:', 'win32', /drive/],
    ['C:\\', 'win32', /drive/],
    ['C:/', 'win32', /drive/],
    ['C:\\.', 'win32', /root/],
    ['C:memory', 'win32', /not an absolute/],
    ['\\memory', 'win32', /not an absolute/],
    ['/memory', 'win32', /not an absolute/],
    ['\\\\server\\share\\m', 'win32', /network/],
    ['//server/share/m', 'win32', /network/],
    ['\\\\?\\C:\\memory', 'win32', /network/],
    ['~\\', 'win32', /home/],
    ['~\\..', 'win32', /home/],
    ['C:\\Users', 'win32', /home/],
    ['c:\\users\\ME', 'win32', /home/],
    ['C:\\memory.', 'win32', /another name/],
    ['C:\\memory \\x', 'win32', /another name/],
    ['C:\\memory:stream', 'win32', /another name/],
    ['C:\\x\\nul', 'win32', /device/],
    ['C:\\x\\Con.txt', 'win32', /device/],
  ];
  const homeOf = (platform: NodeJS.Platform) => (platform === 'win32' ? 'C:\\Users\\Me' : '/home/me');
  for (const [candidate, platform, why] of refused) {
    const name = JSON.stringify(candidate);
    it(`F-27: ${name} is refused on ${platform}, and the reason is told`, () => {
      const checked = checkMemoryDirectory(candidate, homeOf(platform), platform);
      assert.match('refused' in checked ? checked.refused : checked.path, why);
    });
  }

  const accepted: readonly (readonly [candidate: string, platform: NodeJS.Platform, path: string])[] = [
    ['~/memory', 'linux', '/home/me/memory'],
    ['~/memory///', 'linux', '/home/me/memory'],
    ['/srv/notes/../memory/', 'linux', '/srv/memory'],
    ['~/../other/memory', 'linux', '/home/other/memory'],
    ['/srv/cafe\u0301', 'darwin', '/srv/caf\u00e9'],
    ['/srv/my notes', 'linux', '/srv/my notes'],
    ['/home/me2', 'linux', '/home/me2'],
    ['C:\\memory\\', 'win32', 'C:\\memory'],
    ['D:/notes/memory', 'win32', 'D:\\notes\\memory'],
    ['~\\memory', 'win32', 'C:\\Users\\Me\\memory'],
    ['~/memory', 'win32', 'C:\\Users\\Me\\memory'],
    ['C:\\console\\nulls', 'win32', 'C:\\console\\nulls'],
  ];
  for (const [candidate, platform, path] of accepted) {
    it(`F-27: ${JSON.stringify(candidate)} is taken on ${platform}`, () => {
      assert.deepEqual(checkMemoryDirectory(candidate, homeOf(platform), platform), { path });
    });
  }

  it('F-27: whatever is taken is absolute, has no trailing separator and is taken again as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('~', '/', '\\', '..', '.', 'C:', 'a', 'home', 'me', ' ', 'é', '\0'), {
          maxLength: 12,
        }),
        fc.constantFrom<NodeJS.Platform>('linux', 'win32'),
        (parts, platform) => {
          const checked = checkMemoryDirectory(parts.join(''), homeOf(platform), platform);
          if ('refused' in checked) return;
          assert.deepEqual(checkMemoryDirectory(checked.path, homeOf(platform), platform), checked);
          assert.match(checked.path, platform === 'win32' ? /^[A-Z]:\\.*[^\\/]$/i : /^\/.*[^/]$/);
          assert.ok(!isInside(checked.path, homeOf(platform)));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
