// What makes a sentence worth keeping or worth nothing, before any rule looks at what it says:
// words that ask to remember or to forget, words that bind it to the moment, and words that give it to somebody else.
// All patterns run on one folded sentence (no accents, lower case, quotations blanked), so none can run away on a long text.

/** Small talk in front of a sentence; cut from what is kept. Some words are small talk only before a comma or a stop. */
export const fillers = new RegExp(
  `^(?:(?:${[
    "please|pls|plz|ok(?:ay)?|so|and|also|btw|hey|hi|hello|oh|just|yes|yeah|yep|yup|nah|h+m+|uh+|ugh|thanks|thank you|by the way|one more thing|i(?:'ve| have)? (?:already |just )?(?:told|said)(?: you| this| that| it)*(?: before| already| again| many times| twice| once)?(?=[,:])|actually|but|then|um+|wait|sorry|ah|ouch|anyway|hold on|small thing|quick note|psst",
    'por favor|ta|beleza|blz|entao|opa|ei|oi|hum|mas|ai|alias|tambem|valeu|obrigad[oa]|cara|e',
    '(?:well|right|cool|alright|all right|nice|perfect|good|great|sure|again|listen|look|important|attention|nope|certo|otimo|legal|show|boa|bom|bem|calma|espera|importante|sim|olha|so|p\\.?s)(?=\\s*[,.!:;-])',
    "no(?=[,.!:;]|\\s+(?:no|don't|do not|dont|never|please|we|i|it's|that|this|you|the)\\b)|nao(?=[,.!:;]|\\s+nao\\b)",
  ].join('|')})(?:[,.!:;]+\\s*|\\s+-\\s*|\\s+))+`,
);

/** Bound to this moment or this change: an instruction, not a rule. */
export const momentary = new RegExp(
  [
    '\\bfor (?:now|the moment|the time being|a (?:moment|second|minute|bit|while)|this (?:pr|run|task|one|time|demo|request|session|commit|change|branch|test|file|case|ticket|release|sprint|feature|fix|migration|step|example|experiment|poc|spike|round|query|build|page|component|function|call))\\b',
    '\\b(?:in|on|with|within) this (?:pr|pull request|file|test|commit|branch|case|request|function|class|method|session|conversation|chat|diff|change|task|ticket|one|step|run|round|component|page|screen|query|particular|specific)\\b',
    "\\bthis (?:one )?(?:time|once)\\b|\\b(?:just|only) (?:this )?once\\b|\\btoday\\b(?!')|\\btonight\\b|\\bright now\\b|\\bat the moment\\b|\\btemporar(?:y|ily)\\b|\\bfor once\\b|\\bnow always\\b|\\balways \\w+ .{0,30}\\bnow\\b$",
    '\\buntil (?:i|we|the|it|this|that|you|he|she|they|further|then)\\b|\\bas long as\\b|\\bwhile (?:i|we|you|the|it)\\b|\\byet\\b|\\bwhile (?:debugging|testing)\\b|\\bin the meantime\\b|\\bfirst\\b.{0,20}\\bthen\\b',
    '\\bpor (?:enquanto|ora|hora)\\b|\\bno momento\\b|\\bhoje\\b|\\bs[o] (?:nesse|neste|nessa|nesta|dessa|desta|hoje|agora|essa|esta|por)\\b|\\b(?:nesse|neste|nessa|nesta) (?:pr|arquivo|teste|commit|branch|caso|execucao|tarefa|sessao|vez|funcao|tela|componente|ticket|mudanca)\\b',
    '\\b(?:d?essa|d?esta) vez\\b|\\btemporariamente\\b|\\bainda\\b|\\bate (?:eu|a gente|o|a|ele|que)\\b|\\benquanto\\b|\\bprovisori\\w+\\b|\\bpara (?:essa|esta|esse|este) (?:\\w+)\\b|\\bdepois a gente\\b|\\bagora nao\\b',
  ].join('|'),
);

/** Not said in earnest or not decided. */
export const tentative = new RegExp(
  [
    "\\bif (?:we|i|you|it|they) (?:were|was|had|ever|could|would|decided|decide|told|never|always)\\b|\\bwhat if\\b|\\bimagine\\b|\\bsuppos(?:e|ing)\\b|\\bpretend\\b|\\bhypothetical|\\blet's say\\b|\\bsay we\\b|\\bas if\\b",
    "\\b(?:might|maybe|perhaps|probably should|i'm not sure|we're not sure|who knows|undecided|or not)\\b|\\bi (?:wonder|guess)\\b|\\bwe (?:could|would)(?:n't)?\\b|\\bshould we\\b|\\bsome ?day\\b|\\bone day\\b|\\bhaven't (?:\\w+ )?decided\\b|\\bnot decided\\b|\\bthinking (?:about|of)\\b|\\bconsidering\\b|\\bthinks? we\\b|\\bin theory\\b",
    '\\bse (?:um dia|algum dia|a gente (?:fosse|tivesse|nunca|sempre|quisesse|migrar)|eu (?:fosse|dissesse|pedisse))\\b|\\be se\\b|\\bimagin[ae]\\b|\\bsuponh\\w+|\\btalvez\\b|\\bquem sabe\\b|\\bpodia\\b|\\bpoderi\\w+|\\bseria\\b|\\bsera que\\b|\\b(?:ainda )?nao (?:decid|sabe)\\w*|\\bnao sei se\\b|\\bdigamos\\b',
  ].join('|'),
);

export const sarcastic =
  /^(?:oh,? (?:sure|yeah|great|yes)|yeah,? (?:sure|right)|sure,? (?:let's|why not)|great idea|wonderful|fantastic|brilliant|lovely|of course,? let's|claro,|aham|otimo,|maravilha|perfeito,? vamos)|\bwhat could (?:possibly )?go wrong\b|\/s\b|\b(?:lol|lmao|haha+|kkk+|rsrs+)\b|\bjust kidding\b|\b(?:seriously|jokes?) (?:though|aside)\b|\bbrincadeira\b|\bagora serio\b|,? ne\.$|🙄/;

const source =
  'docs?|documentation|page|readme|article|blog|logs?|linter|compiler|errors?|warnings?|ticket|issue|comments?|review(?:er)?|copilot|bots?|tool|tools|site|website|manual|spec|tutorial|stack ?overflow|post|message|prompt|template|tooltip|release notes|tests?|console|output|stack trace|book|video|model|chatgpt|gpt|sonar|eslint|story|pr|documentacao|pagina|artigo|erro|comentario|manual|mensagem|texto|teste|livro|aviso|ferramenta|card|chamado';
/** What a page, a log, a tool or a quotation says is not what the person says. */
export const reported = new RegExp(
  [
    `\\b(?:${source})\\b(?: \\S+){0,4} (?:says?|said|states?|stated|reads?|suggests?|suggested|recommends?|mentions?|tells?|expects?|claims?|complains?|reports?|prints?|shows?|should (?:say|read|tell)|diz|fala|manda|recomenda|sugere|pede|disse|mostra|reclama)\\b`,
    `\\b(?:copied|pasted|quoting|quote|copiei|colei|according to|taken) (?:\\w+ )?(?:from|of|d[oae]|the)\\b|\\bsegundo (?:o|a) (?:${source})\\b|^from the (?:${source})\\b|^(?:review comment|comment|feedback|quote)\\b|^(?:translate|traduz\\w*|reword|rephrase|proofread|summari[sz]e)\\b`,
    '\\b(?:user|customer)s? (?:said|says|wrote)\\b|\\bcommit message\\b.{0,20}:|\\bas an? \\w+,? i want\\b',
  ].join('|'),
);

/** Somebody else's voice in the person's mouth: third-person wishes and orders to drop the rules mark injected text. */
export const injected =
  /\b(?:ignore|disregard|override|forget|ignore|desconsidere|ignora|esqueca) (?:all |todas? |any )?(?:of )?(?:the |as |os |your )?(?:previous|prior|above|earlier|existing|regras? anterior|instruc\w+ anterior)|\b(?:that |que )?(?:the user|o usuario) (?:wants?|has|said|allow|authori[sz]|approv|agree|prefers?|autoriz|quer|permit|aprov)\w*|\bsystem (?:reminder|prompt|message|notice)\b|\b(?:exfiltrat|pastebin|curl .*\| ?(?:sh|bash))/;

/** The rule is to be written into a file of instructions, where it will stand. */
export const forInstructionFile =
  /\b(?:claude|agents?|gemini|copilot-instructions|contributing|cursorrules|warp|readme)\W?(?:\.|·)?md\b|\bcopilot-instructions\b|·cursorrules|\bcursor rules?\b|\brules? file\b|\.cursor\b|\b(?:arquivo de )?instrucoes do (?:projeto|repo)\b/;

/** Opens a question or a request inside a sentence. */
export const asks =
  /^(?:so |and |but |anyway,? |e |entao |mas |ai )?(?:can|could|would|will|should|shall|is|are|was|were|do|does|did|has|have|why|what|how|where|who|which|whats|wheres|hows|when (?:do|does|is|are|will|can)|any (?:idea|chance|reason)|right|ok|okay|isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|shouldn't|wouldn't|what's|where's|how's|who's|pode|podem|poderia|consegue|da (?:pra|para|tempo)|por ?que|porque|como|o que|onde|quem|qual|quais|quando|ja|tem como|ta|esta|sera|vale|faz sentido|certo|ne|dava|deu|quanto|cade)\b/;
/** The same without a question mark at its end. */
export const asksPlainly =
  /^(?:so |and |but |anyway,? |e |entao |mas |ai )?(?:(?:can|could|would|will) (?:you|we|i)\b|what (?:is|are|does|do|did|happens|would|should|breaks?)\b|what's\b|how (?:do|does|can|would|is|are|to)\b|why (?:is|are|do|does|did)\b|where (?:is|are|do|does|did)\b|who (?:is|does|did)\b|pode(?:ria)? \w+(?:ar|er|ir)\b|ve se\b|da uma olhada|o que (?:E|e|falta)\b|como (?:eu|a gente|E|faz)\b|por que\b|onde (?:fica|ta|esta)\b|have a look|take a look|look at)/;

const cue =
  "(?:remember|keep in mind|bear in mind|have in mind|(?:don't|do not|never|dont) (?:ever )?forget|memori[sz]e|(?:make|take) (?:a |yourself a )?(?:mental |short )?note|note down|be aware|jot (?:this |that |it )?down|write (?:this|that|it) down|(?:save|store|add|put|commit|keep|record|log|write|note) (?:(?:this|that|it|the following|something|a note|one thing)(?: fact| one| rule| info(?:rmation)?| decision)? )?(?:down )?(?:to|in|into|for) (?:your |the |long[- ]?term |project |my )*(?:memory|memories|notes?\\b)|add (?:a |this |another )?(?:new )?(?:memory|note)\\b|(?:keep|bear) (?:this|that|it) in mind|(?:save|store|record|memori[sz]e|note)(?=:)|(?:save|store|record|note) (?:this|that)(?: one| fact| rule| decision| down)?(?=\\s*[:,-]))";
const cuePt =
  '(?:lembr[ea](?:-se|r)?|lembrem(?:-se)?|(?:nao|nunca) (?:se )?esquec[ae]r?s?|anot[ae](?:r)?|guard[ae](?:r)?|memoriz[ae](?:r)?|registr[ae](?:r)?|grav[ae](?:r)?|(?:salv[ae]|coloca|coloque|poe|ponha|adicion[ae]|bota|guard[ae]|grav[ae]|registr[ae]|anot[ae]) (?:isso |isto |essa |esta )?(?:na|em|a|pra) (?:sua |tua )?memoria|ten(?:ha|h) em mente|tem em mente|leve em conta|fi(?:que|ca) sabendo|tom[ae] nota|salv[ae](?= (?:isso|ai|essa)))';
const lead =
  "(?:(?:can|could|would|will) you (?:please |also |just |kindly )*|i(?:'d| would)? (?:need|want|like) you to |(?:you|u) (?:should|must|need to|have to|ought to|can) |(?:it's|it is|its) (?:very |really )?important (?:that you |to )?|important to |make sure (?:you |to |that you )|(?:preciso|quero|queria) que voce |importante |(?:voce )?pode |da pra |nao deixa de |do |also |always |sempre |lets |let's )*";
const anaphor =
  '(?:this|that|it|these|this one|that one|something|isso|isto|disso|essa|esta|esse|este|dessa|desse|ai|bem|essa (?:informacao|regra|decisao)|desta|uma coisa|um detalhe)';
const frame =
  '(?: please| too| also| well| forever| por favor| tambem)*(?: (?:fact|decision|rule|info|one|informacao|regra|decisao))?(?: (?:for|from|in|when|whenever|before|every time|next time|the next time|somewhere|pra|para|nas?|da|quando|antes|sempre|das?)(?! that\\b)(?: (?!that\\b|que\\b)[^\\s:,;]+){1,9}?)?';

const remembering = new RegExp(
  `^${lead}(?:${cue}|${cuePt})(?: ${anaphor})?${frame}(?:\\s*[:,;]+\\s*|\\s+-+\\s+|\\s+(?:that|que|de que)\\s+)(?=\\S)`,
);
const rememberingBare = new RegExp(
  `^${lead}(?:remember|keep in mind|(?:don't|do not|dont) forget|lembr[ea]|be aware)(?: also| too| please)? (?!to\\b|that$|how\\b|me\\b|when i\\b|the (?:last|selected|chosen|current|previous|user's)\\b)(?=\\S)`,
);
const rememberingTask = new RegExp(
  `^${lead}(?:remember|(?:don't|do not|never|dont) forget|be sure) (?:also |please )?to |^${lead}(?:lembr[ea](?:-se)?|nao (?:se )?esquec[ae]r?) (?:tambem )?(?:de|d[oa]) (?!que\\b)`,
);
const standingHead =
  /^(?:(?:just )?(?:for|as) (?:the |your |my |our |future |any |all )*(?:record|memory|notes?|information|info|reference|sessions|future|next time|later|next sessions?|next times)|note to (?:self|yourself|you)(?: \([^)]*\))?|memory time|memo(?:ry)?|to remember|(?:a )?(?:note|reminder|remark) (?:for|to) (?:you|the future|later|next time)[^:,]{0,20}|(?:just )?so (?:that )?you know (?:for|in|from|next|later)[^:,]{0,30}|(?:let it be|be it|please be) (?:noted|known|advised)|(?:one|two|some|a few|some|another) (?:more )?things? (?:to|you should|worth|for you to) (?:keep|remember\w*|know|note|noting|memori[sz]e)[^:,]{0,40}|(?:something|things) (?:to|you should|for you to|worth) (?:keep|remember\w*|know|note)[^:,]{0,40}|you (?:should|can|may) (?:also )?(?:know|remember|note)|i (?:want|need) you to know|(?:so )?(?:pra|para) (?:voce )?(?:saber|lembrar)[^:,]{0,30}|(?:para|pra) (?:o futuro|a proxima|as proximas(?: vezes)?|lembrar)|(?:a )?nota (?:mental|para|pra)[^:,]{0,20}|(?:uma )?coisa (?:pra|para) (?:guardar|lembrar)[^:,]{0,30}|fica (?:a dica|o aviso|anotado)|just for your memory)(?:\s*[:,;]+\s*|\s+-+\s+|\s+(?:that|que)\s+)/;
const tail =
  /(?:[,;.:(-]|\band\b|\bso\b|\be\b|\bthen\b|^)\s*(?:please |pls |and |so |just |do |then |kindly |can you |could you |(?:i )?(?:need|want) you to |por favor,? |e |entao |favor )*(?:(?:remember|memori[sz]e|record|note|save|store) (?:it|this|that|these|this one|that one|all this|all of this)|(?:note|write|jot) (?:it|this|that) down|(?:keep|bear) (?:it|this|that) in mind|(?:put|add|save|store|commit|write) (?:it|this|that|these) (?:to|in|into) (?:your |the )?(?:memory|notes)|(?:don't|do not|dont) forget(?: (?:it|this|that))?|remember please|please (?:remember|note|memori[sz]e)|(?:guard|anot|grav|registr|memoriz|lembr|salv)[ae] (?:isso|isto|disso|essa|ai|essa informacao)|nao (?:se )?esquec[ae](?: (?:isso|disso))?|(?:coloc|guard|salv|grav|bot)[ae]\w* (?:isso )?na memoria|tenha isso em mente|tem isso em mente)(?: down| in mind| noted| to (?:your )?memory| in (?:your )?memory)?(?:,? (?:please|ok|okay|well|forever|too|por favor|ta|hein|bem))*(?: (?:for|when|before|whenever|next|in|from|the next|as|pra|para|quando|antes|nas?|da)\b[^:]{1,90})?\)?[\s.!]*$/;
/** A sentence that only says that what went before is a lasting rule. */
const standsFor =
  /^(?:always|ever|never again|sempre|no exceptions?|(?:that's|this is|it's|thats|i mean (?:that|this|it) as) (?:an? |our |the |my )*(?:general|standing|hard|firm|house|permanent|team|global|strict|golden|lasting)? ?(?:rule|thing|policy|convention|standard|preference|principle|house rule|style guide)s?\b.*|(?:(?:that|this|the same|it) )?(?:goes|applies|holds|counts|is meant) (?:for|to) (?:every|all|any|each|the whole|future)\b.*|i (?:shouldn't|don't want to|won't|really don't want to|should not) (?:have to )?(?:say|repeat|tell|ask|explain|discuss).{0,60}|(?:that's )?(?:for )?all future (?:sessions|tasks|prs|changes)|policy|(?:isso )?vale (?:pra|para) (?:sempre|tudo|todos?|todas?).*|regra (?:geral|da casa|fixa|nossa|do time)|(?:isso )?(?:E|e) (?:uma )?(?:regra|padrao|politica)\b.*|sem excecao|(?:não|nao) quero (?:ter que )?repetir.*|toda vez (?:eu tenho|tenho|o \w+ (?:reclama|quebra|falha))\b.*|every (?:single )?time)[\s.!]*$/;
/** Announces rules or facts in the sentences that follow. */
const announces =
  /\b(?:(?:two|three|four|five|some|a few|these|the following|a couple of|couple of|more|few|duas|tres|quatro|algumas|umas|essas|estas|as seguintes|minhas|nossas)(?: \w+)?) (?:rules|conventions|preferences|guidelines|facts|things (?:to|you should|worth) (?:remember|know|keep|note)|regras|convencoes|preferencias|coisas (?:pra|para) (?:lembrar|guardar|saber))\b/;

/** A verb that makes a clause of it. */
export const finite =
  /\b(?:is|are|was|were|isn't|aren't|am|i'm|we're|they're|it's|he's|she's|has|have|had|do|does|don't|doesn't|did|can|can't|cannot|will|won't|must|should|shouldn't|needs?|may|runs?|lives?|uses?|goes|ends?|starts?|gets?|comes?|means?|owns?|wants?|works?|requires?|takes?|sits?|stays?|keeps?|expires?|closes?|opens?|breaks?|costs?|belongs?|never|always|only|E|sao|esta|estao|fica|ficam|tem|vai|vao|usa|usam|foi|roda|cai|precisa|nunca|sempre|so|vale|existe|acaba|comeca|termina|eu)\b/;
const sessionTalk =
  /\b(?:left off|where we (?:were|are|stopped)|step \d|earlier|a minute ago|last time i asked|you (?:just )?(?:said|created|wrote|made|did|told|mentioned|added|showed)|we (?:said|talked|discussed|did|were|just)|what (?:i|we) (?:said|did))\b/;
const maybeThere = /^there (?:may|might|could) be\b/;
const generalizing =
  /\b(?:always|never|every|each|whenever|any ?time|from now on|in (?:the )?future|going forward|all|before (?:you )?(?:commit|push|merge|open)\w*|when(?:ever)? you (?!are|have|finish)|sempre|nunca|toda vez|todas? as?|cada|daqui pra frente|quando)\b/;

export type Remembering =
  /** What is to be kept lies at [from, to) of the sentence. */
  | {
      readonly kind: 'content';
      readonly from: number;
      readonly to: number;
      /** "Remember that, …": may as well mean the sentence before. */
      readonly pointsBack?: boolean;
      /** The request stands behind its fact. */
      readonly isBehind?: boolean;
    }
  /** What is to be kept was said before. */
  | { readonly kind: 'before' }
  /** What is to be kept follows. */
  | { readonly kind: 'after' }
  /** The word is used otherwise: for a chore, a question or a piece of code. */
  | { readonly kind: 'nothing' };

/** Reads a request to remember in one folded sentence; undefined when there is none. */
export function readRemembering(folded: string, isQuestion: boolean): Remembering | undefined {
  const skip = fillers.exec(folded)?.[0].length ?? 0;
  const body = folded.slice(skip);
  const end = folded.length;
  if (standsFor.test(body) && body.length < 120) return { kind: 'before' };
  if (isQuestion && !/^(?:can|could|would|will|pode|da pra)\b/.test(body)) return undefined;

  const task = rememberingTask.exec(body);
  if (task !== null) {
    return generalizing.test(body) && !momentary.test(body)
      ? { kind: 'content', from: skip + task[0].length, to: end }
      : { kind: 'nothing' };
  }
  const after = tail.exec(body);
  if (after !== null && after.index > 0 && /[a-z]/.test(body.slice(0, after.index))) {
    const before = body.slice(0, after.index);
    if (/\S\s+\S+\s+\S/.test(before.trim())) {
      const from = skip + (standingHead.exec(before)?.[0].length ?? 0);
      return { kind: 'content', from, to: skip + after.index, isBehind: true };
    }
    return { kind: 'before' };
  }
  if (after !== null) return { kind: 'before' };

  if (
    /^(?:please |and |so )*(?:remember|note|memori[sz]e|lembr[ea]|guard[ae]|anot[ae]) (?:it|this|that|isso|disso)\b[^:,]{0,80}$/.test(
      body,
    )
  )
    return { kind: 'before' };

  const head = standingHead.exec(body) ?? remembering.exec(body);
  if (head !== null) {
    const content = body.slice(head[0].length);
    if (/[:;]\s*$/.test(content) || content.trim().length < 3) return { kind: 'after' };
    if (sessionTalk.test(content) || maybeThere.test(content)) return { kind: 'nothing' };
    const isNamed = /[:]\s*$/.test(head[0]) || standingHead.test(body);
    if (/^(?:to|de) /.test(content) && !generalizing.test(content)) return { kind: 'nothing' };
    if (!isNamed && !finite.test(content) && !/^no\b|\b\d/.test(content)) return { kind: 'nothing' };
    const pointsBack = /\b(?:this|that|it|please|isso|disso|essa),\s*$/.test(head[0]);
    return { kind: 'content', from: skip + head[0].length, to: end, pointsBack };
  }
  const announced =
    new RegExp(`^${lead}(?:${cue}|${cuePt})(?: ${anaphor})?${frame}\\s*[:.]?\\s*$`).test(body) || announces.test(body);
  if (announced) return /:\s*$/.test(body) || announces.test(body) ? { kind: 'after' } : { kind: 'before' };
  const bare = rememberingBare.exec(body);
  if (bare === null) {
    const inner =
      /\b(?:so|and|then|entao|e) (?:please )?(?:remember|keep in mind|lembr[ea])(?: that| que)? (?!to\b|me\b|de\b|the (?:user|choice|filter))/.exec(
        body,
      );
    return inner !== null && finite.test(body.slice(inner.index + inner[0].length)) && !isQuestion
      ? { kind: 'content', from: skip, to: end }
      : undefined;
  }
  const content = body.slice(bare[0].length);
  if (isQuestion || sessionTalk.test(content) || maybeThere.test(content)) return { kind: 'nothing' };
  const clause = /^(?:when|whenever|if|quando|se)\b[^:,]{1,60}[:,]\s*/.exec(content)?.[0].length ?? 0;
  return finite.test(content)
    ? { kind: 'content', from: skip + bare[0].length + clause, to: end }
    : { kind: 'nothing' };
}

const keptThing =
  '(?:memor(?:y|ies)|notes?|rules?|facts?|entr(?:y|ies)|preferences?|conventions?|instructions?|things?|bit|part|memorias?|regras?|notas?|anotac(?:ao|oes)|lembrancas?|informac(?:ao|oes)|preferencias?|historia|lance|negocio|coisa)';
const forgetVerb =
  "(?:forget|disregard|unlearn|erase|discard|scratch|(?:don't|do not|stop|no longer|never) remember(?:ing)?|esquec[ae]r?|desconsider[ae]r?|(?:nao (?:precisa )?(?:mais )?|para de )lembr\\w+(?: mais)?(?: de| da| do)?)";
const dropVerb =
  '(?:forget|drop|delete|remove|erase|discard|ignore|scratch|clear|wipe|get rid of|throw (?:away|out)|unlearn|disregard|esquec[ae]r?|apag(?:a|ue|ar)|remov[ae]r?|descart[ae]r?|delet[ae]r?|ignor[ae]r?|desconsider[ae]r?|tir[ae]r?|exclu[ai]r?)';
const drops = `(?:${dropVerb}|${forgetVerb})`;
const told =
  "(?:(?:i|we)(?:'ve)? (?:\\w+ )?(?:told|said|taught|wrote|mentioned|asked|explained|agreed|decided|discussed)(?: you)?|(?:eu |a gente |nos )?(?:te )?(?:falei|disse|contei|pedi|expliquei|combinamos|decidimos|falamos|combinou))";
const when = '(?: (?:earlier|before|yesterday|last \\w+|antes|ontem|la atras))?';
const about = '(?: (?:about|on|regarding|that|to|sobre|d[eoa]|que))';
const known =
  '(?:you|voce) (?:\\w+ )?(?:remember(?:ed)?|saved?|know|knew|noted|stored?|have|learned|sabe|guardou|salvou|lembra|anotou)(?: in memory| na memoria)?';
const link =
  '(?: (?:that |you have |you saved |that you have |que (?:voce )?(?:tem|guardou|salvou) )?(?:about|on|that says?|that i|saying|regarding|of|where|with|for|which says|sobre|que diz(?:ia)?|de que|d[eoa]|que))';
const isStale =
  "(?:outdated|obsolete|wrong|stale|no longer|old|over|gone|cancell?ed|not (?:true|valid|right|correct)|isn't (?:true|valid|right)|nao vale mais|nao E mais|desatualizad\\w*|cancelad\\w*|errad\\w*)";
const forgetting: readonly RegExp[] = [
  new RegExp(
    `\\b${drops} (?:about )?(?:what(?:ever)?|everything|anything|all|tudo)?(?: that| of what)?(?: ?(?:o )?que)? ?${told}${when}${about}? (?=\\S)`,
  ),
  new RegExp(
    `\\b${drops} (?:the|that|this|my|your|any|all|those|these|our|a|as|o|os|aquela|aquele|essa|esse|esta|este|minha|tua|sua)(?: \\w+){0,2}? ${keptThing}${link} (?=\\S)`,
  ),
  new RegExp(
    `\\b${drops} (?:what|everything|anything|o que|tudo (?:o )?que) ${known} (?:about|on|of|sobre|d[eoa]) (?=\\S)`,
  ),
  new RegExp(
    `\\b${drops} (?:it |this |isso )?(?:from|in|out of|da|na) (?:your |the |sua )?mem\\w+:? (?:that |the fact that |que |o fato de que )?(?=\\S+ \\S)`,
  ),
  new RegExp(
    `^(?:what|everything|o que|tudo (?:o )?que) (?:${known}|${told})${when} (?:about|on|sobre|d[eoa]) (?=.{2,90}\\b${isStale}\\b)`,
  ),
  new RegExp(
    `^(?:that|the|your|our|this|my|a|o|essa|aquela|esse) (?:\\w+ ){0,2}?${keptThing}(?: (?:that )?${told})?${link} (?=.{2,90}\\b(?:${isStale}|(?:drop|delete|forget|remove) (?:it|that)|apaga|esquece)\\b)`,
  ),
  /^(?:the |our |my |a |o |nossa |nosso )?(?=.{2,60}\b(?:rule|convention|policy|regra|convencao)\b.{0,20}\b(?:no longer applies|is gone|doesn't apply|is not valid|nao vale mais)\b.{0,12}\b(?:forget|drop|delete|remove|esquece|apaga))/,
  /\b(?:don't|do not|nao) (?:remember|lembr[ea]) (?=.{2,60}\b(?:any ?more|any longer|mais)\b)/,
  /\b(?:forget|esquec[ae]) (?:that|que) (?=\S+ \S)/,
  /^(?:(?:please|you|can|could|may|go ahead and|voce|pode|ja|por favor|favor|just) )*(?:you can|you may|pode|podes|voce pode) (?:now |just |safely |ja )?(?:forget|esquecer)(?: about| d[oae])? (?!(?:it|that|this|about it|isso|disso|all of that)\b)(?=\S)/,
];
/** "Forget about X": only beside a word that X is over or that a memory is meant. */
const forgetAbout =
  /^(?:(?:please|so|just|you can|pode|por favor) )*(?:forget(?: about)?|esquec[ae]r?(?: d[oae])?) (?:the|our|my|all|o|a|os|as|aquel[ae]|ess[ae])\b(?=.)/;
const meantMemory = new RegExp(
  `\\bmemor(?:y|ies|ia)\\b|\\b(?:it|that|they|he|she|ele|ela|isso)?(?:'s| is| was| has been| have been| are|,| foi| esta| ja)? ${isStale}\\b`,
);
const notMemory =
  /\b(?:readme|changelog|file|docs?|comment|code|table|column|branch|database|db|cache|test|line|function|lint|linter|leak|arquivo|tabela|banco|codigo|linha)\b/;

/**
 * The span of one folded sentence that says what to forget; undefined when nothing is to be forgotten.
 * `next` is the sentence after it: "delete it from your memory" tells what "forget about" meant.
 */
export function readForgetting(folded: string, next = ''): { readonly from: number; readonly to: number } | undefined {
  if (/\b(?:don't|do not|never|dont|nao|nunca)(?: (?:ever|se))? (?:forget|esquec)/.test(folded)) return undefined;
  const span = (from: number) => {
    const stop =
      /[,;:]\s|\.\s|\s-\s|\s+(?:from (?:your )?memory|from now on|any ?more|any longer|no longer applies|(?:is|are|E|esta) (?:\w+ )?(?:not (?:true|valid)|outdated|obsolete|wrong|gone|stale|desatualizad\w+)|da memoria|mais$)|[.!?]+$/.exec(
        folded.slice(from),
      );
    const to = from + (stop?.index ?? folded.length - from);
    return to - from < 2 ? undefined : { from, to };
  };
  for (const [i, pattern] of forgetting.entries()) {
    const match = pattern.exec(folded);
    if (match === null) continue;
    const from = match.index + match[0].length;
    if (i === 1 && notMemory.test(folded.slice(0, from)) && !/\bmemor/.test(folded)) continue;
    if (i >= 8 && momentary.test(folded)) continue;
    return span(from);
  }
  const bare = forgetAbout.exec(folded)?.[0].replace(/(?:the|our|my|all|o|a|os|as|aquel[ae]|ess[ae])$/, '').length;
  const isMeant = meantMemory.test(folded) || /\bmemor(?:y|ies|ia)\b/.test(next);
  return bare !== undefined && isMeant && !momentary.test(folded) ? span(bare) : undefined;
}
