import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findBlock } from '../../../src/core/memory/frontBlock';
import { formatYaml, parseAnyBlock, parseBlock } from '../../../src/core/memory/frontMatter';
import { parseMemory } from '../../../src/core/memory/memory';
import { parsePlainBlock } from '../../../src/core/memory/plainBlock';

describe('the front matter block', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  it('opens only with a line of three dashes and closes only with another', () => {
    for (const text of [
      '',
      '--',
      '---',
      '----\na: b\n----\n',
      '---js\na\n---\n',
      'x\n---\na: b\n---\n',
      '---\na: b\n',
      '--- a\n---\n',
    ])
      assert.equal(findBlock(text), undefined, JSON.stringify(text));
    const blockOf = (text: string) => {
      const block = findBlock(text);
      return block && [text.slice(block.start, block.end), text.slice(block.bodyStart)];
    };
    assert.deepEqual(blockOf('---\na: b\n---\nbody'), ['a: b\n', 'body']);
    assert.deepEqual(blockOf('---\n---\nbody'), ['', 'body']);
    assert.deepEqual(blockOf('\ufeff--- \t\r\na: b\r\n---\r\nbody'), ['a: b\r\n', 'body']);
    assert.deepEqual(blockOf('---\na: b\n---'), ['a: b\n', '']);
    assert.deepEqual(blockOf('---\na: |\n  ---\n  x\n---more\nb: c\n--- \nbody'), [
      'a: |\n  ---\n  x\n---more\nb: c\n',
      'body',
    ]);
  });

  it('is read without a YAML parser only where the parser says the same', () => {
    const word = fc.constantFrom(
      'plain',
      'two words',
      'a: b',
      'a:b',
      'a #b',
      'a#b',
      '#a',
      '"q"',
      '"q" more',
      '"q\\n"',
      "'s'",
      "'it''s'",
      'true',
      'True',
      'no',
      'null',
      '~',
      '',
      ' ',
      '12',
      '0x1f',
      '1_000',
      '1:30',
      '1e3',
      '.5',
      '-1',
      '- a',
      '[a, b]',
      '{a: b}',
      '&a b',
      '*a',
      '!t b',
      '|',
      '>',
      '@a',
      '`a`',
      '%a',
      '?',
      '? a',
      'é',
      '한국어',
      '—',
      '2026-10-14',
      '2026-10-14T13:04:00.000Z',
      '22d4a707-a524-4627-b3ff-d0bbbdc7b889',
      'a:',
      'a,b',
      'x ',
      'Yes',
      'a\u00a0',
      '\u00a0a',
      'a\u2028b',
      'a\u0007',
      'a\tb',
      'a\rb',
      '\ud800',
      '😀',
      'https://a.b/c',
      'NaN',
      '.inf',
      '=',
      '<<',
      'a\ufeff',
    );
    const key = fc.constantFrom(
      'name',
      'description',
      'type',
      'metadata',
      'true',
      'null',
      'constructor',
      '__proto__',
      'a-b',
      'a b',
      '1',
      '"k"',
      '',
    );
    const line = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.constantFrom('', '  ', '    ', ' '), key, fc.constantFrom(': ', ':', ':  ', ' : '), word)
          .map((parts) => parts.join('')),
      },
      fc.constantFrom('', '  ', 'metadata: ', 'metadata:', '# comment', '...', '  - a', '- a'),
      word,
    );
    let compared = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 7 }), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const block = lines.map((text) => text + eol).join('');
        const plain = parsePlainBlock(block);
        if (plain === undefined) return;
        compared += 1;
        const full = parseAnyBlock(block);
        assert.equal(full.problem, undefined, JSON.stringify(block));
        assert.deepEqual(plain, full.data, JSON.stringify(block));
      }),
      { numRuns: 1500 },
    );
    assert.ok(compared > 100, `the fast way was taken ${compared} times`);
  });

  it('never runs code, whatever language it claims to be', () => {
    const trap = 'globalThis.frontMatterRan = true';
    const texts = [
      `---js\n${trap}\n---\nbody`,
      `---javascript\n${trap}\n---\nbody`,
      `---coffee\n${trap}\n---\nbody`,
      `---json\n{"name": "x"}\n---\nbody`,
      `---\nname: !!js/function 'function () { ${trap} }'\n---\nbody`,
      `---\nname: !!js/undefined x\n---\nbody`,
    ];
    for (const text of texts) {
      const memory = parseMemory('x.md', text, 0, 0);
      assert.ok(memory.problem, text);
      assert.equal(typeof memory.name, 'string');
    }
    assert.equal('frontMatterRan' in globalThis, false);
    assert.equal(parseMemory('x.md', texts[3] ?? '', 0, 0).name, 'x', 'from the file name, not from JSON');
  });

  it('is not taken in by a few bytes of aliases that stand for gigabytes', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((key, at) => `${key}: &${key} [*${'abcdefghij'[at]}, *${'abcdefghij'[at]}]`),
    ].join('\n');
    assert.match(parseBlock(`${bomb}\n`).problem?.detail ?? '', /aliases/);
    assert.equal(JSON.stringify(parseBlock(`${bomb}\n`).data).length < 10_000, true);
  });

  it('gives each caller a result of its own', () => {
    const first = parseAnyBlock('name: [a]\n').data.name as string[];
    first.push('b');
    assert.deepEqual(parseAnyBlock('name: [a]\n').data.name, ['a']);
    assert.ok(parseAnyBlock('a: "b" c\n').problem);
    assert.ok(parseAnyBlock('a: "b" c\n').problem, 'a failure is no less one the second time');
  });

  it('keeps dates, names of properties and odd keys what they are', () => {
    assert.equal(parseBlock('modified: 2026-10-14\n').data.modified, '2026-10-14');
    assert.equal(parseAnyBlock('modified: 2026-10-14 10:00:00\nx: [1]\n').data.modified, '2026-10-14 10:00:00');
    const { data } = parseBlock('__proto__: {polluted: true}\nname: x\n');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(data.name, 'x');
  });

  it('is read line by line where YAML refuses it, with the line of the fault', () => {
    const { data, problem } = parseBlock(
      'name: A\ndescription: "quoted" and: more\nmetadata: \n  type: user\n  modified: x\nbroken\n',
    );
    assert.deepEqual(data, { name: 'A', description: '"quoted" and: more', metadata: { type: 'user', modified: 'x' } });
    assert.equal(problem?.line, 3);
  });
});

describe('a YAML value', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  it('comes back as the string it was, plain or quoted', () => {
    const odd = fc.constantFrom(
      'yes',
      'null',
      '1',
      '-',
      '@a',
      '#',
      'a: b',
      'a #b',
      '"',
      "'",
      '\\',
      ' x',
      'x ',
      '2026-10-14',
      '[a]',
      '{',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\0',
      '\ud800',
      '',
      '---',
      'é: ü',
      'n',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          odd,
          fc.string({ unit: 'grapheme' }),
          fc.string({ unit: 'binary' }),
          fc.array(odd, { minLength: 2, maxLength: 4 }).map((all) => all.join('')),
        ),
        (value) => {
          const parsed = parseBlock(`key: ${formatYaml(value)}\nnext: true\n`);
          assert.equal(parsed.problem, undefined, `${JSON.stringify(value)}: ${parsed.problem?.detail}`);
          assert.deepEqual(parsed.data, { key: value, next: true });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is plain where that is safe, so that a file reads well', () => {
    assert.equal(formatYaml('Tests use a real database, never mocks'), 'Tests use a real database, never mocks');
    assert.equal(formatYaml('a: b'), '"a: b"');
    assert.equal(formatYaml('yes'), '"yes"');
    assert.equal(formatYaml(['api', 'a, b', 'no']), '[api, "a, b", "no"]');
  });

  it('of a list comes back as the list it was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (list) => {
        assert.deepEqual(parseBlock(`key: ${formatYaml(list)}\n`).data.key, list);
      }),
      { numRuns: 500 },
    );
  });
});
