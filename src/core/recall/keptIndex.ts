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
import { type AnalysedMemory, analyse, createLexicalIndex, type LexicalHit, type LexicalIndex } from './lexicalIndex';

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

/** One higher whenever terms are made or written another way: what an older version wrote is then made anew. */
const formatVersion = 2;
const heading = JSON.stringify({ reverie: 'recall index', version: formatVersion });
/** Of each piece of work, at most about so long. */
const pieceMs = 6;
/** Heads are looked at again after this long, in case a change went unnoticed. */
const trustedMs = 60_000;
/** A file with so many outdated lines beyond the good ones is written anew. */
const spareLines = 200;
const readsAtOnce = 16;

type Line = readonly [
  path: string,
  mtimeMs: number,
  size: number,
  name: string,
  keywords: string,
  description: string,
  body: string,
  deadline: number,
];

/** Opens the index whose file lies in `folder`; nothing is read before the first question. */
export function openKeptIndex(options: {
  readonly folder: string;
  readonly store: Pick<MemoryStore, 'heads' | 'read' | 'revision'>;
  /** The one question that will be asked. */
  readonly only?: string;
  readonly disk: Disk;
  readonly log: Logger;
}): KeptIndex {
  const { store, disk, log } = options;
  const file = join(options.folder, 'index.jsonl');
  const index = createLexicalIndex(options.only);
  /** Of each memory in the index, the stamp of its file. */
  const stamps = new Map<string, string>();
  const deadlines = new Map<string, number>();
  let lines = 0;
  /** The file ends in half a line: what is added to it would be lost with that. */
  let isCut = false;
  /** It holds lines of memories that are gone: their words go too, at the next chance. */
  let holdsGone = false;
  let isLoaded = false;
  let synced: readonly MemoryHeader[] | undefined;
  let known: { readonly heads: readonly MemoryHeader[]; readonly revision: number; readonly at: number } | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let disposed = false;

  async function heads(): Promise<readonly MemoryHeader[]> {
    const revision = store.revision();
    const isTrusted = known && known.revision === revision && performance.now() - known.at < trustedMs;
    if (known && isTrusted) return known.heads;
    const found = await store.heads();
    known = revision === undefined ? undefined : { heads: found, revision, at: performance.now() };
    return found;
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
    if (!isLoaded) await load(current);
    isLoaded = true;
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
    for (let start = 0; start < outdated.length && !disposed; start += readsAtOnce) {
      const part = outdated.slice(start, start + readsAtOnce);
      const bodies = await Promise.all(part.map(bodyOf));
      for (const [at, head] of part.entries()) {
        await breath();
        const body = bodies[at] ?? '';
        const memory = analyse({ ...head, body });
        const deadline = deadlineOf(`${head.description ?? ''}\n${body}`) ?? 0;
        add(memory, stampOf(head), deadline);
        fresh.push(formatLine(head, memory, deadline));
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

  async function load(current: ReadonlyMap<string, MemoryHeader>): Promise<void> {
    const bytes = await disk.read(file).catch(() => undefined);
    const text = bytes?.toString('utf8') ?? '';
    if (!text.startsWith(`${heading}\n`)) return;
    const breath = createBreath(pieceMs);
    for (let at = heading.length + 1; at < text.length; ) {
      const end = text.indexOf('\n', at);
      isCut = end === -1;
      if (isCut) break;
      const line = parseLine(text.slice(at, end));
      at = end + 1;
      lines += 1;
      await breath();
      const head = line && current.get(line[0]);
      if (line && !head) holdsGone = true;
      if (!line || !head || stampOf(head) !== stampText(line[1], line[2])) continue;
      const [path, , , name, keywords, description, body, deadline] = line;
      add({ path, name, keywords, description, body }, stampOf(head), deadline);
    }
  }

  async function persist(fresh: readonly string[]): Promise<void> {
    if ((fresh.length === 0 && !holdsGone) || disposed) return;
    const isNew = lines === 0;
    lines += fresh.length;
    if (!isNew && !isCut && !holdsGone && lines <= 2 * stamps.size + spareLines) {
      await disk.append(file, Buffer.from(fresh.join('')));
      return;
    }
    const kept = isNew ? [] : await keptLines(fresh);
    lines = kept.length + fresh.length;
    isCut = false;
    holdsGone = false;
    const temporary = join(options.folder, `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
    await replaceFile(disk, file, Buffer.from(`${heading}\n${kept.join('')}${fresh.join('')}`), temporary, {
      mode: 0o600,
    });
  }

  /** The lines on disk that are still of a file as it is, the fresh ones left out. */
  async function keptLines(fresh: readonly string[]): Promise<string[]> {
    const kept = new Map<string, string>();
    const breath = createBreath(pieceMs);
    for (const text of (await disk.read(file))?.toString('utf8').split('\n') ?? []) {
      await breath();
      const line = parseLine(text);
      if (line && stamps.get(line[0]) === stampText(line[1], line[2])) kept.set(line[0], `${text}\n`);
    }
    for (const text of fresh) kept.delete((JSON.parse(text) as Line)[0]);
    return [...kept.values()];
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

const stampText = (mtimeMs: number, size: number): string => `${mtimeMs}:${size}`;
const stampOf = (head: MemoryHeader): string => stampText(head.mtimeMs, head.size ?? -1);

function formatLine(head: MemoryHeader, memory: AnalysedMemory, deadline: number): string {
  const { path, name, keywords, description, body } = memory;
  const line: Line = [path, head.mtimeMs, head.size ?? -1, name, keywords, description, body, deadline];
  return `${JSON.stringify(line)}\n`;
}

function parseLine(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    const kinds = ['string', 'number', 'number', 'string', 'string', 'string', 'string', 'number'];
    if (!Array.isArray(line) || line.length !== kinds.length) return undefined;
    return line.every((part, at) => typeof part === kinds[at]) ? (line as unknown as Line) : undefined;
  } catch {
    return undefined;
  }
}
