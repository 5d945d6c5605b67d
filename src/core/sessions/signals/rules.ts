// The rules that are sure enough to save by themselves: standing instructions, conventions, preferences, and corrections
// that come with a reason. Each is a kind of sentence in its frame, never a phrase. First match wins.
// Also says which type a fact is when the person asked to keep it, whatever it says.

import type { MemoryType } from '../../memory/memory';
import {
  anyOf,
  type Clause,
  codeSubject,
  either,
  finite,
  ground,
  hasOrder,
  isToBeChanged,
  markGround,
  negated,
  opensWithOrder,
  raw,
  trouble,
} from './clause';
import { isAboutThePerson } from './people';
import { hasUrl, isWhereabouts } from './places';
import { parties } from './words';

export interface Rule {
  /** Stable; shown to the person. */
  readonly id: string;
  readonly type: MemoryType;
  readonly explicit: boolean;
  readonly matches: (clause: Clause) => boolean;
}

const laysDown = anyOf(
  raw`^(?:no|nenhum|nenhuma|nada de|sem) \w+`,
  raw`\b(?:must|should|shall|have to|has to|needs? to|may not|mustn't|shouldn't|never|always|prefer|instead of|rather than|deve|devem|precisa|tem que|nunca|sempre|prefiro|nao pode|em vez de)\b`,
  raw`\b(?:i (?:want|like|hate|love|prefer|need|expect)|i'd (?:rather|like)|i don't (?:want|like)|quero|gosto|odeio|nao quero|nao gosto)\b`,
  raw`\b(?:explain|answer|write|use|keep|avoid|run|ask|show)\b.{0,40}\b(?:me|from the ground up|first|before|in english|short)\b`,
);
const ofTheProject =
  /\b(?:release|launch|freeze|deadline|deploy\w*|cluster|server|contract|customer|api|quota|import|licen[cs]e)\b/;
const isOfTheProject = (body: string) =>
  ofTheProject.test(body) || body.split(/[^a-z]+/).some((word) => parties.has(word));
const conditional =
  /^(?:when|whenever|if|every time|each time|before|after|quando|sempre que|toda vez que|se|antes de|depois de)\b/;

/** The type of a fact that the person asked to keep: who they are, where something lies, how to work, else the project. */
export function typeOfFact(body: string, typed: string): MemoryType {
  if (/^you (?:have|can|are|may|could)\b|^voce (?:tem|pode)\b/.test(body)) return 'feedback';
  if (isAboutThePerson(body) && !/^(?:always|never|don't|use|keep|sempre|nunca)\b/.test(body)) return 'user';
  if (
    /\b(?:source of truth|canonical|authoritative|system of record|fonte (?:da verdade|oficial)|oficial)\b/.test(
      body,
    ) &&
    /\b(?:is|are|E|fica|esta)\b/.test(body)
  )
    return 'reference';
  const isOrder =
    opensWithOrder(body.replace(/^(?:always|only|sempre|nunca) /, '')) || (conditional.test(body) && hasOrder(body));
  const isRule = isOrder || laysDown.test(body);
  if (/^(?:no|never|always|don't|do not|nada de|nunca|sempre|nao)\b/.test(body)) return 'feedback';
  if (/^we (?:bill|deploy|ship|sell|charge|support|release|pay|host|serve|operate|deliver)\b/.test(body))
    return 'project';
  if (isWhereabouts(body, typed) || (hasUrl(body) && !isRule)) return 'reference';
  if (!isRule) return finite.test(body) || /\d/.test(body) || body.split(' ').length > 4 ? 'project' : 'feedback';
  return isOfTheProject(body) && !isOrder ? 'project' : 'feedback';
}

const fromNowOn = [
  raw`under no circumstances?|in no case|on no account|at no point|by no means|em hipotese (?:alguma|nenhuma)|de jeito nenhum`,
  raw`from (?:now|here|this point|today) on(?:wards?| out)?|from here on out|going forwards?|moving forwards?|henceforth|in (?:the )?future|for the future|for future \w+`,
  raw`as a (?:matter of |general |team )?(?:rule|policy|principle|convention|standard|habit)(?: of thumb)?|(?:on|out of) principle|per (?:our |team )?policy|in general|generally|by default|as a default`,
  raw`a partir de agora|a partir de hoje|daqui (?:pra|para|em) (?:frente|diante)|de agora em diante|no futuro|nas proximas(?: vezes)?|por padrao|em geral|como regra|via de regra`,
].join('|');
const between = raw`(?:,|:| -|\s)\s*(?:please |also |just |when(?:ever)? [^,]{3,60}, |if [^,]{3,60}, |for [^,]{3,40}, )*`;
const lasting = new RegExp(
  raw`^(?:please |and |so |but )*(?:${fromNowOn})${between}(?!i'd like (?:to|your)|i want to|it |this |that |we (?:can|could|will|might|may|want)|we'll|we'd)`,
);
/** What may stand behind "from now on" besides an order: a ban, or what "you" or "we" do. */
const ruleOpening = new RegExp(
  raw`^(?:${negated} |always |sempre |only )*${either(
    raw`no|nothing|all|every|each|one|nada|nenhum\w*|tod[oa]s?|tudo|so|quero|prefiro|nao|uma?|i (?:want|prefer|expect|need)|i'd (?:rather|prefer)|you|we (?:use|only|never|always|don't|do|write|keep|should|must)`,
    raw`(?:an?|the) [\w -]{2,40}\b(?:must|should|needs?|have to|has to|gets?|goes|starts?|always|never)|tests?|public|private|use|error|dates?`,
  )}\b(?! (?:like|able|want to|think|hope|same))`,
);
/** Says that a rule follows: then any statement is one. */
const ruleAhead =
  /^(?:please |and |so |but )*(?:as a (?:matter of |general |team )?(?:rule|policy|principle|convention|standard)(?: of thumb)?|(?:on|out of) principle|como regra|via de regra),? (?=\S+ \S+ \S)/;
const lastingTail =
  /.\b(?:from (?:now|today|here) on|going forward|in all future \w+|daqui (?:pra|para) frente|de agora em diante|a partir de agora|vale (?:pra|para) sempre|pra sempre|para sempre)\b/;
/** Weaker: makes a rule only of an order. */
const generalTail = /.{8},? (?:as a (?:general )?rule|in general|generally|by default|como regra|em geral|por padrao)$/;
const alwaysTail = /.{6},? (?:always|every time|without exception|sempre|toda vez|sem excecao)$/;
const everyTime =
  /^(?:please |and |so )*(?:(?:every|each) time|whenever|any ?time|sempre que|toda vez que|cada vez que|todas as vezes que) (?:that )?(.{3,})$/;
const inEveryNew =
  /^(?:please |and |so )*(?:in|for|on|with|em|para|pra) (?:every|each|all|any|cada|tod[oa]s?(?: [ao]s?)?) (?:new|future|nov[oa]s?) (.{3,})$/;
const asked =
  /^(?:also |please |first |then |you (?:should|must|have to) |i want you to |quero que voce |tambem |primeiro )+/;

/** Only these make a rule of whatever must be: "in the future" and "by default" also tell what is to be built. */
const fromThisDay =
  /^(?:please |and |so |but )*(?:from (?:now|here|this point|today) on(?:wards?)?|going forwards?|henceforth|a partir de (?:agora|hoje)|daqui (?:pra|para|em) (?:frente|diante)|de agora em diante)\b/;
const mustBe = new RegExp(
  raw`^(?!(?:it|this|that|these|those|there|i|we|you|he|she|they|isso|ele|ela|eu|a gente)\b)(?:[\w/-]+ ){1,5}?${either(
    raw`(?:must|should|needs?|have to|has to|requires?|carry|carries|include|contain|follow|start with|end with|go(?:es)? (?:in|into|to|under|through)|are (?:written|named|in|always|never)|get)`,
    raw`(?:precisam?|devem?|tem que|tem de|levam?|comecam?|seguem|vao (?:em|no|na|para|pra)|ficam? (?:em|no|na)|sao (?:em|escrit\w+|sempre))`,
  )} \S`,
);
/** "From now on the tests need fixing": tells of the work ahead. */
const needsWork =
  /^(?:the |our |[oa]s? )?[\w-]+(?: [\w-]+){0,3} (?:needs?|precisam?(?: de)?) (?:fix\w*|work|attention|help|care|review\b|ajuste|reparo|(?:to be|ser) (?:fixed|done|reviewed|corrig\w+|arrum\w+))/;
const quits = /^(?:para|pare|parem|chega) (?:com|de) \w/;

/** "From now on, …", "… from now on", "whenever X, do Y", "do Y, always": an order with a word that makes it last. */
function isLastingOrder(body: string): boolean {
  if (ruleAhead.test(body)) return true;
  const head = lasting.exec(body);
  if (head !== null) {
    const rest = body.slice(head[0].length);
    if (needsWork.test(rest) || isToBeChanged(rest)) return false;
    if (fromThisDay.test(body) && (mustBe.test(rest) || quits.test(rest))) return true;
    return opensWithOrder(rest) || ruleOpening.test(rest) || (conditional.test(rest) && hasOrder(rest));
  }
  if (lastingTail.test(body))
    return opensWithOrder(body) || quits.test(body) || ruleOpening.test(body) || hasOrder(body);
  if (alwaysTail.test(body) && opensWithOrder(body)) return true;
  if (generalTail.test(body) && (opensWithOrder(body) || (conditional.test(body) && hasOrder(body)))) return true;
  const when = everyTime.exec(body)?.[1] ?? inEveryNew.exec(body)?.[1];
  if (when === undefined) return false;
  const parts = when.split(/, /);
  if (parts.length === 1) return hasOrder(when.replace(/^\S+ \S+/, ''));
  return parts.slice(1).some((part) => opensWithOrder(part.replace(asked, '')) || part.startsWith('no '));
}

const condition = raw`(?:when|whenever|if|every time|each time|any ?time|before|after|unless|until|quando|sempre que|toda vez que|cada vez que|se|antes de|depois de|ao)\b`;
const notARule = raw`(?!(?!focus|alias|bias|\w+mos\b)\w{3,}[^s]s\b)(?!(?!embed|feed|seed|need|speed)\w+ed\b)(?!(?:saw|knew|made|found|came|went|took|gave|ran|felt|left|kept|met|built|read)\b)(?!\w+(?:ei|[^a]i)\b)(?!(?:mind|seen|got|had|been|was|were|heard|worked|did|thought|again|0|true|false|null|ever|vi|vimos|tive|foi|deu|funcionou|aparece|acontece|falha|da|the|a|an|in|on|at|when|before|after|if|or|and|que|quando|antes|depois)\b)(?!\w+ (?:this|it|these|those|isso|ele|ela)\b)`;

const standing = anyOf(
  raw`^(?:please |and |so |but )*(?:a|my|our|new|one|the|another|general|house|standing|hard|simple|golden|team|project|code|coding|personal) ?(?:\w+ )?(?:rule|convention|policy|guideline|standard|principle|habit|order|instruction)\b[^:]{0,40}:`,
  raw`^(?:let's|lets) (?:agree|settle|be clear)\b[^:]{0,30}:|^(?:it(?:'s| is)|that's) (?:an? |our |the )?(?:\w+ )?(?:rule|policy|convention|standard|habit|agreement|custom)\b.{0,40}\bthat\b`,
  raw`^(?:we|the team|i) (?:\w+ )?(?:have|has|got) (?:an?|one|this|the) (?:\w+ )?(?:rule|policy|convention|agreement|principle|standard)(?::|,|$| (?:that|about|against|here|for|on|to|not)\b)`,
  raw`^(?:please |and |so )*(?:in|for|on|with) (?:every|each|all|any)\b.{2,80}\b(?:without exception|no exceptions|always)$`,
  raw`^(?:make it a (?:habit|rule)|(?:\w+ )?regra(?: \w+){0,3}:|(?:o |a )?(?:nosso|nossa|meu|minha) (?:padrao|regra|politica|convencao|norma)\b)`,
  raw`^(?:${condition}[^,]{2,90}, )?(?:you (?:should|must|need to|have to|can) |make sure (?:to |you |that you )?|be sure to |please |just |but |voce deve |favor )*(?:always|never(?: ever)?|don't ever|do not ever|dont ever|don't you ever|sempre|nunca|jamais) (?:please |first |again |just |ever )?${notARule}[a-z-]{2,}\b`,
  raw`^(?:please |so |just )*(?:stop|quit|cease|enough with|no more|cut out) (?:the )?(?:[a-z]+ing|[a-z]+s)\b.{0,80}\b(?:every|each|all the time|always|again|everywhere|constantly|at the end of|seriously|anymore|any more|in your (?:answers|responses|replies|messages)|after (?:every|each)|when you|whenever|unless|without|all over)\b`,
  raw`^(?:por favor |so )*(?:para|pare|parem|chega) (?:com |de )\w+\b.{0,80}\b(?:toda|todo|sempre|cada|no final de|sem eu|em tod|nas respostas)\b`,
  raw`^(?:${negated}) [a-z]{2,}\b.{0,90}\b(?:without (?:asking|checking|my|me|telling)|sem (?:me )?(?:perguntar|pedir|avisar|eu))\b`,
  raw`^nao \w+.{2,60}, (?:nunca|jamais|em hipotese)\b|^(?:don't|do not) \w+.{2,60}, ever\b`,
  raw`^(?:i )?(?:never|always) (?:want|need|expect|like)\b|^(?:(?:for|in|on|with|when|if) [^,]{3,60}?,? )?i (?:always|never|generally|in general|usually) (?:want|prefer|like|expect)\b`,
  raw`\b(?:quero sempre|nunca quero|sempre quero)\b|\bnao quero (?:mais )?que voce\b|\bnao quero (?:mais )?(?:ver )?(?:nenhum|nenhuma|nada)\b`,
  raw`^(?:please |so )*(?:use|write|keep|prefer|put|name|spell|format|avoid|call|leave|mantenha|use|usa|escreva|escreve|prefira|evite|deixe)\b.{3,90}\b(?:${ground}|everywhere|wherever (?:we|you|possible)|anywhere|no exceptions|in all (?:of )?(?:our|the|your)|that goes for|at all times|em todo|em todos|em todas|sem excecao|(?:always|sempre)(?:$|[,.]))`,
  raw`^(?:we|you) (?:should|must|need to|have to|want to) (?:always |never |only |be )*(?:us(?:e|ing)|writ(?:e|ing)|keep(?:ing)?|prefer(?:ring)?|avoid(?:ing)?|hav(?:e|ing))\b.{3,90}\b(?:everywhere|wherever (?:we|you|possible)|always|in all|across|throughout|no exceptions)\b`,
  raw`\b(?:let's|lets) (?:always|never|make sure (?:that )?we(?:'re| are)? (?:always |only )?[a-z]+(?:ing)?\b.{2,60}\b(?:everywhere|always|throughout|wherever|in all))`,
  raw`^you (?:must|should|may|can) (?:never|always|not ever)\b`,
);
/** "Never return early here": an order for the spot. */
const pointsHere = /^(?:please |and |so |but )*(?:always|never|don't ever|sempre|nunca)\b.{3,60}\b(?:here|aqui)$/;
const isStanding = (body: string) => standing.test(markGround(body)) || isLastingOrder(body);

const convention = anyOf(
  raw`, (?:that's|this is|that is) (?:the|our|an?) (?:\w+ )?(?:rule|policy|convention|standard|way we (?:do|work))\b|^(?:nobody|no one|everyone|everybody) [a-z]+s\b.{3,80}\b(?:except|unless|without)\b`,
  raw`^(?!i\b|it\b|this\b|that\b|why\b)[^,;]{3,70}\b(?:always|never|sempre|nunca)\b.{2,80}\b(?:(?:here|aqui)(?:$|[,.;])|${ground})`,
  raw`^(?:${ground}),? .{2,60}\b(?:always|never|only|sempre|nunca|so)\b`,
  raw`\bwe (?:always|only) .{3,60}, (?:never|not)\b`,
  raw`^(?:we|the team|everyone|everybody|nobody|no one|people) (?:\w+ )?(?:here |around here )?(?:always|never|only|don't|do not|doesn't|avoid|use|write|follow|keep|put|prefer|squash|name|spell|deploy|sign|stick|require|store|say|call|work|document|version|tag|wrap|inject|merge|ship|commit|review|test|rebase)\b.{2,120}\b(?:here|${ground}|not \w+|instead of|rather than|ever|as a rule|by convention|everywhere)`,
  raw`^(?:${ground}|here|around here|aqui|por aqui),? (?:we|nobody|everyone|you|all|an?|every|no|the|use|never|always|a gente|nos|nunca|sempre|ninguem|todo mundo|usamos|se|so|nao|E|tudo|toda|todo|nada)\b(?! (?:E|esta|tem um|tem uma|ta|is a|is the|are the|we have a|we have the)\b)`,
  raw`^(?:this|the|our) (?:project|repo|repository|codebase|code base|team|company|app|package|monorepo) (?:only |never |always |strictly |doesn't |does not |is )?(?:uses?|follows?|avoids?|sticks? to|prefers?|do|requires?|targets?|ships?|forbids?|bans?|allows?|written|strict)\b`,
  raw`^(?:our|my|the team's|the project's|team|house|the|nosso|nossa|o nosso|a nossa|o|a) (?:\w+ )?(?:convention|style|house style|style ?guide|guidelines?|agreement|policy|standard|rule|practice|naming scheme|padrao|convencao|regra|politica|estilo)(?: (?:here|aqui|da casa|do time|da equipe|do projeto))? (?:is|are|for \w+ is|E|e|sao|manda)\b`,
  raw`^(?:our|my|house|the (?:house|team) )(?: \w+)? ?(?:style ?guide|policy|convention|guidelines?) says?\b|^the style ?guide (?:here )?says\b`,
  raw`^we (?:use|write|spell|say|call|are on|stick (?:to|with)|work with|prefer|follow|go with|do|want)\b.{2,80}(?:,| and| but) ?(?:not|never|no)\b|^we (?:use|write|prefer|stick to) .{2,50}\b(?:always|only|exclusively|everywhere)\b|^we are an? \S+ shop\b`,
  raw`^(?:a gente|nos|o time|a equipe|o pessoal) (?:so |sempre |nunca |aqui )*(?:usa|usamos|escreve|evita|nao usa|nao faz|faz|segue|prefere|nunca|nao)\b.{2,80}(?:,? (?:nunca|nao|e nao|em vez de)|\b(?:aqui|sempre|so)\b|${ground})`,
  raw`\b(?:usa|usamos|use) \S+(?: \S+)?, (?:nunca|nao) (?!consegu|E\b|tem\b|pode|da\b|vai\b|quer|sabe|funciona)\S+(?:$|[,. ])|\buse \S+(?: \S+)?, (?:never|not) \S+.{0,40}(?:${ground}|\balways\b|\bever\b)`,
  raw`\b(?:must|should|can|may) (?:never|always)\b.{2,80}(?:${ground}|\b(?:rule|policy|convention|house style|style|standard|here)\b)|\bnunca (?:pode|podem|deve)\b|\bsempre (?:deve|precisa)\b|\b(?:hard|strict|house|firm|our) (?:rule|style|policy|convention)(?:$|[,.;] | here\b)`,
  raw`^(?:the )?(?:product|company|brand|project|app|tool|service|o produto|a empresa|o projeto|o nome)\b.{0,20}\b(?:is|are|E|se) (?:called|spelled|written|named|chama|escrito|chamad[oa]|escreve)\b`,
  raw`^(?:every|all|each|no|public|private|nenhum|nenhuma|tod[oa]s?(?: [ao]s)?|any) [\w -]{2,40}?\b(?:must|needs?|gets?|has|have|requires?|should|goes|go|are always|is always|always|never|precisa|precisam|deve|devem|tem que|leva)\b.{3,80}\b(?:always|never|no exceptions|every time|must|rule|${ground}|in all|sem excecao|regra|sempre|nunca)`,
);

/** "We never close the file here, that's the leak": a finding, not a convention. */
const finding =
  /, (?:that's|which is|this is|it's) (?:the (?!(?:\w+ )?(?:rule|policy|convention|standard|way|law)\b)|why|wrong|probably|what)/;

export const isFinding = (body: string): boolean => finding.test(body);

const preference = anyOf(
  raw`\bmy (?:\w+ )?(?:preference|favou?rite|preferred \w+) (?:is|are|would be|goes)\b|\bminha preferencia E\b`,
  raw`\bi want to (?:approve|review|confirm|be asked|decide|sign off)\b.{0,20}\b(?:every|all|any|each|before you)\b|\bi want to be asked\b`,
  raw`\bi (?:really |strongly |much |generally |usually |personally |always |actually |definitely )*(?:prefer|favou?r)\b`,
  raw`\bi(?:'d| would) (?:\w+ )?(?:rather|prefer)(?: it if| that| for)? (?:you|to have you|have you|see|get|read|not)\b|\bi(?:'d| would) (?:always |really )?(?:rather|like) (?:all|every) `,
  raw`\bi (?:really |absolutely |just |strongly )*(?:hate|love|dislike|like|appreciate|can't stand|don't like|do not like|don't want|do not want|can't bear|enjoy|don't need|want|need|expect) (?:it |that )?(?:when(?:ever)?|if|that|for) (?:you|your)\b`,
  raw`\bi (?:don't (?:like|want|need)|want|need|like|expect) you to (?:always |never |not |only )?\w+\b.{0,90}\b(?:always|never|every|each|before|without|unless|first|whenever|instead|in general|ever|from now on)\b|\bi don't (?:like|want) you to\b`,
  raw`\bi(?:'d| would) (?:really )?(?:appreciate|like|love|prefer) (?:it )?(?:if|when) you\b|\bit (?:would be|is|'s) (?:great|nice|good|better|helpful) if you (?:always|never|would always)\b`,
  raw`^i (?:really |absolutely |just )*(?:hate|dislike|can't stand|don't like|love) (?!(?:the|this|that|it|these|those|how|your|my|to|a|an|what)\b)[a-z-]+(?: [a-z-]+){0,3}s\b`,
  raw`\bi (?:don't|do not|never) (?:want|like|need) (?:any )?(?!(?:the|this|that|it|to|these|those|a|you|him|her|them)\b)[a-z-]+(?: [a-z-]+){0,2}s\b.{0,40}\b(?:in|on|at|from|ever|anywhere|unless|without)\b`,
  raw`\bi want (?:every|all|each|no) \w+.{0,60}\b(?:always|documented|no exceptions|in (?:all|every)|every|ever)\b|\bi want \w+ to be \w+,? (?:always|in general|that's a general|everywhere)`,
  raw`^(?:eu )?(?:sempre |realmente |geralmente )*prefiro\b|(?:^|, |\be |\beu )(?:gosto|adoro|odeio|detesto|nao gosto|nao curto|nao suporto) (?:muito )?(?!d[oa]s? |diss|dess|dest)(?:quando|que|se|de|\w+)\b`,
);

/** "I prefer option B": picks from what lies on the table. */
const picks = new RegExp(
  raw`\b(?:prefer|rather(?: use| have| go)?|prefiro|like|gostei|gosto)\b(?: to (?:use|go with|have|keep)| de| d[oa]| mais d[oa]| mais)? (?:the |a |o |your |that |this )?(?:(?:first|second|third|fourth|last|latter|former|other|old|new|previous|current|simple|simpler|original|left|right|primeir|segund|terceir|ultim|outr|nov|antig)\w*(?: (?:one|option|version|approach|idea|solution|way|variant|opcao|versao|ideia|abordagem|solucao|jeito|forma|modo|caminho))?\s*(?:$|[.,!;])|options?\b|variants?\b|version\b|approach\b|opcao\b|opcoes\b|versao\b|abordagem\b|it\b|this\b|that\b|these\b|those\b|them\b|one\b|yours\b|iss\w\b|est[ea]\b|ess[ea]\b|assim\b|how\b|#?\d|[a-e](?:\s|[,.!]|$))`,
);
const weighs = /\bover\b|\bto (?:be|have) |\binstead of\b|\brather than\b|, not\b|\bwhen you\b|\bif you\b|\bdo que\b/;
const isPick = (body: string) => picks.test(body) && !weighs.test(body);

const ban = new RegExp(
  raw`^(?:please |pls |no |and |so |but |ok |just |por favor |favor )*(?:${negated}) (?!(?:need|want|think|know|have|see|precis|quer|sei|ach|vej|entend|tem|temos|we|you|i)\w*\b)[a-z-]{2,}\b(?! (?:it|that|this|them|those|yet|now|ainda|isso|agora|about|to|from here)\b)`,
);
/** Points at the thing in hand instead of a kind of thing. */
const pointing = /^(?:\S+ ){1,4}?(?:it|this|that|these|those|yet|yourself|isso|esse|essa|ainda)\b|\bhere\b|\baqui\b/;
const reason = anyOf(
  raw`(?:[,;:.(]|\s-)\s*(?:because|since|cause|as|otherwise|or else|its?|it's|they|they're|that|we|we've|i|i've|i'm|nobody|no one|everyone|people|reviewers?|ops|legal|security|customers?|users?|others|the \w+(?: \w+)?|our \w+|my \w+|last \w+|every time|somebody|someone|you|porque|pois|ja que|senao|o \w+|a \w+|os \w+|as \w+|ja|isso|E|eles|ninguem|todo mundo|toda vez|da ultima vez|quebra|confunde)\b.{6,}`,
  raw`\b(?:because|since|otherwise|so that|porque|pois|ja que|senao|por causa d|pra nao|para nao)\b.{6,}`,
);
const hurt =
  /\b(?:burn(?:ed|t)|bitten|bit us|broke|broken|breaks?|lost|lose|failed|outage|incident|leak\w*|charged twice|took down|went down|blew up|costs?|wasted|complain\w*|reject\w*|overwr\w+|banned|forbidden|fined|audit\w*|hate|hates|confus\w+|triggers?|regenerat\w+|generated from|perdemos|quebr\w+|caiu|vazou|custa|reclam\w+|rejeit\w+|sobrescr\w+|proibid\w+|dispara|confunde|deu (?:problema|ruim)|tivemos|ja aconteceu|exigencia|last (?:time|year|quarter|month|week)|twice|da ultima vez)\b/;

/** A ban on a kind of thing, with the reason: the person explains because it will come up again. */
export const isReasonedBan = (clause: Clause): boolean =>
  ban.test(clause.body) && !clause.isMomentary && !pointing.test(clause.body) && reason.test(clause.near);

export const sureRules: readonly Rule[] = [
  {
    id: 'standing-rule',
    type: 'feedback',
    explicit: true,
    matches: (c) => isStanding(c.body) && !pointsHere.test(c.body) && !c.isMomentary && !/\bi mean\b/.test(c.body),
  },
  {
    id: 'convention',
    type: 'feedback',
    explicit: true,
    matches: (c) =>
      convention.test(markGround(c.body)) &&
      !isFinding(c.body) &&
      (!isToBeChanged(c.body) || /\b(?:always|never|must|sempre|nunca)\b/.test(c.body)) &&
      !c.isMomentary &&
      !trouble.test(c.body) &&
      !codeSubject.test(c.body),
  },
  {
    id: 'preference',
    type: 'feedback',
    explicit: true,
    matches: (c) => preference.test(c.body) && !c.isMomentary && !isPick(c.body),
  },
  {
    id: 'correction-with-reason',
    type: 'feedback',
    explicit: true,
    matches: (c) => isReasonedBan(c) && hurt.test(c.near),
  },
];
