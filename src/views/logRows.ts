// *Daily logs*, as rows below the memories: by month, day and line. Of older days the lines are not read; such a row opens the log.
// Pure.

import { clockText, type LogLine } from '../core/logs/logLines';
import type { MemoryType } from '../core/memory/memory';
import type { LogDay, ProjectLogs } from '../core/project';
import type { MemoryBranch, MemoryTarget } from './memoryRows';
import { type IconMark, printOf, type Row } from './rows';
import { oneLine, type Words } from './words';

/** A day of the calendar as a time for the language's own formats: at noon, so that no time zone moves it. */
export const noonOf = (day: string): number => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 12).getTime();
};

/** The day of a line that a memory names: `logs/2026/12/2026-12-01.md#3f9a2c1b0d4e`; `undefined` for anything else. */
export function dayOfRef(ref: string): number | undefined {
  const day = /^logs\/\d{4}\/\d{2}\/(\d{4}-\d{2}-\d{2})\.md(?:#|$)/.exec(ref)?.[1];
  return day === undefined ? undefined : noonOf(day);
}

/** When a line was said, as it stands there; empty where it does not say. */
const lineTime = (minutes: number | undefined): string => (minutes === undefined ? '' : clockText(minutes));

type TypeIcons = Readonly<Record<MemoryType, string>>;

/** One group, or none where there is nothing to show. */
export function logBranches(
  key: string,
  logs: ProjectLogs | undefined,
  icons: TypeIcons,
  words: Words,
): readonly MemoryBranch[] {
  if (!logs || (logs.days.length === 0 && !logs.isOn)) return [];
  const { t, number } = words;
  const heading = { project: key, kind: 'heading' } as const;
  const label = t('Daily logs');
  const description = logs.days.length === 0 ? t('nothing yet') : number(logs.days.length);
  const row = {
    id: `${key}/logs`,
    label,
    description,
    context: 'logs',
    spoken: `${label}, ${logs.days.length === 1 ? t('1 day') : t('{0} days', description)}`,
    tooltip: t('What was noted of your chats, day by day. A dream at night makes memories of it.'),
  };
  // Another row than the one that unfolds: the editor would keep that folded.
  if (logs.days.length === 0)
    return [
      {
        row: { ...row, id: `${row.id}/none`, spoken: `${label}, ${description}` },
        target: heading,
        print: printOf(row),
      },
    ];
  const leaves = () =>
    byMonth(logs.days).map(([month, days], at) => monthBranch(key, month, days, at === 0, icons, words));
  return [{ row, target: heading, print: printOf(row, logs.days), leaves, unfolded: logs.isOn }];
}

function byMonth(days: readonly LogDay[]): readonly (readonly [string, readonly LogDay[]])[] {
  const months = new Map<string, LogDay[]>();
  for (const day of days) {
    const month = day.day.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months];
}

function monthBranch(
  key: string,
  month: string,
  days: readonly LogDay[],
  isNewest: boolean,
  icons: TypeIcons,
  words: Words,
): MemoryBranch {
  const label = words.month(noonOf(`${month}-01`));
  const description = words.number(days.length);
  const row = { id: `${key}/logs/${month}`, label, description, context: 'logs', spoken: `${label}, ${description}` };
  const leaves = () => days.map((day, at) => dayBranch(key, day, isNewest && at === 0, icons, words));
  return { row, target: { project: key, kind: 'heading' }, print: '', leaves, unfolded: isNewest };
}

function dayBranch(
  key: string,
  { path, day, lines }: LogDay,
  isNewest: boolean,
  icons: TypeIcons,
  words: Words,
): MemoryBranch {
  const { t, number } = words;
  const shown = lines?.filter(({ kind }) => kind !== 'undo') ?? [];
  const back = new Set(lines?.flatMap(({ kind, id }) => (kind === 'undo' && id ? [id] : [])));
  const label = words.weekday(noonOf(day));
  const description =
    lines === undefined ? undefined : shown.length === 1 ? t('1 line') : t('{0} lines', number(shown.length));
  const row: Row = {
    id: `${key}/log/${path}`,
    label,
    ...(description === undefined ? {} : { description }),
    context: 'log day',
    spoken: [label, description].filter(Boolean).join(', '),
  };
  const target: MemoryTarget = { project: key, kind: 'log', path };
  const leaves = () => shown.map((line) => lineBranch(key, path, line, back.has(line.id ?? ''), icons, words));
  return { row, target, print: '', ...(shown.length === 0 ? {} : { leaves, unfolded: isNewest }) };
}

function lineBranch(
  key: string,
  path: string,
  line: LogLine,
  isTakenBack: boolean,
  icons: TypeIcons,
  words: Words,
): MemoryBranch {
  const { t } = words;
  const label = oneLine(line.text);
  const facts = [
    lineTime(line.minutes),
    line.kind === 'forget' && t('to be forgotten'),
    line.kind === 'fact' && !line.sure && t('perhaps'),
    isTakenBack && t('taken back'),
  ].filter(Boolean);
  const type = line.kind === 'fact' && line.type ? words.type(line.type) : undefined;
  const row = {
    id: `${key}/log/${path}#${line.line}`,
    label,
    description: facts.join(' · '),
    mark: markOf(line, isTakenBack, icons),
    context: 'log line',
    spoken: [label, type, ...facts].filter(Boolean).join(', '),
    tooltip: line.kind === 'fact' && line.why !== undefined ? `${label}\n\n${oneLine(line.why)}` : label,
  };
  return { row, target: { project: key, kind: 'log', path, line: line.line }, print: '' };
}

function markOf(line: LogLine, isTakenBack: boolean, icons: TypeIcons): IconMark {
  const quiet = 'descriptionForeground';
  if (isTakenBack) return { codicon: 'discard', color: quiet };
  if (line.kind === 'forget') return { codicon: 'trash', color: quiet };
  return { codicon: line.kind === 'fact' && line.type ? icons[line.type] : 'note' };
}

/** What a card of the review says of a line that a change came from. */
export function logSources(
  { days }: ProjectLogs,
  words: Words,
): (ref: string) => { readonly title: string; readonly at: number; readonly detail: string } | undefined {
  const byPath = new Map(days.map((day) => [day.path, day]));
  return (ref) => {
    const [path = '', mark = ''] = ref.split('#');
    const at = dayOfRef(ref);
    const day = byPath.get(path);
    if (at === undefined || !day) return undefined;
    const line = day.lines?.find((one) => (one.id === mark && one.kind !== 'undo') || `L${one.line}` === mark);
    return {
      title: words.t('Daily log of {0}', words.dayOfYear(at)),
      at,
      detail: line ? lineTime(line.minutes) : '',
    };
  };
}
