// Who the person is, who decides, whom the work is for: sentences about people.
// Refuses the moment ("I'm stuck", "I'm on main") and the people inside the code ("the user clicks").

import { anyOf, type Clause, either, isStated, raw } from './clause';
import { orderWords, parties, partiesOfPt, roles } from './words';

/** Up to five words behind "I'm a", "I was the", "as an": one of them must be a role. */
const rolePlaces: readonly RegExp[] = [
  /\bi(?:'m| am|m) (?:actually |also |really |just |only |still |primarily |mostly |mainly |basically |originally )*(?:not |no )?(?:an?|the|one of the|your|really an?|much of an?) ((?:[\w-]+ ){0,4}[\w-]+)/,
  /\bi (?:was|used to be) (?:an?|the|in) ((?:[\w-]+ ){0,3}[\w-]+)/,
  /\bi(?:'m| am) [a-z]+, (?:an? |the )?((?:[\w-]+ ){0,3}[\w-]+)/,
  /\bas (?:an?|the) ((?:[\w-]+ ){0,3}[\w-]+),? (?:who |i\b|with |of |from )/,
];
const hasRole = (body: string) =>
  rolePlaces.some(
    (place) =>
      place
        .exec(body)?.[1]
        ?.split(' ')
        .some((word) => roles.has(word)) === true,
  );
/** Where a Portuguese first person without "eu" may start. */
const eu = raw`(?:^|[,;] |\be |\beu |\bque )(?:eu )?`;

const aboutThePerson = anyOf(
  raw`\bmy name(?:'s| is) (?!(?:not|in|on|missing|wrong|shown|displayed|cut|there|null|empty|always|still)\b)|\b(?:people |everyone |just |please )?calls? me \w|\bi go by\b`,
  raw`\bi(?:'m| am) (?:actually |really |more |mostly |mainly )*(?:more |rather )?(?:of )?an? [\w-]+ (?:person|guy|girl|type)\b`,
  raw`\bi(?:'m| am) (?:\w+ )?(?:the only|the one who|new to|brand new to|fairly new|quite new|pretty new|fluent|based in|located in|colou?r-?blind|blind|dyslexic|deaf|left-handed|a beginner|a total|self-taught|responsible for|in charge of|coming from|from (?:the |a )?\w+ (?:team|side|background|world)|used to|no expert|on call|on the [\w-]+ team|part of the|a native|a non-native|not a native|learning|retired|in (?:the )?[a-z]+ ?(?:time|timezone|time zone)|in (?:utc|gmt|cet|est|pst|wet))\b`,
  raw`\bi(?:'m| am) (?:not (?:very |that |so |really |too )?|(?:very |quite |most |more |pretty )?)(?:familiar|experienced|fluent|comfortable|at home) (?:with|in|at) (?!(?:whatever|the|this|that|it|you|your|either|both|any)\b)`,
  raw`\bi (?:(?:lead|head|manage|maintain|own) (?:the|our|two|three|this (?:project|team|repo))|work (?:from|at|in|for|as|with|mostly|mainly|only|part|remotely|night)|live in|come from|came from|speak|teach|study|studied|moderate|supervise|coach)\b(?! (?:this|that|it|the (?:tests?|command|script|same)))`,
  raw`\bi (?:sit|am|belong) (?:in|with|to|on) the [\w-]+ (?:team|department|group)\b|\bi (?:maintain|run|build|do|work on|develop) (?:this|it|the project|everything)(?: \w+)? (?:alone|by myself|on my own|in my (?:spare|free) time|on the side|as a hobby|on weekends|in the evenings)\b|\bi (?:only|can't|barely) (?:see|hear)\b|\bi (?:don't|do not) (?:see|hear) (?:very |that |so |too )?well\b|\bi (?:mostly|mainly|usually|only|primarily|normally|generally) (?:write|work|do|use|code|know|speak|read|review|deploy|answer|program|develop|touch|get to|come|have (?:about |around |roughly )?(?:an?|one|two|\d+|half))\b`,
  raw`\bi (?:write|code|program) (?:mostly|mainly|in|for a living)\b`,
  raw`\bi (?:do|handle|take care of|look after|cover) (?:all )?(?:the |our )?[\w-]+(?: \w+)? (?:here|part|side|stuff|work|for)\b|\bi (?:take care of|look after)\b`,
  raw`\bi(?:'ve| have) (?:got )?(?:about |over |around |almost |more than )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|many|several|some|no|little|zero|a lot of|a bit of) (?:\+ )?(?:\w+ )?(?:years?|decades?|background|degree|phd|experience|knowledge|dyslexia|adhd)\b|\bi did (?:my|an?) (?:phd|degree|masters?|thesis|bachelor)\b|\bi have an? (?:\w+ )?(?:impairment|disability|condition|injury)\b`,
  raw`\bmy (?:[a-z+#]+) is (?:very |quite |a bit |pretty |really )?(?:rusty|bad|poor|weak|basic|limited|not (?:very |that |so )?good|fluent)\b|\bmeu (?:ingles|frances|espanhol|alemao) E\b|\bnao (?:enxergo|ouco|escuto)\b`,
  raw`\bi have (?:dyslexia|adhd|tinnitus|rsi|low vision|a (?:slow|metered|bad) (?:connection|line|laptop))`,
  raw`\bi(?:'ve| have)? never (?:really |actually |properly )?(?:used|written|done|worked|touched|programmed|coded|learned|learnt|built|heard of|deployed|set up|studied)\b(?! (?:that|this|the|it|these|those)\b)`,
  raw`\bi(?:'ve| have) (?:only |mostly |always |just )?(?:ever )?(?:been |used )?(?:doing|using|building|developing|writing|written|programming|programmed|coding|worked (?:as|with|in|on|for)|working (?:as|with|in|at|for)|taught|teaching)\b.{0,60}(?:\b(?:for|since|all|as|at|years?|only|mostly|career|life)\b|$)`,
  raw`\bi (?:was|used to be) in (?:charge|support|ops)\b|\bi used to (?:work|write|program|teach)\b`,
  raw`\bi (?:use|rely on) (?:a |an |my )?(?:\w+ )?(?:screen ?reader|braille|voice control|dictation|dvorak|colemak|vim|emacs|neovim|mac|macbook|windows|linux|wsl|fedora|ubuntu|nixos|chromebook|ipad)\b`,
  raw`\bi (?:don't|do not|can't|cannot|barely|hardly) (?:really |even )?(?:know|speak|read|write|code|program|see)\b (?:any |much |a lot of |about )?[a-z#+]+(?: (?:well|at all|very well|much|yet|code))?(?:[,.;]| so\b| and\b|$)`,
  raw`\bas someone (?:who|with|from|that) \w`,
  raw`\b(?:this|that|it)(?:'s| is) my (?:very )?(?:first|second|own|only)\b.{0,30}(?:project|time|app|language|year|week|job|website|site|repo)\b`,
  raw`\bmy (?:time ?zone|native language|mother tongue|first language|main language|background|day job|job|job title|role|title|pronouns|english|employer|field|speciality|specialty|working hours|hours|keyboard|editor|os|machine) (?:is|are|isn't|was|has)\b`,
  raw`\b(?:being|since i'm|since i am) (?:new to|the only)\b`,
  raw`\b(?:eu )?sou (?:[ao] |uma? |so |mais |tipo |basicamente )*(?:[\w-]+ ){0,2}?(?:de|do|da|dev|dba|sre|qa|desenvolvedor\w*|engenheir\w+|cientista|designer|analista|gerente|estagiari\w+|professor\w*|alun\w+|estudante|daltonic\w+|canhot\w+|responsavel|arquitet\w+|freela\w*|iniciante|novat\w+|nov[oa]|junior|senior|lider|cto|po|pm|programador\w*|testador\w*|medic\w+|contador\w*|advogad\w+|jornalista|tecnic\w+|unic[oa]|autodidata|cego|surd[oa]|mantenedor\w*)\b`,
  raw`\b(?:eu )?sou (?:\w+ )?\w+(?:ista|eir[oa]|log[oa]|graf[oa]|nom[oa])\b|\b(?:eu )?sou [oa] [a-z]+(?:,|$| e\b)|\bsou eu (?:que|quem)\b|\bmeu nome\b|\bme chamo\b|\b(?:pode )?me chamar? de\b`,
  raw`${eu}(?:venho|vim) d[oae]s?\b|${eu}(?:cuido|tomo conta) d|${eu}(?:mexo|programo|codo|escrevo) (?:so|mais|com|em|principalmente)\b|\bnao mexo\b`,
  raw`${eu}(?:\w+ que )?trabalho (?:so|com|na|no|de|em|como|remot\w+|meio|ha|sozinh[oa]|principalmente|mais)\b`,
  raw`\bi(?:'ve| have) only (?:ever )?(?:used|written|done|worked|seen|known)\b|\bso (?:usei|mexi|programei|trabalhei|conheco)\b|\b(?:eu )?nunca (?:programei|mexi|usei|trabalhei|escrevi|estudei|toquei|fiz (?:nada|um|uma))\b(?! (?:nesse|nessa|nisso|esse|essa|isso)\b)`,
  raw`\b(?:eu )?moro (?:em|no|na)\b|\bmeu fuso\b|\bminha (?:area|formacao|lingua|funcao|especialidade)\b`,
  raw`\b(?:eu )?tenho (?:\w+ ){0,2}(?:anos?|dislexia|tdah|pouca experiencia|experiencia|horas?)\b|\b(?:eu )?(?:uso|trabalho com) (?:um |o )?(?:leitor de tela|mac|linux|windows)\b`,
  raw`\b(?:eu )?(?:falo|leio|escrevo) (?:portugues|ingles|pouco|mal|so)\b|\bnao (?:falo|leio|manjo|entendo (?:nada |muito )?de|sei (?:nada de|programar|ler|escrever))\b`,
  raw`\b(?:estou|to) aprendendo\b|\b(?:E|e) (?:o )?meu primeiro (?:projeto|contato|app|emprego)\b|\bcomo (?:alguem|quem) que\b`,
);

const passing =
  /\bi(?:'m| am) (?:a bit |a little |so |really |very |still |just )*(?:lost|confused|stuck|sure|not sure|getting|seeing|having|trying|running|testing|going|wondering|thinking|looking|using the|on (?:the|branch|main|step)|in (?:the|a) (?:middle|branch|folder|repo)|afraid|sorry|fine with (?:it|this|that)|ok with (?:it|this|that)|done|back|happy)\b|\bi (?:work|worked) (?:around|on (?:this|that|it|the))\b|\bthe (?:one who (?:broke|wrote|made|introduced|did)|only (?:problem|thing|issue))\b|\bnunca vi\b|\bwhere i manage\b/;

/** The person speaks of themselves: name, work, experience, hours, senses, tools. */
export function isAboutThePerson(body: string): boolean {
  return (
    (aboutThePerson.test(body) || hasRole(body)) &&
    !(passing.test(body) && !/\bmy name\b|\b(?:new to|engineer|developer|designer|scientist)\b/.test(body))
  );
}

/** Articles in front of a name, then one or two capitalised words: read from the text as typed. */
const capitalName =
  /^(?:(?:o|a|O|A|only|Only|so|So|só|Só|como|Como|e|and) )?([A-ZÀ-Þ][a-zà-ÿ]+)(?: (?:from [\w-]+|d[eoa] [\wÀ-ÿ-]+|(?:and|e) [A-ZÀ-Þ][a-zà-ÿ]+|[A-ZÀ-Þ][a-zà-ÿ]+))?(?= )/;
const opener =
  /^(?:The|This|That|These|Those|There|It|Its|If|In|On|At|When|What|Why|How|Who|Where|Which|We|You|They|He|She|I|My|Our|Your|And|But|So|Or|Not|No|Yes|Can|Could|Should|Would|Will|Do|Does|Did|Is|Are|Was|Were|Have|Has|Let|Please|Also|Now|Then|For|From|With|To|As|By|All|Any|Every|Each|Some|One|Two|Just|Only|Still|Maybe|Tests?|Claude|Copilot|Cursor|Codex|Docker|Git|Github|React|Node|Python|Go|Rust|Redis|Linear|Jira|Slack|Most|Half|Both|Since|Because|After|Before|Until|Seems|Looks|Isn|Doesn|Don|Net|Legal|Security|Um|Uma|Esse|Essa|Este|Esta|Isso|Se|Quando|Como|Por|Para|Pra|Com|Sem|Mas|Não|Nao|Sim|Eu|Ele|Ela|Nosso|Nossa|Tudo|Toda|Todo|Agora|Aqui)$/;
const notAName = (word: string) => orderWords.has(word) || /(?:ity|tion|ing|ness|ment)$/.test(word);

const part = anyOf(
  raw`(?:owns?|decides?|approves?|reviews?|signs? (?:off|it off)|maintains?|manages?|leads?|handles|covers|takes (?:care|over)|looks after|runs|knows|wants|insists)`,
  raw`will (?:take over|own|handle|cover|join|leave|decide|be (?:out|away|back|on))|takes over|joins|leaves|does (?:everything|all|the)|are (?:responsible|in charge|the (?:only )?ones|out|away|on (?:leave|vacation|holiday))`,
  raw`is (?:the (?:only )?(?:one|person|owner|lead|contact|maintainer|reviewer|expert|dpo|pm|po)|on (?:parental |maternity |paternity |sick |annual |medical )?(?:leave|vacation|holiday|call|sabbatical)|out|off|away|back|responsible|in charge|covering|leaving|our|joining)`,
  raw`has (?:to (?:approve|review|sign|agree|see)|the (?:only|keys?|password|final|last|access)|final|already (?:approved|decided|signed))`,
  raw`(?:needs to|must) (?:approve|review|sign|agree|see|ok)|already (?:approved|decided|agreed|signed)|approved|decided`,
  raw`que (?:aprova|decide|cuida|manda|revisa|assina|mantem|faz|resolve|sabe|libera)|(?:E|e) (?:quem|o dono|a dona|o responsavel|a responsavel|o unico|a unica|nosso|nossa)`,
  raw`aprova|decide|cuida|revisa|assina|libera|(?:esta|ta) de (?:ferias|licenca|folga|atestado)|(?:entra|sai) de ferias|volta|assume|cobre|responde por|faz tudo|sai d[aeo]|vai (?:assumir|cuidar|cobrir|sair)`,
);
const together = /^ (?:share|alternate|take turns|rotate|dividem|revezam|se revezam)\b/;
const personDoes = new RegExp(raw`^ (?:[a-z]+ )?(?:${part.source})\b`);
const askName =
  /\bneeds? [A-ZÀ-Þ][a-zà-ÿ]+(?:'s)? (?:to (?:approve|agree|sign|review|ok|see|confirm)|approval|okay|ok|sign-?off|consent)\b|\b(?:is|are) [A-ZÀ-Þ][a-zà-ÿ]+'s (?:call|decision|job|responsibility|domain|area|turf|baby|business)\b|\b(?:up to|decided by|owned by|handled by|the call of) [A-ZÀ-Þ][a-zà-ÿ]+\b|\b(?:ask|ping|to|with|from|pra|com|para) (?:o |a )?[A-ZÀ-Þ][a-zà-ÿ]+\b.{0,30}\b(?:until|while|instead|because|since|before|antes|enquanto|porque)\b/;

const personName = raw`[A-ZÀ-Þ][a-zà-ÿ]+(?:[ -](?:d[aeo]s? )?[A-ZÀ-Þ][\wÀ-ÿ'’-]+){0,3}`;
const title = either(
  raw`(?:[Pp]roduct|[Pp]roject|[Cc]ode|[Ss]ervice|[Dd]ata|[Bb]usiness|[Pp]rocess|[Rr]elease|API|[Rr]epo) [Oo]wner|(?:[\w-]+ )?(?:[Ll]ead|[Mm]anager|[Aa]rchitect|[Mm]aintainer|[Dd]esigner|[Dd]irector|[Ss]ponsor)|(?:main |legal |client |customer |security )[Cc]ontact`,
  raw`[Ss]crum [Mm]aster|PO|PM|CTO|CEO|CFO|CISO|DPO|DBA|SRE|QA|boss|head of [\w-]+`,
  raw`don[oa] d[oae] \w+|gerente(?: d[eo] \w+)?|l[íi]der(?: t[ée]cnic[oa]| do time)?|chefe|coordenadora?|respons[áa]vel (?:por|pel[oa]s?) \w+|diretora?(?: de \w+)?|arquitet[oa]|designer|contato (?:d[oae]|n[oa]) \w+`,
);
/** "The product owner is Lena Fischer": read from the text as typed. */
const titled = new RegExp(
  raw`(?:^|[,;:] )(?:[Tt]he|[Oo]ur|[Mm]y|[OoAa]|[Nn]oss[oa]|[Mm]eu|[Mm]inha) ${title}(?: (?:for|of|on|at|in|do|da|de) (?:[\w-]+ ){0,2}[\w-]+)? (?:is|is now|will be|é|eh|agora é|vai ser) (?:now |still |agora |[oa] )?${personName}(?![\w(])`,
);
/** People of test data are nobody. */
const madeUp =
  /\b(?:tests?|fixtures?|mock\w*|seeds?|seeded|examples?|samples?|dummy|fake|placeholder|demo|default|hard-?coded|teste|exemplo|ficticio)\b/;

const teamDoes = anyOf(
  raw`\b(?:is|are) (?:owned|maintained|managed|run|decided|approved|reviewed|controlled) by the [\w-]+ (?:team|department|people|guys|group|squad)\b`,
  raw`\b[\w-]+ (?:team|squad|guild|department|group|guys|folks|people) (?:\w+ )?(?:owns?|decides?|approves?|maintains?|handles|runs|takes care|is responsible|is in charge|has to (?:approve|review)|must (?:approve|review)|needs to|signs)\b`,
  raw`\bo (?:time|pessoal|squad) d[eoa] [\w-]+ (?:\w+ )?(?:cuida|decide|aprova|mantem|responde|E (?:dono|responsavel)|libera|revisa|que)\b`,
  raw`\b(?:reviewer|approver|owner|contact|maintainer|person|go-to|decisions?|approvals?|sign-?offs?) (?:for|of|on|about)\b.{2,50}\b(?:is|are|has to be|must be|should be|comes? from|lies? with|goes? (?:to|through))\b`,
  raw`\b(?:so )?(?:quem|o responsavel|a responsavel|o dono|a dona)\b.{2,50}\b(?:E|e) (?:o|a) \w+|\bsem (?:o )?(?:ok|aval|aprovacao) d[aoe]\b|\bpassa(?:r|m)? (?:pelo|pela)\b`,
  raw`\b(?:pergunta|fala|confirma|alinha|combina) (?:pra|com|antes com) (?:o|a) \w+ antes\b`,
);

function hasPart(body: string, typed: string): boolean {
  const name = capitalName.exec(typed);
  const word = name?.[1] ?? '';
  if (name === null || opener.test(word) || notAName(word.toLowerCase())) return false;
  const rest = body.slice(name[0].length);
  return personDoes.test(rest) || (/ (?:and|e) /.test(name[0]) && together.test(rest));
}

/** A named person or a team that owns, decides or is away, in any part of the clause. */
export function isWhoDecides(clause: Clause): boolean {
  if (askName.test(clause.raw) || teamDoes.test(clause.body)) return true;
  if (titled.test(clause.raw) && isStated(clause) && !madeUp.test(clause.body)) return true;
  const starts = [0, ...[...clause.body.matchAll(/[,;] /g)].map((edge) => edge.index + 2)];
  return starts.some((start) => hasPart(clause.body.slice(start), clause.raw.slice(start)));
}

const whose = new Set('our the other most many half some all their my'.split(' '));
const whosePt = new Set('nosso nossa nossos nossas o a os as metade maioria do da dos das'.split(' '));
const doing = new Set(
  "is are has have had use uses work works run runs don't doesn't can't cannot never only mostly print prints come comes read reads open opens see sees look looks speak speaks need needs want wants expect expects hate pay pays pass ask asked require requires insist insists prefer prefers demand demands live lives sit sits won't will get gets call calls upload uploads copy copies wear wears carry type tap drive stand share scan sign order buy parse parses export forward compare E e sao tem usa usam nao so imprime imprimem acessa acessam abre abrem quer querem pediu pediram exige exigem reclama reclamam trabalha trabalham fica ficam vem vai le leem precisa precisam veste vestem digita digitam dirige dirigem carrega carregam assina assinam compra compram".split(
    ' ',
  ),
);
/** "the customers table", "our user model": the party is only the name of a piece of code. */
const passive = /^(?!based|located|used|supposed|allowed|required|expected|trained)\w+ed$/;
const codeNoun =
  /^(?:table|model|list|page|endpoint|api|class|ids?|service|screen|query|schema|field|column|view|component|object|type|record|data|role)$/;

/** A party with a determiner up to three words before it and what it does up to three words behind it. */
function isPartyDoing(body: string): boolean {
  const tokens = body.split(/\s+/).map((token) => token.replace(/[,.;:!?()]+$/, ''));
  return tokens.some((token, i) => {
    const owners = parties.has(token) ? whose : partiesOfPt.has(token) ? whosePt : undefined;
    if (owners === undefined || codeNoun.test(tokens[i + 1] ?? '')) return false;
    // "the users are sorted by name" tells of rows, not of people.
    if (/^(?:is|are|was|were)$/.test(tokens[i + 1] ?? '') && passive.test(tokens[i + 2] ?? '')) return false;
    const isOwned =
      tokens.slice(Math.max(0, i - 3), i).some((word) => owners.has(word) || /^\d+$/.test(word)) ||
      (i === 0 && token.endsWith('s') && consequence.test(body));
    return isOwned && tokens.slice(i + 1, i + 4).some((word) => doing.has(word));
  });
}
const becauseOf =
  /\b(?:because|since|as|porque|pois) (?:an?|our|the|some|one|[oa]s?|uma?) ([a-z]+) (?!is\b|was\b)[a-z]+/;
/** "… because a customer parses it". */
const isForParty = (body: string) => {
  const who = becauseOf.exec(body)?.[1] ?? '';
  return parties.has(who) || partiesOfPt.has(who);
};
/** "the partner's clock", "do parceiro": something that belongs to a party. */
function isPartysThing(body: string): boolean {
  const tokens = body.split(/[^a-z'-]+/);
  return tokens.some((token, i) => {
    const before = tokens[i - 1] ?? '';
    return (
      (parties.has(token.replace(/'s?$/, '')) && /^(?:our|the)$/.test(before)) ||
      (partiesOfPt.has(token) && /^(?:d[oae]s?|nossos?|nossas?)$/.test(before))
    );
  });
}
const forWhom =
  /^(?:this|it|the (?:app|site|tool|project|thing|whole thing|system|page|product|report)|isso|o (?:app|site|sistema|projeto|relatorio)) (?:is|will be|E|vai ser) (?:meant |intended |used |usado )?(?:for|by|para|pra|pel[oa]s?) (?:(?:the|our|an?|old|small|[oa]s?) ){0,2}([a-z]+)/;
const readers = new Set(['kids', 'children', 'people', 'elderly']);
/** "This is for the museum": says whom the whole thing serves. */
export const isForWhom = (body: string): boolean => {
  const whom = forWhom.exec(body)?.[1] ?? '';
  return parties.has(whom) || partiesOfPt.has(whom) || readers.has(whom);
};

const consequence = /, (?:so|entao|por isso|that's why|which is why)\b|\bpor isso\b|\bthat's why\b/;

/** Says how the people outside live and work: customers, departments, their machines. */
export function isAudience(body: string): boolean {
  return (
    isPartyDoing(body) ||
    isForParty(body) ||
    (consequence.test(body) && (isPartysThing(body) || body.split(/[^a-z]+/, 4).some((word) => parties.has(word))))
  );
}
