// Which memory someone means who says in passing that it should be forgotten. Heads only, and none rather than a doubtful
// one: what is found here is moved to the trash without a question.

import type { MemoryHeader } from '../memory/memory';
import { stemsOf } from '../memory/similarity';

/** The one memory that these words name, or `undefined`. */
export function findForgotten(words: string, heads: readonly MemoryHeader[]): MemoryHeader | undefined {
  const ranked = rank(words, heads);
  const [best, second] = ranked.filter(({ share }) => share >= 0.6);
  if (!best) return undefined;
  // One word alone names a memory only if no other one has it.
  if (best.shared === 1 && ranked.length > 1) return undefined;
  return best.score > (second?.score ?? 0) ? best.head : undefined;
}

/** Heads that share at least a third of the telling words, best first; newer before older. */
function rank(words: string, heads: readonly MemoryHeader[]) {
  const asked = stemsOf(words);
  if (asked.size === 0) return [];
  return heads
    .map((head) => {
      const named = stemsOf(`${head.name} ${head.keywords.join(' ')} ${head.path.replace(/[-_/.]|\.md$/g, ' ')}`);
      const described = stemsOf(head.description ?? '');
      const shared = [...asked.keys()].filter((stem) => named.has(stem) || described.has(stem));
      const score = shared.reduce((sum, stem) => sum + (named.has(stem) ? 2 : 1), 0);
      return { head, score, shared: shared.length, share: shared.length / asked.size };
    })
    .filter(({ share }) => share >= 1 / 3)
    .sort((a, b) => b.score - a.score || b.head.modifiedAt - a.head.modifiedAt);
}
