import type { Sender } from '#backend/contract/sender.ts';
import type { Adapter } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { argocd } from './argocd.ts';
import { azureDevops } from './azure-devops.ts';
import { azureMonitor } from './azure-monitor.ts';
import { bitbucket } from './bitbucket.ts';
import { circleci } from './circleci.ts';
import { cloudevents } from './cloudevents.ts';
import { datadog } from './datadog.ts';
import { email } from './email.ts';
import { eventbridge } from './eventbridge.ts';
import { flux } from './flux.ts';
import { generic } from './generic.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { googleCloud } from './google-cloud.ts';
import { grafanaLegacy } from './grafana-legacy.ts';
import { grafana } from './grafana.ts';
import { graylog } from './graylog.ts';
import { jenkins } from './jenkins.ts';
import { jira } from './jira.ts';
import { netdata } from './netdata.ts';
import { newRelic } from './new-relic.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerdutyEvents } from './pagerduty-events.ts';
import { pagerduty } from './pagerduty.ts';
import { pingdom } from './pingdom.ts';
import { sendgrid } from './sendgrid.ts';
import { sentry } from './sentry.ts';
import { shopify } from './shopify.ts';
import { slack } from './slack.ts';
import { sns } from './sns.ts';
import { sonarqube } from './sonarqube.ts';
import { stripe } from './stripe.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimerobot } from './uptimerobot.ts';
import { wazuh } from './wazuh.ts';
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
  eventbridge,
  'azure-devops': azureDevops,
  bitbucket,
  circleci,
  jenkins,
  argocd,
  flux,
  sonarqube,
  netdata,
  graylog,
  wazuh,
  cloudevents,
  slack,
  email,
  'standard-webhooks': { ...generic, sender: 'standard-webhooks' },
  generic,
};
