import type { Database } from '#backend/platform/database/database.ts';
import { hash } from 'node:crypto';
import type { User } from '#backend/identity/users/user.ts';
import type { SecondStepDue } from '#backend/contract/second-step.ts';
import { type Reply, type ReplyCookie, ok } from '#backend/platform/endpoint/endpoint.ts';
import type { SessionStart } from '#backend/identity/sessions/session-store.ts';
import {
  type SignInRequest,
  type StartSessionDeps,
  firstStepOf,
  startSession,
} from '#backend/identity/sessions/start-session.ts';
import { PENDING_SIGN_IN_SECONDS, beginCeremony } from '#backend/identity/factors/ceremonies.ts';
import type { StoredCeremony } from '#backend/identity/factors/second-step-entities.ts';
import {
  acceptRememberedBrowser,
  isRemembered,
  rememberedCookieName,
} from '#backend/identity/factors/remembered-browsers.ts';
import { isRequiredOf, methodsOf, readRule } from '#backend/identity/factors/second-steps.ts';

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

/** The provider that came before the second step, as a pending sign-in keeps it; undefined after a password. */
export const providerOf = ({ details }: Pick<StoredCeremony, 'details'>): SessionStart['by'] =>
  details === null ? undefined : (JSON.parse(details) as NonNullable<SessionStart['by']>);

/**
 * What follows a right password, or a provider that is not enough by itself: a session, or the second step of whoever has one and asks from a browser that is not
 * remembered. Undefined when the account has changed meanwhile.
 */
export async function afterPassword(
  context: StartSessionDeps & { database: Database },
  request: SignInRequest,
  user: User,
  { by, within = async () => true }: Pick<SessionStart, 'by' | 'within'> = {},
): Promise<Reply<200> | undefined> {
  const { reads } = context.database;
  const { cookie, isSecure } = request;
  const secondStep = await methodsOf(reads, user.id);
  if (secondStep.length === 0) {
    const mustSetUp = isRequiredOf(await readRule(reads), user);
    // A second step that was set up since is not passed by.
    return startSession(context, request, user, {
      mustSetUp,
      ...(by && { by }),
      within: async (tx, current) => (await within(tx, current)) && (await methodsOf(tx, user.id)).length === 0,
    });
  }
  const remembered = cookie(rememberedCookieName(isSecure));
  if (remembered && (await isRemembered(reads, user, remembered))) {
    return startSession(context, request, user, {
      ...(by && { by }),
      method: `${firstStepOf(by)} and remembered browser`,
      within: async (tx, current) =>
        (await within(tx, current)) && (await acceptRememberedBrowser(tx, user, remembered)),
    });
  }
  const details = by ? JSON.stringify(by) : null;
  const token = await context.database.transaction(async (tx) =>
    (await within(tx, user))
      ? beginCeremony(tx, { kind: 'sign_in', userId: user.id, data: passwordMarkOf(user), details })
      : undefined,
  );
  if (token === undefined) return undefined;
  const pending = { name: pendingCookieName(isSecure), value: token, httpOnly: true };
  return ok({ secondStep } satisfies SecondStepDue, {
    cookies: [{ ...pending, maxAgeSeconds: PENDING_SIGN_IN_SECONDS }],
  });
}
