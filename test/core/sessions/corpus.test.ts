// Real transcripts against what an independent reader found in them. The data lies beside the project, not in it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { readTranscript } from '../../../src/core/sessions/claudeCode';
import { blocksOf, contentOf, normalText } from '../../../src/core/sessions/claudeCodeRecords';
import { skimRecord } from '../../../src/core/sessions/claudeCodeSkim';
import { isObject, type JsonObject } from '../../../src/core/sessions/json';
import { readLines } from '../../../src/core/sessions/jsonLines';
import { summarizeTranscript } from '../../../src/core/sessions/sessionSummary';
import type { TranscriptMessage, TranscriptPosition } from '../../../src/core/sessions/transcript';

const corpus = process.env.REVERIE_CORPUS;
const why = corpus ? '' : ' (skipped: REVERIE_CORPUS names no data folder)';

interface Truth {
  readonly kind: 'agent' | 'session';
  readonly foreign: boolean;
  readonly prompts: readonly { readonly timestamp: string }[];
  readonly ambiguous?: string;
}

/** The content of a message's only block. */
function outputOf(record: JsonObject): unknown {
  const blocks = blocksOf(contentOf(record));
  return blocks.length === 1 ? blocks[0]?.content : undefined;
}

describe('real transcripts', function () {
  this.timeout(120_000);
  const it = corpus ? globalThis.it : globalThis.it.skip;
  const truths = (): [string, Truth][] =>
    Object.entries(JSON.parse(readFileSync(join(corpus ?? '', 'transcripts/counts.json'), 'utf8')).files);
  const place = (name: string) => join(corpus ?? '', name);
  const hash = (text: string) => createHash('sha256').update(normalText(text)).digest('hex');

  it(`count exactly as an independent reader counts them, every field of every file${why}`, async () => {
    assert.ok(truths().length > 25);
    for (const [name, { ambiguous: _ambiguous, ...truth }] of truths()) {
      const summary = await summarizeTranscript(nodeDisk, place(name), { prompts: true });
      const prompts = summary.prompts?.map(({ at: _at, ...prompt }) => prompt);
      const seen: Record<string, unknown> = {
        ...summary,
        kind: summary.subagent ? 'agent' : 'session',
        foreign: summary.kind === 'foreign',
        prompts,
      };
      const compared = Object.fromEntries(Object.keys(truth).map((key) => [key, seen[key]]));
      assert.deepEqual(compared, truth, name);
    }
  });

  it(`give the very prompts that were counted, each live where the branch can be told${why}`, async () => {
    for (const [name, truth] of truths()) {
      const { messages, turnEnded } = await readTranscript(nodeDisk, place(name));
      const humans = messages.filter((message) => message.human);
      const { prompts = [] } = await summarizeTranscript(nodeDisk, place(name), { prompts: true });
      assert.deepEqual(
        humans.map(({ text, live }) => [hash(text), live]),
        prompts.map((prompt) => [prompt.sha256, prompt.live ?? true]),
        name,
      );
      if (truth.foreign || truth.kind === 'agent') assert.deepEqual([messages, turnEnded], [[], false], name);
    }
  });

  it(`lose nothing and repeat nothing when they are read in pieces${why}`, async () => {
    const records = (messages: readonly TranscriptMessage[]) =>
      messages.flatMap((one) => one.recordUuids ?? [one.uuid]);
    for (const [name, truth] of truths()) {
      if (truth.foreign || truth.ambiguous) continue;
      const whole = await readTranscript(nodeDisk, place(name));
      const found: TranscriptMessage[] = [];
      let position: TranscriptPosition | undefined;
      for (const share of [0.13, 0.5, 0.51, 1]) {
        const until = Math.floor(whole.position.offset * share);
        const reading = await readTranscript(nodeDisk, place(name), position, undefined, until);
        assert.equal(reading.restarted, false);
        position = reading.position;
        found.push(...reading.messages);
      }
      const sorted = (uuids: string[]) => uuids.sort();
      assert.deepEqual(sorted(records(found)), sorted(records(whole.messages)), name);
    }
  });

  it(`skim to the same records as a full parse gives, but for a tool’s output and the one value left out${why}`, async () => {
    let skimmed = 0;
    for (const [name] of truths()) {
      const stat = await nodeDisk.stat(place(name));
      assert.ok(stat);
      await readLines(nodeDisk, place(name), { from: 0, stat }, (bytes) => {
        const record = skimRecord(bytes);
        if (!record) return;
        skimmed += 1;
        const full: unknown = JSON.parse(bytes.toString());
        assert.ok(isObject(full));
        const left = full.type === 'progress' ? 'data' : 'toolUseResult';
        const emptied = outputOf(record) === '' && typeof outputOf(full) === 'string';
        if (emptied) (blocksOf(contentOf(full))[0] as { content: string }).content = '';
        assert.deepEqual(record, { ...full, [left]: 0 });
      });
    }
    assert.ok(skimmed > 500, `${skimmed} records`);
  });
});
