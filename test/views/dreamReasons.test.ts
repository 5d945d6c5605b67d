// Why a dream did something, in the person's language.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReasonCode, reasonFor, reasonSentences, reasonText } from '../../src/core/dream/reasons';
import { dreamReason, reasonsText } from '../../src/views/dreamReasons';
import { englishWords } from '../support/words';

const codes = Object.keys(reasonSentences) as ReasonCode[];

describe('the reasons of a dream', () => {
  it('are in English what the engine says, each of them', () => {
    assert.ok(codes.length > 40);
    for (const code of codes) {
      const reason = reasonFor(code, '7', 'b.md');
      assert.equal(dreamReason(reason, englishWords), reasonText(reason), code);
    }
  });

  it('are said in Portuguese to those who read it', () => {
    const bundle = JSON.parse(readFileSync(join(__dirname, '../../l10n/bundle.l10n.pt-br.json'), 'utf8'));
    const words = {
      ...englishWords,
      t: (text: string, ...values: (string | number | boolean)[]) =>
        String(bundle[text]).replace(/\{(\d)\}/g, (_place, at: string) => String(values[Number(at)])),
    };
    const merged = [reasonFor('grown', 'b.md'), reasonFor('deadlinePassed', '2026-04-23')];
    assert.equal(
      reasonsText('English', merged, words),
      'O que só b.md dizia foi acrescentado. O prazo, 2026-04-23, já passou.',
    );
  });

  it('stay in the words of a model where there are no others', () => {
    assert.equal(reasonsText('the ledger moved', undefined, englishWords), 'the ledger moved');
    assert.equal(reasonsText('the ledger moved', [], englishWords), 'the ledger moved');
  });
});
