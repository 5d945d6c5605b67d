// What can be said of a sentence without deciding anything: its words in their order, its grammar, its neighbours, the rule
// that fits it. The learned judge weighs these marks and nothing else. Pure; a mark is a short text, the same for training
// and for use.

import {
  type Clause,
  codeSubject,
  hasOrder,
  isToBeChanged,
  markGround,
  narrative,
  opensWithOrder,
  trouble,
  wish,
} from './clause';
import { asks, fillers, momentary, reported, tentative } from './cues';
import { isAboutThePerson } from './people';
import { hasUrl, isWhereabouts } from './places';
import { typeOfFact } from './rules';
import type { Sentence } from './text';
import { orderWords, parties, partiesOfPt } from './words';

export interface Heard {
  readonly clause: Clause;
  readonly index: number;
  readonly sentences: readonly Sentence[];
  readonly previousAssistant: string;
  /** The rule that fits it, if any. */
  readonly rule: { readonly id: string; readonly explicit: boolean } | undefined;
}

const token = /[a-zA-Z_]+(?:'[a-z]+)?|\d+|[,;:()"/-]/g;
const lengths = [3, 5, 8, 13, 20, 30];
const stemLength = 5;

function tokensOf(body: string): readonly string[] {
  const marked = markGround(body)
    .replace(/\ue001+/g, ' Q ')
    .replace(/\ue004+/g, ' C ')
    .replace(/\ue003+/g, ' U ');
  return (marked.match(token) ?? []).map((word) => (/^\d/.test(word) ? (word.length === 4 ? 'YYYY' : '#') : word));
}

const withoutFiller = (folded: string) => folded.slice(fillers.exec(folded)?.[0].length ?? 0);

/** Marks of one sentence, each once. */
export function featuresOf(heard: Heard): ReadonlySet<string> {
  const { clause, index, sentences, rule } = heard;
  const { body } = clause;
  const marks = new Set<string>();
  const mark = (name: string, holds: boolean) => {
    if (holds) marks.add(name);
  };
  const [before, here, after] = [sentences[index - 1], sentences[index], sentences[index + 1]];

  mark(`rule ${rule?.id}`, rule !== undefined);
  mark('rule sure', rule?.explicit === true);
  mark('rule hint', rule?.explicit === false);
  mark(`fact ${typeOfFact(body, clause.raw)}`, true);
  mark('momentary', clause.isMomentary);
  mark('order', opensWithOrder(body));
  mark('has order', hasOrder(body));
  mark('narrative', narrative.test(body));
  mark('code', codeSubject.test(body));
  mark('trouble', trouble.test(body));
  mark('wish', wish.test(body));
  mark('asks', asks.test(body));
  mark('person', isAboutThePerson(body));
  mark('where', isWhereabouts(body, clause.raw));
  mark('url', hasUrl(body));
  mark('date', clause.hasDateAhead());
  mark('changed', isToBeChanged(body));
  mark('opens', index === 0);
  mark('ends', after === undefined);
  mark('question', here?.isQuestion === true);
  mark('filler', here !== undefined && withoutFiller(here.folded).length < here.folded.length);
  mark('leads', /:\s*$/.test(here?.folded ?? ''));
  mark('answers', heard.previousAssistant !== '');
  mark(`sentences ${Math.min(sentences.length, 6)}`, true);
  mark('long', sentences.length > 12);
  mark(
    'asks elsewhere',
    sentences.some((one) => one.isQuestion),
  );

  if (before !== undefined) {
    const said = withoutFiller(before.folded);
    mark('after order', opensWithOrder(said));
    mark('after momentary', momentary.test(said));
    mark('after question', before.isQuestion);
    mark('after report', reported.test(said));
    mark('after tentative', tentative.test(said));
    mark('after colon', /:\s*$/.test(said));
  }
  if (after !== undefined) {
    const said = withoutFiller(after.folded);
    mark('before order', opensWithOrder(said));
    mark('before momentary', momentary.test(said));
    mark('before question', after.isQuestion);
    mark(`before ${said.split(/\s/, 1)[0]}`, true);
  }

  const words = tokensOf(body);
  const length = words.filter((word) => /[a-z]/i.test(word)).length;
  mark(`length ${lengths.find((most) => length < most) ?? 'more'}`, true);
  for (const [at, word] of words.entries()) {
    marks.add(word);
    if (word.length > stemLength + 1) marks.add(`${word.slice(0, stemLength)}-`);
    marks.add(`${words[at - 1] ?? '^'} ${word}`);
    if (at < 3) marks.add(`${at}^${word}`);
    mark('party', parties.has(word) || partiesOfPt.has(word));
    mark('order word', orderWords.has(word));
  }
  marks.add(`${words.at(-1)} $`);
  if (words.length > 1) marks.add(`^ ${words.slice(0, 3).join(' ')}`);
  return marks;
}
