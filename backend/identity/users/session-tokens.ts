import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url, for the `sid` cookie and its like. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a session's token: its SHA-256, in hex. */
export const sessionIdOf = (token: string): string => hash('sha256', token);

/** The CSRF token of a session: bound to it by HMAC, so that a token of one session is worth nothing in another. */
export const csrfTokenOf = (secret: string, sessionId: string): string =>
  createHmac('sha256', secret).update(`csrf:${sessionId}`).digest('base64url');

/** Compares two texts in constant time for their length. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares secrets of any length in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  sameText(hash('sha256', one), hash('sha256', other));
