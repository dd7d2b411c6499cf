import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  CUSTOMER_LABELS,
  type Found,
  choice,
  choose,
  find,
  join,
  linkOf,
  rule,
  severityOf,
  withValue,
} from '#backend/intake/json/found.ts';

const TITLE = choice('message', 'title', 'ruleName');

/** Grafana's alerting before version 9: one rule, no time. */
export const grafanaLegacy: Adapter = {
  sender: 'grafana-legacy',
  read({ body }) {
    const ruleId = find(body.get('ruleId'));
    const ruleName = find(body.get('ruleName'));
    if (ruleId === undefined && ruleName === undefined) return { drafts: [] };
    const tags = body.get('tags');
    const state = find(body.get('state'));
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: choose(tags, CUSTOMER_LABELS),
          alertType: ruleName,
          severity: severityOf(find(tags?.get('severity'))),
          state: stateOf(state),
          dedupKey: join(':', find(body.get('orgId')), ruleId) ?? ruleId,
          link: linkOf(find(body.get('ruleUrl'))),
        },
      ],
    };
  },
};

function stateOf(state: Found | undefined): Found<AlertState> {
  if (state === undefined) return rule('firing', 'there is no state');
  return withValue(state, state.value.toLowerCase() === 'ok' ? 'resolved' : 'firing');
}
