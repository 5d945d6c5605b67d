// Where the offline engine puts what was said while team memory is on: the same table as a model is given, asked of the person's
// own words. In doubt a memory is private: sharing it later is one step, taking it back from others is none.

import type { MemoryType } from '../memory/memory';
import type { MemoryScope } from '../memory/memoryPaths';
import { routedScope } from '../memory/teamMemory';

/** Rules that only speak of what everybody in a project does. */
const conventionRules: ReadonlySet<string> = new Set(['convention', 'habit-of-the-team']);
const ofAll =
  /\b(?:we|our|ours|us|team|everyone|everybody|nobody|no one|all of us|project|repo(?:sitory)?|code ?base|convention|policy|reviewers?|contributors?|a gente|nós|nosso|nossa|nossos|nossas|time|equipe|projeto|repositório|convenção|política|todo mundo|todos)\b/iu;
const ofOne =
  /(?<![\p{L}])(?:i|i'm|i’m|i'd|i've|me|my|mine|myself|for me|eu|meu|minha|meus|minhas|mim|comigo|prefiro|gosto)(?![\p{L}])/iu;

/** `rule` is the id of the signal that found the words. */
export function scopeOfSaid(said: {
  readonly type: MemoryType;
  readonly fact: string;
  readonly why?: string | undefined;
  readonly rule: string;
  readonly team: boolean;
}): MemoryScope {
  const words = `${said.fact} ${said.why ?? ''}`;
  const isPersonal = ofOne.test(words);
  const isConvention = !isPersonal && (conventionRules.has(said.rule) || ofAll.test(words));
  return routedScope(said.type, { team: said.team, isConvention, isPersonal });
}
