import { format, isSameYear } from 'date-fns';
import type { Alert, Snooze, SnoozedUntil } from '#backend/contract/alert.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The beginning of a day where the person is. */
const dayOf = (time: Date): number => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

/** Whether an alert's sender can report it again: it has a name and a lifecycle. */
export const canFireAgain = ({ dedupKey, state }: Pick<Alert, 'dedupKey' | 'state'>): boolean =>
  dedupKey !== undefined && state !== 'event';

/** The end of a snooze, as this device's clock has it. */
export const snoozeEnd = (snooze: Snooze, now: Date): SnoozedUntil =>
  'until' in snooze ? snooze.until : new Date(now.getTime() + snooze.minutes * MINUTE_MS).toISOString();

/** A moment to come: "2:00 PM", "tomorrow 9:00 AM", "Mon 9:00 AM" within a week, "Dec 24, 9:00 AM". */
export function formatMoment(time: Date, now: Date): string {
  // Days are 23 to 25 hours long where the clocks change.
  const days = Math.round((dayOf(time) - dayOf(now)) / DAY_MS);
  if (days === 0) return format(time, 'h:mm a');
  if (days === 1) return format(time, "'tomorrow' h:mm a");
  if (days > 1 && days < 7) return format(time, 'EEE h:mm a');
  return format(time, isSameYear(time, now) ? 'MMM d, h:mm a' : 'MMM d, yyyy, h:mm a');
}

/** Until when an alert is snoozed: "until 2:00 PM", "until it fires again". */
export const untilLabel = (until: SnoozedUntil, now: Date): string =>
  until === 'next-firing' ? 'until it fires again' : `until ${formatMoment(new Date(until), now)}`;

/** The alert back in its lists; nobody has to know when it woke. */
export function awake({ snoozedUntil: _until, wokenAt: _woken, ...alert }: Alert): Alert {
  return alert;
}

/** The alert out of its lists. */
export const snoozed = (alert: Alert, until: SnoozedUntil): Alert => ({ ...awake(alert), snoozedUntil: until });

/** Whether the member may snooze the alert, or wake it: of the inbox anybody, else its owner, while it is open. */
export const maySnooze = ({ status, ownerId }: Alert, me: string): boolean =>
  status === 'pending' || (status !== 'completed' && ownerId === me);
