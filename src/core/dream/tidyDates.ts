// Dates in memories: relative ones are made absolute, counted from the day the memory was written, and deadlines that are over
// are told. Code, quoted words and links keep theirs: they are not the memory's own. What may be a habit ("on Fridays",
// "at the end of the month", "within 30 days") is left; a wrong date is worse than a vague one.

import { deadlineDays, endOfDay, isEnd } from '../memory/deadlines';
import { editFrontMatter } from '../memory/memory';
import { filler, ownWords } from '../memory/ownWords';
import { absoluteDates, type FoundDate, findDates } from '../sessions/signals';
import { fold } from '../sessions/signals/text';
import { because, reasonFor } from './reasons';
import { type Desk, originsOf } from './tidyDesk';

/** Words that point from the day of writing to another one, and could mean nothing else. */
const pointing =
  /\b(?:today|tonight|tomorrow|yesterday|ago|from now|next|last|coming|past|hoje|amanha|ontem|anteontem|que vem|passad[oa]|proxim[oa]|ultim[oa]|daqui|atras)\b|^(?:in|ha|faz|em|dentro de) /;
const countsAhead = /^(?:in|em|dentro de) /;
/** A sentence that tells how things always go: its "in 30 days" begins anew each time. */
const tellsOfHabit =
  /\b(?:if|when|whenever|unless|after|once|every|each|any|always|never|per|usually|typically|expires?|retained|kept|deleted|removed|purged|rotates?|renews?|timeouts?|se|quando|cada|todo|toda|sempre|nunca|apos|depois|expiram?|costuma)\b/;
const vague = /^(?:this|the current|this whole|est[ea]|nest[ea]|dest[ea]|ess[ea]|ness[ea])\b/;

/** Whether a date in a text is the memory's own and points from the day of writing. */
function isPointing(date: FoundDate, text: string): boolean {
  if (!date.isRelative) return false;
  const words = fold(text.slice(date.start, date.end));
  if (!pointing.test(words) || (vague.test(words) && date.grain !== 'day')) return false;
  return !(countsAhead.test(words) && tellsOfHabit.test(fold(sentenceAround(text, date.start))));
}

function sentenceAround(text: string, at: number): string {
  const before = text.slice(0, at);
  const start = Math.max(before.lastIndexOf('\n'), before.search(/[.!?]\s[^.!?]*$/)) + 1;
  const end = /[.!?](?:\s|$)|\n/.exec(text.slice(at));
  return text.slice(start, end ? at + end.index : undefined);
}

/** The text with its own pointing dates made absolute, counted from `at` (ms). Applying it twice changes nothing more. */
export function withAbsoluteDates(text: string, at: number): string {
  const own = ownWords(text);
  const dated = absoluteDates(own, at, isPointing);
  if (dated === own) return text;
  const hidden = [...filledCharacters(own, text)];
  if (dated.split(filler).length - 1 !== hidden.length) return text;
  let next = 0;
  return dated.replaceAll(filler, () => hidden[next++] ?? '');
}

function* filledCharacters(own: string, text: string): Generator<string> {
  for (let at = 0; at < own.length; at += 1) if (own[at] === filler) yield text[at] ?? '';
}

/** Makes the relative dates of every memory absolute. The file keeps its time: it says nothing new. */
export async function settleDates(desk: Desk): Promise<void> {
  for (const memory of desk.files()) {
    await desk.breath();
    if (!desk.isEditable(memory)) continue;
    const at = memory.modifiedAt;
    const head = memory.text.slice(0, memory.text.length - memory.body.length);
    let text = head + withAbsoluteDates(memory.body, at);
    const description = memory.description && withAbsoluteDates(memory.description, at);
    if (description !== memory.description) text = editFrontMatter(text, { description });
    if (text === memory.text) continue;
    const day = new Date(at).toISOString().slice(0, 10);
    const why = because(reasonFor('dated', day));
    await desk.edit(memory.path, text, { ...why, ...originsOf(memory) }, { keepsTime: true });
  }
}

export interface Deadline {
  /** Its last day, `2026-04-23`. */
  readonly day: string;
  readonly passed: boolean;
}

/** The deadlines that a text sets in its own words, passed when their last day is over. */
export function findDeadlines(text: string, now: number): Deadline[] {
  const own = ownWords(text);
  const spelled = findDates(own, now).filter(
    ({ isRelative, start, end }) => !isRelative && isEnd(own.slice(0, start), own.slice(end)),
  );
  const days = [...deadlineDays(text), ...spelled.map(({ lastDay }) => new Date(lastDay).toISOString().slice(0, 10))];
  return days.map((day) => ({ day, passed: (endOfDay(day) ?? 0) <= now }));
}

/** Marks memories whose deadlines are all over, and takes the mark away where one was put off. */
export async function markDeadlines(desk: Desk, now: number): Promise<void> {
  for (const memory of desk.files()) {
    await desk.breath();
    if (!desk.isEditable(memory)) continue;
    const deadlines = findDeadlines(memory.body, now);
    const last = deadlines
      .map(({ day }) => day)
      .sort()
      .at(-1);
    const passed = last !== undefined && deadlines.every((deadline) => deadline.passed) ? last : undefined;
    // Without a deadline in it the mark may be a person's own.
    if (last === undefined || passed === memory.deadlinePassed) continue;
    const text = editFrontMatter(memory.text, { deadlinePassed: passed });
    const why = because(passed ? reasonFor('deadlinePassed', passed) : reasonFor('deadlineAhead', last));
    await desk.edit(memory.path, text, { ...why, ...originsOf(memory) }, { keepsTime: true });
  }
}
