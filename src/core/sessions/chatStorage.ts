// Where VS Code keeps its chats, told from the two folders that it gave our own extension, never guessed; and what to say where
// they can't be reached. Facts: our folder in the workspace's storage lies beside `chatSessions` and beside Copilot's folder with
// its `transcripts`; our folder in the global storage beside `emptyWindowChatSessions`. Chats of another generation lie in
// databases, which are recognised and left alone.

import { basename, dirname, join } from 'node:path';
import type { Disk } from '../disk';
import type { ChatPlaces } from './vscodeChat';

export interface ChatStorage {
  /** Our folder in the storage of this workspace; it need not exist. Without it: why there is none. */
  readonly workspace?: string;
  /** Our folder in the storage of all workspaces. */
  readonly global?: string;
  /** The window is on another machine than this program, or in a browser. */
  readonly host?: 'remote' | 'browser';
  /** These chats are read for another folder of the workspace. */
  readonly isAnothers?: boolean;
}

export interface Unreached {
  /** In words for a person; English. */
  readonly why: string;
  readonly helps?: string;
}

const copilot = 'GitHub.copilot-chat';
const empty = 'emptyWindowChatSessions';

/** Folders, existing or not. A second window on the same workspace has a storage of its own beside the first one's: `ID-1`. */
export function chatPlaces(storage: ChatStorage | undefined, roots: readonly string[]): ChatPlaces {
  if (!storage || storage.isAnothers) return { chats: [], transcripts: [], emptyWindows: [], roots };
  const homes = storage.workspace === undefined ? [] : workspaceFolders(dirname(storage.workspace));
  const global = storage.global === undefined ? [] : [dirname(storage.global)];
  const around = homes[0] === undefined ? [] : [join(dirname(homes[0]), 'no-workspace')];
  return {
    chats: homes.map((home) => join(home, 'chatSessions')),
    transcripts: homes.flatMap((home) => [
      join(home, copilot, 'transcripts'),
      // File systems that tell the two apart.
      ...(process.platform === 'linux' ? [join(home, copilot.toLowerCase(), 'transcripts')] : []),
    ]),
    emptyWindows: [...global.map((home) => join(home, empty)), ...around.map((home) => join(home, 'chatSessions'))],
    roots,
  };
}

function workspaceFolders(home: string): readonly string[] {
  const first = basename(home).replace(/^([0-9a-f]{8,})-\d+$/, '$1');
  return first === basename(home) ? [home] : [join(dirname(home), first), home];
}

/** Why no chat of VS Code can be read here; `undefined` when they can, or when there is just none yet. */
export async function whyUnreached(
  storage: ChatStorage | undefined,
  places: ChatPlaces,
  disk: Disk,
): Promise<Unreached | undefined> {
  if (!storage) return { why: 'only the editor knows where they lie', helps: 'name the folder with --chats' };
  // They are read, for the workspace's first folder.
  if (storage.isAnothers) return undefined;
  const isFolder = async (path: string) => (await disk.stat(path).catch(() => undefined))?.kind === 'folder';
  const found = await Promise.all([...places.chats, ...places.transcripts].map(isFolder));
  if (found.includes(true)) return undefined;
  if (storage.host === 'browser')
    return { why: 'not available in the browser', helps: 'open the folder in a VS Code of this machine' };
  if (storage.host === 'remote')
    return {
      why: 'stored on your desktop, not on this server',
      helps: 'chats with @memory and with Claude Code are read here',
    };
  if (storage.workspace === undefined) return { why: 'this window has no storage', helps: 'open a folder' };
  const [home] = places.chats.map(dirname);
  const old = await olderDatabase(home, disk);
  if (old) return { why: 'kept by an older VS Code in a database', helps: 'open the chat once in a newer VS Code' };
  const agent = storage.global && join(dirname(storage.global), copilot.toLowerCase(), 'session-store.db');
  const isAgents = agent !== undefined && (await disk.stat(agent).catch(() => undefined))?.kind === 'file';
  if (isAgents)
    return {
      why: 'kept by the agent host in a database',
      helps: 'chats with @memory and with Claude Code are read here',
    };
  return undefined;
}

const oldKey = Buffer.from('interactive.sessions');
const stepBytes = 1024 * 1024;
const mostBytes = 64 * stepBytes;

/** Before 2025-03 a workspace's chats were one value in its database. */
async function olderDatabase(home: string | undefined, disk: Disk): Promise<boolean> {
  if (home === undefined) return false;
  const file = join(home, 'state.vscdb');
  for (let at = 0; at < mostBytes; at += stepBytes) {
    const found = await disk.readRange(file, at, stepBytes + oldKey.length).catch(() => undefined);
    if (!found || found.bytes.length === 0) return false;
    if (found.bytes.includes(oldKey)) return true;
  }
  return false;
}
