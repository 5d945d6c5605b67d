// Confined folders, whole-file writes and small JSON files: the only copies of each in the house.
// A `Folder` never reads or writes outside its real root, whatever links, encodings or odd names lie on the way; when it
// can't tell, it refuses. A write is a new file beside the old one, flushed, then renamed: a reader sees old or new.

import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join, sep } from 'node:path';
import type { Disk, FileStat } from './disk';
import { MemoryError } from './memoryError';

export interface TextFile {
  /** As on disk: a byte order mark and the line ends are kept. */
  readonly text: string;
  readonly stat: FileStat;
}

export interface WriteOptions {
  readonly tag?: string;
  readonly mtimeMs?: number;
  readonly isStillRight?: () => Promise<boolean>;
}

export interface Folder {
  /** As given; it may be a link, and it need not exist yet. */
  readonly root: string;
  /** The real absolute path of an entry, which need not exist. Throws `MemoryError` `bad_path` or `outside`. */
  locate(path: string): Promise<string>;
  /** `undefined` when there is no such file. Throws `not_text` for bytes that are not UTF-8. */
  read(path: string): Promise<TextFile | undefined>;
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * Replaces or creates the whole file. `tag` names the temporary file, so that a journal can find it after a crash;
   * `mtimeMs` is the time it gets instead of now. `isStillRight` is asked right before the rename: when it says no, the old
   * file stays and `changed` is thrown.
   */
  write(path: string, text: string, options?: WriteOptions): Promise<void>;
  remove(path: string): Promise<void>;
  setModified(path: string, mtimeMs: number): Promise<void>;
  /** Where `write` puts its temporary file for this path and tag. */
  temporaryFor(path: string, tag: string): Promise<string>;
}

const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)( *\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** Names of the rules that a path of ours keeps; stable, and fit to be shown. */
export type PathRule =
  | 'empty'
  | 'too_long'
  | 'control_character'
  | 'backslash'
  | 'absolute'
  | 'encoded_separator'
  | 'leaves_folder'
  | 'device_name'
  | 'odd_name';

export interface PathFault {
  readonly rule: PathRule;
  /** The end of a sentence. */
  readonly why: string;
}

/** Why a relative path can't be one of ours, in words; `undefined` when it can. See `pathFault`. */
export const pathProblem = (path: string, creating = false): string | undefined => pathFault(path, creating)?.why;

/**
 * Why a relative path can't be one of ours, or `undefined` when it can. Lexical only: no look at the disk.
 * `creating` adds what must not be made anew although it may be met: names that another system can't hold.
 */
export function pathFault(path: string, creating = false): PathFault | undefined {
  const fault = (rule: PathRule, why: string): PathFault => ({ rule, why });
  if (path === '') return fault('empty', 'it is empty or too long');
  if (path.length > 1024) return fault('too_long', 'it is empty or too long');
  if (controlCharacter.test(path)) return fault('control_character', 'it holds a control character');
  if (path.includes('\\')) return fault('backslash', 'it holds a backslash');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return fault('absolute', 'it is absolute');
  // What another program would decode to a separator or a parent folder is refused in every spelling.
  const spellings = [path, path.normalize('NFKC'), decoded(path), decoded(path).normalize('NFKC')];
  const segments = path.split('/');
  const encoded = fault('encoded_separator', 'it holds an encoded separator');
  for (const spelling of spellings) {
    if (spelling.includes('\\') || spelling.includes('\0')) return encoded;
    const parts = spelling.split('/');
    if (parts.length !== segments.length) return encoded;
    if (parts.some((part) => part === '' || part === '.' || part === '..'))
      return fault('leaves_folder', 'it leaves its folder');
  }
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > 255) return fault('too_long', 'a name in it is too long');
    if (!creating) continue;
    if (deviceName.test(segment)) return fault('device_name', 'it is the name of a device');
    if (/[. ]$/.test(segment) || /[<>:"|?*]/.test(segment))
      return fault('odd_name', 'another system can not hold that name');
  }
  return undefined;
}

function decoded(path: string): string {
  let text = path;
  for (let round = 0; round < 3; round += 1) {
    const next = text.replace(/%(2e|2f|5c|00|25)/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === text) break;
    text = next;
  }
  return text;
}

const refuse = (path: string, why: string) => new MemoryError('outside', `“${path}” leads outside: ${why}.`, path);

/** Opens a folder to which everything is confined. Nothing is created until the first write. */
export function openFolder(root: string, disk: Disk): Folder {
  function checkName(path: string, creating: boolean): void {
    const problem = pathProblem(path, creating);
    if (problem) throw new MemoryError('bad_path', `“${path}” can't be used as a path: ${problem}.`, path);
  }

  async function locate(path: string): Promise<string> {
    checkName(path, false);
    try {
      return await walk(path);
    } catch (error) {
      if (error instanceof MemoryError) throw error;
      // A loop of links, a folder that can't be entered: what can't be checked is refused.
      throw refuse(path, String((error as NodeJS.ErrnoException).code ?? error));
    }
  }

  async function walk(path: string): Promise<string> {
    const realRoot = (await disk.realpath(root)) ?? (await realAncestor(root, disk));
    let here = realRoot;
    for (const segment of path.split('/')) {
      const next = join(here, segment);
      const stat = await disk.lstat(next);
      if (stat?.kind === 'link') {
        const target = await disk.realpath(next);
        if (target === undefined) throw refuse(path, 'a link in it leads nowhere');
        if (!isWithin(realRoot, target)) throw refuse(path, 'a link in it leads out of the folder');
        here = target;
      } else {
        here = next;
      }
    }
    return here;
  }

  const temporary = (real: string, tag: string) =>
    join(dirname(real), `.reverie-${tag}-${shortHash(basename(real))}.tmp`);

  return {
    root,
    locate,
    async read(path) {
      const real = await locate(path);
      const stat = await disk.stat(real);
      if (stat?.kind !== 'file') return undefined;
      const bytes = await disk.read(real);
      return bytes && { text: decodeText(bytes, path), stat };
    },
    stat: async (path) => disk.stat(await locate(path)),
    async write(path, text, { tag = randomBytes(6).toString('hex'), mtimeMs, isStillRight } = {}) {
      const real = await locate(path);
      if ((await disk.lstat(real)) === undefined) checkName(path, true);
      const confirm = async () => {
        if (isStillRight && !(await isStillRight())) throw new MemoryError('changed', `“${path}” has changed.`, path);
      };
      await replaceFile(disk, real, Buffer.from(text), temporary(real, tag), { mtimeMs, confirm });
    },
    remove: async (path) => disk.remove(await locate(path)),
    setModified: async (path, mtimeMs) => disk.setModified(await locate(path), mtimeMs),
    temporaryFor: async (path, tag) => temporary(await locate(path), tag),
  };
}

async function realAncestor(path: string, disk: Disk): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const real = (await disk.realpath(parent)) ?? (await realAncestor(parent, disk));
  return join(real, basename(path));
}

/** Whether a path is the folder or lies below it. Both are real, absolute paths. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Replaces a file as a whole. On failure, be it of `confirm`, the old one is intact and the temporary one is gone. */
export async function replaceFile(
  disk: Disk,
  path: string,
  bytes: Buffer,
  temporary: string,
  options: {
    readonly mode?: number;
    readonly mtimeMs?: number | undefined;
    readonly confirm?: () => Promise<void>;
  } = {},
): Promise<void> {
  await disk.makeFolder(dirname(path));
  const previous = await disk.stat(path);
  await disk.remove(temporary);
  await disk.create(temporary, bytes, options.mode ?? previous?.mode ?? 0o644);
  try {
    if (options.mtimeMs !== undefined) await disk.setModified(temporary, options.mtimeMs);
    await options.confirm?.();
    await disk.rename(temporary, path);
  } catch (error) {
    await disk.remove(temporary).catch(() => {});
    throw error;
  }
}

/** UTF-8 text with its byte order mark. Throws `not_text` rather than replace what it does not understand. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MemoryError('not_text', `“${path}” is not UTF-8 text.`, path);
  }
}

/** A small JSON file of our own, or `undefined` when it is absent or damaged. */
export async function readJson<T>(disk: Disk, path: string): Promise<T | undefined> {
  const bytes = await disk.read(path);
  if (!bytes) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Writes a small JSON file of our own, whole, readable by its owner only. */
export async function writeJson(disk: Disk, path: string, value: unknown): Promise<void> {
  const temporary = join(dirname(path), `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  await replaceFile(disk, path, Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`), temporary, { mode: 0o600 });
}

/** Files of a folder with their times in milliseconds, the newest first; one that is gone by now comes last. */
export async function newestFirst(
  disk: Disk,
  folder: string,
  names: readonly string[],
): Promise<{ readonly name: string; readonly at: number }[]> {
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await disk.stat(join(folder, name)))?.mtimeMs ?? 0 })),
  );
  return dated.sort((a, b) => b.at - a.at);
}

/** Removes the temporary files that processes which are gone left in a folder of our own state. */
export async function removeLeftovers(
  disk: Disk,
  folder: string,
  isAlive: (pid: number) => Promise<boolean>,
): Promise<void> {
  for (const { name } of (await disk.list(folder)) ?? []) {
    const pid = /^\.(\d+)\..*\.tmp$/.exec(name)?.[1];
    if (pid !== undefined && !(await isAlive(Number(pid)))) await disk.remove(join(folder, name));
  }
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Twelve hexadecimal digits: enough to tell names apart, never used where someone could profit from a collision. */
export const shortHash = (data: string | Uint8Array): string => sha256(data).slice(0, 12);
