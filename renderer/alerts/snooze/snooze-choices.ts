import { onTheWall } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { addDays, addMinutes, nextMonday, set } from 'date-fns';
import type { Snooze } from '#backend/contract/alert.ts';
import * as texts from './texts.ts';

/** A way to snooze that is on offer. */
export interface SnoozeChoice {
  label: string;
  /** When it would end, in short. */
  hint: string;
  snooze: Snooze;
}

const MINUTES = [
  [30, '30 minutes'],
  [60, '1 hour'],
  [240, '4 hours'],
] as const;

/** The morning of a day, in the person's time zone. */
const morningOf = (day: Date): Date => set(day, { hours: 9, minutes: 0, seconds: 0, milliseconds: 0 });

/** The ways to snooze at a moment; those that end by the clock of the wall end where the person is. */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const tomorrow = morningOf(addDays(onTheWall(now), 1));
  const monday = morningOf(nextMonday(onTheWall(now)));
  return [
    ...MINUTES.map(([minutes, label]) => ({
      label,
      hint: writeTime(addMinutes(now, minutes), 'h:mm a'),
      snooze: { minutes },
    })),
    { label: texts.tomorrow, hint: writeTime(tomorrow, 'EEE h:mm a'), snooze: { until: tomorrow.toISOString() } },
    // On Sundays both are the same morning.
    ...(monday.getTime() === tomorrow.getTime()
      ? []
      : [{ label: texts.nextMonday, hint: writeTime(monday, 'EEE h:mm a'), snooze: { until: monday.toISOString() } }]),
  ];
}

/** Until the sender reports the problem as firing again. */
export const UNTIL_NEXT_FIRING: Snooze = { until: 'next-firing' };
