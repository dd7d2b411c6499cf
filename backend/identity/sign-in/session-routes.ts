import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { OidcProviders } from '#backend/identity/oidc/providers.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { findDefaultCredentials } from '#backend/identity/users/first-admin.ts';
import { type User, presentSession, emailKey, findUserByEmail, mayUsePassword } from '#backend/identity/users/user.ts';
import { rehash } from '#backend/identity/accounts/user-commands.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { isLoopbackUrl } from '#backend/identity/users/identity-config.ts';
import { CSRF_COOKIE } from '#backend/contract/csrf.ts';
import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import { signInAnswerSchema } from '#backend/contract/second-step.ts';
import { defaultCredentialsSchema, loginSchema, sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { signOutOf } from '#backend/identity/oidc/provider-session.ts';
import { afterPassword } from '#backend/identity/second-step/after-password.ts';
import {
  csrfCookie,
  csrfCookieName,
  endCookies,
  endPlainCsrfCookie,
} from '#backend/identity/sessions/session-cookies.ts';
import { csrfTokenOf, isSameSecret, sameText } from '#backend/identity/users/session-tokens.ts';
import { deviceIdOf } from '#backend/identity/sessions/start-session.ts';
import { type SignInThrottle, tooManySignIns } from '#backend/identity/users/sign-in-throttle.ts';

/**
 * What a browser clears at a sign-out: its cache, with pages that Back would bring again. Not its storage, which has the
 * device's own choices, its push subscription and the service worker; the app removes what is the member's there.
 */
const CLEAR = { 'Clear-Site-Data': '"cache"' };

/** Sign in, sign out, and read the current session. */
export function sessionRoutes(
  context: StartSessionDeps & { database: Database; oidc: OidcProviders; passwords: Passwords; sealing: Sealing },
  throttle: SignInThrottle,
): Endpoint[] {
  const { config, database, metrics, passwords, secrets, sessionSecret, sessions } = context;
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/session',
      tag: 'sign-in',
      summary: 'Returns who is signed in, and renews a CSRF cookie that is missing or not valid any more.',
      access: 'member',
      tokenScope: 'read',
      isForSetUp: true,
      responses: { 200: sessionSchema },
      handle: async ({ actor, cookie, isSecure }) => {
        if (actor.tokenScope) return ok(presentSession(actor));
        const csrfToken = csrfTokenOf(sessionSecret, actor.sessionId);
        // After SESSION_SECRET changed, or on data restored elsewhere, the browser has a token that is not valid any more.
        const isCurrent = sameText(cookie(csrfCookieName(isSecure)) ?? '', csrfToken);
        const cookies = isCurrent ? [] : [csrfCookie(isSecure, csrfToken)];
        // Sessions that began with an earlier release have it under its name on http.
        if (isSecure && cookie(CSRF_COOKIE) !== undefined) cookies.push(endPlainCsrfCookie());
        return ok(presentSession(actor), { cookies });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/login',
      tag: 'sign-in',
      summary:
        'Signs in; the answer sets the session’s cookies. Of an account with a second step it names the methods instead, and sets the cookie of a sign-in that `POST /api/auth/login/second-step` ends.',
      access: 'anyone',
      csrf: false,
      body: loginSchema,
      responses: { 200: signInAnswerSchema },
      errors: [401, 429],
      handle: async (request) => {
        const { body, ip } = request;
        const found = await findUserByEmail(database.reads, body.email);
        // Where passwords are switched off, everybody else's account is as if it were not there.
        const user = found && mayUsePassword(config, found) ? found : null;
        const attempt = { account: emailKey(body.email), ip, deviceId: deviceIdOf(context, request, user) };
        const audit = (action: 'sign_in_failed' | 'sign_in_throttled', detail?: string) =>
          database.transaction((tx) => addAudit(tx, { id: null, name: body.email, ip }, action, null, { detail }));
        const counted = await throttle.count(attempt);
        if (counted.throttled) {
          metrics.signIn('throttled');
          // Once for each time somebody runs into the limit: a guesser must not be able to fill the disk.
          if (counted.throttled.isFirst) await audit('sign_in_throttled');
          throw tooManySignIns(counted.throttled.seconds);
        }
        const isRight = await passwords
          .matches(body.password, user?.passwordHash, counted.rank)
          .catch(async (error: unknown) => {
            await throttle.giveBack(attempt);
            throw error;
          });
        if (!user || !isRight || !user.isActive) {
          metrics.signIn('refused');
          await audit('sign_in_failed', whyRefused(found, user !== null, isRight));
          throw notSignedIn('Invalid email or password');
        }
        await throttle.forgive(attempt);
        const current = passwords.isOutdated(user.passwordHash) ? await rehash(context, user, body.password) : user;
        const reply = await afterPassword(context, request, current);
        if (reply) return reply;
        metrics.signIn('refused');
        await audit('sign_in_failed', 'account changed meanwhile');
        throw notSignedIn('Invalid email or password');
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/logout',
      tag: 'sign-in',
      summary:
        'Signs out and ends the session. Of a session that a provider began it returns where to sign out there, when the provider’s configuration says so.',
      access: 'member',
      isForSetUp: true,
      responses: { 200: oidcAddressSchema, 204: 'no content' },
      handle: async ({ actor, ip, isSecure }) => {
        const signOutThere = await signOutOf(context, actor.sessionId, actor.id);
        await sessions.end(actor, ip);
        const ended = { cookies: endCookies(isSecure), headers: CLEAR };
        const address = await signOutThere?.();
        return address === undefined ? noContent(ended) : ok({ address }, ended);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/auth/default-credentials',
      tag: 'sign-in',
      summary:
        'Returns the first administrator’s generated password to who presents the token that the first start printed, as a bearer token: on this machine, within 24 hours, until the password is changed.',
      access: 'anyone',
      responses: { 200: defaultCredentialsSchema },
      errors: [404],
      handle: async ({ isLocal, bearerToken }) => {
        const found = isLocal && (await findDefaultCredentials(database, secrets, config));
        if (!found || !isLoopbackUrl(config.publicUrl) || !isSameSecret(bearerToken, found.setupToken)) {
          throw notFound('There are no default credentials to show.');
        }
        return ok({ email: found.email, password: found.password });
      },
    }),
  ];
}

/** Why a sign-in is refused, for the audit trail alone: whoever is refused gets the same sentence each time. */
function whyRefused(found: User | null, mayUse: boolean, isRight: boolean): string {
  if (!found) return 'unknown account';
  if (!mayUse) return 'passwords are switched off';
  if (!isRight) return found.isActive ? 'wrong password' : 'wrong password of a disabled account';
  return 'account disabled';
}
