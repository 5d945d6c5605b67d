// Where memories lie: lists their heads, reads them, tells when they change. Every `.md` file is listed, none is hidden
// for being many, damaged or out of reach: what is wrong with it is its problem. Reading changes nothing on disk, and
// what a link would fetch from outside the folder is never read.

import { isUtf8 } from 'node:buffer';
import { join, sep } from 'node:path';
import type { Disk, FileStat, RangeRead } from '../disk';
import { createEmitter, type Disposable, type Event } from '../event';
import { type Folder, isWithin, openFolder } from '../files';
import type { Logger } from '../log';
import { MemoryError } from '../memoryError';
import { findBlock, openingEnd } from './frontBlock';
import { type Memory, type MemoryHeader, type MemoryProblem, parseHead, parseMemory } from './memory';
import { indexPaths, isIndexPath, type MemoryScope } from './memoryPaths';
import { createMemoryWatch, isHiddenName, isMarkdownName, type WatchedRoot } from './memoryWatch';
import { teamRefusalsIn } from './teamEntries';

export interface MemoryChange {
  /** Memory paths, indexes included; absent when it is not known which. */
  readonly paths?: readonly string[];
}

export interface MemoryStore extends Disposable {
  /**
   * Every memory, newest first, those of one time by path. Files that did not change since the last call are not read
   * again. A memory folder that is absent holds none; one that can't be listed rejects with the system's error. `kept`, by
   * path, are heads of an earlier process: one counts for a file that has its time and size and was not read in this one.
   */
  heads(kept?: ReadonlyMap<string, MemoryHeader>): Promise<readonly MemoryHeader[]>;
  /** Whether the head of a memory, as the last scan gave it, stays so as long as its file has this time and size. */
  isSettled(path: string): boolean;
  /** `undefined` when there is no such memory; an index is none. Throws `not_text`, `too_large`, `outside`, `bad_path`. */
  read(path: string): Promise<Memory | undefined>;
  /** The text of a memory or an index, byte order mark and line ends included. Throws as `read` does. */
  readText(path: string): Promise<string | undefined>;
  /** The text of `MEMORY.md`, however its name is spelled there. */
  index(scope: MemoryScope): Promise<string | undefined>;
  /** Confined to the private folder, or to the team's. */
  folder(scope: MemoryScope): Folder;
  /** Which folder holds a memory path, and under which name: an index under the name it has on disk. */
  locate(path: string): Promise<{ readonly folder: Folder; readonly relative: string }>;
  /** Own changes and those of others, gathered for a tenth of a second. The first listener starts the watching. */
  readonly onDidChange: Event<MemoryChange>;
  /** Tells of files that we wrote ourselves. */
  changed(paths?: readonly string[]): void;
  /** Resolves when changes are being watched for. */
  watch(): Promise<void>;
  /** A number that is another one after each change that was noticed; `undefined` where changes may go unnoticed. */
  revision(): number | undefined;
}

const headLines = 30;
const headBytes = 4096;
/** A head of 30 lines may be longer than one read; beyond this its lines are no longer read to their end. */
const longHeadBytes = 65_536;
const largestBytes = 1_048_576;
const readsAtOnce = 16;
/** A file this young may change again without a new modification time: some file systems count in steps of two seconds. */
const settleMs = 2_000;

interface FoundFile {
  readonly path: string;
  readonly absolute: string;
  readonly kind: FileStat['kind'];
  readonly realRoot: string;
  /** Of the team's: why it can't be a memory, whatever is in it. */
  readonly refused?: string | undefined;
}

interface Head {
  readonly header: MemoryHeader;
  /** As it was read. Absent when the head may be another one tomorrow although the file is the same. */
  readonly stat?: Stamp | undefined;
}

/** What tells whether a file is as it was; the inode is not known of what another process has read. */
type Stamp = Pick<FileStat, 'mtimeMs' | 'size'> & Partial<Pick<FileStat, 'inode'>>;

/**
 * Opens the memories of a project. `roots.team` mounts a folder from elsewhere as `team/…`; without it `team/` is the
 * folder of that name below the private one. Neither need exist. Nothing is read before it is asked for.
 */
export function openMemoryStore(options: {
  readonly roots: { readonly private: string; readonly team?: string };
  /** What is wrong with the whole text of a team memory, beyond what its head tells. Without it, nothing is looked for. */
  readonly auditTeam?: (path: string, text: string) => Promise<MemoryProblem | undefined>;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}): MemoryStore {
  const { roots, auditTeam, disk, now, log } = options;
  const privateFolder = openFolder(roots.private, disk);
  const teamFolder = roots.team === undefined ? belowFolder(privateFolder, 'team') : openFolder(roots.team, disk);
  const scanned: WatchedRoot[] = [
    // Daily logs are no memories; a team folder inside is hidden by the one that is mounted over it.
    { folder: roots.private, prefix: '', skipped: roots.team === undefined ? ['logs'] : ['logs', 'team'] },
    ...(roots.team === undefined ? [] : [{ folder: roots.team, prefix: 'team/', skipped: [] }]),
  ];
  let scan: { readonly heads: ReadonlyMap<string, Head>; readonly headers: readonly MemoryHeader[] } = {
    heads: new Map(),
    headers: [],
  };

  const changes = createEmitter<MemoryChange>((error) => log.error(error instanceof Error ? error : String(error)));
  const watching = createMemoryWatch({
    roots: scanned,
    disk,
    log,
    fire: (paths) => changes.fire(paths === undefined ? {} : { paths }),
  });
  let watched: Promise<void> | undefined;

  function watch(): Promise<void> {
    watched ??= watching.sync();
    return watched;
  }

  async function scanMemoryFiles(kept?: ReadonlyMap<string, MemoryHeader>): Promise<readonly MemoryHeader[]> {
    const files = (await Promise.all(scanned.map((root) => findFiles(root)))).flat();
    const known = scan;
    const heads = await readAll(files, (path) => known.heads.get(path) ?? keptHead(kept?.get(path)));
    const changed =
      files.length !== known.heads.size ||
      files.some((file, at) => heads[at] === undefined || heads[at] !== known.heads.get(file.path));
    if (!changed) return known.headers;
    await otherWork();
    const next = new Map<string, Head>();
    for (const [at, file] of files.entries()) {
      const head = heads[at];
      if (head) next.set(file.path, head);
    }
    const headers = Array.from(next.values(), (head) => head.header);
    headers.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1));
    scan = { heads: next, headers };
    return headers;
  }

  async function readAll(files: readonly FoundFile[], knownOf: (path: string) => Head | undefined) {
    const heads: (Head | undefined)[] = new Array(files.length);
    const unread: number[] = [];
    const others: number[] = [];
    for (const [at, file] of files.entries()) {
      const isNew = file.kind === 'file' && file.refused === undefined && knownOf(file.path)?.stat === undefined;
      (isNew ? unread : others).push(at);
    }
    await eachOf(others, async (at, file) => {
      const head = await withoutReading(file, knownOf(file.path));
      if (head === 'read') unread.push(at);
      else heads[at] = head;
    });
    const long: number[] = [];
    const team: { readonly at: number; readonly found: RangeRead }[] = [];
    const failures = new Map<number, unknown>();
    const paths = unread.map((at) => files[at]?.absolute ?? '');
    // Parsed as they come: of ten thousand, each step and each object that is kept for later takes its time.
    await disk.readStarts(paths, headBytes, (place, found, failure) => {
      const at = unread[place] ?? 0;
      const file = files[at];
      if (failure !== undefined) failures.set(at, failure);
      else if (file && found && auditTeam && isTeam(file.path))
        team.push({ at, found: { ...found, bytes: Buffer.from(found.bytes) } });
      else if (file && found && goesOn(found)) long.push(at);
      else if (file && found) heads[at] = parsed(file, found);
    });
    await eachOf(long, async (at, file) => {
      const found = await disk.readRange(file.absolute, 0, longHeadBytes);
      heads[at] = found && parsed(file, found);
    });
    for (const [turn, { at, found }] of team.entries()) {
      if (turn % 20 === 19) await otherWork();
      const file = files[at];
      if (file) heads[at] = await audited(file, found).catch((error) => unreadableHead(file, error));
    }
    await eachOf([...failures.keys()], async (at, file) => {
      heads[at] = await unreadableHead(file, failures.get(at));
    });
    return heads;

    async function eachOf(which: readonly number[], work: (at: number, file: FoundFile) => Promise<void>) {
      let position = 0;
      async function workOn(): Promise<void> {
        for (let next = position++; next < which.length; next = position++) {
          const at = which[next] ?? 0;
          const file = files[at];
          if (!file) continue;
          try {
            await work(at, file);
          } catch (error) {
            heads[at] = await unreadableHead(file, error);
          }
        }
      }
      await Promise.all(Array.from({ length: readsAtOnce }, workOn));
    }
  }

  async function findFiles(root: WatchedRoot): Promise<FoundFile[]> {
    const realRoot = await disk.realpath(root.folder);
    if (realRoot === undefined) return [];
    const files: FoundFile[] = [];
    const links: FoundFile[] = [];
    async function walk(folder: string, prefix: string): Promise<void> {
      const entries = (await disk.list(folder)) ?? [];
      await otherWork();
      const refusals = isTeam(prefix) ? teamRefusalsIn(entries, prefix.slice('team/'.length)) : undefined;
      for (const { name, kind } of entries) {
        const refused = refusals?.get(name);
        if (refused === undefined && isHiddenName(name)) continue;
        if (prefix === root.prefix && root.skipped.includes(name)) continue;
        const absolute = folder + sep + name;
        const path = prefix + name;
        if (refused !== undefined || (refusals && kind === 'link' && !isMarkdownName(name))) {
          links.push({ path, absolute, kind, realRoot: realRoot ?? folder, refused });
        } else if (kind === 'folder') {
          // A folder that can't be entered must not hide the others.
          await walk(absolute, `${path}/`).catch((error) => log.warn(`Listing a memory folder: ${String(error)}`));
        } else if (isMarkdownName(name) && !isIndexPath(name)) {
          (kind === 'link' ? links : files).push({ path, absolute, kind, realRoot: realRoot ?? folder });
        }
      }
    }
    await walk(realRoot, root.prefix);
    const listed = new Set(links.length === 0 ? [] : files.map((file) => file.absolute));
    for (const link of links) {
      if (link.refused !== undefined || !isMarkdownName(link.path)) {
        files.push({ ...link, refused: link.refused ?? (await linkRule(link)) });
        continue;
      }
      const target = await disk.realpath(link.absolute).catch(() => undefined);
      // A second name for a listed file is no second memory: tidying it away would remove the only one.
      if (target === undefined || !listed.has(target)) files.push(link);
    }
    return files;
  }

  /** Where a link leads that has not the name of a memory: none is followed. */
  async function linkRule({ absolute, realRoot }: FoundFile): Promise<string> {
    try {
      const target = await disk.realpath(absolute);
      if (target === undefined) return 'link_nowhere';
      return isWithin(realRoot, target) ? 'link_folder' : 'link_outside';
    } catch {
      return 'link_loop';
    }
  }

  /** What can be said of a file without reading it; `undefined` when it is gone. */
  async function withoutReading(file: FoundFile, before: Head | undefined): Promise<Head | 'read' | undefined> {
    if (file.refused !== undefined)
      return { header: problemHead(file.path, 0, { kind: 'refused', detail: file.refused }) };
    if (file.kind === 'link') {
      const target = await disk.realpath(file.absolute);
      if (target === undefined) return { header: problemHead(file.path, 0, unreadable('it is a link to nowhere')) };
      if (!isWithin(file.realRoot, target)) return { header: problemHead(file.path, 0, { kind: 'link_outside' }) };
      if ((await disk.stat(target))?.kind !== 'file') return notAFile(file.path);
    } else if (file.kind !== 'file') {
      return notAFile(file.path);
    }
    return before?.stat ? asBefore(await disk.stat(file.absolute), before) : 'read';
  }

  /** The whole file, for a problem that its head need not show. */
  async function audited(file: FoundFile, head: RangeRead): Promise<Head> {
    const { stat } = head;
    const whole = head.bytes.length >= stat.size || stat.size > largestBytes;
    const read = whole ? head : await disk.readRange(file.absolute, 0, largestBytes);
    const isText = read !== undefined && read.stat.size <= largestBytes && isUtf8(read.bytes);
    const problem = isText ? await auditTeam?.(file.path, read.bytes.toString('utf8')) : undefined;
    return parsed(file, read ?? head, problem);
  }

  async function unreadableHead(file: FoundFile, error: unknown): Promise<Head> {
    const { code } = error as NodeJS.ErrnoException;
    const stat = await disk.lstat(file.absolute).catch(() => undefined);
    return { header: problemHead(file.path, stat?.mtimeMs ?? 0, unreadable(code ?? String(error))) };
  }

  function parsed(file: FoundFile, read: RangeRead, fault?: MemoryProblem): Head {
    const { bytes, stat } = read;
    const text = textOf(read);
    const end = text === undefined ? undefined : endOfLines(text);
    const time = now();
    const { header, changesWithTime } = parseHead(
      file.path,
      text?.slice(0, end) ?? '',
      stat.mtimeMs,
      time,
      end !== undefined || bytes.length < stat.size,
    );
    const problem: MemoryProblem | undefined =
      text === undefined ? { kind: 'not_text' } : stat.size > largestBytes ? { kind: 'too_large' } : fault;
    const isSettled = !changesWithTime && stat.mtimeMs < time - settleMs;
    // Nobody else has it yet: a copy of each of ten thousand would be seen.
    Object.assign(header, { size: stat.size }, problem && { problem });
    return { header, stat: isSettled ? stat : undefined };
  }

  const isTeam = (path: string): boolean => path.startsWith('team/');

  async function locate(path: string): Promise<{ folder: Folder; relative: string }> {
    const mounted = roots.team !== undefined && isTeam(path);
    const folder = mounted ? teamFolder : privateFolder;
    const relative = mounted ? path.slice('team/'.length) : path;
    if (!isIndexPath(path) || (await folder.stat(relative))) return { folder, relative };
    const slash = relative.lastIndexOf('/') + 1;
    const entries = await disk.list(slash === 0 ? folder.root : await folder.locate(relative.slice(0, slash - 1)));
    const spelled = entries?.map((entry) => entry.name).find(isIndexPath);
    return { folder, relative: spelled === undefined ? relative : relative.slice(0, slash) + spelled };
  }

  async function readFile(path: string) {
    const { folder, relative } = await locate(path);
    const stat = await folder.stat(relative);
    if (stat && stat.size > largestBytes) {
      throw new MemoryError('too_large', `“${path}” is larger than a memory can be (1 MB).`, path);
    }
    return stat && folder.read(relative);
  }

  return {
    heads: scanMemoryFiles,
    isSettled: (path) => scan.heads.get(path)?.stat !== undefined,
    async read(path) {
      if (isIndexPath(path) || !isMarkdownName(path)) return undefined;
      const file = await readFile(path);
      if (!file) return undefined;
      const memory = parseMemory(path, file.text, file.stat.mtimeMs, now());
      const problem = isTeam(path) ? await auditTeam?.(path, file.text) : undefined;
      return problem ? { ...memory, problem } : memory;
    },
    readText: async (path) => (await readFile(path))?.text,
    index: async (scope) => (await readFile(indexPaths[scope]))?.text,
    folder: (scope) => (scope === 'team' ? teamFolder : privateFolder),
    locate,
    onDidChange(listener) {
      watch().catch((error) => log.warn(`Watching the memory folder: ${String(error)}`));
      return changes.event(listener);
    },
    changed: watching.changed,
    watch,
    revision: watching.revision,
    dispose() {
      watching.dispose();
      changes.dispose();
    },
  };
}

/** Lets whatever else waits take its turn: thousands of files must not stop the editor. */
const otherWork = () => new Promise<void>((resolve) => setImmediate(resolve));

const unreadable = (detail: string): MemoryProblem => ({ kind: 'unreadable', detail });

const notAFile = (path: string) => ({ header: problemHead(path, 0, unreadable('it is not a file')) });

/** The head of a file whose content is unknown. */
function problemHead(path: string, mtimeMs: number, problem: MemoryProblem): MemoryHeader {
  return { ...parseHead(path, '', mtimeMs, mtimeMs).header, problem };
}

const isSame = (a: FileStat, b: Stamp): boolean =>
  a.mtimeMs === b.mtimeMs && a.size === b.size && (b.inode === undefined || a.inode === b.inode);

const asBefore = (stat: FileStat | undefined, before: Head): Head | 'read' | undefined =>
  stat && (before.stat && isSame(stat, before.stat) ? before : 'read');

function keptHead(header: MemoryHeader | undefined): Head | undefined {
  if (header?.size === undefined) return undefined;
  return { header, stat: { mtimeMs: header.mtimeMs, size: header.size } };
}

/**
 * The text of a file's first bytes, or `undefined` when they are no text. A character that is cut at the end is left
 * out, and what stands below the front matter is not even decoded: thousands of headers would keep all of it in memory.
 */
function textOf({ bytes, stat }: RangeRead): string | undefined {
  const whole = bytes.length < stat.size ? wholeCharacters(bytes) : bytes;
  if (!isUtf8(whole) || whole.includes(0)) return undefined;
  const end = whole.includes(conflictMark) ? -1 : whole.indexOf(lineFeed, whole.indexOf(closingDashes, 3) + 1);
  if (end !== -1) {
    const head = whole.toString('utf8', 0, end + 1);
    if (findBlock(head)) return head;
  }
  return whole.toString('utf8');
}

const lineFeed = 0x0a;
const closingDashes = Buffer.from('\n---');
const conflictMark = Buffer.from('<<<<<<<');

/** The offset behind the lines that a head may have, or `undefined` when there are fewer. */
function endOfLines(text: string): number | undefined {
  let at = -1;
  for (let line = 0; line < headLines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return undefined;
  }
  return at + 1;
}

/** Whether what was read opens a front matter block that closes neither in it nor within the lines of a head. */
function goesOn(head: RangeRead): boolean {
  if (head.bytes.length >= head.stat.size) return false;
  const text = textOf(head);
  return (
    text !== undefined &&
    endOfLines(text) === undefined &&
    openingEnd(text) !== undefined &&
    findBlock(text) === undefined
  );
}

/** Without a character that was cut at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

/** A folder inside a confined folder, under the same confinement. */
function belowFolder(folder: Folder, name: string): Folder {
  const below = (path: string): string => `${name}/${path}`;
  return {
    root: join(folder.root, name),
    locate: (path) => folder.locate(below(path)),
    read: (path) => folder.read(below(path)),
    stat: (path) => folder.stat(below(path)),
    write: (path, text, options) => folder.write(below(path), text, options),
    remove: (path) => folder.remove(below(path)),
    setModified: (path, mtimeMs) => folder.setModified(below(path), mtimeMs),
    temporaryFor: (path, tag) => folder.temporaryFor(below(path), tag),
  };
}
