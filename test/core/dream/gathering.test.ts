import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSettings } from '../../../src/core/engineSettings';
import {
  createTempProject,
  extractAll,
  openBeforeChats,
  settingsWith,
  type TempProject,
  turn,
} from '../../support/tempProject';

describe('what people said in the chats a dream looks back on', () => {
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createTempProject();
  });
  afterEach(() => temp.remove());

  const rule = 'Remember: release notes are written by the person who merges.';

  it('is proposed when nobody has considered it, with its sources', async () => {
    const project = await openBeforeChats(temp, { settings: settingsWith({ mode: 'off' }) });
    await temp.chat('one', turn(rule));
    const outcome = await project.dream.executeAutoDream('command', { force: true });
    assert.equal(outcome.outcome, 'proposed');
    assert.equal(outcome.sessionsReviewed, 1);
    const created = outcome.changes.find(({ kind }) => kind === 'create');
    assert.match(created?.after ?? '', /release notes are written by the person who merges/i);
    const [session = ''] = created?.sources ?? [];
    assert.equal(created?.sources.length, 1);
    const messages = created?.messages?.[session] ?? [];
    const place = await project.findSource({ session, messages, path: created?.path ?? '' });
    assert.deepEqual([messages.length, place?.line], [1, 1], 'the very message is known');
    const [entry] = await project.sessions();
    assert.ok(entry);
    assert.equal(await project.titleOf(entry.session), rule);
    assert.match(created?.reason ?? '', /Said in a chat/);
    assert.deepEqual(await temp.memories().then(({ '.consolidate-lock': _, ...files }) => files), {});
    const { run } = await project.dream.apply(outcome.proposalId ?? '');
    assert.ok((await temp.memory('MEMORY.md'))?.includes('elease notes'));
    assert.equal((await project.dream.executeAutoDream('command', { force: true })).outcome, 'unchanged');
    // What a person took back is not learned again.
    await project.undo(run);
    assert.equal((await project.dream.executeAutoDream('command', { force: true })).outcome, 'unchanged');
  });

  it('is not learned twice: what extraction has kept, and what a person forgot, is left', async () => {
    const project = await openBeforeChats(temp);
    await temp.chat('one', turn(rule));
    const [saved] = await extractAll(project);
    const [path = ''] = saved?.writtenPaths ?? [];
    assert.equal((await project.dream.executeAutoDream('command', { force: true })).outcome, 'unchanged');
    await project.forget([path]);
    assert.equal((await project.dream.executeAutoDream('command', { force: true })).outcome, 'unchanged');
  });

  it('that was only meant counts when several chats mean the same', async () => {
    const project = await openBeforeChats(temp);
    await temp.chat('one', turn('Legal wants the consent text word for word.'));
    await extractAll(project);
    const once = await project.dream.executeAutoDream('command', { force: true });
    assert.equal(once.outcome, 'unchanged');
    await temp.chat('two', turn('Legal wants the consent text word for word.'));
    await extractAll(project);
    const twice = await project.dream.executeAutoDream('command', { force: true });
    const fact = twice.changes.find(({ kind }) => kind === 'create');
    assert.match(fact?.after ?? '', /consent text/);
    assert.match(fact?.reason ?? '', /Said in 2 chats/);
    assert.equal((await project.suggestions()).length, 1);
    await project.dream.apply(twice.proposalId ?? '');
    while ((await project.suggestions()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('before the first use is looked at only when a person asks, and only proposed', async () => {
    await temp.chat('old', turn(rule));
    const project = await temp.open({
      settings: { ...defaultSettings, dream: { ...defaultSettings.dream, minSessions: 1, mode: 'automatic' } },
    });
    await project.behind();
    const byItself = await project.dream.executeAutoDream('quiet');
    assert.equal(byItself.outcome, 'unchanged');
    const later = new Date(Date.now() + 5000);
    await utimes(await temp.chat('old', turn('Thanks.')), later, later);
    const asked = await project.dream.executeAutoDream('command', { force: true });
    assert.ok(asked.changes.some(({ after }) => /release notes/i.test(after ?? '')));
  });

  it('F-35: only chat sessions by their names are counted, newer than the last dream, without the current one', async () => {
    const project = await openBeforeChats(temp, {
      settings: { ...defaultSettings, dream: { ...defaultSettings.dream, minSessions: 2 } },
    });
    // A dream was: what is as old as it, to the millisecond, was looked at.
    const last = new Date('2026-11-20T09:00:00.000Z');
    await mkdir(temp.memoryDir, { recursive: true });
    await writeFile(join(temp.memoryDir, '.consolidate-lock'), '');
    await utimes(join(temp.memoryDir, '.consolidate-lock'), last, last);
    await utimes(await temp.chat('as old', turn('Hello.')), last, last);
    const current = await temp.chat('one', turn('Hello.'));
    await temp.chat('two', turn('Hello.'));
    const text = await readFile(current, 'utf8');
    await mkdir(join(temp.transcriptDir, 'subagents'));
    for (const name of ['agent-0a1b2c3d', 'notes', 'subagents/00000000-0000-4000-8000-000000000001'])
      await writeFile(join(temp.transcriptDir, `${name}.jsonl`), text);
    const id = /([^/]+)\.jsonl$/.exec(current)?.[1] ?? '';
    const { gate, gates } = await project.dream.executeAutoDream('turnEnd', { currentSession: id });
    assert.deepEqual([gate, gates.at(-1)?.value], ['sessions', 1]);
  });

  it('starts dreams at the ends of turns only when every gate is open', async () => {
    const project = await openBeforeChats(temp);
    const { results } = await project.dream.whyNot();
    assert.deepEqual(
      results.map(({ name, open }) => [name, open]),
      [
        ['assistant', true],
        ['enabled', true],
        ['time', true],
        ['throttle', true],
        ['sessions', false],
        ['lock', true],
      ],
    );
    await project.pause(undefined);
    assert.deepEqual((await project.dream.executeAutoDream('command', { force: true })).gate, 'enabled');
  });
});
