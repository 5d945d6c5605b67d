import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Disk, nodeDisk } from '../../../src/core/disk';
import { openClaudeCode } from '../../../src/core/sessions/claudeCode';
import type { TranscriptMessage, TranscriptPosition } from '../../../src/core/sessions/transcript';
import { countingDisk, watchedDisk } from '../../support/disks';
import { type Transcript, transcript, uuidOf } from '../../support/transcripts';

describe('reading a Claude Code transcript', function () {
  this.timeout(20_000);
  let folder: string;
  let file: string;
  const id = uuidOf('reading');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reading-'));
    file = join(folder, `${id}.jsonl`);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const talk = () => transcript(id, '/repo');
  const session = () => ({ kind: 'claude-code', id, file, size: 0, modifiedAt: 0 }) as const;
  const read = (after?: TranscriptPosition, disk: Disk = nodeDisk, until?: number) =>
    openClaudeCode({ folders: async () => [folder], disk }).read(
      session(),
      after,
      undefined,
      until === undefined ? undefined : { offset: until },
    );
  const bare = (offset: number): TranscriptPosition => ({ offset, fingerprint: '' });
  const words = (messages: readonly TranscriptMessage[]) =>
    messages.filter((message) => message.human).map((message) => message.text);
  const records = (messages: readonly TranscriptMessage[]) =>
    messages.flatMap((message) => message.recordUuids ?? [message.uuid]);

  /** Prompts, tools, several lines a message, a rewind, a compaction, wide characters. */
  function long(): Transcript {
    const said = talk();
    for (let turn = 0; turn < 6; turn += 1) {
      said
        .human(`Prompt ${turn}: naïve 中文 🎉`)
        .assistant('I look.')
        .tool('Read', { file_path: `/repo/${turn}` }, 'x'.repeat(300));
      said.tools(['a', 'b'].map((name) => ({ name: 'Grep', input: { pattern: name }, result: name })));
      said.assistant(`Answer ${turn}.`);
      if (turn % 2 === 0) said.turnEnd();
      if (turn === 3) said.compaction('A summary');
    }
    return said;
  }

  it('gives each record once and loses none, wherever the file was cut when it was read before', async () => {
    const text = Buffer.from(long().text());
    await writeFile(file, text);
    const whole = await read();
    assert.equal(whole.position.offset, text.length);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 4 }), fc.boolean(), async (cuts, isBare) => {
        const found: TranscriptMessage[] = [];
        let position: TranscriptPosition | undefined;
        for (const end of [...cuts.sort((a, b) => a - b), text.length]) {
          await writeFile(file, text.subarray(0, end));
          const reading = await read(position);
          assert.equal(reading.restarted, false);
          found.push(...reading.messages);
          position = isBare && reading.position.offset > 0 ? bare(reading.position.offset) : reading.position;
        }
        assert.deepEqual(records(found), records(whole.messages));
        assert.deepEqual(words(found), words(whole.messages));
      }),
      { numRuns: 40 },
    );
  });

  it('begins at the line that was being written when only a size was noted', async () => {
    const text = Buffer.from(talk().human('Old').assistant('Old answer.').human('New').assistant('New answer.').text());
    const starts = [0, ...[...text.keys()].filter((at) => text[at] === 0x0a).map((at) => at + 1)];
    await writeFile(file, text);
    const whole = await read();
    for (let size = 1; size < text.length; size += 7) {
      const from = Math.max(...starts.filter((start) => start <= size));
      const reading = await read(bare(size));
      // At the last brace of a line the object is whole already.
      const isWhole = text[size] === 0x0a;
      const expected = whole.messages.filter((message) => (isWhole ? message.offset > from : message.offset >= from));
      assert.deepEqual(records(reading.messages), records(expected), `${size}`);
    }
  });

  it('F-46: leaves a last line that is cut for later, and takes one that only lacks its line end', async () => {
    const text = talk().human('One').assistant('Two').text();
    await writeFile(file, text.slice(0, -30));
    const first = await read();
    assert.deepEqual(
      first.messages.map((message) => message.text),
      ['One'],
    );
    await writeFile(file, text.slice(0, -1));
    const second = await read(first.position);
    assert.deepEqual(
      second.messages.map((message) => message.text),
      ['Two'],
    );
    assert.equal(second.position.offset, text.length - 1);
    await writeFile(file, `${text}${text.slice(0, 20)}`);
    assert.deepEqual((await read(second.position)).messages, []);
  });

  it('F-46: reads a line of five megabytes, an unknown type, a null content and a bare null like any other', async () => {
    const big = 'long '.repeat(1024 * 1024);
    const said = talk().human('Before').tool('Bash', {}, big).raw({ type: 'tomorrow', uuid: 'x', message: null });
    said.raw('null').raw({ type: 'user', uuid: 'y', sessionId: id, message: { role: 'user', content: null } });
    said.raw({ type: 'assistant', uuid: 'z', sessionId: id, message: null }).human('After').assistant('Yes.');
    await writeFile(file, said.text());
    const { messages } = await read();
    assert.deepEqual(words(messages), ['Before', 'After']);
    assert.ok(messages.every((message) => message.live));
  });

  it('reads CRLF and a byte order mark', async () => {
    await writeFile(file, `\ufeff${talk().human('One\r\nline').assistant('Yes.').text().replaceAll('\n', '\r\n')}`);
    assert.deepEqual(words((await read()).messages), ['One\r\nline']);
  });

  it('reads only what is new, and at most 64 KB besides', async () => {
    const said = talk();
    for (let turn = 0; turn < 400; turn += 1)
      said.human(`Prompt ${turn}`).tool('Bash', {}, 'y'.repeat(8000)).assistant('Ok.');
    await writeFile(file, said.text());
    const first = await read();
    const before = first.position.offset;
    const turn = said.lines().length;
    said.human('One more').tool('Bash', {}, 'z'.repeat(20_000)).assistant('Done.').turnEnd();
    const added = said
      .lines()
      .slice(turn)
      .map((line) => `${line}\n`)
      .join('');
    await appendFile(file, added);
    for (const after of [first.position, bare(before), { ...first.position, title: undefined }]) {
      const counting = countingDisk();
      const reading = await read(after as TranscriptPosition, counting.disk);
      assert.equal(reading.bytesRead, counting.bytesRead());
      assert.ok(reading.bytesRead <= added.length + 64 * 1024, `${reading.bytesRead} bytes for ${added.length}`);
      assert.deepEqual(words(reading.messages), ['One more']);
      assert.equal(reading.title, 'Prompt 0');
      assert.equal(reading.cwd, '/repo');
      assert.equal(reading.messages[0]?.offset, before);
    }
  });

  it('starts again when the file shrank or was written anew, and says so', async () => {
    const text = long().text();
    await writeFile(file, text);
    const { position } = await read();
    const other = transcript(id, '/repo', { at: '2027-01-01T00:00:00Z' }).human('Another').assistant('Talk.').text();
    await writeFile(file, other);
    const shrunk = await read(position);
    assert.deepEqual([shrunk.restarted, words(shrunk.messages)], [true, ['Another']]);
    await writeFile(file, `${other}${' '.repeat(Buffer.byteLength(text))}\n`);
    const rewritten = await read(position);
    assert.deepEqual([rewritten.restarted, words(rewritten.messages)], [true, ['Another']]);
  });

  it('never takes the past for new when only a size is known and the file shrank', async () => {
    await writeFile(file, talk().human('Past').assistant('Yes.').text());
    const reading = await read(bare(1_000_000));
    assert.deepEqual([reading.restarted, reading.messages], [false, []]);
  });

  it('looks at nothing from a given byte on', async () => {
    const said = talk().human('Past').assistant('Yes.');
    const until = said.text().length;
    await writeFile(file, said.human('Since').assistant('Yes.').text());
    const counting = countingDisk();
    const reading = await read(undefined, counting.disk, until + 40);
    assert.deepEqual(words(reading.messages), ['Past']);
    assert.equal(reading.position.offset, until);
    assert.ok(counting.bytesRead() <= 2 * until + 80);
  });

  it('knows what the assistant said just before the new words', async () => {
    const said = talk().human('One').assistant('Shall I use tabs?').tool('Read', {}, 'x'.repeat(2000)).turnEnd();
    await writeFile(file, said.text());
    const { position, previousAssistant } = await read();
    assert.equal(previousAssistant, undefined);
    await appendFile(file, said.human('Yes, always').text().slice(position.offset));
    const next = await read(position);
    assert.deepEqual([next.previousAssistant, words(next.messages)], ['Shall I use tabs?', ['Yes, always']]);
  });

  it('keeps the best title over readings of new bytes', async () => {
    const said = talk()
      .human('A prompt')
      .raw({ type: 'custom-title', customTitle: 'Mine', sessionId: id })
      .assistant('Ok.');
    await writeFile(file, said.text());
    const { position } = await read();
    await appendFile(file, `${JSON.stringify({ type: 'ai-title', aiTitle: 'Generated' })}\n`);
    assert.equal((await read(position)).title, 'Mine');
    assert.equal((await read(bare(position.offset))).title, 'Mine');
  });

  it('remembers the last message over readings that bring none', async () => {
    const said = talk().human('One').assistant('Yes.');
    await writeFile(file, said.text());
    const first = await read();
    assert.equal(first.position.lastMessageUuid, said.lastUuid());
    assert.equal(first.messagesEnd, first.position.offset);
    await appendFile(file, '{"type":"last-prompt","sessionId":"x"}\n');
    const second = await read(first.position);
    assert.deepEqual([second.messages, second.position.lastMessageUuid], [[], said.lastUuid()]);
    assert.ok(second.position.offset > second.messagesEnd);
    assert.equal(second.messagesEnd, first.position.offset);
  });

  describe('whether the last turn is over', () => {
    const ask = { file_path: '/repo/a' };
    const cases: [string, () => Transcript, 'record' | 'quiet' | undefined][] = [
      ['a record says so', () => talk().human('A').assistant('B').turnEnd(), 'record'],
      [
        'a stop hook says so',
        () => talk().human('A').assistant('B').raw({ type: 'system', subtype: 'stop_hook_summary', uuid: 'x' }),
        'record',
      ],
      ['a text ends the file', () => talk().human('A').assistant('B'), 'quiet'],
      ['a call is pending', () => talk().human('A').assistant('B').tool('Read', ask, undefined), undefined],
      ['a result waits for an answer', () => talk().human('A').tool('Read', ask, 'a'), undefined],
      ['a text follows a result', () => talk().human('A').tool('Read', ask, 'a').assistant('B'), 'quiet'],
      ['a prompt waits', () => talk().human('A').assistant('B').turnEnd().human('C'), undefined],
      ['the person interrupted', () => talk().human('A').tool('Read', ask, undefined).interrupt(), 'record'],
      ['a local command was answered', () => talk().human('A').assistant('B').command('model', 'set'), 'quiet'],
      ['a summary of a compaction by hand', () => talk().human('A').assistant('B').turnEnd().compaction('S'), 'record'],
      ['a compaction in mid-turn', () => talk().human('A').tool('Read', ask, 'a').compaction('S'), undefined],
      [
        'the message says that a call will follow',
        () =>
          talk()
            .human('A')
            .assistant('B', {
              extra: { message: { id: 'm', stop_reason: 'tool_use', content: [{ type: 'text', text: 'B' }] } },
            }),
        undefined,
      ],
      [
        'only thinking so far',
        () =>
          talk()
            .human('A')
            .assistant('', { extra: { message: { id: 'm', content: [{ type: 'thinking', thinking: 'hm' }] } } }),
        undefined,
      ],
      ['nothing was said', () => talk().meta('context'), undefined],
    ];
    for (const [name, said, sealedBy] of cases) {
      it(`${sealedBy ?? 'open'}: ${name}, read whole or from the end`, async () => {
        await writeFile(file, said().text());
        const whole = await read();
        assert.deepEqual([whole.turnEnded, whole.sealedBy], [sealedBy !== undefined, sealedBy]);
        assert.equal((await read(whole.position)).sealedBy, sealedBy);
      });
    }
  });

  it('F-47: says clearly that a transcript is gone, before or while it is read', async () => {
    await assert.rejects(read(), { name: 'MemoryError', code: 'not_found' });
    await writeFile(file, long().text());
    const vanishing = watchedDisk(async (call) => {
      if (call === 'readRange') await rm(file, { force: true });
    });
    await assert.rejects(read(undefined, vanishing), { name: 'MemoryError', code: 'not_found' });
  });

  it('stops when told to', async () => {
    await writeFile(file, long().text());
    const source = openClaudeCode({ folders: async () => [folder], disk: nodeDisk });
    await assert.rejects(source.read(session(), undefined, AbortSignal.abort()), { name: 'AbortError' });
  });

  it('lists the conversations of all folders once, and survives folders that are not there', async () => {
    const other = join(folder, 'worktree');
    await mkdir(join(other, `${uuidOf('directory')}.jsonl`), { recursive: true });
    const names = [`${id}.jsonl`, 'agent-1.jsonl', 'notes.jsonl', `${id}.json`, `.${id}.jsonl`, `${id}.jsonl.bak`];
    for (const name of names) await writeFile(join(folder, name), talk().human('A').text());
    await writeFile(join(other, `${uuidOf('other')}.jsonl`), talk().human('B').text());
    const source = openClaudeCode({
      folders: async () => [folder, other, folder, join(folder, 'none')],
      disk: nodeDisk,
    });
    const ids = (await source.list(0)).map((one) => one.id).sort();
    assert.deepEqual(ids, [id, uuidOf('other')].sort());
  });

  it('looks into a file once to know whose it is, however often it is listed', async () => {
    await writeFile(file, talk().human('A').text());
    const counting = countingDisk();
    const source = openClaudeCode({ folders: async () => [folder], disk: counting.disk });
    await source.list(0);
    counting.reset();
    await source.list(0);
    assert.equal(counting.bytesRead(), 0);
  });

  it('asks a young file again whose it is, until it tells', async () => {
    const source = openClaudeCode({ folders: async () => [folder], disk: nodeDisk });
    await writeFile(file, '{"type":"mode","sessionId":"x"}\n');
    assert.equal((await source.find(file))?.kind, 'foreign');
    await appendFile(file, talk().human('A').text());
    assert.equal((await source.find(file))?.kind, 'claude-code');
  });
});
