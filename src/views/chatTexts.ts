// What the chat participant says of itself: how it is used, why no model answered, and what may be asked next.

import type { ModelErrorCode } from '../core/agent/languageModel';
import type { ChatPlace } from '../core/chat/conversations';
import type { Words } from './words';

/** What the turn came to, for the next one and for what may be asked next. Kept by the editor as JSON. */
export interface ChatEnd {
  readonly kind: 'answer' | 'recall' | 'remembered' | 'forgotten' | 'choose' | 'status' | 'dream' | 'rest' | 'usage';
  readonly place?: ChatPlace;
  readonly found: number;
}

export const usageText = (command: string | undefined, { t }: Words): string =>
  command === 'remember'
    ? t('Say what to remember after /remember: one thing, in your own words.')
    : command === 'forget'
      ? t('Say what to forget after /forget: the name of a memory, or a few words of it.')
      : t('Ask what you want to know. Answers come from the memories of this project.');

export interface Followup {
  readonly prompt: string;
  readonly label: string;
  readonly command?: string;
}

export function failureSentence(failure: ModelErrorCode, { t }: Words): string {
  switch (failure) {
    case 'over_budget':
      return t('Today’s tokens are used up, so no model was asked. This was found by words:');
    case 'no_permission':
    case 'unauthorised':
      return t('The model may not be used, so it was not asked. This was found by words:');
    case 'unknown_model':
      return t('The chosen model is not there. This was found by words:');
    case 'rate_limited':
    case 'overloaded':
      return t('The model takes no more requests for now. This was found by words:');
    default:
      return t('The model gave no answer. This was found by words:');
  }
}

/** What may be asked next; at most three. */
export function followupsOf(end: Partial<ChatEnd> | undefined, { t }: Words): readonly Followup[] {
  const dreaming: Followup = { prompt: t('Tidy the memories up'), label: t('Tidy the memories up'), command: 'dream' };
  const state: Followup = { prompt: t('How is memory doing?'), label: t('How is memory doing?'), command: 'status' };
  switch (end?.kind) {
    case 'answer':
      return [
        { prompt: t('Which of this is old or doubtful?'), label: t('Which of this is old or doubtful?') },
        { prompt: t('What else do you know about it?'), label: t('What else do you know about it?') },
      ];
    case 'recall':
      return end.found === 0 ? [state] : [];
    case 'remembered':
    case 'forgotten':
      return [dreaming];
    case 'status':
      return [dreaming];
    default:
      return [];
  }
}

/** The end of an earlier turn, as the editor kept it; anything may have become of it. */
export function endIn(metadata: unknown): Partial<ChatEnd> | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { kind, found, place } = metadata as { kind?: unknown; found?: unknown; place?: unknown };
  const { conversation, turn } = (place ?? {}) as { conversation?: unknown; turn?: unknown };
  return {
    ...(typeof kind === 'string' ? { kind: kind as ChatEnd['kind'] } : {}),
    ...(typeof found === 'number' ? { found } : {}),
    ...(typeof conversation === 'string' && typeof turn === 'number' && turn >= 0
      ? { place: { conversation, turn } }
      : {}),
  };
}
