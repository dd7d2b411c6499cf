const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const times = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const hours = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });
const days = new Intl.DateTimeFormat('en-US', { weekday: 'short', hour: 'numeric', minute: '2-digit' });
const dates = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const numbers = new Intl.NumberFormat('en-US');

/** "9:20 PM". */
export const timeText = (at: number): string => times.format(at);

/** "9 PM"; "9:30 PM" where clocks are ahead of UTC, whose hours are counted, by half an hour. */
export const hourText = (at: number): string => (new Date(at).getMinutes() === 0 ? hours : times).format(at);

/**
 * "10:00 PM"; "Fri 10:00 PM" where that is more than half a day away; "Dec 4, 10:00 PM" where the day could be taken for that of
 * this week.
 */
export function endText(at: number, now: number): string {
  const rest = at - now;
  return (rest < DAY_MS / 2 ? times : rest < 6 * DAY_MS ? days : dates).format(at);
}

export const numberText = (value: number): string => numbers.format(value);

/** "42 min": one unit, as it is read from afar. */
export function ageText(from: number, now: number): string {
  const age = Math.max(0, now - from);
  if (age < MINUTE_MS) return 'now';
  if (age < 2 * HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / DAY_MS)} d`;
}

/** After this without an answer the connection counts as lost, and after that figures count as old, in milliseconds. */
const LOST_MS = 10_000;
const OLD_MS = 60_000;

/** How current figures are. @param readAt when they were read; undefined while they never were */
export function currencyOf(readAt: number | undefined, now: number): 'live' | 'lost' | 'old' {
  const age = readAt === undefined ? Infinity : now - readAt;
  // This screen's clock was set back: how old they are is not known.
  if (age < -LOST_MS) return 'lost';
  if (age <= LOST_MS) return 'live';
  return age <= OLD_MS ? 'lost' : 'old';
}

/** What the server's clock shows now. @param at what it showed when figures were read @param readAt what this screen's did */
export const serverNow = (at: string, readAt: number | undefined, now: number): number =>
  readAt === undefined ? now : now - (readAt - Date.parse(at));

/** Everything moves by so many pixels in turn, against burn-in. */
const SHIFTS = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
] as const;
const SHIFT_MS = 10 * MINUTE_MS;

/** Where everything stands now, in CSS. */
export function shiftAt(now: number): string {
  const [x, y] = SHIFTS[Math.floor(now / SHIFT_MS) % SHIFTS.length] ?? [0, 0];
  return `translate(${x}px, ${y}px)`;
}
