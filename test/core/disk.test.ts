import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockingDisk, nodeDisk } from '../../src/core/disk';

describe('a range of a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  // Small reads may happen in place, large ones never do.
  for (const length of [100, 4096, 100_000]) {
    it(`of ${length} bytes is what lies there, with the stat of that file, however many are asked for at once`, async () => {
      const file = join(folder, 'a');
      const text = 'abcdefghij'.repeat(20_000);
      await writeFile(file, text);
      const froms = Array.from({ length: 300 }, (_, at) => at * 7);
      const found = await Promise.all(froms.map((from) => nodeDisk.readRange(file, from, length)));
      for (const [at, from] of froms.entries()) {
        assert.equal(found[at]?.bytes.toString(), text.slice(from, from + length));
        assert.equal(found[at]?.stat.size, text.length);
        assert.equal(found[at]?.stat.kind, 'file');
      }
      assert.equal((await nodeDisk.readRange(file, text.length - 5, length))?.bytes.toString(), 'fghij');
    });

    it(`of ${length} bytes is undefined when the file is absent, and fails as the system says for a folder`, async () => {
      assert.equal(await nodeDisk.readRange(join(folder, 'none'), 0, length), undefined);
      await assert.rejects(nodeDisk.readRange(folder, 0, length), { code: 'EISDIR' });
    });
  }
});

describe('the starts of many files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [name, disk] of Object.entries({ nodeDisk, blockingDisk })) {
    for (const length of [100, 100_000]) {
      it(`of ${length} bytes are told once each by ${name}, with what a single reading says or fails with`, async () => {
        const paths = Array.from({ length: 700 }, (_, at) => join(folder, `${at}.md`));
        for (const [at, path] of paths.entries()) if (at % 100 > 0) await writeFile(path, `${at} `.repeat(at));
        paths[350] = folder;
        const told = new Map<number, unknown>();
        await disk.readStarts(paths, length, (at, found, failure) => {
          assert.ok(!told.has(at), `${at} is told of twice`);
          told.set(at, failure ? (failure as NodeJS.ErrnoException).code : found && [String(found.bytes), found.stat]);
        });
        assert.equal(told.size, paths.length);
        for (const [at, path] of paths.entries()) {
          const single = await disk.readRange(path, 0, length).catch((error) => error.code);
          assert.deepEqual(told.get(at), single?.bytes ? [String(single.bytes), single.stat] : single, path);
        }
      });
    }

    it(`end with the error of whoever listens to ${name}`, async () => {
      await writeFile(join(folder, 'a'), 'a');
      const broken = () => {
        throw new Error('not understood');
      };
      await assert.rejects(disk.readStarts([join(folder, 'a')], 10, broken), /not understood/);
    });
  }
});
