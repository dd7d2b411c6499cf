import type { Delivery } from '#backend/contract/delivery.ts';

/** Stands for a secret in what is copied. */
export const SECRET_PLACEHOLDER = 'YOUR_SECRET';

/** Headers that hold a secret. */
const SECRET_HEADERS = new Set(['authorization', 'x-webhook-auth', 'x-api-key', 'x-gitlab-token', 'cookie']);

/** Headers that curl makes itself, or that a proxy added on the way. */
const LEFT_OUT = /^(?:host|connection|content-length|accept-encoding|transfer-encoding|expect|x-forwarded-.*|via)$/;

/** A word for a POSIX shell that stands for exactly this text. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The shell command that sends the request of a delivery again. Secrets are placeholders: the log has none of them.
 *
 * @param origin of the server, such as `https://desk.example`.
 */
export function curlText(
  { method, path, headers, body }: Pick<Delivery, 'method' | 'path' | 'headers' | 'body'>,
  origin: string,
): string {
  const sent = headers.filter(([name]) => !LEFT_OUT.test(name.toLowerCase()));
  return [
    `curl -X ${method} ${shellWord(`${origin}${withoutToken(path)}`)}`,
    ...sent.map(([name, value]) => `-H ${shellWord(`${name}: ${withoutSecret(name, value)}`)}`),
    ...(body === null || body === '' ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(' \\\n  ');
}

/** An address with a placeholder instead of its token. */
export const withoutToken = (path: string): string =>
  path.replace(/^(\/in\/)[^/?]+/, `$1${SECRET_PLACEHOLDER}`).replace(/([?&]token=)[^&]*/, `$1${SECRET_PLACEHOLDER}`);

function withoutSecret(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name.toLowerCase())) return value;
  const scheme = /^(\w+)\s+\S/.exec(value)?.[1];
  return scheme === undefined ? SECRET_PLACEHOLDER : `${scheme} ${SECRET_PLACEHOLDER}`;
}
