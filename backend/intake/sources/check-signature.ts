import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { CertificateStore } from '#backend/intake/signatures/sns-certificates.ts';
import { verifySignature } from '#backend/intake/signatures/verify-signature.ts';
import { type KnownSource, isLive } from './source-registry.ts';
import { openSigningSecret } from './source-secrets.ts';

/** The header by which each scheme is recognised, in the order in which they are looked for. */
const SCHEME_HEADERS: readonly (readonly [header: string, scheme: SignatureScheme])[] = [
  ['webhook-signature', 'standard-webhooks'],
  ['svix-signature', 'standard-webhooks'],
  ['x-hub-signature-256', 'github'],
  ['x-hub-signature', 'jira'],
  ['stripe-signature', 'stripe'],
  ['x-slack-signature', 'slack'],
  ['x-zm-signature', 'zoom'],
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

/** Why a request is refused, for the source's operators; or what its signature makes sure of (see `Verification`). */
export type CheckedSignature =
  | { reason: string; isTemporary?: boolean }
  | { reason?: undefined; signedHash: string | null };

/** Nothing is required to be signed. */
const UNSIGNED: CheckedSignature = { signedHash: null };

const signingSecrets = (source: KnownSource, now: number) =>
  source.secrets.filter((secret) => secret.kind === 'signing' && isLive(secret, now));

/** Whether requests of a source are to be signed, or are checked where they are. */
export const isSigned = (source: KnownSource, now: number): boolean =>
  source.settings.auth.signature !== null || signingSecrets(source, now).length > 0;

/** Of these secrets those that can be opened, which others cannot where the server's own secrets were lost. */
const openAll = (sealing: Sealing, secrets: ReturnType<typeof signingSecrets>): string[] =>
  secrets.flatMap((secret) => openSigningSecret(sealing, secret) ?? []);

/** The newest secret that requests of a source are signed with; undefined where it has none. */
export function signingSecretOf(
  { sealing, now }: Pick<SignatureDeps, 'sealing' | 'now'>,
  source: KnownSource,
): string | undefined {
  return openAll(sealing, signingSecrets(source, now()))[0];
}

/**
 * Checks the signature of a request, where its source requires one, or has a signing secret and the request a signature.
 *
 * @param body the bytes as they were sent, inflated
 */
export async function checkSignature(
  { sealing, certificates, now }: SignatureDeps,
  source: KnownSource,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<CheckedSignature> {
  const { signature: required } = source.settings.auth;
  const signing = signingSecrets(source, now());
  if (required === null && signing.length === 0) return UNSIGNED;
  const present = SCHEME_HEADERS.filter(([header]) => headers[header] !== undefined).map(([, scheme]) => scheme);
  const scheme = required ?? present[0];
  if (scheme === undefined) return UNSIGNED;
  if (!present.includes(scheme)) return { reason: 'A key without the signature that this source requires' };
  const secrets = openAll(sealing, signing);
  if (signing.length > 0 && secrets.length === 0) {
    return { reason: 'The signing secret of this source cannot be opened. Add a new one', isTemporary: true };
  }
  const verified = await verifySignature(scheme, { headers, body }, secrets, { now, certificates });
  if (verified.ok) return { signedHash: verified.signedHash };
  return { reason: verified.reason, isTemporary: verified.isTemporary ?? false };
}
