// A stranger's Markdown, drawn by the editor: what it may look like and what it can't do.

import { strict as assert } from 'node:assert';
import { quotedMarkdown, safeMarkdown } from '../../src/views/safeMarkdown';

const joiner = '\u2060';

describe('a stranger’s Markdown', () => {
  it('loads no picture, by any of its forms', () => {
    for (const text of ['![a](http://x/y.png)', '![a][ref]', '![ref]', 'a\\![b](c)'])
      assert.ok(!safeMarkdown(text).includes('!['), text);
  });

  it('has no link to a command', () => {
    assert.ok(!/command:/i.test(safeMarkdown('[a](command:x) [b]: COMMAND:y <command:z>')));
  });

  it('has no link to another program, in any form, and keeps those to pages', () => {
    const links = [
      '[a](vscode://x/y)',
      '[a]( <vscode-insiders://x>)',
      '<file:///etc/passwd>',
      '[a]: javascript:x',
      '[a](DATA:x)',
    ];
    for (const text of links) assert.ok(!/(?:vscode[\w-]*|file|javascript|data):/i.test(safeMarkdown(text)), text);
    for (const text of ['[a](https://x/y)', 'the file: retry.ts', 'data: none']) assert.equal(safeMarkdown(text), text);
  });

  it('keeps its form in a quotation, line by line, and what looks like an icon stays text', () => {
    const piece = quotedMarkdown('**Why:** `a`\n\n```sh\necho $(pwd)\n');
    assert.deepEqual(piece, { markdown: `\n> **Why:** \`a\`\n> \n> \`\`\`sh\n> echo $${joiner}(pwd)\n> \`\`\`` });
  });

  it('closes the block of code that it opens, also where it was cut, and leaves closed ones alone', () => {
    assert.equal(safeMarkdown('```sh\necho'), '```sh\necho\n```');
    assert.equal(safeMarkdown('~~~~\n~~~\n```'), '~~~~\n~~~\n```\n~~~~');
    for (const text of ['```sh\necho\n```', 'a ``` b', '````\n```\n````', '- x\n  ```\n  y\n  ```'])
      assert.equal(safeMarkdown(text), text);
  });

  it('opens no block of HTML that goes on to the end', () => {
    for (const text of ['<!-- x', '<script>x', '<?php', '<![CDATA[', '<pre>'])
      assert.equal(safeMarkdown(text).indexOf(`<${joiner}`), 0, text);
    assert.equal(safeMarkdown('a < b and Map<string, T>'), 'a < b and Map<string, T>');
  });

  it('turns no writing direction around', () => {
    assert.equal(safeMarkdown('a\u202eb\u2066c'), 'abc');
  });
});
