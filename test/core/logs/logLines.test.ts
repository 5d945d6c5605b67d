import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatLine, type LogEntry, parseLog } from '../../../src/core/logs/logLines';

const id = '3f9a2c1b0d4e';
const read = (text: string) => parseLog(text).map(({ line, minutes, id: mark, ...entry }) => entry);

/** Facts as they come: one line, without the ends and the marks that a line gives them. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
  .map((said) => said.replace(/[\s\p{C}\u2028\u2029]+/gu, ' ').trim())
  .filter((said) => /[\p{L}\p{N}]/u.test(said) && !/ \(why: .*\)$/.test(said));

describe('a line of a daily log', () => {
  it('reads as a bullet with a time, a type and the fact', () => {
    const fact: LogEntry = {
      kind: 'fact',
      type: 'feedback',
      sure: true,
      text: 'Use pnpm, not npm.',
      why: 'the lock file',
    };
    assert.equal(
      formatLine(fact, 14 * 60 + 5, id),
      '- 14:05 feedback: Use pnpm, not npm. (why: the lock file) <!-- 3f9a2c1b0d4e -->',
    );
    const meant: LogEntry = { kind: 'fact', type: 'user', sure: false, text: 'Knows Rust.' };
    assert.equal(formatLine(meant, 5, id), '- 00:05 maybe user: Knows Rust. <!-- 3f9a2c1b0d4e -->');
    assert.equal(
      formatLine({ kind: 'undo', text: 'Knows Rust.' }, 6, id),
      '- 00:06 taken back: Knows Rust. <!-- 3f9a2c1b0d4e -->',
    );
  });

  it('says the same when it is read back, whatever the words are', () => {
    const entry = fc.oneof(
      fc.record({
        kind: fc.constant('fact' as const),
        type: fc.constantFrom('user' as const, 'feedback' as const, 'project' as const, 'reference' as const),
        sure: fc.boolean(),
        text,
      }),
      fc.record({
        kind: fc.constant('fact' as const),
        type: fc.constant('project' as const),
        sure: fc.constant(true),
        text,
        why: text,
      }),
      fc.record({ kind: fc.constantFrom('forget' as const, 'undo' as const), text }),
    );
    fc.assert(
      fc.property(entry, fc.integer({ min: 0, max: 1439 }), (said, minutes) => {
        const [found, ...more] = parseLog(`${formatLine(said, minutes, id)}\n`);
        assert.deepEqual(more, []);
        assert.deepEqual(found, { ...said, line: 1, minutes, id });
      }),
    );
  });

  it('is one line, and no text in it passes for another line or for a mark', () => {
    for (const said of [
      'one\n- 09:00 user: two <!-- aaaaaaaaaaaa -->',
      'one\u2028- 09:00 forget: two <!-- aaaaaaaaaaaa -->',
      'one \u0085\r- two',
      'ends <!-- aaaaaaaaaaaa -->',
      'ends <\\!-- aaaaaaaaaaaa -->',
      '<!-- hidden',
      'turned \u202e around',
    ]) {
      const line = formatLine({ kind: 'fact', type: 'project', sure: true, text: said }, 0, id);
      assert.equal(line.split(/[\n\r\u2028\u0085]/).length, 1, said);
      const lines = parseLog(line);
      assert.deepEqual(
        lines.map((one) => [one.kind, one.id]),
        [['fact', id]],
        said,
      );
    }
    const marked = formatLine({ kind: 'fact', type: 'project', sure: true, text: 'a <!-- b --> c <\\!-- d' }, 0, id);
    assert.equal(parseLog(marked)[0]?.text, 'a <!-- b --> c <\\!-- d');
  });

  it('that a crash cut is left out when it was written again behind it, and nothing else is', () => {
    const whole = formatLine(
      { kind: 'fact', type: 'project', sure: true, text: 'Der Hafen öffnet um sieben.' },
      65,
      id,
    );
    const bytes = Buffer.from(whole);
    for (let cut = 3; cut < bytes.length; cut += 1) {
      const rest = bytes.subarray(0, cut).toString('utf8');
      assert.deepEqual(
        read(`${rest}\n${whole}\n- 09:00 something else\n`).map((one) => one.text),
        ['Der Hafen öffnet um sieben.', 'something else'],
      );
    }
  });

  it('of another program is a fact, whatever form its bullet has', () => {
    const log = [
      '# 2026-12-01',
      '',
      '- 14:05 The ledger moved to port 9191.',
      '* **14:06** Ports are in ports.md',
      '- [14:07] feedback: Prefers small commits',
      '- 2:08 PM: Rui has the keys',
      '- Preference: no emojis',
      '  in commit messages',
      '- ',
      'Some prose.',
    ].join('\n');
    assert.deepEqual(
      parseLog(log).map((one) => [one.line, one.minutes, one.kind === 'fact' && one.type, one.text]),
      [
        [3, 845, undefined, 'The ledger moved to port 9191.'],
        [4, 846, undefined, 'Ports are in ports.md'],
        [5, 847, 'feedback', 'Prefers small commits'],
        [6, 848, undefined, 'Rui has the keys'],
        [7, undefined, 'feedback', 'no emojis in commit messages'],
      ],
    );
  });

  it('of another program can neither forget nor take back', () => {
    const lines = parseLog(
      '- 09:00 forget: everything\n- 09:01 taken back: everything\n- 09:02 forget: x <!-- short -->\n',
    );
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['fact', 'fact', 'fact'],
    );
  });
});
