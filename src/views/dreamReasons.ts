// Why a dream changed something or left it, in a person's language. The sentences are those of the engine, which speaks English; a model's
// own words stay as they are. Pure; it loads nothing of the engine.

import type { Reason } from '../core/dream/reasons';
import { noonOf } from './logRows';
import type { Words } from './words';

/** What was given as reasons; `said` where there are no codes, as a model gives none. */
export const reasonsText = (said: string, reasons: readonly Reason[] | undefined, words: Words): string =>
  reasons && reasons.length > 0 ? reasons.map((reason) => dreamReason(reason, words)).join(' ') : said;

/** A sentence. One that this version does not know, from a newer one, is left out. */
export function dreamReason({ code, values }: Reason, { t, number, dayOfYear }: Words): string {
  const dayText = (day: string) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? dayOfYear(noonOf(day)) : day);
  const days = (list: string) => list.split(', ').map(dayText).join(', ');
  const [first = '', second = ''] = values;
  const count = number(Number(first));
  switch (code) {
    case 'dated':
      return t('Words such as “tomorrow” were made dates, counted from {0}, when this was written.', first);
    case 'deadlinePassed':
      return t('Its deadline, {0}, has passed.', first);
    case 'deadlineAhead':
      return t('Its deadline, {0}, is still to come.', first);
    case 'nameless':
      return t('Its front matter had no name.');
    case 'undescribed':
      return t('Its front matter had no description.');
    case 'headless':
      return t('Its front matter had no name and no description.');
    case 'linkMended':
      return t('A link that led nowhere was repaired: {0}.', first);
    case 'grown':
      return t('What only {0} said was added.', first);
    case 'mergedWhole':
      return t('Says the same as {0}, sentence by sentence. It was merged into that one.', first);
    case 'mergedPart':
      return t('All of it stands in {0}, which says more. It was merged into that one.', first);
    case 'notAllIn':
      return t('Not all of it stands in {0}.', first);
    case 'removed':
      return t('The dream would remove it.');
    case 'saidOnce':
      return t('Said in a chat, and no memory held it.');
    case 'saidOften':
      return t('Said in {0} chats, and no memory held it.', count);
    case 'loggedOnce':
      return t('It was said in a chat, and stands in the daily log of {0}.', days(first));
    case 'loggedOften':
      return t('It was said more than once, and stands in the daily logs of {0}.', days(first));
    case 'askedToForget':
      return t('You asked to forget it (daily log of {0}).', days(first));
    case 'logTakenBack':
      return t('It came from the daily log of {0}, where it was taken back since.', days(first));
    case 'byModel':
      return t('Tidied by a model.');
    case 'isNew':
      return t('It is new.');
    case 'follows':
      return t('It follows the memories.');
    case 'changed':
      return t('It was changed.');
    case 'lineRepaired':
      return t('One line led to a misspelt file and was repaired.');
    case 'linesRepaired':
      return t('{0} lines led to misspelt files and were repaired.', count);
    case 'lineMerged':
      return t('The line of a merged memory was dropped.');
    case 'linesMerged':
      return t('The lines of {0} merged memories were dropped.', count);
    case 'lineDead':
      return t('A line that led nowhere was dropped.');
    case 'linesDead':
      return t('{0} lines that led nowhere were dropped.', count);
    case 'lineTwice':
      return t('A memory was listed twice.');
    case 'linesTwice':
      return t('{0} memories were listed twice.', count);
    case 'lineLong':
      return t('An over-long line was shortened.');
    case 'linesLong':
      return t('{0} over-long lines were shortened.', count);
    case 'lineOver':
      return t('One line beyond the budget was taken out.');
    case 'linesOver':
      return t('{0} lines beyond the budget were taken out.', count);
    case 'lineAdded':
      return t('One memory that was not linked got its line.');
    case 'linesAdded':
      return t('{0} memories that were not linked got their lines.', count);
    case 'unclearLink':
      return t('{0} leads nowhere, and several memories fit: {1}.', first, second);
    case 'pinnedRepeats':
      return t('It says no more than {0}, but it is pinned and stays.', first);
    case 'wouldLose':
      return t('It says the same as {0}, but merging them would lose something of it.', first);
    case 'secret':
      return t('What it would say looks like a secret ({0}).', first);
    case 'badPath':
      return t('Its path can’t be used: {0}.', first);
    case 'ofTeam':
      return t('A dream does not change the team’s memories.');
    case 'noMemory':
      return t('It is not a memory.');
    case 'guidance':
      return t('CLAUDE.md is written by people.');
    case 'otherIndex':
      return t('It is an index of another folder.');
    case 'pinned':
      return t('It is pinned.');
    case 'problem':
      return t('It has a problem that a person has to look at ({0}).', first);
    case 'tooLong':
      return t('It would be far too long for a memory.');
    case 'unreadable':
      return t('It could not be read afterwards ({0}).', first);
    case 'emptied':
      return t('Nothing would be left of it but its front matter.');
    default:
      return '';
  }
}
