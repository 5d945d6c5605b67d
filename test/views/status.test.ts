// The one item in the status bar: each state has exactly one rendering.

import { strict as assert } from 'node:assert';
import type { ProviderState } from '../../src/core/agent/provider';
import type { DaySpend } from '../../src/core/agent/spend';
import type { Piece } from '../../src/views/hovers';
import {
  type EngineFacts,
  offReason,
  renderStatus,
  type Status,
  type StatusFacts,
  statusCommands,
} from '../../src/views/status';
import { notDue } from '../support/dreamSamples';
import { englishWords } from '../support/words';

const until = new Date(2026, 10, 20, 16, 40).getTime();
const all: readonly Status[] = [
  { kind: 'idle' },
  { kind: 'learning' },
  { kind: 'saved', saved: 2, suggested: 1 },
  { kind: 'saved', saved: 0, suggested: 1 },
  { kind: 'teamNews', count: 3 },
  { kind: 'failed', reason: 'the disk is full' },
  { kind: 'dreaming', phase: '2/4 gather', files: 3 },
  { kind: 'dreaming', phase: '3/4 consolidate', files: 12 },
  { kind: 'review', changes: 5 },
  { kind: 'dreamFailed', reason: 'no answer' },
  { kind: 'paused', until },
  { kind: 'paused', until: undefined },
  { kind: 'disabled', by: 'reverie.enabled in the settings' },
  { kind: 'untrusted' },
];
const rendered = (status: Status, facts: Partial<StatusFacts> = {}) =>
  renderStatus(status, { memories: 138, suggestions: 0, engine: undefined, dream: undefined, ...facts }, englishWords);
const offlineEngine: EngineFacts = {
  provider: { kind: 'offline', why: 'chosen' },
  spend: { today: { tokens: 0 } as DaySpend, dailyTokens: 0 },
};
const plain = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('text' in piece ? piece.text : piece.markdown)).join('');

describe('the status bar item', () => {
  it('says each state in a few words', () => {
    assert.deepEqual(
      all.map((status) => rendered(status).text.replace(/\s/g, ' ')),
      [
        '$(library) Memory',
        '$(sync~spin) Learning…',
        '$(check) Saved 2 memories',
        '$(lightbulb) 1 suggestion',
        '$(organization) 3 new from the team',
        '$(warning) Learning failed',
        '$(sync~spin) Dreaming 2/4 gather · 3 files',
        '$(sync~spin) Dreaming 3/4 · 12 files',
        '$(diff) 5 changes to review',
        '$(warning) Dream failed',
        '$(debug-pause) Memory paused until 4:40 PM',
        '$(debug-pause) Memory paused here',
        '$(circle-slash) Memory off',
        '$(workspace-untrusted) Memory off',
      ],
    );
  });

  it('has at most 30 characters beside the icon', () => {
    for (const status of all) assert.ok(rendered(status).text.replace(/\$\([^)]*\) /, '').length <= 30, status.kind);
  });

  it('takes the warning colour for a failure and for nothing else', () => {
    assert.deepEqual(
      all.filter((status) => rendered(status).isWarning).map(({ kind }) => kind),
      ['failed', 'dreamFailed'],
    );
  });

  it('tells a screen reader the state and the count, without icons', () => {
    assert.equal(rendered({ kind: 'idle' }).spoken, 'Memory: idle, 138 memories');
    assert.equal(
      rendered({ kind: 'idle' }, { memories: 1, suggestions: 2 }).spoken,
      'Memory: idle, 1 memory, 2 suggestions wait',
    );
    assert.equal(
      rendered({ kind: 'untrusted' }, { memories: undefined }).spoken,
      'Memory: off in this untrusted workspace',
    );
    for (const status of all) assert.doesNotMatch(rendered(status).spoken, /\$\(/);
  });

  it('says in its hover which engine works and what it used today, once that is known', () => {
    const hover = (provider: ProviderState, tokens: number, dailyTokens: number) => {
      const engine = { provider, spend: { today: { tokens } as DaySpend, dailyTokens } };
      return plain(rendered({ kind: 'idle' }, { engine }).hover);
    };
    const models = { extraction: 'm-1', dream: 'm-2', recall: 'm-3' };
    const model: ProviderState = { kind: 'anthropic', host: 'api.example', keyFrom: 'secret', models };
    assert.match(hover({ kind: 'offline', why: 'not_chosen' }, 0, 0), /Offline: nothing is sent\n\n\[.*Choose Model…/);
    assert.match(hover({ kind: 'offline', why: 'no_key', host: 'api.example' }, 0, 0), /no API key for api\.example/);
    assert.match(hover(model, 0, 0), /m-1 at api\.example reads chats: they are sent there\n\n\[/);
    assert.match(hover(model, 1200, 0), /Today 1,200 tokens/);
    assert.match(hover(model, 1200, 5000), /Today 1,200 of 5,000 tokens/);
    assert.match(hover(model, 5000, 5000), /Today’s 5,000 tokens are used up: nothing more is sent/);
    assert.doesNotMatch(plain(rendered({ kind: 'idle' }).hover), /sent|Offline/);
  });

  it('says in its hover when the next dream may come, gate by gate, and what the last one came to', () => {
    const { hover, spoken } = rendered({ kind: 'idle' }, { dream: { gates: notDue, last: 'Last dream: 13 h ago' } });
    const text = plain(hover);
    assert.match(text, /Next dream in 11 h, after 2 more sessions/);
    assert.match(text, /\| \$\(pass\) Lock \| free \|\n/);
    assert.match(text, /\| \$\(circle-large-outline\) Time \| 13 h of 24 h \|\n/);
    assert.match(text, /Last dream: 13 h ago/);
    assert.match(spoken, /Next dream in 11 h/);
  });

  it('links in its hover only to commands that are allowed there', () => {
    for (const status of all) {
      const hover = plain(rendered(status, { engine: offlineEngine }).hover);
      for (const [, id] of hover.matchAll(/command:([\w.]+)/g))
        assert.ok((statusCommands as readonly string[]).includes(id ?? ''), id);
    }
  });

  it('never counts memories that nobody has counted', () => {
    assert.match(plain(rendered({ kind: 'idle' }, { memories: undefined }).hover), /^\*\*Memory\*\* · idle\n/);
  });
});

describe('what switched memory off', () => {
  it('is the editor’s setting, the environment, or a settings file of Claude Code', () => {
    assert.equal(offReason('reverie.enabled in the settings'), 'setting');
    assert.equal(offReason('CLAUDE_CODE_DISABLE_AUTO_MEMORY in the environment'), 'environment');
    assert.equal(offReason('env.CLAUDE_CODE_SIMPLE in ~/.claude/settings.json'), 'claude');
    assert.equal(offReason('autoMemoryEnabled in ~/.claude/settings.json'), 'claude');
  });
});
