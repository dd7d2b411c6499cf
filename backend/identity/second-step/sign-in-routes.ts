import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { type User, findUser } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import { SIGN_IN_OVER, passkeyOptionsSchema, secondStepAnswerSchema } from '#backend/contract/second-step.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, type ReplyCookie, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { ProblemError, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { SECOND_STEP_LIMITS, createSignInThrottle, tooManySignIns } from '#backend/identity/users/sign-in-throttle.ts';
import { type SignInRequest, deviceIdOf, firstStepOf, startSession } from '#backend/identity/sessions/start-session.ts';
import { endPendingCookie, passwordMarkOf, pendingCookieName, providerOf } from './after-password.ts';
import { beginCeremony, endCeremony, findCeremony } from '#backend/identity/factors/ceremonies.ts';
import { type StepFailure, checkSecondStep } from '#backend/identity/factors/check-second-step.ts';
import { passkeySignInRoutes, type ChallengeLimit } from './passkey-sign-in.ts';
import { assertionOptions, findPasskeys, relyingPartyOf } from '#backend/identity/factors/passkeys.ts';
import { rememberBrowser } from '#backend/identity/factors/remembered-browsers.ts';
import type { SessionStart } from '#backend/identity/sessions/session-store.ts';
import type { StoredCeremony } from '#backend/identity/factors/second-step-entities.ts';

type SignInContext = StartSessionDeps & { database: Database; sealing: Sealing };

const isOver = () => notSignedIn(SIGN_IN_OVER);

/** The sign-in that this browser has begun with a right password, and whose. @throws {ProblemError} 401 without one */
async function findPending(
  { database: { reads } }: SignInContext,
  { cookie, isSecure }: Pick<SignInRequest, 'cookie' | 'isSecure'>,
): Promise<{ pending: StoredCeremony; user: User }> {
  const pending = await findCeremony(reads, 'sign_in', cookie(pendingCookieName(isSecure)));
  const user = pending?.userId ? await findUser(reads, pending.userId) : null;
  if (!pending || !user?.isActive || passwordMarkOf(user) !== pending.data) throw isOver();
  return { pending, user };
}

/** What the audit trail calls the steps. */
const METHODS = { totp: 'code of an app', recovery_code: 'recovery code', passkey: 'passkey' } as const;

/** The second step of a sign-in. */
export function secondStepSignInRoutes(
  context: SignInContext,
  challenges: ChallengeLimit,
  shared: SharedCounts | undefined,
): Endpoint[] {
  const { database, metrics } = context;
  const throttle = createSignInThrottle(shared, SECOND_STEP_LIMITS);
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/login/second-step',
      tag: 'sign-in',
      summary:
        'Ends a sign-in whose password was right, by the second step: a code, a recovery code or a passkey. The answer sets the session’s cookies.',
      access: 'anyone',
      csrf: false,
      body: secondStepAnswerSchema,
      responses: { 200: sessionSchema },
      errors: [401, 409, 429],
      handle: async (request) => {
        const { body, ip, isSecure, origin } = request;
        const { pending, user } = await findPending(context, request);
        const audit = (action: StepFailure | 'second_step_throttled') =>
          database.transaction((tx) =>
            addAudit(tx, { id: user.id, name: user.email, ip }, action, null, { detail: METHODS[body.method] }),
          );
        const attempt = { account: user.id, ip, deviceId: deviceIdOf(context, request, user) };
        const counted = await throttle.count(attempt);
        if (counted.throttled) {
          metrics.signIn('throttled');
          if (counted.throttled.isFirst) await audit('second_step_throttled');
          throw tooManySignIns(counted.throttled.seconds);
        }
        const by = providerOf(pending);
        let failure: StepFailure | undefined;
        let cookies: ReplyCookie[] = [];
        const finish = async () => {
          const check = await checkSecondStep(context, { user, ip, pending, origin }, body);
          const start: SessionStart = {
            ...(by && { by }),
            method: `${firstStepOf(by)} and ${METHODS[body.method]}`,
            within: async (tx, account) => {
              // Of two second steps of one sign-in one ends it; what the other would have used up is not.
              if (!(await endCeremony(tx, pending))) throw isOver();
              failure = await check(tx);
              if (failure) throw new FailedStep();
              cookies = [endPendingCookie(isSecure)];
              if (body.remember) {
                await addAudit(tx, { id: user.id, name: user.email, ip }, 'browser_remembered');
                cookies.push(await rememberBrowser(tx, account, request));
              }
              return true;
            },
          };
          return startSession(context, request, user, start, () => cookies);
        };
        const reply = await finish().catch(async (error: unknown) => {
          if (error instanceof FailedStep) return undefined;
          // The server is busy, or its database is away: nobody learns whether the step was right.
          if (!(error instanceof ProblemError) || error.status >= 500) await throttle.giveBack(attempt);
          throw error;
        });
        if (reply) {
          await throttle.forgive(attempt);
          if (body.method === 'passkey') await challenges.giveBack(ip);
          return reply;
        }
        metrics.signIn('refused');
        if (!failure) throw isOver();
        await audit(failure);
        throw notSignedIn(
          body.method === 'passkey' ? 'This passkey was not accepted.' : 'This code is wrong, or it was used before.',
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/login/second-step/passkey-options',
      tag: 'sign-in',
      summary: 'Returns what a browser is asked with for one of the account’s passkeys, as the second step.',
      access: 'anyone',
      csrf: false,
      responses: { 200: passkeyOptionsSchema },
      errors: [401, 409, 429],
      handle: async (request) => {
        const { ip, origin } = request;
        const { pending, user } = await findPending(context, request);
        relyingPartyOf(origin);
        await challenges.count(ip);
        const challenge = await database.transaction((tx) =>
          beginCeremony(tx, { kind: 'passkey_second_step', userId: user.id, boundTo: pending.id }),
        );
        return ok(await assertionOptions({ origin, challenge }, {}, await findPasskeys(database.reads, user.id)));
      },
    }),
    ...passkeySignInRoutes(context, challenges),
  ];
}

/** Rolls back what a second step that failed has begun. */
class FailedStep extends Error {}
