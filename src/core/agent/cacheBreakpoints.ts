// Where a request asks for cache entries, so that every turn reads what the last one wrote and writes only what is new.
// Pure: same request, same places. An entry is written only at a marked block, and found by looking back from one over at
// most twenty blocks, itself included; at most four may be marked, and a prefix below a minimum is never kept
// (Anthropic's prompt caching guide). What is marked is no part of the entry's key, so the places may move.

import type { ModelMessage, ModelRequest } from './languageModel';

export const maxBreakpoints = 4;
const lookBack = 20;
/** Tokens. The lowest is 512 and most models have this one; a mark below a model's own minimum costs only a slot. */
export const minimumPrefix = 1024;

/** A block of a request; `message` only in messages. */
export interface Place {
  readonly part: 'tools' | 'system' | 'messages';
  readonly message?: number;
  readonly block: number;
}

/**
 * At most four places, from front to back. In order of need: the end of the request, the end of the last request of the
 * same run (found whatever number of parallel calls lies between), the last `stable` text, the end of the system text
 * with the tools, then one more `stable` text.
 */
export function placeBreakpoints(request: ModelRequest, countTokens: (text: string) => number): readonly Place[] {
  const blocks = flatten(request);
  let tokens = 0;
  const prefix = blocks.map(({ text }) => {
    tokens += countTokens(text);
    return tokens;
  });
  const stable = blocks.flatMap(({ isStable }, at) => (isStable ? [at] : []));
  const lastStable = stable.at(-1);
  const wanted = [
    endOf(blocks, request.messages.length - 1),
    endOf(blocks, lastRequestsEnd(request.messages)),
    lastStable,
    blocks.findLastIndex(({ place }) => place.part !== 'messages'),
    lastStable === undefined ? undefined : nextStable(stable, lastStable),
  ];
  const chosen = new Set<number>();
  for (const at of wanted) {
    if (at === undefined || at < 0 || chosen.size === maxBreakpoints) continue;
    if ((prefix[at] ?? 0) >= minimumPrefix) chosen.add(at);
  }
  return [...chosen].sort((a, b) => a - b).flatMap((at) => blocks[at]?.place ?? []);
}

interface Flat {
  readonly place: Place;
  readonly text: string;
  readonly isStable: boolean;
}

function flatten({ tools, system, messages }: ModelRequest): readonly Flat[] {
  return [
    ...tools.map(
      (tool, block): Flat => ({ place: { part: 'tools', block }, text: JSON.stringify(tool), isStable: false }),
    ),
    ...system.map(
      ({ text, stable }, block): Flat => ({ place: { part: 'system', block }, text, isStable: stable === true }),
    ),
    ...messages.flatMap(({ content }, message) =>
      content.map((each, block): Flat => {
        const isText = each.type === 'text';
        const text = isText || each.type === 'tool_result' ? each.text : JSON.stringify(each);
        return { place: { part: 'messages', message, block }, text, isStable: isText && each.stable === true };
      }),
    ),
  ];
}

const endOf = (blocks: readonly Flat[], message: number): number =>
  message < 0 ? -1 : blocks.findLastIndex(({ place }) => place.message === message);

/** The last message before the model's last answer: where the request that was answered ended. */
function lastRequestsEnd(messages: readonly ModelMessage[]): number {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  return answer < 0 ? -1 : messages.findLastIndex(({ role }, at) => at < answer && role === 'user');
}

/**
 * A second one reaches further back: the nearest that the last one's look-back does not cover, so that a text which grew
 * by more than twenty blocks still finds its entry; else the first, which is most likely to outlive a change of the text.
 */
function nextStable(stable: readonly number[], last: number): number | undefined {
  return stable.findLast((at) => at <= last - lookBack) ?? stable[0];
}
