import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../../src/core/disk';
import { silentLogger } from '../../../src/core/log';
import type { Recollection } from '../../../src/core/recall/recall';
import { openRecalled } from '../../../src/core/recall/recalled';
import { refusingDisk } from '../../support/disks';
import { createTempProject, type TempProject } from '../../support/tempProject';

const found = (query: string, ...paths: readonly string[]): Recollection => ({
  query,
  selector: 'lexical',
  considered: 9,
  suppressed: [],
  memories: paths.map((path) => ({
    path,
    name: path.replace('.md', ''),
    type: 'project',
    scope: 'private',
    ageDays: 3,
    why: 'Picked for: “x” (name)',
    picked: { by: 'words', words: [] },
    content: 'Words of the memory.',
    truncated: false,
  })),
});

describe('what was brought back', function () {
  this.timeout(20_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
    await temp.put('staging.md', '---\nname: Staging database\ntype: project\n---\n\nPort 5433 on the staging host.\n');
  });
  afterEach(() => temp.remove());

  let clock = 1_000;
  const log = (disk = nodeDisk) =>
    openRecalled({ folder: join(temp.base, 'state'), disk, now: () => ++clock, log: silentLogger });
  const files = async () => (await readdir(join(temp.base, 'state'))).sort();

  it('is noted with its way and its question, newest first, and not when nobody names a way', async () => {
    const project = await temp.open();
    await project.recall('which port does staging have?', { way: 'inline' });
    await project.recall('where is the staging database?');
    await project.recall('the weather in Lisbon', { way: 'mcp' });
    const turns = await (await temp.open()).recalled();
    assert.deepEqual(
      turns.map(({ way, query, considered, memories }) => [way, query, considered, memories.map(({ path }) => path)]),
      [
        ['mcp', 'the weather in Lisbon', 1, []],
        ['inline', 'which port does staging have?', 1, ['staging.md']],
      ],
    );
    assert.deepEqual(turns[1]?.memories[0]?.picked.words[0], { word: 'port', field: 'body' });
  });

  it('is silent of an empty answer that no one asked for', async () => {
    const project = await temp.open();
    await project.recall('please fix the build', { way: 'hook', automatic: true });
    await project.recall('use the staging port', { way: 'hook', automatic: true });
    assert.deepEqual(
      (await project.recalled()).map(({ query }) => query),
      ['use the staging port'],
    );
  });

  it('knows what a person said does not fit, for that question only, and tells of it', async () => {
    const project = await temp.open();
    await project.recall('which port does staging have?', { way: 'inline' });
    await project.recall('is the staging database up?', { way: 'palette' });
    let told = 0;
    const listening = project.onDidChangeRecalled(() => {
      told += 1;
    });
    await project.markRelevance('staging.md', 'which port does staging have?', false);
    assert.equal(told, 1);
    const leftOut = async () => (await project.recalled()).map((turn) => turn.leftOut);
    assert.deepEqual(await leftOut(), [[], ['staging.md']]);
    await project.markRelevance('staging.md', 'which port does staging have?', true);
    assert.deepEqual(await leftOut(), [[], []]);
    listening.dispose();
  });

  it('keeps no question that holds a secret, and no text of a memory', async () => {
    const recalled = log();
    await recalled.add(
      found('why is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 refused?', 'a.md'),
      'hook',
      true,
    );
    await recalled.add(found('x'.repeat(5_000), 'a.md'), 'hook', true);
    const text = await readFile(join(temp.base, 'state', 'recalled.1.jsonl'), 'utf8');
    assert.ok(!text.includes('sk-ant') && !text.includes('Words of the memory'));
    assert.deepEqual(
      (await recalled.all()).map(({ query }) => query.length),
      [1_000, 0],
    );
  });

  it('keeps some hundred records in two files, the newest, while several processes write', async () => {
    const several = [log(), log(), log()];
    const long = 'a question of some length '.repeat(30);
    for (let at = 0; at < 600; at += 1)
      await Promise.all(several.map((one, who) => one.add(found(`${at} by ${who} ${long}`, 'a.md'), 'tool', false)));
    assert.equal((await files()).length, 2);
    const all = await log().all();
    assert.ok(all.length > 200 && all.length <= 300, `${all.length}`);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    const last = all.slice(0, 3).map(({ query }) => query.slice(0, 8));
    assert.deepEqual(last.sort(), ['599 by 0', '599 by 1', '599 by 2']);
  });

  it('reads past lines that are torn or not ours', async () => {
    const recalled = log();
    await recalled.add(found('first', 'a.md'), 'mcp', false);
    const file = join(temp.base, 'state', 'recalled.1.jsonl');
    await appendFile(file, '{"id":"x","at":1,"way":"mcp","query":"to');
    await recalled.add(found('second', 'b.md'), 'mcp', false);
    await appendFile(file, '{"id":"x","at":1,"way":"telepathy","query":"","memories":[]}\n[1]\nnull\n');
    await appendFile(file, '{"id":"y","at":1,"way":"mcp","query":"third","memories":[{"path":7},null]}\n');
    assert.deepEqual(
      (await recalled.all()).map(({ query, memories }) => [query, memories.length]),
      [
        ['second', 1],
        ['first', 1],
        ['third', 0],
      ],
    );
  });

  it('is cleared when a person says so', async () => {
    const recalled = log();
    await recalled.add(found('first', 'a.md'), 'mcp', false);
    await recalled.clear();
    assert.deepEqual(await recalled.all(), []);
    await recalled.add(found('second', 'a.md'), 'mcp', false);
    assert.equal((await recalled.all()).length, 1);
  });

  it('stands in no answer’s way when it can’t be kept', async () => {
    await log(refusingDisk('ENOSPC', () => true)).add(found('first', 'a.md'), 'mcp', false);
    assert.deepEqual(await log().all(), []);
  });

  it('tells of records that another process wrote', async () => {
    const recalled = log();
    let told = 0;
    recalled.onDidChange(() => {
      told += 1;
    });
    recalled.heard('recalled.2.jsonl');
    recalled.heard('pause.json');
    recalled.heard(undefined);
    assert.equal(told, 2);
  });
});
