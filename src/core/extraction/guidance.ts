// What CLAUDE.md files tell an assistant already: a memory of it would only repeat it. They are read as given text and
// never written.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { sentencesOf } from '../memory/sentences';

/** A CLAUDE.md of more than this is a document; its tail is not looked at. */
const longestBytes = 256 * 1024;

/** Sentences of the CLAUDE.md files that a chat in `directory` would load. */
export async function guidanceOf(
  places: { readonly root: string; readonly directory: string; readonly configDir: string },
  disk: Disk,
): Promise<string[]> {
  const folders = new Set([places.root, places.directory]);
  const files = [join(places.configDir, 'CLAUDE.md')];
  for (const folder of folders) {
    files.push(join(folder, 'CLAUDE.md'), join(folder, '.claude', 'CLAUDE.md'), join(folder, 'CLAUDE.local.md'));
  }
  const texts = await Promise.all(
    files.map(async (file) => {
      const head = await disk.readRange(file, 0, longestBytes).catch(() => undefined);
      return head?.stat.kind === 'file' ? head.bytes.toString('utf8') : '';
    }),
  );
  return texts.flatMap(sentencesOf);
}
