// Reads the ways people ask to drop what was remembered: "forget what I told you about …", "delete the note that says …",
// "esquece aquela regra de …". Gives the words that name the thing, for the search of the memory that is meant.
// Refuses "never mind", "forget it" and the deletion of files, tables and tests.

import { anyOf, either, raw } from './clause';
import { momentary } from './cues';

const thing = either(
  raw`memor(?:y|ies)|notes?|rules?|facts?|entr(?:y|ies)|preferences?|conventions?|instructions?|things?|bit|part`,
  raw`memorias?|regras?|notas?|anotac(?:ao|oes)|lembrancas?|informac(?:ao|oes)|preferencias?|historia|lance|negocio|coisa`,
);
const drop = either(
  raw`forget|disregard|unlearn|erase|discard|scratch|(?:don't|do not|stop|no longer|never) remember(?:ing)?|drop|delete|remove|ignore|clear|wipe|get rid of|throw (?:away|out)`,
  raw`esquec[ae]r?|desconsider[ae]r?|(?:nao (?:precisa )?(?:mais )?|para de )lembr\w+(?: mais)?(?: de| da| do)?|apag(?:a|ue|ar)|remov[ae]r?|descart[ae]r?|delet[ae]r?|ignor[ae]r?|tir[ae]r?|exclu[ai]r?`,
);
const told = either(
  raw`(?:i|we)(?:'ve)? (?:\w+ )?(?:told|said|taught|wrote|mentioned|asked|explained|agreed|decided|discussed)(?: you)?`,
  raw`(?:eu |a gente |nos )?(?:te )?(?:falei|disse|contei|pedi|expliquei|combinamos|decidimos|falamos|combinou)`,
);
const when = raw`(?: (?:earlier|before|yesterday|last \w+|antes|ontem|la atras))?`;
const known = raw`(?:you|voce) (?:\w+ )?(?:remember(?:ed)?|saved?|know|knew|noted|stored?|have|learned|sabe|guardou|salvou|lembra|anotou)(?: in memory| na memoria)?`;
const link = raw`(?: (?:that |you have |you saved |that you have |que (?:voce )?(?:tem|guardou|salvou) )?(?:about|on|that says?|that i|saying|regarding|of|where|with|for|which says|sobre|que diz(?:ia)?|de que|d[eoa]|que))`;
const stale = either(
  raw`outdated|obsolete|wrong|stale|no longer|old|over|gone|cancell?ed|not (?:true|valid|right|correct)|isn't (?:true|valid|right)`,
  raw`nao vale mais|nao E mais|desatualizad\w*|cancelad\w*|errad\w*`,
);
const pointer =
  'the|that|this|my|your|any|all|those|these|our|a|as|o|os|aquela|aquele|essa|esse|esta|este|minha|tua|sua';

/** Certain wherever they stand; the match ends where the name of the thing starts. */
const plain: readonly RegExp[] = [
  anyOf(
    raw`\b${drop} (?:about )?(?:what(?:ever)?|everything|anything|all|tudo)?(?: that| of what)?(?: ?(?:o )?que)? ?${told}${when}(?: (?:about|on|regarding|that|to|sobre|d[eoa]|que))? (?=\S)`,
  ),
  anyOf(raw`\b${drop} (?:what|everything|anything|o que|tudo (?:o )?que) ${known} (?:about|on|of|sobre|d[eoa]) (?=\S)`),
  anyOf(
    raw`\b${drop} (?:it |this |isso )?(?:from|in|out of|da|na) (?:your |the |sua )?mem\w+:? (?:that |the fact that |que |o fato de que )?(?=\S+ \S)`,
  ),
  anyOf(
    raw`^(?:what|everything|o que|tudo (?:o )?que) (?:${known}|${told})${when} (?:about|on|sobre|d[eoa]) (?=.{2,90}\b${stale}\b)`,
  ),
  anyOf(
    raw`^(?:that|the|your|our|this|my|a|o|essa|aquela|esse) (?:\w+ ){0,2}?${thing}(?: (?:that )?${told})?${link} (?=.{2,90}\b(?:${stale}|(?:drop|delete|forget|remove) (?:it|that)|apaga|esquece)\b)`,
  ),
  anyOf(
    raw`^(?:the |our |my |a |o |nossa |nosso )?(?=.{2,60}\b(?:rule|convention|policy|regra|convencao)\b.{0,20}\b(?:no longer applies|is gone|doesn't apply|is not valid|nao vale mais)\b.{0,12}\b(?:forget|drop|delete|remove|esquece|apaga))`,
  ),
  anyOf(
    raw`^you (?:still )?(?:think|believe|assume|remember|say)(?: that)? (?=.{2,90}[,;.] ?(?:please )?(?:forget|drop|delete|remove) (?:it|that))`,
  ),
  anyOf(raw`\b(?:don't|do not|nao) (?:remember|lembr[ea]) (?=.{2,60}\b(?:any ?more|any longer|mais)\b)`),
];
/** "Delete the note about …": a note may also lie in a file. */
const keptThing = anyOf(raw`\b${drop} (?:${pointer})(?: \w+){0,2}? ${thing}${link} (?=\S)`);
const inFile =
  /\b(?:readme|changelog|file|docs?|comment|code|table|column|branch|database|db|cache|test|line|function|lint|linter|leak|arquivo|tabela|banco|codigo|linha)\b/;
/** Wherever these stand, the rule or the entry lies in a configuration. */
const inConfig = /\b(?:readme|changelog|config\w*|nginx|eslint\w*|json|yaml|firewall|linter|cron\w*|dns)\b/;
/** "You can forget X": not for now, but for good. */
const forGood: readonly RegExp[] = [
  /\b(?:forget|esquec[ae]) (?:that|que) (?=\S+ \S)/,
  /^(?:(?:please|you|can|could|may|go ahead and|voce|pode|ja|por favor|favor|just) )*(?:you can|you may|pode|podes|voce pode) (?:now |just |safely |ja )?(?:forget|esquecer)(?: about| d[oae])? (?!(?:it|that|this|about it|isso|disso|all of that)\b)(?=\S)/,
];
/** "Forget about X": only beside a word that X is over or that a memory is meant. */
const aboutIt =
  /^(?:(?:please|so|just|you can|pode|por favor) )*(?:forget(?: about)?|esquec[ae]r?(?: d[oae])?) (?=(?:the|our|my|all|o|a|os|as|aquel[ae]|ess[ae]) )/;
const overNow =
  /^(?:no longer (?:valid|true)|outdated|obsolete|not true any ?more|cancelled|nao vale mais)\s*[:,]\s*(?=\S)/;
const isMemory = /\bmemor(?:y|ies|ia)\b/;
const isOver = anyOf(
  raw`\b(?:it|that|they|he|she|ele|ela|isso)?(?:'s| is| was| has been| have been| are|,| foi| esta| ja)? ${stale}\b`,
);

const stop = anyOf(
  raw`[,;:]\s|\.\s|\s-\s|[.!?]+$`,
  raw`\s+(?:from (?:your )?memory|from now on|any ?more|any longer|no longer applies|da memoria|mais$)`,
  raw`\s+(?:is|are|E|esta) (?:\w+ )?(?:not (?:true|valid)|outdated|obsolete|wrong|gone|stale|desatualizad\w+)`,
);

function spanFrom(from: number, folded: string): { readonly from: number; readonly to: number } | undefined {
  const to = from + (stop.exec(folded.slice(from))?.index ?? folded.length - from);
  return to - from < 2 ? undefined : { from, to };
}

/**
 * The span of one folded sentence that says what to forget; undefined when nothing is to be forgotten.
 * `next` is the sentence after it: "delete it from your memory" tells what "forget about" meant.
 */
export function readForgetting(folded: string, next = ''): { readonly from: number; readonly to: number } | undefined {
  if (/\b(?:don't|do not|never|dont|nao|nunca)(?: (?:ever|se))? (?:forget|esquec)/.test(folded)) return undefined;
  const starts = (pattern: RegExp): number | undefined => {
    const match = pattern.exec(folded);
    return match === null ? undefined : match.index + match[0].length;
  };
  for (const pattern of plain) {
    const from = starts(pattern);
    if (from !== undefined) return spanFrom(from, folded);
  }
  const named = starts(keptThing);
  if (named !== undefined && (isMemory.test(folded) || !(inConfig.test(folded) || inFile.test(folded.slice(0, named)))))
    return spanFrom(named, folded);
  if (momentary.test(folded)) return undefined;
  for (const pattern of forGood) {
    const from = starts(pattern);
    if (from !== undefined) return spanFrom(from, folded);
  }
  const over = starts(overNow);
  if (over !== undefined && isMemory.test(folded + next)) return spanFrom(over, folded);
  const about = starts(aboutIt);
  return about !== undefined && (isMemory.test(folded) || isMemory.test(next) || isOver.test(folded.slice(about)))
    ? spanFrom(about, folded)
    : undefined;
}
