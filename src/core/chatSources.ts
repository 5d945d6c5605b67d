// All chat sessions of one project, whoever held them: each source with its own way to tell past from new, and what to say of a
// source that can't be reached here.

import { basename, join } from 'node:path';
import type { Disk } from './disk';
import { slug } from './pathRules';
import type { SourceState } from './project';
import { type ChatStorage, chatPlaces, whyUnreached } from './sessions/chatStorage';
import { openClaudeCode } from './sessions/claudeCode';
import type { Cursors } from './sessions/cursors';
import type { Session, TranscriptSource } from './sessions/transcript';
import { openVscodeChats, type VscodeChats } from './sessions/vscodeChat';
import { belongsTo, type Repository } from './transcriptFolders';

export interface ChatSources extends TranscriptSource {
  readonly chats: VscodeChats;
  /** Where the files of the editor's chats are expected. */
  readonly folders: readonly string[];
  /** Notes where the past ends, at the first use of each source. */
  baseline(cursors: Cursors, sessions: readonly Session[], transcriptDirs: readonly string[]): Promise<void>;
  states(): Promise<readonly SourceState[]>;
  /** Where the words of a session may lie. */
  filesOf(sessionId: string): readonly string[];
}

export function openChatSources(options: {
  readonly repository: Repository;
  /** As far as they are known now. */
  readonly transcriptDirs: () => readonly string[];
  readonly storage: ChatStorage | undefined;
  readonly disk: Disk;
}): ChatSources {
  const { repository, transcriptDirs, storage, disk } = options;
  const claudeCode = openClaudeCode({
    folders: async () => transcriptDirs(),
    disk,
    // Two paths can have one slug; their sessions then share a folder. A transcript that was moved here is ours.
    isOther: async (cwd, folder) => slug(cwd) === basename(folder) && !(await belongsTo(cwd, repository, disk)),
  });
  const places = chatPlaces(storage, repository.checkouts);
  const chats = openVscodeChats({ places, disk });
  const sourceOf = ({ kind }: Session): TranscriptSource => (kind === 'vscode-chat' ? chats : claudeCode);

  async function claudeCodeState(): Promise<SourceState> {
    const found = await Promise.all(transcriptDirs().map((folder) => disk.stat(folder)));
    const reachable = found.some((stat) => stat?.kind === 'folder');
    const sessions = reachable ? (await claudeCode.list(0)).filter(({ kind }) => kind !== 'foreign').length : 0;
    const why = 'no projects folder on this machine';
    return { kind: 'claude-code', reachable, sessions, ...(reachable ? {} : { why }) };
  }

  async function chatState(): Promise<SourceState> {
    const sessions = (await chats.list(0)).length;
    const unreadable = chats.unreadable();
    const unreached = sessions > 0 ? undefined : await whyUnreached(storage, places, disk);
    return {
      kind: 'vscode-chat',
      reachable: unreached === undefined,
      ...unreached,
      sessions,
      ...(unreadable.length > 0 ? { unreadable } : {}),
    };
  }

  return {
    chats,
    folders: chats.folders,
    async list(since) {
      const all = (await Promise.all([claudeCode.list(since), chats.list(since)])).flat();
      return all.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.file < b.file ? -1 : 1));
    },
    find: async (file) => (await chats.find(file)) ?? (await claudeCode.find(file)),
    read: (session, ...rest) => sourceOf(session).read(session, ...rest),
    async baseline(cursors, sessions, folders) {
      const own = sessions.filter(({ kind }) => kind !== 'vscode-chat');
      await cursors.baseline(
        own,
        folders.filter((folder) => !chats.folders.includes(folder)),
      );
      const ofChats = sessions.filter(({ kind }) => kind === 'vscode-chat');
      for (const folder of chats.folders) await cursors.beginAt(folder, ofChats);
    },
    states: async () => [await claudeCodeState(), await chatState()],
    filesOf: (sessionId) => [
      ...transcriptDirs().map((folder) => join(folder, `${sessionId}.jsonl`)),
      ...chats.filesOf(sessionId),
    ],
  };
}
