import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Headers } from '#backend/sources/reading/found.ts';
import { type HmacScheme, verifyHmac } from './hmac-schemes.ts';
import { verifySendGrid } from './sendgrid-signature.ts';
import type { CertificateStore } from './sns-certificates.ts';
import { verifySns } from './sns-signature.ts';

/** A request as it came: a signature covers the bytes, not the text. */
export interface SignedRequest {
  headers: Headers;
  body: Buffer;
}

/**
 * Whether a request is signed by whom its source expects. `reason` is a sentence for operators, never for the sender;
 * `secretIndex` says which of the secrets matched, so that one can see whether the older one is still used.
 */
export type Verification = { ok: true; scheme: SignatureScheme; secretIndex: number } | { ok: false; reason: string };

/** What verification needs beside the request. */
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
