import { isRefusedMail } from '#backend/platform/mail/mail-transport.ts';
import { isTimeout } from '#backend/platform/requests/guarded-request.ts';
import type { TicketState } from '#backend/contract/ticket.ts';
import type { KindModule, RemoteTicket } from './kinds/kind.ts';
import { LONGEST_WAIT_MS } from './backoff.ts';
import { MAX_REASON } from './destination-entity.ts';
import { ForbiddenDestinationError, type HttpAnswer } from './post.ts';

/** What an attempt came to. */
export type Verdict = {
  /** What the service calls the live message from now on; null where it has none any more. Absent where that is as it was. */
  remote?: string | null;
  /** The ticket of the alert, and how it is by now. Key and address are absent where they are as they were. */
  ticket?: Pick<RemoteTicket, 'remote'> & Partial<RemoteTicket> & { state: TicketState };
} &
  /** `missed`: who of several did not get it, and why. */
  (
    | { outcome: 'sent'; answer: string; missed?: string }
    /** `waitMs` is what the service asked for; `unquoted` is the answer without the service's own words. */
    | { outcome: 'retry'; answer: string; waitMs?: number; unquoted?: string }
    /** It will never take this message. */
    | { outcome: 'refused'; answer: string; unquoted?: string }
  );

/** A wait that a 429 without `Retry-After` means, in milliseconds. */
const USUAL_WAIT_MS = 30_000;

/** Statuses that say something about the message, and not about the destination: sent again, it is refused again. */
const MESSAGE_REFUSED = new Set([400, 406, 411, 413, 414, 415, 422, 431]);

/** What a service's answer means. */
export function judgeAnswer(
  { explain, statusOf }: Pick<KindModule, 'explain' | 'statusOf'>,
  { status: httpStatus, body, retryAfter }: HttpAnswer,
  now: number,
): Verdict {
  const status = statusOf?.(httpStatus, body) ?? httpStatus;
  if (status >= 200 && status < 300) return { outcome: 'sent', answer: String(status) };
  const explained = explain?.(status, body);
  if (status === 429) {
    const waitMs = Math.min(waitOf(retryAfter, body, now) ?? USUAL_WAIT_MS, LONGEST_WAIT_MS);
    return { outcome: 'retry', answer: `429: asked to wait for ${Math.ceil(waitMs / 1000)} s`, waitMs };
  }
  if (status >= 300 && status < 400) {
    return { outcome: 'retry', answer: `${status}: the address leads elsewhere. Enter the new address.` };
  }
  const said = explained ?? oneLine(body);
  const answer = said === '' ? String(status) : `${status}: ${said}`.slice(0, MAX_REASON).toWellFormed();
  if (MESSAGE_REFUSED.has(status) && explained === undefined)
    return { outcome: 'refused', answer, unquoted: String(status) };
  const waitMs = status === 503 ? waitOf(retryAfter, '', now) : undefined;
  return {
    outcome: 'retry',
    answer,
    ...(explained === undefined && { unquoted: String(status) }),
    ...(waitMs !== undefined && { waitMs: Math.min(waitMs, LONGEST_WAIT_MS) }),
  };
}

/** What a connection's or a mail server's error means. */
export function judgeError(error: unknown): Verdict {
  if (error instanceof ForbiddenDestinationError) return { outcome: 'retry', answer: error.message };
  const { code, message } = error as { code?: unknown; message?: unknown };
  const words = typeof code === 'string' ? ERRORS[code] : undefined;
  const text = isTimeout(error) ? 'no answer within 10 s' : (words ?? oneLine(String(message ?? error)));
  return { outcome: isRefusedMail(error) ? 'refused' : 'retry', answer: text.slice(0, MAX_REASON).toWellFormed() };
}

const ERRORS: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at this address (connection refused)',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  ENOTFOUND: 'the name of the host is not known',
  ENODATA: 'the name of the host has no address',
  ESERVFAIL: 'the name server does not answer',
  ETIMEOUT: 'the name server does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  // Its own words are OpenSSL's, with an address in memory that is another each time.
  EPROTO: 'what answers at this address does not use TLS, or no version of it that is accepted',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by nobody who is trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by nobody who is trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or what Discord, Telegram and Matrix say in the body, in milliseconds. */
function waitOf(retryAfter: string | undefined, body: string, now: number): number | undefined {
  const value = retryAfter?.trim();
  if (value !== undefined && /^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = value === undefined ? Number.NaN : Date.parse(value);
  if (Number.isFinite(date)) return Math.max(0, date - now);
  const [, unit, said] = /"retry_after(_ms)?"\s*:\s*(\d+(?:\.\d+)?)/.exec(body) ?? [];
  return said === undefined ? undefined : Math.ceil(Number(said) * (unit === undefined ? 1000 : 1));
}

/** What somebody else said, as it is shown. */
export const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON).toWellFormed();
