// A folder of memories to measure on: the same ones every time, old enough that a scan believes their times.

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatMemory, memoryTypes } from '../src/core/memory/memory';

const words = 'release staging review database migration logger partner invoice gateway importer'.split(' ');

/**
 * Memories with many words in common, up to 59 times `reason` long. Every `quoteEvery`-th has a description that needs quotes
 * in YAML.
 */
export function fillMemories(
  folder: string,
  count: number,
  reason: (at: number) => string,
  quoteEvery = Number.POSITIVE_INFINITY,
): void {
  const old = Date.now() / 1000 - 86_400;
  for (let at = 0; at < count; at += 1) {
    const word = (shift: number) => words[(at * 7 + shift) % words.length];
    const text = formatMemory({
      type: memoryTypes[at % 4] ?? 'user',
      scope: 'private',
      name: `${word(0)} ${word(3)} ${at}`,
      description:
        at % quoteEvery === 0
          ? `The ${word(1)}: “${word(2)}” # and more`
          : `The ${word(1)} of the ${word(2)}, never the ${word(5)}`,
      body: `The ${word(4)} comes before the ${word(6)}.\n\n**Why:** ${reason(at).repeat(at % 60)}\n`,
      modifiedAt: Date.UTC(2026, 0, 1) + at * 60_000,
      originSessionId: `22d4a707-a524-4627-b3ff-${String(at).padStart(12, '0')}`,
    });
    const file = join(folder, `${memoryTypes[at % 4]}-${word(0)}-${at}.md`);
    writeFileSync(file, text);
    utimesSync(file, old, old);
  }
}
