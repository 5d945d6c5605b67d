import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatYaml, setKeys } from '../../../src/core/memory/frontMatter';
import { editFrontMatter, type FrontMatterChanges, parseMemory } from '../../../src/core/memory/memory';
import { MemoryError } from '../../../src/core/memoryError';

const isUnreadable = (error: unknown) => error instanceof MemoryError && error.code === 'unreadable';

describe('editing front matter', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  const nested = '---\nname: a\ndescription: b\nmetadata: \n  node_type: memory\n  type: user\n---\nbody\n';
  const flat = '---\nname: a\ndescription: b\ntype: user\n---\nbody\n';

  it('changes the line of its key and no other byte', () => {
    assert.equal(editFrontMatter(nested, { type: 'project' }), nested.replace('type: user', 'type: project'));
    assert.equal(editFrontMatter(flat, { type: 'project' }), flat.replace('type: user', 'type: project'));
    assert.equal(editFrontMatter(flat, { description: 'a: b' }), flat.replace('description: b', 'description: "a: b"'));
  });

  it('adds what is new in the generation the file has, and own keys under metadata', () => {
    const at = Date.parse('2026-01-02T03:04:05.006Z');
    assert.equal(
      editFrontMatter(nested, { modified: at }),
      nested.replace('  type: user\n', '  type: user\n  modified: 2026-01-02T03:04:05.006Z\n'),
    );
    assert.equal(
      editFrontMatter(flat, { modified: at }),
      flat.replace('type: user\n', 'type: user\nmodified: 2026-01-02T03:04:05.006Z\n'),
    );
    assert.equal(
      editFrontMatter(flat, { pinned: true, verified: at }),
      flat.replace('type: user\n', 'type: user\nmetadata:\n  pinned: true\n  verified: 2026-01-02T03:04:05.006Z\n'),
    );
    assert.equal(
      editFrontMatter('---\ntype: user\n---\n', { description: 'what', name: 'who' }),
      '---\nname: who\ndescription: what\ntype: user\n---\n',
    );
    assert.equal(editFrontMatter('---\n---\nb', { name: 'who' }), '---\nname: who\n---\nb');
  });

  it('leaves no trace of a key that was set and removed again', () => {
    for (const text of [nested, flat, nested.replaceAll('\n', '\r\n'), `\ufeff${flat}`]) {
      const pinned = editFrontMatter(text, { pinned: true, keywords: ['a', 'b'], supersededBy: 'x.md' });
      assert.notEqual(pinned, text);
      assert.equal(editFrontMatter(pinned, { pinned: undefined, keywords: undefined, supersededBy: undefined }), text);
    }
  });

  it('keeps comments, key order, quoting and block values of other keys', () => {
    const text = [
      '---',
      '# kept by hand',
      'type:   user   # who',
      "other: 'single'",
      'description: |',
      '  two',
      '  lines',
      '',
      'list:',
      '  - one',
      '  - two # second',
      'name:',
      '  folded over',
      '  two lines',
      'metadata: ',
      '  # inside',
      '    ',
      '  type: user',
      '  pinned: true # on top',
      'last: "x"',
      '---',
      '',
      'body',
      '',
    ].join('\n');
    assert.equal(
      editFrontMatter(text, { type: 'project', description: 'one', name: 'short', pinned: undefined, keywords: ['k'] }),
      text
        .replace('type:   user   # who', 'type:   project   # who')
        .replace('  type: user\n', '  type: project\n')
        .replace('description: |\n  two\n  lines\n', 'description: one\n')
        .replace('name:\n  folded over\n  two lines', 'name: short')
        .replace('  pinned: true # on top\n', '  keywords: [k]\n'),
    );
  });

  it('edits a mapping in braces', () => {
    const text = '---\nname: a\nmetadata: {node_type: memory, type: user}\n---\n';
    assert.equal(editFrontMatter(text, { type: 'project' }), text.replace('type: user', 'type: project'));
    assert.equal(editFrontMatter(text, { pinned: true }), text.replace('user}', 'user, pinned: true}'));
    assert.equal(editFrontMatter(editFrontMatter(text, { pinned: true }), { pinned: undefined }), text);
  });

  it('fills a key that stands there empty', () => {
    assert.equal(
      editFrontMatter('---\nname: \ndescription: # none yet\n---\n', { name: 'who', description: 'what' }),
      '---\nname: who\ndescription: what # none yet\n---\n',
    );
    assert.equal(
      editFrontMatter('---\nname: x\nmetadata: \n---\n', { pinned: true }),
      '---\nname: x\nmetadata: \n  pinned: true\n---\n',
    );
  });

  it('with nothing to change, or the values that are there, gives back the same bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(editFrontMatter(text, {}), text)));
    assert.equal(editFrontMatter(flat, { name: 'a', type: 'user' }), flat);
    assert.equal(editFrontMatter(flat, { pinned: undefined, verified: undefined }), flat);
  });

  it('refuses what it can not change with certainty', () => {
    const refused: [string, FrontMatterChanges][] = [
      ['no front matter', { name: 'x' }],
      ['---\nname: "a" b\n---\n', { name: 'x' }],
      ['---\nname: x\n', { name: 'y' }],
      ['---\n- a\n---\n', { name: 'x' }],
      ['---\nname: &a b\nother: *a\n---\n', { name: 'x' }],
      ['---\nname: a\nname: b\n---\n', { name: 'x' }],
      ['---\nmetadata: text\n---\n', { pinned: true }],
      ['---\nkeywords: # why\n  - a\n---\n', { keywords: ['b'] }],
      ['---js\nname: x\n---\n', { name: 'x' }],
    ];
    for (const [text, changes] of refused) assert.throws(() => editFrontMatter(text, changes), isUnreadable, text);
  });

  it('says what was asked for and keeps everything else, in any block it accepts', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('a: b', 'x # y', '"q"', '|', '- a', 'no'),
    );
    const entry = fc.oneof(
      value.map((text) => formatYaml(text)),
      fc.constantFrom(
        '',
        '|\n  two\n  lines',
        '>-\n  folded',
        '\n  - a\n  - b',
        '[a, b]',
        '{a: b}',
        '12',
        'null',
        "'single'",
        'plain # comment',
        '\n  folded\n  words',
      ),
    );
    const block = fc
      .uniqueArray(fc.tuple(fc.constantFrom('name', 'description', 'type', 'other', 'z-last', 'modified'), entry), {
        selector: ([key]) => key,
      })
      .chain((top) =>
        fc
          .uniqueArray(fc.tuple(fc.constantFrom('type', 'node_type', 'pinned', 'modified', 'odd'), value), {
            selector: ([key]) => key,
          })
          .map((inner) => [
            ...top.map(([key, text]) => `${key}: ${text}`),
            ...(inner.length === 0
              ? []
              : ['metadata: ', ...inner.map(([key, text]) => `  ${key}: ${formatYaml(text)}`)]),
          ]),
      );
    const change = fc.record(
      {
        name: fc.option(value, { nil: undefined }),
        description: fc.option(value, { nil: undefined }),
        pinned: fc.constantFrom(true, undefined),
        keywords: fc.option(fc.array(value), { nil: undefined }),
      },
      { requiredKeys: [] },
    );
    let done = 0;
    fc.assert(
      fc.property(block, change, fc.constantFrom('\n', '\r\n'), (lines, changes, eol) => {
        const text = ['---', ...lines, '---', '', 'body', ''].join('\n').replaceAll('\n', eol);
        const before = parseMemory('x.md', text, 0, 0);
        if (before.problem?.kind === 'invalid_yaml') return;
        let edited: string;
        try {
          edited = editFrontMatter(text, changes);
        } catch (error) {
          assert.ok(isUnreadable(error), String(error));
          return;
        }
        done += 1;
        const after = parseMemory('x.md', edited, 0, 0);
        assert.equal(after.body, before.body);
        for (const key of Object.keys(before.data))
          if (!(key in changes) && key !== 'metadata') assert.deepEqual(after.data[key], before.data[key], key);
        if (changes.pinned) assert.equal(after.pinned, true);
        if (changes.description !== undefined)
          assert.equal(after.data.description, changes.description.replace(/\s+/g, ' ').trim());
        assert.equal(edited.replace(/\r?\n/g, '').includes('\n'), false);
        if (eol === '\r\n') assert.equal(/(?<!\r)\n/.test(edited), false);
      }),
      { numRuns: 250 },
    );
    assert.ok(done > 150, `${done} edits were made`);
  });

  it('follows the margin of a block that has one', () => {
    const text = '---\n  name: a\n  type: user\n---\n';
    assert.equal(
      editFrontMatter(text, { description: 'what', pinned: true }),
      '---\n  name: a\n  description: what\n  type: user\n  metadata:\n    pinned: true\n---\n',
    );
  });

  it('returns nothing that does not say what was meant when it is read again', () => {
    assert.throws(() => setKeys('---\na: 1\n---\n', [{ path: ['b: c'], value: 'd' }]), isUnreadable);
    assert.throws(() => setKeys('---\na: 1\n---\n', [{ path: ['#b'], value: 'd' }]), isUnreadable);
  });

  it('takes keys by their path', () => {
    assert.equal(setKeys('---\na: 1\n---\n', [{ path: ['b', 'c'], value: 'd' }]), '---\na: 1\nb:\n  c: d\n---\n');
    assert.throws(() => setKeys('---\na: 1\n---\n', [{ path: ['a', 'c'], value: 'd' }]), isUnreadable);
  });
});
