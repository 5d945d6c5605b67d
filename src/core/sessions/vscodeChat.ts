// VS Code's own chats as a source of sessions: its files of a workspace, those of windows without a folder as far as they speak of
// this one, and Copilot's transcripts where VS Code kept no words itself. It only ever reads. A chat that lies in several files
// is one session; one that holds no request is none; what can't be read is named with the reason, never passed over.

import { basename, dirname, extname, join } from 'node:path';
import type { Disk, FileStat } from '../disk';
import { isUnchanged, readValues } from './chatFile';
import {
  chatShape,
  type Loaded,
  type Look,
  lookOf,
  lookOfVersion,
  nothingLoaded,
  take,
  type UnreadableWhy,
  wordsOf,
} from './chatForms';
import { isLogEntry } from './chatLog';
import { type ChatFacts, chatReading } from './chatReading';
import { isCopilotStart } from './copilotTranscript';
import { printOf } from './cursors';
import { isObject } from './json';
import { gone } from './jsonLines';
import { serially } from './serially';
import type { Session, TranscriptSource } from './transcript';

/** Folders, existing or not. */
export interface ChatPlaces {
  /** `chatSessions` of this workspace. */
  readonly chats: readonly string[];
  readonly transcripts: readonly string[];
  /** Of windows without a folder: only those that speak of a file below one of `roots` are ours. */
  readonly emptyWindows: readonly string[];
  readonly roots: readonly string[];
}

export interface Unreadable {
  readonly file: string;
  readonly why: UnreadableWhy;
}

export interface VscodeChats extends TranscriptSource {
  /** As far as the last `list` met them. */
  unreadable(): readonly Unreadable[];
  /** Other files that may hold the same chat. */
  twins(file: string): readonly string[];
  /** Files of a session by its id, there or not, best first. */
  filesOf(id: string): readonly string[];
  readonly folders: readonly string[];
}

const sessionName = /^[\w-][\w.-]{0,127}\.jsonl?$/;
/** A smaller file is looked at as a whole, to tell whether anything was said in it. */
const smallBytes = 256 * 1024;
const headBytes = 64 * 1024;
const looksAtOnce = 8;
/** Chats that are kept as they were read, so that what is added to them is all that is read. */
const keptChats = 3;
/** UTF-16 units of a chat that is kept. */
const keptChars = 4 * 1024 * 1024;

type Words = Pick<ChatFacts, 'exchanges' | 'customTitle' | 'bytesRead'> & { readonly look: Look };

interface Kept {
  readonly loaded: Loaded;
  readonly inode: number;
  readonly offset: number;
  readonly fingerprint: string;
}

export function openVscodeChats(options: { readonly places: ChatPlaces; readonly disk: Disk }): VscodeChats {
  const { places, disk } = options;
  const folders = [...places.chats, ...places.emptyWindows, ...places.transcripts];
  const looks = new Map<string, { readonly print: string; readonly look: Look }>();
  const mentions = new Map<string, { readonly print: string; readonly isOurs: boolean }>();
  const kept = new Map<string, Kept>();
  const inTurn = serially();
  let unreadable: readonly Unreadable[] = [];

  /** Reads a file, or what was added to it since it was read last. */
  async function load(file: string, stat: FileStat, signal?: AbortSignal): Promise<Words> {
    const asLines = extname(file) === '.jsonl';
    const last = kept.get(file);
    kept.delete(file);
    const goesOn = asLines && last?.inode === stat.inode && (await isUnchanged(disk, file, last, stat));
    const before = goesOn ? last : undefined;
    const loaded = before?.loaded ?? nothingLoaded();
    let isOpen = false;
    const reading = await readValues(
      disk,
      file,
      { stat, shape: chatShape, asLines, signal, from: before?.offset ?? 0 },
      ({ value, isWhole, isEnded }) => {
        isOpen ||= !isEnded;
        take(loaded, value, isWhole);
      },
    );
    const words = wordsOf(loaded);
    // While its last line is open, what that is going to be is not known: the next reading begins anew.
    if (asLines && !isOpen && charsOf(words) <= keptChars) {
      kept.set(file, { loaded, inode: stat.inode, offset: reading.offset, fingerprint: reading.fingerprint });
      for (const oldest of [...kept.keys()].slice(0, -keptChats)) kept.delete(oldest);
    }
    return { ...words, look: lookOf(loaded, words, stat.size), bytesRead: reading.bytesRead };
  }

  async function lookAt(file: string, stat: FileStat): Promise<Look> {
    const isSmall = stat.size <= smallBytes;
    const print = isSmall ? `${stat.inode} ${stat.size} ${stat.mtimeMs}` : `${stat.inode}`;
    const known = looks.get(file);
    if (known?.print === print) return known.look;
    const look = await (isSmall ? lookWhole(file, stat) : lookAtHead(file, stat)).catch(() => undefined);
    if (look) looks.set(file, { print, look });
    return look ?? { kind: 'none' };
  }

  async function lookWhole(file: string, stat: FileStat): Promise<Look> {
    return (await inTurn(file, () => load(file, stat))).look;
  }

  /** A large file is full of something; which generation it is stands at its beginning. */
  async function lookAtHead(file: string, stat: FileStat): Promise<Look> {
    const head = await disk.readRange(file, 0, headBytes);
    if (!head) return { kind: 'none' };
    const { createPieceReader } = await import('./jsonPieces');
    const reader = createPieceReader({ ...chatShape, v: { version: true, requests: {} }, requests: {} });
    reader.write(head.bytes);
    const { value } = reader.end();
    if (!isObject(value)) return { kind: 'none', why: 'damaged' };
    if (value.kind === 0 && isObject(value.v)) return lookOfVersion(value.v.version);
    if (isLogEntry(value) || isCopilotStart(value)) return { kind: 'chat', isEmpty: false };
    if (value.version !== undefined) return lookOfVersion(value.version);
    let version: unknown;
    const asLines = extname(file) === '.jsonl';
    await readValues(disk, file, { stat, shape: { version: true, requests: {} }, asLines }, ({ value: found }) => {
      if (Array.isArray(found.requests)) version ??= found.version ?? 1;
    });
    return version === undefined ? { kind: 'none' } : lookOfVersion(version);
  }

  async function isOurs(file: string, stat: FileStat): Promise<boolean> {
    if (!places.emptyWindows.includes(dirname(file))) return true;
    const print = `${stat.inode} ${stat.size} ${stat.mtimeMs}`;
    const known = mentions.get(file);
    if (known?.print === print) return known.isOurs;
    const found = await speaksOf(disk, file, stat, places.roots).catch(() => false);
    mentions.set(file, { print, isOurs: found });
    return found;
  }

  /** Of the files that may hold one chat, the first that holds words. */
  async function best(files: readonly string[], notes?: Unreadable[]): Promise<Session | undefined> {
    for (const file of files) {
      const stat = await disk.stat(file);
      if (stat?.kind !== 'file' || stat.size === 0) continue;
      const look = await lookAt(file, stat);
      const isWanted = look.kind === 'chat' ? !look.isEmpty : look.why !== undefined;
      const own = isWanted && (await isOurs(file, stat));
      if (!own) continue;
      if (look.kind === 'none') notes?.push({ file, why: look.why ?? 'damaged' });
      else return { kind: 'vscode-chat', id: idOf(file), file, size: stat.size, modifiedAt: stat.mtimeMs };
    }
    return undefined;
  }

  const filesOf = (id: string): readonly string[] => [
    ...[...places.chats, ...places.emptyWindows].flatMap((folder) => [
      join(folder, `${id}.jsonl`),
      join(folder, `${id}.json`),
    ]),
    ...places.transcripts.map((folder) => join(folder, `${id}.jsonl`)),
  ];
  const isOfUs = (file: string): boolean => folders.includes(dirname(file)) && sessionName.test(basename(file));

  return {
    folders,
    filesOf,
    twins: (file) => (isOfUs(file) ? filesOf(idOf(file)).filter((each) => each !== file) : []),
    unreadable: () => unreadable,
    async list(since) {
      const there = new Set<string>();
      for (const folder of folders) {
        for (const { name, kind } of (await disk.list(folder)) ?? []) {
          if (kind === 'file' && sessionName.test(name)) there.add(join(folder, name));
        }
      }
      const notes: Unreadable[] = [];
      const sessions: Session[] = [];
      const all = [...new Set([...there].map(idOf))];
      for (let at = 0; at < all.length; at += looksAtOnce) {
        const some = all.slice(at, at + looksAtOnce).map((id) =>
          best(
            filesOf(id).filter((file) => there.has(file)),
            notes,
          ),
        );
        for (const session of await Promise.all(some)) {
          if (session && session.modifiedAt > since) sessions.push(session);
        }
      }
      unreadable = notes.sort((a, b) => (a.file < b.file ? -1 : 1));
      return sessions.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.file < b.file ? -1 : 1));
    },
    async find(file) {
      if (!isOfUs(file)) return undefined;
      const session = await best(filesOf(idOf(file)));
      return session?.file === file ? session : undefined;
    },
    read: (session, after, signal, until) =>
      inTurn(session.file, async () => chatReading(await factsOf(session.file, signal), after, until)),
  };

  async function factsOf(file: string, signal?: AbortSignal): Promise<ChatFacts> {
    signal?.throwIfAborted();
    const stat = await disk.stat(file);
    if (stat?.kind !== 'file') throw gone(file);
    const words = await load(file, stat, signal);
    const { size, mtimeMs: modifiedAt } = stat;
    return { ...words, size, modifiedAt, print: printOf({ size, modifiedAt }) };
  }
}

const idOf = (file: string): string => basename(file).replace(/\.jsonl?$/, '');

const charsOf = ({ exchanges }: Pick<Words, 'exchanges'>): number =>
  exchanges.reduce((sum, { text, answer }) => sum + text.length + answer.length, 0);

/** Whether a file of a chat names a file below one of these folders. */
async function speaksOf(disk: Disk, file: string, stat: FileStat, roots: readonly string[]): Promise<boolean> {
  const needles = roots.flatMap((root) => {
    const path = root.replace(/\\/g, '/').replace(/^(?=[^/])/, '/');
    const below = JSON.stringify(root).slice(0, -1);
    return [`"path":${JSON.stringify(path).slice(0, -1)}/`, `"fsPath":${below}/`, `"fsPath":${below}\\\\`];
  });
  const bytes = needles.map((needle) => Buffer.from(needle));
  const overlap = Math.max(0, ...bytes.map((needle) => needle.length));
  const step = 1024 * 1024;
  for (let at = 0; at < stat.size; at += step) {
    const found = await disk.readRange(file, at, step + overlap);
    if (!found) return false;
    if (bytes.some((needle) => found.bytes.includes(needle))) return true;
  }
  return false;
}
