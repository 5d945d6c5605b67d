// What a person reads before others read a memory.

import { strict as assert } from 'node:assert';
import type { MoveNote } from '../../src/core/memory/moving';
import { folderProblem, noteText, reachText, refusedText } from '../../src/views/moveTexts';
import { englishWords as words } from '../support/words';

const relations = ['same', 'contains', 'contained', 'contradicts'] as const;
const notes: readonly MoveNote[] = [
  { kind: 'left_out', keys: ['originSessionId'] },
  { kind: 'home_path', line: 3, words: '/home/ana' },
  { kind: 'email', line: 3, words: 'a@b.c' },
  { kind: 'person', line: 3, words: 'Ana' },
  { kind: 'private_link', line: 3, words: 'Role' },
  ...relations.map((relation) => ({ kind: 'team_says' as const, path: 'team/a.md', name: 'Tabs', relation })),
  { kind: 'usually_private' },
  { kind: 'team_links', paths: ['team/a.md'] },
  { kind: 'team_links', paths: ['team/a.md', 'team/b.md'] },
];

describe('what is said before a memory is shared', () => {
  it('is a sentence of its own for every note, with the line where there is one', () => {
    const texts = notes.map((note) => noteText(note, words));
    // “The same” and “a part of it” come to the same: the team has it.
    assert.equal(new Set(texts.map(({ text }) => text)).size, notes.length - 1);
    assert.deepEqual(
      texts.filter(({ line }) => line === 3).map(({ text }) => text),
      [
        'Line 3 names a folder of yours: /home/ana',
        'Line 3 names an address: a@b.c',
        'Line 3 names you: Ana',
        'Line 3 links to “Role”, which others do not have',
      ],
    );
  });

  it('names rule and line of a secret', () => {
    assert.equal(
      refusedText('Deploy', { kind: 'secret', rule: 'github', line: 9 }, words),
      '“Deploy” stays private: line 9 looks like it holds a secret (rule “github”).',
    );
    for (const kind of ['type', 'problem', 'path', 'secret'] as const)
      assert.match(refusedText('a\nb', { kind }, words), /“a b”/);
  });

  it('says who gets it from there', () => {
    const texts = [reachText(true, false, words), reachText(true, true, words), reachText(false, false, words)];
    assert.match(texts[0] ?? '', /commit and push/);
    assert.match(texts[1] ?? '', /ignores/);
    assert.match(texts[2] ?? '', /this machine only/);
  });

  it('takes a folder in the repository and nothing else', () => {
    for (const fine of ['docs/memory', '.reverie/team', 'docs\\memory', 'notes/', ' a '])
      assert.equal(folderProblem(fine, words), undefined, fine);
    for (const bad of ['', ' ', '.', '/etc', '~/x', 'C:\\x', '../x', 'a/../../b', '.git/x', 'a//b', './a'])
      assert.ok(folderProblem(bad, words), bad);
  });
});
