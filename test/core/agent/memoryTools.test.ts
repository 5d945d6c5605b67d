// What a model can and can't do to memories: exact edits, no blind overwriting, no way out of the memory folder.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createMemoryTools, type MemoryToolsOptions, memoryToolDefinitions } from '../../../src/core/agent/memoryTools';
import { sha256 } from '../../../src/core/files';
import { createOverlay } from '../../../src/core/memory/changeset';
import { MemoryError } from '../../../src/core/memoryError';

/** Of the list as it is sent. Changing a byte makes every prompt cache of every user cold: do it on purpose. */
const toolsHash = '4f0d0b7acf74';

/** Memories that lie on an imagined disk, and tools over them. `use` goes through the permission, as the agent does. */
function desk(files: Record<string, string>, options: Partial<MemoryToolsOptions> = {}) {
  const overlay = createOverlay(async (path) => {
    if (path.startsWith('linked/')) throw new MemoryError('outside', `“${path}” leads outside.`, path);
    const text = files[path];
    return text === undefined ? undefined : { text, mtimeMs: 1 };
  });
  const memory = createMemoryTools({
    overlay,
    paths: Object.keys(files).filter((path) => path !== 'MEMORY.md'),
    documents: [],
    isPinned: () => false,
    team: false,
    index: true,
    mayDelete: () => undefined,
    mostFiles: 10,
    ...options,
  });
  const signal = new AbortController().signal;
  const use = async (name: string, input: Record<string, unknown>) => {
    const denied = memory.canUseTool(name, input);
    if (denied !== undefined) return { text: denied, isError: true };
    const tool = memory.tools.find((one) => one.definition.name === name);
    ok(tool, name);
    return tool.run(input, signal).catch((error: Error) => ({ text: error.message, isError: true }));
  };
  return { overlay, memory, use };
}

describe('the tools of a model', () => {
  it('are one list with the same bytes in every run', () => {
    const first = JSON.stringify(desk({}).memory.tools.map((tool) => tool.definition));
    const second = JSON.stringify(
      desk({ 'a.md': 'x' }, { team: true, index: false, mayDelete: () => 'no' }).memory.tools.map(
        (one) => one.definition,
      ),
    );
    equal(first, second);
    equal(first, JSON.stringify(memoryToolDefinitions));
    equal(sha256(first).slice(0, 12), toolsHash);
  });

  it('edit exact text: `$&` is just text, line breaks count, nothing else moves', async () => {
    const { use, overlay } = desk({ 'a.md': 'one $1\ntwo\nthree\n' });
    await use('Read', { file_path: 'a.md' });
    await use('Edit', { file_path: 'a.md', old_string: '$1\ntwo', new_string: "$& $$ $' $`" });
    equal(await overlay.read('a.md'), "one $& $$ $' $`\nthree\n");
  });

  it('refuse an edit that fits nowhere or in several places, unless all are asked for', async () => {
    const { use, overlay } = desk({ 'a.md': 'red red\nred\n' });
    await use('Read', { file_path: 'a.md' });
    const nowhere = await use('Edit', { file_path: 'a.md', old_string: 'blue', new_string: 'green' });
    match(nowhere.text, /does not occur/);
    const several = await use('Edit', { file_path: 'a.md', old_string: 'red', new_string: 'green' });
    match(several.text, /occurs 3 times/);
    equal(await overlay.read('a.md'), 'red red\nred\n');
    await use('Edit', { file_path: 'a.md', old_string: 'red', new_string: 'reddish', replace_all: true });
    equal(await overlay.read('a.md'), 'reddish reddish\nreddish\n');
  });

  it('find a text of several lines whatever line ends the file has, and keep those', async () => {
    const { use, overlay } = desk({ 'a.md': 'one\r\ntwo\r\nthree\r\n' });
    await use('Read', { file_path: 'a.md' });
    await use('Edit', { file_path: 'a.md', old_string: 'one\ntwo', new_string: '1\n2' });
    equal(await overlay.read('a.md'), '1\r\n2\r\nthree\r\n');
  });

  it('do not overwrite what was not read in this run, or is no longer what was read', async () => {
    const { use, overlay } = desk({ 'a.md': 'old\n' });
    match((await use('Write', { file_path: 'a.md', content: 'new' })).text, /was not read/);
    match((await use('Edit', { file_path: 'a.md', old_string: 'old', new_string: 'new' })).text, /was not read/);
    match((await use('Delete', { file_path: 'a.md', reason: 'old' })).text, /was not read/);
    await use('Read', { file_path: 'a.md' });
    await overlay.write('a.md', 'changed by somebody\n');
    match((await use('Write', { file_path: 'a.md', content: 'new' })).text, /no longer what you read/);
    equal(await overlay.read('a.md'), 'changed by somebody\n');
  });

  it('carry out the changes of one turn one after the other, in the order of their calls', async () => {
    const { use, overlay } = desk({ 'a.md': 'a b c\n' });
    await use('Read', { file_path: 'a.md' });
    await Promise.all([
      use('Edit', { file_path: 'a.md', old_string: 'a', new_string: 'x' }),
      use('Edit', { file_path: 'a.md', old_string: 'x b', new_string: 'y' }),
      use('Write', { file_path: 'b.md', content: 'new' }),
    ]);
    equal(await overlay.read('a.md'), 'y c\n');
    equal(await overlay.read('b.md'), 'new');
  });

  it('understand the argument names that models mix up', async () => {
    const { use, overlay } = desk({ 'a.md': 'old\n' });
    await use('Read', { path: './a.md' });
    await use('Edit', { path: 'a.md', old_str: 'old', new_str: 'new' });
    equal(await overlay.read('a.md'), 'new\n');
  });

  const outside: Record<string, string> = {
    'a parent folder': '../settings.md',
    'a parent folder further down': 'notes/../../x.md',
    'an absolute path': '/etc/cron.d/x.md',
    'a drive': 'C:\\Users\\x.md',
    'a backslash': 'notes\\..\\..\\x.md',
    'a percent-encoded separator': '..%2f..%2fx.md',
    'a doubly encoded one': '%252e%252e%252fx.md',
    'full-width characters': '．．／x.md',
    'a NUL character': 'a.md\0.txt',
    'a device': 'con.md',
    'a hidden file': '.git/hooks.md',
    'a folder named like one of ours': '.consolidate-lock',
    settings: 'settings.json',
    instructions: 'CLAUDE.md',
    'instructions of another agent': 'notes/AGENTS.md',
    'local instructions': 'CLAUDE.local.md',
    'another spelling of the index': 'memory.md',
    'team memory while that is off': 'team/rule.md',
    'a transcript': 'transcripts/one.md',
    'a daily log': 'logs/2026/01/2026-01-01.md',
    'a link that leads outside': 'linked/x.md',
    'an over-long name': `${'x'.repeat(300)}.md`,
    nothing: '',
  };
  for (const [what, path] of Object.entries(outside)) {
    it(`refuse to write to ${what}, in words`, async () => {
      const { use, overlay } = desk({ 'MEMORY.md': '# Index\n' });
      for (const [name, input] of [
        ['Write', { file_path: path, content: 'text' }],
        ['Edit', { file_path: path, old_string: 'a', new_string: 'b' }],
        ['Delete', { file_path: path, reason: 'because' }],
      ] as const) {
        const result = await use(name, input);
        ok(result.isError && result.text.length > 10, `${name}: ${result.text}`);
      }
      deepEqual(overlay.changes(), []);
    });
  }

  it('read nothing outside either', async () => {
    const { use } = desk({});
    for (const path of ['../secret.md', '/etc/passwd', 'linked/x.md', 'settings.json', 'a\0.md']) {
      ok((await use('Read', { file_path: path })).isError, path);
    }
  });

  it('leave pinned memories, and the index where it is kept by the engine', async () => {
    const { use, overlay } = desk(
      { 'a.md': 'pinned\n', 'MEMORY.md': '- [A](a.md) — a\n' },
      { isPinned: () => true, index: false },
    );
    await use('Read', { file_path: 'a.md' });
    await use('Read', { file_path: 'MEMORY.md' });
    match((await use('Edit', { file_path: 'a.md', old_string: 'pinned', new_string: '' })).text, /pinned/);
    match((await use('Write', { file_path: 'MEMORY.md', content: '# Empty' })).text, /kept for you/);
    deepEqual(overlay.changes(), []);
  });

  it('never empty a file, never write a huge one, and end after the files that one run may change', async () => {
    const { use, overlay } = desk({ 'a.md': 'text\n', 'MEMORY.md': '- [A](a.md) — a\n' }, { mostFiles: 2 });
    await use('Read', { file_path: 'a.md' });
    await use('Read', { file_path: 'MEMORY.md' });
    ok((await use('Write', { file_path: 'MEMORY.md', content: ' \n' })).isError);
    ok((await use('Edit', { file_path: 'a.md', old_string: 'text\n', new_string: '' })).isError);
    match((await use('Write', { file_path: 'b.md', content: 'x'.repeat(200_000) })).text, /at most/);
    ok(!(await use('Write', { file_path: 'b.md', content: 'b' })).isError);
    ok(!(await use('Write', { file_path: 'c.md', content: 'c' })).isError);
    match((await use('Write', { file_path: 'd.md', content: 'd' })).text, /most one run may change/);
    deepEqual(
      overlay
        .changes()
        .map((change) => change.path)
        .sort(),
      ['b.md', 'c.md'],
    );
  });

  it('delete only where the run allows it, with a reason that is kept', async () => {
    const { use, memory, overlay } = desk(
      { 'a.md': 'a', 'b.md': 'b' },
      { mayDelete: (path) => (path === 'b.md' ? 'the person did not ask' : undefined) },
    );
    await use('Read', { file_path: 'a.md' });
    await use('Read', { file_path: 'b.md' });
    equal((await use('Delete', { file_path: 'b.md', reason: 'x' })).text, 'the person did not ask');
    ok((await use('Delete', { file_path: 'a.md' })).isError, 'a reason is wanted');
    await use('Delete', { file_path: 'a.md', reason: 'said again in b', merged_into: 'b.md' });
    equal(await overlay.read('a.md'), undefined);
    deepEqual([...memory.removals], [['a.md', { reason: 'said again in b', mergedInto: 'b.md' }]]);
    equal((await use('Glob', { pattern: '*.md' })).text, 'MEMORY.md\nb.md');
  });

  it('search memories through the overlay, and documents where they are asked for', async () => {
    const { use } = desk(
      { 'a.md': 'Postgres\n', 'notes/b.md': 'postgres too\n' },
      { documents: [{ path: 'transcripts/one.md', text: async () => 'said Postgres\n' }] },
    );
    await use('Write', { file_path: 'c.md', content: 'no\nnew postgres\n' });
    equal(
      (await use('Grep', { pattern: 'postgres', ignore_case: true })).text,
      'a.md:1: Postgres\nc.md:2: new postgres\nnotes/b.md:1: postgres too',
    );
    equal(
      (await use('Grep', { pattern: 'Postgres', path: 'transcripts/**' })).text,
      'transcripts/one.md:1: said Postgres',
    );
    equal((await use('Glob', { pattern: '**/*.md' })).text, 'MEMORY.md\na.md\nc.md\nnotes/b.md\ntranscripts/one.md');
  });

  it('search in time that grows with the text, whatever the pattern', async () => {
    const { use } = desk({ 'a.md': `${'a'.repeat(20_000)}!\n` });
    equal((await use('Grep', { pattern: '(a+)+$' })).text, 'Nothing matches.');
    ok((await use('Grep', { pattern: '(?=a)(' })).isError);
    ok((await use('Glob', { pattern: '*a*a*a*a*a*a*a*b' })).isError);
  });

  it('read a long document part by part', async () => {
    const text = Array.from({ length: 9_000 }, (_, at) => `line ${at + 1}`).join('\n');
    const { use } = desk({}, { documents: [{ path: 'transcripts/long.md', text: async () => text }] });
    const first = (await use('Read', { file_path: 'transcripts/long.md' })).text;
    const offset = Number(/offset (\d+)/.exec(first)?.[1]);
    ok(offset > 100, first.slice(-80));
    const second = (await use('Read', { file_path: 'transcripts/long.md', offset, limit: 2 })).text;
    match(second, new RegExp(`^line ${offset}\\nline ${offset + 1}$`));
  });
});
