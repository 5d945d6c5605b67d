// The rules that only suggest: nobody said "remember", yet a careful note-taker would write it down.
// A deadline, who decides, where something lies, what the world outside demands, an approach that was praised.
// Refuses what the code or the chat itself holds: bugs, requirements of the work at hand, the state of a branch.

import {
  anyOf,
  type Clause,
  codeSubject,
  hasOrder,
  isFact,
  isStated,
  isToBeChanged,
  narrative,
  opensWithOrder,
  raw,
  trouble,
  wish,
} from './clause';
import { isAboutThePerson, isAudience, isForWhom, isWhoDecides } from './people';
import { isWhereabouts, isWhereToAsk } from './places';
import { isFinding, isReasonedBan, type Rule } from './rules';
import { codeSpan } from './text';

const event = anyOf(
  raw`\b(?:launch\w*|releases?d?|go(?:es|ing)?[ -]?live|freeze|demo|audit\w*|deadline|due|cut-?over|migrat\w+|roll-?out|beta|trial|contract|licen[cs]e|account|support|conference|presentation|pilot|kick-?off|deliver\w*|ship(?:s|ping)?|review|exam|window|maintenance|holiday|embargo|blackout|strike|stocktake|election|semester|season|offsite|inspection|certification|fair|trade show|summit|meeting with)\b`,
  raw`\b(?:expires?|ends?|ending|starts?|starting|closes?|closing|runs? out|switched off|shut ?down|shuts|turned off|discontinu\w+|remov\w+|drop(?:s|ping)?|dropped|sunset\w*|retir\w+|end of life|eol|moves?|moving|gets?|leaves?|arriv\w+|lifts?|comes? (?:out|back)|opens?|hiring|joins?|stops?|begins?|takes? over|hand over|assume|renew\w*|happens|follows?)\b`,
  raw`\b(?:is|are) (?:out|back|off|on (?:leave|vacation|holiday|parental))\b`,
  raw`\b(?:homologacao|entrega\w*|lanc\w+|virada|congelamento|auditoria|prazo|contrato|licenca|piloto|apresentacao|implantacao|vence|expira|acaba|termina|encerra\w*|comeca|desliga\w*|migra\w+|entra (?:no ar|em)|sai d[aeo]|vai (?:pro|para o) ar|sobe|volta|ferias|inaugura\w*|publica\w*|vistoria|reuniao com)\b`,
);

const plan = anyOf(
  raw`\bwe(?:'re| are) (?:in the middle of |about to |slowly |currently |already |planning on |in the process of )?(?:dropping|moving (?:off|away|from|to|over)|migrating|retiring|sunsetting|phasing|deprecating|replacing|switching|getting rid|leaving|abandoning|rewriting|consolidating|shutting|ending|discontinuing|going to (?:drop|migrate|retire|shut|sunset|stop)|not (?:supporting|allowed)|standardi[sz]ing|no longer)\b`,
  raw`\bwe(?:'ll| will) (?:drop|move (?:off|to|away)|migrate|retire|replace|switch|shut|sunset|stop supporting|discontinue)\b`,
  raw`\bwe(?:'ve| have)? promised\b|\bprometemos\b|\bwe(?:'ve| have)? (?:\w+ )?(?:decided|agreed|opted|promised|committed) (?:to|that|on|against|not|with|for)\b`,
  raw`\bwe (?:\w+ )?(?:decided|agreed|settled|chose|ruled|committed|promised|signed|picked|removed|dropped|killed|stopped|abandoned|gave up|voted|opted|went (?:with|for)|left out|kept)\b.{3,}\b(?:on purpose|deliberately|intentionally|with (?:the|our)|that|to|on|against|not|because|for|last|years? ago|already)\b`,
  raw`\bit was (?:decided|agreed) (?:that|to|not|on|against)\b|\b(?:the|our) (?:decision|plan|agreement|deal) (?:is|was|with) (?:to|that|for|the|not)\b`,
  raw`\b(?:the |a |one |another )?(?:main |real |only |whole )?(?:reason|motivation) (?:why |that |we|for|behind|of (?:this|the)|is)\b.{0,80}\b(?:is|:|that)|\bdriven by\b|\bwe(?:'re| are) (?:only )?doing (?:this|it) because\b|\bthe whole thing exists because\b`,
  raw`\b(?:vamos|a gente vai|iremos) (?:desligar|migrar|trocar|abandonar|descontinuar|encerrar|parar de|sair|mudar (?:pra|para|de)|substituir|aposentar|remover|largar)\b`,
  raw`\bestamos (?:migrando|saindo|trocando|no meio|abandonando|encerrando|substituindo|mudando)\b`,
  raw`\b(?:decidimos|combinamos|acordamos|ficou (?:decidido|combinado|acertado)|fechamos|definimos|foi (?:decidido|definido)|de proposito|o combinado|o acordo)\b|\bo (?:motivo|objetivo|porque) d\w+\b|\ba razao\b`,
);
const movesCode =
  /\bto [a-z]+ (?:this|that|it|the (?:file|function|class|method|test))\b|\b(?:switching|moving|migrating) to (?:the |an? )?(?:new |other |old )?(?:function|method|class|file|component|hook|helper|endpoint|branch|table|column)\b|\b(?:decided|agreed) to [a-z]+ (?:it|this|that|them|these)\b|\b(?:moving|switching|replacing|renaming|changing|removed|dropped|kept|picked|chose) (?:this|that|it|these|the (?:function|method|file|class|test|code|import|line|check|call|branch|pr|commit|comment|param\w*|field))\b|\bwe (?:decided|agreed) (?:on )?(?:this|that|it)\b|,? didn't we|^\s*we (?:removed|dropped|killed) (?:it|this|that)\b/;

const ruledOut =
  /\b(?:abandon\w*|banned|deprecated|unmaintained|end of life|eol|going away|off the table|on hold|frozen|sunset\w*|discontinued|retired|phased out|ruled out|out of favou?r|not supported any|forbidden|blocked by legal|descontinuad\w+|proibid\w+|abandonad\w+|fora de questao|vetad\w+|vetou|banid\w+)\b/;

const authority =
  /\b(?:contractual\w*|contracts?|legal(?:ly)?(?!·| (?:value|input|state|move|char\w*))|law|laws|regulat\w+|complian\w+|gdpr|lgpd|hipaa|sox|soc ?2|pci|iso ?\d+|fda|auditors?|sla|slas|nda|union|insurance|certified|certification|exigencia\w*|exige\w*|obrigatori\w* (?:por|pela)|obrigad[oa] por|norma|juridico|lei|bacen|anvisa|receita federal|sefaz|regulador|contrato|contratual|company-wide|company policy|security (?:banned|requires?|forbids?|said|policy|wants?|team)|ceo|cfo|cto|board|government|governo|court|ministry|tax (?:office|authority|authorities)|inspectorate|fisco|(?:prescribed|mandated|dictated|imposed) by)\b/;
const demands =
  /\b(?:requires?|required|wants?|wanted|demands?|insists?|says?|forbids?|forbidden|allows?|banned|bans?|needs?|must|has to|have to|asked|exige|exigem|exigencia|quer|querem|pediu|pediram|proib\w+|tem que|precisa|obriga\w*|are|is|E|sao|looks?|checks?|prints?|reads?|cuts?|audits?|means?|by law|runs? out|ends?)\b/;

const environment = anyOf(
  raw`\b(?:runs?|works?|deployed|hosted|used|installed|live|lives|running) (?:on|in|behind|under) (?:(?:an?|the|our|old|[\w-]+-year-old|cheap|shared|real|customer) ){0,3}(?:windows|linux|raspberry|android|ios|ie|air-gapped|kiosks?|arm|gpus?|docker|proxy|vpn|satellite|warehouses?|ships?|boats?|hospitals?|factor(?:y|ies)|tablets?|phones?|laptops?|trains?|planes?|machines?|mainframe|browser|on-prem\w*|prisons?|schools?|trucks?|customers?)\b`,
  raw`\b(?:has to|have to|must|needs? to|can only) (?:run|work) (?:offline|without|on)\b|\boffline\b|\braspberry\b|\b(?:windows|android|ios|internet explorer|ie) ?\d+\b`,
  raw`\b(?:no|without|slow|bad|flaky|limited|metered) (?:internet|network|wifi|connection|connectivity|docker|gpu|root|admin rights|keyboard|mouse|signal)\b|\b\d+ ?(?:mb|gb) of (?:ram|memory|disk|storage)\b`,
  raw`\b(?:sem|nao tem) (?:internet|rede|teclado|sinal|conexao|gpu|docker)\b|\binternet (?:ruim|lenta|fraca|cai)\b`,
  raw`\bour (?:ci|runners?|servers?|cluster|production|prod|staging|proxy|firewall|hosting|pipeline) (?:\w+ )?(?:has|have|doesn't|don't|can't|only|is|are|runs?|blocks?)\b`,
);
const therefore = /\b(?:so|because|since|entao|porque|por isso)\b|, \w+ \w+ \w+/;

const meaning = anyOf(
  raw`^(?:[^":]{0,25} )?"\ue001+"(?:,? (?:(?:in|for|at) (?:this|our|the) (?:case|domain|world|language|context|product|project|company|app|business)|here|for us|to us|with us|aqui|pra gente|no nosso dominio|no nosso caso))?,? (?:means?|is (?:the|a|an|our|what)|are (?:the|our)|refers to|stands for|denotes|significa|quer dizer|E (?:a|o|um|uma|quem|aquele|aquela|como)|sao)\b`,
  raw`\b(?:in our (?:domain|world|language|terminology|business)|in this (?:domain|business)|our (?:word|term) for|when (?:i|we) say|by "\ue001+" (?:i|we) mean|no nosso (?:dominio|negocio|jargao)|na nossa area|a gente chama|chamamos de|quando (?:eu|a gente) (?:fala|falo|digo|diz))\b.{3,}`,
);
const codeWords =
  /\b(?:method|function|class|variable|field|string|error|button|flag|param\w*|say|says|know what|contradicts|stale)\b/;

const praise = anyOf(
  raw`\b(?:was|is|were) (?:exactly |really |definitely |absolutely )?(?:the right|a good|a great|a smart|a wise|a very good|the best|a nice)(?: \w+)? (?:call|choice|move|thing|idea|decision|approach|way|format|size|level|solution)\b|\bgood (?:call|idea|choice|thinking|move)\b|\b(?:was|were) (?:absolutely |exactly |totally )?(?:right|worth it|smart|wise|spot on)\b|\bmade (?:it|this|that|my life|the \w+) (?:much |so |really |very )?(?:easy|easier|clear|clearer|simple|simpler|obvious|quick|fast|painless)\b`,
  raw`\bexactly (?:how|what|the way|as) (?:i|we) (?:like|want|prefer|need|love)\w*|\bexactly the (?:kind|sort|level|right)\b|\bjust how (?:i|we) like\b|\bthat's how (?:i|we) \w+|\b(?:that's|is|are|exactly) (?:the|what|how) .{0,20}(?:i|we) (?:want|like|prefer)\b|\b(?:perfect|great|ideal|good|right|nice) (?:size|length|level|amount|format|tone|granularity|style)\b|\bprimeiro .{3,40} (?:e )?depois\b|\bfacilit(?:a|ou) (?:a|o|muito|demais|bastante)\b`,
  raw`\b(?:really |so much |a lot |much )?(?:helps|helped|does help) (?:me|us|a lot|so much|a ton)\b|\b(?:really|totally|so) (?:helps|helped)\b|\b(?:really |very |super |so )(?:helpful|useful)\b`,
  raw`\b(?:that|this)? ?works (?:\w+ )?for (?:me|us)\b|\bfunciona (?:\w+ )?(?:pra|para) (?:mim|nos|a gente)\b|\bworks? (?:really |very |much |great )?(?:well|better) (?:for (?:me|us)|this way|like this)\b|\b(?:much|so much|way|a lot) (?:easier|better|clearer|nicer) (?:to|for|than|this way|like)\b`,
  raw`\bmore of (?:those|that|these|this|them)\b|\bmore like (?:this|that)\b|\bkeep (?:doing|it like|it that|that (?:style|format|up)|up the)\b|\b(?:i|we) (?:really )?(?:like|liked|love|loved) (?:how|that|it when|the way|seeing)\b`,
  raw`\bfoi (?:a|uma) (?:decisao|escolha|ideia|boa) ?(?:certa|boa|otima)?|\bacertou\b|\bajud(?:a|ou) (?:muito|demais|bastante|bem|a)\b|\b(?:do|exatamente do) jeito que (?:eu|a gente) gost\w+`,
  raw`\b(?:entendo|entendi|consigo \w+|acompanho|reviso|revisa\w*|leio) (?:bem |muito )?(?:mais|melhor|no mesmo dia|rapido)\b|\bassim (?:o pessoal|a gente|fica|da pra|E)|\bficou (?:bem |muito )?mais (?:facil|claro|simples)\b|\bbem melhor assim\b|\bcontinua assim\b|\bmais (?:desses|dessas|disso)\b`,
);
/** Cut from a praised approach. */
export const praiseOpener =
  /^(?:(?:yes|yeah|yep|ok|okay|perfect|great|nice|good(?! (?:call|idea|choice|thinking|move))|exactly(?! (?:how|what|the|as))|thanks|thank you|cool|lovely|awesome|excellent|love it|wow|brilliant|sweet|that's better|ok that's better|much better|this is (?:great|perfect|better)|gostei|perfeito|otimo|ficou otimo|ficou (?:muito )?bom|boa|excelente|show|massa|adorei|isso|legal|valeu|muito bom|curti|isso ai|exatamente)(?:[,.!:;]+\s*|\s-\s))+/;
const notPraise = /^(?:what|how|is|does|if|even)\b|\bbut\b|\bhelp me\b/;

const taste = anyOf(
  raw`\b(?:for|to) my taste\b|\bless (?:text|prose|words|talk|explanation|verbose)\b|\btoo (?:long|verbose|wordy|chatty|terse|much text|many words|many options|clever|detailed|big)\b.{0,60}\b(?:keep|split|shorter|less|please|i|so|each|just)\b`,
  raw`\bi (?:only|just) (?:need|want|care about|read)\b.{3,60}\b(?:not|no|nothing)\b|\bi don't need (?:five|four|three|ten|so many|that many|all (?:these|those|the)|a (?:lecture|list|summary|tutorial|recap|wall|long)|the (?:whole|full|explanation|summary|history|background|details|list))\b`,
  raw`\b(?:is|are|that's) (?:exactly |just )?(?:enough|sufficient|plenty) (?:for me )?to (?:decide|understand|know|see)\b|\b(?:makes?|is|are) (?:it |the \w+ |reviewing |reading )?(?:much |a lot |way |so much |far )?(?:easier|harder|simpler|quicker|faster) (?:for me|for us|to (?:review|read|follow|understand))\b`,
  raw`^(?:much )?(?:shorter|short|brief|briefer|more concise|less verbose),? please\b|\bone (?:option|answer|proposal|suggestion|example|sentence|line|recommendation) is (?:enough|fine|plenty)\b|\b(?:answer|line|sentence|paragraph|example|summary) would have been (?:fine|enough|plenty)\b|^let me (?:decide|choose|pick|name|approve|merge)\b|\bi lose track\b|\b(?:is|are) (?:where|when) i (?:stop|give up|get lost)\b|\bi can't (?:follow|read|review) (?:that|such|so|diffs|more)\b|\bone (?:question|thing|step|change|file) at a time\b|\blet's keep (?:the |it |them |things )?(?:steps?|commits?|changes?|prs?|diffs?|small)\b`,
  raw`\b(?:muito|bem|longo|texto) (?:longo|comprido|texto|verboso|grande) (?:demais|pra mim|pro meu gosto)\b|\bpro meu gosto\b|\bmenos texto\b|\bso (?:preciso|quero) (?:d[oae] )?\w+.{0,40}\b(?:nao|sem)\b|\bnao preciso de (?:cinco|quatro|tres|tantas?|tudo|uma (?:aula|lista))\b`,
  raw`\buma (?:pergunta|coisa) (?:por|de cada) vez\b|\beu me perco\b|\bfica mais facil (?:pra mim|de (?:ler|revisar))\b`,
);

/** How the assistant should talk. */
const manners =
  /^(?:please |and |so |just )*(?:don't|do not|stop|no more|no need to|nao|para de|pare de|chega de) (?:apologi|explain|summar|recap|repeat|thank|prais|flatter|hedg|lectur|narrat|guess|pedir desculpa|peca desculpa|explic|resum|repet|elogi)\w*/;
const tasteFor =
  /\bfor (?:reviews?|refactors?|refactorings?|commits?|prs?|tests?|docs?|bug ?fixes|migrations?|changes|answers|questions|plans|designs?|examples) i(?:'d| would)? (?:like|want|prefer|need)\b/;

const complaint = anyOf(
  raw`\byou (?:could|should) (?:at least )?have (?:asked|told|checked|warned|said)\b|\bvoce (?:podia|devia) ter (?:perguntado|avisado|pedido)\b`,
  raw`\bi(?:'ve| have)? (?:noticed|notice) (?:that )?you(?:'re|'ve| are| have| keep| always| tend| being| never)?\b`,
  raw`\byou (?:keep|always|constantly|tend to|tend|never(?! (?:\w+ed|said|told|did|ran|gave|sent|got)\b)|keep on|again)\b.{3,}|\byou(?:'re| are) (?:always|constantly|being (?:very|too|so|overly)|too \w+)\b|\byou (?:\w+ )?(?:used|did|added|wrote|created|made|put|changed|renamed|removed) .{2,40}\bagain\b`,
  raw`\bvoce (?:sempre|vive|fica|toda hora|continua|insiste)\b.{3,}|\bde novo voce\b|\bvoce (?:\w+ )?(?:usou|fez|criou|colocou|mudou) .{2,40}\bde novo\b`,
);

const habit = anyOf(
  raw`(?:^|[,;:] |\b(?:and|but|because|since|as|so|that|here) )we (?:also |really |just |all |do |still )*(?:try (?:not )?to|tend|like to|normally|usually|generally|typically|mostly|prefer|avoid|always|never|only (?!need|want|have|care)|do everything|keep (?:all|these|those|them|our|the)|inject|don't (?:use|do|put|write|add|commit|gitignore|mock|log|like|ship|merge|touch|allow|have \w+s? (?:here|in)|store|expose))\b`,
  raw`\b(?:the rest of|everything else in|all (?:the )?other|everywhere else)\b.{0,60}\b(?:is|are|do|does|use|uses|we|has|have|follow)\b|\bthe other \w+s? (?:are|do|use|follow)\b|\bas (?:everywhere|we do everywhere|in the rest)\b|\bwe .{3,60} everywhere(?: else)?\b|\blike (?:everywhere else|the others|all (?:the )?others?)\b`,
  raw`\b(?:nobody|no one|everyone|everybody|reviewers?) (?:on (?:this|the|our) team |here |in (?:this|the) team |at \w+ )?(?:reads?|uses?|hates?|wants?|likes?|writes?|expects?|rejects?|reviews?|knows?|understands?|here)\b`,
  raw`\bthe team (?:has|likes|prefers|uses|wants|expects|agreed|follows)\b|\b(?:on|for) our side\b|\bour \w+ (?:are|is) all\b|\b(?:matters?|counts?) (?:more|most|a lot) (?:to|for) (?:us|me)\b|\bmore important (?:to|for) (?:us|me)\b|\bwe (?:care|value|favou?r) .{3,40}\b(?:more|over|than)\b|\b(?:our|nosso|nossa|nossos|nossas) [\w -]{2,30}? (?:never|always|nunca|sempre|only|so|must|don't|doesn't|nao)\b`,
  raw`\b(?:a gente|o time|aqui|nos|o pessoal) (?:\w+ )?(?:tenta|tentamos|costuma|costumamos|evita|evitamos|prefere|preferimos|gosta|sempre|nunca|so (?!precisa|quer|tem)|nao (?:usa|faz|coloca|quer|mistura|mocka|gosta|comita|commita|deixa|escreve|poe)|mantem|deixa|separa|guarda|usa|usamos|segue|combinou|padronizou)\b`,
  raw`\b(?:o resto|os outros|as outras) (?:d[oa]s? )?\w+ (?:E|e|sao|usa\w*|fica\w*|segue\w*)\b|\bninguem (?:\w+ )?(?:le|usa|gosta|aqui|do time)\b|(?:^|, )aqui (?:o|a|os|as|no|na|nao|se|E|tudo|cada|quem|so)\b.{3,}`,
  raw`(?:^|, )(?:no|nenhum|nenhuma|nada de|sem) (?!(?:\w+ )?(?:found|available|such|needed|necessary|required|longer|one|idea|need|problem|worries|more|errors?|output|results?)\b)[\w-]+(?: [\w-]+){0,3} (?:on|in|to|for|without|after|before|outside|em|no|na|sem|de|pra)\b`,
  raw`^(?:please )?keep [\w ,-]{3,50} (?:in english|in german|in portuguese|small|short|simple|even (?:though|if)|free of|out of|separate)\b`,
);
const alwaysSo = anyOf(
  raw`\b(?:is|are|goes?|stays?|comes?|has|have|returns?|uses?|lives?) (?:always|never)\b|\b(?:always|never) (?:is|are|goes?|stays?|has|have|comes?|returns?|uses?|light|in|on|with|as)\b`,
  raw`^(?:[a-z]+ )?[a-z]+s (?:don't|never|always|only) .{3,50}\bhere\b|\b\w+ aqui (?:nao|so|sempre|nunca)\b`,
  raw`(?:\b(?:E|e|sao|ficam?|vai|vem|esta)|E) sempre\b|\bsempre (?:E|em|no|na|com|vem|fica)\b|\bnunca (?:E|vai|vem|fica|tem)\b`,
);

const obligation =
  /\b(?:has to|have to|must|needs? to|mustn't|must not|can't|cannot|may not|should never|should always|tem que|tem de|precisa|precisam|nao pode|nao podem|deve|devem)\b/;
const ownObligation =
  /\b(?:i|we|we'll|you|he|she|it|they|this|that|need) (?:\w+ )?(?:has to|have to|must|needs? to|can't|cannot|may not)\b|^(?:need|if)\b/;
const otherwise =
  /\b(?:otherwise|or else|or (?:they|we|it|the|customers?|users?)\b|because|since|senao|porque|pois|ja que|so that)\b|, (?:they|it|we|the|customers?|users?|o|a|os|as) [^,]{8,}/;

const lesson =
  /\b(?:learned (?:that|this|it) (?:the hard way|from)|aprendemos (?:isso )?(?:na marra|do jeito|com)|last (?:year|time|month|quarter|week|summer|release|sprint)|once (?:we|somebody|someone)|we(?:'ve| have)? (?:tried|regretted|learned|been)|every time we|we (?:had|got|have had|already had|lost|were)|(?:somebody|someone) (?:once|already|last)|a (?:customer|client|user) (?:was|got|had|lost)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:da )?ultima vez|ja (?:tivemos|aconteceu|perdemos|deu)|ano passado|mes passado|semana passada)\b/;
const harm =
  /\b(?:the hard way|na marra|got burned|were burned|burned|burnt|bitten|bit us|broke|broken|lost|shipped|charged|killed|destroyed|corrupted|regretted|went down|took down|leaked|leak|outage|incident|deleted|wiped|fined|rolled back|revert\w*|wasted|perdemos|quebr\w+|caiu|vazou|apagou|deu (?:problema|ruim)|exact(?:ly)? (?:this|same)? ?(?:bug|problem)|this (?:exact )?bug)\b/;

const noAsking = anyOf(
  raw`\b(?:you )?(?:don't|do not|needn't|dont|never) (?:have to|need to|need) (?:ask|check with|confirm with|request|get (?:my )?(?:ok|approval|permission)|explain|summari[sz]e|repeat|apologi[sz]e)\b|\b(?:don't|do not) need (?:my|an?|any) (?:ok|okay|approval|permission|go-ahead|sign-?off)\b|\bno need to (?:ask|confirm with|check with|get (?:my )?(?:ok|approval|permission))\b`,
  raw`\byou (?:can|may) (?:always |just |freely |safely |go ahead and )*\w+\b.{3,60}\b(?:without asking|on your own|yourself|any ?time)\b|\b(?:feel free to|you're free to|you are free to)\b.{3,60}\b(?:any ?time|always|whenever|without)\b`,
  raw`\b(?:don't|do not|stop|no need to|never) (?:ask|asking) (?:me )?(?:for|about|before|whether|if|again|every)\b|\bnao (?:precisa|precisam|tem que|carece)(?: mais)?(?: me)? (?:perguntar|pedir|confirmar|avisar|explicar|resumir|repetir)\b|\bsem (?:precisar )?(?:me )?(?:perguntar|pedir permissao|confirmar)\b`,
);
const nextTime = /\b(?:next time|the next time|in future|another time|da proxima(?: vez)?|na proxima|nas proximas)\b/;

/** "FACT, so CONSEQUENCE": a circumstance given as the ground of a request. */
const ground =
  /^(?:we (?:pay|ship|bill|support|sell|share|depend|rely|host|serve|get|have|run|are (?:on|in|bound|required|not allowed)|can't|cannot|may not|must not|don't have)|a gente (?:paga|tem|nao tem|depende|divide|atende|vende|nao pode)|the|our|my|half|most|all|every|nobody|no one|everyone|people|there (?:is|are)|[oa]s?|nossos?|nossas?|metade|ninguem|todo mundo) [^,;]{6,110}[,;]? ?(?:,|;| -)? (?:so|that's why|thats why|which is why|hence|therefore|entao|por isso|dai) (?=\S+ \S)/;
const present =
  /\b(?:is|are|has|have|only|can't|cannot|don't|doesn't|never|always|takes?|needs?|wants?|uses?|runs?|costs?|accepts?|pay|ship|sell|share|depend|rely|serve|paga|depende|divide|vende|atende|E|sao|tem|so|nao|usa|usam|leva|custa|aceita|precisa|fica|ficam)\b/;

const words = (clause: Clause) => clause.body.split(' ').length;
/** The habit may stand behind a comma: what it is about is judged from there. */
function isHabitOfTeam(c: Clause): boolean {
  const at = habit.exec(c.body)?.index;
  if (at === undefined) return false;
  const rest = c.body.slice(at).replace(/^[,;:] /, '');
  return (
    !codeSubject.test(rest) &&
    !/\b(?:this|that) (?:line|branch|point|code|state|case|path|function|method)\b|\bwe (?:always|never|only) [a-z]+ (?:it|this|that|them)\b/.test(
      rest,
    )
  );
}
const isAlwaysSo = (c: Clause) =>
  alwaysSo.test(c.body) && c.previousAssistant !== '' && !c.body.includes(codeSpan) && !codeSubject.test(c.body);

/** After the assistant did it otherwise: "colours come from the theme, not from hex codes". */
const contrast =
  /, (?:not|never|nao|nunca) (?!(?:sure|yet|just|only|even|now|because|the (?:other|first|second)|this|that|it|sei|agora|ainda)\b)(?:\w+ ){0,4}\w+$/;
const didOtherwise = /^\W*(?:i|i've|i'll|done|now|ok|criei|usei|coloquei|fiz|mudei|adicionei|troquei|movi|renomeei)\b/i;
const ourWay = /\b(?:our|nosso|nossa|nossos|nossas) \w+.{0,30}\b(?:is|are|use|uses|E|sao|usa|usam|fica|ficam)\b/;
const weDo =
  /^(?:we|a gente) (?:keep|put|write|place|store|name|define|import|group|split|guarda|coloca|deixa|escreve|poe) /;
const isContrast = (c: Clause) =>
  (contrast.test(c.body) || ourWay.test(c.body) || weDo.test(c.body)) &&
  c.body.length < 120 &&
  didOtherwise.test(c.previousAssistant) &&
  !c.body.includes(codeSpan);

const rhythm =
  /\b(?:every|each) (?:second |other )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|quarter|sprint|morning|night|year)\b|\btod[oa] (?:segunda|terca|quarta|quinta|sexta|sabado|domingo|semana|mes|trimestre|dia|noite)\b/;

/** "The API allows 10 requests per second, batch it": a fact, then the order that follows from it. */
function isFactThenOrder(c: Clause): boolean {
  const edge = /^(.{18,120}), (?:so |please |then |entao )?([^,]{3,60})$/.exec(c.body);
  const [fact, order] = [edge?.[1] ?? '', edge?.[2] ?? ''];
  if (!present.test(fact) || !opensWithOrder(order) || c.body.includes(codeSpan)) return false;
  return (
    !/^(?:i|we|you|never|always|if|when|whenever|just|se|quando|eu|voce)\b/.test(fact) &&
    generalFact.test(fact) &&
    isFact({ ...c, body: fact })
  );
}
const generalFact =
  /\b(?:allows?|accepts?|requires?|needs?|pays?|costs?|per (?:second|minute|hour|day|month|user|seat|request)|limits?|only|never|always|must|has to|have to|can't|cannot|expects?|charges?|exige|aceita|precisa|cobra|permite|por (?:segundo|minuto|hora|dia|mes|usuario|requisicao)|so|nunca|sempre)\b/;

export const hints: readonly Rule[] = [
  {
    id: 'where-it-is-kept',
    type: 'reference',
    explicit: false,
    matches: (c) => (isStated(c) && isWhereabouts(c.body, c.raw)) || isWhereToAsk(c.body),
  },
  {
    id: 'about-the-person',
    type: 'user',
    explicit: false,
    matches: (c) => isAboutThePerson(c.body) && !/\bthis (?:pr|branch|file)\b/.test(c.body),
  },
  {
    id: 'complaint',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      complaint.test(c.body) && !/^(?:if|when|se|quando)\b|\b(?:error|same|getting|saying|asking)\b/.test(c.body),
  },
  { id: 'no-need-to-ask', type: 'feedback', explicit: false, matches: (c) => noAsking.test(c.body) && !c.isMomentary },
  {
    id: 'date-ahead',
    type: 'project',
    explicit: false,
    matches: (c) =>
      event.test(c.body) &&
      isStated(c) &&
      !/^(?:i|it|this|that|merge|expires?|starts?|ends?)\b/.test(c.body) &&
      !isToBeChanged(c.body) &&
      c.hasDateAhead(),
  },
  { id: 'who-decides', type: 'project', explicit: false, matches: (c) => !wish.test(c.body) && isWhoDecides(c) },
  {
    id: 'meaning-of-a-word',
    type: 'project',
    explicit: false,
    matches: (c) => meaning.test(c.body) && !codeWords.test(c.body),
  },
  {
    id: 'plan-or-decision',
    type: 'project',
    explicit: false,
    matches: (c) =>
      plan.test(c.body) &&
      !movesCode.test(c.body) &&
      !wish.test(c.body.replace(/^vamos /, '')) &&
      !narrative.test(c.body),
  },
  { id: 'ruled-out', type: 'project', explicit: false, matches: (c) => ruledOut.test(c.body) && isStated(c) },
  {
    id: 'demand-from-outside',
    type: 'project',
    explicit: false,
    matches: (c) =>
      authority.test(c.body) &&
      demands.test(c.body) &&
      isFact({ ...c, body: c.body.replace(/^(?:this|that|it|isso|these) /, '') }),
  },
  {
    id: 'next-time',
    type: 'feedback',
    explicit: false,
    matches: (c) => nextTime.test(c.body) && hasOrder(c.body) && !/\bnext time (?:i|we|it|the|this)\b/.test(c.body),
  },
  {
    id: 'who-it-is-for',
    type: 'project',
    explicit: false,
    matches: (c) => (isForWhom(c.body) || (isAudience(c.body) && isFact(c))) && !c.isMomentary,
  },
  {
    id: 'where-it-runs',
    type: 'project',
    explicit: false,
    matches: (c) =>
      environment.test(c.body) &&
      therefore.test(c.body) &&
      !opensWithOrder(c.body) &&
      !narrative.test(c.body) &&
      !trouble.test(c.body),
  },
  {
    id: 'praised',
    type: 'feedback',
    explicit: false,
    matches: (c) => praise.test(c.body) && words(c) > 4 && c.body.length < 180 && !notPraise.test(c.body),
  },
  {
    id: 'taste',
    type: 'feedback',
    explicit: false,
    matches: (c) => (taste.test(c.body) || manners.test(c.body) || tasteFor.test(c.body)) && !c.isMomentary,
  },
  {
    id: 'lesson',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      lesson.test(c.body) &&
      harm.test(c.body) &&
      c.body.length < 260 &&
      words(c) > 6 &&
      !narrative.test(c.body) &&
      !c.isMomentary,
  },
  {
    id: 'ground-of-a-request',
    type: 'project',
    explicit: false,
    matches: (c) =>
      ((ground.test(c.body) && present.test(c.body) && isFact(c)) || isFactThenOrder(c)) &&
      !c.isMomentary &&
      !c.body.includes(codeSpan),
  },
  {
    id: 'habit-of-the-team',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      (isHabitOfTeam(c) || isAlwaysSo(c)) &&
      !isFinding(c.body) &&
      !wish.test(c.body) &&
      !narrative.test(c.body) &&
      !trouble.test(c.body) &&
      !c.isMomentary,
  },
  {
    id: 'rhythm',
    type: 'project',
    explicit: false,
    matches: (c) => rhythm.test(c.body) && event.test(c.body) && isFact(c) && !c.isMomentary,
  },
  {
    id: 'contrast',
    type: 'feedback',
    explicit: false,
    matches: (c) => isContrast(c) && !wish.test(c.body) && !narrative.test(c.body) && !codeSubject.test(c.body),
  },
  {
    id: 'obligation',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      obligation.test(c.body) && otherwise.test(c.body) && !ownObligation.test(c.body) && isFact(c) && !c.isMomentary,
  },
  {
    id: 'correction',
    type: 'feedback',
    explicit: false,
    matches: (c) => isReasonedBan(c) && c.previousAssistant !== '',
  },
];
