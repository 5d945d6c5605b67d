// After a failure: the next try comes by itself, later each time, and what happens meanwhile does not start one.

import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelError } from '../../../src/core/agent/languageModel';
import { nodeDisk } from '../../../src/core/disk';
import { createExtraction } from '../../../src/core/extraction/extraction';
import { noResult } from '../../../src/core/extraction/outcome';
import { silentLogger } from '../../../src/core/log';
import { openCursors } from '../../../src/core/sessions/cursors';
import type { Session, TranscriptReading } from '../../../src/core/sessions/transcript';

const minute = 60_000;
const session: Session = { kind: 'claude-code', id: 'one', file: '/nowhere/one.jsonl', size: 10, modifiedAt: 0 };
const reading: TranscriptReading = {
  messages: [
    { uuid: 'm', offset: 0, role: 'user', at: 0, human: true, text: 'hello', live: true, toolUses: [], final: false },
  ],
  position: { offset: 10, fingerprint: '' },
  restarted: false,
  previousAssistant: undefined,
  turnEnded: true,
  sealedBy: 'record',
  messagesEnd: 10,
  bytesRead: 10,
};

describe('after a failed extraction', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'retry-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** `answers` are what the runs come to, one after the other; the last one stays. */
  function open(...answers: readonly (Error | undefined)[]) {
    let time = Date.parse('2026-11-30T09:00:00Z');
    let tries = 0;
    const timers = new Map<object, { readonly at: number; readonly run: () => void }>();
    const clock = {
      now: () => time,
      setTimer(ms: number, run: () => void) {
        const key = {};
        timers.set(key, { at: time + ms, run });
        return { dispose: () => void timers.delete(key) };
      },
    };
    const cursors = openCursors({ folder, disk: nodeDisk, now: clock.now });
    const extraction = createExtraction({
      source: {
        list: async () => [session],
        find: async () => session,
        read: async () => reading,
      },
      cursors,
      guard: {
        tryAcquire: async () => undefined,
        holder: async () => undefined,
        run: (_name, work) => work({ isHeld: async () => true, release: async () => {} }),
      },
      async extract() {
        const answer = answers[Math.min(tries, answers.length - 1)];
        tries += 1;
        if (answer) throw answer;
        return noResult;
      },
      isMemoryPath: () => false,
      isKeptElsewhere: async () => false,
      refusal: async () => undefined,
      everyTurns: () => 1,
      clock,
      log: silentLogger,
    });
    return {
      extraction,
      tries: () => tries,
      /** When the next try comes, from now, in minutes. */
      waits: () => [...timers.values()].map(({ at }) => (at - time) / minute),
      async pass(minutes: number) {
        time += minutes * minute;
        const due = [...timers].filter(([, { at }]) => at <= time);
        for (const [key, { run }] of due) {
          timers.delete(key);
          const over = new Promise<void>((resolve) => {
            const listening = extraction.onDidExtract(() => {
              listening.dispose();
              resolve();
            });
          });
          run();
          await over;
        }
      },
    };
  }

  const settle = async (work: Promise<unknown>) => void (await work);

  it('tries again by itself, and waits longer each time', async () => {
    const failing = open(new ModelError('overloaded', 'Busy.'));
    await settle(failing.extraction.executeExtractMemories(session, 'sessionEnd'));
    deepEqual([failing.tries(), failing.waits()], [1, [1]]);
    await failing.pass(1);
    deepEqual([failing.tries(), failing.waits()], [2, [5]]);
    await failing.pass(5);
    deepEqual([failing.tries(), failing.waits()], [3, [30]]);
  });

  it('stops trying when it has worked', async () => {
    const once = open(new ModelError('overloaded', 'Busy.'), undefined);
    await settle(once.extraction.executeExtractMemories(session, 'sessionEnd'));
    await once.pass(1);
    deepEqual([once.tries(), once.waits()], [2, []]);
  });

  it('does not try at every turn’s end meanwhile, and does when a person asks', async () => {
    const failing = open(new ModelError('overloaded', 'Busy.'), undefined);
    await settle(failing.extraction.executeExtractMemories(session, 'turnEnd'));
    const skipped = await failing.extraction.executeExtractMemories(session, 'turnEnd');
    deepEqual([skipped.outcome, skipped.reason, failing.tries()], ['skipped', 'throttled', 1]);
    equal(failing.waits().length, 1, 'one try is planned, not two');
    await settle(failing.extraction.executeExtractMemories(session, 'command'));
    deepEqual([failing.tries(), failing.waits()], [2, []], 'what has worked needs no other try');
  });

  it('waits as long as the provider asks', async () => {
    const limited = open(new ModelError('rate_limited', 'Too many.', 40 * minute));
    await settle(limited.extraction.executeExtractMemories(session, 'sessionEnd'));
    deepEqual(limited.waits(), [40]);
  });

  it('plans no try for a window that closes', async () => {
    const failing = open(new ModelError('overloaded', 'Busy.'));
    await settle(failing.extraction.executeExtractMemories(session, 'sessionEnd'));
    await failing.extraction.drain(10);
    deepEqual(failing.waits(), []);
  });
});
