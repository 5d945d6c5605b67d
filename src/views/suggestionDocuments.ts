// Suggestions as documents that can be read and edited before they are accepted: what stands there is what the memory's
// file will hold. Saving keeps the edit in this window and decides nothing; only *Accept* makes a memory of it.

import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FileSystemError,
  FileType,
  TabInputText,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { MemoryType } from '../core/memory/memory';
import type { Suggestion } from '../core/memory/proposals';
import { oneLine } from './words';

export const suggestionScheme = 'reverie-suggestion';

export interface EditedSuggestion {
  readonly name: string;
  readonly text: string;
  readonly type: MemoryType;
}

export interface SuggestionDocuments extends Disposable {
  uri(project: string, suggestion: Pick<Suggestion, 'id' | 'draft'>): Uri;
  /** What a document's address stands for. */
  parse(uri: Uri): { readonly project: string; readonly id: string } | undefined;
  /** What a person made of the suggestion, or `undefined` when it is as it was. Throws `MemoryError` for what has no type. */
  edited(project: string, id: string): Promise<EditedSuggestion | undefined>;
  /** Closes the editors of suggestions that are settled. */
  close(project: string, ids: readonly string[]): Promise<void>;
}

export function createSuggestionDocuments(
  find: (project: string, id: string) => Promise<Suggestion | undefined>,
): SuggestionDocuments {
  const changed = new EventEmitter<FileChangeEvent[]>();
  const edits = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();
  const keyOf = (uri: Uri) => {
    const place = parse(uri);
    return place && `${place.project}\n${place.id}`;
  };

  function parse(uri: Uri) {
    const id = uri.path.split('/')[1];
    return uri.scheme === suggestionScheme && id ? { project: uri.query, id } : undefined;
  }

  async function original(uri: Uri): Promise<{ readonly bytes: Uint8Array; readonly mtime: number }> {
    const place = parse(uri);
    const suggestion = place && (await find(place.project, place.id));
    if (!suggestion) throw FileSystemError.FileNotFound(uri);
    // Only now, so that the first view does not load the engine.
    const { formatMemory } = await import('../core/engine');
    return { bytes: Buffer.from(formatMemory(suggestion.draft)), mtime: suggestion.at };
  }

  const content = async (uri: Uri) => edits.get(keyOf(uri) ?? '') ?? original(uri);
  const refuse = (uri: Uri): never => {
    throw FileSystemError.NoPermissions(uri);
  };

  const registered = workspace.registerFileSystemProvider(
    suggestionScheme,
    {
      onDidChangeFile: changed.event,
      watch: () => ({ dispose() {} }),
      async stat(uri) {
        const { bytes, mtime } = await content(uri);
        return { type: FileType.File, ctime: mtime, mtime, size: bytes.length };
      },
      readFile: async (uri) => (await content(uri)).bytes,
      async writeFile(uri, bytes) {
        const key = keyOf(uri);
        if (key === undefined) return refuse(uri);
        await original(uri);
        edits.set(key, { bytes, mtime: Date.now() });
        changed.fire([{ type: FileChangeType.Changed, uri }]);
      },
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );

  const documentOf = (project: string, id: string) =>
    workspace.textDocuments.find(({ uri }) => {
      const place = parse(uri);
      return place?.project === project && place.id === id;
    });

  return {
    uri: (project, { id, draft }) =>
      Uri.from({ scheme: suggestionScheme, path: `/${id}/${fileName(draft.name)}.md`, query: project }),
    parse,
    async edited(project, id) {
      const suggestion = await find(project, id);
      const document = documentOf(project, id);
      const text = document?.getText() ?? edits.get(`${project}\n${id}`)?.bytes;
      if (!suggestion || text === undefined) return undefined;
      const { formatMemory, MemoryError, parseMemory } = await import('../core/engine');
      const words = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      if (words === formatMemory(suggestion.draft)) return undefined;
      const { name, type, body, problem } = parseMemory('suggestion.md', words, Date.now(), Date.now());
      if (problem || !type) {
        throw new MemoryError(
          'unreadable',
          'The lines between the two --- can’t be read. They need a name and a type.',
        );
      }
      return { name, text: body.trim(), type };
    },
    async close(project, ids) {
      for (const id of ids) {
        // A document with changes would ask whether to save them, into a suggestion that is no longer there.
        const document = documentOf(project, id);
        if (document?.isDirty) await document.save().then(undefined, () => {});
        edits.delete(`${project}\n${id}`);
      }
      const tabs = window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input }) => {
          const place = input instanceof TabInputText ? parse(input.uri) : undefined;
          return place !== undefined && place.project === project && ids.includes(place.id);
        });
      if (tabs.length > 0) await window.tabGroups.close(tabs, true);
    },
    dispose() {
      registered.dispose();
      changed.dispose();
    },
  };
}

/** The title of the editor's tab: a stranger's words, without what means something in an address. */
const fileName = (name: string) =>
  oneLine(name)
    .replace(/[/\\?#%]/g, ' ')
    .slice(0, 60) || 'suggestion';
