// Words as an English editor would say them.

import { createWords, type Translate } from '../../src/views/words';

export const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_whole, at: string) => `${args[Number(at)] ?? ''}`);

export const englishWords = createWords('en', english);
