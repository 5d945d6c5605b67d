// Both sides of a proposed change as documents that can only be read, for the editor's own diff.

import { commands, type Disposable, TabInputTextDiff, Uri, window, workspace } from 'vscode';

export interface ReviewDocuments extends Disposable {
  /** Opens the diff beside the review's tab. `key` tells proposals apart. */
  diff(key: string, path: string, before: string, after: string, title: string): Promise<void>;
  /** Closes the diffs of this key. */
  close(key: string): Promise<void>;
}

/** Kept for tabs that are open; more than these are forgotten, the oldest first. */
const mostKept = 200;

/** `scheme` of the documents' addresses: one set of documents each. */
export function createReviewDocuments(scheme = 'reverie-review'): ReviewDocuments {
  const texts = new Map<string, string>();
  const registered = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });

  function put(key: string, side: string, path: string, text: string): Uri {
    const uri = Uri.from({ scheme, path: `/${path}`, query: `${key} ${side}` });
    texts.delete(uri.toString());
    texts.set(uri.toString(), text);
    for (const old of [...texts.keys()].slice(0, Math.max(0, texts.size - mostKept))) texts.delete(old);
    return uri;
  }

  return {
    async diff(key, path, before, after, title) {
      const [left, right] = [put(key, 'before', path, before), put(key, 'after', path, after)];
      await commands.executeCommand('vscode.diff', left, right, title, { preview: true });
    },
    async close(key) {
      const tabs = window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof TabInputTextDiff &&
            input.modified.scheme === scheme &&
            input.modified.query === `${key} after`,
        );
      if (tabs.length > 0) await window.tabGroups.close(tabs, true);
    },
    dispose: () => registered.dispose(),
  };
}
