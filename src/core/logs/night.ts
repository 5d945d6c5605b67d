// When the nightly dream is due: once after each dream hour, if something was said before it that no dream has looked at. A night
// without news has no dream, one that was missed is made up for, and what is said after the hour waits for the next. The
// hour is one of the clock on the wall; a clock that is set back makes no second dream.

import { join } from 'node:path';
import type { Disk } from '../disk';
import { readJson, writeJson } from '../files';
import { isObject } from '../sessions/json';
import type { Distilled, LogSpan } from './distilled';
import { dayAfter, type Zone } from './zone';

export interface NightState {
  /** This night's dream was not dreamt yet, and there is something to dream of. */
  readonly due: boolean;
  /** 0 to 23 */
  readonly dreamHour: number;
  /** Lines that no dream has looked at. */
  readonly lines: number;
}

export interface Night {
  state(): Promise<NightState>;
  /** A dream of this time has looked at the logs. */
  done(at: number): Promise<void>;
  /** When the next dream hour is, in ms. */
  next(): number;
}

/** A stamp from further ahead was made by a clock that went wrong. */
const aheadMs = 2 * 86_400_000;

/** The day on whose morning the last dream hour was. */
export function nightOf(at: number, dreamHour: number, zone: Zone): string {
  const { day, minutes } = zone.local(at);
  return minutes >= dreamHour * 60 ? day : dayAfter(day, -1);
}

export function openNight(options: {
  readonly distilled: Distilled;
  /** What waits for a review was looked at. */
  readonly waiting: () => Promise<readonly LogSpan[]>;
  readonly folder: string;
  readonly disk: Disk;
  readonly zone: Zone;
  readonly dreamHour: () => number;
  readonly now: () => number;
}): Night {
  const { distilled, disk, zone, now } = options;
  const path = join(options.folder, 'night.json');

  async function isDone(night: string): Promise<boolean> {
    const stored = await readJson<unknown>(disk, path);
    if (!isObject(stored) || typeof stored.night !== 'string' || typeof stored.at !== 'number') return false;
    return stored.night === night || (stored.night > night && stored.at <= now() + aheadMs);
  }

  return {
    async state() {
      const dreamHour = options.dreamHour();
      const night = nightOf(now(), dreamHour, zone);
      const hour = zone.moment({ day: night, minutes: dreamHour * 60 });
      const waiting = await options.waiting();
      const { lines, spans } = await distilled.unread();
      const isNews = (file: string) => {
        const seen = waiting.find((span) => span.path === file);
        const span = spans.find((one) => one.path === file);
        return seen === undefined || span === undefined || span.to > seen.to;
      };
      const fresh = lines.filter((line) => isNews(line.path));
      const done = await isDone(night);
      return { due: !done && fresh.some(({ at }) => at < hour), dreamHour, lines: fresh.length };
    },
    done: (at) => writeJson(disk, path, { night: nightOf(at, options.dreamHour(), zone), at }),
    next() {
      const dreamHour = options.dreamHour();
      const next = dayAfter(nightOf(now(), dreamHour, zone));
      return zone.moment({ day: next, minutes: dreamHour * 60 });
    },
  };
}
