import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { choice, choose, find, linkOf, rule, severityOf, timeOf, withValue } from '#backend/intake/json/found.ts';

const ALERT_TYPE = choice('condition_name', 'policy_name');
const CUSTOMER = choice('scoping_project_id', 'resource_name');
const TITLE = choice('summary', 'condition_name', 'policy_name');

/** Google Cloud Monitoring's webhook. */
export const googleCloud: Adapter = {
  sender: 'google-cloud',
  read({ body }) {
    const incident = body.get('incident');
    if (!incident?.isObject) return { drafts: [] };
    const state = find(incident.get('state'));
    const isClosed = state?.value.toLowerCase() === 'closed';
    const severity = severityOf(find(incident.get('severity')));
    return {
      drafts: [
        {
          element: body,
          title: choose(incident, TITLE),
          customer: choose(incident, CUSTOMER),
          alertType: choose(incident, ALERT_TYPE),
          severity:
            severity && severity.value !== 'none' ? severity : rule('high', 'incident.severity: empty or missing'),
          state: state
            ? withValue<AlertState>(state, isClosed ? 'resolved' : 'firing')
            : rule<AlertState>('firing', 'there is no state'),
          dedupKey: find(incident.get('incident_id')),
          link: linkOf(find(incident.get('url'))),
          groupTitle: find(incident.get('policy_name')),
          at: timeOf(find(incident.get(isClosed ? 'ended_at' : 'started_at'))),
        },
      ],
    };
  },
};
