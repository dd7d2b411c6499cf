import type { AlertState } from '#backend/contract/alert.ts';
import { MAX_EVENTS, type Adapter, type Delivery, type Draft, type Reading } from './adapter.ts';
import {
  CUSTOMER_LABELS,
  type Choice,
  type Found,
  choice,
  choose,
  find,
  hashOfLabels,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { sharedMembers } from './shared-members.ts';

/** What differs between Alertmanager and Grafana, which sends the same shape. */
interface AlertsShape {
  title: Choice;
  /** Addresses of an alert, then of the whole delivery. */
  links: readonly string[];
  envelopeLinks: readonly string[];
  groupTitle: (envelope: JsonValue) => Found | undefined;
  shared: readonly string[];
}

const ALERTMANAGER: AlertsShape = {
  title: choice('annotations.summary', 'annotations.description', 'annotations.message', 'labels.alertname'),
  links: ['generatorURL'],
  envelopeLinks: ['externalURL'],
  groupTitle: (envelope) => labelLine(envelope.get('groupLabels')),
  shared: [
    'receiver',
    'status',
    'groupLabels',
    'commonLabels',
    'commonAnnotations',
    'externalURL',
    'version',
    'groupKey',
    'truncatedAlerts',
  ],
};

const ALERT_NAME = choice('labels.alertname');
const SEVERITY = choice('labels.severity');

/** Alertmanager's webhook, versions 3 and 4: an alert for each element of `alerts`. */
export const alertmanager: Adapter = {
  sender: 'alertmanager',
  read: (delivery) => readAlerts(delivery, ALERTMANAGER),
};

/** Reads a delivery in Alertmanager's shape. The group's own status says nothing: each alert has its own. */
export function readAlerts({ body }: Delivery, shape: AlertsShape): Reading {
  const alerts = body.get('alerts')?.items(MAX_EVENTS + 1) ?? [];
  const groupKey = find(body.get('groupKey'));
  const groupTitle = shape.groupTitle(body);
  const shared = sharedMembers(body, shape.shared, alerts.length);
  const envelopeLinks = shape.envelopeLinks.map((name) => find(body.get(name)));
  return {
    drafts: alerts.map((alert): Draft => {
      const labels = alert.get('labels');
      const state = stateOf(alert);
      return {
        element: alert,
        title: choose(alert, shape.title),
        customer: choose(labels, CUSTOMER_LABELS),
        alertType: choose(alert, ALERT_NAME),
        severity: severityOf(choose(alert, SEVERITY)),
        state,
        dedupKey: find(alert.get('fingerprint')) ?? hashOfLabels(labels),
        link: linkOf(...shape.links.map((name) => find(alert.get(name))), ...envelopeLinks),
        groupKey,
        groupTitle,
        at: timeOf(find(alert.get(state.value === 'resolved' ? 'endsAt' : 'startsAt'))),
        // Alertmanager itself sends the year 1 while an alert fires; rulers send until when their report holds.
        until: state.value === 'resolved' ? undefined : timeOf(find(alert.get('endsAt'))),
        shared,
      };
    }),
  };
}

function stateOf(alert: JsonValue): Found<AlertState> {
  const status = find(alert.get('status'));
  if (status === undefined) return rule('firing', 'the alert has no status');
  return withValue(status, status.value.toLowerCase() === 'resolved' ? 'resolved' : 'firing');
}

/** Labels on one line, as Alertmanager writes them: `alertname=DiskFull, cluster=eu`. */
function labelLine(labels: JsonValue | undefined): Found | undefined {
  if (!labels?.isObject) return undefined;
  const pairs = labels.names(MAX_NAMED_LABELS).map((name) => `${name}=${labels.get(name)?.string ?? ''}`);
  return pairs.length === 0 ? undefined : { value: pairs.join(', '), path: labels.path };
}

/** More do not fit into a title. */
const MAX_NAMED_LABELS = 20;
