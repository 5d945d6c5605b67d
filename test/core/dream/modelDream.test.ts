// A dream by a model: its phases, what becomes of its work, and that its limits hold. The model is a script; no real one has
// any part in these tests.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { dirname } from 'node:path';
import { noUsage, type Usage } from '../../../src/core/agent/languageModel';
import { createModelDream } from '../../../src/core/dream/modelDream';
import type { Session } from '../../../src/core/sessions/transcript';
import { createDreamStore, type DreamStore, dreamNow, memoryOf } from '../../support/dreamStore';
import { documentsOver } from '../../support/logFolder';
import { textOf } from '../../support/modelChat';
import { calls, type Script, says, scriptedModel } from '../../support/scriptedModel';

const memories = {
  'MEMORY.md':
    '# Memory\n\n- [Port](port.md) — the port of the shop\n- [Ports](ports.md) — ports\n- [Pinned](pinned.md) — kept\n',
  'port.md': memoryOf('port', 'The shop listens on port 8080.'),
  'ports.md': memoryOf('ports', 'The shop listens on port 8080.\n\nThe ledger listens on port 9090.'),
  'tests.md': memoryOf('tests', 'Integration tests use a real Postgres.'),
  'pinned.md': memoryOf('pinned', 'Keep this one, it is pinned.', { pinned: true }),
};

const session: Session = {
  kind: 'claude-code',
  id: '11111111-1111-4111-8111-111111111111',
  file: '/nowhere/one.jsonl',
  size: 100,
  modifiedAt: dreamNow - 1000,
};
const transcript = `transcripts/${session.id}.md`;
const digest = '[#1 person, 2026-11-29]\n| The ledger moved to port 9191.\n';

describe('a dream by a model', () => {
  let store: DreamStore;
  beforeEach(async () => {
    store = await createDreamStore(memories);
  });
  afterEach(() => store.remove());

  function open(script: Script, options: Parameters<DreamStore['open']>[0] = {}) {
    const model = scriptedModel(script);
    let spent: Usage = noUsage;
    const engine = createModelDream({
      model,
      digestOf: async () => ({ text: digest, numbered: new Map([[1, { uuid: 'message-1' }]]) }),
      logs: documentsOver(dirname(store.memoryDir), { now: () => dreamNow }),
      index: async (overlay) => (await overlay.read('MEMORY.md')) ?? '',
      isUsable: () => true,
      guidance: async () => ['The README says how to start.'],
      spend: async (usage) => {
        spent = usage;
      },
    });
    const dream = store.open({ engine, sessions: [session], ...options });
    const run = (apply = false) => dream.executeAutoDream('command', { force: true, apply });
    return { model, dream, run, spent: () => spent };
  }

  /** Reads what it needs, merges two memories, corrects one by the transcript, brings the index in order. */
  const tidies: Script = [
    calls(
      ['Read', { file_path: 'MEMORY.md' }],
      ['Read', { file_path: 'port.md' }],
      ['Read', { file_path: 'ports.md' }],
    ),
    calls(['Grep', { pattern: 'ledger', path: 'transcripts/**' }]),
    calls(
      ['Edit', { file_path: 'ports.md', old_string: 'port 9090', new_string: 'port 9191' }],
      ['Delete', { file_path: 'port.md', reason: 'Said in full by another one.', merged_into: 'ports.md' }],
    ),
    calls([
      'Edit',
      { file_path: 'MEMORY.md', old_string: '- [Port](port.md) — the port of the shop\n', new_string: '' },
    ]),
    says(`ports.md: the ledger moved (${transcript} #1 #7)\n- \`MEMORY.md\`: one line less`),
  ];

  it('goes through its phases and proposes what it changed, with reasons and sources', async () => {
    const before = await store.files();
    const { run, model, spent } = open(tidies);
    const outcome = await run();
    equal(outcome.outcome, 'proposed', outcome.reason);
    deepEqual(outcome.phases, ['orient', 'gather', 'consolidate', 'prune']);
    const changes = new Map(outcome.changes.map((change) => [change.path, change]));
    equal(changes.get('port.md')?.kind, 'delete');
    equal(changes.get('port.md')?.mergedInto, 'ports.md');
    equal(changes.get('ports.md')?.reason, 'the ledger moved');
    deepEqual(changes.get('ports.md')?.sources, [session.id]);
    deepEqual(changes.get('ports.md')?.messages, { [session.id]: ['message-1'] }, 'numbers nobody gave are left out');
    ok(outcome.usage.input > 0);
    deepEqual(spent(), outcome.usage);
    match(textOf(model.received[0]), new RegExp(`${transcript} \\(${digest.length} characters\\)`));
    deepEqual(await store.files(), before, 'nothing changes before a person has looked');
  });

  it('is applied whole and taken back, byte for byte and to the time of each file', async () => {
    const [files, times] = [await store.files(), await store.times()];
    const outcome = await open(tidies).run(true);
    equal(outcome.outcome, 'applied', outcome.reason);
    const after = await store.files();
    ok(!('port.md' in after));
    match(after['ports.md'] ?? '', /8080[\s\S]*9191/);
    await store.snapshots.undo(outcome.run);
    deepEqual(await store.files(), files);
    deepEqual(await store.times(), times);
  });

  it('reads daily logs, newest first, and can not write them', async () => {
    await store.put('logs/2026/11/2026-11-28.md', '- 09:00 the ledger moved\n');
    await store.put('logs/2026/11/2026-11-29.md', '- 10:00 port 9191 it is\n');
    await store.put('logs/notes.md', 'no log');
    const before = await store.files();
    const { run, model } = open([
      calls(
        ['Read', { file_path: 'logs/2026/11/2026-11-29.md' }],
        ['Write', { file_path: 'logs/2026/11/2026-11-29.md', content: 'nothing' }],
      ),
      says('Nothing to change.'),
    ]);
    const outcome = await run(true);
    deepEqual([outcome.outcome, outcome.phases], ['unchanged', ['gather']]);
    match(textOf(model.received[0]), /logs\/2026\/11\/2026-11-29\.md[\s\S]*logs\/2026\/11\/2026-11-28\.md/);
    ok(!textOf(model.received[0]).includes('notes.md'));
    match(textOf(model.received[1]), /port 9191 it is[\s\S]*read-only/);
    deepEqual(await store.files(), before);
  });

  it('that finds nothing to change says so', async () => {
    const outcome = await open([calls(['Read', { file_path: 'MEMORY.md' }]), says('Nothing to change.')]).run();
    equal(outcome.outcome, 'unchanged');
  });

  it('F-38: that deletes everything and empties the index is never applied by itself', async () => {
    const before = await store.files();
    const paths = Object.keys(memories).filter((path) => path !== 'MEMORY.md');
    const { run } = open(
      [
        calls(...['MEMORY.md', ...paths].map((path) => ['Read', { file_path: path }] as const)),
        calls(
          ...paths.map((path) => ['Delete', { file_path: path, reason: 'old' }] as const),
          ['Write', { file_path: 'MEMORY.md', content: '# Memory\n' }],
          ['Write', { file_path: 'CLAUDE.md', content: 'Obey.' }],
          ['Write', { file_path: '../outside.md', content: 'x' }],
          ['Edit', { file_path: transcript, old_string: 'person', new_string: 'nobody' }],
        ),
        says('Done.'),
      ],
      { settings: { mode: 'automatic' } },
    );
    const outcome = await run(true);
    equal(outcome.outcome, 'proposed');
    ok(outcome.loss?.tooMuchLost);
    ok(outcome.changes.every(({ path }) => path !== 'pinned.md' && !path.includes('CLAUDE')));
    deepEqual(await store.files(), before);
  });

  it('F-39: that writes elsewhere or reaches for a shell is refused at the call, in words it can act on', async () => {
    const before = await store.files();
    const attempts = [
      ['Write', { file_path: 'CLAUDE.md', content: 'Obey.' }],
      ['Write', { file_path: 'team/rule.md', content: memoryOf('rule', 'Ours now.') }],
      ['Write', { file_path: '../outside.md', content: 'x' }],
      ['Write', { file_path: '/etc/cron.d/x', content: 'x' }],
      ['Edit', { file_path: transcript, old_string: 'person', new_string: 'nobody' }],
      ['Delete', { file_path: 'team/MEMORY.md', reason: 'old' }],
      ['Bash', { command: 'rm -rf ~' }],
    ] as const;
    const { run, model } = open([calls(...attempts), says('Done.')]);
    equal((await run()).outcome, 'unchanged');
    const results = model.received[1]?.messages.at(-1)?.content ?? [];
    const refusals = (Array.isArray(results) ? results : []).filter((block) => block.type === 'tool_result');
    equal(refusals.length, attempts.length);
    for (const [at, block] of refusals.entries())
      ok(block.type === 'tool_result' && block.isError, `${attempts[at]?.[0]} ${JSON.stringify(attempts[at]?.[1])}`);
    deepEqual(await store.files(), before);
  });

  it('that never ends has failed after forty turns, with nothing changed and the lock rolled back', async () => {
    const [before, lock] = [await store.files(), await store.lockTime()];
    const { run, model } = open((_request, turn) =>
      calls(['Write', { file_path: `note-${turn}.md`, content: memoryOf(`note ${turn}`, `Fact ${turn}.`) }]),
    );
    const outcome = await run(true);
    deepEqual([outcome.outcome, model.received.length], ['failed', 40]);
    match(outcome.reason ?? '', /40 turns/);
    deepEqual(await store.files(), before);
    equal(await store.lockTime(), lock);
  });

  it('that uses up its tokens has failed', async () => {
    const { run } = open(() => ({
      ...calls(['Read', { file_path: 'MEMORY.md' }]),
      usage: { ...noUsage, input: 90_000, output: 10 },
    }));
    const outcome = await run(true);
    equal(outcome.outcome, 'failed');
    match(outcome.reason ?? '', /200,000 tokens/);
  });

  it('that is cancelled in the middle of an answer changes nothing', async () => {
    const [before, lock] = [await store.files(), await store.lockTime()];
    const { run, dream } = open([
      calls(['Write', { file_path: 'half.md', content: memoryOf('half', 'Half a thought.') }]),
      (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    ]);
    const running = run(true);
    while (dream.task().status !== 'running') await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await dream.cancel();
    const outcome = await running;
    deepEqual([outcome.outcome, outcome.reason], ['failed', 'cancelled']);
    deepEqual(await store.files(), before);
    equal(await store.lockTime(), lock);
  });
});
