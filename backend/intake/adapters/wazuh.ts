import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { type Found, choice, choose, find, joinFound, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';

const CUSTOMER = choice('agent.labels.customer', 'cluster.name');
const EVENT = rule<AlertState>('event', 'a rule that matched has no end');

/** From which level on an alert is so bad (https://documentation.wazuh.com/current/user-manual/ruleset/rules/rules-classification.html). */
const LEVELS: readonly (readonly [from: number, severity: AlertSeverity])[] = [
  [15, 'critical'],
  [12, 'high'],
  [7, 'warning'],
  [4, 'low'],
  [0, 'info'],
];

/** Alerts of Wazuh, as its integrations pass them on. */
export const wazuh: Adapter = {
  sender: 'wazuh',
  read({ body }) {
    const text = find(body.at(['rule', 'description']));
    const level = find(body.at(['rule', 'level']));
    if (text === undefined || level === undefined) return { drafts: [] };
    return {
      drafts: [
        {
          element: body,
          title: joinFound(': ', find(body.at(['agent', 'name'])), text),
          customer: choose(body, CUSTOMER),
          alertType: find(body.at(['rule', 'groups'])?.items(1)[0]) ?? find(body.at(['rule', 'id'])),
          severity: severityOf(level),
          state: EVENT,
          deliveryId: find(body.get('id')),
          at: timeOf(find(body.get('timestamp'))),
        },
      ],
    };
  },
};

function severityOf(level: Found): Found<AlertSeverity> | undefined {
  const found = LEVELS.find(([from]) => Number(level.value) >= from);
  return found && withValue(level, found[1], `level ${level.value} of 15`);
}
