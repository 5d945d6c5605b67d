// Real memory folders, and one with its truth. They lie outside the project: `REVERIE_CORPUS` names the data folder.

import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import { editFrontMatter, parseMemory } from '../../../src/core/memory/memory';
import { indexBudget, loadedIndex, mergeIndex, parseIndex } from '../../../src/core/memory/memoryIndex';
import { isIndexPath } from '../../../src/core/memory/memoryPaths';
import { openMemoryStore } from '../../../src/core/memory/memoryStore';
import { findSecrets } from '../../../src/core/memory/secrets';
import { compareTexts } from '../../../src/core/memory/similarity';

const corpus = process.env.REVERIE_CORPUS;
const folders = ['memory/koenvue', 'memory/software_development_department', 'tidy/seed1/memory'];

interface Truth {
  readonly now: string;
  readonly files: Readonly<Record<string, { type?: string; pinned?: boolean; problem?: string; generation?: string }>>;
  readonly merges: readonly { kind: 'exact' | 'reworded' | 'reordered' | 'superset'; members: [string, string] }[];
  readonly conflicts: readonly { older: string; newer: string }[];
  readonly lookAlikes: readonly { members: [string, string] }[];
  readonly index: {
    mustLinkOnce: string[];
    addLines: string[];
    dropDead: string[];
    keepVerbatim: string[];
    repair: { wrong: string };
  };
}

describe(
  corpus ? 'memory folders in the wild' : 'memory folders in the wild (skipped: REVERIE_CORPUS names no data folder)',
  function () {
    this.timeout(60_000);
    before(function () {
      if (!corpus) this.skip();
    });

    const open = (folder: string, now = Date.now()) =>
      openMemoryStore({
        roots: { private: join(corpus ?? '', folder) },
        disk: nodeDisk,
        now: () => now,
        log: silentLogger,
      });
    const truthOf = async () =>
      JSON.parse(await readFile(join(corpus ?? '', 'tidy/seed1/truth.json'), 'utf8')) as Truth;

    it('are listed whole', async () => {
      for (const folder of folders) {
        const root = join(corpus ?? '', folder);
        const files = (await readdir(root, { recursive: true })).filter(
          (path) => path.endsWith('.md') && !isIndexPath(path) && !path.startsWith('logs/'),
        );
        const heads = await open(folder).heads();
        assert.deepEqual(heads.map((head) => head.path).sort(), files.sort());
      }
    });

    it('are read with name, description and type wherever a file has them', async () => {
      const seen = { typed: 0, problems: [] as string[] };
      for (const folder of folders) {
        const store = open(folder);
        for (const head of await store.heads()) {
          const memory = await store.read(head.path);
          assert.ok(memory, head.path);
          const { text: _text, body: _body, data: _data, sourceMessages: _source, ...header } = memory;
          // The size is the file's and not known from its text alone.
          const { size: _size, ...told } = head;
          if (memory.text.split('\n').length < 30) assert.deepEqual(header, told);
          if (head.type) seen.typed += 1;
          if (head.problem) seen.problems.push(`${head.path}: ${head.problem.kind}`);
          if (/^(?:\ufeff)?---/.test(memory.text) && /^description:/m.test(memory.text))
            assert.ok(head.description, head.path);
        }
      }
      assert.ok(seen.typed > 100, String(seen.typed));
      for (const problem of seen.problems) assert.match(problem, /(?:invalid_yaml|no_type)$/);
    });

    it('say what the truth of the tidy folder says of each file', async () => {
      const truth = await truthOf();
      const heads = new Map(
        (await open('tidy/seed1/memory', Date.parse(truth.now)).heads()).map((head) => [head.path, head]),
      );
      for (const [path, file] of Object.entries(truth.files)) {
        const head = heads.get(path);
        if (!path.endsWith('.md') || isIndexPath(path) || path.startsWith('logs/')) {
          assert.equal(head, undefined, path);
          continue;
        }
        assert.equal(head?.pinned, file.pinned ?? false, path);
        if (file.generation === 'none') assert.equal(head?.problem?.kind, 'no_type', path);
        else if (file.type) assert.equal(head?.type, file.type, path);
        if (file.problem) assert.equal(head?.problem?.kind, 'invalid_yaml', path);
      }
    });

    it('lose and gain no byte beyond the line of a key that is rewritten', async () => {
      let rewritten = 0;
      for (const folder of folders) {
        const store = open(folder);
        for (const { path, problem, description } of await store.heads()) {
          const text = (await store.readText(path)) ?? '';
          assert.equal(editFrontMatter(text, {}), text);
          if (problem?.kind === 'invalid_yaml' || !text.replace('\ufeff', '').startsWith('---')) {
            assert.throws(() => editFrontMatter(text, { description: 'x' }), path);
            continue;
          }
          const edited = editFrontMatter(text, { description: 'Replaced: by a test' });
          const before = text.split('\n');
          const after = edited.split('\n');
          const differing = after.filter((line) => !before.includes(line));
          assert.deepEqual(
            differing.map((line) => line.replace('\r', '')),
            ['description: "Replaced: by a test"'],
            path,
          );
          assert.equal(after.length - before.length, description === undefined ? 1 : 0, path);
          const { mtimeMs } = await stat(join(corpus ?? '', folder, path));
          assert.equal(parseMemory(path, edited, mtimeMs, Date.now()).description, 'Replaced: by a test');
          rewritten += 1;
        }
      }
      assert.ok(rewritten > 100, String(rewritten));
    });

    it('have indexes that are read to the last line and merged without touching any other', async () => {
      const truth = await truthOf();
      const text = (await open('tidy/seed1/memory').index('private')) ?? '';
      const { entries } = parseIndex(text);
      const linked = new Set(entries.map((entry) => entry.target));
      const unlinked = truth.index.mustLinkOnce.filter((path) => !linked.has(path));
      assert.deepEqual(unlinked.sort(), [...truth.index.addLines, 'feedback_feature_flags_off.md'].sort());
      for (const line of truth.index.dropDead)
        assert.ok(
          entries.some((entry) => entry.line === line),
          line,
        );

      const heads = new Map((await open('tidy/seed1/memory').heads()).map((head) => [head.path, head]));
      const merged = mergeIndex(text, {
        set: unlinked.map((target) => ({
          target,
          title: heads.get(target)?.name,
          hook: heads.get(target)?.description,
        })),
        remove: [truth.index.repair.wrong],
        typeOf: (target) => heads.get(target)?.type,
      });
      const lines = merged.split('\n');
      let at = -1;
      for (const line of truth.index.keepVerbatim) {
        at = lines.indexOf(line, at + 1);
        assert.ok(at >= 0, `kept in its place: ${line}`);
      }
      const found = parseIndex(loadedIndex(merged)).entries.map((entry) => entry.target);
      for (const target of truth.index.addLines) assert.equal(found.filter((one) => one === target).length, 1, target);
      assert.deepEqual(merged.split('\n').filter((line) => !text.split('\n').includes(line)).length, unlinked.length);
      for (const folder of folders)
        assert.equal(indexBudget((await open(folder).index('private')) ?? '').overBudget, false, folder);
    });

    it('have duplicates that are told from contradictions and look-alikes', async () => {
      const truth = await truthOf();
      const store = open('tidy/seed1/memory');
      const paths = (await store.heads()).map((head) => head.path);
      const bodies = new Map<string, string>();
      for (const path of paths) bodies.set(path, (await store.read(path))?.body ?? '');
      const relation = (a: string, b: string) => compareTexts(bodies.get(a) ?? '', bodies.get(b) ?? '').relation;
      for (const { kind, members } of truth.merges) {
        const expected = kind === 'superset' ? /^contain(?:s|ed)$/ : /^same$/;
        assert.match(relation(...members), expected, members.join());
      }
      for (const { older, newer } of truth.conflicts) assert.equal(relation(older, newer), 'contradicts', older);
      for (const { members } of truth.lookAlikes)
        assert.equal(
          relation(...members),
          members.some((path) => path.startsWith('team/')) ? 'same' : 'different',
          members.join(),
        );
      const known = new Set(
        [
          ...truth.merges.map(({ members }) => members),
          ...truth.conflicts.map(({ older, newer }) => [older, newer]),
          ...truth.lookAlikes.map(({ members }) => members),
        ].map((pair) => [...pair].sort().join()),
      );
      for (const [at, a] of paths.entries())
        for (const b of paths.slice(at + 1))
          if (!known.has([a, b].sort().join())) assert.equal(relation(a, b), 'different', `${a}, ${b}`);
    });

    it('hold nothing that is taken for a secret', async () => {
      for (const folder of folders) {
        const store = open(folder);
        for (const { path } of await store.heads())
          assert.deepEqual(await findSecrets((await store.readText(path)) ?? ''), [], path);
      }
    });
  },
);
