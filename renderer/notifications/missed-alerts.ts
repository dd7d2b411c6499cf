import { tagOfAlert } from '#backend/contract/announcement.ts';
import { announcementOf } from './announced-events.ts';
import { GROUP_TAG } from './notice-state.ts';
import type { NotificationChannel } from './notification-channel.ts';

/** What is known of an alert that may have come while this page was away. */
type Missable = Parameters<typeof announcementOf>[0] & { isMissed?: boolean };

/**
 * Of alerts those that are still to be announced: what a page missed may have been announced by another tab, or by a push whose
 * notification stands.
 */
export async function withoutAnnounced<One extends Missable>(
  alerts: readonly One[],
  isReported: (announcement: string) => boolean,
  { filterPushed }: Pick<NotificationChannel, 'filterPushed'>,
): Promise<One[]> {
  const missed = alerts.flatMap(({ id, isMissed }) => (isMissed ? [tagOfAlert(id)] : []));
  const pushed = missed.length > 0 ? await filterPushed(missed).catch(() => []) : [];
  const isAnnounced = (alert: One): boolean =>
    isReported(announcementOf(alert)) || pushed.includes(tagOfAlert(alert.id));
  return alerts.filter((alert) => !alert.isMissed || !isAnnounced(alert));
}

/** Of what is in a toast now, pushes have counted what this page missed: their notification goes, unless it counts more. */
export async function closeCounted(channel: NotificationChannel, toasted: readonly Missable[]): Promise<void> {
  const missed = toasted.filter(({ isMissed }) => isMissed).length;
  if (missed > 0) await channel.close([GROUP_TAG], missed).catch(() => undefined);
}
