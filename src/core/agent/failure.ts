// What went wrong, in words that a person understands and a log may hold: never text of a memory or of a transcript.

import { MemoryError } from '../memoryError';
import { isModelError } from './languageModel';

/** A reason as part of a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof MemoryError || isModelError(error)) return error.message.replace(/\.$/, '');
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'the folder can not be written';
  if (code === 'EBUSY') return 'another program holds a file';
  return code ?? 'an error inside Reverie, see the log';
}

/** A fault of ours, whose stack belongs into the log. Such messages name code, not what was read. */
export const isBug = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
