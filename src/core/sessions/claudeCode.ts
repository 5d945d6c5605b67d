// Claude Code's transcripts as a source of sessions: lists them, and reads what was said after a position.
// It promises to read new bytes once, at most 64 KB besides, and to notice when a file is no longer the one it was.
// Subagents' files are no sessions, another product's file is `foreign`, and nothing is ever written.

import { basename, dirname, join } from 'node:path';
import type { Disk, FileStat } from '../disk';
import { sha256 } from '../files';
import { createReading } from './claudeCodeReading';
import { isClaudeCodeRecord, isSubagentFile } from './claudeCodeRecords';
import { skimRecord } from './claudeCodeSkim';
import { isObject, type JsonObject } from './json';
import { gone, lineText, longestLine, parseValues, readLines, readSame } from './jsonLines';
import { formatOf } from './sessionSummary';
import type { Session, TranscriptPosition, TranscriptReading, TranscriptSource } from './transcript';

const sessionName = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/i;

/** Bytes of a position's fingerprint. */
const fingerprintBytes = 4096;
/** How far a reading looks back for what the assistant said last and whether a turn is open. */
const lookBackBytes = 32 * 1024;
/** How far into the file a reading of new bytes looks for a title. */
const headBytes = 16 * 1024;
/** A file that shows no record of Claude Code within this is another product's. */
const sniffBytes = 4 * 1024 * 1024;
const statsAtOnce = 16;

/**
 * `folders`: the transcript folders that belong to the repository, existing or not; asked anew for each listing.
 * `isOther`: whether a session that was started in `cwd` and lies in `folder` is another project's, whose folder has the
 * same name; it is taken for `foreign`.
 */
export function openClaudeCode(options: {
  readonly folders: () => Promise<readonly string[]>;
  readonly disk: Disk;
  readonly isOther?: (cwd: string, folder: string) => Promise<boolean>;
}): TranscriptSource {
  const { disk } = options;
  const kinds = new Map<string, { readonly inode: number; readonly kind: Session['kind'] }>();

  async function sessionOf(file: string, since: number): Promise<Session | undefined> {
    const stat = await disk.stat(file);
    if (stat?.kind !== 'file' || stat.mtimeMs <= since) return undefined;
    const kind = await kindOf(file, stat);
    return { kind, id: basename(file, '.jsonl'), file, size: stat.size, modifiedAt: stat.mtimeMs };
  }

  async function kindOf(file: string, stat: FileStat): Promise<Session['kind']> {
    const known = kinds.get(file);
    if (known?.inode === stat.inode) return known.kind;
    const found = await sniff(disk, file, stat).catch(() => undefined);
    const isOthers = found?.cwd !== undefined && (await options.isOther?.(found.cwd, dirname(file)));
    const kind = isOthers ? 'foreign' : found?.kind;
    // A young file may hold nothing yet that tells; it is asked again.
    if (kind !== undefined) kinds.set(file, { inode: stat.inode, kind });
    return kind ?? 'foreign';
  }

  return {
    async list(since) {
      const files: string[] = [];
      for (const folder of new Set(await options.folders())) {
        for (const entry of (await disk.list(folder)) ?? []) {
          if (entry.kind === 'file' && sessionName.test(entry.name)) files.push(join(folder, entry.name));
        }
      }
      const sessions: Session[] = [];
      for (let at = 0; at < files.length; at += statsAtOnce) {
        const some = await Promise.all(files.slice(at, at + statsAtOnce).map((file) => sessionOf(file, since)));
        for (const session of some) if (session) sessions.push(session);
      }
      return sessions.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.file < b.file ? -1 : 1));
    },
    async find(file) {
      if (!sessionName.test(basename(file)) || isSubagentFile(file)) return undefined;
      return await sessionOf(file, Number.NEGATIVE_INFINITY);
    },
    read: (session, after, signal, until) => readTranscript(disk, session.file, after, signal, until?.offset),
  };
}

/**
 * What a file is and where its session was started, by its first records; undefined when they don't tell. Reads 8 KB in
 * nearly every case.
 */
async function sniff(
  disk: Disk,
  file: string,
  stat: FileStat,
): Promise<{ readonly kind: Session['kind']; readonly cwd?: string } | undefined> {
  for (let length = 8 * 1024; ; length *= 8) {
    const bytes = await readSame(disk, file, 0, Math.min(length, stat.size), stat);
    let isOurs = false;
    for (const record of recordsIn(bytes, 0)) {
      isOurs ||= isClaudeCodeRecord(record);
      if (isOurs && typeof record.cwd === 'string') return { kind: 'claude-code', cwd: record.cwd };
      if (!isOurs && formatOf(record) !== undefined) return { kind: 'foreign' };
    }
    if (isOurs) return { kind: 'claude-code' };
    if (length >= stat.size) return undefined;
    if (length >= sniffBytes) return { kind: 'foreign' };
  }
}

/** Objects in a piece of a file that begins at a line's start; what is cut off at its end yields none. */
function* recordsIn(bytes: Buffer, offset: number): Generator<JsonObject> {
  for (let from = 0; from < bytes.length; ) {
    const lf = bytes.indexOf(0x0a, from);
    const end = lf < 0 ? bytes.length : lf;
    for (const value of parseValues(lineText(bytes.subarray(from, end), offset + from)).values) {
      if (isObject(value)) yield value;
    }
    from = end + 1;
  }
}

interface LookBack {
  /** Where new lines begin; 0 and `restarted` when the file is another than the position's. */
  readonly offset: number;
  readonly restarted: boolean;
  /** Whole lines before `offset`, at most 32 KB. */
  readonly earlier: Buffer;
}

const nothingEarlier = Buffer.alloc(0);

/** Reads what a file says after a position, or all of it; what `TranscriptSource.read` promises. */
export async function readTranscript(
  disk: Disk,
  file: string,
  after?: TranscriptPosition,
  signal?: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<TranscriptReading> {
  let bytesRead = 0;
  const counting: Disk = {
    ...disk,
    async readRange(path, from, length) {
      const found = await disk.readRange(path, from, length);
      bytesRead += found?.bytes.length ?? 0;
      return found;
    },
  };
  signal?.throwIfAborted();
  const found = await disk.stat(file);
  if (found?.kind !== 'file') throw gone(file);
  const stat = { ...found, size: Math.min(found.size, until) };

  const start = await lookBack(counting, file, after, stat);
  const isPartial = start.offset > 0;
  const reading = createReading({ whole: !isPartial, title: start.restarted ? undefined : after?.title });
  for (const record of recordsIn(start.earlier, start.offset - start.earlier.length)) reading.addEarlier(record);

  let offset = start.offset;
  let messagesEnd = offset;
  const isSubagent = isSubagentFile(file);
  const add = (record: JsonObject, lineOffset: number, end: number): void => {
    if (!isSubagent && reading.add(record, lineOffset)) messagesEnd = end;
  };
  await readLines(counting, file, { from: offset, stat, signal }, (bytes, lineOffset, end, hasEnd) => {
    const skimmed = hasEnd ? skimRecord(bytes) : undefined;
    if (skimmed) {
      offset = end;
      add(skimmed, lineOffset, end);
      return;
    }
    const { values, hasFragment } = parseValues(lineText(bytes, lineOffset));
    // Without its LF only a whole object is a line: a cut one would otherwise be passed over for good.
    if (!hasEnd && (hasFragment || !isObject(values.at(-1)))) return;
    offset = end;
    for (const value of values) if (isObject(value)) add(value, lineOffset, end);
  });

  if (reading.wantsHead()) {
    const head = await readSame(counting, file, 0, Math.min(headBytes, start.offset), stat);
    for (const record of recordsIn(head, 0)) reading.addHead(record);
  }
  const fingerprint = await fingerprintAt(counting, file, offset, stat);
  const { messages, previousAssistant, sealedBy, cwd, title } = reading.finish(stat.mtimeMs);
  const lastMessageUuid = messages.at(-1)?.uuid ?? (start.restarted ? undefined : after?.lastMessageUuid);
  return {
    messages,
    position: {
      offset,
      fingerprint,
      ...(lastMessageUuid === undefined ? {} : { lastMessageUuid }),
      ...(title ? { title } : {}),
    },
    restarted: start.restarted,
    previousAssistant,
    turnEnded: sealedBy !== undefined,
    sealedBy,
    messagesEnd,
    bytesRead,
    ...(cwd === undefined ? {} : { cwd }),
    ...(title ? { title: title.text } : {}),
  };
}

async function lookBack(
  disk: Disk,
  file: string,
  after: TranscriptPosition | undefined,
  stat: FileStat,
): Promise<LookBack> {
  const again = { offset: 0, restarted: true, earlier: nothingEarlier };
  if (!after || after.offset <= 0) return { ...again, restarted: false };
  const isBare = after.fingerprint === '';
  if (stat.size < after.offset && !isBare) return again;
  // Of a bare size nothing is known but that all before it is past: a file that shrank is past as a whole.
  const offset = Math.min(after.offset, stat.size);
  for (let length = lookBackBytes; ; length *= 8) {
    const from = Math.max(0, offset - length);
    const window = await readSame(disk, file, from, offset - from, stat);
    if (!isBare && sha256(window.subarray(-fingerprintBytes)) !== after.fingerprint) return again;
    const lineStart = window.lastIndexOf(0x0a) + 1;
    const lastLine = window.subarray(lineStart);
    // A size that was noted while a line was being written: the line counts as new.
    const isTorn = isBare && lastLine.length > 0 && parseValues(lineText(lastLine, from + lineStart)).hasFragment;
    if (isTorn && lineStart === 0 && from > 0 && length < longestLine) continue;
    const end = isTorn ? lineStart : window.length;
    const firstStart = from === 0 ? 0 : window.indexOf(0x0a) + 1;
    const hasLines = firstStart > 0 || from === 0;
    const earlier = hasLines && firstStart < end ? window.subarray(firstStart, end) : nothingEarlier;
    return { offset: from + end, restarted: false, earlier };
  }
}

async function fingerprintAt(disk: Disk, file: string, offset: number, stat: FileStat): Promise<string> {
  if (offset === 0) return '';
  const from = Math.max(0, offset - fingerprintBytes);
  return sha256(await readSame(disk, file, from, offset - from, stat));
}
