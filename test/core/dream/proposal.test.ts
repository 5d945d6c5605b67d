import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noUsage } from '../../../src/core/agent/languageModel';
import type { DreamEngine } from '../../../src/core/dream/dreamEngine';
import type { Proposal } from '../../../src/core/dream/proposal';
import { hunksOf } from '../../../src/core/memory/hunks';
import { createDreamStore, type DreamStore, dayMs, dreamNow, memoryOf } from '../../support/dreamStore';

const day = '2026-08-22T09:00:00.000Z';
const memories = {
  'MEMORY.md': [
    '# Memory',
    '',
    '- [Long](long.md) — About Long',
    '- [Tabs](tabs.md) — About Tabs',
    '- [Tabs again](tabs-again.md) — About Tabs',
    '- [Gone](gone.md) — no longer here',
    '- [Limit](limit.md) — At most 3',
    '- [Limit now](limit-now.md) — At most 4',
    '',
    '## Kept by hand',
    '',
  ].join('\n'),
  'long.md': memoryOf('Long', 'The audit is tomorrow.\n\nOne.\n\nTwo.\n\nThree.\n\nThe fair was yesterday.', {
    modified: day,
  }),
  'tabs.md': memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
  'tabs-again.md': memoryOf('Tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
  'limit.md': memoryOf('Limit', 'Billing calls are tried at most 3 times. The gateway is slow.', {
    modified: '2026-01-02T00:00:00.000Z',
  }),
  'limit-now.md': memoryOf('Limit now', 'Billing calls are tried at most 4 times.', {
    modified: '2026-10-02T00:00:00.000Z',
  }),
};

describe('a proposal', () => {
  let store: DreamStore;
  beforeEach(async () => {
    store = await createDreamStore(memories);
  });
  afterEach(() => store.remove());

  async function proposed(): Promise<Proposal> {
    const dream = store.open();
    await dream.executeAutoDream('command', { force: true });
    const proposal = await dream.proposal();
    assert.ok(proposal);
    return proposal;
  }

  it('has each change with its kind, reason and where a memory went, and the questions beside it', async () => {
    const { changes, contradictions, loss } = await proposed();
    assert.deepEqual(
      changes.map(({ path, kind, mergedInto }) => [path, kind, mergedInto]),
      [
        ['long.md', 'update', undefined],
        ['tabs-again.md', 'delete', 'tabs.md'],
        ['MEMORY.md', 'update', undefined],
      ],
    );
    for (const { reason } of changes) assert.match(reason, /^[A-Z0-9].*\.$/);
    assert.deepEqual(
      contradictions.map(({ older, newer }) => [older.path, older.sentence, newer.path]),
      [['limit.md', 'Billing calls are tried at most 3 times.', 'limit-now.md']],
    );
    assert.equal(loss.tooMuchLost, false);
  });

  it('is applied file by file, and the index speaks of no file that was left out', async () => {
    const { id } = await proposed();
    const { applied, leftOut } = await store.open().apply(id, { paths: ['long.md', 'MEMORY.md'] });
    assert.deepEqual([...applied].sort(), ['MEMORY.md', 'long.md']);
    assert.deepEqual([...leftOut].sort(), ['MEMORY.md', 'tabs-again.md']);
    const after = await store.files();
    assert.equal(after['tabs-again.md'], memories['tabs-again.md']);
    assert.equal(after['MEMORY.md'], memories['MEMORY.md'].replace('- [Gone](gone.md) — no longer here\n', ''));
  });

  it('applied for one file alone changes that file and its own index line', async () => {
    const { id } = await proposed();
    await store.open().apply(id, { paths: ['tabs-again.md'] });
    const after = await store.files();
    assert.equal(after['long.md'], memories['long.md']);
    assert.equal(after['MEMORY.md'], memories['MEMORY.md'].replace('- [Tabs again](tabs-again.md) — About Tabs\n', ''));
  });

  it('is applied hunk by hunk', async () => {
    const { id, changes } = await proposed();
    const long = changes.find(({ path }) => path === 'long.md');
    assert.equal(hunksOf(long?.before ?? '', long?.after ?? '').length, 2);
    await store.open().apply(id, { hunks: { 'long.md': [1] } });
    const text = (await store.files())['long.md'] ?? '';
    assert.match(text, /The audit is tomorrow\./);
    assert.match(text, /The fair was on 2026-08-21\./);
  });

  it('has its index applied line by line', async () => {
    const index = (text: string) => ({ ...memories, 'MEMORY.md': text });
    const lines = memories['MEMORY.md'].replace(
      '- [Long](long.md) — About Long',
      `- [Long](long.md) — ${'far '.repeat(60)}`,
    );
    await store.put('MEMORY.md', lines);
    const { id } = await proposed();
    const { leftOut } = await store.open().apply(id, { paths: ['MEMORY.md'], hunks: { 'MEMORY.md': [0] } });
    assert.ok(leftOut.includes('MEMORY.md'));
    assert.deepEqual(await store.files(), index(lines.replace('- [Gone](gone.md) — no longer here\n', '')));
    await assert.rejects(store.open().apply((await proposed()).id, { hunks: { 'MEMORY.md': [7] } }), { code: 'usage' });
  });

  it('of which a part was left out says so in the history, and what was left can be looked at again', async () => {
    const { id } = await proposed();
    const dream = store.open();
    await dream.apply(id, { paths: ['long.md', 'MEMORY.md'], hunks: { 'long.md': [1] } });
    // The question waits on; it was not decided.
    await dream.discard((await dream.proposal())?.id ?? '');
    const [question, partly] = await dream.history();
    assert.deepEqual([question?.outcome, question?.leftOut], ['discarded', 1]);
    assert.deepEqual(
      [partly?.outcome, partly?.changes, partly?.leftOut, partly?.run !== undefined],
      ['applied', 1, 2, true],
    );
    const between = await store.files();

    await dream.reopen(partly?.id ?? '');
    const left = await dream.proposal();
    assert.deepEqual(
      left?.changes.map(({ path, kind, before }) => [path, kind, before === between[path]]),
      [
        ['long.md', 'update', true],
        ['tabs-again.md', 'delete', true],
        ['MEMORY.md', 'update', true],
      ],
    );
    await assert.rejects(dream.reopen(question?.id ?? ''), { code: 'busy' });
    await assert.rejects(dream.reopen('../../etc'), { code: 'not_found' });
    const { conflicts } = await dream.apply(left?.id ?? '');
    assert.deepEqual(conflicts, []);
    const after = await store.files();
    assert.match(after['long.md'] ?? '', /The audit is on 2026-08-23\.[\s\S]*The fair was on 2026-08-21\./);
    assert.ok(!('tabs-again.md' in after) && !after['MEMORY.md']?.includes('tabs-again.md'));
    // Each of the two can be taken back by itself, and the question can still be looked at.
    await store.snapshots.undo((await dream.history())[0]?.run);
    assert.deepEqual(await store.files(), between);
    await dream.reopen(question?.id ?? '');
    assert.equal((await dream.proposal())?.contradictions.length, 1);
  });

  it('that was discarded can be looked at again, and is one that waits like any other', async () => {
    const { id, changes } = await proposed();
    const dream = store.open();
    await dream.discard(id);
    await dream.reopen(id);
    const again = await dream.proposal();
    assert.deepEqual([again?.changes, again?.contradictions.length], [changes, 1]);
    assert.deepEqual(
      (await dream.history()).map(({ outcome, leftOut }) => [outcome, leftOut]),
      [
        ['proposed', undefined],
        ['discarded', 0],
      ],
    );
    await dream.apply(again?.id ?? '');
    assert.ok(!('tabs-again.md' in (await store.files())));
  });

  it('refuses a file or a hunk it does not have, and an id that does not wait', async () => {
    const { id } = await proposed();
    const dream = store.open();
    await assert.rejects(dream.apply(id, { paths: ['other.md'] }), { code: 'usage' });
    await assert.rejects(dream.apply(id, { hunks: { 'long.md': [7] } }), { code: 'usage' });
    await assert.rejects(dream.apply('other'), { code: 'not_found' });
    await assert.rejects(dream.discard('other'), { code: 'not_found' });
    assert.deepEqual(await store.files(), memories);
  });

  it('changes nothing at all when one chosen file is no longer what the dream saw; the others can still be chosen', async () => {
    const { id } = await proposed();
    const edited = `${memories['long.md']}Edited since.\n`;
    await store.put('long.md', edited);
    const dream = store.open();
    const refused = await dream.apply(id);
    assert.deepEqual([refused.applied, refused.conflicts, refused.run], [[], ['long.md'], undefined]);
    assert.deepEqual(await store.files(), { ...memories, 'long.md': edited });
    assert.deepEqual((await dream.apply(id, { paths: ['tabs-again.md'] })).applied.includes('tabs-again.md'), true);
    assert.equal((await store.files())['long.md'], edited);
  });

  it('is applied to a file that changed meanwhile as a person settled it, and only if it is still what they saw', async () => {
    const { id } = await proposed();
    const edited = `${memories['long.md']}Edited since.\n`;
    await store.put('long.md', edited);
    const dream = store.open();
    const settled = (before: string) => ({
      paths: ['long.md'],
      settled: { 'long.md': { before, after: `${edited}Both.\n` } },
    });
    assert.deepEqual((await dream.apply(id, settled(memories['long.md']))).conflicts, ['long.md']);
    assert.equal((await store.files())['long.md'], edited);
    assert.deepEqual((await dream.apply(id, settled(edited))).applied, ['long.md']);
    assert.equal((await store.files())['long.md'], `${edited}Both.\n`);
  });

  it('merges its index lines into an index that another writer changed meanwhile', async () => {
    const { id } = await proposed();
    await store.put('new.md', memoryOf('New', 'Written by another one.'));
    await store.put(
      'MEMORY.md',
      memories['MEMORY.md'].replace('# Memory\n', '# Memory\n\n- [New](new.md) — by another one\n'),
    );
    await store.open().apply(id);
    const index = (await store.files())['MEMORY.md'] ?? '';
    assert.ok(index.includes('- [New](new.md) — by another one'));
    assert.ok(!index.includes('gone.md') && !index.includes('tabs-again.md'));
  });

  it('keeps the words of a memory that was to be merged when the change that takes them up is left out', async () => {
    const engine: DreamEngine = async ({ overlay }) => {
      await overlay.write(
        'tabs.md',
        memoryOf('Tabs', 'Makefiles use tabs for indentation. The gateway is slow today.', { type: 'feedback' }),
      );
      await overlay.remove('limit.md');
      const notes = new Map([['limit.md', { reason: 'Merged.', sources: [], mergedInto: 'tabs.md' }]]);
      return { notes, contradictions: [], recallOnly: [], remarks: [], usage: noUsage };
    };
    const dream = store.open({ engine });
    const { proposalId = '' } = await dream.executeAutoDream('command', { force: true });
    const { applied, leftOut } = await dream.apply(proposalId, { paths: ['limit.md', 'MEMORY.md'] });
    assert.deepEqual(applied.includes('limit.md'), false);
    assert.ok(leftOut.includes('limit.md'));
    assert.equal((await store.files())['limit.md'], memories['limit.md']);
  });

  it('asks what contradicts each other, and the answer decides', async () => {
    for (const choice of ['newer', 'older', 'both'] as const) {
      const { id, contradictions } = await proposed();
      const question = contradictions[0]?.id ?? '';
      const dream = store.open();
      const { run } = await dream.apply(id, { paths: [], choices: { [question]: choice } });
      const after = await store.files();
      if (choice === 'newer') {
        assert.ok(!('limit.md' in after));
        assert.match(after['limit-now.md'] ?? '', /at most 4 times\.[\s\S]*The gateway is slow\./);
        assert.ok(!after['MEMORY.md']?.includes('limit.md)'));
      } else if (choice === 'older') {
        assert.ok(!('limit-now.md' in after));
        assert.equal(after['limit.md'], memories['limit.md']);
      } else {
        assert.match(after['limit.md'] ?? '', /supersededBy: limit-now\.md/);
        assert.equal(after['limit-now.md'], memories['limit-now.md']);
        const next = await dream.executeAutoDream('command', { force: true });
        assert.deepEqual(next.contradictions, [], 'an answered question is not asked again');
      }
      await store.snapshots.undo(run);
      assert.deepEqual(await store.files(), memories);
    }
  });

  it('whose question is open stays for it after its changes are applied', async () => {
    const { id } = await proposed();
    const dream = store.open();
    await dream.apply(id);
    const left = await dream.proposal();
    assert.deepEqual([left?.changes.length, left?.contradictions.length], [0, 1]);
    assert.equal((await dream.executeAutoDream('command', { force: true })).outcome, 'unchanged');
  });

  it('is replaced by a newer one, and steps aside after a fortnight without a word', async () => {
    const first = await proposed();
    store.clock.now += dayMs;
    const second = await proposed();
    assert.notEqual(first.id, second.id);
    const dream = store.open();
    assert.deepEqual(
      (await dream.history()).map(({ id, outcome }) => [id, outcome]),
      [
        [second.id, 'proposed'],
        [first.id, 'replaced'],
      ],
    );
    store.clock.now += 14 * dayMs - 1;
    assert.ok(await dream.proposal());
    store.clock.now += 1;
    assert.equal(await dream.proposal(), undefined);
    assert.equal((await dream.history())[0]?.outcome, 'set_aside');
    assert.deepEqual(store.said, []);
  });

  it('that a person discarded does not come again by itself, only when it is asked for', async () => {
    const { id } = await proposed();
    const dream = store.open({
      settings: { minHours: 1, minSessions: 1 },
      sessions: [{ kind: 'claude-code', id: 'x', file: '/x', size: 1, modifiedAt: dreamNow + 9 * dayMs }],
    });
    await dream.discard(id);
    assert.deepEqual([await store.files(), await dream.proposal()], [memories, undefined]);
    store.clock.now += 10 * dayMs;
    assert.equal((await dream.executeAutoDream('quiet')).outcome, 'unchanged');
    assert.equal((await dream.executeAutoDream('command', { force: true })).outcome, 'proposed');
  });

  it('that can not be read any more is none', async () => {
    await proposed();
    for (const text of ['{"id":"x"', '[]', '{"id":1}', 'null']) {
      await writeFile(join(store.stateDir, 'dream', 'proposal.json'), text);
      assert.equal(await store.open().proposal(), undefined);
    }
  });
});
