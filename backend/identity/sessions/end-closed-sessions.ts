import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import { type StoredSession, SessionEntity } from './session-store.ts';

/** Sessions that are ended in one transaction. */
const BATCH = 500;

/**
 * Ends the sessions that were begun by a method which the configuration closes, for good, also when it opens that again:
 * those without a provider where passwords are switched off, but for the one administrator who signs in here, and those that a
 * provider began for the break-glass administrator. Runs at the start.
 */
export async function endClosedSessions({
  config: { passwordOnlyFor, breakGlass },
  database,
}: {
  config: Pick<IdentityConfig, 'passwordOnlyFor' | 'breakGlass'>;
  database: Database;
}): Promise<void> {
  // Empty, as no session's member is, where there is no such account.
  const idOf = async (emailKey: string) =>
    (await database.reads.getRepository(UserEntity).findOneBy({ emailKey }))?.id ?? '';
  if (passwordOnlyFor !== undefined) {
    await endSessions(database, { provider: IsNull(), userId: Not(await idOf(passwordOnlyFor)) });
  }
  if (breakGlass !== undefined)
    await endSessions(database, { provider: Not(IsNull()), userId: await idOf(breakGlass) });
}

async function endSessions(database: Database, where: FindOptionsWhere<StoredSession>): Promise<void> {
  const rows = await database.reads.getRepository(SessionEntity).find({ where, select: { id: true } });
  const ended = rows.map(({ id }) => id);
  for (let at = 0; at < ended.length; at += BATCH) {
    const ids = ended.slice(at, at + BATCH);
    await database.transaction(async (tx) => {
      await tx.getRepository(SessionEntity).delete({ id: In(ids) });
      // Sockets on other servers.
      for (const sessionId of ids) announce(tx, { type: 'session_ended', sessionId });
    });
  }
}
