// A disk in memory as a value: each call takes files and gives files, so that a test can go on from the same state in every
// direction. Has what our locks lean on: exclusive creation, rename over a file, second names of one file, times. No links.

import { dirname } from 'node:path';
import type { Disk, FileStat, FolderEntry } from '../../src/core/disk';

export interface MemoryFile {
  readonly text: string;
  readonly mtimeMs: number;
  /** The same for two names of one file. */
  readonly inode: number;
}

/** By absolute path. */
export type MemoryFiles = ReadonlyMap<string, MemoryFile | 'folder'>;

/** What a caller gets: a value, where a file's bytes are text, or the code of an error. */
export interface Answer {
  readonly value?: unknown;
  readonly code?: string;
}

export interface DiskCall {
  /** `overwrite` is what a program does that writes a file in place. */
  readonly call: Exclude<keyof Disk, 'watch'> | 'overwrite';
  /** Bytes are text. */
  readonly args: readonly unknown[];
}

const refused = (code: string): { answer: Answer } => ({ answer: { code } });

/** `inode` is the number of a file that this call makes. */
export function callDisk(
  files: MemoryFiles,
  { call, args }: DiskCall,
  now: number,
  inode: number,
): { readonly files?: MemoryFiles; readonly answer: Answer } {
  const path = String(args[0]);
  const entry = files.get(path);
  const file = entry === 'folder' ? undefined : entry;
  const changed = (...changes: readonly (readonly [string, MemoryFile | 'folder' | undefined])[]) => {
    const next = new Map(files);
    for (const [name, value] of changes) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return { files: next, answer: {} };
  };
  const isIn = (name: string) => files.get(dirname(name)) === 'folder';
  switch (call) {
    case 'read':
      return entry === 'folder' ? refused('EISDIR') : { answer: { value: file?.text } };
    case 'stat':
    case 'lstat':
      return { answer: { value: entry && statOf(entry) } };
    case 'realpath':
      return { answer: { value: entry && path } };
    case 'list':
      return { answer: { value: entry === 'folder' ? entriesOf(files, path) : undefined } };
    case 'create':
      if (entry) return refused('EEXIST');
      return isIn(path) ? changed([path, { text: String(args[1]), mtimeMs: now, inode }]) : refused('ENOENT');
    case 'append':
      if (!isIn(path)) return refused('ENOENT');
      return changed([path, { text: (file?.text ?? '') + String(args[1]), mtimeMs: now, inode: file?.inode ?? inode }]);
    case 'overwrite':
      return changed([path, { text: String(args[1]), mtimeMs: now, inode: file?.inode ?? inode }]);
    case 'rename':
      return file ? changed([path, undefined], [String(args[1]), file]) : refused('ENOENT');
    case 'link':
      if (!file) return refused('ENOENT');
      return files.has(String(args[1])) ? refused('EEXIST') : changed([String(args[1]), file]);
    case 'remove':
      return file ? changed([path, undefined]) : { answer: {} };
    case 'removeFolder':
      return entry && entriesOf(files, path).length === 0 ? changed([path, undefined]) : { answer: {} };
    case 'makeFolder':
      return isIn(path) && entry
        ? { answer: {} }
        : changed(...ancestors(path).map((name) => [name, 'folder'] as const));
    case 'setModified': {
      if (!file) return refused('ENOENT');
      const mtimeMs = Number(args[1]);
      const names = [...files].filter(([, other]) => other !== 'folder' && other.inode === file.inode);
      return changed(...names.map(([name]) => [name, { ...file, mtimeMs }] as const));
    }
    default:
      throw new Error(`This disk knows no ${call}.`);
  }
}

const statOf = (entry: MemoryFile | 'folder'): FileStat =>
  entry === 'folder'
    ? { kind: 'folder', size: 0, mtimeMs: 0, inode: 0, mode: 0o700 }
    : {
        kind: 'file',
        size: Buffer.byteLength(entry.text),
        mtimeMs: entry.mtimeMs,
        inode: entry.inode,
        mode: 0o600,
      };

function entriesOf(files: MemoryFiles, folder: string): FolderEntry[] {
  return [...files]
    .filter(([path]) => path !== folder && dirname(path) === folder)
    .map(
      ([path, entry]): FolderEntry => ({
        name: path.slice(folder === '/' ? 1 : folder.length + 1),
        kind: entry === 'folder' ? 'folder' : 'file',
      }),
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestors(dirname(path)), path];
}

/** A `Disk` whose every call is handed to `take`. */
export function diskOver(take: (call: DiskCall) => Promise<Answer>): Disk & { overwrite: Disk['append'] } {
  const calls = {
    watch: () => undefined,
    async readRange() {
      throw new Error('This disk reads whole files.');
    },
  };
  return new Proxy(calls as unknown as Disk & { overwrite: Disk['append'] }, {
    get(own, key: keyof Disk) {
      if (key in own) return own[key];
      return async (...args: unknown[]) => {
        const { value, code } = await take({
          call: key as DiskCall['call'],
          args: args.map((arg) => (Buffer.isBuffer(arg) ? arg.toString('utf8') : arg)),
        });
        if (code) throw Object.assign(new Error(`${code}: ${key}`), { code });
        return key === 'read' && typeof value === 'string' ? Buffer.from(value) : value;
      };
    },
  });
}
