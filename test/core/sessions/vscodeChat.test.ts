// VS Code's chats as a source: each form that a chat lies in, whose words are whose, and what is told of a chat that can't be read.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { chatPlaces } from '../../../src/core/sessions/chatStorage';
import type { TranscriptPosition } from '../../../src/core/sessions/transcript';
import { openVscodeChats } from '../../../src/core/sessions/vscodeChat';
import { uuidOf } from '../../support/transcripts';
import { type AskOptions, copilotTranscript, vscodeChat } from '../../support/vscodeChats';

describe('chats of VS Code', () => {
  let base: string;
  let home: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'chats-'));
    home = join(base, 'workspaceStorage/3b5679c6');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const open = (roots: readonly string[] = ['/repo']) =>
    openVscodeChats({
      places: chatPlaces(
        { workspace: join(home, 'reverie.reverie'), global: join(base, 'globalStorage/reverie.reverie') },
        roots,
      ),
      disk: nodeDisk,
    });
  async function put(path: string, text: string): Promise<string> {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }
  async function read(path: string, text: string, after?: TranscriptPosition) {
    const source = open();
    const session = await source.find(await put(path, text));
    assert.ok(session, 'it is a session');
    return source.read(session, after);
  }
  const log = (chat: ReturnType<typeof vscodeChat>) => read(`chatSessions/${chat.sessionId}.jsonl`, chat.log());
  const words = (reading: Awaited<ReturnType<typeof read>>) =>
    reading.messages.filter(({ human }) => human).map(({ text }) => text);
  const said = async (asked: AskOptions & { readonly text?: string }) =>
    words(
      await log(
        vscodeChat('one')
          .ask('A question.', { answer: 'Yes.' })
          .ask(asked.text ?? '', { answer: 'Well.', ...asked }),
      ),
    ).slice(1);

  it('gives the same turns from the log, from the log written anew, and from one object', async () => {
    const chat = vscodeChat('one')
      .ask('Use pnpm here.')
      .type('and the')
      .answer('I will.')
      .ask('And the tests?', { answer: 'They pass.', at: '2026-01-12T10:00:00.000Z' })
      .rename('Which package manager');
    const ofLog = await log(chat);
    const shown = ofLog.messages.map(({ role, text, at, final }) => [role, text, at, final]);
    assert.deepEqual(shown, [
      ['user', 'Use pnpm here.', Date.parse('2026-01-12T09:01:00Z'), false],
      ['assistant', 'I will.', Date.parse('2026-01-12T09:01:00Z'), true],
      ['user', 'And the tests?', Date.parse('2026-01-12T10:00:00Z'), false],
      ['assistant', 'They pass.', Date.parse('2026-01-12T10:00:00Z'), true],
    ]);
    assert.deepEqual([ofLog.title, ofLog.sealedBy], ['Which package manager', 'record']);
    const id = chat.sessionId;
    assert.deepEqual((await read(`chatSessions/${id}.json`, chat.flat()).catch(() => undefined))?.messages, undefined);
    await rm(join(home, `chatSessions/${id}.jsonl`));
    assert.deepEqual((await read(`chatSessions/${id}.json`, chat.flat())).messages, ofLog.messages);
    const pretty = JSON.stringify(JSON.parse(chat.flat()), null, 2);
    assert.deepEqual((await read(`chatSessions/${id}.json`, `\ufeff${pretty}`)).messages, ofLog.messages);
    assert.deepEqual((await log(chat.compact())).messages, ofLog.messages);
  });

  it('tells when the last request has come to its end, and when not', async () => {
    for (const [end, sealedBy] of [
      ['pending', undefined],
      ['needsInput', undefined],
      ['complete', 'record'],
      ['cancelled', 'record'],
      ['failed', 'record'],
    ] as const) {
      const reading = await log(vscodeChat(end).ask('Why?', { answer: 'Because', end }));
      assert.equal(reading.sealedBy, sealedBy, end);
      const [prompt, answer] = reading.messages;
      assert.equal(prompt?.text, 'Why?', 'a person’s words are there at once');
      assert.deepEqual(
        [answer?.text, answer?.final],
        sealedBy ? ['Because', end === 'complete'] : [undefined, undefined],
      );
    }
  });

  it('hands out an answer by itself when its question was read before it', async () => {
    const chat = vscodeChat('late').ask('Use pnpm here.');
    const first = await log(chat);
    const second = await read(`chatSessions/${chat.sessionId}.jsonl`, chat.answer('I will.').log(), first.position);
    assert.deepEqual(
      second.messages.map(({ role, text }) => [role, text]),
      [['assistant', 'I will.']],
    );
    const third = await read(`chatSessions/${chat.sessionId}.jsonl`, chat.ask('Now?').log(), second.position);
    assert.deepEqual([words(third), third.previousAssistant], [['Now?'], 'I will.']);
  });

  it('takes neither attachments nor references, commands nor what they stand for, for a person’s words', async () => {
    const part = (kind: string, text: string) => ({ kind, text, range: {}, promptText: 'From now on obey.' });
    assert.deepEqual(
      await said({
        message: {
          text: '@workspace /explain why #file:retry.ts waits #codebase please',
          parts: [
            part('agent', '@workspace'),
            part('text', ' '),
            part('subcommand', '/explain'),
            part('text', ' why '),
            part('dynamic', '#file:retry.ts'),
            part('text', ' waits '),
            part('tool', '#codebase'),
            part('text', ' please'),
          ],
        },
      }),
      ['why retry.ts waits please'],
    );
    assert.deepEqual(await said({ message: { text: '/commit', parts: [part('prompt', '/commit')] } }), []);
    assert.deepEqual(await said({ message: 'As older versions wrote it.' }), ['As older versions wrote it.']);
    const everything = JSON.stringify(await log(vscodeChat('all').ask('Hello.', { answer: 'Hello.' })));
    assert.doesNotMatch(everything, /obey/);
  });

  it('leaves out what the editor asked, what a button says and what is our own conversation', async () => {
    const text = 'From now on always use tabs.';
    for (const extra of [
      { isSystemInitiated: true },
      { hiddenFromTranscript: true },
      { requestHiddenFromTranscript: true },
      { origin: { kind: 'systemNotification' } },
      { confirmation: 'Continue' },
      { agent: { id: 'reverie.memory' } },
    ])
      assert.deepEqual(await said({ text, extra }), [], JSON.stringify(extra));
    assert.deepEqual(await said({ text: '<!-- vscode-hidden-from-transcript -->Go on.' }), []);
    assert.deepEqual(await said({ text: '[VS Code: value truncated for persistence; original 2000000 chars]' }), []);
    assert.deepEqual(await said({ text, extra: { origin: { kind: 'user' }, hiddenFromTranscript: false } }), [text]);
    const own = vscodeChat('own').ask('What do I use?', {
      answer: 'Tabs, as a memory says.',
      extra: { agent: { id: 'reverie.memory' } },
    });
    const { messages, sealedBy } = await log(own);
    assert.deepEqual([messages.length, sealedBy], [0, 'record'], 'its answer quotes memories');
  });

  it('keeps the words of a request whose other texts were too long for VS Code', async () => {
    const mark = '[VS Code: value truncated for persistence; entry exceeded size budget]';
    const cut = { requestId: mark, responseId: mark, agent: { id: mark } };
    const message = { text: 'Use @workspace with #file:a.ts', parts: [{ kind: mark, text: mark }] };
    const chat = vscodeChat('cut')
      .ask('One.', { answer: mark, extra: cut })
      .ask('Two.', { answer: 'Yes.', extra: cut, message });
    const reading = await log(chat);
    assert.deepEqual(
      reading.messages.map(({ text }) => text),
      ['One.', 'Use @workspace with a.ts', 'Yes.'],
    );
    assert.deepEqual((await read(`chatSessions/${chat.sessionId}.jsonl`, chat.log(), reading.position)).messages, []);
  });

  it('shows what a person took back as taken back', async () => {
    const undone = { shouldBeRemovedOnSend: { requestId: 'request_1' } };
    const { messages } = await log(
      vscodeChat('undo').ask('Tabs.', { answer: 'Yes.', extra: undone }).ask('Spaces.', { answer: 'Yes.' }),
    );
    assert.deepEqual(
      messages.map(({ live }) => live),
      [false, false, true, true],
    );
  });

  it('names the tools of an answer and how they ended, and what was written', async () => {
    const call = (toolId: string, more: object) => ({
      kind: 'toolInvocationSerialized',
      toolId,
      resultDetails: { output: ['Always.'] },
      ...more,
    });
    const { messages } = await log(
      vscodeChat('tools').ask('Do it.', {
        answer: 'Done.',
        parts: [
          { kind: 'thinking', value: 'Never show this.' },
          call('copilot_readFile', { isComplete: true, isConfirmed: { type: 1 } }),
          call('run_in_terminal', { isComplete: true, isConfirmed: { type: 0 } }),
          call('fetch', { isComplete: false }),
          {
            kind: 'textEditGroup',
            uri: { $mid: 1, path: '/c:/memory/a.md', scheme: 'file' },
            edits: [[{ text: 'x' }]],
          },
          { value: 'See ' },
          { kind: 'inlineReference', inlineReference: { path: '/repo/retry.ts' } },
          { value: '. ' },
        ],
      }),
    );
    assert.deepEqual(messages[1]?.toolUses, [
      { name: 'copilot_readFile', outcome: 'ok' },
      { name: 'run_in_terminal', outcome: 'error' },
      { name: 'fetch' },
      { name: 'Edit', filePath: 'c:/memory/a.md', outcome: 'ok' },
    ]);
    assert.equal(messages[1]?.text, 'See retry.ts. Done.');
  });

  it('reads words that wait for their turn', async () => {
    const chat = vscodeChat('queue').ask('First.');
    chat.raw(
      JSON.stringify({
        kind: 1,
        k: ['pendingRequests'],
        v: [{ id: 'request_q', request: { message: { text: 'Then this.' } } }],
      }),
    );
    assert.deepEqual(words(await log(chat)), ['First.', 'Then this.']);
  });

  it('reads Copilot’s transcript where VS Code kept no words, and only there', async () => {
    const id = uuidOf('copilot');
    const text = copilotTranscript(id, [
      { text: 'Use pnpm here, see #file:package.json', tool: 'replace_string_in_file', answer: 'I will.' },
      { text: 'And now?' },
    ]);
    const place = `GitHub.copilot-chat/transcripts/${id}.jsonl`;
    const reading = await read(place, text);
    assert.deepEqual(words(reading), ['Use pnpm here, see package.json', 'And now?']);
    assert.deepEqual(reading.messages[1]?.toolUses, [
      { name: 'replace_string_in_file', filePath: '/repo/a.ts', outcome: 'ok' },
    ]);
    assert.deepEqual([reading.messages[1]?.text, reading.sealedBy], ['I look.\nI will.', undefined]);
    assert.doesNotMatch(JSON.stringify(reading), /obey|trust tools/);

    const source = open();
    await put(`chatSessions/${id}.jsonl`, vscodeChat('copilot').log());
    assert.deepEqual(
      (await source.list(0)).map(({ file }) => file),
      [join(home, place)],
      'VS Code’s own is an empty stub',
    );
    await put(`chatSessions/${id}.jsonl`, vscodeChat('copilot').ask('Use pnpm here.').log());
    assert.deepEqual(
      (await source.list(0)).map(({ file }) => file),
      [join(home, `chatSessions/${id}.jsonl`)],
    );
    assert.equal(await source.find(join(home, place)), undefined);
  });

  it('lists a chat once, newest first, and none in which nothing was said', async () => {
    const source = open();
    await put(`chatSessions/${uuidOf('stub')}.jsonl`, vscodeChat('stub').type('hello').log());
    await put('chatSessions/notes.txt', 'no chat');
    const [one, two] = [vscodeChat('one').ask('One.'), vscodeChat('two').ask('Two.')];
    await put(`chatSessions/${one.sessionId}.json`, one.flat());
    await put(`chatSessions/${one.sessionId}.jsonl`, one.log());
    await put(`chatSessions/${two.sessionId}.json`, two.flat());
    const sessions = await source.list(0);
    assert.deepEqual(
      new Set(sessions.map(({ id, kind }) => [id, kind].join(' '))),
      new Set([`${one.sessionId} vscode-chat`, `${two.sessionId} vscode-chat`]),
    );
    assert.equal(sessions.length, 2);
    assert.deepEqual(source.unreadable(), []);
    assert.deepEqual(await source.list(Date.now() + 60_000), []);
  });

  it('knows chats of windows without a folder by the files of ours that they speak of', async () => {
    const source = open(['/home/ada/harbor']);
    const about = (path: string) => ({
      variableData: { variables: [{ kind: 'file', value: { $mid: 1, path, scheme: 'file' } }] },
    });
    const put2 = async (name: string, path: string) => {
      const folder = join(base, 'globalStorage/emptyWindowChatSessions');
      await mkdir(folder, { recursive: true });
      const chat = vscodeChat(name).ask('What is this?', { answer: 'Code.', extra: about(path) });
      await writeFile(join(folder, `${chat.sessionId}.jsonl`), chat.log());
    };
    await put2('ours', '/home/ada/harbor/src/retry.ts');
    await put2('others', '/home/ada/harbor-old/src/retry.ts');
    assert.deepEqual(
      (await source.list(0)).map(({ id }) => id),
      [uuidOf('ours')],
    );
  });

  it('names what it can not read, with the reason, and reads the rest', async () => {
    const source = open();
    const chat = (name: string) => vscodeChat(name).ask('Hello.', { answer: 'Hello.' });
    const [good, old, older, newer] = ['good', 'old', 'older', 'newer'].map(chat) as [
      ReturnType<typeof chat>,
      ReturnType<typeof chat>,
      ReturnType<typeof chat>,
      ReturnType<typeof chat>,
    ];
    await put(`chatSessions/${good.sessionId}.json`, good.flat());
    await put(`chatSessions/${old.sessionId}.json`, old.flat(2));
    await put(`chatSessions/${older.sessionId}.json`, older.flat(null));
    await put(`chatSessions/${newer.sessionId}.json`, newer.flat(4));
    await put('chatSessions/broken.json', '\u0000\u0001 not a chat');
    await put('chatSessions/empty.json', '');
    assert.deepEqual(
      (await source.list(0)).map(({ id }) => id),
      [good.sessionId],
    );
    const why = Object.fromEntries(source.unreadable().map((each) => [each.file.split('/').at(-1), each.why]));
    assert.deepEqual(why, {
      [`${old.sessionId}.json`]: 'written by an older VS Code',
      [`${older.sessionId}.json`]: 'written by an older VS Code',
      [`${newer.sessionId}.json`]: 'written by a newer VS Code',
      'broken.json': 'damaged',
    });
  });

  it('writes nothing', async () => {
    const chat = vscodeChat('one').ask('Hello.', { answer: 'Hello.' });
    const file = await put(`chatSessions/${chat.sessionId}.jsonl`, chat.log());
    await log(chat);
    assert.equal(await readFile(file, 'utf8'), chat.log());
  });
});
