// Completes a front matter that lacks a name or a description, from words that the memory itself or its index line has. It adds
// the missing keys and changes no other byte; a type is never guessed, and a file without front matter gets none.

import { editFrontMatter, type FrontMatterChanges, type Memory, stemOf } from '../memory/memory';
import type { IndexEntry } from '../memory/memoryIndex';
import { sentencesOf } from '../memory/sentences';
import { describeFact } from '../sessions/describeFact';
import { because, reasonFor } from './reasons';
import { type Desk, originsOf } from './tidyDesk';

/** `lineOf`: the index line of a path. */
export async function completeHeads(desk: Desk, lineOf: (path: string) => IndexEntry | undefined): Promise<void> {
  for (const memory of desk.files()) {
    await desk.breath();
    if (!desk.isEditable(memory)) continue;
    const missing = missingIn(memory, lineOf(memory.path));
    const keys = Object.keys(missing);
    if (keys.length === 0) continue;
    const code = keys.length > 1 ? 'headless' : keys[0] === 'name' ? 'nameless' : 'undescribed';
    const text = editFrontMatter(memory.text, missing);
    await desk.edit(memory.path, text, { ...because(reasonFor(code)), ...originsOf(memory) }, { keepsTime: true });
  }
}

/** The text of a memory with what its front matter lacks. */
export const completeMissing = (memory: Memory): string => editFrontMatter(memory.text, missingIn(memory, undefined));

/** The keys that a front matter lacks, with what they are to say. */
function missingIn(memory: Memory, line: IndexEntry | undefined): FrontMatterChanges {
  const { data, description } = memory;
  const hasName = String(data.name ?? '').trim() !== '';
  const title = line && !line.shared && !/\.md$/i.test(line.title) ? line.title.trim() : '';
  const name = title || nameOf(memory);
  const said = description === undefined ? descriptionOf(memory, line) : undefined;
  return { ...(hasName ? {} : { name }), ...(said ? { description: said } : {}) };
}

/** Of a nested front matter, whose writer names memories by their files: the stem. Else the stem as words. */
function nameOf({ path, data }: Memory): string {
  const stem = stemOf(path);
  if ('metadata' in data) return stem;
  const words = stem.replace(/^(?:user|feedback|project|reference)[_-]/i, '').replace(/[_-]+/g, ' ');
  return words.replace(/^./u, (first) => first.toUpperCase()) || stem;
}

function descriptionOf({ body }: Memory, line: IndexEntry | undefined): string | undefined {
  const hook = line && !line.shared ? line.hook.trim() : '';
  if (hook !== '' && hook.length <= 150) return hook;
  const [sentence] = sentencesOf(body.replace(/^#+ .*$/gm, ''));
  return sentence === undefined ? hook || undefined : describeFact(sentence).description;
}
