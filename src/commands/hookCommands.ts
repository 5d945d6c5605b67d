// *Connect Claude Code…* and its opposite in the editor; and the launcher, which every start keeps up to date once somebody
// has connected.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { env, Uri, window, workspace } from 'vscode';
import type { Pointer } from '../core/hooks/launcher';
import { asLabel, type CommandContext, type Handlers, pickProject } from './context';
import {
  connectClaudeCode,
  disconnectClaudeCode,
  type HookAsking,
  type HookOutcome,
  type HookPlaces,
  outcomeText,
} from './hookDialogue';

const loadSetup = () => import('../core/hookSetup');

export function hookCommands(context: CommandContext): Handlers {
  const { words, notices } = context;
  const { t } = words;

  /** Without an open folder there are the person's own settings alone; so in a folder that nobody trusts. */
  async function open() {
    const setup = await loadSetup();
    const { nodeDisk: disk } = setup;
    const project = (workspace.workspaceFolders ?? []).length > 0 ? (await pickProject(context))?.project : undefined;
    const configDir = project?.paths.configDir ?? (process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'));
    const placeOf = (file: string) => ({ file, label: setup.shortened(file, homedir()) });
    const local =
      project && workspace.isTrusted
        ? await setup.localSettings(project.paths.top, disk).catch(() => undefined)
        : undefined;
    const places: HookPlaces = {
      user: placeOf(setup.userSettings(configDir)),
      local: local === undefined ? undefined : placeOf(local),
    };
    const connection = setup.openHookConnection({ configDir, disk });
    const command = setup.launcherCommand(configDir);
    return { setup, configDir, places, connection, command };
  }

  async function tell(outcome: HookOutcome | undefined, toAdd: string): Promise<void> {
    if (!outcome) return;
    context.log.info(`Claude Code's hooks: ${outcome.kind}`);
    const text = outcomeText(outcome, words);
    if (outcome.kind !== 'problem') {
      notices.info(text);
      return;
    }
    const { file } = outcome.place;
    notices.warn(
      text,
      { label: t('Open File'), run: () => window.showTextDocument(Uri.file(file)) },
      { label: t('Copy What to Add'), run: () => env.clipboard.writeText(toAdd) },
    );
  }

  return {
    async 'reverie.connectClaudeCode'() {
      const { setup, configDir, places, connection, command } = await open();
      const hooks = {
        command,
        lines: setup.wantedLines(command),
        writeLauncher: () => setup.writeLauncher(configDir, context.hookPointer, setup.nodeDisk),
      };
      await tell(await connectClaudeCode(asking, places, connection, hooks, words), setup.wantedHooks(command));
    },
    async 'reverie.disconnectClaudeCode'() {
      const { setup, places, connection, command } = await open();
      await tell(await disconnectClaudeCode(asking, places, connection, words), setup.wantedHooks(command));
    },
  };
}

/** After an update the launcher has to find the new bundle. Does nothing where nobody connected Claude Code. */
export async function keepHookLauncher(configDir: string, pointer: Pointer): Promise<void> {
  const { hasLauncher, nodeDisk, writeLauncher } = await loadSetup();
  const isThere = await hasLauncher(configDir, nodeDisk);
  if (isThere) await writeLauncher(configDir, pointer, nodeDisk);
}

const asking: HookAsking = {
  async pick(title, hint, options) {
    const items = options.map(({ label, description, value }) => ({
      label,
      description: asLabel(description),
      value,
    }));
    return (await window.showQuickPick(items, { title, placeHolder: hint }))?.value;
  },
  confirm: async (text, detail, action) =>
    (await window.showInformationMessage(text, { modal: true, detail }, action)) === action,
};
