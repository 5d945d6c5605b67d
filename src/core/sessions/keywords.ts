// The words of a fact that a search should find it by: names, identifiers, what is rare in speech. What is said of anything
// ("real", "prefer", "listens") is taken only where too little else is there: a keyword weighs as much as a name, so an
// everyday one would bring the memory back at every turn. Every keyword stands in the fact; the same fact gives the same.

import { fold } from './signals/text';

const fewest = 3;
const most = 8;

const common = new Set(
  `a about after again all also always am an and any are as ask at be because been before being but by can cannot could did do does doing don done dont each
  either else ever every everything for from get gets go goes going good got had has have he her here him his how however i if in instead into is isn it its
  just keep let like make makes many me more most much must my need needs never new next no nobody none nor not nothing now of off on once one only or other
  otherwise our ours out over own per please put rather really right same say says see she should since so some something stay still such take than that the
  their them then there these they thing things this those though through to too under until up upon us use used user users uses using very want wants was way we well
  were what when whenever where whether which while who whom whose why will with within without would yes yet you your yours
  agora aí ainda antes ao aos aqui as assim até cada com como da das de dela dele deles depois do dos e ela elas ele eles em entre era essa essas esse esses esta está
  estão estas este estes eu faça fazer foi for gente há isso isto já lá lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nossas
  nosso nossos nunca o onde os ou para pela pelas pelo pelos pode por porque pra pro quando que quem são se sem sempre ser seu seus só sua suas também tão te tem ter
  teve toda todas todo todos tu tua tudo um uma umas uns usa usar use vai você vocês vão pessoa é`
    .split(/\s+/)
    .map(fold),
);

/** Said of anything. Folded stems' beginnings would catch names, so whole words only. */
const everyday = new Set(
  `able accept add added allow allowed already answer anything apply ask asked avoid bad based begin best better big both break bring build call called case
  change changed changes check close code come comes common contain contains correct create created current currently day days decide decided default different
  done easy end enough exist expect fact fail fails fast file files find first fix fixed follow follows full generate generated give given great happen happens
  hard help helps hold important inside kind know known large last later left less like line list listen listens live lives long longer look looks lot low main
  means mention move name named new next nice note number old open order part people place point possible prefer preferred prefers problem project provide
  question quick quite read ready real reason remember remove replace replaced require required result review run running runs save send sent set settle short
  show simple single small someone sort start started stop store stored switch task tell test thing think time times together too try turn two type update
  updated version wait week weeks whole word work working works write written wrong year years three four five day today tomorrow yesterday
  aceita agora ajuda algo alguem alterar antes aqui arquivo arquivos assim atual baixo bem boa bom cada caso chama chamado codigo coisa coisas colocar comeca
  comecar com criar curta curto dar deixar depois deve devem dia dias diz dois erro escrever escreve essa esta evitar exemplo existe facil falar fazer feita
  feito fica ficam ficar final forma gera gerado gosta gosto grande hoje inicio isso jeito junto lado lembrar lento linha lista longo lugar maior manter melhor
  menor mesma mostrar mudar nada nesse nessa neste nesta nome nova novo numero ontem outra outro parte passar pessoas pode ponto precisa preferem prefere prefiro
  primeira primeiro principal problema projeto qualquer quer rapido rodar roda rodam sabe segundo seguir serve simples sozinho tarefa tem tempo tipo tirar trabalho
  trocar ultimo usam vem ver vez vezes vir`
    .split(/\s+/)
    .map(fold),
);

const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Three to eight lower-case words without accents, fewer only when the fact has fewer; the telling ones first. */
export function keywordsOf(fact: string): readonly string[] {
  const scores = new Map<string, number>();
  const plain = new Map<string, number>();
  const words = fact
    .replace(/https?:\/\/(?:www\.)?([^\s/"']+)\S*/g, ' $1 ')
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_./#+-]*[\p{L}\p{N}\p{M}+#]|[\p{L}\p{N}]/gu);
  let place = 0;
  for (const [run] of words) {
    for (const word of spaceless.test(run) ? segmented(run) : [run]) {
      // Folding keeps a lone é apart, as a capital.
      const key = fold(word.toLowerCase()).toLowerCase();
      place += 1;
      if (common.has(key) || key.length < 2 || /^\d{1,3}$/.test(key)) continue;
      // Names, identifiers and rarer long words tell more than everyday ones.
      const isName = /^\p{Lu}/u.test(word) && place > 1;
      const isMade = /[\d_./#+-]/.test(word) || /\p{Ll}\p{Lu}/u.test(word) || /^\p{Lu}{2,}/u.test(word);
      const weight = (isName ? 3 : 0) + (isMade ? 2 : 0) + Math.min(key.length, 10) / 5 - place / 200;
      const into = everyday.has(key) && !isName && !isMade ? plain : scores;
      into.set(key, Math.max(into.get(key) ?? 0, weight) + (into.has(key) ? 0.5 : 0));
    }
  }
  const telling = best(scores).slice(0, most);
  return [...telling, ...best(plain).slice(0, Math.max(0, fewest - telling.length))];
}

const best = (scores: ReadonlyMap<string, number>): string[] =>
  [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The words of a run without spaces, as the system's dictionary has them; single characters are mostly grammar. */
const segmented = (run: string): string[] =>
  [...segmenter.segment(run)]
    .filter(({ segment, isWordLike }) => isWordLike && [...segment].length > 1)
    .map(({ segment }) => segment);
