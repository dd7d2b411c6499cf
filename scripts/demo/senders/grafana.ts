import { type Sender, jsonRequest, secondsBefore } from '#scripts/demo/webhook-request.ts';
import { HOSTS, SERVICES } from '#scripts/demo/world.ts';

const BASE = 'https://grafana.example.org';

const PANELS = [
  { name: 'Orders per minute', folder: 'Shop', unit: 'orders/min', low: 0, high: 4, severity: 'critical' },
  { name: 'Memory in use', folder: 'Machines', unit: '%', low: 91, high: 99, severity: 'warning' },
  { name: 'Messages waiting', folder: 'Queues', unit: 'messages', low: 5_000, high: 90_000, severity: 'high' },
] as const;

/** Grafana Alerting's webhook contact point, version 1. */
export const grafana: Sender = (random, now) => {
  const panel = random.pick(PANELS);
  const value = random.decimal(panel.low, panel.high, 2);
  const rule = random.hex(12);
  const dashboard = `${BASE}/d/${random.hex(10)}?orgId=1`;
  const labels = {
    alertname: panel.name,
    grafana_folder: panel.folder,
    instance: random.pick(HOSTS),
    severity: panel.severity,
    team: random.pick(SERVICES),
  };
  const summary = `${panel.name} is ${value} ${panel.unit}`;
  const title = `[FIRING:1] ${panel.name} ${panel.folder} (${labels.instance})`;
  const body = {
    receiver: 'Alertdesk',
    status: 'firing',
    alerts: [
      {
        status: 'firing',
        labels,
        annotations: { summary },
        startsAt: secondsBefore(now, random.whole(30, 600)).toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: `${BASE}/alerting/grafana/${rule}/view?orgId=1`,
        fingerprint: random.hex(16),
        silenceURL: `${BASE}/alerting/silence/new?alertmanager=grafana&orgId=1`,
        dashboardURL: dashboard,
        panelURL: `${dashboard}&viewPanel=${random.whole(1, 24)}`,
        values: { A: value, C: 1 },
        valueString: `[ var='A' labels={instance=${labels.instance}} value=${value} ]`,
      },
    ],
    groupLabels: { alertname: panel.name, grafana_folder: panel.folder },
    commonLabels: labels,
    commonAnnotations: { summary },
    externalURL: `${BASE}/`,
    version: '1',
    groupKey: `{}:{alertname="${panel.name}", grafana_folder="${panel.folder}"}`,
    truncatedAlerts: 0,
    orgId: 1,
    title,
    state: 'alerting',
    message: `**Firing**\n\nValue: A=${value}\nLabels:\n - alertname = ${panel.name}\n - instance = ${labels.instance}\n`,
  };
  return jsonRequest('Grafana', body, { 'user-agent': 'Grafana' });
};
