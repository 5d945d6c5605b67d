// Reads a record without the one big value that no reading asks for: the data of a progress record, and the second copy
// of a tool's output. What it gives has every field that a reading asks of such records; whatever does not look exactly
// as expected, two records glued on one line for one, is left to the full parser.

import { isObject, type JsonObject } from './json';

const glued = [Buffer.from('}{'), Buffer.from('} {')] as const;
const toolUseResult = Buffer.from(',"toolUseResult":{');
/** What a reading asks of them, beside the message. Fields that stand between the skipped value and the tail are lost. */
const asked = ['type', 'uuid', 'parentUuid', 'isSidechain', 'timestamp'];
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Below this a full parse costs no more than looking around. */
const worthwhileBytes = 1024;
/** The fields before a record's first nested value are short. */
const longestHead = 4096;

/**
 * The record on a line, with 0 in place of `data` or `toolUseResult`; undefined when the whole line has to be parsed.
 * It rests on one fact: in JSON a quote inside a string is escaped, so `,"toolUseResult":{` is a key wherever it stands;
 * and where the text before it and the text after the line's last inner brace make one object, it is a key of the record.
 */
export function skimRecord(line: Buffer): JsonObject | undefined {
  if (line.length < worthwhileBytes || line[0] !== openBrace || line[line.length - 1] !== closeBrace) return undefined;
  const tail = line.lastIndexOf(closeBrace, line.length - 2) + 1;
  const skipped = progressData(line) ?? toolOutput(line);
  if (skipped === undefined || tail <= skipped) return undefined;
  if (glued.some((seam) => line.includes(seam))) return undefined;
  try {
    const value: unknown = JSON.parse(`${line.toString('utf8', 0, skipped)}0${line.toString('utf8', tail)}`);
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

function toolOutput(line: Buffer): number | undefined {
  const key = line.indexOf(toolUseResult);
  return key < 0 ? undefined : key + toolUseResult.length - 1;
}
