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
