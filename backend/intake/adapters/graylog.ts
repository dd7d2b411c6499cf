import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { choice, choose, find, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';

const TITLE = choice('event.message', 'event_definition_title', 'event_definition_description');
const CUSTOMER = choice('event.group_by_fields.customer', 'event.fields.customer');
const EVENT = rule<AlertState>('event', 'an event of Graylog has no end');

/** Priorities of event definitions, the highest last (https://go2docs.graylog.org/current/interacting_with_your_log_data/alerts.html). */
const PRIORITIES: readonly (AlertSeverity | undefined)[] = [undefined, 'low', 'warning', 'high', 'critical'];

/** Graylog's HTTP notification. */
export const graylog: Adapter = {
  sender: 'graylog',
  read({ body }) {
    const definition = find(body.get('event_definition_title')) ?? find(body.get('event_definition_id'));
    if (definition === undefined) return { drafts: [] };
    const priority = find(body.at(['event', 'priority']));
    const severity = PRIORITIES[Number(priority?.value)];
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: choose(body, CUSTOMER),
          alertType: definition,
          severity:
            priority && severity && withValue(priority, severity, `priority ${priority.value}: the highest is 4`),
          state: EVENT,
          deliveryId: find(body.at(['event', 'id'])),
          at: timeOf(find(body.at(['event', 'timestamp']))),
        },
      ],
    };
  },
};
