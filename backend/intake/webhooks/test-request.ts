import type { Sender } from '#backend/contract/sender.ts';
import snsCloudwatchAlarm from '#backend/intake/reading/samples/sns-cloudwatch-alarm.json' with { type: 'json' };
import grafanaFiring from '#backend/intake/reading/samples/grafana-firing.json' with { type: 'json' };
import alertmanagerFiring from '#backend/intake/reading/samples/alertmanager-firing.json' with { type: 'json' };
import grafanaLegacy from '#backend/intake/reading/samples/grafana-legacy.json' with { type: 'json' };
import githubWorkflowJobFailed from '#backend/intake/reading/samples/github-workflow-job-failed.json' with { type: 'json' };
import sentryIssueCreated from '#backend/intake/reading/samples/sentry-issue-created.json' with { type: 'json' };
import pagerdutyTriggered from '#backend/intake/reading/samples/pagerduty-triggered.json' with { type: 'json' };
import pagerdutyEventsTrigger from '#backend/intake/reading/samples/pagerduty-events-trigger.json' with { type: 'json' };
import opsgenieCreate from '#backend/intake/reading/samples/opsgenie-create.json' with { type: 'json' };
import zabbixProblem from '#backend/intake/reading/samples/zabbix-problem.json' with { type: 'json' };
import newRelicOpen from '#backend/intake/reading/samples/new-relic-open.json' with { type: 'json' };
import azureMonitorFired from '#backend/intake/reading/samples/azure-monitor-fired.json' with { type: 'json' };
import googleCloudOpen from '#backend/intake/reading/samples/google-cloud-open.json' with { type: 'json' };
import jiraIssueCreated from '#backend/intake/reading/samples/jira-issue-created.json' with { type: 'json' };
import gitlabPipelineFailed from '#backend/intake/reading/samples/gitlab-pipeline-failed.json' with { type: 'json' };
import datadogDefault from '#backend/intake/reading/samples/datadog-default.json' with { type: 'json' };
import uptimeKumaDown from '#backend/intake/reading/samples/uptime-kuma-down.json' with { type: 'json' };
import uptimerobotDown from '#backend/intake/reading/samples/uptimerobot-down.json' with { type: 'json' };
import pingdomDown from '#backend/intake/reading/samples/pingdom-down.json' with { type: 'json' };
import stripeChargeFailed from '#backend/intake/reading/samples/stripe-charge-failed.json' with { type: 'json' };
import shopifyOrder from '#backend/intake/reading/samples/shopify-order.json' with { type: 'json' };
import sendgridBatch from '#backend/intake/reading/samples/sendgrid-batch.json' with { type: 'json' };
import eventbridgeAlarm from '#backend/intake/reading/samples/eventbridge-alarm.json' with { type: 'json' };
import azureDevopsBuildFailed from '#backend/intake/reading/samples/azure-devops-build-failed.json' with { type: 'json' };
import bitbucketBuildFailed from '#backend/intake/reading/samples/bitbucket-build-failed.json' with { type: 'json' };
import circleciFailed from '#backend/intake/reading/samples/circleci-failed.json' with { type: 'json' };
import jenkinsFailed from '#backend/intake/reading/samples/jenkins-failed.json' with { type: 'json' };
import argocdDegraded from '#backend/intake/reading/samples/argocd-degraded.json' with { type: 'json' };
import fluxFailed from '#backend/intake/reading/samples/flux-failed.json' with { type: 'json' };
import sonarqubeGateFailed from '#backend/intake/reading/samples/sonarqube-gate-failed.json' with { type: 'json' };
import netdataCritical from '#backend/intake/reading/samples/netdata-critical.json' with { type: 'json' };
import graylogEvent from '#backend/intake/reading/samples/graylog-event.json' with { type: 'json' };
import wazuhAlert from '#backend/intake/reading/samples/wazuh-alert.json' with { type: 'json' };
import cloudeventsStructured from '#backend/intake/reading/samples/cloudevents-structured.json' with { type: 'json' };
import slackOutgoing from '#backend/intake/reading/samples/slack-outgoing.json' with { type: 'json' };
import emailProblem from '#backend/intake/reading/samples/email-problem.json' with { type: 'json' };
import standardWebhooks from '#backend/intake/reading/samples/standard-webhooks.json' with { type: 'json' };
import generic from '#backend/intake/reading/samples/generic.json' with { type: 'json' };
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';

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
  eventbridge: eventbridgeAlarm,
  'azure-devops': azureDevopsBuildFailed,
  bitbucket: bitbucketBuildFailed,
  circleci: circleciFailed,
  jenkins: jenkinsFailed,
  argocd: argocdDegraded,
  flux: fluxFailed,
  sonarqube: sonarqubeGateFailed,
  netdata: netdataCritical,
  graylog: graylogEvent,
  wazuh: wazuhAlert,
  cloudevents: cloudeventsStructured,
  slack: slackOutgoing,
  email: emailProblem,
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
