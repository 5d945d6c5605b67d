// What a command of the command line is: its words, its options, what it is handed. The commands themselves lie in `cli.ts` and
// beside it.

import { MemoryError } from './core/engine';
import type { Logger } from './core/log';
import type { Project } from './core/project';

export const optionTypes = {
  project: { type: 'string' },
  'config-dir': { type: 'string' },
  chats: { type: 'string' },
  provider: { type: 'string' },
  now: { type: 'string' },
  json: { type: 'boolean' },
  trust: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  prompts: { type: 'boolean' },
  limit: { type: 'string' },
  'recent-tools': { type: 'string' },
  exclude: { type: 'string' },
  session: { type: 'string' },
  all: { type: 'boolean' },
  type: { type: 'string' },
  scope: { type: 'string' },
  force: { type: 'boolean' },
  apply: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  only: { type: 'string' },
  settle: { type: 'string' },
  local: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof optionTypes;
export type Options = { [K in OptionName]?: (typeof optionTypes)[K]['type'] extends 'string' ? string : boolean };

export interface Call {
  readonly options: Options;
  readonly words: readonly string[];
  readonly now: () => number;
  readonly log: Logger;
  /** Opens the project of `--project` once. */
  readonly project: () => Promise<Project>;
}

export interface Command {
  readonly usage: string;
  readonly does: string;
  readonly options: readonly OptionName[];
  /** `undefined` when standard output was used for something else than a result. */
  readonly run: (call: Call) => Promise<object | undefined>;
}

export const usage = (message: string) => new MemoryError('usage', message);

/** The value, if it is one of those allowed. Throws `usage` for another one. */
export function oneOf<T extends string>(
  value: string | undefined,
  allowed: readonly T[],
  option: string,
): T | undefined {
  const found = allowed.find((candidate) => candidate === value);
  if (value !== undefined && !found) throw usage(`${option} is one of ${allowed.join(', ')}.`);
  return found;
}

/** Words between commas. */
export const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const isoOf = (ms: number) => new Date(ms).toISOString();
