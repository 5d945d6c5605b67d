// Files of JSON lines, whole or from a position on: read in chunks, split at LF on bytes, value after value from one line.
// It promises bounded memory (a chunk and the longest line), a line that is not JSON costs only its own rest, and no
// line is handed out before its end is known. It knows no format, and it refuses to go on when the file was replaced.

import type { Disk, FileStat } from '../disk';
import { MemoryError } from '../memoryError';

/** `offset` is the line's first byte in the file, `end` the byte after its LF; without `hasEnd` the LF is still missing. */
export type OnLine = (bytes: Buffer, offset: number, end: number, hasEnd: boolean) => void;

export interface LinesOptions {
  readonly from: number;
  /** Bytes a read; by default 1 MB: long enough that opening the file costs nothing, short enough to let others run. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** What an earlier look at the file found; another file in its place by now is refused. */
  readonly stat: FileStat;
}

/** No JSON of ours is longer; of such a line the first megabyte is handed out, which no reader can take for a whole. */
export const longestLine = 32 * 1024 * 1024;
const shownOfLongest = 1024 * 1024;
const lf = 0x0a;

/**
 * Hands out the lines between `from` and the size given by `stat`, and returns the bytes read. Between chunks other
 * work gets its turn, as every read ends in one of its own. Throws `MemoryError` `not_found` or `changed`, or the signal's reason.
 */
export async function readLines(disk: Disk, path: string, options: LinesOptions, onLine: OnLine): Promise<number> {
  const { stat, signal, chunkBytes = 1024 * 1024 } = options;
  let at = options.from;
  let lineStart = at;
  let kept: Buffer[] = [];
  let keptBytes = 0;

  const keep = (bytes: Buffer): void => {
    if (bytes.length === 0 || keptBytes >= longestLine) return;
    kept.push(bytes);
    keptBytes += bytes.length;
  };
  const take = (): Buffer => {
    const length = keptBytes >= longestLine ? shownOfLongest : keptBytes;
    const bytes = kept.length === 1 && keptBytes === length ? (kept[0] as Buffer) : Buffer.concat(kept, length);
    kept = [];
    keptBytes = 0;
    return bytes;
  };
  const ask = (from: number): Promise<Buffer> | undefined => {
    if (from >= stat.size) return undefined;
    const bytes = readSame(disk, path, from, Math.min(chunkBytes, stat.size - from), stat);
    // Whoever stops before awaiting it must not leave a rejection behind.
    bytes.catch(() => {});
    return bytes;
  };

  signal?.throwIfAborted();
  for (let coming = ask(at); coming; ) {
    const chunk = await coming;
    signal?.throwIfAborted();
    // The next chunk is read while this one is parsed.
    coming = ask(at + chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(lf); end >= 0; end = chunk.indexOf(lf, from)) {
      const tail = chunk.subarray(from, end);
      if (keptBytes > 0) keep(tail);
      onLine(keptBytes > 0 ? take() : tail, lineStart, at + end + 1, true);
      from = end + 1;
      lineStart = at + from;
    }
    keep(chunk.subarray(from));
    at += chunk.length;
  }
  if (lineStart < at) onLine(take(), lineStart, at, false);
  return at - options.from;
}

/** Bytes of the very file that `stat` describes, as many as asked for. */
export async function readSame(
  disk: Disk,
  path: string,
  from: number,
  length: number,
  stat: FileStat,
): Promise<Buffer> {
  const found = await disk.readRange(path, from, length);
  if (!found) throw gone(path);
  if (found.stat.inode !== stat.inode || found.bytes.length < length) {
    throw new MemoryError('changed', `“${path}” was replaced while it was being read.`, path);
  }
  return found.bytes;
}

export const gone = (path: string): MemoryError => new MemoryError('not_found', `“${path}” is gone.`, path);

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The text of a line: UTF-8, bad bytes replaced, the file's byte order mark dropped. */
export function lineText(bytes: Buffer, offset: number): string {
  return offset === 0 && bytes.subarray(0, 3).equals(utf8Mark) ? bytes.toString('utf8', 3) : bytes.toString('utf8');
}

export interface LineValues {
  /** The JSON values that stand one after another at the beginning of the line. */
  readonly values: readonly unknown[];
  /** Whether something that is no JSON value follows them. */
  readonly hasFragment: boolean;
}

/** The values on one line. Two records glued together are two values; nothing of a readable one is ever lost. */
export function parseValues(text: string): LineValues {
  const { values, rest } = valuesAndRest(text);
  return { values, hasFragment: rest !== '' };
}

/** The same, with the text from where it is no JSON on; empty when there is none. */
export function valuesAndRest(text: string): { readonly values: readonly unknown[]; readonly rest: string } {
  try {
    return { values: [JSON.parse(text)], rest: '' };
  } catch {
    return parseEach(text);
  }
}

const space = /[ \t\r\n]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

function parseEach(text: string): ReturnType<typeof valuesAndRest> {
  const values: unknown[] = [];
  let at = 0;
  for (;;) {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
    if (at >= text.length) return { values, rest: '' };
    const end = valueEnd(text, at);
    if (end < 0) return { values, rest: text.slice(at) };
    try {
      values.push(JSON.parse(text.slice(at, end)));
    } catch {
      return { values, rest: text.slice(at) };
    }
    at = end;
  }
}

/** Where the value that begins at `start` ends, if it is one; -1 when it has no end. */
function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first !== '{' && first !== '[') {
    if (first === '"') return stringEnd(text, start);
    scalar.lastIndex = start;
    return scalar.test(text) ? scalar.lastIndex : -1;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (char === 0x7b || char === 0x5b) depth += 1;
    else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}
