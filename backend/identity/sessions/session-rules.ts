import type { EntityManager } from 'typeorm';
import type { SecondStepRule } from '#backend/contract/second-step.ts';
import { type User, mayUsePassword } from '#backend/identity/users/user.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import { NO_RULE, isRequiredOf, methodsOf, readRule, withSecondStep } from '#backend/identity/factors/second-steps.ts';

/** Sessions end after 7 days without use. */
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** What the configuration says about sessions: their longest life, who signs in by password, and providers. */
export type SessionRules = Pick<IdentityConfig, 'sessionMaxMs' | 'passwordOnlyFor' | 'oidcProviders'>;

/** What of a stored session decides. */
interface SessionFacts {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  provider: string | null;
  mustSetUp: boolean;
}

type Times = Pick<SessionFacts, 'createdAt' | 'lastSeenAt'>;

/** Whether a session has run out: it was not used for long, or is too old however much it is used. */
export const hasRunOut = ({ createdAt, lastSeenAt }: Times, { sessionMaxMs }: SessionRules, now: number): boolean =>
  lastSeenAt < now - SESSION_LIFETIME_MS || createdAt < now - sessionMaxMs;

/**
 * Whether the way in which a session was begun is open to its member still. Where passwords are switched off, sessions of
 * providers go on, and those of the one administrator who signs in here.
 */
export const mayHaveBegun = (
  { provider }: Pick<SessionFacts, 'provider'>,
  user: Pick<User, 'emailKey'>,
  rules: SessionRules,
): boolean => provider !== null || mayUsePassword(rules, user);

/** Whether its provider has asked for everything, so that this server asks for no second step. */
const isEnough = ({ provider }: Pick<SessionFacts, 'provider'>, { oidcProviders }: SessionRules): boolean =>
  oidcProviders.some(({ id, secondStep }) => id === provider && !secondStep);

/** Whether a session's member has to set up a second step before anything else, by the rule as it is now. */
export async function owesSecondStep(
  manager: EntityManager,
  rule: SecondStepRule | null,
  session: Pick<SessionFacts, 'mustSetUp' | 'provider'>,
  user: Pick<User, 'id' | 'role'>,
  rules: SessionRules,
): Promise<boolean> {
  if (session.mustSetUp) return true;
  if (isEnough(session, rules) || !isRequiredOf(rule ?? NO_RULE, user)) return false;
  return (await methodsOf(manager, user.id)).length === 0;
}

/** Of sessions and their members, the ids of those that may be listened to: what {@link owesSecondStep} says of one. */
export async function withoutOwing(
  manager: EntityManager,
  sessions: readonly { session: SessionFacts; user: User }[],
  rules: SessionRules,
): Promise<Set<string>> {
  const rule = await readRule(manager);
  const isAsked = ({ session, user }: { session: SessionFacts; user: User }) =>
    !isEnough(session, rules) && isRequiredOf(rule, user);
  const asked = [...new Set(sessions.filter(isAsked).map(({ user }) => user.id))];
  const secured = await withSecondStep(manager, asked);
  const isOpen = (one: { session: SessionFacts; user: User }) =>
    !one.session.mustSetUp && (!isAsked(one) || secured.has(one.user.id));
  return new Set(sessions.filter(isOpen).map(({ session }) => session.id));
}
