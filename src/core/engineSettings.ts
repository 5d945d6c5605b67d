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
    /** `auto`: at a turn's end while the offline engine works, which costs nothing; at the session's end with a model. */
    readonly when: 'auto' | 'turnEnd' | 'sessionEnd';
    /** A turn's end starts a run only every so many turns. */
    readonly everyTurns: number;
  };
  readonly sources: { readonly idleMinutes: number };
  readonly dream: {
    /** `review`: a dream waits for a person before anything changes. */
    readonly mode: 'off' | 'manual' | 'review' | 'automatic';
    readonly minHours: number;
    readonly minSessions: number;
    /** A dream that would take away more is never applied by itself. */
    readonly maxLossPercent: number;
  };
  /** Chats are noted in daily logs, and a nightly dream makes memories of them. */
  readonly assistantMode: {
    readonly enabled: boolean;
    /** 0 to 23, by the clock on the wall. */
    readonly dreamHour: number;
  };
  /** Days after which a memory is marked as stale, by type. */
  readonly staleDays: Readonly<Record<MemoryType, number>>;
  readonly team: {
    /** Per workspace; honoured only where the workspace is trusted. */
    readonly enabled: boolean;
    /** Relative to the checkout; `undefined`: `team` in the memory folder. */
    readonly directory: string | undefined;
  };
  readonly model: {
    /** `auto`: what a person chose; until then offline. */
    readonly provider: 'auto' | 'anthropic' | 'vscode' | 'offline';
    /** Of an endpoint that speaks the Messages API; `undefined`: Anthropic's. */
    readonly baseUrl: string | undefined;
    /** Ids of models, by what they are for. */
    readonly extraction: string;
    readonly dream: string;
    readonly recall: string;
  };
  readonly recall: {
    /** Milliseconds that a model may take to choose memories; then words decide. */
    readonly timeoutMs: number;
  };
  readonly spend: {
    /** Tokens that runs may use on one local day, over all projects; 0: no limit. */
    readonly dailyTokens: number;
  };
}

/**
 * What a person chose in the dialogue. A file of its own: every window mirrors its settings when one of them changes, and a
 * choice that is made at that moment must not be lost.
 */
export interface ModelChoice {
  readonly engine: 'offline' | 'anthropic' | 'vscode';
  /** The host that was confirmed, and where its key is. */
  readonly host?: string;
  readonly key?: 'secret' | 'environment' | 'none';
  /** The editor's chat model for work in the background, and another one for recall where a person wants that. */
  readonly chatModel?: string;
  readonly chatModelForRecall?: string;
}

const defaultModel = 'claude-sonnet-5-5';

export const defaultSettings: EngineSettings = {
  enabled: true,
  extraction: { mode: 'automatic', when: 'auto', everyTurns: 1 },
  sources: { idleMinutes: 5 },
  dream: { mode: 'review', minHours: 24, minSessions: 5, maxLossPercent: 25 },
  assistantMode: { enabled: false, dreamHour: 3 },
  staleDays: { project: 30, reference: 90, feedback: 180, user: 365 },
  team: { enabled: false, directory: undefined },
  model: {
    provider: 'auto',
    baseUrl: undefined,
    extraction: defaultModel,
    dream: defaultModel,
    recall: defaultModel,
  },
  recall: { timeoutMs: 1500 },
  spend: { dailyTokens: 0 },
};

export const settingsFile = (configDir: string): string => join(configDir, 'reverie', 'settings.json');

export const choiceFile = (configDir: string): string => join(configDir, 'reverie', 'choice.json');

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

/** `undefined`: nobody has chosen yet. */
export async function readChoice(disk: Disk, configDir: string): Promise<ModelChoice | undefined> {
  return completeChoice(await readJson(disk, choiceFile(configDir)));
}

export async function writeChoice(disk: Disk, configDir: string, choice: ModelChoice | undefined): Promise<void> {
  const path = choiceFile(configDir);
  const chosen = completeChoice(choice);
  if (chosen === undefined) await disk.remove(path);
  else await writeJson(disk, path, chosen);
}

function completeChoice(value: unknown): ModelChoice | undefined {
  const given = record(value);
  const engine = oneOf(given.engine, ['offline', 'anthropic', 'vscode'] as const);
  const host = text(given.host);
  const key = oneOf(given.key, ['secret', 'environment', 'none'] as const);
  const chatModel = text(given.chatModel);
  const chatModelForRecall = text(given.chatModelForRecall);
  return (
    engine && {
      engine,
      ...(host === undefined ? {} : { host }),
      ...(key === undefined ? {} : { key }),
      ...(chatModel === undefined ? {} : { chatModel }),
      ...(chatModelForRecall === undefined ? {} : { chatModelForRecall }),
    }
  );
}

const sameSettings = (a: EngineSettings, b: EngineSettings) => JSON.stringify(a) === JSON.stringify(b);

/** Any value, made into settings: what is missing, of another type or out of range is the default. */
export function completeSettings(value: unknown): EngineSettings {
  const given = record(value);
  const extraction = record(given.extraction);
  const stale = record(given.staleDays);
  const model = record(given.model);
  const dream = record(given.dream);
  const assistant = record(given.assistantMode);
  const defaults = defaultSettings;
  return {
    enabled: typeof given.enabled === 'boolean' ? given.enabled : defaults.enabled,
    extraction: {
      mode: oneOf(extraction.mode, ['off', 'ask', 'automatic'] as const) ?? defaults.extraction.mode,
      when: oneOf(extraction.when, ['auto', 'turnEnd', 'sessionEnd'] as const) ?? defaults.extraction.when,
      everyTurns: Math.round(positive(extraction.everyTurns) ?? defaults.extraction.everyTurns),
    },
    sources: { idleMinutes: positive(record(given.sources).idleMinutes) ?? defaults.sources.idleMinutes },
    dream: {
      mode: oneOf(dream.mode, ['off', 'manual', 'review', 'automatic'] as const) ?? defaults.dream.mode,
      minHours: positive(dream.minHours) ?? defaults.dream.minHours,
      minSessions: Math.ceil(positive(dream.minSessions) ?? defaults.dream.minSessions),
      maxLossPercent: Math.min(100, positive(dream.maxLossPercent) ?? defaults.dream.maxLossPercent),
    },
    assistantMode: {
      enabled: typeof assistant.enabled === 'boolean' ? assistant.enabled : defaults.assistantMode.enabled,
      dreamHour: hourOf(assistant.dreamHour) ?? defaults.assistantMode.dreamHour,
    },
    staleDays: {
      user: positive(stale.user) ?? defaults.staleDays.user,
      feedback: positive(stale.feedback) ?? defaults.staleDays.feedback,
      project: positive(stale.project) ?? defaults.staleDays.project,
      reference: positive(stale.reference) ?? defaults.staleDays.reference,
    },
    team: { enabled: record(given.team).enabled === true, directory: text(record(given.team).directory) },
    model: {
      provider: oneOf(model.provider, ['auto', 'anthropic', 'vscode', 'offline'] as const) ?? defaults.model.provider,
      baseUrl: text(model.baseUrl),
      extraction: text(model.extraction) ?? defaults.model.extraction,
      dream: text(model.dream) ?? defaults.model.dream,
      recall: text(model.recall) ?? defaults.model.recall,
    },
    recall: { timeoutMs: Math.round(positive(record(given.recall).timeoutMs) ?? defaults.recall.timeoutMs) },
    spend: {
      dailyTokens: Math.round(positive(record(given.spend).dailyTokens) ?? defaults.spend.dailyTokens),
    },
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const positive = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
const hourOf = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 23 ? value : undefined;
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((candidate) => candidate === value);
