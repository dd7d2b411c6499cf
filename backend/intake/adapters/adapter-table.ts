import type { Sender } from '#backend/contract/sender.ts';
import type { Adapter } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { azureMonitor } from './azure-monitor.ts';
import { cloudevents } from './cloudevents.ts';
import { datadog } from './datadog.ts';
import { generic } from './generic.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { googleCloud } from './google-cloud.ts';
import { grafana } from './grafana.ts';
import { grafanaLegacy } from './grafana-legacy.ts';
import { jira } from './jira.ts';
import { newRelic } from './new-relic.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { pagerdutyEvents } from './pagerduty-events.ts';
import { pingdom } from './pingdom.ts';
import { sendgrid } from './sendgrid.ts';
import { sentry } from './sentry.ts';
import { shopify } from './shopify.ts';
import { slack } from './slack.ts';
import { sns } from './sns.ts';
import { stripe } from './stripe.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimerobot } from './uptimerobot.ts';
import { zabbix } from './zabbix.ts';

/** The adapter of each sender. Standard Webhooks is an envelope: its body is read as any JSON. */
export const ADAPTERS: Readonly<Record<Sender, Adapter>> = {
  sns,
  grafana,
  alertmanager,
  'grafana-legacy': grafanaLegacy,
  github,
  sentry,
  pagerduty,
  'pagerduty-events': pagerdutyEvents,
  opsgenie,
  zabbix,
  'new-relic': newRelic,
  'azure-monitor': azureMonitor,
  'google-cloud': googleCloud,
  jira,
  gitlab,
  datadog,
  'uptime-kuma': uptimeKuma,
  uptimerobot,
  pingdom,
  stripe,
  shopify,
  sendgrid,
  cloudevents,
  slack,
  'standard-webhooks': { ...generic, sender: 'standard-webhooks' },
  generic,
};
