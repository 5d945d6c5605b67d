// Why a dream changed something or left it, as a code with its values: the views say it in a person's language. Here it is said in
// English, for the command line, the journal and the trash. A model's own words have no code.

/** `{0}` and `{1}` are the values. What is counted has two sentences, for one and for several. */
export const reasonSentences = {
  dated: 'Words such as “tomorrow” were made dates, counted from {0}, when this was written.',
  deadlinePassed: 'Its deadline, {0}, has passed.',
  deadlineAhead: 'Its deadline, {0}, is still to come.',
  nameless: 'Its front matter had no name.',
  undescribed: 'Its front matter had no description.',
  headless: 'Its front matter had no name and no description.',
  linkMended: 'A link that led nowhere was repaired: {0}.',
  grown: 'What only {0} said was added.',
  mergedWhole: 'Says the same as {0}, sentence by sentence. It was merged into that one.',
  mergedPart: 'All of it stands in {0}, which says more. It was merged into that one.',
  notAllIn: 'Not all of it stands in {0}.',
  removed: 'The dream would remove it.',
  saidOnce: 'Said in a chat, and no memory held it.',
  saidOften: 'Said in {0} chats, and no memory held it.',
  loggedOnce: 'It was said in a chat, and stands in the daily log of {0}.',
  loggedOften: 'It was said more than once, and stands in the daily logs of {0}.',
  askedToForget: 'You asked to forget it (daily log of {0}).',
  logTakenBack: 'It came from the daily log of {0}, where it was taken back since.',
  byModel: 'Tidied by a model.',
  isNew: 'It is new.',
  follows: 'It follows the memories.',
  changed: 'It was changed.',
  lineRepaired: 'One line led to a misspelt file and was repaired.',
  linesRepaired: '{0} lines led to misspelt files and were repaired.',
  lineMerged: 'The line of a merged memory was dropped.',
  linesMerged: 'The lines of {0} merged memories were dropped.',
  lineDead: 'A line that led nowhere was dropped.',
  linesDead: '{0} lines that led nowhere were dropped.',
  lineTwice: 'A memory was listed twice.',
  linesTwice: '{0} memories were listed twice.',
  lineLong: 'An over-long line was shortened.',
  linesLong: '{0} over-long lines were shortened.',
  lineOver: 'One line beyond the budget was taken out.',
  linesOver: '{0} lines beyond the budget were taken out.',
  lineAdded: 'One memory that was not linked got its line.',
  linesAdded: '{0} memories that were not linked got their lines.',
  // Of what was left as it is.
  unclearLink: '{0} leads nowhere, and several memories fit: {1}.',
  pinnedRepeats: 'It says no more than {0}, but it is pinned and stays.',
  wouldLose: 'It says the same as {0}, but merging them would lose something of it.',
  secret: 'What it would say looks like a secret ({0}).',
  badPath: 'Its path can’t be used: {0}.',
  ofTeam: 'A dream does not change the team’s memories.',
  noMemory: 'It is not a memory.',
  guidance: 'CLAUDE.md is written by people.',
  otherIndex: 'It is an index of another folder.',
  pinned: 'It is pinned.',
  problem: 'It has a problem that a person has to look at ({0}).',
  tooLong: 'It would be far too long for a memory.',
  unreadable: 'It could not be read afterwards ({0}).',
  emptied: 'Nothing would be left of it but its front matter.',
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof reasonSentences;

export interface Reason {
  readonly code: ReasonCode;
  readonly values: readonly string[];
}

export const reasonFor = (code: ReasonCode, ...values: readonly string[]): Reason => ({ code, values });

/** The sentence for one, or the one for several with their number. */
export const counted = (count: number, one: ReasonCode, several: ReasonCode): Reason =>
  count === 1 ? reasonFor(one) : reasonFor(several, String(count));

/** In English. */
export const reasonText = ({ code, values }: Reason): string =>
  reasonSentences[code].replace(/\{(\d)\}/g, (_place, at: string) => values[Number(at)] ?? '');

/** What a change says of its reasons: in English, and so that it can be said otherwise. */
export const because = (
  ...reasons: readonly Reason[]
): { readonly reason: string; readonly reasons: readonly Reason[] } => ({
  reason: reasons.map(reasonText).join(' '),
  reasons,
});

/** The same of something that was left as it is. */
export const remarked = (path: string, reason: Reason) => ({ path, text: reasonText(reason), why: reason });
