import type { Sender } from './sender.ts';

/** How a sender is named: its product's name, and other names it is searched by. */
export interface SenderMark {
  name: string;
  alsoKnownAs?: readonly string[];
}

/** The names of senders. */
export const SENDERS: Readonly<Record<Sender, SenderMark>> = {
  sns: { name: 'AWS SNS', alsoKnownAs: ['CloudWatch', 'Amazon'] },
  grafana: { name: 'Grafana' },
  alertmanager: { name: 'Alertmanager', alsoKnownAs: ['Prometheus', 'Mimir', 'VictoriaMetrics'] },
  'grafana-legacy': { name: 'Grafana (legacy alerting)' },
  github: { name: 'GitHub' },
  sentry: { name: 'Sentry' },
  pagerduty: { name: 'PagerDuty' },
  'pagerduty-events': { name: 'Events API v2', alsoKnownAs: ['PagerDuty Events'] },
  opsgenie: { name: 'Opsgenie', alsoKnownAs: ['Atlassian'] },
  zabbix: { name: 'Zabbix' },
  'new-relic': { name: 'New Relic' },
  'azure-monitor': { name: 'Azure Monitor', alsoKnownAs: ['Microsoft'] },
  'google-cloud': { name: 'Google Cloud', alsoKnownAs: ['GCP', 'Stackdriver'] },
  jira: { name: 'Jira', alsoKnownAs: ['Atlassian'] },
  gitlab: { name: 'GitLab' },
  datadog: { name: 'Datadog' },
  'uptime-kuma': { name: 'Uptime Kuma' },
  uptimerobot: { name: 'UptimeRobot' },
  pingdom: { name: 'Pingdom', alsoKnownAs: ['SolarWinds'] },
  stripe: { name: 'Stripe' },
  shopify: { name: 'Shopify' },
  sendgrid: { name: 'SendGrid', alsoKnownAs: ['Twilio'] },
  eventbridge: { name: 'AWS EventBridge', alsoKnownAs: ['Amazon', 'GuardDuty', 'CodePipeline'] },
  'azure-devops': { name: 'Azure DevOps', alsoKnownAs: ['Microsoft', 'TFS'] },
  bitbucket: { name: 'Bitbucket', alsoKnownAs: ['Atlassian'] },
  circleci: { name: 'CircleCI' },
  jenkins: { name: 'Jenkins' },
  argocd: { name: 'Argo CD' },
  flux: { name: 'Flux' },
  sonarqube: { name: 'SonarQube', alsoKnownAs: ['SonarCloud'] },
  netdata: { name: 'Netdata' },
  graylog: { name: 'Graylog' },
  wazuh: { name: 'Wazuh' },
  cloudevents: { name: 'CloudEvents', alsoKnownAs: ['Knative', 'Event Grid'] },
  slack: { name: 'Slack' },
  email: { name: 'Email', alsoKnownAs: ['SMTP', 'mail'] },
  'standard-webhooks': { name: 'Standard Webhooks', alsoKnownAs: ['Svix'] },
  generic: { name: 'Any JSON', alsoKnownAs: ['curl', 'script', 'custom'] },
};
