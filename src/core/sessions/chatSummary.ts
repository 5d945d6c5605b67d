// What a file of one of VS Code's chats holds, counted; for whoever hands it over by name. Only lengths and hashes of words leave.

import { extname } from 'node:path';
import type { Disk, FileStat } from '../disk';
import { sha256 } from '../files';
import type { Exchange } from './chatExchange';
import { readValues } from './chatFile';
import { chatShape, lookOf, nothingLoaded, take, wordsOf } from './chatForms';
import { normalText } from './claudeCodeRecords';
import type { PromptSummary, SessionSummary } from './sessionSummary';

const headBytes = 4096;
const beginnings = [/^\s*\{"kind":\s*[0-3]\s*,/, /^\s*\{"type":\s*"session\.start".*"vscodeVersion"/];

/** `undefined` when it is no chat of VS Code. */
export async function summarizeChat(
  disk: Disk,
  file: string,
  stat: FileStat,
  options: { readonly prompts?: boolean; readonly signal?: AbortSignal },
): Promise<SessionSummary | undefined> {
  const asLines = extname(file) !== '.json';
  if (asLines) {
    const head = (await disk.readRange(file, 0, headBytes))?.bytes.toString('utf8').replace(/^\ufeff/, '') ?? '';
    if (!beginnings.some((beginning) => beginning.test(head))) return undefined;
  }
  const loaded = nothingLoaded();
  let records = 0;
  let fragments = 0;
  let tornTail = false;
  const { signal } = options;
  await readValues(disk, file, { stat, shape: chatShape, asLines, signal }, ({ value, isWhole, isEnded }) => {
    if (isWhole) records += 1;
    else fragments += 1;
    tornTail = !isWhole && (!isEnded || !asLines);
    take(loaded, value, isWhole);
  });
  if (loaded.form === undefined) return undefined;
  const words = wordsOf(loaded);
  const look = lookOf(loaded, words, stat.size);
  const exchanges = look.kind === 'chat' ? words.exchanges : [];
  const human = exchanges.filter(({ kind }) => kind === 'human');
  const times = exchanges.flatMap(({ at }) => (at === undefined ? [] : [at])).sort((a, b) => a - b);
  const [first, last] = [isoOf(times[0]), isoOf(times.at(-1))];
  return {
    file,
    kind: 'vscode-chat',
    format: loaded.form === 'copilot' ? 'copilot' : 'vscode-chat',
    ...(look.kind === 'none' && look.why ? { unreadable: look.why } : {}),
    subagent: false,
    records,
    nonObjects: 0,
    unparsableFragments: fragments,
    tornTail,
    gluedLines: 0,
    userRecords: exchanges.length,
    assistantRecords: exchanges.filter(({ answer, toolUses }) => answer !== '' || toolUses.length > 0).length,
    otherRecords: 0,
    sidechainRecords: 0,
    assistantMessages: exchanges.filter(({ answer }) => answer !== '').length,
    userRecordsBy: {},
    humanPrompts: human.length,
    queuedPrompts: 0,
    queued: [],
    turns: human.filter(isAnswered).length,
    compactions: 0,
    microCompactions: 0,
    ...(first ? { firstTimestamp: first } : {}),
    ...(last ? { lastTimestamp: last } : {}),
    ...(options.prompts ? { prompts: human.map(promptOf) } : {}),
  };
}

function promptOf(exchange: Exchange): PromptSummary {
  const normal = normalText(exchange.text);
  return {
    at: isoOf(exchange.at),
    timestamp: exchange.at,
    sha256: sha256(normal),
    line: 1,
    chars: normal.length,
    via: 'user',
    live: !exchange.isTakenBack,
    answered: isAnswered(exchange),
  };
}

const isAnswered = (exchange: Exchange): boolean => exchange.isAnswered && exchange.answer !== '';
const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
