// What may stand in team memory, which other people get with their next pull: the scope of each type, what a path in it may be,
// and no secret. One answer for every way in. It reads and writes nothing; `snapshots.ts` asks before it changes anything,
// so that no way can be forgotten. A refusal names rule and line, never a secret's value.

import { type PathRule, pathFault } from '../files';
import { MemoryError, type MemoryErrorCode } from '../memoryError';
import { conflictLineOf } from './conflictMarks';
import { type MemoryType, parseHead } from './memory';
import { isIndexPath, type MemoryScope, scopeOf } from './memoryPaths';
import { findSecrets } from './secrets';

/** How strongly a type belongs to the team, where team memory is on. */
export type Routing =
  | 'never' // whoever asks
  | 'convention' // only what holds for everybody in the project
  | 'usually' // unless it is personal
  | 'strongly';

/** The one table that the prompt, the offline engine and the checks share. */
export const teamRouting: Readonly<Record<MemoryType, Routing>> = {
  user: 'never',
  feedback: 'convention',
  project: 'strongly',
  reference: 'usually',
};

/** The scope of a new memory where nobody said one. */
export function routedScope(
  type: MemoryType,
  facts: { readonly team: boolean; readonly isConvention?: boolean; readonly isPersonal?: boolean },
): MemoryScope {
  if (!facts.team) return 'private';
  const isForAll: Readonly<Record<Routing, boolean>> = {
    never: false,
    convention: facts.isConvention === true,
    usually: facts.isPersonal !== true,
    strongly: facts.isPersonal !== true,
  };
  return isForAll[teamRouting[type]] ? 'team' : 'private';
}

export type TeamPathRule = PathRule | 'git_folder' | 'invisible_character' | 'not_text_name' | 'hidden';

export type TeamRule =
  | TeamPathRule
  | 'off' // team memory is not switched on here
  | 'user_type' // a memory about a person
  | 'merge_conflict'
  | 'secret';

export interface TeamRefusal {
  readonly rule: TeamRule;
  /** A sentence for a person, in English; with a secret its rule, never its value. */
  readonly message: string;
  /** Counted from 1, in the text that was refused. */
  readonly line?: number;
  /** Which rule found the secret, where it is one: `github`, `password`. */
  readonly secret?: string;
}

/** Below what every system can hold, with room for the folder it lies in. */
const longestName = 200;
const longestPath = 400;
/** Some scripts and emoji are written with joiners; between plain letters they only deceive. */
const invisible =
  /[\u115f\u1160\u3164\uffa0]|(?![\u200c\u200d])\p{Cf}|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])/u;
const gitFolder = /^(?:\.git|git~\d+)$/i;
/** Signs that are read as a dot, a separator, a drive's colon or a percent sign. */
const likeSeparator = /[\uff0e\uff0f\uff3c\uff1a\uff05\u2024-\u2026\u2044\u2215\u29f8\u29f9\ufe52\ufe55\ufe68]/;

/**
 * Why an entry of the team folder can't be used, by its path below that folder alone; `undefined` when it can. Stricter than for
 * private memories: it may come from any system and go to any.
 */
export function teamPathFault(path: string): { readonly rule: TeamPathRule; readonly why: string } | undefined {
  const fault = pathFault(path, true) ?? pathFault(path.normalize('NFKC'), true);
  if (fault) return fault;
  if (path.includes('\ufffd')) return { rule: 'not_text_name', why: 'its name is not UTF-8 text' };
  if (invisible.test(path)) return { rule: 'invisible_character', why: 'it holds a character that nobody sees' };
  if (path.length > longestPath) return { rule: 'too_long', why: 'it is too long' };
  for (const segment of path.split('/')) {
    const plain = segment.normalize('NFKC').replace(/[. ]+$/, '');
    if (gitFolder.test(plain)) return { rule: 'git_folder', why: "it is git's own" };
    if (Buffer.byteLength(segment) > longestName) return { rule: 'too_long', why: 'a name in it is too long' };
    if (/^[ ~]/.test(segment) || likeSeparator.test(segment))
      return { rule: 'odd_name', why: 'another system would read that name as another one' };
  }
  return undefined;
}

const secretText = (path: string, line: number | undefined, rule: string): string =>
  line === undefined
    ? `The name “${path}” looks like it holds a secret (${rule}). Team memory is shared with everybody who gets this repository: give it another name.`
    : `Line ${line} of “${path}” looks like it holds a secret (${rule}). Team memory is shared with everybody who gets this repository: leave the secret out.`;

/**
 * Why this text must not stand at this memory path (`team/…`), or `undefined` when it may; for a private path always
 * `undefined`. `text` null: the file is to go, which nothing hinders. `before` is what stands there: of an index
 * only what is new is looked at, as others may have written the rest. Rejects only if the rules for secrets can't be loaded.
 */
export async function teamRefusal(
  path: string,
  text: string | null,
  before: string | null = null,
): Promise<TeamRefusal | undefined> {
  if (scopeOf(path) !== 'team') return undefined;
  // A file that stands there already may go, whatever its name is.
  if (text === null) return undefined;
  const below = path.slice('team/'.length);
  const fault = path.startsWith('team/')
    ? teamPathFault(below)
    : { rule: 'odd_name' as const, why: 'it is not “team/…”' };
  if (fault) return { rule: fault.rule, message: `“${path}” can't be a memory of the team: ${fault.why}.` };
  if (below.split('/').some((segment) => segment.startsWith('.')))
    return { rule: 'hidden', message: `“${path}” can't be a memory of the team: it is hidden.` };
  const marks = conflictLineOf(text);
  if (marks !== undefined)
    return { rule: 'merge_conflict', message: `Line ${marks} of “${path}” holds a merge conflict.`, line: marks };
  if (isAboutPerson(path, text) && !isAboutPerson(path, before))
    return {
      rule: 'user_type',
      message: `“${path}” says who a person is (type user). Such a memory is always private.`,
    };
  const [inName] = await findSecrets(below.replace(/\.md$/i, '').replaceAll('/', '\n'));
  if (inName) return { rule: 'secret', secret: inName.rule, message: secretText(path, undefined, inName.rule) };
  const fresh = await findSecrets(text);
  if (fresh.length === 0) return undefined;
  const known = before === null ? [] : await findSecrets(before);
  for (const { rule, line } of fresh) {
    const at = known.findIndex((one) => one.rule === rule);
    const [old] = at === -1 ? [] : known.splice(at, 1);
    if (old && isIndexPath(path)) continue;
    // What stands there already is told by the line a person can open.
    const told = old?.line ?? line;
    return { rule: 'secret', secret: rule, line: told, message: secretText(path, told, rule) };
  }
  return undefined;
}

const isAboutPerson = (path: string, text: string | null): boolean =>
  text !== null && !isIndexPath(path) && parseHead(path, text, 0, 0).header.type === 'user';

/** As an error, for who stops there. */
export function refusedByTeam({ rule, message, line, secret }: TeamRefusal, path: string): MemoryError {
  const codes: Partial<Record<TeamRule, MemoryErrorCode>> = {
    off: 'team_off',
    secret: 'secret',
    merge_conflict: 'merge_conflict',
    user_type: 'user_type',
  };
  return new MemoryError(codes[rule] ?? 'bad_path', message, path, {
    rule: secret ?? rule,
    ...(line === undefined ? {} : { line }),
  });
}

export const teamIsOff: TeamRefusal = {
  rule: 'off',
  message:
    'Team memory is not switched on here. Switch it on with the setting reverie.team.enabled, or with “reverie team on”.',
};
