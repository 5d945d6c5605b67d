import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../src/core/disk';

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
