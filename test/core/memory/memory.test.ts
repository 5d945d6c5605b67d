import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pathProblem } from '../../../src/core/files';
import {
  addFrontMatter,
  ageDays,
  ageText,
  caveat,
  defaultStaleDays,
  editFrontMatter,
  formatMemory,
  isStale,
  type MemoryDraft,
  memoryFileName,
  memoryTypes,
  parseHead,
  parseMemory,
} from '../../../src/core/memory/memory';
import { isIndexPath, scopeOf } from '../../../src/core/memory/memoryPaths';
import { MemoryError } from '../../../src/core/memoryError';

const now = Date.parse('2026-11-30T09:00:00Z');
const mtime = Date.parse('2026-11-01T00:00:00Z');
const parse = (text: string, path = 'feedback_tests.md') => parseMemory(path, text, mtime, now);

describe('a memory', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  it('F-08: is read in both generations, with keys that nobody knows', () => {
    const a = parse(
      '---\nname: Tests\ndescription: Real database\ntype: feedback\noriginSessionId: s-1\nnamespace: x\n---\n\nBody.\n',
    );
    const b = parse(
      '---\nname: tests\ndescription: Real database\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: s-1\n  modified: 2026-10-14T13:04:00.000Z\n  pinned: true\n  keywords: [db, mocks]\n  supersededBy: other.md\n  verified: 2026-10-20\n---\n\nBody.\n',
    );
    for (const memory of [a, b]) {
      assert.equal(memory.description, 'Real database');
      assert.equal(memory.type, 'feedback');
      assert.equal(memory.originSessionId, 's-1');
      assert.equal(memory.body, '\nBody.\n');
      assert.equal(memory.problem, undefined);
    }
    assert.equal(a.modifiedAt, mtime);
    assert.equal(a.data.namespace, 'x');
    assert.equal(b.modifiedAt, Date.parse('2026-10-14T13:04:00.000Z'));
    assert.deepEqual(
      [b.pinned, b.keywords, b.supersededBy, b.verifiedAt],
      [true, ['db', 'mocks'], 'other.md', Date.parse('2026-10-20')],
    );
  });

  it('F-04: of a file with CRLF is read and keeps its line ends when edited', () => {
    const text = '---\r\nname: a\r\ndescription: b\r\ntype: user\r\n---\r\n\r\nBody.\r\n';
    const memory = parse(text);
    assert.deepEqual([memory.name, memory.description, memory.type, memory.body], ['a', 'b', 'user', '\r\nBody.\r\n']);
    assert.equal(memory.text, text);
    assert.equal(
      editFrontMatter(text, { description: 'c', pinned: true }),
      text.replace('description: b', 'description: c').replace('user\r\n', 'user\r\nmetadata:\r\n  pinned: true\r\n'),
    );
  });

  it('F-05: with a byte order mark is read, and the mark is neither lost nor doubled', () => {
    const text = '\ufeff---\nname: a\ntype: user\n---\nBody';
    assert.equal(parse(text).type, 'user');
    assert.equal(editFrontMatter(text, { name: 'b' }), text.replace('name: a', 'name: b'));
  });

  it('F-06: with #, colons, quotes, @, emoji and --- in it comes back unchanged', () => {
    for (const description of [
      'a # b',
      'a: b',
      '"a" and b',
      "it's",
      '@someone',
      '🎉 party',
      '- a',
      '[a]',
      '%',
      '`x`',
      'x --- y',
    ]) {
      const draft = {
        type: 'user',
        scope: 'private',
        name: description,
        description,
        body: `a\n---\nb: "${description}"\n---\n`,
        modifiedAt: mtime,
      } as const;
      const memory = parse(formatMemory(draft));
      assert.deepEqual(
        [memory.name, memory.description, memory.body.trim()],
        [description, description, draft.body.trim()],
      );
      const edited = editFrontMatter('---\nname: x\ntype: user\n---\na\n---\nb', { description });
      assert.equal(parse(edited).description, description);
      assert.equal(parse(edited).body, 'a\n---\nb');
    }
  });

  it('F-07: with invalid YAML still has its name, description and type, and is never rewritten', () => {
    const text =
      '---\nname: Inspectors\ndescription: "quoted words" and more: see below\nmetadata: \n  type: project\n---\n\nBody.\n';
    const memory = parse(text);
    assert.deepEqual(
      [memory.name, memory.description, memory.type],
      ['Inspectors', '"quoted words" and more: see below', 'project'],
    );
    assert.deepEqual([memory.problem?.kind, memory.problem?.line], ['invalid_yaml', 3]);
    assert.equal(memory.text, text);
    assert.equal(memory.body, '\nBody.\n');
    for (const changes of [{ type: 'user' }, { description: 'x' }, { verified: now }] as const)
      assert.throws(
        () => editFrontMatter(text, changes),
        (error) => error instanceof MemoryError && error.code === 'unreadable',
      );
  });

  it('F-09: without front matter is listed by its file name, and no edit gives it some', () => {
    const memory = parse('# Event bus\n\nStays on NATS.\n', 'sub/project_event_bus.md');
    assert.deepEqual(
      [memory.name, memory.type, memory.description, memory.problem?.kind],
      ['project_event_bus', undefined, undefined, 'no_type'],
    );
    assert.equal(memory.body, memory.text);
    assert.throws(() => editFrontMatter(memory.text, { type: 'project' }), MemoryError);
    assert.throws(() => editFrontMatter(memory.text, { pinned: true }), MemoryError);
  });

  it('F-09: gets front matter only by a person’s own step, which leaves the text as it is', () => {
    for (const text of ['# Bus\r\n\r\nBody', '\ufeffBody', '', '--- a\nb']) {
      const added = addFrontMatter(text, { name: 'Bus: x', type: 'project' });
      const memory = parse(added);
      assert.deepEqual([memory.name, memory.type, memory.problem], ['Bus: x', 'project', undefined]);
      assert.equal(added.endsWith(text.replace('\ufeff', '')), true);
      assert.equal(added.startsWith('\ufeff'), text.startsWith('\ufeff'));
      if (text.includes('\r\n')) assert.equal(/(?<!\r)\n/.test(added), false);
    }
    assert.throws(() => addFrontMatter('---\nname: x\n', { name: 'x', type: 'user' }), MemoryError);
  });

  it('tells an unknown type from a missing one, and takes a type in any case', () => {
    assert.deepEqual(parse('---\nname: a\ntype: habit\n---\n').problem, { kind: 'unknown_type', detail: 'habit' });
    assert.deepEqual(parse('---\nname: a\n---\n').problem, { kind: 'no_type' });
    assert.equal(parse('---\ntype: Feedback\n---\n').type, 'feedback');
  });

  it('with the marks of a merge conflict says so, and in which line', () => {
    const text =
      '---\nname: a\n<<<<<<< HEAD\ndescription: ours\n=======\ndescription: theirs\n>>>>>>> branch\ntype: user\n---\nBody';
    const memory = parse(text);
    assert.deepEqual(memory.problem, { kind: 'merge_conflict', line: 3 });
    assert.deepEqual([memory.name, memory.description, memory.type], ['a', 'ours', 'user']);
    assert.equal(parse('---\ntype: user\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n').problem?.line, 4);
  });

  it('whose front matter never closes is read as far as it goes', () => {
    const memory = parse('---\nname: a\ntype: user\n\nSome prose: here\n');
    assert.deepEqual([memory.name, memory.type, memory.problem?.kind], ['a', 'user', 'invalid_yaml']);
    assert.equal(parse('---\n\nA rule above prose.\n').problem?.kind, 'no_type');
  });

  it('has a description of one line, whatever the file holds', () => {
    assert.equal(parse('---\ndescription: |\n  two\n  lines\ntype: user\n---\n').description, 'two lines');
    assert.equal(parse('---\nname: 12\ndescription: true\ntype: user\n---\n').name, '12');
    assert.equal(parse('---\nname: [a]\ndescription: {a: b}\ntype: user\n---\n').description, undefined);
  });

  it('F-64: takes its date from a valid `modified` in either place, trimmed, else from the file', () => {
    const at = (line: string) => parse(`---\ntype: user\n${line}\n---\n`).modifiedAt;
    assert.equal(at('modified: "  2026-10-14T13:04:00.000Z "'), Date.parse('2026-10-14T13:04:00Z'));
    assert.equal(at('metadata:\n  modified: 2026-10-14'), Date.parse('2026-10-14'));
    assert.equal(at('modified: 2026-10-14 13:04'), Date.parse('2026-10-14T13:04:00Z'));
    assert.equal(at('modified: 2026-10-14T13:04:00+02:00'), Date.parse('2026-10-14T11:04:00Z'));
    for (const bad of [
      'modified: yesterday',
      'modified: 20261014',
      'modified: 2026-99-99',
      'modified: 2027-10-14T00:00:00Z',
      'modified: [1]',
      'modified:',
    ])
      assert.equal(at(bad), mtime, bad);
  });

  it('never throws, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '---\n',
        '---\r\n',
        'name: ',
        'metadata:\n  ',
        'type: user\n',
        '<<<<<<< a\n',
        ': ',
        '\ufeff',
        '"',
        '&a *a',
        '\0',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((all) => all.join('')),
        (text) => {
          const memory = parse(text);
          assert.equal(memory.text, text);
          assert.equal(text.endsWith(memory.body), true);
          parseHead('x.md', text, mtime, now, true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('written anew says what its draft says, for any strings', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const draft = fc.record(
      {
        type: fc.constantFrom(...memoryTypes),
        scope: fc.constant('private' as const),
        name: text,
        description: fc.oneof(text, fc.constantFrom('a: b', 'x\ny', ' # ', '---')),
        body: fc.oneof(text, fc.constant('---\na: b\n---\n')),
        keywords: fc.array(text.filter((word) => word.trim() !== '')),
        originSessionId: fc.uuid(),
        modifiedAt: fc.integer({ min: 0, max: now }),
        source: fc.record({ session: fc.uuid(), messages: fc.array(fc.uuid()) }),
      },
      { requiredKeys: ['type', 'scope', 'name', 'description', 'body', 'modifiedAt'] },
    );
    const line = (value: string) => value.replace(/\s+/g, ' ').trim();
    fc.assert(
      fc.property(draft, (given) => {
        const memory = parseMemory('x.md', formatMemory(given as MemoryDraft), 5, now);
        assert.equal(memory.problem, undefined);
        assert.equal(memory.name, line(given.name) || 'x');
        assert.equal(memory.description ?? '', line(given.description));
        assert.equal(memory.type, given.type);
        assert.equal(memory.modifiedAt, given.modifiedAt);
        assert.deepEqual(memory.keywords, (given.keywords ?? []).map(line));
        assert.equal(memory.originSessionId, given.originSessionId ?? given.source?.session);
        assert.deepEqual(memory.sourceMessages, given.source?.messages ?? []);
        assert.equal(memory.body.trim(), given.body.trim());
      }),
      { numRuns: 500 },
    );
  });

  it('written anew looks like those that Claude Code writes', () => {
    assert.equal(
      formatMemory({
        type: 'feedback',
        scope: 'private',
        name: 'Real database in tests',
        description: 'Integration tests: real database',
        body: 'Use a real database.\n\n**Why:** mocks hid a failure.',
        keywords: ['tests', 'database'],
        modifiedAt: Date.parse('2026-10-14T13:04:00Z'),
        source: { session: '22d4a707-a524-4627-b3ff-d0bbbdc7b889', messages: ['5ebcaa0d-7101-4326-a5b8-7e97b77da240'] },
      }),
      `---
name: Real database in tests
description: "Integration tests: real database"
metadata:
  node_type: memory
  type: feedback
  originSessionId: 22d4a707-a524-4627-b3ff-d0bbbdc7b889
  modified: 2026-10-14T13:04:00.000Z
  keywords: [tests, database]
  sourceMessages: ["5ebcaa0d-7101-4326-a5b8-7e97b77da240"]
---

Use a real database.

**Why:** mocks hid a failure.
`,
    );
  });

  it('F-58: is never an index, however the index is spelled', () => {
    for (const path of ['MEMORY.md', 'memory.md', 'Memory.MD', 'team/MEMORY.md', 'agents/x/memory.md'])
      assert.ok(isIndexPath(path), path);
    for (const path of ['my-memory.md', 'memory.md/x.md', 'MEMORY.txt', 'xMEMORY.md'])
      assert.equal(isIndexPath(path), false, path);
    assert.deepEqual([scopeOf('team/a.md'), scopeOf('a.md'), scopeOf('teams/a.md')], ['team', 'private', 'private']);
  });
});

describe('the age of a memory', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  const day = 86_400_000;
  it('F-16: is told in whole days, with a caveat from two days on', () => {
    const told = (days: number, extra = 0) => {
      const age = ageDays(now - days * day - extra, now);
      return [age, ageText(age), caveat(age) !== undefined];
    };
    assert.deepEqual(told(0), [0, 'today', false]);
    assert.deepEqual(told(0, day - 1), [0, 'today', false]);
    assert.deepEqual(told(1), [1, 'yesterday', false]);
    assert.deepEqual(told(1, day - 1), [1, 'yesterday', false]);
    assert.deepEqual(told(2), [2, '2 days ago', true]);
    assert.deepEqual(told(47), [47, '47 days ago', true]);
    assert.deepEqual(told(-3), [0, 'today', false], 'a date in the future');
    assert.match(caveat(47) ?? '', /47 days ago/);
  });

  it('makes it stale by its type, counted from the last check', () => {
    const head = (type: (typeof memoryTypes)[number] | undefined, days: number, verified?: number) => ({
      type,
      modifiedAt: now - days * day,
      verifiedAt: verified === undefined ? undefined : now - verified * day,
    });
    for (const type of memoryTypes) {
      assert.equal(isStale(head(type, defaultStaleDays[type] - 1), now), false, type);
      assert.equal(isStale(head(type, defaultStaleDays[type]), now), true, type);
      assert.equal(isStale(head(type, 1000, 1), now), false, type);
    }
    assert.equal(isStale(head('project', 1, 1000), now), false, 'changed after the check');
    assert.equal(isStale(head(undefined, 1000), now), false);
    assert.equal(isStale(head('user', 10), now, { ...defaultStaleDays, user: 10 }), true);
  });
});

describe('the name of a new file', function () {
  // Properties take their time on a busy machine.
  this.timeout(30_000);

  const named = (
    name: string,
    existing: string[] = [],
    type: MemoryDraft['type'] = 'feedback',
    scope: MemoryDraft['scope'] = 'private',
  ) => memoryFileName({ type, scope, name }, existing);

  it('is type and topic in an empty folder', () => {
    assert.equal(named('Real database in tests'), 'feedback-real-database-in-tests.md');
    assert.equal(named('Feedback on tests'), 'feedback-on-tests.md', 'the type is not said twice');
  });

  it('has no hyphen where a word has an apostrophe', () => {
    assert.equal(named("I'm a backend developer", [], 'user'), 'user-im-a-backend-developer.md');
    assert.equal(named('Don’t mock d’Alembert'), 'feedback-dont-mock-dalembert.md');
    assert.equal(named("the 'quoted' word"), 'feedback-the-quoted-word.md');
  });

  it('follows the style of the folder’s majority', () => {
    assert.equal(
      named('No mocks', ['user_role.md', 'feedback_testing.md', 'MEMORY.md', 'notes.md']),
      'feedback_no_mocks.md',
    );
    assert.equal(named('No mocks', ['draft-prs.md', 'pnpm-only.md', 'user_role.md']), 'no-mocks.md');
    assert.equal(named('No mocks', ['user-role.md', 'feedback-x.md', 'y.md']), 'feedback-no-mocks.md');
    assert.equal(named('No mocks', ['draft_prs.md', 'pnpm_only.md']), 'no_mocks.md');
    assert.equal(
      named('No mocks', ['team/user_a.md', 'archive/user_b.md', 'draft-prs.md']),
      'no-mocks.md',
      'other folders do not count',
    );
    assert.equal(named('No mocks', ['team/user_a.md', 'draft-prs.md'], 'project', 'team'), 'team/project_no_mocks.md');
  });

  it('is not taken, whatever the case or the composition of its letters', () => {
    assert.equal(named('No mocks', ['Feedback-No-Mocks.md']), 'feedback-no-mocks-2.md');
    assert.equal(named('No mocks', ['feedback-no-mocks.md', 'feedback-no-mocks-2.md']), 'feedback-no-mocks-3.md');
    assert.equal(named('ガ', ['feedback-カ\u3099.md'.normalize('NFD')]), 'feedback-ガ-2.md');
  });

  it('keeps letters of every script and drops the accents of Latin ones', () => {
    assert.equal(named('Mensagens em português'), 'feedback-mensagens-em-portugues.md');
    assert.equal(named('배포 창'), 'feedback-배포-창.md');
    assert.equal(named('🎉'), 'feedback-note.md');
  });

  it('is never one that a file system or another program takes for something else', () => {
    const plain = ['a-b.md', 'c-d.md'];
    assert.equal(named('Memory', plain), 'memory-note.md');
    assert.equal(named('con', plain), 'con-note.md');
    assert.equal(named('CLAUDE', plain), 'claude-note.md');
  });

  it('can be created anywhere, is at most 80 characters long and unique, for any title', () => {
    const path = fc.oneof(
      fc.constantFrom('a-b.md', 'user_x.md', 'team/user-y.md', 'MEMORY.md', 'con.md'),
      fc.string({ unit: 'grapheme' }).map((text) => `${text}.md`),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.array(path),
        fc.constantFrom(...memoryTypes),
        fc.constantFrom('private' as const, 'team' as const),
        (name, existing, type, scope) => {
          const made = memoryFileName({ type, scope, name }, existing);
          assert.equal(pathProblem(made, true), undefined, made);
          assert.equal(scopeOf(made), scope);
          assert.ok(made.replace('team/', '').length <= 80);
          assert.equal(isIndexPath(made), false);
          assert.equal(
            existing.some((taken) => taken.toLowerCase() === made.toLowerCase()),
            false,
          );
          assert.notEqual(memoryFileName({ type, scope, name }, [...existing, made]), made);
        },
      ),
      { numRuns: 500 },
    );
  });
});
