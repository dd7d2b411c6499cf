import type { EntityManager } from 'typeorm';
import type { SecondStepRule } from '#backend/contract/second-step.ts';
import { type User, mayUsePassword } from '#backend/identity/users/user.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import {
  NO_RULE,
  isEnough,
  isRequiredOf,
  methodsOf,
  readRule,
  withSecondStep,
} from '#backend/identity/factors/second-steps.ts';

/** Sessions end after 7 days without use. */
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** What the configuration says about sessions: their longest life, who signs in by password and by that alone, and providers. */
export type SessionRules = Pick<IdentityConfig, 'sessionMaxMs' | 'passwordOnlyFor' | 'breakGlass' | 'oidcProviders'>;

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
 * providers go on, and those of the one administrator who signs in here. No provider signs in to the break-glass account.
 */
export const mayHaveBegun = (
  { provider }: Pick<SessionFacts, 'provider'>,
  user: Pick<User, 'emailKey'>,
  rules: SessionRules,
): boolean => (provider === null ? mayUsePassword(rules, user) : user.emailKey !== rules.breakGlass);

type Marks = Pick<SessionFacts, 'mustSetUp' | 'provider'>;

/** Whether it depends on the member's second steps what a session owes. */
const isAsked = (session: Marks, isRequired: boolean, rules: SessionRules): boolean =>
  session.mustSetUp || (isRequired && !isEnough(session.provider, rules));

/**
 * What a session that is asked owes. One that began owing knows the password alone: a second step that was set up elsewhere
 * does not open it. It goes on once none is required any more.
 */
const owes = ({ mustSetUp }: Marks, isRequired: boolean, hasSecondStep: boolean): boolean =>
  mustSetUp ? isRequired || hasSecondStep : !hasSecondStep;

/** Whether a session's member has to set up a second step before anything else, by the rule as it is now. */
export async function owesSecondStep(
  manager: EntityManager,
  rule: SecondStepRule | null,
  session: Marks,
  user: Pick<User, 'id' | 'role'>,
  rules: SessionRules,
): Promise<boolean> {
  const isRequired = isRequiredOf(rule ?? NO_RULE, user);
  if (!isAsked(session, isRequired, rules)) return false;
  return owes(session, isRequired, (await methodsOf(manager, user.id)).length > 0);
}

/** A session and its member, as far as they decide on each other. */
export interface SessionOfMember {
  session: SessionFacts;
  user: Pick<User, 'id' | 'role' | 'emailKey' | 'isActive'>;
}

/**
 * Of sessions and their members, the ids of those that are good still, and that owe no second step: what may be sent to a
 * session that does not ask.
 */
export async function activeOf(
  manager: EntityManager,
  sessions: readonly SessionOfMember[],
  rules: SessionRules,
  now: number,
): Promise<Set<string>> {
  const good = sessions.filter(
    ({ session, user }) => user.isActive && !hasRunOut(session, rules, now) && mayHaveBegun(session, user, rules),
  );
  const rule = await readRule(manager);
  const asked = good.filter(({ session, user }) => isAsked(session, isRequiredOf(rule, user), rules));
  const secured = await withSecondStep(manager, [...new Set(asked.map(({ user }) => user.id))]);
  const owing = asked.filter(({ session, user }) => owes(session, isRequiredOf(rule, user), secured.has(user.id)));
  return new Set(good.map(({ session }) => session.id)).difference(new Set(owing.map(({ session }) => session.id)));
}
