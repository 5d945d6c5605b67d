// Two people, two clones, one bare repository: each keeps, edits, moves and forgets memories of the team through Reverie's own verbs,
// commits and pulls; where git can't join two sides, a scripted person does. After each step the promises are looked at.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSettings } from '../../src/core/engineSettings';
import { conflictLineOf } from '../../src/core/memory/conflictMarks';
import { parseIndex } from '../../src/core/memory/memoryIndex';
import { MemoryError } from '../../src/core/memoryError';
import { openProject } from '../../src/core/openProject';
import type { Project } from '../../src/core/project';
import { type Dice, dice } from './secretSamples';

export interface Rounds {
  readonly merges: number;
  /** Merges that git could not make by itself. */
  readonly conflicts: number;
  /** Attempts to write over marks, all of them refused. */
  readonly refusals: number;
  readonly memories: number;
}

interface Person {
  readonly name: string;
  readonly top: string;
  readonly team: string;
  open(): Promise<Project>;
}

const nouns = [
  'gateway',
  'ledger',
  'invoice',
  'warehouse',
  'scheduler',
  'mailer',
  'search',
  'billing',
  'quota',
  'beacon',
];
const verbs = [
  'deploys',
  'restarts',
  'is reviewed',
  'is backed up',
  'rotates its logs',
  'is paged',
  'is tested',
  'freezes',
];
const days = [
  'on Mondays',
  'on Tuesdays',
  'at noon',
  'before a release',
  'after the standup',
  'once a quarter',
  'every night',
];

function git(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'core.autocrlf=false', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
  });
  return { status: status ?? 1, out: `${stdout}${stderr}` };
}

function must(cwd: string, ...args: string[]): string {
  const { status, out } = git(cwd, ...args);
  assert.equal(status, 0, `git ${args.join(' ')}: ${out}`);
  return out;
}

/** `style` is how git writes its marks. */
export async function runTeamRounds(
  base: string,
  rounds: number,
  seed: number,
  style: 'merge' | 'diff3' | 'zdiff3' = 'merge',
  isUnion = true,
): Promise<Rounds> {
  const d = dice(seed);
  const bare = join(base, 'hub.git');
  must(base, 'init', '-q', '--bare', '-b', 'main', bare);
  const people: Person[] = [];
  for (const name of ['ana', 'bruno']) {
    const top = join(base, name);
    must(base, 'clone', '-q', bare, top);
    must(top, 'config', 'user.name', name);
    must(top, 'config', 'user.email', `${name}@example.net`);
    must(top, 'config', 'merge.conflictStyle', style);
    must(top, 'checkout', '-q', '-B', 'main');
    people.push({
      name,
      top,
      team: join(top, 'docs/team'),
      open: () =>
        openProject({
          directory: top,
          configDir: join(base, `config-${name}`),
          homeDir: base,
          env: {},
          trusted: true,
          settings: { ...defaultSettings, team: { enabled: true, directory: 'docs/team' } },
        }),
    });
  }
  const [ana, bruno] = people as [Person, Person];
  const first = await ana.open();
  await first.switchTeam({ enabled: true, directory: 'docs/team' });
  for (const noun of nouns.slice(0, 6))
    await first.remember({ text: `The ${noun} begins at noon, ticket ${noun}-0.`, type: 'project', scope: 'team' });
  first.dispose();
  if (!isUnion) await writeFile(join(ana.team, '.gitattributes'), '');
  must(ana.top, 'add', '-A');
  must(ana.top, 'commit', '-qm', 'Begin');
  must(ana.top, 'push', '-q', 'origin', 'main');
  must(bruno.top, 'pull', '-q', '--no-rebase', 'origin', 'main');

  let count = 0;
  let merges = 0;
  let conflicts = 0;
  let refusals = 0;
  for (let round = 0; round < rounds; round += 1) {
    const facts = new Map<Person, ReadonlySet<string>>();
    const isDuel = round % 2 === 0;
    for (const person of people) {
      const before = await sentences(person.team);
      const removed = new Set<string>();
      const project = await person.open();
      await project.recover();
      const changes = 1 + d.below(3);
      for (let at = 0; at < changes; at += 1) {
        count += 1;
        await changeOne(project, d, `${person.name}-${count}`, removed);
      }
      if (isDuel) await renameFirst(project, `${person.name} ${round}`);
      await agrees(project, person.team);
      project.dispose();
      const after = await sentences(person.team);
      for (const one of before) assert.ok(after.has(one) || removed.has(one), `${person.name} lost “${one}” by a verb`);
      facts.set(person, after);
      must(person.top, 'add', '-A');
      git(person.top, 'commit', '-qm', `Round ${round}`);
    }
    // One pushes, the other merges; then the first gets the merge.
    const [one, other] = d.below(2) === 0 ? [ana, bruno] : [bruno, ana];
    must(one.top, 'push', '-q', 'origin', 'HEAD:main');
    must(other.top, 'fetch', '-q', 'origin');
    const ancestor = must(other.top, 'merge-base', 'HEAD', 'origin/main').trim();
    const old = sentencesAt(other.top, ancestor);
    const merged = git(other.top, 'merge', '-q', '--no-edit', 'origin/main');
    merges += 1;
    if (merged.status !== 0) {
      conflicts += 1;
      refusals += await triesToWrite(other, d, `${round}`);
      await resolve(other, d);
      await recovers(other);
      must(other.top, 'add', '-A');
      must(other.top, 'commit', '-qm', 'Merge');
    } else {
      await recovers(other);
      must(other.top, 'add', '-A');
      git(other.top, 'commit', '-qm', 'Bring the index to agreement');
    }
    const now = await sentences(other.team);
    const both = [...(facts.get(one) ?? [])].filter((fact) => (facts.get(other) ?? new Set()).has(fact));
    for (const fact of both) assert.ok(now.has(fact), `round ${round}: what both have is gone: ${fact}`);
    for (const person of people)
      for (const fact of facts.get(person) ?? [])
        if (!old.has(fact)) assert.ok(now.has(fact), `round ${round}: ${person.name}’s new “${fact}” is gone`);
    must(other.top, 'push', '-q', 'origin', 'HEAD:main');
    must(one.top, 'pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main');
    await recovers(one);
    assert.deepEqual(await sentences(one.team), now);
  }
  return {
    merges,
    conflicts,
    refusals,
    memories: (await readdir(ana.team)).filter((name) => name.endsWith('.md')).length - 1,
  };
}

/** A person opens the project after git was at work: the index is brought to agreement. */
async function recovers({ open, team }: Person): Promise<void> {
  const project = await open();
  await project.recover();
  await agrees(project, team);
  project.dispose();
}

/** One thing that a person does, by Reverie's own verbs. */
async function changeOne(project: Project, d: Dice, id: string, removed: Set<string>): Promise<void> {
  const heads = await project.heads();
  const shared = heads.filter(({ scope, problem }) => scope === 'team' && problem === undefined);
  const own = heads.filter(({ scope }) => scope === 'private');
  // A team keeps its folder small: what an index has no room for has no line to compare.
  const what = shared.length < 4 ? 0 : shared.length > 30 ? 5 : d.below(8);
  // Both often turn to the same one.
  const [hot] = shared.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const target = d.below(2) === 0 ? hot : shared.length > 0 ? d.pick(shared) : undefined;
  if (what <= 2 || !target) {
    const text = `The ${d.pick(nouns)} ${d.pick(verbs)} ${d.pick(days)}, ticket ${id}.`;
    await project.remember({ text, type: d.pick(['project', 'reference', 'feedback'] as const), scope: 'team' });
  } else if (what === 3) await project.rename(target.path, `${d.pick(nouns)} ${id}`);
  else if (what === 4) await project.pin(target.path, !target.pinned);
  else if (what === 5) {
    const memory = await project.read(target.path);
    await project.forget([target.path]);
    for (const fact of factsIn(memory?.text ?? '')) removed.add(fact);
  } else if (what === 6) {
    const memory = await project.read(target.path);
    await project.move([target.path], 'private');
    for (const fact of factsIn(memory?.text ?? '')) removed.add(fact);
  } else if (own.length > 0) await project.move([d.pick(own).path], 'team');
  else await project.verify(target.path);
}

/** What both do at once to the same memory is what git can't join. */
async function renameFirst(project: Project, name: string): Promise<void> {
  const [first] = (await project.heads())
    .filter(({ scope, problem }) => scope === 'team' && problem === undefined)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (first) await project.rename(first.path, `First of ${name}`);
}

/** While there are marks, nothing that holds them is written, recalled or read; the rest goes on. */
async function triesToWrite(person: Person, d: Dice, id: string): Promise<number> {
  const marked = (await readdir(person.team)).filter((name) => /\.md$/.test(name));
  const texts = new Map<string, string>();
  for (const name of marked) {
    const text = await readFile(join(person.team, name), 'utf8');
    if (conflictLineOf(text) !== undefined) texts.set(name, text);
  }
  const project = await person.open();
  await project.recover();
  let refused = 0;
  const heads = await project.heads();
  const state = await project.teamFolder();
  for (const name of texts.keys()) {
    const path = `team/${name}`;
    assert.ok(
      state.refused.some((entry) => entry.path === path && entry.rule === 'merge_conflict' && (entry.line ?? 0) > 0),
      `${path} is shown`,
    );
    if (name === 'MEMORY.md') continue;
    assert.equal(heads.find((head) => head.path === path)?.problem?.kind, 'merge_conflict');
    assert.equal(await project.usable.read(path), undefined);
    for (const change of [
      () => project.pin(path, true),
      () => project.rename(path, 'Over it'),
      () => project.forget([path]),
      () => project.move([path], 'private'),
    ]) {
      const outcome = await change().then(
        () => 'done',
        (error: unknown) => error,
      );
      if (outcome instanceof MemoryError) refused += 1;
      assert.equal(await readFile(join(person.team, name), 'utf8'), texts.get(name), 'nothing is written over marks');
    }
  }
  if (texts.has('MEMORY.md')) {
    assert.ok(!(await project.usable.indexes()).includes('<<<<<<<'));
    // A memory is kept all the same; its line waits until the marks are gone.
    await project.remember({
      text: `The ${d.pick(nouns)} waits for a merge, ticket m${id}.`,
      type: 'project',
      scope: 'team',
    });
    assert.equal(await readFile(join(person.team, 'MEMORY.md'), 'utf8'), texts.get('MEMORY.md'));
  }
  const found = await project.recall('ticket of the gateway, ledger and invoice that deploys on Mondays');
  for (const { content } of found.memories) assert.ok(!/^(?:<{7}|>{7}|={7})/m.test(content));
  project.dispose();
  return refused;
}

/** A person takes both sides of each place, and keeps a file that one side changed and the other took away. */
async function resolve({ top, team }: Person, d: Dice): Promise<void> {
  for (const line of must(top, 'status', '--porcelain', '-uall').split('\n')) {
    const [, state = '', path = ''] = /^(..) "?(.+?)"?$/.exec(line) ?? [];
    if (state === 'DU' || state === 'UD') must(top, 'add', '--', path);
  }
  for (const name of await readdir(team)) {
    if (!name.endsWith('.md')) continue;
    const file = join(team, name);
    const text = await readFile(file, 'utf8');
    if (conflictLineOf(text) === undefined) continue;
    const [head, body] = name === 'MEMORY.md' ? ['', text] : splitHead(text);
    await writeFile(file, choose(head, d.below(2)) + both(body));
  }
}

/** Of a front matter only one side can stay; of a body both. */
function splitHead(text: string): readonly [string, string] {
  const end = text.lastIndexOf('\n---\n');
  const last = text.lastIndexOf('>>>>>>> ');
  const cut = end === -1 ? 0 : end + 5;
  return last !== -1 && last < cut ? [text.slice(0, cut), text.slice(cut)] : ['', text];
}

const place = /^<{7}[^\n]*\n([\s\S]*?)(?:^\|{7}[^\n]*\n[\s\S]*?)?^={7}\n([\s\S]*?)^>{7}[^\n]*\n/gm;
const choose = (text: string, side: number): string => text.replace(place, side === 0 ? '$1' : '$2');
function both(text: string): string {
  return text.replace(place, (_all, ours: string, theirs: string) => {
    const lines = ours.split('\n');
    return (
      ours +
      theirs
        .split('\n')
        .filter((line) => line === '' || !lines.includes(line))
        .join('\n')
    );
  });
}

/** The index lists each memory once and nothing that is not there. */
async function agrees(project: Project, team: string): Promise<void> {
  const names = (await readdir(team)).filter((name) => name.endsWith('.md') && name !== 'MEMORY.md').sort();
  const text = await readFile(join(team, 'MEMORY.md'), 'utf8').catch(() => '');
  assert.equal(conflictLineOf(text), undefined);
  const listed = parseIndex(text).entries.map(({ target }) => target);
  assert.deepEqual(listed.toSorted(), names);
  assert.deepEqual(
    (await project.heads())
      .filter(({ scope }) => scope === 'team')
      .map(({ path }) => path.slice(5))
      .toSorted(),
    names,
  );
}

const factsIn = (text: string): string[] => text.match(/ticket [\w-]+/g) ?? [];

async function sentences(team: string): Promise<ReadonlySet<string>> {
  await mkdir(team, { recursive: true });
  const found = new Set<string>();
  for (const name of await readdir(team)) {
    if (!name.endsWith('.md') || name === 'MEMORY.md') continue;
    for (const fact of factsIn(bodyOf(await readFile(join(team, name), 'utf8')))) found.add(fact);
  }
  return found;
}

const bodyOf = (text: string): string => text.slice(text.indexOf('\n---\n') + 5);

function sentencesAt(top: string, commit: string): ReadonlySet<string> {
  const { out } = git(top, 'grep', '-hE', 'ticket [a-zA-Z0-9-]+', commit, '--', 'docs/team/*.md');
  return new Set(factsIn(out));
}
