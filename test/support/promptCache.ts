// The prompt cache of the Messages API as its documentation describes it, for tests that ask what a request would have cost.
// An entry is the hash of everything up to a block (tools, system, messages, in this order); it is written at blocks that
// carry `cache_control` and nowhere else, and found by looking back from such a block over at most twenty positions.
// Left out: models that drop earlier thinking, and entries that a busy server lets go before their time.

import { createHash } from 'node:crypto';
import { estimateTokens } from '../../src/core/tokens';

export type Json = Record<string, unknown>;

/** As the API reports it: what was neither read nor written comes after the last breakpoint. */
export interface InputUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

export interface PromptCache {
  /** What a request would read and write now. `commit` keeps its entries, as the begin of an answer does. */
  account(body: Json): { readonly usage: InputUsage; commit(): void };
}

interface Position {
  /** Of everything up to and including this block. */
  readonly hash: string;
  readonly tokens: number;
  readonly ttlMs: number | undefined;
}

export function createPromptCache(options: {
  readonly now: () => number;
  readonly minimumTokens?: number;
  readonly lookBack?: number;
}): PromptCache {
  const { now, minimumTokens = 1024, lookBack = 20 } = options;
  const entries = new Map<string, { until: number; ttlMs: number }>();
  const isLive = (hash: string) => (entries.get(hash)?.until ?? 0) > now();

  /** The longest prefix that a breakpoint at `at` finds, as a position. */
  function find(positions: readonly Position[], at: number): number | undefined {
    for (let back = 0; back < lookBack && at - back >= 0; back += 1) {
      if (isLive(positions[at - back]?.hash ?? '')) return at - back;
    }
    return undefined;
  }

  return {
    account(body) {
      const positions = positionsOf(body);
      const total = positions.at(-1)?.tokens ?? 0;
      const marked = positions.flatMap(({ ttlMs, tokens }, at) =>
        ttlMs !== undefined && tokens >= minimumTokens ? [at] : [],
      );
      const hits = marked.flatMap((at) => find(positions, at) ?? []);
      const hit = hits.length > 0 ? positions[Math.max(...hits)] : undefined;
      const last = positions[marked.at(-1) ?? -1];
      const read = hit?.tokens ?? 0;
      const kept = Math.max(read, last?.tokens ?? 0);
      return {
        usage: {
          input_tokens: total - kept,
          cache_creation_input_tokens: kept - read,
          cache_read_input_tokens: read,
        },
        commit() {
          for (const at of [...hits, ...marked]) {
            const { hash, ttlMs } = positions[at] as Position;
            // Reading renews an entry for as long as it was made for.
            const lasts = ttlMs ?? entries.get(hash)?.ttlMs ?? 0;
            entries.set(hash, { until: now() + lasts, ttlMs: lasts });
          }
        },
      };
    },
  };
}

const ttlOf = (block: Json): number | undefined => {
  const control = block.cache_control as Json | null | undefined;
  if (!control) return undefined;
  return control.ttl === '1h' ? 60 * 60_000 : 5 * 60_000;
};

function positionsOf(body: Json): Position[] {
  // What changes every prefix, and what changes those of the messages only.
  const everywhere = JSON.stringify([body.model, body.speed, (body.output_config as Json | undefined)?.format]);
  const inMessages = JSON.stringify([body.thinking, body.tool_choice]);
  const blocks = [
    ...listOf(body.tools).map((block) => ({ level: 'tools', block })),
    ...blocksOf(body.system).map((block) => ({ level: 'system', block })),
    ...listOf(body.messages).flatMap((message) =>
      blocksOf(message.content).map((block) => ({ level: `${message.role} ${inMessages}`, block })),
    ),
  ];
  let hash = everywhere;
  let tokens = 0;
  const positions = blocks.map(({ level, block }): Position => {
    const { cache_control: _, ...rest } = block;
    const text = JSON.stringify(rest);
    hash = createHash('sha256').update(`${hash}\0${level}\0${text}`).digest('hex');
    tokens += estimateTokens(text);
    return { hash, tokens, ttlMs: ttlOf(block) };
  });
  const automatic = ttlOf(body);
  const at = blocks.findLastIndex(({ block }) => isCacheable(block));
  const last = positions[at];
  if (automatic !== undefined && last) positions[at] = { ...last, ttlMs: automatic };
  return positions;
}

const isCacheable = ({ type, text }: Json) => !/thinking/.test(String(type)) && text !== '';

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Content in its long form: a string is one text block. */
export const blocksOf = (content: unknown): readonly Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
