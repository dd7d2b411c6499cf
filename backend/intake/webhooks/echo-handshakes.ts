import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Handshake } from '#backend/intake/adapters/adapter.ts';
import { headerOf } from '#backend/intake/json/found.ts';

/** Longest text that is repeated to a sender, in characters: none sends more than a few hundred. */
const MAX_ECHO = 2_000;

const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const handshake = (summary: string, headers: Record<string, string>, body: string): Handshake => ({
  kind: 'challenge',
  summary,
  answer: { status: 200, headers: { ...NO_STORE, ...headers }, body },
});

const inText = (summary: string, text: string): Handshake =>
  handshake(summary, { 'Content-Type': 'text/plain; charset=utf-8' }, text);

const inJson = (summary: string, value: object): Handshake =>
  handshake(summary, { 'Content-Type': 'application/json' }, JSON.stringify(value));

/** Whether a text may be repeated: it goes into headers, too. */
const isEcho = (text: string | null): text is string =>
  text !== null && text !== '' && text.length <= MAX_ECHO && !/[\p{Cc}]/u.test(text);

/**
 * The answer to a sender that asks whether an address is right by sending a text that is to be repeated; undefined for any
 * other request. Whoever asks must have proved whose source it is.
 *
 * @param target path and query without tokens
 */
export function answerEcho({ method, headers }: IncomingMessage, target: string): Handshake | undefined {
  if (method === 'GET') return answerGet(headers, queryOf(target));
  if (method !== 'POST') return undefined;
  // https://developers.asana.com/docs/webhooks-guide#the-webhook-handshake
  const secret = headerOf(headers, 'x-hook-secret');
  if (isEcho(secret) && hasNothingElse(headers)) return handshake('Asana’s handshake', { 'X-Hook-Secret': secret }, '');
  // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
  const token = target.includes('alidation') ? queryOf(target).get('validationToken') : null;
  return isEcho(token) ? inText('Microsoft Graph’s validation of the address', token) : undefined;
}

/** Whoever sends a secret beside each of its alerts is no sender that asks. */
const hasNothingElse = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= '{}'.length;

function answerGet(headers: IncomingMessage['headers'], query: URLSearchParams): Handshake | undefined {
  // https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request
  const verification = headerOf(headers, 'x-okta-verification-challenge');
  if (isEcho(verification)) return inJson('Okta’s verification of the address', { verification });
  // https://www.w3.org/TR/websub/#hub-verifies-intent and https://developers.facebook.com/docs/graph-api/webhooks/getting-started
  const hub = query.get('hub.challenge');
  if (isEcho(hub) && query.has('hub.mode')) return inText('A hub’s verification of the subscription', hub);
  // https://www.dropbox.com/developers/reference/webhooks#documentation
  const challenge = query.get('challenge');
  if (isEcho(challenge) && query.size === 1) return inText('Dropbox’s verification of the address', challenge);
  return undefined;
}

const queryOf = (target: string): URLSearchParams => {
  const at = target.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
};

/** What Zoom asks to be signed: nothing that could stand for a request of its own. */
const ZOOM_TOKEN = /^[\w-]{1,128}$/;

/**
 * Zoom's validation, which is signed as all of its requests, asks for its token with an HMAC under the source's signing secret
 * (https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint).
 *
 * @param secret opened when it is needed; undefined where the source has none
 */
export function answerZoom(text: string, secret: () => string | undefined): Handshake | undefined {
  if (!text.includes('endpoint.url_validation')) return undefined;
  const plainToken = zoomTokenOf(text);
  const key = plainToken === undefined ? undefined : secret();
  if (plainToken === undefined || key === undefined) return undefined;
  const encryptedToken = createHmac('sha256', key).update(plainToken).digest('hex');
  return inJson('Zoom’s validation of the address', { plainToken, encryptedToken });
}

function zoomTokenOf(text: string): string | undefined {
  try {
    const { event, payload } = JSON.parse(text) as { event?: unknown; payload?: { plainToken?: unknown } };
    const token = event === 'endpoint.url_validation' ? payload?.plainToken : undefined;
    return typeof token === 'string' && ZOOM_TOKEN.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
