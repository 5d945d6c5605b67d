// The only reader of the editor's configuration. It hands out finished settings; a value of a wrong type is its default.
// What a person set for all of their folders is mirrored into the settings file that the command line and hooks read;
// what one workspace says stays in that workspace.

import { type Uri, workspace } from 'vscode';
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
    staleDays: configuration.get('staleDays'),
    team: configuration.get('team'),
  });
}

/** To be called when a person changed a setting, never at a plain start: two windows would take turns writing. */
export async function mirrorSettings(configDir: string): Promise<void> {
  const { completeSettings, nodeDisk, writeSettings } = await loadEngine();
  await writeSettings(nodeDisk, configDir, completeSettings(personalSettings()));
}

/** Without what a workspace or a folder overrides. */
function personalSettings(): unknown {
  const configuration = workspace.getConfiguration(section, null);
  const value = (key: string): unknown => {
    const found = configuration.inspect(key);
    return found?.globalValue ?? found?.defaultValue;
  };
  const values = (group: string, keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, value(`${group}.${key}`)]));
  return {
    enabled: value('enabled'),
    extraction: values('extraction', ['mode', 'when', 'everyTurns']),
    sources: values('sources', ['idleMinutes']),
    staleDays: values('staleDays', ['user', 'feedback', 'project', 'reference']),
    team: values('team', ['directory']),
  };
}

export const affectsSettings = (event: { affectsConfiguration(name: string): boolean }): boolean =>
  event.affectsConfiguration(section);
