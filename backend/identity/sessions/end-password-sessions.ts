import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { In, IsNull } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import { SessionEntity } from './session-store.ts';

/** Sessions that are ended in one transaction. */
const BATCH = 500;

/**
 * Ends the sessions that were begun without a provider, where passwords are switched off: for good, also when they are
 * switched on again. Those of the one administrator who signs in here stay. Runs at the start.
 */
export async function endPasswordSessions({
  config: { passwordOnlyFor },
  database,
}: {
  config: IdentityConfig;
  database: Database;
}): Promise<void> {
  if (passwordOnlyFor === undefined) return;
  const kept = await database.reads.getRepository(UserEntity).findOneBy({ emailKey: passwordOnlyFor });
  const rows = await database.reads.getRepository(SessionEntity).find({
    where: { provider: IsNull() },
    select: { id: true, userId: true },
  });
  const ended = rows.filter(({ userId }) => userId !== kept?.id).map(({ id }) => id);
  for (let at = 0; at < ended.length; at += BATCH) {
    const ids = ended.slice(at, at + BATCH);
    await database.transaction(async (tx) => {
      await tx.getRepository(SessionEntity).delete({ id: In(ids) });
      // Sockets on other servers.
      for (const sessionId of ids) announce(tx, { type: 'session_ended', sessionId });
    });
  }
}
