// What was brought back: one record a question that was asked by a way a person can name, for the Recalled view. Lines are
// only ever appended, by several processes at once, and none of them is written again; of some hundred the oldest go with
// their file. Keeping it is never in the way of an answer, and a question that holds a secret is not kept.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { createEmitter, type Event } from '../event';
import type { Logger } from '../log';
import type { MemoryType } from '../memory/memory';
import type { MemoryScope } from '../memory/memoryPaths';
import { looksLikeSecret } from '../memory/secrets';
import { isObject } from '../sessions/json';
import type { Picked, Recollection } from './recall';

/** `inline` and `palette` were asked by a person in the editor, with an editor to answer in and without. */
export const recallWays = ['inline', 'palette', 'tool', 'participant', 'hook', 'command line', 'mcp'] as const;
export type RecallWay = (typeof recallWays)[number];

export interface RecalledEntry {
  readonly path: string;
  /** As it was called then. */
  readonly name: string;
  readonly type: MemoryType | undefined;
  readonly scope: MemoryScope;
  readonly picked: Picked;
}

export interface RecallRecord {
  /** Stable, and unique within the project. */
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly way: RecallWay;
  /** At most 1,000 characters of it; empty when it held a secret. */
  readonly query: string;
  readonly selector: Recollection['selector'];
  readonly considered: number;
  readonly memories: readonly RecalledEntry[];
}

export interface RecalledLog {
  /** Newest first, at most three hundred. Rejects when the folder can't be read. */
  all(): Promise<readonly RecallRecord[]>;
  /** Never rejects. `isQuiet`: nobody asked memory, so an empty answer is none worth a line. */
  add(found: Recollection, way: RecallWay, isQuiet: boolean): Promise<void>;
  clear(): Promise<void>;
  /** Fires for what this process adds, and when `heard` is told of a file that another one wrote. */
  readonly onDidChange: Event<void>;
  heard(fileName: string | undefined): void;
}

const mostShown = 300;
const longestQuery = 1_000;
/** From this size on, the next line begins another file. Two files together hold several hundred records. */
const fullBytes = 256 * 1024;
const fileName = /^recalled\.(\d{1,6})\.jsonl$/;

/** `folder` is the project's state folder itself, where somebody listens already. */
export function openRecalled(options: {
  readonly folder: string;
  readonly disk: Disk;
  readonly now: () => number;
  readonly log: Logger;
}): RecalledLog {
  const { folder, disk, now, log } = options;
  const changed = createEmitter<void>((error) => log.warn(`What was recalled can't be shown: ${error}`));
  let added = 0;

  /** Numbers of the files that are there, the newest first. */
  async function numbers(): Promise<number[]> {
    const names = (await disk.list(folder)) ?? [];
    return names.flatMap(({ name }) => Number(fileName.exec(name)?.[1] ?? Number.NaN) || []).sort((a, b) => b - a);
  }
  const pathOf = (number: number) => join(folder, `recalled.${number}.jsonl`);

  async function append(record: RecallRecord): Promise<void> {
    await disk.makeFolder(folder);
    const [newest = 1, ...older] = await numbers();
    const size = (await disk.stat(pathOf(newest)))?.size ?? 0;
    const target = size < fullBytes ? newest : newest + 1;
    // The line end before it parts it from a line that a crash tore.
    await disk.append(pathOf(target), Buffer.from(`\n${JSON.stringify(record)}\n`));
    // Another process may still append to the file before: it stays, and only those before that one go.
    const outdated = target === newest ? older.slice(1) : older;
    for (const number of outdated) await disk.remove(pathOf(number));
  }

  return {
    async all() {
      const texts = await Promise.all(
        (await numbers()).slice(0, 2).map(async (number) => (await disk.read(pathOf(number)))?.toString('utf8') ?? ''),
      );
      const records = texts.flatMap((text) => text.split('\n').flatMap(parse));
      return records.sort((a, b) => b.at - a.at).slice(0, mostShown);
    },
    async add({ query, selector, considered, memories }, way, isQuiet) {
      if (memories.length === 0 && isQuiet) return;
      try {
        const at = now();
        added += 1;
        await append({
          id: `${at.toString(36)}-${process.pid.toString(36)}-${added}`,
          at,
          way,
          query: looksLikeSecret(query) ? '' : query.slice(0, longestQuery),
          selector,
          considered,
          memories: memories.map(({ path, name, type, scope, picked }) => ({ path, name, type, scope, picked })),
        });
        changed.fire();
      } catch (error) {
        log.warn(`What was recalled can't be noted: ${error}`);
      }
    },
    async clear() {
      for (const number of await numbers()) await disk.remove(pathOf(number));
      changed.fire();
    },
    onDidChange: changed.event,
    heard(name) {
      if (name === undefined || fileName.test(name)) changed.fire();
    },
  };
}

/** A line that is torn or not ours is left out. */
function parse(line: string): RecallRecord[] {
  if (line === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || !Array.isArray(value.memories)) return [];
    const { id, at, query, considered } = value;
    const way = recallWays.find((each) => each === value.way);
    if (typeof id !== 'string' || typeof at !== 'number' || typeof query !== 'string' || !way) return [];
    return [
      {
        id,
        at,
        way,
        query,
        selector: value.selector === 'model' ? 'model' : 'lexical',
        considered: typeof considered === 'number' ? considered : 0,
        memories: value.memories.filter(isEntry),
      },
    ];
  } catch {
    return [];
  }
}

const isEntry = (value: unknown): value is RecalledEntry =>
  isObject(value) &&
  typeof value.path === 'string' &&
  typeof value.name === 'string' &&
  isPicked(value.picked) &&
  (value.scope === 'private' || value.scope === 'team');

const fields = ['name', 'keywords', 'description', 'body'];

const isPicked = (value: unknown): value is Picked =>
  isObject(value) &&
  (value.by === 'words' || value.by === 'model') &&
  (value.replaces === undefined || typeof value.replaces === 'string') &&
  Array.isArray(value.words) &&
  value.words.every((each) => isObject(each) && typeof each.word === 'string' && fields.includes(String(each.field)));
