// Which engine works, what it used today and what went wrong with it, in words for a person.

import type { ModelErrorCode } from '../core/agent/languageModel';
import type { ProviderState } from '../core/agent/provider';
import type { ProjectSpend } from '../core/project';
import type { Words } from './words';

/** One sentence, without a full stop. */
export function engineText(state: ProviderState, { t }: Words): string {
  switch (state.kind) {
    case 'anthropic':
      return t('{0} at {1} reads chats: they are sent there', state.models.extraction, state.host);
    case 'vscode':
      return t('The chat model {0} reads chats: they are sent to its provider', state.models.extraction);
    case 'offline':
      break;
  }
  const host = state.host ?? '';
  switch (state.why) {
    case 'no_key':
      return t('Offline: there is no API key for {0}', host);
    case 'other_host':
      return t('Offline: no API key was given for {0}', host);
    case 'open_line':
      return t('Offline: the line to {0} is not encrypted', host);
    case 'bad_address':
      return t('Offline: the address of the model is none');
    case 'not_available':
      return t('Offline: the chosen model is not available here');
    default:
      return t('Offline: nothing is sent');
  }
}

/** What models used today, or `undefined` when there is nothing to say. */
export function spendText({ today, dailyTokens }: ProjectSpend, { t, number }: Words): string | undefined {
  if (dailyTokens > 0)
    return today.tokens < dailyTokens
      ? t('Today {0} of {1} tokens', number(today.tokens), number(dailyTokens))
      : t('Today’s {0} tokens are used up: nothing more is sent', number(dailyTokens));
  return today.tokens > 0 ? t('Today {0} tokens', number(today.tokens)) : undefined;
}

/** What went wrong with one of the editor's chat models; a sentence. */
export function chatErrorText(code: ModelErrorCode, name: string, { t }: Words): string {
  switch (code) {
    case 'no_permission':
      return t('Reverie was not allowed to use “{0}”.', name);
    case 'unknown_model':
      return t('“{0}” is no longer there.', name);
    case 'rate_limited':
      return t('The quota of “{0}” is used up, or its provider blocks it for now.', name);
    case 'timed_out':
      return t('“{0}” did not answer in time.', name);
    case 'too_long':
      return t('This is more text than “{0}” takes.', name);
    default:
      return t('“{0}” failed to answer.', name);
  }
}

/** A sentence. The engine's own are English. */
export function modelErrorText(
  code: ModelErrorCode,
  { host, model, hasKey }: { readonly host: string; readonly model: string; readonly hasKey: boolean },
  { t }: Words,
): string {
  switch (code) {
    case 'unauthorised':
      return hasKey ? t('{0} does not accept the API key.', host) : t('{0} wants an API key.', host);
    case 'no_permission':
      return t('{0} does not allow this key to use the model.', host);
    case 'unknown_model':
      return t('{0} has no model “{1}”.', host, model);
    case 'rate_limited':
      return t('{0} accepts no more requests for now: too many, or the account has no credit left.', host);
    case 'overloaded':
      return t('{0} is overloaded at the moment.', host);
    case 'server_error':
      return t('{0} has a fault at the moment.', host);
    case 'unreachable':
      return t('{0} can’t be reached.', host);
    case 'timed_out':
      return t('{0} did not answer in time.', host);
    case 'too_long':
      return t('This is more text than “{0}” takes.', model);
    case 'bad_answer':
      return t('{0} answered with something else than the Messages API; check its address.', host);
    default:
      return t('{0} refused the request.', host);
  }
}
