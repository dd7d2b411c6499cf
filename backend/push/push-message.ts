import { tagOfAlert } from '#backend/contract/announcement.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { WaitingAlert } from './alert-backlog.ts';
import type { Withdrawal } from './push-withdrawals.ts';

/** What a notification shows of a name; the whole is in the inbox. */
const MAX_NAME_LENGTH = 80;

/** A click leads to the inbox. */
const INBOX = '/';

/** What is told of several alerts stands in one place: newer counts replace older ones. */
const SEVERAL_TAG = 'new-alerts';

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
      return { TTL: 24 * HOUR, urgency: 'high', topic: message.tag };
    case 'alert_withdrawn':
      // It takes the place of the news that it withdraws. Of several alerts, no topic fits: what stands, stands.
      return { TTL: HOUR, urgency: 'normal', ...(message.alertIds.length === 1 && { topic: message.tag }) };
    case 'test':
      // Somebody sits and waits for it.
      return { TTL: 60, urgency: 'high', topic: message.tag };
  }
}

/** The message for one alert: the toast's words with the type added. */
export function newAlertMessage({ id, customer, alertType }: WaitingAlert): PushMessage {
  return {
    type: 'new_alert',
    alertId: id,
    title: alertType === null ? 'New alert received' : `New alert received: ${shown(alertType)}`,
    body: customer === null ? 'A new webhook alert has arrived' : `Alert from ${shown(customer)}`,
    tag: tagOfAlert(id),
    url: INBOX,
  };
}

/**
 * One message for many alerts.
 *
 * @param isMore there may have been more, which nobody can count any longer.
 */
export function newAlertsMessage(alerts: WaitingAlert[], isMore: boolean): PushMessage {
  const customers = new Set(alerts.flatMap(({ customer }) => customer ?? []));
  const [first = ''] = customers;
  const from = customers.size > 1 ? `${customers.size} customers` : shown(first);
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

/** The message that takes back what was told of these alerts. @param withdrawals at least one. */
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

function wordsFor({ acceptedBy }: Withdrawal, count: number): Pick<PushMessage, 'title' | 'body'> {
  if (count > 1) return { title: 'Alerts accepted or deleted', body: `${count} alerts wait no more` };
  if (acceptedBy === null) return { title: 'Alert deleted', body: 'It waits no more' };
  return { title: 'Alert accepted', body: `Accepted by ${shown(acceptedBy)}` };
}

/** The message that a person asked for to see whether one arrives. */
export const testMessage = (): PushMessage => ({
  type: 'test',
  title: 'Test notification',
  body: 'Notifications reach this device.',
  tag: 'test',
  url: '/settings',
});

/** Names come from outside: no line breaks, nothing that turns the direction of the words after it, and not endless. */
function shown(name: string): string {
  const characters = [...name.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]+/gu, ' ').trim()];
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
