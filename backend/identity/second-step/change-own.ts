import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { Not } from 'typeorm';
import { type User, lockUser } from '#backend/identity/users/user.ts';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import type { SecurityEvent, SecurityMails } from '#backend/identity/users/security-mails.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { renewRecoveryCodes } from '#backend/identity/factors/recovery-codes.ts';
import { isRequiredOf, methodsOf, readRule, removeCompanions } from '#backend/identity/factors/second-steps.ts';

type ChangeContext = { database: Database; securityMails: SecurityMails };

/** A member at work, from where they ask. */
export interface Owner {
  actor: Actor;
  ip: string;
}

/** Runs a change of how a member signs in, on their locked account: two changes at once come one after the other. */
export function changeOwn<T>(
  { database }: Pick<ChangeContext, 'database'>,
  { actor, ip }: Owner,
  work: (tx: Transaction, user: User, author: Author) => Promise<T>,
): Promise<T> {
  const author = authorOf(actor, ip);
  return onBehalfOf(database, author).transaction(async (tx) => {
    const user = await lockUser(tx, actor.id);
    if (!user) throw notSignedIn();
    return work(tx, user, author);
  });
}

/**
 * The break-glass administrator sets up a first second step in a browser, and changes it on the server alone.
 *
 * @throws {ProblemError} 409 when they have one
 */
export async function refuseFurtherStep(
  tx: Transaction,
  config: Pick<IdentityConfig, 'breakGlass'>,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  if ((await methodsOf(tx, id)).length > 0) refuseBreakGlass(config, email);
}

/**
 * Adds a second step. The first one comes with recovery codes, which are returned to be shown this once; it opens the
 * session that had to set it up, and ends the member's others that still have to, and where it is required every other
 * one: whoever is there knows the password alone.
 *
 * @param add stores it, and returns what the audit trail calls it
 * @throws {ProblemError} 409 when the break-glass administrator has one
 */
export async function addSecondStep(
  context: ChangeContext & { config: Pick<IdentityConfig, 'breakGlass'> },
  owner: Owner,
  action: AuditAction & SecurityEvent,
  add: (tx: Transaction, user: User) => Promise<string | null>,
): Promise<string[] | undefined> {
  return changeOwn(context, owner, async (tx, user, author) => {
    await refuseFurtherStep(tx, context.config, user);
    const isFirst = (await methodsOf(tx, user.id)).length === 0;
    await addAudit(tx, author, action, await add(tx, user));
    await context.securityMails.add(tx, user, action, author);
    if (!isFirst) return undefined;
    const sessions = tx.getRepository(SessionEntity);
    await sessions.update({ id: owner.actor.sessionId }, { mustSetUp: false });
    const others = { userId: user.id, id: Not(owner.actor.sessionId) };
    const unfinished = isRequiredOf(await readRule(tx), user) ? others : { ...others, mustSetUp: true };
    const ids = (await sessions.findBy(unfinished)).map(({ id }) => id);
    await sessions.delete(unfinished);
    for (const sessionId of ids) announce(tx, { type: 'session_ended', sessionId });
    return renewRecoveryCodes(tx, user.id);
  });
}

/**
 * Removes a second step, and with the last one what goes with it.
 *
 * @throws {ProblemError} 409 when it is the last one of somebody who has to have one
 */
export async function removeSecondStep(
  context: Pick<ChangeContext, 'database' | 'securityMails'>,
  owner: Owner,
  action: AuditAction & SecurityEvent,
  remove: (tx: Transaction, user: User) => Promise<string | null>,
): Promise<void> {
  await changeOwn(context, owner, async (tx, user, author) => {
    await addAudit(tx, author, action, await remove(tx, user));
    await context.securityMails.add(tx, user, action, author);
    if ((await methodsOf(tx, user.id)).length > 0) return;
    if (isRequiredOf(await readRule(tx), user)) {
      throw conflict('You have to have a second step. Set up another one before you remove this one.');
    }
    await removeCompanions(tx, user.id);
  });
}
