import { onTheWall } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { useQuery } from '@tanstack/react-query';
import { addDays, set } from 'date-fns';
import { useCallback } from 'react';
import { isPausedAt } from '#backend/contract/announcement.ts';
import { MORNING_HOUR, daysUntilMorning } from '#backend/contract/notification-settings.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { notificationSettingsQuery, useChangeNotificationSettings } from './notification-settings.ts';
import * as texts from './texts.ts';

/** The short pause, in minutes. */
export const AN_HOUR = 60;

/** The next morning, by the clock on the wall. */
export function tomorrowMorning(now: Date): Date {
  const here = onTheWall(now);
  const morning = set(here, { hours: MORNING_HOUR, minutes: 0, seconds: 0, milliseconds: 0 });
  return addDays(morning, daysUntilMorning(here.getHours()));
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
  /** Pauses until then, or for so many minutes by the server's clock. */
  pause: (end: Date | number) => void;
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
    (end: Date | number | null): void => {
      const failed = (description: string) => {
        const title = end === null ? texts.failedToResume : texts.failedToPause;
        return toasts.show({ variant: 'destructive', title, description });
      };
      const asked =
        typeof end === 'number' ? { pausedMinutes: end } : { pausedUntil: end === null ? null : end.toISOString() };
      void mutateAsync(asked).then(
        (answer) => {
          if (end === null) return toasts.show({ intent: 'done', title: texts.notificationsResumed });
          // The clocks of the server and of this device may differ.
          if (answer.pausedUntil === null) return failed(texts.thatTimeIsOverOnServer);
          const description = texts.untilTime(pauseLabel(new Date(answer.pausedUntil), new Date()));
          return toasts.show({ intent: 'done', title: texts.notificationsPaused, description });
        },
        (error: Error) => failed(error.message),
      );
    },
    [mutateAsync, toasts],
  );
  const resume = useCallback(() => change(null), [change]);
  return { until, isBusy: isPending, pause: change, resume };
}
