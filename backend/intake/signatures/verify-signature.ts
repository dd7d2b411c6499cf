import type { SignatureScheme } from '#backend/contract/sender.ts';
import { type HmacScheme, verifyHmac } from './hmac-schemes.ts';
import { verifySendGrid } from './sendgrid-signature.ts';
import type { CertificateStore } from './sns-certificates.ts';
import { verifySns } from './sns-signature.ts';
import type { SignedRequest, Verification } from './verification.ts';

/** What verification depends on beside the request. */
export interface VerifyContext {
  /** Milliseconds; signatures with a time are good for five minutes. */
  now: () => number;
  /** SNS's certificates, the only thing that is not in the request or in the source's settings. */
  certificates: CertificateStore;
}

/**
 * Verifies a request's signature over its raw bytes, in constant time, under any of the source's secrets.
 *
 * @param secrets as the sender shows them: `whsec_…` for Standard Webhooks, the base64 public key for SendGrid, the topic's
 * ARN for SNS, a text otherwise. During a rotation there are two.
 */
export async function verifySignature(
  scheme: SignatureScheme,
  request: SignedRequest,
  secrets: readonly string[],
  { now, certificates }: VerifyContext,
): Promise<Verification> {
  if (secrets.length === 0) return { ok: false, reason: 'The source has no signing secret' };
  if (scheme === 'sns') return verifySns(request, secrets, certificates);
  if (scheme === 'sendgrid') return verifySendGrid(request, secrets, now());
  return verifyHmac(scheme satisfies HmacScheme, request, secrets, now());
}
