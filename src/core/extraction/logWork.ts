// What a model noted for the daily log, looked at before any of it is added: where each line comes from, whether it is sure, its
// dates. Nothing is taken on the model's word. Secrets and what is known already are looked for where lines are added.

import type { Said } from '../logs/dailyLogs';
import type { MemoryType } from '../memory/memory';
import { absoluteDates } from '../sessions/signals';
import { citesEarlier, lastSaid, personal, placeholder, sourcesOf, type WorkContext } from './modelWork';

export interface NotedLine {
  readonly type: MemoryType | 'forget';
  readonly sure: boolean;
  readonly text: string;
  readonly why?: string;
  /** Numbers of the person's messages. */
  readonly cited: readonly number[];
}

export function readLogWork(
  noted: readonly NotedLine[],
  context: Omit<WorkContext, 'sessionId'>,
): { readonly said: readonly Said[]; readonly leftOut: readonly string[] } {
  const said: Said[] = [];
  const leftOut: string[] = [];
  for (const { type, sure, text, why, cited } of noted) {
    const messages = sourcesOf(cited, text, context);
    const from = { at: messages[0]?.at || lastSaid(context), messages: messages.map(({ uuid }) => uuid) };
    const isGrounded = messages.length > 0 || citesEarlier(cited, context);
    if (placeholder.test(text)) leftOut.push('it holds a placeholder');
    else if (type === 'forget') {
      if (isGrounded) said.push({ kind: 'forget', text, ...from });
      else leftOut.push('nobody asked to forget it');
    } else {
      said.push({
        kind: 'fact',
        type,
        // What is said of a person, or as their wish, must come from their own words.
        sure: sure && (isGrounded || !personal.has(type)),
        text: absoluteDates(text, from.at),
        ...(why === undefined ? {} : { why: absoluteDates(why, from.at) }),
        ...from,
      });
    }
  }
  return { said: said.sort((a, b) => a.at - b.at), leftOut };
}
