import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { isPausedAt } from '#backend/contract/announcement.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useChangeNotificationSettings } from './change-notification-settings.ts';
import { notificationSettingsQuery } from './get-notification-settings.ts';
import { pauseWords } from './pause-times.ts';

/** My pause of all notifications, on all my devices. */
export interface Pause {
  /** Until when, in words; undefined when nothing is paused. */
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
    pausedUntil !== null && isPausedAt(pausedUntil, now.getTime()) ? pauseWords(new Date(pausedUntil), now) : undefined,
  );

  const change = useCallback(
    (to: Date | null): void =>
      void mutateAsync({ pausedUntil: to?.toISOString() ?? null }).then(
        () =>
          toasts.show(
            to
              ? { intent: 'done', title: 'Notifications paused', description: `Until ${pauseWords(to, new Date())}` }
              : { intent: 'done', title: 'Notifications resumed' },
          ),
        (error: Error) =>
          toasts.show({
            variant: 'destructive',
            title: `Failed to ${to ? 'pause' : 'resume'} notifications`,
            description: error.message,
          }),
      ),
    [mutateAsync, toasts],
  );
  const resume = useCallback(() => change(null), [change]);
  return { until, isBusy: isPending, pause: change, resume };
}
