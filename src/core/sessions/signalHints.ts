// The rules that only suggest: nobody said "remember", yet a careful note-taker would write it down.
// A deadline, who decides, where something lies, what the world outside demands, an approach that was praised.
// Refuses what the code or the chat itself holds: bugs, requirements of the work at hand, the state of a branch.

import type { Clause, Rule } from './signalRules';
import {
  codeSubject,
  correction,
  dropped,
  hurt,
  imperative,
  imperativePt,
  isAboutThePerson,
  isWhereabouts,
  negated,
  noAsking,
  pointed,
  project,
  reasonAfter,
  test,
  trouble,
} from './signalRules';
import { parties, partiesPt } from './signalWords';

const wish =
  /^(?:can|could|let's|lets|let us|please|i'd like|i would like|i want|i need|we need|we should|we could|you should|should|make|add|fix|try|go|do|use|check|look|run|show|give|tell|help|vamos|quero|preciso|faz|faca|pode|adiciona|cria|roda|ajusta|arruma|corrige)\b/;
const opensWithOrder = new RegExp(
  `^(?:please |just |now |also |then |so |and )*(?:(?:${negated}) )?(?:${imperative}|${imperativePt})\\b(?! (?:is|are|was|has|é|fica|esta)\\b)`,
);
const narrative =
  /^i(?:'ve| have|'m| am|'ll| will)? (?:just |already |also |now )?(?:merged|pushed|opened|closed|created|made|added|removed|changed|updated|tried|ran|run|got|get|see|saw|found|noticed|think|thought|guess|know|believe|did|messed|forgot|fixed|committed|started|going|trying|testing|seeing|getting|having|wondering|looking|reset|edit|edited|do the following)\b/;

const people = "(?:[a-z][\\w'-]+(?: [a-z][\\w'-]+)?)";
const capitalName =
  /^(?:[^A-Za-zÀ-ÿ]*(?:o|a|O|A|ask|Ask|só|with|e|and|só|Só) )?[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)?\b/;
const commonOpeners =
  /^(?:The|This|That|These|Those|There|It|Its|If|In|On|At|When|What|Why|How|Who|Where|Which|We|You|They|He|She|I|My|Our|Your|And|But|So|Or|Not|No|Yes|Can|Could|Should|Would|Will|Do|Does|Did|Is|Are|Was|Were|Have|Has|Let|Please|Also|Now|Then|For|From|With|To|As|By|All|Any|Every|Each|Some|One|Two|Just|Only|Still|Maybe|Test|Tests|Each|Claude|Copilot|Cursor|Codex|Docker|Git|Github|React|Node|Python|Go|Rust|Redis|Linear|Jira|Slack|Most|Half|Both|Since|Because|After|Before|Until|Seems|Looks|Isn|Doesn|Don|O|A|Os|As|Um|Uma|Esse|Essa|Este|Esta|Isso|Se|Quando|Como|Por|Para|Pra|Com|Sem|Mas|E|Não|Nao|Sim|Eu|Ele|Ela|Nosso|Nossa|Tudo|Toda|Todo|Agora|Aqui)\b/;
const personVerb =
  '(?:owns?|decides?|approves?|reviews?|signs? (?:off|it off)|maintains?|manages?|leads?|handles|covers|takes (?:care|over)|looks after|runs|does (?:everything|all|the)|knows|is (?:the (?:only )?(?:one|person|owner|lead|contact|maintainer|reviewer|expert|dpo|pm|po)|on (?:parental |maternity |paternity |sick |annual |medical )?(?:leave|vacation|holiday|call|sabbatical)|out|off|away|back|responsible|in charge|covering|leaving|our|the|joining)|has (?:to (?:approve|review|sign|agree|see)|the (?:keys?|password|final|last|access)|final|already (?:approved|decided|signed))|needs to (?:approve|review|sign|agree|see|ok)|must (?:approve|review|sign|see)|wants|insists|already (?:approved|decided|agreed|signed)|approved|decided|que (?:aprova|decide|cuida|manda|revisa|assina|mantem|faz|resolve|sabe|libera)|é (?:quem|o dono|a dona|o responsavel|a responsavel|o unico|a unica|nosso|nossa)|e (?:quem|o dono|a dona|o responsavel|a responsavel)|aprova|decide|cuida|revisa|assina|libera|esta de (?:ferias|licenca|folga|atestado)|ta de (?:ferias|licenca|folga)|entra de ferias|sai de ferias|volta|assume|cobre|responde por|faz tud[oa])';
const personDoes = new RegExp(`^(?:o |a |only |so |como )?${people} (?:\\w+ )?${personVerb}\\b`);
const teamDoes = test(
  '\\b(?:the |our |another )?[\\w-]+ (?:team|squad|guild|department|group|guys|folks|people) (?:\\w+ )?(?:owns?|decides?|approves?|maintains?|handles|runs|takes care|is responsible|is in charge|has to (?:approve|review)|must (?:approve|review)|needs to|signs)\\b',
  '\\bo (?:time|pessoal|squad) d[eoa] [\\w-]+ (?:\\w+ )?(?:cuida|decide|aprova|mantem|responde|é (?:dono|responsavel)|libera|revisa|que)\\b',
  '\\b(?:the )?(?:reviewer|approver|owner|contact|maintainer|person|go-to|responsible|decision|decisions|approval|sign-?off)s? (?:for|of|on|about)\\b.{2,50}\\b(?:is|are|has to be|must be|should be|comes? from|lies? with|goes? (?:to|through))\\b',
  '\\b(?:quem|so quem|o responsavel|a responsavel|o dono|a dona)\\b.{2,40}\\b(?:é|e|decide|aprova|cuida|manda|revisa)\\b.{0,30}(?:\\b(?:é|e)\\b)? (?:o|a) \\w+|\\bsem (?:o )?(?:ok|aval|aprovacao) d[aoe]\\b|\\bpassa(?:r|m)? (?:pelo|pela)\\b|\\b(?:pergunta|fala|confirma|alinha|combina) (?:pra|com|antes com) (?:o|a) \\w+ antes\\b',
  '\\b(?:send|ask|ping|questions?|requests?)\\b.{0,40}\\b(?:to|from|go to) [a-z]+\\b.{0,30}\\b(?:until|while|instead|because|since|before)\\b',
);

const event =
  /\b(?:launch\w*|releases?d?|go(?:es|ing)?[ -]?live|freeze|demo|audit\w*|deadline|due|cut-?over|migrat\w+|roll-?out|beta|trial|contract|licen[cs]e|account|support|conference|presentation|pilot|kick-?off|deliver\w*|ship(?:s|ping)?|expires?|ends?|ending|starts?|starting|closes?|clos(?:es|ing)|runs? out|switched off|shut ?down|shuts|turned off|discontinu\w+|remov\w+|drop(?:s|ping)?|dropped|sunset\w*|retir\w+|end of life|eol|moves?|moving|gets?|leaves?|arriv\w+|comes? (?:out|back)|is (?:out|back|off|on (?:leave|vacation|holiday|parental))|are out|review|exam|window|maintenance|opens?|hiring|joins?|stops?|begins?|renew\w*|happens|follows?|holiday|offsite|inspection|certification|fair|trade show|summit|meeting with|homologacao|entrega\w*|lanc\w+|virada|congelamento|auditoria|prazo|contrato|licenca|piloto|apresentacao|implantacao|vence|expira|acaba|termina|encerra\w*|comeca|desliga\w*|migra\w+|entra (?:no ar|em)|sai (?:do ar|de)|vai (?:pro|para o) ar|sobe|volta|ferias|inaugura\w*|publica\w*|vistoria|reuniao com)\b/;

const plan = test(
  "\\bwe(?:'re| are) (?:in the middle of |about to |slowly |currently |already |planning on |in the process of )?(?:dropping|moving (?:off|away|from|to|over)|migrating|retiring|sunsetting|phasing|deprecating|replacing|switching|getting rid|leaving|abandoning|rewriting|consolidating|shutting|ending|discontinuing|going to (?:drop|move|migrate|retire|replace|switch|shut|sunset|stop)|not (?:going to|supporting|allowed)|standardi[sz]ing|no longer)\\b",
  "\\bwe(?:'ll| will) (?:drop|move (?:off|to|away)|migrate|retire|replace|switch|shut|sunset|stop supporting|discontinue)\\b",
  '\\bwe (?:\\w+ )?(?:decided|agreed|settled|chose|ruled|committed|promised|signed|picked|removed|dropped|killed|stopped|abandoned|gave up|voted|opted|went (?:with|for)|left out|kept)\\b.{3,}(?:\\b(?:on purpose|deliberately|intentionally|with (?:the|our)|that|to|on|against|not|because|for|last|years? ago|already)\\b)',
  '\\bit was (?:decided|agreed)\\b|\\b(?:the )?(?:decision|plan|agreement|deal) (?:is|was|with)\\b',
  "\\b(?:the |a |one |another )?(?:main |real |only |whole )?(?:reason|motivation|goal|point|idea|purpose) (?:why |that |we|for|behind|of (?:this|the)|is)\\b.{0,80}\\b(?:is|:|that)|\\bdriven by\\b|\\bwe(?:'re| are) (?:only )?doing (?:this|it) because\\b|\\bthe whole thing exists because\\b",
  '\\b(?:vamos|a gente vai|iremos) (?:desligar|migrar|trocar|abandonar|descontinuar|encerrar|parar de|sair|mudar (?:pra|para|de)|substituir|aposentar|remover|largar)\\b|\\bestamos (?:migrando|saindo|trocando|no meio|abandonando|encerrando|substituindo|mudando)\\b',
  '\\b(?:decidimos|combinamos|acordamos|ficou (?:decidido|combinado|acertado)|fechamos|definimos|foi (?:decidido|definido)|tiramos .{2,40} de proposito|removemos .{2,40} de proposito|de proposito|o combinado|o acordo)\\b|\\bo (?:motivo|objetivo|porque) d\\w+\\b|\\ba razao\\b',
);
const movesCode =
  /\b(?:moving|switching|replacing|renaming|changing|removed|dropped|kept|picked|chose) (?:this|that|it|these|the (?:function|method|file|class|test|code|import|line|check|call|branch|pr|commit|comment|param\w*|field))\b|\bwe (?:decided|agreed) (?:on )?(?:this|that|it)\b|,? didn't we|^\s*we (?:removed|dropped|killed) (?:it|this|that)\b/;

const demand =
  /\b(?:contractual\w*|contracts?|legal(?:ly)?|law|laws|regulat\w+|complian\w+|gdpr|lgpd|hipaa|sox|soc ?2|pci|iso ?\d+|fda|auditors?|sla|slas|nda|union|insurance|certif\w+|exigencia\w*|exige\w*|obrigatori\w*|obrigad[oa] por|norma|juridico|lei|bacen|anvisa|receita federal|sefaz|regulador|contrato|contratual|company-wide|company policy|security (?:banned|requires?|forbids?|said|policy|wants?|team)|ceo|cfo|cto|board|government|governo|court|ministry)\b/;
const demandTalk =
  /\b(?:requires?|required|wants?|wanted|demands?|insists?|says?|forbids?|forbidden|allows?|banned|bans?|needs?|must|has to|have to|asked|exige|exigem|exigencia|quer|querem|pediu|pediram|proib\w+|tem que|precisa|obriga\w*|are|is|é|sao|looks?|checks?|prints?|reads?|cuts?|audits?|means?|by law|runs? out|ends?)\b/;

const partyIs = new RegExp(
  `\\b(?:(?:our|the|most(?: of)?(?: our| the)?|many of our|half (?:of )?(?:our|the)|some of our|all our|their|my|nossos?|nossas?|[oa]s?|metade d[oa]s?|maioria d[oa]s?) (?:[\\w-]+ ){0,2}?(?:${parties}|${partiesPt}|machines|boats|trucks|tablets|devices|phones|kiosks?|terminals?|runners|ships|trains|planes|cars|sensors|printers|scanners|screens|maquinas|celulares|caminhoes|aparelhos|quiosques?|totens)) (?:[\\w-]+ ){0,2}?(?:is|are|has|have|had|use|uses|work|works|run|runs|don't|doesn't|can't|cannot|never|only|mostly|print|prints|come|comes|read|reads|open|opens|see|sees|look|looks|speak|speaks|need|needs|want|wants|expect|expects|hate|pay|pays|pass|ask|asked|requires?|insists?|prefers?|demands?|live|lives|sit|sits|won't|will|get|gets|call|calls|upload|uploads|é|e|sao|tem|usa|usam|nao|so|imprime|imprimem|acessa|acessam|abre|abrem|quer|querem|pediu|pediram|exige|exigem|reclama\\w*|trabalha\\w*|fica|ficam|vem|vai|le|leem|precisa|precisam)\\b`,
);
const environment = test(
  '\\b(?:has to|have to|must|needs? to|should|can only|only)? ?(?:runs?|work|works|deployed|hosted|used|installed) (?:on|in|offline|without|behind|under) ?(?:an? |the |our |old |ten-year-old |windows|linux|raspberry|android|ios|ie|internet|air-gapped|kiosk|arm|gpu|docker|proxy|vpn|satellite|warehouses?|ships?|hospitals?|\\w+ machines?)',
  '\\b(?:no|without|slow|bad|flaky|limited|metered) (?:internet|network|wifi|connection|connectivity|docker|gpu|root|admin rights|keyboard|mouse|signal)\\b|\\b\\d+ ?(?:mb|gb) of (?:ram|memory|disk|storage)\\b|\\boffline\\b|\\braspberry\\b|\\b(?:windows|android|ios|internet explorer|ie) ?\\d+\\b|\\bsem (?:internet|rede|teclado|sinal|conexao)\\b|\\binternet (?:ruim|lenta|fraca|cai)\\b',
  "\\bour (?:ci|runners?|servers?|cluster|production|prod|staging|proxy|firewall|hosting|pipeline) (?:\\w+ )?(?:has|have|doesn't|don't|can't|only|is|are|runs?|blocks?)\\b",
);

const term = test(
  `^(?:[^"]{0,60} )?"\\ue001+"(?:,? (?:in our (?:case|domain|world|language|context)|here|for us|to us|with us|aqui|pra gente|no nosso dominio|no nosso caso))?,? (?:means?|is (?:the|a|an|our|what|not)|are (?:the|our)|refers to|stands for|denotes|significa|quer dizer|é (?:a|o|um|uma|quem|aquele|aquela|como)|sao)\\b`,
  `\\b(?:in our (?:domain|world|language|terminology|business)|in this (?:domain|business)|our (?:word|term) for|when (?:i|we) say|by "\\ue001+" (?:i|we) mean|we call|no nosso (?:dominio|negocio|jargao)|na nossa area|a gente chama|chamamos de|quando (?:eu|a gente) (?:fala|falo|digo|diz))\\b.{3,}`,
);

const praise =
  /\b(?:(?:was|is|were) (?:exactly |really |definitely |absolutely )?(?:the right|a good|a great|a smart|a wise|a very good|the best|a nice)(?: \w+)? (?:call|choice|move|thing|idea|decision|approach|way|format|size|level|solution)|good (?:call|idea|choice|thinking|move)|exactly (?:how|what|the way|the kind|the sort|the right|as) (?:i|we|of)?|(?:really |so much |a lot |much )?(?:helps?|helped) (?:me|us|a lot|so much|the)?|(?:really |very |super |so )(?:helpful|useful)|works? (?:really |very |much |great )?(?:well|better) (?:for (?:me|us)|this way|like this)|(?:much|so much|way|a lot) (?:easier|better|clearer|nicer) (?:to|for|than|this way|like)|more of (?:those|that|these|this|them)|more like (?:this|that)|keep (?:doing|it like|it that|that (?:style|format|up)|up the)|(?:i|we) (?:really )?(?:like|liked|love|loved) (?:how|that|it when|the way|those|these|seeing)|just how (?:i|we) like|foi (?:a|uma) (?:decisao|escolha|ideia|boa) ?(?:certa|boa|otima)?|acertou|ajud(?:a|ou) (?:muito|demais|bastante|bem|a)|(?:entendo|entendi|consigo \w+|acompanho|reviso|revisa\w*|leio) (?:bem |muito )?(?:mais|melhor|no mesmo dia|rapido)|(?:do|exatamente do) jeito que (?:eu|a gente) gost\w+|assim (?:o pessoal|a gente|fica|da pra|é)|ficou (?:bem |muito )?mais (?:facil|claro|simples)|bem melhor assim|continua assim|mais (?:desses|dessas|disso))\b/;
const praiseOpener =
  /^(?:(?:yes|yeah|yep|ok|okay|perfect|great|nice|good|exactly|thanks|thank you|cool|lovely|awesome|excellent|love it|wow|brilliant|sweet|that's better|ok that's better|much better|this is (?:great|perfect|better)|gostei|perfeito|otimo|ficou otimo|ficou (?:muito )?bom|boa|excelente|show|massa|adorei|isso|legal|valeu|muito bom|curti)[,.!:; -]+)+/;

const taste = test(
  '\\b(?:for|to) my taste\\b|\\btoo (?:long|verbose|wordy|chatty|terse|much text|many words|many options|clever|detailed|big)\\b.{0,60}(?:\\b(?:keep|split|shorter|less|please|i|so|each|just)\\b)|\\bless (?:text|prose|words|talk|explanation|verbose)\\b|\\bi (?:only|just) (?:need|want|care about|read)\\b.{3,60}\\b(?:not|no|nothing)\\b',
  "\\bi don't need (?:five|four|three|ten|so many|that many|all (?:these|those|the)|a (?:lecture|list|summary|tutorial|recap|wall|long)|the (?:whole|full|explanation|summary|history|background|details|list))\\b",
  "\\b(?:is|are|that's) (?:exactly |just )?(?:enough|sufficient|plenty) (?:for me )?to (?:decide|understand|know|see)\\b|\\b(?:makes?|is|are) (?:it |the \\w+ |reviewing |reading )?(?:much |a lot |way |so much |far )?(?:easier|harder|simpler|quicker|faster) (?:for me|for us|to (?:review|read|follow|understand))\\b|\\bi lose track\\b|\\bi can't (?:follow|read|review) (?:that|such|so|diffs|more)\\b|\\bone (?:question|thing|step|change|file) at a time\\b|\\blet's keep (?:the |it |them |things )?(?:steps?|commits?|changes?|prs?|diffs?|small)\\b",
  '\\b(?:muito|bem|longo|texto) (?:longo|comprido|texto|verboso|grande) (?:demais|pra mim|pro meu gosto)\\b|\\bpro meu gosto\\b|\\bmenos texto\\b|\\bso (?:preciso|quero) (?:d[oae] )?\\w+.{0,40}\\b(?:nao|sem)\\b|\\bnao preciso de (?:cinco|quatro|tres|tantas?|tudo|uma (?:aula|lista))\\b|\\buma (?:pergunta|coisa) (?:por|de cada) vez\\b|\\beu me perco\\b|\\bfica mais facil (?:pra mim|de (?:ler|revisar))\\b',
);

const complaint = test(
  "\\bi(?:'ve| have)? (?:noticed|notice|see) (?:that )?you(?:'re|'ve| are| have| keep| always| tend| being| never)?\\b|\\byou (?:keep|always|constantly|tend to|tend|never|keep on|again)\\b.{3,}|\\byou(?:'re| are) (?:always|constantly|being (?:very|too|so|overly)|too (?:\\w+))\\b|\\byou (?:\\w+ )?(?:used|did|added|wrote|created|made|put|changed|renamed|removed) .{2,40}\\bagain\\b",
  '\\bvoce (?:sempre|vive|fica|toda hora|continua|insiste)\\b.{3,}|\\bde novo voce\\b|\\bvoce (?:\\w+ )?(?:usou|fez|criou|colocou|mudou) .{2,40}\\bde novo\\b',
);

const habit = test(
  "\\bwe (?:\\w+ )?(?:try|tend|like|normally|usually|generally|typically|mostly|prefer|avoid|always|never|only|agreed|do everything|keep (?:all|these|those|them|our|the)|inject|don't (?:use|do|put|write|want|add|commit|gitignore|mock|log|like|ship|merge|touch|allow|have \\w+s? (?:here|in)|store|expose))\\b",
  '\\b(?:the rest of|everything else in|all (?:the )?other|everywhere else|the other \\w+s?) (?:the |our |in )?(?:code|codebase|project|repo|modules?|tests?|files|services|handlers|pages|components)?\\b.{0,40}\\b(?:is|are|do|does|use|uses|we|has|have|follow)\\b|\\blike (?:all |everywhere |the |we do )(?:the )?(?:others?|other tests|else|everywhere)\\b.{0,10}|\\bas (?:everywhere|we do everywhere|in the rest)\\b',
  '\\b(?:nobody|no one|everyone|everybody|reviewers?|people) (?:on (?:this|the|our) team |here |in (?:this|the) team |at \\w+ )?(?:reads?|uses?|hates?|wants?|likes?|writes?|expects?|rejects?|reviews?|knows?|understands?|here)\\b',
  `\\bthe team (?:has|likes|prefers|uses|wants|expects|agreed|follows)\\b|\\b(?:on|for) our side\\b|\\b(?:our|nosso|nossa|nossos|nossas) [\\w -]{2,30}? (?:never|always|nunca|sempre|only|so|must|don't|doesn't|nao)\\b`,
  '\\b(?:a gente|o time|aqui|nos|o pessoal) (?:\\w+ )?(?:tenta|tentamos|costuma|costumamos|evita|evitamos|prefere|preferimos|gosta|sempre|nunca|so|nao (?:usa|faz|coloca|quer|mistura|mocka|gosta|comita|commita|deixa|escreve|poe)|mantem|deixa|separa|guarda|usa|usamos|segue|combinou|padronizou)\\b|\\b(?:o resto|os outros|as outras) (?:d[oa]s? )?\\w+ (?:é|e|sao|usa\\w*|fica\\w*|segue\\w*)\\b|\\bninguem (?:\\w+ )?(?:le|usa|gosta|aqui|do time)\\b',
  `\\baqui (?:o|a|os|as|no|na|nao|se|é|tudo|cada|quem|so)\\b.{3,}|\\b(?:é|e|sao|ficam?|vai|vem|esta) sempre\\b|\\bsempre (?:é|em|no|na|com|vem|fica)\\b|\\bnunca (?:é|vai|vem|fica|tem)\\b`,
  `\\b(?:is|are|goes?|stays?|comes?|has|have|returns?|uses?|lives?) (?:always|never)\\b|\\b(?:always|never) (?:is|are|goes?|stays?|has|have|comes?|returns?|uses?|light|in|on|with|as)\\b`,
  `^(?:no|nenhum|nenhuma|nada de|sem) [\\w-]+(?: [\\w-]+){0,3} (?:on|in|to|for|without|after|before|outside|em|no|na|sem|de|pra)\\b|^(?:please )?keep [\\w ,-]{3,50} (?:in english|in german|in portuguese|small|short|simple|even (?:though|if)|free of|out of|separate)\\b`,
);
const obligation =
  /\b(?:has to|have to|must|needs? to|mustn't|must not|can't|cannot|may not|should never|should always|tem que|tem de|precisa|precisam|nao pode|nao podem|deve|devem)\b/;
const consequence =
  /\b(?:otherwise|or else|or (?:they|we|it|the|customers?|users?)\b|because|since|senao|porque|pois|ja que|so that)\b|, (?:they|it|we|the|customers?|users?|o|a|os|as) [^,]{8,}/;

const lesson =
  /\b(?:last (?:year|time|month|quarter|week|summer|release)|once|we (?:had|got|have had|already had|lost)|somebody|someone|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|twice|da ultima vez|ultima vez|ja (?:tivemos|aconteceu|perdemos|deu)|ano passado|mes passado|semana passada|uma vez|alguem)\b/;
const nextTime = /\b(?:next time|the next time|in future|another time|da proxima(?: vez)?|na proxima|nas proximas)\b/;

const stated = (c: Clause) => !wish.test(c.body) && !opensWithOrder.test(c.body) && !narrative.test(c.body);
const isNamed = (raw: string) => capitalName.test(raw) && !commonOpeners.test(raw.replace(/^(?:o|a|O|A) /, ''));
const isFact = (c: Clause) => stated(c) && !codeSubject.test(c.body) && !trouble.test(c.body);

export const hints: readonly Rule[] = [
  {
    id: 'where-it-is-kept',
    type: 'reference',
    explicit: false,
    matches: (c) => stated(c) && isWhereabouts(c.body, c.raw),
  },
  {
    id: 'about-the-person',
    type: 'user',
    explicit: false,
    matches: (c) => isAboutThePerson(c.body) && !/\bthis (?:pr|branch|file)\b/.test(c.body),
  },
  { id: 'no-need-to-ask', type: 'feedback', explicit: false, matches: (c) => noAsking(c.body) && !c.isMomentary },
  {
    id: 'date-ahead',
    type: 'project',
    explicit: false,
    matches: (c) => c.hasDateAhead && event.test(c.body) && stated(c) && !/^(?:i|it|this|that|merge)\b/.test(c.body),
  },
  {
    id: 'who-decides',
    type: 'project',
    explicit: false,
    matches: (c) => !wish.test(c.body) && ((isNamed(c.raw) && personDoes.test(c.body)) || teamDoes(c.body)),
  },
  {
    id: 'meaning-of-a-word',
    type: 'project',
    explicit: false,
    matches: (c) =>
      term(c.body) &&
      !/\b(?:method|function|class|variable|field|string|error|button|flag|param\w*|say|says)\b/.test(c.body),
  },
  {
    id: 'plan-or-decision',
    type: 'project',
    explicit: false,
    matches: (c) => plan(c.body) && !movesCode.test(c.body) && !wish.test(c.body) && !narrative.test(c.body),
  },
  { id: 'ruled-out', type: 'project', explicit: false, matches: (c) => dropped.test(c.body) && stated(c) },
  {
    id: 'demand-from-outside',
    type: 'project',
    explicit: false,
    matches: (c) =>
      demand.test(c.body) &&
      demandTalk.test(c.body) &&
      isFact({ ...c, body: c.body.replace(/^(?:this|that|it|isso|these) /, '') }),
  },
  {
    id: 'next-time',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      nextTime.test(c.body) &&
      new RegExp(`\\b(?:${imperative}|${imperativePt})\\b`).test(c.body) &&
      !/\bnext time (?:i|we|it|the|this)\b/.test(c.body),
  },
  {
    id: 'who-it-is-for',
    type: 'project',
    explicit: false,
    matches: (c) => partyIs.test(c.body) && isFact(c) && !c.isMomentary,
  },
  {
    id: 'where-it-runs',
    type: 'project',
    explicit: false,
    matches: (c) =>
      environment(c.body) &&
      !opensWithOrder.test(c.body) &&
      !narrative.test(c.body) &&
      !trouble.test(c.body) &&
      /\b(?:so|because|since|entao|porque|por isso)\b|, \w+ \w+ \w+/.test(c.body),
  },
  {
    id: 'praised',
    type: 'feedback',
    explicit: false,
    matches: (c) => praise.test(c.body) && c.body.split(' ').length > 4 && !/^(?:what|how|is|does)\b/.test(c.body),
  },
  { id: 'taste', type: 'feedback', explicit: false, matches: (c) => taste(c.body) && !c.isMomentary },
  {
    id: 'lesson',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      lesson.test(c.body) &&
      hurt.test(c.body) &&
      !narrative.test(c.body) &&
      !c.isMomentary &&
      c.body.split(' ').length > 6,
  },
  {
    id: 'complaint',
    type: 'feedback',
    explicit: false,
    matches: (c) => complaint(c.body) && !/\b(?:error|same|getting|saying|asking)\b/.test(c.body),
  },
  {
    id: 'habit-of-the-team',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      habit(c.body) &&
      !wish.test(c.body) &&
      !narrative.test(c.body) &&
      !codeSubject.test(c.body) &&
      !trouble.test(c.body) &&
      !c.isMomentary,
  },
  {
    id: 'obligation',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      obligation.test(c.body) &&
      consequence.test(c.body) &&
      isFact(c) &&
      !c.isMomentary &&
      !/^(?:i|we|you|he|she)\b/.test(c.body),
  },
  {
    id: 'correction',
    type: 'feedback',
    explicit: false,
    matches: (c) =>
      correction.test(c.body) &&
      !c.isMomentary &&
      !pointed.test(c.body) &&
      c.previousAssistant !== '' &&
      reasonAfter.test(c.near),
  },
];

export { praiseOpener, project };
