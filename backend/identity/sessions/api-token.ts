import { hash } from 'node:crypto';
import { EntitySchema } from 'typeorm';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import { findUser, presentSession } from '#backend/identity/users/user.ts';
import { fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import { type Limiter, type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { API_TOKEN_PREFIX, type ApiToken, type TokenScope } from '#backend/contract/api-token.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { type WrongCredential, notSignedIn, tooMany } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { mustSetUp } from '#backend/identity/factors/second-steps.ts';

/** A stored token: the SHA-256 of its 256 random bits, and whom it acts for. */
export interface StoredApiToken {
  id: string;
  userId: string;
  name: string;
  scope: TokenScope;
  tokenHash: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export const ApiTokenEntity = new EntitySchema<StoredApiToken>({
  name: 'ApiToken',
  tableName: 'api_tokens',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    name: textColumn('name', 100),
    scope: textColumn('scope', 16),
    tokenHash: textColumn('token_hash', 64),
    createdAt: timeColumn('created_at'),
    expiresAt: nullable(timeColumn('expires_at')),
    lastUsedAt: nullable(timeColumn('last_used_at')),
  },
});

/** What is stored of a token, in hex. */
export const tokenHashOf = (token: string): string => hash('sha256', token);

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** What the audit trail calls a token. */
export const nameOfToken = ({ name, scope }: Pick<StoredApiToken, 'name' | 'scope'>): string => `${name} (${scope})`;

/** A token as its owner sees it. */
export const presentApiToken = (token: StoredApiToken): ApiToken => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  createdAt: new Date(token.createdAt).toISOString(),
  expiresAt: isoOf(token.expiresAt),
  lastUsedAt: isoOf(token.lastUsedAt),
});

/** Use is written down at most this often, so that reading stays reading. */
const NOTE_INTERVAL_MS = 5 * 60 * 1000;

/** Calls that one token may make, in so many seconds, on all servers together. */
const CALLS = 600;
const CALLS_SECONDS = 60;

/** Finds out whose token a call brings. */
export interface ApiTokens {
  /** The member that a token acts for. @throws {ProblemError} 401 when it is unknown, expired, or its account is disabled */
  find(token: string): Promise<Actor>;
  /** Counts a call. @throws {ProblemError} 429 when the token makes too many. */
  count(id: string): Promise<void>;
}

/** True for what can only be an API token: other bearer tokens are somebody else's, such as a proxy's. */
export const isApiToken = (bearerToken: string): boolean => bearerToken.startsWith(API_TOKEN_PREFIX);

/** What everybody gets whose token is not accepted, whatever the reason. */
const invalidToken = (credential: Omit<WrongCredential, 'action'>) =>
  notSignedIn('The API token is not valid, or it has expired.', 'Bearer error="invalid_token"', {
    action: 'api_token_refused',
    ...credential,
  });

/**
 * Reads a token's row with every call, so that a revoked one is refused by every server at once; and who has to have a
 * second step, so that a member who has none is marked: their token is let in nowhere until they have set it up.
 *
 * @param shared where servers count calls together; absent, each counts for itself
 * @param now the clock, in milliseconds since the epoch
 */
export function createApiTokens(
  database: Database,
  logger: Logger,
  config: Pick<IdentityConfig, 'oidcProviders'>,
  shared: SharedCounts | undefined,
  now: () => number = Date.now,
  limiter: Limiter = createLimiter('api-token', CALLS, CALLS_SECONDS, shared),
): ApiTokens {
  const noted = new Set<string>();
  const noteUse = ({ id, lastUsedAt }: StoredApiToken): void => {
    if (noted.has(id) || (lastUsedAt !== null && lastUsedAt > now() - NOTE_INTERVAL_MS)) return;
    noted.add(id);
    database
      // An update, never an upsert: a token that was revoked meanwhile stays revoked.
      .transaction((tx) => tx.getRepository(ApiTokenEntity).update({ id }, { lastUsedAt: now() }))
      .catch((error: unknown) => logger.warn({ err: error }, 'the last use of an API token could not be written'))
      .finally(() => noted.delete(id));
  };
  return {
    async find(token) {
      const tokenHash = tokenHashOf(token);
      const stored = await database.reads.getRepository(ApiTokenEntity).findOneBy({ tokenHash });
      const user = stored && (await findUser(database.reads, stored.userId));
      if (!user) throw invalidToken({ mark: tokenHash, reason: `unknown or revoked, ${fingerprintOf(tokenHash)}` });
      const known = { mark: stored.id, owner: { id: user.id, name: user.email, token: stored } };
      if (stored.expiresAt !== null && stored.expiresAt <= now()) throw invalidToken({ ...known, reason: 'expired' });
      if (!user.isActive) throw invalidToken({ ...known, reason: 'account disabled' });
      noteUse(stored);
      // A service has no sign-in, and so no second step.
      const isUnfinished = !user.isService && (await mustSetUp(database.reads, user, config));
      const state = isUnfinished ? { mustSetUpSecondStep: true as const } : {};
      return {
        ...presentSession({ ...user, ...state }),
        sessionId: stored.id,
        tokenScope: stored.scope,
        tokenName: stored.name,
        provedAt: 0,
      };
    },
    async count(id) {
      await limiter.consume(id).catch((refusal: unknown) => {
        throw tooMany(
          `An API token makes at most ${CALLS} calls a minute.`,
          Math.ceil(((refusal as { msBeforeNext?: number }).msBeforeNext ?? 1_000) / 1_000),
        );
      });
    },
  };
}
