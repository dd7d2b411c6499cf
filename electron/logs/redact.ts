/** What stands in the place of a secret. */
const REDACTED = '[redacted]';

/** Names of fields, headers, cookies and query parameters whose value is a secret, however they are written. */
const SECRET_NAME =
  'authorization|proxy-authorization|cookie|set-cookie|x-webhook-auth|[\\w-]*csrf-token|(?:__Host-)?sid|[\\w-]*password|passwd|' +
  '[\\w-]*secret|[\\w-]*private[\\w-]?key|plain[_-]?key|api[_-]?key|[\\w-]*token|p256dh|auth|signature|sig';

const IS_SECRET_NAME = new RegExp(`^(?:${SECRET_NAME})$`, 'i');

/** Cookies and credentials in headers go on to the end of the line; any other value to its end. */
const HEADER = /\b((?:set-)?cookie|(?:proxy-)?authorization)\b(\s*[:=]\s*)(?!["'{[])[^\r\n]+/gi;
const NAMED = new RegExp(
  `(["']?)(?<![\\w-])(${SECRET_NAME})\\1(\\s*[:=]\\s*|%3D)(?:"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^\\s"',;&}\\])]+)`,
  'gi',
);

/** Secrets that are known by what they look like. */
const SHAPES: readonly [RegExp, string][] = [
  // API keys.
  [/\bad_[\w-]{8,}/g, `ad_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  // A name and password in an address, as in DATABASE_URL.
  [/([a-z][a-z\d+.-]*:\/\/)[^\s/@"']+@/gi, `$1${REDACTED}@`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // Password hashes.
  [/\$2[aby]\$\d\d\$[./A-Za-z\d]{20,}/g, REDACTED],
];

/**
 * Takes secrets out of a text: API keys, cookies, credentials, passwords, private keys, tokens in query strings. It is
 * the second line of defence: nothing secret is handed to a log in the first place.
 */
export function redactText(text: string): string {
  const named = text.replace(HEADER, `$1$2${REDACTED}`).replace(NAMED, `$1$2$1$3${REDACTED}`);
  return SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), named);
}

/** How deep details are looked into; what lies deeper is left out. */
const MAX_DEPTH = 6;

/** The same for anything that is logged: a copy as plain JSON values, errors with their code and stack alone. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) {
    const code = 'code' in value ? value.code : undefined;
    return redactValue({ type: value.name, message: value.message, code, stack: value.stack }, depth + 1);
  }
  if (value instanceof URL || value instanceof Date) return redactText(String(value));
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      IS_SECRET_NAME.test(name) && item !== undefined && item !== null ? REDACTED : redactValue(item, depth + 1),
    ]),
  );
}
