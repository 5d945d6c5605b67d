import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { nodeDisk } from '../../../src/core/disk';
import { lineText, longestLine, parseValues, readLines } from '../../../src/core/sessions/jsonLines';
import { watchedDisk } from '../../support/disks';

describe('JSON lines', function () {
  this.timeout(20_000);
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lines-'));
    file = join(folder, 'lines');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(chunkBytes: number, from = 0, signal?: AbortSignal) {
    const stat = await nodeDisk.stat(file);
    assert.ok(stat);
    const lines: { text: string; offset: number; end: number; hasEnd: boolean }[] = [];
    const bytes = await readLines(nodeDisk, file, { from, stat, chunkBytes, signal }, (line, offset, end, hasEnd) => {
      lines.push({ text: line.toString('latin1'), offset, end, hasEnd });
    });
    return { lines, bytes };
  }

  it('hands out the same lines with their places whatever the size of a chunk', async () => {
    const line = fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replaceAll('\n', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        async (lines, ended, chunk) => {
          const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '');
          await writeFile(file, text, 'latin1');
          const found = await read(chunk);
          assert.equal(found.bytes, text.length);
          assert.equal(found.lines.map((one) => one.text + (one.hasEnd ? '\n' : '')).join(''), text);
          for (const one of found.lines)
            assert.equal(text.slice(one.offset, one.end), one.text + (one.hasEnd ? '\n' : ''));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('splits at LF only: a carriage return and a line separator stay in the line', async () => {
    await writeFile(file, '{"a":1}\r\n{"b":"\u2028\u0085"}\n');
    const { lines } = await read(1024);
    assert.equal(lines.length, 2);
    assert.deepEqual(parseValues(lineText(Buffer.from(lines[0]?.text ?? '', 'latin1'), 0)).values, [{ a: 1 }]);
  });

  it('begins at a byte and gives places in the file', async () => {
    await writeFile(file, 'one\ntwo\nthree');
    const { lines, bytes } = await read(4, 4);
    assert.deepEqual(lines, [
      { text: 'two', offset: 4, end: 8, hasEnd: true },
      { text: 'three', offset: 8, end: 13, hasEnd: false },
    ]);
    assert.equal(bytes, 9);
  });

  it('never holds a line that is longer than any record can be, and goes on after it', async function () {
    this.timeout(20_000);
    await writeFile(file, `${'x'.repeat(longestLine + 10)}\nnext\n`);
    const { lines } = await read(1024 * 1024);
    assert.equal(lines[0]?.text.length, 1024 * 1024);
    assert.equal(lines[1]?.text, 'next');
    assert.equal(lines[1]?.offset, longestLine + 11);
  });

  it('drops a byte order mark at the beginning of the file only, and replaces bad bytes', () => {
    const mark = Buffer.from('\ufeff{"a":1}');
    assert.equal(lineText(mark, 0), '{"a":1}');
    assert.equal(lineText(mark, 9), '\ufeff{"a":1}');
    assert.equal(lineText(Buffer.from([0x22, 0xff, 0x22]), 0), '"\ufffd"');
  });

  it('reads value after value from one line, until something is no value', () => {
    const read = (text: string) => parseValues(text);
    assert.deepEqual(read('{"a":"}{"}{"b":[1,{"c":"\\"}"}]} '), {
      values: [{ a: '}{' }, { b: [1, { c: '"}' }] }],
      hasFragment: false,
    });
    assert.deepEqual(read('"massive error"'), { values: ['massive error'], hasFragment: false });
    assert.deepEqual(read('1 true null[2]'), { values: [1, true, null, [2]], hasFragment: false });
    assert.deepEqual(read('{"a":1} tail'), { values: [{ a: 1 }], hasFragment: true });
    assert.deepEqual(read('{"a":1}{"b":'), { values: [{ a: 1 }], hasFragment: true });
    assert.deepEqual(read('{"a":[}'), { values: [], hasFragment: true });
    assert.deepEqual(read(' \t\r'), { values: [], hasFragment: false });
  });

  it('recovers every value that was written, glued or apart', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }), (values) => {
        // Two numbers or words in a row need something between them; real glue is objects.
        const text = values.map((value) => JSON.stringify(value)).join(' ');
        assert.deepEqual(
          parseValues(text).values,
          JSON.parse(`[${values.map((value) => JSON.stringify(value)).join(',')}]`),
        );
      }),
    );
  });

  it('never throws on damage, and finds whole values before it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const whole = JSON.stringify({ kept: true });
        const torn = JSON.stringify({ value }).slice(0, cut % JSON.stringify({ value }).length);
        const found = parseValues(whole + torn);
        assert.deepEqual(found.values, [{ kept: true }]);
        assert.equal(found.hasFragment, torn !== '');
      }),
    );
  });

  it('F-47: says that the file is gone, cut or replaced while it is read', async () => {
    async function during(act: () => Promise<unknown>) {
      await writeFile(file, 'line\n'.repeat(1000));
      const stat = await nodeDisk.stat(file);
      assert.ok(stat);
      let reads = 0;
      const disk = watchedDisk(async () => {
        reads += 1;
        if (reads === 3) await act();
      });
      return readLines(disk, file, { from: 0, stat, chunkBytes: 500 }, () => {});
    }
    await assert.rejects(
      during(() => truncate(file, 100)),
      { name: 'MemoryError', code: 'changed' },
    );
    await writeFile(`${file}.new`, 'other line\n'.repeat(1000));
    await assert.rejects(
      during(() => rename(`${file}.new`, file)),
      { name: 'MemoryError', code: 'changed' },
    );
    await assert.rejects(
      during(() => rm(file)),
      { name: 'MemoryError', code: 'not_found' },
    );
  });

  it('stops when told to, with the reason given', async () => {
    await writeFile(file, 'line\n'.repeat(1000));
    const aborting = new AbortController();
    const stat = await nodeDisk.stat(file);
    assert.ok(stat);
    let lines = 0;
    const reading = readLines(nodeDisk, file, { from: 0, stat, chunkBytes: 50, signal: aborting.signal }, () => {
      lines += 1;
      if (lines === 20) aborting.abort(new Error('enough'));
    });
    await assert.rejects(reading, { message: 'enough' });
    assert.ok(lines < 40, `${lines} lines`);
  });

  it('lets other work run between chunks', async () => {
    await writeFile(file, 'line\n'.repeat(1000));
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await read(10);
    isOver = true;
    assert.ok(turns > 3, `${turns} turns`);
  });
});
