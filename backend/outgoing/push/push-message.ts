import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { type PersonalNotice, noticeOfAlert, shortLine } from '#backend/contract/notices.ts';
import { type PushMessage, MAX_WITHDRAWN } from '#backend/contract/push.ts';
import type { PendingAlert } from './push-audience.ts';

/** Where a click on several alerts, or on one that is gone, leads. */
const INBOX = '/';

/** The notification of several alerts stands in one place: newer counts replace older ones. */
const SEVERAL_TAG = 'new-alerts';

/** A message to one member, of a colleague's doing or of alerts that came back. */
export type PersonalMessage = Extract<PushMessage, { type: 'notice' }>;

/** How a push service is to treat a message (RFC 8030 section 5). */
export interface Delivery {
  /** Seconds that it is kept for a device that is away. */
  TTL: number;
  urgency: 'normal' | 'high';
  /** A message that was not delivered yet is replaced by the next of the same topic. */
  topic?: string;
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** For how long a message is news, and what it replaces. */
export function deliveryOf(message: PushMessage): Delivery {
  switch (message.type) {
    case 'new_alert':
    case 'new_alerts':
    case 'notice':
      return { TTL: DAY, urgency: 'high', topic: message.tag };
    case 'alert_withdrawn':
      // It takes the place of the news that it withdraws. Of several alerts no topic fits: it follows the news, and lives as long.
      if (message.alertIds.length > 1 || message.several !== undefined) return { TTL: DAY, urgency: 'normal' };
      return { TTL: HOUR, urgency: 'normal', topic: message.tag };
    case 'test':
      // Somebody sits and waits for it.
      return { TTL: 60, urgency: 'high', topic: message.tag };
  }
}

/** The message for one alert. */
export const newAlertMessage = ({ isBack, ...alert }: PendingAlert): PushMessage => ({
  type: 'new_alert',
  alertId: alert.id,
  ...noticeOfAlert(alert, isBack),
  tag: tagOfAlert(alert.id),
  url: pathOfAlert(alert.id),
});

/** The message of what a colleague did, or of alerts that came back. @param id of the notice. */
export const personalMessage = (
  id: string,
  { path, ...text }: PersonalNotice,
  isUrgent: true | undefined = undefined,
): PersonalMessage => ({
  type: 'notice',
  noticeId: id,
  ...(isUrgent && { isUrgent }),
  ...text,
  tag: tagOfAlert(id),
  url: path,
});

/**
 * One message for many alerts.
 *
 * @param isMore there may have been more, which nobody can count any longer.
 */
export function newAlertsMessage(alerts: PendingAlert[], isMore: boolean): PushMessage {
  const customers = new Set(alerts.flatMap(({ customer }) => customer ?? []));
  const [first = ''] = customers;
  const from = customers.size > 1 ? `${customers.size} customers` : shortLine(first);
  return {
    type: 'new_alerts',
    count: alerts.length,
    isMore,
    title: 'New alerts received',
    body: `${alerts.length}${isMore ? '+' : ''} new alerts${from && ` from ${from}`}`,
    tag: SEVERAL_TAG,
    url: INBOX,
  };
}

/**
 * The message that takes back the notifications of these alerts. It names as many as it may: those that the device was
 * notified of one by one come first, and the others are in the notification that counts them.
 *
 * @param withdrawals at least one
 * @param several how many alerts the notification counts that goes with them
 */
export function withdrawalMessage(withdrawals: Withdrawal[], several?: number): PushMessage {
  const alertIds = withdrawals.slice(0, MAX_WITHDRAWN).map(({ alertId }) => alertId);
  const [first] = withdrawals;
  if (!first) throw new Error('There is nothing to take back.');
  return {
    type: 'alert_withdrawn',
    alertIds,
    ...(several !== undefined && { several }),
    ...wordsFor(first, withdrawals.length),
    tag: tagOfAlert(first.alertId),
    url: INBOX,
  };
}

function wordsFor(
  { acceptedBy, isResolved, isCompleted, isSnoozed }: Withdrawal,
  count: number,
): Pick<PushMessage, 'title' | 'body'> {
  if (count > 1) return { title: 'Alerts accepted or deleted', body: `${count} alerts removed from the inbox` };
  if (isSnoozed) return { title: 'Alert snoozed', body: 'Out of the inbox for a while' };
  if (isResolved) return { title: 'Alert resolved', body: 'Resolved by its sender' };
  if (isCompleted) return { title: 'Alert completed', body: 'Nothing is left to do' };
  if (acceptedBy === null) return { title: 'Alert deleted', body: 'Removed from the inbox' };
  return { title: 'Alert accepted', body: `Accepted by ${shortLine(acceptedBy)}` };
}

/** The message that a person asked for to see whether one arrives. */
export const testMessage = (): PushMessage => ({
  type: 'test',
  title: 'Test notification',
  body: 'Notifications reach this device.',
  tag: 'test',
  url: '/settings',
});

/** An alert that need not be looked after any more. */
export interface Withdrawal {
  alertId: string;
  /** Who accepted it; null when it was deleted, completed, resolved or snoozed. */
  acceptedBy: string | null;
  /** Its sender resolved it, and nobody had accepted it. */
  isResolved?: boolean;
  /** It is completed, by whomever. */
  isCompleted?: boolean;
  /** Somebody snoozed it. */
  isSnoozed?: boolean;
}
