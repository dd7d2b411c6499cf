import type { Database } from '#backend/platform/database/database.ts';
import { createFollowedClock } from '#backend/platform/database/followed-clock.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';

/**
 * Has what waits come earlier by as much as this server's clock is set back, so that nothing waits for longer than it was to. What
 * another server has stored by a right clock comes early then: at worst a service refuses once more. A clock that is set forward delays nothing.
 *
 * @returns looks at the clock; to be called again and again, by the server that sends alone
 */
export function createWaitMover({
  database,
  logger,
}: {
  database: Pick<Database, 'transaction'>;
  logger: Logger;
}): () => Promise<void> {
  const clock = createFollowedClock(async () => Date.now());
  return async () => {
    const { jumpMs, moved } = await clock.now();
    if (jumpMs === 0) return;
    if (jumpMs < 0) {
      logger.warn({ jumpMs }, 'the clock was set back; messages that wait are due as much earlier');
      await database.transaction((tx) => bringForward(tx, -jumpMs, Date.now()));
    }
    moved();
  };
}

async function bringForward(tx: Transaction, byMs: number, now: number): Promise<void> {
  await tx.query('UPDATE outgoing_destinations SET retry_at = retry_at - ? WHERE retry_at > ?', [byMs, now]);
  const destinations: { id: string }[] = await tx.query('SELECT id FROM outgoing_destinations');
  for (const { id } of destinations) {
    await tx.query(
      "UPDATE outgoing_messages SET next_at = next_at - ? WHERE destination_id = ? AND state = 'waiting' AND next_at > ?",
      [byMs, id, now],
    );
  }
}
