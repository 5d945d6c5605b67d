// Which parts of a JSON value somebody wants, and a value cut down to them. What is not wanted is never kept: a chat's file is
// mostly what tools brought, and that is no one's words. Places in lists stay as they are: what was left out is null. A long
// text loses its middle, so that a value stays small whatever a stranger put into it.

import { isObject, type JsonObject } from './json';

/**
 * `true`: all of it. A number: a plain value, of a text at most so many UTF-16 units. An object: these fields, and under `*` each
 * item of a list; where a plain value stands instead, that. A function is asked once it is known what stands before the field
 * in the same object.
 */
export type Shape = true | number | ShapeFields;
export interface ShapeFields {
  readonly [field: string]: Shape | ((before: JsonObject) => Shape | undefined) | undefined;
}

/** Where a shape does not say. A pasted log is longer at times; a digest shows 6,000 of it. */
export const longestText = 128 * 1024;

/** The shape of a field or, with `*`, of an item. */
export function shapeOf(shape: Shape, field: string, before: JsonObject = {}): Shape | undefined {
  if (shape === true) return field === '__proto__' ? undefined : true;
  if (typeof shape === 'number') return undefined;
  const found = Object.hasOwn(shape, field) ? shape[field] : undefined;
  return typeof found === 'function' ? found(before) : found;
}

/** A parsed value cut down to a shape. */
export function pick(value: unknown, shape: Shape): unknown {
  if (typeof value === 'string') return bounded(value, shape);
  if (Array.isArray(value)) {
    const item = shapeOf(shape, '*');
    return value.map((each) => (item === undefined ? null : pick(each, item)));
  }
  if (!isObject(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const [field, each] of Object.entries(value)) {
    const wanted = shapeOf(shape, field, value);
    if (wanted !== undefined) picked[field] = pick(each, wanted);
  }
  return picked;
}

/** The beginning and the end of a text that is too long; copied, or the whole would be kept in memory behind it. */
export function bounded(text: string, shape: Shape): string {
  const most = typeof shape === 'number' ? shape : longestText;
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.75));
  const tail = text.slice(text.length - Math.ceil(most * 0.25));
  return Buffer.from(`${head}\n…\n${tail}`).toString('utf8');
}
