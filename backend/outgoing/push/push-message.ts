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

/** For how long a message is news, and what it replaces. */
export function deliveryOf(message: PushMessage): Delivery {
  switch (message.type) {
    case 'new_alert':
    case 'new_alerts':
    case 'notice':
      return { TTL: 24 * HOUR, urgency: 'high', topic: message.tag };
    case 'alert_withdrawn':
      // It takes the place of the news that it withdraws. Of several alerts, no topic fits: what stands, stands.
      return { TTL: HOUR, urgency: 'normal', ...(message.alertIds.length === 1 && { topic: message.tag }) };
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

/** The message that takes back the notifications of these alerts. @param withdrawals at least one. */
export function withdrawalMessage(withdrawals: Withdrawal[]): PushMessage {
  const alertIds = withdrawals.map(({ alertId }) => alertId);
  const [first] = withdrawals;
  if (!first) throw new Error('There is nothing to take back.');
  return {
    type: 'alert_withdrawn',
    alertIds,
    ...wordsFor(first, alertIds.length),
    tag: tagOfAlert(first.alertId),
    url: INBOX,
  };
}

function wordsFor(
  { acceptedBy, isResolved, isSnoozed }: Withdrawal,
  count: number,
): Pick<PushMessage, 'title' | 'body'> {
  if (count > 1) return { title: 'Alerts accepted or deleted', body: `${count} alerts removed from the inbox` };
  if (isSnoozed) return { title: 'Alert snoozed', body: 'Out of the inbox for a while' };
  if (isResolved) return { title: 'Alert resolved', body: 'Resolved by its sender' };
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
  /** Who accepted it; null when it was deleted, resolved or snoozed. */
  acceptedBy: string | null;
  /** Its sender resolved it, and nobody had accepted it. */
  isResolved?: boolean;
  /** Somebody snoozed it. */
  isSnoozed?: boolean;
}

/** How much is taken back. */
export interface WithdrawalRules {
  /** Alerts that are remembered of each device as notified, each by itself. */
  notifiedMemory: number;
  /** What was sent longer ago stays where it is. */
  withdrawWithinMs: number;
  /** Withdrawals wait for so long for others, and for somebody who undoes what they did. */
  gatherMs: number;
}

/** What a device shows, as far as the server knows and can take it back. */
export interface Shown {
  /** When it was notified of an alert by itself, by the alert's id, oldest first. */
  notified: Map<string, number>;
  /** What is to be taken back, by the alert's id. */
  withdrawn: Map<string, Withdrawal>;
  /** Not before this moment. */
  dueAt: number;
}

/** A device that was notified of nothing so far. */
export const createShown = (): Shown => ({ notified: new Map(), withdrawn: new Map(), dueAt: 0 });

/** The device is being notified of one alert by itself. */
export function noteNotified({ notified }: Shown, alertId: string, rules: WithdrawalRules, now: number): void {
  notified.set(alertId, now);
  for (const id of notified.keys()) {
    if (notified.size <= rules.notifiedMemory) return;
    notified.delete(id);
  }
}

/** The device was not notified of it after all. */
export function forgetNotified({ notified, withdrawn }: Shown, alertId: string): void {
  notified.delete(alertId);
  withdrawn.delete(alertId);
}

/** Plans to take an alert back, when the device was notified of it by itself a short time ago: true. */
export function withdraw(shown: Shown, withdrawal: Withdrawal, rules: WithdrawalRules, now: number): boolean {
  const notifiedAt = shown.notified.get(withdrawal.alertId);
  if (notifiedAt === undefined || now - notifiedAt > rules.withdrawWithinMs) return false;
  if (shown.withdrawn.size === 0) shown.dueAt = Math.max(shown.dueAt, now + rules.gatherMs);
  shown.withdrawn.set(withdrawal.alertId, withdrawal);
  return true;
}

/** It is pending again, so what the device shows is right. */
export const restore = ({ withdrawn }: Shown, alertId: string): boolean => withdrawn.delete(alertId);

/** What is taken back next, in one message. What has become too old stays where it is. */
export function nextWithdrawals(shown: Shown, rules: WithdrawalRules, now: number): Withdrawal[] {
  for (const [id] of shown.withdrawn) {
    if (now - (shown.notified.get(id) ?? Number.NEGATIVE_INFINITY) > rules.withdrawWithinMs) forgetNotified(shown, id);
  }
  return [...shown.withdrawn.values()].slice(0, MAX_WITHDRAWN);
}

/** These were taken back, or cannot be; others wait their time. */
export function endWithdrawals(shown: Shown, alertIds: string[], rules: WithdrawalRules, now: number): void {
  for (const id of alertIds) forgetNotified(shown, id);
  shown.dueAt = now + rules.gatherMs;
}
