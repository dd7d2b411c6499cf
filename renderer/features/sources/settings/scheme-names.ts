import type { SignatureScheme } from '#backend/contract/sender.ts';

/** Name of each scheme of signatures. */
export const SCHEME_NAMES: Record<SignatureScheme, string> = {
  'standard-webhooks': 'Standard Webhooks',
  github: 'GitHub',
  jira: 'Jira',
  stripe: 'Stripe',
  slack: 'Slack',
  shopify: 'Shopify',
  sentry: 'Sentry',
  pagerduty: 'PagerDuty',
  sendgrid: 'SendGrid',
  sns: 'AWS SNS',
};
