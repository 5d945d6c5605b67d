// Text as terms that can be compared: stems without stop words, numbers with their unit, negations tied to what they
// deny. English and Portuguese share one way of stemming, so that no text must be told apart by language first; scripts
// without spaces become pairs of characters. Nothing is understood: a synonym is another term.

import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';

export interface Sentence {
  /** In order. `¬` before a term that is denied, `#` before a number, `!` before a word that turns a sentence around. */
  readonly terms: readonly string[];
  /** Terms that were written as a name: with a capital inside a sentence, or as an identifier. */
  readonly names: ReadonlySet<string>;
  /** Terms behind *of* or *for*: what stands before such a word may as well stand after it. */
  readonly linked: ReadonlySet<string>;
  /** Order matters for what it says: it holds a word such as *before* or *than*. */
  readonly isDirected: boolean;
  /** Terms behind *a* or *an*: one of them, if another text counts them. */
  readonly singles: ReadonlySet<string>;
  /** It speaks of something that an earlier sentence named. */
  readonly hasPronoun: boolean;
}

const words = (text: string): Set<string> => new Set(text.split(/\s+/));

const stopWords = words(`
  a about above actually again all also always am an and any anyone anything are as at b be because been being both but by
  can could did do does doing done down each either else etc ever every everyone everything for from further get gets
  getting go goes going gone got had has have having he her here hers him his how however i if in into is it its itself
  just kind let lets like made make makes making many may maybe me might mine more most much must my need needs of often
  on once one ones only or other others otherwise ought our ours out own per please quite rather really s same see shall
  she should since so some soon still such t than that the their theirs them then there therefore these they thing things
  this those though through thus to together too toward towards under until up upon us use used uses using usually very
  via want wants was way we were what when whenever where whether which while who whole whom whose why will with within
  would yes yet you your yours
  à ainda algo algum alguma alguns algumas ao aos aquela aquele aquilo as assim até com como cada da das de dela dele deles
  depende desde dessa desse desta deste disso disto do dos e é ela elas ele eles em entre era eram essa essas esse esses
  esta está estamos estão estar estas este estes eu favor foi foram há isso isto já lá lhe lo mais mas me mesma mesmo meu
  meus minha minhas muito na nas no nos nós nossa nosso nossas nossos numa num o onde os ou para pela pelas pelo pelos por
  porque pois pra pro qual quando que quem se seja sejam sempre ser será serão seu seus só sobre sua suas também te tem têm
  ter toda todas todo todos tudo tu tua um uma umas uns usa usada usado usam usamos usar use usem utilizar utilize vai vão você vocês vez
  deve devem deveria deveriam devemos fica ficam pode podem podemos precisa precisam precisamos
`);
// Words of the list above that mean something when they stand alone against another one.
for (const word of [
  'above',
  'down',
  'from',
  'into',
  'only',
  'out',
  'than',
  'under',
  'until',
  'up',
  'within',
  'até',
  'só',
])
  stopWords.delete(word);

const negations = words(`
  not no never without nor neither none nothing nobody nowhere cannot avoid avoids avoiding
  não nunca jamais sem nem nenhum nenhuma nada ninguém evite evitar evitem
`);
const reversals = words(`
  off forbid forbidden forbids ban banned prohibited disallow disallowed disable disabled disables deny denied deprecated
  obsolete except unless exclude excluded
  proibido proibida proibidos proibidas desligado desligada desativado desativada obsoleto obsoleta exceto salvo
`);
const directions = words(`before after than over instead from into until above under antes depois até`);
const links = words(`of for de do da dos das`);
const articles = words(`a an um uma`);
const pronouns = words(`one ones it they them this these those he she ele eles ela elas isso isto`);

const numberWords = pairs(`
  two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 fifteen 15 twenty 20 thirty 30
  forty 40 fifty 50 sixty 60 ninety 90 hundred 100 thousand 1000 twice 2 dois 2 duas 2 três 3 quatro 4 cinco 5 sete 7
  oito 8 nove 9 dez 10 doze 12 quinze 15 vinte 20 trinta 30 quarenta 40 cinquenta 50 cem 100 mil 1000
`);
const units = pairs(`
  ms millisecond msec millisecond s second sec second secs second min minute mins minute m minute h hour hr hour hrs hour
  d day k thousand kb kilobyte mb megabyte gb gigabyte tb terabyte x times
`);

function pairs(list: string): ReadonlyMap<string, string> {
  const all = [...list.trim().split(/\s+/)];
  return new Map(all.flatMap((word, at) => (at % 2 === 0 ? [[word, all[at + 1] ?? '']] : [])) as [string, string][]);
}

const spacelessScripts = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}ー';
const tokenOf = (runs: string, letter: string): RegExp =>
  new RegExp(
    [
      'https?:\\/\\/[^\\s)>\\]]+',
      runs,
      '\\d+(?:[.,:]\\d+)*%?',
      `[#@$]?(?:${letter})+(?:[._/@:'’+-]+(?:${letter})+)*(?:\\+\\+|#)?`,
    ]
      .filter((part) => part !== '')
      .join('|'),
    'gu',
  );
/** Made when it is needed: it takes a while, and most texts are western. */
let anyToken: RegExp | undefined;
const tokenOfAny = (): RegExp => {
  anyToken ??= tokenOf(`[${spacelessScripts}]+`, `(?![${spacelessScripts}])[\\p{L}\\p{N}\\p{M}_]`);
  return anyToken;
};
const spaceless = new RegExp(`^[${spacelessScripts}]+$`, 'u');
/** Signs of a denial in scripts that are not split into words. */
const spacelessDenial = /[不没沒勿禁莫无無非未]|ない|ません|ぬ|않|금지|못|없|마라|마세요|ไม่|ห้าม/;

/** Stems that tell what a text is about, each with the word it came from; stop words left out, one entry a stem. */
export function stemsOf(text: string): ReadonlyMap<string, string> {
  const stems = new Map<string, string>();
  for (const [match] of plain(text).matchAll(tokenOfAny())) {
    for (const part of spaceless.test(match) ? pairsOf(match) : [match, ...match.split(/[^\p{L}\p{N}\p{M}]+/u)]) {
      const word = lowered(part);
      const stem = spaceless.test(part) ? part : stemOf(word);
      if (stem !== '' && !stopWords.has(word) && !negations.has(word) && !stems.has(stem)) stems.set(stem, part);
    }
  }
  return stems;
}

export interface SearchTerm {
  readonly term: string;
  /** As it was written. */
  readonly word: string;
}

interface Forms {
  readonly token: () => RegExp;
  readonly between: RegExp;
  readonly humps: RegExp;
  readonly hump: RegExp;
}

const forms: Forms = {
  token: tokenOfAny,
  between: /[^\p{L}\p{N}\p{M}]+/u,
  humps: /^\p{Ll}+(?:\p{Lu}[\p{Ll}\p{N}]{2,})+$|^(?:\p{Lu}[\p{Ll}\p{N}]{2,}){3,}$/u,
  hump: /\p{Lu}?[\p{Ll}\p{N}]+/gu,
};
/**
 * The same for a text in which all letters are those of western Europe, as most are: made in a tenth of the time, and quicker.
 * Other numbers and letters of that range are gone after normalisation.
 */
const western = { lower: 'a-zß-öø-ÿ', upper: 'A-ZÀ-ÖØ-Þ' };
const westernToken = tokenOf('', `[${western.lower}${western.upper}0-9_]`);
const westernForms: Forms = {
  token: () => westernToken,
  between: new RegExp(`[^${western.lower}${western.upper}0-9]+`),
  humps: new RegExp(
    `^[${western.lower}]+(?:[${western.upper}][${western.lower}0-9]{2,})+$|^(?:[${western.upper}][${western.lower}0-9]{2,}){3,}$`,
  ),
  hump: new RegExp(`[${western.upper}]?[${western.lower}0-9]+`, 'g'),
};
/** Punctuation of any language included. */
const westernText = /^[\0-\xff\u2010-\u203a]*$/;

const denyingAuxiliary = /n['’]t$/i;
const shortEnding = /['’](?:s|re|ve|ll|d|m)$/i;

/**
 * Every term that a search may find a text by, in order and as often as it occurs: stems without stop words, the parts of
 * identifiers and of camelCase beside the whole, pairs of characters in scripts without spaces.
 */
export function searchTermsOf(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const add = (word: string) => {
    const low = lowered(word);
    if (low === '' || stopWords.has(low) || negations.has(low)) return;
    const term = cachedStem(low);
    if (term !== '') terms.push({ term, word });
  };
  const whole = plain(text);
  const isWestern = westernText.test(whole);
  const { token, between, humps, hump } = isWestern ? westernForms : forms;
  for (const [match] of whole.matchAll(token())) {
    if (!isWestern && spaceless.test(match)) {
      for (const pair of pairsOf(match)) terms.push({ term: pair, word: pair });
    } else if (/^[\d.,:%]+$/.test(match)) {
      add(match);
    } else if (!denyingAuxiliary.test(match)) {
      for (const part of match.replace(shortEnding, '').split(between)) {
        add(part);
        if (humps.test(part)) for (const piece of part.match(hump) ?? []) add(piece);
      }
    }
  }
  return terms;
}

const mostStems = 20_000;
const stemCache = new Map<string, string>();

/** Texts share most of their words, and two stemmers cost more than a look at a map. */
function cachedStem(word: string): string {
  let stem = stemCache.get(word);
  if (stem === undefined) {
    if (stemCache.size >= mostStems) stemCache.clear();
    stem = stemOf(word);
    stemCache.set(word, stem);
  }
  return stem;
}

/** Sentences and list items, marks of Markdown taken off. A sentence without a term is left out. */
export function sentencesOf(text: string): Sentence[] {
  return plain(text)
    .split(/\n+|(?<=[.!?…])\s+|(?<=[。！？])|;\s+/u)
    .map(parseSentence)
    .filter((sentence) => sentence.terms.length > 0);
}

/** The words of a Markdown text: code and link marks go, their content stays. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^\s*(?:[-*+>]|\d+[.)]|#{1,6})[ \t]+/gm, '')
    .replace(/^\s*\*\*[^*\n]{1,40}:?\*\*:?/gm, '')
    .replace(/\[([^\]\n]*)\]\(([^)\n]*)\)/g, '$1 $2')
    .replace(/[*`]+|<!--.*?-->/g, ' ');
}

const lowered = (word: string): string => word.toLowerCase().replace(/^['’]+|['’]+$/g, '');

function parseSentence(text: string): Sentence {
  const terms: string[] = [];
  const names = new Set<string>();
  const linked = new Set<string>();
  const singles = new Set<string>();
  let denied = false;
  let isDirected = false;
  let hasPronoun = false;
  let afterNumber = false;
  let afterLink = false;
  let afterArticle = false;
  const raw = [...text.matchAll(tokenOfAny())].map(([match]) => match);
  const isPortuguese = looksPortuguese(raw);
  const add = (term: string, isName: boolean) => {
    const full = denied ? `¬${term}` : term;
    terms.push(full);
    if (isName) names.add(full);
    if (afterLink) linked.add(full);
    if (afterArticle) singles.add(full);
    denied = false;
    afterLink = false;
    afterArticle = false;
  };
  for (const [at, match] of raw.entries()) {
    if (spaceless.test(match)) {
      const denial = spacelessDenial.test(match);
      for (const pair of pairsOf(match)) add(pair, false);
      if (denial) terms.push('!denial');
      continue;
    }
    const number = /^(\d+(?:[.,:]\d+)*)(%|[a-z]{1,2})?$/i.exec(match);
    const unit = number?.[2] === '%' ? 'percent' : units.get((number?.[2] ?? '').toLowerCase());
    if (number?.[1] && (number[2] === undefined || unit !== undefined)) {
      add(`#${/^\d{1,3}(?:,\d{3})+$/.test(number[1]) ? number[1].replaceAll(',', '') : number[1]}`, false);
      if (unit) add(stemOf(unit), false);
      afterNumber = unit === undefined;
      continue;
    }
    const isIdentifier = /[._/@:#$\d]/.test(match);
    const isCapital = /^\p{Lu}/u.test(match) && (at > 0 || /^\p{Lu}/u.test(raw[1] ?? ''));
    const parts = isIdentifier ? [match] : match.split(/['’-]/);
    if (/n['’]t$/i.test(match)) {
      denied = true;
      parts.splice(0, parts.length, match.replace(/n['’]t$/i, ''));
    }
    for (const part of parts) {
      const word = lowered(part);
      if (word === '') continue;
      if (isLabel(part, raw, at, text)) {
        add(word, true);
        continue;
      }
      if (directions.has(word) && !(word === 'than' && raw[at - 1]?.toLowerCase() === 'rather')) isDirected = true;
      if (pronouns.has(word)) hasPronoun = true;
      if (links.has(word)) afterLink = true;
      if (articles.has(word)) afterArticle = true;
      const unitName = afterNumber ? units.get(word) : undefined;
      afterNumber = false;
      const count = numberWords.get(word);
      if (unitName) add(stemOf(unitName), false);
      else if (count) {
        add(`#${count}`, false);
        afterNumber = true;
      } else if (word === 'one' && isCounted(raw, at)) add('#1', false);
      else if (isDenial(word, raw, at, isPortuguese)) denied = true;
      else if (word === 'than' && raw[at - 1]?.toLowerCase() === 'rather') continue;
      else if (reversals.has(word)) terms.push(`!${stemOf(word)}`);
      else if (!stopWords.has(word) || (isCapital && word === 'os' && part === 'OS')) {
        const stem = isIdentifier ? word : stemOf(word);
        if (stem !== '') add(stem, isIdentifier || isCapital);
      }
    }
  }
  // A denial with nothing behind it denies what stands before.
  if (denied) terms.push('!denial');
  return { terms, names, linked, isDirected, singles, hasPronoun };
}

/** A letter that tells one thing from another: “Plan A”. Not the first word of what follows a colon, nor one among shouted ones. */
function isLabel(part: string, raw: readonly string[], at: number, text: string): boolean {
  if (at === 0 || !/^[A-HJ-Z]$/.test(part)) return false;
  const isShouted = (word = '') => word.length > 1 && word === word.toUpperCase() && /\p{L}/u.test(word);
  if (isShouted(raw[at - 1]) && isShouted(raw[at + 1])) return false;
  return new RegExp(`[\\p{L}\\p{N}] ${part}(?![\\p{L}\\p{N}])`, 'u').test(text);
}

/** *One* is a number before a noun, a pronoun at the end and after *the*, *each*, *another*. */
function isCounted(raw: readonly string[], at: number): boolean {
  const before = raw[at - 1]?.toLowerCase() ?? '';
  return at < raw.length - 1 && !/^(?:the|this|that|which|each|every|another|other|no|any|some|new|old)$/.test(before);
}

function isDenial(word: string, raw: readonly string[], at: number, isPortuguese: boolean): boolean {
  const next = raw[at + 1]?.toLowerCase();
  if (word === 'no') return !isPortuguese;
  if (word === 'not' || word === 'não') return next !== 'only' && next !== 'só';
  if (word === 'instead') return next === 'of';
  if (word === 'rather') return next === 'than';
  if (word === 'vez' || word === 'invés') return next === 'de';
  return negations.has(word);
}

const portugueseSigns = words('o os um uma de da do das dos que é em na não para com por se ao às e seu sua são está');
const englishSigns = words('the of and to is are for with it that this be by an or as at from we i you not');

function looksPortuguese(raw: readonly string[]): boolean {
  let balance = 0;
  for (const match of raw) {
    const word = match.toLowerCase();
    if (portugueseSigns.has(word)) balance += 1;
    if (englishSigns.has(word)) balance -= 1;
  }
  return balance > 0;
}

/**
 * One stem for the forms of a word, whichever of the two languages it is from: both stemmers run, one after the other,
 * as what counts is only that two forms meet. Accents go last: the Portuguese stemmer needs them.
 */
function stemOf(word: string): string {
  if (word.length < 4) return folded(word);
  const singular = word.replace(/ões$/, 'ão').replace(/agens$/, 'agem');
  return folded(stemPortuguese(stemEnglish(singular).replace(/i$/, 'y')));
}

const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}+/gu, '');

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
