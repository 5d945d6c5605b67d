// Chats whose files are rewritten, cut and damaged between two readings: every word that was there when somebody read is handed
// out, and none is handed out twice.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { nodeDisk } from '../../../src/core/disk';
import { chatPlaces } from '../../../src/core/sessions/chatStorage';
import { openCursors } from '../../../src/core/sessions/cursors';
import type { TranscriptReading } from '../../../src/core/sessions/transcript';
import { openVscodeChats } from '../../../src/core/sessions/vscodeChat';
import { copilotTranscript, type VscodeChat, vscodeChat } from '../../support/vscodeChats';

/** A workspace's storage with a reader that keeps cursors, as an extraction does. */
async function openReader() {
  const base = await mkdtemp(join(tmpdir(), 'rewrites-'));
  const home = join(base, 'workspaceStorage/3b5679c6');
  let ticks = Date.parse('2026-01-12T08:00:00Z');
  let source = open();
  let cursors = openOwnCursors();
  function open() {
    return openVscodeChats({ places: chatPlaces({ workspace: join(home, 'reverie.reverie') }, []), disk: nodeDisk });
  }
  function openOwnCursors() {
    const { twins, folders: rewritten } = source;
    return openCursors({ folder: join(base, 'state'), disk: nodeDisk, now: () => ticks, twins, rewritten });
  }
  const begin = async () => {
    for (const folder of source.folders) await cursors.beginAt(folder, await source.list(0));
  };
  return {
    async put(path: string, text: string | Buffer): Promise<string> {
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      // Another time for every write, as a clock would have it.
      ticks += 1000;
      await utimes(file, ticks / 1000, ticks / 1000);
      return file;
    },
    drop: (path: string) => rm(join(home, path), { force: true }),
    begin,
    restart() {
      source = open();
      cursors = openOwnCursors();
    },
    /** Whoever is behind is read, and its cursor moved; the person's words that came of it. */
    async read(): Promise<string[]> {
      const words: string[] = [];
      for (const session of await source.list(0)) {
        if (!(await cursors.pending(session))) continue;
        const state = await cursors.get(session.file);
        const reading: TranscriptReading = await source.read(session, cursors.startOf(session, state));
        words.push(...reading.messages.filter(({ human }) => human).map(({ text }) => text));
        ticks += 1;
        await cursors.moveTo(session, reading, { outcome: 'nothing' });
        assert.equal(await cursors.pending(session), false, 'it is read');
      }
      return words;
    },
    async past() {
      const sessions = await cursors.past(await source.list(0));
      return Promise.all(
        sessions.map(async (session) => {
          const state = await cursors.get(session.file);
          const until = { offset: session.pastBytes, since: state?.position?.since ?? 0 };
          const { messages } = await source.read(session, undefined, undefined, until);
          return messages.filter(({ human }) => human).map(({ text }) => text);
        }),
      );
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

type Step =
  | { readonly do: 'ask' | 'answer' | 'compact' | 'type' | 'read' | 'restart' | 'transcript' | 'dropFlat' }
  | { readonly do: 'resubmit' | 'again' | 'remove' | 'cut'; readonly share: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('ask', 'answer', 'compact', 'type', 'read', 'restart', 'transcript', 'dropFlat'),
    }),
    fc.record({
      do: fc.constantFrom('resubmit', 'again', 'remove', 'cut'),
      share: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 24 },
);

describe('a chat that is rewritten', function () {
  this.timeout(120_000);

  it('is read whole and once, whatever is written, cut and read in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (todo, isFlat) => {
        const reader = await openReader();
        try {
          await reader.begin();
          const chat = vscodeChat('one');
          const path = `chatSessions/${chat.sessionId}.${isFlat ? 'json' : 'jsonl'}`;
          const text = () => (isFlat ? chat.flat() : chat.log());
          const handed: string[] = [];
          /** By id: what was asked, of what the file holds now. */
          let asked: string[] = [];
          const seen = new Set<string>();
          let count = 0;
          const read = async (isWhole: boolean) => {
            const words = await reader.read();
            handed.push(...words);
            if (isWhole) for (const each of asked) seen.add(each);
          };
          for (const step of todo) {
            switch (step.do) {
              case 'ask':
                count += 1;
                chat.ask(`Question ${count}.`);
                asked.push(`Question ${count}.`);
                break;
              case 'answer':
                if (asked.length > 0) chat.answer(`Answer ${count}.`);
                break;
              case 'type':
                chat.type(`draft ${count}`);
                break;
              case 'compact':
                chat.compact();
                break;
              case 'resubmit':
              case 'again': {
                if (asked.length === 0) break;
                const from = Math.floor(step.share * asked.length);
                count += 1;
                const next = step.do === 'again' ? (asked[from] ?? '') : `Question ${count}.`;
                chat.resubmit(from, next);
                asked = [...asked.slice(0, from), next];
                break;
              }
              case 'remove': {
                const from = Math.floor(step.share * asked.length);
                chat.remove(from);
                asked = asked.slice(0, from);
                break;
              }
              case 'cut': {
                const bytes = Buffer.from(text());
                await reader.put(path, bytes.subarray(0, Math.floor(step.share * bytes.length)));
                await read(false);
                break;
              }
              case 'transcript':
                await reader.put(
                  `GitHub.copilot-chat/transcripts/${chat.sessionId}.jsonl`,
                  copilotTranscript(
                    chat.sessionId,
                    asked.map((each) => ({ text: each, answer: 'Yes.', at: '2026-01-12T12:00:00Z' })),
                  ),
                );
                break;
              case 'dropFlat':
                await reader.drop(path);
                await read(false);
                break;
              case 'restart':
                reader.restart();
                break;
              case 'read':
                await reader.put(path, text());
                await read(true);
                break;
            }
          }
          await reader.put(path, text());
          await read(true);
          assert.deepEqual([...new Set(handed)].length, handed.length, `twice: ${handed}`);
          for (const each of seen) assert.ok(handed.includes(each), `lost: ${each}`);
          assert.deepEqual(await reader.read(), [], 'nothing is left');
        } finally {
          await reader.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  describe('in the ways that were seen', () => {
    let reader: Awaited<ReturnType<typeof openReader>>;
    beforeEach(async () => {
      reader = await openReader();
      await reader.begin();
    });
    afterEach(() => reader.remove());
    const place = (chat: VscodeChat, kind = 'jsonl') => `chatSessions/${chat.sessionId}.${kind}`;

    it('smaller than it was, with a question more', async () => {
      const chat = vscodeChat('one').ask('One.', { answer: 'x'.repeat(5000) });
      for (let count = 0; count < 1100; count += 1) chat.type(`draft ${count}`);
      await reader.put(place(chat), chat.log());
      assert.deepEqual(await reader.read(), ['One.']);
      await reader.put(place(chat), chat.ask('Two.', { answer: 'Yes.' }).compact().log());
      assert.deepEqual(await reader.read(), ['Two.']);
    });

    it('as a log, after it was one object', async () => {
      const chat = vscodeChat('one').ask('One.', { answer: 'Yes.' });
      await reader.put(place(chat, 'json'), chat.flat());
      assert.deepEqual(await reader.read(), ['One.']);
      await reader.put(place(chat), chat.ask('Two.').log());
      assert.deepEqual(await reader.read(), ['Two.']);
      reader.restart();
      assert.deepEqual(await reader.read(), []);
    });

    it('with the same words twice, which are two', async () => {
      const chat = vscodeChat('one').ask('Go on.', { answer: 'Yes.' }).ask('Go on.', { answer: 'Yes.' });
      await reader.put(place(chat), chat.log());
      assert.deepEqual(await reader.read(), ['Go on.', 'Go on.']);
      await reader.put(place(chat), chat.ask('Go on.').log());
      assert.deepEqual(await reader.read(), ['Go on.']);
    });

    it('with other words under the same id, which are new', async () => {
      const chat = vscodeChat('one').ask('Use tabs.', { answer: 'Yes.' });
      await reader.put(place(chat), chat.log());
      await reader.read();
      const [id] = chat.ids();
      chat.raw(JSON.stringify({ kind: 1, k: ['requests', 0, 'message'], v: { text: 'Use spaces.', parts: [] } }));
      await reader.put(place(chat), chat.log());
      assert.deepEqual(await reader.read(), ['Use spaces.'], id);
    });

    it('with a last line that was cut, and is whole later, or never', async () => {
      const chat = vscodeChat('one').ask('One.', { answer: 'Yes.' }).ask('Two.', { answer: 'Yes.' });
      const whole = chat.log();
      await reader.put(place(chat), whole.slice(0, -40));
      assert.deepEqual(await reader.read(), ['One.']);
      assert.deepEqual(await reader.read(), [], 'it is not looked at again and again');
      await reader.put(place(chat), whole);
      assert.deepEqual(await reader.read(), ['Two.']);
      await reader.put(place(chat), `${whole}${vscodeChat('x').ask('Lost.').log().slice(30, 90)}`);
      assert.deepEqual(await reader.read(), []);
    });

    it('as one line that was cut while it was written anew: what is whole in it is read at once', async () => {
      const chat = vscodeChat('one')
        .ask('One.', { answer: 'Yes.' })
        .ask('Two.', { answer: 'y'.repeat(100_000) });
      for (const kind of ['jsonl', 'json']) {
        const whole = kind === 'json' ? chat.flat() : chat.compact().log();
        const fresh = await openReader();
        try {
          await fresh.begin();
          await fresh.put(place(chat, kind), whole.slice(0, whole.indexOf('yyy') + 50_000));
          assert.deepEqual(await fresh.read(), ['One.'], kind);
          await fresh.put(place(chat, kind), whole.slice(0, -20));
          assert.deepEqual(await fresh.read(), ['Two.'], kind);
          await fresh.put(place(chat, kind), whole);
          assert.deepEqual(await fresh.read(), [], kind);
        } finally {
          await fresh.remove();
        }
      }
    });

    it('with lines that broke in the middle, glued lines, unknown kinds and places that are not there', async () => {
      const chat = vscodeChat('one').ask('One.', { answer: 'Yes.' });
      chat.raw('{"kind":2,"k":["requests"],"v":[{"requestId":"cut');
      chat.raw('{"kind":7,"k":["requests"],"v":[]}').raw('null').raw('[]').raw('');
      chat
        .raw('{"kind":1,"k":["requests",900,"message"],"v":"no"}')
        .raw('{"kind":1,"k":["requests","__proto__","x"],"v":1}');
      chat
        .raw('{"kind":2,"k":["requests"],"i":-3}')
        .raw('{"kind":3,"k":[]}')
        .raw('{"kind":1,"k":["requests",0,"response",99,"value"],"v":"no"}');
      chat.ask('Two.', { answer: 'Yes.' });
      const lines = chat.log().split('\n');
      // The cut line and the one after it on one line.
      const text = lines.map((line) => (line.endsWith('"cut') ? line : `${line}\n`)).join('');
      await reader.put(place(chat), text);
      assert.deepEqual(await reader.read(), ['One.', 'Two.']);
    });

    it('without its first line', async () => {
      const chat = vscodeChat('one').ask('One.', { answer: 'Yes.' });
      await reader.put(place(chat), chat.log().split('\n').slice(1).join('\n'));
      assert.deepEqual(await reader.read(), ['One.']);
    });

    it('with a letter that is none', async () => {
      const chat = vscodeChat('one')
        .ask('One.', { answer: 'é'.repeat(200_000) })
        .ask('Two.', { answer: 'Yes.' });
      const bytes = Buffer.from(chat.compact().log());
      bytes[bytes.indexOf(0xc3) + 100_000] = 0xff;
      await reader.put(place(chat), bytes);
      assert.deepEqual(await reader.read(), ['One.', 'Two.']);
    });

    it('where the past was left alone: only what is asked from now on is new, and the past is whole', async () => {
      const old = vscodeChat('old', { at: '2026-01-12T07:00:00Z' }).ask('Old.', { answer: 'Yes.' });
      const fresh = await openReader();
      try {
        await fresh.put(place(old), old.log());
        await fresh.begin();
        assert.deepEqual(await fresh.read(), []);
        old.ask('New.', { at: '2026-01-12T09:30:00Z' });
        await fresh.put(place(old), old.compact().log());
        assert.deepEqual(await fresh.read(), ['New.']);
        assert.deepEqual(await fresh.past(), [['Old.']]);
        fresh.restart();
        assert.deepEqual(await fresh.read(), []);
      } finally {
        await fresh.remove();
      }
    });
  });
});
