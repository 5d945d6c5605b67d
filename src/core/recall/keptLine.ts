// One memory of the kept index as a line of its file: whose file it is of, its terms, its end, and its head where that stays as
// it is. What is not such a line is none: nothing is believed of a line but what has the right shape.

import type { MemoryHeader, MemoryProblem, MemoryType } from '../memory/memory';
import { scopeOf } from '../memory/memoryPaths';
import { type AnalysedMemory, indexFields } from './analysedMemory';

/** One higher whenever terms or heads are made or written another way: what an older version wrote is then made anew. */
const formatVersion = 3;
export const heading = JSON.stringify({ reverie: 'recall index', version: formatVersion });

export interface KeptLine {
  /** Of the file that was read. */
  readonly mtimeMs: number;
  readonly size: number;
  /** Milliseconds; 0 for a memory that names no end. */
  readonly deadline: number;
  readonly memory: AnalysedMemory;
  /** Absent when it may be another one tomorrow although the file is the same. */
  readonly head: MemoryHeader | undefined;
}

/** Without path, time and size, which the line has; `null` for what is absent. */
type HeadFields = readonly [
  name: string,
  description: string | null,
  type: MemoryType | null,
  modifiedAt: number,
  verifiedAt: number | null,
  pinned: boolean,
  keywords: readonly string[],
  originSessionId: string | null,
  supersededBy: string | null,
  deadlinePassed: string | null,
  problem: MemoryProblem | null,
];

export function formatLine({ mtimeMs, size, deadline, memory, head }: KeptLine): string {
  const { path, lengths, terms } = memory;
  const fields: HeadFields | null = head
    ? [
        head.name,
        head.description ?? null,
        head.type ?? null,
        head.modifiedAt,
        head.verifiedAt ?? null,
        head.pinned,
        head.keywords,
        head.originSessionId ?? null,
        head.supersededBy ?? null,
        head.deadlinePassed ?? null,
        head.problem ?? null,
      ]
    : null;
  return `${JSON.stringify([path, mtimeMs, size, deadline, lengths, terms, fields])}\n`;
}

/** Lines of a file, each as it was written; what is no line of ours is `undefined`. */
export function parseLines(text: string): (KeptLine | undefined)[] {
  // All in one go costs half, and works unless one of them is damaged.
  try {
    const values: unknown = JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`);
    if (Array.isArray(values)) return values.map(toLine);
  } catch {
    // One by one, then.
  }
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      try {
        return toLine(JSON.parse(line));
      } catch {
        return undefined;
      }
    });
}

function toLine(value: unknown): KeptLine | undefined {
  if (!Array.isArray(value) || value.length !== 7) return undefined;
  const [path, mtimeMs, size, deadline, lengths, terms, fields] = value;
  const isLine =
    typeof path === 'string' &&
    typeof mtimeMs === 'number' &&
    typeof size === 'number' &&
    typeof deadline === 'number' &&
    typeof terms === 'string' &&
    Array.isArray(lengths) &&
    lengths.length === indexFields.length &&
    typeof lengths[0] === 'number';
  if (!isLine) return undefined;
  return { mtimeMs, size, deadline, memory: { path, lengths, terms }, head: toHead(path, mtimeMs, size, fields) };
}

function toHead(path: string, mtimeMs: number, size: number, fields: unknown): MemoryHeader | undefined {
  if (!Array.isArray(fields) || fields.length !== 11) return undefined;
  const [name, description, type, modifiedAt, verifiedAt, pinned, keywords, session, supersededBy, deadline, problem] =
    fields as unknown as HeadFields;
  if (typeof name !== 'string' || typeof modifiedAt !== 'number' || !Array.isArray(keywords)) return undefined;
  return {
    path,
    name,
    description: description ?? undefined,
    type: type ?? undefined,
    scope: scopeOf(path),
    modifiedAt,
    mtimeMs,
    size,
    verifiedAt: verifiedAt ?? undefined,
    pinned,
    keywords,
    originSessionId: session ?? undefined,
    supersededBy: supersededBy ?? undefined,
    deadlinePassed: deadline ?? undefined,
    ...(problem && { problem }),
  };
}
