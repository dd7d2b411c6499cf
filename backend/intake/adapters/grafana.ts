import type { Adapter } from './adapter.ts';
import { choice, find } from '#backend/intake/json/found.ts';
import { readAlerts } from './alertmanager.ts';

const TITLE = choice('annotations.summary', 'annotations.description', 'labels.alertname');
const LINKS = ['panelURL', 'dashboardURL', 'generatorURL'];
const SHARED = [
  'receiver',
  'status',
  'orgId',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'version',
  'groupKey',
  'truncatedAlerts',
  'title',
  'state',
];

/** Grafana's unified alerting: Alertmanager's shape with pages of its own. Its `message` repeats every alert and is left out. */
export const grafana: Adapter = {
  sender: 'grafana',
  read: (delivery) =>
    readAlerts(delivery, {
      title: TITLE,
      links: LINKS,
      envelopeLinks: ['externalURL'],
      groupTitle: (envelope) => find(envelope.get('title')),
      shared: SHARED,
    }),
};
