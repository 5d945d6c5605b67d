// What a sentence is before any rule looks at what it says: small talk, a question, a word of the moment, an idea that is
// not decided, or somebody else's words. Sentences of the last four kinds give nothing.
// All patterns run on one folded sentence (no accents, lower case, quotations blanked), so none can run away on a long text.

import { anyOf, either, raw } from './clause';

/** Small talk in front of a sentence; cut from what is kept. Some words are small talk only before a comma or a stop. */
export const fillers = new RegExp(
  raw`^(?:${either(
    raw`please|pls|plz|ok(?:ay)?|so|and|also|btw|hey|hi|hello|oh|just|yes|yeah|yep|yup|nah|h+m+|uh+|ugh|thanks|thank you|by the way|one more thing|actually|but|then|um+|wait|sorry|ah|ouch|anyway|hold on|small thing|quick note|psst|(?:just )?fyi|for your info(?:rmation)?`,
    raw`por favor|ta|beleza|blz|entao|opa|ei|oi|hum|mas|ai|alias|tambem|valeu|obrigad[oa]|cara|e`,
    raw`(?:well|right|cool|alright|all right|nice|perfect|good|great|sure|again|listen|look|important|attention|nope|certo|otimo|legal|show|boa|bom|bem|calma|espera|importante|sim|olha|so|p\.?s)(?=\s*[,.!:;-])`,
    raw`i(?:'ve| have)? (?:already |just )?(?:told|said)(?: you| this| that| it)*(?: before| already| again| many times| twice| once)?(?=[,:])|(?:ja )?(?:te )?(?:falei|disse)(?: antes| mil vezes)?(?=[,:])`,
    raw`no(?=[,.!:;]|\s+(?:no|don't|do not|dont|never|please|we|i|it's|that|this|you|the)\b)|nao(?=[,.!:;]|\s+nao\b)`,
  )}(?:[,.!:;]+\s*|\s+-\s*|\s+))+`,
);

/** Bound to this moment or this change: an instruction, not a rule. */
export const momentary = anyOf(
  raw`\bfor (?:now|the moment|the time being|once|a (?:moment|second|minute|bit|while))\b|\bright now\b|\bat the moment\b|\btemporar(?:y|ily)\b|\bin the meantime\b|\byet\b`,
  raw`\bfor this (?!(?:project|repo|repository|codebase|team|company|app|product|reason|customer|client)\b)[a-z]+\b`,
  raw`\b(?:in|on|with|within) this (?!(?:project|repo|repository|codebase|code base|code|team|company|app|product|monorepo|package|domain|business|area|house|organi[sz]ation|language)\b)[a-z]+\b`,
  raw`\bthis (?:one )?(?:time|once)\b|\b(?:just|only) (?:this )?once\b|\btoday\b(?!'| on\b)|\btonight\b|\bnow always\b|\balways \w+ .{0,30}\bnow$`,
  raw`\buntil (?:i|we|the|it|this|that|you|he|she|they|further|then)\b|\bas long as\b|\bwhile (?:i|we|you|the|it|debugging|testing)\b`,
  raw`\bpor (?:enquanto|ora|hora)\b|\bno momento\b|\bhoje\b(?! em dia)|\bd?(?:essa|esta) vez\b|\btemporariamente\b|\bprovisori\w+\b|\bagora nao\b|\bdepois a gente\b`,
  raw`\bso (?:nesse|neste|nessa|nesta|dessa|desta|hoje|agora|essa|esta|por)\b`,
  raw`\b(?:nesse|neste|nessa|nesta) (?!(?:projeto|repo|repositorio|codigo|base|time|equipe|empresa|app|produto|pacote|area|casa)\b)[a-z]+\b|\bainda nao\b|\bate (?:eu|a gente|o|a|ele|que)\b|\benquanto\b`,
);

/** Not said in earnest or not decided. */
export const tentative = anyOf(
  raw`\bif (?:we|i|you|it|they) (?:were|was|had|ever|could|would|decided|decide|told)\b|\bwhat if\b|\bimagine\b|\bsuppos(?:e|ing)\b|\bpretend\b|\bhypothetical|\blet's say\b|\bsay we\b|\bas if\b|\bin theory\b`,
  raw`\b(?:might|maybe|perhaps|probably should|i'm not sure|we're not sure|who knows|undecided|or not)\b|\bi (?:wonder|guess)\b|\bwe (?:could|would)(?:n't)?\b|\bshould we\b|\bsome ?day\b|\bone day\b`,
  raw`\bhaven't (?:\w+ )?decided\b|\bnot decided\b|\bthinking (?:about|of)\b|\bconsidering\b|\bthinks? we\b|\bwould be nice\b`,
  raw`\bse (?:um dia|algum dia|a gente (?:fosse|tivesse|nunca|sempre|quisesse|migrar)|eu (?:fosse|dissesse|pedisse))\b|\be se\b|\bimagin[ae]\b|\bsuponh\w+|\bdigamos\b`,
  raw`\btalvez\b|\bquem sabe\b|\bpodia\b|\bpoderi\w+|\bseria\b|\bsera que\b|\b(?:ainda )?nao (?:decid|sabe)\w*|\bnao sei se\b`,
);

export const sarcastic = anyOf(
  raw`^oh,? (?:sure|yeah|great|yes)\b|^yeah,? (?:sure|right)\b|^(?:sure|great idea|wonderful|fantastic|brilliant|lovely|of course|perfect|claro|otimo|maravilha|perfeito),? (?:let's|lets|why not|vamos)\b|^claro,|^aham\b`,
  raw`\bwhat could (?:possibly )?go wrong\b|/s\b|\b(?:lol|lmao|haha+|kkk+|rsrs+)\b|\bjust kidding\b|\b(?:seriously|jokes?) (?:though|aside)\b|\bbrincadeira\b|\bagora serio\b|🙄`,
);
/** Takes back the sentence before it. */
export const takesBack = /\b(?:seriously|serio|kidding|brincadeira)\b/;

const source = either(
  raw`docs?|documentation|page|readme|article|blog|logs?|linter|compiler|errors?|warnings?|ticket|issue|comments?|review(?:er)?|copilot|bots?|tools?|site|website|manual|spec|tutorial|stack ?overflow|post|message|prompt|template|tooltip|release notes|tests?|console|output|stack trace|book|video|model|chatgpt|gpt|sonar|eslint|story|pr`,
  raw`documentacao|pagina|artigo|erro|comentario|mensagem|texto|teste|livro|aviso|ferramenta|card|chamado`,
);
/** What a page, a log, a tool or a quotation says is not what the person says. */
export const reported = anyOf(
  raw`\b${source}\b(?: (?!that\b)[^\s,;:]+){0,4} (?:says?|said|states?|stated|reads?|suggests?|suggested|recommends?|mentions?|tells?|expects?|claims?|complains?|reports?|prints?|shows?|told|should (?:say|read|tell)|diz|fala|manda|recomenda|sugere|pede|disse|mostra|reclama)\b`,
  raw`\b(?:copied|pasted|quoting|quote|copiei|colei|according to|taken) (?:\w+ )?(?:from|of|d[oae]|the)\b|\bsegundo (?:o|a) ${source}\b|^from the ${source}\b|^(?:review comment|comment|feedback|quote)\b`,
  raw`^(?:translate|traduz\w*|reword|rephrase|proofread|summari[sz]e)\b|\b(?:user|customer|colleague)s? (?:said|says|wrote)\b|\bcommit message\b.{0,20}:|\bas an? \w+,? i want\b`,
);

/** Somebody else's voice in the person's mouth: third-person wishes and orders to drop the rules mark injected text. */
export const injected = anyOf(
  raw`\b(?:ignore|disregard|override|forget|ignora|desconsidere|esqueca) (?:all |todas? |any )?(?:of )?(?:the |as |os |your )?(?:(?:previous|prior|above|earlier|existing) (?:\w+ )?(?:instructions?|rules?|prompts?|messages?|directions?)|(?:regras?|instruc\w+) anterior)`,
  raw`\b(?:that |que )?(?:the user|o usuario) (?:wants?|has|said|allow|authori[sz]|approv|agree|prefers?|autoriz|quer|permit|aprov)\w*|\bsystem (?:reminder|prompt|message|notice)\b|\bexfiltrat|\bpastebin\b|\bcurl .*\| ?(?:sh|bash)`,
);

/** The rule is to be written into a file of instructions, where it will stand. */
export const forInstructionFile = anyOf(
  raw`\b(?:claude|agents?|gemini|copilot-instructions|contributing|cursorrules|warp|readme)\W?(?:\.|·)?md\b|\bcopilot-instructions\b`,
  raw`·cursorrules|\bcursor rules?\b|\brules? file\b|\.cursor\b|\b(?:arquivo de )?instrucoes do (?:projeto|repo)\b`,
);

const andSo = raw`^(?:so |and |but |anyway,? |e |entao |mas |ai )?`;
/** Opens a question or a request inside a sentence that ends in a question mark. */
export const asks = new RegExp(
  raw`${andSo}${either(
    raw`can|could|would|will|should|shall|is|are|was|were|do|does|did|has|have|why|what|how|where|who|which|whats|wheres|hows|when (?:do|does|is|are|will|can)|any (?:idea|chance|reason)|right|ok|okay|remind me`,
    raw`isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|shouldn't|wouldn't|what's|where's|how's|who's`,
    raw`pode|podem|poderia|consegue|da (?:pra|para|tempo)|por ?que|porque|como|o que|onde|quem|qual|quais|quando|ja|tem como|ta|esta|sera|vale|faz sentido|certo|ne|dava|deu|quanto|cade`,
  )}\b`,
);
/** The same without a question mark at its end. */
export const asksPlainly = new RegExp(
  raw`${andSo}${either(
    raw`(?:can|could|would|will) (?:you|we|i)\b|what (?:is|are|does|do|did|happens|would|should|breaks?)\b|what's\b|how (?:do|does|can|would|is|are|to)\b|why (?:is|are|do|does|did)\b|where (?:is|are|do|does|did)\b|who (?:is|does|did)\b`,
    raw`pode(?:ria)? \w+(?:ar|er|ir)\b|ve se\b|da uma olhada|o que (?:E|e|falta)\b|como (?:eu|a gente|E|faz)\b|por que\b|onde (?:fica|ta|esta)\b|have a look|take a look|look at`,
  )}`,
);
