/** What stands in the place of a secret. */
const DOTS = '•'.repeat(8);

/** Headers that hold nothing but a secret, after the scheme of `Authorization`. */
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'x-webhook-auth',
  'x-api-key',
  'x-gitlab-token',
  'cookie',
]);

/** Parameters of an address that hold a secret. */
const SECRET_PARAMETERS = /([?&](?:token|key|api[-_]?key|secret|password|access_token)=)([^&#]*)/gi;

/** Longest path, and longest value of a header, that is kept, in characters. */
const MAX_PATH = 2_000;
const MAX_HEADER = 2_000;
/** Most headers that are kept. */
const MAX_HEADERS = 100;

/** A secret but for its last four characters; nothing of one that is too short for that. */
export const mask = (secret: string): string =>
  secret.length < 12 ? DOTS : `${/^adt?_/.exec(secret)?.[0] ?? ''}${DOTS}${secret.slice(-4).toWellFormed()}`;

/** A text with each of these secrets masked, wherever it stands. */
export const maskIn = (text: string, secrets: readonly string[]): string =>
  secrets.reduce(
    (masked, secret) => (secret !== '' && masked.includes(secret) ? masked.replaceAll(secret, mask(secret)) : masked),
    text,
  );

/** Path and query without the token of `/in/{token}` and the secrets of the query. */
export const maskPath = (target: string): string =>
  MAY_HOLD_SECRET.test(target) ? maskAll(target) : target.slice(0, MAX_PATH).toWellFormed();

/** A look at most addresses spares them everything else. */
const MAY_HOLD_SECRET = /^\/in\/|\?/;

const maskAll = (target: string): string =>
  target
    .slice(0, MAX_PATH)
    .replace(/^(\/in\/)([^/?#]+)/, (_, path: string, token: string) => path + mask(token))
    .replaceAll(SECRET_PARAMETERS, (_, name: string, value: string) => name + mask(value))
    .toWellFormed();

/** Headers as received, in pairs of name and value, with every secret masked. */
export function maskHeaders(rawHeaders: readonly string[], secrets: readonly string[]): [string, string][] {
  const masked: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length && masked.length < MAX_HEADERS; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Header values are bytes: always well-formed.
    const value = (rawHeaders[index + 1] ?? '').slice(0, MAX_HEADER);
    masked.push([name, maskIn(SECRET_HEADERS.has(name.toLowerCase()) ? maskCredentials(value) : value, secrets)]);
  }
  return masked;
}

/** Keeps the scheme. Of `Basic` the password is shown by its last four characters, never the encoded pair. */
function maskCredentials(value: string): string {
  const [, scheme, credentials = ''] = /^([A-Za-z]+)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === undefined) return mask(value);
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${mask(credentials.trim())}`;
  const password = Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1).join(':');
  return `${scheme} ${mask(password)}`;
}
