// Requests and answers in the words of an editor's chat models, both ways.

import { strict as assert } from 'node:assert';
import { type ChatPart, formatChat, readChat } from '../../../src/core/agent/chatFormat';
import type { ModelRequest } from '../../../src/core/agent/languageModel';

const request: ModelRequest = {
  system: [{ type: 'text', text: 'Be short.', stable: true }],
  tools: [],
  maxTokens: 100,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'opaque', value: { thinking: 'hm' } },
        { type: 'text', text: 'I do.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'x.md' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: 'cut', malformed: '{"file' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 'a', text: 'text of x', isError: false },
        { type: 'tool_result', toolUseId: 'b', text: 'Nothing was done.', isError: true },
      ],
    },
  ],
};
const text = (words: string): ChatPart => ({ kind: 'text', text: words });
const call = (id: string, input: unknown = {}): ChatPart => ({ kind: 'call', id, name: 'Read', input });
const asked: Pick<ModelRequest, 'messages'> = { messages: request.messages.slice(0, 1) };

describe('a request to an editor’s chat model', () => {
  it('has the system’s text first, then every message with its calls and their results in order', () => {
    assert.deepEqual(formatChat(request), [
      { role: 'user', parts: [text('Be short.')] },
      { role: 'user', parts: [text('Read it.')] },
      {
        role: 'assistant',
        parts: [text('I do.'), call('a', { file_path: 'x.md' }), call('b', {})],
      },
      {
        role: 'user',
        parts: [
          { kind: 'result', id: 'a', text: 'text of x' },
          { kind: 'result', id: 'b', text: 'Error: Nothing was done.' },
        ],
      },
    ]);
  });

  it('extends the one before when the conversation grows', () => {
    const longer = { ...request, messages: [...request.messages, ...asked.messages] };
    assert.deepEqual(formatChat(longer).slice(0, 4), formatChat(request));
  });

  it('says in words which form the answer has, at the end', () => {
    const last = formatChat({ ...request, outputSchema: { type: 'object' } }).at(-1);
    assert.match(last?.parts[0]?.kind === 'text' ? last.parts[0].text : '', /one JSON object.*\{"type":"object"\}/s);
  });

  it('has no empty message, which providers refuse', () => {
    const messages = [
      { role: 'assistant' as const, content: [{ type: 'opaque' as const, value: 1 }] },
      { role: 'user' as const, content: [{ type: 'text' as const, text: '' }] },
    ];
    assert.deepEqual(formatChat({ system: [], tools: [], maxTokens: 1, messages }), []);
  });
});

describe('an answer of an editor’s chat model', () => {
  it('is its text as one block and its calls, and says why it ended', () => {
    assert.deepEqual(readChat([text('I '), text('see.')], asked, false), {
      content: [{ type: 'text', text: 'I see.' }],
      stopReason: 'end_turn',
    });
    const { content, stopReason } = readChat([text('So:'), call('1', { file_path: 'x' })], asked, false);
    assert.deepEqual([content.length, stopReason], [2, 'tool_use']);
    assert.equal(readChat([text('I s')], asked, true).stopReason, 'max_tokens');
  });

  it('has calls that results can find: ids that are missing or used before become others', () => {
    const ids = (parts: readonly ChatPart[]) =>
      readChat(parts, request, false).content.map((block) => (block.type === 'tool_use' ? block.id : block.type));
    assert.deepEqual(ids([call(''), call(''), call('a'), call('c')]), ['call', 'call-2', 'a-2', 'c']);
  });

  it('has a call that is never carried out where its input is no object', () => {
    for (const input of ['{"file_pa', null, [1]]) {
      const [block] = readChat([call('1', input)], asked, false).content;
      assert.ok(block?.type === 'tool_use' && block.malformed !== undefined, JSON.stringify(input));
    }
  });

  it('is a fault when it is empty, unless it follows results: then there is nothing to add', () => {
    for (const parts of [[], [text('')], [text(' \n')]])
      assert.throws(() => readChat(parts, asked, false), { name: 'ModelError', code: 'bad_answer' });
    assert.deepEqual(readChat([], request, false), { content: [], stopReason: 'end_turn' });
  });
});
