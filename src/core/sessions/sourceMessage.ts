// From a memory back to the words it came from: the line of the transcript that holds a message, or the one in which the assistant
// wrote the memory itself. Transcripts are read only, and one that is gone (Claude Code deletes them after a month) is no error.

import type { Disk } from '../disk';
import { lineText, parseValues, readLines } from './jsonLines';

export interface SourceMessage {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What is known of where a memory's words come from. */
export interface SourceHint {
  readonly session: string;
  /** uuids of messages; may be empty. */
  readonly messages: readonly string[];
  /** The memory's path: where no message is known, the assistant's writing of that file is looked for. */
  readonly path: string;
}

/** Looks through the files of a session. `undefined` when the transcript, or the place in it, is not there. */
export async function findSource(
  disk: Disk,
  files: readonly string[],
  { session, messages, path }: SourceHint,
): Promise<SourceMessage | undefined> {
  if (!/^[\w-]+$/.test(session)) return undefined;
  for (const file of files) {
    const found = (await findSourceMessage(disk, file, messages)) ?? (await findWriting(disk, file, path));
    if (found) return found;
  }
  return undefined;
}

/** Looks for a record by its uuid. `undefined` when the file or the record is not there. */
async function findSourceMessage(
  disk: Disk,
  file: string,
  uuids: readonly string[],
): Promise<SourceMessage | undefined> {
  if (uuids.length === 0) return undefined;
  const wanted = uuids.map((uuid) => Buffer.from(JSON.stringify(uuid)));
  // A request of VS Code's chat; its line may hold the whole chat.
  const requests = uuids.map((uuid) => Buffer.from(`"requestId":${JSON.stringify(uuid)}`));
  const [first] = await linesWhere(
    disk,
    file,
    (bytes) =>
      wanted.some((uuid) => bytes.includes(uuid)) && (requests.some((one) => bytes.includes(one)) ? 'sure' : true),
    // A uuid also stands in the record's children, as their parent.
    ({ type, id, uuid }) => uuids.includes(String(type === 'user.message' ? id : uuid)),
  );
  return first;
}

/** Where the assistant last wrote the memory with its own tools. */
async function findWriting(disk: Disk, file: string, path: string): Promise<SourceMessage | undefined> {
  const name = Buffer.from(JSON.stringify(`/${path}`).slice(1));
  const lines = await linesWhere(
    disk,
    file,
    (bytes) => bytes.includes(name),
    ({ message }) => {
      const { content } = (message ?? {}) as { content?: unknown };
      return Array.isArray(content) && content.some((block) => isWriting(block, `/memory/${path}`));
    },
  );
  return lines.at(-1);
}

function isWriting(block: unknown, ending: string): boolean {
  const { type, name, input } = (block ?? {}) as { type?: unknown; name?: unknown; input?: { file_path?: unknown } };
  return (
    type === 'tool_use' && /^(?:Multi)?(?:Write|Edit)$/.test(String(name)) && String(input?.file_path).endsWith(ending)
  );
}

/** Lines that may hold a record by their bytes, and do. */
async function linesWhere(
  disk: Disk,
  file: string,
  mayHold: (bytes: Buffer) => boolean | 'sure',
  holds: (record: Readonly<Record<string, unknown>>) => boolean,
): Promise<SourceMessage[]> {
  const stat = await disk.stat(file);
  if (stat?.kind !== 'file') return [];
  const found: SourceMessage[] = [];
  let line = 0;
  await readLines(disk, file, { from: 0, stat }, (bytes, offset) => {
    line += 1;
    const may = mayHold(bytes);
    if (may === 'sure') found.push({ file, line });
    if (may !== true) return;
    const records = parseValues(lineText(bytes, offset)).values as (Readonly<Record<string, unknown>> | null)[];
    if (records.some((record) => record && holds(record))) found.push({ file, line });
  });
  return found;
}
