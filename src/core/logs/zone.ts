// Local dates and times, in the machine's own time zone or in one that is named. A day is a day of the calendar there, however many
// hours it has. It asks no clock.

export interface LocalTime {
  /** `2026-12-01` */
  readonly day: string;
  /** Since midnight by the clock on the wall: 0 to 1439. */
  readonly minutes: number;
}

export interface Zone {
  local(at: number): LocalTime;
  /**
   * When the clock on the wall shows this. Of two such moments the first; where the clock is set forward past it, the moment
   * that many minutes later. Milliseconds.
   */
  moment(local: LocalTime): number;
}

const two = (value: number): string => String(value).padStart(2, '0');
const minuteMs = 60_000;

/** `name`: such as `Europe/Lisbon`; without it, the machine's. Throws `RangeError` for a name that is none. */
export function createZone(name?: string): Zone {
  const format =
    name === undefined
      ? undefined
      : new Intl.DateTimeFormat('en-CA', {
          timeZone: name,
          hourCycle: 'h23',
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
        });

  function local(at: number): LocalTime {
    const date = new Date(at);
    if (!format) {
      const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
      return { day, minutes: date.getHours() * 60 + date.getMinutes() };
    }
    const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
    return {
      day: `${parts.year}-${parts.month}-${parts.day}`,
      minutes: Number(parts.hour) * 60 + Number(parts.minute),
    };
  }

  const wall = ({ day, minutes }: LocalTime): number => Date.parse(`${day}T00:00:00Z`) + minutes * minuteMs;

  return {
    local,
    moment(asked) {
      const target = wall(asked);
      const offsets = [-1, 0, 1].map((days) => {
        const at = target + days * 86_400_000;
        return wall(local(at)) - at;
      });
      const candidates = [...new Set(offsets)].map((offset) => target - offset).sort((a, b) => a - b);
      return candidates.find((at) => wall(local(at)) === target) ?? candidates.at(-1) ?? target;
    },
  };
}

/** The day after, or `by` days after. */
export const dayAfter = (day: string, by = 1): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
