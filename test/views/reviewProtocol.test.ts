// What comes from the page is looked at before it is believed.

import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseRequest } from '../../src/views/reviewProtocol';

describe('a request of the page', () => {
  it('is taken when it is one, without what does not belong to it', () => {
    const requests = [
      { type: 'ready', request: 1 },
      {
        type: 'apply',
        request: 2,
        proposal: 'p',
        all: false,
        cards: [
          { id: 'a.md', hunks: [0, 2] },
          { id: 'q', answer: 'both' },
        ],
      },
      { type: 'discard', request: 3, proposal: 'p' },
      { type: 'undo', request: 4 },
      { type: 'openDiff', request: 5, card: 'a.md' },
      { type: 'openSource', request: 6, card: 'a.md', source: 1 },
      { type: 'openMemory', request: 7, path: 'a.md' },
      { type: 'act', request: 8, action: 'runDream' },
    ];
    for (const request of requests) assert.deepEqual(parseRequest({ ...request, more: 'x' }), request);
  });

  it('is refused when it is anything else', () => {
    for (const value of [
      undefined,
      'ready',
      { type: 'ready' },
      { type: 'ready', request: '1' },
      { type: 'apply', request: 1, proposal: 'p', all: true, cards: [{ id: 1 }] },
      { type: 'apply', request: 1, proposal: 'p', all: true, cards: [{ id: 'a', hunks: [-1] }] },
      { type: 'apply', request: 1, proposal: 'p', cards: [] },
      { type: 'openSource', request: 1, card: 'a', source: 0.5 },
      { type: 'act', request: 1, action: 'deleteEverything' },
      { type: 'other', request: 1 },
    ])
      assert.equal(parseRequest(value), undefined, JSON.stringify(value));
  });

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.anything(), (value) => parseRequest(value) === undefined || true));
  });
});
