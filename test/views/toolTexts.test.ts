// What a person is asked before an agent changes their memory, and what an agent is told that asks for nonsense.

import { strict as assert } from 'node:assert';
import { MemoryError } from '../../src/core/memoryError';
import type { Project } from '../../src/core/project';
import { answered } from '../../src/toolAnswers';
import type { Piece } from '../../src/views/hovers';
import { confirmForget, confirmSave, folderIn, pathIn, recallIn, saveIn } from '../../src/views/toolTexts';
import { englishWords } from '../support/words';

const plain = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('text' in piece ? piece.text : piece.markdown)).join('');
const textsOf = (pieces: readonly Piece[]) => pieces.flatMap((piece) => ('text' in piece ? [piece.text] : []));

describe('what an agent asks of memory', () => {
  it('is taken only in the form that was agreed, and cut to it where that loses nothing', () => {
    assert.deepEqual(recallIn({ query: ' deploy? ', limit: 99, recentTools: ['a', 1], other: true }), {
      query: 'deploy?',
      limit: 5,
      recentTools: ['a'],
    });
    assert.deepEqual(saveIn({ text: 'x', type: 'secret', scope: 'world', name: '' }), { text: 'x' });
    assert.deepEqual(
      [folderIn({ folder: 'app' }), folderIn({ folder: 7 }), folderIn(null)],
      ['app', undefined, undefined],
    );
  });

  it('is refused with what to do next when it says nothing, and never kept cut', () => {
    for (const input of [undefined, {}, { query: ' ' }, { query: 'x'.repeat(4001) }])
      assert.throws(() => recallIn(input), /Try again/);
    for (const input of [null, { text: '' }, { text: 'x'.repeat(20_001) }])
      assert.throws(() => saveIn(input), /Try again/);
    assert.throws(() => pathIn({ path: 3 }), /Recall first/);
  });
});

describe('the question before an agent saves', () => {
  it('shows the very words, what kind it is and who will see it', () => {
    const { title, message } = confirmSave({ text: 'Deploy on\nTuesdays' }, 'project', englishWords);
    assert.equal(title, 'Save this as a memory?');
    assert.match(plain(message), /> Deploy on\n> Tuesdays\n\nproject · private\. It is kept on this machine.*undo/);
    const team = confirmSave({ text: 'x', scope: 'team', name: 'Rule' }, 'feedback', englishWords);
    assert.match(`${team.title} ${plain(team.message)}`, /Save “Rule”.*Everybody who works on this project/s);
  });

  it('lets no Markdown of the model be more than text', () => {
    const { message } = confirmSave({ text: '[x](command:quit)\n# Big' }, 'user', englishWords);
    assert.ok(textsOf(message).includes('[x](command:quit)') && textsOf(message).includes('# Big'));
  });

  it('says how much it does not show', () => {
    const { message } = confirmSave({ text: 'y'.repeat(700) }, 'user', englishWords);
    assert.match(plain(message), /\(100 more characters\)/);
  });
});

describe('the question before an agent forgets', () => {
  const memory = { name: 'Old rule', body: 'Never on Fridays.', pinned: true } as Parameters<typeof confirmForget>[1];
  it('names the memory, shows what it says, and says that it comes back', () => {
    const { title, message } = confirmForget('a.md', memory, englishWords);
    assert.equal(title, 'Forget “Old rule”?');
    assert.match(plain(message), /> Never on Fridays\.\n\na\.md\. It is pinned\. It goes to the trash.*ninety days/);
  });
  it('is asked of a path too that leads to nothing', () => {
    assert.equal(confirmForget('a.md', undefined, englishWords).title, 'Forget “a.md”?');
  });
});

describe('an answer to an agent', () => {
  const project = (rest?: Awaited<ReturnType<Project['rest']>>) => ({ rest: async () => rest });
  const paths = 'Recall first.';
  it('says to go on without memory while it rests, and does nothing then', async () => {
    for (const rest of [
      { kind: 'untrusted' },
      { kind: 'paused', until: undefined },
      { kind: 'disabled', by: 'x' },
    ] as const) {
      const { text, isError } = await answered(project(rest), paths, async () => assert.fail('it ran'));
      assert.ok(isError && text.endsWith('Go on without memory.'), text);
    }
  });
  it('turns a refusal into what to do next', async () => {
    const told = async (error: Error) => (await answered(project(), paths, () => Promise.reject(error))).text;
    assert.equal(await told(new MemoryError('not_found', 'There is none.')), 'There is none. Recall first.');
    assert.equal(await told(new MemoryError('busy', 'Busy.')), 'Busy. Try again in a moment.');
    assert.equal(await told(new Error('Odd.')), 'Odd.');
  });
});
