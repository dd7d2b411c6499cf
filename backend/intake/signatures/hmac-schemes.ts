import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import { type Headers, headerOf } from '#backend/intake/json/found.ts';
import { MISMATCH, missing, signedHashOf, staleReason, type SignedRequest, type Verification } from './verification.ts';

export type HmacScheme = Exclude<SignatureScheme, 'sns' | 'sendgrid'>;

/** What a request claims: its signatures, and what they sign beside the body. */
interface Claim {
  signatures: Buffer[];
  /** Text in front of the body. */
  prefix: string;
  /** Seconds since 1970, where the scheme signs a time. */
  seconds?: string;
}

interface Scheme {
  /** The claim of a request, or why it makes none. */
  claim: (headers: Headers) => Claim | string;
  /** The HMAC's key of a secret as the sender shows it; empty for what is no secret of the scheme. */
  key: (secret: string) => Buffer;
}

/** More signatures than any sender has in a header: the others are not looked at. */
const MAX_SIGNATURES = 20;

const HEX_DIGEST = /^[0-9a-f]{64}$/i;

const hex = (text: string): Buffer[] => (HEX_DIGEST.test(text) ? [Buffer.from(text, 'hex')] : []);

/** `v1=…` among the parts of a header: the values of one name. */
const valuesOf = (parts: readonly string[], name: string): string[] =>
  parts.flatMap((part) => (part.trim().startsWith(`${name}=`) ? part.trim().slice(name.length + 1) : []));

const textKey = (secret: string): Buffer => Buffer.from(secret);

/** A scheme of one header that signs the body alone. */
const overBody = (header: string, read: (value: string) => Buffer[]): Scheme => ({
  claim: (headers) => {
    const value = headerOf(headers, header);
    return value === '' ? missing(header) : { signatures: read(value), prefix: '' };
  },
  key: textKey,
});

/** The fewest bytes of a key of Standard Webhooks that is taken: what senders make has 24 to 64. */
const SHORTEST_STANDARD_KEY = 8;

/** A key of Standard Webhooks is in base64; what is not, or is next to nothing, is none. */
function standardKey(secret: string): Buffer {
  const encoded = secret.replace(/^whsec_/, '');
  const key = Buffer.from(encoded, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded);
  return isBase64 && key.length >= SHORTEST_STANDARD_KEY ? key : Buffer.alloc(0);
}

/** Whether a secret makes a key of this scheme. One that makes none would let everybody sign. */
export const isKeyOf = (scheme: SignatureScheme | null, secret: string): boolean =>
  scheme === null || scheme === 'sns' || scheme === 'sendgrid' || SCHEMES[scheme].key(secret).length > 0;

/** Standard Webhooks; Svix has the same under its own names. */
const standardWebhooks: Scheme = {
  claim: (headers) => {
    const family = headerOf(headers, 'webhook-signature') === '' ? 'svix' : 'webhook';
    const [id, seconds, value] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `${family}-${name}`));
    if (!value) return missing('webhook-signature');
    if (!id) return missing(`${family}-id`);
    if (!seconds) return missing(`${family}-timestamp`);
    const signatures = value
      .split(' ')
      .flatMap((part) => (part.startsWith('v1,') ? Buffer.from(part.slice(3), 'base64') : []));
    return { signatures, prefix: `${id}.${seconds}.`, seconds };
  },
  key: standardKey,
};

const stripe: Scheme = {
  claim: (headers) => {
    const parts = headerOf(headers, 'stripe-signature').split(',');
    const [seconds] = valuesOf(parts, 't');
    if (seconds === undefined) return missing('stripe-signature');
    return { signatures: valuesOf(parts, 'v1').flatMap(hex), prefix: `${seconds}.`, seconds };
  },
  key: textKey,
};

/** Slack's scheme, which Zoom has under its own names. */
const slack = (header: string, timeHeader: string): Scheme => ({
  claim: (headers) => {
    const value = headerOf(headers, header);
    const seconds = headerOf(headers, timeHeader);
    if (value === '') return missing(header);
    if (seconds === '') return missing(timeHeader);
    return { signatures: valuesOf([value], 'v0').flatMap(hex), prefix: `v0:${seconds}:`, seconds };
  },
  key: textKey,
});

const SCHEMES: Readonly<Record<HmacScheme, Scheme>> = {
  'standard-webhooks': standardWebhooks,
  github: overBody('x-hub-signature-256', (value) => valuesOf([value], 'sha256').flatMap(hex)),
  jira: overBody('x-hub-signature', (value) => valuesOf([value], 'sha256').flatMap(hex)),
  stripe,
  slack: slack('x-slack-signature', 'x-slack-request-timestamp'),
  zoom: slack('x-zm-signature', 'x-zm-request-timestamp'),
  shopify: overBody('x-shopify-hmac-sha256', (value) => [Buffer.from(value, 'base64')]),
  sentry: overBody('sentry-hook-signature', hex),
  pagerduty: overBody('x-pagerduty-signature', (value) => valuesOf(value.split(','), 'v1').flatMap(hex)),
};

/**
 * Verifies an HMAC-SHA256 over the body, under any of the secrets. The signature is checked before the time: an old
 * request that was signed rightly is reported as old, anything else as not matching.
 */
export function verifyHmac(
  scheme: HmacScheme,
  { headers, body }: SignedRequest,
  secrets: readonly string[],
  now: number,
): Verification {
  const { claim: readClaim, key } = SCHEMES[scheme];
  const claim = readClaim(headers);
  if (typeof claim === 'string') return { ok: false, reason: claim };
  const secretIndex = secrets.findIndex((secret) => {
    const hmacKey = key(secret);
    if (hmacKey.length === 0) return false;
    const digest = createHmac('sha256', hmacKey).update(claim.prefix).update(body).digest();
    return claim.signatures.slice(0, MAX_SIGNATURES).some((one) => isEqual(one, digest));
  });
  if (secretIndex < 0) return { ok: false, reason: MISMATCH };
  if (claim.seconds === undefined) return { ok: true, scheme, secretIndex, signedHash: null };
  const stale = staleReason(claim.seconds, now);
  if (stale !== undefined) return { ok: false, reason: stale };
  return { ok: true, scheme, secretIndex, signedHash: signedHashOf(claim.prefix, body) };
}

/** In a time that says nothing about where two digests differ. */
const isEqual = (one: Buffer, digest: Buffer): boolean => one.length === digest.length && timingSafeEqual(one, digest);
