import * as z from 'zod/mini';

/** Two letters for the tile of each sender, never a trademark's artwork: all that cards need of it. */
export const SENDER_LETTERS = {
  sns: 'SN',
  grafana: 'Gf',
  alertmanager: 'AM',
  'grafana-legacy': 'GL',
  github: 'GH',
  sentry: 'Se',
  pagerduty: 'PD',
  'pagerduty-events': 'E2',
  opsgenie: 'Og',
  zabbix: 'Zb',
  'new-relic': 'NR',
  'azure-monitor': 'AZ',
  'google-cloud': 'GC',
  jira: 'Ji',
  gitlab: 'GB',
  datadog: 'DD',
  'uptime-kuma': 'UK',
  uptimerobot: 'UR',
  pingdom: 'Pi',
  stripe: 'St',
  shopify: 'Sh',
  sendgrid: 'SG',
  eventbridge: 'EB',
  'azure-devops': 'AD',
  bitbucket: 'BB',
  circleci: 'CC',
  jenkins: 'Je',
  argocd: 'Ar',
  flux: 'Fx',
  sonarqube: 'SQ',
  netdata: 'Nd',
  graylog: 'Gr',
  wazuh: 'Wz',
  cloudevents: 'CE',
  slack: 'Sl',
  email: '@',
  'standard-webhooks': 'SW',
  generic: '{}',
} as const;

/** The products whose requests are understood, by the name of their adapter. `generic` is any JSON. */
export type Sender = keyof typeof SENDER_LETTERS;
export const senderSchema = z.enum(Object.keys(SENDER_LETTERS) as Sender[]);

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
  'zoom',
]);
export type SignatureScheme = z.infer<typeof signatureSchemeSchema>;

/** Answer of `GET /api/source-names`: what members see of sources. It is here, for the first screen loads it and no other schema of sources. */
export const sourceNameSchema = z.object({ id: z.string(), name: z.string(), sender: z.nullable(senderSchema) });
export type SourceName = z.infer<typeof sourceNameSchema>;
export const sourceNameListSchema = z.array(sourceNameSchema);
