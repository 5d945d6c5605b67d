// Moments as a person says them.

import type { Words } from './words';

/** `today 03:12`, `Nov 15, 03:12` */
export function momentText(at: number, now: number, { t, time, dayOfYear }: Words): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? t('today {0}', time(at)) : `${dayOfYear(at)}, ${time(at)}`;
}
