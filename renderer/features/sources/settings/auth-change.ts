import { countText } from '#backend/contract/count-text.ts';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Source, SourceAuth } from '#backend/contract/source.ts';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';

export type CredentialMethod = 'key' | 'basic' | 'token';

export const METHOD_TITLES: Record<CredentialMethod, string> = {
  key: sourceTexts.apiKeyInHeader,
  basic: texts.basicAuthentication,
  token: sourceTexts.tokenInAddress,
};

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
  zoom: 'Zoom',
};

/** Why turning a method off has to be asked about; undefined when it does not matter. */
export function offQuestion(
  { ways }: Pick<Source, 'ways'>,
  auth: SourceAuth,
  way: CredentialMethod,
): string | undefined {
  const others = (Object.keys(METHOD_TITLES) as CredentialMethod[]).filter((one) => one !== way && auth[one]);
  const { deliveries } = ways[way];
  const count = deliveries === 1 ? '1 delivery' : texts.deliveries(countText(deliveries));
  if (others.length === 0) {
    return texts.onlyMethodHint(count);
  }
  return deliveries === 0 ? undefined : texts.usedLately(count);
}
