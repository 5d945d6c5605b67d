// Whether a model answers: one tiny request, for the moment a person chooses it. Says what happened as data.

import { isModelError, type ModelErrorCode } from './languageModel';

export interface Candidate {
  readonly id: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export type TryResult =
  | { readonly answered: true }
  | { readonly answered: false; readonly code: ModelErrorCode; readonly message: string };

/** Costs some twenty tokens. Rejects only when aborted, with the signal's reason. */
export async function tryModel({ id, ...endpoint }: Candidate, signal: AbortSignal): Promise<TryResult> {
  const { createAnthropicModel } = await import('./anthropicModel');
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Answer with the one word: ready' }] }] as const;
  try {
    await createAnthropicModel({ id, ...endpoint }).complete(
      { system: [], tools: [], messages, maxTokens: 16 },
      signal,
    );
    return { answered: true };
  } catch (error) {
    if (!isModelError(error)) throw error;
    return { answered: false, code: error.code, message: error.message };
  }
}
