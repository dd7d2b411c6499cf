import type { AlertState } from '#backend/contract/alert.ts';
import { MAX_EVENTS, type Adapter, type Draft } from './adapter.ts';
import { readBatch } from './generic.ts';
import { type Found, choice, choose, find, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const REASON = choice('reason', 'response', 'url');

const WARNINGS = new Set(['bounce', 'dropped', 'spamreport']);

const EVENT = rule<AlertState>('event', 'SendGrid reports what happened');

/** SendGrid's event webhook: an array, an alert for each event. */
export const sendgrid: Adapter = {
  sender: 'sendgrid',
  read: ({ body }) => ({ drafts: readBatch(body.isArray ? body.items(MAX_EVENTS + 1) : [body], isEvent, readEvent) }),
};

const isEvent = (value: JsonValue): boolean => value.get('event') !== undefined;

function readEvent(element: JsonValue): Draft {
  const event = find(element.get('event'));
  const email = find(element.get('email'));
  return {
    element,
    title: titleOf(event, email, choose(element, REASON)),
    customer: domainOf(email),
    alertType: event && withValue(event, `email.${event.value}`, 'email. and the event'),
    severity:
      event && WARNINGS.has(event.value) ? withValue(event, 'warning', `${event.value} is a warning`) : undefined,
    state: EVENT,
    deliveryId: find(element.get('sg_event_id')),
    at: timeOf(find(element.get('timestamp'))),
  };
}

/** `bounce a@example.com: 550 unknown recipient` */
function titleOf(...[event, email, reason]: (Found | undefined)[]): Found | undefined {
  const what = [event, email].filter((part) => part !== undefined);
  const parts = reason ? [...what, reason] : what;
  if (parts.length === 0) return undefined;
  const text = what.map(({ value }) => value).join(' ');
  return {
    value: reason ? `${text}: ${reason.value}` : text,
    path: parts.map(({ path }) => path).join(' + '),
  };
}

function domainOf(email: Found | undefined): Found | undefined {
  const domain = email?.value.slice(email.value.lastIndexOf('@') + 1).toLowerCase();
  return email && domain && domain !== email.value ? withValue(email, domain, 'the domain of the address') : undefined;
}
