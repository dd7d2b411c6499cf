import { choice, choose, find, joinFound, linkOf, severityOf, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';

const ALERT = choice('alert', 'alarm');
const TITLE = choice('message', 'info');
const LINK = choice('alert_url', 'alarm_url', 'url');
const NODE = choice('node', 'host', 'hostname');

/** Alerts of Netdata Cloud: the same alert of the same chart has the severity `clear` when it is over. */
export const netdata: Adapter = {
  sender: 'netdata',
  read({ body }) {
    const alert = choose(body, ALERT);
    const severity = find(body.get('severity'));
    if (alert === undefined || severity === undefined) return { drafts: [] };
    const isOver = severity.value.toLowerCase() === 'clear';
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: find(body.get('space')),
          alertType: alert,
          severity: isOver ? undefined : severityOf(severity),
          state: withValue(severity, isOver ? 'resolved' : 'firing'),
          // The message names the node only in its text where a room has several: the page of the alert does, too.
          dedupKey: joinFound('|', alert, find(body.get('chart')), choose(body, NODE)),
          link: linkOf(choose(body, LINK)),
          at: timeOf(find(body.get('date'))),
        },
      ],
    };
  },
};
