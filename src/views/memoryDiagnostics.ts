// What a person should look at in memory files, in *Problems* and at the line: a secret, marks of a merge, an entry that is refused.
// Saving can't be undone here; it is said once what that means. The value of a secret is never shown.

import { Diagnostic, DiagnosticSeverity, languages, Range, Uri, workspace } from 'vscode';
import type { Disposable } from '../core/event';
import type { Hazard } from '../core/hazards';
import type { Logger } from '../core/log';
import type { Project } from '../core/project';
import type { Words } from './words';

export interface MemoryDiagnostics extends Disposable {
  /** Looks at the memories of a project, now and after each change, until disposed. */
  attach(project: Pick<Project, 'hazards' | 'locate' | 'onDidChangeMemories'>): Disposable;
}

/** After a change; a pull brings many. */
const quietMs = 700;

export function createMemoryDiagnostics(options: {
  readonly words: Words;
  /** Tells what was saved into the team's folder and is kept out of it. */
  readonly warn: (text: string) => void;
  readonly log: Logger;
}): MemoryDiagnostics {
  const { words, warn, log } = options;
  const collection = languages.createDiagnosticCollection('reverie');

  async function look(
    project: Parameters<MemoryDiagnostics['attach']>[0],
    shown: Map<string, Uri>,
    saved: Set<string>,
  ): Promise<void> {
    const byFile = new Map<string, { readonly uri: Uri; readonly hazards: Hazard[] }>();
    for (const hazard of await project.hazards()) {
      const file = await project.locate(hazard.path).catch(() => undefined);
      if (file === undefined) continue;
      const uri = Uri.file(file);
      const entry = byFile.get(file) ?? { uri, hazards: [] };
      entry.hazards.push(hazard);
      byFile.set(file, entry);
    }
    for (const [file, uri] of shown) if (!byFile.has(file)) collection.delete(uri);
    shown.clear();
    for (const [file, { uri, hazards }] of byFile) {
      shown.set(file, uri);
      collection.set(
        uri,
        hazards.map((hazard) => diagnosticOf(hazard, words)),
      );
      const [held] = hazards.filter(({ isHeldBack, rule }) => isHeldBack && rule === 'secret');
      if (held && saved.has(file)) warn(hazardText(held, words));
    }
    saved.clear();
  }

  return {
    attach(project) {
      const shown = new Map<string, Uri>();
      const saved = new Set<string>();
      const saving = workspace.onDidSaveTextDocument(({ uri }) => void saved.add(uri.fsPath));
      let timer: NodeJS.Timeout | undefined;
      const soon = () => {
        clearTimeout(timer);
        timer = setTimeout(
          () => void look(project, shown, saved).catch((error) => log.warn(`Problems: ${error}`)),
          quietMs,
        );
      };
      const listening = project.onDidChangeMemories(soon);
      soon();
      return {
        dispose() {
          clearTimeout(timer);
          listening.dispose();
          saving.dispose();
          for (const uri of shown.values()) collection.delete(uri);
        },
      };
    },
    dispose: () => collection.dispose(),
  };
}

function diagnosticOf(hazard: Hazard, words: Words): Diagnostic {
  const line = Math.max(0, (hazard.line ?? 1) - 1);
  const severity = hazard.isHeldBack ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
  const diagnostic = new Diagnostic(new Range(line, 0, line, 1000), hazardText(hazard, words), severity);
  diagnostic.source = 'Reverie';
  diagnostic.code = hazard.secret ?? hazard.rule;
  return diagnostic;
}

/** What is wrong, and what it means. */
function hazardText({ path, rule, secret, line, isHeldBack }: Hazard, { t, number }: Words): string {
  if (rule === 'secret' && isHeldBack)
    return t(
      'Line {0} of “{1}” looks like it holds a secret ({2}). It is kept out of recall and models; take the secret out before it is committed.',
      number(line ?? 1),
      path,
      secret ?? '',
    );
  if (rule === 'secret')
    return t(
      'This looks like a secret ({0}). Memories are plain files; this one can’t be shared with the team.',
      secret ?? '',
    );
  if (rule === 'merge_conflict')
    return t('A merge conflict: nothing of this file is used or changed until it is resolved.');
  return t('“{0}” can’t be a memory of the team ({1}). It is not used.', path, rule);
}
