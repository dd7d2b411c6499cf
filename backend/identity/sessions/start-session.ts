import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { forgetDefaultCredentials } from '#backend/identity/users/first-admin.ts';
import { type User, presentSession } from '#backend/identity/users/user.ts';
import type { EndpointRequest, Reply, ReplyCookie } from '#backend/platform/endpoint/endpoint.ts';
import { ok } from '#backend/platform/endpoint/endpoint.ts';
import { deviceOf } from '#backend/identity/users/device-of.ts';
import { isFromNewNetwork } from './new-network.ts';
import { startCookies, deviceCookie, deviceCookieName, knownDeviceId, sessionCookieName } from './session-cookies.ts';
import type { SessionStart, SessionStore } from './session-store.ts';
import { csrfTokenOf } from '#backend/identity/users/session-tokens.ts';

/** What of a request decides about the session that it starts. */
export type SignInRequest = Pick<
  EndpointRequest<unknown, unknown, unknown, 'anyone'>,
  'cookie' | 'ip' | 'isLocal' | 'isSecure' | 'userAgent'
>;

/** The known device that asks to sign in to this account. */
export const deviceIdOf = (
  { sessionSecret }: { sessionSecret: string },
  { cookie, isSecure }: Pick<SignInRequest, 'cookie' | 'isSecure'>,
  user: User | null,
): string | undefined => knownDeviceId(sessionSecret, user, cookie(deviceCookieName(isSecure)));

/** Dependencies of starting a session. */
export interface StartSessionDeps {
  config: IdentityConfig;
  metrics: Metrics;
  secrets: SecretStore;
  securityMails: SecurityMails;
  sessionSecret: string;
  sessions: SessionStore;
}

/** What the audit trail calls the step that everybody begins with who does not use a passkey alone. */
export const firstStepOf = (by: SessionStart['by']): string => by?.name ?? 'password';

/**
 * Starts a session of somebody who has passed every step, and answers with it: its cookies, that of a known device, and
 * what `cookies()` gives afterwards. Undefined when the account was disabled or got another password meanwhile, or
 * `start.within` says so.
 */
export async function startSession(
  context: StartSessionDeps,
  request: SignInRequest,
  user: User,
  start: SessionStart = {},
  cookies: () => ReplyCookie[] = () => [],
): Promise<Reply<200> | undefined> {
  const { config, metrics, secrets, sessionSecret, sessions } = context;
  const { cookie, ip, userAgent, isLocal, isSecure } = request;
  if (!isLocal) await forgetDefaultCredentials(secrets, config, user);
  const within: NonNullable<SessionStart['within']> = async (tx, account) => {
    if (start.within && !(await start.within(tx, account))) return false;
    if (!(await isFromNewNetwork(tx, account, ip))) return true;
    const by = { id: account.id, name: account.email, ip };
    await context.securityMails.add(tx, account, 'signed_in', by, { detail: deviceOf(userAgent) });
    return true;
  };
  const replaced = cookie(sessionCookieName(isSecure));
  const session = await sessions.create(user, { ip, userAgent }, replaced, {
    method: firstStepOf(start.by),
    ...start,
    within,
  });
  if (!session) return undefined;
  metrics.signIn('succeeded');
  const csrfToken = csrfTokenOf(sessionSecret, session.id);
  const device = deviceCookie({ secret: sessionSecret, isSecure }, user, deviceIdOf(context, request, user));
  const state = start.mustSetUp ? { mustSetUpSecondStep: true as const } : {};
  return ok(presentSession({ ...user, ...state }), {
    cookies: [...startCookies(isSecure, session.token, csrfToken), device, ...cookies()],
  });
}
