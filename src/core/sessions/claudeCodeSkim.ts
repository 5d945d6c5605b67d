// Reads a record without the big values that no reading asks for: the data of a progress record, and both copies of a
// tool's output. What it gives has every field that a reading asks of such records; whatever does not look exactly
// as expected, two records glued on one line for one, is left to the full parser.

import { isObject, type JsonObject } from './json';

const glued = [Buffer.from('}{'), Buffer.from('} {')] as const;
const toolUseResult = Buffer.from(',"toolUseResult":{');
/** What a reading asks of them, beside the message. Fields that stand between the skipped value and the tail are lost. */
const asked = ['type', 'uuid', 'parentUuid', 'isSidechain', 'timestamp'];
const outputStart = Buffer.from('"type":"tool_result","content":"');
const valueOpens = Buffer.from('":"');
const nextBlock = Buffer.from('},{"');
/** What stands between the end of a tool's output and its second copy: flat fields, behind the quote that ends the text. */
const outputEnd =
  /(\\*)"(?:,"is_error":(?:true|false)|,"tool_use_id":"[\w-]*")*\}\]\}(?:,"\w+":(?:"[^"\\{}]*"|true|false|null))*$/;
const longestOutputEnd = 400;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
/** Below this a full parse costs no more than looking around. */
const worthwhileBytes = 1024;
const longestName = 64;
/** The fields before a record's first nested value are short. */
const longestHead = 4096;

/**
 * The record on a line, with 0 in place of `data` or `toolUseResult`, and a long tool output of it empty; undefined when
 * the whole line has to be parsed. It rests on one fact: in JSON a quote inside a string is escaped, so
 * `,"toolUseResult":{` is a key wherever it stands; and where the text before it and the text after the line's last inner
 * brace make one object, it is a key of the record.
 */
export function skimRecord(line: Buffer): JsonObject | undefined {
  if (line.length < worthwhileBytes || line[0] !== openBrace || line[line.length - 1] !== closeBrace) return undefined;
  const tail = line.lastIndexOf(closeBrace, line.length - 2) + 1;
  const data = progressData(line);
  const skipped = data ?? secondCopy(line);
  if (skipped === undefined || tail <= skipped) return undefined;
  // What stands before and behind is parsed, and shows a seam by itself.
  const unseen = line.subarray(skipped, tail);
  if (glued.some((seam) => unseen.includes(seam))) return undefined;
  const output = data === undefined ? firstCopy(line, skipped) : undefined;
  const [outputFrom, outputTo] = output ?? [skipped, skipped];
  try {
    const value: unknown = JSON.parse(
      `${line.toString('utf8', 0, outputFrom)}${line.toString('utf8', outputTo, skipped)}0${line.toString('utf8', tail)}`,
    );
    if (!isObject(value) || asked.some((field) => value[field] === undefined)) return undefined;
    return value.type === 'progress' || value.message !== undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the first nested value of a progress record begins. */
function progressData(line: Buffer): number | undefined {
  const nested = line.indexOf(openBrace, 1);
  if (nested < 0 || nested > longestHead) return undefined;
  const head = line.toString('latin1', 0, nested);
  return head.includes(',"type":"progress",') && head.endsWith('"data":') ? nested : undefined;
}

function secondCopy(line: Buffer): number | undefined {
  const key = line.indexOf(toolUseResult);
  return key < 0 ? undefined : key + toolUseResult.length - 1;
}

/** Where a tool's output begins and ends, when it is one long text and the only block of its message. */
function firstCopy(line: Buffer, end: number): readonly [number, number] | undefined {
  const key = line.indexOf(outputStart);
  const from = key + outputStart.length;
  if (key < 0 || key > longestHead || end - from < worthwhileBytes) return undefined;
  const windowStart = Math.max(from, end - longestOutputEnd);
  const match = outputEnd.exec(line.toString('latin1', windowStart, end - toolUseResult.length + 1));
  if (!match || (match[1] ?? '').length % 2 === 1) return undefined;
  const to = windowStart + match.index + (match[1] ?? '').length;
  return line.subarray(from, to).includes(nextBlock) ? undefined : [from, to];
}

/**
 * The text of a line on which a tool's output stands twice, byte for byte, with the second copy empty; undefined for any
 * other. Where this text is one JSON value, so is the whole line, and nothing but that one string differs: the copy that
 * stays shows that the one left out is a string's inside.
 */
export function textWithoutCopy(line: Buffer): string | undefined {
  if (line.length < 2 * worthwhileBytes) return undefined;
  const object = secondCopy(line);
  const first = object === undefined ? undefined : firstCopy(line, object);
  if (!first || object === undefined) return undefined;
  const start = line.indexOf(valueOpens, object) + valueOpens.length;
  const end = start + first[1] - first[0];
  const isCopy =
    start > object &&
    start < object + longestName &&
    end < line.length &&
    line[end] === quote &&
    line.compare(line, ...first, start, end) === 0;
  return isCopy ? line.toString('utf8', 0, start) + line.toString('utf8', end) : undefined;
}
