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
    const state = isIncident ? stateOf(eventType, find(data?.get('status'))) : NO_INCIDENT;
    const isOwn = find(data?.get('content'))?.value.includes(SENDER_MARK);
    return {
      drafts: [
        {
          element: body,
          title: choose(data, TITLE),
          customer: choose(data, CUSTOMER),
          alertType: eventType,
          severity: firstSeverity(find(data?.get('priority')?.get('summary')), find(data?.get('urgency'))),
          state: state ?? NO_INCIDENT,
          dedupKey: choose(data, ID),
          deliveryId: findHeader(headers, 'x-webhook-id') ?? find(event.get('id')),
          link: linkOf(choose(data, LINK)),
          at: timeOf(find(event.get('occurred_at'))),
          mayEcho: ECHOES[eventType.value],
          ...(state === undefined && { ignored: `Nothing to do: ${eventType.value}` }),
          ...(isOwn && { ignored: OWN_COMMENT }),
        },
      ],
    };
  },
};

const NO_INCIDENT = rule<AlertState>('event', 'no incident');

/** States by the last part of an event's type, and by an incident's status. */
const STATES: ReadonlyMap<string, AlertState> = new Map([
  ['triggered', 'firing'],
  ['reopened', 'firing'],
  ['unacknowledged', 'firing'],
  ['acknowledged', 'acknowledged'],
  ['resolved', 'resolved'],
]);

/** What the event says, else the incident's status; undefined for one that has neither, such as a note. */
function stateOf(eventType: Found, status: Found | undefined): Found<AlertState> | undefined {
  for (const word of [eventType, status]) {
    const state = word && STATES.get(word.value.slice(word.value.lastIndexOf('.') + 1));
    if (state) return withValue(word, state);
  }
  return undefined;
}
