import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Sealing } from './sealing.ts';
import type { CertificateStore } from './signatures/sns-certificates.ts';
import { verifySignature } from './signatures/verify-signature.ts';
import { type KnownSource, isLive } from './source-registry.ts';

/** The header by which each scheme is recognised, in the order in which they are looked for. */
const SCHEME_HEADERS: readonly (readonly [header: string, scheme: SignatureScheme])[] = [
  ['webhook-signature', 'standard-webhooks'],
  ['svix-signature', 'standard-webhooks'],
  ['x-hub-signature-256', 'github'],
  ['x-hub-signature', 'jira'],
  ['stripe-signature', 'stripe'],
  ['x-slack-signature', 'slack'],
  ['x-shopify-hmac-sha256', 'shopify'],
  ['sentry-hook-signature', 'sentry'],
  ['x-pagerduty-signature', 'pagerduty'],
  ['x-twilio-email-event-webhook-signature', 'sendgrid'],
  ['x-amz-sns-message-type', 'sns'],
];

/** What checking a signature takes. */
export interface SignatureDeps {
  sealing: Sealing;
  certificates: CertificateStore;
  now: () => number;
}

/**
 * Checks the signature of a request, where its source requires one, or has a signing secret and the request a signature.
 *
 * @param body the bytes as they were sent, inflated
 * @returns why it is refused, for the source's operators; undefined when nothing is wrong
 */
export async function checkSignature(
  { sealing, certificates, now }: SignatureDeps,
  source: KnownSource,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<string | undefined> {
  const { signature: required } = source.settings.auth;
  const signing = source.secrets.filter((secret) => secret.kind === 'signing' && isLive(secret, now()));
  if (required === null && signing.length === 0) return undefined;
  const present = SCHEME_HEADERS.filter(([header]) => headers[header] !== undefined).map(([, scheme]) => scheme);
  const scheme = required ?? present[0];
  if (scheme === undefined) return undefined;
  if (!present.includes(scheme)) return 'A key without the signature that this source requires';
  const secrets = signing.map((secret) => sealing.open(secret.sealed ?? '', secret.id));
  const verified = await verifySignature(scheme, { headers, body }, secrets, { now, certificates });
  return verified.ok ? undefined : verified.reason;
}
