// What a person reads before others read a memory: what goes along, what is left out, what it would tell of them, and why
// some stay private. A secret is told by rule and line, never by its value; names and words of files enter as one line.

import type { MoveNote, MovePlan, MoveRefusal } from '../core/memory/moving';
import { oneLine, type Words } from './words';

export interface NoteText {
  readonly icon: string;
  readonly text: string;
  /** Where it stands in what others will see, counted from 1. */
  readonly line?: number;
}

/** One sentence, without a full stop. */
export function noteText(note: MoveNote, { t, number }: Words): NoteText {
  switch (note.kind) {
    case 'left_out':
      return { icon: 'eye-closed', text: t('Left out: which chat it came from. Nobody else has that chat') };
    case 'home_path':
      return at(
        note.line,
        'warning',
        t('Line {0} names a folder of yours: {1}', number(note.line), oneLine(note.words)),
      );
    case 'email':
      return at(note.line, 'warning', t('Line {0} names an address: {1}', number(note.line), oneLine(note.words)));
    case 'person':
      return at(note.line, 'warning', t('Line {0} names you: {1}', number(note.line), oneLine(note.words)));
    case 'private_link':
      return at(
        note.line,
        'link',
        t('Line {0} links to “{1}”, which others do not have', number(note.line), oneLine(note.words)),
      );
    case 'team_says': {
      const name = oneLine(note.name);
      switch (note.relation) {
        case 'contradicts':
          return { icon: 'warning', text: t('The team says otherwise in “{0}”', name) };
        case 'same':
        case 'contained':
          return { icon: 'info', text: t('The team has this already, in “{0}”', name) };
        case 'contains':
          return { icon: 'info', text: t('It says all that “{0}” of the team says, and more', name) };
      }
      break;
    }
    case 'usually_private':
      return { icon: 'info', text: t('Feedback is mostly one person’s. Share it if everybody here should keep to it') };
    case 'team_links':
      return note.paths.length === 1
        ? { icon: 'link', text: t('1 memory of the team links to it') }
        : { icon: 'link', text: t('{0} memories of the team link to it', number(note.paths.length)) };
  }
}

const at = (line: number, icon: string, text: string): NoteText => ({ icon, text, line });

/** Why a memory stays private: a sentence. */
export function refusedText(name: string, { kind, rule, line }: MoveRefusal, { t, number }: Words): string {
  const who = oneLine(name);
  switch (kind) {
    case 'type':
      return t('“{0}” stays private: what is said of a person is never shared.', who);
    case 'problem':
      return line === undefined
        ? t('“{0}” can’t be shared before its problem is mended.', who)
        : t('“{0}” can’t be shared before its problem in line {1} is mended.', who, number(line));
    case 'secret':
      return line === undefined
        ? t('“{0}” stays private: its name looks like it holds a secret (rule “{1}”).', who, rule ?? '')
        : t('“{0}” stays private: line {1} looks like it holds a secret (rule “{2}”).', who, number(line), rule ?? '');
    case 'path':
      return t('“{0}” can’t be shared under the name of its file (rule “{1}”).', who, rule ?? '');
  }
}

/** Where it goes and who gets it from there: a sentence. */
export function reachText(isInRepository: boolean, isIgnored: boolean, { t }: Words): string {
  if (!isInRepository) return t('The folder is on this machine only: nobody else gets it by itself.');
  return isIgnored
    ? t('Git ignores this folder: nobody else will get it until that is changed.')
    : t('Others get it with your next commit and push.');
}

/** The title over both sides of the preview. */
export const previewTitle = ({ name }: MovePlan, { t }: Words): string =>
  t('{0}: yours, and what the team will see', oneLine(name));

/** A folder as it was typed, '/'-separated and without one at its end. */
export const folderOf = (typed: string): string => typed.trim().replace(/\\/g, '/').replace(/\/+$/, '');

/** Why a folder that was typed can't be the team's; `undefined` when it can, as far as its name says. */
export function folderProblem(typed: string, { t }: Words): string | undefined {
  const folder = folderOf(typed);
  if (folder === '' || folder === '.') return t('Name a folder in the repository.');
  if (folder.startsWith('/') || folder.startsWith('~') || /^[A-Za-z]:/.test(folder))
    return t('Name it as it lies in the repository, such as docs/memory.');
  const parts = folder.split('/');
  if (parts.includes('..')) return t('It must lie in the repository.');
  if (parts.some((part) => /^\.git$/i.test(part))) return t('That folder is git’s own.');
  return parts.includes('') || parts.includes('.')
    ? t('Name it as it lies in the repository, such as docs/memory.')
    : undefined;
}
