// The lexical index of a project, kept from one start to the next. A file of it that is damaged, older or another one's
// costs time, never a memory: a line counts only if it is of the file as it is now, what it lacks is read again. Work is
// done in short pieces, so that thousands of memories do not stop an editor. It is never the truth about a memory.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createBreath } from '../breath';
import type { Disk } from '../disk';
import type { Disposable } from '../event';
import { replaceFile } from '../files';
import type { Logger } from '../log';
import { deadlineOf } from '../memory/deadlines';
import type { MemoryHeader } from '../memory/memory';
import type { MemoryStore } from '../memory/memoryStore';
import { type AnalysedMemory, analyse } from './analysedMemory';
import { formatLine, heading, type KeptLine, parseLines } from './keptLine';
import { createLexicalIndex, createPassingIndex, type LexicalHit, type LexicalIndex } from './lexicalIndex';

export interface KeptIndex extends Disposable {
  /** The heads as they are now; while changes are watched for, without a look at the disk. */
  heads(): Promise<readonly MemoryHeader[]>;
  /** As `LexicalIndex.search`, over the memories as they are now. */
  search(query: string, options?: Parameters<LexicalIndex['search']>[1]): Promise<LexicalHit[]>;
  /** When a memory ends by its own words, in milliseconds. Of memories that `search` found. */
  deadline(path: string): number | undefined;
  /** Memories changed, whatever their files' times say: they are read again. Does nothing before the first question. */
  changed(paths: readonly string[] | undefined): void;
}

/** Of each piece of work, at most about so long. */
const pieceMs = 6;
/** Heads are looked at again after this long, in case a change went unnoticed. */
const trustedMs = 60_000;
/** A file with so many outdated lines beyond the good ones is written anew. */
const spareLines = 200;
const readsAtOnce = 16;
/**
 * Who asks once waits no longer than this for what is not in the index yet, and not at all when its process is as old as that: it
 * answers from what is, and the next one goes on from there. A few memories are always read, so that it comes to an end.
 */
const makingMs = 1_500;
const oldestMs = 3_000;
const readAnyway = 64;

/** Lines are read in pieces of about so many characters. */
const pieceLength = 65_536;

/** Opens the index whose file lies in `folder`; nothing is read before the first question. */
export function openKeptIndex(options: {
  readonly folder: string;
  readonly store: Pick<MemoryStore, 'heads' | 'isSettled' | 'read' | 'revision'>;
  /** One question will be asked, and somebody waits for it with the whole process: if need be, for an answer from a part. */
  readonly once?: boolean;
  readonly disk: Disk;
  readonly log: Logger;
}): KeptIndex {
  const { store, disk, log, once = false } = options;
  const file = join(options.folder, 'index.jsonl');
  const index = once ? createPassingIndex() : createLexicalIndex();
  /** Of each memory in the index, the stamp of its file. */
  const stamps = new Map<string, string>();
  const deadlines = new Map<string, number>();
  let lines = 0;
  /** The file ends in half a line: what is added to it would be lost with that. */
  let isCut = false;
  /** It holds lines of memories that are gone: their words go too, at the next chance. */
  let holdsGone = false;
  /** As they stand in the file, from when they were read until they are in the index. */
  let kept: Promise<KeptLine[]> | undefined;
  let isLoaded = false;
  let synced: readonly MemoryHeader[] | undefined;
  let known:
    | { readonly heads: readonly MemoryHeader[]; readonly revision: number | undefined; readonly at: number }
    | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let disposed = false;

  async function heads(): Promise<readonly MemoryHeader[]> {
    const revision = store.revision();
    const isTrusted = known && (once || known.revision === revision) && uptimeMs() - known.at < trustedMs;
    if (known && isTrusted) return known.heads;
    const found = await store.heads(await keptHeads());
    known = revision === undefined && !once ? undefined : { heads: found, revision, at: uptimeMs() };
    return found;
  }

  /** Only where nobody has read them yet. */
  async function keptHeads(): Promise<ReadonlyMap<string, MemoryHeader> | undefined> {
    if (isLoaded) return undefined;
    kept ??= readKept();
    return new Map((await kept).flatMap(({ head }) => (head ? [[head.path, head]] : [])));
  }

  async function sync(): Promise<void> {
    const found = await heads();
    if (found === synced) return;
    const turn = queue.catch(() => {}).then(() => bringUpToDate(found));
    queue = turn;
    await turn;
  }

  async function bringUpToDate(found: readonly MemoryHeader[]): Promise<void> {
    if (found === synced || disposed) return;
    const current = new Map(found.map((head) => [head.path, head]));
    if (!isLoaded) await load(current, await (kept ?? readKept()));
    isLoaded = true;
    kept = undefined;
    const breath = createBreath(pieceMs);
    for (const path of [...stamps.keys()]) {
      if (current.has(path)) continue;
      index.delete(path);
      stamps.delete(path);
      deadlines.delete(path);
      holdsGone = true;
    }
    const outdated = found.filter((head) => stamps.get(head.path) !== stampOf(head));
    const fresh: string[] = [];
    const until = once ? Math.min(uptimeMs() + makingMs, oldestMs) : Number.POSITIVE_INFINITY;
    for (let start = 0; start < outdated.length && !disposed; start += readsAtOnce) {
      if (start >= readAnyway && uptimeMs() > until) break;
      const part = outdated.slice(start, start + readsAtOnce);
      const bodies = await Promise.all(part.map(bodyOf));
      for (const [at, head] of part.entries()) {
        const pause = breath();
        if (pause) await pause;
        const body = bodies[at] ?? '';
        const memory = analyse({ ...head, body });
        const deadline = deadlineOf(`${head.description ?? ''}\n${body}`) ?? 0;
        add(memory, stampOf(head), deadline);
        fresh.push(formatLine(lineOf(head, memory, deadline)));
      }
    }
    synced = found;
    await persist(fresh).catch((error) => log.warn(`The recall index can't be kept: ${String(error)}`));
  }

  function add(memory: AnalysedMemory, stamp: string, deadline: number): void {
    index.set(memory);
    stamps.set(memory.path, stamp);
    if (deadline > 0) deadlines.set(memory.path, deadline);
    else deadlines.delete(memory.path);
  }

  /** A memory that can't be read is still found by its head. */
  async function bodyOf(head: MemoryHeader): Promise<string> {
    try {
      return (await store.read(head.path))?.body ?? '';
    } catch {
      return '';
    }
  }

  async function readKept(): Promise<KeptLine[]> {
    const bytes = await disk.read(file).catch(() => undefined);
    const text = bytes?.toString('utf8') ?? '';
    if (!text.startsWith(`${heading}\n`)) return [];
    const whole = text.lastIndexOf('\n') + 1;
    isCut = whole < text.length;
    const breath = createBreath(pieceMs);
    const found: KeptLine[] = [];
    for (let at = heading.length + 1; at < whole; ) {
      const end = text.indexOf('\n', Math.min(at + pieceLength, whole - 1)) + 1;
      for (const line of parseLines(text.slice(at, end))) {
        lines += 1;
        if (line) found.push(line);
      }
      at = end;
      const pause = breath();
      if (pause) await pause;
    }
    return found;
  }

  async function load(current: ReadonlyMap<string, MemoryHeader>, all: readonly KeptLine[]): Promise<void> {
    const breath = createBreath(pieceMs);
    for (const { memory, mtimeMs, size, deadline } of all) {
      const pause = breath();
      if (pause) await pause;
      const head = current.get(memory.path);
      if (!head) holdsGone = true;
      if (!head || head.mtimeMs !== mtimeMs || head.size !== size) continue;
      add(memory, stampOf(head), deadline);
    }
  }

  const lineOf = (head: MemoryHeader, memory: AnalysedMemory, deadline: number): KeptLine => ({
    mtimeMs: head.mtimeMs,
    size: head.size ?? -1,
    deadline,
    memory,
    head: store.isSettled(head.path) ? head : undefined,
  });

  async function persist(fresh: readonly string[]): Promise<void> {
    if ((fresh.length === 0 && !holdsGone) || disposed) return;
    const isNew = lines === 0;
    lines += fresh.length;
    if (!isNew && !isCut && !holdsGone && lines <= 2 * stamps.size + spareLines) {
      await disk.append(file, Buffer.from(fresh.join('')));
      return;
    }
    const left = isNew ? [] : await keptLines(fresh);
    lines = left.length + fresh.length;
    isCut = false;
    holdsGone = false;
    const temporary = join(options.folder, `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
    await replaceFile(disk, file, Buffer.from(`${heading}\n${left.join('')}${fresh.join('')}`), temporary, {
      mode: 0o600,
    });
  }

  /** The lines on disk that are still of a file as it is, the fresh ones left out. */
  async function keptLines(fresh: readonly string[]): Promise<string[]> {
    const left = new Map<string, string>();
    const breath = createBreath(pieceMs);
    for (const text of (await disk.read(file))?.toString('utf8').split('\n') ?? []) {
      const pause = breath();
      if (pause) await pause;
      const [line] = parseLines(text);
      const isOf = line && stamps.get(line.memory.path) === stampText(line.mtimeMs, line.size);
      if (isOf) left.set(line.memory.path, `${text}\n`);
    }
    for (const text of fresh) left.delete(parseLines(text)[0]?.memory.path ?? '');
    return [...left.values()];
  }

  return {
    heads,
    async search(query, searchOptions) {
      await sync();
      return index.search(query, searchOptions);
    },
    deadline: (path) => deadlines.get(path),
    changed(paths) {
      if (!isLoaded) return;
      for (const path of paths ?? []) if (stamps.has(path)) stamps.set(path, 'changed');
      synced = undefined;
      sync().catch((error) => log.warn(`The recall index: ${String(error)}`));
    },
    dispose() {
      disposed = true;
    },
  };
}

const uptimeMs = (): number => process.uptime() * 1_000;
const stampText = (mtimeMs: number, size: number): string => `${mtimeMs}:${size}`;
const stampOf = (head: MemoryHeader): string => stampText(head.mtimeMs, head.size ?? -1);
