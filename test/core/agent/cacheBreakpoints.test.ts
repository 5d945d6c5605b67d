// Where cache entries are asked for: few places, each of which a later request finds again.

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { type Place, placeBreakpoints } from '../../../src/core/agent/cacheBreakpoints';
import type { ModelMessage, ModelRequest, TextBlock } from '../../../src/core/agent/languageModel';
import { toParams } from '../../../src/core/agent/messagesFormat';
import { estimateTokens } from '../../../src/core/tokens';
import { createPromptCache, type Json } from '../../support/promptCache';

const long = (seed: string, tokens = 1500) => seed.repeat(Math.ceil((tokens * 3.5) / seed.length));
const text = (value: string, stable = false): TextBlock => ({
  type: 'text',
  text: value,
  ...(stable ? { stable } : {}),
});
const user = (...content: readonly (TextBlock | string)[]): ModelMessage => ({
  role: 'user',
  content: content.map((each) => (typeof each === 'string' ? text(each) : each)),
});
/** A turn with so many parallel calls, and their results. */
const calls = (count: number, turn: string): readonly ModelMessage[] => [
  {
    role: 'assistant',
    content: [...Array(count).keys()].map((at) => ({
      type: 'tool_use',
      id: `${turn}_${at}`,
      name: 'Read',
      input: { at },
    })),
  },
  {
    role: 'user',
    content: [...Array(count).keys()].map((at) => ({
      type: 'tool_result',
      toolUseId: `${turn}_${at}`,
      text: long(`${turn}${at} `, 60),
      isError: false,
    })),
  },
];
const request = (messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [text(long('You keep memories. '))],
  tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } }],
  messages,
  maxTokens: 1000,
  ...more,
});
const places = (given: ModelRequest) => placeBreakpoints(given, estimateTokens).map(shown);
const shown = ({ part, message, block }: Place) => (part === 'messages' ? `${message}.${block}` : `${part} ${block}`);
const accounts =
  (cache = createPromptCache({ now: () => 0 })) =>
  (given: ModelRequest) => {
    const { usage, commit } = cache.account(toParams(given, 'm') as unknown as Json);
    commit();
    return usage;
  };

describe('cache breakpoints', () => {
  it('stand at the end of the system text and of the request at first', () => {
    assert.deepEqual(places(request([user('Hello', 'there')])), ['system 0', '0.1']);
  });

  it('stand at the end of the last request too, when there was one', () => {
    assert.deepEqual(places(request([user('Hello'), ...calls(3, 'a'), ...calls(1, 'b')])), ['system 0', '2.2', '4.0']);
  });

  it('find the end of the last request across messages that were added one by one', () => {
    const added = [...calls(1, 'a'), user('Go on.'), user('And on.')];
    assert.deepEqual(places(request([user('Hello'), ...added])), ['system 0', '0.0', '4.0']);
  });

  it('stand at the last stable text, and never at more than four places', () => {
    const first = user(text(long('one '), true), text(long('two '), true), text(long('three '), true), 'Now.');
    assert.deepEqual(places(request([first])), ['system 0', '0.0', '0.2', '0.3']);
    assert.deepEqual(places(request([first, ...calls(1, 'a')])), ['system 0', '0.2', '0.3', '2.0']);
  });

  it('take as a second stable text one that the look-back of the last does not reach', () => {
    const blocks = [...Array(50).keys()].map((at) => text(`${long('x', 30)}${at}`, true));
    assert.deepEqual(places(request([user(...blocks, 'Now.')])), ['system 0', '0.29', '0.49', '0.50']);
  });

  it('leave out places before the shortest prefix that is kept', () => {
    assert.deepEqual(places(request([user(text('a', true), 'b')], { system: [text('Short.')] })), []);
    assert.deepEqual(places(request([user(text('a', true), long('b'))], { system: [text('Short.')] })), ['0.1']);
  });

  it('stand at the last tool when there is no system text', () => {
    const tools = [0, 1].map((at) => ({ name: `T${at}`, description: long('d'), inputSchema: { type: 'object' } }));
    assert.deepEqual(places(request([user('Hello')], { system: [], tools })), ['tools 1', '0.0']);
  });

  it('let every turn read all that the one before could have kept, whatever number of calls is between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 60 }),
        (turns, stableBlocks) => {
          const send = accounts();
          const digest = [...Array(stableBlocks).keys()].map((at) => text(`${long('said ', 40)}${at}`, at % 7 === 6));
          let messages: readonly ModelMessage[] = [user(...digest, 'Now.')];
          let last = send(request(messages));
          turns.forEach((count, at) => {
            messages = [...messages, ...calls(count, `t${at}`)];
            const next = send(request(messages));
            assert.equal(next.cache_read_input_tokens, last.cache_read_input_tokens + last.cache_creation_input_tokens);
            assert.equal(next.input_tokens, 0);
            last = next;
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('let a second run over a grown text read the first run’s, when it grew by up to thirty-nine blocks', () => {
    for (const growth of [0, 1, 19, 20, 39]) {
      const send = accounts();
      const digest = (count: number) => [...Array(count).keys()].map((at) => text(`${long('said ', 40)}${at}`, true));
      const first = send(request([user(...digest(60), 'The list of today', 'Now.')]));
      const second = send(request([user(...digest(60 + growth), 'Another list', 'Now.')]));
      const digestTokens = first.cache_creation_input_tokens;
      assert.ok(second.cache_read_input_tokens > digestTokens * 0.95, `${growth}: ${second.cache_read_input_tokens}`);
    }
  });
});
