// Reads a file of JSON, one value or one a line, in pieces: bounded memory however long a line is, and others have their turn
// in between. A line without its end is handed over too, as far as it goes, and marked: it may be about to be written, or it
// was cut for good. A line that broke in the middle costs only itself.

import { createBreath } from '../breath';
import type { Disk, FileStat } from '../disk';
import { sha256 } from '../files';
import { isObject, type JsonObject } from './json';
import { lineText, readSame, valuesAndRest } from './jsonLines';
import type { PieceReader } from './jsonPieces';
import { pick, type Shape } from './jsonShape';

export interface FileValue {
  readonly value: JsonObject;
  /** Its closing brace was there. */
  readonly isWhole: boolean;
  /** Its line has ended, or it is the one value of its file: it is not going to change. */
  readonly isEnded: boolean;
}

export interface FileReading {
  /** Bytes up to the end of the last line that has ended. */
  readonly offset: number;
  /** Of the bytes before it. */
  readonly fingerprint: string;
  readonly bytesRead: number;
}

const chunkBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/** A longer line is read in pieces; of a shorter one `JSON.parse` makes short work. */
const longLine = 64 * 1024;
const fingerprintBytes = 4096;
const lf = 0x0a;
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * `asLines`: one value a line; else one value in the whole file. Rejects as `readSame` does, and with the signal's reason.
 * `from` is the end of a line.
 */
export async function readValues(
  disk: Disk,
  file: string,
  options: {
    readonly stat: FileStat;
    readonly shape: Shape;
    readonly asLines: boolean;
    readonly from?: number;
    readonly signal?: AbortSignal | undefined;
  },
  onValue: (found: FileValue) => void,
): Promise<FileReading> {
  const { stat, shape, asLines, from = 0, signal } = options;
  const breath = createBreath();
  let pieces: PieceReader | undefined;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let offset = from;
  let at = from;

  async function add(bytes: Buffer): Promise<void> {
    if (!pieces && keptBytes + bytes.length <= longLine) {
      if (bytes.length > 0) kept.push(bytes);
      keptBytes += bytes.length;
      return;
    }
    if (!pieces) {
      const { createPieceReader } = await import('./jsonPieces');
      pieces = createPieceReader(shape);
      for (const each of kept) pieces.write(each);
      kept = [];
    }
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      pieces.write(bytes.subarray(start, start + pieceBytes));
      await breath();
    }
  }

  async function end(isEnded: boolean): Promise<void> {
    const reader = pieces;
    pieces = undefined;
    const bytes = kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
    kept = [];
    keptBytes = 0;
    if (reader) {
      const { value, isWhole } = reader.end();
      if (isObject(value)) onValue({ value, isWhole, isEnded });
    } else {
      for (const found of await shortValues(bytes, offset, shape)) onValue({ ...found, isEnded });
    }
    await breath();
  }

  signal?.throwIfAborted();
  while (at < stat.size) {
    let chunk = await readSame(disk, file, at, Math.min(chunkBytes, stat.size - at), stat);
    signal?.throwIfAborted();
    at += chunk.length;
    if (at === chunk.length && from === 0 && chunk.subarray(0, 3).equals(mark)) chunk = chunk.subarray(3);
    let start = 0;
    for (let found = asLines ? chunk.indexOf(lf) : -1; found >= 0; found = chunk.indexOf(lf, start)) {
      await add(chunk.subarray(start, found));
      await end(true);
      start = found + 1;
      offset = at - chunk.length + start;
    }
    await add(chunk.subarray(start));
  }
  if (keptBytes > 0 || pieces) await end(!asLines);
  if (!asLines) offset = stat.size;
  const fingerprint = await fingerprintAt(disk, file, offset, stat);
  return { offset, fingerprint, bytesRead: at - from };
}

/** Whether the bytes before a place are the ones that a reading saw there. */
export async function isUnchanged(
  disk: Disk,
  file: string,
  known: Pick<FileReading, 'offset' | 'fingerprint'>,
  stat: FileStat,
): Promise<boolean> {
  return stat.size >= known.offset && (await fingerprintAt(disk, file, known.offset, stat)) === known.fingerprint;
}

async function fingerprintAt(disk: Disk, file: string, offset: number, stat: FileStat): Promise<string> {
  if (offset === 0) return '';
  const from = Math.max(0, offset - fingerprintBytes);
  return sha256(await readSame(disk, file, from, offset - from, stat));
}

/** How a line of a log begins; an object inside of one has a word for its kind. */
const entryStart = /\{"kind":[0-3],"[kv]":/;

type Found = Omit<FileValue, 'isEnded'>;

/** The objects of a short line; where it is no JSON, those that are whole, and what is whole of the one that broke off. */
async function shortValues(bytes: Buffer, offset: number, shape: Shape): Promise<readonly Found[]> {
  const found: Found[] = [];
  let text = lineText(bytes, offset);
  while (text.trim() !== '') {
    const { values, rest } = valuesAndRest(text);
    for (const value of values) if (isObject(value)) found.push({ value: picked(value, shape), isWhole: true });
    if (rest === '') break;
    // Another record that stands behind the break is none of its parts.
    const next = rest.slice(1).search(entryStart) + 1;
    const broken = next === 0 ? rest : rest.slice(0, next);
    const { createPieceReader } = await import('./jsonPieces');
    const reader = createPieceReader(shape);
    reader.write(Buffer.from(broken));
    const { value, isWhole } = reader.end();
    if (isObject(value)) found.push({ value, isWhole });
    text = next === 0 ? '' : rest.slice(next);
  }
  return found;
}

const picked = (value: JsonObject, shape: Shape): JsonObject => pick(value, shape) as JsonObject;
