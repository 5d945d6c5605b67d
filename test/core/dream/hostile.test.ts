// A dreamer that means harm or errs: what it writes never gets further than a proposal that is safe to say yes to.

import assert from 'node:assert/strict';
import { noUsage } from '../../../src/core/agent/languageModel';
import type { DreamEngine } from '../../../src/core/dream/dreamEngine';
import type { Overlay } from '../../../src/core/memory/changeset';
import { createDreamStore, type DreamStore, memoryOf } from '../../support/dreamStore';

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
const memories = {
  'MEMORY.md': `# Memory\n\nKept by hand.\n\n${names.map((name) => `- [${name}](${name}.md) — About ${name}\n`).join('')}`,
  ...Object.fromEntries(
    names.map((name) => [
      `${name}.md`,
      memoryOf(name, `The ${name} service listens in ${name.toUpperCase()} and belongs to team ${name}.`),
    ]),
  ),
  'pinned.md': memoryOf('pinned', 'Keep this one, it is pinned.', { pinned: true }),
  'broken.md': '---\nname: "quoted" and more\ntype: project\n---\n\nCannot be parsed.\n',
  'team/MEMORY.md': '- [Rule](rule.md) — shared\n',
  'team/rule.md': memoryOf('rule', 'Reviews take a day at most.', { type: 'feedback' }),
  'logs/2026/11/2026-11-29.md': '- 09:00 call the vendor tomorrow\n',
};

const dreamer =
  (work: (overlay: Overlay) => Promise<void>): DreamEngine =>
  async ({ overlay }) => {
    await work(overlay);
    return { notes: new Map(), contradictions: [], recallOnly: [], remarks: [], usage: noUsage };
  };

describe('a hostile dreamer', () => {
  let store: DreamStore;
  beforeEach(async () => {
    store = await createDreamStore(memories);
  });
  afterEach(() => store.remove());

  const dreamt = (work: (overlay: Overlay) => Promise<void>, apply = true) =>
    store
      .open({ engine: dreamer(work), settings: { mode: 'automatic' } })
      .executeAutoDream('command', { force: true, apply });

  it('F-38: that deletes most of the store is never applied by itself, and undo works when a person says yes', async () => {
    const before = await store.files();
    const outcome = await dreamt(async (overlay) => {
      for (const name of names.slice(0, 5)) await overlay.remove(`${name}.md`);
    });
    assert.equal(outcome.outcome, 'proposed');
    assert.deepEqual(await store.files(), before);
    assert.deepEqual([outcome.loss?.tooMuchLost, outcome.loss?.removed], [true, 5]);
    assert.match(outcome.reason ?? '', /^It was not applied: it would take away \d+(\.\d)? % .* the limit is 25 %\.$/);
    const dream = store.open();
    const { run } = await dream.apply(outcome.proposalId ?? '');
    const after = await store.files();
    assert.ok(!('alpha.md' in after));
    assert.ok(!after['MEMORY.md']?.includes('alpha'), 'the index no longer speaks of it');
    await store.snapshots.undo(run);
    assert.deepEqual(await store.files(), before);
  });

  it('F-38: that shortens most of the text is never applied by itself', async () => {
    const before = await store.files();
    const outcome = await dreamt(async (overlay) => {
      for (const name of names) await overlay.write(`${name}.md`, memoryOf(name, 'Short.'));
    });
    assert.deepEqual([outcome.outcome, outcome.loss?.tooMuchLost], ['proposed', true]);
    assert.deepEqual(await store.files(), before);
  });

  it('F-39: that writes elsewhere is refused, each with its reason', async () => {
    const before = await store.files();
    const elsewhere = [
      'CLAUDE.md',
      'sub/CLAUDE.local.md',
      '../outside.md',
      '/etc/passwd.md',
      'team/rule.md',
      'team/MEMORY.md',
      'logs/2026/11/2026-11-29.md',
      '.hidden.md',
      'script.sh',
      'nested/MEMORY.md',
      'a/../../b.md',
    ];
    const outcome = await dreamt(async (overlay) => {
      for (const path of elsewhere)
        await overlay.write(path, memoryOf('x', 'Written where it must not be.')).catch(() => {});
    });
    assert.deepEqual(
      outcome.changes.filter(({ path }) => path !== 'MEMORY.md'),
      [],
    );
    for (const path of elsewhere.filter((one) => !/^\.\.|^\/|\.\./.test(one)))
      assert.ok(
        outcome.remarks.some((remark) => remark.path === path && remark.text !== ''),
        path,
      );
    const after = await store.files();
    for (const path of Object.keys(before)) if (path !== 'MEMORY.md') assert.equal(after[path], before[path], path);
    assert.deepEqual(Object.keys(after), Object.keys(before));
  });

  it('never changes a pinned memory, nor one that can not be parsed', async () => {
    const outcome = await dreamt(async (overlay) => {
      await overlay.write('pinned.md', memoryOf('pinned', 'Something else.'));
      await overlay.remove('broken.md');
    });
    const refused = new Map(outcome.remarks.map(({ path, text }) => [path, text]));
    assert.equal(refused.get('pinned.md'), 'It is pinned.');
    assert.match(refused.get('broken.md') ?? '', /invalid yaml/);
    const after = await store.files();
    assert.equal(after['pinned.md'], memories['pinned.md']);
    assert.equal(after['broken.md'], memories['broken.md']);
  });

  it('that empties the index gets its lines back at their places', async () => {
    for (const text of ['', '# All gone\n', '- [alpha](alpha.md)\n']) {
      await dreamt((overlay) => overlay.write('MEMORY.md', text));
      const index = (await store.files())['MEMORY.md'] ?? '';
      for (const name of names) assert.equal(index.split(`](${name}.md)`).length, 2, `${name} is linked once`);
      assert.ok(index.includes('Kept by hand.'));
      const places = names.map((name) => index.indexOf(`](${name}.md)`));
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
      );
    }
  });

  it('that links to nothing, lists twice or leaves a new memory out gets an index that is right', async () => {
    await dreamt(async (overlay) => {
      await overlay.write(
        'fresh.md',
        memoryOf('fresh', 'The fresh service is new. See [[alpha]] and [[nobody-knows]].'),
      );
      await overlay.write(
        'MEMORY.md',
        `${memories['MEMORY.md']}- [dead](nowhere.md) — x\n- [alpha again](alpha.md) — x\n`,
      );
    });
    const { 'MEMORY.md': index = '', 'fresh.md': fresh = '' } = await store.files();
    assert.equal(index.split('](alpha.md)').length, 2);
    assert.ok(!index.includes('nowhere.md'));
    assert.ok(index.includes('](fresh.md)'));
    assert.ok(fresh.includes('See [[alpha]] and nobody-knows.'), 'links that lead nowhere become words');
  });

  it('that writes a secret is refused by the name of the rule, and the value stands nowhere', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const outcome = await dreamt((overlay) =>
      overlay.write('alpha.md', `${memories['alpha.md' as keyof typeof memories]}\nThe token is ${secret}.\n`),
    );
    assert.match(outcome.remarks.find(({ path }) => path === 'alpha.md')?.text ?? '', /github/);
    const everything = JSON.stringify([await store.files(), outcome, store.said]);
    assert.ok(!everything.includes(secret));
  });

  it('that writes relative dates gets them made absolute, counted from the day of the dream', async () => {
    await dreamt((overlay) =>
      overlay.write('alpha.md', `${memories['alpha.md' as keyof typeof memories]}\nIt moves tomorrow.\n`),
    );
    assert.match((await store.files())['alpha.md'] ?? '', /It moves on 2026-12-01\./);
  });

  it('that breaks a front matter, empties a body or writes a novel is refused', async () => {
    const outcome = await dreamt(async (overlay) => {
      await overlay.write('alpha.md', '---\nname: [\n---\n\nx\n');
      await overlay.write('beta.md', memoryOf('beta', ''));
      await overlay.write('gamma.md', memoryOf('gamma', 'word '.repeat(30_000)));
      await overlay.write('note.md', 'No front matter at all.\n');
    });
    assert.deepEqual(outcome.remarks.map(({ path }) => path).sort(), ['alpha.md', 'beta.md', 'gamma.md', 'note.md']);
    const after = await store.files();
    for (const name of names) assert.equal(after[`${name}.md`], memories[`${name}.md` as keyof typeof memories]);
  });

  it('that claims a merge which loses words is counted as the loss it is', async () => {
    const outcome = await store
      .open({
        engine: async ({ overlay }) => {
          for (const name of names.slice(1, 5)) await overlay.remove(`${name}.md`);
          const note = { reason: 'Says the same.', sources: [], mergedInto: 'alpha.md' };
          const notes = new Map(names.slice(1, 5).map((name) => [`${name}.md`, note]));
          return { notes, contradictions: [], recallOnly: [], remarks: [], usage: noUsage };
        },
      })
      .executeAutoDream('command', { force: true, apply: true });
    assert.deepEqual([outcome.outcome, outcome.loss?.removed, outcome.loss?.tooMuchLost], ['proposed', 4, true]);
  });
});
