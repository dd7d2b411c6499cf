import { type KeyObject, createPublicKey, verify } from 'node:crypto';
import { headerOf } from '#backend/intake/json/found.ts';
import { MISMATCH, missing, signedHashOf, staleReason, type SignedRequest, type Verification } from './verification.ts';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** SendGrid signs with a key of its own, ECDSA on P-256: the source holds the public half, as SendGrid shows it. */
export function verifySendGrid(
  { headers, body }: SignedRequest,
  publicKeys: readonly string[],
  now: number,
): Verification {
  const signature = headerOf(headers, SIGNATURE);
  const seconds = headerOf(headers, TIMESTAMP);
  if (signature === '') return { ok: false, reason: missing(SIGNATURE) };
  if (seconds === '') return { ok: false, reason: missing(TIMESTAMP) };
  const keys = publicKeys.map(readKey);
  if (keys.every((key) => key === undefined)) {
    return { ok: false, reason: 'The source’s verification key is no public key: copy it from SendGrid again' };
  }
  const signed = Buffer.concat([Buffer.from(seconds), body]);
  const secretIndex = keys.findIndex((key) => key && isSignedBy(key, signed, Buffer.from(signature, 'base64')));
  if (secretIndex < 0) return { ok: false, reason: MISMATCH };
  const stale = staleReason(seconds, now);
  if (stale !== undefined) return { ok: false, reason: stale };
  return { ok: true, scheme: 'sendgrid', secretIndex, signedHash: signedHashOf(signed) };
}

function readKey(text: string): KeyObject | undefined {
  try {
    const der = Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A signature that is not even DER does not match either. */
function isSignedBy(key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify('sha256', signed, key, signature);
  } catch {
    return false;
  }
}
