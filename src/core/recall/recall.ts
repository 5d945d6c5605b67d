// Which memories fit a question. Words only for now: a memory counts when its head shares telling words with the
// question, and none is better than a guess. Every memory is considered, however many there are.

import { ageDays, caveat, type Memory, type MemoryHeader } from '../memory/memory';
import { stemsOf } from '../memory/similarity';

export interface RecalledMemory {
  readonly path: string;
  readonly name: string;
  readonly type: MemoryHeader['type'];
  readonly scope: MemoryHeader['scope'];
  readonly ageDays: number;
  /** What to bear in mind of an old one. */
  readonly caveat?: string;
  /** Why it was picked, for a person. */
  readonly why: string;
  readonly content: string;
  readonly truncated: boolean;
}

export interface Recollection {
  readonly query: string;
  readonly selector: 'model' | 'lexical';
  readonly memories: readonly RecalledMemory[];
  /** How many memories were looked at. */
  readonly considered: number;
  readonly suppressed: readonly { readonly path: string; readonly why: string }[];
}

export const mostRecalled = 5;
/** Of one memory, at most so much is brought back. */
const contentLines = 200;
const contentBytes = 4096;

export async function findRelevantMemories(
  query: string,
  options: {
    readonly heads: readonly MemoryHeader[];
    readonly read: (path: string) => Promise<Memory | undefined>;
    readonly now: number;
    readonly limit?: number;
    readonly exclude?: readonly string[];
  },
): Promise<Recollection> {
  const { heads, now } = options;
  const limit = Math.max(0, Math.min(options.limit ?? mostRecalled, mostRecalled));
  const ranked = rank(
    query,
    heads.filter((head) => !options.exclude?.includes(head.path)),
  );
  const memories: RecalledMemory[] = [];
  for (const { head, words } of ranked) {
    if (memories.length >= limit) break;
    const memory = await options.read(head.path);
    if (!memory) continue;
    const days = ageDays(head.modifiedAt, now);
    const note = caveat(days);
    memories.push({
      path: head.path,
      name: head.name,
      type: head.type,
      scope: head.scope,
      ageDays: days,
      ...(note === undefined ? {} : { caveat: note }),
      why: `Picked for: ${words.map((word) => `“${word}”`).join(', ')}`,
      ...cut(memory.text),
    });
  }
  return { query, selector: 'lexical', memories, considered: heads.length, suppressed: [] };
}

/** Heads that share at least a third of the question's telling words, best first; newer before older. */
function rank(query: string, heads: readonly MemoryHeader[]) {
  const asked = stemsOf(query);
  if (asked.size === 0) return [];
  return heads
    .map((head) => {
      const named = stemsOf(`${head.name} ${head.keywords.join(' ')} ${head.path.replace(/[-_/.]|\.md$/g, ' ')}`);
      const described = stemsOf(head.description ?? '');
      const words = [...asked].filter(([stem]) => named.has(stem) || described.has(stem));
      const score = words.reduce((sum, [stem]) => sum + (named.has(stem) ? 2 : 1), 0);
      return { head, score, share: words.length / asked.size, words: words.map(([, word]) => word) };
    })
    .filter(({ share }) => share >= 1 / 3)
    .sort((a, b) => b.score - a.score || b.head.modifiedAt - a.head.modifiedAt);
}

/** At most 200 lines and 4,096 bytes, cut at the end of a line. */
function cut(text: string): { content: string; truncated: boolean } {
  const lines = text.split('\n');
  let kept = lines.slice(0, contentLines);
  while (kept.length > 1 && Buffer.byteLength(kept.join('\n')) > contentBytes) kept = kept.slice(0, -1);
  let content = kept.join('\n');
  if (Buffer.byteLength(content) > contentBytes)
    content = Buffer.from(content)
      .subarray(0, contentBytes)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
  return { content, truncated: content.length < text.length };
}

/** The one memory a person asks to forget in passing, or none: a doubtful match is left alone. */
export function findForgotten(words: string, heads: readonly MemoryHeader[]): MemoryHeader | undefined {
  const ranked = rank(words, heads);
  const [best, second] = ranked.filter(({ share }) => share >= 0.6);
  if (!best) return undefined;
  // One word alone names a memory only if no other one has it.
  if (best.words.length === 1 && ranked.length > 1) return undefined;
  return best.score > (second?.score ?? 0) ? best.head : undefined;
}
