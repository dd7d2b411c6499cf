import type { IncomingHttpHeaders } from 'node:http';
import { maskMembers } from '#backend/intake/reading/mask-members.ts';
import { DOTS, mask, maskIn } from '#backend/intake/reading/mask-secret.ts';

/** Longest path, and longest value of a header, that is kept, in characters. */
const MAX_PATH = 2_000;
const MAX_HEADER = 2_000;
/** Most headers that are kept. */
const MAX_HEADERS = 100;

/** The beginning of what a JSON Web Token and its likes begin with, whatever its name. */
const isToken = (value: string): boolean => value.startsWith('eyJ') && value.length > 40;

/** Shorter values of a parameter `key` are no secrets, but names of things. */
const MIN_KEY = 16;

/**
 * Path and query without the token of `/in/{token}`, the values of parameters that are called as secrets are, and these
 * secrets.
 */
export function maskTarget(target: string, secrets: readonly string[] = []): string {
  if (!MAY_HOLD_SECRET.test(target)) return target;
  const queryAt = target.indexOf('?');
  const path = (queryAt < 0 ? target : target.slice(0, queryAt)).replace(
    /^(\/in\/)([^/?#]+)/,
    (_, before: string, token: string) => before + mask(token),
  );
  if (queryAt < 0) return maskIn(path, secrets);
  const parameters = target
    .slice(queryAt + 1)
    .split('&')
    .map(maskParameter);
  return maskIn(`${path}?${parameters.join('&')}`, secrets);
}

/** A look at most addresses spares them everything else. */
const MAY_HOLD_SECRET = /^\/in\/|\?/;

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals < 0) return parameter;
  const [written, value] = [parameter.slice(0, equals), parameter.slice(equals + 1)];
  const [name = written] = /[%+]/.test(written) ? new URLSearchParams(parameter).keys() : [written];
  const isSecret = isSecretName(name) || isToken(value) || (name.toLowerCase() === 'key' && value.length >= MIN_KEY);
  if (!isSecret || value === '') return parameter;
  return `${written}=${value.includes('%') ? DOTS : mask(value)}`;
}

/** {@link maskTarget} for the log, which keeps the beginning. */
export const maskPath = (target: string, secrets: readonly string[] = []): string =>
  maskTarget(target.slice(0, MAX_PATH), secrets).slice(0, MAX_PATH).toWellFormed();

/** Parts of a path that are no secret however long they are: ids, and names of routes and files. */
const HARMLESS_SEGMENT = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]+(?:[-.][a-z]+)*)$/;

/**
 * A path for a log or the audit trail, with every part masked that may be a key or a token: senders are set up with wrong
 * addresses, such as `/api/in/{token}`.
 */
export const maskSegments = (path: string): string =>
  path
    .slice(0, MAX_PATH)
    .replace(/[^/]{16,}/g, (segment) => (HARMLESS_SEGMENT.test(segment) ? segment : mask(segment)))
    .toWellFormed();

/** Headers as received, in pairs of name and value, with every secret masked. */
export function maskHeaders(rawHeaders: readonly string[], secrets: readonly string[]): [string, string][] {
  const masked: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length && masked.length < MAX_HEADERS; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Header values are bytes: always well-formed.
    masked.push([name, maskHeader(name, (rawHeaders[index + 1] ?? '').slice(0, MAX_HEADER), secrets)]);
  }
  return masked;
}

/** Headers as adapters and mappings read them, with every secret masked. */
export function maskReadHeaders(headers: IncomingHttpHeaders, secrets: readonly string[]): IncomingHttpHeaders {
  const masked: IncomingHttpHeaders = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') masked[name] = maskHeader(name, value, secrets);
    else if (value) masked[name] = value.map((one) => maskHeader(name, one, secrets));
  }
  return masked;
}

const maskHeader = (name: string, value: string, secrets: readonly string[]): string =>
  isSecretName(name) || isToken(value) ? maskCredentials(value) : maskIn(value, secrets);

/** Keeps the scheme. Of `Basic` the password is shown by its last four characters, never the encoded pair. */
function maskCredentials(value: string): string {
  const [, scheme, credentials = ''] = /^([A-Za-z]+)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === undefined) return mask(value);
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${mask(credentials.trim())}`;
  const password = Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1).join(':');
  return `${scheme} ${mask(password)}`;
}

/** How names of headers and parameters end that hold nothing but a secret, in small letters and digits alone. */
const SECRET_ENDING =
  /(?:token|secret|passwd|password|passphrase|apikey|accesskey|privatekey|secretkey|authkey|webhookauth|credentials?|signature|assertion|jwt|cookie|authorization|bearer)\d*$/;

/** Short names are secrets by themselves only: many words end so. */
const SECRET_WORDS = new Set(['auth', 'xauth', 'pass', 'pwd', 'sig', 'hmac', 'sid', 'session', 'sessionid']);

/** Names that were asked for, since senders repeat theirs; so many are remembered, of so many characters. */
const MAX_KNOWN = 2_000;
const MAX_NAME = 64;
const known = new Map<string, boolean>();

/** Whether a header or a parameter of an address is called as secrets are, such as `X-Auth-Token`, `api_key` or `user[password]`. */
export function isSecretName(name: string): boolean {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const letters = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const isSecret = SECRET_WORDS.has(letters) || SECRET_ENDING.test(letters);
  if (name.length <= MAX_NAME) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, isSecret);
  }
  return isSecret;
}

/** A request as adapters read it and alerts keep it. */
interface SentRequest {
  headers: IncomingHttpHeaders;
  text: string;
  /** Path and query. */
  target: string;
}

/** Where PagerDuty's senders put their key; whichever adapter reads them, and also where another credential was accepted. */
const POSTED_KEY = ['routing_key'];
const NO_NAMES: readonly string[] = [];

/**
 * A request without its secrets, from before it is read: so none reaches an alert, its search, history and page, the log,
 * an export, or what is read from them again.
 *
 * @param secrets findable ones that it presents: masked wherever they stand
 * @param route the path of its endpoint
 */
export function maskSentRequest(
  { headers, text, target }: SentRequest,
  secrets: readonly string[],
  route: string,
): SentRequest {
  const names = route === '/v2/enqueue' ? POSTED_KEY : NO_NAMES;
  return {
    headers: maskReadHeaders(headers, secrets),
    text: maskIn(maskMembers(text, headers['content-type'] ?? '', names), secrets),
    target: maskTarget(target, secrets),
  };
}
