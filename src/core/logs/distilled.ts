// How far the daily logs have been distilled into memories. What lies behind that is read for a dream; it counts as distilled when
// a person, or the mode they chose, has taken or turned down what came of it, and not before: so no line is lost with a
// proposal. A log that was edited below its mark is read again from its beginning.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { readJson, sha256, writeJson } from '../files';
import { isObject } from '../sessions/json';
import { type DailyLogs, dayOfPath, type LogFile } from './dailyLogs';
import { type LogLine, parseLog } from './logLines';
import type { Zone } from './zone';

/** A part of a log, from byte to byte. */
export interface LogSpan {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Of all bytes before `to`. */
  readonly hash: string;
}

export type UnreadLine = LogLine & {
  readonly path: string;
  readonly day: string;
  /** Milliseconds, to the minute. Of a line without a time, that of the one before it. */
  readonly at: number;
};

export interface Unread {
  /** In the order they were said. */
  readonly lines: readonly UnreadLine[];
  readonly spans: readonly LogSpan[];
}

export interface Distilled {
  /** What no dream has settled yet; the oldest part where there is much. Lines of others from before the first use only with `past`. */
  unread(options?: { readonly past?: boolean }): Promise<Unread>;
  /** These are settled. Goes forward only. */
  settle(spans: readonly LogSpan[]): Promise<void>;
  /** Notes the first use. */
  begin(): Promise<void>;
}

interface Stored {
  /** Milliseconds: the first use. */
  readonly since: number;
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly hash: string }>>;
}

/** For one dream. */
const mostLines = 2_000;
/** A last line without an end may still be written. */
const settleMs = 60_000;

export function openDistilled(options: {
  readonly logs: DailyLogs;
  readonly folder: string;
  readonly disk: Disk;
  readonly zone: Zone;
  readonly now: () => number;
}): Distilled {
  const { logs, disk, zone, now } = options;
  const path = join(options.folder, 'distilled.json');

  async function stored(): Promise<Stored | undefined> {
    const value = await readJson<unknown>(disk, path);
    if (!isObject(value) || typeof value.since !== 'number' || !isObject(value.files)) return undefined;
    return value as unknown as Stored;
  }

  async function partOf(
    file: LogFile,
    state: Stored | undefined,
  ): Promise<{ span: LogSpan; lines: LogLine[] } | undefined> {
    const known = state?.files[file.path];
    if (known && known.bytes === file.size) return undefined;
    const bytes = await logs.bytes(file.path).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const isSettled = now() - file.mtimeMs > settleMs;
    const to = isSettled ? bytes.length : bytes.lastIndexOf(0x0a) + 1;
    const isSame = known !== undefined && sha256(bytes.subarray(0, known.bytes)) === known.hash;
    const from = isSame ? known.bytes : 0;
    if (to <= from) return undefined;
    const before = bytes.subarray(0, from).toString('utf8').split('\n').length;
    const lines = parseLog(bytes.subarray(0, to).toString('utf8')).filter(({ line }) => from === 0 || line >= before);
    return { span: { path: file.path, from, to, hash: sha256(bytes.subarray(0, to)) }, lines };
  }

  return {
    async unread({ past = false } = {}) {
      const state = await stored();
      const firstDay = zone.local(state?.since ?? now()).day;
      const lines: UnreadLine[] = [];
      const spans: LogSpan[] = [];
      for (const file of await logs.days()) {
        if (lines.length >= mostLines) break;
        const part = await partOf(file, state);
        if (!part) continue;
        spans.push(part.span);
        let minutes = 0;
        for (const line of part.lines) {
          minutes = line.minutes ?? minutes;
          if (line.id === undefined && !past && file.day < firstDay) continue;
          lines.push({ ...line, path: file.path, day: file.day, at: zone.moment({ day: file.day, minutes }) });
        }
      }
      return { lines, spans };
    },
    async settle(spans) {
      if (spans.length === 0) return;
      const state = await stored();
      const files = { ...state?.files };
      for (const { path: file, to, hash } of spans) {
        const known = files[file];
        // Another dream may have settled more of the same log meanwhile.
        const bytes = known && known.bytes > to ? await logs.bytes(file).catch(() => undefined) : undefined;
        const isAhead = known && bytes !== undefined && sha256(bytes.subarray(0, known.bytes)) === known.hash;
        if (!isAhead && dayOfPath(file) !== undefined) files[file] = { bytes: to, hash };
      }
      await writeJson(disk, path, { since: state?.since ?? now(), files } satisfies Stored);
    },
    async begin() {
      if ((await stored()) === undefined) await writeJson(disk, path, { since: now(), files: {} } satisfies Stored);
    },
  };
}
