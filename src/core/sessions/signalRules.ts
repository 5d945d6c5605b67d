// The rules that need no model: kinds of sentence people use for what should outlast a chat.
// Each names itself, the type of memory it gives, and whether it is sure enough to save or only to suggest.
// First match wins, so the sure ones stand first. Refuses single phrases: a rule is a verb, its object and its frame.

import type { MemoryType } from '../memory/memory';
import { capitalSystems, parties, partiesPt, roles, systems, verbs, verbsPt } from './signalWords';

/** One clause as the rules see it. */
export interface Clause {
  /** Folded and masked, without small talk, question or request around it. */
  readonly body: string;
  /** The same span as typed: for capitals. */
  readonly raw: string;
  readonly isMomentary: boolean;
  /** Says something about the future with a date of its own. */
  readonly hasDateAhead: boolean;
  /** The sentence was cut: a question or a request follows it. */
  readonly leadsToRequest: boolean;
  readonly previousAssistant: string;
  /** The whole prompt, folded: for words that stand near. */
  readonly near: string;
}

export interface Rule {
  readonly id: string;
  readonly type: MemoryType;
  readonly explicit: boolean;
  readonly matches: (clause: Clause) => boolean;
}

const imperative = `(?:${verbs})`;
const imperativePt = `(?:${verbsPt})`;
const project =
  '(?:(?:in|for|on|across) (?:this|the|our|these|all(?: of)?(?: our| the)?) (?:\\w+ )?(?:project|repo|repos|repository|repositories|codebase|code base|code|team|company|org|organi[sz]ation|monorepo|package|app|product|house|docs|documentation|texts?|copy|ui)\\b|(?:n[eo]ss[ea]|n[eo]st[ea]|d[eo]ss[ea]|no noss[oa]|na noss[oa]|nos noss[oa]s) (?:projeto|repo|repositorio|codigo|base|time|equipe|empresa|pacote|app|produto)s?\\b)';

const test = (...sources: string[]) => {
  const pattern = new RegExp(sources.map((source) => `(?:${source})`).join('|'));
  return (text: string) => pattern.test(text);
};

const codeSubject =
  /^(?:it|this|that|these|those|they|there|the (?:function|method|class|test|tests|button|page|dialog|component|call|request|response|endpoint|field|value|variable|script|command|query|table|column|row|header|hook|loop|flag|option|user|code|file|server|client|app|api|comment|message|output|build|ci|job|workflow|app|page|modal|screen|form|list|menu|type|error|session|checkpoint|branch|commit|state|first|second|last|same|other|old|new|problem|issue|bug|fix|reason why)|isso|esse teste|essa funcao|ele|ela|o botao|a tela|a funcao|o teste)\b/;
const trouble =
  /\b(?:fail(?:s|ed|ing|ures?)?|broken|breaks|crash\w*|bug|error|errors|missing|stuck|hangs?|wrong|weird|doesn't work|not working|isn't working|didn't|unused|duplicat\w+|redundant|lint|incorrect|falha|falhou|quebrad\w+|erro|travou|travando|nao funciona|errado)\b/;
const choiceNow =
  /\b(?:prefer|rather(?: use| have| go)?|prefiro|like|gostei|gosto)\b(?: to (?:use|go with|have|keep)| de| d[oa]| mais d[oa]| mais)? (?:the |a |o |your |that |this )?(?:(?:first|second|third|fourth|last|latter|former|other|old|new|previous|current|simple|simpler|original|left|right|primeir|segund|terceir|ultim|outr|nov|antig)\w*(?: (?:one|option|version|approach|idea|solution|way|variant|opcao|versao|ideia|abordagem|solucao))?\b|options?\b|variants?\b|version\b|approach\b|opcao\b|opcoes\b|versao\b|abordagem\b|it\b|this\b|that\b|these\b|those\b|them\b|one\b|yours\b|iss\w\b|est[ea]\b|ess[ea]\b|assim\b|how\b|#?\d|[a-e](?:\s|[,.!]|$))/;

const negated = `(?:don't(?: ever)?|do not(?: ever)?|dont(?: ever)?|never(?: ever)?|please (?:don't|do not|never)|nao|nunca|jamais)`;
const everywhere =
  /\b(?:everywhere|wherever|anywhere|across the board|throughout|in all|in every|for all|for every|for everything|all (?:our|the|of our)|any(?:thing| new| time)?|every|no exceptions|without exception|company-wide|em todo|em tod[oa]s|todos os|todas as|qualquer|sem excecao|em tudo|ever)\b/;

const reasonAfter =
  /(?:[,;:.(]|\s-)\s*(?:because|since|cause|as|otherwise|or else|it|its|it's|they|they're|that|we|we've|i|i've|i'm|nobody|no one|everyone|people|reviewers?|ops|legal|security|customers?|users?|others|the \w+(?: \w+)?|our \w+|my \w+|last \w+|every time|somebody|someone|you|porque|pois|ja que|senao|o \w+|a \w+|os \w+|as \w+|ja|isso|é|eles|ninguem|todo mundo|toda vez|da ultima vez|o pessoal|quebra|confunde)\b.{6,}|\b(?:because|since|otherwise|so that|porque|pois|ja que|senao|por causa d|pra nao|para nao)\b.{6,}/;

const userFacts = test(
  "\\bmy name(?:'s| is)\\b|\\b(?:people |everyone |just |please )?calls? me \\w|\\bi go by\\b",
  `\\bi(?:'m| am|m) (?:actually |also |really |just |only |still |primarily |mostly |mainly |basically |originally )*(?:an?|the|one of the|your) (?:[\\w-]+ ){0,4}?(?:${roles})\\b`,
  `\\bi(?:'m| am) (?:not |no )(?:an?|really an?|much of an?) (?:[\\w-]+ ){0,3}?(?:${roles})\\b|\\bi(?:'m| am) (?:actually |really |more |mostly |mainly )*(?:more |rather )?(?:of )?an? [\\w-]+ (?:person|guy|girl|type)\\b`,
  "\\bi(?:'m| am) (?:\\w+ )?(?:the only|the one who|new to|brand new to|fairly new|quite new|pretty new|fluent|based in|located in|colou?r-?blind|blind|dyslexic|deaf|left-handed|a beginner|a total|self-taught|responsible for|in charge of|coming from|from (?:the |a )?\\w+ (?:team|side|background|world)|used to|no expert|on call|on the [\\w-]+ team|part of the|a native|a non-native|not a native|learning|retired|in (?:the )?[a-z]+ ?(?:time|timezone|time zone)|in (?:utc|gmt|cet|est|pst|wet))\\b",
  "\\bi(?:'m| am) (?:not (?:very |that |so |really |too )?(?:familiar|experienced|fluent|good|comfortable)|(?:very |quite |most |more |pretty )?(?:familiar|experienced|comfortable|at home)) (?:with|in|at)\\b",
  '\\bi (?:lead|head|manage|run the|own the|maintain|work (?:from|at|in|for|on|as|with|mostly|mainly|only|part|remotely|night)|live in|come from|came from|speak|teach|study|studied|moderate|supervise|coach)\\b(?! (?:this|that|it|the (?:tests?|command|script|same)))',
  '\\bi (?:mostly|mainly|usually|only|primarily|normally|generally) (?:write|work|do|use|code|know|speak|read|program|develop|have (?:about |around |roughly )?(?:an?|one|two|\\d+|half))\\b|\\bi (?:write|code|program) (?:mostly|mainly|in|for a living)\\b',
  '\\bi (?:do|handle|take care of|look after|cover) (?:all )?(?:the |our )?[\\w-]+(?: \\w+)? (?:here|part|side|stuff|work|for)\\b|\\bi (?:take care of|look after)\\b',
  "\\bi(?:'ve| have) (?:got )?(?:about |over |around |almost |more than )?(?:\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|many|several|some|no|little|zero|a lot of|a bit of) (?:\\+ )?(?:\\w+ )?(?:years?|decades?|background|degree|phd|experience|knowledge|dyslexia|adhd)\\b|\\bi have (?:dyslexia|adhd|tinnitus|rsi|low vision|a (?:slow|metered|bad) (?:connection|line|laptop))",
  "\\bi(?:'ve| have)? never (?:really |actually |properly )?(?:used|written|done|worked|touched|programmed|coded|learned|learnt|built|heard of|deployed|set up|studied)\\b|\\bi(?:'ve| have) (?:only |mostly |always |just )?(?:been )?(?:writing|written|programming|programmed|coding|worked (?:as|with|in|on|for)|working (?:as|with|in|at|for)|taught|teaching)\\b.{0,60}(?:\\b(?:for|since|all|as|at|years?|only|mostly|career|life)\\b|$)",
  `\\bi (?:was|used to be) (?:an?|the|in) (?:[\\w-]+ ){0,3}?(?:${roles}|charge|support|ops)\\b|\\bi used to (?:work|write|program|teach)\\b`,
  '\\bi (?:use|rely on) (?:a |an |my )?(?:\\w+ )?(?:screen ?reader|braille|voice control|dictation|dvorak|colemak|vim|emacs|neovim|mac|macbook|windows|linux|wsl|fedora|ubuntu|nixos|chromebook|ipad)\\b',
  "\\bi (?:don't|do not|can't|cannot|barely|hardly) (?:really |even )?(?:know|speak|read|write|code|program|see)\\b (?:any |much |a lot of |about )?(?:[a-z#+]+)(?: (?:well|at all|very well|much|yet|code))?(?:[,.;]| so\\b| and\\b|$)",
  `\\bas (?:someone (?:who|with|from|that)|(?:an?|the) (?:[\\w-]+ ){0,3}?(?:${roles}|person)),? (?:who |i\\b|with|of|from|\\w+ed|\\w+s)`,
  "\\b(?:this|that|it)(?:'s| is) my (?:very )?(?:first|second|own|only)\\b.{0,30}(?:project|time|app|language|year|week|job|website|site|repo)\\b",
  "\\bmy (?:time ?zone|native language|mother tongue|first language|main language|background|day job|job|job title|role|title|pronouns|english|employer|field|speciality|specialty|working hours|hours|keyboard|editor|os|machine) (?:is|are|isn't|was|has)\\b",
  "\\b(?:being|since i'm|since i am) (?:new to|a|an|the only)\\b",
  `\\b(?:eu )?sou (?:[ao] |uma? |so |mais |tipo |basicamente )*(?:(?:[\\w-]+ ){0,2}?(?:de|do|da|dev|dba|sre|qa|desenvolvedor\\w*|engenheir\\w+|cientista|designer|analista|gerente|estagiari\\w+|professor\\w*|alun\\w+|estudante|daltonic\\w+|canhot\\w+|responsavel|arquitet\\w+|freela\\w*|iniciante|novat\\w+|nov[oa]|junior|senior|lider|cto|po|pm|programador\\w*|testador\\w*|medic\\w+|contador\\w*|advogad\\w+|jornalista|tecnic\\w+|unic[oa]|autodidata|cego|surd[oa]|mantenedor\\w*))\\b`,
  '\\b(?:eu )?sou [oa] [a-z]+(?:,|$| e\\b)|\\bsou eu (?:que|quem)\\b|\\bmeu nome\\b|\\bme chamo\\b|\\b(?:pode )?me chamar? de\\b',
  '(?:^|[,;] |\\be |\\beu |\\bque )(?:venho|vim) d[oae]s?\\b|(?:^|[,;] |\\be |\\bque )(?:eu )?trabalho (?:so|com|na|no|de|em|como|remot\\w+|meio|ha|sozinh[oa]|principalmente|mais)\\b|(?:^|[,;] |\\be |\\beu |\\bque )(?:cuido|tomo conta) d|(?:^|[,;] |\\be |\\beu |\\bque )(?:mexo|programo|codo|escrevo) (?:so|mais|com|em|principalmente)\\b|\\bnao mexo\\b',
  '\\b(?:eu )?nunca (?:programei|mexi|usei|trabalhei|escrevi|estudei|toquei|fiz (?:nada|um|uma))\\b|\\b(?:eu )?moro (?:em|no|na)\\b|\\bmeu fuso\\b|\\bminha (?:area|formacao|lingua|funcao|especialidade)\\b|\\b(?:eu )?tenho (?:\\w+ ){0,2}(?:anos?|dislexia|tdah|pouca experiencia|experiencia|hora|horas)\\b|\\b(?:eu )?(?:uso|trabalho com) (?:um |o )?(?:leitor de tela|mac|linux|windows)\\b',
  '\\b(?:eu )?(?:falo|leio|escrevo) (?:portugues|ingles|pouco|mal|so)\\b|\\bnao (?:falo|leio|manjo|entendo (?:nada |muito )?de|sei (?:nada de|programar|ler|escrever))\\b|\\b(?:estou|to) aprendendo\\b|\\b(?:é|e) (?:o )?meu primeiro (?:projeto|contato|app|emprego)\\b|\\bcomo (?:alguem|quem) que\\b',
);
const userVeto =
  /\bi(?:'m| am) (?:a bit |a little |so |really |very |still |just )*(?:lost|confused|stuck|sure|not sure|getting|seeing|having|trying|running|testing|going|wondering|thinking|looking|using the|on (?:the|branch|main|step)|in (?:the|a) (?:middle|branch|folder|repo)|afraid|sorry|fine with (?:it|this|that)|ok with (?:it|this|that)|done|back|happy)\b|\bi (?:work|worked) (?:around|on (?:this|that|it|the))\b|\bthe (?:one who broke|only (?:problem|thing|issue))\b|\bnunca vi\b/;

export function isAboutThePerson(body: string): boolean {
  return (
    userFacts(body) &&
    !(userVeto.test(body) && !/\bmy name\b|\b(?:new to|engineer|developer|designer|scientist)\b/.test(body))
  );
}

const outside = `(?:\\ue003|\\b(?:${systems})\\b|\\bgoogle (?:drive|docs?|sheets?|calendar)\\b|\\bpower ?bi\\b|\\bnew relic\\b|\\bshared? (?:drive|folder|calendar|inbox|mailbox|doc)\\b|\\b(?:pasta|drive|planilha) compartilhad[oa]\\b|\\bhelp ?desk\\b|#[a-z][\\w-]{2,}|\\b(?:our|the|internal|team) (?:wiki|tracker|dashboard|status page|knowledge base|handbook|portal|catalog|registry|backlog|kanban|board|rota|calendar|inbox|mailing list|style ?guide)\\b|\\b(?:nosso|nossa|o|a) (?:wiki|painel|portal|catalogo|backlog|quadro|kanban|agenda|calendario)\\b)`;
const located = test(
  `\\b(?:is|are|was|lives?|goes?|go|stays?|sits?|kept|tracked|documented|stored|collected|found|filed|managed|hosted|maintained|published|described|listed|reported|posted|belongs?|lands?|comes? from|come from|ends? up|written|discussed|handled|planned|logged|archived|find|see|check|look)\\b[^.;]{0,70}?(?:\\b(?:in|on|at|under|to|from|inside|via|through|within)\\b|:)[^.;]{0,40}?${outside}`,
  `${outside}[^.;]{0,80}?\\b(?:is|are|has|holds?|contains?|shows?|lists?|tracks?|keeps?|documents?|describes?|covers?|explains?|tells?)\\b (?:what|where|the|all|our|how|whether|which|who|every|for|a|an|always|only)\\b`,
  `\\b(?:board|dashboard|runbook|wiki|file|page|sheet|spreadsheet|doc|document|docs|spec|specs|design|designs|mockups?|ticket|tickets|bugs|issues|channel|project|repo|rota|schema|glossary|playbook|handbook|calendar|report|link|url|swagger|manual|painel|quadro|arquivo|documento|documentacao|planilha|pagina|canal|projeto|telas?|manual|chamados|contrato)\\b[^.;]{0,60}?(?:\\bis\\b|\\bare\\b|=|:|é|\\bfica\\b|\\besta\\b|\\bsao\\b)[^.;]{0,40}?${outside}`,
  `\\b(?:fica|ficam|esta|estao|ta|tao|vive|vivem|mora|moram|cai|caem|vai|vao|guardad[oa]s?|registrad[oa]s?|documentad[oa]s?|rastread[oa]s?|abert[oa]s?|encontra\\w*|acha|tem|publica\\w*|acompanha\\w*)\\b[^.;]{0,60}?\\b(?:no|na|nos|nas|em|num|numa|pro|pra|para o|para a|pelo|pela)\\b[^.;]{0,40}?${outside}`,
  `\\b(?:questions?|problems?|requests?|alerts?|incidents?|bugs?|issues?|crash(?:es)?(?: reports?)?|duvidas?|alertas?|pedidos?|chamados?|erros?)\\b[^.;]{0,40}?\\b(?:go|goes|to|are|is|get|gets|vao|vai|caem|cai|sao|ficam)\\b[^.;]{0,40}?${outside}`,
);
const capitalLocated =
  /\b(?:is|are|lives?|goes?|stays?|kept|tracked|documented|stored|collected|found|filed|managed|hosted|fica|ficam|est[aá]|est[aã]o|ca[ei]m?|v[aã]o|vai)\b[^.;]{0,60}?\b(?:in|on|at|under|to|from|no|na|em)\b/;
const codeHost =
  /\b(?:pull|pulls|issues|commit|commits|actions|blob|tree|compare|merge_requests|runs)\/|localhost|127\.0\.0\.1|0\.0\.0\.0/;
const referenceVeto =
  /\b(?:this (?:pr|branch|issue|commit)|pr ?#?\d|issue #?\d|merged?|rebase|reviewing|failing|broken|404|500|returns?|throws?|redirect\w*|deploy(?:ed|ing)?|push(?:ed|ing)?|posted? (?:a |the )?comment|github (?:actions?|action|ci|workflow|api|repo)|slack (?:message|bot|api|integration)|sentry (?:sdk|error)|error|bug is)\b/;

export function isWhereabouts(body: string, raw: string): boolean {
  if (codeHost.test(raw) || referenceVeto.test(body)) return false;
  if (/^(?:can|could|let's|lets|we should|we need|i want|i need|i'd like)\b/.test(body)) return false;
  return located(body) || (capitalSystems.test(raw) && capitalLocated.test(body));
}

const ruleLike = test(
  `^(?:(?:when|whenever|if|every time|each time|before|after|quando|sempre que|toda vez que|se|antes de|depois de)\\b[^,]{2,80},? )?(?:${negated} |always |sempre |only |just |please |so )*(?:${imperative}|${imperativePt})\\b`,
  "^(?:no|nenhum|nenhuma|nada de|sem) \\w+|\\b(?:must|should|shall|have to|has to|needs? to|may not|mustn't|shouldn't|never|always|prefer|instead of|rather than|deve|devem|precisa|tem que|nunca|sempre|prefiro|nao pode|em vez de)\\b",
  "\\b(?:i (?:want|like|hate|love|prefer|need|expect)|i'd (?:rather|like)|i don't (?:want|like)|quero|gosto|odeio|nao quero|nao gosto)\\b",
  '\\b(?:explain|answer|write|use|keep|avoid|run|ask|show)\\b.{0,40}\\b(?:me|from the ground up|first|before|in english|short)\\b',
);

/** The type of a fact that the person asked to keep: who they are, where something lies, how to work, else the project. */
export function typeOfFact(body: string, raw: string): MemoryType {
  const about = isAboutThePerson(body);
  if (about && !/^(?:always|never|don't|use|keep|sempre|nunca)\b/.test(body)) return 'user';
  if (isWhereabouts(body, raw) || (/\ue003/.test(body) && !ruleLike(body))) return 'reference';
  if (/\bproject\b.{0,20}\b(?:jira|linear)\b/.test(body)) return 'reference';
  return ruleLike(body) &&
    !new RegExp(
      `\\b(?:${parties}|${partiesPt}|release|launch|freeze|deadline|deploy\\w*|cluster|server|contract|customer|api|quota|import|licen[cs]e)\\b`,
    ).test(body)
    ? 'feedback'
    : ruleLike(body) &&
        new RegExp(`^(?:${negated} |always |sempre |please )*(?:${imperative}|${imperativePt})\\b`).test(body)
      ? 'feedback'
      : 'project';
}

const standing = test(
  `^(?:please |and |so |but )*(?:from (?:now|here|this point|today) on(?:wards?| out)?|from here on out|going forwards?|moving forwards?|henceforth|in (?:the )?future|for the future|for future \\w+|as a (?:general )?rule(?: of thumb)?|in general|generally|by default|as a default|(?:a|my|our|new|one|the|another|general|house|standing|hard|simple|golden|team|project|code|coding|personal) ?(?:\\w+ )?(?:rule|convention|policy|guideline|standard|principle|habit)\\b.{0,40}?:|make it a (?:habit|rule)|a partir de agora|a partir de hoje|daqui (?:pra|para|em) (?:frente|diante)|de agora em diante|no futuro|nas proximas(?: vezes)?|por padrao|em geral|como regra|via de regra|regra(?: \\w+){0,3}:|(?:nosso|o nosso|a nossa|nossa|meu|minha) (?:padrao|regra|politica|convencao|norma)\\b)`,
  `\\b(?:from now on|going forward|from here on|in all future \\w+|daqui (?:pra|para) frente|de agora em diante|a partir de agora|vale (?:pra|para) sempre|pra sempre|para sempre)\\b`,
  `^(?:(?:when|whenever|if|every time|each time|any ?time|before|after|unless|until|quando|sempre que|toda vez que|cada vez que|se|antes de|depois de|ao)\\b[^,]{2,90}, )?(?:you (?:should|must|need to|have to|can) |make sure (?:to |you |that you )?|be sure to |please |just |but |voce deve |favor )*(?:always|never(?: ever)?|don't ever|do not ever|dont ever|sempre|nunca|jamais) (?:please |first |again |just |ever )?(?!(?:mind|seen|got|had|been|was|were|heard|worked|did|thought|again|0|true|false|null|ever|vi|vimos|tive|foi|deu|funcionou|aparece|acontece|falha|da|the|a|an|in|on|at)\\b)(?:${imperative}|${imperativePt}|be|have|[a-z]{3,}(?=\\s))\\b`,
  `^(?:please |and |so )*(?:every|each) time (?:that )?(?:you|i|we|somebody|someone|there|a|an|the)\\b.{3,80}(?:, | )(?:also |please |first |you (?:should|must) )*(?:${imperative})\\b|^(?:please |and |so )*(?:whenever|any ?time) (?:you|i|we|somebody|someone|there|a|an|the)\\b.{3,80}(?:, | )(?:also |please |first |you (?:should|must) )*(?:${imperative})\\b`,
  `^(?:sempre que|toda vez que|cada vez que|todas as vezes que)\\b.{3,80}(?:, | )(?:tambem |primeiro )?(?:${imperativePt})\\b`,
  `^(?:please |so |just )*(?:stop|quit|cease|enough with|no more|cut out) (?:the )?(?:[a-z]+ing|[a-z]+s)\\b.{0,80}\\b(?:every|each|all the time|always|again|everywhere|constantly|at the end of|seriously|anymore|any more|in your (?:answers|responses|replies|messages)|after (?:every|each)|when you|whenever|unless|without|all over)\\b`,
  `^(?:por favor |so )*(?:para|pare|parem|chega) (?:com |de )(?:[a-z]+(?:ar|er|ir)|\\w+)\\b.{0,80}\\b(?:toda|todo|sempre|cada|no final de|sem eu|em tod|nas respostas)\\b`,
  `^(?:${negated}) (?:${imperative}|${imperativePt}|[a-z]{4,})\\b.{0,90}\\b(?:without (?:asking|checking|my|me|telling)|sem (?:me )?(?:perguntar|pedir|avisar|eu))\\b`,
  `^(?:i )?(?:never|always) (?:want|need|expect|like)\\b|^i (?:always|never|generally|in general|usually) (?:want|prefer|like|expect)\\b|^quero sempre\\b|^nunca quero\\b|^sempre quero\\b|\\bnao quero (?:mais )?que voce\\b|\\bnao quero (?:mais )?(?:ver )?(?:nenhum|nenhuma|nada)\\b`,
  `^(?:please |so )*(?:use|write|keep|prefer|put|name|spell|format|avoid|make|call|leave|mantenha|use|usa|escreva|escreve|prefira|evite|deixe)\\b.{3,90}\\b(?:${project}|everywhere|wherever (?:we|you|possible)|anywhere|no exceptions|in all (?:of )?(?:our|the|your)|that goes for|always|at all times|em todo|em todos|em todas|sempre|sem excecao)`,
  `^(?:we|you) (?:should|must|need to|have to|want to) (?:always |never |only |be )*(?:us(?:e|ing)|writ(?:e|ing)|keep(?:ing)?|prefer(?:ring)?|avoid(?:ing)?|hav(?:e|ing))\\b.{3,90}\\b(?:everywhere|wherever (?:we|you|possible)|always|in all|across|throughout|no exceptions)\\b|\\b(?:let's|lets) (?:always|never|make sure (?:that )?we(?:'re| are)? (?:always |only )?[a-z]+(?:ing)?\\b.{2,60}\\b(?:everywhere|always|throughout|wherever|in all))`,
);

const convention = test(
  `^(?:we|the team|everyone|everybody|nobody|no one|people) (?:\\w+ )?(?:here |around here )?(?:always|never|only|don't|do not|doesn't|avoid|use|write|follow|keep|put|prefer|squash|name|spell|deploy|sign|stick|require|store|say|call|work|document|version|tag|wrap|inject|merge|ship|commit|review|test|rebase)\\b.{2,120}\\b(?:here|${project}|not \\w+|instead of|rather than|ever|as a rule|by convention|everywhere)`,
  `^(?:${project}|here|around here|at \\w+|aqui|por aqui),? (?:we|nobody|everyone|you|all|an?|every|no|the|use|never|always|a gente|nos|nunca|sempre|ninguem|todo mundo|usamos|se|so|nao|é|tudo|toda|todo|nada)\\b(?! (?:é|esta|tem um|tem uma|ta|is a|is the|are the|we have a|we have the)\\b)`,
  `^(?:this|the|our) (?:project|repo|repository|codebase|code base|team|company|app|package|monorepo) (?:only |never |always |strictly |doesn't |does not |is )?(?:uses?|follows?|avoids?|sticks? to|prefers?|do|requires?|targets?|ships?|forbids?|bans?|allows?|written|strict)\\b`,
  `^(?:our|my|the team's|the project's|team|house|the|nosso|nossa|o nosso|a nossa|o) (?:\\w+ )?(?:convention|style|house style|policy|standard|rule|practice|naming scheme|padrao|convencao|regra|politica|estilo)(?: (?:here|aqui|da casa|do time|da equipe|do projeto))? (?:is|are|says|for \\w+ is|é|e|sao|manda)\\b`,
  `^we (?:use|write|spell|say|call|are a|are on|stick (?:to|with)|work with|prefer|follow|go with|do|want)\\b.{2,80}(?:,| and| but) ?(?:not|never|no)\\b|^we (?:use|write|prefer|stick to) .{2,50}\\b(?:always|only|exclusively|everywhere)\\b|^we are an? \\S+ shop\\b`,
  `^(?:a gente|nos|o time|a equipe|o pessoal) (?:so |sempre |nunca |aqui )*(?:usa|usamos|escreve|evita|nao usa|nao faz|faz|segue|prefere|nunca|nao)\\b.{2,80}(?:,? (?:nunca|nao|e nao|em vez de)|\\b(?:aqui|sempre|so)\\b|${project})`,
  `\\b(?:usa|usamos|use) \\S+(?: \\S+)?, (?:nunca|nao) \\S+|\\buse \\S+(?: \\S+)?, (?:never|not) \\S+.{0,40}(?:${project}|\\balways\\b|\\bever\\b)`,
  `\\b(?:must|should|can|may) (?:never|always)\\b.{2,80}(?:${project}|\\b(?:rule|policy|convention|house style|style|standard|here)\\b)|\\bnunca (?:pode|podem|deve)\\b|\\bsempre (?:deve|precisa)\\b|\\b(?:hard|strict|house|firm|our) (?:rule|style|policy|convention)\\b`,
  `^(?:the )?(?:product|company|brand|project|app|tool|service|o produto|a empresa|o projeto|o nome)\\b.{0,20}\\b(?:is|are|é|se) (?:called|spelled|written|named|chama|escrito|chamad[oa]|escreve)\\b`,
  `^(?:every|all|each|no|public|private|nenhum|nenhuma|tod[oa]s?(?: [ao]s)?|any) [\\w -]{2,40}?(?:\\b(?:must|needs?|gets?|has|have|requires?|should|goes|go|are always|is always|always|never|precisa|precisam|deve|devem|tem que|leva)\\b).{3,80}\\b(?:always|never|no exceptions|every time|must|rule|${project}|in all|sem excecao|regra|sempre|nunca)`,
);

const preference = test(
  '\\bi (?:really |strongly |much |generally |usually |personally |always |actually |definitely )*(?:prefer|favou?r)\\b',
  "\\bi(?:'d| would) (?:\\w+ )?(?:rather|prefer)(?: it if| that| for)? (?:you|to have you|have you|see|get|read|not)\\b|\\bi(?:'d| would) (?:always |really )?(?:rather|like) (?:all|every|your)\\b",
  "\\bi (?:really |absolutely |just |strongly )*(?:hate|love|dislike|like|appreciate|can't stand|don't like|do not like|don't want|do not want|can't bear|enjoy|don't need|want|need|expect) (?:it |that )?(?:when(?:ever)?|if|that|for) (?:you|your)\\b|\\bi (?:don't (?:like|want|need)|want|need|like|expect) you to (?:always |never |not |only )?\\w+\\b.{0,90}\\b(?:always|never|every|each|before|without|unless|first|whenever|instead|in general|ever|from now on)\\b|\\bi don't (?:like|want) you to\\b",
  "^i (?:really |absolutely |just )*(?:hate|dislike|can't stand|don't like|love) (?!(?:the|this|that|it|these|those|how|your|my|to|a|an|what)\\b)[a-z-]+(?: [a-z-]+){0,3}s\\b",
  "\\bi (?:don't|do not|never) (?:want|like|need) (?:any )?(?!(?:the|this|that|it|to|these|those|a|you|him|her|them)\\b)[a-z-]+(?: [a-z-]+){0,2}s\\b.{0,40}\\b(?:in|on|at|from|ever|anywhere|unless|without)\\b",
  "\\bi want (?:every|all|each|no) \\w+.{0,60}\\b(?:always|documented|no exceptions|in (?:all|every)|every|ever)\\b|\\bi want \\w+ to be \\w+,? (?:always|in general|that's a general|everywhere)",
  '^(?:eu )?(?:sempre |realmente |geralmente )*prefiro\\b|(?:^|, |\\be |\\beu )(?:gosto|adoro|odeio|detesto|nao gosto|nao curto|nao suporto) (?:muito )?(?:quando|que|se|de|d[oae])?\\b',
);

const choiceOnly = (body: string) =>
  choiceNow.test(body) &&
  !/\bover\b|\bto (?:be|have) |\binstead of\b|\brather than\b|, not\b|\bwhen you\b|\bif you\b|\bdo que\b|\ba (?:heranca|\w+)$/.test(
    body,
  );

/** Instruction against something general, with a reason: the person explains because it will come up again. */
const correction = new RegExp(
  `^(?:please |pls |no |and |so |but |ok |just |por favor |favor )*(?:${negated}) (?:${imperative}|${imperativePt}|[a-z]{4,})\\b(?! (?:it|that|this|them|those|yet|now|ainda|isso|agora|about|to|from here)\\b)`,
);
const pointed = /^(?:\S+ ){1,4}?(?:it|this|that|these|those|here|yet|yourself|isso|esse|essa|aqui|ainda)\b/;
const hurt =
  /\b(?:burn(?:ed|t)|bitten|bit us|broke|broken|break[s]?|lost|lose|failed|outage|incident|leak\w*|charged twice|took down|went down|blew up|costs?|wasted|complain\w*|reject\w*|overwr\w+|banned|forbidden|fined|audit\w*|hate|hates|confus\w+|triggers?|regenerat\w+|generated from|perdemos|quebr\w+|caiu|vazou|custa|reclam\w+|rejeit\w+|sobrescr\w+|proibid\w+|dispara|confunde|deu (?:problema|ruim)|tivemos|ja aconteceu|exigencia|last (?:time|year|quarter|month|week)|twice|da ultima vez)\b/;

const noAsking = test(
  "\\b(?:you )?(?:don't|do not|needn't|dont|never) (?:have to|need to|need) (?:ask|check|confirm|wait|request|get (?:my )?(?:ok|approval|permission))\\b|\\bno need to (?:ask|confirm|check with|wait|get|request)\\b|\\b(?:without|no) asking(?: me)?\\b|\\byou (?:can|may) (?:always|just|freely|safely|go ahead and)\\b.{3,60}\\b(?:without|on your own|yourself|any ?time)\\b|\\b(?:feel free to|you're free to|you are free to)\\b.{3,60}\\b(?:any ?time|always|whenever|without)\\b",
  '\\bnao (?:precisa|precisam|tem que|carece)(?: mais)?(?: me)? (?:perguntar|pedir|confirmar|avisar|esperar)\\b|\\bsem (?:precisar )?(?:me )?(?:perguntar|pedir permissao|confirmar)\\b',
);

const dropped =
  /\b(?:abandon\w*|banned|deprecated|unmaintained|end of life|eol|going away|off the table|on hold|frozen|sunset\w*|discontinued|retired|phased out|ruled out|out of favou?r|not supported any|forbidden|blocked by legal|descontinuad\w+|proibid\w+|abandonad\w+|fora de questao|vetad\w+|vetou|banid\w+)\b/;

export const explicitRules: readonly Rule[] = [
  { id: 'standing-rule', type: 'feedback', explicit: true, matches: (c) => standing(c.body) && !c.isMomentary },
  {
    id: 'convention',
    type: 'feedback',
    explicit: true,
    matches: (c) => convention(c.body) && !c.isMomentary && !trouble.test(c.body),
  },
  {
    id: 'preference',
    type: 'feedback',
    explicit: true,
    matches: (c) => preference(c.body) && !c.isMomentary && !choiceOnly(c.body),
  },
  {
    id: 'correction-with-reason',
    type: 'feedback',
    explicit: true,
    matches: (c) =>
      correction.test(c.body) &&
      !c.isMomentary &&
      !pointed.test(c.body) &&
      hurt.test(c.near) &&
      reasonAfter.test(c.near),
  },
];

export {
  choiceOnly,
  codeSubject,
  correction,
  dropped,
  everywhere,
  hurt,
  imperative,
  imperativePt,
  negated,
  noAsking,
  pointed,
  project,
  reasonAfter,
  test,
  trouble,
};
