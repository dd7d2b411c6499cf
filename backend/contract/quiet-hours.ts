import { type QuietHours, WEEKDAYS, type Weekday } from './notification-settings.ts';

/** Making one takes longer than all that it is then used for; people are in few time zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const MAX_CLOCKS = 100;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  if (clocks.size >= MAX_CLOCKS) clocks.clear();
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** The weekday (0 for Monday) and the time that the clocks of a time zone show. */
function readClock(timeZone: string, now: number): { day: number; time: string } {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const day = WEEKDAYS.indexOf((parts.get('weekday') ?? '').toLowerCase() as Weekday);
  return { day, time: `${parts.get('hour')}:${parts.get('minute')}` };
}

/**
 * Whether a moment lies in somebody's quiet hours, by what the clocks on their wall show: where clocks are put forward the
 * night is an hour shorter, where they are put back an hour longer.
 *
 * @param now milliseconds since the epoch.
 */
export function isQuietAt({ isOn, days, from, to, timeZone }: QuietHours, now: number): boolean {
  if (!isOn || days.length === 0) return false;
  const { day, time } = readClock(timeZone, now);
  const beganOn = (index: number) => days.includes(WEEKDAYS[(index + 7) % 7] as Weekday);
  if (from < to) return beganOn(day) && from <= time && time < to;
  // Over midnight, or round the clock: the evening is the day's own, the morning is what began the day before.
  return (time >= from && beganOn(day)) || (time < to && beganOn(day - 1));
}
