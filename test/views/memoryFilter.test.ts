// Which memories a filter lets through, and how it is called.

import { strict as assert } from 'node:assert';
import { createMatch, filteredOf, filterText, isFiltering, noFilter } from '../../src/views/memoryFilter';
import { fakeHead } from '../support/fakeProject';
import { englishWords } from '../support/words';

const head = fakeHead('team/deploy.md', {
  name: 'Preferência de implantação',
  description: 'Deploy from the blue runner',
  keywords: ['runner'],
});

describe('the filter of Memories', () => {
  it('lets everything through while nothing is chosen', () => {
    assert.equal(isFiltering(noFilter), false);
    assert.equal(createMatch(noFilter)(filteredOf(head, false)), true);
  });

  it('asks for every kind of thing that is chosen', () => {
    const passes = (filter: Partial<typeof noFilter>, isStale = false) =>
      createMatch({ ...noFilter, ...filter })(filteredOf(head, isStale));
    assert.equal(passes({ types: ['feedback', 'user'] }), true);
    assert.equal(passes({ types: ['user'] }), false);
    assert.equal(passes({ types: ['feedback'], scopes: ['private'] }), false);
    assert.equal(passes({ scopes: ['team'], isStale: true }), false);
    assert.equal(passes({ scopes: ['team'], isStale: true }, true), true);
    assert.equal(passes({ isPinned: true }), false);
  });

  it('finds words in any order, whatever their case and accents, in name, description, keywords and path', () => {
    const finds = (text: string) => createMatch({ ...noFilter, text })(filteredOf(head, false));
    for (const text of ['preferencia', 'BLUE deploy', 'runner', 'deploy.md', '  '])
      assert.equal(finds(text), true, text);
    assert.equal(finds('blue zebra'), false);
  });

  it('is called by what was chosen', () => {
    assert.equal(filterText({ ...noFilter, scopes: ['team'], isStale: true }, englishWords), 'Team, stale');
    assert.equal(filterText({ ...noFilter, text: ' lock ' }, englishWords), '“lock”');
  });
});
