// From a memory back to the words it came from: the line of the transcript that holds a message. Transcripts are read
// only, and one that is gone (Claude Code deletes them after a month) is no error.

import type { Disk } from '../disk';
import { lineText, parseValues, readLines } from './jsonLines';

export interface SourceMessage {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Looks for a record by its uuid. `undefined` when the file or the record is not there. */
export async function findSourceMessage(
  disk: Disk,
  file: string,
  uuids: readonly string[],
): Promise<SourceMessage | undefined> {
  const stat = await disk.stat(file);
  if (stat?.kind !== 'file' || uuids.length === 0) return undefined;
  const wanted = uuids.map((uuid) => Buffer.from(JSON.stringify(uuid)));
  let line = 0;
  let found: number | undefined;
  await readLines(disk, file, { from: 0, stat }, (bytes, offset) => {
    line += 1;
    if (found !== undefined || !wanted.some((uuid) => bytes.includes(uuid))) return;
    const records = parseValues(lineText(bytes, offset)).values as { uuid?: unknown }[];
    // A uuid also stands in the record's children, as their parent.
    if (records.some((record) => uuids.includes(String(record?.uuid)))) found = line;
  });
  return found === undefined ? undefined : { file, line: found };
}
