// Front matter as programs write it, read without a YAML parser: `key: value` and one level of nesting. A scan of ten
// thousand heads is bound by this. Anything unusual is left to the parser; what is returned is what the parser would say.

// Without the `u` flag and one class only: this runs over every byte of every head.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what YAML refuses.
const unusualText = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; a carriage return is fine before a line feed only.
const notYamlText = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\r(?!\n)/;
const plainKey = /[A-Za-z_][\w-]*:/y;
const halfCharacter = /\p{Cs}/u;
const plainStart = /^(?:\p{L}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?$)/u;
const space = 0x20;
const carriageReturn = 0x0d;
const wordWithMeaning = /^(?:null|true|false)$/i;

/** What the block says, or `undefined` when a YAML parser has to decide. */
export function parsePlainBlock(block: string): Record<string, unknown> | undefined {
  if (unusualText.test(block) && (notYamlText.test(block) || halfCharacter.test(block))) return undefined;
  const data: Record<string, unknown> = {};
  let parent: Record<string, unknown> | undefined;
  let parentKey = '';
  let indent = 0;
  // No regular expression and no array for a line: most of the time of a scan would go into collecting them again.
  for (let start = 0, next = 0; start < block.length; start = next) {
    let end = block.indexOf('\n', start);
    if (end === -1) end = block.length;
    next = end + 1;
    if (block.charCodeAt(end - 1) === carriageReturn) end -= 1;
    if (end <= start) continue;
    let at = start;
    while (block.charCodeAt(at) === space) at += 1;
    const depth = at - start;
    const colon = endOfKey(block, at);
    if (colon === -1 || (colon + 1 < end && block.charCodeAt(colon + 1) !== space)) return undefined;
    const key = block.slice(at, colon);
    const text = withoutSpaces(block, colon + 1, end);
    if (key === '__proto__') return undefined;
    let into = data;
    if (depth > 0) {
      if (parentKey === '' || text === '') return undefined;
      if (!parent) {
        parent = {};
        data[parentKey] = parent;
        indent = depth;
      }
      if (depth !== indent) return undefined;
      into = parent;
    } else {
      parent = undefined;
      parentKey = text === '' ? key : '';
    }
    if (Object.hasOwn(into, key)) return undefined;
    const value = text === '' ? null : plainValue(text);
    if (value === undefined) return undefined;
    into[key] = value;
  }
  return data;
}

/** The offset of the colon behind a plain key, or -1. */
function endOfKey(text: string, start: number): number {
  plainKey.lastIndex = start;
  return plainKey.test(text) ? plainKey.lastIndex - 1 : -1;
}

/** YAML's idea of white space at the ends of a value; any other is part of it. */
function withoutSpaces(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && text.charCodeAt(start) === space) start += 1;
  while (end > start && text.charCodeAt(end - 1) === space) end -= 1;
  return text.slice(start, end);
}

function plainValue(text: string): string | boolean | undefined {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const inner = text.slice(1, -1);
    const whole = text.length > 1 && text.endsWith(quote) && !inner.includes(quote) && !inner.includes('\\');
    return whole ? inner : undefined;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.length < 6 && wordWithMeaning.test(text)) return undefined;
  const letter = text.charCodeAt(0) | 0x20;
  if (!(letter >= 0x61 && letter <= 0x7a) && !plainStart.test(text)) return undefined;
  if (text.includes(': ') || text.includes(' #') || text.endsWith(':')) return undefined;
  return text;
}
