import type { AlertState } from '#backend/contract/alert.ts';
import { SENDER_MARK } from '#backend/contract/silence.ts';
import { type Adapter, type MayEcho, OWN_COMMENT } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  firstSeverity,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';

const CUSTOMER = choice('service.summary', 'incident.service.summary');
const TITLE = choice('title', 'incident.summary', 'summary', 'name', 'message');
/** A note or a change belongs to its incident. */
const ID = choice('incident.id', 'id');
const LINK = choice('html_url', 'incident.html_url');

/** https://developer.pagerduty.com/docs/webhooks-overview */
const ECHOES: Readonly<Record<string, MayEcho>> = {
  'incident.acknowledged': 'quieted',
  'incident.unacknowledged': 'unquieted',
};

/** PagerDuty's webhooks, version 3. */
export const pagerduty: Adapter = {
  sender: 'pagerduty',
  read({ headers, body }) {
    const event = body.get('event');
    const data = event?.get('data');
    const eventType = find(event?.get('event_type'));
    if (!event?.isObject || eventType === undefined) return { drafts: [] };
    if (eventType.value === 'pagey.ping') {
      return {
        drafts: [],
        handshake: {
          kind: 'ping',
          summary: "PagerDuty's test of the webhook",
          answer: { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'pong' },
        },
      };
    }
    const isIncident = eventType.value.startsWith('incident.');
    const isOwn = find(data?.get('content'))?.value.includes(SENDER_MARK);
    return {
      drafts: [
        {
          element: body,
          title: choose(data, TITLE),
          customer: choose(data, CUSTOMER),
          alertType: eventType,
          severity: firstSeverity(find(data?.get('priority')?.get('summary')), find(data?.get('urgency'))),
          state: isIncident ? stateOf(eventType, find(data?.get('status'))) : rule<AlertState>('event', 'no incident'),
          dedupKey: choose(data, ID),
          deliveryId: findHeader(headers, 'x-webhook-id') ?? find(event.get('id')),
          link: linkOf(choose(data, LINK)),
          at: timeOf(find(event.get('occurred_at'))),
          mayEcho: ECHOES[eventType.value],
          ...(isOwn && { ignored: OWN_COMMENT }),
        },
      ],
    };
  },
};

/** The event says what happened; one that says neither, such as a note, leaves the incident as its status says. */
function stateOf(eventType: Found, status: Found | undefined): Found<AlertState> {
  if (eventType.value.endsWith('.resolved')) return withValue(eventType, 'resolved');
  if (eventType.value.endsWith('.acknowledged')) return withValue(eventType, 'acknowledged');
  if (status?.value === 'resolved' || status?.value === 'acknowledged') return withValue(status, status.value);
  return withValue(eventType, 'firing');
}
