// The command line's results as text for a person. Text of memories and transcripts is a stranger's: control characters
// are taken out, so that none of it can steer a terminal.

import { formatDream, formatGates, formatProposals } from './cliDreamText';

type Row = Readonly<Record<string, unknown>>;

/** The result of a command, as it is printed without `--json`; ends with a line end. */
export function formatResult(command: string, result: object): string {
  const lines = (formatters[command] ?? formatPath)(result as Row);
  return `${lines.map(plain).join('\n')}\n`;
}

const formatters: Readonly<Record<string, (result: Row) => string[]>> = {
  status: formatStatus,
  sessions: formatSessions,
  list: formatList,
  recall: formatRecall,
  extract: formatExtract,
  undo: formatUndo,
  dream: formatDream,
  proposals: formatProposals,
  remember: (result) => [`Remembered in ${result.path}`],
  forget: (result) => [`Moved ${result.path} to the trash. Take it back: reverie restore ${result.path}`],
  restore: (result) => [`Restored ${result.path}`],
  hook: formatHook,
  team: formatTeam,
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const plain = (line: string) => line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
const rows = (value: unknown) => (Array.isArray(value) ? (value as Row[]) : []);
const row = (value: unknown) => (value ?? {}) as Row;
const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const formatPath = (result: Row) => [String(result.path ?? '')];

function formatStatus(result: Row): string[] {
  const project = row(result.project);
  const memories = row(result.memories);
  const byType = Object.entries(row(memories.byType)).map(([type, n]) => `${type} ${n}`);
  const index = row(result.index);
  const state = result.enabled
    ? 'pausedUntil' in result
      ? `paused ${result.pausedUntil ? `until ${result.pausedUntil}` : 'until you resume it'}`
      : 'at work'
    : `switched off by ${result.disabledBy}`;
  return [
    `Project   ${project.root}`,
    `Memory    ${project.memoryDir}`,
    `State     ${state}`,
    `Engine    ${engineText(result)}`,
    ...spendText(row(result.spend)),
    `Memories  ${memories.total} (${byType.join(', ')}), ${memories.stale} stale, ${memories.problems} with a problem`,
    index.exists
      ? `Index     ${index.lines} of ${index.lineLimit} lines, ${index.chars} of ${index.charLimit} characters`
      : 'Index     not written yet',
    `Team      ${teamText(row(result.team))}`,
    ...rows(result.sources).map((source) =>
      source.reachable
        ? `Sessions  ${source.sessions} from ${source.kind}`
        : `Sessions  ${source.kind} can not be read here: ${source.why}${source.helps ? `; ${source.helps}` : ''}`,
    ),
    ...assistantText(result.assistantMode as Row),
    ...formatGates(result.gates),
    ...rows(result.warnings).map((warning) => `Warning   ${warning.message}`),
  ];
}

function assistantText({ enabled, dreamHour, waitingLines }: Row): string[] {
  if (!enabled) return [];
  const lines = count(Number(waitingLines), 'line of the daily logs waits', 'lines of the daily logs wait');
  return [`Assistant mode is on; ${lines} for the nightly dream, after ${dreamHour}:00`];
}

function teamText(team: Row): string {
  if (!team.enabled) return `off; it would be in ${team.teamDir}`;
  const refused = rows(team.refused).length;
  return `${count(Number(team.memories), 'memory', 'memories')} in ${team.teamDir}${refused > 0 ? `, ${refused} refused` : ''}`;
}

function formatTeam(result: Row): string[] {
  if ('switched' in result)
    return [result.switched === 'on' ? `On${result.directory ? `, in ${result.directory}` : ''}.` : 'Off.'];
  const refused = rows(result.refused).map(({ path, rule, line, secret }) => {
    const where = line === undefined ? '' : `, line ${line}`;
    return `Refused   ${String(path).replace(/\s/g, ' ')}${where}: ${rule}${secret === undefined ? '' : ` (${secret})`}`;
  });
  const own = rows(result.unshareable).map(
    ({ path, line, rule }) => `Secret    ${path}, line ${line}: ${rule}; it can not be shared`,
  );
  return [`Team      ${teamText(result)}`, ...refused, ...own];
}

function engineText(result: Row): string {
  if (result.provider === 'offline')
    return `offline, nothing is sent: ${offlineText(String(result.providerWhy), result.host as string | undefined)}`;
  return `${result.model}${result.host ? ` at ${result.host}: chats and memories are sent there` : ''}`;
}

/** Why the offline engine works, as the end of a sentence. */
export function offlineText(why: string, host: string | undefined): string {
  switch (why) {
    case 'not_chosen':
      return 'no model was chosen yet';
    case 'chosen':
      return 'you chose it';
    case 'setting':
      return 'reverie.model.provider says so';
    case 'asked':
      return 'you asked for it';
    case 'no_key':
      return `there is no API key for ${host} here; set ANTHROPIC_API_KEY`;
    case 'other_host':
      return `no API key was given for ${host}`;
    case 'open_line':
      return `the line to ${host} is not encrypted`;
    case 'bad_address':
      return 'reverie.model.baseUrl is no address';
    default:
      return 'the model that was chosen is not available here';
  }
}

function spendText(spend: Row): string[] {
  if (!spend.today && !spend.dailyTokens) return [];
  const limit = spend.dailyTokens ? ` of ${spend.dailyTokens}` : '';
  return [`Tokens    ${spend.today}${limit} today, in ${count(Number(spend.runs), 'run', 'runs')}`];
}

function formatSessions(result: Row): string[] {
  const sessions = rows(result.sessions);
  if (sessions.length === 0) return ['No chat sessions of this project were found.'];
  return sessions.flatMap((session) => [
    `${session.file}`,
    `    ${session.kind}, ${session.records} records, ${session.humanPrompts} prompts, ${session.turns} turns` +
      (session.lastOutcome ? `, ${session.lastOutcome}` : '') +
      (session.reason ? ` (${session.reason})` : ''),
  ]);
}

function formatList(result: Row): string[] {
  const memories = rows(result.memories);
  const suggestions = rows(result.suggestions);
  if (memories.length === 0 && suggestions.length === 0)
    return ['No memories yet. They come by themselves when a chat ends.'];
  return [
    ...memories.map((memory) => {
      const marks = [memory.type ?? 'no type', memory.scope, `${memory.ageDays} d`];
      if (memory.pinned) marks.push('pinned');
      if (memory.stale) marks.push('stale');
      if (memory.problem) marks.push(`problem: ${memory.problem}`);
      return `${memory.path}\n    ${memory.name} · ${marks.join(' · ')}`;
    }),
    ...(suggestions.length > 0 ? ['', 'Suggestions, used only when you accept them:'] : []),
    ...suggestions.map((suggestion) => `    ${suggestion.name} · ${suggestion.type} · because: ${suggestion.why}`),
  ];
}

function formatRecall(result: Row): string[] {
  const memories = rows(result.memories);
  const left = rows(result.suppressed).map(({ path, why }) => `Left out ${path}: ${why}`);
  if (result.skipped === 'ignored') return ['You said to ignore memory: nothing was looked for.'];
  if (memories.length === 0) return [`None of ${result.considered} memories fits.`, ...left];
  const found = memories.flatMap((memory) => [
    `${memory.name} · ${memory.type ?? 'no type'} · ${memory.scope} · ${memory.path}`,
    ...(memory.caveat ? [`    ${memory.caveat}`] : []),
    ...String(memory.content)
      .trim()
      .split('\n')
      .map((line) => `    ${line}`),
    `    ${memory.why}`,
    '',
  ]);
  return [...found, ...left];
}

function formatExtract(result: Row): string[] {
  const runs = rows(result.runs);
  if (runs.length === 0) return ['Nothing new in the chat sessions of this project.'];
  return runs.flatMap((run) => {
    const saved = Number(run.savedCount);
    const suggested = Number(run.suggestedCount);
    const parts = [String(run.outcome) + (run.reason ? ` (${run.reason})` : '')];
    if (saved > 0) parts.push(count(saved, 'memory', 'memories'));
    if (run.loggedCount) parts.push(`${count(Number(run.loggedCount), 'line', 'lines')} in the daily log`);
    if (suggested > 0) parts.push(count(suggested, 'suggestion', 'suggestions'));
    const written = (run.writtenPaths as string[]).map((path) => `    ${path}`);
    return [`${run.session}  ${parts.join(', ')}`, ...written];
  });
}

function formatUndo(result: Row): string[] {
  const restored = result.restored as string[];
  const conflicts = result.conflicts as string[];
  const retracted = result.retracted as { path: string; lines: number } | undefined;
  if (retracted) return [`Taken back: ${count(retracted.lines, 'line', 'lines')}. ${retracted.path} says so.`];
  return [
    restored.length > 0 ? `As before: ${restored.join(', ')}` : 'Nothing was changed back.',
    ...conflicts.map((path) => `Left alone, because it was edited since: ${path}`),
  ];
}

function formatHook(result: Row): string[] {
  if ('problem' in result) return [`${result.file} can't be read as settings: ${result.problem}.`];
  if (Array.isArray(result.connected)) {
    const events = result.connected.join(', ');
    const off = result.disabled ? ' All hooks are switched off there by disableAllHooks.' : '';
    return [events === '' ? `Not connected in ${result.file}.` : `Connected in ${result.file}: ${events}.${off}`];
  }
  const added = result.hooks ? [JSON.stringify({ hooks: result.hooks }, undefined, 2)] : [];
  if (result.changed) return [`Changed ${result.file}.`, ...added];
  return [result.wouldChange ? `This would change ${result.file}.` : `Nothing to change in ${result.file}.`, ...added];
}
