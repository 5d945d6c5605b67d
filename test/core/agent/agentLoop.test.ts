// A forked agent: what it sends, in which order results come back, and that every end is a value.

import { deepEqual, equal, match } from 'node:assert/strict';
import { runForkedAgent, type Tool } from '../../../src/core/agent/agentLoop';
import { type LanguageModel, ModelError, type ModelMessage, noUsage } from '../../../src/core/agent/languageModel';
import { calls, callsWith, says, scriptedModel } from '../../support/scriptedModel';

const tool = (name: string, run: Tool['run']): Tool => ({
  definition: { name, description: `${name} it`, inputSchema: { type: 'object', properties: {} } },
  run,
});
const done = (text: string) => ({ text, isError: false });
const echo = tool('Echo', async (input) => done(`echo ${JSON.stringify(input)}`));

const run = (model: LanguageModel, options: Partial<Parameters<typeof runForkedAgent>[0]> = {}) =>
  runForkedAgent({
    model,
    prefix: { system: [{ type: 'text', text: 'system' }], messages: [] },
    prompt: 'go',
    tools: [echo],
    canUseTool: () => undefined,
    limits: { maxTurns: 5 },
    signal: new AbortController().signal,
    ...options,
  });

const resultsIn = (message: ModelMessage | undefined) =>
  message?.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [];

describe('a forked agent', () => {
  it('takes the prefix over as it is and only adds to it', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    ];
    const parentTools = [{ name: 'Other', description: 'of the parent', inputSchema: { type: 'object' } }];
    const system = [{ type: 'text' as const, text: 'parent', stable: true as const }];
    const model = scriptedModel([calls(['Echo', { a: 1 }]), says('Done.')]);
    await run(model, { prefix: { system, tools: parentTools, messages } });
    for (const [turn, request] of model.received.entries()) {
      deepEqual(request.system, system, `the system text of turn ${turn}`);
      deepEqual(request.tools, parentTools, `the tools of turn ${turn}`);
      deepEqual(request.messages.slice(0, 2), messages);
    }
    const [first, second] = model.received;
    deepEqual(second?.messages.slice(0, first?.messages.length), first?.messages, 'each turn extends the last');
  });

  it('answers calls that the prefix left open, always in the same words', async () => {
    const open: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'Echo', input: {} },
        { type: 'tool_use', id: 'b', name: 'Echo', input: {} },
      ],
    };
    const opening = async () => {
      const model = scriptedModel([says('Done.')]);
      await run(model, { prefix: { system: [], messages: [open] } });
      return model.received[0]?.messages.at(-1);
    };
    const first = await opening();
    deepEqual(
      resultsIn(first).map((result) => result.toolUseId),
      ['a', 'b'],
    );
    deepEqual(await opening(), first);
  });

  it('runs the calls of a turn side by side and gives their results in the order of the calls', async () => {
    const order: string[] = [];
    const wait = tool('Wait', async (input) => {
      const { ms } = input as { ms: number };
      order.push(`begin ${ms}`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(`end ${ms}`);
      return done(String(ms));
    });
    const model = scriptedModel([calls(['Wait', { ms: 30 }], ['Wait', { ms: 1 }]), says('Done.')]);
    const result = await run(model, { tools: [wait] });
    deepEqual(order, ['begin 30', 'begin 1', 'end 1', 'end 30']);
    deepEqual(
      resultsIn(model.received[1]?.messages.at(-1)).map((one) => one.text),
      ['30', '1'],
    );
    deepEqual([result.stopReason, result.turns, result.text], ['end_turn', 2, 'Done.']);
  });

  it('gives an error result for an unknown tool, a cut call, a denied call and a tool that fails', async () => {
    let carriedOut = 0;
    const count = tool('Count', async () => {
      carriedOut += 1;
      return done('counted');
    });
    const broken = tool('Broken', async () => {
      throw new Error('the disk is full');
    });
    const model = scriptedModel([
      callsWith([
        { type: 'tool_use', id: '1', name: 'Bash', input: {} },
        { type: 'tool_use', id: '2', name: 'Count', input: {}, malformed: '{"a": "cut o' },
        { type: 'tool_use', id: '3', name: 'Count', input: { denied: true } },
        { type: 'tool_use', id: '4', name: 'Broken', input: {} },
        { type: 'tool_use', id: '5', name: 'Count', input: {} },
      ]),
      says('Done.'),
    ]);
    const result = await run(model, {
      tools: [count, broken],
      canUseTool: (_name, input) => ((input as { denied?: boolean }).denied ? 'not now' : undefined),
    });
    const results = resultsIn(model.received[1]?.messages.at(-1));
    deepEqual(
      results.map((one) => one.isError),
      [true, true, true, true, false],
    );
    match(results[0]?.text ?? '', /no tool “Bash”.*Count/);
    match(results[1]?.text ?? '', /cut off/);
    equal(results[2]?.text, 'not now');
    equal(results[3]?.text, 'the disk is full');
    equal(carriedOut, 1);
    equal(result.stopReason, 'end_turn');
  });

  it('keeps thinking blocks where they were', async () => {
    const thinking = { type: 'opaque' as const, value: { type: 'thinking', thinking: 'hm', signature: 's' } };
    const model = scriptedModel([
      callsWith([thinking, { type: 'tool_use', id: '1', name: 'Echo', input: {} }]),
      says('Done.'),
    ]);
    await run(model);
    deepEqual(model.received[1]?.messages.at(-2)?.content[0], thinking);
  });

  it('ends after the turns it was given, with the last calls carried out', async () => {
    let written = 0;
    const write = tool('Write', async () => {
      written += 1;
      return done('ok');
    });
    const result = await run(
      scriptedModel(() => calls(['Write', {}])),
      { tools: [write], limits: { maxTurns: 3 } },
    );
    deepEqual([result.stopReason, result.turns, written], ['max_turns', 3, 3]);
  });

  it('ends when its tokens are used up', async () => {
    const result = await run(
      scriptedModel(() => calls(['Echo', {}])),
      { limits: { maxTurns: 50, maxTokens: 400 } },
    );
    deepEqual([result.stopReason, result.turns], ['budget', 3]);
    deepEqual(result.usage, { ...noUsage, input: 300, output: 150 });
  });

  it('ends when its time is over, in the middle of an answer', async () => {
    const slow = scriptedModel([
      (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    ]);
    const result = await run(slow, { limits: { maxTurns: 5, maxMs: 20 } });
    equal(result.stopReason, 'timed_out');
  });

  it('ends at once when it is aborted, before a request, in an answer or in a tool', async () => {
    const before = AbortSignal.abort();
    const unasked = scriptedModel([says('never')]);
    equal((await run(unasked, { signal: before })).stopReason, 'aborted');
    equal(unasked.received.length, 0);

    const during = new AbortController();
    const answering = scriptedModel([
      async () => {
        during.abort();
        throw new Error('socket closed');
      },
    ]);
    equal((await run(answering, { signal: during.signal })).stopReason, 'aborted');

    const inTool = new AbortController();
    const model = scriptedModel([calls(['Stop', {}]), says('never')]);
    const stop = tool('Stop', async () => {
      inTool.abort();
      return done('stopped');
    });
    equal((await run(model, { tools: [stop], signal: inTool.signal })).stopReason, 'aborted');
    equal(model.received.length, 1);
  });

  it('tells a refusal and a model’s failure apart, and rejects for neither', async () => {
    equal((await run(scriptedModel([says('', 'refusal')]))).stopReason, 'refusal');
    const failed = await run(scriptedModel([new ModelError('overloaded', 'busy')]));
    equal(failed.stopReason, 'error');
    equal((failed.error as ModelError).code, 'overloaded');
  });

  it('goes on once after an answer that was cut, so that the call can be repeated', async () => {
    const cut = callsWith(
      [
        { type: 'tool_use', id: '1', name: 'Echo', input: { whole: true } },
        { type: 'tool_use', id: '2', name: 'Echo', input: {}, malformed: '{"content": "half' },
      ],
      'max_tokens',
    );
    const model = scriptedModel([cut, calls(['Echo', { again: true }]), says('Done.')]);
    equal((await run(model)).stopReason, 'end_turn');
    deepEqual(
      resultsIn(model.received[1]?.messages.at(-1)).map((one) => one.isError),
      [false, true],
    );
    equal(
      (
        await run(
          scriptedModel(() => cut),
          { limits: { maxTurns: 9 } },
        )
      ).stopReason,
      'max_tokens',
    );
    equal((await run(scriptedModel([says('a long', 'max_tokens')]))).stopReason, 'max_tokens');
  });

  it('tells of each turn and each call as it happens', async () => {
    const seen: string[] = [];
    await run(scriptedModel([calls(['Echo', {}], ['Nothing', {}]), says('Done.')]), {
      onEvent: (event) =>
        seen.push(event.kind === 'turn' ? `turn ${event.turn}` : `${event.name} ${event.isError ? 'refused' : 'ok'}`),
    });
    deepEqual([...seen].sort(), ['Echo ok', 'Nothing refused', 'turn 1', 'turn 2']);
    deepEqual([seen[0], seen.at(-1)], ['turn 1', 'turn 2']);
  });
});
