// One clause as the rules see it, and the pieces of grammar that several rules share.
// Everything here runs on folded text (lower case, no accents, quotations blanked) of one sentence, so patterns stay bounded.

import { orderWords } from './words';

export interface Clause {
  /** Folded and masked, without small talk, question or request around it. */
  readonly body: string;
  /** The same span as typed: for capitals. */
  readonly raw: string;
  /** Bound to this moment or this change. */
  readonly isMomentary: boolean;
  /** Holds a date after the day it was said. */
  readonly hasDateAhead: () => boolean;
  readonly previousAssistant: string;
  /** With the sentence that follows, unless that is a question. */
  readonly near: string;
}

/** Patterns are written raw, one kind of phrase a line, and joined here. */
export const raw = String.raw;
export const either = (...sources: readonly string[]): string => `(?:${sources.join('|')})`;
export const anyOf = (...sources: readonly string[]): RegExp => new RegExp(either(...sources));

/** A verb that makes a clause of its words. */
export const finite = anyOf(
  raw`\b(?:is|are|was|were|isn't|aren't|am|i'm|we're|they're|it's|he's|she's|has|have|had|do|does|don't|doesn't|did|can|can't|cannot|will|won't|must|should|shouldn't|needs?|may|never|always|only)\b`,
  raw`\b(?:we|they|he|she|nobody|everyone|a gente|nos|eles|ninguem) [a-z]+`,
  raw`\b(?:runs?|lives?|uses?|goes|ends?|starts?|gets?|comes?|means?|owns?|wants?|works?|requires?|takes?|sits?|stays?|keeps?|expires?|closes?|opens?|breaks?|costs?|belongs?|moved|decides?|accepts?|prefers?|knows?|handles)\b`,
  raw`\b(?:E|sao|esta|estao|fica|ficam|tem|vai|vao|usa|usam|foi|roda|cai|precisa|nunca|sempre|so|vale|existe|acaba|comeca|termina|eu|sai|decide|aceita|vence)\b`,
);

export const negated = raw`(?:don't you (?:ever|dare)|don't(?: ever)?|do not(?: ever)?|dont(?: ever)?|never(?: ever)?|please (?:don't|do not|never)|nao|nunca|jamais)`;

/** Stands for "in this project", "nesse repositório": the ground a convention holds on. A capital that nothing folds to. */
export const ground = 'G';
const grounds = new RegExp(
  either(
    raw`\b(?:in|for|on|across) (?:this|our|these|all(?: of)?(?: our| the)?) (?:\w+ )?(?:project|repos?|repository|repositories|codebase|code base|code|team|company|org|organi[sz]ation|monorepo|package|app|product|house|docs|documentation|texts?|copy|ui)\b`,
    raw`\b(?:in|for|on|across) the (?:project|repo|codebase|code base|team|company)\b`,
    raw`\b(?:n[eo]ss[ea]|n[eo]st[ea]|d[eo]ss[ea]|n[ao]s? noss[oa]s?) (?:projeto|repo|repositorio|codigo|base|time|equipe|empresa|pacote|app|produto)s?\b`,
  ),
  'g',
);
/** The clause with every such phrase made one mark: a list written once, not in every pattern. */
export const markGround = (body: string): string => body.replace(grounds, ground);

/** Subjects that point at the work in hand. */
export const codeSubject = anyOf(
  raw`^(?:is|are|was|were|has|have)\b`,
  raw`^(?:it|this|that|these|those|they|there|isso|ele|ela)\b(?! (?:project|repo|repository|codebase|code base|team|company|product|app|projeto|time)\b)`,
  raw`^the (?:function|method|class|tests?|button|page|dialog|component|call|request|response|endpoint|field|value|variable|script|command|query|table|column|row|header|hook|loop|flag|option|user|code|file|server|app|api|comment|message|output|build|ci|job|workflow|modal|screen|form|list|menu|type|error|session|checkpoint|branch|commit|state|first|second|last|same|problem|issue|bug|fix)\b`,
  raw`^(?:esse teste|essa funcao|o botao|a tela|a funcao|o teste|o campo|o valor|o formulario|o metodo|a api|o endpoint|a query|o componente|o modal|a pagina|o arquivo)\b`,
);

/** Talk of bugs: the state of the code, not a fact about the project. */
export const trouble =
  /\b[45]\d\d\b|\b(?:fail(?:s|ed|ing|ures?)?|broken|crash\w*|bug|(?:an?|the|this|these|that|same|following|get|gets|getting|see|seeing|throws?|lint|type|build|test|with|no) errors?|errors? (?:when|in|on|from|out|message)|stuck|hangs?|weird|not working|isn't working|didn't|unused|duplicat\w+|redundant|incorrect|falha|falhou|quebrad\w+|(?:um|o|esse|este|deu|da|dando|mesmo) erro|travou|travando|nao funciona|errado)\b/;

/** Opens with a wish or a request about the work in hand. */
export const wish =
  /^(?:here(?:'s| is| are)|needs?|when i|in this file|for (?:environment|action|this)|to take action|before you|looking at|can|could|let's|lets|let us|please|i'd (?:also |really )?(?:like|love)|i would (?:like|love)|i (?:\w+ )?want|i need|we need|we'll need|we should|we could|you should|should|make|add|fix|try|go(?!-)|do(?! not\b)|use|check|look|run|show|give|tell|help|vamos|quero|preciso|faz|faca|pode|adiciona|cria|roda|ajusta|arruma|corrige)\b/;

const opening = new RegExp(
  raw`^(?:please |just |now |also |then |so |and |first |me |primeiro |tambem |por favor )*(?:${negated} )?([a-z-]+)(?! (?:is|are|was|has|E|fica|esta)\b)(?! \w+ (?:is|are|was|will|can|go|goes|live|lives|has|have|come|comes)\b)(?![\w'-])`,
);
/** Opens with an instruction or a ban, small words in front allowed. */
export function opensWithOrder(body: string): boolean {
  return orderWords.has(opening.exec(body)?.[1] ?? '');
}
/** Holds a word that could be an instruction, behind a word that does not make a noun or an infinitive of it. */
export function hasOrder(text: string): boolean {
  const words = text.split(/[^a-z'-]+/);
  return words.some(
    (word, i) =>
      orderWords.has(word) &&
      !/^(?:to|the|an?|can|will|would|i|we|they|he|she|it|this|that|our|my|your|o|a|os|as|um|uma|de|do|da|que|para|pra)$/.test(
        words[i - 1] ?? '',
      ),
  );
}

/** What the person did or sees right now. */
export const narrative =
  /^i(?:'ve| have|'m| am|'ll| will)? (?:just |already |also |now )?(?:merged|pushed|opened|closed|created|made|added|removed|changed|updated|tried|ran|run|got|get|see|saw|found|noticed|think|thought|guess|know|believe|did|messed|forgot|fixed|committed|started|going|trying|testing|seeing|getting|having|wondering|looking|reset|edit|edited|do the following|don't (?:think|know|see|understand|really))\b/;

/** States something, neither asks for work nor tells what was done. */
export const isStated = (clause: Clause): boolean =>
  !wish.test(clause.body) && !opensWithOrder(clause.body) && !narrative.test(clause.body);
/** States something that is neither about the code in hand nor about a bug. */
export const isFact = (clause: Clause): boolean =>
  isStated(clause) && !codeSubject.test(clause.body) && !trouble.test(clause.body);

/** "The job starts every Monday, move it to Tuesday": the date is what is to be changed. */
export const isToBeChanged = (body: string) =>
  /, (?:please |so )?(?:move|adjust|change|make|shift|set|update|fix|edit|correct|muda|ajusta|troca|altera|corrige)(?: (?:it|them|this|that|isso|pra|para)\b.*)?$/.test(
    body,
  );
