// Which model chooses memories for a question, if one does. A model that can't be had, or whose budget is used up, is no
// reason to recall nothing: words decide then.

import type { Provider } from '../agent/provider';
import type { Spend } from '../agent/spend';
import type { SelectMemories } from './recall';

export const chosenSelector = (provider: Provider, spend: Spend) => async (): Promise<SelectMemories | undefined> => {
  if ((await provider.state()).kind === 'offline') return undefined;
  const [mayRun, { model }] = await Promise.all([spend.mayRun(), provider.model('recall')]);
  if (!model || !mayRun) return undefined;
  const { createModelSelector } = await import('../modelEngine');
  return createModelSelector(model, (usage) => spend.record({ purpose: 'recall', model: model.id, usage }));
};
