// One run of a model that keeps the daily log: it reads memories, and all it can write is lines of a log, which are only added. The
// tools are the same bytes as in every run; what they may do here is decided at the call. A run that fails rejects, and nothing
// of it is logged.

import type { AgentPrefix, Tool, ToolOutcome } from '../agent/agentLoop';
import { createMemoryTools, fieldsOf } from '../agent/memoryTools';
import { dayOfPath, logPattern } from '../logs/dailyLogs';
import { formatManifest } from '../memory/manifest';
import type { TranscriptMessage } from '../sessions/transcript';
import type { ExtractionResult } from './findings';
import type { Logging } from './logging';
import { formatLogTask } from './logPrompt';
import { type NotedLine, readLogWork } from './logWork';
import { asksToForget, type ModelRunOptions, runWithin } from './modelRun';
import { manifestTokens } from './prompt';

export type LogRun = (
  options: ModelRunOptions,
  task: {
    readonly prefix: AgentPrefix;
    readonly firstNew: number;
    readonly lastNew: number;
    readonly numbered: ReadonlyMap<number, TranscriptMessage>;
    readonly lastNumber: number;
  },
  from: Parameters<Logging['log']>[1],
) => Promise<ExtractionResult>;

const mostLines = 40;
const longestLine = 600;
const line =
  /^[-*]\s+(?:\d{1,2}:\d{2}\s+)?(maybe\s+)?(user|feedback|project|reference|forget):\s+(.*?\S)(?:\s*\[((?:#?\d+(?:\s*,\s*)?)+)\])?$/i;
const reason = /^(.*\S)\s+\(why:\s*(.*?)\)\.?$/is;

export const runLogging =
  (log: Logging['log']): LogRun =>
  async (options, { prefix, numbered, lastNumber, ...range }, from) => {
    const heads = await options.heads();
    const mayForget = [...numbered.values()].some(asksToForget);
    const noted: NotedLine[] = [];
    const memory = createMemoryTools({
      overlay: options.openOverlay(),
      paths: heads.map(({ path }) => path),
      documents: [],
      isPinned: () => false,
      team: false,
      index: false,
      mostFiles: 0,
      mayDelete: () => onlyAdded,
    });
    const tools = memory.tools.map(
      (tool): Tool => (tool.definition.name === 'Write' ? { ...tool, run: async (input) => add(input) } : tool),
    );

    function add(input: unknown): ToolOutcome {
      const { content } = fieldsOf(input);
      const rows = typeof content === 'string' ? content.split(/\r?\n/).filter((row) => /^\s*[-*]\s/.test(row)) : [];
      const lines = rows.map((row) => noteOf(row.trim(), mayForget));
      const bad = rows.find((_, at) => lines[at] === undefined);
      if (rows.length === 0) return refused(`There is no line in it. ${form}`);
      if (bad !== undefined) return refused(`This is no line of a log: “${bad.slice(0, 80)}”. ${form}`);
      if (noted.length + rows.length > mostLines) return refused(`One run adds at most ${mostLines} lines.`);
      noted.push(...lines.flatMap((one) => one ?? []));
      return { text: `Added ${rows.length} ${rows.length === 1 ? 'line' : 'lines'}.`, isError: false };
    }

    const result = await runWithin(
      options,
      {
        prefix,
        prompt: formatLogTask({ ...range, manifest: formatManifest(heads, manifestTokens), mayForget }),
        tools,
        canUseTool(name, input) {
          if (name === 'Edit' || name === 'Delete') return onlyAdded;
          if (name !== 'Write') return memory.canUseTool(name, input);
          const { file_path: path } = fieldsOf(input);
          return typeof path === 'string' && dayOfPath(path.replace(/^\.\//, '')) !== undefined
            ? undefined
            : `In this run Write takes a path of the form “${logPattern}”, with the date of the message, and nothing else.`;
        },
      },
      from,
    );
    const work = readLogWork(noted, { numbered, lastNumber, now: options.now() });
    for (const why of work.leftOut) options.log.warn(`A line of the log was left out: ${why}.`);
    const { usage, turns } = result;
    return { ...(await log(work.said, from)), usage, turns, model: options.model.id };
  };

const onlyAdded = 'The daily log is only added to, and memories are left to the dream. Write adds lines.';
const form = 'A line is “- feedback: the fact (why: the reason, if the person gave it) [#12]”.';
const refused = (text: string): ToolOutcome => ({ text, isError: true });

function noteOf(row: string, mayForget: boolean): NotedLine | undefined {
  const found = row.length > longestLine ? null : line.exec(row);
  if (!found) return undefined;
  const [, maybe, word = '', said = '', numbers = ''] = found;
  const cited = (numbers.match(/\d+/g) ?? []).map(Number);
  const type = word.toLowerCase() as NotedLine['type'];
  if (type === 'forget') return mayForget ? { type, sure: true, text: said, cited } : undefined;
  const [, text = said, why] = reason.exec(said) ?? [];
  return { type, sure: maybe === undefined, text, ...(why ? { why } : {}), cited };
}
