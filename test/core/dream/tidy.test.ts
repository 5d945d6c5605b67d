import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findDeadlines, withAbsoluteDates } from '../../../src/core/dream/tidyDates';
import { linkCandidates } from '../../../src/core/dream/tidyLinks';
import { indexBudget, parseIndex } from '../../../src/core/memory/memoryIndex';
import { createDreamStore, type DreamStore, dayMs, dreamNow, memoryOf } from '../../support/dreamStore';

const wednesday = Date.UTC(2026, 2, 11, 10);

describe('dates in memories', () => {
  const pointing: readonly [string, string][] = [
    ['The server was moved yesterday.', 'The server was moved on 2026-03-10.'],
    ['The auditors come in three days.', 'The auditors come on 2026-03-14.'],
    ['The release is next week.', 'The release is in the week of 2026-03-16.'],
    ['The migration ran two months ago.', 'The migration ran in 2026-01.'],
    ['The trainee leaves the day after tomorrow.', 'The trainee leaves on 2026-03-13.'],
    ['Since yesterday the tests are flaky.', 'Since 2026-03-10 the tests are flaky.'],
    ['A entrega foi ontem.', 'A entrega foi em 2026-03-10.'],
    ['A auditoria foi há duas semanas.', 'A auditoria foi em 2026-02-25.'],
    ['A reunião acontece daqui a três dias.', 'A reunião acontece em 2026-03-14.'],
    ['The team moves in four weeks from now.', 'The team moves on 2026-04-08.'],
    ['The price goes up in twenty days.', 'The price goes up on 2026-03-31.'],
    ['It was compared with the last week.', 'It was compared with the week of 2026-03-02.'],
    ['O preço sobe em vinte dias.', 'O preço sobe em 2026-03-31.'],
    ['A visita foi na última sexta-feira.', 'A visita foi em 2026-03-06.'],
    ['O contrato vence na próxima semana.', 'O contrato vence na semana de 2026-03-16.'],
  ];
  for (const [said, dated] of pointing)
    it(`“${said}” is counted from the day it was written, once`, () => {
      assert.equal(withAbsoluteDates(said, wednesday), dated);
      assert.equal(withAbsoluteDates(dated, wednesday + 90 * dayMs), dated);
    });

  const left = [
    'The demo is on Thursday.',
    'We deploy every Monday.',
    'Sessions expire in 30 days.',
    'If nobody answers, close it in two weeks.',
    'They will not fix it this year.',
    'The button is labelled "Remind me tomorrow".',
    'Use the “last week” filter.',
    'Run `git log --since yesterday` first.',
    '```\ngit log --since yesterday\n```',
    'See [the notes](notes-from-yesterday.md).',
    'It starts on 2026-03-14.',
    'In the past two weeks nothing broke.',
    '> We ship tomorrow, said the old note.',
  ];
  for (const said of left)
    it(`“${said.replaceAll('\n', ' ')}” stays`, () => assert.equal(withAbsoluteDates(said, wednesday), said));

  const deadlines: readonly [string, readonly [string, boolean][]][] = [
    ['The tender closes on 2026-02-23.', [['2026-02-23', true]]],
    ['The certificate must be renewed by 2026-03-10.', [['2026-03-10', true]]],
    ['The certificate must be renewed by 2026-03-11.', [['2026-03-11', false]]],
    ['O prazo é 2026-01-10.', [['2026-01-10', true]]],
    ['Inscrições até 2026-02-01.', [['2026-02-01', true]]],
    ['The offer is valid until February 3, 2026.', [['2026-02-03', true]]],
    ['The submission date 2026-02-01 is a hard deadline.', [['2026-02-01', true]]],
    ['The contract was signed on 2026-01-29.', []],
    ['Written by Ana on 2026-01-02.', []],
    ['The beta ended on 2026-02-26.', []],
    ['The key must be rotated before 2026-04-01.', [['2026-04-01', false]]],
    ['The API is shut down on 2026-02-01.', [['2026-02-01', true]]],
    ['The API was shut down on 2026-02-01.', []],
    ['The permit lapses on 2026-02-01.', [['2026-02-01', true]]],
    ['As inscrições encerram em 2026-02-01.', [['2026-02-01', true]]],
    ['O SDK antigo para de funcionar em 2026-02-01.', [['2026-02-01', true]]],
    ['A API antiga será desligada em 2026-07-01.', [['2026-07-01', false]]],
    ['Último dia para mudanças: 2026-02-01.', [['2026-02-01', true]]],
    ['Files written before 2025-03-01 use v1.', []],
    ['`expires on 2026-01-01` is what the log says.', []],
  ];
  for (const [said, expected] of deadlines)
    it(`“${said}” has ${expected.length === 0 ? 'no deadline' : `a deadline that has${expected[0]?.[1] ? '' : ' not'} passed`}`, () =>
      assert.deepEqual(
        findDeadlines(said, wednesday).map(({ day, passed }) => [day, passed]),
        expected,
      ));
});

describe('a broken link', () => {
  const targets = [
    { path: 'user_role.md', name: 'Role and background' },
    { path: 'feedback_sql_style.md', name: 'SQL style' },
    { path: 'reference_lab_printer_upstairs.md', name: 'Lab printer upstairs' },
    { path: 'reference_lab_printer_downstairs.md', name: 'Lab printer downstairs' },
    { path: 'notas_de_reunião.md', name: 'Notas de reunião' },
  ];
  const links: readonly [string, readonly string[]][] = [
    ['role', ['user_role.md']],
    ['feedback-sql-style', ['feedback_sql_style.md']],
    ['SQL-Style', ['feedback_sql_style.md']],
    ['lab-printer', ['reference_lab_printer_upstairs.md', 'reference_lab_printer_downstairs.md']],
    ['lab printer upstairs', ['reference_lab_printer_upstairs.md']],
    ['notas-de-reuniao', ['notas_de_reunião.md']],
    ['sql-styel', ['feedback_sql_style.md']],
    ['lab-printer-upstair', ['reference_lab_printer_upstairs.md']],
    ['rool', []],
    ['things-nobody-wrote-yet', []],
    ['style', []],
    ['printer', []],
  ];
  for (const [link, expected] of links)
    it(`[[${link}]] may mean ${expected.length === 0 ? 'nothing' : expected.join(' or ')}`, () =>
      assert.deepEqual(linkCandidates(link, targets), expected));
});

describe('the tidy', () => {
  let store: DreamStore | undefined;
  afterEach(() => store?.remove());

  async function tidied(memories: Readonly<Record<string, string>>) {
    await store?.remove();
    store = await createDreamStore(memories);
    const outcome = await store.open().executeAutoDream('command', { force: true, apply: true });
    return { outcome, after: await store.files(), store };
  }

  it('links pinned memories first, then by type, the newest first, up to the budget; the rest is found by recall only', async () => {
    const types = ['reference', 'project', 'feedback', 'user'] as const;
    const memories = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `m${at}.md`,
        memoryOf(`Note ${at}`, `Fact ${at} about topic${at} in room${at * 7}.`, {
          type: types[at % 4] ?? 'user',
          pinned: at === 299,
          modified: new Date(dreamNow - (400 - at) * dayMs).toISOString(),
        }),
      ]),
    );
    const { outcome, after } = await tidied(memories);
    const index = after['MEMORY.md'] ?? '';
    const budget = indexBudget(index);
    assert.ok(!budget.overBudget && budget.hiddenLines === 0 && budget.lines > 170, `${budget.lines} lines`);
    const linked = parseIndex(index).entries.map(({ target }) => target);
    assert.equal(linked.length + outcome.recallOnly.length, 300);
    assert.ok(linked.includes('m299.md'), 'the pinned one');
    for (let at = 3; at < 300; at += 4) assert.ok(linked.includes(`m${at}.md`), `users first: m${at}`);
    assert.ok(!linked.includes('m0.md'), 'the oldest reference is left to recall');
  });

  it('brings an index that is over its budget back into it, without losing a memory or a heading', async () => {
    const names = Array.from({ length: 240 }, (_, at) => `m${at}`);
    const { outcome, after } = await tidied({
      'MEMORY.md': `# Memory\n\n## All\n\n${names.map((name) => `- [${name}](${name}.md) — fact\n`).join('')}\n## End\n`,
      ...Object.fromEntries(
        names.map((name) => [
          `${name}.md`,
          memoryOf(name, `${name} stands in room ${name}x.`, { pinned: name === 'm239' }),
        ]),
      ),
    });
    const index = after['MEMORY.md'] ?? '';
    assert.ok(!indexBudget(index).overBudget);
    assert.ok(index.includes('](m239.md)') && index.includes('## End'));
    assert.equal(Object.keys(after).length, 241);
    assert.ok(outcome.recallOnly.length >= 40);
  });

  it('merges into the pinned one, and never a pinned one away', async () => {
    const rule = 'Makefiles use tabs for indentation.';
    const { after, outcome } = await tidied({
      'a.md': memoryOf('A', rule, { type: 'feedback', session: 'session-a' }).replace(
        '\n---\n',
        '\n  sourceMessages: [message-1]\n---\n',
      ),
      'b.md': memoryOf('B', rule, { type: 'feedback', pinned: true, session: 'session-b' }),
      'c.md': memoryOf('C', 'The pump is loud.', { pinned: true }),
      'd.md': memoryOf('D', 'The pump is loud. It stands in hall two.'),
    });
    assert.deepEqual(Object.keys(after).sort(), ['MEMORY.md', 'b.md', 'c.md', 'd.md']);
    assert.deepEqual(outcome.changes.find(({ path }) => path === 'a.md')?.sources.toSorted(), [
      'session-a',
      'session-b',
    ]);
    assert.deepEqual(outcome.changes.find(({ path }) => path === 'a.md')?.messages, { 'session-a': ['message-1'] });
    assert.ok(outcome.remarks.some(({ path }) => path === 'c.md'));
  });

  it('asks nothing of two memories that are two by their names, however alike they are', async () => {
    const sprint = (number: number, end: string) =>
      memoryOf(`Sprint ${number}`, `The goal is the export. It ends on ${end}.`);
    const { outcome, after } = await tidied({
      'sprint-12.md': sprint(12, '2027-01-08'),
      'sprint-14.md': sprint(14, '2027-02-05'),
    });
    assert.deepEqual(outcome.contradictions, []);
    assert.ok('sprint-12.md' in after && 'sprint-14.md' in after);
  });

  it('puts a misspelt target right in its line, with its hook, by case, accent, slip or folder, if the title agrees', async () => {
    const names = ['Beta thing', 'Épsilon', 'Gamma', 'Delta'];
    const { after } = await tidied({
      'MEMORY.md':
        '- [Beta thing](beta_thng.md) — first\n- [Épsilon](epsilon.md) – second\n- [Gamma](GAMMA.md) — third\n- [Delta](sub/delta.md) — fourth\n- [Another one](omga.md) — fifth\n',
      'omega.md': memoryOf('Omega', 'The lab closes at nine.'),
      ...Object.fromEntries(
        ['beta_thing', 'épsilon', 'gamma', 'delta'].map((stem, at) => [
          `${stem}.md`,
          memoryOf(names[at] ?? '', `Fact about ${stem} and nothing else.`),
        ]),
      ),
    });
    assert.deepEqual((after['MEMORY.md'] ?? '').trim().split('\n'), [
      '- [Omega](omega.md) — About Omega',
      '- [Beta thing](beta_thing.md) — first',
      '- [Épsilon](épsilon.md) – second',
      '- [Gamma](gamma.md) — third',
      '- [Delta](delta.md) — fourth',
    ]);
  });

  it('asks about a short value, too, where two memories have one name', async () => {
    const { outcome } = await tidied({
      'limit.md': memoryOf('Limit', 'At most 3 calls.', { modified: '2026-01-05T00:00:00.000Z' }),
      'limit-now.md': memoryOf('Limit', 'At most 5 calls.', { modified: '2026-02-05T00:00:00.000Z' }),
    });
    assert.deepEqual(
      outcome.contradictions.map(({ newer }) => newer.path),
      ['limit-now.md'],
    );
  });

  it('loses no comment when it merges, and no key of a person’s own', async () => {
    const rule = 'Start the harness before integration tests run on a real database.';
    const { after } = await tidied({
      'long.md': memoryOf('Harness', `${rule}\n\n**Why:** mocks hid a fault.`, { type: 'feedback' }),
      'short.md': memoryOf('Harness again', `${rule}\n\n<!-- kept by hand: ask Ana -->`, { type: 'feedback' }),
      'own.md': memoryOf('Own', 'The lab closes at nine.').replace('metadata:', 'weight: 3\nmetadata:'),
      'own2.md': memoryOf('Own', 'The lab closes at nine.').replace('metadata:', 'weight: 4\nmetadata:'),
    });
    const all = Object.values(after).join('\n');
    assert.ok(!('short.md' in after) && all.includes('<!-- kept by hand: ask Ana -->'));
    assert.ok(all.includes('mocks hid a fault'));
    assert.ok('own.md' in after && 'own2.md' in after);
  });

  it('leads links to a merged memory to the one it went into, and keeps line ends', async () => {
    const { after } = await tidied({
      'tabs.md': memoryOf('Tabs', 'Makefiles use tabs for indentation. Spaces break them.', { type: 'feedback' }),
      'tabs-old.md': memoryOf('Old tabs', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
      'build.md': memoryOf(
        'Build',
        'The build is started by make, see [[tabs-old]] and [old](tabs-old.md).',
      ).replaceAll('\n', '\r\n'),
    });
    assert.ok(!('tabs-old.md' in after));
    assert.ok(after['build.md']?.includes('see [[tabs]] and [old](tabs.md).'));
    assert.ok(!/(?<!\r)\n/.test(after['build.md'] ?? ''));
  });

  it('counts dates of twins from their own days, so that two tomorrows stay two', async () => {
    const { after, outcome } = await tidied({
      'a.md': memoryOf('A', 'The inspection of the boiler is tomorrow.', { modified: '2026-01-06T09:00:00.000Z' }),
      'b.md': memoryOf('B', 'The inspection of the boiler is tomorrow.', { modified: '2026-05-06T09:00:00.000Z' }),
    });
    assert.match(after['a.md'] ?? '', /2026-01-07/);
    assert.match(after['b.md'] ?? '', /2026-05-07/);
    assert.equal(outcome.contradictions.length, 1);
  });

  it('asks about another value, not about the same words in another order, and about the newest of several', async () => {
    const { outcome } = await tidied({
      'a.md': memoryOf('A', 'The gateway retries 3 times.', { modified: '2026-01-06T09:00:00.000Z' }),
      'b.md': memoryOf('B', 'The gateway retries 4 times.', { modified: '2026-02-06T09:00:00.000Z' }),
      'c.md': memoryOf('C', 'The gateway retries 5 times.', { modified: '2026-03-06T09:00:00.000Z' }),
      'd.md': memoryOf('D', 'Design tokens live in the package tokens-core.'),
      'e.md': memoryOf('E', 'Design tokens live in the tokens-core package.'),
      'branch.md': memoryOf('branch', 'The main branch is called master.', { modified: '2026-01-06T09:00:00.000Z' }),
      'branch-now.md': memoryOf('branch-now', 'The main branch is called main.', {
        modified: '2026-03-06T09:00:00.000Z',
      }),
    });
    assert.deepEqual(outcome.contradictions.map(({ older, newer }) => [older.path, newer.path]).sort(), [
      ['a.md', 'c.md'],
      ['b.md', 'c.md'],
      ['branch.md', 'branch-now.md'],
    ]);
    assert.deepEqual(
      outcome.changes.filter(({ kind }) => kind === 'delete'),
      [],
    );
  });

  it('takes no look-alike for a contradiction: of two names, and alike but for a plain word', async () => {
    const { outcome } = await tidied({
      'uploads.md': memoryOf('Uploads', 'Uploads are retried before the job fails. The queue shows it.'),
      'downloads.md': memoryOf('Downloads', 'Downloads are retried before the job fails. The queue shows it.'),
    });
    assert.deepEqual(outcome.contradictions, []);
  });

  it('marks a deadline that has passed, keeps its sentence, its file and the file’s time, and leaves one that is to come', async () => {
    const passed = memoryOf('Tender', 'The tender closes on 2026-04-23. The annex is missing.');
    const coming = memoryOf('Grant', 'The grant report is due on 2027-01-13.');
    const { after, outcome, store: used } = await tidied({ 'tender.md': passed, 'grant.md': coming });
    assert.equal(after['tender.md'], passed.replace('\n---\n\n', '\n  deadlinePassed: "2026-04-23"\n---\n\n'));
    assert.equal(after['grant.md'], coming);
    assert.match(
      outcome.changes.find(({ path }) => path === 'tender.md')?.reason ?? '',
      /^Its deadline, 2026-04-23, has passed\.$/,
    );
    assert.equal((await used.times())['tender.md'], dreamNow - 100 * dayMs);
  });

  it('completes a front matter from the memory’s own words or its line, and changes no other byte of the file', async () => {
    const bare =
      '---\r\ntype: project\r\nweight: 3\r\n---\r\n\r\nThe pump is loud: it stands in hall two. Ask Ana.\r\n';
    const nameless = '---\ndescription: About the vault\ntype: reference\n---\n\nThe vault is in the cellar.\n';
    const { after } = await tidied({
      'MEMORY.md': '- [Cellar vault](reference_vault.md) — where it is\n',
      'project_pump_noise.md': bare,
      'reference_vault.md': nameless,
      'note.md': 'No front matter at all.\n',
    });
    assert.equal(
      after['project_pump_noise.md'],
      bare.replace(
        'type: project',
        'name: Pump noise\r\ndescription: "The pump is loud: it stands in hall two."\r\ntype: project',
      ),
    );
    assert.equal(after['reference_vault.md'], nameless.replace('description', 'name: Cellar vault\ndescription'));
    assert.equal(after['note.md'], 'No front matter at all.\n');
  });

  it('shortens an over-long hook to what the memory says of itself, at its place, with its bullet and separator', async () => {
    const far = 'Invoices are numbered by the year. '.repeat(8).trim();
    const { after } = await tidied({
      'MEMORY.md': `# Memory\n\n* [Invoices](invoices.md): ${far}\n- [Offers](offers.md) — ${far}\n- [Short](short.md) -> stays\n`,
      'invoices.md': memoryOf('Invoices', 'Invoices are numbered by the year.'),
      'offers.md': memoryOf('Offers', 'Offers have no number.').replace('description: About Offers\n', ''),
      'short.md': memoryOf('Short', 'It is short.'),
    });
    assert.deepEqual((after['MEMORY.md'] ?? '').split('\n').slice(2, 5), [
      '* [Invoices](invoices.md): About Invoices',
      '- [Offers](offers.md) — Offers have no number.',
      '- [Short](short.md) -> stays',
    ]);
  });

  it('takes a deadline’s mark away when it was put off', async () => {
    const { store: folder } = await tidied({ 'tender.md': memoryOf('Tender', 'The tender closes on 2026-04-23.') });
    const marked = (await folder.files())['tender.md'] ?? '';
    assert.match(marked, /deadlinePassed: "2026-04-23"/);
    await folder.put('tender.md', marked.replace('closes on 2026-04-23', 'closes on 2027-04-23'));
    await folder.open().executeAutoDream('command', { force: true, apply: true });
    assert.ok(!(await folder.files())['tender.md']?.includes('deadlinePassed'));
  });

  it('leaves the team’s memories, logs and other files alone, and knows that they exist', async () => {
    const memories = {
      'MEMORY.md':
        '- [Shared](team/rule.md) — shared\n- [Log](logs/2026/11/2026-11-29.md) — a day\n- [State](state.json) — a file\n- [Mine](mine.md) — mine\n',
      'mine.md': memoryOf('Mine', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
      'team/MEMORY.md': '- [Gone](gone.md) — gone\n',
      'team/rule.md': memoryOf('Rule', 'Makefiles use tabs for indentation.', { type: 'feedback' }),
      'team/date.md': memoryOf('Date', 'The tender closes on 2026-04-23. The audit was yesterday.'),
      'logs/2026/11/2026-11-29.md': '- call the vendor tomorrow\n',
      'state.json': '{}',
    };
    const { outcome, after } = await tidied(memories);
    assert.deepEqual([outcome.outcome, after], ['unchanged', memories]);
  });

  it('finds nothing to do a second time, and loses no sentence, whatever lies in the folder', async function () {
    this.timeout(120_000);
    const sentences = [
      'Makefiles use tabs for indentation.',
      'The pump in hall two is loud.',
      'The audit was yesterday.',
      'The tender closes on 2026-04-23.',
      'Invoices are sent to Porto on Mondays.',
      'The retry limit is 3.',
      'The retry limit is 5.',
      'Logs never hold names.',
      'See [[tabs]] and [[nobody]].',
      '**Why:** it broke once.',
      '```\nmake all\n```',
    ];
    const body = fc.uniqueArray(fc.constantFrom(...sentences), { minLength: 1, maxLength: 4 });
    const memory = fc.record({
      body,
      type: fc.constantFrom('feedback', 'project'),
      pinned: fc.boolean(),
      age: fc.nat(300),
    });
    const stem = fc.constantFrom('tabs', 'tabs copy', 'feedback_pump', 'project-audit', 'a/b', 'ü', 'x');
    const line = fc.constantFrom(
      '- [T](tabs.md) — x',
      '- [T](tabs.md) — twice',
      '- [G](gone.md)',
      '## Kept',
      '<!-- note -->',
      `- [P](feedback-pump.md) — ${'long '.repeat(40)}`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(stem, memory, { maxKeys: 6 }),
        fc.array(line, { maxLength: 6 }),
        async (all, lines) => {
          const texts = Object.entries(all).map(([name, { body: said, type, pinned, age }]) => [
            `${name}.md`,
            memoryOf(name, said.join('\n\n'), {
              type,
              pinned,
              modified: new Date(dreamNow - age * dayMs).toISOString(),
            }),
          ]);
          const folder = await createDreamStore({
            ...Object.fromEntries(texts),
            ...(lines.length > 0 ? { 'MEMORY.md': `${lines.join('\n')}\n` } : {}),
          });
          try {
            const before = await folder.files();
            await folder.open().executeAutoDream('command', { force: true, apply: true });
            const after = await folder.files();
            const again = await folder.open().executeAutoDream('command', { force: true, apply: true });
            assert.equal(again.outcome, 'unchanged', JSON.stringify(again.changes));
            assert.deepEqual(await folder.files(), after);
            const everything = Object.values(after).join('\n');
            for (const { body: said } of Object.values(all))
              for (const sentence of said)
                if (!/yesterday|\[\[/.test(sentence)) assert.ok(everything.includes(sentence), sentence);
            for (const [path, { pinned }] of Object.entries(all))
              if (pinned) assert.equal(after[`${path}.md`], before[`${path}.md`]);
            for (const kept of ['## Kept', '<!-- note -->'])
              assert.equal(after['MEMORY.md']?.split(kept).length ?? 1, before['MEMORY.md']?.split(kept).length ?? 1);
          } finally {
            await folder.remove();
          }
        },
      ),
      { numRuns: process.env.REVERIE_SOAK === '1' ? 1500 : 60 },
    );
  });
});
