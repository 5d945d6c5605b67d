// Refusal of an input. Errors of the operating system pass through with their own `code`; what is absent is
// `undefined`, not an error.

export type MemoryErrorCode =
  | 'outside' // the path leads out of the folder it belongs to
  | 'bad_path' // the path can't be a memory's path at all
  | 'not_found'
  | 'exists'
  | 'changed' // the file is no longer what the caller saw
  | 'unreadable' // front matter that can't be parsed: shown, never rewritten
  | 'not_text' // bytes that are not UTF-8
  | 'secret'
  | 'merge_conflict' // marks of a merge in it: a person has to choose first
  | 'team_off' // team memory is not switched on here
  | 'user_type' // a memory about a person, on its way to the team
  | 'too_large'
  | 'busy' // another process holds the guard
  | 'disabled'
  | 'usage'; // the caller's words are off

export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  constructor(
    readonly code: MemoryErrorCode,
    message: string,
    readonly path?: string,
    /** Which rule refused it, and in which line of the text, counted from 1; where there is one. */
    readonly refusal?: { readonly rule: string; readonly line?: number },
  ) {
    super(message);
  }
}
