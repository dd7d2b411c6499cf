import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Alert, Snooze, SnoozedUntil } from '#backend/contract/alert.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import * as texts from './texts.ts';

const MINUTE_MS = 60_000;

/** Whether an alert's sender can report it again: it has a name and a lifecycle. */
export const canFireAgain = ({ dedupKey, state }: Pick<Alert, 'dedupKey' | 'state'>): boolean =>
  dedupKey !== undefined && state !== 'event';

/** The end of a snooze, as this device's clock has it. */
export const snoozeEnd = (snooze: Snooze, now: Date): SnoozedUntil =>
  'until' in snooze ? snooze.until : new Date(now.getTime() + snooze.minutes * MINUTE_MS).toISOString();

/** Until when an alert is snoozed: "until 2:00 PM", "until it fires again". */
export const untilLabel = (until: SnoozedUntil, now: Date): string =>
  until === 'next-firing' ? texts.untilItFiresAgain : texts.untilTime(formatMoment(new Date(until), now));

/** Whether the member may snooze the alert, or wake it: of the inbox anybody, else its owner, while it is open. */
export const maySnooze = (alert: Alert, me: string): boolean =>
  isEverybodys(alert) || (alert.status !== 'completed' && alert.ownerId === me);
