// The only door to the editor's configuration. It hands out finished settings; a value of a wrong type is its default.
// What a person set for all of their folders is mirrored into the settings file that the command line and hooks read;
// what one workspace says stays in that workspace.

import { ConfigurationTarget, type Uri, workspace } from 'vscode';
import type { EngineSettings } from './core/engineSettings';

const section = 'reverie';
/** Asynchronous all through, so that activation loads nothing of the engine. */
const loadEngine = () => import('./core/engine');

/** As they hold for a folder. */
export async function readSettings(folder: Uri | undefined): Promise<EngineSettings> {
  const { completeSettings } = await loadEngine();
  const configuration = workspace.getConfiguration(section, folder ?? null);
  return completeSettings({
    enabled: configuration.get('enabled'),
    extraction: configuration.get('extraction'),
    sources: configuration.get('sources'),
    dream: configuration.get('dream'),
    assistantMode: configuration.get('assistantMode'),
    staleDays: configuration.get('staleDays'),
    team: configuration.get('team'),
    recall: personal('recall', ['timeoutMs']),
    ...modelSettings(),
  });
}

/** Whether a person's settings say anything of team memory for a folder; else what was kept for its checkout holds. */
export function saysTeam(folder: Uri): boolean {
  const found = workspace.getConfiguration(section, folder).inspect('team.enabled');
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
}

/** To be called when a person changed a setting, never at a plain start: two windows would take turns writing. */
export async function mirrorSettings(configDir: string): Promise<void> {
  const { completeSettings, nodeDisk, writeSettings } = await loadEngine();
  await writeSettings(nodeDisk, configDir, completeSettings(personalSettings()));
}

/** Without what a workspace or a folder overrides. */
function personalSettings(): unknown {
  return {
    ...personal(undefined, ['enabled']),
    extraction: personal('extraction', ['mode', 'when', 'everyTurns']),
    sources: personal('sources', ['idleMinutes']),
    dream: personal('dream', ['mode', 'minHours', 'minSessions', 'maxLossPercent']),
    assistantMode: personal('assistantMode', ['enabled', 'dreamHour']),
    staleDays: personal('staleDays', ['user', 'feedback', 'project', 'reference']),
    team: personal('team', ['enabled', 'directory']),
    recall: personal('recall', ['timeoutMs']),
    ...modelSettings(),
  };
}

/** Never from a workspace: what decides where chats are sent, and what that may cost, is a person's (decision 4). */
function modelSettings(): { readonly model: unknown; readonly spend: unknown } {
  return {
    model: personal('model', ['provider', 'baseUrl', 'extraction', 'dream', 'recall']),
    spend: personal('spend', ['dailyTokens']),
  };
}

/** Values of a group without what a workspace or a folder overrides. */
function personal(group: string | undefined, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const configuration = workspace.getConfiguration(section, null);
  return Object.fromEntries(
    keys.map((key) => {
      const found = configuration.inspect(group === undefined ? key : `${group}.${key}`);
      return [key, found?.globalValue ?? found?.defaultValue];
    }),
  );
}

/** After a person has chosen: `provider` goes back to `auto`, which is what they chose; the rest as given. */
export async function updateModelSettings(
  endpoint: { readonly baseUrl: string | undefined; readonly model?: string } | undefined,
): Promise<void> {
  const configuration = workspace.getConfiguration(section, null);
  const update = (key: string, value: unknown) => configuration.update(key, value, ConfigurationTarget.Global);
  if (configuration.inspect('model.provider')?.globalValue !== undefined) await update('model.provider', undefined);
  if (!endpoint) return;
  await update('model.baseUrl', endpoint.baseUrl);
  if (endpoint.model === undefined) return;
  for (const purpose of ['extraction', 'dream', 'recall']) await update(`model.${purpose}`, endpoint.model);
}

/** Where team memory lies and whether it is on: of this workspace, or of this folder where it holds several. */
export async function updateTeamSettings(
  folder: Uri,
  team: { readonly enabled: boolean; readonly directory?: string | undefined },
): Promise<void> {
  const configuration = workspace.getConfiguration(section, folder);
  const target = workspace.workspaceFile ? ConfigurationTarget.WorkspaceFolder : ConfigurationTarget.Workspace;
  // Only what is named is changed: switched off, it keeps its folder.
  if ('directory' in team) await configuration.update('team.directory', team.directory, target);
  await configuration.update('team.enabled', team.enabled, target);
}

export const affectsSettings = (event: { affectsConfiguration(name: string): boolean }): boolean =>
  event.affectsConfiguration(section);
