import { type JSONWebKeySet, type JWTPayload, createLocalJWKSet, errors, jwtVerify } from 'jose';
import { CLOCK_TOLERANCE_SECONDS, createBoundedFetch } from './provider-fetch.ts';

/** What a logout token says: who signed out, or of which session at the provider, or both. */
export interface LogoutClaims {
  issuer: string;
  subject: string | undefined;
  providerSession: string | undefined;
  /** Names the token, which is accepted once. */
  tokenId: string;
}

/** What a token is checked against. */
interface Expected {
  issuer: string;
  clientId: string;
  /** Where the provider publishes its keys. */
  keysAt: URL;
}

/** The event that a logout token is about (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * An older token is not accepted, in seconds: its name need not be remembered for longer. Section 2.6 recommends two
 * minutes; clocks may differ.
 */
export const LONGEST_TOKEN_AGE_SECONDS = 150;

/** A token is signed by a key of the provider, never by a secret that this server has, too. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** A provider that takes longer to answer is away, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Keys are asked for again after so long, in milliseconds, and at once for a token of a key that is not known. */
const KEYS_MS = 10 * 60_000;
/** So often at most, also while nothing comes of it: tokens of made-up keys ask the provider nothing. */
const RETRY_MS = 10_000;

/** Reads logout tokens, and remembers the keys of providers. */
export interface LogoutTokens {
  /**
   * Checks a logout token: signature, issuer, audience, age, event, no nonce, and that it names somebody.
   *
   * @throws {Error} which says what is wrong, for the log
   */
  read(token: string, expected: Expected): Promise<LogoutClaims>;
}

/** Keys of a provider. */
type Keys = ReturnType<typeof createLocalJWKSet>;

/** What is known of a provider's keys. Times are of `performance.now()`: a clock that is set back keeps nothing for longer. */
interface KnownKeys {
  /** The latest attempt to read them, which may be in flight or have failed. */
  attempt: Promise<Keys>;
  askAgainAt: number;
  /** What was read last. */
  read: { keys: Keys; until: number } | undefined;
}

/** @param now the clock, in milliseconds since the epoch */
export function createLogoutTokens(now: () => number): LogoutTokens {
  const known = new Map<string, KnownKeys>();

  /** @param isUnknownKey the keys that were read before do not do */
  const keysOf = (at: URL, isUnknownKey: boolean): Keys | Promise<Keys> => {
    const found = known.get(at.href);
    const time = performance.now();
    if (!isUnknownKey && found?.read && time < found.read.until) return found.read.keys;
    if (found && time < found.askAgainAt) return found.attempt;
    const askAgainAt = time + RETRY_MS;
    const attempt = readKeys(at).then((keys) => {
      known.set(at.href, { attempt, askAgainAt, read: { keys, until: time + KEYS_MS } });
      return keys;
    });
    known.set(at.href, { attempt, askAgainAt, read: found?.read });
    return attempt;
  };

  return {
    async read(token, { issuer, clientId, keysAt }) {
      const verify = async (isUnknownKey: boolean) =>
        jwtVerify(token, await keysOf(keysAt, isUnknownKey), {
          issuer,
          audience: clientId,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          maxTokenAge: LONGEST_TOKEN_AGE_SECONDS,
          currentDate: new Date(now()),
        });
      const { payload, protectedHeader } = await verify(false).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
        throw error;
      });
      const { typ } = protectedHeader;
      if (typ !== undefined && !/^(?:logout\+jwt|JWT)$/i.test(typ)) throw new Error('It is a token of another kind.');
      return claimsOf(payload, issuer);
    },
  };
}

/** Fetches the keys that a provider publishes. @throws {Error} when it is away, or they are no keys */
async function readKeys(at: URL): Promise<Keys> {
  const response = await createBoundedFetch()(at.href, {
    method: 'GET',
    headers: {},
    body: undefined,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return createLocalJWKSet((await response.json()) as JSONWebKeySet);
}

function claimsOf({ sub, sid, jti, nonce, events }: JWTPayload, issuer: string): LogoutClaims {
  if (nonce !== undefined) throw new Error('It has a nonce, as ID tokens do.');
  const event = (events as Record<string, unknown> | null | undefined)?.[EVENT];
  if (typeof event !== 'object' || event === null) throw new Error('It is not about a sign-out.');
  if (typeof jti !== 'string' || jti === '') throw new Error('It has no name.');
  const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
  const providerSession = typeof sid === 'string' && sid !== '' ? sid : undefined;
  if (subject === undefined && providerSession === undefined) throw new Error('It names nobody.');
  return { issuer, subject, providerSession, tokenId: jti };
}
