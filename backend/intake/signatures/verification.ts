import { createHash } from 'node:crypto';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Headers } from '#backend/intake/json/found.ts';

/** A request as it came: a signature covers the bytes, not the text. */
export interface SignedRequest {
  headers: Headers;
  body: Buffer;
}

/**
 * Whether a request is signed by whom its source expects. `reason` is a sentence for operators, never for the sender;
 * `secretIndex` says which of the secrets matched, so that one can see whether the older one is still used.
 *
 * `signedHash` is the SHA-256 of what is signed, where a time is among it: the same once more is the same request, captured
 * or sent again by a proxy, whatever its headers say that are not signed. Null for schemes that sign the body alone, whose
 * senders sign the same body twice when they mean it twice. Not of the signature: ECDSA has two for each.
 */
export type Verification =
  | { ok: true; scheme: SignatureScheme; secretIndex: number; signedHash: string | null }
  /** `isTemporary`: what it takes to say could not be had. The sender is to send the request again. */
  | { ok: false; reason: string; isTemporary?: true };

/** The hash of what a signature is over, of all parts after one another. */
export function signedHashOf(...parts: (string | Buffer)[]): string {
  const all = createHash('sha256');
  for (const part of parts) all.update(part);
  return all.digest('hex');
}

/** How far a signed time may be from now, in milliseconds. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** Why a signed time is no good, in words for an operator; `undefined` when it is. */
export function staleReason(seconds: string, now: number): string | undefined {
  if (!/^\d{1,12}$/.test(seconds)) return 'The signed time is no number of seconds';
  const age = now - Number(seconds) * 1000;
  if (Math.abs(age) <= TOLERANCE_MS) return undefined;
  const minutes = Math.floor(Math.abs(age) / 60_000);
  const length = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return age > 0
    ? `Signed ${length} ago: the sender’s clock or an old request`
    : `Signed ${length} in the future: the sender’s clock`;
}

export const MISMATCH = 'The signature does not match: another secret, or the body was changed on the way';

/** The reason for a header that the scheme needs and the request lacks. */
export const missing = (header: string): string =>
  `There is no ${header} header: the sender does not sign, or signs in another way`;
