import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  diffIndex,
  indexBudget,
  indexCharLimit,
  indexLineLimit,
  lineLengthLimit,
  loadedIndex,
  mergeIndex,
  parseIndex,
} from '../../../src/core/memory/memoryIndex';

const targets = (text: string) => parseIndex(text).entries.map((entry) => entry.target);
const line = (target: string, hook = 'a hook', title = 'Title') => ({ target, title, hook });

/** Texts such as people and programs leave behind. */
const oddLine = fc.oneof(
  fc.constantFrom(
    '# Memory',
    '## Project',
    '- [A](a.md) — a hook',
    '* [B](b.md) -> b',
    '  - [C](sub/c.md): c',
    '- [D e](d%20e.md)',
    '- [F](<f g.md>) | x',
    '- [H](h(1).md)',
    '- [A](a.md) — again',
    '1. [N](n.md)',
    '- plain',
    '',
    '   ',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<!-- - [Z](z.md) -->',
    'See [P](p.md).',
    '- `[Q](q.md)`',
    '---',
    'name: x',
    '- [x][y](z',
    '- [a](b',
    '\\[e](e.md)',
    '- ![i](i.md)',
    '\ufeff',
    '`',
    '- [👍](t.md) — 👍',
    '  continued',
    '\tcontinued',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const oddText = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.array(fc.tuple(oddLine, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }),
    oddLine,
  )
  .map(([mark, lines, last]) => mark + lines.flat().join('') + last);
const target = fc.oneof(
  fc.constantFrom(
    'a.md',
    'b.md',
    'sub/c.md',
    'd e.md',
    'h(1).md',
    'new.md',
    'a%b.md',
    'é ü.md',
    'x#y.md',
    'feedback_x.md',
  ),
  fc.stringMatching(/^[a-z가-힣][^/\\\p{C}\p{Z}]{0,8}\.md$/u),
);

describe('an index', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  it('F-60: is read with spaces, brackets, percent-encoding and any separator, not inside code or comments', () => {
    const text = [
      '# Memory',
      '- [Plain](plain.md) — hook',
      '* [Meeting](meeting%20notes.md) -> notes',
      '- [Angle](<with space.md>): colon',
      '- [Sloppy](also space.md "title") – dash',
      '- [Brackets](notes(old).md) | x',
      '- [Two [inner] words](a/b.md#part) see below',
      '  + [`code` in it](code.md)',
      '3. [Numbered](./numbered.md)',
      '- **[Bold](bold.md)** — strong',
      '- how a line looks: `- [Title](file-name.md) — hook`',
      '- [Wiki](https://example.com/x) — elsewhere',
      '- [Up](../up.md) and [Root](/root.md)',
      '- [MCP](mcp:memory) — elsewhere',
      '<!-- - [Parked](parked.md) — back? -->',
      '<!--',
      '- [Parked](parked2.md)',
      '-->',
      '```md',
      '- [Example](example.md)',
      '```',
      '- [Pair](p.md), [Of](q.md) and [Three](r.md)',
      '- ![image](image.md)',
      'Prose links [here](prose.md).',
      '- See [structure](structure.md) for [more](plain.md), and [other](mentioned.md)',
    ].join('\n');
    assert.deepEqual(targets(text), [
      'plain.md',
      'meeting notes.md',
      'with space.md',
      'also space.md',
      'notes(old).md',
      'a/b.md',
      'code.md',
      'numbered.md',
      'bold.md',
      'p.md',
      'q.md',
      'r.md',
      'structure.md',
    ]);
    assert.deepEqual(parseIndex(text).mentions, ['prose.md', 'mentioned.md']);
    const hooks = Object.fromEntries(parseIndex(text).entries.map((entry) => [entry.target, entry.hook]));
    assert.deepEqual(
      [
        'plain.md',
        'meeting notes.md',
        'with space.md',
        'also space.md',
        'notes(old).md',
        'a/b.md',
        'bold.md',
        'code.md',
      ].map((name) => hooks[name]),
      ['hook', 'notes', 'colon', 'dash', 'x', 'below', 'strong', ''],
    );
  });

  it('with nothing to change keeps its bytes', () => {
    fc.assert(
      fc.property(oddText, (text) => assert.equal(mergeIndex(text, { set: [], remove: [] }), text)),
      { numRuns: 500 },
    );
    assert.equal(mergeIndex(undefined, {}), '');
  });

  it('never reads or merges with an error, and a merge done twice changes nothing more', () => {
    fc.assert(
      fc.property(
        oddText,
        fc.array(fc.record({ target, title: fc.string({ unit: 'grapheme' }), hook: fc.string({ unit: 'binary' }) }), {
          maxLength: 3,
        }),
        fc.array(target, { maxLength: 2 }),
        (text, set, remove) => {
          const merged = mergeIndex(text, { set, remove });
          assert.equal(mergeIndex(merged, { set, remove }), merged, JSON.stringify([text, set, remove, merged]));
          loadedIndex(merged);
          diffIndex(text, merged);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('has exactly one line for what was set, none for what was removed, and all other lines as they were', () => {
    const handLine = fc.constantFrom(
      '# Memory',
      '## Project',
      '- [A](a.md) — a hook',
      '* [B](b.md) -> b',
      '- [A](a.md) — again',
      '- [C](sub/c.md): c',
      '- [D](d%20e.md)',
      '- plain',
      '',
      '<!-- - [Z](new.md) -->',
      'Prose.',
      '---',
    );
    fc.assert(
      fc.property(
        fc.array(handLine, { maxLength: 10 }),
        fc.array(
          fc.record({
            target,
            title: fc.string({ unit: 'grapheme', maxLength: 30 }),
            hook: fc.string({ unit: 'grapheme', maxLength: 200 }),
          }),
          { maxLength: 3 },
        ),
        fc.array(target, { maxLength: 2 }),
        fc.constantFrom('\n', '\r\n'),
        (lines, set, remove, eol) => {
          const text = lines.map((one) => one + eol).join('') || `Notes${eol}`;
          const merged = mergeIndex(text, { set, remove });
          const found = targets(merged);
          for (const { target: name } of set)
            assert.equal(found.filter((one) => one === name).length, 1, JSON.stringify([name, merged]));
          const changed = new Set([...set.map((one) => one.target), ...remove]);
          for (const name of remove)
            if (!set.some((one) => one.target === name)) assert.equal(found.includes(name), false);
          const others = (all: string) =>
            all.split(eol).filter((one) => one !== '' && !targets(one).some((name) => changed.has(name)));
          assert.deepEqual(others(merged), others(text));
          assert.equal(merged.replaceAll(eol, '').includes('\n'), false);
          for (const one of merged.split(eol))
            if (!text.includes(one)) assert.ok(one.length <= lineLengthLimit || !one.includes(' — '), one);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('changes title and hook inside a line and leaves its bullet, link and separator', () => {
    const text = '* [Old](./a%2Emd) -> old hook\n';
    assert.equal(
      mergeIndex(text, { set: [{ target: 'a.md', title: 'New', hook: 'new hook' }] }),
      '* [New](./a%2Emd) -> new hook\n',
    );
    assert.equal(mergeIndex(text, { set: [{ target: 'a.md', title: 'New' }] }), '* [New](./a%2Emd) -> old hook\n');
    assert.equal(mergeIndex(text, { set: [{ target: 'a.md', hook: 'old hook', title: 'Old' }] }), text);
    assert.equal(mergeIndex('- [A](a.md)\n', { set: [{ target: 'a.md', hook: 'x' }] }), '- [A](a.md) — x\n');
  });

  it('takes a line away with the indented text that continues it, and nothing else', () => {
    const text = '- [A](a.md) — long\n  and longer\n- [B](b.md)\n  <!-- kept -->\n\n  kept too\n- [A](a.md)\n';
    assert.equal(mergeIndex(text, { remove: ['a.md'] }), '- [B](b.md)\n  <!-- kept -->\n\n  kept too\n');
    assert.equal(mergeIndex('- [A](a.md), [B](b.md)\n', { remove: ['a.md'] }), '- A, [B](b.md)\n');
    assert.equal(mergeIndex(text, { remove: ['other.md'] }), text);
  });

  it('gets new lines at the top of the list, below the heading where memories of their type are', () => {
    const text =
      '# Memory\n\nBy hand.\n\n## Me\n\n* [Role](user_role.md) — who\n\n## Work\n\n- [Freeze](freeze.md) — when\n- [Auth](auth.md) — why\n';
    const typeOf = (name: string) => (name.startsWith('user') ? ('user' as const) : ('project' as const));
    const merged = mergeIndex(text, { set: [line('new.md'), line('user_new.md')], typeOf });
    assert.equal(
      merged,
      text
        .replace('* [Role]', '* [Title](user_new.md) — a hook\n* [Role]')
        .replace('- [Freeze]', '- [Title](new.md) — a hook\n- [Freeze]'),
    );
    assert.equal(mergeIndex('- [A](a.md)', { set: [line('n.md')] }), '- [Title](n.md) — a hook\n- [A](a.md)');
    assert.equal(
      mergeIndex('# Memory\n\nProse only.\n', { set: [line('n.md')] }),
      '# Memory\n\n- [Title](n.md) — a hook\n\nProse only.\n',
    );
    assert.equal(
      mergeIndex(undefined, { set: [line('n.md'), line('m.md')] }),
      '- [Title](n.md) — a hook\n- [Title](m.md) — a hook\n',
    );
    assert.equal(mergeIndex('\ufeff# Memory', { set: [line('n.md')] }), '\ufeff# Memory\n- [Title](n.md) — a hook\n');
  });

  it('never gets a new line inside a comment or a code block', () => {
    for (const text of [
      '<!--\n--> - [A](a.md)\n',
      '~~~\n# Memory\n',
      '# M <!--\n-->\nProse\n',
      '---\n\n---\n',
      '```\n- [A](a.md)\n',
    ])
      assert.ok(targets(mergeIndex(text, { set: [line('n.md')] })).includes('n.md'), text);
  });

  it('never gets a new line where truncation hides it', () => {
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `- [${prefix} ${at}](${prefix}_${at}.md) — hook`);
    const text = [
      '# Memory',
      '',
      '## Feedback',
      ...many('feedback', 210),
      '',
      '## Project',
      ...many('project', 5),
      '',
    ].join('\n');
    const merged = mergeIndex(text, { set: [line('project_new.md')] });
    assert.ok(targets(loadedIndex(merged)).includes('project_new.md'));
    const long = `${'x'.repeat(30_000)}\n- [A](a.md)\n`;
    assert.ok(mergeIndex(long, { set: [line('n.md')] }).startsWith('- [Title](n.md)'));
  });

  it('gets lines of at most 150 characters, cut at a word and never inside a character', () => {
    const merged = mergeIndex('', {
      set: [{ target: 'a.md', title: 'A [title] `x` <!-- y', hook: `${'word '.repeat(40)}` }],
    }).trimEnd();
    assert.ok(merged.length <= 150 && merged.endsWith(' word…'), merged);
    assert.deepEqual(
      parseIndex(merged).entries.map(({ title }) => title),
      ['A [title] `x` <!-- y'],
    );
    for (let length = 100; length < 140; length += 1) {
      const emoji = mergeIndex('', { set: [line('a.md', `${'x'.repeat(length)}${'😀'.repeat(20)}`)] });
      assert.doesNotMatch(emoji, /\p{Cs}/u);
    }
    const title = mergeIndex('', { set: [line('a.md', 'hook', 'word '.repeat(100))] });
    assert.ok(title.length <= 151 && targets(title)[0] === 'a.md');
  });

  it('links any file name so that it is found again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          target,
          fc.stringMatching(/^[^/\\\p{C}]{1,12}\.md$/u).filter((name) => name.trim() === name && !name.startsWith('.')),
        ),
        (name) => {
          assert.deepEqual(targets(mergeIndex('', { set: [line(name)] })), [name]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('F-01: keeps the lines of two writers who changed the same index', () => {
    const base = '# Memory\n\n- [A](a.md) — a\n- [B](b.md) — b\n- [C](c.md) — c\n';
    const ours = mergeIndex(base, { set: [line('ours.md')], remove: ['b.md'] });
    const theirs = base.replace('— c', '-> changed by hand').concat('* [Theirs](theirs.md): hand\n');
    const merged = mergeIndex(ours, diffIndex(base, theirs));
    assert.deepEqual(targets(merged).sort(), ['a.md', 'c.md', 'ours.md', 'theirs.md']);
    assert.ok(merged.includes('- [C](c.md) -> changed by hand\n'));
    assert.ok(merged.includes('* [Theirs](theirs.md): hand\n'));
    assert.equal(mergeIndex(merged, diffIndex(base, theirs)), merged);
  });

  it('tells the difference of two texts so that it can be made again', () => {
    const line = fc.constantFrom(
      '- [A](a.md) — 1',
      '- [A](a.md) — 2',
      '* [B](b.md) -> b',
      '- [C](c d.md)',
      '- [E](<e f.md>) x',
      '# H',
      'prose',
    );
    const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.map((one) => `${one}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const merged = mergeIndex(before, diffIndex(before, after));
        const lines = (all: string) =>
          new Map(
            parseIndex(all)
              .entries.toReversed()
              .map((entry) => [entry.target, entry.line]),
          );
        assert.deepEqual(new Map([...lines(merged)].sort()), new Map([...lines(after)].sort()));
      }),
      { numRuns: 200 },
    );
  });

  it('that lists several memories in one line keeps that line when one of them changes', () => {
    const text = '- [A](a.md), [B](b.md)\n';
    assert.equal(mergeIndex(text, { set: [line('a.md', 'hook', 'A2')] }), '- [A](a.md), [B](b.md)\n');
    assert.deepEqual(
      parseIndex(text).entries.map(({ shared }) => shared),
      [true, true],
    );
  });
});

describe('what is loaded of an index', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

  it('F-11: is 200 lines, 25,000 characters, and of a single longer line its beginning', () => {
    assert.equal(loadedIndex(lines(200)), lines(200));
    assert.equal(loadedIndex(`\n\n${lines(201)}\n\n`), lines(200));
    assert.deepEqual(indexBudget(lines(201)), {
      lines: 201,
      chars: lines(201).length,
      lineLimit: indexLineLimit,
      charLimit: indexCharLimit,
      overBudget: true,
      hiddenLines: 1,
    });
    assert.equal(indexBudget(lines(200)).overBudget, false);

    const exact = `${'a'.repeat(24_989)}\n${'b'.repeat(10)}`;
    assert.equal(exact.length, 25_000);
    assert.equal(loadedIndex(exact), exact);
    assert.equal(indexBudget(exact).overBudget, false);
    assert.equal(loadedIndex(`${exact}b`), 'a'.repeat(24_989));
    assert.equal(indexBudget(`${exact}b`).hiddenLines, 1);

    const atLimit = `${'a'.repeat(25_000)}\nb`;
    assert.equal(loadedIndex(atLimit), 'a'.repeat(25_000));
    const newlineAtLimit = `x\n${'a'.repeat(24_998)}\nb`;
    assert.equal(loadedIndex(newlineAtLimit), newlineAtLimit.slice(0, 25_000));
    assert.equal(loadedIndex('a'.repeat(30_000)), 'a'.repeat(25_000));
    assert.deepEqual([indexBudget('a'.repeat(30_000)).lines, indexBudget('a'.repeat(30_000)).hiddenLines], [1, 1]);
    assert.deepEqual(indexBudget(''), {
      lines: 0,
      chars: 0,
      lineLimit: 200,
      charLimit: 25_000,
      overBudget: false,
      hiddenLines: 0,
    });
  });

  it('F-11: counts characters, not bytes', () => {
    const korean = '가'.repeat(24_000);
    assert.equal(loadedIndex(korean), korean);
    assert.equal(indexBudget(korean).overBudget, false);
  });

  it('F-12: never ends in half a character', () => {
    for (let shift = 0; shift < 2; shift += 1) {
      const loaded = loadedIndex(`${'x'.repeat(shift)}${'😀'.repeat(13_000)}`);
      assert.doesNotMatch(loaded, /\p{Cs}/u);
      assert.ok(loaded.length >= 24_999);
    }
  });

  it('leaves out front matter and comments that begin a line, which are not counted either', () => {
    const text =
      '\ufeff---\nname: x\n---\n# M\n<!-- one -->\n- [A](a.md) <!-- stays -->\n<!--\ntwo\n--> rest\n```\n<!-- code -->\n```\n<!-- never closed\n';
    assert.equal(
      loadedIndex(text),
      '# M\n- [A](a.md) <!-- stays -->\n rest\n```\n<!-- code -->\n```\n<!-- never closed',
    );
    assert.equal(indexBudget(`${'<!-- x -->\n'.repeat(300)}- [A](a.md)\n`).lines, 1);
  });

  it('never exceeds the limits and is part of the text, for any text', () => {
    fc.assert(
      fc.property(fc.array(oddText, { maxLength: 5 }), fc.integer({ min: 0, max: 60 }), (texts, times) => {
        const text = texts.join('\n').repeat(times);
        const loaded = loadedIndex(text);
        assert.ok(loaded.length <= indexCharLimit && loaded.split('\n').length <= indexLineLimit);
        const budget = indexBudget(text);
        assert.equal(budget.overBudget, budget.hiddenLines > 0);
      }),
      { numRuns: 100 },
    );
  });
});
