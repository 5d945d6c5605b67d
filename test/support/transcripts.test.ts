// The transcript builder is what most tests stand on, so its own promises are tested: chain, order, continuation, shape.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resumeTranscript, type Transcript, type TranscriptRecord, transcript, uuidOf } from './transcripts';

const corpus = process.env.REVERIE_CORPUS;

const sample = (): Transcript =>
  transcript(uuidOf('one'), '/home/u/app')
    .human('Run the tests')
    .assistant('I run them.')
    .tool('Bash', { command: 'npm test' }, '3 passing')
    .tools([
      { name: 'Read', input: { file_path: '/home/u/app/a.ts' }, result: 'a' },
      { name: 'Read', input: { file_path: '/home/u/app/b.ts' }, result: 'b' },
    ])
    .assistant('All three pass.')
    .turnEnd();

const messageId = (record: TranscriptRecord | undefined): unknown =>
  (record?.message as { id?: string } | undefined)?.id;

describe('the transcript builder', () => {
  it('makes the same bytes from the same calls', () => {
    assert.equal(sample().text(), sample().text());
  });

  it('gives every record a parent that was written before it', () => {
    const seen = new Set<unknown>([null]);
    for (const record of sample().records()) {
      assert.ok(seen.has(record.parentUuid), `parent of ${record.uuid}`);
      seen.add(record.uuid);
    }
  });

  it('puts a text and the tool use after it into one message, and the answer to a result into another', () => {
    const records = sample().records();
    assert.equal(messageId(records[1]), messageId(records[2]));
    assert.notEqual(messageId(records[2]), messageId(records.at(-2)));
  });

  it('goes on from a text with the same session, the last record as parent and a later time', () => {
    const first = sample();
    const next = resumeTranscript(`${first.text()}{"torn`).human('And the linter?').turnEnd();
    assert.equal(next.sessionId, first.sessionId);
    assert.equal(next.records()[0]?.parentUuid, first.lastUuid());
    assert.ok(next.lastAt() > first.lastAt());
    const uuids = new Set([...first.records(), ...next.records()].map((record) => record.uuid));
    assert.equal(uuids.size, first.records().length + next.records().length);
  });

  it('starts a compaction at a root that names its logical parent', () => {
    const before = sample();
    const last = before.lastUuid();
    const [boundary, summary] = before.compaction('Tests were run.').records().slice(-2);
    assert.equal(boundary?.parentUuid, null);
    assert.equal(boundary?.logicalParentUuid, last);
    assert.equal(summary?.parentUuid, boundary?.uuid);
  });

  (corpus ? it : it.skip)(
    `uses only fields that real records have${corpus ? '' : ' (skipped: REVERIE_CORPUS names no data folder)'}`,
    () => {
      const known = new Map<string, Set<string>>();
      for (const file of [
        'entire/55-04c1f4266f-0.jsonl',
        'entire/91-b42542f24f-0.jsonl',
        'agent-sessions/small.jsonl',
      ]) {
        for (const line of readFileSync(join(corpus ?? '', 'transcripts', file), 'utf8').split('\n')) {
          const record = parse(line);
          const kind = `${record.type}`;
          const fields = known.get(kind) ?? new Set<string>();
          for (const field of Object.keys(record)) fields.add(field);
          known.set(kind, fields);
        }
      }
      for (const record of sample().compaction('x').records()) {
        const unknown = Object.keys(record).filter((field) => !known.get(`${record.type}`)?.has(field));
        assert.deepEqual(unknown, [], `${record.type}`);
      }
    },
  );
});

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
