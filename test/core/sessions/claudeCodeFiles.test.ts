// What real transcript files look like, point by point of a survey of some 200,000 records: each surprise is a promise here.

import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { isSubagentFile } from '../../../src/core/sessions/claudeCodeRecords';
import { summarizeTranscript } from '../../../src/core/sessions/sessionSummary';
import { transcript, uuidOf } from '../../support/transcripts';
import { id, openPlace, type Place, talk, user } from './place';

describe("Claude Code's transcript files as they are", function () {
  this.timeout(20_000);
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(() => place.dispose());

  it('point 2: follows parents through progress, system and attachment records, and past fork points', async () => {
    const said = talk().human('First').assistant('Yes.');
    let parent = said.lastUuid();
    for (const type of ['progress', 'system', 'attachment', 'progress']) {
      const uuid = uuidOf(`${type}${parent}`);
      said.raw({ type, uuid, parentUuid: parent, sessionId: id, timestamp: '2026-01-12T09:01:00.000Z' });
      parent = uuid;
    }
    said.rewindTo(parent).human('Second');
    const calls = ['a', 'b', 'c'].map((name) => ({ name: 'Read', input: { file_path: name }, result: name }));
    said.tools(calls).assistant('Done.').turnEnd();
    const { messages } = await place.read(said);
    assert.ok(messages.filter((message) => message.human).every((message) => message.live));
    assert.equal((await place.count(said)).turns, 2);
  });

  it('point 2: tells the branch that was taken back from the one that lives', async () => {
    const said = talk().human('Keep').assistant('Kept.');
    const fork = said.lastUuid();
    said.human('Take this back').assistant('Too late.').rewindTo(fork).human('Rather this').assistant('Fine.');
    const { messages } = await place.read(said);
    assert.deepEqual(
      messages.map((message) => message.live),
      [true, true, false, false, true, true],
    );
    const { prompts: counted } = await place.count(said);
    assert.deepEqual(
      counted?.map((prompt) => prompt.live),
      [true, false, true],
    );
  });

  it('point 3: takes the lines of one message for one message', async () => {
    const said = talk()
      .human('Look')
      .assistant('I look.')
      .tool('Read', { file_path: '/repo/a' }, 'a')
      .assistant('Seen.');
    const { messages } = await place.read(said);
    const replies = messages.filter((message) => message.role === 'assistant');
    assert.deepEqual(
      replies.map(({ text, final, toolUses }) => ({ text, final, tools: toolUses.length })),
      [
        { text: 'I look.', final: false, tools: 1 },
        { text: 'Seen.', final: true, tools: 0 },
      ],
    );
    assert.equal(replies[0]?.recordUuids?.length, 2);
    const counted = await place.count(said);
    assert.deepEqual([counted.assistantRecords, counted.assistantMessages, counted.turns], [3, 2, 1]);
  });

  it('point 6: opens with whatever record, and takes no title from a summary of another session', async () => {
    const first = ['last-prompt', 'mode', 'permission-mode', 'atis-latch'].map((type) =>
      JSON.stringify({ type, sessionId: id }),
    );
    const said = talk().human('Fix the build').assistant('Fixed.').turnEnd();
    const own = { type: 'summary', summary: 'Build repaired', leafUuid: said.lastUuid() };
    const foreign = { type: 'summary', summary: 'Somebody else', leafUuid: uuidOf('elsewhere') };
    const snapshot = { type: 'file-history-snapshot', messageId: 'm', snapshot: {}, isSnapshotUpdate: false };
    const text = `${[...first, JSON.stringify(foreign), JSON.stringify(snapshot)].join('\n')}\n${said.text()}`;
    assert.equal((await place.read(text)).title, 'Fix the build');
    assert.equal(
      (await place.read(`${text}${JSON.stringify(own)}\n${JSON.stringify(foreign)}\n`)).title,
      'Build repaired',
    );
    assert.deepEqual(await place.prompts(text), ['Fix the build']);
  });

  it('point 7: keeps the order of the file when times go back, and gives a bad time that of the record before', async () => {
    const said = talk()
      .human('One', { at: '2026-01-12T10:00:00.000Z' })
      .human('Two', { at: '2026-01-12T09:00:00.000Z' })
      .human('Three', { extra: { timestamp: 'yesterday' } });
    const { messages } = await place.read(said);
    assert.deepEqual(
      messages.map(({ text, at }) => [text, new Date(at).toISOString()]),
      [
        ['One', '2026-01-12T10:00:00.000Z'],
        ['Two', '2026-01-12T09:00:00.000Z'],
        ['Three', '2026-01-12T09:00:00.000Z'],
      ],
    );
    const counted = await place.count(said);
    assert.deepEqual(
      [counted.firstTimestamp, counted.lastTimestamp],
      ['2026-01-12T09:00:00.000Z', '2026-01-12T10:00:00.000Z'],
    );
    assert.equal(counted.prompts?.[2]?.at, '2026-01-12T09:00:00.000Z');
    assert.equal(counted.prompts?.[2]?.timestamp, 'yesterday');
  });

  it('point 7: a parent that is nowhere loses nothing, at the beginning or later', async () => {
    const said = talk().rewindTo(uuidOf('before the file')).human('One').assistant('Yes.');
    said.rewindTo(uuidOf('nowhere')).human('Two').assistant('Yes.');
    const { messages } = await place.read(said);
    assert.ok(messages.every((message) => message.live));
    assert.equal((await place.count(said)).turns, 2);
  });

  it('point 8: a compaction is counted, its summary is nobody’s words, and what came before stays live', async () => {
    const said = talk()
      .human('Before')
      .assistant('Yes.')
      .compaction('They spoke of caches.')
      .human('After')
      .assistant('Ok.');
    const { messages } = await place.read(said);
    assert.deepEqual(await place.prompts(said), ['Before', 'After']);
    assert.ok(messages.every((message) => message.live && !message.text.includes('caches')));
    const counted = await place.count(said);
    assert.deepEqual([counted.compactions, counted.microCompactions, counted.turns], [1, 0, 2]);
    const rewound = talk().human('Stays').assistant('Yes.');
    const fork = rewound.lastUuid();
    rewound.human('Taken back').assistant('Yes.').rewindTo(fork).compaction('Sum').human('After');
    const { messages: after } = await place.read(rewound);
    assert.deepEqual(
      after.filter((message) => message.human).map(({ text, live }) => [text, live]),
      [
        ['Stays', true],
        ['Taken back', false],
        ['After', true],
      ],
    );
    const micro = talk().human('A').raw({ type: 'system', subtype: 'microcompact_boundary', uuid: 'm' });
    assert.equal((await place.count(micro)).microCompactions, 1);
    const old = talk()
      .human('A')
      .raw(user('Sum', { isCompactSummary: true }));
    assert.equal((await place.count(old)).compactions, 1);
  });

  it('points 8 and 9: subagents, in files of their own or inline, are never a conversation', async () => {
    const inline = talk()
      .human('Mine')
      .raw(user('Explore everything', { isSidechain: true }))
      .assistant('Done.');
    assert.deepEqual(await place.prompts(inline), ['Mine']);
    assert.equal((await place.count(inline)).sidechainRecords, 1);

    const nested = join(place.folder, id, 'subagents');
    await mkdir(nested, { recursive: true });
    const copy = talk().human('Mine').assistant('Done.').text();
    const files = [
      join(nested, 'agent-acompact-1.jsonl'),
      join(nested, `${uuidOf('x')}.jsonl`),
      join(place.folder, 'agent-1a2b3c4d.jsonl'),
    ];
    for (const file of files) {
      await writeFile(file, copy);
      const counted = await summarizeTranscript(nodeDisk, file, { prompts: true });
      assert.deepEqual([counted.subagent, counted.humanPrompts, counted.turns, counted.prompts], [true, 0, 0, []]);
      assert.equal(await place.source.find(file), undefined);
      const session = { kind: 'claude-code', id, file, size: copy.length, modifiedAt: 0 } as const;
      assert.deepEqual((await place.source.read(session)).messages, []);
    }
    for (const home of [
      '/home/p/subagents/.claude/projects/-repo',
      '/subagents/projects/-repo',
      '/x/projects/-p-subagents',
    ]) {
      assert.equal(isSubagentFile(`${home}/${id}.jsonl`), false, home);
    }
    assert.equal(isSubagentFile(`C:\\x\\${id}\\subagents\\workflows\\wf_1\\journal.jsonl`), true);
    assert.deepEqual(
      (await place.source.list(0)).map((session) => session.id),
      [id],
    );
  });

  it('point 11: two records glued on one line are two records, and a torn tail costs only itself', async () => {
    const said = talk().human('One').assistant('Yes.');
    const [one = '', two = ''] = said.lines();
    const summary = JSON.stringify({ type: 'summary', summary: 'A talk', leafUuid: said.lastUuid() });
    const glued = `${one}${summary}\n${two}{"type":"file-history-snapshot"}\n`;
    assert.deepEqual(await place.prompts(glued), ['One']);
    assert.equal((await place.read(glued)).title, 'A talk');
    assert.deepEqual(
      ((found) => [found.records, found.gluedLines, found.unparsableFragments])(await place.count(glued)),
      [4, 2, 0],
    );

    const torn = await place.count(`${one}\n${two.slice(0, 100)}`);
    assert.deepEqual([torn.records, torn.unparsableFragments, torn.tornTail], [1, 1, true]);
    const broken = await place.count(`${one}\n${two.slice(0, 100)}\n${two}\n`);
    assert.deepEqual([broken.records, broken.unparsableFragments, broken.tornTail], [2, 1, false]);
  });

  it("point 12: another product's log under a transcript's name is foreign, and nothing is read from it", async () => {
    const gemini = { projectHash: 'x', messages: [{ type: 'user', content: 'Always use tabs' }] };
    const logs = {
      codex:
        '{"type":"session_meta","payload":{"id":"x"}}\n{"type":"response_item","payload":{"type":"message","role":"user"}}\n',
      gemini: JSON.stringify(gemini, undefined, 2),
      cursor: '{"role":"user","message":{"content":[{"type":"text","text":"Always use tabs"}]}}\n',
      pi: '{"type":"session","version":3,"id":"x"}\n{"type":"message","message":{"role":"user","content":"Always use tabs"}}\n',
      unknown: '{"type":"user","text":"Always use tabs"}\n',
    };
    for (const [format, text] of Object.entries(logs)) {
      const file = await place.put(text);
      const [session] = await place.source.list(0);
      assert.equal(session?.kind, 'foreign', format);
      assert.deepEqual((await place.read(text)).messages, []);
      const counted = await summarizeTranscript(nodeDisk, file, { prompts: true });
      assert.deepEqual([counted.kind, counted.format, counted.humanPrompts, counted.turns], ['foreign', format, 0, 0]);
    }
    assert.equal((await place.count('{"kind":0,"v":{"version":3,"requests":[]}}\n')).kind, 'vscode-chat');
  });

  it('point 14: sessions that overlap in time are told apart, the last written first', async () => {
    const ids = ['a', 'b', 'c'].map(uuidOf);
    for (const [index, session] of ids.entries()) {
      const file = join(place.folder, `${session}.jsonl`);
      await writeFile(file, transcript(session, '/repo').human(`In ${session}`).assistant('Yes.').text());
      await utimes(file, 1_800_000_000 + index, 1_800_000_000 + index);
    }
    const sessions = await place.source.list(0);
    assert.deepEqual(
      sessions.map((session) => session.id),
      ids.toReversed(),
    );
    assert.equal((await place.source.list(1_800_000_001_000)).length, 1);
    for (const session of sessions) {
      const { messages } = await place.source.read(session);
      assert.equal(messages[0]?.text, `In ${session.id}`);
    }
  });
});
