import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { type Found, choice, choose, find, linkOf, severityOf, timeOf, withValue } from '#backend/intake/json/found.ts';

const CUSTOMER = choice('payload.group', 'payload.source', 'client');
const ALERT_TYPE = choice('payload.class');
const TITLE = choice('payload.summary');
const SEVERITY = choice('payload.severity');
const TIME = choice('payload.timestamp');

const STATES: Readonly<Record<string, AlertState>> = { resolve: 'resolved', acknowledge: 'acknowledged' };

/** What speaks PagerDuty's Events API v2. */
export const pagerdutyEvents: Adapter = {
  sender: 'pagerduty-events',
  secretNames: ['routing_key'],
  read({ body }) {
    const action = find(body.get('event_action'));
    if (action === undefined) return { drafts: [] };
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: choose(body, CUSTOMER),
          alertType: choose(body, ALERT_TYPE),
          severity: severityOf(choose(body, SEVERITY)),
          state: stateOf(action),
          dedupKey: find(body.get('dedup_key')),
          link: linkOf(find(body.get('links')?.items(1)[0]?.get('href')), find(body.get('client_url'))),
          at: timeOf(choose(body, TIME)),
        },
      ],
    };
  },
};

const stateOf = (action: Found): Found<AlertState> =>
  withValue(action, Object.hasOwn(STATES, action.value) ? STATES[action.value]! : 'firing');
