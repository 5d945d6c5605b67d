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
  ) {
    super(message);
  }
}
