// Every command: one table from id to handler. What a person starts runs inside one error boundary, so that nothing
// fails in silence and nothing throws into the editor.

import { commands, type Disposable } from 'vscode';
import type { CommandContext, Handlers } from './commands/context';
import { dreamCommands } from './commands/dreamCommands';
import { findCommands } from './commands/findCommands';
import { hookCommands } from './commands/hookCommands';
import { keepCommands } from './commands/keepCommands';
import { logCommands } from './commands/logCommands';
import { memoryCommands } from './commands/memoryCommands';
import { modelCommands } from './commands/modelCommands';
import { recallCommands } from './commands/recallCommands';
import { sessionCommands } from './commands/sessionCommands';
import { suggestionCommands } from './commands/suggestionCommands';
import { teamCommands } from './commands/teamCommands';
import { teamSetup } from './commands/teamSetup';
import { windowCommands } from './commands/windowCommands';

/** `titles` are the commands' names in the manifest, in the language of the editor. */
export function registerCommands(context: CommandContext, titles: ReadonlyMap<string, string>): Disposable[] {
  const table: Handlers = {
    ...memoryCommands(context),
    ...keepCommands(context),
    ...logCommands(context),
    ...findCommands(context),
    ...suggestionCommands(context),
    ...recallCommands(context),
    ...teamCommands(context),
    ...teamSetup(context),
    ...sessionCommands(context),
    ...dreamCommands(context),
    ...modelCommands(context),
    ...hookCommands(context),
    ...windowCommands(context),
  };
  return Object.entries(table).map(([id, handler]) =>
    commands.registerCommand(id, (...args: unknown[]) =>
      context.notices.guard(titles.get(id) ?? id, () => handler(...args)),
    ),
  );
}
