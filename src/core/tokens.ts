// How many tokens a text has, without a tokenizer: for limits, never for billing.

/**
 * Tokens of a text without a tokenizer: about 3.5 characters a token in Latin scripts, one a character elsewhere. Errs
 * to the high side, because it only serves limits.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x2e7f) wide += 1;
  return Math.ceil((text.length - wide) / 3.5 + wide);
}
