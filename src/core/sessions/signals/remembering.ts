// Reads the ways people ask to keep something: before it ("remember that …"), after it ("… , remember that"), about what
// was said before ("save that."), or as a heading for what follows ("two rules for this codebase.").
// Refuses the same words as a chore ("remember to push"), a question ("do you remember …") or code ("remember the filter").

import { anyOf, either, finite, hasOrder, raw } from './clause';
import { fillers, momentary } from './cues';

const toMemory = raw`(?:down )?(?:to|in|into|for) (?:your |the |long[- ]?term |project |my )*(?:memory|memories|notes?\b)`;
const cue = either(
  raw`remember|(?:keep|bear|have) (?:this |that |it )?in mind|(?:don't|do not|never|dont) (?:ever )?forget|memori[sz]e|be aware`,
  raw`(?:make|take) (?:a |yourself a )?(?:mental |short )?note|note down|jot (?:this |that |it )?down|write (?:this|that|it) down`,
  raw`(?:save|store|add|put|commit|keep|record|log|write|note) (?:(?:this|that|it|the following|something|a note|one thing)(?: fact| one| rule| info(?:rmation)?| decision)? )?${toMemory}`,
  raw`add (?:a |this |another )?(?:new )?(?:memory|note)\b|(?:save|store|record|memori[sz]e)(?=:)|(?:save|store|record|note) (?:this|that)(?: one| fact| rule| decision| down)?(?=\s*[:,-])`,
  raw`lembr[ea](?:-se|r)?|lembrem(?:-se)?|(?:nao|nunca) (?:se )?esquec[ae]r?s?|ten(?:ha|h) em mente|tem em mente|leve em conta|fi(?:que|ca) sabendo|tom[ae] nota`,
  raw`(?:anot|guard|memoriz|registr|grav)[ae]r?|(?:salv[ae]|coloca|coloque|poe|ponha|adicion[ae]|bota|guard[ae]|grav[ae]|registr[ae]|anot[ae]) (?:isso |isto |essa |esta )?(?:na|em|a|pra) (?:sua |tua )?memoria|salv[ae](?= (?:isso|ai|essa))`,
);
/** How a request is dressed. */
const polite = raw`(?:${[
  raw`(?:can|could|would|will) you (?:please |also |just |kindly )*|i(?:'d| would)? (?:need|want|like) you to |(?:you|u) (?:should|must|need to|have to|ought to|can) `,
  raw`(?:it's|it is|its) (?:very |really )?important (?:that you |to )?|important to |make sure (?:you |to |that you )|do |also |always |lets |let's `,
  raw`(?:preciso|quero|queria) que voce |importante |(?:voce )?pode |da pra |nao deixa de |sempre `,
].join('|')})*`;
const anaphor = either(
  'this|that|it|these|this one|that one|something',
  'isso|isto|disso|essa|esta|esse|este|dessa|desse|desta|ai|bem|essa (?:informacao|regra|decisao)|uma coisa|um detalhe',
);
/** "for next time", "when you write SQL here", "forever": stands between the request and what is kept. */
const frame = raw`(?: please| too| also| well| forever| por favor| tambem| sempre)*(?: (?:fact|decision|rule|info|one|informacao|regra|decisao))?(?: (?:for|from|in|when|whenever|before|every time|next time|the next time|somewhere|pra|para|nas?|da|quando|antes|das?)(?! that\b)(?: (?!that\b|que\b)[^\s:,;]+){1,9}?)?`;
const join = raw`(?:\s*[:,;]+\s*|\s+-+\s+|\s+(?:that|que|de que)\s+)`;

const leading = new RegExp(raw`^${polite}${cue}(?: ${anaphor})?${frame}${join}(?=\S)`);
const alone = new RegExp(raw`^${polite}${cue}(?: ${anaphor})?${frame}\s*[:.]?\s*$`);
const bare = new RegExp(
  raw`^${polite}(?:remember|keep in mind|(?:don't|do not|dont) forget|be aware)(?: also| too| please)? (?!to\b|that$|how\b|me\b|when i\b|sempre que\b|the (?:last|selected|chosen|current|previous|user's)\b)(?=["'\w])`,
);
const chore = anyOf(
  raw`^${polite}(?:remember|(?:don't|do not|never|dont) forget|be sure) (?:also |please )?to `,
  raw`^${polite}(?:lembr[ea](?:-se)?|nao (?:se )?esquec[ae]r?) (?:tambem )?(?:de|d[oa]) (?!que\b)`,
);
const inside =
  /\b(?:so|and|then|entao|e) (?:please )?(?:remember|keep in mind|lembr[ea])(?: that| que)? (?!to\b|me\b|de\b|the (?:user|choice|filter))/;

/** Names what follows as something to keep, without a verb of keeping. */
const heading = new RegExp(
  raw`^${either(
    raw`(?:just )?(?:for|as) (?:the |your |my |our |future |any |all )*(?:record|memory|notes?|information|info|reference|sessions?|future|next time|later|next sessions?|next times)`,
    raw`note to (?:self|yourself|you)(?: \([^)]*\))?|memory time|memo(?:ry)?|to remember|(?:a )?(?:note|reminder|remark) (?:for|to) (?:you|the future|later|next time)[^:,]{0,20}`,
    raw`(?:just )?(?:so )?(?:that )?you know (?:for|in|from|next|later)[^:,]{0,30}|(?:let it be|be it|please be) (?:noted|known|advised)|you (?:should|can|may) (?:also )?(?:know|remember|note)|i (?:want|need) you to know`,
    raw`(?:one|two|some|a few|another) (?:more )?things? (?:to|you should|you need to|worth|for you to) (?:keep|remember\w*|know|note|noting|memori[sz]e)[^:,]{0,40}|(?:something|things) (?:to|you should|you need to|for you to|worth) (?:keep|remember\w*|know|note)[^:,]{0,40}`,
    raw`(?:so )?(?:pra|para) (?:voce )?(?:saber|lembrar)[^:,]{0,30}|(?:para|pra) (?:o futuro|a proxima|as proximas(?: vezes)?)|(?:a )?nota (?:mental|para|pra)[^:,]{0,20}`,
    raw`(?:uma )?coisa (?:pra|para) (?:guardar|lembrar)[^:,]{0,30}|fica (?:a dica|o aviso|anotado|registrado)|fica sabendo`,
  )}${join}`,
);
/** Any short announcement that speaks of keeping, with a colon: "one rule for you:", "para as próximas sessões:". */
const announcement = anyOf(
  raw`^(?!note\b)[^:]{0,70}\b(?:remember\w*|memor(?:y|ies|i[sz]e)|your notes?|future|(?:next|all|later|every|coming) sessions?|next times?|from now on|from today on|once and for all|for good|what you know|know about me)\b[^:]{0,50}:\s+(?=\S)`,
  raw`^(?:let me give you |here(?:'s| is) |i have |there(?:'s| is) |you need |this is )?(?:an? |one |another |my |our |the )?(?:new |more |simple |general |hard |firm |important )*(?:rule|convention|policy|guideline|principle)s?\b[^:]{0,40}:\s+(?=\S)`,
  raw`^[^:]{0,70}\b(?:lembr\w+|memoria|(?:todas as |as )?proximas? (?:vez(?:es)?|sessoes|sessao)|(?:o |pro )?futuro|de uma vez por todas|sobre mim)\b[^:]{0,50}:\s+(?=\S)`,
);
const building =
  /^(?:implement|write|create|build|fix|change|rename|show|print|display|render|the|it|when|if|why|how|what)\b/;

const asking = raw`(?:please |pls |and |so |just |do |then |kindly |can you |could you |(?:i )?(?:need|want) you to |por favor,? |e |entao |favor )*`;
const trailing = new RegExp(
  raw`(?:[,;.:(-]|\band\b|\bso\b|\be\b|\bthen\b|^)\s*${asking}${either(
    raw`(?:remember|memori[sz]e|record|note|save|store) (?:it|this|that|these|this one|that one|all this|all of this)|(?:note|write|jot) (?:it|this|that) down|(?:keep|bear) (?:it|this|that) in mind`,
    raw`(?:put|add|save|store|commit|write) (?:it|this|that|these) (?:to|in|into) (?:your |the )?(?:memory|notes)|(?:don't|do not|dont) forget(?: (?:it|this|that))?|remember please|please (?:remember|note|memori[sz]e)`,
    raw`(?:guard|anot|grav|registr|memoriz|lembr|salv)[ae] (?:isso|isto|disso|essa|ai|essa informacao)|nao (?:se )?esquec[ae](?: (?:isso|disso))?|(?:coloc|guard|salv|grav|bot)[ae]\w* (?:isso )?na memoria|tenha isso em mente|tem isso em mente`,
  )}(?: down| in mind| noted| to (?:your )?memory| in (?:your )?memory)?(?:,? (?:please|ok|okay|well|forever|too|por favor|ta|hein|bem))*(?: (?:for|when|before|whenever|next|in|from|the next|as|pra|para|quando|antes|nas?|da)\b[^:]{1,90})?\)?[\s.!]*$`,
);
const pointingBack = new RegExp(
  raw`^${asking}(?:remember|note|memori[sz]e|lembr[ea]|guard[ae]|anot[ae]) (?:(?:it|isso|disso)\b|(?:this|that)(?= (?:so|because|since|in case|this time|always|from now|in (?:all|every|each|future|the)|for|every)\b|$))[^:,]{0,80}$`,
);

/** A sentence that only says that what went before is a lasting rule. */
const standsFor = new RegExp(
  raw`^${either(
    raw`(?:this|that)(?: is|'s) (?:how|the way) (?:i|we) (?:want|like|need|do|prefer)\b.*|always|ever|never again|no exceptions?|without exception|policy|every (?:single )?time|sempre|sem excecao`,
    raw`(?:that's|this is|it's|thats|i mean (?:that|this|it) as) (?:an? |our |the |my )*(?:general|standing|hard|firm|house|permanent|team|global|strict|golden|lasting)? ?(?:rule|thing|policy|convention|standard|preference|principle|house rule|style guide)s?\b(?!.*\bthat\b).*`,
    raw`(?:(?:that|this|the same|it) )?(?:goes|applies|holds|counts|is meant) (?:for|to) (?:every|all|any|each|the whole|future)\b.*|(?:that's )?(?:for )?all future (?:sessions|tasks|prs|changes)`,
    raw`i mean (?:that|this|it)(?: in general| generally| always| for good| for every \w+)|i (?:shouldn't|don't want to|won't|really don't want to|should not) (?:have to )?(?:say|repeat|tell|ask|explain|discuss).{0,60}`,
    raw`(?:isso )?vale (?:pra|para) (?:sempre|tudo|todos?|todas?).*|regra (?:geral|da casa|fixa|nossa|do time)|(?:isso )?(?:E|e) (?:uma )?(?:regra|padrao|politica)\b.*|nao quero (?:ter que )?repetir.*|toda vez (?:eu tenho|tenho|o \w+ (?:reclama|quebra|falha))\b.*`,
  )}[\s.!]*$`,
);
/** Announces rules or facts in the sentences that follow. */
const announces =
  /\b(?:two|three|four|five|some|a few|these|the following|a couple of|couple of|more|few|duas|tres|quatro|algumas|umas|essas|estas|as seguintes|minhas|nossas)(?: \w+)? (?:rules|conventions|preferences|guidelines|facts|things (?:to|you should|worth) (?:remember|know|keep|note)|regras|convencoes|preferencias|coisas (?:pra|para) (?:lembrar|guardar|saber))\b/;

const sessionTalk =
  /\b(?:left off|where we (?:were|are|stopped)|step \d|earlier|a minute ago|last time i asked|you (?:just )?(?:said|created|wrote|made|did|told|mentioned|added|showed)|we (?:said|talked|discussed|did|were|just)|what (?:i|we) (?:said|did)|there (?:may|might|could) be)\b/;
const generalizing =
  /\b(?:always|never|every|each|whenever|any ?time|from now on|in (?:the )?future|going forward|all|before (?:you )?(?:commit|push|merge|open)\w*|when(?:ever)? you (?!are|have|finish)|sempre|nunca|toda vez|todas? as?|cada|daqui pra frente|quando)\b/;
const politeQuestion = /^(?:can|could|would|will|pode|da pra)\b/;

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

const firstPersons = /^(?:\w+ ){0,3}(?!vamos\b|\w*(?:ulti|proxi|mini|maxi|anoni)mos\b)\w*(?:[aei]mos|somos)\b/;

/** A finite verb, or at least a word behind the subject that may be one: "customers hate pop-ups". */
const isClause = (kept: string): boolean =>
  finite.test(kept) || firstPersons.test(kept) || (kept.split(' ').length >= 3 && hasOrder(kept.replace(/^\S+ /, '')));

const nothing: Remembering = { kind: 'nothing' };

/** Reads a request to remember in one folded sentence; undefined when there is none. */
export function readRemembering(folded: string, isQuestion: boolean): Remembering | undefined {
  const skip = fillers.exec(folded)?.[0].length ?? 0;
  const body = folded.slice(skip);
  const content = (from: number, to = folded.length, more = {}): Remembering => ({
    kind: 'content',
    from: skip + from,
    to,
    ...more,
  });
  if (body.length < 120 && standsFor.test(body)) return { kind: 'before' };
  if (isQuestion && !politeQuestion.test(body)) return undefined;

  const task = chore.exec(body);
  if (task !== null) return generalizing.test(body) && !momentary.test(body) ? content(task[0].length) : nothing;

  const behind = trailing.exec(body);
  if (behind !== null) {
    const before = body.slice(0, behind.index);
    if (!/\S\s+\S+\s+\S/.test(before.trim())) return { kind: 'before' };
    return content(heading.exec(before)?.[0].length ?? 0, skip + behind.index, { isBehind: true });
  }
  if (pointingBack.test(body)) return { kind: 'before' };

  const named = heading.exec(body) ?? (building.test(body) ? null : announcement.exec(body));
  const head = named ?? leading.exec(body);
  if (head !== null) {
    const kept = body.slice(head[0].length);
    if (/[:;]\s*$/.test(kept) || kept.trim().length < 3) return { kind: 'after' };
    if (sessionTalk.test(kept) || (/^(?:to|de) /.test(kept) && !generalizing.test(kept))) return nothing;
    const isPlain = named !== null || /:\s*$/.test(head[0]) || isClause(kept) || /^no\b|\b\d/.test(kept);
    return isPlain
      ? content(head[0].length, undefined, {
          pointsBack: /\b(?:this|that|it|please|isso|disso|essa),\s*$/.test(head[0]),
        })
      : nothing;
  }
  if (announces.test(body)) return { kind: 'after' };
  if (alone.test(body)) return /:\s*$|\?/.test(body) || isQuestion ? { kind: 'after' } : { kind: 'before' };

  const direct = bare.exec(body);
  if (direct === null) {
    const within = inside.exec(body);
    return within !== null && !isQuestion && finite.test(body.slice(within.index + within[0].length))
      ? content(0)
      : undefined;
  }
  const kept = body.slice(direct[0].length);
  if (isQuestion || sessionTalk.test(kept) || !finite.test(kept)) return nothing;
  const condition = /^(?:when|whenever|if|quando|se)\b[^:,]{1,60}[:,]\s*/.exec(kept)?.[0].length ?? 0;
  return content(direct[0].length + condition);
}
