import { hash } from 'node:crypto';
import type { User } from '#backend/accounts/user.ts';
import type { AppContext } from '#backend/context.ts';
import type { SecondStepDue } from '#backend/contract/second-step.ts';
import { type Reply, type ReplyCookie, ok } from '#backend/endpoint/endpoint.ts';
import { type SignInRequest, startSession } from '#backend/sessions/start-session.ts';
import { PENDING_SIGN_IN_SECONDS, beginCeremony } from './ceremonies.ts';
import { acceptRememberedBrowser, isRemembered, rememberedCookieName } from './remembered-browsers.ts';
import { isRequiredOf, methodsOf, readRule } from './second-steps.ts';

/** The cookie of a sign-in whose second step is due; on https the `__Host-` prefix keeps other hosts from setting it. */
export const pendingCookieName = (isSecure: boolean): string => (isSecure ? '__Host-sign-in' : 'sign-in');

/** Takes the cookie of a pending sign-in back. */
export const endPendingCookie = (isSecure: boolean): ReplyCookie => ({
  name: pendingCookieName(isSecure),
  value: null,
  httpOnly: true,
});

/** Of the password that was right: a sign-in that is still pending when it is changed comes to nothing. */
export const passwordMarkOf = ({ passwordHash }: Pick<User, 'passwordHash'>): string => hash('sha256', passwordHash);

/**
 * What follows a right password: a session, or the second step of whoever has one and asks from a browser that is not
 * remembered. Undefined when the account has changed meanwhile.
 */
export async function afterPassword(
  context: Pick<AppContext, 'config' | 'database' | 'events' | 'metrics' | 'secrets' | 'sessionSecret' | 'sessions'>,
  request: SignInRequest,
  user: User,
): Promise<Reply<200> | undefined> {
  const { reads } = context.database;
  const { cookie, isSecure } = request;
  const secondStep = await methodsOf(reads, user.id);
  if (secondStep.length === 0) {
    const mustSetUp = isRequiredOf(await readRule(reads), user);
    // A second step that was set up since is not passed by.
    return startSession(context, request, user, {
      mustSetUp,
      within: async (tx) => (await methodsOf(tx, user.id)).length === 0,
    });
  }
  const remembered = cookie(rememberedCookieName(isSecure));
  if (remembered && (await isRemembered(reads, user, remembered))) {
    const within = (tx: Parameters<typeof acceptRememberedBrowser>[0]) => acceptRememberedBrowser(tx, user, remembered);
    return startSession(context, request, user, { within });
  }
  const token = await context.database.transaction((tx) =>
    beginCeremony(tx, { kind: 'sign_in', userId: user.id, data: passwordMarkOf(user) }),
  );
  const pending = { name: pendingCookieName(isSecure), value: token, httpOnly: true };
  return ok({ secondStep } satisfies SecondStepDue, {
    cookies: [{ ...pending, maxAgeSeconds: PENDING_SIGN_IN_SECONDS }],
  });
}
