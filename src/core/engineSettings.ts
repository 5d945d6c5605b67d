// Settings of the engine, in one file of the state folder that the editor mirrors its own settings into, so that the
// editor, the command line and hooks behave alike (decision 6). A missing or odd value is its default: a setting never
// stops a memory from being read.

import { join } from 'node:path';
import type { Disk } from './disk';
import { readJson, writeJson } from './files';
import type { MemoryType } from './memory/memory';

export interface EngineSettings {
  readonly enabled: boolean;
  readonly extraction: {
    /** `ask`: everything waits as a suggestion. */
    readonly mode: 'off' | 'ask' | 'automatic';
    readonly when: 'turnEnd' | 'sessionEnd';
    /** A turn's end starts a run only every so many turns. */
    readonly everyTurns: number;
  };
  readonly sources: { readonly idleMinutes: number };
  /** Days after which a memory is marked as stale, by type. */
  readonly staleDays: Readonly<Record<MemoryType, number>>;
  readonly team: { readonly directory: string | undefined };
}

export const defaultSettings: EngineSettings = {
  enabled: true,
  extraction: { mode: 'automatic', when: 'turnEnd', everyTurns: 1 },
  sources: { idleMinutes: 5 },
  staleDays: { project: 30, reference: 90, feedback: 180, user: 365 },
  team: { directory: undefined },
};

export const settingsFile = (configDir: string): string => join(configDir, 'reverie', 'settings.json');

export async function readSettings(disk: Disk, configDir: string): Promise<EngineSettings> {
  return completeSettings(await readJson(disk, settingsFile(configDir)));
}

/** Writes only when something differs, so that opening a window changes nothing on disk. */
export async function writeSettings(disk: Disk, configDir: string, settings: EngineSettings): Promise<void> {
  const path = settingsFile(configDir);
  const stored = await readJson<unknown>(disk, path);
  if (stored === undefined && sameSettings(settings, defaultSettings)) return;
  if (stored !== undefined && sameSettings(settings, completeSettings(stored))) return;
  await writeJson(disk, path, settings);
}

const sameSettings = (a: EngineSettings, b: EngineSettings) => JSON.stringify(a) === JSON.stringify(b);

/** Any value, made into settings: what is missing, of another type or out of range is the default. */
export function completeSettings(value: unknown): EngineSettings {
  const given = record(value);
  const extraction = record(given.extraction);
  const stale = record(given.staleDays);
  const defaults = defaultSettings;
  return {
    enabled: typeof given.enabled === 'boolean' ? given.enabled : defaults.enabled,
    extraction: {
      mode: oneOf(extraction.mode, ['off', 'ask', 'automatic'] as const) ?? defaults.extraction.mode,
      when: oneOf(extraction.when, ['turnEnd', 'sessionEnd'] as const) ?? defaults.extraction.when,
      everyTurns: Math.round(positive(extraction.everyTurns) ?? defaults.extraction.everyTurns),
    },
    sources: { idleMinutes: positive(record(given.sources).idleMinutes) ?? defaults.sources.idleMinutes },
    staleDays: {
      user: positive(stale.user) ?? defaults.staleDays.user,
      feedback: positive(stale.feedback) ?? defaults.staleDays.feedback,
      project: positive(stale.project) ?? defaults.staleDays.project,
      reference: positive(stale.reference) ?? defaults.staleDays.reference,
    },
    team: { directory: text(record(given.team).directory) },
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const positive = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((candidate) => candidate === value);
