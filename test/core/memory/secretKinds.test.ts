import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { spellingsOf } from '../../../src/core/memory/secretSpellings';
import { findPlainSecrets, findSecrets } from '../../../src/core/memory/secrets';
import { harmlessLookAlikes } from '../../support/harmlessSamples';
import { dice, oddPlaces, secretKinds } from '../../support/secretSamples';

const kinds = Object.entries(secretKinds);
const places = Object.entries(oddPlaces);

describe('the kinds of secrets that the README lists', function () {
  this.timeout(60_000);

  it('are found in sixty odd places, every one', async () => {
    assert.ok(kinds.length >= 40);
    for (let at = 0; at < 60; at += 1) {
      const d = dice(7_000 + at);
      const [kind, make] = kinds[at % kinds.length] ?? d.pick(kinds);
      const [place, put] = places[(at * 5) % places.length] ?? d.pick(places);
      const found = await findSecrets(put(make(d), d));
      assert.notDeepEqual(found, [], `${kind} ${place}`);
    }
  });

  it('are found in any of the places, but for a short password that a line break cuts into two words', async () => {
    const missed: string[] = [];
    let looked = 0;
    for (const [kind, make] of kinds) {
      for (const [place, put] of places) {
        const d = dice(9_000 + looked);
        looked += 1;
        if ((await findSecrets(put(make(d), d))).length === 0) missed.push(`${kind} ${place}`);
      }
    }
    assert.deepEqual(
      missed.filter((one) => !one.startsWith('password assignment')),
      [],
    );
    assert.ok(missed.length <= 4, missed.join('; '));
    assert.equal(looked, kinds.length * places.length);
  });

  it('are found by our own rules alone, where a set of rules would take too long to load', () => {
    for (const [kind, make] of kinds) {
      const d = dice(31);
      assert.notDeepEqual(findPlainSecrets(`Use ${make(d)} for now.`), [], kind);
    }
  });

  it('are told by the line they begin in, whatever hides them', async () => {
    const secret = secretKinds['GitHub personal token']?.(dice(3)) ?? '';
    const masked = [
      secret,
      Buffer.from(secret).toString('base64'),
      `${secret.slice(0, 9)}\u200b${secret.slice(9)}`,
      `> ${secret.slice(0, 12)}\n> ${secret.slice(12)}`,
      secret.replace('_', '&#95;'),
    ];
    for (const text of masked) {
      const found = await findSecrets(`One.\nTwo.\n${text}\nFour.\n`);
      assert.ok(
        found.some(({ line }) => line === 3),
        text,
      );
      assert.ok(!JSON.stringify(found).includes(secret.slice(8, 20)));
    }
  });

  for (const seed of [1, 2, 3])
    it(`are not taken for two hundred look-alikes: at most four refused (seed ${seed})`, async () => {
      const refused: string[] = [];
      const all = harmlessLookAlikes(seed);
      for (const text of all) {
        const memory = `---\nname: Note\ndescription: A note\ntype: project\n---\n\n${text}\n`;
        if ((await findSecrets(memory)).length > 0) refused.push(text);
      }
      assert.equal(all.length, 200);
      assert.ok(refused.length <= 4, refused.join('\n'));
    });

  it('cost no more at the thousandth text than at the first: nothing is kept of what was looked at', async () => {
    const marks = () => performance.getEntriesByType('mark').length;
    await findSecrets('A first text.');
    const before = marks();
    for (let at = 0; at < 50; at += 1) await findSecrets(`Text ${at} of many.`);
    assert.equal(marks(), before);
  });

  it('are looked for in spellings that know the lines of the original', () => {
    const text = `a\n> b\n> ${Buffer.from('the robot signs in here').toString('base64')}`;
    for (const { content, lineAt, kind } of spellingsOf(text)) {
      assert.equal(lineAt(content.length - 1), 3, kind);
      if (kind !== 'decoded') assert.equal(lineAt(0), 1, kind);
    }
  });
});
