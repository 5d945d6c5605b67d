// The daily logs of a test: their parts over a memory folder and a state folder, with a set clock in a named time zone.

import { join } from 'node:path';
import { type Assistant, openAssistant } from '../../src/core/assistant';
import { type Disk, nodeDisk } from '../../src/core/disk';
import { defaultSettings, type EngineSettings } from '../../src/core/engineSettings';
import { nodeProcessTable } from '../../src/core/guard';
import { silentLogger } from '../../src/core/log';
import { createLogGather } from '../../src/core/logGathering';

/** Assistant mode is on. */
export const assistantSettings = (more: Partial<EngineSettings> = {}): EngineSettings => ({
  ...defaultSettings,
  assistantMode: { enabled: true, dreamHour: 3 },
  ...more,
});

export const logsOver = (
  base: string,
  options: {
    readonly now?: () => number;
    readonly zone?: string;
    readonly disk?: Disk;
    readonly isOn?: boolean;
  } = {},
): Assistant => {
  const { now = Date.now, zone = 'UTC', disk = nodeDisk, isOn = true } = options;
  return openAssistant({
    memoryDir: join(base, 'memory'),
    stateDir: join(base, 'state'),
    settings: () => (isOn ? assistantSettings() : defaultSettings),
    zone,
    disk,
    processes: nodeProcessTable(disk),
    now,
    log: silentLogger,
  });
};

/** What a model that dreams is given of them. */
export const documentsOver = (base: string, options: Parameters<typeof logsOver>[1] = {}) => {
  const assistant = logsOver(base, options);
  return createLogGather({
    ...assistant,
    isAssistantMode: assistant.isOn,
    saving: () => Promise.reject(new Error('not asked for')),
    suggestions: {
      waiting: async () => [],
      find: async () => undefined,
      add: async () => 0,
      isSettled: async () => false,
      settle: async () => {},
      onDidChange: () => ({ dispose() {} }),
    },
    unwanted: async () => [],
    findForgotten: () => undefined,
  }).documents;
};
