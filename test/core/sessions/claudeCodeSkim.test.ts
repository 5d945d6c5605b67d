import assert from 'node:assert/strict';
import fc from 'fast-check';
import { skimRecord } from '../../../src/core/sessions/claudeCodeSkim';

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
});
