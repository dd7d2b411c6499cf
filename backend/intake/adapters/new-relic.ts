import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  firstSeverity,
  join,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';

const CUSTOMER = choice('account_name', 'nrAccountName');
const TITLE = choice('details', 'title', 'condition_name');
const STATE = choice('current_state', 'state');
const LINK = ['incident_url', 'issueUrl', 'violation_chart_url'];
const TIME = choice('timestamp', 'updatedAt', 'createdAt');
const GROUP = choice('policy_name');

const STATES: Readonly<Record<string, AlertState>> = {
  closed: 'resolved',
  acknowledged: 'acknowledged',
};

/** New Relic's alerts: incidents of the classic webhook, and issues of a workflow's default template. */
export const newRelic: Adapter = {
  sender: 'new-relic',
  read({ body }) {
    const incident = find(body.get('incident_id'));
    const issue = body.get('issueUrl') ? find(body.get('id')) : undefined;
    if (incident === undefined && issue === undefined) return { drafts: [] };
    const policies = body.get('alertPolicyNames')?.items(1)[0];
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: choose(body, CUSTOMER),
          alertType: find(body.get('condition_name')) ?? find(body.get('alertConditionNames')?.items(1)[0]),
          severity: firstSeverity(find(body.get('severity')), find(body.get('priority'))),
          state: stateOf(choose(body, STATE)),
          dedupKey: join(':', find(body.get('account_id')), incident) ?? incident ?? issue,
          link: linkOf(...LINK.map((name) => find(body.get(name)))),
          groupTitle: choose(body, GROUP) ?? find(policies),
          at: timeOf(choose(body, TIME)),
        },
      ],
    };
  },
};

function stateOf(state: Found | undefined): Found<AlertState> {
  if (state === undefined) return rule('firing', 'there is no state');
  const name = state.value.toLowerCase();
  return withValue(state, Object.hasOwn(STATES, name) ? STATES[name]! : 'firing');
}
