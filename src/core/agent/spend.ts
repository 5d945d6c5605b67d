// What models were paid for, by run and by local day, over all projects and processes of a person, and the daily budget
// that a run asks before it starts. One file a day, one line a run, appended whole: two processes never lose a line, and a
// line that a crash tore is skipped. A figure that could not be written is still counted by the process that spent it.

import { join } from 'node:path';
import type { Disk } from '../disk';
import type { Logger } from '../log';
import { addUsage, noUsage, totalTokens, type Usage } from './languageModel';

export type SpendPurpose = 'extraction' | 'dream' | 'recall' | 'chat';

export interface SpendEntry {
  readonly purpose: SpendPurpose;
  /** The model's id. */
  readonly model: string;
  readonly usage: Usage;
  /** Which project, by the name of its state folder. */
  readonly project?: string;
  /** Which run or session, by its id. */
  readonly run?: string;
}

export interface DaySpend {
  /** Local, `2026-12-01`. */
  readonly day: string;
  readonly runs: number;
  readonly usage: Usage;
  /** Of all kinds, cache reads too. */
  readonly tokens: number;
  readonly byPurpose: Readonly<Partial<Record<SpendPurpose, number>>>;
}

export interface Spend {
  /** Never rejects: what was done is not undone because its price could not be written down. */
  record(entry: SpendEntry): Promise<void>;
  today(): Promise<DaySpend>;
  /** Whether a run may start. A run that has started is not stopped, so a day can end above its budget. */
  mayRun(): Promise<boolean>;
}

const keptDays = 90;

/** `folder` belongs to the person, not to one project: a budget is for the day and not for each project. */
export function openSpend(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
  /** 0: no limit. */
  readonly dailyTokens: () => number;
  readonly log: Logger;
}): Spend {
  const { folder, disk, now, log } = options;
  /** Lines that only this process knows of, by day. */
  const unwritten = new Map<string, string[]>();
  let tidied: string | undefined;

  async function today(): Promise<DaySpend> {
    const day = localDay(now());
    const text = (await disk.read(fileOf(folder, day)))?.toString('utf8') ?? '';
    return sum(day, [...text.split('\n'), ...(unwritten.get(day) ?? [])]);
  }

  /** Once a day and process. */
  async function tidy(day: string): Promise<void> {
    if (tidied === day) return;
    tidied = day;
    const oldest = localDay(now() - keptDays * 24 * 60 * 60 * 1000);
    for (const { name } of (await disk.list(folder)) ?? []) {
      const of = /^(\d{4}-\d\d-\d\d)\.jsonl$/.exec(name)?.[1];
      if (of !== undefined && of < oldest) await disk.remove(join(folder, name));
    }
  }

  return {
    async record({ purpose, model, usage, project, run }) {
      if (totalTokens(usage) === 0) return;
      const day = localDay(now());
      const line = JSON.stringify({ at: now(), purpose, model, ...usage, project, run });
      try {
        await disk.makeFolder(folder);
        // The line end before it parts it from a line that a crash tore.
        await disk.append(fileOf(folder, day), Buffer.from(`\n${line}\n`));
        await tidy(day);
      } catch (error) {
        unwritten.set(day, [...(unwritten.get(day) ?? []), line]);
        log.warn(`What a model was paid for can't be written down: ${error}`);
      }
    },
    today,
    async mayRun() {
      const limit = options.dailyTokens();
      if (limit <= 0) return true;
      return (await today()).tokens < limit;
    },
  };
}

const fileOf = (folder: string, day: string) => join(folder, `${day}.jsonl`);

function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function sum(day: string, lines: readonly string[]): DaySpend {
  let runs = 0;
  let usage = noUsage;
  const byPurpose: Partial<Record<SpendPurpose, number>> = {};
  for (const line of lines) {
    const entry = parse(line);
    if (!entry) continue;
    runs += 1;
    usage = addUsage(usage, entry.usage);
    byPurpose[entry.purpose] = (byPurpose[entry.purpose] ?? 0) + totalTokens(entry.usage);
  }
  return { day, runs, usage, tokens: totalTokens(usage), byPurpose };
}

function parse(line: string): { purpose: SpendPurpose; usage: Usage } | undefined {
  if (line === '') return undefined;
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    const figure = (name: keyof Usage) => {
      const tokens = value[name];
      return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : 0;
    };
    const usage = {
      input: figure('input'),
      cacheRead: figure('cacheRead'),
      cacheWrite: figure('cacheWrite'),
      output: figure('output'),
    };
    return typeof value.purpose === 'string' ? { purpose: value.purpose as SpendPurpose, usage } : undefined;
  } catch {
    return undefined;
  }
}
