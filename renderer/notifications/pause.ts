import { onTheWall } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { useQuery } from '@tanstack/react-query';
import { addDays, addHours, set } from 'date-fns';
import { useCallback } from 'react';
import { isPausedAt } from '#backend/contract/announcement.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { notificationSettingsQuery, useChangeNotificationSettings } from './notification-settings.ts';
import * as texts from './texts.ts';

/** When "until tomorrow" ends: the hour at which a working day begins. */
const MORNING = 8;

/** An hour from now. */
export const inAnHour = (now: Date): Date => addHours(now, 1);

/** The next morning, by the clock on the wall. Who pauses after midnight means the morning that comes. */
export function tomorrowMorning(now: Date): Date {
  const here = onTheWall(now);
  const morning = set(here, { hours: MORNING, minutes: 0, seconds: 0, milliseconds: 0 });
  return here.getHours() < 4 ? morning : addDays(morning, 1);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The end of a pause as people say it: a time that comes once until then needs no day, a weekday that does no date. */
export function pauseLabel(until: Date, now: Date): string {
  const days = (until.getTime() - now.getTime()) / DAY_MS;
  return writeTime(until, days < 1 ? 'h:mm a' : days < 6 ? 'EEE h:mm a' : 'MMM d, h:mm a');
}

/** My pause of all notifications, on all my devices. */
export interface Pause {
  /** Until when, as a label; undefined when nothing is paused. */
  until: string | undefined;
  isBusy: boolean;
  /** Pauses until then. */
  pause: (until: Date) => void;
  resume: () => void;
}

/** Pauses notifications and resumes them, and says so. */
export function usePause(): Pause {
  const { data } = useQuery(notificationSettingsQuery);
  const { mutateAsync, isPending } = useChangeNotificationSettings();
  const toasts = useToasts();
  const pausedUntil = data?.pausedUntil ?? null;
  const until = useNow((now) =>
    pausedUntil !== null && isPausedAt(pausedUntil, now.getTime()) ? pauseLabel(new Date(pausedUntil), now) : undefined,
  );

  const change = useCallback(
    (to: Date | null): void =>
      void mutateAsync({ pausedUntil: to?.toISOString() ?? null }).then(
        () =>
          toasts.show(
            to
              ? {
                  intent: 'done',
                  title: texts.notificationsPaused,
                  description: texts.untilTime(pauseLabel(to, new Date())),
                }
              : { intent: 'done', title: texts.notificationsResumed },
          ),
        (error: Error) =>
          toasts.show({
            variant: 'destructive',
            title: to ? texts.failedToPause : texts.failedToResume,
            description: error.message,
          }),
      ),
    [mutateAsync, toasts],
  );
  const resume = useCallback(() => change(null), [change]);
  return { until, isBusy: isPending, pause: change, resume };
}
