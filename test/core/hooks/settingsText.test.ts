import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { addHooks, type FoundHooks, findHooks, removeHooks } from '../../../src/core/hooks/settingsText';

const command = '/home/ada/.claude/reverie/bin/reverie-hook';
const events = ['UserPromptSubmit', 'Stop', 'SessionEnd', 'PreCompact'];
const other = '{ "hooks": [{ "type": "command", "command": "notify-send done" }] }';

/** Settings files of every odd shape that is still one. */
const shapes: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty object over two lines': '{\n}\n',
  'one line': '{"model":"opus","env":{"A":"1"}}',
  'one line with spaces and a line end': '{ "model": "opus", "env": { "A": "1" } }\n',
  'one line with a trailing comma': '{"model":"opus",}',
  'two spaces': '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
  'four spaces and no last line end': '{\n    "model": "opus"\n}',
  tabs: '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n',
  'Windows line ends': '{\r\n  "model": "opus",\r\n  "env": {}\r\n}\r\n',
  'a byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'a byte order mark and nothing else in the object': '\ufeff{}',
  'a trailing comma': '{\n  "model": "opus",\n}\n',
  'a comment behind the last value': '{\n  "model": "opus" // the large one\n}\n',
  'a comment behind the last comma': '{\n  "model": "opus", // the large one\n}\n',
  'comments above, between and below': '// mine\n{\n  // first\n  "model": /* why */ "opus"\n  // last\n}\n// end\n',
  'an object with nothing but a comment': '{\n  // nothing yet\n}\n',
  'an object with nothing but a comment on its line': '{ /* nothing yet */ }',
  'a comma on a line of its own': '{\n  "a": 1\n  ,\n  "b": 2\n}\n',
  'brackets that do not begin a line': '{ "a": 1,\n  "b": 2 }\n',
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'hooks with empty events': '{\n  "hooks": {\n    "Stop": [],\n    "PreCompact": [ ]\n  }\n}\n',
  'hooks of others': `{\n  "hooks": {\n    "Stop": [\n      ${other}\n    ],\n    "PreToolUse": [${other}]\n  },\n  "model": "opus"\n}\n`,
  'hooks of others in one line': `{"hooks":{"Stop":[${other}],"SessionEnd":[${other},]}}`,
  'a line comment right before the end of the list': `{\n  "hooks": {\n    "Stop": [\n      ${other} // keep\n    ]\n  }\n}\n`,
  'a key that stands twice': '{\n  "hooks": 1,\n  "hooks": {}\n}\n',
  'a URL that looks like a comment': '{\n  "env": { "URL": "https://example.org//x" }\n}\n',
  'old Macintosh line ends': '{\r  "model": "opus"\r}\r',
};

const added = (text: string | undefined, as = command) => {
  const result = addHooks(text, as);
  assert.ok(!('problem' in result), JSON.stringify(result));
  return result;
};
const removed = (text: string, created?: readonly string[]) => {
  const result = removeHooks(text, created);
  assert.ok(!('problem' in result), JSON.stringify(result));
  return result.text;
};
const value = (text: string) => {
  const errors: [] = [];
  const found = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  assert.deepEqual(errors, [], text);
  return found;
};
const commentsOf = (text: string) => text.match(/\/\/ .*|\/\*.*?\*\//g) ?? [];

describe('the text of a settings file', () => {
  for (const [name, text] of Object.entries(shapes)) {
    describe(`with ${name}`, () => {
      it('gets our four entries and keeps everything else', () => {
        const after = added(text).text;
        assert.deepEqual(findHooks(after), { events, commands: [command], isDisabled: false });
        const [before, now] = [value(text), value(after)];
        for (const key of Object.keys(before)) if (key !== 'hooks') assert.deepEqual(now[key], before[key]);
        for (const [event, groups] of Object.entries(before.hooks ?? {})) {
          assert.deepEqual(now.hooks[event].slice(0, (groups as []).length), groups);
        }
        assert.deepEqual(commentsOf(after), commentsOf(text));
        assert.equal(after.includes('\n') && /(?<!\r)\n/.test(after), !text.includes('\r\n') && after.includes('\n'));
      });

      it('loses exactly those bytes again', () => {
        const { text: after, created } = added(text);
        // How an empty pair of brackets was spaced can't be seen any more; the kept copy of the file knows.
        const isPadded = /[{[]\s+[}\]]|\*\/ \}$/.test(text);
        const spaced = (all: string) => (isPadded ? all.replace(/\s+(?=[}\]])/g, '') : all);
        assert.equal(spaced(removed(after, created)), spaced(text));
      });

      it('is not changed by a second time, and in place by another launcher', () => {
        const once = added(text).text;
        assert.deepEqual(added(once), { text: once, created: [] });
        const moved = added(once, "'/new home/reverie/bin/reverie-hook'").text;
        assert.equal(moved, once.replaceAll(command, "'/new home/reverie/bin/reverie-hook'"));
      });
    });
  }

  it('is made where there is none, and in one that holds nothing', () => {
    for (const nothing of [undefined, '', ' \n', '// later\n', '\ufeff']) {
      const { text } = added(nothing);
      assert.deepEqual(Object.keys(value(text)), ['hooks']);
      assert.ok(text.startsWith(nothing ?? ''), 'what stood there still does');
      assert.deepEqual(value(text).hooks.Stop, [{ hooks: [{ type: 'command', command, timeout: 10 }] }]);
    }
  });

  it('that is broken, or has something else where hooks belong, is refused and says where', () => {
    for (const text of ['{', '{"a":}', "{'a':1}", '{"a":1}}', '[['.repeat(200_000)])
      assert.deepEqual(addHooks(text, command), { problem: 'broken' });
    assert.deepEqual(addHooks('[]', command), { problem: 'odd', detail: 'the whole file' });
    assert.deepEqual(addHooks('{"hooks":[]}', command), { problem: 'odd', detail: 'hooks' });
    assert.deepEqual(addHooks('{"hooks":{"Stop":"x"}}', command), { problem: 'odd', detail: 'hooks.Stop' });
    assert.deepEqual(removeHooks('{"hooks":{', []), { problem: 'broken' });
  });

  it('loses our entries alone when a person has worked on it since', () => {
    const { text, created } = added('{\n  "hooks": {\n    "Stop": []\n  } // mine\n}\n');
    const edited = text
      .replace('"Stop": [', `"Stop": [\n      ${other},`)
      .replace('  } // mine', '    ,"Notification": [] // theirs\n  } // mine');
    const left = removed(edited, created);
    assert.deepEqual(value(left), { hooks: { Stop: [JSON.parse(other)], Notification: [] } });
    assert.deepEqual(commentsOf(left), ['// theirs', '// mine']);
  });

  it('has an entry of ours once, wherever a person moved it, and however often it was doubled', () => {
    const ours = `{ "type": "command", "command": "C:\\\\Users\\\\ada\\\\.claude\\\\reverie\\\\bin\\\\reverie-hook.cmd" }`;
    const text = `{\n  "hooks": {\n    "Stop": [\n      { "matcher": "", "hooks": [${ours}, ${ours}] },\n      { "hooks": [${ours}] }\n    ]\n  }\n}\n`;
    const after = added(text).text;
    assert.deepEqual(value(after).hooks.Stop, [{ matcher: '', hooks: [{ type: 'command', command }] }]);
    assert.deepEqual(value(removed(after)), {});
  });

  it('takes no other program for ours', () => {
    for (const foreign of ['my-reverie-hook', '/x/reverie/bin/reverie-hooks', 'echo reverie-hook'])
      assert.deepEqual(findHooks(JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: foreign }] }] } })), {
        events: [],
        commands: [],
        isDisabled: false,
      });
    assert.equal((findHooks('{"disableAllHooks": true}') as FoundHooks).isDisabled, true);
  });

  it('of any object, however it is spaced, gets them and comes back byte for byte', () => {
    const gap = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' // note\n', ' /* note */ ', '\n\n');
    const json = fc.dictionary(
      fc.constantFrom('model', 'env', 'hooks', 'x y'),
      fc.constantFrom('1', '"a//b"', '{}', '[ ]', '{"A": [1, 2]}'),
    );
    const text = fc
      .tuple(json, fc.array(gap, { minLength: 24, maxLength: 24 }), fc.boolean(), gap)
      .map(([entries, gaps, hasTail, before]) => {
        let at = 0;
        const next = () => gaps[at++ % gaps.length];
        const parts = Object.entries(entries)
          .filter(([key, entry]) => key !== 'hooks' || entry.startsWith('{'))
          .map(
            ([key, entry]) =>
              `${next()}${JSON.stringify(key)}${next()}:${next()}${key === 'hooks' ? '{}' : entry}${next()}`,
          );
        const tail = hasTail && parts.length > 0 ? `,${next()}` : '';
        return `${before}{${parts.join(',')}${tail}${parts.length === 0 ? '' : next()}}${next()}`;
      });
    fc.assert(
      fc.property(text, (before) => {
        const { text: after, created } = added(before);
        assert.deepEqual((findHooks(after) as FoundHooks).events, events);
        assert.equal(removed(after, created), before);
      }),
      { numRuns: 500 },
    );
  });
});
