// The rules of secretlint, behind one function. A file of its own because it is large and needed seldom: it is loaded by
// a dynamic import only. Comments that switch secretlint off are not obeyed: whoever wrote the text may have written them.

import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';

// It keeps a mark of each step for good, and looks through all of them at the next: a process that lives for days would drown in them.
secretLintProfiler.mark = () => {};

const own = rules.filter((rule) => !rule.meta.id.includes('filter-comments'));

/** What the rules find, as offsets into the text. */
export async function lintText(text: string): Promise<{ rule: string; start: number; end: number }[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'memory.md', ext: '.md', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: own.map((rule) => ({ id: rule.meta.id, rule })) },
    },
  });
  return messages.map(({ ruleId, range }) => ({
    rule: ruleId.replace(/^.*secretlint-rule-/, ''),
    start: range[0],
    end: range[1],
  }));
}
