import type { Sender } from '#backend/contract/sender.ts';
import snsCloudwatchAlarm from './reading/samples/sns-cloudwatch-alarm.json' with { type: 'json' };
import grafanaFiring from './reading/samples/grafana-firing.json' with { type: 'json' };
import alertmanagerFiring from './reading/samples/alertmanager-firing.json' with { type: 'json' };
import grafanaLegacy from './reading/samples/grafana-legacy.json' with { type: 'json' };
import githubWorkflowJobFailed from './reading/samples/github-workflow-job-failed.json' with { type: 'json' };
import sentryIssueCreated from './reading/samples/sentry-issue-created.json' with { type: 'json' };
import pagerdutyTriggered from './reading/samples/pagerduty-triggered.json' with { type: 'json' };
import pagerdutyEventsTrigger from './reading/samples/pagerduty-events-trigger.json' with { type: 'json' };
import opsgenieCreate from './reading/samples/opsgenie-create.json' with { type: 'json' };
import zabbixProblem from './reading/samples/zabbix-problem.json' with { type: 'json' };
import newRelicOpen from './reading/samples/new-relic-open.json' with { type: 'json' };
import azureMonitorFired from './reading/samples/azure-monitor-fired.json' with { type: 'json' };
import googleCloudOpen from './reading/samples/google-cloud-open.json' with { type: 'json' };
import jiraIssueCreated from './reading/samples/jira-issue-created.json' with { type: 'json' };
import gitlabPipelineFailed from './reading/samples/gitlab-pipeline-failed.json' with { type: 'json' };
import datadogDefault from './reading/samples/datadog-default.json' with { type: 'json' };
import uptimeKumaDown from './reading/samples/uptime-kuma-down.json' with { type: 'json' };
import uptimerobotDown from './reading/samples/uptimerobot-down.json' with { type: 'json' };
import pingdomDown from './reading/samples/pingdom-down.json' with { type: 'json' };
import stripeChargeFailed from './reading/samples/stripe-charge-failed.json' with { type: 'json' };
import shopifyOrder from './reading/samples/shopify-order.json' with { type: 'json' };
import sendgridBatch from './reading/samples/sendgrid-batch.json' with { type: 'json' };
import cloudeventsStructured from './reading/samples/cloudevents-structured.json' with { type: 'json' };
import slackOutgoing from './reading/samples/slack-outgoing.json' with { type: 'json' };
import standardWebhooks from './reading/samples/standard-webhooks.json' with { type: 'json' };
import generic from './reading/samples/generic.json' with { type: 'json' };
import type { KnownSource } from './source-registry.ts';

/** A request in the format of a sender. */
interface Sample {
  headers?: Record<string, string>;
  body?: unknown;
  /** The body's text, where it is not JSON or has more digits than JavaScript's numbers. */
  rawBody?: string;
}

const SAMPLES: Readonly<Record<Sender, Sample>> = {
  sns: snsCloudwatchAlarm,
  grafana: grafanaFiring,
  alertmanager: alertmanagerFiring,
  'grafana-legacy': grafanaLegacy,
  github: githubWorkflowJobFailed,
  sentry: sentryIssueCreated,
  pagerduty: pagerdutyTriggered,
  'pagerduty-events': pagerdutyEventsTrigger,
  opsgenie: opsgenieCreate,
  zabbix: zabbixProblem,
  'new-relic': newRelicOpen,
  'azure-monitor': azureMonitorFired,
  'google-cloud': googleCloudOpen,
  jira: jiraIssueCreated,
  gitlab: gitlabPipelineFailed,
  datadog: datadogDefault,
  'uptime-kuma': uptimeKumaDown,
  uptimerobot: uptimerobotDown,
  pingdom: pingdomDown,
  stripe: stripeChargeFailed,
  shopify: shopifyOrder,
  sendgrid: sendgridBatch,
  cloudevents: cloudeventsStructured,
  slack: slackOutgoing,
  'standard-webhooks': standardWebhooks,
  generic: generic,
};

/** Headers that make a repetition of a request harmless: a test is to make an alert each time. */
const IDS = new Set(['idempotency-key', 'webhook-id', 'svix-id', 'x-github-delivery', 'x-gitlab-event-uuid']);

/** What the source's sender would send: that of its setting, else the one that it was recognised as, else any JSON. */
export function testRequestOf({ settings, recognisedAs }: KnownSource): {
  headers: Record<string, string>;
  text: string;
} {
  const sender = settings.adapter === 'auto' ? (recognisedAs ?? 'generic') : settings.adapter;
  const { headers = {}, body, rawBody } = SAMPLES[sender];
  return {
    headers: Object.fromEntries(
      Object.entries({ 'content-type': 'application/json', ...headers }).filter(([name]) => !IDS.has(name)),
    ),
    text: rawBody ?? JSON.stringify(body),
  };
}
