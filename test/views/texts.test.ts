// Every text can be translated and is: the bundles hold exactly what the source says, and a translation keeps the places
// where arguments go.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf, findTexts } from '../support/texts';

const root = join(__dirname, '../..');
const read = (file: string): Record<string, string> => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { texts, computed } = findTexts(join(root, 'src'));
const english = read('l10n/bundle.l10n.json');
const portuguese = read('l10n/bundle.l10n.pt-br.json');

describe('the texts', () => {
  it('are literals, so that each can be found', () => {
    assert.deepEqual(computed, []);
    assert.ok(texts.size > 100, `${texts.size} texts`);
  });

  it('stand in both bundles, and nothing else does', () => {
    const expected = [...texts].sort();
    assert.deepEqual(Object.keys(english).sort(), expected);
    assert.deepEqual(Object.keys(portuguese).sort(), expected);
  });

  it('are in English what the source says', () => {
    assert.deepEqual(
      Object.entries(english).filter(([key, text]) => key !== text),
      [],
    );
  });

  it('keep their arguments in Portuguese', () => {
    for (const [key, text] of Object.entries(portuguese)) assert.deepEqual(argumentsOf(text), argumentsOf(key), key);
  });

  it('are translated: what is the same in both languages is a word of both', () => {
    const same = Object.entries(portuguese).filter(([key, text]) => key === text);
    assert.deepEqual(same.map(([key]) => key).sort(), [
      'Feedback',
      'feedback',
      '{0} KB',
      '{0} d',
      '{0} h',
      '{0} min',
      '{0} tokens',
      '“{0}”',
    ]);
  });
});

describe('the manifest’s texts', () => {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const used = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
  const nls = read('package.nls.json');
  const nlsPortuguese = read('package.nls.pt-br.json');

  it('stand in both files, and nothing else does', () => {
    const expected = [...used].sort();
    assert.deepEqual(Object.keys(nls).sort(), expected);
    assert.deepEqual(Object.keys(nlsPortuguese).sort(), expected);
  });

  it('lead to the same commands in both languages', () => {
    const links = (text: string | undefined) =>
      [...(text ?? '').matchAll(/\(command:[^)]*\)|\$\([a-z-]+\)/g)].map(String);
    for (const [key, text] of Object.entries(nls)) assert.deepEqual(links(nlsPortuguese[key]), links(text), key);
  });
});
