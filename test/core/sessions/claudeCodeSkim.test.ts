import assert from 'node:assert/strict';
import fc from 'fast-check';
import { skimRecord, textWithoutCopy } from '../../../src/core/sessions/claudeCodeSkim';

describe('skimming a record', function () {
  this.timeout(20_000);
  const progress = (data: unknown, rest: object = {}) => ({
    parentUuid: 'p',
    sessionId: 's',
    isSidechain: false,
    type: 'progress',
    data,
    uuid: 'u',
    ...rest,
    timestamp: 't',
  });
  const output = (toolUseResult: unknown, rest: object = {}) => ({
    parentUuid: null,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'out' }] },
    uuid: 'u',
    timestamp: 't',
    toolUseResult,
    ...rest,
  });
  const big = { text: 'y'.repeat(2000) };
  const skim = (value: unknown) => skimRecord(Buffer.from(JSON.stringify(value)));

  it('leaves out the data of a progress record and the second copy of a tool’s output', () => {
    assert.deepEqual(skim(progress(big)), progress(0));
    assert.deepEqual(skim(progress({ message: { type: 'user', uuid: 'other' }, ...big })), progress(0));
    assert.deepEqual(skim(output(big)), output(0));
    assert.deepEqual(skim(output(big, { sourceToolAssistantUUID: 'a' })), output(0, { sourceToolAssistantUUID: 'a' }));
  });

  it('leaves glued, torn, short and other records to the full parser', () => {
    const line = JSON.stringify(progress(big));
    const refused = [
      `${line}{"type":"summary","leafUuid":"x"}`,
      `${line} ${JSON.stringify(output(big))}`,
      `${line}${line}`,
      line.slice(0, -1),
      line.slice(0, 1500),
      JSON.stringify(progress({ a: 1 })),
      JSON.stringify({ type: 'assistant', message: big }),
      JSON.stringify({ message: { a: 1, toolUseResult: big }, uuid: 'u' }),
      JSON.stringify({ note: ',"type":"progress",', data: big, uuid: 'u' }),
    ];
    for (const text of refused) assert.equal(skimRecord(Buffer.from(text)), undefined, text.slice(-80));
  });

  it('gives every field that a reading asks for as a full parse gives it, or nothing, whatever lies in the record', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('}', '{', '"},"', ',"toolUseResult":{', '"uuid":"x"', '\\"', '}{'),
    );
    const key = fc.constantFrom('toolUseResult', 'type', 'data', 'uuid', 'x', 'message', 'content', 'isSidechain');
    const record = fc.dictionary(key, fc.oneof(odd, fc.dictionary(key, odd)));
    let found = 0;
    fc.assert(
      fc.property(record, record, fc.integer({ min: 0, max: 3 }), (one, two, shape) => {
        const value = [
          progress({ ...one, ...big }, two),
          { ...one, ...progress(big), ...two },
          output({ ...two, ...big }, one),
          { ...one, ...output({ ...two, ...big }), ...two },
        ][shape];
        const skimmed = skim(value);
        if (!skimmed) return;
        found += 1;
        const full = JSON.parse(JSON.stringify(value));
        const asked = ['type', 'uuid', 'parentUuid', 'isSidechain', 'timestamp'];
        if (full.type !== 'progress') asked.push('message');
        for (const field of asked) {
          assert.deepEqual(skimmed[field], full[field], field);
        }
        if (full.type !== 'progress') assert.equal('toolUseResult' in skimmed, 'toolUseResult' in full);
      }),
      { numRuns: 500 },
    );
    assert.ok(found > 10, `${found} records`);
  });

  const said = (text: string, rest: object = {}, more: readonly object[] = []) => ({
    parentUuid: null,
    isSidechain: false,
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: 't', type: 'tool_result', content: text, is_error: false }, ...more],
    },
    uuid: 'u',
    timestamp: 't',
    toolUseResult: { stdout: text, stderr: '', ...rest },
  });
  const long = 'if (a) { return "b\\\\"; }\n'.repeat(100);

  it('leaves out the first copy of a tool’s output only where it is the one block of its message', () => {
    const skimmed = skim(said(long)) as { message: { content: readonly object[] }; toolUseResult: unknown };
    assert.equal(skimmed.toolUseResult, 0);
    assert.deepEqual(skimmed.message.content, [
      { tool_use_id: 't', type: 'tool_result', content: '', is_error: false },
    ]);
    const another = { tool_use_id: 't2', type: 'tool_result', content: 'x', is_error: true };
    assert.deepEqual(skim(said(long, {}, [another]))?.message, said(long, {}, [another]).message);
    const trap = `${long}\\"}]},"uuid":"v"`;
    assert.deepEqual(skim(said(trap))?.message, said('').message);
    assert.equal(skim(said(trap))?.uuid, 'u');
  });

  it('reads a line on which the output stands twice as a full parse reads it, but for the second copy', () => {
    const part = fc.constantFrom('"', '\\', '\n', '}]}', '},{"', ',"toolUseResult":{"stdout":"', 'é', '{', '":"', 'x');
    let found = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, differs) => {
        const text = long + parts.join('') + long;
        const value = said(text, differs ? { stdout: `${text}!` } : {});
        const short = textWithoutCopy(Buffer.from(JSON.stringify(value)));
        if (short === undefined) return;
        found += 1;
        assert.equal(differs, false);
        assert.deepEqual(JSON.parse(short), { ...value, toolUseResult: { stdout: '', stderr: '' } });
      }),
      { numRuns: 300 },
    );
    assert.ok(found > 50, `${found} lines`);
  });

  it('never takes a damaged line for a whole one by leaving out a copy', () => {
    const line = JSON.stringify(said(long));
    for (const damaged of [line.slice(0, -1), line.replace(/,"stderr":""/, '"stderr":""'), `${line}x`]) {
      const short = textWithoutCopy(Buffer.from(damaged));
      if (short !== undefined) assert.throws(() => JSON.parse(short));
    }
    const broken = Buffer.from(line.replaceAll('\\n', '\\q'));
    assert.throws(() => JSON.parse(textWithoutCopy(broken) ?? ''));
  });
});
