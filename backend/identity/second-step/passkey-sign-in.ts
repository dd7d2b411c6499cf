import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type User, findUser, mayUsePassword } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { consume, networkOf, type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { passkeyOptionsSchema, passkeySignInSchema } from '#backend/contract/second-step.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { tooManySignIns } from '#backend/identity/users/sign-in-throttle.ts';
import { startSession } from '#backend/identity/sessions/start-session.ts';
import { beginCeremony, takeCeremony } from '#backend/identity/factors/ceremonies.ts';
import type { StepFailure } from '#backend/identity/factors/check-second-step.ts';
import {
  assertionOptions,
  challengeOf,
  findPasskey,
  relyingPartyOf,
  usePasskey,
  verifyAssertion,
} from '#backend/identity/factors/passkeys.ts';

/**
 * So many challenges are given out to one network in a quarter of an hour while no member has signed in by them: each is a
 * row.
 */
export const CHALLENGES_PER_NETWORK = 300;
const WINDOW_SECONDS = 15 * 60;

/** Counts the challenges that are given to strangers. */
export interface ChallengeLimit {
  /** @throws {ProblemError} 429 when the network of this address has had too many. */
  count(ip: string): Promise<void>;
  /** A member has signed in by one: it does not count. */
  giveBack(ip: string): Promise<void>;
}

/** @param shared where servers count together */
export function createChallengeLimit(shared: SharedCounts | undefined): ChallengeLimit {
  const limiter = createLimiter('passkey-challenge', CHALLENGES_PER_NETWORK, WINDOW_SECONDS, shared);
  return {
    async count(ip) {
      const counted = await consume(limiter, networkOf(ip));
      if (!(counted instanceof RateLimiterRes)) throw tooManySignIns(counted.seconds);
    },
    async giveBack(ip) {
      await limiter.reward(networkOf(ip));
    },
  };
}

/** A passkey that verifies who uses it is two steps in one: nothing else is asked for. */
const RULES = { isVerified: true, isNamed: true };

type PasskeySignInContext = StartSessionDeps & { database: Database };

/** Signing in with a passkey alone. */
export function passkeySignInRoutes(context: PasskeySignInContext, challenges: ChallengeLimit): Endpoint[] {
  const { database, metrics } = context;
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/login/passkey-options',
      tag: 'sign-in',
      summary: 'Returns what a browser is asked with for any passkey that it has for this server.',
      access: 'anyone',
      csrf: false,
      responses: { 200: passkeyOptionsSchema },
      errors: [409, 429],
      handle: async ({ ip, origin }) => {
        relyingPartyOf(origin);
        await challenges.count(ip);
        const challenge = await database.transaction((tx) => beginCeremony(tx, { kind: 'passkey_sign_in' }));
        return ok(await assertionOptions({ origin, challenge }, RULES));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/login/passkey',
      tag: 'sign-in',
      summary: 'Signs in with a passkey alone, which has verified who uses it; the answer sets the session’s cookies.',
      access: 'anyone',
      csrf: false,
      body: passkeySignInSchema,
      responses: { 200: sessionSchema },
      errors: [401, 409],
      handle: async (request) => {
        const { body, ip, origin } = request;
        relyingPartyOf(origin);
        const { credential } = body;
        const challenge = challengeOf(credential);
        const ceremony = await takeCeremony(database, 'passkey_sign_in', challenge, { userId: null, boundTo: null });
        if (!ceremony || !challenge) throw notSignedIn('This took too long, or was sent twice. Try again.');
        const passkey = await findPasskey(database.reads, credential);
        const user = passkey && (await findUser(database.reads, passkey.userId));
        const mayUse = user?.isActive && mayUsePassword(context.config, user);
        const assertion =
          passkey && mayUse && (await verifyAssertion(credential, passkey, { origin, challenge }, RULES));
        let failure: StepFailure | undefined;
        if (user && assertion) {
          const reply = await startSession(context, request, user, {
            method: 'passkey',
            within: async (tx) => {
              failure = await usePasskey(tx, assertion);
              return failure === undefined;
            },
          });
          if (reply) {
            await challenges.giveBack(ip);
            return reply;
          }
        }
        metrics.signIn('refused');
        const action = failure === 'passkey_counter_regressed' ? failure : 'sign_in_failed';
        const detail = whyRefused(user, mayUse === true, assertion !== undefined && assertion !== false);
        const author = { id: user?.id ?? null, name: user?.email ?? 'an unknown passkey', ip };
        await database.transaction((tx) => addAudit(tx, author, action, passkey?.name ?? null, { detail }));
        throw notSignedIn('This passkey does not belong to an account here, or was not accepted.');
      },
    }),
  ];
}

/** Why a passkey was refused, for the audit trail alone. */
function whyRefused(user: User | null | undefined, mayUse: boolean, isVerified: boolean): string {
  if (!user) return 'unknown passkey';
  if (!user.isActive) return 'account disabled';
  if (!mayUse) return 'passwords are switched off';
  return isVerified ? 'account or passkey changed meanwhile' : 'signature not accepted';
}
