import * as z from 'zod/mini';

/** The products whose requests are understood, by the name of their adapter. `generic` is any JSON. */
export const senderSchema = z.enum([
  'sns',
  'grafana',
  'alertmanager',
  'grafana-legacy',
  'github',
  'sentry',
  'pagerduty',
  'pagerduty-events',
  'opsgenie',
  'zabbix',
  'new-relic',
  'azure-monitor',
  'google-cloud',
  'jira',
  'gitlab',
  'datadog',
  'uptime-kuma',
  'uptimerobot',
  'pingdom',
  'stripe',
  'shopify',
  'sendgrid',
  'cloudevents',
  'slack',
  'standard-webhooks',
  'generic',
]);
export type Sender = z.infer<typeof senderSchema>;

/** How a sender is named and drawn: its product's name, two letters for its tile, and other names it is searched by. */
export interface SenderMark {
  name: string;
  letters: string;
  alsoKnownAs?: readonly string[];
}

/** The one table of senders. Tiles show letters, never a trademark's artwork. */
export const SENDERS: Readonly<Record<Sender, SenderMark>> = {
  sns: { name: 'AWS SNS', letters: 'SN', alsoKnownAs: ['CloudWatch', 'Amazon'] },
  grafana: { name: 'Grafana', letters: 'Gf' },
  alertmanager: { name: 'Alertmanager', letters: 'AM', alsoKnownAs: ['Prometheus', 'Mimir', 'VictoriaMetrics'] },
  'grafana-legacy': { name: 'Grafana (legacy alerting)', letters: 'GL' },
  github: { name: 'GitHub', letters: 'GH' },
  sentry: { name: 'Sentry', letters: 'Se' },
  pagerduty: { name: 'PagerDuty', letters: 'PD' },
  'pagerduty-events': { name: 'Events API v2', letters: 'E2', alsoKnownAs: ['PagerDuty Events'] },
  opsgenie: { name: 'Opsgenie', letters: 'Og', alsoKnownAs: ['Atlassian'] },
  zabbix: { name: 'Zabbix', letters: 'Zb' },
  'new-relic': { name: 'New Relic', letters: 'NR' },
  'azure-monitor': { name: 'Azure Monitor', letters: 'AZ', alsoKnownAs: ['Microsoft'] },
  'google-cloud': { name: 'Google Cloud', letters: 'GC', alsoKnownAs: ['GCP', 'Stackdriver'] },
  jira: { name: 'Jira', letters: 'Ji', alsoKnownAs: ['Atlassian'] },
  gitlab: { name: 'GitLab', letters: 'GB' },
  datadog: { name: 'Datadog', letters: 'DD' },
  'uptime-kuma': { name: 'Uptime Kuma', letters: 'UK' },
  uptimerobot: { name: 'UptimeRobot', letters: 'UR' },
  pingdom: { name: 'Pingdom', letters: 'Pi', alsoKnownAs: ['SolarWinds'] },
  stripe: { name: 'Stripe', letters: 'St' },
  shopify: { name: 'Shopify', letters: 'Sh' },
  sendgrid: { name: 'SendGrid', letters: 'SG', alsoKnownAs: ['Twilio'] },
  cloudevents: { name: 'CloudEvents', letters: 'CE', alsoKnownAs: ['Knative', 'Event Grid'] },
  slack: { name: 'Slack', letters: 'Sl' },
  'standard-webhooks': { name: 'Standard Webhooks', letters: 'SW', alsoKnownAs: ['Svix'] },
  generic: { name: 'Any JSON', letters: '{ }', alsoKnownAs: ['curl', 'script', 'custom'] },
};

/** How a sender signs the bytes of its requests. */
export const signatureSchemeSchema = z.enum([
  'standard-webhooks',
  'github',
  'jira',
  'stripe',
  'slack',
  'shopify',
  'sentry',
  'pagerduty',
  'sendgrid',
  'sns',
]);
export type SignatureScheme = z.infer<typeof signatureSchemeSchema>;

/** Answer of `GET /api/source-names`: what members see of sources. It is here, for the first screen loads it and no other schema of sources. */
export const sourceNameSchema = z.object({ id: z.string(), name: z.string(), sender: z.nullable(senderSchema) });
export type SourceName = z.infer<typeof sourceNameSchema>;
export const sourceNameListSchema = z.array(sourceNameSchema);
