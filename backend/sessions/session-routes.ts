import { findDefaultCredentials } from '#backend/accounts/first-admin.ts';
import { presentSession, emailKey, findUserByEmail, mayUsePassword } from '#backend/accounts/user.ts';
import { rehash } from '#backend/accounts/user-commands.ts';
import { addAudit } from '#backend/audit/audit-log.ts';
import { isLoopbackUrl } from '#backend/config.ts';
import type { AppContext } from '#backend/context.ts';
import { CSRF_COOKIE } from '#backend/contract/csrf.ts';
import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import { signInAnswerSchema } from '#backend/contract/second-step.ts';
import { defaultCredentialsSchema, loginSchema, sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound, notSignedIn } from '#backend/endpoint/errors.ts';
import { signOutOf } from '#backend/oidc/provider-session.ts';
import { afterPassword } from '#backend/second-step/after-password.ts';
import { csrfCookie, endCookies } from './session-cookies.ts';
import { csrfTokenOf, isSameSecret, sameText } from './session-tokens.ts';
import { deviceIdOf } from './start-session.ts';
import { type SignInThrottle, tooManySignIns } from './sign-in-throttle.ts';

/** Sign in, sign out, and read the current session. */
export function sessionRoutes(
  context: Pick<
    AppContext,
    | 'config'
    | 'database'
    | 'events'
    | 'metrics'
    | 'oidc'
    | 'passwords'
    | 'sealing'
    | 'secrets'
    | 'sessionSecret'
    | 'sessions'
  >,
  throttle: SignInThrottle,
): Endpoint[] {
  const { config, database, events, metrics, passwords, secrets, sessionSecret, sessions } = context;
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
      handle: async ({ actor, cookie }) => {
        if (actor.tokenScope) return ok(presentSession(actor));
        const csrfToken = csrfTokenOf(sessionSecret, actor.sessionId);
        // After SESSION_SECRET changed, or on data restored elsewhere, the browser has a token that is not valid any more.
        const isCurrent = sameText(cookie(CSRF_COOKIE) ?? '', csrfToken);
        return ok(presentSession(actor), isCurrent ? {} : { cookies: [csrfCookie(csrfToken)] });
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
        const audit = (action: 'sign_in_failed' | 'sign_in_throttled') =>
          database.transaction((tx) => addAudit(tx, { id: null, name: body.email, ip }, action));
        const counted = await throttle.count(attempt);
        if (counted.throttled) {
          metrics.signIn('throttled');
          // Once for each time somebody runs into the limit: a guesser must not be able to fill the disk.
          if (counted.throttled.isFirst) await audit('sign_in_throttled');
          throw tooManySignIns(counted.throttled.seconds);
        }
        const isRight = await passwords.matches(body.password, user?.passwordHash, counted.rank);
        if (!user || !isRight || !user.isActive) {
          metrics.signIn('refused');
          await audit('sign_in_failed');
          throw notSignedIn('Invalid email or password');
        }
        await throttle.forgive(attempt);
        const current = passwords.isOutdated(user.passwordHash) ? await rehash(context, user, body.password) : user;
        const reply = await afterPassword(context, request, current);
        if (reply) return reply;
        metrics.signIn('refused');
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
        events.publish({ type: 'session_ended', sessionId: actor.sessionId });
        const cookies = endCookies(isSecure);
        const address = await signOutThere?.();
        return address === undefined ? noContent({ cookies }) : ok({ address }, { cookies });
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
