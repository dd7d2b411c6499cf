import * as oidc from 'openid-client';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import { redirectPath } from '#backend/contract/oidc.ts';
import { malformed, notFound, notSignedIn, unavailable } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type ProvidedClaims, hasClaims, mergeClaims } from './claims.ts';
import { type LogoutClaims, createLogoutTokens } from './logout-token.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import { CLOCK_TOLERANCE_SECONDS, ProviderAway, createBoundedFetch, isAway } from './provider-fetch.ts';

/** A provider that takes longer to answer is away, in seconds. */
const TIMEOUT_SECONDS = 5;

/** What a provider publishes about itself is read again after so long, in milliseconds. */
const METADATA_MS = 60 * 60_000;

/** A provider that was away is asked again after so long at the earliest, in milliseconds. */
const RETRY_MS = 2_000;

/** A proof is a sign-in at the provider within so many seconds before it sends the browser back. */
const PROOF_SECONDS = 60;

/** What one sign-in is bound to: its state, and what the browser's secret and the state give. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** The configured OpenID providers, which are asked when somebody signs in, never at the start. */
export interface OidcProviders {
  list: readonly OidcProvider[];
  /** @throws {ProblemError} 404 when no provider has this id */
  find(id: string): OidcProvider;
  /**
   * The address at the provider that begins a sign-in there: code flow with PKCE (RFC 7636), state and nonce.
   *
   * @param isProof has the provider ask for a sign-in even where the browser is signed in there
   * @throws {ProblemError} 503 when the provider is away
   */
  authorizationAddress(provider: OidcProvider, secrets: FlowSecrets, isProof: boolean): Promise<string>;
  /**
   * Exchanges the code of the provider's response, and checks response (issuer, RFC 9207, and state) and ID token (signature,
   * issuer, audience, times, nonce) on the way.
   *
   * @param query of the address that the browser was sent back to
   * @throws {ProblemError} 401 when the provider refused, or its response is not accepted; 503 when it is away
   */
  exchange(provider: OidcProvider, query: string, secrets: FlowSecrets, isProof: boolean): Promise<ProvidedClaims>;
  /**
   * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), by which a provider says that somebody
   * signed out there.
   *
   * @throws {ProblemError} 400 when it is not accepted; 503 when the provider's keys cannot be had
   */
  readLogoutToken(provider: OidcProvider, token: string): Promise<LogoutClaims>;
  /** The address at the provider that signs out there; undefined when it has none, or is away. */
  signOutAddress(provider: OidcProvider, idToken: string | undefined): Promise<string | undefined>;
}

/** @param now the clock, in milliseconds since the epoch */
export function createProviders(
  { oidcProviders, publicUrl }: Pick<IdentityConfig, 'oidcProviders' | 'publicUrl'>,
  logger: Logger,
  now: () => number = Date.now,
): OidcProviders {
  /** Until a moment of `performance.now()`: a clock that is set back keeps no provider away. */
  const known = new Map<string, { client: Promise<oidc.Configuration>; until: number }>();
  const clientOf = (provider: OidcProvider): Promise<oidc.Configuration> => {
    const found = known.get(provider.id);
    if (found && performance.now() < found.until) return found.client;
    const entry = { client: discover(provider), until: performance.now() + METADATA_MS };
    known.set(provider.id, entry);
    entry.client.catch(() => {
      entry.until = performance.now() + RETRY_MS;
    });
    return entry.client;
  };
  const logoutTokens = createLogoutTokens(now);
  const redirectAddress = ({ id }: OidcProvider): URL => new URL(redirectPath(id), publicUrl);

  /**
   * Runs what asks the provider, and says in a sentence what went wrong. The log has what a stranger must not read. Before a
   * sign-in begins, whatever is wrong is the provider's or the configuration's.
   */
  async function ask<T>(provider: OidcProvider, work: () => Promise<T>, isBegin = false): Promise<T> {
    const { id, name } = provider;
    try {
      return await work();
    } catch (error) {
      if (error instanceof oidc.AuthorizationResponseError) {
        logger.info({ provider: id, code: error.error }, 'a provider refused a sign-in');
        throw notSignedIn(sentenceOf(name, error.error));
      }
      if (isBegin || isAway(error)) {
        logger.warn({ provider: id, err: error }, 'a provider is away, or not what the configuration says');
        throw unavailable(`${name} cannot be reached. Try again, or sign in another way.`, 5, error);
      }
      logger.warn({ provider: id, err: error }, 'what a provider answered was not accepted');
      throw notSignedIn(`What ${name} answered was not accepted. Start again from the sign-in page.`);
    }
  }

  return {
    list: oidcProviders,
    find(id) {
      const provider = oidcProviders.find((one) => one.id === id);
      if (!provider) throw notFound('There is no provider with this id.');
      return provider;
    },
    authorizationAddress: (provider, { state, nonce, verifier }, isProof) =>
      ask(
        provider,
        async () => {
          const client = await clientOf(provider);
          const address = oidc.buildAuthorizationUrl(client, {
            redirect_uri: redirectAddress(provider).href,
            scope: provider.scopes.join(' '),
            state,
            nonce,
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            ...(isProof && { prompt: 'login', max_age: `${PROOF_SECONDS}` }),
          });
          return address.href;
        },
        true,
      ),
    exchange: (provider, query, { state, nonce, verifier }, isProof) =>
      ask(provider, async () => {
        const client = await clientOf(provider);
        const current = redirectAddress(provider);
        current.search = query;
        const tokens = await oidc.authorizationCodeGrant(client, current, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(isProof && { maxAge: PROOF_SECONDS }),
        });
        const claims = tokens.claims();
        if (!claims || !tokens.id_token) throw new Error('There is no ID token.');
        requireOwnToken(provider, claims, now());
        const isWhole = hasClaims(provider, claims) || client.serverMetadata().userinfo_endpoint === undefined;
        const more = isWhole ? {} : await oidc.fetchUserInfo(client, tokens.access_token, claims.sub);
        return mergeClaims(claims, more, tokens.id_token);
      }),
    async readLogoutToken(provider, token) {
      try {
        const { issuer, jwks_uri: keysAt } = (await clientOf(provider)).serverMetadata();
        if (keysAt === undefined) throw new ProviderAway('It publishes no keys.');
        return await logoutTokens.read(token, { issuer, clientId: provider.clientId, keysAt: new URL(keysAt) });
      } catch (error) {
        logger.warn({ provider: provider.id, err: error }, 'a sign-out at a provider was not accepted');
        if (isAway(error)) throw unavailable(`${provider.name} cannot be reached. Try again.`, 5, error);
        throw malformed('The logout token is not valid.');
      }
    },
    async signOutAddress(provider, idToken) {
      try {
        const client = await clientOf(provider);
        if (client.serverMetadata().end_session_endpoint === undefined) return undefined;
        const back = { post_logout_redirect_uri: new URL('/login', publicUrl).href };
        return oidc.buildEndSessionUrl(client, { ...back, ...(idToken && { id_token_hint: idToken }) }).href;
      } catch (error) {
        logger.warn({ provider: provider.id, err: error }, 'nobody could be signed out at a provider');
        return undefined;
      }
    },
  };
}

/**
 * What the library leaves to its caller: the party that an ID token was issued to is this client, also where it is the one
 * audience (OpenID Connect Core 1.0, 3.1.3.7), and neither the token nor the sign-in is of the future.
 *
 * @throws {Error} which says what is wrong, for the log
 */
function requireOwnToken({ clientId }: OidcProvider, { azp, iat, auth_time: signedInAt }: oidc.IDToken, now: number) {
  if (azp !== undefined && azp !== clientId) throw new Error('The ID token was issued to another client.');
  const latest = now / 1000 + CLOCK_TOLERANCE_SECONDS;
  if (iat > latest) throw new Error('The ID token was issued in the future.');
  if (signedInAt !== undefined && signedInAt > latest) throw new Error('The sign-in at the provider is in the future.');
}

/** Reads what a provider publishes about itself (OpenID Connect Discovery 1.0). */
async function discover({ issuer, clientId, clientSecret, clientAuth }: OidcProvider): Promise<oidc.Configuration> {
  const secret = clientAuth === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
  const execute = [
    oidc.enableNonRepudiationChecks,
    ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ];
  const client = await oidc.discovery(
    issuer,
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret === undefined ? oidc.None() : secret(clientSecret),
    { execute, timeout: TIMEOUT_SECONDS, [oidc.customFetch]: createBoundedFetch() },
  );
  const { authorization_endpoint: authorization, token_endpoint: token } = client.serverMetadata();
  if (authorization === undefined || token === undefined) throw new ProviderAway('It publishes no endpoints.');
  return client;
}

/** What the provider's refusal means to the person (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6). */
function sentenceOf(name: string, code: string): string {
  if (code === 'access_denied') return `${name} did not let you in, or you canceled the sign-in there.`;
  if (code === 'temporarily_unavailable' || code === 'server_error') {
    return `${name} cannot sign anybody in at the moment. Try again later, or sign in another way.`;
  }
  return `${name} refused the sign-in. Start again from the sign-in page, or ask an administrator.`;
}
